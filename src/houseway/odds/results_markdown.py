"""The tables of docs/odds.md that come from the shipped results: `scripts/write-odds-page` puts them into the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Final

from houseway.definitions import Game, game, shipped_games
from houseway.games.round_tables import as_read, has_joker_note
from houseway.games.table_settings import READING_CHOICES
from houseway.odds import solved as shipped
from houseway.odds.distribution import fraction_text, percent_text
from houseway.odds.progressive import fixed_return
from houseway.odds.questions import OddsQuestion, answer
from houseway.odds.solve_main_games import WHEELS
from houseway.odds.wagers import MAX_ENVY_OTHERS, Sides, line_counts
from houseway.paytables import PayTable, paytables

_MARKED: Final = re.compile(r"(<!-- results: ([a-z-]+) -->\n).*?(<!-- end of results -->)", re.DOTALL)


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    names = list(heads)
    lines = [names, ["---:" if name in _NUMBERS else "---" for name in names], *(list(row) for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


_NUMBERS: Final = frozenset(
    {
        *("win", "push", "lose", "pushes", "edge", "edge, 5 others", "hits", "deviation", "element of risk"),
        *("fixed pays, semi-wild", "literal", "less"),
    }
)


def _seven_card(game_id: str) -> Iterator[list[str]]:
    """A row for each dealer's way and each way of playing against it, of one seven-card game."""
    ways = game(game_id).ways
    for wheel in WHEELS:
        for dealer in ways:
            for player in ("optimal", *ways):
                found = shipped.solved(game_id, dealer, player, wheel)
                if found is None:
                    continue
                question = OddsQuestion(
                    game(game_id),
                    (game(game_id).first_wager.name,),
                    sides=Sides(dealer, player, wheel),
                    commission=game(game_id).commission_rate,
                )
                told = answer(question)
                assert told.edge is not None
                counts = [f"{found.outcomes[key]:,}" for key in ("win", "push", "lose")]
                pushes = Fraction(found.outcomes["push"], found.deals)
                yield [wheel, dealer, player, *counts, percent_text(pushes), percent_text(told.edge)]


def _main_games(game_id: str) -> Callable[[], str]:
    heads = ("A-2-3-4-5", "dealer", "player", "win", "push", "lose", "pushes", "edge")
    return lambda: _table(heads, _seven_card(game_id))


def _raised_questions() -> Iterator[tuple[Game, str, str, tuple[str, ...]]]:
    """The games with a raise: without it where it is a choice, and with it; by the house way, if any, and best."""
    for played in shipped_games():
        first, raised = played.first_wager, played.raise_wager
        if raised is None:
            continue
        dealer = (*played.ways, "")[0]
        for wagers in (
            ((first.name, raised.name),) if played.offers_fold else ((first.name,), (first.name, raised.name))
        ):
            yield from ((played, dealer, player, wagers) for player in (*played.ways[:1], "optimal"))


def _with_raise() -> str:
    """The games in which a second wager is decided on: by outcome."""
    rows = []
    for played, dealer, player, wagers in _raised_questions():
        told = answer(OddsQuestion(played, wagers, sides=Sides(dealer, player, "second")))
        assert told.edge is not None
        assert told.distribution is not None
        outcomes = ", ".join(
            f"{outcome.name} {outcome.deals:,}" for outcome in told.distribution.outcomes if outcome.deals
        )
        rows.append(
            [
                played.id,
                " + ".join(wagers),
                player,
                percent_text(told.edge),
                f"{float(told.average_wager):.6f}",
                percent_text(told.edge / told.average_wager),
                outcomes,
            ]
        )
    return _table(("game", "wagers", "player", "edge", "average wager", "element of risk", "deals by outcome"), rows)


def _bank() -> str:
    """A player who banks in Fortune against one hand that is set the same way."""
    rows = []
    for game_id in (played.id for played in shipped_games() if played.offers_banker):
        for way in game(game_id).ways:
            question = OddsQuestion(
                game(game_id),
                (game(game_id).first_wager.name,),
                sides=Sides(way, way),
                banker=True,
                commission=game(game_id).commission_rate,
            )
            told = answer(question)
            assert told.edge is not None
            rows.append([game_id, way, percent_text(told.edge)])
    return _table(("game", "both hands set", "edge"), rows)


def _sides_of(table: PayTable, game_id: str) -> Iterator[tuple[str, Sides]]:
    """How both sides set, where it matters: every way on both sides."""
    if table.looks_at in ("player-best", "losing-hand"):
        yield "", Sides()
    else:
        for way in game(game_id).ways:
            yield way, Sides(way, way)


def _bonus() -> str:
    """Every wager with a fixed pay table."""
    rows = []
    for table in paytables():
        if table.levels:
            continue
        game_id = table.games[0]
        for way, sides in _sides_of(table, game_id):
            question = OddsQuestion(game(game_id), (table.wager,), {table.wager: table}, sides)
            told = answer(question)
            assert told.edge is not None
            assert told.distribution is not None
            envy = ""
            if table.has_envy:
                with_envy = answer(
                    OddsQuestion(game(game_id), (table.wager,), {table.wager: table}, sides, others=MAX_ENVY_OTHERS)
                )
                assert with_envy.edge is not None
                envy = percent_text(with_envy.edge)
            rows.append(
                [
                    table.id + ("" if table.approved else " (not approved)"),
                    table.wager,
                    way,
                    fraction_text(told.edge),
                    percent_text(told.edge),
                    envy,
                    percent_text(told.distribution.hit_frequency),
                    f"{told.distribution.standard_deviation:.4f}",
                ]
            )
    return _table(("table", "wager", "both hands set", "exact", "edge", "edge, 5 others", "hits", "deviation"), rows)


def _jackpot_joker() -> str:
    """The lines of the seven-card jackpots that the reading of the joker changes, and what the fixed pays return."""
    rows = []
    for table in paytables():
        if not has_joker_note(table):
            continue
        found = [
            line_counts(as_read(table, {"jackpot_joker": choice}), table.games[0], Sides())
            for choice in READING_CHOICES["jackpot_joker"]
        ]
        semi_wild, literal = ({} if counts is None else counts for counts in found)
        changed = [
            f"{line.hand} {semi_wild[line]:,} / {literal[line]:,}"
            for line in table.lines
            if semi_wild[line] != literal[line]
        ]
        returns = [fixed_return(semi_wild), fixed_return(literal)]
        shown = [percent_text(share) for share in (*returns, returns[0] - returns[1])]
        rows.append([table.id, "; ".join(changed), *shown])
    return _table(("table", "hands, semi-wild / literal", "fixed pays, semi-wild", "literal", "less"), rows)


SECTIONS: Final[Mapping[str, Callable[[], str]]] = {
    **{found.id: _main_games(found.id) for found in shipped_games() if found.low_cards == 2},
    "with-raise": _with_raise,
    "bank": _bank,
    "bonus": _bonus,
    "jackpot-joker": _jackpot_joker,
}
"""The marked places of the page and what stands there."""


def filled(page: str) -> str:
    """The page with every marked place filled with what the shipped results say."""
    names = [match[1] for match in _MARKED.findall(page)]
    assert sorted(names) == sorted(SECTIONS), f"the page has the places {names}, not {sorted(SECTIONS)}"
    return _MARKED.sub(lambda match: match[1] + "\n" + SECTIONS[match[2]]() + "\n" + match[3], page)
