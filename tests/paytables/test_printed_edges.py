"""Printed edges and hit frequencies recomputed from exact best-hand counts: a mistyped pay would show here.

The counts are those of docs/decisions.md; the ranking tests derive them from whole-domain enumerations. Everything is
a fraction. A printed figure fits if the exact one, rounded or cut off to the printed digits, is the same; the two
that do not are named below as the known discrepancies of the 6 Card Fortune sheet.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from houseway.paytables import PayTable, paytable, paytables

SEVEN_OF_53 = 154_143_080
SIX_OF_53 = 22_957_480
SIX_OF_52 = 20_358_520

# Best hands of seven cards, where three of a kind stands above the straight as the seven-card tables print it.
SEVEN_CARD_COUNTS = {
    "seven-card-straight-flush": 32,
    "royal-flush-royal-match": 72,
    "seven-card-straight-flush-joker": 196,
    "five-aces": 1_128,
    "royal-flush": 26_020,
    "straight-flush": 184_644,
    "four-of-a-kind": 307_472,
    "full-house": 4_188_528,
    "flush": 6_172_088,
    "three-of-a-kind": 7_672_500,
    "straight": 11_034_204,
    "three-pair": 2_862_000,
    "two-pair": 32_691_816,
    "pair": 64_221_960,
    "nine-high": 31_080,
    "ten-high": 248_640,
    "jack-high": 963_480,
    "queen-high": 2_719_500,
    "king-high": 6_386_940,
    "ace-high": 14_430_780,
}

# Best hands of six cards with the joker, the straight above three of a kind.
SIX_CARD_COUNTS = {
    "five-aces": 48,
    "royal-flush": 1_132,
    "straight-flush": 8_248,
    "four-of-a-kind": 19_752,
    "full-house": 196_896,
    "flush": 314_944,
    "straight": 696_228,
    "three-of-a-kind": 853_264,
    "three-pair": 71_280,
    "two-pair": 2_802_672,
    "pair": 10_809_876,
    "eight-high": 12_060,
    "nine-high": 64_320,
    "ten-high": 196_980,
    "jack-high": 470_340,
    "queen-high": 968_820,
    "king-high": 1_804_980,
}

# Best hands of six cards without a joker; two pair includes three pair.
SIX_CARD_POKER_COUNTS = {
    "royal-flush": 188,
    "straight-flush": 1_656,
    "four-of-a-kind": 14_664,
    "full-house": 165_984,
    "flush": 205_792,
    "straight": 361_620,
    "three-of-a-kind": 732_160,
    "two-pair": 2_532_816,
    "pair-of-aces": 751_332,
    "pair": 8_979_408,
}


def edge(table: PayTable, counts: Mapping[str, int], hands: int) -> Fraction:
    """The house's share of a "to 1" wager, without envy."""
    assert table.unit == "to-1"
    loss = Fraction(1)
    for line in table.lines:
        loss -= Fraction(counts[line.hand] * (1 + (line.pays or 0)), hands)
    return loss


def envy_return(table: PayTable, counts: Mapping[str, int], hands: int, wager_cents: int, others: int = 5) -> Fraction:
    """What envy returns on a wager, in shares of it, when that many other players are at the table."""
    total = sum(counts[line.hand] * (line.envy or 0) for line in table.lines)
    return Fraction(others * total, hands * wager_cents)


def hit_frequency(table: PayTable, counts: Mapping[str, int], hands: int) -> Fraction:
    return Fraction(sum(counts[line.hand] for line in table.lines), hands)


def printed(table: PayTable, figure: str) -> str:
    found = table.printed_figure(figure)
    assert found is not None, f"{table.id} prints no {figure}"
    return found.percent_text


def fits(exact: Fraction, percent_text: str) -> bool:
    """Whether a share, rounded or cut off to the printed digits, is the printed percentage."""
    number = percent_text.removesuffix("%")
    scale = 10 ** len(number.partition(".")[2])
    shown = Fraction(number) * scale
    scaled = exact * 100 * scale
    return shown in (int(scaled), round(scaled))


def test_the_counts_fill_their_domains() -> None:
    assert sum(SEVEN_CARD_COUNTS.values()) == SEVEN_OF_53
    assert sum(SIX_CARD_POKER_COUNTS.values()) < SIX_OF_52  # the rest is less than a pair
    assert sum(SIX_CARD_COUNTS.values()) < SIX_OF_53  # the rest is ace high


@pytest.mark.parametrize("number", [1, 2, 3, 4, 6, 7])
def test_fortune_edges_follow_from_the_pays(number: int) -> None:
    table = paytable(f"FPGP-{number}")
    without_envy = edge(table, SEVEN_CARD_COUNTS, SEVEN_OF_53)
    assert fits(without_envy, printed(table, "edge_no_envy"))
    with_envy = without_envy - envy_return(table, SEVEN_CARD_COUNTS, SEVEN_OF_53, wager_cents=500)
    assert fits(with_envy, printed(table, "edge_max_envy"))


@pytest.mark.parametrize("table_id", ["6CFPGP-3", "6CFPGP-INS"])
def test_six_card_edges_follow_from_the_pays(table_id: str) -> None:
    table = paytable(table_id)
    assert fits(edge(table, SIX_CARD_COUNTS, SIX_OF_53), printed(table, "house_advantage"))


def test_the_known_discrepancies_are_exactly_these() -> None:
    first, second = paytable("6CFPGP-1"), paytable("6CFPGP-2")
    no_envy = edge(first, SIX_CARD_COUNTS, SIX_OF_53)
    five_others = no_envy - envy_return(first, SIX_CARD_COUNTS, SIX_OF_53, wager_cents=500)
    exact = edge(second, SIX_CARD_COUNTS, SIX_OF_53)
    assert fits(no_envy, "12.1291%")
    assert fits(five_others, "3.5587%")
    assert fits(exact, "4.0079%")
    assert not any(fits(share, printed(first, "house_advantage")) for share in (no_envy, five_others))
    assert not fits(exact, printed(second, "house_advantage"))


def test_discrepancies_are_said_in_the_notes_of_their_tables_only() -> None:
    noted = {table.id for table in paytables() if any("Discrepancy" in note for note in table.notes)}
    assert noted == {"6CFPGP-1", "6CFPGP-2"}


@pytest.mark.parametrize(
    "table_id",
    ["6CFPGP-1", "6CFPGP-2", "6CFPGP-3", "6CFPGP-INS", "6CFPGPP-2", "6CFPGPP-3", "6CFPGPP-4", "6CFPGPP-5"],
)
def test_six_card_hit_frequencies_follow_from_the_lines(table_id: str) -> None:
    table = paytable(table_id)
    assert fits(hit_frequency(table, SIX_CARD_COUNTS, SIX_OF_53), printed(table, "hit_frequency"))


def test_two_progressive_tables_leave_the_same_share_to_the_meter() -> None:
    """Contribution plus reseed, which nothing prints, is alike for tables 2 and 5 only if both are typed right."""
    second, fifth = (left_for_the_meter(f"6CFPGPP-{number}") for number in (2, 5))
    assert fits(second, "21.84%")
    assert fits(fifth, "21.84%")


def left_for_the_meter(table_id: str) -> Fraction:
    table = paytable(table_id)
    fixed = sum(Fraction(SIX_CARD_COUNTS[line.hand] * (line.pays or 0), SIX_OF_53) for line in table.lines)
    envy = envy_return(table, SIX_CARD_COUNTS, SIX_OF_53, wager_cents=100)
    advantage = table.printed_figure("house_advantage")
    assert advantage is not None
    return 1 - fixed - envy - advantage.fraction


@pytest.mark.parametrize(
    ("table_id", "exact"),
    [
        ("SCP-01", "2.336%"),
        ("SCP-02", "3.297%"),
        ("SCP-03", "4.113%"),
        ("SCP-04", "5.123%"),
        ("SCP-LAYOUT", "14.975%"),
    ],
)
def test_aces_up_edges(table_id: str, exact: str) -> None:
    """The sheet prints no edge for Aces Up (its expected hold is another measure): these are the recorded ones."""
    assert fits(edge(paytable(table_id), SIX_CARD_POKER_COUNTS, SIX_OF_52), exact)


def test_pai_gowd_edges_differ_by_what_their_pays_differ() -> None:
    """Two tables differ in one pay only, so the printed edges give how often that line wins: almost whenever dealt."""
    shares = {hand: Fraction(count, SEVEN_OF_53) for hand, count in SEVEN_CARD_COUNTS.items()}
    one, two, three = (paytable(f"PGD-0{number}").printed_figure("house_advantage") for number in (1, 2, 3))
    assert one is not None
    assert two is not None
    assert three is not None
    king_high_wins = three.fraction - one.fraction
    ten_high_wins = (three.fraction - two.fraction) / 10
    rounding = Fraction(1, 10_000)
    assert shares["king-high"] * Fraction(9, 10) < king_high_wins < shares["king-high"]
    assert shares["ten-high"] * Fraction(9, 10) < ten_high_wins < shares["ten-high"] + rounding / 10
    no_pair = sum(shares[line.hand] for line in paytable("PGD-01").lines)
    frequency = paytable("PGD-01").printed_figure("hit_frequency")
    assert frequency is not None
    assert no_pair * Fraction(9, 10) < frequency.fraction < no_pair
