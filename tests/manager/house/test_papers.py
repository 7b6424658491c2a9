"""The registers: who may enter what, which fields a paper needs, and from when to when it holds."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.errors import InputError
from houseway.manager.commands import read_envelope
from houseway.manager.commands.house_commands import AddDevice, DealerIn, RecordIncident, RecordPaper
from houseway.manager.commands.link_commands import Propose, Withdraw
from houseway.manager.core import settings
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Paper
from houseway.manager.handlers import changes, incidents, paper_lookup, papers
from houseway.manager.handlers.papers_in_order import papers_in_order
from houseway.manager.handlers.register_list import REGISTERS
from houseway.manager.handlers.room_choices import rules_hash
from tests.manager.floors import (
    ACCOUNTING,
    DAY,
    DEALER,
    EXECUTIVE,
    HOUR,
    OTHER_DEALER,
    START,
    SUPERVISOR,
    SURVEILLANCE,
    TECHNICIAN,
    Room,
    badge,
    enters,
    new_room,
    session_of,
)

EXAMPLES: dict[str, tuple[str, dict[str, Any]]] = {
    "game-approval": (
        "fortune",
        {"submission": "31", "edition": "2023-06-14", "hash": rules_hash("fortune"), "licence": "commercial"},
    ),
    "internal-controls": ("property", {"reference": "IC-7", "approved_on": "2024-03-01"}),
    "jackpot-approval": ("six-card-fortune", {"allows": ["house-jackpots"], "reference": "letter of May 5"}),
    "maker-licence": (
        "Example Maker", {"number": "12", "issuer": "state", "document": "licence", "covers": ["equipment"]},
    ),
    "agency-approval": ("fortune", {"agency": "Example Agency", "reference": "AA-1"}),
    "state-concurrence": ("fortune", {"reference": "SC-1"}),
    "supplemental-information": ("fortune", {"reference": "SI-1", "submitted_on": "2024-02-01"}),
    "equipment": (
        "property", {"component": "game-manager", "model": "GM Atlas", "maker": "Example Maker", "version": "5.4.0"},
    ),
    "notice": ("T1", {"notice": "dispute-procedure", "text": "Say so before the next hand."}),
    "equipment-approval": (
        "fortune",
        {"component": "controller", "model": "Houseway", "version": "1.0", "reference": "letter of May 5"},
    ),
    "face-up-permission": (
        "fortune",
        {"reference": "letter", "issued": "2020-07-07", "games": ["Fortune Pai Gow Poker"], "internal_controls": "8"},
    ),
    "surveillance-coverage": ("T1", {"sees": ["table", "cards"], "reference": "camera plan 2"}),
    "rule-override": (
        "fortune", {"layer": "law", "replaces": "standard", "text": "The wheel is second.", "reference": "memo"},
    ),
    "incident-report": ("incident-1", {"reference": "mail", "reported_at": START}),
    "document": ("L1", {"title": "deposit slip", "reference": "bank 1"}),
    "withdrawal": ("incident-1", {"reason": "the sign was replaced"}),
}  # fmt: skip


@pytest.fixture
def room() -> Room:
    found = new_room()
    found.add_table()
    found.do(TECHNICIAN, RecordIncident("malfunction", "T1", "the sign is dark", found.now))
    return found


def paper(
    register: str, id_: str = "P1", since: int = START, until: int | None = None, **changes: object
) -> RecordPaper:
    subject, fields = EXAMPLES[register]
    merged = {**fields, **{name: value for name, value in changes.items() if name != "subject"}}
    return RecordPaper(register, id_, changes.get("subject", subject), merged, since, until)


def without(register: str, field: str) -> RecordPaper:
    subject, fields = EXAMPLES[register]
    return RecordPaper(register, "P1", subject, {name: v for name, v in fields.items() if name != field}, START)


def test_every_register_has_an_example() -> None:
    assert set(EXAMPLES) == set(REGISTERS)


@pytest.mark.parametrize("register", sorted(EXAMPLES))
def test_a_paper_is_entered_with_its_dates_and_who_entered_it(room: Room, register: str) -> None:
    entered = paper(register, until=START + DAY)
    answer = room.do(enters(entered), entered)
    assert answer == {"paper": "P1", "register": register, "holds": True, "warnings": []}
    kept = room.floor.papers["P1"]
    assert (kept.register, kept.since, kept.until, kept.by) == (register, START, START + DAY, enters(entered))


@pytest.mark.parametrize(("register", "field"), [(r, f) for r in sorted(REGISTERS) for f in REGISTERS[r].fields])
def test_every_field_of_every_register_is_needed_and_typed(room: Room, register: str, field: str) -> None:
    by = enters(paper(register))
    assert room.refused(by, without(register, field)) == {("missing-key", f"fields.{field}")}
    for bad in (None, 2.5, [], {}, ""):
        refused = room.refused(by, paper(register, **{field: bad}))
        assert {path for _, path in refused} == {f"fields.{field}"}


@pytest.mark.parametrize("register", sorted(REGISTERS))
def test_a_field_that_nobody_reads_is_refused(room: Room, register: str) -> None:
    assert room.refused(enters(paper(register)), paper(register, colour="blue")) == {("unknown-key", "fields.colour")}


@pytest.mark.parametrize("register", sorted(REGISTERS))
def test_only_the_register_s_roles_enter_papers(room: Room, register: str) -> None:
    by_role = {"executive": EXECUTIVE, "accounting": ACCOUNTING, "supervisor": SUPERVISOR, "technician": TECHNICIAN,
               "surveillance": SURVEILLANCE, "dealer": DEALER}  # fmt: skip
    for role, person in by_role.items():
        if role not in REGISTERS[register].roles:
            assert room.refused(person, paper(register)) == {("wrong-role", "actor")}


def test_an_unknown_register_is_refused(room: Room) -> None:
    command = RecordPaper("game-aproval", "P1", "fortune", {}, START)
    assert room.refused(EXECUTIVE, command) == {("unknown-register", "register")}
    # Incidents come by their own command only.
    assert room.refused(EXECUTIVE, RecordPaper("incident", "P1", "T1", {}, START)) == {("unknown-register", "register")}


@pytest.mark.parametrize(
    ("register", "subject"),
    [("game-approval", "blackjack"), ("game-approval", "property"), ("notice", "T9"), ("notice", "property"),
     ("equipment", "T9"), ("incident-report", "incident-9"), ("withdrawal", "P9"), ("rule-override", "fpgp/rules/99"),
     ("internal-controls", "T1")],
)  # fmt: skip
def test_a_paper_is_about_something_that_is_there(room: Room, register: str, subject: str) -> None:
    assert room.refused(enters(paper(register)), paper(register, subject=subject)) == {("unknown-subject", "subject")}


def test_a_paper_is_never_altered(room: Room) -> None:
    room.do(EXECUTIVE, paper("game-approval"))
    assert room.refused(EXECUTIVE, paper("game-approval", submission="4000")) == {("paper-exists", "paper")}


@pytest.mark.parametrize(
    ("since", "until", "fault"),
    [(START, START, ("bad-dates", "until")), (START, START - 1, ("bad-dates", "until")),
     (-1, None, ("out-of-range", "since")), (2**60, None, ("out-of-range", "since")),
     (1_767_225_600, None, ("out-of-range", "since")), (1_767_225_600_000, None, ("out-of-range", "since")),
     (START, 1_798_761_600, ("out-of-range", "until"))],
)  # fmt: skip
def test_dates_that_make_no_sense_are_refused(
    room: Room, since: int, until: int | None, fault: tuple[str, str]
) -> None:
    assert room.refused(EXECUTIVE, paper("game-approval", since=since, until=until)) == {fault}


def test_all_faults_of_a_paper_are_told_at_once(room: Room) -> None:
    command = RecordPaper(
        "game-approval", "a/b", "chess", {"edition": "June", "hash": "no", "licence": "sea"}, START, 4
    )
    assert room.refused(EXECUTIVE, command) == {
        ("bad-id", "paper"), ("unknown-subject", "subject"), ("missing-key", "fields.submission"),
        ("bad-value", "fields.edition"), ("bad-value", "fields.hash"), ("bad-value", "fields.licence"),
        ("out-of-range", "until"),
    }  # fmt: skip


def test_a_paper_has_a_size(room: Room) -> None:
    shows = {f"value {number}": "x" * 100 for number in range(200)}
    assert room.refused(EXECUTIVE, paper("notice", shows=shows)) == {("bad-value", "fields")}
    assert room.refused(EXECUTIVE, paper("notice", shows={"limit": 2.5})) == {("bad-value", "fields.shows")}


@given(since=st.integers(0, 100), length=st.none() | st.integers(1, 100), at=st.integers(0, 250))
def test_a_paper_holds_from_its_first_moment_until_its_last(since: int, length: int | None, at: int) -> None:
    until = None if length is None else since + length
    held = paper_lookup.holds(Paper("P", "document", "x", {}, since, until, "E"), at)
    assert held == (at in range(since, 1_000 if until is None else until))


def test_a_withdrawal_ends_a_paper_and_is_final(room: Room) -> None:
    room.do(EXECUTIVE, paper("internal-controls", "IC"))
    room.do(EXECUTIVE, paper("withdrawal", "W1", since=START + HOUR, subject="IC"))
    assert paper_lookup.papers_held(room.floor, "internal-controls", ("property",), START + HOUR - 1)
    assert not paper_lookup.papers_held(room.floor, "internal-controls", ("property",), START + HOUR)
    again = paper("withdrawal", "W2", since=START + 2 * HOUR, subject="IC")
    assert room.refused(EXECUTIVE, again) == {("bad-dates", "since")}
    assert room.refused(EXECUTIVE, paper("withdrawal", "W2", subject="W1")) == {("unknown-subject", "subject")}


def test_a_withdrawal_does_not_reach_before_the_paper(room: Room) -> None:
    room.do(EXECUTIVE, paper("internal-controls", "IC"))
    assert room.refused(EXECUTIVE, paper("withdrawal", "W1", since=START - 1, subject="IC")) == {("bad-dates", "since")}


def test_only_who_may_enter_a_paper_withdraws_it(room: Room) -> None:
    room.do(EXECUTIVE, paper("internal-controls", "IC"))
    assert room.refused(SUPERVISOR, paper("withdrawal", "W1", subject="IC")) == {("wrong-role", "actor")}
    room.do(SUPERVISOR, paper("withdrawal", "W1"))


def test_the_record_of_something_done_is_not_withdrawn(room: Room) -> None:
    room.add_link()
    record = next(kept.id for kept in room.floor.papers.values() if kept.register == "link-opening")
    assert room.refused(EXECUTIVE, paper("withdrawal", "W1", subject=record)) == {("unknown-subject", "subject")}


def test_an_approval_of_other_rules_is_flagged_when_it_is_entered(room: Room) -> None:
    answer = room.do(ACCOUNTING, paper("game-approval", hash="0" * 64))
    assert [warning["code"] for warning in answer["warnings"]] == ["approval-differs"]


@pytest.mark.parametrize(
    ("version", "codes"),
    [("5.4.0", []), ("5.4", []), ("6", []), ("5.3.9", ["equipment-outdated"]), ("unknown", ["equipment-unknown"])],
)
def test_old_and_unknown_versions_are_flagged_when_they_are_entered(room: Room, version: str, codes: list[str]) -> None:
    answer = room.do(TECHNICIAN, paper("equipment", version=version))
    assert [warning["code"] for warning in answer["warnings"]] == codes


def test_a_display_says_whether_it_has_a_network(room: Room) -> None:
    command = paper("equipment", component="display", model="monitor")
    assert room.refused(TECHNICIAN, command) == {("missing-key", "fields.networked")}
    answer = room.do(TECHNICIAN, paper("equipment", component="display", model="monitor", networked=True))
    assert [warning["code"] for warning in answer["warnings"]] == ["display-networked"]


@pytest.mark.parametrize("layer", ["law", "maker", "house", "standard"])
@pytest.mark.parametrize("replaces", ["law", "maker", "house", "standard"])
def test_a_rule_replaces_one_of_a_weaker_layer_only(room: Room, layer: str, replaces: str) -> None:
    order = ["law", "maker", "house", "standard"]
    command = paper("rule-override", layer=layer, replaces=replaces)
    if order.index(layer) < order.index(replaces):
        room.do(EXECUTIVE, command)
    else:
        assert room.refused(EXECUTIVE, command) == {("weaker-layer", "fields.layer")}


def test_a_house_rule_replaces_the_maker_s_where_the_sheet_allows_it(room: Room) -> None:
    clause = "fpgpj/rules/9.c"
    allowed = paper("rule-override", subject=clause, layer="house", replaces="maker", allowed_by=clause)
    room.do(EXECUTIVE, allowed)
    unknown = paper("rule-override", "P2", layer="house", replaces="maker", allowed_by="fpgpj/rules/99")
    assert room.refused(EXECUTIVE, unknown) == {("unknown-clause", "fields.allowed_by")}


def test_a_malfunction_is_due_seventy_two_hours_after_it_was_known() -> None:
    room = new_room()
    answer = room.do(DEALER, RecordIncident("malfunction", "property", "the meters froze", START - HOUR))
    assert answer["incident"] == "incident-1"
    assert answer["report_due_at"] == START - HOUR + 72 * HOUR
    assert len(answer["next"]) == 2
    other = room.do(DEALER, RecordIncident("dispute", "property", "a player objects", START))
    assert other["report_due_at"] is None


def test_the_hours_of_the_report_are_the_property_s_setting() -> None:
    room = new_room()
    from houseway.manager.core.house_entities import DatedValue, PropertySetting

    own = PropertySetting("malfunction_report_hours", (DatedValue(0, 24, EXECUTIVE, ACCOUNTING, "stricter"),))
    room.floor.put("setting", own.id, own)
    room.follower.floor.put("setting", own.id, own)
    answer = room.do(DEALER, RecordIncident("meter-wrong", "property", "shows too much", START))
    assert answer["report_due_at"] == START + 24 * HOUR
    assert settings.value(room.floor, "malfunction_report_hours", START) == 24


def test_a_withdrawal_of_now_holds_from_the_managers_time_on() -> None:
    room = new_room()
    room.do(EXECUTIVE, paper("internal-controls", "IC"))
    room.now = START + HOUR
    gone = RecordPaper("withdrawal", "W", "IC", {"reason": "replaced"})
    assert room.do(EXECUTIVE, gone)["holds"]
    assert room.floor.papers["W"].since == room.floor.papers["IC"].until == START + HOUR
    # What begins at this very moment can be withdrawn at once; what begins later cannot.
    room.do(EXECUTIVE, RecordPaper("document", "D1", "slip", {"title": "slip", "reference": "7"}, "now"))
    room.do(EXECUTIVE, RecordPaper("withdrawal", "W1", "D1", {"reason": "a slip of the pen"}, "now"))
    room.do(EXECUTIVE, RecordPaper("document", "D2", "slip", {"title": "slip", "reference": "8"}, room.now + HOUR))
    late = RecordPaper("withdrawal", "W2", "D2", {"reason": "a slip of the pen"}, "now")
    assert room.refused(EXECUTIVE, late) == {("bad-dates", "since")}
    told = {
        "kind": "paper.record",
        "register": "withdrawal",
        "paper": "W",
        "subject": "IC",
        "fields": {},
        "since": "soon",
    }
    with pytest.raises(InputError, match=r'do\.since: expected a whole number or "now", found text'):
        read_envelope({"key": "k", "actor": EXECUTIVE, "do": told})


def test_an_incident_that_becomes_known_now_is_known_at_the_managers_time() -> None:
    room = new_room()
    room.now = START + HOUR
    answer = room.do(TECHNICIAN, RecordIncident("malfunction", "property", "the meter stands still"))
    assert room.floor.papers[answer["incident"]].since == START + HOUR


def test_incidents_stay_open_until_repaired_and_due_until_reported(room: Room) -> None:
    room.do(SURVEILLANCE, RecordIncident("tampering", "T1", "seal broken", START))
    assert {*incidents.unfinished_incidents(room.floor)} == {"incident-1", "incident-2"}
    room.do(TECHNICIAN, paper("withdrawal", "W1"))
    assert {*incidents.unfinished_incidents(room.floor)} == {"incident-1", "incident-2"}, "repaired, yet unreported"
    room.do(EXECUTIVE, paper("incident-report", "R1"))
    assert {*incidents.unfinished_incidents(room.floor)} == {"incident-2"}


def test_a_report_is_entered_once_it_is_made(room: Room) -> None:
    command = paper("incident-report", reported_at=START + HOUR)
    assert room.refused(EXECUTIVE, command) == {("in-the-future", "fields.reported_at")}


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        (RecordIncident("explosion", "property", "x", START), ("bad-value", "code")),
        (RecordIncident("malfunction", "T9", "x", START), ("unknown-subject", "device")),
        (RecordIncident("malfunction", "property", " ", START), ("bad-value", "text")),
        (RecordIncident("malfunction", "property", "x", START + 1), ("in-the-future", "known_at")),
        (RecordIncident("malfunction", "property", "x", -1), ("in-the-future", "known_at")),
    ],
)
def test_an_incident_is_refused(command: RecordIncident, fault: tuple[str, str]) -> None:
    assert new_room().refused(DEALER, command) == {fault}


def test_a_controller_records_its_own_malfunction(room: Room) -> None:
    room.do(TECHNICIAN, AddDevice("controller 1", "controller", "s", "T1", badge(ACCOUNTING)))
    command = RecordIncident("connection-loss", "controller 1", "no answer for 9 seconds", START)
    answer = room.do("device:controller 1", command)
    assert room.floor.papers[answer["incident"]].by == "device:controller 1"
    assert badge(DEALER) not in str(answer)


def test_a_device_keeps_only_so_many_incidents_open(room: Room) -> None:
    """People can always record, and what they declare repaired makes room; restored, the state counts the same."""
    room.do(TECHNICIAN, AddDevice("controller 1", "controller", "s", "T1", badge(ACCOUNTING)))
    command = RecordIncident("connection-loss", "controller 1", "no answer for 9 seconds", START)
    for _ in range(incidents.MOST_OPEN):
        answer = room.do("device:controller 1", command)
    assert room.refused("device:controller 1", command) == {("too-many-incidents", "device")}
    room.do(DEALER, command)
    assert Floor.restored(json.loads(room.floor.text())).open_incidents_of == +room.floor.open_incidents_of
    room.do(TECHNICIAN, paper("withdrawal", "W1", subject=answer["incident"]))
    last = room.do("device:controller 1", command)
    assert last["incident"] == f"incident-{incidents.MOST_OPEN + 3}"


def test_a_person_keeps_only_so_many_incidents_open(room: Room) -> None:
    """A dealer's badge and a service fill nothing; whoever has authority has more room, and it ends as well."""
    command = RecordIncident("other", "property", "x", START)
    for _ in range(incidents.MOST_OPEN):
        room.do(DEALER, command)
    before = room.floor.text()
    assert room.refused(DEALER, command) == {("too-many-incidents", "device")}
    assert room.floor.text() == before
    room.do(OTHER_DEALER, command)
    for _ in range(incidents.MOST_OPEN_WITH_AUTHORITY):
        room.do(SURVEILLANCE, command)
    assert room.refused(SURVEILLANCE, command) == {("too-many-incidents", "device")}
    restored = Floor.restored(json.loads(room.floor.text()))
    assert (restored.open_incidents_of, restored.entered) == (+room.floor.open_incidents_of, +room.floor.entered)


def test_withdrawing_makes_room_for_so_many_incidents_a_day(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who records and declares repaired in turn still leaves papers behind; the next day there is room again."""
    monkeypatch.setattr(incidents, "MOST_A_DAY_WITH_AUTHORITY", 6)
    monkeypatch.setattr(incidents, "MOST_A_DAY", 3)
    command = RecordIncident("other", "property", "x", START)
    for actor, most in ((SUPERVISOR, 6), (DEALER, 3)):
        for number in range(most):
            recorded = room.do(actor, command)["incident"]
            room.do(SUPERVISOR, paper("withdrawal", f"W {actor} {number}", subject=recorded))
        assert room.refused(actor, command) == {("too-many-incidents", "device")}
    room.now += DAY
    room.do(DEALER, command)
    room.do(SUPERVISOR, command)


def test_a_person_enters_only_so_many_papers_a_day(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    there = room.floor.entered_on(EXECUTIVE, "document", room.now)
    monkeypatch.setattr(papers, "MOST_PAPERS_A_DAY", there + 2)
    for number in range(2):
        room.do(EXECUTIVE, paper("document", f"D{number}"))
    assert room.refused(EXECUTIVE, paper("document", "D2")) == {("too-many-papers", "paper")}
    room.do(ACCOUNTING, paper("document", "D2"))
    room.now += DAY
    room.do(EXECUTIVE, paper("document", "D3"))


def test_a_controller_goes_round_the_bound_in_nobody_s_name(room: Room) -> None:
    """By itself, as one dealer or another, about itself or its table: it is one device; another one has room."""
    for table, dealer in (("T1", DEALER), ("T2", OTHER_DEALER)):
        if table not in room.floor.tables:
            room.add_table(table)
        controller = f"controller {table}"
        room.do(TECHNICIAN, AddDevice(controller, "controller", f"secret of {controller}", table, badge(ACCOUNTING)))
        room.open_table(table, dealer=None)
        room.do(f"device:{controller}", DealerIn(table, badge(dealer), session_of(dealer)), controller)

    def incident(about: str) -> RecordIncident:
        return RecordIncident("connection-loss", about, "no answer", START)

    ways = itertools.cycle([(DEALER, "T1"), ("device:controller T1", "controller T1"), (DEALER, "controller T1")])
    for actor, about in itertools.islice(ways, incidents.MOST_OPEN):
        room.do(actor, incident(about), "controller T1")
    for actor, about in itertools.islice(ways, 3):
        assert room.refused(actor, incident(about), "controller T1") == {("too-many-incidents", "device")}
    # Another device has its own room, and a person who acts elsewhere needs none.
    room.do(OTHER_DEALER, incident("T2"), "controller T2")
    room.do(DEALER, incident("T1"))


def test_no_paper_takes_the_number_of_an_incident(room: Room) -> None:
    """The next incident would take its place in the register."""
    assert room.refused(EXECUTIVE, paper("document", "incident-2")) == {("bad-id", "paper")}
    assert room.refused(EXECUTIVE, paper("document", "Incident-02")) == {("bad-id", "paper")}


def test_drafts_of_two_tables_do_not_collide(room: Room) -> None:
    """Drawn up together for two tables of one game, and entered in any order."""
    room.add_table("T8", "face-up")
    room.add_table("T9", "face-up")
    drawn = {table: papers_in_order(room.floor, room.table(table), room.now) for table in ("T8", "T9")}
    ids = [paper.paper for papers in drawn.values() for paper in papers]
    assert len(set(ids)) == len(ids)
    # The rest of an older draft goes in after a newer one was begun.
    older, newer = drawn["T8"], papers_in_order(room.floor, room.table("T8"), room.now)
    assert [paper.paper for paper in older] == [paper.paper for paper in newer]
    for paper in (*reversed(drawn["T9"]), *older):
        room.do(enters(paper), paper)


def test_a_person_has_only_so_many_proposals_waiting(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "MOST_PROPOSALS", 2)
    what = {"change": "setting", "name": "malfunction_report_hours", "value": 12}
    for _ in range(2):
        waiting = room.do(EXECUTIVE, Propose(what, "a shorter time"))["proposal"]
    assert room.refused(EXECUTIVE, Propose(what, "a shorter time")) == {("too-many-proposals", "what")}
    room.do(ACCOUNTING, Propose(what, "a shorter time"))
    room.do(EXECUTIVE, Withdraw(waiting, "not wanted"))
    room.do(EXECUTIVE, Propose(what, "a shorter time"))
