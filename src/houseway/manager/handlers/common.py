"""What several handlers ask of the floor: the table, the round in play, who may act, a second person's badge."""

from __future__ import annotations

from msgspec.structs import replace

from houseway.errors import InputError
from houseway.manager.core import table_facts
from houseway.manager.core.engine import Decision, collect, need_role, person_of_badge
from houseway.manager.core.house_entities import Person
from houseway.manager.core.link_entities import Link
from houseway.manager.core.roles import SUPERVISING
from houseway.manager.core.table_entities import Round, Table
from houseway.manager.handlers.change_base import text_fault
from houseway.manager.handlers.changes import apply_waiting
from houseway.manager.handlers.past_awards import keep_past_award
from houseway.manager.handlers.sign_in import keep_dealer_in_mind


def the_table(decision: Decision, table_id: str) -> Table:
    """A table that exists."""
    table = decision.tables.get(table_id)
    if table is None:
        raise InputError.of("unknown-table", "table", f"there is no table {table_id}: name one that is set up here")
    return table


def the_link(decision: Decision, link_id: str) -> Link:
    """A link that exists."""
    link = decision.links.get(link_id)
    if link is None:
        raise InputError.of("unknown-link", "link", f"there is no link {link_id}: name one that is drawn up here")
    return link


def round_in_play(decision: Decision, round_id: str) -> Round:
    """A round that is in play: neither ended nor set aside for a decision."""
    found = decision.rounds.get(round_id)
    if found is None or found.phase == "ended":
        raise InputError.of("no-such-round", "round", f"{round_id} is not in play: it has ended, or it never began")
    if found.phase == "held":
        raise InputError.of("round-held", "round", f"{round_id} is on hold: it waits for the decision of its dispute")
    return found


def need_dealer_of(decision: Decision, table: Table) -> None:
    """Only the dealer who is signed in at the table, or a supervisor, works its controls."""
    person = decision.floor.people[decision.actor]
    if table.dealer is None:
        message = f"nobody is signed in as dealer at {table.id}: swipe a dealer's badge first"
        raise InputError.of("no-dealer", "table", message)
    if person.id != table.dealer and not set(SUPERVISING) & set(person.roles):
        message = f"{table.dealer} deals at {table.id}, not {person.id}: sign in there, or call a supervisor"
        raise InputError.of("not-the-dealer", "actor", message)


def need_dealer_or_controller(decision: Decision, table: Table) -> None:
    """A table's own controller may tell by itself what it senses; a person must be the dealer there."""
    if not decision.actor.startswith("device:"):
        need_dealer_of(decision, table)
        return
    device = decision.floor.devices[decision.actor.removeprefix("device:")]
    if device.table != table.id:
        raise InputError.of("wrong-device", "actor", f"{device.id} speaks for table {device.table}, not for {table.id}")


def supervising(decision: Decision, badge: str | None, round_: Round, what: str) -> Person:
    """The supervisor or executive whose badge was swiped; never a dealer of the round."""
    if badge is None:
        raise InputError.of("badge-needed", "badge", f"{what} needs a supervisor's badge: swipe it")
    person = person_of_badge(decision, badge)
    need_role(person, SUPERVISING, "badge", what)
    return not_dealing(decision, person, round_)


def dealers_of(decision: Decision, round_: Round) -> set[str]:
    """Who began the round as dealer and who took it over, even if relieved since."""
    return table_facts.dealers_of(round_, the_table(decision, round_.table))


def not_dealing(decision: Decision, person: Person, round_: Round, path: str = "badge") -> Person:
    """The person, unless it is somebody who deals the round or has dealt it."""
    if person.id in dealers_of(decision, round_):
        message = f"{person.id} deals this round, or has dealt it: it must be another person"
        raise InputError.of("second-person", path, message)
    return person


def need_reason(reason: str, path: str = "reason") -> None:
    """Refuse an empty or endless reason: the record must say why, and people must be able to read it."""
    collect(text_fault(reason, path, "say why"))


def forget_last_round(decision: Decision, table: Table) -> Table:
    """The table without its ended round, which cannot be opened again from now on."""
    last = decision.rounds.get(table.last_round or "")
    if last is not None and last.phase == "ended":
        for award in last.awards:
            keep_past_award(decision, decision.awards[award])
            decision.awards.drop(award)
        decision.rounds.drop(last.id)
    return replace(table, last_round=None)


def leave_table(decision: Decision, round_: Round) -> Table:
    """The round's table without it, and changes that waited for its links to be idle."""
    table = the_table(decision, round_.table)
    keep_dealer_in_mind(decision, table)
    free = replace(table, round=None)
    decision.tables.put(free)
    if round_.taken:
        apply_waiting(decision)
    return free
