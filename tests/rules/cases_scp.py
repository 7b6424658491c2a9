"""Six Card Poker: Ante and Play, folding, the bonus wagers beside them, limits, and the deal."""

from __future__ import annotations

from houseway.cards import card_texts
from houseway.definitions import Wager
from houseway.games.bonus import bonus_line
from houseway.games.contest import compare_hands, decide
from houseway.games.round_model import Contest, Hand, Line, Outcome, lost, pushed
from houseway.paytables import PayLine, paytable
from tests.rules.deals import deal_of
from tests.rules.evaluators import FIRST_FIVE_CARDS_COUNT
from tests.rules.felt import faults_read, line, play, seat
from tests.rules.harness import Switch, replaced, rule
from tests.rules.six_card import HANDS, QUEEN_HIGH
from tests.rules.switches import (
    LIMITS_UNCHECKED,
    NO_DATED_LIMIT,
    PAID_TWO_TO_ONE,
    RAISES_UNCHECKED,
    WAGERS_UNCHECKED,
    compulsory,
    game_with,
    mode_with,
    places_in_order,
    qualifying_with,
    table_with,
    without_line,
    without_wager,
)

GAME = "six-card-poker"
MODE = "six-card-poker"
TABLES = {"aces_up": "SCP-01", "bad_beat": "TWBB-001"}
ACE_KING = "As Kd 6c 4s 3d 2d"
"""A-K-6-4-3: the dealer qualifies, with little more than the least."""
TRIPS = "8s 8d 8c Ks Qd 4c"
KINGS = "Kh Kc 9h 7c 5h 2c"
ACES = HANDS["pair-of-aces"]


def settled_lines(dealer: str, cards: str, *, fold: bool = False, **bonus: int) -> dict[str, tuple[Outcome, int]]:
    """Outcome and returned amount of every wager of a player with an Ante of $5."""
    wagers = {"ante": 500, **({} if fold else {"play": 500}), **bonus}
    settled = play(GAME, dealer, seat(3, cards, fold=fold, **wagers), paytables=TABLES)
    return {found.wager: (found.outcome, found.returned) for found in settled.seat(3).lines}


def outcomes(**changed: Outcome) -> Switch:
    """A switch that gives an outcome of the comparison another meaning."""
    return replaced("houseway.games.contest.compare_hands", lambda *hands: _changed(compare_hands(*hands), changed))


def _changed(outcome: Outcome, changed: dict[str, Outcome]) -> Outcome:
    return changed.get(outcome, outcome)


@rule("scp/overview/1", off=FIRST_FIVE_CARDS_COUNT)
def best_five_of_six_meet() -> None:
    # The sixth card makes the player's flush, which beats three eights.
    settled = play(GAME, TRIPS, seat(3, "Kh Jh 9h 5c 3h 2h", ante=500, play=500))
    assert card_texts(settled.seat(3).hand.high) == ["Kh", "Jh", "9h", "3h", "2h"]
    assert line(settled, 3, "play").outcome == "win"
    # A-K-Q-9-7 on both sides: the card left over, a six or a deuce, decides nothing.
    assert settled_lines("As Kd Qh 9c 7d 2s", "Ad Kh Qs 9h 7c 6d")["play"] == ("push", 500)


@rule(
    "scp/overview/2",
    off=(
        compulsory("aces_up"),
        compulsory("bad_beat"),
        without_wager(GAME, "aces_up"),
        without_wager(GAME, "bad_beat"),
    ),
)
def bonus_wagers_are_optional() -> None:
    def refused(**bonus: int) -> set[str]:
        tables = {name: TABLES[name] for name in bonus}
        return faults_read(GAME, QUEEN_HIGH, seat(3, KINGS, ante=500, play=500, **bonus), paytables=tables)

    assert refused() == set()
    assert refused(aces_up=100) == set()
    assert refused(bad_beat=100) == set()
    assert refused(aces_up=100, bad_beat=100) == set()


@rule("scp/rules/2", off=WAGERS_UNCHECKED)
def ante_is_the_wager_against_the_dealer() -> None:
    without_ante = seat(3, KINGS, fold=True, aces_up=100)
    assert faults_read(GAME, QUEEN_HIGH, without_ante, paytables=TABLES) == {"missing-first-wager"}
    # With it the hands decide: kings win against ace-king, and lose to three eights.
    assert settled_lines(ACE_KING, KINGS)["ante"] == ("win", 1000)
    assert settled_lines(TRIPS, KINGS)["ante"] == ("lose", 0)


@rule("scp/rules/3", off=(without_line("SCP-01", "two-pair"), without_line("TWBB-001", "two-pair")))
def bonus_wagers_play_against_a_table() -> None:
    # Two pair against three eights: Ante and Play are lost, the tables pay 2 to 1 and 10 to 1.
    two_pair = HANDS["two-pair"]
    assert settled_lines(TRIPS, two_pair, aces_up=100) == {
        "ante": ("lose", 0),
        "play": ("lose", 0),
        "aces_up": ("win", 300),
    }
    assert settled_lines(TRIPS, two_pair, bad_beat=100)["bad_beat"] == ("win", 1100)
    both = settled_lines(TRIPS, two_pair, aces_up=100, bad_beat=100)
    assert (both["aces_up"], both["bad_beat"]) == (("win", 300), ("win", 1100))
    no_table = seat(3, two_pair, ante=500, play=500, aces_up=100)
    assert faults_read(GAME, TRIPS, no_table) == {"missing-paytable"}


@rule("scp/rules/5", off=RAISES_UNCHECKED)
def player_folds_or_plays() -> None:
    def refused(*, fold: bool, **wagers: int) -> set[str]:
        return faults_read(GAME, ACE_KING, seat(3, KINGS, fold=fold, **wagers))

    assert refused(fold=True, ante=500) == set()
    assert refused(fold=False, ante=500, play=500) == set()
    assert refused(fold=False, ante=500) == {"raise-mismatch"}
    assert refused(fold=True, ante=500, play=500) == {"play-after-fold"}


@rule("scp/rules/5.b", off=RAISES_UNCHECKED)
def play_is_one_ante() -> None:
    def refused(stake: int) -> set[str]:
        return faults_read(GAME, ACE_KING, seat(3, KINGS, ante=500, play=stake))

    assert [refused(stake) for stake in (500, 499, 1000)] == [set(), {"raise-mismatch"}, {"raise-mismatch"}]


ANTE_COMES_BACK = replaced("houseway.games.contest.lost", pushed)
ANY_PAIR_PAYS = table_with("SCP-01", lines=(*paytable("SCP-01").lines, PayLine("pair", pays=1)))


@rule("scp/rules/5.a", off=(ANTE_COMES_BACK, ANY_PAIR_PAYS))
def folding_gives_up_ante_and_aces_up() -> None:
    # Kings would have beaten ace-king.
    assert settled_lines(ACE_KING, KINGS, fold=True, aces_up=100) == {"ante": ("lose", 0), "aces_up": ("lose", 0)}


def _refund_before_fold(contest: Contest, wager: Wager, hand: Hand, *, folded: bool = False) -> tuple[Outcome, str]:
    return decide(contest, wager, hand, folded=folded and bool(contest.qualifies))


@rule("scp/rules/6", off=(replaced("houseway.games.contest.decide", _refund_before_fold), ANY_PAIR_PAYS))
def folded_wagers_are_taken_at_once() -> None:
    # They are gone before the dealer's queen-high can bring an Ante back.
    assert settled_lines(QUEEN_HIGH, KINGS, fold=True, aces_up=100) == {"ante": ("lose", 0), "aces_up": ("lose", 0)}
    assert settled_lines(QUEEN_HIGH, KINGS)["ante"] == ("push", 500)


def _lost_with_the_fold(contest: Contest, wager: Wager, stake: int, hand: Hand, *, folded: bool) -> Line:
    if folded:
        return lost(wager.name, stake, hand.best_name, "")
    return bonus_line(contest, wager, stake, hand)


BONUS_LOST_WITH_THE_FOLD = replaced("houseway.games.settle.bonus_line", _lost_with_the_fold)


@rule("scp/rules/6.a", off=(BONUS_LOST_WITH_THE_FOLD, without_line("SCP-01", "pair-of-aces")))
def aces_up_is_paid_after_a_fold() -> None:
    assert settled_lines(TRIPS, ACES, fold=True, aces_up=100) == {"ante": ("lose", 0), "aces_up": ("win", 200)}
    assert settled_lines(TRIPS, HANDS["two-pair"], fold=True, aces_up=100)["aces_up"] == ("win", 300)


@rule("scp/rules/15", off=BONUS_LOST_WITH_THE_FOLD)
def aces_up_and_bad_beat_outlive_a_fold() -> None:
    # Aces lose to three eights: 1 to 1 on Aces Up, 9 to 1 on Bad Beat.
    assert settled_lines(TRIPS, ACES, fold=True, aces_up=100, bad_beat=100) == {
        "ante": ("lose", 0),
        "aces_up": ("win", 200),
        "bad_beat": ("win", 1000),
    }


@rule("scp/rules/7", off=replaced("houseway.games.hand_setting._cards_of_value", lambda cards, *_: cards[:5]))
def dealer_shows_the_best_five() -> None:
    # The flush in hearts is the best five; the eight is left over.
    dealer = play(GAME, "8s Kh Jh 9h 3h 2h", seat(3, "As Ad 7c 6c 5d 2c", ante=500, play=500)).to_json()["dealer"]
    assert dealer["high"] == ["Kh", "Jh", "9h", "3h", "2h"]


ALWAYS_QUALIFIES = qualifying_with(GAME, "two-high or better")
QUALIFIES_WITH_A_PAIR = qualifying_with(GAME, "pair or better")


@rule("scp/rules/8", off=(ALWAYS_QUALIFIES, QUALIFIES_WITH_A_PAIR))
def dealer_qualifies_with_ace_king() -> None:
    # A-K-6-4-3 qualifies, and so does a pair of deuces; A-Q-J-T-9, the best hand below, does not.
    assert settled_lines(ACE_KING, KINGS)["ante"] == ("win", 1000)
    assert settled_lines("2s 2d 6c 4s 3d 8d", KINGS)["ante"] == ("win", 1000)
    below = "As Qd Jh Tc 9s 2d"
    assert settled_lines(below, KINGS) == {"ante": ("push", 500), "play": ("win", 1000)}
    # The refund saves the Ante of a worse hand, but nothing else; Aces Up has full action too.
    assert settled_lines(below, "Ks Qh 9h 7c 5h 2c", aces_up=100) == {
        "ante": ("push", 500),
        "play": ("lose", 0),
        "aces_up": ("lose", 0),
    }
    assert settled_lines(QUEEN_HIGH, ACES, aces_up=100)["aces_up"] == ("win", 200)


@rule("scp/layout/1", off=ALWAYS_QUALIFIES)
def ante_pushes_below_ace_king() -> None:
    assert settled_lines(QUEEN_HIGH, KINGS)["ante"] == ("push", 500)
    assert settled_lines("As Qd Jh Tc 9s 2d", KINGS)["ante"] == ("push", 500)


@rule("scp/rules/9", off=replaced("houseway.games.settle.resolution_order", lambda contest: sorted(contest.hands)))
def players_are_resolved_from_the_right() -> None:
    # Seats count clockwise from the dealer's left hand: the highest one sits at his right.
    settled = play(
        GAME,
        QUEEN_HIGH,
        seat(1, KINGS, ante=500, play=500),
        seat(7, "As Ad 8s 7d 4h 3h", ante=500, play=500),
        seat(4, "Jh Jd Th 6d 4d 3s", ante=500, play=500),
    )
    assert settled.order == (7, 4, 1)


@rule(
    "scp/rules/10",
    off=(
        outcomes(win="push"),
        PAID_TWO_TO_ONE,
    ),
)
def better_player_wins_even_money() -> None:
    assert settled_lines(ACE_KING, KINGS) == {"ante": ("win", 1000), "play": ("win", 1000)}
    # Against queen-high the Ante is not in action.
    assert settled_lines(QUEEN_HIGH, KINGS) == {"ante": ("push", 500), "play": ("win", 1000)}


@rule("scp/rules/11", off=outcomes(lose="push"))
def better_dealer_wins() -> None:
    assert settled_lines(TRIPS, KINGS) == {"ante": ("lose", 0), "play": ("lose", 0)}
    # Queen-high beats jack-high, without the Ante.
    assert settled_lines(QUEEN_HIGH, "Jh 9c 8d 5h 3c 2c") == {"ante": ("push", 500), "play": ("lose", 0)}


@rule("scp/rules/12", off=(outcomes(push="lose"), outcomes(push="win")))
def equal_hands_push() -> None:
    assert settled_lines("As Kd Qh 9c 7d 2s", "Ad Kh Qs 9h 7c 6d") == {"ante": ("push", 500), "play": ("push", 500)}
    assert settled_lines(QUEEN_HIGH, "Qh Th 7d 6h 4c 2c") == {"ante": ("push", 500), "play": ("push", 500)}


@rule("scp/rules/1", off=(mode_with(MODE, packet_size=5), game_with(GAME, shuffler_mode="seven-card-packets")))
def shuffler_makes_packets_of_six() -> None:
    dealt = deal_of(GAME, 1, 1, 2, 3, 4, 5, 6)
    assert [len(packet.cards) for packet in dealt.packets] == [6] * 7
    assert len(dealt.leftover) == 10


def _dealer_first(mode: object, occupied: list[int], *_: object) -> list[int]:
    return [0, *sorted(occupied)]


def _counter_clockwise(mode: object, occupied: list[int], *_: object) -> list[int]:
    return [*sorted(occupied, reverse=True), 0]


@rule(
    "scp/rules/4",
    off=(
        places_in_order(_counter_clockwise),
        places_in_order(_dealer_first),
        mode_with(MODE, dealer_cards_up=2),
    ),
)
def packets_go_clockwise_and_three_dealer_cards_up() -> None:
    dealt = deal_of(GAME, 1, 7, 2, 5)
    assert [packet.place for packet in dealt.packets] == [2, 5, 7, 0]
    for turn, packet in enumerate(dealt.packets):
        assert packet.cards == dealt.order[6 * turn : 6 * turn + 6]
    assert dealt.up == dealt.order[18:21]


@rule("scp/limits/1", off=(LIMITS_UNCHECKED, NO_DATED_LIMIT))
def no_wager_above_the_highest_of_the_day() -> None:
    def refused(day: str, **wagers: int) -> set[str]:
        player, limits = seat(3, KINGS, **wagers), {"limits": {"as_of": day}}
        return faults_read(GAME, ACE_KING, player, paytables=TABLES, settings=limits)

    # $300 in 2022, $400 in 2024.
    assert refused("2022-05-01", ante=30_000, play=30_000) == set()
    assert refused("2022-05-01", ante=30_001, play=30_001) == {"over-limit"}
    assert refused("2022-05-01", ante=500, play=500, bad_beat=30_001) == {"over-limit"}
    assert refused("2024-05-01", ante=40_000, play=40_000) == set()
    assert refused("2024-05-01", ante=40_001, play=40_001) == {"over-limit"}
