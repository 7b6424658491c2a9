from __future__ import annotations

import hashlib
import json

import pytest

from houseway.cards.card import CARD_TEXTS
from houseway.games import games
from tests.cli.runner import call

SEED = "00112233445566778899aabbccddeeff" * 2
GAMES = [game.id for game in games()]


@pytest.mark.parametrize("game", games(), ids=GAMES)
def test_a_deal_with_wagers_is_an_input_for_settle(game: object) -> None:
    from houseway.games import Game

    assert isinstance(game, Game)
    dealt = call("deal", game.id, "--seats", "2,4", "--json").json
    for seat in dealt["seats"]:
        seat["wagers"] = {wager.name: 500 for wager in game.wagers if wager.kind in ("main", "raise")}
    run = call("settle", "-", "--json", stdin=json.dumps(dealt).encode())
    assert run.code == 0
    assert [seat["seat"] for seat in run.json["seats"]] == [2, 4]


@pytest.mark.parametrize("game", GAMES)
def test_every_card_of_the_deck_is_accounted_for(game: str) -> None:
    dealt = call("deal", game, "--seats", "1,6", "--seed", SEED, "--json").json
    hands = [dealt["dealer"], dealt["leftover"], *(seat["cards"] for seat in dealt["seats"] + dealt["unoccupied"])]
    deck = CARD_TEXTS[:52] if game == "six-card-poker" else CARD_TEXTS
    assert sorted(card for hand in hands for card in hand) == sorted(deck)


def test_the_seed_deals_the_same_round_again_and_fits_its_commitment() -> None:
    first = call("deal", "fortune", "--json").json
    assert len(first["seed"]) == 64
    assert first["commitment"] == hashlib.sha256(bytes.fromhex(first["seed"])).hexdigest()
    assert call("deal", "fortune", "--seed", first["seed"], "--json").json == first
    assert call("deal", "fortune", "--json").json["seed"] != first["seed"]


def test_what_the_players_see_before_they_decide() -> None:
    poker = call("deal", "six-card-poker", "--seats", "1", "--seed", SEED, "--json").json
    assert len(poker["up"]) == 3
    assert set(poker["up"]) <= set(poker["dealer"])
    assert poker["start_position"] is None
    face_up = call("deal", "face-up", "--seed", SEED, "--json").json
    assert face_up["up"] == face_up["dealer"]
    fortune = call("deal", "fortune", "--seed", SEED, "--json").json
    assert fortune["up"] is None
    assert 1 <= fortune["start_position"] <= 7


@pytest.mark.parametrize(
    ("game", "asked", "mode", "machine_mode"),
    [
        ("six-card-fortune", None, "six-card-packets", "6 Card Fortune Pai Gow"),
        ("six-card-fortune", "6 card fortune pai gow", "six-card-packets", "6 Card Fortune Pai Gow"),
        ("six-card-poker", None, "six-card-poker", "Rabbit Hunter"),
        ("six-card-poker", "Six Card Poker", "six-card-poker", "Six Card Poker"),
        ("six-card-poker", "shoe-six-card-poker", "shoe-six-card-poker", None),
        ("fortune", None, "seven-card-packets", None),
    ],
)
def test_the_machine_is_set_to_what_the_sheet_says(
    game: str, asked: str | None, mode: str, machine_mode: str | None
) -> None:
    words = ("deal", game, "--seed", SEED, *(() if asked is None else ("--mode", asked)))
    dealt = call(*words, "--json").json
    assert (dealt["mode"], dealt["machine_mode"]) == (mode, machine_mode)
    assert (f"set to {machine_mode}" in call(*words).out) == (machine_mode is not None)
    usual = call("deal", game, "--seed", SEED, "--json").json
    assert (dealt["dealer"] == usual["dealer"]) == (mode == usual["mode"]), "the name of a setting deals the same cards"
    assert call("replay", "-", stdin=json.dumps(dealt).encode()).code == 0


def test_a_room_numbers_its_positions_in_its_own_way() -> None:
    """The machine draws the same number; the room's numbering says which seat that is."""
    usual = call("deal", "fortune", "--seed", SEED, "--json").json
    numbering = [1, 2, 3, 4, 5, 6, 0]
    own = call("deal", "fortune", "--seed", SEED, "--numbering", ",".join(map(str, numbering)), "--json").json
    assert (usual["numbering"], own["numbering"]) == ([0, 6, 5, 4, 3, 2, 1], numbering)
    assert own["start_position"] == usual["start_position"]
    hands = [{0: dealt["dealer"], **{seat["seat"]: seat["cards"] for seat in dealt["seats"]}} for dealt in (usual, own)]
    start = own["start_position"] - 1
    assert hands[1][numbering[start]] == hands[0][usual["numbering"][start]], "the first packet goes to that number"
    shown = call("deal", "fortune", "--seed", SEED, "--numbering", "1 2 3 4 5 6 0").out
    assert f"position {start + 1} (seat {numbering[start]})" in shown or f"position {start + 1} (the dealer)" in shown
    assert call("replay", "-", stdin=json.dumps(own).encode()).code == 0
    assert call("replay", "-", stdin=json.dumps(own | {"numbering": None}).encode()).code == 1
    settled = own | {"seats": [seat | {"wagers": {"main": 500}} for seat in own["seats"]]}
    assert call("settle", "-", stdin=json.dumps(settled).encode()).code == 0


def test_a_shoe_starts_where_the_house_says() -> None:
    words = ("deal", "fortune", "--seed", SEED, "--mode", "shoe-seven-card-packets")
    assert call(*words, "--json").faults == [("bad-start", "start_position")]
    dealt = call(*words, "--start", "3", "--json").json
    assert dealt["start_position"] == 3
    assert call("replay", "-", stdin=json.dumps(dealt).encode()).code == 0
    moved = call("replay", "-", "--json", stdin=json.dumps(dealt | {"start_position": 4}).encode())
    assert not moved.json["matches"]


def test_all_seats_are_dealt_to_by_default() -> None:
    assert [seat["seat"] for seat in call("deal", "six-card-poker", "--json").json["seats"]] == [1, 2, 3, 4, 5, 6, 7]


def test_players_entropy_changes_the_deal_and_is_recorded() -> None:
    plain = call("deal", "fortune", "--seed", SEED, "--json").json
    mixed = call("deal", "fortune", "--seed", SEED, "--player-entropy", "a", "--player-entropy", "b", "--json").json
    assert mixed["dealer"] != plain["dealer"]
    assert mixed["player_entropy"] == ["a", "b"]
    assert mixed["commitment"] == plain["commitment"]


def test_text_tells_the_same() -> None:
    dealt = call("deal", "six-card-poker", "--seats", "3", "--seed", SEED, "--json").json
    run = call("deal", "six-card-poker", "--seats", "3", "--seed", SEED)
    for shown in (dealt["commitment"], SEED, " ".join(dealt["dealer"]), " ".join(dealt["up"]), "seat 3"):
        assert shown in run.out


@pytest.mark.parametrize(
    ("arguments", "codes"),
    [
        (["bridge", "--seats", "x"], ["unknown-game", "bad-seat"]),
        (["fortune", "--mode", "Rabbit Hunter"], ["unknown-mode"]),
        (["fortune", "--start", "3"], ["bad-start"]),
        (["fortune", "--numbering", "0,6,5,4,3,2"], ["bad-numbering"]),
        (["fortune", "--numbering", "0,6,5,4,3,2,x"], ["bad-numbering"]),
        (["fortune", "--seats", "0,7"], ["bad-seat", "bad-seat"]),
        (["fortune", "--seats", "1,1"], ["duplicate-seat"]),
        (["fortune", "--seats", ""], ["no-seats"]),
        (["fortune", "--seats", "-1"], ["bad-seat"]),
        (["fortune", "--seats", "99999999999999999999"], ["bad-seat"]),
        (["fortune", "--seed", "abc"], ["bad-seed"]),
        (["fortune", "--seed", "00" * 31], ["seed-too-short"]),
        (["fortune", "--seed", "zz", "--seats", "8"], ["bad-seed", "bad-seat"]),
        (["fortune", "--player-entropy", ""], ["bad-entropy"]),
    ],
)
def test_bad_input_is_refused(arguments: list[str], codes: list[str]) -> None:
    run = call("deal", *arguments, "--json")
    assert (run.code, run.codes) == (2, codes)


def test_a_stuck_random_source_deals_no_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.token_bytes", bytes)
    for command in (["deal", "fortune"], ["demo"]):
        run = call(*command, "--json")
        assert (run.code, run.codes) == (2, ["seed-stuck"])


def test_a_deal_with_wagers_is_settled_through_a_pipe() -> None:
    words = (
        "deal",
        "Fortune",
        "--seats",
        "1,3",
        "--seed",
        SEED,
        "--wager",
        "MAIN=2500",
        "--wager",
        "fortune=500:fpgp-3",
    )
    dealt = call(*words)
    assert dealt.json == call(*words, "--json").json, "into a pipe such a round goes as JSON"
    assert dealt.json["paytables"] == {"fortune": "FPGP-3"}
    settled = call("settle", "-", "--json", stdin=dealt.out.encode()).json
    for seat in settled["seats"]:
        assert [(line["wager"], line["stake"]) for line in seat["lines"]] == [("main", 2500), ("fortune", 500)]


def test_a_deal_with_a_jackpot_has_its_meters() -> None:
    words = ("deal", "fortune", "--seed", SEED, "--wager", "main=2500", "--wager", "progressive=100:FPGPP-ML2")
    dealt = call(*words, "--meter", "mega=1000000", "--meter", "minor=5000").json
    assert dealt["meters"] == {"FPGPP-ML2": {"mega": 1_000_000, "minor": 5000}}
    assert call("settle", "-", stdin=json.dumps(dealt).encode()).code == 0


def test_two_sensors_on_one_table_have_a_meter_each() -> None:
    words = ["deal", "fortune", "--seed", SEED, "--wager", "main=2500"]
    words += ["--wager", "progressive=100:FPGPP-WA01", "--wager", "progressive2=100:FPGPP-WA01"]
    given = ["--meter", "main=1000000", "--seed-amount", "main=500000"]
    dealt = call(*words, *given).json
    assert dealt["meters"] == {"FPGPP-WA01": {"main": 1_000_000}, "FPGPP-WA01#2": {"main": 1_000_000}}
    assert dealt["seeds"] == {"FPGPP-WA01": {"main": 500_000}, "FPGPP-WA01#2": {"main": 500_000}}
    assert call("settle", "-", stdin=json.dumps(dealt).encode()).code == 0
    twice = call(*words, *given, "--meter", "main=5", "--seed-amount", "main=5", "--json")
    assert twice.faults == [("conflicting-options", "meter"), ("conflicting-options", "seed_amount")]


def test_a_deal_without_positions_takes_no_numbering() -> None:
    run = call("deal", "six-card-poker", "--numbering", "0,1,2,3,4,5,6", "--json")
    assert (run.code, run.faults) == (2, [("bad-numbering", "numbering")])


@pytest.mark.parametrize(
    ("words", "faults"),
    [
        (["--wager", "main"], [("bad-argument", "wager")]),
        (["--wager", "mian=5"], [("unknown-wager", "wager")]),
        (["--wager", "main=-5"], [("out-of-range", "wager")]),
        (["--wager", "main=x"], [("not-an-integer", "wager")]),
        (["--wager", "main=5", "--wager", "Main=6"], [("conflicting-options", "wager")]),
        (["--wager", "main=5:FPGP-3"], [("wrong-paytable", "wager")]),
        (["--wager", "main=5", "--wager", "fortune=5"], [("missing-paytable", "wager")]),
        (["--wager", "main=5", "--wager", "fortune=5:FPGP-99"], [("unknown-paytable", "wager")]),
        (["--wager", "main=5", "--wager", "fortune=5:6CFPGP-1"], [("wrong-paytable", "paytables.fortune")]),
        (["--wager", "main=5", "--meter", "main=5"], [("no-meter", "meter")]),
        (["--wager", "main=5", "--seed-amount", "main=5"], [("no-meter", "seed_amount")]),
        (["--wager", "fortune=5:FPGP-3"], [("missing-first-wager", "seats[0].wagers")]),
    ],
    ids=lambda words: " ".join(words) if isinstance(words[0], str) else "",
)
def test_wagers_that_no_round_can_have(words: list[str], faults: list[tuple[str, str]]) -> None:
    run = call("deal", "fortune", "--seats", "1", *words, "--json")
    assert (run.code, run.faults) == (2, faults)
