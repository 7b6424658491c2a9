"""Six Card Poker Progressive: the wager, its meter, its pay tables and its envy.

The sheet has two editions, for two generations of equipment; what the pure rules demand is the same in both.
"""

from __future__ import annotations

from tests.rules.deals import deal_of
from tests.rules.evaluators import FIRST_FIVE_CARDS_COUNT
from tests.rules.felt import faults_read, line, play, seat
from tests.rules.harness import rule
from tests.rules.money import (
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

GAME = "six-card-poker"
TABLES = ("SIXCPP-01", "SIXCPP-02")
PROGRESSIVE = Progressive(
    GAME,
    "SIXCPP-02",
    regular={"ante": 500, "play": 500},
    meters=dict.fromkeys(TABLES, METER),
    seeds=dict.fromkeys(TABLES, METER_SEED),
)
OTHER_STRAIGHT_FLUSH = "9d 8d 7d 6d 5d 2h"
won_by, envy_beside = PROGRESSIVE.won_by, PROGRESSIVE.envy_beside


@rule("scpp/aquarius/1", "scpp/nexus/1", off=(compulsory("progressive"), without_wager(GAME, "progressive")))
def progressive_is_optional() -> None:
    check_optional(PROGRESSIVE)


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
    folded = PROGRESSIVE.settled(seat(2, cards, fold=True, ante=500, progressive=100))
    assert line(folded, 2, "progressive").returned == 1500


@rule("scpp/aquarius/3", "scpp/nexus/3", off=METER_DOES_NOT_RESTART)
def meter_restarts_at_its_seed() -> None:
    settled = PROGRESSIVE.settled(PROGRESSIVE.bettor(2, HANDS["royal-flush"]))
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
    check_hands_of_the_regular_game(PROGRESSIVE, dealt)


@rule("scpp/aquarius/7", "scpp/nexus/7", off=JACKPOTS_LEFT_OUT)
def all_wagers_are_resolved_in_one_round() -> None:
    settled = play(
        GAME,
        "As Ad Kd 6c 4s 3d",
        seat(2, HANDS["straight-flush"], ante=500, play=500, aces_up=100, bad_beat=100, progressive=100),
        paytables={"aces_up": "SCP-01", "bad_beat": "TWBB-001", "progressive": "SIXCPP-02"},
        meters=PROGRESSIVE.meters,
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
    check_tenth_comes_off_the_meter(PROGRESSIVE, HANDS["straight-flush"])


@rule(
    "scpp/aquarius/8.b",
    "scpp/nexus/8.b",
    off=(FIXED_PAY_STAYS_ON_METER, game_with(GAME, fixed_pays_from_meter=False)),
)
def fixed_pays_come_from_tray_or_meter() -> None:
    check_fixed_pay_from_tray_or_meter(PROGRESSIVE, HANDS["four-of-a-kind"], 10_000)


@rule("scpp/aquarius/8.c", "scpp/nexus/8.c", off=LOWEST_SEAT_IS_PAID_FIRST)
def farthest_right_is_paid_first() -> None:
    # The right hand gets a tenth of 1,234,567, then the left hand a tenth of the 1,111,111 that are left.
    tenths = PROGRESSIVE.paid_in_turn(HANDS["straight-flush"], OTHER_STRAIGHT_FLUSH)
    assert tenths == (111_111, 123_456, {"main": 1_000_000})
    # Two awards of 100%: the second gets the seed.
    assert PROGRESSIVE.paid_in_turn(HANDS["royal-flush"], OTHER_ROYAL) == (500_000, 1_234_567, {"main": 500_000})


@rule(
    "scpp/aquarius/9.a",
    "scpp/nexus/9.a",
    off=(OWN_HAND_BRINGS_ENVY, DEALER_BRINGS_ENVY, line_with("SIXCPP-02", "straight-flush", envy=None)),
)
def others_who_made_the_wager_collect_envy() -> None:
    check_others_collect_envy(PROGRESSIVE, "straight-flush", dealer="Kc Qc Jc Tc 9c 2s", award=123_456, envy=1000)


@rule("scpp/aquarius/9.c", "scpp/nexus/9.c", off=(ONE_ENVY_A_ROUND, resolved_last(GAME, "progressive")))
def envy_comes_last_and_for_every_hand() -> None:
    # $10 for the straight flush, $100 for the royal flush.
    check_envy_comes_last_for_every_hand(PROGRESSIVE, "straight-flush", envy=1000, envy_of_royal=10_000)


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
    check_fixed_pays(PROGRESSIVE, PAYS)
    for table in TABLES:
        assert won_by(HANDS["royal-flush"], table).returned == 1_234_567
        assert won_by(HANDS["straight-flush"], table).returned == 123_456


@rule("scpp/paytables/2", off=STAKE_COMES_BACK_TOO)
def fixed_pays_hold_the_stake() -> None:
    # 100 for 1: $100 for a dollar, not $101; a fixed wager of $5 pays five times that.
    assert won_by(HANDS["four-of-a-kind"]).returned == 10_000
    assert won_by(HANDS["four-of-a-kind"], stake=500).returned == 50_000


@rule(
    "scpp/paytables/3",
    off=(
        line_with("SIXCPP-02", "royal-flush", envy=None),
        line_with("SIXCPP-02", "four-of-a-kind", envy=500),
        line_with("SIXCPP-01", "straight-flush", envy=None),
    ),
)
def envy_column_belongs_to_both_tables() -> None:
    for hand, envy in (("royal-flush", [10_000]), ("straight-flush", [1000]), ("four-of-a-kind", []), ("straight", [])):
        assert envy_beside(hand, "SIXCPP-02") == envy, hand
        # The one column stands right of both tables, and rule 9.a names none: a room may read it otherwise.
        assert envy_beside(hand, "SIXCPP-01") == envy, hand
        assert envy_beside(hand, "SIXCPP-01", settings={"shared_envy": False}) == [], hand


@rule("scpp/limits/1", off=(LIMITS_UNCHECKED, NO_DATED_LIMIT))
def no_wager_above_the_highest_of_the_day() -> None:
    check_highest_wager(PROGRESSIVE)
