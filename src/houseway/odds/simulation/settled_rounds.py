"""Simulated rounds that the kernels do not know: each is dealt and settled by the code that settles a real one.

A thousand times slower than the kernels, and right for every game that can be settled. The cards of a part depend on
the seed and the number of its first round alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from houseway.definitions import ENVY_SUFFIX
from houseway.definitions import game as find_game
from houseway.errors import MissingPartError
from houseway.games.round_model import CheckedRound, CheckedSeat, Line
from houseway.games.round_tables import meter_key
from houseway.games.settle import settle
from houseway.games.table_settings import default_settings
from houseway.houseways import house_way
from houseway.odds.pulled_wagers import keeps_cards, street_of
from houseway.odds.simulation import round_kernels
from houseway.odds.simulation.round_kernels import COLUMNS, LIMB_BITS, LIMB_MASK, MOST_SMALL
from houseway.paytables import paytable

import numpy as np  # isort: skip  (after the check for the optional part behind the kernels)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from houseway.definitions import Game, Wager
    from houseway.odds.simulation.job import Simulation
    from houseway.paytables import PayTable

_OUTCOMES: Final = {"lose": round_kernels.LOST, "push": round_kernels.PUSHED, "win": round_kernels.WON}
_AT_ONCE: Final = 1 << 10


def play_settled(simulation: Simulation, start: int, count: int) -> list[list[int]]:
    """The sums of some rounds by wager and column, as the kernels give them; the last row is of all together."""
    game = find_game(simulation.game)
    _check_played(game)
    table = _SimulatedTable(simulation, game)
    sums = [[0] * COLUMNS for _ in range(len(game.wagers) + 1)]
    for cards in _deals(simulation, game, start, count):
        _add(sums, game, table.settled(cards))
    return sums


def _check_played(game: Game) -> None:
    """Refuse a game in which players decide what nobody has told: MissingPartError."""
    if game.raise_wager is not None:
        raise MissingPartError(
            f"{game.title} is not simulated: when its players make the {game.raise_wager.name} wager is not known here"
        )


def _deals(simulation: Simulation, game: Game, start: int, count: int) -> Iterator[tuple[int, ...]]:
    """The cards of every round, as they leave the deck."""
    needed = game.cards * (simulation.seats + game.dealer_hand) + game.community_cards
    generator = np.random.Generator(np.random.Philox(key=[simulation.rng_seed, start]))
    for done in range(0, count, _AT_ONCE):
        keys = generator.random((min(_AT_ONCE, count - done), game.deck))
        for row in np.argsort(keys, axis=1, kind="stable")[:, :needed].tolist():
            yield tuple(row)


class _SimulatedTable:
    """A table at which every seat makes every wager."""

    def __init__(self, simulation: Simulation, game: Game) -> None:
        from houseway.odds.simulation.job import stake_of

        self.game = game
        self.seats = simulation.seats
        self.way = None if simulation.way is None else house_way(simulation.way)
        self.tables = {wager: paytable(table_id) for wager, table_id in simulation.paytables}
        self.settings = default_settings(game)
        self.stakes = {wager.name: stake_of(wager) for wager in game.wagers}
        shown = simulation.all_meters
        self.meters = {
            meter_key(wager, self.tables): {level: shown[level] for level in table.levels}
            for wager, table in self.tables.items()
            if table.levels
        }
        self.lines: dict[object, Line] = {}
        self.pulls = [
            (wager, self.tables[wager.name], street.seen)
            for wager in game.wagers
            if (street := street_of(game, wager.name)) is not None
        ]

    def settled(self, cards: tuple[int, ...]) -> list[tuple[Line, ...]]:
        """The lines of every seat of a round."""
        game, size = self.game, self.game.cards
        hands = [cards[seat * size : (seat + 1) * size] for seat in range(self.seats + game.dealer_hand)]
        community = cards[len(hands) * size :]
        seats = tuple(
            CheckedSeat(number + 1, hands[number], None, False, self.stakes, self._pulled(hands[number] + community))
            for number in range(self.seats)
        )
        dealer = hands[-1] if game.dealer_hand else ()
        round_ = CheckedRound(
            game, self.tables, self.way, self.settings, self.meters, self.meters, None, 0, dealer, seats, community,
            lines=self.lines,
        )  # fmt: skip
        return [result.lines for result in settle(round_).seats]

    def _pulled(self, cards: tuple[int, ...]) -> frozenset[str]:
        """The wagers that a player takes back: what each is worth by the cards that are seen when it is decided on."""
        return frozenset(
            wager.name for wager, table, seen in self.pulls if not _keeps(self.game, wager, table, cards[:seen])
        )


def _keeps(game: Game, wager: Wager, table: PayTable, seen: tuple[int, ...]) -> bool:
    place = game.pull_street(wager.name)
    keep = None if place is None else game.streets[place].keep
    if keep is not None:
        raise MissingPartError(f"{game.title} is not simulated with a rule of its own for {wager.name}")
    return keeps_cards(game, table, seen)


def _add(sums: list[list[int]], game: Game, seats: list[tuple[Line, ...]]) -> None:
    """Add one round to the sums."""
    total_hold = total_stake = 0
    for row, wager in zip(sums, game.wagers, strict=False):
        stake = returned = envy = small = squares = 0
        shared = wager.look is not None and wager.look.at.startswith("dealer")
        for lines in seats:
            own = 0
            for line in lines:
                if line.wager == wager.name and not is_pulled(line, wager):
                    row[round_kernels.COUNTS_AT + _OUTCOMES[line.outcome]] += 1
                    stake += line.stake
                    returned += line.returned
                    most = MOST_SMALL * line.stake
                    own = line.stake - (line.returned if line.returned <= most else most if shared else 0)
                elif line.wager.removesuffix(ENVY_SUFFIX) == wager.name and line.trigger is not None:
                    envy += line.returned
            small += own
            squares += own * own
        hold = stake - returned - envy
        row[round_kernels.STAKED] += stake
        row[round_kernels.RETURNED] += returned
        row[round_kernels.ENVY] += envy
        row[round_kernels.SMALL_SQUARED] += small * small
        row[round_kernels.SMALL_SQUARES] += squares
        _add_products(row, hold, stake)
        total_hold += hold
        total_stake += stake
    every = sums[-1]
    every[round_kernels.STAKED] += total_stake
    every[round_kernels.RETURNED] += total_stake - total_hold
    _add_products(every, total_hold, total_stake)


def is_pulled(line: Line, wager: Wager) -> bool:
    """Whether a line is that of a wager that was taken back, which then was not made."""
    return bool(wager.clauses.pull) and line.clause == wager.clauses.pull


def _add_products(row: list[int], hold: int, stake: int) -> None:
    """Add the products in two limbs each, as the kernels keep them."""
    for column, product in (
        (round_kernels.HOLD_SQUARED, hold * hold),
        (round_kernels.STAKE_SQUARED, stake * stake),
        (round_kernels.HOLD_BY_STAKE, hold * stake),
    ):
        row[column] += product & LIMB_MASK
        row[column + 1] += product >> LIMB_BITS
