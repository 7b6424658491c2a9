"""Options of `houseway odds` that change nothing about an answer: each is told in a note, so that none is silent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from houseway.api.odds_arguments import OddsOptions
    from houseway.odds.questions import OddsQuestion


def idle_options(given: OddsOptions, question: OddsQuestion) -> list[str]:
    """What to know about options that were given and that these wagers do not ask about."""
    notes = []
    tables = question.tables.values()
    setting = [name for name in ("way", "player", "wheel") if getattr(given, name) is not None]
    if setting and not question.is_set:
        notes.append(_idle(setting, "only the player's own cards decide, however they are set"))
    takes_commission = question.game.commission and question.game.first_wager.name in question.wagers
    if given.commission is not None and not takes_commission:
        notes.append(_idle(["commission"], f"commission is taken from the {question.game.first_wager.title.lower()}"))
    with_envy = any(table.has_envy for table in tables)
    if given.others is not None and not with_envy:
        notes.append(_idle(["others"], "no wager here earns envy"))
    sized = takes_commission or any(table.levels for table in tables) or (with_envy and question.others)
    if given.bet is not None and not sized:
        notes.append(_idle(["bet"], "the figures are per unit, whatever is bet"))
    return notes


def idle_solving(solving: Mapping[str, str | None]) -> list[str]:
    """The same of the options that say who solves a game, where nothing had to be solved."""
    names = [name for name, value in solving.items() if value is not None]
    return [_idle(names, "the result ships, and nothing was solved")] if names else []


def _idle(names: list[str], why: str) -> str:
    verb = "changes" if len(names) == 1 else "change"
    return f"{', '.join(f'--{name}' for name in names)} {verb} nothing here: {why}."
