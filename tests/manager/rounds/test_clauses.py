"""Every line of a live jackpot wager and of live envy names the clause that it rests on, and the register has it."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.definitions.clauses import clause
from houseway.manager.commands.round_commands import TurnKey, VoidRound
from houseway.manager.core.link_entities import LevelParameters
from tests.manager.pit import Pit, house_jackpot, progressive, table_of

GAMES: dict[str, tuple[str, str]] = {
    "six-card-fortune": ("6CFPGPP-2", "five-aces"),
    "six-card-poker": ("SIXCPP-02", "royal-flush"),
    "fortune": ("FPGPP-WA07", "five-aces"),
    "commission-free-fortune": ("FPGPP-WA07", "five-aces"),
    "face-up": ("FUPGPP-07", "five-aces"),
}
"""By game: a pay table, and the hand that takes its meter; a full house has a fixed pay in all of them."""
CONTROLS = [
    (game, vocabulary)
    for game in GAMES
    for vocabulary in ("aquarius", "nexus", "nexus-2")
    if vocabulary != "aquarius" or game.startswith("six-card")
]


def lines_of_a_round(pit: Pit, share: str, *, key: bool = False) -> dict[str, dict[str, Any]]:
    """Seat 4 takes the meter, seat 3 a fixed pay, seat 2 loses: their lines by seat, and an envy line as "envy"."""
    round_ = pit.start(2, 3, 4)
    awards = [pit.hit(round_, seat, hand).id for seat, hand in ((4, share), (3, "full-house"))]
    if key:
        pit.do(TurnKey(round_, "jph", "badge-E1"))
    for award in awards:
        if pit.floor.awards[award].status == "hit":
            pit.pay(award)
    if key:
        pit.do(TurnKey(round_, "run", "badge-E1"))
    pit.end(round_)
    return {"envy" if line["wager"].endswith("_envy") else str(line["seat"]): line for line in pit.rows("line")}


@pytest.mark.parametrize(("game", "vocabulary"), CONTROLS)
def test_lines_of_progressives_name_their_clause(game: str, vocabulary: str) -> None:
    paytable, share = GAMES[game]
    link = progressive(paytable=paytable, levels={"main": LevelParameters(1_000, "1/5")})
    pit = Pit(link, tables=[table_of(game=game, vocabulary=vocabulary)])
    lines = lines_of_a_round(pit, share, key=vocabulary == "aquarius")
    cited = {name: clause(line["clause"]) for name, line in lines.items()}
    assert all(game in each.games for each in cited.values())
    assert "share of" in cited["4"].text
    assert "ixed pays" in cited["3"].text
    assert "best hand" in cited["2"].text
    if game.startswith("six-card"):
        assert "envy amount" in cited["envy"].text
        assert {each.section for each in cited.values()} == {"aquarius" if vocabulary == "aquarius" else "nexus"}


@pytest.mark.parametrize("game", GAMES)
def test_a_house_prize_names_its_clause(game: str) -> None:
    paytable, share = GAMES[game]
    pit = Pit(house_jackpot("L1", paytable=paytable), tables=[table_of(game=game)], meters={})
    lines = lines_of_a_round(pit, share)
    assert "house jackpot" in clause(lines["4"]["clause"]).text
    assert "ixed pays" in clause(lines["3"]["clause"]).text


def test_a_voided_round_rests_on_no_clause() -> None:
    pit = Pit()
    pit.do(VoidRound(pit.start(1, 2), "badge-S1", "misdeal"))
    assert [line.get("clause") for line in pit.rows("line")] == [None, None]


@pytest.mark.parametrize(("edition", "section"), [("2018-10-18", "fpgpp/nexus"), ("2023-06-14", "fpgpj/rules")])
def test_lines_cite_the_edition_under_which_the_table_was_opened(edition: str, section: str) -> None:
    link = progressive(paytable="FPGPP-WA07", levels={"main": LevelParameters(1_000, "1/5")})
    pit = Pit(link, tables=[table_of(game="fortune", edition=edition)])
    lines = lines_of_a_round(pit, "five-aces")
    assert {seat: line["clause"] for seat, line in lines.items()} == {
        "4": f"{section}/9.a",
        "3": f"{section}/9.b",
        "2": f"{section}/2",
    }
