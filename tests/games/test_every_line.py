"""Every line of every printed pay table, played as a full round with an exemplar hand that fits exactly that line.

The pays and envy come from the second copy of the tables, the exemplar hands are written by hand: a slip in the shipped
tables, in ranking or in settlement shows as a wrong amount. Hands that a table does not name are played as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final

import pytest

from houseway.games import Settlement
from tests.paytables.printed_copy import PRINTED
from tests.rules.felt import line, lines, play, seat

MAKER, NEIGHBOUR = 2, 5
"""The seat that holds the exemplar hand, and one that made the same wager and holds nothing."""
METER: Final = 1_234_567
SEED: Final = 50_000
SHARES: Final = {100: 1_234_567, 50: 617_283, 25: 308_641, 10: 123_456}
"""The percentages that the tables print, of METER, rounded down by hand."""

BOTH_FORTUNE_GAMES: Final = ("fortune", "commission-free-fortune")
FAMILIES: Final = {
    "6CFPGP": ("fortune", ("six-card-fortune",)),
    "6CFPGP-INS": ("insurance", ("six-card-fortune",)),
    "6CFPGPP": ("progressive", ("six-card-fortune",)),
    "FPGP": ("fortune", BOTH_FORTUNE_GAMES),
    "PGD": ("paigowd", ("fortune",)),
    "TIGER9": ("tiger9", ("commission-free-fortune",)),
    "FPGPP": ("progressive", BOTH_FORTUNE_GAMES),
    "FUPGPP": ("progressive", ("face-up", *BOTH_FORTUNE_GAMES)),
    "SCP": ("aces_up", ("six-card-poker",)),
    "TWBB": ("bad_beat", ("six-card-poker",)),
    "SIXCPP": ("progressive", ("six-card-poker",)),
}
"""The wager that the tables of a family pay, and the games that may use them; one table has an entry of its own."""
BY_ANOTHER_HAND: Final = {"paigowd", "tiger9", "bad_beat"}
"""Wagers that are not decided by the player's own hand alone."""

SIX_WITH_JOKER: Final = {
    "five-aces": "As Ah Ad Ac Jk 9c",
    "royal-flush": "Jk Kd Qd Jd Td 4h",
    "straight-flush": "9h 8h 7h 6h 5h Kc",
    "four-of-a-kind": "7s 7h 7d 7c Qs 2h",
    "full-house": "Ts Th Td 3c 3h 8s",
    "flush": "Kc Jc 8c 6c 3c Ad",
    "straight": "Jk Jh Td 9s 8c 2d",
    "three-of-a-kind": "Js Jh Jd 9c 6s 2d",
    "three-pair": "Ks Kd Tc Th 5s 5d",
    "two-pair": "Ks Kd Tc Th 5s 3d",
    "pair": "Ks Kd Tc 8h 5s 3d",
    "ace-high": "As Qd Tc 8h 6s 3d",
    "king-high": "Ks Jd Tc 8h 5s 3d",
    "queen-high": "Qs Jd 9c 7h 5s 3d",
    "jack-high": "Js Td 8c 6h 4s 3d",
    "ten-high": "Ts 9d 7c 6h 4s 2d",
    "nine-high": "9s 8d 6c 5h 3s 2d",
    "eight-high": "8s 7d 6c 4h 3s 2d",
}
SIX_WITHOUT_JOKER: Final = {
    **{hand: cards for hand, cards in SIX_WITH_JOKER.items() if "Jk" not in cards},
    "royal-flush": "As Ks Qs Js Ts 4d",
    "straight": "Ac 5h 4d 3s 2c 9d",
    "pair-of-aces": "As Ad Tc 8h 5s 3d",
}
SEVEN: Final = {
    "seven-card-straight-flush": "9h 8h 7h 6h 5h 4h 3h",
    "royal-flush-royal-match": "Jk Ks Qs Js Ts Kd Qd",
    "seven-card-straight-flush-joker": "Jk Jc Tc 9c 8c 6c 5c",
    "five-aces": "As Ah Ad Ac Jk 9c 4d",
    "royal-flush": "Ad Kd Qd Jd Td 7s 4h",
    "straight-flush": "8s 7s 6s 5s 4s Kh Qd",
    "four-of-a-kind": "6s 6h 6d 6c Qs 9h 2d",
    "full-house": "Ts Th Td 3c 3h 8s 5d",
    "flush": "Kc Jc 8c 6c 3c Ad 9h",
    "three-of-a-kind": "Js Jh Jd 9c 6s 4h 2d",
    "straight": "Jk Jh Td 9s 8c 4h 2d",
    "three-pair": "Ks Kd Tc Th 5s 5d 2c",
    "two-pair": "Ks Kd Tc Th 7s 5d 2c",
    "pair": "Ks Kd Tc 9h 7s 5d 2c",
    "ace-high": "As Qd Tc 9h 7s 5d 2c",
    "nine-high": "9s 8d 7c 5h 4s 3d 2c",
}
EXEMPLARS: Final = {
    "six-card-fortune": SIX_WITH_JOKER,
    "six-card-poker": SIX_WITHOUT_JOKER,
    "fortune": SEVEN,
    "commission-free-fortune": SEVEN,
    "face-up": SEVEN,
}

PASSES_FOR: Final = {
    "seven-card-straight-flush-joker": ("seven-card-straight-flush", "straight-flush"),
    "seven-card-straight-flush": ("straight-flush",),
    "royal-flush-royal-match": ("royal-flush",),
    "three-pair": ("two-pair",),
}
"""What a hand still is in a table that does not name it; any other hand that a table does not name loses."""

NOTHING: Final = (
    "Kh Qs Td 8c 5h 4s 2d",
    "Ah Qd 9s 7c 6h 3d 2s",
    "Kd Jc 9h 8d 6s 4c 3h",
    "Ac Qh Ts 8h 7d 5c 3s",
    "Qc Jh 9d 7h 5s 4d 2h",
    "Kc Th 9c 7s 6d 4h 2c",
    "Ad Jd Tc 8s 6c 5d 3c",
)
"""Hands without a pair, straight or flush, for dealer and neighbour; their first six cards are such hands too."""
ROTATIONS: Final = tuple(str.maketrans("shdc", suits) for suits in ("shdc", "hdcs", "dcsh", "cshd"))


def family(table_id: str) -> tuple[str, tuple[str, ...]]:
    return FAMILIES.get(table_id) or FAMILIES[table_id.rsplit("-", 1)[0]]


def wager_of(table_id: str) -> str:
    return family(table_id)[0]


def games_of(table_id: str) -> tuple[str, ...]:
    return family(table_id)[1]


def printed_lines(table_id: str) -> list[tuple[str, int | str, int | None]]:
    copy: dict[str, Any] = PRINTED[table_id]
    return list(copy["lines"])


def own_hand_tables() -> Iterator[tuple[str, str]]:
    """Every table that looks at the player's own hand, with every game that may use it."""
    for table_id in PRINTED:
        if wager_of(table_id) not in BY_ANOTHER_HAND:
            for game in games_of(table_id):
                yield table_id, game


def named_lines() -> Iterator[Any]:
    for table_id, game in own_hand_tables():
        for hand, pay, envy in printed_lines(table_id):
            yield pytest.param(game, table_id, hand, pay, envy, id=f"{table_id}-{game}-{hand}")


def unnamed_hands() -> Iterator[Any]:
    for table_id, game in own_hand_tables():
        named = {hand for hand, _, _ in printed_lines(table_id)}
        for hand in EXEMPLARS[game]:
            if hand not in named:
                stand_in = next((name for name in PASSES_FOR.get(hand, ()) if name in named), None)
                yield pytest.param(game, table_id, hand, stand_in, id=f"{table_id}-{game}-{hand}")


def stake_of(wager: str) -> int:
    """A jackpot is played for its fixed dollar, a bonus wager for the amount that collects envy."""
    return 100 if wager == "progressive" else 500


def first_wagers(game: str) -> dict[str, int]:
    return {"ante": 1000, "play": 1000} if game == "six-card-poker" else {"main": 1000}


def meters_of(table_id: str, cents: int) -> dict[str, dict[str, int]]:
    """Every level that the table prints, at the same amount."""
    shares = [pay for _, pay, _ in printed_lines(table_id) if isinstance(pay, str) and "%" in pay]
    return {table_id: {share.split()[1]: cents for share in shares}} if shares else {}


def two_hands_beside(cards: str) -> tuple[str, str]:
    """Two hands of nothing, as large as the cards at hand, that share no card with them or with each other."""
    size = len(cards.split())
    spare = [" ".join(text.translate(suits).split()[:size]) for text in NOTHING for suits in ROTATIONS]
    return next(
        (one, other)
        for one, other in combinations(spare, 2)
        if len({*cards.split(), *one.split(), *other.split()}) == 3 * size
    )


def play_table(game: str, table_id: str, cards: str) -> Settlement:
    """A round in which one seat holds the cards and a neighbour with the same wager holds nothing."""
    dealer, nothing = two_hands_beside(cards)
    wager = wager_of(table_id)
    wagers = {**first_wagers(game), wager: stake_of(wager)}
    return play(
        game,
        dealer,
        seat(MAKER, cards, **wagers),
        seat(NEIGHBOUR, nothing, **wagers),
        paytables={wager: table_id},
        meters=meters_of(table_id, METER),
        seeds=meters_of(table_id, SEED),
        settings={"allow_unapproved": table_id == "SCP-LAYOUT"},
    )


def returned_by(table_id: str, pay: int | str) -> int:
    """What a wager of the usual stake returns for a printed pay."""
    stake = stake_of(wager_of(table_id))
    if pay == "push":
        return stake
    if isinstance(pay, str):
        return SHARES[int(pay.split("%")[0])]
    return stake * (pay + 1) if PRINTED[table_id]["unit"] == "to-1" else stake * pay


def meters_after(table_id: str, pay: int | str) -> dict[str, dict[str, int]]:
    meters = meters_of(table_id, METER)
    if isinstance(pay, str) and "%" in pay:
        percent, level = pay.split("% ")
        meters[table_id][level] = SEED if percent == "100" else METER - SHARES[int(percent)]
    return meters


@pytest.mark.parametrize(("game", "table_id", "hand", "pay", "envy"), list(named_lines()))
def test_the_line_pays_what_is_printed(game: str, table_id: str, hand: str, pay: int | str, envy: int | None) -> None:
    wager = wager_of(table_id)
    settlement = play_table(game, table_id, EXEMPLARS[game][hand])
    paid = line(settlement, MAKER, wager)
    assert (paid.outcome, paid.hand) == ("push" if pay == "push" else "win", hand)
    assert paid.returned == returned_by(table_id, pay)
    from_meter = isinstance(pay, str) and "%" in pay
    assert paid.source == (None if pay == "push" else "meter" if from_meter else "tray")
    assert settlement.meters == meters_after(table_id, pay)
    envies = [(found.returned, found.hand) for found in lines(settlement, NEIGHBOUR, f"{wager}_envy")]
    assert envies == ([] if envy is None else [(envy * 100, hand)])
    assert lines(settlement, MAKER, f"{wager}_envy") == []


@pytest.mark.parametrize(("game", "table_id", "hand", "stand_in"), list(unnamed_hands()))
def test_a_hand_without_a_line_of_its_own(game: str, table_id: str, hand: str, stand_in: str | None) -> None:
    wager = wager_of(table_id)
    found = line(play_table(game, table_id, EXEMPLARS[game][hand]), MAKER, wager)
    if stand_in is None:
        assert (found.outcome, found.returned, found.source) == ("lose", 0, None)
    else:
        pay = next(pay for name, pay, _ in printed_lines(table_id) if name == stand_in)
        assert (found.outcome, found.returned, found.hand) == ("win", returned_by(table_id, pay), stand_in)


@pytest.mark.parametrize("table_id", ["6CFPGP-1", "6CFPGP-2", "6CFPGP-3"])
def test_the_six_card_tables_pay_the_straight_over_three_aces(table_id: str) -> None:
    paid = line(play_table("six-card-fortune", table_id, "As Ad Jk Kh Qc Js"), MAKER, "fortune")
    assert (paid.hand, paid.returned) == ("straight", {"6CFPGP-2": 5000}.get(table_id, 4500))


@pytest.mark.parametrize("game", ["fortune", "commission-free-fortune"])
@pytest.mark.parametrize("table_id", [f"FPGP-{number}" for number in (1, 2, 3, 4, 6, 7)])
def test_the_seven_card_tables_pay_three_of_a_kind_over_the_straight(game: str, table_id: str) -> None:
    paid = line(play_table(game, table_id, "9s 9d 9c 8h 7s 6d 5c"), MAKER, "fortune")
    assert (paid.hand, paid.returned) == ("three-of-a-kind", 2000)


# Pai Gow'd: the dealer's seven cards decide the line, the player's high hand whether it is paid.

DEALERS: Final = {
    "nine-high": "9s 8d 7c 5h 4s 3d 2c",
    "ten-high": "Ts 9d 8c 6h 5s 3d 2c",
    "jack-high": "Js Td 9c 7h 5s 3d 2c",
    "queen-high": "Qs Td 9c 7h 5s 3d 2c",
    "king-high": "Ks Jd 9c 7h 5s 3d 2c",
    "ace-high": "As Jd 9c 7h 5s 3d 2c",
}
KINGS: Final = "Kh Kc Qh Tc 8h 6c 4h"
OTHER_SUITS: Final = str.maketrans("sdch", "hcds")


def pai_gowd(table_id: str, dealer: str, cards: str) -> tuple[str, int, str]:
    paid = line(
        play("fortune", dealer, seat(MAKER, cards, main=1000, paigowd=500), paytables={"paigowd": table_id}),
        MAKER,
        "paigowd",
    )
    return paid.outcome, paid.returned, paid.hand


@pytest.mark.parametrize("table_id", ["PGD-01", "PGD-02", "PGD-03"])
@pytest.mark.parametrize("hand", DEALERS)
def test_pai_gowd_pays_by_the_dealers_hand(table_id: str, hand: str) -> None:
    pay = next(pay for name, pay, _ in printed_lines(table_id) if name == hand)
    assert isinstance(pay, int)
    assert pai_gowd(table_id, DEALERS[hand], KINGS) == ("win", 500 * (pay + 1), hand)


@pytest.mark.parametrize("table_id", ["PGD-01", "PGD-02", "PGD-03"])
@pytest.mark.parametrize("hand", DEALERS)
def test_pai_gowd_loses_unless_the_high_hand_is_better(table_id: str, hand: str) -> None:
    copy = DEALERS[hand].translate(OTHER_SUITS)
    assert pai_gowd(table_id, DEALERS[hand], copy) == ("lose", 0, hand)


@pytest.mark.parametrize("table_id", ["PGD-01", "PGD-02", "PGD-03"])
@pytest.mark.parametrize(
    ("dealer", "hand"),
    [
        ("2s 2d Tc 9h 7s 5d 4c", "pair"),
        ("9s 8d 7c 6h 5s 3d 2c", "straight"),
        ("9s 8s 7s 5s 3s 2d 4c", "flush"),
    ],
)
def test_pai_gowd_loses_to_a_dealers_pair_or_better(table_id: str, dealer: str, hand: str) -> None:
    assert pai_gowd(table_id, dealer, "Ah Ac Ad As Kh Kc Qh") == ("lose", 0, hand)


# Tiger 9: the dealer's low hand as set is nine-high, and the player's low hand beats it.


def tiger_nine(dealer: str, cards: str, low: str | None = None) -> tuple[str, int, str]:
    round_ = play("commission-free-fortune", dealer, seat(MAKER, cards, low, main=1000, tiger9=100))
    paid = line(round_, MAKER, "tiger9")
    return paid.outcome, paid.returned, paid.hand


@pytest.mark.parametrize("low", ["9h 8h", "Th 2h", "Ah Kc", "3h 3c"])
@pytest.mark.parametrize("dealer", ["Ks Kd 9c 7c 5s 3d 2d", "Kd Ks 9c 5c 4c 3d 2d", "5s 5d 5c 5h 9c 7c 2d"])
def test_tiger_nine_pays_thirty_to_one_for_a_better_low_hand(dealer: str, low: str) -> None:
    assert printed_lines("TIGER9") == [("nine-high", 30, None)]
    assert tiger_nine(dealer, f"Ac As Qc Js 6s {low}", low) == ("win", 3100, "nine-high")


@pytest.mark.parametrize(
    ("dealer", "low", "hand"),
    [
        ("Ks Kd 9c 7c 5s 3d 2d", "9h 7h", "nine-high"),
        ("Ks Kd 9c 7c 5s 3d 2d", "9h 6h", "nine-high"),
        ("Ks Kd 9c 7c 5s 3d 2d", "8h 7h", "nine-high"),
        ("Ks Kd Tc 9c 5s 3d 2d", "Ah Kc", "ten-high"),
        ("Ks Kd 8c 7c 5s 3d 2d", "Ah Kc", "eight-high"),
        ("Ks Kd 9c 9d 5s 3d 2d", "Ah Kc", "pair"),
    ],
)
def test_tiger_nine_loses_otherwise(dealer: str, low: str, hand: str) -> None:
    assert tiger_nine(dealer, f"Ac As Qc Js 6s {low}", low) == ("lose", 0, hand)


# Bad Beat: two hands of a pair of aces or better; the losing one decides the line, whoever holds it.

BEATEN: Final = {
    "straight-flush": ("9c 8c 7c 6c 5c 2d", "As Ks Qs Js Ts 3d"),
    "four-of-a-kind": ("8s 8h 8d 8c 4d 2h", "9s 9h 9d 9c 3d 2c"),
    "full-house": ("Ts Th Td 3c 3h 8s", "Js Jh Jd 4c 4h 2s"),
    "flush": ("Kc Jc 8c 6c 3c 2d", "Ah Th 7h 5h 4h 2s"),
    "straight": ("Qc Jh Td 9s 8c 2d", "Kc Qd Js Tc 9h 2h"),
    "three-of-a-kind": ("Js Jh Jd 9c 6s 2d", "Qs Qh Qd 8c 5s 3d"),
    "two-pair": ("Ks Kd Tc Th 5s 3d", "As Ah 9c 9d 7s 4d"),
    "pair-of-aces": ("As Ad Tc 9h 7s 2d", "Ah Ac Jd 8h 6c 3s"),
}
"""By the hand that loses: the losing cards and the winning cards."""


def bad_beat(table_id: str, dealer: str, cards: str, *, fold: bool) -> tuple[str, int, str]:
    wagers = {"ante": 500, "bad_beat": 100} if fold else {"ante": 500, "play": 500, "bad_beat": 100}
    round_ = play("six-card-poker", dealer, seat(MAKER, cards, fold=fold, **wagers), paytables={"bad_beat": table_id})
    paid = line(round_, MAKER, "bad_beat")
    return paid.outcome, paid.returned, paid.hand


@pytest.mark.parametrize("table_id", ["TWBB-001", "TWBB-002", "TWBB-003"])
@pytest.mark.parametrize("hand", BEATEN)
@pytest.mark.parametrize("fold", [False, True], ids=["played", "folded"])
def test_bad_beat_pays_by_the_losing_hand(table_id: str, hand: str, fold: bool) -> None:
    losing, winning = BEATEN[hand]
    pay = next(pay for name, pay, _ in printed_lines(table_id) if name == hand)
    assert isinstance(pay, int)
    expected = ("win", 100 * (pay + 1), hand)
    assert bad_beat(table_id, winning, losing, fold=fold) == expected
    assert bad_beat(table_id, losing, winning, fold=fold) == expected


@pytest.mark.parametrize("table_id", ["TWBB-001", "TWBB-002", "TWBB-003"])
@pytest.mark.parametrize(
    ("dealer", "cards", "hand"),
    [
        ("As Ks Qs Js Ts 2d", "Ah Kh Qh Jh Th 2c", "royal-flush"),
        ("Qc Jh Td 9s 8c 2d", "Qs Jd Tc 9h 8h 3d", "straight"),
        ("As Ad Tc 9h 7s 2d", "Ah Ac Th 9c 7d 2s", "pair"),
        ("Js Jh Jd 9c 6s 2d", "Ks Kd Tc 8h 5s 3d", "pair"),
        ("Ks Kd Tc 8h 5s 3d", "Js Jh Jd 9c 6s 2d", "pair"),
        ("As Kd Tc 8h 6s 3d", "Js Jh Jd 9c 6c 2d", "ace-high"),
    ],
    ids=["royals-tie", "straights-tie", "aces-tie", "players-kings", "dealers-kings", "dealers-ace-high"],
)
def test_bad_beat_loses_on_a_tie_and_below_aces(table_id: str, dealer: str, cards: str, hand: str) -> None:
    assert bad_beat(table_id, dealer, cards, fold=False) == ("lose", 0, hand)


def test_every_printed_line_is_played_here() -> None:
    by_another_hand = {"paigowd": set(DEALERS), "tiger9": {"nine-high"}, "bad_beat": set(BEATEN)}
    for table_id in PRINTED:
        named = {hand for hand, _, _ in printed_lines(table_id)}
        wager = wager_of(table_id)
        for game in games_of(table_id):
            assert named <= by_another_hand.get(wager, set(EXEMPLARS[game])), table_id
