"""The facts of an earlier edition of a sheet: what it says of its own, laid over what the newest one says.

An edition is written in the keys of the definition. A table is laid over the table of the same name, wagers over those
of the same name, and any other value takes the place of the newest one's. What an edition did not have yet is named by
`without`: `commission`, `contest.dealer_push`, `wagers.tiger9`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from houseway.reading.codes import Codes
from houseway.reading.fields import Fields
from houseway.reading.places import AnyPlace
from houseway.reading.toml_files import FileFaults

EDITION_KEYS: Final = ("date", "by_paper", "document", "controls", "sensors", "house_jackpots")
"""What an edition says about itself and its offers."""
WITHOUT: Final = "without"
_NOT_DATED: Final = ("id", "listed", "editions")
_WAGERS: Final = "wagers"


def dated_keys(keys: tuple[str, ...]) -> tuple[str, ...]:
    """The keys of a definition that an edition may say otherwise."""
    return tuple(key for key in keys if key not in _NOT_DATED)


def has_facts(edition: Fields) -> bool:
    """Whether an edition says anything of its own beside its offers."""
    return any(key not in EDITION_KEYS for key in edition.values)


def facts_of(newest: Mapping[str, object], edition: Fields) -> dict[str, object]:
    """The values of a definition as an edition has them; a name in `without` that nothing has is a fault."""
    own = {key: value for key, value in edition.values.items() if key not in (*EDITION_KEYS, WITHOUT)}
    left = {key: value for key, value in newest.items() if key != "editions"}
    for name in edition.texts(WITHOUT):
        reduced = _taken_out(left, name.split("."))
        if reduced is None:
            message = f"the newest edition has no fact {name!r}: name it as in contest.dealer_push or wagers.NAME"
            edition.fault("game-bad-value", WITHOUT, message)
        else:
            left = reduced
    return _laid_over(left, own)


def _taken_out(values: Mapping[str, object], names: list[str]) -> dict[str, object] | None:
    """The values without the one of that name; None where there is none."""
    first, *further = names
    below = values.get(first)
    if not further:
        return {key: value for key, value in values.items() if key != first} if first in values else None
    if isinstance(below, dict):
        reduced = _taken_out(below, further)
        return None if reduced is None else {**values, first: reduced}
    if first == _WAGERS and isinstance(below, list) and len(further) == 1:
        kept = [wager for wager in below if _name_of(wager) != further[0]]
        return {**values, first: kept} if len(kept) < len(below) else None
    return None


def _laid_over(below: Mapping[str, object], above: Mapping[str, object]) -> dict[str, object]:
    found = dict(below)
    for key, value in above.items():
        under = below.get(key)
        if isinstance(value, dict) and isinstance(under, dict):
            found[key] = _laid_over(under, value)
        elif key == _WAGERS and isinstance(value, list) and isinstance(under, list):
            found[key] = _wagers_laid_over(under, value)
        else:
            found[key] = value
    return found


def _wagers_laid_over(below: list[object], above: list[object]) -> list[object]:
    """Wagers of one name laid over each other, in the newest edition's order; those that are new stand behind."""
    own = {_name_of(wager): wager for wager in above}
    known = {_name_of(wager) for wager in below}
    laid = [
        _laid_over(wager, changed)
        if isinstance(wager, dict) and isinstance(changed := own.get(_name_of(wager)), dict)
        else wager
        for wager in below
    ]
    return [*laid, *(wager for wager in above if _name_of(wager) not in known or not isinstance(wager, dict))]


def _name_of(wager: object) -> object:
    return wager.get("name") if isinstance(wager, dict) else None


class EditionFaults(FileFaults):
    """The faults of an edition's facts, each at the edition's own key if it has it, else at the edition."""

    def __init__(self, codes: Codes, edition: Fields, called: str) -> None:
        """Hand them to the faults of the file, with the edition named."""
        super().__init__(codes, "", "")
        self._edition = edition
        self._called = called

    def add(self, code: str, place: AnyPlace, message: str) -> None:
        """Note one fault of the facts as they are laid over each other."""
        here = self._edition.place
        if not isinstance(place, str) and place.parts and place.parts[0] in self._edition.values:
            here = here.key(str(place.parts[0]))
        self._edition.faults.add(code, here, f"{self._called}: {message}")
