"""Dealing the players' cards face up: which games a permission names, and on how many spots it may be done.

A permission is a letter that names its games, as the letter writes them; a game with a jackpot on the table is another
one than without. What letters are known to name is data. A permission that says no number of spots is one for three:
the report behind the letter of 2020 has looked at three players. That is a default and no limit of the documents.

A letter permits it to those whose internal controls the commission has approved: a permission names them, and counts as
long as they are in force.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from houseway.errors import Fault
from houseway.games import game
from houseway.manager.core import settings
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Paper
from houseway.manager.core.table_entities import Table
from houseway.manager.handlers.paper_lookup import PROPERTY, papers_held
from houseway.manager.handlers.register_list import CONTROLS, FACE_UP, FACE_UP_SPOTS

LETTERS: Final[dict[str, tuple[str, ...]]] = {
    "2020-07-07": (
        "DJ Wild Stud Poker",
        "Fortune Pai Gow Poker",
        "Fortune Pai Gow Poker Progressive",
        "I Luv Suits Poker",
    ),
}
"""The games that a letter names, by its day."""


def names_of(game_id: str, *, jackpot: bool) -> tuple[str, ...]:
    """What a letter must name for a table of a game: the game, and with a jackpot its progressive.

    >>> names_of("fortune", jackpot=True)
    ('Fortune Pai Gow Poker', 'Fortune Pai Gow Poker Progressive')
    """
    title = game(game_id).title
    return (title, f"{title} Progressive") if jackpot else (title,)


def permission_faults(game_id: str, letter: Paper) -> list[Fault]:
    """What is wrong with a permission for a game, whose single fields are right."""
    named, issued = letter.texts("games"), letter.text("issued")
    known = LETTERS.get(issued)
    faults = []
    if known is not None:
        letter_names = f"it names {', '.join(known[:-1])} and {known[-1]}"
        faults += [
            Fault(
                "not-in-the-letter",
                f"fields.games[{index}]",
                f"the letter of {issued} does not name {name}: {letter_names}",
            )
            for index, name in enumerate(named)
            if not _holds(known, name)
        ]
    title = names_of(game_id, jackpot=False)[0]
    if not _holds(named, title):
        message = f"the permission names {', '.join(named)}, and not {title}: it is none for this game"
        faults.append(Fault("not-in-the-letter", "subject", message))
    return faults


def _holds(names: Collection[str], name: str) -> bool:
    return " ".join(name.lower().split()) in {" ".join(each.lower().split()) for each in names}


def _permissions(floor: Floor, table: Table, at: int) -> list[Paper]:
    """The permissions in force that name what is played at the table, the latest first."""
    wanted = names_of(table.game, jackpot=bool(table.sensors))
    held = papers_held(floor, FACE_UP, (table.game,), at)
    return [each for each in reversed(held) if all(_holds(each.texts("games"), name) for name in wanted)]


def _controls_held(floor: Floor, permission: Paper, at: int) -> bool:
    """Whether the internal controls that a permission names, by their reference or their id here, are in force."""
    papers = papers_held(floor, CONTROLS, (permission.subject, PROPERTY), at)
    return _holds([name for paper in papers for name in (paper.id, paper.text("reference"))], _controls_of(permission))


def _controls_of(permission: Paper) -> str:
    return permission.text("internal_controls")


def permission_of(floor: Floor, table: Table, at: int) -> Paper | None:
    """The latest permission in force that names what is played at the table, with its internal controls in force."""
    return next((each for each in _permissions(floor, table, at) if _controls_held(floor, each, at)), None)


def face_up_faults(floor: Floor, table: Table, at: int) -> list[Fault]:
    """Why the table may not deal the players' cards face up at that time, if it does."""
    if not table.face_up or permission_of(floor, table, at) is not None:
        return []
    without = _permissions(floor, table, at)
    if without:
        message = (
            f"the permission {without[0].id} rests on the internal controls {_controls_of(without[0])[:60]}, which are "
            f"not on file as in force for {table.game}: deal face down, or enter {CONTROLS} with that reference"
        )
        return [Fault("no-internal-controls", "face_up", message)]
    wanted = " and ".join(names_of(table.game, jackpot=bool(table.sensors)))
    message = f"no permission to deal {wanted} face up is in force: deal face down, or enter {FACE_UP}"
    return [Fault("no-face-up-permission", "face_up", message)]


def recommended_spots(floor: Floor, table: Table, at: int) -> int | None:
    """The highest number of spots that the property's setting recommends for the game; None for none."""
    return settings.value(floor, "face_up_spots", at).get(table.game)


def permitted_spots(floor: Floor, table: Table, at: int) -> int | None:
    """On how many spots the table may be dealt face up; None where it is dealt face down, or may not be at all."""
    permission = permission_of(floor, table, at) if table.face_up else None
    if permission is None:
        return None
    own = permission.number("spots")
    numbers = (FACE_UP_SPOTS if own is None else own, recommended_spots(floor, table, at))
    return min(number for number in numbers if number is not None)


def spot_faults(floor: Floor, table: Table, playing: Collection[int], at: int) -> list[Fault]:
    """Whether more spots play than the permission allows to be dealt face up, or nobody has told which do."""
    most = permitted_spots(floor, table, at)
    if most is not None and not playing:
        message = (
            f"{table.id} deals face up to {most} spots at most, and nobody is declared: declare every seat that plays "
            "(PLAYS and its spot), then press START GAME"
        )
        return [Fault("nobody-plays", "occupied", message)]
    if most is None or len(playing) <= most:
        return []
    message = (
        f"{len(playing)} spots play (seats {', '.join(map(str, playing))}), and {table.id} deals face up to {most} at "
        "most: deal face down, or let no more play"
    )
    return [Fault("too-many-spots", "occupied", message)]
