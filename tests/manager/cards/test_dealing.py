"""Deals: commitment before the bets, the same cards after any interruption, everything revealed at the end."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from houseway.cards.card import CARD_TEXTS
from houseway.cards.modes import shuffler_mode
from houseway.cards.shuffler import deal
from houseway.cards.stream import commitment
from houseway.games import game, settle_json
from houseway.manager.commands.round_commands import (
    DealRound,
    DecideRound,
    HoldRound,
    MisdealRound,
    SetHand,
    ShowDealerWay,
    StartRound,
    VoidRound,
)
from houseway.manager.core.engine import Engine
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import DatedValue, Paper, PropertySetting
from houseway.manager.core.records import canonical
from houseway.manager.handlers.cards import disclose_void, prepare_next
from tests.cli.runner import call
from tests.manager.cards.pit import GAMES, Pit

EVERY_GAME = pytest.mark.parametrize("game_id", GAMES)


def texts(cards: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(CARD_TEXTS[card] for card in cards)


@EVERY_GAME
def test_the_deal_is_that_of_the_seed_which_was_committed_to_before_the_bets(game_id: str) -> None:
    pit = Pit(game_id)
    published = pit.table.next_commitment
    pit.start(1, 4)
    answer = pit.deal("lucky 7", "é")
    record = pit.round.deal
    assert record is not None
    assert record.commitment == published == commitment(pit.draw.drawn[0]) == answer["commitment"]
    assert record.committed_at < pit.round.started_at
    assert pit.engine.secrets[pit.round.id] == pit.draw.drawn[0]
    mode = shuffler_mode(game(game_id).shuffler_mode)
    expected = deal(mode, pit.draw.drawn[0], seats=[1, 4], player_entropy=[b"lucky 7", "é".encode()])
    assert pit.cards == expected
    assert (record.mode, record.start_position, record.occupied) == (mode.id, expected.start_position, (1, 4))


def test_the_next_commitment_stands_as_soon_as_a_round_is_dealt() -> None:
    pit = Pit()
    pit.start(1)
    first = pit.table.next_commitment
    answer = pit.deal()
    assert pit.table.next_commitment == answer["next_commitment"] == commitment(pit.draw.drawn[1]) != first
    assert pit.engine.secrets["next:T1"] == pit.draw.drawn[1]
    pit.set(1)
    pit.show()
    pit.end()
    assert pit.table.next_commitment == answer["next_commitment"], "END GAME keeps what is not used yet"
    pit.start(2)
    assert pit.deal()["commitment"] == answer["next_commitment"]


def test_a_table_that_was_not_prepared_draws_at_the_deal_and_the_record_shows_it() -> None:
    pit = Pit(opened=False)
    pit.start(1)
    pit.deal()
    record = pit.round.deal
    assert record is not None
    assert record.committed_at > pit.round.started_at
    assert record.commitment == commitment(pit.draw.drawn[0])
    assert pit.table.next_commitment == commitment(pit.draw.drawn[1])


def test_seats_with_a_wager_of_any_kind_are_occupied() -> None:
    pit = Pit("six-card-poker")
    pit.start(2, 6, sensor=(6,), occupied=(3,))
    assert pit.deal()["occupied"] == [2, 3, 6]
    assert [packet.place for packet in pit.cards.packets] == [2, 3, 6, 0]


def test_a_round_is_dealt_once_and_only_where_the_system_deals() -> None:
    pit = Pit()
    assert pit.refused(DealRound("T1-1")) == ["no-such-round"]
    pit.start(1)
    pit.deal()
    assert pit.refused(DealRound(pit.round.id)) == ["already-dealt"]
    felt = Pit(cards="felt")
    felt.start(1)
    assert felt.refused(DealRound(felt.round.id)) == ["cards-on-felt"]
    shoe = Pit(deal_mode="shoe")
    shoe.start(1)
    assert shoe.refused(DealRound(shoe.round.id)) == ["cards-on-felt"]


def test_only_the_dealer_of_the_table_or_a_supervisor_deals() -> None:
    pit = Pit()
    pit.start(1)
    assert pit.refused(DealRound(pit.round.id), "D2") == ["not-the-dealer"]
    assert pit.refused(DealRound(pit.round.id), "V1") == ["wrong-role"]
    pit.do(DealRound(pit.round.id), "S1")


@pytest.mark.parametrize(
    ("wagers", "code"),
    [
        ({"1": {"fortune": 500}}, "missing-first-wager"),
        ({"1": {"main": 10_000_000}}, "over-limit"),
        ({"1": {"main": 1000, "bingo": 1}}, "unknown-wager"),
    ],
)
def test_a_round_that_could_not_be_settled_does_not_start(wagers: dict[str, dict[str, int]], code: str) -> None:
    pit = Pit(settings={"limits": {"any": {"max": 30_000}}})
    assert pit.refused(StartRound("T1", None, wagers)) == [code]


def test_a_round_without_players_is_not_dealt() -> None:
    pit = Pit()
    pit.do(StartRound("T1"))
    assert pit.refused(DealRound(pit.round.id)) == ["no-seats"]


@pytest.mark.parametrize("entropy", [[""], ["x" * 1025], ["x"] * 65])
def test_a_bad_contribution_is_refused(entropy: list[str]) -> None:
    pit = Pit()
    pit.start(1)
    assert pit.refused(DealRound(pit.round.id, entropy)) == ["bad-entropy"]


def test_a_broken_source_of_randomness_deals_nothing() -> None:
    pit = Pit(seeds=[bytes(32)], opened=False)
    pit.start(1)
    assert pit.refused(DealRound(pit.round.id)) == ["seed-stuck"]
    repeating = Pit(seeds=[b"\1\2" * 16, b"\1\2" * 16])
    repeating.start(1)
    assert repeating.refused(DealRound(repeating.round.id)) == ["seed-used"]
    stuck = Pit(opened=False, seeds=[bytes(32)])
    with pytest.raises(ValueError, match="random source has failed"):
        stuck.open_table()


@EVERY_GAME
def test_an_interrupted_round_goes_on_with_the_same_cards(game_id: str) -> None:
    pit = Pit(game_id)
    pit.start(1, 2, sensor=(2,))
    pit.deal("x")
    before = pit.cards
    state = msgspec.json.decode(msgspec.json.encode(pit.engine.floor.snapshot()))
    restarted = Engine(Floor.restored(state), pit.engine.seq, pit.engine.head)
    restarted.secrets = dict(pit.engine.secrets)
    pit.engine = restarted
    pit.draw.given = [bytes(32)]
    assert pit.cards == before
    pit.set(1, 2)
    pit.show()
    assert pit.round.shown["1"].cards == texts(before.players[1])
    assert pit.round.shown["dealer"].cards == texts(before.dealer)


def test_another_process_that_reads_the_journal_comes_to_the_same_state() -> None:
    pit = Pit()
    state = msgspec.json.decode(canonical(pit.engine.floor.snapshot()))
    other = Engine(Floor.restored(state), pit.engine.seq, pit.engine.head)
    pit.start(1, 2, sensor=(2,))
    pit.deal("x")
    pit.set(1)
    pit.show(2)
    pit.show()
    for event in pit.events:
        other.apply(event)
    assert canonical(other.floor.snapshot()) == canonical(pit.engine.floor.snapshot())


def test_a_lost_seed_stops_the_round_and_only_a_void_helps() -> None:
    pit = Pit()
    pit.start(1)
    pit.deal()
    del pit.engine.secrets[pit.round.id]
    pit.set(1)
    assert pit.refused(ShowDealerWay(pit.round.id)) == ["seed-lost"]
    published = pit.round.deal
    assert published is not None
    answer = pit.do(VoidRound(pit.round.id, "badge-S1", "seed lost"))
    assert answer["reveal"] == {"commitment": published.commitment, "seed": None}


def test_a_misdeal_reveals_the_deal_and_is_no_dealer_s_to_say_alone() -> None:
    pit = Pit()
    pit.do(StartRound("T1", sensors={}, occupied=[1]))
    pit.deal()
    round_, dealt = pit.round.id, texts(pit.cards.dealer)
    assert pit.refused(MisdealRound(round_, "shuffler-jam")) == ["badge-needed"]
    answer = pit.do(MisdealRound(round_, "shuffler-jam", badge="badge-S1"))
    assert tuple(answer["reveal"]["dealer"]) == dealt
    assert answer["reveal"]["seed"] == pit.draw.drawn[0].hex()
    assert round_ not in pit.engine.secrets


def test_a_foreign_seed_in_the_store_is_noticed() -> None:
    pit = Pit()
    pit.start(1)
    pit.deal()
    pit.engine.secrets[pit.round.id] = pit.engine.secrets["next:T1"]
    pit.set(1)
    assert pit.refused(ShowDealerWay(pit.round.id)) == ["seed-mismatch"]


@EVERY_GAME
def test_the_reveal_replays_and_settles_with_the_command_line(game_id: str, tmp_path: Path) -> None:
    pit = Pit(game_id)
    pit.start(1, 2, 5)
    pit.deal("lucky 7")
    pit.set(2, 5)
    if game_id == "six-card-poker":
        pit.set(1, fold=True)
    else:
        pit.show(1)
    pit.show()
    lines = pit.round.lines
    dealt = pit.cards
    answer = pit.end()
    file = tmp_path / "reveal.json"
    file.write_text(json.dumps(answer["reveal"]), encoding="utf-8")
    assert call("replay", str(file)).code == 0
    told = {
        (seat["seat"], line["wager"], line["outcome"], line["returned"], line["clause"])
        for seat in settle_json(answer["reveal"])["seats"]
        for line in seat["lines"]
    }
    kept = {(line["seat"], line["wager"], line["outcome"], line["returned_cents"], line["clause"]) for line in lines}
    assert told == kept
    assert answer["reveal"]["leftover"] == list(texts(dealt.leftover))
    file.write_text(json.dumps({**answer["reveal"], "player_entropy": ["lucky 8"]}), encoding="utf-8")
    assert call("replay", str(file)).code == 1, "another contribution would have dealt other cards"


def test_the_end_forgets_the_seed_and_keeps_it_on_record() -> None:
    pit = Pit()
    pit.start(1)
    pit.deal()
    seed = pit.engine.secrets[pit.round.id]
    pit.set(1)
    pit.show()
    pit.end()
    assert set(pit.engine.secrets) == {"next:T1"}
    ended = pit.round
    assert ended.phase == "ended"
    assert ended.deal is not None
    assert ended.deal.seed == seed.hex()


def test_a_void_discloses_the_deal_and_uses_up_its_commitment() -> None:
    pit = Pit()
    pit.start(1)
    used = pit.deal()["commitment"]
    dealt = pit.cards
    answer = pit.do(VoidRound(pit.round.id, "badge-S1", "a badge fell"))
    assert answer["reveal"]["commitment"] == used == commitment(bytes.fromhex(answer["reveal"]["seed"]))
    assert answer["reveal"]["dealer"] == list(texts(dealt.dealer))
    assert set(pit.engine.secrets) == {"next:T1"}
    assert pit.table.next_commitment != used


def test_a_void_before_the_deal_discloses_nothing_and_keeps_the_commitment() -> None:
    pit = Pit()
    published = pit.table.next_commitment
    pit.start(1)
    answer = pit.do(VoidRound(pit.round.id, "badge-S1", "wrong seat"))
    assert "reveal" not in answer
    assert pit.table.next_commitment == published
    assert pit.engine.secrets["next:T1"] == pit.draw.drawn[0]


def test_a_round_on_hold_keeps_its_cards_sealed_while_the_table_plays_on() -> None:
    pit = Pit()
    held = pit.start(1)
    pit.deal()
    dealt, seed = pit.cards, pit.engine.secrets[held]
    pit.do(HoldRound(held, "badge-S1", "dispute"))
    assert pit.refused(SetHand(held, 1, [5, 6])) == ["round-held"]
    pit.start(1)
    pit.deal()
    assert pit.cards.order != dealt.order
    pit.set(1)
    pit.show()
    pit.end()
    assert pit.engine.secrets[held] == seed
    pit.do(DecideRound(held, "badge-S1", "resume", "all seen", "CAM 12"), "E1")
    assert pit.cards == dealt
    pit.set(1)
    pit.show()
    assert pit.round.shown["1"].cards == texts(dealt.players[1])


def test_six_card_poker_turns_up_three_cards_of_the_dealer() -> None:
    pit = Pit("six-card-poker")
    pit.start(1)
    pit.deal()
    assert set(pit.round.shown) == {"dealer"}
    assert pit.round.shown["dealer"].cards == texts(pit.cards.dealer[:3])
    assert not pit.round.dealer_shown


def test_face_up_pai_gow_shows_the_dealers_hand_set_the_house_way_at_once() -> None:
    pit = Pit("face-up")
    pit.start(1)
    pit.deal()
    shown = pit.round.shown["dealer"]
    assert shown.cards == texts(pit.cards.dealer)
    assert sorted(shown.high + shown.low) == sorted(shown.cards)
    assert len(shown.low) == 2
    assert shown.rule
    assert not pit.round.dealer_shown
    pit.set(1)
    pit.show()
    assert pit.round.shown["dealer"] == shown


LETTER = {"games": ["Fortune Pai Gow Poker", "Fortune Pai Gow Poker Progressive"], "internal_controls": "IC-8"}
CONTROLS = {"reference": "IC-8", "approved_on": "2020-08-01"}


def test_a_table_that_deals_face_up_shows_the_players_hands_not_yet_set() -> None:
    pit = Pit(face_up=True)
    pit.engine.floor.put("paper", "F1", Paper("F1", "face-up-permission", pit.table.game, LETTER, 0, None, "E1"))
    pit.engine.floor.put("paper", "IC", Paper("IC", "internal-controls", "property", CONTROLS, 0, None, "E1"))
    pit.start(1, 3)
    pit.deal()
    assert set(pit.round.shown) == {"1", "3"}
    assert pit.round.shown["3"].cards == texts(pit.cards.players[3])
    assert pit.round.shown["3"].low == ()
    pit.set(1)
    pit.set(1, low=[0, 1])
    assert pit.refused(ShowDealerWay(pit.round.id)) == ["hands-not-set"]


def test_prepare_next_leaves_felt_tables_and_unused_commitments_alone() -> None:
    pit = Pit()
    decision = pit.decision_of("S1", StartRound("T1"))
    assert prepare_next(decision, pit.table) is pit.table
    felt = Pit(cards="felt")
    assert prepare_next(felt.decision_of("S1", StartRound("T1")), felt.table).next_commitment is None
    assert felt.engine.secrets == {}


def test_prepare_next_replaces_a_commitment_whose_seed_is_lost() -> None:
    pit = Pit()
    lost = pit.table.next_commitment
    pit.engine.secrets.clear()
    decision = pit.decision_of("S1", StartRound("T1"))
    again = prepare_next(decision, pit.table)
    assert again.next_commitment not in (None, lost)
    assert commitment(decision.secrets["next:T1"] or b"") == again.next_commitment


def test_a_void_of_a_round_that_was_not_dealt_changes_nothing() -> None:
    pit = Pit(cards="felt")
    pit.start(1)
    decision = pit.decision_of("S1", StartRound("T1"))
    assert disclose_void(decision, pit.round) is None
    assert decision.secrets == {}


# ---------------------------------------------------------------- positions and the machine's settings

CLOCKWISE = [1, 2, 3, 4, 5, 6, 0]


def number_positions(pit: Pit, numbering: list[int]) -> None:
    own = PropertySetting(
        "position_numbering", (DatedValue(0, numbering, "E1", "A1", "as the machine is set up here"),)
    )
    pit.engine.floor.put("setting", own.id, own)


@pytest.mark.parametrize("game", ["six-card-fortune", "fortune"])
def test_the_room_s_numbering_says_where_the_first_packet_goes(game: str) -> None:
    usual, other = Pit(game), Pit(game)
    number_positions(other, CLOCKWISE)
    for pit, numbering in ((usual, [0, 6, 5, 4, 3, 2, 1]), (other, CLOCKWISE)):
        pit.start(1, 4)
        answer = pit.deal()
        assert answer["numbering"] == numbering
        assert pit.cards.packets[0].place == numbering[answer["start_position"] - 1]
    assert usual.round.deal is not None
    assert other.round.deal is not None
    assert usual.round.deal.start_position == other.round.deal.start_position
    assert usual.cards.players != other.cards.players


def test_a_deal_keeps_the_numbering_it_was_dealt_by() -> None:
    pit = Pit("fortune")
    number_positions(pit, CLOCKWISE)
    pit.start(1, 4)
    pit.deal()
    hands = pit.cards.players
    number_positions(pit, [0, 6, 5, 4, 3, 2, 1])
    assert pit.cards.players == hands
    pit.set(1, 4)
    pit.show()
    reveal = pit.end()["reveal"]
    assert reveal["numbering"] == CLOCKWISE
    assert {seat["seat"]: tuple(seat["cards"]) for seat in reveal["seats"]} == {
        seat: texts(cards) for seat, cards in hands.items()
    }


@pytest.mark.parametrize(
    ("game", "name"),
    [("six-card-fortune", "6 Card Fortune Pai Gow"), ("six-card-poker", "Rabbit Hunter"), ("fortune", None)],
)
def test_a_deal_tells_the_machine_s_setting_as_the_sheet_names_it(game: str, name: str | None) -> None:
    pit = Pit(game)
    pit.start(1)
    answer = pit.deal()
    assert answer["machine_mode"] == name
    assert (answer["numbering"] is None) == (game == "six-card-poker")
