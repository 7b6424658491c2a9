"""Settle a round: what every wager returns, and the clause of the rule sheet that says so. Amounts are cents."""

from houseway.games import read_round, settle

ROUND = {
    "game": "fortune",
    "paytables": {"fortune": "FPGP-3"},
    "dealer": ["Ah", "Qd", "Jc", "9s", "7d", "5h", "4c"],
    "seats": [
        {"seat": 1, "cards": ["8c", "8d", "Th", "6s", "5c", "3d", "2h"], "wagers": {"main": 2500}},
        {"seat": 3, "cards": ["Ks", "Kd", "Kh", "Ac", "Qc", "8h", "3s"], "wagers": {"main": 2500, "fortune": 500}},
    ],
}


def main() -> None:
    """Settle the round and print a line for each wager."""
    settlement = settle(read_round(ROUND))
    for seat in settlement.seats:
        for line in seat.lines:
            money = f"{line.stake:>5,} bet, {line.returned:>5,} back"
            print(f"seat {seat.seat} {line.wager:<8} {line.outcome:<5} {money}  {line.clause}")


if __name__ == "__main__":
    main()
