"""6 Card Fortune Pai Gow Poker Progressive: the wager, its meters, its pay tables and its envy.

The sheet has two editions, for two generations of equipment; what the pure rules demand is the same in both.
"""

from __future__ import annotations

from tests.rules.deals import deal_of
from tests.rules.evaluators import HAND_AS_SET_COUNTS, JOKER_IS_ONLY_AN_ACE, JOKER_IS_WILD
from tests.rules.felt import faults_read, line, play, seat
from tests.rules.harness import rule
from tests.rules.money import (
    ALL_METERS_RESTART,
    DEALER_BRINGS_ENVY,
    FIXED_PAY_STAYS_ON_METER,
    JACKPOTS_LEFT_OUT,
    LOWEST_SEAT_IS_PAID_FIRST,
    METER_DOES_NOT_RESTART,
    ONE_ENVY_A_ROUND,
    OWN_HAND_BRINGS_ENVY,
    SHARE_STAYS_ON_METER,
    STAKE_COMES_BACK_TOO,
)
from tests.rules.six_card import HANDS, ONLOOKER, OTHER_ROYAL, QUEEN_HIGH
from tests.rules.six_card_progressive import (
    METER,
    METER_SEED,
    Progressive,
    check_envy_comes_last_for_every_hand,
    check_fixed_pay_from_tray_or_meter,
    check_fixed_pays,
    check_hands_of_the_regular_game,
    check_highest_wager,
    check_optional,
    check_others_collect_envy,
    check_tenth_comes_off_the_meter,
)
from tests.rules.switches import (
    LIMITS_UNCHECKED,
    NO_DATED_LIMIT,
    WAGERS_UNCHECKED,
    compulsory,
    game_with,
    line_with,
    mode_with,
    resolved_last,
    without_wager,
)

GAME = "six-card-fortune"
TABLES = ("6CFPGPP-2", "6CFPGPP-3", "6CFPGPP-4", "6CFPGPP-5")
TWO_METERS = {"6CFPGPP-3": {"five_aces": 2_000_000, "royal_flush": 700_000}}
TWO_SEEDS = {"6CFPGPP-3": {"five_aces": 400_000, "royal_flush": 100_000}}
PROGRESSIVE = Progressive(
    GAME,
    "6CFPGPP-2",
    regular={"main": 1000},
    meters={**dict.fromkeys(TABLES, METER), **TWO_METERS},
    seeds={**dict.fromkeys(TABLES, METER_SEED), **TWO_SEEDS},
)
won_by, envy_beside = PROGRESSIVE.won_by, PROGRESSIVE.envy_beside


@rule("6cfpgpp/aquarius/1", "6cfpgpp/nexus/1", off=(compulsory("progressive"), without_wager(GAME, "progressive")))
def progressive_is_optional() -> None:
    check_optional(PROGRESSIVE)


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
    for hand, award, after in (
        ("royal-flush", 700_000, {"five_aces": 2_000_000, "royal_flush": 100_000}),
        ("five-aces", 2_000_000, {"five_aces": 400_000, "royal_flush": 700_000}),
    ):
        settled = PROGRESSIVE.settled(PROGRESSIVE.bettor(2, HANDS[hand]), table="6CFPGPP-3")
        assert line(settled, 2, "progressive").returned == award
        assert settled.meters["6CFPGPP-3"] == after


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
    check_hands_of_the_regular_game(PROGRESSIVE, dealt)


@rule("6cfpgpp/aquarius/7", "6cfpgpp/nexus/7", off=JACKPOTS_LEFT_OUT)
def all_wagers_are_resolved_in_one_round() -> None:
    # A royal flush with the ace of clubs low wins against queen-high, which does not qualify for the double down.
    wagers = {"main": 1000, "double_down": 1000, "fortune": 500, "insurance": 100, "progressive": 100}
    settled = play(
        GAME,
        QUEEN_HIGH,
        seat(2, "Ah Kh Qh Jh Th Ac", "Ac", **wagers),
        paytables={"fortune": "6CFPGP-1", "progressive": "6CFPGPP-2"},
        meters=PROGRESSIVE.meters,
        seeds=PROGRESSIVE.seeds,
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
    check_tenth_comes_off_the_meter(PROGRESSIVE, HANDS["royal-flush"])


@rule(
    "6cfpgpp/aquarius/8.b",
    "6cfpgpp/nexus/8.b",
    off=(FIXED_PAY_STAYS_ON_METER, game_with(GAME, fixed_pays_from_meter=False)),
)
def fixed_pays_come_from_tray_or_meter() -> None:
    check_fixed_pay_from_tray_or_meter(PROGRESSIVE, HANDS["straight-flush"], 30_000)


@rule("6cfpgpp/aquarius/8.c", "6cfpgpp/nexus/8.c", off=LOWEST_SEAT_IS_PAID_FIRST)
def farthest_right_is_paid_first() -> None:
    # The right hand gets a tenth of 1,234,567, then the left hand a tenth of the 1,111,111 that are left.
    royals = HANDS["royal-flush"], OTHER_ROYAL
    assert PROGRESSIVE.paid_in_turn(*royals) == (111_111, 123_456, {"main": 1_000_000})
    # Two awards of 100%: the second gets the seed.
    after = {"five_aces": 2_000_000, "royal_flush": 100_000}
    assert PROGRESSIVE.paid_in_turn(*royals, "6CFPGPP-3") == (100_000, 700_000, after)


@rule(
    "6cfpgpp/aquarius/9.a",
    "6cfpgpp/nexus/9.a",
    off=(OWN_HAND_BRINGS_ENVY, DEALER_BRINGS_ENVY, line_with("6CFPGPP-2", "four-of-a-kind", envy=None)),
)
def others_who_made_the_wager_collect_envy() -> None:
    check_others_collect_envy(PROGRESSIVE, "four-of-a-kind", dealer="As Ah Ad Ac 2s 3d", award=15_000, envy=500)


@rule("6cfpgpp/aquarius/9.c", "6cfpgpp/nexus/9.c", off=(ONE_ENVY_A_ROUND, resolved_last(GAME, "progressive")))
def envy_comes_last_and_for_every_hand() -> None:
    # Table 2: $5 for the four of a kind, $50 for the royal flush.
    check_envy_comes_last_for_every_hand(PROGRESSIVE, "four-of-a-kind", envy=500, envy_of_royal=5000)


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
    check_fixed_pays(PROGRESSIVE, PAYS)
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
    check_highest_wager(PROGRESSIVE)
