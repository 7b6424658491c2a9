"""The advice of `houseway advise` as JSON and as text."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from houseway.cards.card import card_texts
from houseway.cli.output import print_text
from houseway.ranking.hands import describe_low, describe_value, name_of_low, name_of_value

if TYPE_CHECKING:
    from houseway.houseways import HouseWay
    from houseway.odds.pai_gow.advice import Advice, Option, Tally
    from houseway.odds.six_card_poker.decision import Decision
    from houseway.ranking.reference import Ranking


def number_json(name: str, value: Fraction) -> dict[str, Any]:
    """A value as a number and, exactly, as a fraction."""
    return {name: float(value), f"{name}_fraction": f"{value.numerator}/{value.denominator}"}


def _tally_json(tally: Tally) -> dict[str, int]:
    return {"win": tally.win, "push": tally.push, "lose": tally.lose}


def _option_json(option: Option) -> dict[str, Any]:
    setting = option.setting
    shown = {
        "high": card_texts(setting.high),
        "low": card_texts(setting.low),
        "high_hand": name_of_value(setting.high_value),
        "high_text": describe_value(setting.high_value),
        "low_hand": name_of_low(setting.low_value),
        "low_text": describe_low(setting.low_value),
        **number_json("value", option.value),
        **_tally_json(option.main),
    }
    if option.double_down is not None:
        double = number_json("value", option.double_value) | _tally_json(option.double_down)
        shown["double_down"] = double | {"double": option.doubles}
    return shown


def advice_json(advice: Advice, way: HouseWay, ranking: Ranking) -> dict[str, Any]:
    """Every setting, the house way's, and in the six-card game the best one with the double down in mind."""
    shown: dict[str, Any] = {
        "options": [_option_json(option) for option in advice.options],
        "house_way": _option_json(advice.house_way) | {"rule": advice.rule, "why": advice.why},
        **number_json("cost", advice.cost),
        "deals": advice.deals,
        "way": way.id,
        "wheel": ranking.wheel,
    }
    if advice.house_way.double_down is not None:
        best = advice.best_whole
        shown["double_down"] = {
            "double": best.doubles,
            "high": card_texts(best.setting.high),
            "low": card_texts(best.setting.low),
            **number_json("value", best.whole_value),
            **number_json("cost", best.whole_value - advice.house_way.whole_value),
        }
    return shown


def decision_json(found: Decision) -> dict[str, Any]:
    """Play and fold, the better one first."""
    options: list[dict[str, Any]] = []
    for action, value in found.values.items():
        counts = {"outcomes": dict(found.counts)} if action == "play" else {}
        options.append({"action": action, **number_json("value", value), **counts})
    return {
        "options": options,
        "house_way": None,
        "cost": None,
        "deals": found.completions,
        "way": None,
        "wheel": "lowest",
    }


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
