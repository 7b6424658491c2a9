"""6 Card Fortune Pai Gow Poker: the shuffler and the deal, who must bet what, and limits."""

from __future__ import annotations

from collections import Counter

from houseway.cards import DECK_52, JOKER, shuffler
from tests.rules.deals import deal_of
from tests.rules.evaluators import JOKER_IS_WILD
from tests.rules.felt import faults_read, line, play, refusals, seat
from tests.rules.harness import replaced, rule
from tests.rules.six_card import ONLOOKER, QUEEN_HIGH
from tests.rules.switches import (
    LIMITS_UNCHECKED,
    NO_DATED_LIMIT,
    WAGERS_UNCHECKED,
    compulsory,
    contest_with,
    game_with,
    mode_with,
    places_in_order,
    without_wager,
)

GAME = "six-card-fortune"
MODE = "six-card-packets"
COUNTER_CLOCKWISE = [0, 6, 5, 4, 3, 2, 1]
"""The dealer, then from his right hand round to his left."""


def turned_to(first: int) -> list[int]:
    """All places counter-clockwise, from the first one on."""
    turn = COUNTER_CLOCKWISE.index(first)
    return COUNTER_CLOCKWISE[turn:] + COUNTER_CLOCKWISE[:turn]


CLOCKWISE = places_in_order(lambda mode, occupied, start, numbering: turned_to(numbering[start - 1])[::-1])


@rule(
    "6cfpgp/overview/9",
    off=(mode_with(MODE, deck=DECK_52), game_with(GAME, deck=52), JOKER_IS_WILD),
)
def deck_has_53_cards_with_a_joker() -> None:
    dealt = deal_of(GAME, 1, 2, 5)
    assert len(dealt.order) == len(set(dealt.order)) == 53
    assert JOKER in dealt.order
    joker_hand = seat(2, "Jk 9s 8d 7h 5c 2c", main=1000, fortune=100)
    assert refusals(GAME, QUEEN_HIGH, joker_hand, paytables={"fortune": "6CFPGP-1"}) == set()
    settled = play(GAME, QUEEN_HIGH, joker_hand, paytables={"fortune": "6CFPGP-1"})
    assert line(settled, 2, "fortune").hand == "straight"
    # It is an ace beside kings, no third king.
    kings = play(
        GAME, QUEEN_HIGH, seat(2, "Jk Ks Kd 9h 5c 2c", main=1000, fortune=100), paytables={"fortune": "6CFPGP-1"}
    )
    assert line(kings, 2, "fortune").hand == "pair"


@rule("6cfpgp/rules/1", off=(game_with(GAME, shuffler_mode="seven-card-packets"), mode_with(MODE, packet_size=5)))
def shuffler_makes_packets_of_six() -> None:
    dealt = deal_of(GAME, 1, 1, 2, 3, 4, 5, 6)
    assert [len(packet.cards) for packet in dealt.packets] == [6] * 7
    assert len(dealt.leftover) == 11


@rule(
    "6cfpgp/rules/3",
    off=(
        replaced("houseway.cards.shuffler.draw_below", lambda bound, stream: next(stream) % bound),
        replaced("houseway.cards.shuffler.draw_below", lambda bound, stream: 0),
        CLOCKWISE,
        mode_with(MODE, every_position=False),
    ),
)
def random_number_names_the_first_position() -> None:
    deals = [deal_of(GAME, number, 2, 5) for number in range(60)]
    assert {dealt.start_position for dealt in deals} == {1, 2, 3, 4, 5, 6, 7}
    for dealt in deals:
        # Position 1 is the dealer, 2 the seat at his right, and so on; also the empty seats get a packet.
        first = COUNTER_CLOCKWISE[dealt.start_position - 1]
        assert [packet.place for packet in dealt.packets] == turned_to(first)
    # The draw is uniform: 252 bytes give 36 times each number, the last four are thrown away for the next byte.
    draws = Counter(shuffler.draw_below(7, iter([byte])) for byte in range(252))
    assert draws == dict.fromkeys(range(7), 36)
    assert [shuffler.draw_below(7, iter([byte, 6])) for byte in range(252, 256)] == [6, 6, 6, 6]
    # A room that calls the seat at the dealer's left position 1 goes round the same way.
    other = deal_of(GAME, 1, 2, 5, numbering=(1, 2, 3, 4, 5, 6, 0))
    assert other.start_position is not None
    assert [packet.place for packet in other.packets] == turned_to((1, 2, 3, 4, 5, 6, 0)[other.start_position - 1])


@rule("6cfpgp/rules/4", off=(mode_with(MODE, every_position=False), mode_with(MODE, packet_size=5), CLOCKWISE))
def every_spot_gets_six_cards() -> None:
    dealt = deal_of(GAME, 8, 3)
    # Only seat 3 is taken: all six spots and the dealer get the next six cards off the deck.
    first = COUNTER_CLOCKWISE[dealt.start_position - 1] if dealt.start_position else 0
    assert [packet.place for packet in dealt.packets] == turned_to(first)
    for turn, packet in enumerate(dealt.packets):
        assert packet.cards == dealt.order[6 * turn : 6 * turn + 6]
    assert sorted(dealt.seats) == [1, 2, 3, 4, 5, 6]
    assert list(dealt.players) == [3]


@rule("6cfpgp/overview/8", off=contest_with(GAME, bank_clause="base/pai-gow/banker"))
def players_cannot_bank() -> None:
    seats = [seat(2, ONLOOKER, main=1000), seat(5, "9s 9h 9d 5c 5h 2c", main=1000)]
    assert faults_read(GAME, QUEEN_HIGH, *seats) == set()
    assert faults_read(GAME, QUEEN_HIGH, *seats, banker=5) == {"no-banker"}


@rule(
    "6cfpgp/rules/2",
    off=(WAGERS_UNCHECKED, compulsory("fortune"), without_wager(GAME, "fortune"), without_wager(GAME, "insurance")),
)
def main_wager_is_a_must_and_the_others_are_not() -> None:
    def refused(**wagers: int) -> set[str]:
        tables = {"fortune": "6CFPGP-1"} if "fortune" in wagers else {}
        return faults_read(GAME, QUEEN_HIGH, seat(2, ONLOOKER, **wagers), paytables=tables)

    assert refused(main=1000) == set()
    assert refused(main=1000, fortune=500, insurance=100) == set()
    assert refused(fortune=500, insurance=100) == {"missing-first-wager"}


@rule("6cfpgp/limits/1", off=(LIMITS_UNCHECKED, NO_DATED_LIMIT))
def no_wager_above_the_highest_of_the_day() -> None:
    def refused(day: str, **wagers: int) -> set[str]:
        player = seat(2, ONLOOKER, **wagers)
        limits = {"limits": {"as_of": day}}
        return faults_read(GAME, QUEEN_HIGH, player, paytables={"fortune": "6CFPGP-1"}, settings=limits)

    # $300 in 2022, $400 in 2024.
    assert refused("2022-05-01", main=30_000) == set()
    assert refused("2022-05-01", main=30_001) == {"over-limit"}
    assert refused("2022-05-01", main=1000, fortune=30_001) == {"over-limit"}
    assert refused("2024-05-01", main=40_000) == set()
    assert refused("2024-05-01", main=40_001) == {"over-limit"}
