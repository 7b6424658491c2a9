"""Under which edition of its sheet a table plays: one that is approved, exists, and offers what stands on the table.

What an edition offers is in the game's definition: jackpot sensors, house jackpots, table controls. A paper of the
register `jackpot-approval` allows jackpots that the sheet itself does not offer, where the definition knows of any.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Final

from houseway.definitions import Edition, Game, JackpotOffer, game
from houseway.errors import Fault
from houseway.manager.core.floor import Floor
from houseway.manager.core.table_entities import Table
from houseway.manager.handlers import equipment
from houseway.manager.handlers.link_rules import GENERATIONS
from houseway.manager.handlers.paper_lookup import approvals_held, equipment_register, papers_held

JACKPOT_APPROVALS: Final = "jackpot-approval"
"""The register of papers that allow what a game's own sheet does not offer."""
JACKPOTS: Final = "jackpots"
HOUSE_JACKPOTS: Final = "house-jackpots"
ALLOWED: Final = (JACKPOTS, HOUSE_JACKPOTS)
"""What such a paper may allow."""


def edition_played(table: Table) -> Edition:
    """The edition under which a table was opened; the newest for one that never was."""
    return _edition_opened(game(table.game), table.edition)


@lru_cache
def _edition_opened(played: Game, day: str) -> Edition:
    """Every round asks for it."""
    return (played.edition_on(day) if day else None) or played.newest_edition


def edition_to_open(floor: Floor, table: Table, at: int) -> Edition | None:
    """The newest approved edition that offers what stands on the table; None where there is none."""
    allowed = _allowed(floor, table, at)
    offering = [each for each in _approved(floor, table, at) if not _lacks(floor, table, each, allowed, at)]
    return max(offering, key=lambda each: each.date, default=None)


def newest_that_offers(floor: Floor, table: Table, at: int) -> Edition:
    """The newest edition that offers what stands on the table once every paper is there; else the newest of all."""
    played = game(table.game)
    offering = [each for each in played.editions if not _lacks(floor, table, each, ALLOWED, at)]
    return offering[-1] if offering else played.newest_edition


def edition_faults(floor: Floor, table: Table, at: int) -> list[Fault]:
    """An approval is of an edition of the sheet: one must exist, and offer what stands on the table."""
    approvals = approvals_held(floor, table.game, at)
    existing = _approved(floor, table, at)
    if not approvals or edition_to_open(floor, table, at) is not None:
        return []
    if not existing:
        paper = approvals[-1]
        message = (
            f"{paper.id} approves an edition of {paper.fields['edition']}, and the sheets of {table.game} begin later: "
            "enter the day of the sheet that is approved"
        )
        return [Fault("no-edition", "game-approval", message)]
    newest = max(existing, key=lambda each: each.date)
    if not _lacks(floor, table, newest, ALLOWED, at):
        return paper_faults(floor, table, newest, at)
    lacks = " and no ".join(_lacks(floor, table, newest, ALLOWED, at))
    message = f"{newest.text}, which is approved, offers no {lacks}: take them off, or have a later edition approved"
    return [Fault("not-in-edition", "game-approval", message)]


def paper_faults(floor: Floor, table: Table, edition: Edition, at: int) -> list[Fault]:
    """Jackpots at a table that neither the edition offers by itself nor a paper in force allows."""
    if not table.sensors or not _missing_jackpots(floor, table, edition):
        return []
    lacks = _missing_jackpots(floor, table, _offer(edition, _allowed(floor, table, at)))
    if not lacks:
        return []
    message = (
        f"{edition.text} of {table.game} offers no {' and no '.join(lacks)}: take them off, or enter the paper that "
        f"allows them (register {JACKPOT_APPROVALS}; `houseway papers drafts {table.id}` draws it up)"
    )
    return [Fault("needs-paper", JACKPOT_APPROVALS, message)]


def allowances_needed(floor: Floor, table: Table, at: int) -> list[str]:
    """What a paper has to allow before the jackpots of the table may be played; none where the sheet offers them."""
    offer, allowed = newest_that_offers(floor, table, at).offer(), _allowed(floor, table, at)
    is_house = any(floor.links[link_id].kind == "house" for link_id in table.sensors.values())
    beyond = {JACKPOTS: len(table.sensors) > offer.sensors, HOUSE_JACKPOTS: is_house and not offer.house_jackpots}
    return [word for word, is_beyond in beyond.items() if is_beyond and word not in allowed]


def _approved(floor: Floor, table: Table, at: int) -> list[Edition]:
    """The editions that approvals in force name."""
    played = game(table.game)
    found = (played.edition_on(paper.text("edition")) for paper in approvals_held(floor, table.game, at))
    return [edition for edition in found if edition is not None]


def _has_other_facts(table: Table, edition: Edition) -> bool:
    """Whether the definition says an edition otherwise than the newest, by whose facts every table plays."""
    return any(each.as_of == edition.date for each in game(table.game).earlier)


def _allowed(floor: Floor, table: Table, at: int) -> frozenset[str]:
    """What papers in force allow beyond the sheet."""
    papers = papers_held(floor, JACKPOT_APPROVALS, (table.game,), at)
    return frozenset(word for paper in papers for word in paper.texts("allows"))


def _offer(edition: Edition, allowed: Collection[str]) -> JackpotOffer:
    by_itself, most = edition.offer(), edition.offer(with_paper=True)
    return JackpotOffer(
        most.sensors if JACKPOTS in allowed else by_itself.sensors,
        most.house_jackpots if HOUSE_JACKPOTS in allowed else by_itself.house_jackpots,
    )


def _lacks(floor: Floor, table: Table, edition: Edition, allowed: Collection[str], at: int) -> list[str]:
    """What stands on the table and the edition does not offer, in words."""
    if _has_other_facts(table, edition):
        return ["rules of play that are the newest, which every table here plays by"]
    if not table.sensors:
        return []
    found = _missing_jackpots(floor, table, _offer(edition, allowed))
    by_papers = equipment.approved_by_papers(table, equipment_register(floor, table, at))
    if not edition.knows(table.vocabulary) and not by_papers and not _newer_controls(table, edition):
        found.append(f"{table.vocabulary} controls")
    return found


def _newer_controls(table: Table, edition: Edition) -> bool:
    """Whether the table's controls are newer than all that the edition knows: their system then needs papers."""
    return all(GENERATIONS.index(table.vocabulary) > GENERATIONS.index(each.name) for each in edition.controls)


def _missing_jackpots(floor: Floor, table: Table, offer: JackpotOffer | Edition) -> list[str]:
    """The jackpots at a table that an offer lacks, or what an edition offers by itself."""
    kinds = [floor.links[link_id].kind for link_id in table.sensors.values()]
    found = []
    if len(kinds) > offer.sensors:
        found.append(f"jackpots on {len(kinds)} sensor{'s' if len(kinds) > 1 else ''}")
    if not offer.house_jackpots and "house" in kinds:
        found.append("house jackpots")
    return found
