"""The commitment binds: whoever has the database and not the keys can neither choose nor repeat a deal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import delete, insert, select

from houseway.errors import InputError
from houseway.manager.commands.round_commands import DealRound, VoidRound
from houseway.manager.core.records import Event
from houseway.manager.store import schema, urls
from houseway.manager.store.chain import Follower
from houseway.manager.store.findings import AuditFindings
from houseway.manager.store.journal_audit import AuditReport, verify_database
from houseway.manager.store.reading import open_view
from houseway.manager.store.trust import trust_in
from tests.manager.audit.house import KNOWN, House
from tests.manager.floors import OTHER_DEALER, SUPERVISOR, badge

Row = dict[str, Any]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A house with an open table whose cards the system deals."""
    made = House(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "keys")
    made.set_up()
    yield made
    made.close()


def sealed(house: House, name: str = f"next:{KNOWN}") -> Row:
    """The row of a sealed seed."""
    with urls.engine_at(house.url).begin() as connection:
        return dict(connection.execute(select(schema.secrets).where(schema.secrets.c.round == name)).one()._mapping)


def put_in_place(house: House, row: Row) -> None:
    """Put a row in place of the one that is there; no guard stops that, since seeds go when they are revealed."""
    with urls.engine_at(house.url).begin() as connection:
        connection.execute(delete(schema.secrets).where(schema.secrets.c.round == row["round"]))
        connection.execute(insert(schema.secrets).values(**row))


def audit(house: House) -> AuditReport:
    with open_view(house.url) as view:
        return verify_database(view, trust_in(house.keys))


def events(house: House) -> list[Event]:
    with open_view(house.url) as view:
        return list(view.events())


def refused_deal(house: House, round_id: str) -> str:
    """The code of a refused deal, after which nothing has moved and an alarm is on record."""
    before = house.floor()
    with pytest.raises(InputError) as refused:
        house.do(OTHER_DEALER, DealRound(round_id))
    after = house.floor()
    assert (after.rounds, after.tables, after.balances) == (before.rounds, before.tables, before.balances)
    assert events(house)[-1].kind == "system.refused"
    return refused.value.faults[0].code


EXCHANGED: dict[str, Callable[[Row, Row], Row]] = {
    "the old row as it was": lambda old, _: old,
    "the old seed under the new event": lambda old, now: {**old, "seq": now["seq"]},
    "the old seed under the new number": lambda old, now: {**old, "seq": now["seq"], "number": now["number"]},
    "the old seed under the new commitment": lambda old, now: {**now, "sealed": old["sealed"]},
}


@pytest.mark.parametrize("forged", EXCHANGED)
def test_an_old_sealed_seed_is_not_dealt_again(house: House, forged: str) -> None:
    old = sealed(house)
    house.play_known()
    put_in_place(house, EXCHANGED[forged](old, sealed(house)))
    house.restart()
    found = [(each.table, each.row) for each in audit(house).findings if each.problem == "wrong-secret"]
    assert found == [("secrets", f"next:{KNOWN}")]
    round_id, published = house.start(KNOWN), house.floor().tables[KNOWN].next_commitment
    assert refused_deal(house, round_id) == "seed-lost"
    # The way back: the void publishes a new commitment, and the table plays on.
    house.do(OTHER_DEALER, VoidRound(round_id, badge(SUPERVISOR), "seed exchanged"))
    assert house.floor().tables[KNOWN].next_commitment not in (None, published)
    house.play_known()
    assert audit(house).is_clean


def test_a_published_commitment_is_not_replaced_at_the_deal(house: House) -> None:
    """Without its seed nothing is dealt: else whoever deletes a row would choose when cards are drawn again."""
    house.play_known()
    with urls.engine_at(house.url).begin() as connection:
        connection.execute(delete(schema.secrets))
    house.restart()
    assert refused_deal(house, house.start(KNOWN)) == "seed-lost"


def test_the_seed_of_an_open_round_cannot_be_exchanged(house: House) -> None:
    first = house.deal()
    of_first = sealed(house, first)
    house.do(OTHER_DEALER, VoidRound(first, badge(SUPERVISOR), "misdeal"))
    second = house.deal()
    put_in_place(house, {**of_first, "round": second})
    house.restart()
    assert "wrong-secret" in {each.problem for each in audit(house).findings}
    answer = house.do(OTHER_DEALER, VoidRound(second, badge(SUPERVISOR), "seed exchanged"))
    assert answer["reveal"]["seed"] is None
    assert audit(house).is_clean


def problems(journal: list[Event]) -> set[tuple[int, str]]:
    """What a follower finds about the deals of a journal."""
    findings = AuditFindings(1_000)
    follower = Follower(findings)
    for event in journal:
        follower.follow(event)
    about_deals = {"wrong-deal", "seed-used-twice"}
    return {(int(each.row), each.problem) for each in findings.items if each.problem in about_deals}


def test_an_audit_finds_deals_that_were_not_the_published_ones(house: House) -> None:
    """As a manager would leave them that takes whatever seed it is given."""
    house.play_known()
    house.play_known()
    journal = events(house)
    assert problems(journal) == set()
    deals = [place for place, event in enumerate(journal) if event.kind == "round.deal"]
    old, new = [msgspec.json.decode(journal[place].body)["answer"]["commitment"] for place in deals]
    reveals = [msgspec.json.decode(event.body)["answer"].get("reveal") for event in journal]
    seeds = [reveal["seed"] for reveal in reveals if reveal]

    def repeated(body: str) -> str:
        return body.replace(new, old).replace(seeds[1], seeds[0])

    later = [msgspec.structs.replace(event, body=repeated(event.body)) for event in journal[deals[1] :]]
    assert problems(journal[: deals[1]] + later) >= {
        (journal[deals[1]].seq, "wrong-deal"),
        (journal[deals[1]].seq, "seed-used-twice"),
    }
    revealed = next(place for place, reveal in enumerate(reveals) if reveal)
    other = msgspec.structs.replace(journal[revealed], body=journal[revealed].body.replace(seeds[0], seeds[1]))
    changed = [*journal[:revealed], other, *journal[revealed + 1 :]]
    assert (journal[revealed].seq, "wrong-deal") in problems(changed)
