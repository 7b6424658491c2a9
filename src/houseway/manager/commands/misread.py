"""Why a text is no command, in plain words: the reader's own messages name its types and no way out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from houseway.errors import Fault
from houseway.manager.core.authority import AUTHORITY
from houseway.wording import did_you_mean

CODE: Final = "bad-message"
_PLACE: Final = re.compile(r"(?P<what>.*) - at `(?:key in )?\$\.?(?P<path>.*)`", re.DOTALL)
_TYPES: Final = re.compile(r"Expected `(?P<wanted>[^`]*)`, got `(?P<found>[^`]*)`")
_MISSING: Final = re.compile(r"Object missing required field `(?P<field>[^`]*)`")
_UNKNOWN: Final = re.compile(r"Object contains unknown field `(?P<field>.*)`", re.DOTALL)
_VALUE: Final = re.compile(r"Invalid (?:enum )?value (?P<value>.*)", re.DOTALL)
_WORDS: Final = {
    "int": "a whole number", "float": "a number with a fraction", "bool": "true or false", "str": "text",
    "null": "null", "array": "a list", "object": "an object",
}  # fmt: skip
_ENVELOPE: Final = ("key", "actor", "do", "device")


def misread(error: Exception, data: object, commands: Mapping[str, type[msgspec.Struct]]) -> Fault:
    """The fault of a message that the reader refused."""
    if not isinstance(error, msgspec.ValidationError):
        return Fault(CODE, "", f"not a command: {error}")
    placed = _PLACE.fullmatch(str(error))
    what, path = (placed["what"], placed["path"]) if placed else (str(error), "")
    kind = _kind(data)
    command = commands.get(kind)
    if found := _TYPES.fullmatch(what):
        return Fault(CODE, path, f"expected {_in_words(found['wanted'])}, found {_in_words(found['found'])}")
    if found := _MISSING.fullmatch(what):
        whose = kind if path and command else "every command"
        return Fault(CODE, _joined(path, found["field"]), f"this is missing: {whose} needs it")
    if found := _UNKNOWN.fullmatch(what):
        known = _fields(path, command)
        hint = did_you_mean(found["field"], known) or (f"there are {', '.join(known)}" if known else "leave it out")
        return Fault(CODE, _joined(path, found["field"][:60]), f"there is no such field: {hint}")
    if found := _VALUE.fullmatch(what):
        value, is_kind = found["value"].strip("'"), path == "do.kind"
        choices = _sent_by_somebody(commands) if is_kind else _choices(path, command)
        hint = did_you_mean(value, choices) or _listed(choices)
        noun = "command" if is_kind else "value for this"
        return Fault(CODE, path, f"{value[:60]!r} is no {noun}: {hint}")
    return Fault(CODE, path, what)


def _sent_by_somebody(commands: Mapping[str, type[msgspec.Struct]]) -> list[str]:
    """The commands without those that the manager gives itself."""
    return [name for name, each in commands.items() if not AUTHORITY[each].is_for_manager_only]


def _kind(data: object) -> str:
    """The kind that a message names, as far as it can be read."""
    if isinstance(data, bytes | str):
        try:
            data = msgspec.json.decode(data)
        except (msgspec.DecodeError, RecursionError):
            return ""
    do = data.get("do") if isinstance(data, dict) else None
    kind = do.get("kind") if isinstance(do, dict) else None
    return kind if isinstance(kind, str) else ""


def _in_words(types: str) -> str:
    """Types of the reader as people call them.

    >>> _in_words("int | null")
    'a whole number or null'
    """
    return " or ".join(_WORDS.get(each, each) for each in types.split(" | "))


def _joined(path: str, field: str) -> str:
    return f"{path}.{field}" if path else field


def _fields(path: str, command: type[msgspec.Struct] | None) -> tuple[str, ...]:
    """The fields at a place, where it is the envelope or the command itself."""
    if path == "":
        return _ENVELOPE
    return command.__struct_fields__ if path == "do" and command is not None else ()


def _choices(path: str, command: type[msgspec.Struct] | None) -> list[str]:
    """The words that a field of the command takes."""
    for field in msgspec.structs.fields(command) if command is not None else ():
        if path == f"do.{field.encode_name}":
            return _words_of(msgspec.inspect.type_info(field.type))
    return []


def _words_of(kind: Any) -> list[str]:  # noqa: ANN401 - one of the reader's descriptions of types
    if isinstance(kind, msgspec.inspect.LiteralType):
        return [str(value) for value in kind.values]
    if isinstance(kind, msgspec.inspect.UnionType):
        return [word for each in kind.types for word in _words_of(each)]
    return []


def _listed(known: Iterable[str]) -> str:
    listed = sorted(known)
    return f"there are {', '.join(listed)}" if listed else "see docs/reference"
