"""6 Card Fortune Pai Gow Poker: the dealer's house way, rules 6.a to 6.g.

Every hand is a dealer's, with the card that must go low; of equal cards the one of the later suit in the order spades,
hearts, diamonds, clubs.
"""

from __future__ import annotations

from houseway.cards import DECK_52, card_texts
from tests.rules.felt import play, seat
from tests.rules.harness import rule
from tests.rules.switches import house_rule_with, without_question


def dealer_sets(cards: str) -> tuple[str, str]:
    """The dealer's low card and the rule that put it there."""
    spare = [str(card) for card in DECK_52 if str(card) not in cards.split()]
    dealer = play("six-card-fortune", cards, seat(1, " ".join(spare[:6]), main=1000)).dealer
    assert dealer.rule is not None
    return " ".join(card_texts(dealer.low)), dealer.rule


@rule("6cfpgp/rules/6.a", off=house_rule_with("6a", front=("third-single",)))
def second_highest_goes_low_without_a_pair() -> None:
    assert dealer_sets("Ah Qd Jc 9s 7d 5h") == ("Qd", "6a")
    assert dealer_sets("9h 8d 7c 6s 4d 3h") == ("8d", "6a")
    # The joker is an ace here and stays in the high hand.
    assert dealer_sets("Jk Kd 9s 7d 5h 3c") == ("Kd", "6a")


@rule("6cfpgp/rules/6.b", off=house_rule_with("6b", keep=None))
def made_hand_is_kept_whole() -> None:
    for cards, low in (
        ("Ks Kd Qh 9c 7d 4s", "Qh"),  # one pair above the kickers
        ("4s 4d Ah 9c 7d Qs", "Ah"),  # one pair below them
        ("Jk Ah Kd 9s 7d 4c", "Kd"),  # a pair of aces with the joker
        ("Ks Kd 9c 9h 7d 2s", "7d"),  # two pair
        ("Qs Qd Qh 9c 7d 4s", "9c"),  # three of a kind
        ("As Kd Qh Jc Ts 4d", "4d"),  # straight: no ace low
        ("9s 9c 8d 7h 6c 5s", "9c"),  # straight with a pair: a nine is left over
        ("Ah Jh 9h 7h 4h 3c", "3c"),  # flush
        ("Ks Kd Kh 4c 4d 2s", "2s"),  # full house
        ("Ks Kd Kh Kc 7d 4s", "7d"),  # four of a kind
        ("9h 8h 7h 6h 5h 2c", "2c"),  # straight flush
        ("Ah Kh Qh Jh Th 4c", "4c"),  # royal flush
    ):
        assert dealer_sets(cards) == (low, "6b"), cards


@rule("6cfpgp/rules/6.c", off=house_rule_with("6c", front=("second-set",)))
def higher_trips_give_the_low_card() -> None:
    # Q-Q-Q-K-K is the high hand, not K-K-K-Q-Q.
    assert dealer_sets("Ks Kh Kd Qs Qh Qd") == ("Kd", "6c")
    # The joker is the third ace, and of aces it is the one that goes low.
    assert dealer_sets("Jk As Ad 9s 9h 9d") == ("Jk", "6c")


@rule("6cfpgp/rules/6.d", off=house_rule_with("6d", front=("second-set",)))
def highest_of_three_pair_gives_the_low_card() -> None:
    # Q-Q-5-5-K is the high hand.
    assert dealer_sets("Ks Kh Qs Qd 5h 5c") == ("Kh", "6d")
    assert dealer_sets("Jk As 9s 9d 5h 5c") == ("Jk", "6d")


@rule(
    "6cfpgp/rules/6.e", off=(house_rule_with("6e", front=("second-single",), keep=None), without_question("run-of-six"))
)
def highest_of_six_in_a_run_goes_low() -> None:
    # All six are one straight flush: the ace goes low, and the lower one, from the king, stays.
    assert dealer_sets("Ah Kh Qh Jh Th 9h") == ("Ah", "6e")
    assert dealer_sets("9s 8d 7h 6c 5s 4d") == ("9s", "6e")
    assert dealer_sets("Ah Jh 9h 7h 4h 2h") == ("Ah", "6e")
    # Under a six-card straight from the six the ace is still the highest card.
    assert dealer_sets("Ah 6d 5h 4s 3c 2d") == ("Ah", "6e")
    # The joker goes low if the others need no help; here they need it as a six.
    assert dealer_sets("Jk 9s 8d 7h 6c 5s") == ("Jk", "6e")
    assert dealer_sets("9s 8d 7h Jk 5s 4d") == ("9s", "6e")


@rule("6cfpgp/rules/6.f", off=house_rule_with("6f", keep="complete"))
def flush_is_played_before_a_straight() -> None:
    # The hearts are the high hand; the straight from the nine would have let the king go low.
    assert dealer_sets("Kh 9c 8h 7h 6h 5h") == ("9c", "6f")


@rule("6cfpgp/rules/6.g", off=without_question("flush-of-six-with-straight-flush"))
def straight_flush_is_played_before_the_flush_around_it() -> None:
    # As a mere flush of six, 6.e would have put the nine low.
    assert dealer_sets("9h 8h 7h 6h 5h 2h") == ("2h", "6g")
    assert dealer_sets("Kh 9h 8h 7h 6h 5h") == ("Kh", "6g")
    assert dealer_sets("Jk 9h 8h 7h 6h 2h") == ("2h", "6g")
