"""Settle a round: what every wager returns, and the clause of the rule sheet that says so. Amounts are cents."""

import houseway as hw

SEATS = {
    1: hw.Seat("8c 8d Th 6s 5c 3d 2h", main=2500),
    3: hw.Seat("Ks Kd Kh Ac Qc 8h 3s", main=2500, fortune=500),
}

settlement = hw.settle("fortune", dealer="Ah Qd Jc 9s 7d 5h 4c", seats=SEATS, paytables={"fortune": "FPGP-3"})
for seat in settlement.seats:
    for line in seat.lines:
        money = f"{line.stake:>5,} bet, {line.returned:>5,} back"
        print(f"seat {seat.seat} {line.wager:<8} {line.outcome:<5} {money}  {line.clause}")
