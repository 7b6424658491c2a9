"""Searches find what was played, in the live tables and in archives alike, and show nothing that is secret."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from sqlalchemy import select

from houseway.cli.app import main
from houseway.cli.audit_output import statement_json, story_json
from houseway.errors import InputError
from houseway.manager.commands.round_commands import ShowDealerWay, ShowPlayerWay, VoidRound
from houseway.manager.core.ledger import RULES
from houseway.manager.store import schema
from houseway.manager.store.account_statements import account_statement
from houseway.manager.store.deals import check_deal
from houseway.manager.store.event_entries import EventEntry
from houseway.manager.store.event_search import EventQuery, find_events
from houseway.manager.store.export import write_journal
from houseway.manager.store.reading import View, open_view
from houseway.manager.store.round_search import RoundQuery, _round_statement, find_rounds
from houseway.manager.store.round_stories import round_story
from tests.manager.audit.house import FELT, House
from tests.manager.audit.play import Played
from tests.manager.floors import DEALER, OTHER_DEALER, START, SUPERVISOR, badge
from tests.manager.store.stores import intruder

METER = "meter/L1/main"


def ids(played: Played, query: RoundQuery, *archives: Path) -> list[str]:
    with open_view(played.url) as view:
        return [round_["round"] for round_ in find_rounds(view, query, archives)]


def test_all_rounds_the_latest_first(played: Played) -> None:
    live = [played.rounds[place] for place in (5, 4, 3, 2, 1, 0)]
    assert ids(played, RoundQuery())[: len(live)] == live
    everything = ids(played, RoundQuery(), played.archive)
    assert everything == [*live, *(played.old_rounds[place] for place in (5, 4, 3, 2, 1, 0))]
    assert ids(played, RoundQuery(limit=2), played.archive) == live[:2]


def test_by_table_dealer_and_time(played: Played) -> None:
    every = ids(played, RoundQuery(), played.archive)
    felt = [round_id for round_id in every if round_id.startswith("T1-")]
    assert ids(played, RoundQuery(table="T1"), played.archive) == felt
    assert ids(played, RoundQuery(dealer=DEALER), played.archive) == felt
    assert ids(played, RoundQuery(dealer=OTHER_DEALER, table="T1"), played.archive) == []
    with open_view(played.url) as view:
        rounds = find_rounds(view, RoundQuery(), [played.archive])
    started = {round_["round"]: round_["started_at"] for round_ in rounds}
    moment = started[played.rounds[2]]
    assert ids(played, RoundQuery(since=moment)) == [each for each in every if started[each] >= moment]
    assert ids(played, RoundQuery(until=moment), played.archive) == [each for each in every if started[each] <= moment]


@pytest.mark.parametrize(
    ("query", "live", "old"),
    [
        (RoundQuery(hand="seven-card-straight-flush"), [1], [1]),
        (RoundQuery(hand="royal-flush-royal-match"), [1], [2]),
        (RoundQuery(hand="royal-flush-royal-match", seat=1), [], [2]),
        (RoundQuery(hand="straight-flush", seat=5), [], []),
        (RoundQuery(hand="seven-card-straight-flush", at_least=100_000), [], [1]),
        (RoundQuery(hand="seven-card-straight-flush", at_most=99_999), [1], []),
        (RoundQuery(wager="fortune"), [5, 4], [5, 4]),
    ],
)
def test_by_seat_hand_wager_and_amount(played: Played, query: RoundQuery, live: list[int], old: list[int]) -> None:
    every = [*(played.rounds[place] for place in live), *(played.old_rounds[place] for place in old)]
    assert ids(played, query, played.archive) == every
    # The last of the old rounds ended behind the stored state up to which events were archived.
    here = set(ids(played, RoundQuery()))
    assert ids(played, query) == [round_id for round_id in every if round_id in here]


@pytest.mark.parametrize(
    ("query", "index"),
    [
        (RoundQuery(hand="straight-flush"), "lines_by_hand"),
        (RoundQuery(at_least=50_000), "lines_by_amount"),
        (RoundQuery(since=5), "rounds_by_time"),
        (RoundQuery(hand="straight-flush"), "rounds_by_number"),
    ],
)
def test_an_index_leads_to_the_rounds(played: Played, query: RoundQuery, index: str) -> None:
    with intruder(played.url).connect() as connection:
        explain = "EXPLAIN QUERY PLAN"
        if connection.dialect.name == "postgresql":
            explain = "EXPLAIN"
            # A handful of rows is read faster without an index, whichever there are.
            connection.exec_driver_sql("SET enable_seqscan = off")
        statement = _round_statement(query).compile(dialect=connection.dialect, compile_kwargs={"literal_binds": True})
        plan = [row[-1] for row in connection.exec_driver_sql(f"{explain} {statement}")]
    assert any(index in step for step in plan), plan


def test_a_lost_wager_is_found_by_its_amount_too(played: Played) -> None:
    lost = ids(played, RoundQuery(at_least=0, at_most=0))
    assert lost
    assert lost == [each for each in ids(played, RoundQuery()) if each in set(lost)]
    assert set(ids(played, RoundQuery(at_least=1))) < set(ids(played, RoundQuery(at_least=0)))


def test_lost_wagers_are_found_though_they_have_no_rows_of_their_own(played: Played) -> None:
    with open_view(played.url) as view:
        every = find_rounds(view, RoundQuery())
        stored = view.rows(select(schema.lines))
    lost = [
        (round_["round"], line)
        for round_ in every
        for line in round_["lines"]
        if line["hand"] is None and not line["returned_cents"]
    ]
    assert lost
    assert not [row for row in stored if row[7] is None and not row[10]]
    for round_id, line in lost:
        query = RoundQuery(seat=line["seat"], wager=line["wager"], at_most=0)
        assert round_id in ids(played, query)
        # The limit counts rounds that fit, however many before them do not.
        assert ids(played, replace(query, limit=1)) == ids(played, query)[:1]


@pytest.mark.parametrize("name", ["T1", "T1-", "T1-one", "T1-99999999999999999999999", "-1", "T1-0"])
def test_what_is_no_id_of_a_round_is_no_round(played: Played, name: str) -> None:
    with open_view(played.url) as view, pytest.raises(InputError, match="there is no round"):
        round_story(view, name)


def test_by_award(played: Played) -> None:
    assert ids(played, RoundQuery(award=f"{played.rounds[1]}/2")) == [played.rounds[1]]
    assert ids(played, RoundQuery(award=f"{played.old_rounds[2]}/1"), played.archive) == [played.old_rounds[2]]
    assert ids(played, RoundQuery(award="no such award"), played.archive) == []


def test_live_and_archived_rounds_have_one_form(played: Played) -> None:
    with open_view(played.url) as view:
        live, old = (
            find_rounds(view, RoundQuery(hand=hand, at_most=10_000), [played.archive])[0]
            for hand in ("straight-flush", "straight-flush")
        )
        archived = find_rounds(view, RoundQuery(until=START + 3_600_000_000), [played.archive])[0]
    assert live == old
    assert live.keys() == archived.keys()
    assert live["lines"][0].keys() == archived["lines"][0].keys()


# What a search reads

SEARCHES = [
    ["rounds", "--table", "t1", "--dealer", DEALER, "--award", "t1-99/1"],
    ["rounds", "--table", "T9", "--dealer", "nobody"],
    ["events", "--actor", DEALER, "--person", SUPERVISOR, "--device", "c-t9"],
    ["events", "--kind", "round.begin", "--actor", "nobody"],
]


@pytest.mark.parametrize("search", SEARCHES, ids=" ".join)
def test_a_search_reads_the_newest_state_once(
    played: Played, search: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    read: list[int] = []
    whole = View.state_at
    monkeypatch.setattr(View, "state_at", lambda view, seq: (read.append(seq), whole(view, seq))[1])
    assert main(["audit", *search, "--database", played.url, "--json"]) == 0
    assert len(read) == 1
    assert "notes" in json.loads(capsys.readouterr().out)


# One round


def story(played: Played, round_id: str, *archives: Path) -> list[EventEntry]:
    with open_view(played.url) as view:
        return round_story(view, round_id, archives)


def test_the_story_of_a_round_with_awards(played: Played) -> None:
    told = story_json(played.rounds[1], story(played, played.rounds[1]), None)
    kinds = [event["kind"] for event in told["events"]]
    assert kinds == ["round.start", *["hand.press"] * 3, "jackpot.hit", *["jackpot.pay"] * 3, "round.end"]
    assert {event["actor"] for event in told["events"]} == {DEALER}
    assert [award["status"] for award in told["awards"]] == ["hit"] * 3 + ["paid"] * 3
    paid = sum(award["cents"] for award in told["awards"] if award["status"] == "paid")
    assert paid == sum(line["returned_cents"] for line in told["lines"]) == told["end"]["returned_cents"]
    assert all(transfer["micros"] > 0 for event in told["events"] for transfer in event["transfers"])


def test_the_story_of_a_rejected_award_and_of_a_void_round(played: Played) -> None:
    rejected = story(played, played.rounds[2])
    assert [entry.event.kind for entry in rejected][-2:] == ["jackpot.reject", "round.end"]
    assert rejected[-2].event.actor == SUPERVISOR
    void = story(played, played.rounds[3])
    assert [entry.event.kind for entry in void] == ["round.start", "round.void"]


def test_the_story_of_an_archived_round(played: Played) -> None:
    kinds = [entry.event.kind for entry in story(played, played.old_rounds[1], played.archive)]
    assert kinds == ["round.start", "hand.press", "jackpot.hit", "jackpot.pay", "round.end"]
    with pytest.raises(InputError, match="older ones lie in archives"):
        story(played, played.old_rounds[1])


def test_stories_do_not_mix(played: Played) -> None:
    every = [*played.rounds, played.open_round, *played.old_rounds]
    seqs = [{entry.event.seq for entry in story(played, round_id, played.archive)} for round_id in every]
    for one, other in pairwise(sorted(seqs, key=min)):
        assert not one & other


def test_a_revealed_deal_is_dealt_again(played: Played) -> None:
    for round_id in (played.rounds[4], played.rounds[5], played.old_rounds[4]):
        check = check_deal(story(played, round_id, played.archive))
        assert check is not None
        assert (check.is_revealed, check.differences) == (True, [])
    assert check_deal(story(played, played.rounds[0])) is None


def test_an_altered_reveal_shows_in_the_replay(played: Played) -> None:
    entries = story(played, played.rounds[4])
    reveal = next(entry.body.answer["reveal"] for entry in entries if "reveal" in entry.body.answer)
    reveal["seats"][0]["cards"][0], reveal["dealer"][0] = reveal["dealer"][0], reveal["seats"][0]["cards"][0]
    check = check_deal(entries)
    assert check is not None
    assert {fault.code for fault in check.differences} == {"deal-differs"}
    reveal["seed"] = "00" * 31 + "11"
    check = check_deal(entries)
    assert check is not None
    assert {fault.code for fault in check.differences} == {"seed-mismatch"}


def test_the_cards_typed_for_the_display_are_shown_and_badges_are_not(tmp_path: Path) -> None:
    house = House(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "keys")
    house.set_up()
    round_id = house.start(FELT, (2,))
    player, dealer = "Ks Kd Kh 3c 3d 8d 2s".split(), "As Qd Jh 9c 7d 2d 4h".split()
    house.do(DEALER, ShowPlayerWay(round_id, 2, player))
    house.do(DEALER, ShowDealerWay(round_id, dealer))
    house.do(DEALER, VoidRound(round_id, badge(SUPERVISOR), "cards on the floor"))
    house.close()
    with open_view(house.url) as view:
        story = {entry.event.kind: entry.to_json()["do"] for entry in round_story(view, round_id)}
        events = {entry.event.kind: entry.to_json()["do"] for entry in find_events(view, EventQuery(kind="display."))}
    for shown in (story, events):
        assert shown["display.player"]["cards"] == player
        assert shown["display.dealer"]["cards"] == dealer
    assert "badge" not in story["round.void"]


def test_an_open_deal_shows_neither_seed_nor_cards(played: Played) -> None:
    """Everything that searches and exports say during the round, against the seed that the spy knows."""
    entries = story(played, played.open_round)
    check = check_deal(entries)
    assert check is not None
    assert (check.is_revealed, check.to_json()["matches"]) == (False, None)
    assert played.trust.unseal is not None
    with open_view(played.url) as view:
        from sqlalchemy import select

        from houseway.manager.store import schema

        sealed = view.rows(select(schema.secrets))
        seeds = [played.trust.unseal(name, number, said, bytes(blob)).hex() for name, _, number, said, blob in sealed]
        said = json.dumps(
            [
                story_json(played.open_round, entries, check),
                [entry.to_json() for entry in find_events(view, EventQuery(limit=1000), [played.archive])],
                statement_json(account_statement(view, METER)),
                find_rounds(view, RoundQuery(), [played.archive]),
            ]
        )
    assert len(seeds) == 2
    assert [seed for seed in seeds if seed in said] == []
    assert "cards" not in json.dumps(story_json(played.open_round, entries, check))


def test_an_export_holds_no_seed_of_an_open_deal(played: Played, tmp_path: Path) -> None:
    from sqlalchemy import select

    from houseway.manager.store import schema

    assert played.trust.unseal is not None
    with open_view(played.url) as view:
        write_journal(view, tmp_path / "whole.jsonl", {}, view.bounds()[0])
        sealed = view.rows(select(schema.secrets))
        seeds = [played.trust.unseal(name, number, said, bytes(blob)) for name, _, number, said, blob in sealed]
    text = (tmp_path / "whole.jsonl").read_text()
    assert [seed for seed in seeds if seed.hex() in text] == []


# Accounts


def test_every_cent_of_a_meter_is_explained(played: Played) -> None:
    with open_view(played.url) as view:
        whole = account_statement(view, METER, archives=[played.archive])
        live = account_statement(view, METER)
        held = view.state_at(view.bounds()[1]).floor.balances[METER]
    assert (whole.opening, whole.closing) == (0, held)
    balance = 0
    for line in whole.lines:
        balance += line.micros
        assert balance == line.balance
        assert line.against != METER
        assert line.reason in RULES
        assert line.subject.startswith(f"{RULES[line.reason].subject}:")
        assert line.about
    assert live.closing == held
    assert whole.lines[-len(live.lines) :] == live.lines
    assert live.opening == whole.lines[-len(live.lines) - 1].balance


def test_a_statement_of_a_time(played: Played) -> None:
    with open_view(played.url) as view:
        whole = account_statement(view, METER, archives=[played.archive])
        third = whole.lines[-3]
        part = account_statement(view, METER, since=third.at, until=whole.lines[-2].at)
        assert part.lines == whole.lines[-3:-1]
        assert (part.opening, part.closing) == (whole.lines[-4].balance, whole.lines[-2].balance)
        early = account_statement(view, METER, since=START, until=START + 50_000_000, archives=[played.archive])
        assert early.lines == [line for line in whole.lines if line.at <= START + 50_000_000]
        none = account_statement(view, METER, since=whole.lines[-1].at + 1)
        assert (none.lines, none.opening, none.closing) == ([], whole.closing, whole.closing)
        cut = account_statement(view, METER, limit=2, archives=[played.archive])
        assert (cut.is_cut, len(cut.lines), cut.closing) == (True, 2, whole.lines[1].balance)


def test_accounts_that_do_not_move_or_are_none(played: Played) -> None:
    with open_view(played.url) as view:
        assert account_statement(view, "tray/T2").closing == 10_000_000_000
        for name in ("meter/L9/main", "purse/T1", "", "meter"):
            with pytest.raises(InputError) as caught:
                account_statement(view, name)
            assert {fault.code for fault in caught.value.faults} == {"unknown-account"}


# Events


def test_events_by_kind_actor_device_and_time(played: Played) -> None:
    with open_view(played.url) as view:

        def kinds(query: EventQuery, *archives: Path) -> list[str]:
            return [entry.event.kind for entry in find_events(view, query, archives)]

        assert kinds(EventQuery(kind="jackpot.reject")) == ["jackpot.reject"]
        awards = kinds(EventQuery(kind="jackpot."), played.archive)
        assert set(awards) == {"jackpot.hit", "jackpot.pay", "jackpot.reject"}
        assert kinds(EventQuery(kind="jackpot.", limit=3), played.archive) == awards[:3]
        assert set(kinds(EventQuery(actor=SUPERVISOR))) == {"jackpot.reject"}
        assert kinds(EventQuery(kind="system.archived")) == ["system.archived"]
        assert kinds(EventQuery(device="C1"), played.archive) == []
        old = find_events(view, EventQuery(until=START + 60_000_000, limit=5), [played.archive])
        assert [entry.event.seq for entry in old] == sorted((entry.event.seq for entry in old), reverse=True)
        assert all(entry.event.at <= START + 60_000_000 for entry in old)
        every = find_events(view, EventQuery(limit=10_000), [played.archive])
        assert [entry.event.seq for entry in every] == list(range(view.bounds()[1], 0, -1))


def test_no_fingerprints_in_what_is_shown(played: Played) -> None:
    with open_view(played.url) as view:
        found = find_events(view, EventQuery(limit=10_000), [played.archive])
    assert "badge of" not in json.dumps([entry.to_json() for entry in found])
