"""Proposals: two people from two departments, bound by a hash, made between rounds, when a level is won, or lapsed."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.manager.commands.house_commands import AddPerson, ChangePerson, ConfirmPerson
from houseway.manager.commands.link_commands import Approve, Propose, Withdraw
from houseway.manager.commands.round_commands import CorrectWager, HoldRound, StartRound, VoidRound
from houseway.manager.core.records import canonical
from houseway.manager.handlers.changes import CHANGES, content_hash
from tests.manager.floors import (
    ACCOUNTING,
    AUDITOR,
    CAGE,
    DEALER,
    EXECUTIVE,
    OTHER_DEALER,
    OTHER_SUPERVISOR,
    SUPERVISOR,
    SURVEILLANCE,
    TECHNICIAN,
    Room,
    badge,
)
from tests.manager.links.desk import (
    approve,
    end,
    held,
    hit,
    level_of,
    link_of,
    make,
    pay,
    playing_room,
    propose,
    refused_proposal,
    start,
    win,
    withdraw,
)

SEED: dict[str, Any] = {"change": "level", "link": "L1", "level": "main", "seed": 300_000}


@pytest.fixture
def room() -> Room:
    return playing_room()


def seed(room: Room) -> int:
    return link_of(room).levels["main"].seed


# ---------------------------------------------------------------- proposing


def test_the_list_of_changes_is_closed() -> None:
    assert sorted(CHANGES) == [
        "adjustment", "back-out", "drop-promotion", "level", "limit", "link", "prizes", "retire", "roles", "setting",
    ]  # fmt: skip


def test_a_proposal_changes_nothing_yet_and_names_its_hash(room: Room) -> None:
    answer = propose(room, **SEED)
    kept = room.floor.proposals[answer["proposal"]]
    assert (kept.status, kept.by, kept.reason) == ("open", SUPERVISOR, "as agreed")
    assert answer["content_hash"] == content_hash(kept.id, kept.what, kept.reason, kept.by)
    assert (answer["moment"], answer["approvers"]) == ("idle", ["executive", "accounting"])
    assert seed(room) == 250_000


@pytest.mark.parametrize("what", [{}, {"change": "levels"}, {"change": 7}, {"change": None, "link": "L1"}])
def test_a_change_that_is_not_on_the_list(room: Room, what: dict[str, Any]) -> None:
    assert room.refused(SUPERVISOR, Propose(what, "x")) == {("unknown-change", "what.change")}


@pytest.mark.parametrize(
    ("what", "fields"),
    [
        ({"change": "level", "link": "L1"}, "level"),
        ({**SEED, "seed": "300000"}, "seed"),
        ({**SEED, "seed": 1.5}, "seed"),
        ({**SEED, "sed": 1}, "sed"),
        ({**SEED, "when": "later"}, "when"),
        ({**SEED, "seed": "300000", "when": "later", "sed": 1}, "seed when sed"),
        (
            {"change": "adjustment", "link": "L1", "level": "main", "code": "gift", "micros": 1, "reference": "x"},
            "code",
        ),
        ({"change": "back-out", "award": 7, "reference": "x"}, "award"),
        ({"change": "roles", "person": "Dealer 17", "roles": ["king"]}, "roles[0]"),
    ],
)
def test_a_change_that_is_not_written_as_it_must_be(room: Room, what: dict[str, Any], fields: str) -> None:
    assert room.refused(SUPERVISOR, Propose(what, "x")) == {("bad-change", f"what.{field}") for field in fields.split()}


def test_a_reason_is_needed_and_told_with_every_other_fault(room: Room) -> None:
    found = refused_proposal(room, reason=" ", change="level", link="L9", level="main", seed=1)
    assert found == {("reason-needed", "reason"), ("unknown-link", "what.link")}


@pytest.mark.parametrize("actor", [DEALER, SURVEILLANCE, AUDITOR])
def test_who_may_not_propose(room: Room, actor: str) -> None:
    assert refused_proposal(room, actor, **SEED) == {("wrong-role", "actor")}


@pytest.mark.parametrize("actor", [SUPERVISOR, TECHNICIAN, ACCOUNTING, CAGE])
def test_who_may_propose(room: Room, actor: str) -> None:
    approve(room, propose(room, actor, **SEED))
    assert seed(room) == 300_000


# ---------------------------------------------------------------- approving


def test_an_approved_change_of_an_idle_link_is_made_at_once(room: Room) -> None:
    answer = make(room, **SEED)
    assert (answer["status"], answer["version"], answer["approved_by"]) == ("made", 2, EXECUTIVE)
    assert seed(room) == 300_000
    assert room.floor.proposals == {}


def test_the_hash_binds_the_approval_to_what_was_proposed(room: Room) -> None:
    first, second = propose(room, **SEED), propose(room, **{**SEED, "seed": 400_000})
    for other in (second["content_hash"], second["check"], "", first["check"][:4]):
        swapped = Approve(first["proposal"], other, badge(EXECUTIVE))
        assert room.refused(EXECUTIVE, swapped) == {("content-differs", "content_hash")}
    assert first["content_hash"].startswith(first["check"].replace("-", ""))
    made = room.do(EXECUTIVE, Approve(first["proposal"], first["check"], badge(EXECUTIVE)))
    assert made["check"] == first["check"], "both have seen the same"


def test_nobody_approves_the_own_proposal(room: Room) -> None:
    proposal = propose(room, EXECUTIVE, **SEED)
    command = Approve(proposal["proposal"], proposal["content_hash"], badge(EXECUTIVE))
    assert room.refused(EXECUTIVE, command) == {("second-person", "badge")}
    assert room.refused(ACCOUNTING, command) == {("second-person", "badge")}, "the badge says who approves"


def test_two_departments_must_agree(room: Room) -> None:
    new = AddPerson(
        "Accounting 2", "Accounting 2", "accounting", ["accounting"], badge("Accounting 2"), badge(ACCOUNTING)
    )
    room.do(EXECUTIVE, new)
    room.do(SURVEILLANCE, ConfirmPerson("Accounting 2", badge("Accounting 2")))
    proposal = propose(room, ACCOUNTING, **SEED)
    command = Approve(proposal["proposal"], proposal["content_hash"], badge("Accounting 2"))
    assert room.refused("Accounting 2", command) == {("same-department", "badge")}
    assert approve(room, proposal, EXECUTIVE)["status"] == "made"


@pytest.mark.parametrize("approver", [OTHER_SUPERVISOR, DEALER, TECHNICIAN, CAGE, AUDITOR])
def test_an_approver_needs_the_role(room: Room, approver: str) -> None:
    proposal = propose(room, ACCOUNTING, **SEED)
    command = Approve(proposal["proposal"], proposal["content_hash"], badge(approver))
    assert room.refused(approver, command) == {("wrong-role", "badge")}


def test_the_card_says_who_approves_whoever_works_the_terminal(room: Room) -> None:
    answer = approve(room, propose(room, **SEED), EXECUTIVE, actor=SUPERVISOR)
    assert answer["approved_by"] == EXECUTIVE


def test_a_proposer_who_left_binds_nobody(room: Room) -> None:
    proposal = propose(room, **SEED)
    room.do(EXECUTIVE, ChangePerson(SUPERVISOR, active=False, second_badge=badge(SURVEILLANCE)))
    command = Approve(proposal["proposal"], proposal["content_hash"], badge(EXECUTIVE))
    assert room.refused(EXECUTIVE, command) == {("proposal-closed", "proposal")}


def test_what_became_impossible_is_refused_at_the_approval(room: Room) -> None:
    proposal = propose(room, **SEED)
    make(room, **SEED)
    command = Approve(proposal["proposal"], proposal["content_hash"], badge(EXECUTIVE))
    assert room.refused(EXECUTIVE, command) == {("nothing-to-change", "what")}


def test_an_unknown_or_approved_proposal_is_not_approved(room: Room) -> None:
    assert room.refused(EXECUTIVE, Approve("P9", "x", badge(EXECUTIVE))) == {("no-such-proposal", "proposal")}
    start(room)
    proposal = propose(room, **SEED)
    approve(room, proposal)
    command = Approve(proposal["proposal"], proposal["content_hash"], badge(ACCOUNTING))
    assert room.refused(ACCOUNTING, command) == {("proposal-closed", "proposal")}


# ---------------------------------------------------------------- withdrawing


def test_a_proposal_is_taken_back_by_its_maker_or_an_executive(room: Room) -> None:
    first, second = propose(room, **SEED), propose(room, **SEED)
    no = Withdraw(first["proposal"], "x")
    assert room.refused(OTHER_SUPERVISOR, no) == {("wrong-role", "actor")}
    assert room.refused(SUPERVISOR, Withdraw(first["proposal"], " ")) == {("reason-needed", "reason")}
    assert withdraw(room, first)["was"] == "open"
    assert withdraw(room, second, EXECUTIVE)["status"] == "withdrawn"
    assert room.refused(SUPERVISOR, no) == {("no-such-proposal", "proposal")}
    assert seed(room) == 250_000


# ---------------------------------------------------------------- between rounds


def test_a_change_waits_until_the_last_round_on_the_link_has_ended(room: Room) -> None:
    first, second = start(room, "T1"), start(room, "T2")
    answer = approve(room, propose(room, **SEED))
    assert answer["status"] == "waiting"
    end(room, first)
    assert seed(room) == 250_000
    answer = end(room, second)
    assert seed(room) == 300_000
    (made,) = answer["changes"]
    assert (made["status"], made["version"]) == ("made", 2)
    assert room.floor.proposals == {}


def test_it_waits_on_while_another_table_has_begun(room: Room) -> None:
    first = start(room, "T1")
    approve(room, propose(room, **SEED))
    second = start(room, "T2")
    end(room, first)
    third = start(room, "T1")
    end(room, second)
    assert seed(room) == 250_000
    end(room, third)
    assert seed(room) == 300_000


def test_a_round_without_a_wager_on_the_link_does_not_keep_it(room: Room) -> None:
    start(room, "T1", ())
    assert make(room, **SEED)["status"] == "made"


def test_a_voided_round_frees_the_link(room: Room) -> None:
    round_ = start(room)
    approve(room, propose(room, **SEED))
    answer = room.do(DEALER, VoidRound(round_, badge(SUPERVISOR), "misdeal"))
    assert [each["status"] for each in answer["changes"]] == ["made"]
    assert seed(room) == 300_000


def test_a_round_on_hold_frees_the_link(room: Room) -> None:
    round_ = start(room)
    approve(room, propose(room, **SEED))
    room.do(DEALER, HoldRound(round_, badge(SUPERVISOR), "the player disputes the hand"))
    assert seed(room) == 300_000


def test_a_link_that_a_correction_emptied_gets_its_change_with_the_next_round_that_ends(room: Room) -> None:
    first, second = start(room, "T1", (1,)), start(room, "T2")
    approve(room, propose(room, **SEED))
    room.do(DEALER, CorrectWager(first, "1", 1, False, "no chip was there"))
    end(room, second)
    assert seed(room) == 300_000


def test_several_waiting_changes_are_made_in_the_order_of_their_proposals(room: Room) -> None:
    round_ = start(room)
    later = propose(room, **{**SEED, "seed": 400_000})
    approve(room, propose(room, **SEED))
    approve(room, later)
    answer = end(room, round_)
    assert [each["proposal"] for each in answer["changes"]] == sorted(
        (each["proposal"] for each in answer["changes"]), key=lambda id_: int(id_[1:])
    )
    assert (seed(room), link_of(room).version) == (300_000, 3)


def test_a_waiting_change_can_be_withdrawn(room: Room) -> None:
    round_ = start(room)
    proposal = propose(room, **SEED, drain=True)
    approve(room, proposal)
    assert link_of(room).status == "draining"
    assert withdraw(room, proposal)["was"] == "approved"
    assert link_of(room).status == "open"
    end(room, round_)
    assert seed(room) == 250_000


# ---------------------------------------------------------------- draining


def test_a_draining_link_takes_no_wagers_and_opens_again_with_the_change(room: Room) -> None:
    first, second = start(room, "T1"), start(room, "T2")
    answer = approve(room, propose(room, **SEED, drain=True))
    assert answer["link_status"] == "draining"
    end(room, first)
    assert room.refused(DEALER, StartRound("T1", {"1": [1]})), "no new wager on it"
    third = start(room, "T1", ())
    end(room, third)
    assert (link_of(room).status, seed(room)) == ("draining", 250_000)
    end(room, second)
    assert (link_of(room).status, link_of(room).status_reason, seed(room)) == ("open", "", 300_000)
    start(room, "T1")


def test_the_link_drains_until_the_last_change_that_asks_for_it_is_made(room: Room) -> None:
    round_ = start(room)
    first = propose(room, **SEED, drain=True)
    second = propose(room, **{**SEED, "seed": 400_000}, drain=True)
    approve(room, first)
    approve(room, second)
    withdraw(room, first)
    assert link_of(room).status == "draining"
    end(room, round_)
    assert (link_of(room).status, seed(room)) == ("open", 400_000)


def test_an_idle_link_does_not_drain(room: Room) -> None:
    assert "link_status" not in make(room, **SEED, drain=True)
    assert link_of(room).status == "open"


# ---------------------------------------------------------------- when the level is won


def test_a_change_that_waits_for_a_win_is_made_when_the_jackpot_is_paid(room: Room) -> None:
    answer = make(room, **SEED, when="won")
    assert answer["status"] == "waiting", "although the link is idle"
    end(room, start(room))
    assert seed(room) == 250_000
    round_ = start(room)
    award = hit(room, round_, 1, "seven-card-straight-flush")
    assert seed(room) == 250_000
    pay(room, award)
    assert seed(room) == 300_000
    end(room, round_)
    assert held(room, "meter", "L1", "main") == (300_000 * 10_000) + held(room, "reserve", "L1", "main") + 60_000
    assert held(room, "seed", "L1", "main") == (250_000 + 300_000) * 10_000


def test_a_partial_award_or_another_level_is_not_the_win(room: Room) -> None:
    make(room, **SEED, when="won")
    win(room, "royal-flush-royal-match")
    win(room, "five-aces")
    assert seed(room) == 250_000
    assert len(room.floor.proposals) == 1


def test_a_lower_seed_takes_the_difference_back_when_the_level_is_won(room: Room) -> None:
    make(room, **{**SEED, "seed": 100_000}, when="won")
    win(room)
    assert seed(room) == 100_000
    assert held(room, "meter", "L1", "main") == 100_000 * 10_000 + 30_000, "the reserve of three wagers is on it"
    assert held(room, "seed", "L1", "main") == (250_000 + 100_000) * 10_000
    assert level_of(room).seeded_micros == 100_000 * 10_000


def test_waiting_for_a_win_and_draining_exclude_each_other(room: Room) -> None:
    assert refused_proposal(room, **SEED, when="won", drain=True) == {("drain-until-won", "what.drain")}


# ---------------------------------------------------------------- lapsed


def test_a_change_that_is_impossible_when_its_moment_comes_lapses_on_record(room: Room) -> None:
    first, second = start(room, "T1"), start(room, "T2")
    shown = held(room, "meter", "L1", "main")
    limit = -(-shown // 10_000)
    proposal = propose(room, change="limit", link="L1", level="main", limit=limit, posted="sign", drain=True)
    approve(room, proposal)
    award = hit(room, first, 1, "seven-card-straight-flush")
    pay(room, award)
    make(room, change="adjustment", link="L1", level="main", code="carried", micros=10**10, reference="promotion 4")
    end(room, first)
    answer = end(room, second)
    (lapsed,) = answer["changes"]
    assert (lapsed["status"], lapsed["proposal"]) == ("lapsed", proposal["proposal"])
    kept = room.floor.proposals[proposal["proposal"]]
    assert kept.status == "lapsed"
    assert "a limit is at least that" in (kept.lapsed_because or "")
    assert link_of(room).levels["main"].limit is None
    assert link_of(room).status == "open", "it drains no longer"
    end(room, start(room))
    command = Approve(proposal["proposal"], proposal["content_hash"], badge(ACCOUNTING))
    assert room.refused(ACCOUNTING, command) == {("proposal-closed", "proposal")}
    assert withdraw(room, proposal)["was"] == "lapsed"


def test_the_end_of_a_round_is_never_refused_for_a_change(room: Room) -> None:
    round_ = start(room)
    waiting = propose(room, **SEED)
    again = propose(room, **SEED)
    approve(room, waiting)
    approve(room, again)
    answer = end(room, round_)
    assert [each["status"] for each in answer["changes"]] == ["made", "lapsed"]


# ---------------------------------------------------------------- history


def test_every_version_is_in_the_journal_with_who_and_why(room: Room) -> None:
    for amount in (300_000, 350_000, 400_000):
        make(room, **{**SEED, "seed": amount})
    versions = []
    for event in room.events:
        for kind, id_, entity in __import__("json").loads(event.body).get("put", []):
            if (kind, id_) == ("link", "L1"):
                versions.append((entity["version"], entity["levels"]["main"]["seed"]))
    assert versions[-3:] == [(2, 300_000), (3, 350_000), (4, 400_000)]
    signed = [paper.fields for paper in room.floor.papers.values() if paper.register == "link-parameters"]
    assert [(each["proposed_by"], each["approved_by"], each["version"]) for each in signed] == [
        (SUPERVISOR, EXECUTIVE, version) for version in (2, 3, 4)
    ]


def test_a_repeated_proposal_is_another_one(room: Room) -> None:
    first, second = propose(room, **SEED), propose(room, **SEED)
    assert first["proposal"] != second["proposal"]
    assert canonical(first["what"]) == canonical(second["what"])
    assert first["content_hash"] != second["content_hash"]


def test_the_other_dealer_s_table_plays_on_while_a_change_waits(room: Room) -> None:
    start(room, "T1")
    approve(room, propose(room, **SEED))
    end(room, start(room, "T2"))
    assert room.table("T2").dealer == OTHER_DEALER
    assert seed(room) == 250_000
