"""Six Card Poker Progressive: the wager, its meter, its pay tables and its envy.

The sheet has two editions, for two generations of equipment; what the pure rules demand is the same in both.
"""

from __future__ import annotations

from typing import Any

from houseway.cards import card_texts
from houseway.games import Line, Settlement
from tests.rules.cases_6cfpgp_switches import (
    DEALER_BRINGS_ENVY,
    ONE_ENVY_A_ROUND,
    FIRST_FIVE_CARDS_COUNT,
    FIXED_PAY_STAYS_ON_METER,
    HANDS,
    NO_DATED_LIMIT,
    JACKPOTS_LEFT_OUT,
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

GAME = "six-card-poker"
TABLES = ("SIXCPP-01", "SIXCPP-02")
METERS = {"SIXCPP-01": {"main": 1_234_567}, "SIXCPP-02": {"main": 1_234_567}}
SEEDS = {"SIXCPP-01": {"main": 500_000}, "SIXCPP-02": {"main": 500_000}}
OTHER_ROYAL = "Ad Kd Qd Jd Td 2h"
OTHER_STRAIGHT_FLUSH = "9d 8d 7d 6d 5d 2h"


def table_round(
    *seats: dict[str, Any], table: str = "SIXCPP-02", dealer: str = QUEEN_HIGH, **rest: object
) -> Settlement:
    """A settled round of the progressive with its meter."""
    return play(GAME, dealer, *seats, paytables={"progressive": table}, meters=METERS, seeds=SEEDS, **rest)


def bettor(number: int, cards: str) -> dict[str, Any]:
    """A player who stays in with an Ante of $5 and has made the progressive wager of $1."""
    return seat(number, cards, ante=500, play=500, progressive=100)


def won_by(cards: str, table: str = "SIXCPP-02") -> Line:
    """The progressive line of one player."""
    return line(table_round(bettor(2, cards), table=table), 2, "progressive")


def envy_beside(hand: str, table: str, **rest: object) -> list[int]:
    """The progressive envy of seat 2 when seat 5, without the wager, holds the hand."""
    settled = table_round(bettor(2, ONLOOKER), seat(5, HANDS[hand], ante=500, play=500), table=table, **rest)
    return [found.returned for found in lines(settled, 2, "progressive_envy")]


@rule("scpp/aquarius/1", "scpp/nexus/1", off=(compulsory("progressive"), without_wager(GAME, "progressive")))
def progressive_is_optional() -> None:
    without = seat(2, ONLOOKER, ante=500, play=500)
    assert faults_read(GAME, QUEEN_HIGH, bettor(2, ONLOOKER), paytables={"progressive": "SIXCPP-02"}) == set()
    assert faults_read(GAME, QUEEN_HIGH, without, paytables={"progressive": "SIXCPP-02"}) == set()
    assert lines(table_round(without), 2, "progressive") == []


@rule("scpp/aquarius/4", "scpp/nexus/4", off=(WAGERS_UNCHECKED, without_wager(GAME, "bad_beat")))
def regular_wager_comes_first() -> None:
    def refused(**wagers: int) -> set[str]:
        all_tables = {"progressive": "SIXCPP-02", "aces_up": "SCP-01", "bad_beat": "TWBB-001"}
        tables = {name: table for name, table in all_tables.items() if name in wagers}
        return faults_read(GAME, QUEEN_HIGH, seat(2, ONLOOKER, **wagers), paytables=tables)

    assert refused(progressive=100) == {"missing-first-wager"}
    assert refused(ante=500, play=500, progressive=100) == set()
    assert refused(ante=500, play=500, aces_up=100, bad_beat=100, progressive=100) == set()


@rule("scpp/aquarius/2", "scpp/nexus/2", off=FIRST_FIVE_CARDS_COUNT)
def best_hand_of_all_cards_counts() -> None:
    # The sixth card makes the flush, 15 for 1; a fold does not take the wager back.
    cards = "Kh Jh 9h 5c 3h 2h"
    assert (won_by(cards).hand, won_by(cards).returned) == ("flush", 1500)
    folded = table_round(seat(2, cards, fold=True, ante=500, progressive=100))
    assert line(folded, 2, "progressive").returned == 1500


@rule("scpp/aquarius/3", "scpp/nexus/3", off=METER_DOES_NOT_RESTART)
def meter_restarts_at_its_seed() -> None:
    settled = table_round(bettor(2, HANDS["royal-flush"]))
    assert line(settled, 2, "progressive").returned == 1_234_567
    assert settled.meters["SIXCPP-02"] == {"main": 500_000}


@rule(
    "scpp/aquarius/6",
    "scpp/nexus/6",
    off=(game_with(GAME, shuffler_mode="six-card-packets"), mode_with(GAME, packet_size=5)),
)
def dealing_is_that_of_the_regular_game() -> None:
    # The regular procedure, at a table with the progressive: six cards to seats 1 and 4, then to the dealer.
    dealt = deal_of(GAME, 3, 1, 4)
    assert [(packet.place, len(packet.cards)) for packet in dealt.packets] == [(1, 6), (4, 6), (0, 6)]
    first, second = (" ".join(card_texts(cards)) for cards in dealt.players.values())
    dealer, other = " ".join(card_texts(dealt.dealer)), seat(4, second, ante=500, play=500)
    with_it = table_round(bettor(1, first), other, dealer=dealer)
    without = table_round(seat(1, first, ante=500, play=500), other, dealer=dealer)
    assert with_it.dealer == without.dealer
    for number in (1, 4):
        assert with_it.seat(number).hand == without.seat(number).hand
        for wager in ("ante", "play"):
            assert lines(with_it, number, wager) == lines(without, number, wager)


@rule("scpp/aquarius/7", "scpp/nexus/7", off=JACKPOTS_LEFT_OUT)
def all_wagers_are_resolved_in_one_round() -> None:
    settled = play(
        GAME,
        "As Ad Kd 6c 4s 3d",
        seat(2, HANDS["straight-flush"], ante=500, play=500, aces_up=100, bad_beat=100, progressive=100),
        paytables={"aces_up": "SCP-01", "bad_beat": "TWBB-001", "progressive": "SIXCPP-02"},
        meters=METERS,
    )
    # The dealer's aces lose, 9 to 1 on Bad Beat; the straight flush takes a tenth of the meter, down to the cent.
    assert [(found.wager, found.outcome, found.returned) for found in settled.seat(2).lines] == [
        ("ante", "win", 1000),
        ("play", "win", 1000),
        ("aces_up", "win", 10_100),
        ("bad_beat", "win", 1000),
        ("progressive", "win", 123_456),
    ]


@rule("scpp/aquarius/8.a", "scpp/nexus/8.a", off=SHARE_STAYS_ON_METER)
def percentage_award_comes_off_the_meter() -> None:
    settled = table_round(bettor(2, HANDS["straight-flush"]))
    found = line(settled, 2, "progressive")
    assert (found.returned, found.source) == (123_456, "meter")
    assert settled.meters["SIXCPP-02"] == {"main": 1_111_111}


@rule(
    "scpp/aquarius/8.b",
    "scpp/nexus/8.b",
    off=(FIXED_PAY_STAYS_ON_METER, game_with(GAME, fixed_pays_from_meter=False)),
)
def fixed_pays_come_from_tray_or_meter() -> None:
    player = bettor(2, HANDS["four-of-a-kind"])
    tray = table_round(player)
    assert (line(tray, 2, "progressive").returned, line(tray, 2, "progressive").source) == (10_000, "tray")
    assert tray.meters["SIXCPP-02"] == {"main": 1_234_567}
    tables, settings = {"progressive": "SIXCPP-02"}, {"fixed_pays": "meter"}
    assert refusals(GAME, QUEEN_HIGH, player, paytables=tables, meters=METERS, settings=settings) == set()
    meter = table_round(player, settings=settings)
    assert (line(meter, 2, "progressive").returned, line(meter, 2, "progressive").source) == (10_000, "meter")
    assert meter.meters["SIXCPP-02"] == {"main": 1_224_567}


@rule("scpp/aquarius/8.c", "scpp/nexus/8.c", off=LOWEST_SEAT_IS_PAID_FIRST)
def farthest_right_is_paid_first() -> None:
    # Seats count clockwise from the dealer's left hand, so seat 7 is farther to the right than seat 2.
    tenths = table_round(bettor(2, HANDS["straight-flush"]), bettor(7, OTHER_STRAIGHT_FLUSH))
    # A tenth of 1,234,567, then a tenth of the 1,111,111 that are left.
    assert [line(tenths, number, "progressive").returned for number in (7, 2)] == [123_456, 111_111]
    assert tenths.meters["SIXCPP-02"] == {"main": 1_000_000}
    # Two awards of 100%: the second gets the seed.
    whole = table_round(bettor(2, HANDS["royal-flush"]), bettor(7, OTHER_ROYAL))
    assert [line(whole, number, "progressive").returned for number in (7, 2)] == [1_234_567, 500_000]
    assert whole.meters["SIXCPP-02"] == {"main": 500_000}


@rule(
    "scpp/aquarius/9.a",
    "scpp/nexus/9.a",
    off=(OWN_HAND_BRINGS_ENVY, DEALER_BRINGS_ENVY, line_with("SIXCPP-02", "straight-flush", envy=None)),
)
def others_who_made_the_wager_collect_envy() -> None:
    settled = table_round(
        bettor(1, "Ks Kd 8s 7d 4h 3h"),
        bettor(2, HANDS["straight-flush"]),
        seat(4, "Jh Jd Ts 7s 4s 3s", ante=500, play=500),
        bettor(6, "Ah Qh Js 8d 6s 5s"),
        # The dealer's own straight flush brings nothing.
        dealer="Kc Qc Jc Tc 9c 2s",
    )
    for number in (1, 6):
        envy = line(settled, number, "progressive_envy")
        assert (envy.returned, envy.stake, envy.trigger) == (1000, 0, 2)
    assert lines(settled, 4, "progressive_envy") == []
    assert lines(settled, 2, "progressive_envy") == []
    assert line(settled, 2, "progressive").returned == 123_456


@rule("scpp/aquarius/9.c", "scpp/nexus/9.c", off=(ONE_ENVY_A_ROUND, resolved_last(GAME, "progressive")))
def envy_comes_last_and_for_every_hand() -> None:
    settled = table_round(bettor(1, "Ks Kc 8s 7c 4h 3h"), bettor(2, HANDS["straight-flush"]), bettor(5, OTHER_ROYAL))

    def envies(number: int) -> list[tuple[int | None, int]]:
        return [(found.trigger, found.returned) for found in lines(settled, number, "progressive_envy")]

    # $100 for the royal flush at seat 5, $10 for the straight flush at seat 2; neither envies itself.
    assert sorted(envies(1)) == [(2, 1000), (5, 10_000)]
    assert envies(2) == [(5, 10_000)]
    assert envies(5) == [(2, 1000)]
    assert [found.wager for found in settled.seat(1).lines][-2:] == ["progressive_envy", "progressive_envy"]


PAYS = {"four-of-a-kind": (100, 100), "full-house": (25, 20), "flush": (15, 15), "straight": (0, 9)}
"""The fixed pays for 1 of SIXCPP-01 and SIXCPP-02."""


@rule(
    "scpp/paytables/1",
    off=(
        line_with("SIXCPP-01", "full-house", pays=20),
        line_with("SIXCPP-02", "straight", pays=8),
        line_with("SIXCPP-01", "straight-flush", percent=100),
        line_with("SIXCPP-02", "royal-flush", percent=10),
    ),
)
def tables_pay_as_printed() -> None:
    for hand, pays in PAYS.items():
        assert tuple(won_by(HANDS[hand], table).returned for table in TABLES) == tuple(100 * pay for pay in pays), hand
    for table in TABLES:
        assert won_by(HANDS["royal-flush"], table).returned == 1_234_567
        assert won_by(HANDS["straight-flush"], table).returned == 123_456
        assert won_by(HANDS["three-of-a-kind"], table).outcome == "lose"


@rule("scpp/paytables/2", off=STAKE_COMES_BACK_TOO)
def fixed_pays_hold_the_stake() -> None:
    # 100 for 1: $100 for a dollar, not $101; a fixed wager of $5 pays five times that.
    assert won_by(HANDS["four-of-a-kind"]).returned == 10_000
    larger = table_round(seat(2, HANDS["four-of-a-kind"], ante=500, play=500, progressive=500))
    assert line(larger, 2, "progressive").returned == 50_000


@rule(
    "scpp/paytables/3",
    off=(
        line_with("SIXCPP-02", "royal-flush", envy=None),
        line_with("SIXCPP-02", "four-of-a-kind", envy=500),
        line_with("SIXCPP-01", "straight-flush", envy=1000),
    ),
)
def envy_column_belongs_to_the_second_table() -> None:
    for hand, envy in (("royal-flush", [10_000]), ("straight-flush", [1000]), ("four-of-a-kind", []), ("straight", [])):
        assert envy_beside(hand, "SIXCPP-02") == envy, hand
        # The one column stands right of both tables: the first has it only where a room reads it so.
        assert envy_beside(hand, "SIXCPP-01") == [], hand
        assert envy_beside(hand, "SIXCPP-01", settings={"sixcpp01_envy": True}) == envy, hand


@rule("scpp/limits/1", off=(LIMITS_UNCHECKED, NO_DATED_LIMIT))
def no_wager_above_the_highest_of_the_day() -> None:
    def refused(day: str, stake: int) -> set[str]:
        player = seat(2, ONLOOKER, ante=500, play=500, progressive=stake)
        tables, limits = {"progressive": "SIXCPP-02"}, {"limits": {"as_of": day}}
        return faults_read(GAME, QUEEN_HIGH, player, paytables=tables, settings=limits)

    # $300 in 2022, $400 in 2024.
    assert refused("2022-05-01", 30_000) == set()
    assert refused("2022-05-01", 30_001) == {"over-limit"}
    assert refused("2024-05-01", 30_001) == set()
    assert refused("2024-05-01", 40_001) == {"over-limit"}
