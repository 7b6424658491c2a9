"""Advice as JSON: every value as a number and as a fraction."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from houseway.cards.card import card_texts
from houseway.ranking.hand_names import describe_low, describe_value, name_of_low, name_of_value

if TYPE_CHECKING:
    from houseway.definitions import Game
    from houseway.houseways import HouseWay
    from houseway.odds.pai_gow.setting_advice import Advice, Option, SettingTally
    from houseway.odds.six_card_poker.decision import FoldDecision
    from houseway.ranking.reference import Ranking


def number_json(name: str, value: Fraction) -> dict[str, Any]:
    """A value as a number and, exactly, as a fraction."""
    return {name: float(value), f"{name}_fraction": f"{value.numerator}/{value.denominator}"}


def _tally_json(tally: SettingTally) -> dict[str, int]:
    return {"win": tally.win, "push": tally.push, "lose": tally.lose}


def _option_json(option: Option, raised: str) -> dict[str, Any]:
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
    if option.raised is not None:
        double = number_json("value", option.double_value) | _tally_json(option.raised)
        shown[raised] = double | {"double": option.doubles}
    return shown


def advice_json(advice: Advice, game: Game, way: HouseWay, ranking: Ranking) -> dict[str, Any]:
    """Every setting, the house way's, and in a game with a raise the best one with that in mind, under its name."""
    raised = "" if game.raise_wager is None else game.raise_wager.name
    shown: dict[str, Any] = {
        "options": [_option_json(option, raised) for option in advice.options],
        "house_way": _option_json(advice.house_way, raised) | {"rule": advice.rule, "why": advice.why},
        **number_json("cost", advice.cost),
        "deals": advice.deals,
        "way": way.id,
        "wheel": ranking.wheel,
    }
    if advice.house_way.raised is not None:
        best = advice.best_whole
        shown[raised] = {
            "double": best.doubles,
            "high": card_texts(best.setting.high),
            "low": card_texts(best.setting.low),
            **number_json("value", best.whole_value),
            **number_json("cost", best.whole_value - advice.house_way.whole_value),
        }
    return shown


def decision_json(found: FoldDecision) -> dict[str, Any]:
    """Play and fold, the better one first."""
    options: list[dict[str, Any]] = []
    for action, value in found.values.items():
        counts = {"outcomes": dict(found.counts)} if action != "fold" else {}
        options.append({"action": action, **number_json("value", value), **counts})
    return {
        "options": options,
        "house_way": None,
        "cost": None,
        "deals": found.completions,
        "way": None,
        "wheel": "lowest",
    }
