"""Cases of the Commission Free Fortune Pai Gow Poker rule sheet: the nine-high push, Tiger 9, the bonus, banking."""

from __future__ import annotations

from dataclasses import replace

from houseway.definitions import game
from houseway.games.bonus import envy_lines
from houseway.games.contest import push_clause
from houseway.games.looks import Sight
from houseway.games.round_model import Contest, Hand, Line, won
from houseway.games.settle import _settle_tables
from houseway.paytables import PayTable, paytable
from tests.rules.evaluators import HAND_AS_SET_COUNTS
from tests.rules.felt import line, play, refusals, seat
from tests.rules.harness import replaced, rule
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
    BANKER_HOUSE_WAY,
    DEALER,
    DECK_AND_JOKER,
    PACKETS_OF_SIX,
    PAIR,
    PRINTED,
    QUADS,
    TABLE_1,
    check_banker_is_set_the_house_way,
    check_cap,
    check_deck_and_joker,
    check_envy_for_every_hand,
    check_five_dollars_collect_envy,
    check_no_envy_for_own_hand_or_dealer,
    check_printed_table,
    check_seven_packets_of_seven,
    fortune_line,
    table_for,
)
from tests.rules.switches import (
    BANKERS_HAND_IS_LOOKED_AT,
    NO_DATED_LIMIT,
    NO_NUMBER_OF_GAMES,
    compulsory,
    contest_with,
    game_with,
    line_with,
    look_with,
    opponent,
    resolved_last,
    seen_by,
    without_line,
    without_wager,
)

GAME = "commission-free-fortune"

# Without a pair the second and third highest go in front: 9-8, 10-8, and with two pair of kings the nines.
NINE_HIGH = "Ks 9d 8c 6h 5s 3d 2c"
TEN_HIGH = "Ks Td 8c 6h 5s 3d 2c"
PAIR_OF_NINES = "Ks Kd 9d 9c 6h 5s 3d"
# Better than all of these in both hands, worse in both, and better in back with a copy of the nine-high in front.
BETTER = ("Ah Ad Qs Qc 8h 6d 4c", "Qs Qc")
WORSE = ("Qh Th 8s 7h 5d 4d 2h", "8s 7h")
COPY = ("As Ac 9h 8d 6s 4s 3c", "9h 8d")


# General conditions


@rule("cffpgp/general/2", off=NO_DATED_LIMIT)
def no_wager_is_above_the_highest_amount_of_the_day() -> None:
    for day, most in (("2018-10-18", 300_00), ("2023-06-14", 300_00), ("2023-09-01", 400_00)):
        settings = {"limits": {"as_of": day}}
        for name in ("main", "tiger9"):
            for stake, refused in ((most, set()), (most + 1, {"over-limit"})):
                bets = seat(1, PAIR, **{"main": 1000, name: stake})
                assert refusals(GAME, DEALER, bets, settings=settings) == refused


@rule("cffpgp/general/3", off=NO_NUMBER_OF_GAMES)
def a_player_bets_on_four_games_at_most() -> None:
    rest = {
        "paytables": {**TABLE_1, "progressive": "FPGPP-WA07", "progressive2": "FPGPP-WA03"},
        "settings": {"limits": {"as_of": "2018-10-18"}},
    }
    four = {"main": 1000, "fortune": 500, "tiger9": 500, "progressive": 100}
    assert refusals(GAME, DEALER, seat(1, PAIR, **four), **rest) == set()
    five = seat(1, PAIR, **four, progressive2=100)
    assert refusals(GAME, DEALER, five, **rest) == {"too-many-games", "not-in-edition"}


# Introduction


@rule("cffpgp/intro/1", off=(opponent(lambda contest: contest.hands[2]), without_wager(GAME, "tiger9")))
def each_player_plays_the_dealer_alone_and_may_add_two_bonuses() -> None:
    # The second player's aces and queens would beat the first player's kings and A-8; the dealer's jacks and T-9 lose.
    seats = (
        seat(1, "Kh Kd Ac 8c 6s 5d 3h", "Ac 8c", main=1000, fortune=500, tiger9=500),
        seat(2, *BETTER, main=1000),
    )
    assert refusals(GAME, "Js Jd Tc 9h 7c 4s 2d", *seats, paytables=TABLE_1) == set()
    settled = play(GAME, "Js Jd Tc 9h 7c 4s 2d", *seats, paytables=TABLE_1)
    assert [each.wager for each in settled.seat(1).lines] == ["main", "fortune", "tiger9"]
    assert line(settled, 1, "main").outcome == "win"
    assert line(settled, 2, "main").outcome == "win"


@rule("cffpgp/intro/1.a", off=DECK_AND_JOKER)
def the_joker_is_an_ace_or_completes_a_hand() -> None:
    check_deck_and_joker(GAME)


@rule("cffpgp/intro/2", off=game_with(GAME, commission=game("fortune").commission))
def a_win_pays_no_commission() -> None:
    main = line(play(GAME, TEN_HIGH, seat(1, *BETTER, main=2500)), 1, "main")
    assert (main.outcome, main.returned, main.commission) == ("win", 5000, None)


# While a player banks: king-high with T-9 in front.
BANK_DEALER = "Kh Tc 9s 7c 6s 4h 3c"


@rule(
    "cffpgp/intro/3",
    off=(
        replaced(
            "houseway.games.contest.push_clause",
            lambda contest: push_clause(replace(contest, opponent=contest.dealer)),
        ),
    ),
)
def a_bank_that_plays_nine_high_pushes_every_main_wager() -> None:
    seats = seat(1, *BETTER, main=1000), seat(2, NINE_HIGH), seat(3, *WORSE, main=2000)
    banked = play(GAME, BANK_DEALER, *seats, banker=2)
    for number in (1, 3):
        main = line(banked, number, "main")
        assert (main.outcome, main.clause) == ("push", "cffpgp/intro/3")
    assert line(banked, 2, "bank").returned == 0


@rule("cffpgp/intro/3.a", off=BANKER_HOUSE_WAY)
def a_player_who_banks_sets_the_house_way() -> None:
    check_banker_is_set_the_house_way(GAME)


def bank_pays_the_bonuses(contest: Contest, by_seat: dict[int, list[Line]]) -> None:
    _settle_tables(contest, by_seat)
    bonuses = [each for found in by_seat.values() for each in found if each.wager not in ("main", "bank")]
    for found in by_seat.values():
        for place, each in enumerate(found):
            if each.wager == "bank":
                paid = sum(bonus.returned - bonus.stake for bonus in bonuses)
                found[place] = each._replace(returned=each.returned - paid)


@rule(
    "cffpgp/intro/3.b",
    off=(
        replaced("houseway.games.settle._settle_tables", bank_pays_the_bonuses),
        replaced("houseway.games.bonus.won", lambda *what: won(*what, source="banker")),
        replaced(
            "houseway.games.settle.envy_lines",
            lambda *what: [each._replace(source="banker") for each in envy_lines(*what)],
        ),
    ),
)
def the_house_stands_for_bonus_wagers_and_envy() -> None:
    # Against the bank's queens with J-9 the eights win in front and lose in back; the tens with 6-5 lose both.
    seats = (
        seat(1, QUADS, "8s 8h", main=1000, fortune=1000),
        seat(2, DEALER),
        seat(3, PAIR, "6c 5s", main=2000, fortune=500),
    )
    banked = play(GAME, BANK_DEALER, *seats, paytables=TABLE_1, banker=2)
    bonus = line(banked, 1, "fortune")
    assert (bonus.returned, bonus.source) == (21000, "tray")
    brought = line(banked, 3, "fortune_envy")
    assert (brought.returned, brought.source) == (500, "tray")
    # The first main wager pushes and the third loses: the bank wins $20, and nothing else touches it.
    assert line(banked, 2, "bank").returned == 2000


@rule(
    "cffpgp/intro/4",
    off=contest_with(GAME, dealer_push=None),
)
def a_dealer_who_plays_nine_high_pushes_every_main_wager() -> None:
    pushed = play(GAME, NINE_HIGH, seat(1, *BETTER, main=2500), seat(2, *WORSE, main=2500))
    for number in (1, 2):
        main = line(pushed, number, "main")
        assert (main.outcome, main.returned, main.clause) == ("push", 2500, "cffpgp/intro/4")
    # Ten-high in front is no nine-high, and neither is a pair of nines.
    assert line(play(GAME, TEN_HIGH, seat(1, *BETTER, main=2500)), 1, "main").outcome == "win"
    assert line(play(GAME, PAIR_OF_NINES, seat(1, *BETTER, main=2500)), 1, "main").outcome == "win"


@rule(
    "cffpgp/intro/5",
    off=(without_line("FPGP-2", "three-of-a-kind"), HAND_AS_SET_COUNTS),
)
def the_bonus_wins_from_three_of_a_kind_upward() -> None:
    for cards, low, returned in (
        ("Ts Td Th As 6c 4c 2c", "As 6c", 4000),  # three of a kind, 3 to 1
        ("Ts Td Th As 6c 4c 2c", "As Td", 4000),  # the same with a ten in front
        ("Ts Td 6c 6s As 4c 2c", "6c 6s", 0),  # two pair
    ):
        assert fortune_line(GAME, cards, low, table="FPGP-2").returned == returned


@rule(
    "cffpgp/intro/5.a",
    off=(ENVY_AT_ANY_STAKE, ENVY_FOR_ANY_PAID_HAND, OWN_HAND_BRINGS_ENVY, DEALER_BRINGS_ENVY),
)
def five_dollars_collect_envy_for_four_of_a_kind_of_another_player() -> None:
    check_five_dollars_collect_envy(GAME)


def every_low_hand_counts(contest: Contest, hand: Hand) -> Sight:
    """The wager in action whatever the dealer's low hand is."""
    return Sight(frozenset({"nine-high"}), "nine-high", hand.low_value > contest.dealer.low_value)


@rule(
    "cffpgp/intro/6",
    off=(
        seen_by(GAME, "tiger9", every_low_hand_counts),
        look_with(GAME, "tiger9", beaten_by=None),
        BANKERS_HAND_IS_LOOKED_AT,
    ),
)
def tiger_nine_wins_when_the_low_hand_beats_a_dealers_nine_high() -> None:
    for dealer, hand, outcome in (
        (NINE_HIGH, BETTER, "win"),
        (NINE_HIGH, WORSE, "lose"),
        (NINE_HIGH, COPY, "lose"),
        (TEN_HIGH, BETTER, "lose"),
        (PAIR_OF_NINES, BETTER, "lose"),
    ):
        tiger = line(play(GAME, dealer, seat(1, *hand, main=1000, tiger9=500)), 1, "tiger9")
        assert (tiger.outcome, tiger.clause) == (outcome, "cffpgp/intro/6")
    # The sentence names the dealer's hand, also while a player banks; a room may read the banker's instead.
    for dealer, bank, outcome, by_setting in (
        (NINE_HIGH, "Kc Tc 8s 7c 5h 4h 2h", "win", "lose"),
        (BANK_DEALER, NINE_HIGH, "lose", "win"),
    ):
        seats = seat(1, *BETTER, main=1000, tiger9=500), seat(2, bank)
        assert line(play(GAME, dealer, *seats, banker=2), 1, "tiger9").outcome == outcome
        banked = play(GAME, dealer, *seats, banker=2, settings={"banked_bonus": "banker"})
        assert line(banked, 1, "tiger9").outcome == by_setting


# Rules of play


@rule("cffpgp/rules/1", off=(compulsory("fortune"), without_wager(GAME, "fortune"), without_wager(GAME, "tiger9")))
def the_standard_wager_comes_first_and_the_bonuses_may_be_added() -> None:
    for wagers, refused in (
        ({"main": 1000}, set()),
        ({"main": 1000, "fortune": 500}, set()),
        ({"main": 1000, "tiger9": 500}, set()),
        ({"main": 1000, "fortune": 500, "tiger9": 500}, set()),
        ({"fortune": 500, "tiger9": 500}, {"missing-first-wager"}),
    ):
        tables = TABLE_1 if "fortune" in wagers else {}
        assert refusals(GAME, DEALER, seat(1, PAIR, **wagers), paytables=tables) == refused


@rule("cffpgp/rules/2", off=(PACKETS_OF_SIX, resolved_last(GAME, "fortune"), resolved_last(GAME, "tiger9")))
def dealt_as_pai_gow_with_the_bonuses_resolved_beside_the_main_wager() -> None:
    check_seven_packets_of_seven(GAME)
    seats = seat(1, PAIR, main=1000, fortune=500, tiger9=500), seat(2, QUADS, main=1000)
    settled = play(GAME, DEALER, *seats, paytables=TABLE_1)
    assert [each.wager for each in settled.seat(1).lines] == ["main", "fortune", "tiger9", "fortune_envy"]


def always_table_1(asked: str) -> PayTable:
    return paytable("FPGP-1" if asked.startswith("FPGP-") else asked)


@rule(
    "cffpgp/rules/3",
    off=(replaced("houseway.games.round_tables.paytable", always_table_1), line_with("TIGER9", "nine-high", pays=1)),
)
def a_hand_that_qualifies_is_paid_by_the_posted_tables() -> None:
    for table_id, returned in (("FPGP-1", 21000), ("FPGP-7", 26000)):
        bonus = fortune_line(GAME, QUADS, table=table_id)
        assert (bonus.returned, bonus.clause) == (returned, "cffpgp/rules/3")
    tiger = play(GAME, NINE_HIGH, seat(1, *BETTER, main=1000, tiger9=100), paytables={"tiger9": "TIGER9"})
    assert line(tiger, 1, "tiger9").returned == 3100


@rule("cffpgp/rules/3.a", off=(ENVY_UNDER_THE_CAP, NO_CAP))
def envy_stays_outside_an_aggregate_limit() -> None:
    check_cap(GAME)


@rule("cffpgp/rules/4", off=UNPAID_GOES_BACK)
def a_hand_that_does_not_qualify_loses_the_bonus() -> None:
    bonus = fortune_line(GAME, PAIR)
    assert (bonus.outcome, bonus.returned, bonus.clause) == ("lose", 0, "cffpgp/rules/4")


@rule("cffpgp/rules/6", off=(ONE_ENVY_A_ROUND, resolved_last(GAME, "fortune")))
def every_hand_of_four_of_a_kind_or_better_pays_envy_at_the_end() -> None:
    check_envy_for_every_hand(GAME, "cffpgp/rules/6")


@rule("cffpgp/rules/note", off=(OWN_HAND_BRINGS_ENVY, DEALER_BRINGS_ENVY))
def ones_own_hand_and_the_dealers_bring_no_envy() -> None:
    check_no_envy_for_own_hand_or_dealer(GAME)


# Pay tables


@rule(
    "cffpgp/paytables/1",
    off=tuple(table_for(table_id, "fortune") for table_id in PRINTED)
    + tuple(line_with(table_id, "flush", pays=5) for table_id in PRINTED),
)
def the_fortune_tables_are_those_of_fortune_pai_gow_poker() -> None:
    for table_id in PRINTED:
        bets = seat(1, PAIR, main=1000, fortune=500)
        assert refusals(GAME, DEALER, bets, paytables={"fortune": table_id}) == set()
        check_printed_table(GAME, table_id)


@rule("cffpgp/paytables/2", off=line_with("TIGER9", "nine-high", pays=25))
def tiger_nine_pays_thirty_to_one() -> None:
    tiger = line(play(GAME, NINE_HIGH, seat(1, *BETTER, main=1000, tiger9=500)), 1, "tiger9")
    assert tiger.returned == 500 + 30 * 500
