"""The shapes that settlement works on: a round that was read and checked, its hands, and the lines that come out.

Amounts are integer cents throughout.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from houseway.cards.card import CARD_TEXTS, card_texts
from houseway.games.settlement_text import high_words, json_text, low_words, settlement_text
from houseway.games.table_settings import edition_of
from houseway.ranking.hand_names import hand_title, name_of_value, place_of_name

if TYPE_CHECKING:
    from houseway.definitions import Game
    from houseway.games.table_settings import Settings
    from houseway.houseways.way import HouseWay
    from houseway.paytables import PayTable

Outcome = Literal["win", "lose", "push"]
Source = Literal["tray", "meter", "house", "banker"]


class _LineFields(NamedTuple):
    """The fields of a line; `Line` adds what is made of them."""

    wager: str
    outcome: Outcome
    stake: int
    returned: int
    hand: str
    clause: str
    source: Source | None
    commission: int | None = None
    paytable: str | None = None
    pays: str | None = None
    """What the table's line says: "150 to 1", "10% of main", "push", "envy"."""
    trigger: int | None = None
    """For an envy line: the seat whose hand brought it."""
    before_limit: int | None = None
    """Where an aggregate limit cut the line: what it would have returned."""


class Line(_LineFields):
    """What became of one wager, or one envy payment: the unit in which a dealer pays and an auditor asks.

    It never changes, so that rounds on the same terms can share it, with its JSON text.
    """

    @cached_property
    def text(self) -> str:
        """`to_json` as JSON text."""
        return json_text(self.to_json())

    def to_json(self) -> dict[str, Any]:
        """The line as the command line prints it."""
        shown: dict[str, Any] = {
            "wager": self.wager,
            "outcome": self.outcome,
            "stake": self.stake,
            "returned": self.returned,
            "hand": self.hand,
            "hand_text": hand_title(self.hand),
            "clause": self.clause,
            "source": self.source,
        }
        if self.commission is not None:
            shown["commission"] = self.commission
        if self.paytable is not None:
            shown["paytable"] = self.paytable
            shown["pays"] = self.pays
        if self.trigger is not None:
            shown["trigger"] = self.trigger
        if self.before_limit is not None:
            shown["before_limit"] = self.before_limit
        return shown


def named(line: Line, paytable: str, pays: str | None = None) -> Line:
    """The line with the pay table that decided it and what the table's line says; None where none paid."""
    return line._replace(paytable=paytable, pays=pays)


def lost(wager: str, stake: int, hand: str, clause: str) -> Line:
    """A line of a wager that the house takes."""
    return Line(wager, "lose", stake, 0, hand, clause, None)


def pushed(wager: str, stake: int, hand: str, clause: str) -> Line:
    """A line of a wager that goes back to the player."""
    return Line(wager, "push", stake, stake, hand, clause, None)


def won(wager: str, stake: int, winnings: int, hand: str, clause: str, source: Source = "tray") -> Line:
    """A line of a wager that returns its stake and the winnings."""
    return Line(wager, "win", stake, stake + winnings, hand, clause, source)


@dataclass(slots=True)
class Hand:
    """A hand as it plays: its cards, how it was set, and what it is worth.

    `high` and `low` are sorted from the highest card down; `low` is empty where hands are not split.
    """

    cards: tuple[int, ...]
    high: tuple[int, ...]
    low: tuple[int, ...]
    high_value: int
    low_value: int
    best_value: int
    names: frozenset[str]
    natural_names: frozenset[str]
    """The names that the cards fit without the joker."""
    rule: str | None = None
    fouled: bool = False
    own_names: frozenset[str] = frozenset()
    """The names that the seat's own cards fit without the community's, where a wager looks at them."""

    def names_for(self, table: PayTable) -> frozenset[str]:
        """The names that the cards fit as a pay table reads the joker."""
        return table.names_of(self.names, self.natural_names)

    def best_name_for(self, table: PayTable) -> str:
        """The name of the best hand among all the cards as a pay table reads the joker."""
        names = self.names_for(table)
        return self.best_name if names == self.names else min(names, key=place_of_name)

    def to_json(self) -> dict[str, Any]:
        """The hand as the command line prints it: its cards and what they are, in a name and in words."""
        return {
            "high": card_texts(self.high),
            "low": card_texts(self.low),
            **high_words(self.high_value),
            **low_words(self.low_value if self.low else None),
            "rule": self.rule,
        }

    @property
    def best_name(self) -> str:
        """The name of the best five-card hand among all the cards."""
        return name_of_value(self.best_value)

    @property
    def high_name(self) -> str:
        """The name of the five-card hand as it was set."""
        return name_of_value(self.high_value)


NO_HAND: Final = Hand((), (), (), 0, 0, 0, frozenset(), frozenset())
"""In the place of the dealer's hand in a game whose dealer has none."""


@dataclass(slots=True)
class CheckedSeat:
    """A player's spot in a round, as it was handed in."""

    number: int
    cards: tuple[int, ...]
    low: tuple[int, ...] | None
    fold: bool
    wagers: dict[str, int]
    pulled: frozenset[str] = frozenset()
    """The wagers that the player has taken back."""


@dataclass(slots=True)
class CheckedRound:
    """One round, read and checked, ready to settle."""

    game: Game
    tables: dict[str, PayTable]
    way: HouseWay | None
    settings: Settings
    meters: dict[str, dict[str, int]]
    seeds: dict[str, dict[str, int]]
    banker: int | None
    dealer_stake: int
    dealer: tuple[int, ...]
    seats: tuple[CheckedSeat, ...]
    community: tuple[int, ...] = ()
    """The cards in the middle, which belong to every hand."""
    notes: list[str] = field(default_factory=list)
    lines: dict[Hashable, Line] = field(default_factory=dict, repr=False, compare=False)
    """Lines made so far for rounds on the same terms (game, tables, settings), by all else that decides them."""

    def cited(self, clause: str) -> str:
        """A clause of the definition as the edition that holds for the round prints it."""
        return self.game.cited(clause, edition_of(self.game, self.settings))


@dataclass(slots=True)
class Contest:
    """The hands of a round side by side, for the functions that decide wagers."""

    round: CheckedRound
    dealer: Hand
    opponent: Hand
    """The hand that the players' wagers face: the dealer's, or the banker's."""
    hands: dict[int, Hand]
    qualifies: bool | None = None
    push_clause: str | None = None
    """The clause by which the opponent's hand makes main wagers push, once it was asked for; empty for none."""

    def looked_at_beside(self, hand: Hand) -> Hand:
        """The dealer's hand that a bonus wager beside `hand` looks at.

        The sheets name the dealer's, also while a player banks. A room may read the banker's instead; the banker's own
        wagers then look at the dealer's.
        """
        if self.round.settings.banked_bonus == "dealer" or hand is self.opponent:
            return self.dealer
        return self.opponent


class SeatResult(NamedTuple):
    """A seat after settlement."""

    seat: int
    hand: Hand
    lines: tuple[Line, ...]

    def to_json(self) -> dict[str, Any]:
        """The seat as the command line prints it."""
        return {
            "seat": self.seat,
            **self.hand.to_json(),
            "fouled": self.hand.fouled,
            "lines": [line.to_json() for line in self.lines],
        }


@dataclass(frozen=True, slots=True)
class Settlement:
    """The result of a round: what every seat gets, and what the meters show afterwards."""

    round: CheckedRound
    dealer: Hand
    qualifies: bool | None
    seats: tuple[SeatResult, ...]
    order: tuple[int, ...]
    """The seats in the order in which the dealer resolves them."""
    meters: dict[str, dict[str, int]]

    def seat(self, number: int) -> SeatResult:
        """The result of one seat."""
        return next(result for result in self.seats if result.seat == number)

    def lines(self) -> list[Line]:
        """The lines of all seats, in the order of the seats."""
        return [line for result in self.seats for line in result.lines]

    def __repr__(self) -> str:
        """What every wager became, on one line."""
        seats = (
            ", ".join(f"{line.wager} {line.outcome} {line.stake} -> {line.returned}" for line in result.lines)
            for result in self.seats
        )
        told = "; ".join(f"seat {result.seat}: {lines}" for result, lines in zip(self.seats, seats, strict=True))
        return f"<Settlement of {self.round.game.id}: {told}>"

    @property
    def text(self) -> str:
        """`to_json` as JSON text, made without it: streams of rounds print thousands a second."""
        return settlement_text(self)

    def to_json(self) -> dict[str, Any]:
        """The settlement as the command line prints it."""
        has_dealer = self.round.game.dealer_hand
        shown: dict[str, Any] = {
            "dealer": {**self.dealer.to_json(), "qualifies": self.qualifies} if has_dealer else None,
            "seats": [result.to_json() for result in self.seats],
            "order": list(self.order),
            "meters": self.meters,
        }
        if self.round.community:
            shown["community"] = [CARD_TEXTS[card] for card in self.round.community]
        if self.round.notes:
            shown["notes"] = self.round.notes
        return shown
