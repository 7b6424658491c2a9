"""The progressive of the two six-card games: words for its rounds, and checks of rules that both sheets state alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from houseway.cards.shuffler import Deal
from houseway.games import Line, Settlement
from tests.rules.deals import hands_of
from tests.rules.felt import envy_of, faults_read, line, lines, play, refusals, seat
from tests.rules.six_card import HANDS, ONLOOKER, OTHER_ROYAL, QUEEN_HIGH

METER = {"main": 1_234_567}
METER_SEED = {"main": 500_000}


@dataclass(frozen=True)
class Progressive:
    """A game with its progressive: the wagers of a player without it, and the meters by table."""

    game: str
    table: str
    """The table of the cases that name no other; its only meter is METER."""
    regular: Mapping[str, int]
    meters: Mapping[str, dict[str, int]]
    seeds: Mapping[str, dict[str, int]]

    def without(self, number: int, cards: str) -> dict[str, Any]:
        """A player who has not made the progressive wager."""
        return seat(number, cards, **self.regular)

    def bettor(self, number: int, cards: str, low: str | None = None, stake: int = 100) -> dict[str, Any]:
        """A player who has made it."""
        return seat(number, cards, low, **self.regular, progressive=stake)

    def settled(
        self, *seats: dict[str, Any], table: str | None = None, dealer: str = QUEEN_HIGH, **rest: object
    ) -> Settlement:
        """A settled round with the meters."""
        tables = {"progressive": table or self.table}
        return play(self.game, dealer, *seats, paytables=tables, meters=self.meters, seeds=self.seeds, **rest)

    def won_by(self, cards: str, table: str | None = None, low: str | None = None, stake: int = 100) -> Line:
        """The progressive line of one player."""
        return line(self.settled(self.bettor(2, cards, low, stake), table=table), 2, "progressive")

    def envy_beside(self, hand: str, table: str, **rest: object) -> list[int]:
        """The progressive envy of seat 2 when seat 5, without the wager, holds the hand."""
        settled = self.settled(self.bettor(2, ONLOOKER), self.without(5, HANDS[hand]), table=table, **rest)
        return list(envy_of(settled, 2, "progressive").values())

    def paid_in_turn(self, left: str, right: str, table: str | None = None) -> tuple[int, int, dict[str, int]]:
        """What seat 2 and seat 5 are awarded, and the meters after both.

        Seats count clockwise from the dealer's left hand, so seat 5 is farther to the right than seat 2.
        """
        settled = self.settled(self.bettor(2, left), self.bettor(5, right), table=table)
        awards = [line(settled, number, "progressive").returned for number in (2, 5)]
        return awards[0], awards[1], settled.meters[table or self.table]

    def refused(self, player: dict[str, Any], **rest: object) -> set[str]:
        """The faults with which a round of one player is refused as it is read."""
        return faults_read(self.game, QUEEN_HIGH, player, paytables={"progressive": self.table}, **rest)


def check_optional(progressive: Progressive) -> None:
    """A round is good with the wager and without it."""
    without = progressive.without(2, ONLOOKER)
    assert progressive.refused(progressive.bettor(2, ONLOOKER)) == set()
    assert progressive.refused(without) == set()
    assert lines(progressive.settled(without), 2, "progressive") == []


def check_highest_wager(progressive: Progressive) -> None:
    """The highest wager is $300 in 2022 and $400 in 2024."""
    for day, stake, refused in (
        ("2022-05-01", 30_000, set()),
        ("2022-05-01", 30_001, {"over-limit"}),
        ("2024-05-01", 30_001, set()),
        ("2024-05-01", 40_001, {"over-limit"}),
    ):
        player = progressive.bettor(2, ONLOOKER, stake=stake)
        assert progressive.refused(player, settings={"limits": {"as_of": day}}) == refused, (day, stake)


def check_hands_of_the_regular_game(progressive: Progressive, dealt: Deal) -> None:
    """A deal to seats 1 and 4 makes the same hands and regular lines, whoever has made the progressive wager."""
    dealer, first, second = hands_of(dealt)
    other = progressive.without(4, second)
    with_it = progressive.settled(progressive.bettor(1, first), other, dealer=dealer)
    without = progressive.settled(progressive.without(1, first), other, dealer=dealer)
    assert with_it.dealer == without.dealer
    for number in (1, 4):
        assert with_it.seat(number).hand == without.seat(number).hand
        for wager in progressive.regular:
            assert lines(with_it, number, wager) == lines(without, number, wager)


def check_tenth_comes_off_the_meter(progressive: Progressive, cards: str) -> None:
    """A tenth of 1,234,567, rounded down to the cent."""
    settled = progressive.settled(progressive.bettor(2, cards))
    found = line(settled, 2, "progressive")
    assert (found.returned, found.source) == (123_456, "meter")
    assert settled.meters[progressive.table] == {"main": 1_111_111}


def check_fixed_pay_from_tray_or_meter(progressive: Progressive, cards: str, pay: int) -> None:
    """The tray pays, and where the room has it so, the meter."""
    player = progressive.bettor(2, cards)
    tray = progressive.settled(player)
    assert (line(tray, 2, "progressive").returned, line(tray, 2, "progressive").source) == (pay, "tray")
    assert tray.meters[progressive.table] == METER
    tables, settings = {"progressive": progressive.table}, {"fixed_pays": "meter"}
    rest = {"paytables": tables, "meters": progressive.meters, "settings": settings}
    assert refusals(progressive.game, QUEEN_HIGH, player, **rest) == set()
    meter = progressive.settled(player, settings=settings)
    assert (line(meter, 2, "progressive").returned, line(meter, 2, "progressive").source) == (pay, "meter")
    assert meter.meters[progressive.table] == {"main": METER["main"] - pay}


def check_others_collect_envy(progressive: Progressive, hand: str, dealer: str, award: int, envy: int) -> None:
    """Seat 2 holds the hand, and so does the dealer, whose own brings nothing; seat 4 has not made the wager."""
    settled = progressive.settled(
        progressive.bettor(1, "Ks Kd 8s 7d 4h 3h"),
        progressive.bettor(2, HANDS[hand]),
        progressive.without(4, "Jh Jd Ts 7s 4s 3s"),
        progressive.bettor(6, "Kh Qh Js 8d 6s 5s"),
        dealer=dealer,
    )
    for number in (1, 6):
        found = line(settled, number, "progressive_envy")
        assert (found.returned, found.stake, found.trigger) == (envy, 0, 2)
    assert lines(settled, 4, "progressive_envy") == []
    assert lines(settled, 2, "progressive_envy") == []
    assert line(settled, 2, "progressive").returned == award


def check_envy_comes_last_for_every_hand(progressive: Progressive, hand: str, envy: int, envy_of_royal: int) -> None:
    """Seat 2 holds the hand and seat 5 a royal flush: each brings the others envy, and neither envies itself."""
    settled = progressive.settled(
        progressive.bettor(1, "Ks Kc 8s 7c 4h 3h"),
        progressive.bettor(2, HANDS[hand]),
        progressive.bettor(5, OTHER_ROYAL),
    )
    assert envy_of(settled, 1, "progressive") == {2: envy, 5: envy_of_royal}
    assert envy_of(settled, 2, "progressive") == {5: envy_of_royal}
    assert envy_of(settled, 5, "progressive") == {2: envy}
    assert [found.wager for found in settled.seat(1).lines][-2:] == ["progressive_envy", "progressive_envy"]


def check_fixed_pays(progressive: Progressive, pays: Mapping[str, tuple[int, ...]]) -> None:
    """What $1 is paid by every table; three of a kind is below all of them."""
    for hand, by_table in pays.items():
        found = tuple(progressive.won_by(HANDS[hand], table).returned for table in progressive.meters)
        assert found == tuple(100 * pay for pay in by_table), hand
    for table in progressive.meters:
        assert progressive.won_by(HANDS["three-of-a-kind"], table).outcome == "lose"
