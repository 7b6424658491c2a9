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

from houseway.definitions import game as find_game
from houseway.definitions import low_ranks_of, low_values
from houseway.errors import MissingPartError
from houseway.houseways import house_way
from houseway.houseways.way_kernels import program_array
from houseway.odds.pai_gow.split_games import uncounted_split
from houseway.odds.running.cache import Cache, JsonValue
from houseway.odds.running.clusters import source_fingerprint
from houseway.odds.simulation import round_kernels
from houseway.odds.simulation.round_kernels import Book, Felt, Ints, play_rounds
from houseway.paytables import PayLine, PayTable, paytable, paytables
from houseway.ranking.fast import mask_of_names
from houseway.ranking.hand_names import RANK_WORDS, name_of_low
from houseway.ranking.rank_kernels import WHEEL_LOWEST, WHEEL_SECOND

import numpy as np  # isort: skip  (after the check for the optional part behind the kernels)

if TYPE_CHECKING:
    from houseway.definitions import Game, HandPart, HandSpan, Look, RaiseRule, Wager

ROUNDS_A_PART: Final = 1 << 17
PLAIN_ROUNDS_A_PART: Final = 1 << 13
"""The same where rounds are settled one by one."""
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
USUAL_METER: Final = 1_000_000
"""The same of any other level."""
MOST_METER: Final = 300_000_000
"""The highest meter in cents: a round's hold must fit into half a word when it is squared."""
STAKES: Final[Mapping[str, int]] = {"main": 2500, "raise": 2500, "bonus": 500, "jackpot": 100}
"""What every seat bets, in cents, by the kind of wager."""
_LOOKS: Final = {
    "player-best": round_kernels.OWN,
    "dealer-best": round_kernels.DEALER_BEST,
    "dealer-low": round_kernels.DEALER_LOW,
    "losing-hand": round_kernels.LOSING_HAND,
}
_PARTS: Final = {"best": round_kernels.HIGH, "high": round_kernels.HIGH, "low": round_kernels.LOW}
_NEVER: Final = 1 << 30
_FOLD_OR_PLAY: Final = (52, 6, 3)
"""Deck, cards of a hand and open cards of the dealer in the compiled game of folding and playing."""
_RULES_OF_PLAY: Final = 2
"""The rules by which such a player plays: with an ace among the dealer's open cards, and without one."""
_LOW_CARDS: Final = {
    **{f"{'an' if word[0] in 'ae' else 'a'} {word}": rank for rank, word in enumerate(RANK_WORDS)},
    "the joker": len(RANK_WORDS),
}
"""The low cards as the rules of raising name them, by their low rank."""
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
            "definition": find_game(self.game).fingerprint,
            "part": str(self.rounds_a_part),
            "code": source_fingerprint(),
        }

    @property
    def is_compiled(self) -> bool:
        """Whether the kernels play the game; else every round is settled as `houseway settle` does."""
        return kernels_play(find_game(self.game))

    @property
    def rounds_a_part(self) -> int:
        """How many rounds a part has."""
        return ROUNDS_A_PART if self.is_compiled else PLAIN_ROUNDS_A_PART

    @property
    def parts(self) -> int:
        """How many parts there are."""
        return -(-self.rounds // self.rounds_a_part)

    def run_part(self, number: int, cache: Cache | None) -> JsonValue:  # noqa: ARG002  (nothing is kept between parts)
        """The sums of one part, by wager and column."""
        start = number * self.rounds_a_part
        return [list(map(int, row)) for row in self.play(start, min(self.rounds_a_part, self.rounds - start))]

    def play(self, start: int, count: int) -> list[list[int]]:
        """The sums of some rounds, by wager and column."""
        if self.is_compiled:
            return [list(map(int, row)) for row in play_rounds(*felt_of(self), start, count)]
        from houseway.odds.simulation.settled_rounds import play_settled

        return play_settled(self, start, count)

    def warm_up(self) -> None:
        """Have the kernels compiled."""
        self.play(0, 0)

    @property
    def all_meters(self) -> dict[str, int]:
        """What every level shows."""
        levels = {level for _, table_id in self.paytables for level in paytable(table_id).levels}
        given = dict(self.meters)
        known = {level: given.get(level, cents) for level, cents in DEFAULT_METERS.items() if level in levels}
        # Levels of games from outside, by their names.
        return known | {level: given.get(level, USUAL_METER) for level in sorted(levels - known.keys())}

    @property
    def wagers(self) -> tuple[str, ...]:
        """The wagers that every seat makes, in the order of the sums."""
        return tuple(wager.name for wager in find_game(self.game).wagers)


def kernels_play(game: Game) -> bool:
    """Whether the compiled rounds are made for a game: split hands, or whole ones with a fold.

    What they do not know is not played otherwise than it is settled: it is settled, or refused by name.
    """
    if game.streets or game.named_hands or game.looks_at_own_cards or not game.dealer_hand:
        return False
    looks = [wager.look for wager in game.wagers if wager.look is not None]
    raised = game.raise_wager
    contest = (game.first_wager,) if raised is None else (game.first_wager, raised)
    if not looks or game.contest_wagers != contest or game.wagers[: len(contest)] != contest:
        return False
    if raised is not None and (raised.raises is None or raised.raises.times != (1,)):
        return False
    if not all(_is_seen_by_kernels(look, game) for look in looks):
        return False
    if game.low_cards:
        return not game.offers_fold and uncounted_split(game) is None and _LOW_CARDS.keys() >= _raised_beside(game)
    return _is_played_or_folded(game)


def _raised_beside(game: Game) -> set[str]:
    return {rule.against for rule in game.raise_rules}


def _is_played_or_folded(game: Game) -> bool:
    """Whether the kernels know a game of whole hands: that in which a player plays or folds, and ties push."""
    rules, raised = game.contest, game.raise_wager
    return (
        (game.deck, game.cards, game.dealer_cards_up) == _FOLD_OR_PLAY
        and game.offers_fold
        and rules.parts == ("best",)
        and rules.tie == "push"
        and rules.dealer_push is None
        and game.commission is None
        and (rules.qualifier is None or rules.qualifier.hands.is_open_above)
        and game.first_wager.needs_qualifier == (rules.qualifier is not None)
        and not (raised is not None and raised.needs_qualifier)
        and len(game.raise_rules) == _RULES_OF_PLAY
    )


def _is_seen_by_kernels(look: Look, game: Game) -> bool:
    """Whether the kernels see what a wager looks at as a settlement does."""
    if look.tie != "lose":
        return False
    if look.at == "losing-hand":
        return not game.low_cards and look.beaten_by is None
    if look.at == "player-best":
        return look.is_plain
    return look.beaten_by in (None, *game.contest.parts)


def strategy(game_id: str) -> str:
    """How the simulated players play a game, in words."""
    game = find_game(game_id)
    rules = game.raise_rules
    if any(street.pulls for street in game.streets):
        return "a wager that may be taken back is kept where the cards that can still come return its stake on average"
    if not rules and not game.low_cards:
        return "nothing is left to the players"
    if not rules:
        return _HOUSE_WAY_STRATEGY
    if game.low_cards:
        raised = ", ".join(f"{_least_text(rule)} beside {rule.against}" for rule in rules)
        return f"{_HOUSE_WAY_STRATEGY}; {_title(game)} with at least {raised}"
    with_ace, without = (_least_text(rule) for rule in rules)
    shown = ("one", "two", "three", "four", "five")[game.dealer_cards_up - 1]
    return (
        f"play with at least the pair or three of a kind that the dealer's {shown} cards show; against {shown} "
        f"different cards with {with_ace} or better, and without an ace among them with {without} high as well; "
        "else fold"
    )


def _least_text(rule: RaiseRule) -> str:
    """The least hand of a rule as a sentence names it."""
    text = rule.least.text
    if text == "pair":
        return "any pair"
    if text in ("straight", "flush") or text.startswith("pair of"):
        return f"a {text}"
    return text if "two pair, " not in text or text.endswith("aces") else f"{text} or higher"


def _title(game: Game) -> str:
    raised = game.raise_wager
    return "" if raised is None else raised.title.lower()


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
            # Each sensor has a table of its own, as far as there are several.
            place = sum(game.wager(name) in game.jackpots for name in chosen) if wager.kind == "jackpot" else 0
            if not offered and wager.default_table is None:
                raise MissingPartError(f"{wager.name} of {game.title} has no approved pay table to be simulated with")
            chosen[wager.name] = wager.default_table or offered[min(place, len(offered) - 1)]
    return chosen


def stake_of(wager: Wager) -> int:
    """What every seat bets on a wager, in cents."""
    return STAKES[wager.kind]


def felt_of(simulation: Simulation) -> tuple[Felt, Book]:
    """The table as the kernels take it."""
    return _felt_of(simulation, find_game(simulation.game))


@cache
def _felt_of(simulation: Simulation, game: Game) -> tuple[Felt, Book]:
    if not kernels_play(game):
        raise MissingPartError(f"the compiled rounds are not made for {game.title} as it is defined")
    chosen = dict(simulation.paytables)
    by_table = [(wager, paytable(chosen[wager.name])) for wager in game.wagers if wager.needs_table]
    contest, commission = game.contest, game.commission
    push = contest.dealer_push
    pushing = range(0) if push is None else _places(push.part, push.hands, game)
    felt = Felt(
        key=(simulation.rng_seed & 0xFFFFFFFF, simulation.rng_seed >> 32),
        seats=simulation.seats,
        cards=game.cards,
        splits=bool(game.low_cards),
        deck=game.deck,
        wheel=WHEEL_LOWEST if game.fixed_wheel == "lowest" or not game.has_joker else WHEEL_SECOND,
        push=round_kernels.NO_PART if push is None else _PARTS[push.part],
        push_from=pushing.start,
        push_to=pushing.stop,
        stake=STAKES["main"],
        commission=0 if commission is None else max(STAKES["main"] * commission.percent // 100, commission.minimum),
        qualifier=0 if contest.qualifier is None else contest.qualifier.hands.start,
        raises=game.raise_wager is not None,
        looks_at_best=any(wager.look is not None and wager.look.at == "dealer-best" for wager in game.wagers),
    )
    way = None if simulation.way is None else house_way(simulation.way)
    lines = np.zeros((len(by_table), max(len(table.lines) for _, table in by_table), 5), np.int64)
    for place, (wager, table) in enumerate(by_table):
        for number, line in enumerate(table.lines):
            lines[place, number] = _line_row(wager, table, line)
    book = Book(
        program=np.zeros(0, np.int64) if way is None else program_array(way),
        raise_from=_raises(game),
        wagers=np.array([_wager_row(game, wager, table) for wager, table in by_table], np.int64),
        lines=lines,
        meters=_meter_rows(simulation, [table for _, table in by_table]),
        low_names=_low_names(game),
    )
    return felt, book


def _places(part: HandPart, hands: HandSpan, game: Game) -> range:
    """The hands of a span as they are laid: values, or the ranks of low hands."""
    return low_ranks_of(hands, game.low_cards) if part == "low" else range(hands.start, hands.stop)


def _low_names(game: Game) -> Ints:
    """By low rank, the name of the low hand as a mask; empty where hands are not split."""
    values = low_values(game.low_cards) if game.low_cards else ()
    return np.array([mask_of_names(frozenset({name_of_low(value)})) for value in values], np.int64)


def _raises(game: Game) -> Ints:
    """From which value of the hand on the player raises: by low rank, or by what the dealer shows."""
    if not game.low_cards:
        return np.array([rule.least.start for rule in game.raise_rules], np.int64)
    least = np.full(len(_LOW_CARDS), _NEVER, np.int64)
    for rule in game.raise_rules:
        least[_LOW_CARDS[rule.against]] = rule.least.start
    return least


def _meter_rows(simulation: Simulation, tables: list[PayTable]) -> Ints:
    """What the meters show, by table and level."""
    rows = np.zeros((len(tables), round_kernels.MOST_LEVELS), np.int64)
    for place, table in enumerate(tables):
        for number, level in enumerate(table.levels):
            rows[place, number] = simulation.all_meters[level]
    return rows


def _wager_row(game: Game, wager: Wager, table: PayTable) -> tuple[int, ...]:
    """A pay-table wager in the columns LOOK to BEATEN_BY."""
    look = wager.look
    assert look is not None, "a wager with a table looks at something"
    part: HandPart = "low" if look.at == "dealer-low" else "best"
    places = range(_NEVER) if look.hands is None else _places(part, look.hands, game)
    return (
        _LOOKS[look.at],
        int(wager.kind == "jackpot"),
        len(table.lines),
        stake_of(wager),
        mask_of_names(frozenset(name for line in table.lines for name in line.hands)),
        places.start,
        places.stop,
        round_kernels.NO_PART if look.beaten_by is None else _PARTS[look.beaten_by],
    )


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
    return (line.envy or 0) if wager.envy_from is not None and stake_of(wager) >= wager.envy_from else 0
