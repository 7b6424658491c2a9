"""Simulated rounds: a table with all its wagers, cut into parts that any worker can play, and the sums that come back.

Every seat makes every wager that the game offers, of the amounts in `STAKES`, and is set by the house way that the
dealer plays. Jackpot meters stand at a stated amount at the start of every round, and restart at it when they are won;
contributions are not posted. The same seed gives the same sums on any number of workers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from houseway.games import game as find_game
from houseway.houseways import house_way
from houseway.houseways.kernels import program_array
from houseway.odds.running.cache import Cache, JsonValue
from houseway.odds.running.clusters import source_fingerprint
from houseway.odds.simulation import kernels
from houseway.odds.simulation.kernels import Book, Felt, Ints, play_rounds
from houseway.paytables import PayLine, PayTable, paytable, paytables
from houseway.ranking.fast import mask_of_names
from houseway.ranking.hands import CATEGORY_SHIFT, RANK_SHIFTS, Category
from houseway.ranking.kernels import WHEEL_LOWEST, WHEEL_SECOND

import numpy as np  # isort: skip  (after the check for the optional part behind the kernels)

if TYPE_CHECKING:
    from houseway.games.model import Game, Wager

ROUNDS_A_PART: Final = 1 << 17
MOST_ROUNDS: Final = 10**12
MOST_SEED: Final = (1 << 64) - 1
DEFAULT_METERS: Final[Mapping[str, int]] = {
    "main": 1_000_000,
    "mega": 1_000_000,
    "major": 100_000,
    "minor": 10_000,
    "five_aces": 1_000_000,
    "royal_flush": 100_000,
}
"""What a meter shows in every round unless somebody says otherwise, in cents by level."""
MOST_METER: Final = 300_000_000
"""The highest meter in cents: a round's hold must fit into half a word when it is squared."""
STAKES: Final[Mapping[str, int]] = {"main": 2500, "raise": 2500, "bonus": 500, "jackpot": 100}
"""What every seat bets, in cents, by the kind of wager."""
COMMISSION_PERCENT: Final = 5
ENVY_MINIMUM: Final = 500
_LOOKS: Final = {"paigowd": kernels.PAI_GOW, "tiger9": kernels.TIGER_NINE, "bad_beat": kernels.BAD_BEAT}
_PUSHES: Final = {"commission-free-fortune": kernels.NINE_HIGH_PUSH, "face-up": kernels.ACE_HIGH_PUSH}


def _at_least(category: Category, rank: int = 0) -> int:
    return (category << CATEGORY_SHIFT) + (rank << RANK_SHIFTS[0])


_ACE_KING: Final = (12 << RANK_SHIFTS[0]) + (11 << RANK_SHIFTS[1])
_QUALIFIERS: Final = {"six-card-fortune": _at_least(Category.PAIR, 6), "six-card-poker": _ACE_KING}
_NEVER: Final = 1 << 30
_DOUBLES: Final = (
    ("the joker", "any pair", 13, _at_least(Category.PAIR)),
    ("an ace", "a pair of jacks", 12, _at_least(Category.PAIR, 9)),
    ("a king", "a pair of aces", 11, _at_least(Category.PAIR, 12)),
    ("a queen", "two pair, sevens or higher", 10, _at_least(Category.TWO_PAIR, 5)),
    ("a jack", "two pair, queens or higher", 9, _at_least(Category.TWO_PAIR, 10)),
    ("a ten", "two pair, aces", 8, _at_least(Category.TWO_PAIR, 12)),
    ("a nine", "three nines", 7, _at_least(Category.THREE_OF_A_KIND, 7)),
    ("an eight", "a straight", 6, _at_least(Category.STRAIGHT)),
    ("a seven", "a flush", 5, _at_least(Category.FLUSH)),
    ("a six", "a flush", 4, _at_least(Category.FLUSH)),
)
"""When a player of 6 Card Fortune doubles down: beside which low card with which high hand, and its least value."""
_PLAYS: Final = (_at_least(Category.PAIR), (12 << RANK_SHIFTS[0]) + (10 << RANK_SHIFTS[1]))
"""With what a player of Six Card Poker plays when the dealer's three cards show no pair: with an ace, without one."""
STRATEGIES: Final[Mapping[str, str]] = {
    "six-card-fortune": "hands are set the house way; double down with at least "
    + ", ".join(f"{high} beside {low}" for low, high, _, _ in _DOUBLES),
    "six-card-poker": (
        "play with at least the pair or three of a kind that the dealer's three cards show; against three different "
        "cards with any pair or better, and without an ace among them with ace-queen high as well; else fold"
    ),
}
_HOUSE_WAY_STRATEGY: Final = "hands are set the house way"


@dataclass(frozen=True)
class Simulation:
    """Rounds to play, as a job: what decides the result, and nothing else."""

    game: str
    rounds: int
    seats: int
    rng_seed: int
    paytables: tuple[tuple[str, str], ...]
    """By pay-table wager, in the game's order, the id of its table."""
    way: str | None
    """The house way of dealer and players; None where hands are not split."""
    meters: tuple[tuple[str, int], ...] = ()
    """In cents by level, where other than the default."""

    @property
    def name(self) -> str:
        """The job's name."""
        return f"simulate-{self.game}"

    @property
    def key(self) -> Mapping[str, str]:
        """All that decides the sums."""
        tables = {wager: paytable(table_id) for wager, table_id in self.paytables}
        return {
            "game": self.game,
            "rounds": str(self.rounds),
            "seats": str(self.seats),
            "rng_seed": str(self.rng_seed),
            "meters": " ".join(f"{level}={cents}" for level, cents in sorted(self.all_meters.items())),
            "way": "" if self.way is None else house_way(self.way).fingerprint,
            **{f"table {wager}": f"{table.id} {table.fingerprint}" for wager, table in tables.items()},
            "stakes": " ".join(f"{kind}={stake}" for kind, stake in STAKES.items()),
            "strategy": strategy(self.game),
            "part": str(ROUNDS_A_PART),
            "code": source_fingerprint(),
        }

    @property
    def parts(self) -> int:
        """How many parts there are."""
        return -(-self.rounds // ROUNDS_A_PART)

    def run_part(self, number: int, cache: Cache | None) -> JsonValue:  # noqa: ARG002  (nothing is kept between parts)
        """The sums of one part, by wager and column."""
        start = number * ROUNDS_A_PART
        sums = play_rounds(*felt_of(self), start, min(ROUNDS_A_PART, self.rounds - start))
        return [list(map(int, row)) for row in sums]

    def warm_up(self) -> None:
        """Have the kernels compiled."""
        play_rounds(*felt_of(self), 0, 0)

    @property
    def all_meters(self) -> dict[str, int]:
        """What every level shows."""
        levels = {level for _, table_id in self.paytables for level in paytable(table_id).levels}
        given = dict(self.meters)
        return {level: given.get(level, cents) for level, cents in DEFAULT_METERS.items() if level in levels}

    @property
    def wagers(self) -> tuple[str, ...]:
        """The wagers that every seat makes, in the order of the sums."""
        return tuple(wager.name for wager in find_game(self.game).wagers)


def strategy(game_id: str) -> str:
    """How the simulated players play a game, in words."""
    return STRATEGIES.get(game_id, _HOUSE_WAY_STRATEGY)


def tables_offered(game: Game, wager: Wager) -> tuple[PayTable, ...]:
    """The approved tables of a wager."""
    return tuple(
        table for table in paytables() if table.approved and table.wager == wager.paid_by and game.id in table.games
    )


def default_tables(game: Game) -> dict[str, str]:
    """A table for every pay-table wager: its own default, else the first; the second sensor has the second."""
    chosen: dict[str, str] = {}
    for wager in game.wagers:
        if wager.needs_table:
            offered = [table.id for table in tables_offered(game, wager)]
            place = 1 if wager.name == "progressive2" and len(offered) > 1 else 0
            chosen[wager.name] = wager.default_table or offered[place]
    return chosen


def stake_of(wager: Wager) -> int:
    """What every seat bets on a wager, in cents."""
    return STAKES[wager.kind]


@cache
def felt_of(simulation: Simulation) -> tuple[Felt, Book]:
    """The table as the kernels take it."""
    game = find_game(simulation.game)
    chosen = dict(simulation.paytables)
    by_table = [(wager, paytable(chosen[wager.name])) for wager in game.wagers if wager.needs_table]
    felt = Felt(
        key=(simulation.rng_seed & 0xFFFFFFFF, simulation.rng_seed >> 32),
        seats=simulation.seats,
        cards=game.cards,
        splits=bool(game.low_cards),
        deck=game.deck,
        wheel=WHEEL_LOWEST if game.fixed_wheel == "lowest" else WHEEL_SECOND,
        push=_PUSHES.get(game.id, kernels.NO_PUSH),
        stake=STAKES["main"],
        commission=STAKES["main"] * COMMISSION_PERCENT // 100 if game.commission else 0,
        qualifier=_QUALIFIERS.get(game.id, 0),
        raises=any(wager.kind == "raise" for wager in game.wagers),
        aces=_at_least(Category.PAIR, 12),
    )
    way = None if simulation.way is None else house_way(simulation.way)
    lines = np.zeros((len(by_table), max(len(table.lines) for _, table in by_table), 5), np.int64)
    for place, (wager, table) in enumerate(by_table):
        for number, line in enumerate(table.lines):
            lines[place, number] = _line_row(wager, table, line)
    book = Book(
        program=np.zeros(0, np.int64) if way is None else program_array(way),
        raise_from=_raises(game),
        wagers=np.array([_wager_row(wager, table) for wager, table in by_table], np.int64),
        lines=lines,
        meters=_meter_rows(simulation, [table for _, table in by_table]),
    )
    return felt, book


def _raises(game: Game) -> Ints:
    """From which value of the hand on the player raises: by low rank, or by what the dealer shows."""
    if not game.low_cards:
        return np.array(_PLAYS, np.int64)
    least = np.full(14, _NEVER, np.int64)
    for _, _, low, value in _DOUBLES:
        least[low] = value
    return least


def _meter_rows(simulation: Simulation, tables: list[PayTable]) -> Ints:
    """What the meters show, by table and level."""
    rows = np.zeros((len(tables), kernels.MOST_LEVELS), np.int64)
    for place, table in enumerate(tables):
        for number, level in enumerate(table.levels):
            rows[place, number] = simulation.all_meters[level]
    return rows


def _wager_row(wager: Wager, table: PayTable) -> tuple[int, ...]:
    """A pay-table wager in the columns LOOK to ANY_NAME."""
    taken = frozenset(name for line in table.lines for name in line.hands)
    look = _LOOKS.get(wager.name, kernels.OWN)
    return look, int(wager.kind == "jackpot"), len(table.lines), stake_of(wager), mask_of_names(taken)


def _line_row(wager: Wager, table: PayTable, line: PayLine) -> tuple[int, ...]:
    """A line of a table in the columns MASK to ENVY_PAY."""
    level = 0 if line.level is None else table.levels.index(line.level)
    mask = mask_of_names(frozenset(line.hands))
    returned = returned_by(line, wager)
    return mask, -1 if returned is None else returned, line.percent or 0, level, envy_of(line, wager)


def returned_by(line: PayLine, wager: Wager) -> int | None:
    """What a line returns of a stake, which is part of a pay "for 1" and comes beside a pay "to 1"; None: a share."""
    stake = stake_of(wager)
    if line.push:
        return stake
    if line.pays is None:
        return None
    return stake * line.pays if wager.kind == "jackpot" else stake * (line.pays + 1)


def envy_of(line: PayLine, wager: Wager) -> int:
    """What a line brings each of the others who made the wager."""
    return (line.envy or 0) if wager.kind == "jackpot" or stake_of(wager) >= ENVY_MINIMUM else 0
