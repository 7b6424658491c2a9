"""Cases of the Pai Gow'd rule sheet."""

from __future__ import annotations

from itertools import pairwise

from houseway.games.looks import Sight
from houseway.games.round_model import Contest, Hand, Line
from houseway.ranking.hand_names import HIGH_NAMES
from tests.rules.felt import line, play, refusals, seat
from tests.rules.harness import rule
from tests.rules.switches import (
    BANKERS_HAND_IS_LOOKED_AT,
    NO_DATED_LIMIT,
    NO_NUMBER_OF_GAMES,
    OWN_LIMITS_ARE_IGNORED,
    compulsory,
    line_with,
    look_with,
    resolved_last,
    seen_by,
    without_wager,
)

# Less than a pair in the dealer's seven cards: the top card stays in back and 8-7 goes in front.
TOPS = {"nine": "9", "ten": "T", "jack": "J", "queen": "Q", "king": "K", "ace": "A"}
DEALERS = {f"{name}-high": f"{top}s 8d 7c 6h 4s 3c 2d" for name, top in TOPS.items()}
ACE_HIGH = DEALERS["ace-high"]  # in back A-6-4-3-2
PAIR_OF_QUEENS = "Qs Qd Jc 9h 7c 4s 2d"
STRAIGHT = "9s 8d 7c 6h 5s 3c 2d"
KINGS = ("Kh Kd Jh 9c 6s 5d 3h", "Jh 9c")

# As printed, to 1, from nine-high to ace-high.
PRINTED = {
    "PGD-01": (100, 40, 10, 7, 6, 3),
    "PGD-02": (100, 50, 10, 7, 5, 3),
    "PGD-03": (100, 40, 10, 7, 5, 3),
}


def paigowd(dealer: str, cards: str, low: str, table_id: str = "PGD-01") -> Line:
    """The line of a $10 wager."""
    bets = seat(1, cards, low, main=1000, paigowd=1000)
    return line(play("fortune", dealer, bets, paytables={"paigowd": table_id}), 1, "paigowd")


def look_past_a_pair(contest: Contest, hand: Hand) -> Sight:
    """The wager judged by the dealer's top card, whatever else the dealer holds."""
    name = HIGH_NAMES[max(card >> 2 for card in contest.dealer.cards)]
    return Sight(frozenset({name}), name, hand.high_value > contest.dealer.high_value)


A_PAIR_COUNTS_FOR_NOTHING = seen_by("fortune", "paigowd", look_past_a_pair)
NEED_NOT_BEAT_THE_DEALER = look_with("fortune", "paigowd", beaten_by=None)


# General conditions


@rule("pgd/general/1", off=NO_DATED_LIMIT)
def no_wager_is_above_the_highest_amount_of_the_day() -> None:
    for day, most in (("2018-10-18", 300_00), ("2023-09-01", 400_00)):
        rest = {"paytables": {"paigowd": "PGD-01"}, "settings": {"limits": {"as_of": day}}}
        assert refusals("fortune", ACE_HIGH, seat(1, *KINGS, main=1000, paigowd=most), **rest) == set()
        assert refusals("fortune", ACE_HIGH, seat(1, *KINGS, main=1000, paigowd=most + 1), **rest) == {"over-limit"}


@rule("pgd/general/2", off=NO_NUMBER_OF_GAMES)
def paigowd_counts_among_the_four_games() -> None:
    tables = {"fortune": "FPGP-1", "paigowd": "PGD-01", "progressive": "FPGPP-WA07", "progressive2": "FPGPP-WA03"}
    rest = {"paytables": tables, "settings": {"limits": {"as_of": "2018-10-18"}}}
    others = {"main": 1000, "fortune": 500, "progressive": 100, "progressive2": 100}
    # A second sensor, which makes it five, is not offered by that edition either.
    assert refusals("fortune", ACE_HIGH, seat(1, *KINGS, **others), **rest) == {"not-in-edition"}
    five = seat(1, *KINGS, **others, paigowd=500)
    assert refusals("fortune", ACE_HIGH, five, **rest) == {"too-many-games", "not-in-edition"}


# Overview of the wager


@rule("pgd/overview/1", off=(compulsory("paigowd"), without_wager("fortune", "paigowd")))
def the_wager_is_optional() -> None:
    assert refusals("fortune", ACE_HIGH, seat(1, *KINGS, main=1000)) == set()
    with_it = seat(1, *KINGS, main=1000, paigowd=500)
    assert refusals("fortune", ACE_HIGH, with_it, paytables={"paigowd": "PGD-01"}) == set()


@rule("pgd/overview/2", off=(A_PAIR_COUNTS_FOR_NOTHING, NEED_NOT_BEAT_THE_DEALER))
def it_wins_against_less_than_a_pair_that_the_high_hand_beats() -> None:
    assert paigowd(ACE_HIGH, *KINGS).outcome == "win"
    # Kings beat a pair of queens, but a pair is too much.
    assert paigowd(PAIR_OF_QUEENS, *KINGS).outcome == "lose"
    # King-high does not beat ace-high, whatever the low hand does.
    assert paigowd(ACE_HIGH, "Kh Td 9h 7h 5c 3d 2c", "Td 9h").outcome == "lose"


@rule("pgd/overview/3", off=tuple(line_with(table_id, "king-high", pays=8) for table_id in PRINTED))
def the_lower_the_dealers_top_card_the_higher_the_pay() -> None:
    for table_id in PRINTED:
        returned = [paigowd(dealer, *KINGS, table_id).returned for dealer in DEALERS.values()]
        assert all(lower > higher for lower, higher in pairwise(returned))


# Dealing procedures


@rule("pgd/rules/1", off=OWN_LIMITS_ARE_IGNORED)
def the_wager_keeps_to_its_own_minimum_and_maximum() -> None:
    rest = {
        "paytables": {"paigowd": "PGD-01"},
        "settings": {"limits": {"paigowd": {"min": 500, "max": 5000}}},
    }
    for stake, refused in ((499, {"under-limit"}), (500, set()), (5000, set()), (5001, {"over-limit"})):
        assert refusals("fortune", ACE_HIGH, seat(1, *KINGS, main=10000, paigowd=stake), **rest) == refused


@rule("pgd/rules/2", off=resolved_last("fortune", "paigowd"))
def it_is_resolved_with_the_main_and_the_fortune_wager() -> None:
    bets = seat(1, *KINGS, main=1000, fortune=500, paigowd=500)
    quads = seat(2, "Th Td Tc Ts 5c 4d 2c", main=1000)
    settled = play("fortune", ACE_HIGH, bets, quads, paytables={"fortune": "FPGP-1", "paigowd": "PGD-01"})
    assert [each.wager for each in settled.seat(1).lines] == ["main", "fortune", "paigowd", "fortune_envy"]


@rule("pgd/rules/3", off=(A_PAIR_COUNTS_FOR_NOTHING, NEED_NOT_BEAT_THE_DEALER, BANKERS_HAND_IS_LOOKED_AT))
def it_wins_by_the_table_and_loses_to_a_pair_or_better() -> None:
    won = paigowd(ACE_HIGH, *KINGS)
    assert (won.outcome, won.returned, won.hand, won.clause) == ("win", 4000, "ace-high", "pgd/rules/3")
    # The straight in the dealer's seven cards is better than a pair; three jacks do not beat it.
    for dealer, player in (
        (PAIR_OF_QUEENS, KINGS),
        (STRAIGHT, ("Jh Jd Jc Tc 7h 5d 3h", "Tc 7h")),
    ):
        lost = paigowd(dealer, *player)
        assert (lost.outcome, lost.returned, lost.clause) == ("lose", 0, "pgd/rules/3")
    # A flush beats the dealer's straight, and the wager loses all the same.
    assert paigowd(STRAIGHT, "Kh Jh 9h 5h 3h Qc Tc", "Qc Tc").outcome == "lose"
    assert paigowd(ACE_HIGH, "Kh Td 9h 7h 5c 3d 2c", "Td 9h").outcome == "lose"
    # The sentence names the dealer's cards, also while a player banks; a room may read the banker's instead. The
    # banker's own wager looks at the dealer's either way.
    jack_high = "Jd Tc 8s 7s 4d 3s 2h"
    for settings, others, own in (({}, 4000, 400), ({"banked_bonus": "banker"}, 11_000, 400)):
        bets = seat(1, *KINGS, main=1000, paigowd=1000), seat(2, jack_high.replace("Jd", "Ad"), paigowd=100)
        banked = play("fortune", ACE_HIGH, *bets, paytables={"paigowd": "PGD-01"}, banker=2, settings=settings)
        assert line(banked, 2, "paigowd").returned == own
        bets = bets[0], seat(2, jack_high)
        banked = play("fortune", ACE_HIGH, *bets, paytables={"paigowd": "PGD-01"}, banker=2, settings=settings)
        assert line(banked, 1, "paigowd").returned == others


# Pay tables


@rule(
    "pgd/paytables/1",
    off=(
        line_with("PGD-01", "king-high", pays=5),
        line_with("PGD-02", "ten-high", pays=40),
        line_with("PGD-03", "ace-high", pays=2),
    ),
)
def three_tables_pay_by_the_dealers_hand() -> None:
    for table_id, pays in PRINTED.items():
        for (hand, dealer), odds in zip(DEALERS.items(), pays, strict=True):
            won = paigowd(dealer, *KINGS, table_id)
            assert (won.hand, won.returned) == (hand, 1000 + 1000 * odds)


@rule("pgd/paytables/2", off=NEED_NOT_BEAT_THE_DEALER)
def a_five_card_hand_that_does_not_beat_the_dealers_is_not_paid() -> None:
    # The same five ranks as the dealer's A-6-4-3-2: a copy beats nothing.
    assert paigowd(ACE_HIGH, "Ah 6d 4h 3h 2c Jh Tc", "Jh Tc").outcome == "lose"
    # One rank better beats it; king-high does not.
    assert paigowd(ACE_HIGH, "Ah 7d 4h 3h 2c Jh Tc", "Jh Tc").outcome == "win"
    assert paigowd(ACE_HIGH, "Kh 7d 4h 3h 2c Jh Tc", "Jh Tc").outcome == "lose"
