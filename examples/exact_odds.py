"""Exact odds: a printed pay table, one that nobody printed, and a whole game over all its deals."""

from dataclasses import replace
from fractions import Fraction

from houseway.games import game
from houseway.odds.questions import Question, answer
from houseway.odds.solved import solved
from houseway.paytables import PayTable, paytable

FORTUNE = game("fortune")


def edge(table: PayTable) -> Fraction:
    """What the house keeps of a Fortune bonus wager, as a fraction of it."""
    found = answer(Question(FORTUNE, ("fortune",), {"fortune": table})).edge
    assert found is not None
    return found


def main() -> None:
    """Compare two pay tables, then tell how Fortune ends when both sides play the house way."""
    printed = paytable("FPGP-1")
    lines = tuple(replace(line, pays=5) if line.hand == "flush" else line for line in printed.lines)
    for name, table in (("as printed", printed), ("flush pays 5 to 1", replace(printed, lines=lines))):
        share = edge(table)
        print(f"{printed.id}, {name}: {share} = {float(share):.4%}")
    game_solved = solved("fortune", dealer="foxwoods", player="foxwoods")
    assert game_solved is not None
    print(f"Fortune, main wager, over {game_solved.deals:,} deals:")
    for outcome, deals in game_solved.outcomes.items():
        print(f"  {outcome:<5} {deals:,}")


if __name__ == "__main__":
    main()
