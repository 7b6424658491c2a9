"""Cases of the jackpot tables of Fortune Pai Gow Poker and of those that link it with Face Up Pai Gow Poker."""

from __future__ import annotations

from dataclasses import replace

from houseway.cards import DECK_53
from houseway.definitions import Game
from houseway.games.hand_setting import put_hand
from houseway.games.jackpots import _fixed_line
from houseway.games.round_model import Hand
from houseway.houseways.evaluate import Evaluator
from houseway.ranking.reference import Ranking
from tests.rules.cases_jackpots import PAIR, WA07, jackpot
from tests.rules.deals import mode_of
from tests.rules.felt import line, play, refusals, seat
from tests.rules.harness import replaced, rule
from tests.rules.money import STAKE_COMES_BACK_TOO
from tests.rules.seven_card import HANDS, HANDS_DEALER, SEVEN_CARD, table_for
from tests.rules.switches import game_with, line_with

# For $1, from the top of HANDS down to the full house: the pay in dollars, or the share of the meter in percent. A hand
# that a table does not name is paid by the best line it fits, e.g. a seven-card straight flush as a straight flush.
PRINTED = {
    ("FPGPP-WA01", "FUPGPP-WA01"): ("100%", "50%", "25%", 2500, 200, 100, 75, 6),
    ("FPGPP-WA07", "FUPGPP-07"): (100, 500, 100, "100%", 500, 100, 75, 5),
    ("FPGPP-WA03", "FUPGPP-03"): ("100%", 500, "100%", "10%", 500, 100, 75, 4),
    ("FPGPP-ML2", "FUPGPP-ML02"): ("100%", "100%", "100%", "100%", "100%", 100, 75, 4),
}


def cents(pay: str | int, meter: int = 1_000_000) -> int:
    """A printed pay for a wager of $1."""
    return meter * int(pay[:-1]) // 100 if isinstance(pay, str) else pay * 100


@rule(
    "fpgpj/wager/1",
    off=tuple(line_with(table_id, "full-house", pays=1) for tables in PRINTED for table_id in tables),
)
def the_tables_state_what_one_dollar_is_paid() -> None:
    for (fortune_table, face_up_table), pays in PRINTED.items():
        for hand, pay in zip(HANDS, pays, strict=False):
            assert jackpot("fortune", fortune_table, HANDS[hand])[0].returned == cents(pay)
            assert jackpot("face-up", face_up_table, HANDS[hand])[0].returned == cents(pay)


AS_FOR_ONE_DOLLAR = replaced(
    "houseway.games.jackpots._fixed_line", lambda wager, stake, *rest: _fixed_line(wager, 100, *rest)
)


@rule("fpgpj/wager/3", off=AS_FOR_ONE_DOLLAR)
def another_fixed_wager_multiplies_the_pays() -> None:
    for game_id, table_id in WA07.items():
        # $5 on a full house at 5 for 1 and on four of a kind at 75 for 1; a share of the meter is a share.
        assert jackpot(game_id, table_id, HANDS["full-house"], stake=500)[0].returned == 2500
        assert jackpot(game_id, table_id, HANDS["four-of-a-kind"], stake=500)[0].returned == 37_500
        assert jackpot(game_id, table_id, HANDS["five-aces"], stake=500)[0].returned == 1_000_000


@rule(
    "fpgpp/paytables/1",
    "fpgpj/paytables/1",
    off=tuple(table_for(table_id, "fortune", "commission-free-fortune", "face-up") for table_id, _ in PRINTED)
    + tuple(table_for(table_id, "face-up") for table_id, _ in PRINTED),
)
def the_fortune_jackpot_tables_are_for_fortune_tables_alone() -> None:
    bets = seat(1, PAIR, main=1000, progressive=100)
    for table_id, _ in PRINTED:
        tables = {"progressive": table_id}
        assert refusals("fortune", HANDS_DEALER, bets, paytables=tables) == set()
        assert refusals("commission-free-fortune", HANDS_DEALER, bets, paytables=tables) == set()
        assert refusals("face-up", HANDS_DEALER, bets, paytables=tables) == {"wrong-paytable"}


def is_royal_match(names: frozenset[str], cards: tuple[int, ...]) -> bool:
    ranks = [card >> 2 for card in cards]
    return "royal-flush" in names and ranks.count(11) == 2 and ranks.count(10) == 2


def any_king_and_queen_match(
    played: Game, cards: tuple[int, ...], low: object, way: object, ranking: Ranking, evaluator: Evaluator
) -> Hand:
    hand = put_hand(played, cards, low, way, ranking, evaluator)
    added = {"royal-flush-royal-match"} if is_royal_match(hand.names, cards) else set()
    return replace(hand, names=hand.names | added)


@rule(
    "fpgpp/paytables/3", "fpgpj/paytables/3", off=replaced("houseway.games.settle.put_hand", any_king_and_queen_match)
)
def the_royal_match_is_a_king_and_queen_of_one_suit() -> None:
    for game_id, table_id in (("fortune", "FPGPP-WA01"), ("face-up", "FUPGPP-WA01")):
        for cards, returned in (
            ("As Ks Qs Js Ts Kd Qd", 500_000),  # half the meter
            ("Jk As Qs Js Ts Kd Qd", 500_000),  # the joker may be in the royal flush
            ("As Ks Qs Js Ts Kd Qh", 20_000),  # two suits: a royal flush, 200 for 1
            ("As Ks Qs Js Ts Kd Jk", 20_000),  # the joker is no queen of diamonds
        ):
            assert jackpot(game_id, table_id, cards)[0].returned == returned


@rule("fpgpp/paytables/2", "fpgpj/paytables/2", off=STAKE_COMES_BACK_TOO)
def a_pay_for_one_includes_the_stake() -> None:
    for game_id, table_id in WA07.items():
        won, _ = jackpot(game_id, table_id, HANDS["full-house"])
        assert (won.stake, won.returned) == (100, 500)


@rule(
    "fpgpp/paytables/4",
    "fpgpj/paytables/4",
    off=(
        line_with("FPGPP-ML2", "seven-card-straight-flush", level="minor"),
        line_with("FPGPP-ML2", "five-aces", level="mega"),
        line_with("FPGPP-ML2", "royal-flush", percent=50),
    ),
)
def three_meters_are_each_paid_in_full() -> None:
    shown = {"mega": 9_000_000, "major": 4_000_000, "minor": 700_000}
    seeds = {"mega": 2_000_000, "major": 1_000_000, "minor": 200_000}
    for hand, level in (
        ("seven-card-straight-flush", "mega"),
        ("five-aces", "major"),
        ("royal-flush", "minor"),
    ):
        settled = play(
            "fortune",
            HANDS_DEALER,
            seat(1, HANDS[hand], main=1000, progressive=100),
            paytables={"progressive": "FPGPP-ML2"},
            meters={"FPGPP-ML2": shown},
            seeds={"FPGPP-ML2": seeds},
        )
        assert line(settled, 1, "progressive").returned == shown[level]
        assert settled.meters["FPGPP-ML2"] == {**shown, level: seeds[level]}  # the other two stay


@rule(
    "fpgpp/paytables/5",
    "fpgpj/paytables/5",
    off=tuple(line_with(face_up_table, "full-house", pays=7) for _, face_up_table in PRINTED),
)
def linked_games_pay_alike() -> None:
    for fortune_table, face_up_table in PRINTED:
        for hand in list(HANDS)[:8]:
            own, own_meters = jackpot("fortune", fortune_table, HANDS[hand])
            linked, linked_meters = jackpot("face-up", face_up_table, HANDS[hand])
            assert (own.returned, own.source, own_meters) == (linked.returned, linked.source, linked_meters)


@rule(
    "fpgpp/general/1.linked",
    off=(
        *(table_for(face_up_table, "face-up") for _, face_up_table in PRINTED),
        game_with("face-up", deck=52),
        game_with("fortune", deck=52),
    ),
)
def linked_games_share_a_table_and_have_the_same_deck() -> None:
    for _, face_up_table in PRINTED:
        for game_id in SEVEN_CARD:
            # The joker is in the deck of each of them.
            bets = seat(1, "Jk 9h 8s 7h 5c Kd 2c", main=1000, progressive=100)
            assert refusals(game_id, HANDS_DEALER, bets, paytables={"progressive": face_up_table}) == set()
    assert {mode_of(game_id).deck for game_id in SEVEN_CARD} == {DECK_53}
