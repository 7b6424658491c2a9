"""docs/reference/commands.md: every command, written from its class, the table of authority and its answer's class.

Nothing on the page is typed by hand but its first paragraphs.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

import houseway.manager.handlers  # noqa: F401 - registers the handlers
from houseway.cli.command_examples import example
from houseway.cli.command_options import options_of
from houseway.cli.room_commands import TYPED_APART, kinds_for_people, place_of, proposal_options
from houseway.manager.commands import AUTHORITY, COMMAND_ANSWERS, COMMANDS
from houseway.manager.core.authority import Authority
from houseway.manager.core.command import AnyCommand
from houseway.manager.core.link_entities import LevelParameters
from houseway.manager.core.roles import PRESENT, STAFF
from houseway.manager.handlers.changes import CHANGES
from houseway.reading.field_words import field_words, struct_words

SECTIONS: Final = {
    "round_commands": "A round",
    "house_commands": "The house: people, devices, registers, tables",
    "slip_commands": "Slips and prizes",
    "link_commands": "Links and changes",
    "system_commands": "The manager itself",
}
"""By the module of the commands: the sections of the page, in their order."""

HEAD: Final = """# Commands

Every command of the Game Manager: its fields, who may give it, whose badges go with it, and what it answers. This page
is written from the program (`scripts/write-commands-page`); a test holds them equal. [Protocol](protocol.md) says how a
command is sent, [the fault codes](faults.md) why one is refused.

People type what stands below a command, with amounts in dollars and times of the place; badges are asked for. Programs
send an object with the command's `kind` and its fields:

    houseway table drop T1 --amount 3
    houseway manager do '{"kind": "drop.count", "table": "T1", "cents": 300, "badge": "?"}' --actor E1 ...

There amounts are whole cents, times are microseconds since 1970, and `"?"` asks for a badge. Fields with a star are
required; in an answer they are always there.

A person gives a command from where their own badge was read: at a service (`person.sign-in`) or, as a dealer, at the
controller of the table (`dealer.in`). At the machine of the database, with its keys, anybody may be named. A second
person is always another one than who acts.

"""

_TYPES: Final[dict[Any, str]] = {str: "text", int: "whole number", bool: "true or false", Any: "anything"}
_BADGE: Final = {
    "second": "of a second person",
    "first": "of the first of two who sign; it may be the actor's",
    "own": "of the person who comes",
    "new": "the new one, which nobody has",
    "confirmed": "of the person who is confirmed",
}


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for module, title in SECTIONS.items():
        of_module = [kind for kind, command in COMMANDS.items() if command.__module__.endswith(f".{module}")]
        parts.append(f"## {title}\n\n")
        parts += [_command(kind, COMMANDS[kind]) for kind in of_module]
    return "".join(parts) + _changes() + _objects()


def _command(kind: str, command: type[AnyCommand]) -> str:
    authority = AUTHORITY[command]
    answer = COMMAND_ANSWERS[kind]
    return (
        f"### `{kind}`\n\n{struct_words(command)}\n\n{_typed(kind)}{_fields(command, authority)}"
        f"- Who: {_who(authority)}\n- From: {_from(authority)}\n- Answers: {struct_words(answer)}\n\n"
        f"{_fields(answer, None, 'answer')}"
    )


def _typed(kind: str) -> str:
    """What people type for a command that they may give."""
    if kind not in kinds_for_people() or kind == "change.propose":
        return ""
    words = place_of(kind)
    line = f"houseway {' '.join(words)}" if kind in TYPED_APART else example(words, options_of(COMMANDS[kind]))
    return f"    {line}\n\n"


def _changes() -> str:
    """The changes that `change.propose` takes."""
    intro = "What `change.propose` takes as `what`: `change` names it, and its fields stand beside it."
    parts = [f"## Changes by two people\n\n{intro}\n\n"]
    for name, change in sorted(CHANGES.items()):
        line = example(("change", "propose", name), proposal_options(change))
        parts.append(f"### `{name}`\n\n{struct_words(change)}\n\n    {line}\n\n{_fields(change, None)}")
    return "".join(parts).rstrip("\n") + "\n"


def _objects() -> str:
    """The objects in answers and changes, each with its own table."""
    found: dict[str, type[msgspec.Struct]] = {}
    waiting: list[type[msgspec.Struct]] = [*COMMAND_ANSWERS.values(), *CHANGES.values()]
    while waiting:
        for hint in get_type_hints(waiting.pop()).values():
            for each in _structs_in(hint):
                if each.__name__ not in found:
                    found[each.__name__] = each
                    waiting.append(each)
    parts = ["\n## Objects in answers and changes\n\n"]
    parts += [f"### {name}\n\n{struct_words(found[name])}\n\n{_fields(found[name], None)}" for name in sorted(found)]
    return "".join(parts).rstrip("\n") + "\n"


def _structs_in(hint: Any) -> Iterator[type[msgspec.Struct]]:  # noqa: ANN401 - any annotation
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        yield hint
    for each in get_args(hint):
        yield from _structs_in(each)


# ---------------------------------------------------------------- words, fields, people


def _fields(struct: type[msgspec.Struct], authority: Authority | None, title: str = "field") -> str:
    """The table of a struct's fields."""
    told, hints = field_words(struct), get_type_hints(struct, include_extras=True)
    rows = []
    for field in msgspec.structs.fields(struct):
        words = [told.get(field.name, "")]
        if authority is not None and field.name in authority.badges:
            words.insert(0, f"badge {_BADGE[authority.badges[field.name]]}")
        star = r" \*" if field.required else ""
        meaning = "; ".join(word.rstrip(".").replace("|", r"\|") for word in words if word)
        rows.append(f"| `{field.name}`{star} | {_type(hints[field.name])} | {meaning}{_default(field)} |\n")
    return f"| {title} | type | meaning |\n|---|---|---|\n{''.join(rows)}\n" if rows else "No fields.\n\n"


def _default(field: msgspec.structs.FieldInfo) -> str:
    """What holds where a field is left out, if that is a value."""
    empty = (msgspec.NODEFAULT, msgspec.UNSET, None, "")
    if any(field.default is each for each in empty) or isinstance(field.default, dict | list | tuple):
        return ""
    value = str(field.default).lower() if isinstance(field.default, bool) else field.default
    return f" (else `{value}`)"


def _type(hint: Any) -> str:  # noqa: ANN401 - any annotation
    """A type in words.

    >>> _type(dict[str, list[int]] | None)
    'object of text to list of whole number, or null'
    """
    origin, given = get_origin(hint), get_args(hint)
    if origin is Annotated:
        most = next(meta.max_length for meta in given[1:] if isinstance(meta, msgspec.Meta))
        return f"{_type(given[0])} (at most {most})"
    if origin is Literal:
        return ", ".join(f"`{value}`" for value in given)
    if origin in (Union, types.UnionType):
        others = [_type(each) for each in given if each not in (type(None), msgspec.UnsetType)]
        return " or ".join(others) + (", or null" if type(None) in given else "")
    if origin in (list, tuple):
        return f"list of {_type(given[0])}"
    if origin is dict:
        return "object" if given == (str, Any) else f"object of {_type(given[0])} to {_type(given[1])}"
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        if issubclass(hint, LevelParameters):
            return "object with " + ", ".join(f"`{name}`" for name in hint.__struct_fields__)
        return f"[{hint.__name__}](#{hint.__name__.lower()})"
    return _TYPES[hint]


def _who(authority: Authority) -> str:
    """Who gives the command."""
    if authority.is_for_manager_only:
        return "the manager itself, and nobody else"
    everybody = {frozenset(STAFF): "all staff", frozenset(PRESENT): "anybody who may sign in"}
    people = everybody.get(authority.roles, ", ".join(sorted(authority.roles)))
    itself = ", ".join(f"a {kind} by itself (`device:ID`)" for kind in sorted(authority.devices))
    also = ["the manager itself"] if authority.manager else []
    beside = " The second person is another one than who proposed it." if authority.beside == "proposer" else ""
    return "; ".join(part for part in (people, itself, *also) if part) + ("." + beside if beside else "")


def _from(authority: Authority) -> str:
    """The devices from which it comes."""
    if authority.is_for_manager_only:
        return "nowhere"
    if not authority.roles:
        return " or ".join(f"a {kind}" for kind in sorted(authority.devices))
    at_controls = "dealer" in authority.roles or "controller" in authority.devices
    return "a service, or the controller of the table" if at_controls else "a service"
