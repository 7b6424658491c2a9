"""The advice of `houseway advise` for people."""

from __future__ import annotations

from typing import Any

from houseway.cli.output import print_text
from houseway.definitions import Game


def print_advice(told: dict[str, Any], game: Game) -> None:
    """The advice for people: a line for every option, then the house way and the raise."""
    first, raised = game.first_wager.title.lower(), game.raise_wager
    if told["house_way"] is None:
        for option in told["options"]:
            print_text(f"{option['value']:+10.4%}  {option['action']}")
        print_text(
            "", f"counted over {told['deals']:,} ways to complete the dealer's hand; values in units of the {first}"
        )
        return
    deals = told["deals"]
    for option in told["options"]:
        print_text(_line(option, deals, "" if raised is None else raised.name))
    house = told["house_way"]
    print_text("", f"house way {told['way']}/{house['rule']}: low {' '.join(house['low'])}, costs {told['cost']:.4%}")
    if raised is not None and raised.name in told:
        double, name = told[raised.name], raised.title.lower()
        what = name if double["double"] else f"do not {name}"
        print_text(f"with the {name}: low {' '.join(double['low'])} and {what}, {double['value']:+.4%} in all")
    print_text(f"counted over {deals:,} dealer hand{'s' if deals != 1 else ''}; values in units of the {first}")
    for note in told["notes"]:
        print_text(f"note: {note}")


def _line(option: dict[str, Any], deals: int, raised: str) -> str:
    """One option in columns."""
    hands = f"{' '.join(option['high']):<16}{' '.join(option['low']):<7}"
    words = f"{option['high_text']} / {option['low_text']}"
    outcomes = [name for name in ("win", "push", "lose") if deals > 1 or option[name]]
    shares = "  ".join(f"{name} {option[name] / deals:7.2%}" if deals > 1 else f"{name:<4}" for name in outcomes)
    double = option.get(raised)
    doubled = f"  double {double['value']:+9.4%}" if double else ""
    return f"{option['value']:+10.4%}  {hands}{shares}{doubled}  {words}"
