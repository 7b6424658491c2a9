"""What readers look at: the floor as a commit left it, which waits for no writer and changes for nobody."""

from __future__ import annotations

import threading

import pytest

from houseway.errors import StateError
from houseway.manager.core.entities import ENTITY_TYPES
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Paper, Person
from houseway.manager.store.journal import Batch
from houseway.manager.store.manager import Manager
from houseway.manager.store.memory_journal import MemoryJournal
from tests.manager.store.acts import Fail, do, moved, people


class SlowJournal(MemoryJournal):
    """A journal that writes nothing until it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.may_write = threading.Event()
        self.may_write.set()
        self.writing = threading.Event()

    def append(self, batch: Batch) -> None:
        self.writing.set()
        assert self.may_write.wait(30)
        super().append(batch)


def test_a_reader_does_not_wait_for_the_writer() -> None:
    journal = SlowJournal()
    with Manager(journal, None) as manager:
        manager.call(people())
        before = manager.call(moved("k1", 5))
        journal.may_write.clear()
        journal.writing.clear()
        waiting = manager.submit(moved("k2", 7))
        assert journal.writing.wait(30)
        seen: list[tuple[int, int]] = []
        reader = threading.Thread(
            target=lambda: seen.append(manager.view_at(lambda seq, floor: (seq, floor.balances["tray/T1"]))),
            daemon=True,
        )
        reader.start()
        reader.join(10)
        journal.may_write.set()
        assert seen == [(before.seq, 5)], "a reader waited, or saw what is not committed"
        after = waiting.result(30)
        assert manager.view_at(lambda seq, floor: (seq, floor.balances["tray/T1"])) == (after.seq, 12)


def test_what_a_reader_keeps_stays_as_it_was_and_cannot_be_changed() -> None:
    with Manager(MemoryJournal(), None) as manager:
        manager.call(people())
        manager.call(moved("k1", 5))
        kept = manager.seen()
        before = kept.floor.text()
        for number in range(20):
            manager.call(moved(f"more{number}", 3))
        assert kept.floor.text() == before
        assert kept.seq == manager.seen().seq - 20
        with pytest.raises(TypeError):
            kept.floor.balances["tray/T1"] = 1_000_000
        with pytest.raises(StateError, match="nothing can be moved"):
            kept.floor.transfer("tray/T1", "house", 1)
        with pytest.raises(StateError, match="cannot be set"):
            kept.floor.put("table", "T1", None)
        assert manager.view(lambda floor: floor.balances["tray/T1"]) == 65


def test_a_group_that_is_not_written_is_never_seen() -> None:
    journal = MemoryJournal()
    with Manager(journal, None) as manager:
        manager.call(people())
        manager.call(moved("k1", 5))
        known = manager.seen()
        with pytest.raises(Exception, match="hit an internal error"):
            manager.call(do("k2", Fail()))
        journal.fail_at("append")
        with pytest.raises(Exception, match="away"):
            manager.call(moved("k3", 9))
        assert manager.last_known(lambda seq, floor: (seq, floor.balances["tray/T1"])) == (known.seq, 5)


def collections_of(floor: Floor) -> dict[str, int]:
    return {name: id(value) for name, value in vars(floor).items() if isinstance(value, dict) and name[0] != "_"}


def test_only_what_changes_is_copied_and_only_once() -> None:
    floor = Floor()
    floor.put("person", "S1", Person("S1", "S1", "pit", ("supervisor",), ("f" * 64,)))
    floor.put("paper", "A", Paper("A", "licence", "x", {}, 1, None, "S1"))
    floor.transfer("tray/T1", "house", 5)
    first = floor.frozen()
    before = collections_of(floor)
    assert len(before) >= len(ENTITY_TYPES) + 5
    floor.transfer("tray/T1", "house", 5)
    once = collections_of(floor)
    floor.transfer("tray/T1", "house", 5)
    assert once == collections_of(floor)
    assert {name for name in before if before[name] != once[name]} == {"balances"}
    second = floor.frozen()
    assert [each.balances["tray/T1"] for each in (first, second)] == [5, 15]
    assert before.keys() == once.keys()


def test_the_papers_of_a_register_and_the_badges_of_people_are_those_of_the_moment() -> None:
    floor = Floor()
    floor.put("paper", "A", Paper("A", "licence", "x", {}, 1, None, "S1"))
    first = floor.frozen()
    floor.put("paper", "B", Paper("B", "licence", "x", {}, 1, None, "S1"))
    floor.put("paper", "C", Paper("C", "notice", "x", {}, 1, None, "S1"))
    second = floor.frozen()
    floor.put("paper", "A", None)
    floor.put("person", "S1", Person("S1", "S1", "pit", ("supervisor",), ("f" * 64,)))
    ids = [sorted(paper.id for paper in each.papers_of("licence")) for each in (first, second, floor)]
    assert ids == [["A"], ["A", "B"], ["B"]]
    assert [sorted(each.register) for each in (first, second)] == [["licence"], ["licence", "notice"]]
    assert [each.entered_on("S1", "licence", 1) for each in (first, second, floor)] == [1, 3, 2]
    assert [len(each.badges) for each in (first, second, floor)] == [0, 0, 1]
    with pytest.raises(TypeError):
        first.register["licence"]["Z"] = Paper("Z", "licence", "x", {}, 1, None, "S1")
