"""The JSON text of settlements, put together from parts that are made once: what to_json and an encoder would give.

A stream of rounds repeats its lines, values and rules all the time, and only the cards are always others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
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
    round_ = settlement.round
    return round_text(
        _text_of_hand(settlement.dealer) if round_.game.dealer_hand else None,
        settlement.qualifies,
        [_text_of_seat(result) for result in settlement.seats],
        order_text(tuple(settlement.order)),
        levels_text(settlement.meters),
        round_.notes,
        round_.community,
    )


def _text_of_seat(result: SeatResult) -> str:
    return seat_text(
        result.seat, _text_of_hand(result.hand), [line.text for line in result.lines], fouled=result.hand.fouled
    )


def _text_of_hand(hand: Hand) -> str:
    return hand_text(cards_text(hand.high, hand.low), hand.high_value, hand.low_value if hand.low else None, hand.rule)


def round_text(
    dealer: str | None,
    qualifies: bool | None,
    seats: Iterable[str],
    order: str,
    meters: str,
    notes: Sequence[str] = (),
    community: Sequence[int] = (),
) -> str:
    """The object of a settlement, from the texts of its parts; no dealer where the dealer has no hand."""
    told = f', "notes": {json_text(notes)}' if notes else ""
    if community:
        told = f', "community": [{_listed(community)}]{told}'
    hand = "null" if dealer is None else f'{{{dealer}, "qualifies": {_WORD[qualifies]}}}'
    return f'{{"dealer": {hand}, "seats": [{", ".join(seats)}], "order": {order}, "meters": {meters}{told}}}'


def seat_text(number: int, hand: str, lines: Iterable[str], *, fouled: bool) -> str:
    """The object of a seat, from the texts of its hand and its lines."""
    return f'{{"seat": {number}, {hand}, "fouled": {_WORD[fouled]}, "lines": [{", ".join(lines)}]}}'


def hand_text(cards: str, high_value: int, low_value: int | None, rule: str | None) -> str:
    """The members of a hand's object, from the text of its cards."""
    return f"{cards}, {_high_text(high_value)}, {_low_text(low_value)}{_rule_text(rule)}"


def cards_text(high: Iterable[int], low: Iterable[int]) -> str:
    """The members with the cards of a hand."""
    return f'"high": [{_listed(high)}], "low": [{_listed(low)}]'


def _listed(cards: Iterable[int]) -> str:
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
def order_text(order: tuple[int, ...]) -> str:
    """The seats in the order in which the dealer resolves them."""
    return json_text(order)


@lru_cache(maxsize=1000)
def _key_text(key: str) -> str:
    return json_text(key)


def levels_text(meters: Mapping[str, Mapping[str, int]]) -> str:
    """What the meters show."""
    tables = [
        f"{_key_text(key)}: {{{', '.join([f'{_key_text(level)}: {shown}' for level, shown in levels.items()])}}}"
        for key, levels in meters.items()
    ]
    return f"{{{', '.join(tables)}}}"
