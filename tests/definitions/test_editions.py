"""What a sheet offers goes by its dated edition: in a definition, in a round with a date, at the opening of a table."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.definitions import Edition, game, games, read_game
from houseway.errors import InputError
from houseway.games import settle_json
from tests.definitions.test_reader import TEXT

SEVEN_CARD = ("fortune", "commission-free-fortune", "face-up")


def test_two_sensors_and_house_jackpots_come_with_the_letter_of_2023() -> None:
    for game_id in SEVEN_CARD:
        assert game(game_id).editions == (
            Edition("2018-10-18", 1, house_jackpots=False),
            Edition("2023-06-14", 2, house_jackpots=True),
        )
    assert [game(name).editions[-1].date for name in ("six-card-fortune", "six-card-poker")] == ["", "2014-08-11"]


def test_the_edition_of_a_day_is_the_newest_that_is_not_later() -> None:
    played = game("fortune")
    found = {day: played.edition_on(day) for day in ("2018-10-17", "2018-10-18", "2023-06-13", "2023-06-14")}
    assert [None if edition is None else edition.date for edition in found.values()] == [
        None,
        "2018-10-18",
        "2018-10-18",
        "2023-06-14",
    ]
    assert game("six-card-fortune").edition_on("2000-01-01") == game("six-card-fortune").first_edition


def test_the_newest_edition_offers_every_jackpot_wager() -> None:
    assert all(played.editions[-1].sensors == len(played.jackpots) for played in games())


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        ('date = "2018-10-18"', 'date = "18 October 2018"', "game-bad-value"),
        ('date = "2018-10-18"', 'date = "2024-10-18"', "game-contradiction"),
        ('date = "2018-10-18"\n', "", "game-contradiction"),
        ("sensors = 2", "sensors = 1", "game-contradiction"),
        ("house_jackpots = true\n", "", "game-missing-key"),
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


@pytest.mark.parametrize("game_id", ["fortune", "commission-free-fortune"])
def test_a_round_before_the_letter_has_one_jackpot_sensor(game_id: str) -> None:
    second = ("not-in-edition", "seats[0].wagers.progressive2")
    for day in ("2023-06-13", "2018-10-18", "2012-01-01"):
        assert refused_of(round_on(day, game_id)) == {second}
    for day in ("2023-06-14", "2024-05-01", None):
        assert refused_of(round_on(day, game_id)) == set()


def test_a_round_before_the_letter_has_no_house_jackpot() -> None:
    value = round_on("2021-05-01", settings={"jackpot_kind": "house"})
    del value["seats"][0]["wagers"]["progressive2"]
    del value["paytables"]["progressive2"]
    assert refused_of(value) == {("not-in-edition", "settings.jackpot_kind")}
    value["settings"]["limits"]["as_of"] = "2023-06-14"
    assert refused_of(value) == set()
    del value["settings"]["limits"]
    assert refused_of(value) == set()
