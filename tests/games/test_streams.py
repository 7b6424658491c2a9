"""Rounds read one after another, with what they share kept, come out as each would alone: money, text and faults."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from houseway.cards.card import CARD_TEXTS
from houseway.cli.jsonin import parse_json, stream_parser
from houseway.definitions import Commission, ContestRules, DealerPush, Look, Qualifier, defined_as, span_of
from houseway.errors import InputError
from houseway.games import Game, game, games, read_round, settle
from houseway.games.round_reader import RoundReader
from houseway.houseways import HouseWay, house_way
from houseway.houseways.evaluate import TableEvaluator
from houseway.paytables import PayTable, own_paytable
from tests.games.strategies import GAMES, impossible_rounds, rounds, tables_for
from tests.houseways.room_files import HANDS, broken_way

STUDY = Path(__file__).resolve().parents[2] / "docs" / "guides" / "STUDY-1.toml"
SOME = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.large_base_example])
STREAMS = st.lists(rounds() | impossible_rounds().map(lambda found: found[0]), min_size=1, max_size=8)


def alone(value: object, way: HouseWay | None = None, table: PayTable | None = None) -> str:
    """The text of a round that nothing was kept for, made by the encoder; or its faults."""
    try:
        return json.dumps(settle(read_round(value, way, table), TableEvaluator()).to_json())
    except InputError as error:
        return json.dumps(error.to_json())


def in_a_stream(values: list[Any], reader: RoundReader) -> list[str]:
    """The texts of rounds that one reader reads."""
    texts = []
    for value in values:
        try:
            texts.append(settle(reader.read(value)).text)
        except InputError as error:
            texts.append(json.dumps(error.to_json()))
    return texts


def in_blocks(values: list[Any], reader: RoundReader, block: int = 64) -> list[str]:
    """The texts of rounds that are settled in blocks, from their texts."""
    pytest.importorskip("numba")
    from houseway.games.streams import StreamSettler
    from houseway.houseways.evaluate import KernelEvaluator

    settler = StreamSettler(reader, stream_parser(), KernelEvaluator())
    datas = [value if isinstance(value, bytes) else json.dumps(value).encode() for value in values]
    results = [result for at in range(0, len(datas), block) for result in settler.settle(datas[at : at + block])]
    return [json.dumps(result.to_json()) if isinstance(result, InputError) else result for result in results]


@given(STREAMS)
@SOME
def test_a_stream_is_its_rounds_alone(values: list[dict[str, Any]]) -> None:
    # Each comes again after the others, when the most is kept.
    twice = [*values, *copy.deepcopy(values)]
    assert in_a_stream(twice, RoundReader()) == [alone(value) for value in twice]


@pytest.mark.kernels
@given(STREAMS)
@SOME
def test_rounds_in_blocks_are_those_alone(values: list[dict[str, Any]]) -> None:
    # Each comes again after the others, when the most is kept, and a third time when its lines are.
    assert in_blocks(3 * values, RoundReader(), len(values)) == 3 * [alone(value) for value in values]


def many_rounds(count: int, seed: int) -> list[dict[str, Any]]:
    """Rounds of all games as a room would play them: few stakes and settings, again and again; some are faulty."""
    rng = random.Random(seed)
    return [_one_round(rng.choice(GAMES), rng) for _ in range(count)]


def _one_round(played: Game, rng: random.Random) -> dict[str, Any]:
    deck = [*range(played.deck)]
    rng.shuffle(deck)
    # Some decks are stacked, so that rounds are full of great hands: jackpots are hit, and envy is paid.
    stacked = rng.random()
    if stacked < 0.1:
        deck.sort(key=lambda card: (card % 4, card // 4))
    elif stacked < 0.2:
        deck.sort(key=lambda card: card // 4)
    hands = [[CARD_TEXTS[card] for card in deck[at : at + played.cards]] for at in range(0, 49, played.cards)]
    named = {
        wager.name: rng.choice(tables_for(played, wager.name, wager.kind)[:2]).id
        for wager in played.wagers
        if wager.needs_table
    }
    round_: dict[str, Any] = {"game": played.id, "paytables": named, "dealer": hands[0], "meters": {}, "seeds": {}}
    for name in ("progressive", "progressive2"):
        if name in named:
            levels = next(table for table in tables_for(played, name, "jackpot") if table.id == named[name]).levels
            key = f"{named[name]}#2" if name == "progressive2" and named[name] == named["progressive"] else named[name]
            round_["meters"][key] = {level: rng.choice([5_000_000, rng.randrange(10**8)]) for level in levels}
            round_["seeds"][key] = dict.fromkeys(levels, 1_000_000)
    if rng.random() < 0.3:
        round_["settings"] = {"allow_unapproved": rng.choice([True, False, 1])}
    seats = []
    for number in range(1, rng.randrange(2, min(played.max_seats, len(hands) - 1) + 2)):
        wagers: dict[str, Any] = {}
        fold = played.offers_fold and rng.random() < 0.3
        for wager in played.wagers:
            if wager.kind == "raise":
                if not fold and (played.offers_fold or rng.random() < 0.5):
                    wagers[wager.name] = wagers[played.first_wager.name]
            elif wager is played.first_wager or rng.random() < 0.7:
                wagers[wager.name] = rng.choice([500, 2500])
        seat = {"seat": number, "cards": hands[number], "low": None, "wagers": wagers}
        if played.low_cards and rng.random() < 0.2:
            seat["low"] = rng.sample(hands[number], played.low_cards)
        seats.append({**seat, "fold": fold} if played.offers_fold else seat)
    round_["seats"] = seats
    if played.offers_banker and rng.random() < 0.2:
        round_["banker"] = rng.choice([1, 1, True, 9])
    _spoil(round_, rng)
    return round_


def _spoil(round_: dict[str, Any], rng: random.Random) -> None:
    """Put a fault into some rounds, among them values that are equal to sound ones and are not the same."""
    seat = rng.choice(round_["seats"])
    first = next(iter(seat["wagers"]))
    match rng.randrange(20):
        case 0:
            seat["wagers"][first] = rng.choice([True, 500.0, 0, "500", None])
        case 1:
            seat["cards"][0] = rng.choice([round_["dealer"][0], "Xx", 7, None, ["As"]])
        case 2:
            seat["seat"] = rng.choice([True, 1.0, 0, 99, "1"])
        case 3:
            round_["meters"] = rng.choice([{"FPGPP-WA01": {"main": True}}, {"FPGPP-WA01": {"main": 1.0}}, [], 5])
        case 4:
            round_["paytables"] = {"fortune": rng.choice(["FPGP-9", 3, "6CFPGP-1"])}
        case 5:
            seat[rng.choice(["sit", "wager"])] = 1


@pytest.mark.parametrize("seed", [1, 2])
def test_thousands_of_rounds_of_all_games_are_those_alone(seed: int) -> None:
    values = many_rounds(700, seed)
    expected = [alone(value) for value in values]
    assert in_a_stream(values, RoundReader()) == expected
    assert 30 < sum('"error"' in text for text in expected) < 600


@pytest.mark.kernels
def test_thousands_of_rounds_in_blocks_are_those_alone() -> None:
    values = many_rounds(1_500, 3)
    assert in_blocks(values, RoundReader()) == [alone(value) for value in values]


@pytest.mark.kernels
def test_a_way_and_a_table_of_ones_own() -> None:
    way, table = house_way("sixes-together"), own_paytable(STUDY)
    values = many_rounds(300, 4)
    expected = [alone(value, way, table) for value in values]
    assert in_a_stream(values, RoundReader(way, table)) == expected
    assert in_blocks(values, RoundReader(way, table)) == expected


def test_another_definition_takes_the_place_of_what_was_kept() -> None:
    """One reader through a change of the rules: what it kept of the game before is not what holds now."""
    played = game("fortune")
    dearer = replace(played, commission=Commission(20))
    values = [value for value in many_rounds(300, 5) if value["game"] == "fortune"]
    reader = RoundReader()
    before = in_a_stream(values, reader)
    with defined_as(dearer):
        during = in_a_stream(values, reader)
        assert during == [alone(value) for value in values]
    assert during != before
    assert in_a_stream(values, reader) == before


@pytest.mark.kernels
def test_what_is_kept_stays_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    from houseway.games import stream_terms, streams, terms

    for module in (terms, stream_terms):
        monkeypatch.setattr(module, "_MOST_KEPT", 10)
        monkeypatch.setattr(module, "_MOST_LEVELS", 2)
    for module in (terms, streams):
        monkeypatch.setattr(module, "_MOST_TERMS", 2)
    values = many_rounds(200, 6)
    reader = RoundReader()
    expected = [alone(value) for value in values]
    assert in_a_stream(values, reader) == expected
    assert len(reader._kept._by_key) <= 2
    assert in_blocks(values, reader) == expected


@pytest.mark.kernels
def test_another_definition_takes_the_place_of_what_a_stream_has_kept() -> None:
    from houseway.games.streams import StreamSettler
    from houseway.houseways.evaluate import KernelEvaluator

    settler = StreamSettler(RoundReader(), stream_parser(), KernelEvaluator())
    datas = [json.dumps(value).encode() for value in table_rounds(60, 7)]
    before = settler.settle(datas)
    with defined_as(replace(game("fortune"), commission=Commission(20))):
        during = settler.settle(datas)
        assert during == [alone(json.loads(data)) for data in datas]
    assert during != before
    assert settler.settle(datas) == before


def table_rounds(count: int, seed: int) -> list[dict[str, Any]]:
    """The rounds of one table, all with the same wagers."""
    rng = random.Random(seed)
    rounds_ = []
    for _ in range(count):
        deck = rng.sample(CARD_TEXTS, len(CARD_TEXTS))
        seats = [
            {
                "seat": seat,
                "cards": deck[7 * seat : 7 * seat + 7],
                "low": None,
                "wagers": {"main": 2500, "fortune": 500, "paigowd": 500, "progressive": 100},
            }
            for seat in range(1, 7)
        ]
        rounds_.append(
            {
                "game": "fortune",
                "paytables": {"fortune": "FPGP-3", "paigowd": "PGD-01", "progressive": "FPGPP-WA01"},
                "meters": {"FPGPP-WA01": {"main": rng.randrange(10**8)}},
                "seeds": {"FPGPP-WA01": {"main": 1_000_000}},
                "dealer": deck[:7],
                "seats": seats,
            }
        )
    return rounds_


@pytest.mark.kernels
def test_most_rounds_are_put_together_from_lines_that_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    from houseway.games import streams

    settled = []
    monkeypatch.setattr(streams, "settle", lambda round_, *others: settled.append(round_) or settle(round_, *others))
    values = table_rounds(600, 8)
    assert in_blocks(values, RoundReader()) == [alone(value) for value in values]
    assert 20 < len(settled) < 200


@pytest.mark.kernels
@pytest.mark.parametrize(
    "change",
    [
        lambda rules: replace(rules, tie="push", parts=("best", "low"), dealer_push=None),
        lambda rules: replace(rules, dealer_push=DealerPush("high", span_of("pair"), "base/pai-gow/push")),
        lambda rules: replace(rules, parts=("low",), qualifier=Qualifier("best", span_of("pair or better"))),
    ],
)
@pytest.mark.parametrize("own", [{"hands": span_of("pair or better")}, {"beaten_by": "high", "tie": "push"}])
def test_a_stream_follows_every_definition(change: Callable[[ContestRules], ContestRules], own: dict[str, Any]) -> None:
    """The numbers that decide lines come from the definition, whatever it says."""
    played = game("fortune")
    looks = [
        None,
        Look("player-best", **own),
        Look("dealer-low", hands=span_of("less than a pair", 2)),
        *[Look("losing-hand")] * 9,
    ]
    wagers = tuple(
        wager if wager.look is None or wager.kind != "bonus" else replace(wager, look=looks[place])
        for place, wager in enumerate(played.wagers)
    )
    with defined_as(replace(played, contest=change(played.contest), wagers=wagers)):
        values = table_rounds(150, 9)
        assert in_blocks(values, RoundReader()) == [alone(value) for value in values]


@pytest.mark.kernels
@pytest.mark.parametrize("slip", HANDS)
def test_a_hand_that_a_way_cannot_set_is_refused_in_its_place(slip: str, tmp_path: Path) -> None:
    way = broken_way(slip, tmp_path)
    values = table_rounds(60, 11)
    for value in values[::7]:
        cards = HANDS[slip].split()
        others = [card for card in deck_of(value) if card not in cards]
        value["dealer"] = cards
        for place, seat in enumerate(value["seats"]):
            seat["cards"] = others[7 * place : 7 * place + 7]
    expected = [alone(value, way) for value in values]
    assert in_blocks(values, RoundReader(way), 20) == expected
    assert 9 <= sum('"error"' in text for text in expected) < 60


def deck_of(value: dict[str, Any]) -> list[str]:
    """A deck in the order of a round's hands."""
    dealt = [*value["dealer"], *[card for seat in value["seats"] for card in seat["cards"]]]
    return [*dealt, *[card for card in CARD_TEXTS if card not in dealt]]


@pytest.mark.kernels
def test_cards_that_no_deck_holds_are_refused_among_rounds_whose_lines_are_known() -> None:
    rng = random.Random(12)
    sound = table_rounds(250, 12)
    spoiled = copy.deepcopy(sound)
    for value in spoiled:
        one, other = rng.sample([value["dealer"], *[seat["cards"] for seat in value["seats"]]], 2)
        one[rng.randrange(7)] = rng.choice([card for card in other if card not in one])
    values = [*sound, *spoiled]
    expected = [alone(value) for value in values]
    assert in_blocks(values, RoundReader()) == expected
    assert all('"error"' in text for text in expected[250:])
    # The same rounds in a game without the joker.
    with defined_as(replace(game("fortune"), deck=52)):
        expected = [alone(value) for value in sound]
        assert in_blocks(sound, RoundReader()) == expected
    assert 100 < sum("joker-not-used" in text for text in expected) < 250


def alone_from_text(data: bytes) -> str:
    """The text of a round that is read from its text by itself, or its faults."""
    try:
        return alone(parse_json(data))
    except InputError as error:
        return json.dumps(error.to_json())


PIECES = [
    '"', "\\", ":", ",", "{", "}", "[", "]", "0", "-0", "1.0", "1e2", "null", "true", "false", " ", "\t", "\r", "\n",
    "\x00", "é", "\\u0041", "As", "jk", "Jk", "ks", '"Ks"', ', "fold": false', ', "low": null', ', "low": ["As", "Kd"]',
    '"seat": 1, ', '"game": "fortune", ', '"way": null, ', '"settings": {}, ', '"meters": {}, ', '"banker": 1, ',
    '"wagers": {"main": 500}, ', '"main": 500, ', '"leftover": [], ', '"dealer_stake": 0, ', "9" * 30,
]  # fmt: skip


@pytest.mark.kernels
def test_texts_that_are_almost_a_known_round_are_read_as_they_are() -> None:
    rng = random.Random(10)
    known = [json.dumps(value) for value in table_rounds(20, 10)]
    texts = [text.encode() for text in known]
    for _ in range(1_200):
        text = rng.choice(known)
        if rng.random() < 0.3:
            text = json.dumps(json.loads(text), separators=(",", ":"))
        for _ in range(rng.choice([0, 1, 1, 2])):
            piece = rng.choice(PIECES)
            # Where the piece would make another member, as often as anywhere.
            places = (
                [at for at, letter in enumerate(text) if letter in "{[,:"] if rng.random() < 0.6 else range(len(text))
            )
            at = rng.choice(places) + 1
            text = text[:at] + piece + text[at + rng.choice([0, 0, 0, 1, len(piece)]) :]
        texts.append(text.encode())
    expected = [alone_from_text(data) for data in texts]
    assert in_blocks(texts, RoundReader()) == expected
    assert 300 < sum('"error"' in text for text in expected) < 1_000


def test_the_games_are_all_there() -> None:
    assert {value["game"] for value in many_rounds(100, 1)} == {played.id for played in games()}
