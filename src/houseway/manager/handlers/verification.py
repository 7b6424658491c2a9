"""Surveillance's verification: a reference for one payout, its hand and its amount, by somebody with no part in it.

A reference counts only as long as the payout is what surveillance has seen. An award that is worked out again after a
further hit or a rejection is another amount, and is verified again; so is a wager that a correction has changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from houseway.amounts import Cents
from houseway.errors import InputError
from houseway.manager.commands.round_answers import AddReferenceAnswer
from houseway.manager.commands.round_commands import AddReference
from houseway.manager.core import settings
from houseway.manager.core.award_entities import Award
from houseway.manager.core.engine import Decision, collect, handles
from houseway.manager.core.money import cents_text
from houseway.manager.core.table_entities import Reference, Round, RoundLine
from houseway.manager.core.table_facts import counting_reference
from houseway.manager.handlers.change_base import text_fault
from houseway.manager.handlers.common import not_dealing, round_in_play, the_table
from houseway.ranking.hand_names import hand_title


class Payout(NamedTuple):
    """Something that is paid to a seat."""

    id: str
    seat: int
    hand: str | None
    cents: Cents
    pressed_by: str = ""

    def __str__(self) -> str:
        """As people say it."""
        return f"{hand_title(self.hand) if self.hand else 'no hand'}, {cents_text(self.cents)}"


def payout_of(award: Award) -> Payout:
    """What an award pays."""
    return Payout(award.id, award.seat, award.hand, award.cents, award.pressed_by)


def payouts_of_lines(lines: Iterable[RoundLine]) -> list[Payout]:
    """What the other wagers win beside their stakes; a seat's second line of a wager (envy) is SEAT/WAGER/2.

    >>> line = {"seat": 3, "wager": "fortune_envy", "hand": "five-aces", "stake_cents": 0, "returned_cents": 500}
    >>> [payout.id for payout in payouts_of_lines([line, line])]
    ['3/fortune_envy', '3/fortune_envy/2']
    """
    found: list[Payout] = []
    count: Counter[str] = Counter()
    for line in lines:
        id_ = f"{line['seat']}/{line['wager']}"
        count[id_] += 1
        cents = line["returned_cents"] - line["stake_cents"]
        found.append(Payout(id_ if count[id_] == 1 else f"{id_}/{count[id_]}", line["seat"], line.get("hand"), cents))
    return found


@handles(AddReference)
def add_reference(decision: Decision, command: AddReference) -> AddReferenceAnswer:
    """Surveillance gives its reference for one payout, as it stands now."""
    round_ = round_in_play(decision, command.round)
    collect(text_fault(command.reference, "reference", "name where the payout can be seen, as in camera 4, 12:31"))
    payout = _open_payouts(decision, round_).get(command.payout)
    if payout is None:
        message = (
            f"{command.payout[:60]} is not a waiting payout of {round_.id}: name an award that is hit, or SEAT/WAGER "
            "once the cards are shown"
        )
        raise InputError.of("no-such-payout", "payout", message)
    if (command.hand, command.cents) != (payout.hand, payout.cents):
        seen = payout._replace(hand=command.hand, cents=command.cents)
        message = f"{payout.id} is {payout} and not {seen}: look at the hand and the amount again"
        raise InputError.of("payout-differs", "cents" if command.hand == payout.hand else "hand", message)
    not_dealing(decision, decision.floor.people[decision.actor], round_, "actor")
    if decision.actor == payout.pressed_by:
        message = f"{decision.actor} pressed this hand's button: another person of surveillance verifies it"
        raise InputError.of("second-person", "actor", message)
    reference = Reference(command.reference.strip(), decision.actor, payout.hand, payout.cents)
    decision.rounds.put(replace(round_, references={**round_.references, payout.id: reference}))
    return AddReferenceAnswer(
        round=round_.id,
        payout=payout.id,
        seat=payout.seat,
        hand=payout.hand,
        cents=payout.cents,
        reference=reference.text,
    )


def _open_payouts(decision: Decision, round_: Round) -> dict[str, Payout]:
    """The payouts of a round that are settled and not yet made."""
    awards = [decision.awards.get(id_) for id_ in round_.awards]
    hit = [payout_of(award) for award in awards if award is not None and award.status == "hit"]
    won = [payout for payout in payouts_of_lines(round_.lines) if payout.cents > 0]
    return {payout.id: payout for payout in (*hit, *won)}


def is_above_threshold(decision: Decision, payout: Payout) -> bool:
    """Whether surveillance must verify a payout before it is made."""
    return payout.cents > settings.value(decision.floor, "surveillance_threshold", decision.now)


def reference_for(decision: Decision, round_: Round, payout: Payout) -> Reference | None:
    """The reference that counts for a payout as it stands; None where it was given for another hand or amount, or by
    somebody who has dealt the round since.
    """
    return counting_reference(round_, the_table(decision, round_.table), payout.id, payout.hand, payout.cents)


def outdated(round_: Round, payout: Payout) -> str:
    """Why a reference on record does not count, for a refusal; empty where there is none."""
    found = round_.references.get(payout.id)
    if found is None:
        return ""
    seen = payout._replace(hand=found.hand, cents=found.cents)
    return f" (the one on record, by {found.by}, is for {seen})"
