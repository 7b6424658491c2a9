"""The options of a command for people, made from the fields of its class: names, help, and how they are read back."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, get_type_hints

import msgspec
from cyclopts import Parameter

from houseway.cli.manager_tokens import VARIABLES
from houseway.cli.typed_values import (
    is_list,
    is_object,
    plain_type,
    read_entry,
    read_value,
    shown_type,
)
from houseway.cli.words import read_as
from houseway.reading.field_words import field_words

if TYPE_CHECKING:
    from houseway.api.arguments import Arguments

_NAMES: Final = {
    "cents": "amount", "float_cents": "float", "tray_cents": "tray", "drop_cents": "drop", "micros": "amount",
    "kind_of": "kind", "levels": "level", "paytables": "paytable", "settings": "setting", "roles": "role",
    "device": "about-device", "prizes": "prize", "readings": "reading", "fields": "field", "wagers": "wager",
    "withheld_cents": "withheld", "chips": "chip", "promotions": "promotion",
}  # fmt: skip
"""Options with another name than their field: amounts have no unit in it, and what is given one by one is one."""
_WORDS: Final = {
    "table": "The table, such as T1.", "round": "The round, such as T1-17.", "award": "The award, such as T1-17/1.",
    "link": "The link, such as L1.", "level": "The level of the link, by its name.", "seat": "The seat's number.",
    "sensor": "The sensor, by its number.", "person": "The person's id, such as D17.", "name": "The name.",
    "department": "The department.", "roles": "A role; several with commas or one by one.",
    "device": "The device's id, such as C-T1.", "kind_of": "The kind.", "game": "The game's id (houseway games).",
    "paytable": "The pay table's id (houseway paytable).", "reason": "Why, in a few words.",
    "reference": "The paper or recording that it rests on.", "paper": "The paper's name or number.",
    "register": "The register that it belongs to (docs/reference/house.md).", "subject": "What the paper is about.",
    "fields": "A field of the paper; one option each.", "since": "From when on; a date is its first moment.",
    "until": "Until when; a date includes its day.", "deck": "The deck's name.",
    "counted": "How many cards were counted.",
    "shift": "The name of the shift or drop period.", "slip": "The number of the slip.", "text": "What happened.",
    "code": "The kind of incident or adjustment.", "hand": "The hand, such as full-house.",
    "proposal": "The proposal, such as P12.", "float_cents": "The float in the tray.",
    "tray_cents": "What was counted in the tray.", "drop_cents": "What was counted in the drop box.",
    "cents": "The amount.", "way": "The house way.", "seats": "How many seats.",
    "sensors": "The lit seats of a sensor.",
    "wagers": "The wagers of a seat.", "occupied": "The seats that play.", "settings": "A setting of the table.",
    "paytables": "The pay table of a bonus wager.", "levels": "A level with its parameters.",
    "prizes": "A posted prize by its hand.", "readings": "How an open point of the pay table is read.",
    "opening": "The opening amount of a level, and where it comes from.", "evidence": "A piece of evidence.",
    "known_at": "When it became known.", "now": "The time that is right.", "cause": "The cause.",
    "decision": "What was decided.", "direction": "Whether chips come or go.", "wager": "The fixed wager.",
    "payout": "The award, or SEAT/WAGER for another wager.", "cards": "The cards, such as As,Kd,Th.",
    "copy": "Which copy.", "method": "How it was handed over.", "booth": "Where it was handed over.",
    "active": "Whether the person is on duty.", "note": "A note.",
}  # fmt: skip
"""What fields of a name mean in every command that says nothing else about them."""
GIVEN_ALONG: Final = frozenset({*VARIABLES, "content_hash"})
"""Fields that nobody types as an option: badges and secrets are asked for, and a hash goes with what it is of."""


class CommandOption(NamedTuple):
    """One field of a command as an argument or an option."""

    field: str
    name: str
    """As it is typed: `--float`, or the argument's own name in capitals."""
    hint: Any
    required: bool
    words: str

    @property
    def is_argument(self) -> bool:
        """Whether it stands without a name, in its place."""
        return not self.name.startswith("--")

    @property
    def is_repeated(self) -> bool:
        """Whether it may be given several times."""
        return is_object(self.hint) or is_list(self.hint)

    @property
    def path(self) -> str:
        """By what name a fault tells of it."""
        return self.name.lstrip("-").lower()


def options_of(struct: type[msgspec.Struct]) -> tuple[CommandOption, ...]:
    """The options of a command or a change; its first field, where it must be there, is an argument."""
    hints, told = get_type_hints(struct, include_extras=True), field_words(struct)
    found: list[CommandOption] = []
    for field in msgspec.structs.fields(struct):
        if field.name in GIVEN_ALONG:
            continue
        words = told.get(field.name) or _WORDS.get(field.name, "")
        is_first = not found and field.required and plain_type(hints[field.name]) is str
        name = field.name.upper() if is_first else f"--{_NAMES.get(field.name, field.name).replace('_', '-')}"
        found.append(CommandOption(field.name, name, hints[field.name], field.required, _help(field, words)))
    return tuple(found)


def _help(field: msgspec.structs.FieldInfo, words: str) -> str:
    """The help of an option: its meaning, and whether it may be left out."""
    if field.required:
        return f"{words} Required.".strip()
    if field.default in (msgspec.NODEFAULT, msgspec.UNSET, None, "") or isinstance(field.default, dict | list | tuple):
        return words
    from houseway.cli.words import words as shown

    return f"{words} By default {shown(field.default, field.name)}.".strip()


def parameter(option: CommandOption) -> inspect.Parameter:
    """An option as the command line's parser knows it; what is missing is told later, all at once."""
    shown = shown_type(option.hint, option.field)
    if option.is_argument:
        told: Any = Annotated[str | None, Parameter(help=option.words)]
        return inspect.Parameter(option.field, inspect.Parameter.POSITIONAL_ONLY, default=None, annotation=told)
    if plain_type(option.hint) is bool:
        told = Annotated[bool | None, Parameter(name=option.name, help=option.words)]
    elif option.is_repeated:
        told = Annotated[
            list[str] | None, Parameter(name=option.name, metavar=shown, negative="", help=option.words, n_tokens=1)
        ]
    else:
        told = Annotated[
            str | None, Parameter(name=option.name, metavar=shown, help=option.words, allow_leading_hyphen=True)
        ]
    return inspect.Parameter(option.field, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=told)


def read_options(
    arguments: Arguments, options: tuple[CommandOption, ...], given: Mapping[str, Any], place: str
) -> dict[str, Any]:
    """The fields that were given, by their types; every missing and every wrong one is noted."""
    read: dict[str, Any] = {}
    for option in options:
        value = given.get(option.field)
        if value is None:
            if option.required:
                shape = option.name if option.is_argument else f"{option.name} {shown_type(option.hint, option.field)}"
                words = option.words.removesuffix("Required.").strip()
                arguments.add("missing-argument", option.path, f"{shape} is missing: {words} (see {place} --help)")
            continue
        name = read_as({**given}, option.field)
        read[option.field] = _read(arguments, option, value, name)
    return read


def _read(arguments: Arguments, option: CommandOption, value: Any, name: str) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, bool):
        return value
    if not isinstance(value, list):
        return read_value(arguments, value, option.hint, name, option.path)
    if is_list(option.hint):
        return read_value(arguments, ",".join(value), option.hint, name, option.path)
    entries = [read_entry(arguments, each, option.hint, name, option.path) for each in value]
    return dict(entry for entry in entries if entry is not None)
