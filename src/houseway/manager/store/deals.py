"""A round's deal checked against its reveal: the commitment that was published, the seed, every card.

Only what the journal has revealed is looked at. A deal that is still open has a commitment and nothing else to show.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from houseway.cards.card import find_card
from houseway.cards.modes import NUMBERING, shuffler_mode
from houseway.cards.shuffler import differences, replay
from houseway.errors import Fault, InputError
from houseway.manager.store.event_entries import EventEntry


class DealCheck(NamedTuple):
    """What became of a deal."""

    commitment: str
    committed_at: int
    """When the commitment was published."""
    is_revealed: bool
    differences: list[Fault]
    """Where the revealed cards differ from the replay of the seed; none for a deal that is not revealed yet."""
    reveal: dict[str, Any] | None = None
    """The whole deal as it was revealed, in the form that `houseway replay` reads; None before."""
    hands: dict[str, dict[str, Any]] | None = None
    """By seat ("1" to "7") or "dealer", each hand as it was set and shown; None before the reveal."""

    def to_json(self) -> dict[str, Any]:
        """The check as the command line prints it."""
        return {
            "commitment": self.commitment,
            "committed_at": self.committed_at,
            "revealed": self.is_revealed,
            "matches": not self.differences if self.is_revealed else None,
            "differences": [fault.to_json() for fault in self.differences],
            "reveal": self.reveal,
            "hands": self.hands,
        }


def check_deal(story: Iterable[EventEntry]) -> DealCheck | None:
    """The deal of a round, checked if it is revealed; None for a round whose cards the system did not deal."""
    dealt: dict[str, Any] | None = None
    reveal: dict[str, Any] | None = None
    shown: dict[str, dict[str, Any]] = {}
    round_id = ""
    for entry in story:
        if entry.event.kind == "round.deal":
            dealt, round_id = entry.body.answer, entry.body.do["round"]
        shown = _shown(entry, round_id) or shown
        reveal = entry.body.answer.get("reveal") or reveal
    if dealt is None:
        return None
    if reveal is None or reveal.get("seed") is None:
        return DealCheck(dealt["commitment"], dealt["committed_at"], is_revealed=False, differences=[])
    found, hands = _replayed(dealt, reveal), {place: hand for place, hand in shown.items() if hand.get("high")}
    return DealCheck(
        dealt["commitment"], dealt["committed_at"], is_revealed=True, differences=found, reveal=reveal, hands=hands
    )


def _shown(entry: EventEntry, round_id: str) -> dict[str, dict[str, Any]]:
    """The hands of a round as they lie open after an event."""
    for kind, id_, value in entry.body.put:
        if (kind, id_) == ("round", round_id) and value is not None:
            found: dict[str, dict[str, Any]] = value.get("shown", {})
            return found
    return {}


def _replayed(dealt: dict[str, Any], reveal: dict[str, Any]) -> list[Fault]:
    """Deal again from the revealed seed and compare; the commitment is the one that was published at the deal."""
    hands = {seat["seat"]: _cards(seat["cards"]) for seat in reveal["seats"]}
    try:
        again = replay(
            dealt["commitment"],
            shuffler_mode(reveal["mode"]),
            bytes.fromhex(reveal["seed"]),
            seats=dealt["occupied"],
            player_entropy=[text.encode() for text in reveal["player_entropy"]],
            numbering=dealt.get("numbering") or NUMBERING,
        )
    except InputError as error:
        return list(error.faults)
    return differences(again, dealer=_cards(reveal["dealer"]), seats=hands, start_position=dealt["start_position"])


def _cards(texts: Iterable[str]) -> list[int]:
    return [card for card in map(find_card, texts) if card is not None]
