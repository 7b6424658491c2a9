"""6 Card Fortune Pai Gow Poker Progressive: the wager, its meters, its pay tables and its envy.

The sheet has two editions, for two generations of equipment; what the pure rules demand is the same in both.
"""

from __future__ import annotations

from typing import Any

from houseway.cards import card_texts
from houseway.games import Line, Settlement
from tests.rules.cases_6cfpgp_switches import (
    ALL_METERS_RESTART,
    DEALER_BRINGS_ENVY,
    ONE_ENVY_A_ROUND,
    FIXED_PAY_STAYS_ON_METER,
    HAND_AS_SET_COUNTS,
    HANDS,
    NO_DATED_LIMIT,
    JACKPOTS_LEFT_OUT,
    JOKER_IS_ONLY_AN_ACE,
    JOKER_IS_WILD,
    LIMITS_UNCHECKED,
    LOWEST_SEAT_IS_PAID_FIRST,
    METER_DOES_NOT_RESTART,
    ONLOOKER,
    OWN_HAND_BRINGS_ENVY,
    QUEEN_HIGH,
    SHARE_STAYS_ON_METER,
    STAKE_COMES_BACK_TOO,
    WAGERS_UNCHECKED,
    game_with,
    line_with,
    mode_with,
    compulsory,
    deal_of,
    faults_read,
    resolved_last,
    without_wager,
)
from tests.rules.felt import line, lines, play, refusals, seat
from tests.rules.harness import rule

GAME = "six-card-fortune"
TABLES = ("6CFPGPP-2", "6CFPGPP-3", "6CFPGPP-4", "6CFPGPP-5")
METERS = {
    "6CFPGPP-2": {"main": 1_234_567},
    "6CFPGPP-3": {"five_aces": 2_000_000, "royal_flush": 700_000},
    "6CFPGPP-4": {"main": 1_234_567},
    "6CFPGPP-5": {"main": 1_234_567},
}
SEEDS = {
    "6CFPGPP-2": {"main": 500_000},
    "6CFPGPP-3": {"five_aces": 400_000, "royal_flush": 100_000},
    "6CFPGPP-4": {"main": 500_000},
    "6CFPGPP-5": {"main": 500_000},
}
OTHER_ROYAL = "Ad Kd Qd Jd Td 2h"
"""A royal flush that may sit beside the one of hearts."""


def table_round(
    *seats: dict[str, Any], table: str = "6CFPGPP-2", dealer: str = QUEEN_HIGH, **rest: object
) -> Settlement:
    """A settled round of the progressive with its meters."""
    return play(GAME, dealer, *seats, paytables={"progressive": table}, meters=METERS, seeds=SEEDS, **rest)


def won_by(cards: str, table: str = "6CFPGPP-2", low: str | None = None, stake: int = 100) -> Line:
    """The progressive line of one player."""
    return line(table_round(seat(2, cards, low, main=1000, progressive=stake), table=table), 2, "progressive")


def envy_beside(hand: str, table: str) -> list[int]:
    """The progressive envy of seat 2 when seat 5 holds the hand."""
    settled = table_round(seat(2, ONLOOKER, main=1000, progressive=100), seat(5, HANDS[hand], main=1000), table=table)
    return [found.returned for found in lines(settled, 2, "progressive_envy")]


@rule("6cfpgpp/aquarius/1", "6cfpgpp/nexus/1", off=(compulsory("progressive"), without_wager(GAME, "progressive")))
def progressive_is_optional() -> None:
    with_it, without = seat(2, ONLOOKER, main=1000, progressive=100), seat(2, ONLOOKER, main=1000)
    assert faults_read(GAME, QUEEN_HIGH, with_it, paytables={"progressive": "6CFPGPP-2"}) == set()
    assert faults_read(GAME, QUEEN_HIGH, without, paytables={"progressive": "6CFPGPP-2"}) == set()
    assert lines(table_round(without), 2, "progressive") == []


@rule("6cfpgpp/aquarius/4", "6cfpgpp/nexus/4", off=(WAGERS_UNCHECKED, without_wager(GAME, "insurance")))
def regular_wager_comes_first() -> None:
    def refused(**wagers: int) -> set[str]:
        tables = {"progressive": "6CFPGPP-2", "fortune": "6CFPGP-1"}
        return faults_read(GAME, QUEEN_HIGH, seat(2, ONLOOKER, **wagers), paytables=tables)

    assert refused(progressive=100) == {"missing-first-wager"}
    assert refused(main=1000, progressive=100) == set()
    assert refused(main=1000, fortune=500, insurance=100, progressive=100) == set()


@rule("6cfpgpp/aquarius/2", "6cfpgpp/nexus/2", off=HAND_AS_SET_COUNTS)
def best_hand_of_all_cards_counts() -> None:
    # The player puts the nine of the straight flush low and keeps K-8-7-6-5: 300 for 1 all the same.
    found = won_by("9h 8h 7h 6h 5h Kc", low="9h")
    assert (found.hand, found.returned) == ("straight-flush", 30_000)


@rule("6cfpgpp/aquarius/2.note", "6cfpgpp/nexus/2.note", off=(JOKER_IS_WILD, JOKER_IS_ONLY_AN_ACE))
def joker_is_an_ace_or_completes() -> None:
    for cards, hand, returned in (
        ("Jk 9s 8d 7h 6d 2c", "straight", 300),
        ("Jk Kh 9h 5h 3h 2c", "flush", 600),
        ("Jk 9h 8h 7h 6h 2c", "straight-flush", 30_000),
        ("As Ah Ad Ac Jk 2c", "five-aces", 1_234_567),
        # It is no fourth king: the full house stays one, and three kings stay below the table.
        ("Ks Kh Kd 5c 5h Jk", "full-house", 1500),
        ("Ks Kh Kd 5c 2c Jk", "three-of-a-kind", 0),
    ):
        found = won_by(cards)
        assert (found.hand, found.returned) == (hand, returned), cards


@rule("6cfpgpp/aquarius/3", "6cfpgpp/nexus/3", off=(METER_DOES_NOT_RESTART, ALL_METERS_RESTART))
def only_the_meter_that_was_won_restarts() -> None:
    royal = table_round(seat(2, HANDS["royal-flush"], main=1000, progressive=100), table="6CFPGPP-3")
    assert line(royal, 2, "progressive").returned == 700_000
    assert royal.meters["6CFPGPP-3"] == {"five_aces": 2_000_000, "royal_flush": 100_000}
    aces = table_round(seat(2, HANDS["five-aces"], main=1000, progressive=100), table="6CFPGPP-3")
    assert line(aces, 2, "progressive").returned == 2_000_000
    assert aces.meters["6CFPGPP-3"] == {"five_aces": 400_000, "royal_flush": 700_000}


@rule(
    "6cfpgpp/aquarius/6",
    "6cfpgpp/nexus/6",
    off=(
        game_with(GAME, shuffler_mode="seven-card-packets"),
        mode_with("six-card-packets", packet_size=5),
        mode_with("six-card-packets", every_position=False),
    ),
)
def dealing_is_that_of_the_regular_game() -> None:
    # The regular procedure, at a table with the progressive: seven packets of six, whoever bets what.
    dealt = deal_of(GAME, 3, 1, 4)
    assert [len(packet.cards) for packet in dealt.packets] == [6] * 7
    first, second = (" ".join(card_texts(cards)) for cards in dealt.players.values())
    dealer = " ".join(card_texts(dealt.dealer))
    with_it = table_round(seat(1, first, main=1000, progressive=100), seat(4, second, main=1000), dealer=dealer)
    without = table_round(seat(1, first, main=1000), seat(4, second, main=1000), dealer=dealer)
    assert with_it.dealer == without.dealer
    for number in (1, 4):
        assert with_it.seat(number).hand == without.seat(number).hand
        assert lines(with_it, number, "main") == lines(without, number, "main")


@rule("6cfpgpp/aquarius/7", "6cfpgpp/nexus/7", off=JACKPOTS_LEFT_OUT)
def all_wagers_are_resolved_in_one_round() -> None:
    # A royal flush with the ace of clubs low wins against queen-high, which does not qualify for the double down.
    wagers = {"main": 1000, "double_down": 1000, "fortune": 500, "insurance": 100, "progressive": 100}
    settled = play(
        GAME,
        QUEEN_HIGH,
        seat(2, "Ah Kh Qh Jh Th Ac", "Ac", **wagers),
        paytables={"fortune": "6CFPGP-1", "progressive": "6CFPGPP-2"},
        meters=METERS,
        seeds=SEEDS,
    )
    # The royal flush takes a tenth of the meter, rounded down to the cent.
    assert [(found.wager, found.outcome, found.returned) for found in settled.seat(2).lines] == [
        ("main", "win", 2000),
        ("double_down", "push", 1000),
        ("fortune", "win", 125_500),
        ("insurance", "lose", 0),
        ("progressive", "win", 123_456),
    ]


@rule("6cfpgpp/aquarius/8.a", "6cfpgpp/nexus/8.a", off=SHARE_STAYS_ON_METER)
def percentage_award_comes_off_the_meter() -> None:
    royal = table_round(seat(2, HANDS["royal-flush"], main=1000, progressive=100))
    found = line(royal, 2, "progressive")
    assert (found.returned, found.source) == (123_456, "meter")
    assert royal.meters["6CFPGPP-2"] == {"main": 1_111_111}


@rule(
    "6cfpgpp/aquarius/8.b",
    "6cfpgpp/nexus/8.b",
    off=(FIXED_PAY_STAYS_ON_METER, game_with(GAME, fixed_pays_from_meter=False)),
)
def fixed_pays_come_from_tray_or_meter() -> None:
    player = seat(2, HANDS["straight-flush"], main=1000, progressive=100)
    tray = table_round(player)
    assert (line(tray, 2, "progressive").returned, line(tray, 2, "progressive").source) == (30_000, "tray")
    assert tray.meters["6CFPGPP-2"] == {"main": 1_234_567}
    tables, settings = {"progressive": "6CFPGPP-2"}, {"fixed_pays": "meter"}
    assert refusals(GAME, QUEEN_HIGH, player, paytables=tables, meters=METERS, settings=settings) == set()
    meter = table_round(player, settings=settings)
    assert (line(meter, 2, "progressive").returned, line(meter, 2, "progressive").source) == (30_000, "meter")
    assert meter.meters["6CFPGPP-2"] == {"main": 1_204_567}


@rule("6cfpgpp/aquarius/8.c", "6cfpgpp/nexus/8.c", off=LOWEST_SEAT_IS_PAID_FIRST)
def farthest_right_is_paid_first() -> None:
    # Seats count clockwise from the dealer's left hand, so seat 5 is farther to the right than seat 2.
    seats = (
        seat(2, HANDS["royal-flush"], main=1000, progressive=100),
        seat(5, OTHER_ROYAL, main=1000, progressive=100),
    )
    tenths = table_round(*seats)
    # A tenth of 1,234,567, then a tenth of the 1,111,111 that are left.
    assert [line(tenths, number, "progressive").returned for number in (5, 2)] == [123_456, 111_111]
    assert tenths.meters["6CFPGPP-2"] == {"main": 1_000_000}
    # Two awards of 100%: the second gets the seed.
    whole = table_round(*seats, table="6CFPGPP-3")
    assert [line(whole, number, "progressive").returned for number in (5, 2)] == [700_000, 100_000]
    assert whole.meters["6CFPGPP-3"]["royal_flush"] == 100_000


@rule(
    "6cfpgpp/aquarius/9.a",
    "6cfpgpp/nexus/9.a",
    off=(OWN_HAND_BRINGS_ENVY, DEALER_BRINGS_ENVY, line_with("6CFPGPP-2", "four-of-a-kind", envy=None)),
)
def others_who_made_the_wager_collect_envy() -> None:
    settled = table_round(
        seat(1, "Ks Kd 8s 7d 4h 3h", main=1000, progressive=100),
        seat(2, HANDS["four-of-a-kind"], main=1000, progressive=100),
        seat(4, "Jh Jd Ts 7c 4c 3c", main=1000),
        seat(6, "Kh Qh Jc 8c 6s 5d", main=1000, progressive=100),
        # The dealer's own four of a kind brings nothing.
        dealer="As Ah Ad Ac 2s 3d",
    )
    for number in (1, 6):
        envy = line(settled, number, "progressive_envy")
        assert (envy.returned, envy.stake, envy.trigger) == (500, 0, 2)
    assert lines(settled, 4, "progressive_envy") == []
    assert lines(settled, 2, "progressive_envy") == []
    assert line(settled, 2, "progressive").returned == 15_000


@rule("6cfpgpp/aquarius/9.c", "6cfpgpp/nexus/9.c", off=(ONE_ENVY_A_ROUND, resolved_last(GAME, "progressive")))
def envy_comes_last_and_for_every_hand() -> None:
    settled = table_round(
        seat(1, "Ks Kc 8s 7d 4h 3h", main=1000, progressive=100),
        seat(2, HANDS["four-of-a-kind"], main=1000, progressive=100),
        seat(5, OTHER_ROYAL, main=1000, progressive=100),
    )

    def envies(number: int) -> list[tuple[int | None, int]]:
        return [(found.trigger, found.returned) for found in lines(settled, number, "progressive_envy")]

    # Table 2: $50 for the royal flush at seat 5, $5 for the four of a kind at seat 2; neither envies itself.
    assert sorted(envies(1)) == [(2, 500), (5, 5000)]
    assert envies(2) == [(5, 5000)]
    assert envies(5) == [(2, 500)]
    assert [found.wager for found in settled.seat(1).lines][-2:] == ["progressive_envy", "progressive_envy"]


ENVY = {
    "five-aces": ([10_000], [10_000], [50_000], []),
    "royal-flush": ([5000], [], [10_000], []),
    "straight-flush": ([1000], [], [], []),
    "four-of-a-kind": ([500], [], [], []),
    "full-house": ([], [], [], []),
    "flush": ([], [], [], []),
    "straight": ([], [], [], []),
}
"""The envy of tables 2, 3, 4 and 5, in cents."""


@rule(
    "6cfpgpp/aquarius/9",
    off=(
        line_with("6CFPGPP-5", "five-aces", envy=10_000),
        line_with("6CFPGPP-3", "five-aces", envy=None),
    ),
)
def tables_2_to_4_alone_have_envy() -> None:
    assert [bool(envy_beside("five-aces", table)) for table in TABLES] == [True, True, True, False]


@rule(
    "6cfpgpp/paytables/4",
    off=(
        line_with("6CFPGPP-2", "four-of-a-kind", envy=None),
        line_with("6CFPGPP-3", "royal-flush", envy=5000),
        line_with("6CFPGPP-4", "five-aces", envy=10_000),
        line_with("6CFPGPP-5", "royal-flush", envy=5000),
    ),
)
def envy_amounts_are_as_printed() -> None:
    for hand, envies in ENVY.items():
        assert tuple(envy_beside(hand, table) for table in TABLES) == envies, hand


PAYS = {
    "straight-flush": (300, 100, 100, 300),
    "four-of-a-kind": (150, 75, 75, 150),
    "full-house": (15, 10, 10, 15),
    "flush": (6, 8, 8, 6),
    "straight": (3, 4, 4, 4),
}
"""The fixed pays for 1 of tables 2, 3, 4 and 5."""


@rule(
    "6cfpgpp/paytables/1",
    off=(
        line_with("6CFPGPP-2", "straight", pays=4),
        line_with("6CFPGPP-3", "royal-flush", percent=10),
        line_with("6CFPGPP-4", "royal-flush", percent=100),
        line_with("6CFPGPP-5", "flush", pays=8),
    ),
)
def tables_pay_as_printed() -> None:
    for hand, pays in PAYS.items():
        assert tuple(won_by(HANDS[hand], table).returned for table in TABLES) == tuple(100 * pay for pay in pays), hand
    assert [won_by(HANDS["three-of-a-kind"], table).outcome for table in TABLES] == ["lose"] * 4
    # Five aces: the whole meter. Royal flush: a tenth, but the whole of its own meter in table 3.
    whole = [won_by(HANDS["five-aces"], table).returned for table in TABLES]
    assert whole == [1_234_567, 2_000_000, 1_234_567, 1_234_567]
    royal = [won_by(HANDS["royal-flush"], table).returned for table in TABLES]
    assert royal == [123_456, 700_000, 123_456, 123_456]


@rule("6cfpgpp/paytables/2", off=STAKE_COMES_BACK_TOO)
def fixed_pays_hold_the_stake() -> None:
    # 300 for 1: $300 for a dollar, not $301; a fixed wager of $2 pays double.
    assert won_by(HANDS["straight-flush"]).returned == 30_000
    assert won_by(HANDS["straight-flush"], stake=200).returned == 60_000


@rule(
    "6cfpgpp/paytables/3",
    off=(
        line_with("6CFPGPP-3", "royal-flush", level="five_aces"),
        line_with("6CFPGPP-3", "royal-flush", percent=10),
        line_with("6CFPGPP-3", "five-aces", level="royal_flush"),
    ),
)
def table_3_pays_two_meters_in_full() -> None:
    aces, royal = won_by(HANDS["five-aces"], "6CFPGPP-3"), won_by(HANDS["royal-flush"], "6CFPGPP-3")
    assert (aces.returned, aces.source) == (2_000_000, "meter")
    assert (royal.returned, royal.source) == (700_000, "meter")


@rule("6cfpgpp/limits/1", off=(LIMITS_UNCHECKED, NO_DATED_LIMIT))
def no_wager_above_the_highest_of_the_day() -> None:
    def refused(day: str, stake: int) -> set[str]:
        player = seat(2, ONLOOKER, main=1000, progressive=stake)
        tables, limits = {"progressive": "6CFPGPP-2"}, {"limits": {"as_of": day}}
        return faults_read(GAME, QUEEN_HIGH, player, paytables=tables, settings=limits)

    # $300 in 2022, $400 in 2024.
    assert refused("2022-05-01", 30_000) == set()
    assert refused("2022-05-01", 30_001) == {"over-limit"}
    assert refused("2024-05-01", 30_001) == set()
    assert refused("2024-05-01", 40_001) == {"over-limit"}
