"""What a sheet offers goes by its dated edition: in a definition, in a round with a date, at the opening of a table."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import pytest

from houseway.definitions import game, games, read_game
from houseway.definitions.clauses import clause
from houseway.errors import InputError
from houseway.games import settle_json
from houseway.games.table_settings import has_setting, read_settings
from houseway.reading.faults import Faults
from tests.definitions.test_reader import TEXT

SEVEN_CARD = ("fortune", "commission-free-fortune", "face-up")


def offers(game_id: str, *, with_paper: bool = False) -> dict[str, tuple[int, bool]]:
    """By the date of each edition: how many jackpot sensors it offers, and whether house jackpots."""
    found = {edition.date: edition.offer(with_paper=with_paper) for edition in game(game_id).editions}
    return {date: (offer.sensors, offer.house_jackpots) for date, offer in found.items()}


def test_games_and_editions_are_looked_up_by_their_names_and_told_apart_by_all_their_facts() -> None:
    for played in games():
        changed = replace(played, cards=played.cards + 1)
        assert hash(changed) == hash(played) == hash(played.id)
        assert changed != played
        for edition in played.editions:
            other = replace(edition, sensors=edition.sensors + 1)
            assert hash(other) == hash(edition) == hash(edition.date)
            assert other != edition


def test_two_sensors_and_house_jackpots_come_with_the_letter_of_2023() -> None:
    since_2023 = {"2018-10-18": (1, False), "2023-06-14": (2, True)}
    assert offers("fortune") == offers("face-up") == since_2023
    assert offers("commission-free-fortune", with_paper=True) == since_2023


def test_what_no_sheet_offers_is_off_unless_a_paper_allows_it() -> None:
    assert offers("commission-free-fortune") == {"2018-10-18": (0, False), "2023-06-14": (0, False)}
    assert offers("six-card-fortune") == {"": (1, False)}
    assert offers("six-card-fortune", with_paper=True) == {"": (1, True)}
    assert offers("six-card-poker") == {"2014-08-11": (1, False)}
    assert offers("six-card-poker", with_paper=True) == {"2014-08-11": (1, True)}


def test_controls_stand_with_their_edition() -> None:
    """The first generation is withdrawn for the seven-card games; the letter of 2023 drops the first Nexus system."""

    def controls(game_id: str) -> list[list[str]]:
        return [[each.name for each in edition.controls] for edition in game(game_id).editions]

    assert all(controls(game_id) == [["nexus", "nexus-2"], ["nexus-2"]] for game_id in SEVEN_CARD)
    assert controls("six-card-fortune") == controls("six-card-poker") == [["aquarius", "nexus"]]


def test_every_clause_of_a_jackpot_stands_in_every_edition_that_can_cite_it() -> None:
    """In the rules of play for the controls, in the same words but for what a line cannot cite."""
    for played in games():
        for edition in played.editions:
            for wager in played.jackpots:
                cites = {name: text for name, text in asdict(wager.clauses).items() if text and name != "house"}
                for controls in edition.controls:
                    for name, newest in cites.items():
                        found = clause(played.cited(newest, edition, controls.name))
                        assert f"{found.sheet}/{found.section}" == controls.section
                        assert edition.date in found.edition, (name, found.id)
                        assert found.text == clause(newest).text


def test_the_edition_of_a_day_is_the_newest_that_is_not_later() -> None:
    played = game("fortune")
    found = {day: played.edition_on(day) for day in ("2018-10-17", "2018-10-18", "2023-06-13", "2023-06-14")}
    assert [None if edition is None else edition.date for edition in found.values()] == [
        None,
        "2018-10-18",
        "2018-10-18",
        "2023-06-14",
    ]
    assert game("six-card-fortune").edition_on("2000-01-01") == game("six-card-fortune").newest_edition


def test_the_newest_edition_offers_every_jackpot_wager() -> None:
    assert all(played.newest_edition.offer(with_paper=True).sensors == len(played.jackpots) for played in games())


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        ('date = "2018-10-18"', 'date = "18 October 2018"', "game-bad-value"),
        ('date = "2018-10-18"', 'date = "2024-10-18"', "game-contradiction"),
        ('date = "2018-10-18"\n', "", "game-contradiction"),
        ("sensors = 2", "sensors = 1", "game-contradiction"),
        ("house_jackpots = false\n", "", "game-missing-key"),
        ("sensors = 0", "sensors = 2", "game-contradiction"),
        (", house_jackpots = true", "", "game-missing-key"),
        ("fpgpp/nexus", "the nexus section", "game-bad-value"),
        ("controls = {", "control = {", "game-unknown-key"),
    ],
)
def test_editions_that_contradict_the_game_are_refused(before: str, after: str, code: str) -> None:
    assert before in TEXT
    with pytest.raises(InputError) as refused:
        read_game(TEXT.replace(before, after, 1), "game.toml", "commission-free-fortune")
    assert code in {fault.code for fault in refused.value.faults}


def round_on(day: str | None, game_id: str = "fortune", **changes: Any) -> dict[str, Any]:
    """A round of one seat with a wager on each sensor, settled as of a day."""
    wagers = {"main": 1000, "progressive": 100, "progressive2": 100}
    seat = {"seat": 1, "cards": "As Ad Kh Kd 9c 7s 2h".split(), "wagers": wagers | changes.pop("wagers", {})}
    settings = changes.pop("settings", {}) | ({} if day is None else {"limits": {"as_of": day}})
    return {
        "game": game_id,
        "paytables": {"progressive": "FPGPP-WA01", "progressive2": "FPGPP-WA03"},
        "dealer": "Ts 9d 8c 6h 4s 3c 2d".split(),
        "seats": [seat],
        "settings": settings,
        **changes,
    }


def refused_of(value: dict[str, Any]) -> set[tuple[str, str]]:
    """Code and path of every fault of a round; none where it is settled."""
    try:
        settle_json(value)
    except InputError as refused:
        return {(fault.code, fault.path) for fault in refused.faults}
    return set()


def by_paper(game_id: str) -> dict[str, Any]:
    """The setting for jackpots by paper, in a game to which a paper may add some."""
    return {"jackpots_by_paper": True} if has_setting(game(game_id), "jackpots_by_paper") else {}


@pytest.mark.parametrize("game_id", ["fortune", "commission-free-fortune"])
def test_a_round_before_the_letter_has_one_jackpot_sensor(game_id: str) -> None:
    second = ("not-in-edition", "seats[0].wagers.progressive2")
    for day in ("2023-06-13", "2018-10-18", "2012-01-01"):
        assert refused_of(round_on(day, game_id, settings=by_paper(game_id))) == {second}
    for day in ("2023-06-14", "2024-05-01", None):
        assert refused_of(round_on(day, game_id, settings=by_paper(game_id))) == set()


def one_sensor(value: dict[str, Any]) -> dict[str, Any]:
    """The round without the second sensor."""
    del value["seats"][0]["wagers"]["progressive2"]
    del value["paytables"]["progressive2"]
    return value


def test_a_day_before_every_sheet_on_file_is_noted() -> None:
    def notes_on(day: str) -> list[str]:
        return settle_json(one_sensor(round_on(day))).get("notes", [])

    found = [note for note in notes_on("2018-10-17") if "no sheet" in note]
    assert found == [
        "no sheet of Fortune Pai Gow Poker on file is as old as 2018-10-17: the sheet of 2018-10-18 is read instead"
    ]
    assert not [note for note in notes_on("2018-10-18") if "no sheet" in note]


def test_a_round_before_the_letter_has_no_house_jackpot() -> None:
    value = one_sensor(round_on("2021-05-01", settings={"jackpot_kind": "house"}))
    assert refused_of(value) == {("not-in-edition", "settings.jackpot_kind")}
    value["settings"]["limits"]["as_of"] = "2023-06-14"
    assert refused_of(value) == set()
    del value["settings"]["limits"]
    assert refused_of(value) == set()


@pytest.mark.parametrize("day", ["2021-05-01", "2024-05-01", None])
def test_commission_free_has_no_jackpot_unless_a_paper_allows_it(day: str | None) -> None:
    game_id = "commission-free-fortune"
    assert refused_of(one_sensor(round_on(day, game_id))) == {("needs-paper", "seats[0].wagers.progressive")}
    assert refused_of(one_sensor(round_on(day, game_id, settings=by_paper(game_id)))) == set()


@pytest.mark.parametrize(
    ("game_id", "paytable", "cards", "dealer"),
    [
        ("six-card-fortune", "6CFPGPP-2", "As Ad Kh Kd 9c 7s", "Ts 9d 8c 6h 4s 3c"),
        ("six-card-poker", "SIXCPP-02", "As Ad Kh Kd 9c 7s", "Ts 9d 8c 6h 4s 3c"),
    ],
)
def test_six_card_games_have_no_house_jackpot_unless_a_paper_allows_it(
    game_id: str, paytable: str, cards: str, dealer: str
) -> None:
    wagers = {wager.name: 1000 for wager in game(game_id).wagers if wager.name in ("main", "ante", "play")}
    value = {
        "game": game_id,
        "paytables": {"progressive": paytable},
        "dealer": dealer.split(),
        "seats": [{"seat": 1, "cards": cards.split(), "wagers": wagers | {"progressive": 100}}],
        "settings": {"jackpot_kind": "house"},
    }
    assert refused_of(value) == {("needs-paper", "settings.jackpot_kind")}
    value["settings"] = {"jackpot_kind": "house", "jackpots_by_paper": True}
    assert refused_of(value) == set()
    value["settings"] = {}
    assert refused_of(value) == set()


@pytest.mark.parametrize(
    ("day", "section"),
    [
        ("2018-10-18", "fpgpp/nexus"),
        ("2023-06-13", "fpgpp/nexus"),
        ("2023-06-14", "fpgpj/rules"),
        (None, "fpgpj/rules"),
    ],
)
def test_lines_cite_the_clause_of_their_edition(day: str | None, section: str) -> None:
    """A loss, a fixed pay, a share of the meter, and the note by which the joker is no fourth king."""
    hands = {
        "2": "As Ad Kh Qd 9c 7s 2h",
        "9.b": "As Ad Ac Kh Kd 7s 2h",
        "9.a": "Qs Js Ts 9s 8s 7s 6s",
        "3.note": "Jk Ah As Ad 9c 5s 2h",
    }
    for number, cards in hands.items():
        value = one_sensor(round_on(day, settings={"jackpot_joker": "literal"}))
        value["seats"][0]["cards"] = cards.split()
        value["dealer"] = "Th 9d 8c 6h 4d 3c 2d".split()
        value |= {"meters": {"FPGPP-WA01": {"main": 100_000}}, "seeds": {"FPGPP-WA01": {"main": 1_000}}}
        lines = {line["wager"]: line for line in settle_json(value)["seats"][0]["lines"]}
        assert lines["progressive"]["clause"] == f"{section}/{number}"


@pytest.mark.parametrize("name", ["commission_percent", "commission_minimum"])
def test_a_game_without_commission_has_none_to_set(name: str) -> None:
    for played in games():
        faults = Faults()
        read_settings({name: 4}, played, faults, [])
        refused = [] if played.commission else [("setting-not-allowed", f"settings.{name}")]
        found = faults.error().faults if faults.any else ()
        assert [(fault.code, fault.path) for fault in found] == refused
