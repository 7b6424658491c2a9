"""Run a Game Manager in memory: a table on a progressive link, a jackpot that is hit, verified and paid."""

import houseway as hw

TABLE, LINK = "T1", "Fortune"


def dollars(cents: int) -> str:
    """An amount in words; amounts are whole numbers throughout."""
    return f"${cents // 100:,}.{cents % 100:02}"


def tell(room: hw.Room, what: str) -> None:
    """Print what happened, and what the sign above the table shows: a meter counts in millionths of a dollar."""
    print(f"{what:<60} sign {dollars(room.meters()[LINK]['main'] // 10_000)}")


with hw.Room.demo() as room:
    dealer = room.dealer(TABLE)
    tell(room, "The room is open")
    for seats in ([1, 2, 3, 4], [2, 3, 4]):
        round_ = room.command("round.start", actor=dealer, table=TABLE, sensors={"1": seats}).answer.round
        room.command("round.end", actor=dealer, round=round_)
        tell(room, f"Round {round_}: {len(seats)} jackpot wagers of $1")
    round_ = room.command("round.start", actor=dealer, table=TABLE, sensors={"1": [2, 5]}).answer.round
    room.command("hand.press", actor=dealer, round=round_, seat=5, hand="seven-card-straight-flush")
    (award,) = room.command("jackpot.hit", actor=dealer, round=round_).answer.awards
    tell(room, f"Seat 5 wins {dollars(award.cents)}, needs the {award.badge_role}'s badge")
    seen = {"payout": award.award, "hand": award.hand, "cents": award.cents, "reference": "camera 4"}
    room.command("surveillance.reference", actor="Surveillance 1", round=round_, **seen)
    room.command("jackpot.pay", actor=dealer, award=award.award, badge=room.badge("Executive 1"))
    tell(room, "Surveillance confirms, the executive's badge pays")
    room.command("round.end", actor=dealer, round=round_)
    tell(room, f"Round {round_} ends")
