"""The advice of `houseway advise` for people."""

from __future__ import annotations

from typing import Any

from houseway.cli.output import print_text


def print_advice(told: dict[str, Any]) -> None:
    """The advice for people: a line for every option, then the house way and the double down."""
    if told["house_way"] is None:
        for option in told["options"]:
            print_text(f"{option['value']:+10.4%}  {option['action']}")
        print_text(
            "", f"counted over {told['deals']:,} ways to complete the dealer's hand; values in units of the ante"
        )
        return
    deals = told["deals"]
    for option in told["options"]:
        print_text(_line(option, deals))
    house = told["house_way"]
    print_text("", f"house way {told['way']}/{house['rule']}: low {' '.join(house['low'])}, costs {told['cost']:.4%}")
    if "double_down" in told:
        double = told["double_down"]
        what = "double down" if double["double"] else "do not double down"
        print_text(f"with the double down: low {' '.join(double['low'])} and {what}, {double['value']:+.4%} in all")
    print_text(f"counted over {deals:,} dealer hand{'s' if deals != 1 else ''}; values in units of the main wager")
    for note in told["notes"]:
        print_text(f"note: {note}")


def _line(option: dict[str, Any], deals: int) -> str:
    """One option in columns."""
    hands = f"{' '.join(option['high']):<16}{' '.join(option['low']):<7}"
    words = f"{option['high_text']} / {option['low_text']}"
    outcomes = [name for name in ("win", "push", "lose") if deals > 1 or option[name]]
    shares = "  ".join(f"{name} {option[name] / deals:7.2%}" if deals > 1 else f"{name:<4}" for name in outcomes)
    double = option.get("double_down")
    doubled = f"  double {double['value']:+9.4%}" if double else ""
    return f"{option['value']:+10.4%}  {hands}{shares}{doubled}  {words}"
