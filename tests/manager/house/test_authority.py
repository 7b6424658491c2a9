"""Who may give a command at all, and that a second person is a second person: for every command there is."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest

import houseway.manager.handlers  # noqa: F401 - registers every handler
from houseway.errors import InputError
from houseway.manager.commands import AUTHORITY, COMMANDS, Command
from houseway.manager.commands.link_commands import Approve, Propose
from houseway.manager.commands.round_commands import (
    CorrectWager,
    DecideRound,
    EndRound,
    HitJackpot,
    HoldRound,
    PayJackpot,
    PressHand,
    RejectJackpot,
    ReopenRound,
    VoidRound,
)
from houseway.manager.commands.system_commands import RowsArchived
from houseway.manager.core.authority import BADGE_FIELDS, SYSTEM, Authority
from houseway.manager.core.engine import HANDLERS, Engine, Envelope
from houseway.manager.core.house_entities import Device, Person, Proposal, SignInRecord
from houseway.manager.core.roles import Role
from houseway.manager.server.edge import read_command
from houseway.manager.store.memory_journal import MemoryJournal
from houseway.manager.store.writer import Writer
from tests.manager.pit import Pit

NOW = 1_750_000_000_000_000
ALL_ROLES: tuple[Role, ...] = get_args(Role)
BOSS = Person("B1", "Somebody with every role", "management", ALL_ROLES, ("badge-B1",))

NOT_A_SECOND_PERSON = {
    ("dealer.in", "badge"): "own",
    ("person.sign-in", "badge"): "own",
    ("person.pin", "badge"): "own",
    ("person.add", "badge"): "new",
    ("person.change", "badge"): "new",
    ("person.confirm", "badge"): "confirmed",
    ("system.clock", "badge"): "first",
    ("system.recovery", "badge"): "first",
}
"""The badges in commands that are not a second person's, and what they are; every other one is."""
SECOND_BADGES = [
    (kind, name)
    for kind, command in COMMANDS.items()
    for name in command.__struct_fields__
    if name in BADGE_FIELDS and (kind, name) not in NOT_A_SECOND_PERSON
]
MANAGER_ONLY = (
    "property.create", "system.archived", "system.locked", "system.pin", "system.rebuilt", "system.refused",
    "system.resumed", "system.rollback", "system.snapshot", "system.started",
)  # fmt: skip


def engine() -> Engine:
    """A floor with one person who has every role, and a device of each kind at which that person is present."""
    found = Engine()
    found.floor.put("person", BOSS.id, BOSS)
    for kind in ("controller", "display", "service"):
        table, signed_in = ("T1", {}) if kind == "controller" else (None, {BOSS.id: SignInRecord(NOW, "s")})
        found.floor.put("device", kind, Device(kind, kind, table, kind, signed_in=signed_in))  # type: ignore[arg-type]
    return found


def plain(kind: str, **fields: object) -> Command:
    """A command of a kind with something in every field."""
    return msgspec.convert({"kind": kind} | sample(COMMANDS[kind]) | fields, COMMANDS[kind])


def sample(command: type[Command]) -> dict[str, Any]:
    """Plain data for the fields of a command that must be given."""
    needed = [field for field in msgspec.structs.fields(command) if field.required]
    return {field.name: _value(msgspec.inspect.type_info(field.type)) for field in needed}


def _value(kind: Any) -> Any:
    if isinstance(kind, msgspec.inspect.LiteralType):
        return kind.values[0]
    if isinstance(kind, msgspec.inspect.UnionType):
        return _value(kind.types[0])
    empty = {msgspec.inspect.IntType: 1, msgspec.inspect.BoolType: True, msgspec.inspect.StrType: "x"}
    return empty.get(type(kind), {} if isinstance(kind, msgspec.inspect.DictType) else [])


def codes(found: Engine, actor: str, command: Command, device: str | None = None) -> set[tuple[str, str]]:
    """Why a command is refused."""
    with pytest.raises(InputError) as caught:
        found.decide(Envelope("k", actor, command, device, "s"), NOW, lambda count: bytes(count))
    return {(fault.code, fault.path) for fault in caught.value.faults}


# The table itself


@pytest.mark.parametrize("kind", COMMANDS)
def test_every_command_and_every_badge_in_it_is_in_the_table(kind: str) -> None:
    command = COMMANDS[kind]
    badges = {name for name in command.__struct_fields__ if name in BADGE_FIELDS}
    assert command in HANDLERS
    assert set(AUTHORITY[command].badges) == badges
    for name in badges:
        assert AUTHORITY[command].badges[name] == NOT_A_SECOND_PERSON.get((kind, name), "second")


def test_no_field_with_a_badge_has_another_name() -> None:
    fields = {name for command in COMMANDS.values() for name in command.__struct_fields__}
    # `cards` of a table says whether the playing cards are known.
    assert {name for name in fields if "card" in name or "badge" in name} - {"cards"} == BADGE_FIELDS


def test_what_is_not_in_the_table_nobody_may(monkeypatch: pytest.MonkeyPatch) -> None:
    for actor in (BOSS.id, SYSTEM, "device:service"):
        with monkeypatch.context() as without:
            without.delitem(AUTHORITY, COMMANDS["incident.record"])
            assert codes(engine(), actor, plain("incident.record")) == {("unknown-command", "do.kind")}
        with monkeypatch.context() as closed:
            closed.setitem(AUTHORITY, COMMANDS["incident.record"], Authority())
            assert codes(engine(), actor, plain("incident.record")) == {("wrong-role", "actor")}


# What only the manager itself does


def test_the_manager_alone_writes_its_own_events() -> None:
    assert tuple(sorted(kind for kind in COMMANDS if AUTHORITY[COMMANDS[kind]].is_for_manager_only)) == MANAGER_ONLY


@pytest.mark.parametrize("kind", MANAGER_ONLY)
@pytest.mark.parametrize(
    ("actor", "device"),
    [(BOSS.id, None), (BOSS.id, "service"), (SYSTEM, "service"), ("device:controller", "controller")],
)
def test_nobody_else_does_by_any_path(kind: str, actor: str, device: str | None) -> None:
    assert codes(engine(), actor, plain(kind), device) == {("wrong-role", "actor")}
    message = {"key": "k", "actor": actor, "do": msgspec.to_builtins(plain(kind))}
    with pytest.raises(InputError) as at_the_edge:
        read_command(message, str.upper, device)
    assert [(fault.code, fault.path) for fault in at_the_edge.value.faults] == [("wrong-role", "actor")]


def test_a_person_has_nothing_archived() -> None:
    journal = MemoryJournal()
    writer = Writer(journal, clock=lambda: NOW, draw=lambda count: bytes(count))
    writer.engine.floor.put("person", BOSS.id, BOSS)
    archived = RowsArchived(1, "d" * 64, "h" * 64)
    results = writer.carry_out([Envelope(f"k{number}", BOSS.id, archived) for number in range(3)])
    assert all(isinstance(result, InputError) for result in results)
    assert {event.kind for event in journal.events_after(0)} == {"system.refused"}


@pytest.mark.parametrize(
    ("kind", "device"),
    [
        ("sensor.set", "display"), ("sensor.set", "service"), ("dealer.in", "display"), ("dealer.in", "service"),
        ("person.sign-in", "controller"), ("person.sign-out", "display"), ("incident.record", "display"),
        ("message.withdraw", "display"),
    ],
)  # fmt: skip
def test_a_device_says_only_what_its_kind_says(kind: str, device: str) -> None:
    assert codes(engine(), f"device:{device}", plain(kind), device) == {("wrong-device", "actor")}


# The second person


def test_there_are_commands_with_a_second_person() -> None:
    assert len(SECOND_BADGES) >= 22


@pytest.mark.parametrize(("kind", "name"), SECOND_BADGES)
@pytest.mark.parametrize("device", [None, "service"])
def test_the_own_badge_is_never_a_second_person_s(kind: str, name: str, device: str | None) -> None:
    found = engine()
    command = plain(kind, **{name: "badge-B1"})
    if isinstance(command, Approve):
        found.floor.put("proposal", "x", Proposal("x", {}, "why", BOSS.id, NOW, "x", ("executive",), "now"))
    assert codes(found, BOSS.id, command, device) == {("second-person", name)}


def test_both_badges_of_a_clock_are_one_person_s() -> None:
    found = engine()
    found.floor.put("person", "T1", Person("T1", "Technician", "engineering", ("technician",), ("badge-T1",)))
    command = plain("system.clock", badge="badge-T1", second_badge="badge-T1")
    assert codes(found, BOSS.id, command) == {("second-person", "second_badge")}


def test_a_supervisor_alone_neither_rejects_nor_voids_nor_corrects_nor_holds() -> None:
    pit = Pit()
    round_ = pit.start(1, 2, 3)
    late = CorrectWager(round_, "1", 4, True, "the chip lay beside", "badge-S1")
    assert pit.refused(late, "S1", seconds=60) == {"second-person"}
    award = pit.hit(round_, 3, "royal-flush").id
    for command in (
        RejectJackpot(award, "badge-S1", "mistake"),
        VoidRound(round_, "badge-S1", "misdeal"),
        HoldRound(round_, "badge-S1", "dispute"),
        PayJackpot(award, "badge-S1"),
        EndRound(round_, "no reason", "badge-S1"),
    ):
        assert pit.refused(command, "S1") == {"second-person"}
    assert pit.refused(RejectJackpot(award, "badge-S2", "mistake"), "S1") == set()


def test_a_supervisor_alone_neither_opens_a_round_again_nor_decides_it() -> None:
    pit = Pit()
    round_ = pit.start(1)
    pit.do(EndRound(round_))
    assert pit.refused(ReopenRound("T1", "badge-S1", "a winner was missed"), "S1") == {"second-person"}
    pit.do(ReopenRound("T1", "badge-S1", "a winner was missed"))
    pit.do(HoldRound(round_, "badge-S1", "dispute"))
    decided = DecideRound(round_, "badge-S1", "void", "the film was seen", "film 3")
    assert pit.refused(decided, "S1") == {"second-person"}


def test_who_proposed_approves_neither_alone_nor_at_another_s_terminal() -> None:
    pit = Pit()
    what = {"change": "setting", "name": "slip_seconds", "value": 5}
    told = pit.do(Propose(what, "as agreed"), "A1")
    approval = Approve(told["proposal"], told["content_hash"], "badge-A1")
    assert pit.refused(approval, "A1") == {"second-person"}
    assert pit.refused(approval, "E1") == {"second-person"}
    assert pit.refused(Approve(told["proposal"], told["content_hash"], "badge-E1"), "E1") == set()


def test_a_supervisor_who_overrides_a_button_is_not_its_actor() -> None:
    pit = Pit()
    round_ = pit.start(3)
    press = PressHand(round_, 3, "royal-flush", override="misread", badge="badge-S1")
    assert pit.refused(press, "S1") == {"second-person"}
    pit.press(round_, 3, "royal-flush")
    assert pit.refused(HitJackpot(round_)) == set()
