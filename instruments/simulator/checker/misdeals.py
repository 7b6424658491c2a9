"""Misdeals by docs/decisions.md: the wagers of a void, an incident with its cause, and a deck before the next round."""

from __future__ import annotations

from collections.abc import Iterator

from instruments.simulator.checker.chain import ChainEntry
from instruments.simulator.checker.errors import same
from instruments.simulator.checker.rounds import SUPERVISING, against_dealer, against_void, check_taken, unsure, void
from instruments.simulator.checker.rules import CONTROLS, Call, Objection, against_badge, rule
from instruments.simulator.checker.state import Floor

MISDEAL_CAUSES = ("wrong-deal", "exposed-card", "missing-card", "extra-card", "short-deck", "shuffler-jam")


def _judge_misdeal(floor: Floor, call: Call) -> Iterator[Objection]:
    round_ = floor.round_in_play(call["round"])
    if round_ is None:
        yield Objection("the round is not in play")
        return
    dealer = against_dealer(floor, call, floor.tables[round_.table])
    yield from against_void(round_)
    if call["cause"] not in MISDEAL_CAUSES:
        yield Objection("no cause of a misdeal")
    if call.get("badge") is not None or any(taken.seats for taken in round_.taken.values()):
        yield from unsure(dealer)
        yield from against_badge(floor, call.get("badge"), SUPERVISING, *round_.dealers)
        return
    yield from dealer
    # What else than a wager has happened in it is not looked at here.
    yield Objection("more than a dealer undoes alone", certain=False)


@rule("round.misdeal", *CONTROLS)(_judge_misdeal)
def _apply_misdeal(floor: Floor, call: Call, entry: ChainEntry) -> None:
    round_ = floor.rounds[call["round"]]
    check_taken(round_, entry.answer["returned"])
    void(floor, round_)
    (incident,) = (what for kind, _, what in entry.body["put"] if kind == "paper" and what["register"] == "incident")
    found = (incident["register"], incident["subject"], incident["fields"]["cause"], incident["fields"]["round"])
    same(("incident", round_.table, call["cause"], round_.id), found, f"the incident of {round_.id}")
    reported = incident["fields"]["due_at"] is not None
    same(call["cause"] == "shuffler-jam", reported, f"whether the incident of {round_.id} is reported")
    floor.tables[round_.table].deck_due = True
    floor.note(f"a misdeal {'by the dealer alone' if call.get('badge') is None else 'by badge'}")
