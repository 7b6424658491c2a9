"""A later version of the software, whose entities have new fields, still finds an old journal clean."""

from __future__ import annotations

import msgspec
import pytest

from houseway.manager.core.entities import ENTITY_TYPES
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Person
from houseway.manager.core.table_entities import DealRecord, Round, Table
from houseway.manager.store.journal_audit import verify_database
from houseway.manager.store.reading import open_view
from tests.manager.audit.play import Played


class LaterPerson(Person, frozen=True):
    """People with something new about them."""

    languages: tuple[str, ...] = ()
    badge: str | None = None


class LaterDeal(DealRecord, frozen=True):
    """Deals with something new about them, inside of rounds."""

    shoe: int = 1


class LaterRound(Round, frozen=True):
    """Rounds with such deals."""

    deal: LaterDeal | None = None


class LaterTable(Table, frozen=True):
    """Tables with something new about them."""

    lamps: dict[str, int] = msgspec.field(default_factory=dict)


def test_new_fields_leave_old_digests_as_they_are(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind, later in (("person", LaterPerson), ("round", LaterRound), ("table", LaterTable)):
        monkeypatch.setitem(ENTITY_TYPES, kind, later)
    with open_view(played.url) as view:
        state = view.state_at(view.bounds()[1]).floor
        report = verify_database(view, played.trust, archives=[played.archive])
    assert isinstance(next(iter(state.people.values())), LaterPerson)
    assert (report.found, report.notes, [str(finding) for finding in report.findings]) == (0, [], [])


def test_a_state_is_read_back_from_its_text(played: Played) -> None:
    with open_view(played.url) as view:
        state = view.state_at(view.bounds()[1]).floor
    again = Floor.restored(msgspec.json.decode(state.text()))
    assert again.text() == state.text()
    assert msgspec.json.encode(again.snapshot()) == msgspec.json.encode(state.snapshot())
