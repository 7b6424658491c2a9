"""The odds of a wager that a pay table decides: which line pays how many deals, and what follows from it.

Wagers on the player's own cards need the hand counts only. Tiger 9, Pai Gow'd and Bad Beat depend on two hands: their
winning deals come from the solved results, which are kept for every house way. A count is taken line by line in the
table's own order, so a table that nobody has printed is answered as exactly as a printed one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final, TypeAlias

from houseway.definitions import Look, low_values, shipped_games
from houseway.definitions import game as game_of
from houseway.errors import Fault, InputError, MissingPartError
from houseway.odds import solved
from houseway.odds.distribution import Distribution, Outcome, percent_text
from houseway.odds.hand_counts import DOMAINS, Domain, HandCounts, hand_counts
from houseway.odds.pai_gow.split_games import NO_PAIR
from houseway.odds.six_card_poker import bad_beat
from houseway.odds.small_counts import check_named, hands_by_names
from houseway.ranking.hand_names import HIGH_NAMES, hand_title, name_of_low, place_of_name

if TYPE_CHECKING:
    from houseway.definitions.definition import LookedAt
    from houseway.odds.solved_game import SolvedGame
    from houseway.paytables import PayLine, PayTable
    from houseway.paytables.pay_table import Joker

LineCounts: TypeAlias = "dict[PayLine | None, int]"
"""The number of deals that each line of a table pays, in its order, and under None those that no line pays."""

NO_LINE: Final = "no line"
"""The name of the outcome in which no line pays."""

USUAL_BET: Final = 500
"""The bonus wager in cents of which figures are told, where the sheet says nothing of the size."""

MAX_ENVY_OTHERS: Final = 5
"""How many other players "max envy" on a sheet means."""


@dataclass(frozen=True, slots=True)
class Sides:
    """How the two sides set their hands: names of house ways, `optimal` for a player, empty where hands are not set."""

    dealer: str = ""
    player: str = ""
    wheel: str = "second"


def counts_for(game: str, joker: Joker = "semi-wild", at: LookedAt = "player-best") -> HandCounts:
    """The hand counts of a game's cards, for tables that read the joker that way: shipped, or counted here.

    MissingPartError where there are none. `at` is what is looked at: the whole hand, or a seat's own cards.
    """
    dealt = game_of(game)
    own = at == "player-cards"
    domain = Domain(dealt.cards if own else dealt.hand_cards, dealt.deck, joker)
    if domain in DOMAINS and not dealt.named_hands and not own:
        return hand_counts(*domain)
    if joker != "semi-wild":
        raise MissingPartError(f"hands of {dealt.title} are not counted with another reading of the joker")
    return HandCounts(domain, hands_by_names(dealt, own=own))


def line_counts(
    table: PayTable, game: str, sides: Sides, counts: HandCounts | None = None, main: SolvedGame | None = None
) -> LineCounts | None:
    """How many deals each line pays; None where two hands decide and that way is not among the solved results.

    `counts` are other hand counts than the shipped ones, such as fresh ones; `main` is a main game that was solved for
    these sides, where none is shipped.
    """
    look = _look_of(table, game)
    if look.at in ("player-best", "player-cards"):
        check_whole_hands(table, game)
        check_named(game_of(game), table)
        return (counts or counts_for(game, table.joker, look.at)).by_line(table)
    _check_shipped(game, look)
    found = _winning_deals(look, sides) if main is None else _winning_deals_of(look, main)
    if found is None:
        return None
    winning, deals = found
    by_line: LineCounts = dict.fromkeys((*table.lines, None), 0)
    for names, count in winning.items():
        by_line[table.line_for(names)] += count
    by_line[None] += deals - sum(winning.values())
    return by_line


def check_whole_hands(table: PayTable, game: str) -> None:
    """Refuse a look at the player's hand that not every hand is in action for, by its game: MissingPartError."""
    look, called = _look_of(table, game), f"{table.wager_in(game).title} of {game_of(game).title}"
    if look.hands is not None:
        raise MissingPartError(f"{called} is not counted: it is in action for hands that are {look.hands.text} only")
    if look.beaten_by is not None:
        raise MissingPartError(f"{called} is not counted: it is in action where the hand beats the dealer's only")


def _check_shipped(game: str, look: Look) -> None:
    """Refuse a look at two hands in a game that the shipped results are not about: MissingPartError."""
    if game not in {each.id for each in shipped_games()}:
        raise MissingPartError(f"a look at {look.at} is counted for the games that ship, and not for {game}")


def _winning_deals(look: Look, sides: Sides) -> tuple[Mapping[frozenset[str], int], int] | None:
    """The deals that win a wager of two hands, by the names of the hand that its table looks at, and all deals."""
    if look.at == "losing-hand":
        losing = bad_beat.losing_hands()
        return None if losing is None else ({frozenset(names): won for names, won in losing.items()}, bad_beat.DEALS)
    found = solved.beaten_hands(look, sides.dealer, sides.player, sides.wheel)
    return None if found is None else (_by_single_names(found[0]), found[1])


def _winning_deals_of(look: Look, main: SolvedGame) -> tuple[Mapping[frozenset[str], int], int] | None:
    """The same from a main game that was solved for two sides."""
    if look.at not in main.looks:
        return None
    solved.check_counted(look)
    found = main.looks[look.at]
    return _by_single_names(found), main.deals


def _by_single_names(found: Mapping[str, int]) -> Mapping[frozenset[str], int]:
    return {frozenset({name}): won for name, won in found.items()}


def bonus_distribution(counts: LineCounts) -> Distribution:
    """The outcomes of a "to 1" wager: each line's pay beside the returned stake, a push, or the stake lost."""
    return Distribution.of(bonus_outcome(line, deals) for line, deals in counts.items())


def bonus_outcome(line: PayLine | None, deals: int = 0) -> Outcome:
    """What a line of a "to 1" table makes of one unit; None is the loss."""
    if line is None:
        return Outcome(NO_LINE, deals, Fraction(-1))
    if line.push:
        return Outcome(line.hand, deals, Fraction(0))
    assert line.pays is not None, "only jackpot wagers are paid from meters"
    return Outcome(line.hand, deals, Fraction(line.pays), hit=True)


def hit_frequency(counts: LineCounts) -> Fraction:
    """How often a line of the table pays; a push is no hit."""
    deals = sum(counts.values())
    return Fraction(sum(count for line, count in counts.items() if line is not None and not line.push), deals)


def earns_envy(table: PayTable, bet: int) -> bool:
    """Whether a wager of that many cents takes part in the envy of a table."""
    return table.has_envy and bet >= envy_from(table)


def envy_from(table: PayTable) -> int:
    """The least wager in cents that takes part in the envy of a table."""
    return table.wager_in(table.games[0]).envy_from or 0


def envy_return(table: PayTable, counts: LineCounts, others: int, bet: int) -> Fraction:
    """What envy returns on average of one unit of a wager of `bet` cents when `others` more seats are in play.

    Exact although all hands come from one deck: each other seat's hand, taken by itself, is any hand with the same
    chance, and an average of a sum is the sum of the averages.
    """
    if not earns_envy(table, bet):
        return Fraction(0)
    deals = sum(counts.values())
    total = sum(count * (line.envy or 0) for line, count in counts.items() if line is not None)
    return Fraction(others * total, deals * bet)


def check_design(table: PayTable, game: str, path: str, *, allow_holes: bool = False) -> None:
    """Refuse a designer's table with a line that no deal reaches, or with a hole: a better hand that nothing pays.

    A table that was printed is taken as it is; for one that was just written down, a hole is a line that was forgotten,
    and the edge would be the wrong figure. `allow_holes` is for who means it.
    """
    faults = [
        Fault(
            "paytable-dead-line",
            path,
            f"no deal ever reaches the line {line.hand}: {_what_it_looks_at(table, game)}; remove the line",
        )
        for line in _dead_lines(table, game)
    ]
    if not allow_holes:
        faults += [Fault("paytable-hole", path, message) for message in _holes(table, game)]
    if faults:
        raise InputError(faults)


def _dead_lines(table: PayTable, game: str) -> list[PayLine]:
    """The lines that no deal reaches."""
    reached = {table.line_for(names) for names in _hands_looked_at(table, game)}
    return [line for line in table.lines if line not in reached]


def _hands_looked_at(table: PayTable, game: str) -> Mapping[frozenset[str], int]:
    """The sets of names that the hands fit at which a table looks, and how many hands fit each.

    A dealer's hand has one name, so that its number does not matter here: each counts as one.
    """
    look = _look_of(table, game)
    match look.at:
        case "player-best" | "player-cards":
            return counts_for(game, table.joker, look.at).by_names
        case "dealer-low":
            cards = game_of(game).low_cards
            seen = [value for value in low_values(cards) if look.hands is None or value in look.hands]
            return {frozenset({name_of_low(value)}): 1 for value in seen}
        case "dealer-best":
            return _best_hands_looked_at(game, look)
        case _:
            return {frozenset(names): deals for names, deals in (bad_beat.losing_hands() or {}).items()}


def _best_hands_looked_at(game: str, look: Look) -> Mapping[frozenset[str], int]:
    """The best hands of all a dealer's cards at which a wager looks."""
    if look.hands is not None and look.hands != NO_PAIR:
        raise MissingPartError(f"which names the dealer's hands fit that are {look.hands.text} is not counted")
    every = counts_for(game).by_names
    return {names: 1 for names in every if look.hands is None or names <= set(HIGH_NAMES)}


def _look_of(table: PayTable, game: str) -> Look:
    look = table.wager_in(game).look
    assert look is not None, "wagers with a table look at something"
    return look


def _what_it_looks_at(table: PayTable, game: str) -> str:
    look = _look_of(table, game)
    if look.at in ("player-best", "player-cards"):
        return "the lines above take all of its hands"
    whose = {"dealer-best": "a dealer's best hand", "dealer-low": "a dealer's low hand", "losing-hand": "a losing hand"}
    which = "" if look.hands is None else f" that is {look.hands.text}"
    return f"{table.wager_in(game).title} looks at {whose[look.at]}{which}"


def _holes(table: PayTable, game: str) -> list[str]:
    """What is wrong with each hand that no line takes between hands that are paid."""
    names = [name for line in table.lines for name in line.hands]
    if all(name in HIGH_NAMES for name in names):
        return _holes_among_high_cards(names)
    return _holes_among_best_hands(table, game, names)


def _holes_among_high_cards(names: list[str]) -> list[str]:
    """Tables of hands without a pair pay a row of top cards: none between the lowest and the highest may be missing."""
    places = [HIGH_NAMES.index(name) for name in names]
    missing = [HIGH_NAMES[place] for place in range(min(places), max(places)) if place not in places]
    return [_hole(name, HIGH_NAMES[min(places)], "stands beside it") for name in missing]


def _holes_among_best_hands(table: PayTable, game: str, names: list[str]) -> list[str]:
    lowest = max(names, key=place_of_name)
    found: dict[str, None] = {}
    for fitted in _hands_looked_at(table, game):
        best = min(fitted, key=place_of_name)
        if place_of_name(best) < place_of_name(lowest) and table.line_for(fitted) is None:
            found[best] = None
    return [_hole(name, lowest) for name in sorted(found, key=place_of_name)]


@dataclass(frozen=True, slots=True)
class UnlistedHand:
    """A hand without a line of its own though a lesser one is paid: what becomes of all hands that are nothing better.

    Such a hand may fit a lesser line as well, as a flush that is also a straight does, or fit none and lose.
    """

    hand: str
    paid: LineCounts
    """How many of the hands each line pays; under None those that lose."""

    @property
    def text(self) -> str:
        """What becomes of them, in words."""
        hands = sum(self.paid.values())
        ends = sorted(self.paid.items(), key=lambda end: -end[1])
        if len(ends) == 1:
            return f"all of them {_ends(ends[0][0])}"
        shares = [f"{percent_text(Fraction(count, hands), 2)} {_ends(line)}" for line, count in ends]
        return f"of {hands:,} such hands {', '.join(shares[:-1])} and {shares[-1]}"


def _ends(line: PayLine | None) -> str:
    if line is None:
        return "lose"
    return f"{'push' if line.push else 'are paid'} as {hand_title(line.hand)}"


def unlisted_hands(table: PayTable, game: str) -> list[UnlistedHand]:
    """The hands without a line of their own that rank above a paid one, the best first."""
    listed = {name for line in table.lines for name in line.hands}
    lowest = max(map(place_of_name, listed))
    found: dict[str, LineCounts] = {}
    for fitted, hands in _hands_looked_at(table, game).items():
        best, line = min(fitted, key=place_of_name), table.line_for(fitted)
        if best not in listed and place_of_name(best) < lowest:
            paid = found.setdefault(best, {})
            paid[line] = paid.get(line, 0) + hands
    return [UnlistedHand(hand, found[hand]) for hand in sorted(found, key=place_of_name)]


def _hole(name: str, paid: str, how: str = "ranks below it") -> str:
    return (
        f"the table has a hole: no line takes a {hand_title(name)}, though {hand_title(paid)}, which {how}, is paid; "
        "add the line, or give --allow-holes if the hand is meant to lose"
    )
