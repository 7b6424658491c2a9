"""What there is: the games with their wagers, and the pay tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from houseway.api.arguments import Arguments
from houseway.errors import InputError, present

if TYPE_CHECKING:
    from pathlib import Path

    from houseway.definitions import Game, Wager
    from houseway.paytables import PayTable
    from houseway.sources import Refusal


@dataclass(frozen=True, slots=True)
class WagerFacts:
    """A wager of a game: its kind (main, raise, bonus, jackpot) and the approved pay tables that it is played with."""

    name: str
    title: str
    kind: str
    required: bool
    tables: tuple[str, ...]
    default_table: str | None

    def to_json(self) -> dict[str, Any]:
        """The wager as `houseway games --json` prints it."""
        return {
            "name": self.name,
            "title": self.title,
            "kind": self.kind,
            "required": self.required,
            "tables": list(self.tables),
            "default_table": self.default_table,
        }


@dataclass(frozen=True, slots=True)
class GameFacts:
    """A game: cards, seats, wagers, house ways (the default first), rule sheets."""

    id: str
    title: str
    deck: int
    cards: int
    low_cards: int
    seats: int
    wagers: tuple[WagerFacts, ...]
    ways: tuple[str, ...]
    sheets: tuple[str, ...]
    shuffler_mode: str
    dealer_cards_up: int
    banker: bool
    fold: bool
    commission: int | None
    """In percent of a win."""
    wheel: str | None
    notes: tuple[str, ...]

    def wager(self, name: str) -> WagerFacts:
        """The wager of that name; KeyError if the game has none."""
        return {wager.name: wager for wager in self.wagers}[name]

    def to_json(self) -> dict[str, Any]:
        """The game as `houseway games --json` prints it."""
        return {
            "id": self.id,
            "name": self.title,
            "deck": self.deck,
            "cards": self.cards,
            "low_cards": self.low_cards,
            "seats": self.seats,
            "wagers": [wager.to_json() for wager in self.wagers],
            "ways": list(self.ways),
            "sheets": list(self.sheets),
            "shuffler_mode": self.shuffler_mode,
            "dealer_cards_up": self.dealer_cards_up,
            "banker": self.banker,
            "fold": self.fold,
            "commission": self.commission,
            "wheel": self.wheel,
            "notes": list(self.notes),
        }


def games() -> tuple[GameFacts, ...]:
    """All games.

    >>> [game.id for game in games()]
    ['six-card-fortune', 'fortune', 'commission-free-fortune', 'face-up', 'six-card-poker']
    """
    from houseway.definitions import games as all_games

    return tuple(map(facts_of, all_games()))


def game(game_id: str) -> GameFacts:
    """The game of that id; InputError (code `unknown-game`) if there is none.

    >>> game("fortune").wager("fortune").tables
    ('FPGP-1', 'FPGP-2', 'FPGP-3', 'FPGP-4', 'FPGP-6', 'FPGP-7')
    """
    arguments = Arguments()
    found = arguments.game(game_id)
    arguments.refuse_if_any()
    return facts_of(present(found, "game"))


def add_games(folder: str | Path) -> tuple[GameFacts, ...]:
    """Take the games of a folder into this program, and return them; InputError with every fault of its files.

    The folder has the parts `definitions`, `clauses`, `paytables` and `ways` (docs/guides/add-a-game.md). Games of
    installed packages and of folders in the environment variable HOUSEWAY_GAMES need no call.
    """
    from houseway.definitions import find_game
    from houseway.sources import add_folder

    source = add_folder(folder)
    faults = [fault for each in refused_games() if each.source == source.name for fault in each.faults]
    if faults:
        raise InputError(dict.fromkeys(faults))
    found = (find_game(game_id) for game_id in source.files("definitions"))
    return tuple(facts_of(game) for game in found if game is not None)


def refused_games() -> tuple[Refusal, ...]:
    """What is there from outside and is not used, each with its faults: games, sheets, pay tables, house ways.

    >>> refused_games()
    ()
    """
    from houseway.definitions import refusals
    from houseway.houseways import refused_ways
    from houseway.paytables import refused_paytables

    return (*refusals(), *refused_paytables(), *refused_ways())


def facts_of(game: Game) -> GameFacts:
    """What a user of a game wants to know of its definition."""
    return GameFacts(
        game.id,
        game.title,
        game.deck,
        game.cards,
        game.low_cards,
        game.max_seats,
        tuple(_wager_facts(game, wager) for wager in game.wagers),
        game.ways,
        game.sheets,
        game.shuffler_mode,
        game.dealer_cards_up,
        game.offers_banker,
        game.offers_fold,
        None if game.commission is None else game.commission.percent,
        game.fixed_wheel,
        game.notes,
    )


def _wager_facts(game: Game, wager: Wager) -> WagerFacts:
    return WagerFacts(
        wager.name,
        wager.title,
        wager.kind,
        wager == game.first_wager,
        tuple(tables_of(game, wager)),
        wager.default_table,
    )


def tables_of(game: Game, wager: Wager) -> list[str]:
    """The ids of the approved pay tables that a wager can be played with."""
    from houseway.paytables import paytables

    if not wager.needs_table:
        return []
    fitting = (table for table in paytables() if table.wager == wager.paid_by and game.id in table.games)
    return [table.id for table in fitting if table.approved]


def paytable(table_id: str | None = None, *, file: str | Path | None = None) -> PayTable:
    """A printed pay table by its id, or a table of your own from a TOML file.

    >>> table = paytable("FPGP-3")
    >>> [(line.hand, line.pays) for line in table.lines[-3:]]
    [('flush', 4), ('three-of-a-kind', 3), ('straight', 2)]
    """
    from houseway.paytables import load_paytable

    if (table_id is None) == (file is None):
        raise InputError.of("conflicting-options", "file", "give the id of a table or a file, one of them")
    if file is not None:
        return load_paytable(file)
    arguments = Arguments()
    found = arguments.paytable(table_id or "")
    arguments.refuse_if_any()
    return present(found, "pay table")


def paytables() -> tuple[PayTable, ...]:
    """All printed pay tables, sorted by id.

    >>> len(paytables())
    36
    """
    from houseway.paytables import paytables as shipped

    return shipped()
