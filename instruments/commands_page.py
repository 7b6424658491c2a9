"""docs/reference/commands.md: every command, written from its class, the table of authority and its handler.

Nothing on the page is typed by hand but its first paragraphs. What a command answers is read off the source of its
handler: the names that it, or a function to which it hands the decision, puts into the answer.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
import types
from collections.abc import Callable, Iterator
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

import houseway.manager.handlers  # noqa: F401 - registers the handlers
from houseway.manager.commands import AUTHORITY, COMMANDS
from houseway.manager.commands.permissions import EVERYBODY
from houseway.manager.core.authority import Authority
from houseway.manager.core.engine import HANDLERS
from houseway.manager.handlers.changes import CHANGES

SECTIONS: Final = {
    "round_commands": "A round",
    "house_commands": "The house: people, devices, registers, tables",
    "link_commands": "Links and changes",
    "system_commands": "The manager itself",
}
"""By the module of the commands: the sections of the page, in their order."""

HEAD: Final = """# Commands

Every command of the Game Manager: its fields, who may give it, whose cards go with it, and what it answers. This page
is written from the program (`scripts/write-commands-page`); a test holds them equal. [Protocol](protocol.md) says how a
command is sent, [the fault codes](faults.md) why one is refused.

A command is an object with its `kind` and its fields:

    houseway manager do '{"kind": "drop.count", "table": "T1", "cents": 300, "card": "?"}' --actor E1 ...

Amounts are whole cents, times are microseconds since 1970, and `"?"` stands for a card that is asked for. Fields with a
star are required.

A person gives a command from where the own card was read: at a service (`person.sign-in`) or, as a dealer, at the
controller of the table (`dealer.in`). At the machine of the database, with its keys, anybody may be named. A second
person is always another one than who acts.

"""

_TYPES: Final[dict[Any, str]] = {str: "text", int: "whole number", bool: "true or false", Any: "anything"}
_CARD: Final = {
    "second": "of a second person",
    "first": "of the first of two who sign; it may be the actor's",
    "own": "of the person who comes",
    "new": "the new one, which nobody has",
}


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for module, title in SECTIONS.items():
        of_module = [kind for kind, command in COMMANDS.items() if command.__module__.endswith(f".{module}")]
        parts.append(f"## {title}\n\n")
        parts += [_command(kind, COMMANDS[kind]) for kind in of_module]
    return "".join(parts) + _changes()


def _command(kind: str, command: type[msgspec.Struct]) -> str:
    authority = AUTHORITY[command]
    answers = ", ".join(f"`{name}`" for name in dict.fromkeys(answered(HANDLERS[command])))
    return (
        f"### `{kind}`\n\n{_words(command)}\n\n{_fields(command, authority)}"
        f"- Who: {_who(authority)}\n- From: {_from(authority)}\n- Answers: {answers or 'nothing'}\n\n"
    )


def _changes() -> str:
    """The changes that `change.propose` takes."""
    intro = "What `change.propose` takes as `what`: `change` names it, and its fields stand beside it."
    parts = [f"## Changes by two people\n\n{intro}\n\n"]
    for name, change in sorted(CHANGES.items()):
        parts.append(f"### `{name}`\n\n{_words(change)}\n\n{_fields(change, None)}")
    return "".join(parts).rstrip("\n") + "\n"


# ---------------------------------------------------------------- words, fields, people


def _words(struct: type[msgspec.Struct]) -> str:
    """The docstring, as one or several paragraphs."""
    return inspect.cleandoc(struct.__doc__ or "").replace("\n\n", "\0").replace("\n", " ").replace("\0", "\n\n")


def _fields(struct: type[msgspec.Struct], authority: Authority | None) -> str:
    """The table of a struct's fields."""
    told, hints = _told_of_fields(struct), get_type_hints(struct)
    rows = []
    for field in msgspec.structs.fields(struct):
        words = [told.get(field.name, "")]
        if authority is not None and field.name in authority.cards:
            words.insert(0, f"card {_CARD[authority.cards[field.name]]}")
        star = r" \*" if field.required else ""
        meaning = "; ".join(word.rstrip(".").replace("|", r"\|") for word in words if word)
        rows.append(f"| `{field.name}`{star} | {_type(hints[field.name])} | {meaning}{_default(field)} |\n")
    return f"| field | type | meaning |\n|---|---|---|\n{''.join(rows)}\n" if rows else "No fields.\n\n"


def _default(field: msgspec.structs.FieldInfo) -> str:
    """What holds where a field is left out, if that is a value."""
    empty = (msgspec.NODEFAULT, msgspec.UNSET, None, "")
    if any(field.default is each for each in empty) or isinstance(field.default, dict | list):
        return ""
    value = str(field.default).lower() if isinstance(field.default, bool) else field.default
    return f" (else `{value}`)"


def _type(hint: Any) -> str:  # noqa: ANN401 - any annotation
    """A type in words.

    >>> _type(dict[str, list[int]] | None)
    'object of text to list of whole number, or null'
    """
    origin, given = get_origin(hint), get_args(hint)
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
        return "object with " + ", ".join(f"`{name}`" for name in hint.__struct_fields__)
    return _TYPES[hint]


def _told_of_fields(struct: type[msgspec.Struct]) -> dict[str, str]:
    """The texts that stand below fields in the source."""
    found: dict[str, str] = {}
    for base in reversed(struct.__mro__):
        if base.__module__.startswith("houseway"):
            body = _tree(base).body[0]
            assert isinstance(body, ast.ClassDef)
            for field, text in zip(body.body, body.body[1:], strict=False):
                if (
                    isinstance(field, ast.AnnAssign)
                    and isinstance(text, ast.Expr)
                    and isinstance(field.target, ast.Name)
                ):
                    found[field.target.id] = " ".join(str(ast.literal_eval(text.value)).split())
    return found


def _who(authority: Authority) -> str:
    """Who gives the command."""
    if authority.is_for_manager_only:
        return "the manager itself, and nobody else"
    people = "anybody on duty" if set(authority.roles) == set(EVERYBODY) else ", ".join(sorted(authority.roles))
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


# ---------------------------------------------------------------- answers


def answered(handler: Callable[..., Any], seen: frozenset[str] = frozenset()) -> Iterator[str]:
    """The names that a function puts into the answer of a decision, itself or through functions that it calls."""
    name = f"{handler.__module__}.{handler.__qualname__}"
    if name in seen or not handler.__module__.startswith("houseway.manager.handlers"):
        return
    for node in ast.walk(_tree(handler)):
        match node:
            case (
                ast.Assign(targets=[ast.Attribute(attr="answer")]) | ast.AugAssign(target=ast.Attribute(attr="answer"))
            ):
                yield from _names(node.value, handler)
            case ast.Assign(targets=[ast.Subscript(value=ast.Attribute(attr="answer"), slice=ast.Constant(value=key))]):
                yield str(key)
            case ast.Call(func=called, args=[ast.Name(id="decision"), *_]):
                function = _resolved(called, handler)
                if function is not None:
                    yield from answered(function, seen | {name})


def _names(value: ast.expr, handler: Callable[..., Any]) -> Iterator[str]:
    """The keys of what is put into an answer, as far as the source names them."""
    match value:
        case ast.Dict():
            for key, part in zip(value.keys, value.values, strict=True):
                if isinstance(key, ast.Constant):
                    yield str(key.value)
                elif key is None:
                    yield from _names(part, handler)
        case ast.DictComp(generators=[ast.comprehension(iter=ast.Tuple(elts=listed))]):
            yield from (str(each.value) for each in listed if isinstance(each, ast.Constant))
        case ast.Call(func=called):
            function = _resolved(called, handler)
            for node in ast.walk(_tree(function)) if function is not None else ():
                if isinstance(node, ast.Return) and isinstance(node.value, ast.Dict):
                    yield from _names(node.value, function or handler)
        case ast.Name(id=name):
            for node in ast.walk(_tree(handler)):
                match node:
                    case ast.Assign(targets=[ast.Name(id=target)], value=given) if target == name:
                        yield from _names(given, handler)


def _resolved(called: ast.expr, handler: Callable[..., Any]) -> Callable[..., Any] | None:
    """The function of the handlers that a call in the source means."""
    found: Any = None
    match called:
        case ast.Name(id=name):
            found = handler.__globals__.get(name)
        case ast.Attribute(value=ast.Name(id=module), attr=name):
            found = getattr(handler.__globals__.get(module), name, None)
    return found if isinstance(found, types.FunctionType) else None


def _tree(thing: Any) -> ast.Module:  # noqa: ANN401 - a class or a function
    return ast.parse(textwrap.dedent(inspect.getsource(thing)))
