"""Which tables may join a link: games, twins, decks, kinds of jackpots, sensors, generations of controls."""

from __future__ import annotations

from dataclasses import replace as changed
from fractions import Fraction

import msgspec
import pytest

from houseway.errors import InputError
from houseway.manager.core.floor import Floor
from houseway.manager.core.link_entities import Link
from houseway.manager.core.table_entities import Table
from houseway.manager.core.twins import are_twins, line_chances, paytable_for, table_paytable
from houseway.manager.handlers.link_rules import attach_faults, jackpot_chances, link_is_idle, link_table
from houseway.paytables import paytable, paytables
from tests.manager.links.desk import MAIN, end, house_jackpot, playing_room, start

FORTUNE_GAMES = ("fortune", "commission-free-fortune", "face-up")
TWINS = {"FPGPP-WA01": "FUPGPP-WA01", "FPGPP-WA03": "FUPGPP-03", "FPGPP-WA07": "FUPGPP-07", "FPGPP-ML2": "FUPGPP-ML02"}
"""The pairs that the sheet of 2023 prints side by side; the code finds them by comparing."""


def link(paytable_id: str = "FPGPP-WA01", kind: str = "progressive", id_: str = "L1", **more: object) -> Link:
    plain = Link(
        id_, kind, paytable_id, 100, 1, "tray", dict(MAIN), {}, "at-payment", "at-start", "seat-order", "open", 1,  # type: ignore[arg-type]
    )  # fmt: skip
    return msgspec.structs.replace(plain, **more)


def table(game: str = "fortune", **more: object) -> Table:
    plain = Table("T1", game, 6, {}, "nexus-2", "felt", None, {}, {})
    return msgspec.structs.replace(plain, **more)


def codes(table_: Table, link_: Link, sensor: str = "1", *others: Link) -> list[str]:
    floor = Floor()
    for each in (link_, *others):
        floor.put("link", each.id, each)
    return [fault.code for fault in attach_faults(floor, table_, sensor, link_)]


@pytest.mark.parametrize("own", TWINS)
def test_face_up_tables_join_fortune_links_through_the_printed_twin(own: str) -> None:
    for game in FORTUNE_GAMES:
        assert codes(table(game), link(own)) == []
    assert table_paytable(link(own), "face-up").id == TWINS[own]
    assert table_paytable(link(own), "fortune").id == own
    assert table_paytable(link(TWINS[own]), "commission-free-fortune").id == TWINS[own]


def test_twins_are_exactly_the_printed_pairs() -> None:
    jackpots = [each for each in paytables() if each.wager == "progressive"]
    found = {
        (first.id, second.id)
        for first in jackpots
        for second in jackpots
        if first.id < second.id and are_twins(first, first.games[0], second, second.games[0])
    }
    assert found == set(TWINS.items())


def test_equal_lines_with_other_odds_are_no_twins() -> None:
    """Six and seven cards can have the same lines; the hands come with other chances."""
    own = paytable("6CFPGPP-5")
    assert are_twins(own, "six-card-fortune", own, "six-card-fortune")
    assert not are_twins(own, "six-card-fortune", own, "fortune")
    assert line_chances(own, "fortune")[0] == Fraction(1128, 154_143_080)


def test_another_pay_or_level_is_no_twin() -> None:
    own = paytable("FPGPP-WA07")
    richer = changed(own, lines=(*own.lines[:-1], changed(own.lines[-1], pays=6)))
    assert not are_twins(own, "fortune", richer, "fortune")
    assert not are_twins(own, "fortune", changed(own, levels=("other",)), "fortune")
    assert not are_twins(own, "fortune", changed(own, wager="fortune"), "fortune")


def test_the_chance_of_a_jackpot_is_the_exact_count() -> None:
    assert jackpot_chances(paytable("FPGPP-WA01")) == {"main": Fraction(32, 154_143_080)}
    assert jackpot_chances(paytable("FPGPP-ML2")) == {
        "mega": Fraction(228, 154_143_080),
        "major": Fraction(1128, 154_143_080),
        "minor": Fraction(26_092, 154_143_080),
    }
    assert jackpot_chances(paytable("SIXCPP-01")) == {"main": Fraction(188, 20_358_520)}


@pytest.mark.parametrize("game", ["six-card-fortune", "six-card-poker"])
def test_games_with_other_winning_hands_are_not_linked(game: str) -> None:
    assert codes(table(game), link("FPGPP-WA01")) == ["game-not-linkable"]
    assert codes(table("fortune"), link("6CFPGPP-2")) == ["game-not-linkable"]
    with pytest.raises(InputError, match="same lines and the same odds"):
        table_paytable(link("FPGPP-WA01"), game)


def test_a_table_must_read_the_pay_table_as_the_link_does() -> None:
    narrow = link("FPGPP-WA03", readings={"joker_seven_card_line": False})
    reads_narrow = table(settings={"joker_seven_card_line": False})
    assert codes(table(), narrow) == ["reading-differs"]
    assert codes(reads_narrow, link("FPGPP-WA03")) == ["reading-differs"]
    assert codes(reads_narrow, narrow) == []
    assert codes(reads_narrow, link("FPGPP-WA01")) == [], "that table has a line of its own for the joker"
    assert jackpot_chances(link_table(narrow)) == {"main": Fraction(32, 154_143_080)}
    assert table_paytable(narrow, "face-up").lines[0].also == ()


def test_the_joker_of_a_link_is_the_joker_of_its_tables() -> None:
    literal = link("FPGPP-WA07", readings={"jackpot_joker": "literal"})
    assert line_chances(link_table(literal), "fortune")[3] == Fraction(238_384, 154_143_080)
    assert table_paytable(literal, "face-up").joker == "literal"
    assert codes(table(), literal) == ["reading-differs"]
    assert codes(table(settings={"jackpot_joker": "literal"}), literal) == []


def test_both_six_card_poker_tables_have_envy_unless_the_link_reads_it_otherwise() -> None:
    assert [line.envy for line in link_table(link("SIXCPP-01")).lines] == [10_000, 1_000, None, None, None]
    assert codes(table("six-card-poker"), link("SIXCPP-01")) == []
    without = link("SIXCPP-01", readings={"shared_envy": False})
    assert link_table(without).has_envy is False
    assert codes(table("six-card-poker"), without) == ["reading-differs"]
    assert codes(table("six-card-poker", settings={"shared_envy": False}), without) == []


def test_another_number_of_decks_and_a_retired_link_are_refused_together() -> None:
    assert codes(table(), link(decks=2, status="retired")) == ["link-decks", "link-retired"]


@pytest.mark.parametrize("status", ["draft", "open", "draining", "stopped"])
def test_links_that_will_play_may_be_joined(status: str) -> None:
    assert codes(table(), link(status=status)) == []


def test_all_jackpots_of_a_table_are_of_one_kind() -> None:
    progressive, house = link(), link(kind="house", id_="H1")
    assert codes(table(sensors={"1": "L1"}), house, "2", progressive) == ["mixed-jackpots"]
    assert codes(table(sensors={"1": "H1"}), progressive, "2", house) == ["mixed-jackpots"]
    assert codes(table(sensors={"1": "L2"}), progressive, "2", link(id_="L2")) == []


def test_a_sensor_carries_one_jackpot_and_two_sensors_carry_two() -> None:
    assert codes(table(sensors={"1": "L2"}), link(), "1", link(id_="L2")) == ["sensor-taken"]
    assert codes(table(sensors={"1": "L1"}), link(), "2") == ["link-twice"]
    assert codes(table(), link(), "3") == ["unknown-sensor"]


@pytest.mark.parametrize(("game", "own"), [("six-card-fortune", "6CFPGPP-2"), ("six-card-poker", "SIXCPP-01")])
def test_six_card_games_have_one_sensor(game: str, own: str) -> None:
    assert codes(table(game), link(own), "1") == []
    assert codes(table(game), link(own), "2") == ["unknown-sensor"]


@pytest.mark.parametrize("game", FORTUNE_GAMES)
def test_first_generation_controls_are_refused_where_they_were_withdrawn(game: str) -> None:
    assert codes(table(game, vocabulary="aquarius"), link("FUPGPP-WA01")) == ["vocabulary-withdrawn"]


def test_first_generation_controls_stay_with_the_six_card_games() -> None:
    assert codes(table("six-card-fortune", vocabulary="aquarius"), link("6CFPGPP-2")) == []
    assert codes(table("six-card-poker", vocabulary="aquarius"), link("SIXCPP-01")) == []


def test_every_reason_is_told_at_once() -> None:
    wrong = table("six-card-poker", sensors={"1": "H1"})
    narrow = link("FPGPP-WA03", decks=2, readings={"joker_seven_card_line": False})
    assert codes(wrong, narrow, "2", link(kind="house", id_="H1")) == [
        "game-not-linkable",
        "reading-differs",
        "link-decks",
        "unknown-sensor",
        "mixed-jackpots",
    ]


def test_a_link_without_a_game_of_its_own_has_no_pay_table_for_others() -> None:
    assert paytable_for("SIXCPP-02", "face-up") is None


def test_attaching_by_command_keeps_the_rules() -> None:
    room = playing_room()
    house_jackpot(room)
    room.add_table("T3", "six-card-fortune")
    from houseway.manager.commands.house_commands import AttachSensor
    from tests.manager.floors import TECHNICIAN

    assert room.refused(TECHNICIAN, AttachSensor("T3", "1", "L1")) == {("game-not-linkable", "link")}


def test_a_link_is_idle_while_no_round_in_play_has_a_wager_on_it() -> None:
    room = playing_room()
    assert link_is_idle(room.floor, "L1")
    first, second = start(room, "T1"), start(room, "T2")
    assert not link_is_idle(room.floor, room.floor.links["L1"])
    end(room, first)
    assert not link_is_idle(room.floor, "L1")
    end(room, second)
    assert link_is_idle(room.floor, "L1")
    start(room, "T1", ())
    assert link_is_idle(room.floor, "L1"), "nobody bet on it"
