"""The games of `examples/games`: they come from outside, and no module of Houseway knows them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from fractions import Fraction
from pathlib import Path

import pytest

import houseway as hw
from houseway import sources
from houseway.errors import InputError, MissingPartError
from tests.cli.runner import call

GAMES = Path(__file__).parents[2] / "examples" / "games"
HIGH_CARD = GAMES / "high-card" / "src" / "houseway_high_card" / "rules"
LET_IT_RIDE = GAMES / "let-it-ride"
BETS = {"one": 1000, "two": 1000, "three": 1000}


@pytest.fixture(autouse=True)
def named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(sources.VARIABLE, f"{HIGH_CARD}:{LET_IT_RIDE}")
    assert hw.refused_games() == ()


def test_no_module_of_houseway_names_them() -> None:
    code = Path(hw.__file__).parent
    words = ("high-card/", "HC-ROYALS", "HC-SPADE", "let-it-ride", "LIR-1")
    wrong = [path for path in code.rglob("*.py") if any(word in path.read_text(encoding="utf-8") for word in words)]
    assert wrong == []


@pytest.mark.parametrize(
    ("card", "dealer", "main", "royals", "spade"),
    [
        ("As", "Kd", ("win", 4900, "high-card/rules/4"), 9500, ("win", 10000, "high-card/jackpot/2")),
        ("Ks", "Ad", ("lose", 0, "high-card/rules/5"), 1500, ("win", 1000, "high-card/jackpot/2")),
        ("Ah", "Ad", ("push", 2500, "high-card/rules/6"), 3000, ("win", 300, "high-card/jackpot/3")),
        ("9h", "9d", ("push", 2500, "high-card/rules/6"), 0, ("lose", 0, "high-card/jackpot/4")),
    ],
)
def test_a_round_of_one_card_is_settled(
    card: str, dealer: str, main: tuple[str, int, str], royals: int, spade: tuple[str, int, str]
) -> None:
    seat = hw.Seat(card, main=2500, royals=500, spade=100)
    settled = hw.settle(
        "high-card", dealer=dealer, seats={3: seat}, paytables={"spade": "HC-SPADE"},
        meters={"main": 10000}, seed_amounts={"main": 2000},
    )  # fmt: skip
    lines = {line.wager: line for line in settled.lines()}
    assert (lines["main"].outcome, lines["main"].returned, lines["main"].clause) == main
    assert lines["royals"].returned == royals
    assert (lines["spade"].outcome, lines["spade"].returned, lines["spade"].clause) == spade


def test_its_deal_follows_from_the_seed() -> None:
    dealt = hw.deal("high-card", seats=[1, 7], seed="5eed" * 16, wagers={"main": 2500})
    assert hw.replay(dealt).matches
    assert [len(cards) for cards in (dealt.dealer, *dealt.seats.values())] == [1, 1, 1]
    assert len(hw.settle(dealt).lines()) == 2


def test_its_odds_are_counted_over_its_own_deals() -> None:
    main, royals = hw.odds("high-card"), hw.odds("high-card", "royals")
    # 1,248 of 2,652 deals win, as many lose; 4% of each win is commission.
    assert (main.edge, main.deals, main.method) == (Fraction(4, 100) * Fraction(1248, 2652), 2652, "exact")
    assert (royals.edge, royals.deals) == (Fraction(3, 52), 52)
    assert bool(hw.verify(paytable="HC-ROYALS"))
    with pytest.raises(MissingPartError, match="High Card"):
        hw.advise("high-card", "As")


@pytest.mark.kernels
def test_it_is_simulated_by_settling_every_round() -> None:
    pytest.importorskip("numba")
    found = hw.simulate("high-card", rounds=2000, seats=2, seed=5, meters={"main": 10000}, workers=1)
    royals = found.wagers["royals"]
    assert (royals.made, royals.exact_edge) == (4000, Fraction(3, 52))
    assert royals.within_limits
    assert found.wagers["main"].exact_edge == Fraction(8, 425)
    again = hw.simulate("high-card", rounds=2000, seats=2, seed=5, meters={"main": 10000}, workers=1)
    assert again.wagers["main"].hold == found.wagers["main"].hold


def test_pulled_bets_and_cards_in_the_middle() -> None:
    seats = {
        1: hw.Seat("Ts Td 4c", **BETS, three_card=500),
        2: hw.Seat("As Ks Qs", pulled=["one", "two"], **BETS, three_card=500),
    }
    settled = hw.settle("let-it-ride", seats=seats, community="2h 9d")
    first = [(line.wager, line.outcome, line.returned) for line in settled.seat(1).lines]
    assert first == [("one", "win", 2000), ("two", "win", 2000), ("three", "win", 2000), ("three_card", "win", 1000)]
    second = [(line.wager, line.outcome, line.returned, line.clause) for line in settled.seat(2).lines]
    assert second == [
        ("one", "push", 1000, "let-it-ride/rules/3"),
        ("two", "push", 1000, "let-it-ride/rules/4"),
        ("three", "lose", 0, "let-it-ride/rules/7"),
        ("three_card", "win", 25500, "let-it-ride/bonus/1"),
    ]
    shown = settled.to_json()
    assert (shown["dealer"], shown["community"]) == (None, ["2h", "9d"])
    assert json.loads(settled.text) == shown


@pytest.mark.parametrize(
    ("seat", "further", "code", "path"),
    [
        ({"pulled": ["three"]}, {}, "no-pull", "seats[0].pulled[0]"),
        ({"pulled": ["three_card"]}, {}, "no-pull", "seats[0].pulled[0]"),
        ({"pulled": ["four"]}, {}, "unknown-wager", "seats[0].pulled[0]"),
        ({"wagers": {"one": 1000, "two": 500, "three": 1000}}, {}, "unequal-wagers", "seats[0].wagers.two"),
        ({"wagers": {"one": 1000, "three": 1000}}, {}, "unequal-wagers", "seats[0].wagers.two"),
        ({}, {"community": ["2h"]}, "card-count", "community"),
        ({}, {"community": ["2h", "Ts"]}, "duplicate-card", "seats[0].cards[0]"),
        ({}, {"community": None}, "missing-key", "community"),
        ({}, {"dealer": ["3c", "4d", "5c"]}, "card-count", "dealer"),
    ],
)
def test_what_cannot_have_happened_is_refused(seat: dict, further: dict, code: str, path: str) -> None:
    one = {"seat": 1, "cards": ["Ts", "Td", "4c"], "wagers": dict(BETS), **seat}
    round_ = {"game": "let-it-ride", "community": ["2h", "9d"], "seats": [one], **further}
    with pytest.raises(InputError) as refused:
        hw.settle({name: value for name, value in round_.items() if value is not None})
    assert (code, path) in [(fault.code, fault.path) for fault in refused.value.faults]


def test_games_without_them_take_no_pulled_bets_or_community_cards() -> None:
    seat = {"seat": 1, "cards": ["As"], "wagers": {"main": 100}, "pulled": ["main"]}
    with pytest.raises(InputError) as refused:
        hw.settle({"game": "high-card", "dealer": ["Ks"], "community": ["2h"], "seats": [seat]})
    assert {fault.code for fault in refused.value.faults} == {"no-pull", "card-count"}


def test_best_play_of_the_pulled_bets_is_counted_exactly() -> None:
    """The figure that is commonly published is 3.51% of one bet."""
    bets = hw.odds("let-it-ride", "one+two+three")
    assert bets.edge == Fraction(37963, 1082900)
    third, first = hw.odds("let-it-ride", "three"), hw.odds("let-it-ride", "one")
    assert (third.deals, third.edge) == (2_598_960, Fraction(242173, 649740))
    assert first.distribution is not None
    assert next(each.deals for each in first.distribution.outcomes if each.name == "pulled") == 24_098_592
    assert (hw.odds("let-it-ride", "three_card").edge, bets.method) == (Fraction(392, 5525), "exact")


def test_the_deal_with_cards_in_the_middle_is_replayed() -> None:
    dealt = hw.deal("let-it-ride", seats=[2], seed="5eed" * 16, wagers=BETS)
    assert (len(dealt.dealer), len(dealt.community), len(dealt.seats[2])) == (0, 2, 3)
    assert hw.replay(dealt).matches
    record = dealt.to_json()
    record["community"][0] = record["leftover"][0]
    assert [fault.path for fault in hw.replay(record).differences] == ["community"]


def test_the_command_line_shows_both() -> None:
    assert "Community" in call("settle", "-", stdin=_round()).out
    odds = call("odds", "high-card", "--json").json
    assert (odds["method"], odds["standard_error"]) == ("exact", None)
    assert call("clauses", "high-card/rules/6").out.count("push") == 1


def _round() -> bytes:
    return json.dumps(hw.deal("let-it-ride", seats=[2], wagers=BETS).to_json()).encode()


def test_the_package_is_installed_and_stands_on_a_floor(tmp_path: Path) -> None:
    """Installed beside Houseway, nothing but the package's own files makes the game: no setting names a folder."""
    site, room = tmp_path / "site", tmp_path / "room"
    room.mkdir()
    wheel = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        str(tmp_path),
        str(GAMES / "high-card"),
    ]
    subprocess.run(wheel, check=True, capture_output=True)
    (built,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(built) as archive:
        archive.extractall(site)
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(site), str(GAMES.parents[1]))),
        sources.VARIABLE: "",
    }

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, *words], env=environment, capture_output=True, text=True, check=False)

    played = run("-m", "tests.examples.high_card_floor", str(room))
    assert played.returncode == 0, played.stderr
    told = json.loads(played.stdout)
    assert (told["game"], told["refused"]) == ("high-card", 0)
    # The seed of $50 and a quarter of two dollars; the meter restarts from its seed and the two cents of its reserve.
    assert told["paid"] == [5050]
    assert told["meter"] == 50_020_000
    assert [wager for wager in told["lines"] if wager != "spade"] == ["main", "main", "royals"]
    audited = run("-m", "houseway", "audit", "verify", str(room / "room.db"), "--keys", str(room / "keys"))
    assert audited.returncode == 0, audited.stdout + audited.stderr
    listed = run("-m", "houseway", "games", "--json")
    assert json.loads(listed.stdout)["games"][-1]["id"] == "high-card"
