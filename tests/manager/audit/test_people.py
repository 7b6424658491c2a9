"""Every event tells who took part in it: who paid, whose badge approved, who was the second person."""

from __future__ import annotations

from pathlib import Path

import pytest

from houseway.cli.audit_output import story_json
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Person
from houseway.manager.store.event_body import Body
from houseway.manager.store.event_entries import EventEntry
from houseway.manager.store.event_search import EventQuery, find_events
from houseway.manager.store.people import BadgeHolders, PersonPart, parts_of, reference_of
from houseway.manager.store.reading import open_view
from houseway.manager.store.round_stories import round_story
from tests.manager.audit.play import Played
from tests.manager.floors import ACCOUNTING, DEALER, EXECUTIVE, SUPERVISOR


def found(played: Played, query: EventQuery, *archives: Path) -> list[EventEntry]:
    with open_view(played.url) as view:
        return find_events(view, query, archives)


@pytest.mark.parametrize("is_old", [False, True])
def test_the_story_of_a_round_says_who_paid(played: Played, is_old: bool) -> None:
    round_id = played.old_rounds[1] if is_old else played.rounds[1]
    with open_view(played.url) as view:
        story = round_story(view, round_id, [played.archive] if is_old else [])
    told = story_json(round_id, story, None)
    pays = [event for event in told["events"] if event["kind"] == "jackpot.pay"]
    assert pays
    for event in pays:
        assert event["actor"] == DEALER
        assert event["people"] == [{"as": "paid_by", "person": EXECUTIVE}]
    assert {award["paid_by"] for award in told["awards"] if award["status"] == "paid"} == {EXECUTIVE}
    assert {award["paid_by"] for award in told["awards"] if award["status"] == "hit"} == {None}


def test_a_void_round_says_whose_card_allowed_it(played: Played) -> None:
    with open_view(played.url) as view:
        void = round_story(view, played.rounds[3])[-1]
    assert void.event.actor == DEALER
    assert {part.person for part in void.parts} == {SUPERVISOR}


def test_events_are_found_by_the_person_whose_card_took_part(played: Played) -> None:
    paid = found(played, EventQuery(kind="jackpot.pay", person=EXECUTIVE), played.archive)
    assert paid == found(played, EventQuery(kind="jackpot.pay"), played.archive)
    assert len(paid) > 4
    assert found(played, EventQuery(kind="jackpot.pay", actor=EXECUTIVE), played.archive) == []
    assert found(played, EventQuery(kind="jackpot.pay", person=ACCOUNTING), played.archive) == []
    voids = found(played, EventQuery(kind="round.void", person=SUPERVISOR), played.archive)
    assert len(voids) == 2
    opened = found(played, EventQuery(kind="table.open", person=SUPERVISOR), played.archive)
    assert {entry.event.actor for entry in opened} == {EXECUTIVE}


def test_a_person_is_found_wherever_he_took_part_and_a_limit_counts_only_those(played: Played) -> None:
    everything = found(played, EventQuery(limit=10_000), played.archive)
    named = [
        entry
        for entry in everything
        if entry.event.actor == SUPERVISOR or SUPERVISOR in {part.person for part in entry.parts}
    ]
    assert found(played, EventQuery(person=SUPERVISOR, limit=10_000), played.archive) == named
    for limit in (1, 3, len(named)):
        assert found(played, EventQuery(person=SUPERVISOR, limit=limit), played.archive) == named[:limit]


def test_a_badge_tells_who_held_it_then() -> None:
    holders = BadgeHolders()
    floor = Floor()
    floor.put("person", "S1", Person("S1", "Supervisor 1", "gaming", ("supervisor",), ("aa",)))
    holders.restored(10, floor)
    holders.follow(20, Body({}, put=[("person", "S1", {"badges": ["bb"]})]))
    holders.follow(30, Body({}, put=[("person", "S2", {"badges": ["aa"]})]))
    held = [holders.holder("aa", seq) for seq in (10, 11, 20, 21, 30, 31)]
    assert held == [None, "S1", "S1", None, None, "S2"]
    assert (holders.badges_of("S1"), holders.badges_of("S2")) == (["aa", "bb"], ["aa"])


def test_second_badges_proposals_and_refused_attempts_count() -> None:
    holders = BadgeHolders()
    holders.follow(1, Body({}, put=[("person", "A", {"badges": ["aa"]}), ("person", "B", {"badges": ["bb"]})]))
    both = Body({"kind": "x", "badge": "aa", "second_badge": "bb"})
    assert parts_of(2, both, holders) == (PersonPart("badge", "A"), PersonPart("second_badge", "B"))
    named = Body({"kind": "x", "badge": "aa"}, answer={"counted_by": ["C", "A"], "held": "yes"})
    assert parts_of(2, named, holders) == (PersonPart("counted_by", "C"), PersonPart("counted_by", "A"))
    change = Body({"kind": "round.end"}, put=[("proposal", "P1", {"by": "E1", "approved_by": "E2"})])
    assert parts_of(2, change, holders) == (PersonPart("proposed_by", "E1"), PersonPart("approved_by", "E2"))
    tried = Body({"kind": "system.refused", "actor": "D9", "device": "C-T1", "kind_of": "x", "faults": []})
    assert parts_of(2, tried, holders) == (PersonPart("tried_by", "D9"),)


def test_the_reference_that_was_used_is_told_whoever_named_it() -> None:
    paid = Body({"kind": "jackpot.pay", "reference": None}, answer={"paid_by": "S3", "reference": "camera 4, 12:31"})
    assert reference_of(paid) == "camera 4, 12:31"
    assert reference_of(Body({"kind": "round.decide", "reference": "film 3"})) == "film 3"
    assert reference_of(Body({"kind": "round.end"})) is None
