"""Cases of the Fortune Pai Gow Poker rule sheet: the Fortune bonus, envy, and its six pay tables."""

from __future__ import annotations

from houseway.cards import DECK_53
from houseway.paytables import paytable
from tests.rules.deals import deal_from_shoe, deal_of
from tests.rules.evaluators import HAND_AS_SET_COUNTS
from tests.rules.felt import play, refusals, seat
from tests.rules.harness import Switch, replaced, rule
from tests.rules.money import (
    DEALER_BRINGS_ENVY,
    ENVY_AT_ANY_STAKE,
    ENVY_FOR_ANY_PAID_HAND,
    ENVY_UNDER_THE_CAP,
    NO_CAP,
    ONE_ENVY_A_ROUND,
    OWN_HAND_BRINGS_ENVY,
    UNPAID_GOES_BACK,
)
from tests.rules.seven_card import (
    DEALER,
    DECK_AND_JOKER,
    FULL_HOUSE,
    HANDS_DEALER,
    PACKETS_OF_SIX,
    PAIR,
    PRINTED,
    QUADS,
    SEVEN_CARD,
    TABLE_1,
    check_cap,
    check_deck_and_joker,
    check_envy_for_every_hand,
    check_five_dollars_collect_envy,
    check_no_envy_for_own_hand_or_dealer,
    check_printed_table,
    check_seven_packets_of_seven,
    fortune_line,
)
from tests.rules.switches import (
    NO_DATED_LIMIT,
    NO_NUMBER_OF_GAMES,
    NO_SHOE,
    NO_SHUFFLE,
    ONLY_THE_SEATED,
    compulsory,
    line_with,
    resolved_last,
    table_with,
    without_wager,
)

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
    # A fifth game would be a second sensor, which that edition does not offer either.
    five = seat(1, PAIR, **four, progressive2=100)
    assert refusals("fortune", DEALER, five, paytables=tables, settings=settings) == {
        "too-many-games",
        "not-in-edition",
    }
    # The edition of June 14, 2023 sets no number.
    later = {"limits": {"as_of": "2023-06-14"}}
    assert refusals("fortune", DEALER, five, paytables=tables, settings=later) == set()


@rule("fpgp/general/4", "pgd/general/3", "cffpgp/general/4", "fpgpp/general/6", off=(NO_SHUFFLE, NO_SHOE))
def a_machine_shuffles_or_a_shoe_holds_the_dealers_shuffle() -> None:
    for game_id in SEVEN_CARD:
        by_machine = deal_of(game_id, 1, 1)
        assert sorted(by_machine.order) == sorted(DECK_53)
        assert by_machine.order != DECK_53
        backwards = DECK_53[::-1]
        by_hand = deal_from_shoe(game_id, backwards, start_position=1)
        assert by_hand is not None
        assert by_hand.order == backwards


# Rules of play


@rule("fpgp/rules/1", off=(*DECK_AND_JOKER, compulsory("fortune")))
def the_bonus_is_optional_and_the_joker_is_an_ace_or_completes_a_hand() -> None:
    assert refusals("fortune", DEALER, seat(1, PAIR, main=1000)) == set()
    check_deck_and_joker("fortune")


@rule("fpgp/rules/2", off=HAND_AS_SET_COUNTS)
def the_bonus_looks_at_the_best_of_all_seven_cards() -> None:
    # Set as three kings behind a pair of fours, the seven cards are a full house all the same: 5 to 1.
    bonus = fortune_line("fortune", FULL_HOUSE, "4h 4d")
    assert (bonus.hand, bonus.returned) == ("full-house", 6000)
    split = seat(1, FULL_HOUSE, "4h 4d", main=1000, fortune=1000)
    assert refusals("fortune", DEALER, split, paytables={"fortune": "6CFPGP-1"}) == {"wrong-paytable"}
    assert refusals("fortune", DEALER, split) == {"missing-paytable"}


@rule("fpgp/rules/3", off=(ENVY_AT_ANY_STAKE, ENVY_FOR_ANY_PAID_HAND, OWN_HAND_BRINGS_ENVY, DEALER_BRINGS_ENVY))
def five_dollars_collect_envy_for_four_of_a_kind_of_another_player() -> None:
    check_five_dollars_collect_envy("fortune")


@rule("fpgp/rules/4", off=(compulsory("fortune"), without_wager("fortune", "fortune")))
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


@rule("fpgp/rules/6.a", off=replaced("houseway.games.round_tables.paytable", lambda asked: paytable("FPGP-1")))
def a_hand_that_qualifies_is_paid_by_the_posted_table() -> None:
    # Four of a kind: 20 to 1 by table 1, 25 to 1 by table 2.
    for table_id, returned in (("FPGP-1", 21000), ("FPGP-2", 26000)):
        bonus = fortune_line("fortune", QUADS, table=table_id)
        assert (bonus.outcome, bonus.returned, bonus.clause) == ("win", returned, "fpgp/rules/6.a")


@rule("fpgp/rules/6.a.i", off=(NO_CAP, ENVY_UNDER_THE_CAP))
def a_cap_on_hand_or_round_leaves_envy_alone() -> None:
    check_cap("fortune")


@rule("fpgp/rules/6.b", off=UNPAID_GOES_BACK)
def a_hand_that_does_not_qualify_loses_the_bonus() -> None:
    for cards in (PAIR, "Ts Td 6c 6s 5s 3d 2c"):
        bonus = fortune_line("fortune", cards)
        assert (bonus.outcome, bonus.returned, bonus.clause) == ("lose", 0, "fpgp/rules/6.b")


@rule("fpgp/rules/7", off=(ONE_ENVY_A_ROUND, resolved_last("fortune", "fortune")))
def every_hand_of_four_of_a_kind_or_better_pays_envy_at_the_end() -> None:
    check_envy_for_every_hand("fortune", "fpgp/rules/7")


@rule("fpgp/rules/7.a", off=(OWN_HAND_BRINGS_ENVY, DEALER_BRINGS_ENVY))
def ones_own_hand_and_the_dealers_bring_no_envy() -> None:
    check_no_envy_for_own_hand_or_dealer("fortune")


# Pay tables


def straight_above_trips(table_id: str) -> Switch:
    """A pay table in which those two lines have changed places."""
    lines = list(paytable(table_id).lines)
    hands = [each.hand for each in lines]
    straight, trips = hands.index("straight"), hands.index("three-of-a-kind")
    lines[straight], lines[trips] = lines[trips], lines[straight]
    return table_with(table_id, lines=tuple(lines))


@rule(
    "fpgp/paytables/1",
    off=(
        *(line_with(table_id, "straight", pays=1) for table_id in PRINTED),
        *(line_with(table_id, "four-of-a-kind", envy=100) for table_id in PRINTED),
        *(straight_above_trips(table_id) for table_id in PRINTED),
    ),
)
def six_tables_pay_from_a_straight_up_with_envy_from_four_of_a_kind_up() -> None:
    for table_id in PRINTED:
        check_printed_table("fortune", table_id)
        # Three nines and a straight at once: the line of three of a kind stands above, 3 to 1.
        assert fortune_line("fortune", "9s 9h 9d 8h 7s 6d 5c", table=table_id, dealer=HANDS_DEALER).returned == 4000


@rule("fpgp/paytables/2", off=line_with("FPGP-1", "three-pair", push=False, pays=1))
def three_pair_is_a_push_in_table_1() -> None:
    for table_id, outcome, returned in (("FPGP-1", "push", 1000), ("FPGP-2", "lose", 0)):
        bonus = fortune_line("fortune", "Ks Kd 8h 8c 4s 4c 2s", table=table_id)
        assert (bonus.outcome, bonus.returned) == (outcome, returned)
