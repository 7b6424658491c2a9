"""Pay-table wagers: against the counts of the documents, against hands dealt out, and designs that are refused."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path

import pytest

from houseway.cards.card import ALL_CARDS
from houseway.errors import InputError
from houseway.odds.wagers import (
    Sides,
    bonus_distribution,
    check_design,
    counts_for,
    envy_return,
    hit_frequency,
    line_counts,
    unlisted_hands,
)
from houseway.paytables import PayTable, load_paytable, paytable, paytables
from houseway.ranking.reference import names_fitted
from tests.paytables.test_printed_edges import SEVEN_CARD_COUNTS, SIX_CARD_COUNTS, SIX_CARD_POKER_COUNTS
from tests.paytables.test_printed_edges import edge as summed_edge

DESIGN = """
id = "OWN-1"
title = "A design"
wager = "{wager}"
games = ["{game}"]
unit = "{unit}"
approved = false
not_approved_because = "A design."
lines = [
{lines}
]
{more}
[source]
document = "Design"
section = "One"
edition = "First"
"""


def design(folder: Path, lines: str, wager: str = "fortune", game: str = "fortune") -> PayTable:
    file = folder / "OWN-1.toml"
    unit = "for-1" if wager == "progressive" else "to-1"
    file.write_text(DESIGN.format(lines=lines, wager=wager, game=game, unit=unit, more=""), encoding="utf-8")
    return load_paytable(file)


def player_best(table: PayTable) -> bool:
    return table.looks_at == "player-best"


@pytest.mark.parametrize("table_id", ["FPGP-2", "FPGP-6", "6CFPGP-1", "6CFPGP-2", "6CFPGP-INS", "SCP-01", "SCP-04"])
def test_edges_are_those_of_the_counts_typed_out_for_the_pay_tables(table_id: str) -> None:
    table = paytable(table_id)
    counts = {
        "fortune": SEVEN_CARD_COUNTS,
        "six-card-fortune": SIX_CARD_COUNTS,
        "six-card-poker": SIX_CARD_POKER_COUNTS,
    }
    game = table.games[0]
    found = line_counts(table, game, Sides())
    assert found is not None
    assert bonus_distribution(found).edge == summed_edge(table, counts[game], counts_for(game).hands)


@pytest.mark.parametrize("table", [*filter(player_best, paytables())], ids=lambda table: table.id)
def test_every_line_of_every_table_is_reached_and_has_no_hole(table: PayTable) -> None:
    for game in table.games:
        counts = line_counts(table, game, Sides())
        assert counts is not None
        assert all(counts.values())
        assert sum(counts.values()) == counts_for(game).hands
        check_design(table, game, "x")


def test_counts_of_a_small_sample_agree_with_the_lines_of_dealt_hands() -> None:
    """Every hand of six cards that holds four given ones: line by line as settlement reads them."""
    table = paytable("6CFPGP-1")
    held = tuple(ALL_CARDS[index] for index in (48, 49, 50, 52))  # three aces and the joker
    seen: dict[str | None, int] = {}
    for two in combinations([card for card in ALL_CARDS if card not in held], 2):
        line = table.line_for(names_fitted((*held, *two)))
        seen[line.hand if line else None] = seen.get(line.hand if line else None, 0) + 1
    assert sum(seen.values()) == comb(49, 2)
    # With four aces already, the fifth is the only way up, and nothing falls below four of a kind.
    assert seen == {"five-aces": 48, "four-of-a-kind": comb(49, 2) - 48}


@pytest.mark.parametrize("others", range(6))
def test_envy_grows_with_the_others_and_shrinks_with_the_wager(others: int) -> None:
    table = paytable("FPGP-2")
    counts = line_counts(table, "fortune", Sides())
    assert counts is not None
    cents = sum(Fraction(count * (line.envy or 0), 154_143_080) for line, count in counts.items() if line)
    assert envy_return(table, counts, others, 500) == others * cents / 500
    assert envy_return(table, counts, others, 2500) == others * cents / 2500
    assert envy_return(table, counts, others, 499) == 0


def test_a_progressive_earns_envy_at_any_size() -> None:
    table = paytable("6CFPGPP-2")
    counts = line_counts(table, "six-card-fortune", Sides())
    assert counts is not None
    assert envy_return(table, counts, 5, 100) == 5 * envy_return(table, counts, 1, 100) > 0


def test_a_push_is_no_hit() -> None:
    table = paytable("FPGP-1")
    counts = line_counts(table, "fortune", Sides())
    assert counts is not None
    odds = bonus_distribution(counts)
    assert odds.push == Fraction(2_862_000, 154_143_080)
    assert hit_frequency(counts) == odds.hit_frequency == odds.win


def test_a_table_that_nobody_printed(tmp_path: Path) -> None:
    """A pair or better pays: every hand with two cards of a rank, whatever else it is."""
    table = design(tmp_path, '{ hand = "pair", pays = 1 },')
    counts = line_counts(table, "fortune", Sides())
    assert counts is not None
    assert counts[table.lines[0]] == sum(
        count for names, count in counts_for("fortune").by_names.items() if "pair" in names
    )


def faults_of(table: PayTable, game: str, **options: bool) -> list[tuple[str, str]]:
    with pytest.raises(InputError) as refused:
        check_design(table, game, "F", **options)
    return [(fault.code, fault.message) for fault in refused.value.faults]


def test_a_hole_is_refused_and_named(tmp_path: Path) -> None:
    table = design(tmp_path, '{ hand = "full-house", pays = 9 },\n{ hand = "straight", pays = 2 },')
    found = faults_of(table, "fortune")
    assert [code for code, _ in found] == ["paytable-hole"] * 3
    for (_, message), hand in zip(found, ("five aces", "four of a kind", "flush"), strict=True):
        assert f"no line takes a {hand}," in message
    check_design(table, "fortune", "F", allow_holes=True)


def test_a_hole_among_high_cards_is_refused(tmp_path: Path) -> None:
    lines = '{ hand = "eight-high", pays = 9 },\n{ hand = "ten-high", pays = 2 },'
    ((code, message),) = faults_of(design(tmp_path, lines, "insurance", "six-card-fortune"), "six-card-fortune")
    assert (code, "nine-high" in message) == ("paytable-hole", True)


def test_a_hole_of_bad_beat_is_refused(tmp_path: Path) -> None:
    lines = '{ hand = "straight-flush", pays = 9 },\n{ hand = "three-of-a-kind", pays = 2 },'
    found = faults_of(design(tmp_path, lines, "bad_beat", "six-card-poker"), "six-card-poker")
    # Four of a kind and a full house are three of a kind as well, and a flush or straight may be.
    assert [(code, "flush" in message, "straight" in message) for code, message in found] == [
        ("paytable-hole", True, False),
        ("paytable-hole", False, True),
    ]


@pytest.mark.parametrize("table_id", ["TWBB-001", "TWBB-002", "TWBB-003"])
def test_bad_beat_counts_every_pair_of_hands(table_id: str) -> None:
    table = paytable(table_id)
    counts = line_counts(table, "six-card-poker", Sides())
    assert counts is not None
    assert sum(counts.values()) == comb(52, 6) * comb(46, 6)
    by_hand = {line.hand: count for line, count in counts.items() if line}
    # Two straight flushes that do not tie, on either side: the lesser is paid.
    assert by_hand["straight-flush"] == 1_967_920
    check_design(table, "six-card-poker", "F")


def test_bad_beat_lines_are_counted_in_the_table_s_own_order(tmp_path: Path) -> None:
    """Aces over another pair, a losing hand that is both, belongs to the line that stands above."""
    printed = paytable("TWBB-001")
    *better, two_pair, aces = [line.hand for line in printed.lines]
    lines = "\n".join(f'{{ hand = "{hand}", pays = 2 }},' for hand in (*better, aces, two_pair))
    turned = design(tmp_path, lines, "bad_beat", "six-card-poker")
    counts = [line_counts(table, "six-card-poker", Sides()) or {} for table in (printed, turned)]
    by_hand = [{line.hand: count for line, count in found.items() if line} for found in counts]
    moved = by_hand[0][two_pair] - by_hand[1][two_pair]
    assert moved == by_hand[1][aces] - by_hand[0][aces] > 0


@pytest.mark.parametrize(
    ("wager", "game", "hand"),
    [
        ("tiger9", "commission-free-fortune", "ten-high"),
        ("paigowd", "fortune", "pair"),
        ("bad_beat", "six-card-poker", "royal-flush"),
        ("insurance", "six-card-fortune", "six-high"),
    ],
)
def test_a_line_that_no_deal_reaches_is_refused(wager: str, game: str, hand: str, tmp_path: Path) -> None:
    table = design(tmp_path, f'{{ hand = "{hand}", pays = 2 }},', wager, game)
    assert "paytable-dead-line" in [code for code, _ in faults_of(table, game, allow_holes=True)]


def test_a_hand_paid_as_a_lesser_one_is_told(tmp_path: Path) -> None:
    table = design(tmp_path, '{ hand = "straight-flush", pays = 9 },\n{ hand = "three-of-a-kind", pays = 2 },')
    told = {unlisted.hand: unlisted for unlisted in unlisted_hands(table, "fortune")}
    assert told["full-house"].text == "all of them are paid as three of a kind"
    # 201,824 straights are also three of a kind: these are paid so, and the others lose.
    assert told["straight"].text == "of 11,236,028 such hands 98.20% lose and 1.80% are paid as three of a kind"
    assert "straight-flush" not in told
    assert "pair" not in told, "it ranks below every paid hand"
