"""Six Card Poker: Aces Up and Bad Beat against the dealer's hand, and their pay tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from houseway.definitions import game
from houseway.games.looks import Sight, see
from houseway.games.round_model import Contest, Hand, Outcome
from tests.rules.cases_scp import ACES, ANY_PAIR_PAYS, GAME, KINGS, TRIPS
from tests.rules.felt import line, play, refusals, seat
from tests.rules.harness import Switch, rule
from tests.rules.six_card import HANDS, QUEEN_HIGH
from tests.rules.switches import line_with, seen_by, table_with, without_line


def bad_beat(dealer: str, cards: str, table: str = "TWBB-001") -> tuple[str, int]:
    """The hand that decides a Bad Beat wager of $1, and what it returns."""
    player = seat(3, cards, ante=500, play=500, bad_beat=100)
    found = line(play(GAME, dealer, player, paytables={"bad_beat": table}), 3, "bad_beat")
    return found.hand, found.returned


def aces_up(cards: str, table: str = "SCP-01", dealer: str = QUEEN_HIGH) -> tuple[Outcome, int]:
    """What becomes of an Aces Up wager of $1."""
    player = seat(3, cards, ante=500, play=500, aces_up=100)
    found = line(play(GAME, dealer, player, paytables={"aces_up": table}), 3, "aces_up")
    return found.outcome, found.returned


def _decided_by_the_dealer(contest: Contest, hand: Hand) -> Sight:
    return Sight(hand.names, hand.best_name, alive=hand.best_value > contest.dealer.best_value)


@rule(
    "scp/rules/13",
    off=(
        without_line("SCP-01", "pair-of-aces"),
        ANY_PAIR_PAYS,
        seen_by(GAME, "aces_up", _decided_by_the_dealer),
    ),
)
def aces_up_wins_from_a_pair_of_aces() -> None:
    assert aces_up(ACES) == ("win", 200)
    assert aces_up(KINGS) == ("lose", 0)
    # The dealer's four of a kind takes nothing from it, nor does queen-high save a pair of kings.
    assert aces_up(ACES, dealer="8s 8h 8d 8c Ks 4c") == ("win", 200)


def look_at_bad_beat(contest: Contest, hand: Hand) -> Sight:
    """What the wager sees as the sheet has it."""
    wager = game(GAME).wager("bad_beat")
    assert wager is not None
    assert wager.look is not None
    return see(wager.look, contest, hand)


def _tie_counts(contest: Contest, hand: Hand) -> Sight:
    sight = look_at_bad_beat(contest, hand)
    return Sight(sight.names, sight.hand)


def _winning_hand_decides(contest: Contest, hand: Hand) -> Sight:
    better = max(hand, contest.dealer, key=lambda held: held.best_value)
    return Sight(better.names, better.best_name, look_at_bad_beat(contest, hand).alive)


def _own_hand_decides(contest: Contest, hand: Hand) -> Sight:
    return Sight(hand.names, hand.best_name, look_at_bad_beat(contest, hand).alive)


def bad_beat_by(sight: Callable[[Contest, Hand], Sight]) -> Switch:
    """A switch that lets Bad Beat see something else."""
    return seen_by(GAME, "bad_beat", sight)


@rule(
    "scp/rules/14", off=(bad_beat_by(_tie_counts), bad_beat_by(_winning_hand_decides), bad_beat_by(_own_hand_decides))
)
def losing_hand_decides_the_bad_beat() -> None:
    # Aces lose to three eights, on either side of the table: 9 to 1.
    assert bad_beat(TRIPS, ACES) == ("pair-of-aces", 1000)
    assert bad_beat(ACES, TRIPS) == ("pair-of-aces", 1000)
    # A full house beats a flush: the flush pays, 200 to 1.
    assert bad_beat("Kh Jh 8h 6h 3h 2d", "9s 9d 9c 5c 5h 2c") == ("flush", 20_100)
    # Below a pair of aces on one side, or a tie, there is no bad beat.
    assert bad_beat(TRIPS, KINGS)[1] == 0
    assert bad_beat(KINGS, TRIPS)[1] == 0
    assert bad_beat("Ad Ac 9c 7d 5d 3d", ACES)[1] == 0


ACES_UP_PAYS = {
    "royal-flush": (500, 500, 500, 500),
    "straight-flush": (100, 100, 100, 100),
    "four-of-a-kind": (30, 30, 30, 30),
    "full-house": (9, 10, 9, 9),
    "flush": (8, 8, 8, 7),
    "straight": (7, 6, 6, 6),
    "three-of-a-kind": (4, 4, 4, 4),
    "two-pair": (2, 2, 2, 2),
    "pair-of-aces": (1, 1, 1, 1),
}
"""The pays to 1 of SCP-01 to SCP-04."""


@rule(
    "scp/paytables/1",
    off=(
        line_with("SCP-01", "straight", pays=6),
        line_with("SCP-02", "full-house", pays=9),
        line_with("SCP-03", "flush", pays=7),
        line_with("SCP-04", "royal-flush", pays=100),
    ),
)
def aces_up_tables_pay_as_printed() -> None:
    for hand, pays in ACES_UP_PAYS.items():
        for number, pay in enumerate(pays, 1):
            assert aces_up(HANDS[hand], f"SCP-0{number}") == ("win", 100 + 100 * pay), hand
    assert [aces_up(KINGS, f"SCP-0{number}") for number in range(1, 5)] == [("lose", 0)] * 4


BAD_BEAT_PAYS = {
    "straight-flush": (10_000, 2500, 500),
    "four-of-a-kind": (5000, 1000, 500),
    "full-house": (500, 500, 500),
    "flush": (200, 200, 200),
    "straight": (100, 100, 100),
    "three-of-a-kind": (35, 35, 35),
    "two-pair": (10, 10, 10),
    "pair-of-aces": (9, 9, 9),
}
"""The pays to 1 of TWBB-001 to TWBB-003."""


@rule(
    "scp/paytables/2",
    off=(
        line_with("TWBB-001", "straight-flush", pays=2500),
        line_with("TWBB-002", "four-of-a-kind", pays=5000),
        line_with("TWBB-003", "pair-of-aces", pays=10),
    ),
)
def bad_beat_tables_pay_as_printed() -> None:
    for hand, pays in BAD_BEAT_PAYS.items():
        for number, pay in enumerate(pays, 1):
            # Every hand loses to the dealer's royal flush.
            assert bad_beat("Ad Kd Qd Jd Td 2d", HANDS[hand], f"TWBB-00{number}") == (hand, 100 + 100 * pay)


LAYOUT_PAYS = {
    "royal-flush": 100,
    "straight-flush": 50,
    "four-of-a-kind": 20,
    "full-house": 10,
    "flush": 5,
    "straight": 4,
    "three-of-a-kind": 3,
    "two-pair": 2,
    "pair-of-aces": 1,
}


@rule("scp/layout/2", off=(table_with("SCP-LAYOUT", approved=True), line_with("SCP-LAYOUT", "flush", pays=8)))
def layout_pays_are_no_approved_table() -> None:
    unapproved: dict[str, Any] = {"paytables": {"aces_up": "SCP-LAYOUT"}}
    player = seat(3, ACES, ante=500, play=500, aces_up=100)
    assert refusals(GAME, QUEEN_HIGH, player, **unapproved) == {"unapproved-paytable"}
    # A room that insists gets the pays of the drawing, which no column of the approved tables has.
    for hand, pay in LAYOUT_PAYS.items():
        player = seat(3, HANDS[hand], ante=500, play=500, aces_up=100)
        settled = play(GAME, QUEEN_HIGH, player, settings={"allow_unapproved": True}, **unapproved)
        assert line(settled, 3, "aces_up").returned == 100 + 100 * pay, hand
    assert tuple(LAYOUT_PAYS.values()) not in set(zip(*ACES_UP_PAYS.values(), strict=True))
