"""6 Card Fortune Pai Gow Poker: Double Down, Fortune, Envy and Insurance, and their pay tables."""

from __future__ import annotations

from houseway.games import CheckedSeat, Game, Line, Settings, Settlement, Wager
from houseway.games.round_model import Outcome, won
from houseway.games.table_settings import read_settings
from houseway.paytables import PayLine, paytable
from houseway.reading.faults import Faults
from tests.rules.evaluators import HAND_AS_SET_COUNTS
from tests.rules.felt import envy_of, line, lines, play, refusals, seat
from tests.rules.harness import replaced, rule
from tests.rules.money import DEALER_BRINGS_ENVY, ENVY_AT_ANY_STAKE, OWN_HAND_BRINGS_ENVY
from tests.rules.six_card import HANDS, ONLOOKER, QUEEN_HIGH
from tests.rules.switches import RAISES_UNCHECKED, line_with, qualifying_with, table_with, without_line

GAME = "six-card-fortune"
PAIR_OF_EIGHTS = "8s 8c Qs 7d 4s 3d"
"""Set the house way: 8-8-7-4-3 high, the queen low."""
PAIR_OF_SEVENS = "7s 7c Qs 8d 4s 3d"
"""Set the house way: 7-7-8-4-3 high, the queen low."""
WINNER, LOSER = ("Ks Kd 9h 6c 5h Ad", "Ad"), ("Jh 9c 7h 5h 3c 2c", "9c")
"""Hands, and the low card, that win or lose both matchups against either of these dealers."""


def doubled(dealer: str, cards: str, low: str) -> tuple[Outcome, Outcome, int]:
    """What becomes of main wager and double down, and what the double down of $10 returns."""
    settled = play(GAME, dealer, seat(2, cards, low, main=1000, double_down=1000))
    main, raised = line(settled, 2, "main"), line(settled, 2, "double_down")
    return main.outcome, raised.outcome, raised.returned


def fortune(cards: str, low: str | None = None, table: str = "6CFPGP-1", stake: int = 500) -> tuple[Outcome, int]:
    """What becomes of a Fortune wager."""
    wagers = {"main": 1000, "fortune": stake}
    settled = play(GAME, QUEEN_HIGH, seat(2, cards, low, **wagers), paytables={"fortune": table})
    found = line(settled, 2, "fortune")
    return found.outcome, found.returned


def beside(hand: str, table: str = "6CFPGP-1", stake: int = 500, dealer: str = QUEEN_HIGH) -> Settlement:
    """A round in which seat 2 has made a Fortune wager and seat 5, without one, holds the hand."""
    onlooker, other = seat(2, ONLOOKER, main=1000, fortune=stake), seat(5, HANDS[hand], main=1000)
    return play(GAME, dealer, onlooker, other, paytables={"fortune": table})


def envy_beside(hand: str, table: str = "6CFPGP-1", stake: int = 500) -> list[int]:
    """The envy payments to seat 2 in that round."""
    return list(envy_of(beside(hand, table, stake), 2, "fortune").values())


def insurance(cards: str, low: str | None = None) -> tuple[Outcome, int]:
    """What becomes of an Insurance wager of $1."""
    settled = play(GAME, "Ks Kd 4s 4h 3s 3h", seat(2, cards, low, main=1000, insurance=100))
    found = line(settled, 2, "insurance")
    return found.outcome, found.returned


def _double_down_always(wager: Wager, given: CheckedSeat, path: str, settings: Settings, faults: Faults) -> None:
    if wager.name not in given.wagers:
        faults.add("raise-mismatch", path, "the double down is missing")


@rule("6cfpgp/bonus/double-down.1", off=replaced("houseway.games.round_wagers._check_raise", _double_down_always))
def double_down_is_optional() -> None:
    assert refusals(GAME, PAIR_OF_EIGHTS, seat(2, *WINNER, main=1000)) == set()
    assert refusals(GAME, PAIR_OF_EIGHTS, seat(2, *WINNER, main=1000, double_down=1000)) == set()


@rule("6cfpgp/bonus/double-down.2", off=RAISES_UNCHECKED)
def double_down_equals_the_main_wager_on_any_hand() -> None:
    for hand in (WINNER, LOSER):
        assert refusals(GAME, PAIR_OF_EIGHTS, seat(2, *hand, main=1000, double_down=1000)) == set()
        assert refusals(GAME, PAIR_OF_EIGHTS, seat(2, *hand, main=1000, double_down=999)) == {"raise-mismatch"}
        assert refusals(GAME, PAIR_OF_EIGHTS, seat(2, *hand, main=1000, double_down=1001)) == {"raise-mismatch"}


@rule(
    "6cfpgp/bonus/double-down.3",
    off=(qualifying_with(GAME, "two-high or better"), qualifying_with(GAME, "two pair or better")),
)
def double_down_needs_a_dealer_pair_of_eights() -> None:
    # In action it goes with the main wager; a lone high hand won (the nine loses to the queen) pushes both.
    assert doubled(PAIR_OF_EIGHTS, *WINNER) == ("win", "win", 2000)
    assert doubled(PAIR_OF_EIGHTS, *LOSER) == ("lose", "lose", 0)
    assert doubled(PAIR_OF_EIGHTS, "Ks Kd 9h 6c 5h 2d", "9h") == ("push", "push", 1000)
    # Below, it goes back, whatever becomes of the main wager.
    for dealer in (PAIR_OF_SEVENS, "As Ts 8s 7d 4s 3d"):
        assert doubled(dealer, *LOSER) == ("lose", "push", 1000)
    assert doubled(PAIR_OF_SEVENS, *WINNER) == ("win", "push", 1000)


def _without_doubling_for_less(value: object, played: Game, faults: Faults, notes: list[str]) -> Settings:
    given = {name: setting for name, setting in (value or {}).items() if name != "double_for_less"}
    return read_settings(given, played, faults, notes)


@rule(
    "6cfpgp/bonus/double-down.4", off=replaced("houseway.games.round_reader.read_settings", _without_doubling_for_less)
)
def room_may_double_for_less() -> None:
    def refused(raised: int, most: int | None = 400) -> set[str]:
        hand = seat(2, *WINNER, main=1000, double_down=raised)
        limits = {} if most is None else {"limits": {"double_down": {"max": most}}}
        return refusals(GAME, PAIR_OF_EIGHTS, hand, settings={"double_for_less": True, **limits})

    assert refused(400) == refused(300) == set()
    assert refused(1001, 2000) == {"raise-mismatch"}
    # For less only where a limit keeps the player from the full amount.
    assert refused(400, None) == refused(400, 1000) == {"raise-mismatch"}


@rule("6cfpgp/bonus/fortune.1", off=(without_line("6CFPGP-1", "three-of-a-kind"), HAND_AS_SET_COUNTS))
def fortune_wins_from_three_of_a_kind() -> None:
    assert fortune(HANDS["three-of-a-kind"]) == ("win", 3000)
    assert fortune(HANDS["two-pair"]) == ("lose", 0)
    assert fortune("9s 9h 5c 5h 2d 2c") == ("lose", 0)
    # The best five count, also when the player breaks them up: one of the three nines is low here.
    assert fortune(HANDS["three-of-a-kind"], "9s") == ("win", 3000)


def _pays_in_dollars(name: str, stake: int, winnings: int, *rest: str) -> Line:
    return won(name, stake, winnings // stake * 100, *rest)


@rule(
    "6cfpgp/bonus/fortune.2",
    off=(replaced("houseway.games.bonus.won", _pays_in_dollars), without_line("6CFPGP-3", "straight")),
)
def fortune_tables_pay_odds_and_not_dollars() -> None:
    # A straight for a stake of $20: 8, 9 and 8 to 1, where "$8" would be 8 dollars.
    assert fortune(HANDS["straight"], table="6CFPGP-1", stake=2000) == ("win", 18000)
    assert fortune(HANDS["straight"], table="6CFPGP-2", stake=2000) == ("win", 20000)
    assert fortune(HANDS["straight"], table="6CFPGP-3", stake=2000) == ("win", 18000)
    fourth = seat(2, HANDS["straight"], main=1000, fortune=500)
    assert refusals(GAME, QUEEN_HIGH, fourth, paytables={"fortune": "6CFPGP-4"}) == {"unknown-paytable"}


FORTUNE_PAYS = {
    "five-aces": (1000, 1000, 1000),
    "royal-flush": (250, 250, 250),
    "straight-flush": (100, 100, 100),
    "four-of-a-kind": (50, 50, 50),
    "full-house": (15, 15, 15),
    "flush": (10, 11, 10),
    "straight": (8, 9, 8),
    "three-of-a-kind": (5, 6, 6),
}
"""The pays to 1 of Fortune tables 1, 2 and 3."""


@rule(
    "6cfpgp/paytables/1",
    off=(
        line_with("6CFPGP-1", "five-aces", pays=999),
        line_with("6CFPGP-2", "flush", pays=10),
        line_with("6CFPGP-3", "three-of-a-kind", pays=5),
    ),
)
def fortune_tables_pay_as_printed() -> None:
    for hand, pays in FORTUNE_PAYS.items():
        for number, pay in enumerate(pays, 1):
            assert fortune(HANDS[hand], table=f"6CFPGP-{number}", stake=100) == ("win", 100 + 100 * pay), hand
    assert [fortune(HANDS["two-pair"], table=f"6CFPGP-{number}") for number in (1, 2, 3)] == [("lose", 0)] * 3


@rule("6cfpgp/bonus/envy.1", off=ENVY_AT_ANY_STAKE)
def envy_takes_a_fortune_wager_of_five_dollars() -> None:
    assert envy_beside("four-of-a-kind", stake=499) == []
    assert envy_beside("four-of-a-kind", stake=500) == [1500]
    # A larger wager collects the same dollars.
    assert envy_beside("four-of-a-kind", stake=5000) == [1500]


@rule("6cfpgp/bonus/envy.2", off=(OWN_HAND_BRINGS_ENVY, DEALER_BRINGS_ENVY))
def no_envy_of_the_dealer_or_oneself() -> None:
    own = seat(2, HANDS["full-house"], main=1000, fortune=500)
    settled = play(GAME, "Qs Qd Qh Ts Td 3d", own, paytables={"fortune": "6CFPGP-1"})
    assert lines(settled, 2, "fortune_envy") == []
    assert line(settled, 2, "fortune").returned == 8000


@rule(
    "6cfpgp/rules/2.a",
    off=(line_with("6CFPGP-1", "full-house", envy=None), line_with("6CFPGP-1", "flush", envy=500)),
)
def envy_begins_with_another_players_full_house() -> None:
    assert envy_beside("flush") == []
    assert envy_beside("full-house") == [500]
    found = line(beside("full-house"), 2, "fortune_envy")
    assert (found.stake, found.trigger, found.source) == (0, 5, "tray")


@rule(
    "6cfpgp/paytables/2",
    off=(
        line_with("6CFPGP-2", "full-house", envy=500),
        line_with("6CFPGP-3", "five-aces", envy=100_000),
        line_with("6CFPGP-1", "royal-flush", envy=None),
    ),
)
def only_fortune_table_1_has_envy() -> None:
    envies = {
        "five-aces": [100_000],
        "royal-flush": [20_000],
        "straight-flush": [5000],
        "four-of-a-kind": [1500],
        "full-house": [500],
        "flush": [],
        "straight": [],
        "three-of-a-kind": [],
    }
    for hand, envy in envies.items():
        assert envy_beside(hand, "6CFPGP-1") == envy, hand
        assert envy_beside(hand, "6CFPGP-2") == [], hand
        assert envy_beside(hand, "6CFPGP-3") == [], hand


ACE_HIGH_PAYS_TOO = table_with("6CFPGP-INS", lines=(*paytable("6CFPGP-INS").lines, PayLine("ace-high", pays=1)))


@rule("6cfpgp/bonus/insurance.1", off=(ACE_HIGH_PAYS_TOO, HAND_AS_SET_COUNTS))
def insurance_wins_with_king_high_or_less() -> None:
    assert insurance("Kh Qc Jd Th 8c 2d") == ("win", 400)
    assert insurance("Ah Qc Jd Th 8c 2d") == ("lose", 0)
    assert insurance("Jk Qc Jd 7h 5c 2d") == ("lose", 0)
    assert insurance("Qh Qc Jd Th 8c 2d") == ("lose", 0)
    # All six cards count: an ace put low does not make the hand queen-high.
    assert insurance("Ah Qc Jd Th 8c 2d", "Ah") == ("lose", 0)


@rule(
    "6cfpgp/bonus/insurance.2",
    "6cfpgp/paytables/3",
    off=(line_with("6CFPGP-INS", "eight-high", pays=99), line_with("6CFPGP-INS", "king-high", pays=2)),
)
def insurance_pays_by_the_top_card() -> None:
    for cards, pay in (
        ("8h 7c 6d 5h 3c 2d", 100),
        ("9h 8c 7d 6h 4c 2d", 30),
        ("Th 9c 8d 7h 5c 2d", 10),
        ("Jh Tc 9d 8h 6c 2d", 7),
        ("Qh Jc Td 9h 7c 2d", 4),
        ("Kh Qc Jd Th 8c 2d", 3),
    ):
        assert insurance(cards) == ("win", 100 + 100 * pay), cards
