"""Cases of the base games' rules, to which the sheets refer without printing them.

The dealer is set by the default house way: one pair stays in back with the two highest other cards in front; without a
pair the second and third highest cards go in front.
"""

from __future__ import annotations

from houseway.api.deal_and_replay import deal_json
from houseway.cards import card_texts, parse_cards
from houseway.games import game
from houseway.ranking.reference import PAI_GOW, PAI_GOW_LOW_WHEEL
from tests.rules.deals import deal_of
from tests.rules.felt import line, play, refusals, seat
from tests.rules.harness import replaced, rule
from tests.rules.money import meters_with
from tests.rules.seven_card import (
    BANKED,
    BANKER_HOUSE_WAY,
    SEVEN_CARD,
    SMALL_TWO_PAIR,
    check_banker_is_set_the_house_way,
    table_for,
)
from tests.rules.switches import (
    COPIES_WIN,
    NOTHING_FOULS,
    OTHER_HOUSE_WAY,
    PAID_TWO_TO_ONE,
    compulsory,
    contest_with,
    game_with,
    matchups,
    opponent,
)

# High Q-Q-7-4-2, low J-9.
DEALER = "Qs Qd Jc 9h 7c 4s 2d"
# Against it: both hands better; both worse; only the high hand better; only the low hand better.
WINNER = ("Ks Kd Ah 8c 6s 5d 3h", "Ah 8c")
LOSER = ("Ts Td 8h 6c 5s 3d 2c", "8h 6c")
HIGH_ONLY = ("Kh Kc Th 8d 6h 5c 3c", "Th 8d")
LOW_ONLY = ("Th Tc As 8s 6d 5h 4d", "As 8s")


# Standard Pai Gow Poker


@rule("base/pai-gow/two-hands", off=tuple(game_with(game_id, low_cards=1) for game_id in SEVEN_CARD))
def seven_cards_make_a_high_hand_of_five_and_a_low_hand_of_two() -> None:
    cards, low = WINNER
    for game_id in SEVEN_CARD:
        assert refusals(game_id, DEALER, seat(1, cards, low, main=2500)) == set()
        assert refusals(game_id, DEALER, seat(1, cards, "Ah", main=2500)) == {"card-count"}
        assert refusals(game_id, DEALER, seat(1, cards, "Ah 8c 6s", main=2500)) == {"card-count"}
        hand = play(game_id, DEALER, seat(1, cards, low, main=2500)).seat(1).hand
        assert set(hand.low) == set(parse_cards("Ah 8c"))
        assert set(hand.high) == set(parse_cards("Ks Kd 6s 5d 3h"))


@rule("base/pai-gow/foul", off=NOTHING_FOULS)
def a_high_hand_below_the_low_hand_loses() -> None:
    for game_id in SEVEN_CARD:
        # Ace-high behind a pair of kings: the kings alone would have made it a push.
        fouled = play(game_id, DEALER, seat(1, WINNER[0], "Ks Kd", main=2500))
        assert fouled.seat(1).hand.fouled
        main = line(fouled, 1, "main")
        assert (main.outcome, main.returned, main.clause) == ("lose", 0, "base/pai-gow/foul")
        # A pair of fives behind a pair of tens.
        assert play(game_id, DEALER, seat(1, "Ts Td 5s 5d 8h 6c 2c", "Ts Td", main=2500)).seat(1).hand.fouled
        assert not play(game_id, DEALER, seat(1, "Ts Td 5s 5d 8h 6c 2c", "5s 5d", main=2500)).seat(1).hand.fouled


@rule("base/pai-gow/copies", off=COPIES_WIN)
def a_copy_goes_to_the_dealer_or_the_banker() -> None:
    for cards, low, outcome in (
        ("Ks Kd Jd 9s 6s 5d 3h", "Jd 9s", "push"),  # the low hand is a copy, the high hand wins
        ("Qh Qc 7d 4h 2s Ah 8c", "Ah 8c", "push"),  # the high hand is a copy, the low hand wins
        ("Qh Qc 7d 4h 2s Jd 9s", "Jd 9s", "lose"),  # both are copies
    ):
        for game_id in SEVEN_CARD:
            assert line(play(game_id, DEALER, seat(1, cards, low, main=2500)), 1, "main").outcome == outcome
        for game_id in BANKED:
            banked = play(game_id, "Tc Td 8h 6c 5h 3d 2c", seat(1, cards, low, main=2500), seat(2, DEALER), banker=2)
            assert line(banked, 1, "main").outcome == outcome


@rule("base/pai-gow/win", off=(matchups(won_both="push"), PAID_TWO_TO_ONE))
def both_hands_won_pay_even_money_less_commission() -> None:
    # $25 at even money; the commissioned game keeps 5% of the $25 won, $1.25.
    for game_id, returned in (("fortune", 4875), ("commission-free-fortune", 5000), ("face-up", 5000)):
        main = line(play(game_id, DEALER, seat(1, *WINNER, main=2500)), 1, "main")
        assert (main.outcome, main.returned, main.clause) == ("win", returned, "base/pai-gow/win")


@rule("base/pai-gow/lose", off=matchups(lost_both="push"))
def both_hands_lost_lose() -> None:
    for game_id in SEVEN_CARD:
        main = line(play(game_id, DEALER, seat(1, *LOSER, main=2500)), 1, "main")
        assert (main.outcome, main.returned, main.clause) == ("lose", 0, "base/pai-gow/lose")


@rule("base/pai-gow/push", off=(matchups(one_each="lose"), matchups(one_each="win")))
def one_hand_each_is_a_push() -> None:
    for game_id in SEVEN_CARD:
        for hand in (HIGH_ONLY, LOW_ONLY):
            main = line(play(game_id, DEALER, seat(1, *hand, main=2500)), 1, "main")
            assert (main.outcome, main.returned, main.clause) == ("push", 2500, "base/pai-gow/push")


# A bank with the cards of DEALER, and for the dealer J-high with T-9 in front.
WEAK_DEALER = "Jd Tc 9c 7h 4d 3c 2s"


@rule(
    "base/pai-gow/commission",
    off=(
        replaced("houseway.games.contest.commission_on", lambda contest, winnings: 0),
        replaced("houseway.games.bank.commission_on", lambda contest, winnings: 0),
    ),
)
def the_house_keeps_five_percent_of_a_win_and_of_a_net_win_of_the_bank() -> None:
    main = line(play("fortune", DEALER, seat(1, *WINNER, main=2500)), 1, "main")
    assert (main.commission, main.returned) == (125, 4875)
    # 5% of $25.10 is $1.255: half a cent is left to the player.
    main = line(play("fortune", DEALER, seat(1, *WINNER, main=2510)), 1, "main")
    assert (main.commission, main.returned) == (125, 4895)
    banked = play(
        "fortune", WEAK_DEALER, seat(1, *LOSER, main=3000), seat(2, DEALER), seat(3, *WINNER, main=1000), banker=2
    )
    assert (line(banked, 3, "main").commission, line(banked, 3, "main").returned) == (50, 1950)
    # The bank won $30 and paid $10: 5% of $20.
    assert (line(banked, 2, "bank").commission, line(banked, 2, "bank").returned) == (100, 1900)
    losing = play("fortune", WEAK_DEALER, seat(2, DEALER), seat(3, *WINNER, main=1000), banker=2)
    assert line(losing, 2, "bank").returned == -1000


@rule("base/pai-gow/banker", off=opponent(lambda contest: contest.dealer))
def the_other_players_win_from_and_lose_to_the_banker() -> None:
    # The loser's pair of tens would beat the weak dealer's jack-high; it is the bank's pair of queens that counts.
    for game_id, net in (("fortune", 1900), ("commission-free-fortune", 2000)):
        banked = play(
            game_id, WEAK_DEALER, seat(1, *LOSER, main=3000), seat(2, DEALER), seat(3, *WINNER, main=1000), banker=2
        )
        assert line(banked, 1, "main").outcome == "lose"
        assert (line(banked, 3, "main").outcome, line(banked, 3, "main").source) == ("win", "banker")
        bank = line(banked, 2, "bank")
        assert (bank.stake, bank.returned) == (0, net)


@rule(
    "base/pai-gow/dealer-hand-vs-banker",
    off=replaced("houseway.games.settle.dealer_against_banker", lambda contest: "push"),
)
def the_dealers_cards_are_one_more_hand_against_the_bank() -> None:
    push = seat(1, *HIGH_ONLY, main=1000)
    # The house way plays the dealer's cards as the hands above: kings with A-8, tens with 8-6.
    for game_id, dealer, stake, net in (
        ("fortune", WINNER[0], 4000, -4000),
        ("fortune", LOSER[0], 4000, 3800),
        ("commission-free-fortune", LOSER[0], 4000, 4000),
        ("fortune", WINNER[0], 0, 0),
    ):
        banked = play(game_id, dealer, push, seat(2, DEALER), banker=2, dealer_stake=stake)
        assert line(banked, 2, "bank").returned == net


@rule("base/pai-gow/banker-house-way", off=BANKER_HOUSE_WAY)
def a_player_who_banks_is_set_the_house_way() -> None:
    for game_id in BANKED:
        check_banker_is_set_the_house_way(game_id)


@rule(
    "base/pai-gow/wheel",
    off=(
        replaced("houseway.games.settle.ranking_of", lambda played, settings: PAI_GOW),
        replaced("houseway.games.settle.ranking_of", lambda played, settings: PAI_GOW_LOW_WHEEL),
    ),
)
def the_wheel_is_the_second_highest_straight_or_the_lowest() -> None:
    # The dealer's K-Q-J-T-9 leaves 4-2 in front, so the low hand wins and the straights decide.
    dealer, player = "Ks Qd Jc Th 9s 4c 2d", seat(1, "As 2h 3c 4d 5s Qh 7d", "Qh 7d", main=2500)
    for game_id in SEVEN_CARD:
        assert line(play(game_id, dealer, player), 1, "main").outcome == "win"
        assert line(play(game_id, dealer, player, settings={"wheel": "second"}), 1, "main").outcome == "win"
        assert line(play(game_id, dealer, player, settings={"wheel": "lowest"}), 1, "main").outcome == "push"


# Face Up Pai Gow Poker


@rule("base/face-up/dealer-first", off=(game_with("face-up", dealer_cards_up=0), OTHER_HOUSE_WAY))
def the_dealers_seven_cards_are_open_and_set_the_house_way() -> None:
    dealt = deal_of("face-up", 1, 1)
    assert deal_json(game("face-up"), dealt)["up"] == card_texts(dealt.dealer)
    settled = play("face-up", SMALL_TWO_PAIR, seat(1, "Ks Kd Ah 8c 6h 5d 3s", "Ah 8c", main=1000))
    assert set(settled.dealer.low) == set(parse_cards("3h 3c"))


@rule("base/face-up/ace-high-push", off=contest_with("face-up", dealer_push=None))
def an_ace_high_dealer_pushes_every_main_wager() -> None:
    better, worse = seat(1, *WINNER, main=2500), seat(2, "Kh Td 8s 6h 4h 3d 2c", "Td 8s", main=2500)
    for ace in ("As", "Jk"):
        pushed = play("face-up", f"{ace} Jd 9c 7h 5s 3c 2d", better, worse)
        for number in (1, 2):
            main = line(pushed, number, "main")
            assert (main.outcome, main.returned, main.clause) == ("push", 2500, "base/face-up/ace-high-push")
    # A pair of aces is no ace-high hand: it beats both.
    beaten = play("face-up", "As Ad Jd 9c 7h 5s 3c", worse)
    assert line(beaten, 2, "main").outcome == "lose"


@rule("base/face-up/no-commission", off=game_with("face-up", commission=game("fortune").commission))
def face_up_pays_even_money_without_commission() -> None:
    main = line(play("face-up", DEALER, seat(1, *WINNER, main=2500)), 1, "main")
    assert (main.returned, main.commission) == (5000, None)


@rule(
    "base/face-up/jackpot",
    off=(table_for("FUPGPP-07", "fortune"), table_for("FPGPP-WA07", "face-up"), compulsory("progressive")),
)
def the_face_up_jackpot_is_optional_and_paid_by_the_link_tables() -> None:
    cards = "8s 8h 8d 5c 5s Kd 2h"
    assert refusals("face-up", DEALER, seat(1, cards, main=1000)) == set()
    both = seat(1, cards, main=1000, progressive=100)
    assert refusals("face-up", DEALER, both, paytables={"progressive": "FPGPP-WA07"}) == {"wrong-paytable"}
    assert refusals("face-up", DEALER, both, paytables={"progressive": "FUPGPP-07"}) == set()
    settled = play("face-up", DEALER, both, paytables={"progressive": "FUPGPP-07"})
    assert line(settled, 1, "progressive").returned == 500  # a full house pays 5 for 1


@rule("base/jackpot/house", off=meters_with(is_house=False))
def posted_prizes_of_the_six_card_games_go_whole_to_each_winner() -> None:
    for game_id, table_id, dealer, regular in (
        ("six-card-fortune", "6CFPGPP-2", "2c 4d 6h 8s Tc Qc", {"main": 1000}),
        ("six-card-poker", "SIXCPP-01", "2c 4d 6h 8s Tc Qc", {"ante": 1000, "play": 1000}),
    ):
        settled = play(
            game_id,
            dealer,
            seat(1, "Ah Kh Qh Jh Th 3s", **regular, progressive=100),
            seat(4, "As Ks Qs Js Ts 3d", **regular, progressive=100),
            paytables={"progressive": table_id},
            meters={table_id: {"main": 900_000}},
            settings={"jackpot_kind": "house"},
        )
        # A royal flush takes a tenth on table 2 of the six-card game and the whole in Six Card Poker.
        prize = 90_000 if game_id == "six-card-fortune" else 900_000
        for number in (1, 4):
            won = line(settled, number, "progressive")
            assert (won.returned, won.source, won.clause) == (prize, "house", "base/jackpot/house")
        assert settled.meters == {table_id: {"main": 900_000}}
