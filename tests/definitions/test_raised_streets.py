"""A game with raises at its streets, after Ultimate Texas Hold'em: dealt and settled; and what is refused by name.

Two cards a player and the dealer, five in the middle; the play wager is four times the ante before the flop, twice
behind it, once at the river, or the player folds. The dealer qualifies with a pair, else the ante goes back. The blind
is made beside every ante: it pays by its table where the hand wins, and pushes where a lesser one wins or both tie.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import houseway as hw
from houseway import sources
from houseway.errors import InputError, MissingPartError
from houseway.games import game
from houseway.manager.commands.house_commands import CreateTable
from tests.manager.floors import TECHNICIAN, new_room

DEFINITION = """
id = "river-poker"
title = "River Poker"
sheets = ["river-poker"]
line_order = ["ante", "blind", "play", "trips"]
fixed_wheel = "lowest"

[deal]
deck = 52
cards = 2
seats = 6

[[streets]]
title = "two cards"
seat = 2

[[streets]]
title = "flop"
community = 3

[[streets]]
title = "turn and river"
community = 2

[contest]
parts = ["best"]
tie = "push"
qualifier = { part = "best", hands = "pair or better" }

[[wagers]]
name = "ante"
kind = "main"
title = "Ante"
needs_qualifier = true

[wagers.clauses]
win = "river-poker/rules/1"
lose = "river-poker/rules/2"
push = "river-poker/rules/3"
fold = "river-poker/rules/4"
unqualified = "river-poker/rules/5"

[[wagers]]
name = "blind"
kind = "bonus"
title = "Blind"
equals = "ante"
look = { at = "player-best", beaten_by = "best", tie = "push" }
lines_may_push = true
default_table = "RP-BLIND"
clauses = { win = "river-poker/rules/7", lose = "river-poker/rules/2", push = "river-poker/rules/8" }

[[wagers]]
name = "play"
kind = "raise"
title = "Play"
raises = { of = "ante", instead_of_fold = true, times = [1, 2, 4] }
clauses = { win = "river-poker/rules/1", lose = "river-poker/rules/2", push = "river-poker/rules/3" }

[[wagers]]
name = "trips"
kind = "bonus"
title = "Trips"
look = { at = "player-best" }
default_table = "RP-TRIPS"
clauses = { win = "river-poker/rules/6", lose = "river-poker/rules/6" }
"""
KINDS = {"1": "settlement", "2": "settlement", "3": "settlement", "4": "wager", "5": "settlement", "6": "settlement",
         "7": "settlement", "8": "settlement"}  # fmt: skip
SHEET = """
sheet = "river-poker"
document = "River Poker, a game of the tests"
edition = "undated"
games = ["river-poker"]

[[section]]
id = "rules"
title = "Rules of the game"
numbered = false
""" + "".join(
    f'\n[[section.clause]]\nnumber = "{number}"\nkind = "{kind}"\ntext = "Rule {number} of the game."\n'
    for number, kind in KINDS.items()
)
TRIPS = """
id = "RP-TRIPS"
title = "Trips"
wager = "trips"
games = ["river-poker"]
unit = "to-1"
approved = true
lines = [
  { hand = "flush", pays = 7 },
  { hand = "straight", pays = 4 },
  { hand = "three-of-a-kind", pays = 3 },
]

[source]
document = "River Poker, a game of the tests"
section = "Pay table"
edition = "undated"
"""
LESSER = (
    "three-of-a-kind two-pair pair ace-high king-high queen-high jack-high ten-high nine-high eight-high seven-high"
)
BLIND = f"""
id = "RP-BLIND"
title = "Blind"
wager = "blind"
games = ["river-poker"]
unit = "to-1"
approved = true
lines = [
  {{ hand = "full-house", pays = 3 }},
  {{ hand = "flush", pays = 2 }},
  {{ hand = "straight", pays = 1 }},
  {", ".join(f'{{ hand = "{hand}", push = true }}' for hand in LESSER.split())},
]

[source]
document = "River Poker, a game of the tests"
section = "Pay table"
edition = "undated"
"""
FLOP = """
[[streets]]
title = "flop"
community = {}
"""
MIDDLE = DEFINITION[DEFINITION.index(FLOP[:28]) : DEFINITION.index("[contest]")]
BOARD = "2h 9d 9s Kc 4d"


def written(folder: Path, definition: str = DEFINITION) -> Path:
    texts = {"definitions/river-poker": definition, "clauses/river-poker": SHEET,
             "paytables/RP-TRIPS": TRIPS, "paytables/RP-BLIND": BLIND}  # fmt: skip
    for name, text in texts.items():
        path = folder / f"{name}.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def river_poker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(sources.VARIABLE, str(written(tmp_path / "games")))


def test_raises_of_every_street_are_settled_against_the_dealers_best_hand() -> None:
    seats = {
        1: hw.Seat("9h As", ante=500, blind=500, play=2000, trips=100),
        2: hw.Seat("Kh 3c", ante=500, blind=500, play=1000),
        3: hw.Seat("Qd 7c", ante=500, blind=500, play=500, trips=100),
        4: hw.Seat("8c 5c", fold=True, ante=500, blind=500),
    }
    settled = hw.settle("river-poker", dealer="Ks Jd", seats=seats, community=BOARD)
    lines = {(n, line.wager): (line.outcome, line.returned) for n in seats for line in settled.seat(n).lines}
    assert lines == {
        # Three nines win, and the blind has no pay for them.
        (1, "ante"): ("win", 1000), (1, "blind"): ("push", 500), (1, "play"): ("win", 4000), (1, "trips"): ("win", 400),
        # Kings and nines with the four of the board below the dealer's jack.
        (2, "ante"): ("lose", 0), (2, "blind"): ("lose", 0), (2, "play"): ("lose", 0),
        (3, "ante"): ("lose", 0), (3, "blind"): ("lose", 0), (3, "play"): ("lose", 0), (3, "trips"): ("lose", 0),
        (4, "ante"): ("lose", 0), (4, "blind"): ("lose", 0),
    }  # fmt: skip


def test_without_a_pair_of_the_dealer_the_ante_goes_back_and_the_raise_is_decided() -> None:
    seat = hw.Seat("As Qd", ante=500, blind=500, play=2000)
    settled = hw.settle("river-poker", dealer="Jd 8c", seats={2: seat}, community="2h 5d 9s Kc 4d")
    assert [(line.wager, line.outcome, line.returned) for line in settled.lines()] == [
        ("ante", "push", 500),
        ("blind", "push", 500),
        ("play", "win", 4000),
    ]


@pytest.mark.parametrize(
    ("cards", "dealer", "fold", "outcome", "returned", "rule"),
    [
        ("Ah 3h", "9c 5s", False, "win", 1500, 7),  # A flush beats two pair.
        ("Ah 3h", "Ks Kd", False, "lose", 0, 2),  # The same flush under a full house: no pay, whatever the table says.
        ("Ks Kd", "Ah 3h", False, "win", 2000, 7),
        ("As 5s", "Ad 5d", False, "push", 500, 8),  # A tie.
        ("Ah 3h", "9c 5s", True, "lose", 0, 2),  # A folded hand beats nothing.
    ],
)
def test_the_blind_pays_by_its_table_only_where_the_hand_wins(
    cards: str, dealer: str, fold: bool, outcome: str, returned: int, rule: int
) -> None:
    wagers = {"ante": 500, "blind": 500} if fold else {"ante": 500, "blind": 500, "play": 500}
    seat = hw.Seat(cards, fold=fold, **wagers)
    settled = hw.settle("river-poker", dealer=dealer, seats={1: seat}, community="2h 9h 9s Kh 4d")
    line = next(line for line in settled.lines() if line.wager == "blind")
    assert (line.outcome, line.returned, line.clause) == (outcome, returned, f"river-poker/rules/{rule}")


@pytest.mark.parametrize("cents", [None, 1500, 2500])
def test_a_raise_is_once_twice_or_four_times_the_ante(cents: int | None) -> None:
    made = {"ante": 500, "blind": 500} | ({} if cents is None else {"play": cents})
    with pytest.raises(InputError) as refused:
        hw.settle("river-poker", dealer="Jd 8c", seats={2: hw.Seat("As Qd", **made)}, community="2h 5d 9s Kc 4d")
    assert [(fault.code, fault.path) for fault in refused.value.faults] == [("raise-mismatch", "seats[0].wagers.play")]


def test_it_is_dealt_settled_and_dealt_again_from_its_seed() -> None:
    dealt = hw.deal("river-poker", seats=[1, 4], wagers={"ante": 500, "blind": 500, "play": 1000})
    told = dealt.to_json()
    assert [len(told["dealer"]), *(len(seat["cards"]) for seat in told["seats"]), len(told["community"])] == [
        2,
        2,
        2,
        5,
    ]
    settled = hw.settle(json.loads(json.dumps(told)))
    assert {line.wager for line in settled.lines()} == {"ante", "blind", "play"}


def test_a_printed_figure_that_is_not_counted_is_told_so_and_the_others_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = written(tmp_path / "printed")
    for table, text in (("RP-BLIND", BLIND), ("RP-TRIPS", TRIPS)):
        (folder / "paytables" / f"{table}.toml").write_text(f'{text}\n[printed]\nhouse_advantage = "3%"\n', "utf-8")
    monkeypatch.setenv(sources.VARIABLE, str(folder))
    found = hw.verify()
    told = {row.table.id: row.verdict for row in found.rows}
    assert (told["RP-BLIND"], told["RP-TRIPS"], told["FPGP-1"]) == ("not-counted", "not-counted", "matches")
    assert all("River Poker" in row.note for row in found.rows if row.verdict == "not-counted")


def test_what_cannot_be_computed_for_it_is_refused_by_its_name() -> None:
    asked = (
        lambda: hw.odds("river-poker", "ante+play"),
        lambda: hw.odds("river-poker", "trips"),
        lambda: hw.odds("river-poker", "blind"),
        lambda: hw.advise("river-poker", "As Ks"),
        lambda: hw.simulate("river-poker", rounds=10, seats=2, seed=1, workers=1),
    )
    for ask in asked:
        with pytest.raises(MissingPartError, match="River Poker"):
            ask()
    command = CreateTable("T1", "river-poker")
    assert new_room().refused(TECHNICIAN, command) == {("game-in-streets", "game")}


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        (MIDDLE, "", "a hand has 2 cards with the community's, and an order of hands is for 1, 5, 6, 7"),
        (MIDDLE, FLOP.format(1), "a hand has 3 cards with the community's, and an order of hands is for 1, 5, 6, 7"),
        (MIDDLE, FLOP.format(2), "a hand has 4 cards with the community's, and an order of hands is for 1, 5, 6, 7"),
        ("deck = 52\n", 'deck = 52\nwild = ["2s", "2h", "2d", "2c"]\n', "wild"),
        ("deck = 52\n", "deck = 54\n", "deck"),
    ],
)  # fmt: skip
def test_what_no_order_of_hands_is_for_is_refused_by_name(
    before: str, after: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert before in DEFINITION
    monkeypatch.setenv(sources.VARIABLE, str(written(tmp_path / "other", DEFINITION.replace(before, after))))
    with pytest.raises(InputError) as refused:
        game("river-poker")
    assert any(says in fault.message for fault in refused.value.faults), refused.value.faults
    assert hw.refused_games()[0].name == "river-poker"
