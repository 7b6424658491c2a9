"""The list of registers: what each is for, what its papers are about, who may enter one, what the fields may hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from re import compile as pattern
from typing import Final

from houseway.games.wager_limits import LICENCES
from houseway.manager.core.texts import TO_FILL_IN
from houseway.manager.handlers.equipment import APPROVALS, COMPONENTS
from houseway.manager.handlers.notices import KINDS as NOTICE_KINDS
from houseway.manager.handlers.table_editions import ALLOWED, JACKPOT_APPROVALS
from houseway.reading.faults import Faults

LAYERS: Final = ("law", "maker", "house", "standard")
"""Whose rule it is, the strongest first: the law, the maker's approved rules, approved house rules, a rule book."""
SEEN_DISPLAY: Final = "house-way-display"
SEEN: Final = ("table", "cards", "wagers", "tray", "shuffler", SEEN_DISPLAY)
LAST_TIME: Final = 2**53
LONGEST_TEXT: Final = 2_000
CONTROLS: Final = "internal-controls"
COVERAGE: Final = "surveillance-coverage"
"""What cameras see: surveillance alone declares it, since it is surveillance that others rely on for it."""
FACE_UP: Final = "face-up-permission"
FACE_UP_SPOTS: Final = 3
"""Spots of a permission that says no number."""
_HASH: Final = pattern(r"[0-9a-f]{64}")

FieldCheck = Callable[[Faults, object, str], None]


def text(faults: Faults, value: object, path: str) -> None:
    """Some words."""
    words = faults.text(value, path, LONGEST_TEXT)
    if words is not None and TO_FILL_IN in words:
        faults.add("paper-draft", path, f"a draft is not a paper: replace the words {TO_FILL_IN}")


def day(faults: Faults, value: object, path: str) -> None:
    """A day, written as 2023-06-14."""
    try:
        date.fromisoformat(value if isinstance(value, str) and len(value) == 10 else "")
    except ValueError:
        faults.add("bad-value", path, "expected a day as in 2023-06-14")


def sha256(faults: Faults, value: object, path: str) -> None:
    """A SHA-256 in hexadecimal."""
    if not isinstance(value, str) or not _HASH.fullmatch(value):
        faults.add("bad-value", path, "expected 64 hexadecimal digits: `rules_hash` of the game gives them")


def flag(faults: Faults, value: object, path: str) -> None:
    """Yes or no."""
    faults.boolean(value, path)


def time(faults: Faults, value: object, path: str) -> None:
    """A time in microseconds since 1970."""
    faults.integer(value, path, 0, LAST_TIME)


def one_of(*choices: str) -> FieldCheck:
    """One of these words."""
    return lambda faults, value, path: _ignore(faults.choice(value, choices, path, "bad-value"))


def some_of(*choices: str) -> FieldCheck:
    """At least one of these words, in a list."""

    def check(faults: Faults, value: object, path: str) -> None:
        listed = faults.sequence(value, path)
        for index, item in enumerate(listed):
            faults.choice(item, choices, f"{path}[{index}]", "bad-value")
        if isinstance(value, list) and not listed:
            faults.add("bad-value", path, f"name at least one of {', '.join(choices)}")

    return check


def texts(faults: Faults, value: object, path: str) -> None:
    """At least one text, in a list."""
    listed = faults.sequence(value, path)
    for index, item in enumerate(listed):
        text(faults, item, f"{path}[{index}]")
    if isinstance(value, list) and not listed:
        faults.add("bad-value", path, "name at least one")


def number(least: int, most: int) -> FieldCheck:
    """A whole number between these."""
    return lambda faults, value, path: _ignore(faults.integer(value, path, least, most))


def values(faults: Faults, value: object, path: str) -> None:
    """An object of whole numbers, texts and objects of them, as `notices` gives it."""
    if faults.mapping(value, path) and not _is_plain(value):
        faults.add("bad-value", path, "expected whole numbers, texts and nothing else: copy what `notices` shows")


def _is_plain(value: object) -> bool:
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_plain(item) for key, item in value.items())
    return value is None or isinstance(value, (int, str))


def _ignore(value: object) -> None:
    del value


@dataclass(frozen=True, slots=True)
class Register:
    """A register: what it is for, whom a paper in it is about, who may enter one, and its fields."""

    name: str
    meaning: str
    subject: str
    """`game`, `game-or-property`, `table`, `table-or-property`, `paper`, `incident`, `rule` or `text`."""
    roles: tuple[str, ...]
    fields: dict[str, FieldCheck]
    optional: dict[str, FieldCheck]


def _register(
    name: str, meaning: str, subject: str, roles: str, fields: dict[str, FieldCheck], **optional: FieldCheck
) -> Register:
    return Register(name, meaning, subject, tuple(roles.split()), fields, optional)


_OFFICE: Final = "executive accounting"
_FLOOR: Final = "executive manager supervisor"
_MACHINES: Final = "executive technician"

REGISTERS: Final[dict[str, Register]] = {
    register.name: register
    for register in (
        _register(
            "game-approval", "the state's approval of a game's rules", "game", _OFFICE,
            {"submission": text, "edition": day, "hash": sha256, "licence": one_of(*LICENCES)}, software=text,
            choices=values,
        ),
        _register(
            CONTROLS, "internal controls approved by the commission", "game-or-property", _OFFICE,
            {"reference": text, "approved_on": day}, hash=sha256, choices=values, player_banking=flag,
        ),
        _register(
            JACKPOT_APPROVALS, "jackpots that the game's own sheet does not offer are allowed", "game", _OFFICE,
            {"allows": some_of(*ALLOWED), "reference": text},
        ),
        _register(
            "maker-licence", "a maker or distributor of layouts or equipment may sell", "text", _OFFICE,
            {
                "number": text, "issuer": one_of("state", "tribe"), "document": one_of("licence", "certificate"),
                "covers": some_of("layout", "equipment"),
            },
        ),
        _register(
            "agency-approval", "the tribal gaming agency's approval of a game", "game", _OFFICE,
            {"agency": text, "reference": text},
        ),
        _register(
            "state-concurrence", "the state's concurrence with the agency's approval", "game", _OFFICE,
            {"reference": text},
        ),
        _register(
            "supplemental-information", "what the compact's appendix asks for beside the rules", "game", _OFFICE,
            {"reference": text, "submitted_on": day},
        ),
        _register(
            "equipment", "a piece of equipment and its version", "table-or-property", _MACHINES,
            {"component": one_of(*COMPONENTS), "model": text, "maker": text, "version": text},
            serial=text, networked=flag,
        ),
        _register(
            APPROVALS, "a part that may stand at tables though no sheet names it", "game-or-property", _OFFICE,
            {"component": one_of(*COMPONENTS), "model": text, "version": text, "reference": text},
            or_higher=flag, replaces=text,
        ),
        _register(
            "notice", "a notice hangs at a table", "table", _FLOOR,
            {"notice": one_of(*NOTICE_KINDS), "text": text}, shows=values,
        ),
        _register(
            FACE_UP, "players' cards of a game may be dealt face up", "game", _OFFICE,
            {"reference": text, "issued": day, "games": texts, "internal_controls": text}, spots=number(1, 7),
        ),
        _register(
            COVERAGE, "what cameras see of a table", "table", "surveillance",
            {"sees": some_of(*SEEN), "reference": text},
        ),
        _register(
            "rule-override", "a rule of one layer replaces one of a weaker layer", "rule", _OFFICE,
            {"layer": one_of(*LAYERS), "replaces": one_of(*LAYERS), "text": text, "reference": text}, allowed_by=text,
        ),
        _register(
            "incident-report", "an incident was reported to the commission", "incident", _OFFICE + " technician",
            {"reference": text, "reported_at": time},
        ),
        _register(
            "document", "any other paper that a command refers to: a deposit, a release, an order", "text",
            _OFFICE + " manager supervisor cage", {"title": text, "reference": text},
        ),
        _register(
            "withdrawal", "a paper of another register is no longer in force", "paper",
            _OFFICE + " manager supervisor technician surveillance", {"reason": text},
        ),
    )
}  # fmt: skip
