"""Cases of the Fortune Pai Gow Poker rule sheet: the Fortune bonus, envy, and its six pay tables."""

from __future__ import annotations

from dataclasses import replace

from houseway.cards import DECK_53
from houseway.cards.shuffler import deal
from houseway.games.bonus import apply_aggregate_limit
from houseway.games.model import Contest, Hand, Look, Settlement, pushed
from houseway.paytables import PayTable, paytable
from tests.rules.felt import line, lines, play, refusals, seat
from tests.rules.harness import replaced, rule
from tests.rules.seven_card import (
    DEALER_BRINGS_ENVY,
    DECK_AND_JOKER,
    ENVY_AT_ANY_STAKE,
    ENVY_FOR_ANY_PAID_HAND,
    NO_DATED_LIMIT,
    NO_NUMBER_OF_GAMES,
    NO_SHOE,
    NO_SHUFFLE,
    ONE_ENVY_A_ROUND,
    ONLY_THE_SEATED,
    OWN_HAND_BRINGS_ENVY,
    PACKETS_OF_SIX,
    SEED,
    SEVEN_CARD,
    check_deck_and_joker,
    check_seven_packets_of_seven,
    deal_from_shoe,
    in_settle,
    line_with,
    mode_of,
    not_offered,
    required,
    resolved_last,
    table_with,
    wager_with,
)

TABLE_1 = {"fortune": "FPGP-1"}
# Fits no line of any Fortune table; the dealer of most cases has a pair of queens and no more.
DEALER = "Qs Qd Jc 9d 7h 5c 2d"
PAIR = "Ts Td As 6c 5s 3d 2c"
OTHER_PAIR = "Jh Jd 9c 6d 5h 3c 2s"
QUADS = "8s 8h 8d 8c 4s 3h 2h"
FULL_HOUSE = "Ks Kd Kc 4h 4d 9s 5d"
STRAIGHT_FLUSH = "Kh Qh Th 9h Jh 7c 4c"
DEALER_QUADS = "7s 7h 7d 7c Ah Kh 4c"


def envy(settled: Settlement, number: int) -> dict[int | None, int]:
    """What a seat collects as envy: cents by the seat that brought it."""
    return {each.trigger: each.returned for each in lines(settled, number, "fortune_envy")}


def look_at_the_high_hand(contest: Contest, hand: Hand) -> Look:
    """The bonus judged by the five cards that were set as the high hand."""
    return Look(contest.evaluator.names_fitted(hand.high, contest.ranking), hand.high_name)


# General conditions


@rule("fpgp/general/2", off=NO_DATED_LIMIT)
def no_wager_is_above_the_highest_amount_of_the_day() -> None:
    for day, most in (("2018-10-18", 300_00), ("2023-06-14", 300_00), ("2023-09-01", 400_00)):
        settings = {"limits": {"as_of": day}}
        for game_id in ("fortune", "commission-free-fortune"):
            for over_main, over_bonus, refused in ((0, 0, set()), (1, 0, {"over-limit"}), (0, 1, {"over-limit"})):
                bets = seat(1, PAIR, main=most + over_main, fortune=most + over_bonus)
                assert refusals(game_id, DEALER, bets, paytables=TABLE_1, settings=settings) == refused


@rule("fpgp/general/3", off=NO_NUMBER_OF_GAMES)
def a_player_bets_on_four_games_at_most() -> None:
    tables = {**TABLE_1, "paigowd": "PGD-01", "progressive": "FPGPP-WA07", "progressive2": "FPGPP-WA03"}
    four = {"main": 1000, "fortune": 500, "paigowd": 500, "progressive": 100}
    settings = {"limits": {"as_of": "2018-10-18"}}
    assert refusals("fortune", DEALER, seat(1, PAIR, **four), paytables=tables, settings=settings) == set()
    five = seat(1, PAIR, **four, progressive2=100)
    assert refusals("fortune", DEALER, five, paytables=tables, settings=settings) == {"too-many-games"}
    # The edition of June 14, 2023 sets no number.
    later = {"limits": {"as_of": "2023-06-14"}}
    assert refusals("fortune", DEALER, five, paytables=tables, settings=later) == set()


@rule("fpgp/general/4", "pgd/general/3", "cffpgp/general/4", "fpgpp/general/6", off=(NO_SHUFFLE, NO_SHOE))
def a_machine_shuffles_or_a_shoe_holds_the_dealers_shuffle() -> None:
    for game_id in SEVEN_CARD:
        by_machine = deal(mode_of(game_id), SEED)
        assert sorted(by_machine.order) == sorted(DECK_53)
        assert by_machine.order != DECK_53
        backwards = DECK_53[::-1]
        by_hand = deal_from_shoe(game_id, backwards, start_position=1)
        assert by_hand is not None
        assert by_hand.order == backwards


# Rules of play


@rule("fpgp/rules/1", off=(*DECK_AND_JOKER, required("fortune")))
def the_bonus_is_optional_and_the_joker_is_an_ace_or_completes_a_hand() -> None:
    assert refusals("fortune", DEALER, seat(1, PAIR, main=1000)) == set()
    check_deck_and_joker("fortune")


@rule("fpgp/rules/2", off=wager_with("fortune", "fortune", look=look_at_the_high_hand))
def the_bonus_looks_at_the_best_of_all_seven_cards() -> None:
    # Set as three kings behind a pair of fours, the seven cards are a full house all the same: 5 to 1.
    split = seat(1, FULL_HOUSE, "4h 4d", main=1000, fortune=1000)
    bonus = line(play("fortune", DEALER, split, paytables=TABLE_1), 1, "fortune")
    assert (bonus.hand, bonus.returned) == ("full-house", 6000)
    assert refusals("fortune", DEALER, split, paytables={"fortune": "6CFPGP-1"}) == {"wrong-paytable"}
    assert refusals("fortune", DEALER, split) == {"missing-paytable"}


@rule("fpgp/rules/3", off=(ENVY_AT_ANY_STAKE, ENVY_FOR_ANY_PAID_HAND, OWN_HAND_BRINGS_ENVY, DEALER_BRINGS_ENVY))
def five_dollars_collect_envy_for_four_of_a_kind_of_another_player() -> None:
    settled = play(
        "fortune",
        DEALER,
        seat(1, PAIR, main=1000, fortune=500),
        seat(2, QUADS, main=1000, fortune=500),
        seat(3, OTHER_PAIR, main=1000, fortune=499),
        seat(4, FULL_HOUSE, main=1000),
        paytables=TABLE_1,
    )
    assert envy(settled, 1) == {2: 500}  # $5 for the four eights, nothing for the full house
    assert envy(settled, 2) == {}  # one's own four of a kind
    assert envy(settled, 3) == {}  # a bonus below $5
    assert line(settled, 3, "fortune").stake == 499  # which is a bet all the same
    dealer_holds_it = play("fortune", DEALER_QUADS, seat(1, PAIR, main=1000, fortune=500), paytables=TABLE_1)
    assert envy(dealer_holds_it, 1) == {}


@rule("fpgp/rules/4", off=(required("fortune"), not_offered("fortune", "fortune")))
def the_standard_wager_comes_first_and_the_bonus_may_be_added() -> None:
    assert refusals("fortune", DEALER, seat(1, PAIR, main=1000)) == set()
    assert refusals("fortune", DEALER, seat(1, PAIR, main=1000, fortune=500), paytables=TABLE_1) == set()
    assert refusals("fortune", DEALER, seat(1, PAIR, fortune=500), paytables=TABLE_1) == {"missing-first-wager"}


@rule("fpgp/rules/5", off=(PACKETS_OF_SIX, ONLY_THE_SEATED))
def seven_packets_of_seven_go_round_the_table() -> None:
    check_seven_packets_of_seven("fortune")


@rule("fpgp/rules/6", off=resolved_last("fortune", "fortune"))
def the_bonus_is_resolved_with_the_standard_wager_before_envy() -> None:
    seats = seat(1, PAIR, main=1000, fortune=500), seat(2, QUADS, main=1000)
    settled = play("fortune", DEALER, *seats, paytables=TABLE_1)
    assert [each.wager for each in settled.seat(1).lines] == ["main", "fortune", "fortune_envy"]


@rule("fpgp/rules/6.a", off=replaced("houseway.games.tables.paytable", lambda asked: paytable("FPGP-1")))
def a_hand_that_qualifies_is_paid_by_the_posted_table() -> None:
    # Four of a kind: 20 to 1 by table 1, 25 to 1 by table 2.
    for table_id, returned in (("FPGP-1", 21000), ("FPGP-2", 26000)):
        bets = seat(1, QUADS, main=1000, fortune=1000)
        bonus = line(play("fortune", DEALER, bets, paytables={"fortune": table_id}), 1, "fortune")
        assert (bonus.outcome, bonus.returned, bonus.clause) == ("win", returned, "fpgp/rules/6.a")


ENVY_UNDER_THE_CAP = in_settle(
    "apply_aggregate_limit",
    lambda limit, results, wagers: apply_aggregate_limit(limit, results, wagers | {"fortune_envy"}),
)
NO_CAP = in_settle("apply_aggregate_limit", lambda limit, results, wagers: None)


def check_cap(game_id: str) -> None:
    """By table 1 four of a kind wins 20 x $10 and a straight flush 50 x $20; they bring others $5 and $10 of envy."""
    seats = (
        seat(1, QUADS, main=1000, fortune=1000),
        seat(2, STRAIGHT_FLUSH, main=1000, fortune=2000),
        seat(3, PAIR, main=1000, fortune=500),
    )
    for per, cents, first, second in (
        ("hand", 100_00, 1000 + 100_00, 2000 + 100_00),  # each hand wins $100 at most
        ("hand", 500_00, 1000 + 200_00, 2000 + 500_00),
        ("round", 900_00, 1000 + 150_00, 2000 + 750_00),  # $900 shared as 200 to 1,000
        ("round", 1200_00, 1000 + 200_00, 2000 + 1000_00),  # just enough for both
    ):
        settings = {"aggregate_limit": {"per": per, "cents": cents}}
        settled = play(game_id, DEALER, *seats, paytables=TABLE_1, settings=settings)
        assert envy(settled, 1) == {2: 1000}
        assert envy(settled, 2) == {1: 500}
        assert envy(settled, 3) == {1: 500, 2: 1000}
        assert line(settled, 1, "fortune").returned == first
        assert line(settled, 2, "fortune").returned == second


@rule("fpgp/rules/6.a.i", off=(NO_CAP, ENVY_UNDER_THE_CAP))
def a_cap_on_hand_or_round_leaves_envy_alone() -> None:
    check_cap("fortune")


UNPAID_GOES_BACK = replaced("houseway.games.bonus.lost", pushed)


@rule("fpgp/rules/6.b", off=UNPAID_GOES_BACK)
def a_hand_that_does_not_qualify_loses_the_bonus() -> None:
    for cards in (PAIR, "Ts Td 6c 6s 5s 3d 2c"):
        bonus = line(play("fortune", DEALER, seat(1, cards, main=1000, fortune=500), paytables=TABLE_1), 1, "fortune")
        assert (bonus.outcome, bonus.returned, bonus.clause) == ("lose", 0, "fpgp/rules/6.b")


def check_envy_for_every_hand(game_id: str, clause: str) -> None:
    """Two hands bring envy by table 1, $5 and $10; two players are entitled to it, one of them by one hand only."""
    settled = play(
        game_id,
        DEALER,
        seat(1, PAIR, main=1000, fortune=500),
        seat(2, QUADS, main=1000),
        seat(3, STRAIGHT_FLUSH, main=1000, fortune=500),
        paytables=TABLE_1,
    )
    assert envy(settled, 1) == {2: 500, 3: 1000}
    assert envy(settled, 2) == {}
    assert envy(settled, 3) == {2: 500}
    assert [each.wager for each in settled.seat(1).lines][-2:] == ["fortune_envy", "fortune_envy"]
    assert {each.clause for each in lines(settled, 1, "fortune_envy")} == {clause}


@rule("fpgp/rules/7", off=(ONE_ENVY_A_ROUND, resolved_last("fortune", "fortune")))
def every_hand_of_four_of_a_kind_or_better_pays_envy_at_the_end() -> None:
    check_envy_for_every_hand("fortune", "fpgp/rules/7")


def check_no_envy_for_own_hand_or_dealer(game_id: str) -> None:
    """Player and dealer hold four of a kind, and neither brings that player envy."""
    settled = play(game_id, DEALER_QUADS, seat(1, QUADS, main=1000, fortune=500), paytables=TABLE_1)
    assert envy(settled, 1) == {}


@rule("fpgp/rules/7.a", off=(OWN_HAND_BRINGS_ENVY, DEALER_BRINGS_ENVY))
def ones_own_hand_and_the_dealers_bring_no_envy() -> None:
    check_no_envy_for_own_hand_or_dealer("fortune")


# Pay tables

# Seven cards for each line from the top of a Fortune table to its straight.
HANDS = {
    "seven-card-straight-flush": "2h 3h 4h 5h 6h 7h 8h",
    "royal-flush-royal-match": "As Ks Qs Js Ts Kd Qd",
    "seven-card-straight-flush-joker": "Jk 3h 4h 5h 6h 7h 8h",
    "five-aces": "Jk As Ah Ad Ac 9h 4c",
    "royal-flush": "As Ks Qs Js Ts 9h 4c",
    "straight-flush": "9h 8h 7h 6h 5h Kd 2c",
    "four-of-a-kind": "8s 8h 8d 8c Kd 5h 2c",
    "full-house": "Ks Kh Kd 5h 5s 9h 2c",
    "flush": "Kh Jh 9h 5h 3h 8s 2c",
    "three-of-a-kind": "9s 9h 9d Kd Jh 5s 2c",
    "straight": "9h 8s 7h 6d 5c Kd 2c",
}
# A dealer and a second player who hold none of these cards.
HANDS_DEALER = "Tc Td Qc Jc 4d 3c 6s"
NOTHING = "Th Jd Qh 7d 4s 3d 2d"
# As printed: the pays to 1 of those lines, and the envy in dollars of the lines from the top to four of a kind.
PRINTED = {
    "FPGP-1": ((5000, 1000, 750, 250, 100, 50, 20, 5, 4, 3, 2), (1000, 250, 100, 50, 25, 10, 5)),
    "FPGP-2": ((8000, 2000, 1000, 400, 150, 50, 25, 5, 4, 3, 2), (5000, 1000, 500, 250, 50, 20, 5)),
    "FPGP-3": ((5000, 2000, 1000, 400, 150, 50, 25, 5, 4, 3, 2), (3000, 1000, 500, 250, 50, 20, 5)),
    "FPGP-4": ((2500, 1000, 750, 250, 125, 50, 25, 5, 4, 3, 2), (1000, 750, 250, 100, 50, 20, 5)),
    "FPGP-6": ((5000, 1000, 500, 300, 110, 45, 25, 5, 4, 3, 2), (2500, 500, 250, 150, 55, 25, 6)),
    "FPGP-7": ((5000, 2000, 1000, 400, 150, 50, 25, 5, 4, 3, 2), (2500, 500, 250, 150, 55, 25, 6)),
}


def check_printed_table(game_id: str, table_id: str) -> None:
    """Every line pays $1 at its odds, and brings another player's $5 the envy printed beside it."""
    pays, dollars = PRINTED[table_id]
    for place, (hand, cards) in enumerate(HANDS.items()):
        seats = seat(1, cards, main=1000, fortune=100), seat(2, NOTHING, main=1000, fortune=500)
        settled = play(game_id, HANDS_DEALER, *seats, paytables={"fortune": table_id})
        bonus = line(settled, 1, "fortune")
        assert (bonus.hand, bonus.returned) == (hand, 100 + 100 * pays[place])
        assert envy(settled, 2) == ({1: 100 * dollars[place]} if place < len(dollars) else {})


def straight_above_trips(table: PayTable) -> PayTable:
    order = [each.hand for each in table.lines]
    straight, trips = order.index("straight"), order.index("three-of-a-kind")
    order[straight], order[trips] = order[trips], order[straight]
    return replace(table, lines=tuple(sorted(table.lines, key=lambda each: order.index(each.hand))))


@rule(
    "fpgp/paytables/1",
    off=(
        *(line_with(table_id, "straight", pays=1) for table_id in PRINTED),
        *(line_with(table_id, "four-of-a-kind", envy=100) for table_id in PRINTED),
        *(table_with(table_id, straight_above_trips) for table_id in PRINTED),
    ),
)
def six_tables_pay_from_a_straight_up_with_envy_from_four_of_a_kind_up() -> None:
    for table_id in PRINTED:
        check_printed_table("fortune", table_id)
        # Three nines and a straight at once: the line of three of a kind stands above, 3 to 1.
        both = seat(1, "9s 9h 9d 8h 7s 6d 5c", main=1000, fortune=100)
        settled = play("fortune", HANDS_DEALER, both, paytables={"fortune": table_id})
        assert line(settled, 1, "fortune").returned == 400


@rule("fpgp/paytables/2", off=line_with("FPGP-1", "three-pair", push=False, pays=1))
def three_pair_is_a_push_in_table_1() -> None:
    for table_id, outcome, returned in (("FPGP-1", "push", 1000), ("FPGP-2", "lose", 0)):
        bets = seat(1, "Ks Kd 8h 8c 4s 4c 2s", main=1000, fortune=1000)
        bonus = line(play("fortune", DEALER, bets, paytables={"fortune": table_id}), 1, "fortune")
        assert (bonus.outcome, bonus.returned) == (outcome, returned)
