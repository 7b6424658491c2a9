"""docs/reference/views.md: what a Game Manager answers and tells, written from the types of the views."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from houseway.manager.views.answers import MESSAGES
from houseway.manager.views.floor_questions import ANSWERS
from houseway.manager.views.view_base import FloorView, Value

HEAD: Final = """# Views

What others see of a Game Manager: the answers to questions, the messages of subscriptions, and the views in them. This
page is written from the program (`scripts/write-views-page`); a test holds them equal. `houseway manager schema` prints
all of it as one JSON schema. [Protocol](protocol.md) says how to ask and to subscribe.

Amounts carry their unit in their name: `_cents`, or `_micros` for millionths of a dollar; `cents` alone is an amount in
cents. Times (`at`, `_at`, `since`, `until`, `now`) are microseconds since 1970. No view has a secret, a token or its
fingerprint, or a card that does not lie open.
"""
_NAMES: Final[dict[Any, str]] = {str: "text", int: "whole number", bool: "true or false", type(None): "null"}


def views_in(kind: object) -> Iterator[type[FloorView]]:
    """The views that a type holds, the type itself first."""
    if isinstance(kind, type) and issubclass(kind, FloorView):
        yield kind
        for hint in get_type_hints(kind).values():
            yield from views_in(hint)
    else:
        for part in get_args(kind):
            yield from views_in(part)


def in_words(kind: object) -> str:
    """A type as people read it."""
    if kind == Value:
        return "any value"
    if kind in _NAMES:
        return _NAMES[kind]
    if isinstance(kind, type) and issubclass(kind, FloorView):
        return f"[{kind.__name__}](#{kind.__name__.lower()})"
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Literal:
        return " or ".join(f"`{part}`" for part in parts)
    if origin in (Union, types.UnionType):
        return " or ".join(in_words(part) for part in parts)
    if origin is tuple:
        return f"list of {in_words(parts[0])}"
    if origin is dict:
        return f"{in_words(parts[1])}, by name"
    raise TypeError(f"{kind} has no place in a view")


def _section(kind: type[FloorView]) -> str:
    rows = (f"| `{name}` | {in_words(hint)} |" for name, hint in get_type_hints(kind).items())
    about = " ".join((kind.__doc__ or "").split())
    return "\n".join((f"### {kind.__name__}", "", about, "", "| field | what |", "|---|---|", *rows, ""))


def page() -> str:
    """The whole page."""
    tops = [*ANSWERS.values(), *MESSAGES.values()]
    below = dict.fromkeys(view for top in tops for view in views_in(top) if view not in tops)
    parts = [
        HEAD,
        "## Answers\n",
        *map(_section, ANSWERS.values()),
        "## Messages\n",
        *map(_section, MESSAGES.values()),
        "## Views\n",
        *map(_section, sorted(below, key=lambda view: view.__name__)),
    ]
    return "\n".join(parts).rstrip() + "\n"
