"""Groups of commands become events, all or none, once each, in one chain: on every store."""

from __future__ import annotations

import itertools
import json
import logging
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import select

from houseway.errors import InputError, StateError
from houseway.manager.core.engine import Envelope
from houseway.manager.core.records import SentKey, canonical
from houseway.manager.store import schema
from houseway.manager.store.journal import Batch
from houseway.manager.store.memory_journal import KilledError, MemoryJournal, Step
from houseway.manager.store.reading import open_view
from houseway.manager.store.store_errors import RowRefusedError, StoreUnavailableError, UnexpectedError
from houseway.manager.store.writer import Answer, Result, Writer
from tests.manager.store.acts import Fail, Hide, Move, Peek, Put, Write, controllers, do, moved, people
from tests.manager.store.stores import NOON, MemoryStore, SqlStore, check_chain, check_ledger

Store = SqlStore | MemoryStore


def answer(result: Result) -> Answer:
    assert isinstance(result, Answer), result
    return result


def sent_by(sender: str | None, micros: int) -> Envelope:
    """A command under the key k: of a device by itself, or of somebody at the machine of the database."""
    return (
        moved("k", micros) if sender is None else do("k", Move("tray/T1", "house", micros), f"device:{sender}", sender)
    )


def codes(result: Result) -> list[str]:
    assert isinstance(result, InputError), result
    return [fault.code for fault in result.faults]


def test_a_group_is_one_chain_with_its_transfers(any_store: Store) -> None:
    writer = any_store.writer()
    results = writer.carry_out([people(), *[moved(f"k{n}", n + 1) for n in range(10)]])
    assert [answer(result).seq for result in results] == list(range(1, 12))
    check_chain(any_store.events())
    assert check_ledger(any_store.transfers()) == {"tray/T1": 55, "house": -55}
    assert writer.engine.floor.balances == {"tray/T1": 55, "house": -55}


def test_the_next_writer_stands_where_the_last_one_stood(any_store: Store) -> None:
    first = any_store.writer()
    first.carry_out([people(), moved("k1", 7)])
    second = any_store.writer()
    assert canonical(second.engine.floor.snapshot()) == canonical(first.engine.floor.snapshot())
    assert (second.engine.seq, second.engine.head) == (first.engine.seq, first.engine.head)


class TestRepeats:
    def test_a_repeat_answers_the_same_and_posts_nothing(self, any_store: Store) -> None:
        writer = any_store.writer()
        writer.carry_out([people()])
        first = answer(writer.carry_out([moved("k", 5)])[0])
        again = answer(any_store.writer().carry_out([moved("k", 5)])[0])
        assert not first.repeated
        assert again.repeated
        assert (again.seq, again.at, again.hash, again.answer) == (first.seq, first.at, first.hash, first.answer)
        # Byte for byte, the order of keys too.
        assert json.dumps(again.answer) == json.dumps(first.answer)
        assert check_ledger(any_store.transfers())["tray/T1"] == 5

    def test_a_repeat_within_the_group_too(self, any_store: Store) -> None:
        writer = any_store.writer()
        _, first, again = map(answer, writer.carry_out([people(), moved("k", 5), moved("k", 5)]))
        assert (again.seq, again.answer, again.repeated) == (first.seq, first.answer, True)
        assert json.dumps(again.answer) == json.dumps(first.answer)
        assert len(any_store.events()) == 2

    @pytest.mark.parametrize(
        "altered",
        [
            do("k", Move("tray/T1", "house", 6)),
            do("k", Move("tray/T1", "house", 5), actor="Dealer 3"),
            do("k", Hide("T1-1")),
        ],
        ids=["amount", "actor", "command"],
    )
    @pytest.mark.parametrize("together", [True, False])
    def test_another_content_under_the_key_is_refused_and_on_record(
        self, any_store: Store, altered: Envelope, *, together: bool
    ) -> None:
        writer = any_store.writer()
        writer.carry_out([people()])
        if together:
            results = writer.carry_out([moved("k", 5), altered])
        else:
            results = [*writer.carry_out([moved("k", 5)]), *writer.carry_out([altered])]
        assert codes(results[1]) == ["key-reused"]
        last = any_store.events()[-1]
        assert last.kind == "system.refused"
        told = json.loads(last.body)["do"]
        assert (told["actor"], told["device"], told["faults"][0]["code"]) == (
            altered.actor,
            altered.device,
            "key-reused",
        )
        assert check_ledger(any_store.transfers())["tray/T1"] == 5

    @pytest.mark.parametrize("together", [True, False])
    def test_a_key_is_its_sender_s_own(self, any_store: Store, *, together: bool) -> None:
        """Two devices and somebody at the machine of the database: one key, three commands, each repeated."""
        writer = any_store.writer()
        senders = [None, "C1", "C2"]
        asked = [sent_by(sender, micros) for sender, micros in zip(senders, (5, 7, 7), strict=True)]
        writer.carry_out([people(), controllers("C1", "C2")])
        groups = [[*asked, *asked]] if together else [[each] for each in [*asked, *asked]]
        answers = [answer(result) for group in groups for result in writer.carry_out(group)]
        assert [each.repeated for each in answers] == [False] * 3 + [True] * 3
        assert [each.seq for each in answers] == [3, 4, 5, 3, 4, 5]
        assert [event.sent_key for event in any_store.events()[2:]] == [SentKey(sender, "k") for sender in senders]
        assert check_ledger(any_store.transfers())["tray/T1"] == 19

    @pytest.mark.parametrize("sender", [None, "C1"])
    def test_the_database_keeps_no_key_of_a_sender_twice(self, store: SqlStore, sender: str | None) -> None:
        """Whatever a process believes: the tables themselves refuse a second event under the key."""
        store.writer().carry_out([people(), controllers("C1"), sent_by(sender, 5)])
        journal = store.journal()
        event = replace(store.events()[-1], seq=4, hash="f" * 64)
        journal.begin()
        with pytest.raises(RowRefusedError):
            journal.append(Batch(events=[event]))
        journal.rollback()

    def test_a_refused_command_may_come_again(self, any_store: Store) -> None:
        writer = any_store.writer()
        assert codes(writer.carry_out([moved("k")])[0]) == ["unknown-person"]
        writer.carry_out([people()])
        assert not answer(writer.carry_out([moved("k")])[0]).repeated


class TestRefusals:
    def test_ordinary_ones_leave_no_trace_and_hold_up_nobody(self, any_store: Store) -> None:
        writer = any_store.writer()
        results = writer.carry_out([people(), do("f", Fail(refused=True)), moved("k")])
        assert codes(results[1]) == ["out-of-range"]
        assert [event.key for event in any_store.events()] == ["people", "k"]

    def test_a_group_of_refusals_writes_nothing(self, any_store: Store) -> None:
        writer = any_store.writer()
        writer.carry_out([people()])
        writer.carry_out([do("f", Fail(refused=True))] * 3)
        assert len(any_store.events()) == 1

    def test_an_attempt_by_nobody_is_on_record(self, any_store: Store) -> None:
        writer = any_store.writer()
        results = writer.carry_out([people(), do("a", Fail(), actor="Stranger"), moved("k")])
        assert codes(results[1]) == ["unknown-person"]
        assert [event.kind for event in any_store.events()] == ["test.put", "system.refused", "test.move"]
        assert any_store.events()[1].actor == "system"

    def test_a_fault_of_a_handler_stops_nobody_else(self, any_store: Store, caplog: pytest.LogCaptureFixture) -> None:
        writer = any_store.writer()
        with caplog.at_level(logging.CRITICAL):
            results = writer.carry_out([people(), do("f", Fail()), moved("k")])
        assert isinstance(results[1], UnexpectedError)
        assert isinstance(results[1].__cause__, ZeroDivisionError)
        assert codes(results[1]) == ["internal-error"]
        assert answer(results[2]).seq == 2

    @pytest.mark.parametrize(
        ("envelope", "path"),
        [
            (moved(""), "key"),
            (moved("k" * 201), "key"),
            (moved("a\0b"), "key"),
            (moved("system/1"), "key"),
            (do("k", Move("tray/T1", "house", 1), actor="a\nb"), "actor"),
            (do("k", Move("tray/T1", "house", 1), device=""), "device"),
            (do("k", Move("tray/T1", "house", 1, note="a\0b")), "do"),
        ],
    )
    def test_what_no_store_keeps_is_refused(self, any_store: Store, envelope: Envelope, path: str) -> None:
        writer = any_store.writer()
        refused, accepted = writer.carry_out([people(), envelope, moved("ok")])[1:]
        assert isinstance(refused, InputError)
        assert [(fault.code, fault.path) for fault in refused.faults] == [("bad-message", path)]
        assert answer(accepted).seq == 2

    @pytest.mark.parametrize("text", ["", "a\x1fb", "\x1e", "\x1f", "NULL", '{"a",b}', "\\x1f"])
    def test_a_text_is_kept_as_it_is_whatever_it_holds(self, store: SqlStore, text: str) -> None:
        """Also what a store may put between the texts of a group, alone and among others."""
        writer = store.writer()
        row = {"round": f"{text}-1", "table": "T1", "outcome": text}
        writer.carry_out([people(), do("one", Write([("round", row)]))])
        group = [do(key, Write([("round", each)])) for key, each in (("two", row), ("none", {**row, "outcome": None}))]
        assert all(isinstance(result, Answer) for result in writer.carry_out(group))
        with open_view(store.url) as view:
            rounds = schema.rounds
            kept = view.rows(select(rounds.c.round, rounds.c.outcome).order_by(rounds.c.seq))
        assert [tuple(each) for each in kept] == [(f"{text}-1", text)] * 2 + [(f"{text}-1", None)]

    @pytest.mark.parametrize(
        "rows",
        [
            [("round", {"round": "T1-1", "table": "T1", "number": 2**70})],
            [("line", {"round": "T1-1", "table": None, "line": 1, "hand": "flush"})],
            [("nothing", {})],
            [("hit", {"colour": "red"})],
        ],
        ids=["too large", "null", "no such table", "no such column"],
    )
    def test_one_row_that_cannot_be_kept_stops_only_its_own_command(
        self, store: SqlStore, rows: list[tuple[str, dict[str, Any]]], caplog: pytest.LogCaptureFixture
    ) -> None:
        writer = store.writer()
        with caplog.at_level(logging.CRITICAL):
            results = writer.carry_out([people(), moved("k1"), do("bad", Write(rows)), moved("k2")])
        assert [isinstance(result, Answer) for result in results] == [True, True, False, True]
        assert isinstance(results[2], UnexpectedError)
        check_chain(store.events())
        assert check_ledger(store.transfers())["tray/T1"] == 2
        assert [event.key for event in store.events()] == ["people", "k1", "k2"]


class TestFailures:
    @pytest.mark.parametrize("step", ["begin", "append", "before-commit", "after-commit"])
    @pytest.mark.parametrize("killed", [True, False])
    def test_a_group_is_there_whole_or_not_at_all(self, step: Step, *, killed: bool) -> None:
        store = MemoryStore()
        writer = store.writer()
        writer.carry_out([people()])
        group = [moved("k1", 1), moved("k2", 2)]
        if killed:
            store.shared.kill_at(step)
            with pytest.raises(KilledError):
                writer.carry_out(group)
            writer = store.writer()
        else:
            store.shared.fail_at(step)
            with pytest.raises(StoreUnavailableError) as failed:
                writer.carry_out(group)
            assert failed.value.in_doubt == (step in {"before-commit", "after-commit"})
            assert "repeating" in str(failed.value)
        there = step == "after-commit"
        assert len(store.events()) == (3 if there else 1)
        results = [answer(result) for result in writer.carry_out(group)]
        assert [result.repeated for result in results] == [there, there]
        check_chain(store.events())
        assert check_ledger(store.transfers())["tray/T1"] == 3
        assert writer.engine.floor.balances["tray/T1"] == 3

    def test_a_store_that_stays_away_is_said_to_be_away_each_time(self) -> None:
        store = MemoryStore()
        writer = store.writer()
        writer.carry_out([people()])
        store.shared.away = True
        for _ in range(3):
            with pytest.raises(StoreUnavailableError):
                writer.carry_out([moved("k")])
        store.shared.away = False
        assert answer(writer.carry_out([moved("k")])[0]).seq == 2

    def test_what_had_been_decided_is_forgotten_after_a_failed_commit(self) -> None:
        store = MemoryStore()
        writer = store.writer()
        writer.carry_out([people()])
        store.shared.fail_at("append")
        with pytest.raises(StoreUnavailableError):
            writer.carry_out([moved("k", 5)])
        assert answer(writer.carry_out([moved("other", 1)])[0]).answer["balance"] == 1


class TestSeveralWriters:
    def test_each_follows_the_others_before_it_decides(self, any_store: Store) -> None:
        writers = [any_store.writer() for _ in range(3)]
        writers[0].carry_out([people()])
        for turn in range(12):
            result = answer(writers[turn % 3].carry_out([moved(f"k{turn}")])[0])
            assert result.answer["balance"] == turn + 1
        check_chain(any_store.events())
        assert check_ledger(any_store.transfers())["tray/T1"] == 12

    def test_catching_up_tells_what_was_read(self, any_store: Store) -> None:
        first, second = any_store.writer(), any_store.writer()
        first.carry_out([people(), moved("k1")])
        assert [event.key for event in second.catch_up()] == ["people", "k1"]
        assert second.catch_up() == []
        assert canonical(second.engine.floor.snapshot()) == canonical(first.engine.floor.snapshot())

    def test_every_event_is_announced_once_and_in_order(self, any_store: Store) -> None:
        heard: dict[int, list[int]] = {0: [], 1: []}
        writers = [
            any_store.writer(on_events=lambda events, who=who: heard[who].extend(event.seq for event in events))
            for who in (0, 1)
        ]
        writers[0].carry_out([people()])
        for turn in range(6):
            writers[turn % 2].carry_out([moved(f"k{turn}"), moved(f"j{turn}")])
        writers[0].catch_up()
        assert heard == {0: list(range(1, 14)), 1: list(range(1, 14))}

    def test_also_those_whose_commit_was_in_doubt(self) -> None:
        store, heard = MemoryStore(), []
        writer = store.writer(on_events=lambda events: heard.extend(event.seq for event in events))
        writer.carry_out([people()])
        store.shared.fail_at("after-commit")
        with pytest.raises(StoreUnavailableError):
            writer.carry_out([moved("k1")])
        writer.carry_out([moved("k2")])
        assert heard == [1, 2, 3]


class TestSnapshots:
    def test_the_state_is_read_from_the_newest_and_the_events_after_it(self, any_store: Store) -> None:
        writer = any_store.writer(snapshot_every=4)
        writer.carry_out([people()])
        for number in range(20):
            writer.carry_out([moved(f"k{number}", number)])
        snapshot = any_store.journal().latest_snapshot()
        assert snapshot is not None
        assert 15 < snapshot.seq < writer.engine.seq
        again = any_store.writer(snapshot_every=4)
        assert canonical(again.engine.floor.snapshot()) == canonical(writer.engine.floor.snapshot())
        named = next(event for event in any_store.events() if event.seq == snapshot.seq + 1)
        assert (named.kind, json.loads(named.body)["do"]["digest"]) == ("system.snapshot", snapshot.digest)

    def test_two_writers_do_not_both_take_one(self, any_store: Store) -> None:
        writers = [any_store.writer(snapshot_every=5) for _ in range(2)]
        writers[0].carry_out([people()])
        for number in range(20):
            writers[number % 2].carry_out([moved(f"k{number}")])
        taken = [event.seq for event in any_store.events() if event.kind == "system.snapshot"]
        assert [later - earlier for earlier, later in itertools.pairwise(taken)] == [5] * (len(taken) - 1)


class TestSecrets:
    def test_a_seed_is_known_to_every_writer_until_it_is_forgotten(self, any_store: Store) -> None:
        first, second = any_store.writer(), any_store.writer()
        first.carry_out([people()])
        assert codes(second.carry_out([do("p0", Peek("T1-1"))])[0]) == ["seed-lost"]
        first.carry_out([do("h", Hide("T1-1"))])
        assert answer(second.carry_out([do("p1", Peek("T1-1"))])[0]).answer == {"bytes": 32}
        assert answer(any_store.writer().carry_out([do("p2", Peek("T1-1"))])[0]).answer == {"bytes": 32}
        second.carry_out([do("f", Hide("T1-1", forget=True))])
        assert codes(first.carry_out([do("p3", Peek("T1-1"))])[0]) == ["seed-lost"]
        assert any_store.journal().secrets() == {}

    def test_hidden_and_forgotten_in_one_group(self, any_store: Store) -> None:
        writer = any_store.writer()
        group = [people(), do("h", Hide("T1-1")), do("p", Peek("T1-1")), do("f", Hide("T1-1", forget=True))]
        assert all(isinstance(result, Answer) for result in writer.carry_out(group))
        assert any_store.journal().secrets() == {}

    def test_no_event_and_no_file_holds_a_seed(self, sqlite_store: SqlStore) -> None:
        drawn: list[bytes] = []

        def draw(count: int) -> bytes:
            drawn.append(bytes((37 * len(drawn) + 11 * place) % 256 for place in range(count)))
            return drawn[-1]

        writer = sqlite_store.writer(draw=draw, snapshot_every=3)
        writer.carry_out([people(), *[do(f"h{n}", Hide(f"T1-{n}")) for n in range(8)]])
        # Salts of leaves are drawn too, and stand in their events.
        salts = {event.salt for event in sqlite_store.events()}
        seeds = [data for data in drawn if len(data) == 32 and data.hex() not in salts]
        assert len(seeds) == 8
        files = [path for path in sqlite_store.keys_folder.parent.rglob("*") if path.is_file()]
        assert any(path.name == "house.db-wal" for path in files)
        for path in files:
            content = path.read_bytes()
            for seed in seeds:
                assert seed not in content
                assert seed.hex().encode() not in content.lower()
        assert len(sqlite_store.journal().secrets()) == 8


class TestTime:
    def test_a_little_behind_stays_at_the_last_event(self, any_store: Store) -> None:
        writer = any_store.writer()
        last = answer(writer.carry_out([people()])[0]).at
        any_store.clock.now = last - 1_999_000
        assert answer(writer.carry_out([moved("k")])[0]).at == last

    def test_far_behind_is_refused_until_the_clock_is_right(self, any_store: Store) -> None:
        writer = any_store.writer()
        last = answer(writer.carry_out([people()])[0]).at
        any_store.clock.now = last - 3_000_000
        assert codes(writer.carry_out([moved("k")])[0]) == ["clock-went-back"]
        assert codes(any_store.writer().carry_out([moved("k")])[0]) == ["clock-went-back"]
        assert len(any_store.events()) == 1
        any_store.clock.now = last + 5
        assert answer(writer.carry_out([moved("k")])[0]).at > last

    def test_two_people_accept_an_earlier_time(self, any_store: Store) -> None:
        from houseway.manager.commands.system_commands import ClockAccepted

        writer = any_store.writer()
        writer.carry_out([people()])
        any_store.clock.now = NOON - 3_600_000_000
        accept = ClockAccepted(any_store.clock.now, "badge-1", "badge-2", "the time server was wrong")
        accepted, after = map(answer, writer.carry_out([do("c", accept), moved("k")]))
        assert accepted.at < NOON
        assert after.at >= accepted.at
        assert accepted.answer["accepted_by"] == ["Supervisor 1", "Technician 2"]
        assert any_store.writer().engine.floor.last_at == after.at

    @pytest.mark.parametrize(
        ("change", "code"),
        [
            ({"second_badge": "badge-1"}, "second-person"),
            ({"second_badge": "badge-3"}, "wrong-role"),
            ({"second_badge": "badge-9"}, "unknown-badge"),
            ({"reason": " "}, "reason-needed"),
            ({"now": NOON}, "clock-differs"),
        ],
    )
    def test_but_not_one_person_or_without_a_reason(self, change: dict[str, Any], code: str) -> None:
        import msgspec

        from houseway.manager.commands.system_commands import ClockAccepted

        store = MemoryStore()
        writer = store.writer()
        writer.carry_out([people()])
        store.clock.now = NOON - 3_600_000_000
        accept = ClockAccepted(store.clock.now, "badge-1", "badge-2", "the time server was wrong")
        assert codes(writer.carry_out([do("c", msgspec.structs.replace(accept, **change))])[0]) == [code]
        assert codes(writer.carry_out([moved("k")])[0]) == ["clock-went-back"]


def test_seeds_without_keys_never_reach_a_disk(sqlite_store: SqlStore) -> None:
    with pytest.raises(StateError, match="needs keys"):
        sqlite_store.writer(keys=None)


def test_entities_are_whole_after_a_repeat_of_everything(any_store: Store) -> None:
    writer = any_store.writer()
    group = [people(), moved("k1", 3), Envelope("again", "system", Put([]))]
    writer.carry_out(group)
    before = canonical(writer.engine.floor.snapshot())
    assert all(answer(result).repeated for result in writer.carry_out(group))
    assert canonical(writer.engine.floor.snapshot()) == before
    assert isinstance(any_store.journal(), MemoryJournal) or len(any_store.events()) == 3


def test_a_writer_finds_an_empty_journal_empty(any_store: Store) -> None:
    writer: Writer = any_store.writer()
    assert (writer.engine.seq, any_store.journal().head()[0], any_store.events()) == (0, 0, [])
