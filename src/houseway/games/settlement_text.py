"""The JSON text of settlements, put together from parts that are made once: what to_json and an encoder would give.

A stream of rounds repeats its lines, values and rules all the time, and only the cards are always others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

from houseway.cards.card import CARD_TEXTS
from houseway.ranking.hand_names import describe_low, describe_value, name_of_low, name_of_value

if TYPE_CHECKING:
    from houseway.games.round_model import Hand, SeatResult, Settlement

json_text: Final = json.JSONEncoder(allow_nan=False, check_circular=False).encode
"""A JSON value as text on one line, in ASCII."""

_QUOTED: Final = tuple(json_text(text) for text in CARD_TEXTS)
_WORD: Final[Mapping[bool | None, str]] = {word: json_text(word) for word in (True, False, None)}


def high_words(value: int) -> dict[str, Any]:
    """What a five-card hand is, in a name and in words."""
    return {"high_hand": name_of_value(value), "high_text": describe_value(value)}


def low_words(value: int | None) -> dict[str, Any]:
    """What a low hand is, in a name and in words; None where hands are not split."""
    if value is None:
        return {"low_hand": None, "low_text": None}
    return {"low_hand": name_of_low(value), "low_text": describe_low(value)}


def settlement_text(settlement: Settlement) -> str:
    """The text of `settlement.to_json()`."""
    seats = ", ".join([_seat_text(result) for result in settlement.seats])
    text = (
        f'{{"dealer": {{{_hand_text(settlement.dealer)}, "qualifies": {_WORD[settlement.qualifies]}}}, '
        f'"seats": [{seats}], "order": {_order_text(tuple(settlement.order))}, '
        f'"meters": {_levels_text(settlement.meters)}'
    )
    notes = settlement.round.notes
    return f'{text}, "notes": {json_text(notes)}}}' if notes else text + "}"


def _seat_text(result: SeatResult) -> str:
    lines = ", ".join([line.text for line in result.lines])
    hand = result.hand
    return (
        f'{{"seat": {result.seat}, {_hand_text(hand)}, "fouled": {"true" if hand.fouled else "false"}, '
        f'"lines": [{lines}]}}'
    )


def _hand_text(hand: Hand) -> str:
    """The members of a hand's object."""
    low = hand.low_value if hand.low else None
    return (
        f'"high": [{_cards_text(hand.high)}], "low": [{_cards_text(hand.low)}], '
        f"{_high_text(hand.high_value)}, {_low_text(low)}{_rule_text(hand.rule)}"
    )


def _cards_text(cards: Iterable[int]) -> str:
    return ", ".join([_QUOTED[card] for card in cards])


@cache
def _high_text(value: int) -> str:
    return json_text(high_words(value))[1:-1]


@cache
def _low_text(value: int | None) -> str:
    return json_text(low_words(value))[1:-1]


@lru_cache(maxsize=1000)
def _rule_text(rule: str | None) -> str:
    return f', "rule": {json_text(rule)}'


@lru_cache(maxsize=1000)
def _order_text(order: tuple[int, ...]) -> str:
    return json_text(order)


@lru_cache(maxsize=1000)
def _key_text(key: str) -> str:
    return json_text(key)


def _levels_text(meters: Mapping[str, Mapping[str, int]]) -> str:
    tables = [
        f"{_key_text(key)}: {{{', '.join([f'{_key_text(level)}: {shown}' for level, shown in levels.items()])}}}"
        for key, levels in meters.items()
    ]
    return f"{{{', '.join(tables)}}}"
