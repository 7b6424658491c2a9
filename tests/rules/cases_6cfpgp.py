"""6 Card Fortune Pai Gow Poker: the contest between player and dealer, fouls, and the order of resolution."""

from __future__ import annotations

from houseway.cards import card_texts
from houseway.definitions import game
from houseway.games.hand_setting import put_hand
from houseway.games.looks import Sight
from houseway.games.round_model import Contest, Hand, Outcome
from houseway.houseways.evaluate import Evaluator
from houseway.ranking.reference import PAI_GOW_LOW_WHEEL
from tests.rules.evaluators import JOKER_IS_ONLY_AN_ACE, JOKER_IS_WILD
from tests.rules.felt import line, play, refusals, seat
from tests.rules.harness import replaced, rule
from tests.rules.six_card import HANDS, ONLOOKER, QUEEN_HIGH
from tests.rules.switches import (
    COPIES_WIN,
    NOTHING_FOULS,
    PAID_TWO_TO_ONE,
    contest_with,
    game_with,
    matchups,
    opponent,
    parts_compared,
    resolved_last,
    seen_by,
)

GAME = "six-card-fortune"
RANKS = "23456789TJQKA"
STRAIGHT_FLUSH = "Kh Qh Jh Th 9h"


def main_of(dealer: str, cards: str, low: str, stake: int = 1000) -> tuple[Outcome, int]:
    """The outcome of the main wager and what goes back, for one player against the dealer."""
    main = line(play(GAME, dealer, seat(2, cards, low, main=stake)), 2, "main")
    return main.outcome, main.returned


def quads_with_low(rank: str) -> str:
    """A dealer's four of a kind with a card of the rank outside it, which goes low, the other being a deuce."""
    return f"7s 7h 7d 7c {rank}d 2s" if rank == "6" else f"6s 6h 6d 6c {rank}d 2s"


HIGH_COPY_WINS = parts_compared(
    lambda part, player, dealer: player.high_value >= dealer.high_value if part == "high" else None
)
LOW_COPY_WINS = parts_compared(
    lambda part, player, dealer: player.low_value >= dealer.low_value if part == "low" else None
)
JOKER_IS_A_PLAIN_LOW_ACE = contest_with(GAME, joker_low_wins=False)


@rule("6cfpgp/overview/1", off=game_with(GAME, low_cards=0))
def six_cards_make_five_and_one() -> None:
    settled = play(GAME, QUEEN_HIGH, seat(2, "Ks Kd 9h 8c 5h Jd", main=1000))
    assert card_texts(settled.dealer.low) == ["Ts"]
    assert card_texts(settled.dealer.high) == ["Qs", "7s", "6c", "4s", "3d"]
    assert card_texts(settled.seat(2).hand.low) == ["Jd"]
    assert card_texts(settled.seat(2).hand.high) == ["Ks", "Kd", "9h", "8c", "5h"]
    assert refusals(GAME, QUEEN_HIGH, seat(2, "Ks Kd 9h 8c 5h Jd", "Jd 9h", main=1000)) == {"card-count"}


@rule(
    "6cfpgp/overview/2",
    "6cfpgp/rules/7.b",
    off=(matchups(won_both="push"), PAID_TWO_TO_ONE),
)
def two_hands_won_pay_even_money() -> None:
    # Kings over queen-high, jack over ten.
    assert main_of(QUEEN_HIGH, "Ks Kd 9h 8c 5h Jd", "Jd") == ("win", 2000)
    assert main_of(QUEEN_HIGH, "Ks Kd 9h 8c 5h Jd", "Jd", stake=1) == ("win", 2)


@rule("6cfpgp/overview/3", "6cfpgp/rules/7.c", off=matchups(lost_both="push"))
def two_hands_lost_lose() -> None:
    # Jack-high under queen-high, nine under ten.
    assert main_of(QUEEN_HIGH, "Jh 9c 8d 5h 3c 2c", "9c") == ("lose", 0)


@rule("6cfpgp/overview/4", off=(matchups(one_each="lose"), matchups(one_each="win")))
def one_hand_each_pushes() -> None:
    # Kings win, nine loses to ten; then Q-6-5-3-2 loses to Q-7-6-4-3, jack wins.
    assert main_of(QUEEN_HIGH, "Ks Kd 9h 8c 5h 2d", "9h") == ("push", 1000)
    assert main_of(QUEEN_HIGH, "Qh Jd 6d 5c 3s 2c", "Jd") == ("push", 1000)


@rule("6cfpgp/overview/5", "6cfpgp/rules/7.a", off=(COPIES_WIN, HIGH_COPY_WINS, LOW_COPY_WINS))
def copies_go_to_the_house() -> None:
    # The dealer plays Q-7-6-4-3 and the ten: first both are copied, then only the high hand, then only the low card.
    assert main_of(QUEEN_HIGH, "Qh Th 7d 6h 4c 3c", "Th") == ("lose", 0)
    assert main_of(QUEEN_HIGH, "Qh Jh 7d 6h 4c 3c", "Jh") == ("push", 1000)
    assert main_of(QUEEN_HIGH, "Ks Kd Th 8c 5h 2d", "Th") == ("push", 1000)


@rule("6cfpgp/overview/6", off=JOKER_IS_A_PLAIN_LOW_ACE)
def joker_low_beats_every_low_card() -> None:
    for rank in RANKS:
        assert main_of(quads_with_low(rank), f"{STRAIGHT_FLUSH} Jk", "Jk") == ("win", 2000), rank


@rule("6cfpgp/overview/7", off=game_with(GAME, commission=game("fortune").commission))
def winning_pays_no_commission() -> None:
    main = line(play(GAME, QUEEN_HIGH, seat(2, "Ks Kd 9h 8c 5h Jd", "Jd", main=2500)), 2, "main")
    assert (main.returned, main.commission) == (5000, None)


@rule("6cfpgp/overview/10", off=replaced("houseway.games.hand_setting.PAI_GOW", PAI_GOW_LOW_WHEEL))
def wheel_is_the_second_highest_straight() -> None:
    wheel = "Ah 2d 3c 4h 5s 8d"
    # The dealer's straight from the king, with the six low: the wheel is above it.
    assert main_of("Ks Qd Jh Tc 9s 6d", wheel, "8d") == ("win", 2000)
    # The dealer's straight from the ace, with the six low: the wheel is below it, the eight still wins.
    assert main_of("Ad Ks Qh Jc Td 6s", wheel, "8d") == ("push", 1000)


def _best_player(contest: Contest) -> Hand:
    return max(contest.hands.values(), key=lambda hand: hand.high_value)


@rule("6cfpgp/overview/11", off=opponent(_best_player))
def players_face_the_dealer_alone() -> None:
    settled = play(
        GAME,
        QUEEN_HIGH,
        seat(2, "Ks Kd 9h 8c 5h Jd", "Jd", main=1000),
        # A royal flush next door, with an ace low: it beats seat 2 twice, and that is no matter.
        seat(5, "Ah Kh Qh Jh Th Ac", "Ac", main=1000),
    )
    assert line(settled, 2, "main").outcome == "win"
    assert line(settled, 5, "main").outcome == "win"


@rule(
    "6cfpgp/rules/7",
    off=(
        parts_compared(lambda part, player, dealer: player.high_value > dealer.low_value if part == "high" else None),
        parts_compared(lambda part, player, dealer: player.low_value > dealer.high_value if part == "low" else None),
    ),
)
def each_hand_meets_its_own_kind() -> None:
    # High loses to high, low wins against low (jack to ten).
    assert main_of(QUEEN_HIGH, "Qh Jd 6d 5c 3s 2c", "Jd") == ("push", 1000)


@rule("6cfpgp/rules/6.h", off=(JOKER_IS_WILD, JOKER_IS_ONLY_AN_ACE))
def joker_is_an_ace_or_completes() -> None:
    def fortune(cards: str) -> tuple[str, int]:
        settled = play(GAME, QUEEN_HIGH, seat(2, cards, main=1000, fortune=100), paytables={"fortune": "6CFPGP-1"})
        found = line(settled, 2, "fortune")
        return found.hand, found.returned

    # With a pair of kings it is an ace, no third king; with two aces it is the third.
    assert fortune("Jk Ks Kd 9h 5c 2c") == ("pair", 0)
    assert fortune("Jk As Ad 9h 5c 2c") == ("three-of-a-kind", 600)
    # It fills a straight (9-8-7-6-5) and a flush (hearts), each to its own pay.
    assert fortune("Jk 9s 8d 7h 5c 2c") == ("straight", 900)
    assert fortune("Jk Kh 9h 5h 3h 2c") == ("flush", 1100)


@rule("6cfpgp/rules/6.i", off=HIGH_COPY_WINS)
def equal_high_hands_lose() -> None:
    # The dealer keeps K-K-7-4-3 and plays the nine low: the same pair and kickers lose, the queen low wins.
    assert main_of("Ks Kd 9h 7c 4s 3d", "Kh Kc Qs 7h 4d 3s", "Qs") == ("push", 1000)
    assert main_of("Ks Kd 9h 7c 4s 3d", "Kh Kc 8s 7h 4d 3s", "8s") == ("lose", 0)


@rule("6cfpgp/rules/6.j", off=LOW_COPY_WINS)
def equal_low_cards_lose() -> None:
    for rank in RANKS:
        # The straight flush beats the four of a kind, so a lost low card makes it a push.
        assert main_of(quads_with_low(rank), f"{STRAIGHT_FLUSH} {rank}c", f"{rank}c") == ("push", 1000), rank
    # The dealer's joker low is an ace, and so a copy of the player's.
    assert main_of("6s 6h 6d 6c Jk 2s", f"{STRAIGHT_FLUSH} Ac", "Ac") == ("push", 1000)


@rule("6cfpgp/rules/6.k", off=JOKER_IS_A_PLAIN_LOW_ACE)
def joker_low_wins_against_an_ace() -> None:
    assert main_of(quads_with_low("A"), f"{STRAIGHT_FLUSH} Jk", "Jk") == ("win", 2000)
    # An ace in its place is a copy.
    assert main_of(quads_with_low("A"), f"{STRAIGHT_FLUSH} Ac", "Ac") == ("push", 1000)


@rule("6cfpgp/rules/7.a.i", off=JOKER_IS_A_PLAIN_LOW_ACE)
def joker_low_wins_its_matchup_only() -> None:
    # Kings lose to four of a kind; the joker wins its own matchup all the same.
    assert main_of(quads_with_low("A"), "Ks Kd 9h 8c 5h Jk", "Jk") == ("push", 1000)


def _not_for_fouled_hands(contest: Contest, hand: Hand) -> Sight:
    return Sight(hand.names, hand.best_name, alive=not hand.fouled)


@rule("6cfpgp/rules/5", off=(NOTHING_FOULS, seen_by(GAME, "fortune", _not_for_fouled_hands)))
def high_hand_must_outrank_low_card() -> None:
    # The king low leaves Q-J-T-9-2: both would beat the dealer, but the hand is fouled. Its straight still pays 8 to 1.
    cards = "Kh Qh Jd Tc 9s 2c"
    wagers = {"main": 1000, "fortune": 500}
    settled = play(GAME, "Qs 8s 7s 6c 4s 3d", seat(2, cards, "Kh", **wagers), paytables={"fortune": "6CFPGP-1"})
    assert line(settled, 2, "main").outcome == "lose"
    assert settled.seat(2).hand.fouled
    assert line(settled, 2, "fortune").returned == 4500
    # Otherwise the player is free: a pair broken for its second king, or the lowest card low, is no foul.
    assert main_of(QUEEN_HIGH, "Ks Kd 9h 8c 5h Jd", "Kd") == ("win", 2000)
    assert main_of(QUEEN_HIGH, "Ks Kd 9h 8c 5h 2d", "2d") == ("push", 1000)


def _set_lowest_card_low(played: object, cards: tuple[int, ...], low: tuple[int, ...] | None, *rest: Evaluator) -> Hand:
    return put_hand(played, cards, low or (min(cards),), *rest)


@rule("6cfpgp/rules/6", off=replaced("houseway.games.settle.put_hand", _set_lowest_card_low))
def dealer_is_set_the_house_way() -> None:
    dealer = play(GAME, "Ks Kd Qh 9c 7d 4s", seat(2, ONLOOKER.replace("Kd", "Kh"), main=1000)).to_json()["dealer"]
    assert dealer["high"] == ["Ks", "Kd", "9c", "7d", "4s"]
    assert (dealer["low"], dealer["rule"]) == (["Qh"], "6b")


def _wagers_in_order() -> list[str]:
    """The lines of a player with every wager of the regular game, next to a player with a full house."""
    settled = play(
        GAME,
        QUEEN_HIGH,
        seat(2, ONLOOKER, main=1000, double_down=1000, insurance=100, fortune=500),
        seat(5, HANDS["full-house"], main=1000),
        paytables={"fortune": "6CFPGP-1"},
    )
    return [found.wager for found in settled.seat(2).lines]


@rule("6cfpgp/rules/8", off=(resolved_last(GAME, "main"), resolved_last(GAME, "fortune")))
def fortune_follows_main_and_envy_follows_fortune() -> None:
    assert _wagers_in_order()[:4] == ["main", "double_down", "fortune", "fortune_envy"]


@rule("6cfpgp/rules/9", off=resolved_last(GAME, "fortune"))
def insurance_comes_last() -> None:
    assert _wagers_in_order()[-1] == "insurance"
