"""The page of strategies, docs/strategy.md, written from the shipped results."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from houseway.definitions import Game
from houseway.errors import present
from houseway.odds.pai_gow.main_games import deals_of
from houseway.odds.six_card_poker.fold_rules import fold_or_play_game
from houseway.odds.six_card_poker.strategy import STRATEGIES, in_words
from houseway.odds.six_card_poker.strategy import strategy as poker_strategy
from houseway.odds.strategies.doubling import DoublingLine
from houseway.odds.strategies.shipped_strategies import (
    Edges,
    Strategy,
    open_edges,
    open_game,
    open_rules,
    saved_by,
    strategy,
)
from houseway.odds.strategies.strategy_text import doubling_sentence, rule_ids
from houseway.odds.strategies.topics import Frame, frames

_INTRO: Final = """\
# Strategies

A short strategy for every game, read off its exact solution, with what it costs against the best play. This page is
written by `scripts/write-strategies`; the tests fail when it is not current.

Every figure is exact: the outcomes were counted over all deals, against a dealer who sets by the game's house way
(`six-card`, `foxwoods`), with A-2-3-4-5 the second-highest straight. Edges are parts of the main wager, in Six Card
Poker of the ante.

How the rules were found: for every kind of hand the outcomes of a few settings were counted for every combination of
ranks, and the ranks were cut into ranges wherever a cut saves enough to be worth remembering: {least}. Nothing was
chosen by hand but the questions and the settings to compare. The strategies of the Pai Gow games are files in the
language of [house ways](guides/add-a-house-way.md), in `src/houseway/odds/data/strategies`: `houseway set GAME "CARDS"
--way-file FILE` sets any hand by them and names the rule.

"Saves" is what a rule gains over the house way on all its hands together, as a part of all main wagers; where it is
less than nothing, the rule is the simpler of the two.
"""
_METHOD: Final = """\
## Counting them again

`scripts/write-strategies --solve` counts everything again: seconds for six cards, some minutes for seven on two
processors. The tests count the six-card strategy again as one more player in the solver of the main game and compare
all integers; `houseway odds fortune --player FILE` does the same for a seven-card strategy.
"""


def percent(value: Fraction, digits: int = 4) -> str:
    """A share for people.

    >>> percent(Fraction(1, 8), 2)
    '12.50%'
    """
    return f"{float(value):.{digits}%}"


def strategy_page() -> str:
    """The whole page."""
    sections = [_INTRO.format(least=_least())]
    for game, frame in frames().items():
        found = strategy(game)
        sections.append(_missing(frame) if found is None else _section(found))
    sections += [_open_section(), _poker_section(), _METHOD]
    return "\n".join(sections)


def _least() -> str:
    """What a rule must save, by the size of the hands."""
    by_cards = {frame.cards: frame.least for frame in frames().values()}
    return ", ".join(f"{percent(least, 3)} of the wager with {cards} cards" for cards, least in by_cards.items())


def _title(played: Game) -> str:
    """The title of a game's section, with the commission on which the strategy rests."""
    return played.title if played.commission is None else f"{played.title}, {played.commission.percent}% commission"


def _missing(frame: Frame) -> str:
    return f"## {_title(frame.played)}\n\nNot solved for the installed rules yet.\n"


def _section(found: Strategy) -> str:
    """One game: edges, rules, doubling."""
    parts = [f"## {_title(found.frame.played)}\n", _edge_table(found), "", *_rule_lines(found)]
    if found.frame.extends:
        parts += ["", f"Every other hand is set by the house way (`{found.frame.dealer}`)."]
    if found.doubling:
        parts += ["", *_doubling_lines(found.doubling, found.frame.played)]
    return "\n".join(parts) + "\n"


def _wagers(played: Game, row: Edges) -> str:
    """The wagers of a row in words."""
    first, raised = played.first_wager.title.lower(), played.raise_wager
    return f"{first} with the {raised.title.lower()}" if raised is not None and "+" in row.wagers else f"{first} alone"


def _edge_table(found: Strategy) -> str:
    lines = ["| | best play | this strategy | it costs | house way |", "|---|---:|---:|---:|---:|"]
    for row in found.edges:
        figures = [percent(edge) for edge in (row.best, row.strategy, row.cost, row.house_way)]
        lines.append(f"| {_wagers(found.frame.played, row)} | " + " | ".join(figures) + " |")
    return "\n".join(lines)


def _rule_lines(found: Strategy) -> list[str]:
    """A row for every rule, in the order in which the hands are looked at."""
    lines = ["| rule | hands | saves |", "|---|---:|---:|"]
    for topic in found.frame.topics:
        rules = found.rules.get(topic.id)
        if rules is None:
            lines.append(f"| {found.way.why[topic.id]} | | |")
            continue
        for rule_id, rule in zip(rule_ids(topic, rules), rules, strict=True):
            saved = _share(found.frame, saved_by(found.frame, rule))
            shown = percent(saved) if saved else ""
            lines.append(f"| {found.way.why[rule_id]} | {rule.hands:,} | {shown} |")
    return lines


def _share(frame: Frame, saved: int) -> Fraction:
    return Fraction(saved, deals_of(frame.cards) * frame.unit)


def _doubling_lines(lines: Iterable[DoublingLine], played: Game) -> list[str]:
    raised = present(played.raise_wager, f"raise of {played.title}")
    return [f"When to {raised.title.lower()}:", "", *(f"- {doubling_sentence(line)}" for line in lines)]


def _open_section() -> str:
    best, house = open_edges()
    rules = "\n".join(f"{number}. {rule}" for number, rule in enumerate(open_rules(), 1))
    return (
        f"## {open_game().title}\n\n"
        f"The dealer's cards are face up, so the best setting can be seen and costs nothing to find: {percent(best)} "
        f"with the rules below, which are the best play; {percent(house)} for a player who sets by the house way.\n\n"
        f"{rules}\n"
    )


def _poker_section() -> str:

    parts = [f"## {fold_or_play_game().title}\n"]
    for name in STRATEGIES:
        *rules, cost = in_words(poker_strategy(name))
        parts += [f"`{name}`:\n", *rules, "", f"{cost}\n"]
    return "\n".join(parts)
