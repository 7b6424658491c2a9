"""Hands, and checks of rules that several sheets of the seven-card games state alike."""

from __future__ import annotations

from houseway.cards import DECK_52, DECK_53, parse_cards
from houseway.games.round_model import Line
from tests.rules.deals import deal_from_shoe, mode_of
from tests.rules.evaluators import JOKER_IS_NO_ACE, JOKER_IS_ONLY_AN_ACE, JOKER_IS_WILD
from tests.rules.felt import envy_of, line, lines, play, refusals, seat
from tests.rules.harness import Switch
from tests.rules.switches import BANKER_UNCHECKED, OTHER_HOUSE_WAY, mode_with, table_with

SEVEN_CARD = ("fortune", "commission-free-fortune", "face-up")
BANKED = ("fortune", "commission-free-fortune")
MODE = "seven-card-packets"

TABLE_1 = {"fortune": "FPGP-1"}
# Fits no line of any Fortune table; the dealer of most cases has a pair of queens and no more.
DEALER = "Qs Qd Jc 9d 7h 5c 2d"
PAIR = "Ts Td As 6c 5s 3d 2c"
OTHER_PAIR = "Jh Jd 9c 6d 5h 3c 2s"
QUADS = "8s 8h 8d 8c 4s 3h 2h"
FULL_HOUSE = "Ks Kd Kc 4h 4d 9s 5d"
STRAIGHT_FLUSH = "Kh Qh Th 9h Jh 7c 4c"
DEALER_QUADS = "7s 7h 7d 7c Ah Kh 4c"

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


def fortune_line(
    game_id: str, cards: str, low: str | None = None, *, table: str = "FPGP-1", stake: int = 1000, dealer: str = DEALER
) -> Line:
    """The line of a Fortune wager, alone at the table."""
    bets = seat(1, cards, low, main=1000, fortune=stake)
    return line(play(game_id, dealer, bets, paytables={"fortune": table}), 1, "fortune")


def table_for(table_id: str, *games: str) -> Switch:
    """A pay table that belongs to other games."""
    return table_with(table_id, games=games)


# The deal, the joker, the bank


PACKETS_OF_SIX = mode_with(MODE, packet_size=6)
NO_JOKER_IN_THE_DECK = mode_with(MODE, deck=DECK_52)
DECK_AND_JOKER = (NO_JOKER_IN_THE_DECK, JOKER_IS_ONLY_AN_ACE, JOKER_IS_NO_ACE, JOKER_IS_WILD)
BANKER_HOUSE_WAY = (OTHER_HOUSE_WAY, BANKER_UNCHECKED)


def check_seven_packets_of_seven(game_id: str) -> None:
    """From position 3, which is seat 5, counter-clockwise to every position, though only seat 2 is taken."""
    dealt = deal_from_shoe(game_id, DECK_53, seats=[2], start_position=3)
    assert dealt is not None
    assert [packet.place for packet in dealt.packets] == [5, 4, 3, 2, 1, 0, 6]
    assert [len(packet.cards) for packet in dealt.packets] == [7] * 7
    assert len(dealt.leftover) == 53 - 49


def check_deck_and_joker(game_id: str) -> None:
    """Fortune table 1 pays a straight 2, a flush 4, a straight flush 50 and three of a kind 3 to 1."""
    assert sorted(mode_of(game_id).deck) == sorted(DECK_53)
    assert len(set(DECK_53)) == 53
    for cards, hand, returned in (
        ("Jk 9s 8d 7c 5h Kd 2c", "straight", 3000),
        ("Jk Kh 9h 6h 3h 8s 2c", "flush", 5000),
        ("Jk 9h 8h 7h 6h 2s Kd", "straight-flush", 51000),
        ("Jk As Ad 9c 7h 4s 2c", "three-of-a-kind", 4000),
        # Beside a pair of nines the joker is an ace and no third nine.
        ("Jk 9s 9d Kc 7h 4s 2c", "pair", 0),
    ):
        bonus = fortune_line(game_id, cards, dealer="Qs Qd Jc Tc 8c 4d 3s")
        assert (bonus.hand, bonus.returned) == (hand, returned)


# Two pair of sixes and under: split, since no king or better can go in front.
SMALL_TWO_PAIR = "6s 6d 3h 3c Qh Jh 9c"


def check_banker_is_set_the_house_way(game_id: str) -> None:
    """The bank may not set its own hand, and the house way splits the small two pair."""
    dealer, player = "Kh Tc 7s 5c 4h 2h 8d", seat(1, "Ks Kd Ah 8c 6h 5d 3s", "Ah 8c", main=1000)
    own_low = seat(2, SMALL_TWO_PAIR, "Qh Jh")
    assert refusals(game_id, dealer, player, own_low, banker=2) == {"banker-low"}
    hand = play(game_id, dealer, player, seat(2, SMALL_TWO_PAIR), banker=2).seat(2).hand
    assert set(hand.low) == set(parse_cards("3h 3c"))


# The Fortune bonus and its envy


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
        assert envy_of(settled, 1, "fortune") == {2: 1000}
        assert envy_of(settled, 2, "fortune") == {1: 500}
        assert envy_of(settled, 3, "fortune") == {1: 500, 2: 1000}
        assert line(settled, 1, "fortune").returned == first
        assert line(settled, 2, "fortune").returned == second


def check_five_dollars_collect_envy(game_id: str) -> None:
    """The dealer and one player hold four of a kind, which by table 1 brings the other players $5."""
    settled = play(
        game_id,
        DEALER_QUADS,
        seat(1, PAIR, main=1000, fortune=500),
        seat(2, QUADS, main=1000, fortune=500),
        seat(3, OTHER_PAIR, main=1000, fortune=499),
        seat(4, FULL_HOUSE, main=1000),
        paytables=TABLE_1,
    )
    # For the four eights; nothing for the full house, and nothing for the dealer's four sevens.
    assert envy_of(settled, 1, "fortune") == {2: 500}
    assert envy_of(settled, 2, "fortune") == {}  # one's own four of a kind
    assert envy_of(settled, 3, "fortune") == {}  # a bonus below $5
    assert line(settled, 3, "fortune").stake == 499  # which is a bet all the same


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
    assert envy_of(settled, 1, "fortune") == {2: 500, 3: 1000}
    assert envy_of(settled, 2, "fortune") == {}
    assert envy_of(settled, 3, "fortune") == {2: 500}
    assert [each.wager for each in settled.seat(1).lines][-2:] == ["fortune_envy", "fortune_envy"]
    assert {each.clause for each in lines(settled, 1, "fortune_envy")} == {clause}


def check_no_envy_for_own_hand_or_dealer(game_id: str) -> None:
    """Player and dealer hold four of a kind, and neither brings that player envy."""
    settled = play(game_id, DEALER_QUADS, seat(1, QUADS, main=1000, fortune=500), paytables=TABLE_1)
    assert envy_of(settled, 1, "fortune") == {}


def check_printed_table(game_id: str, table_id: str) -> None:
    """Every line pays $1 at its odds, and brings another player's $5 the envy printed beside it."""
    pays, dollars = PRINTED[table_id]
    for place, (hand, cards) in enumerate(HANDS.items()):
        seats = seat(1, cards, main=1000, fortune=100), seat(2, NOTHING, main=1000, fortune=500)
        settled = play(game_id, HANDS_DEALER, *seats, paytables={"fortune": table_id})
        bonus = line(settled, 1, "fortune")
        assert (bonus.hand, bonus.returned) == (hand, 100 + 100 * pays[place])
        assert envy_of(settled, 2, "fortune") == ({1: 100 * dollars[place]} if place < len(dollars) else {})
