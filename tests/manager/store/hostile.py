"""Hostile commands: every field of every command filled with what stores, terminals and parsers trip over."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

from houseway.manager.commands import COMMANDS
from houseway.manager.core.command import AnyCommand

FRAGMENTS = (
    "\\u0000", "\\\\u0000", "\\", "\0", "\ud800", "\udc00", "\x1b[2J", "\u202e", '"', "'", "\n", "%s", "{}", "/", "-",
    "T1", "T1-1", "L1", "device:", "system", "system/", "\ufffe", "\U0001f600", "\u00e4", " ", "x" * 300,
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=5), max_size=4).map("".join)
"""Texts that a careful program may still fall over."""
NUMBERS = (
    st.sampled_from([0, 1, -1, 3, 10**6, 2**31, 2**53 + 1, 2**63 - 1, 2**63, -(2**63) - 1, 10**30]) | st.integers()
)
PLAIN: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)


def values(kind: inspect.Type, known: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    """Values of a field's type; a text is sometimes one that the floor knows, so that a command gets further."""
    if isinstance(kind, inspect.UnionType):
        return st.one_of([values(one, known) for one in kind.types])
    if isinstance(kind, inspect.ListType | inspect.VarTupleType):
        return st.lists(values(kind.item_type, known), max_size=3)
    if isinstance(kind, inspect.DictType):
        return st.dictionaries(values(kind.key_type, known), values(kind.value_type, known), max_size=3)
    simple: dict[type[inspect.Type], st.SearchStrategy[Any]] = {
        inspect.StrType: known | TEXTS, inspect.IntType: NUMBERS, inspect.BoolType: st.booleans(),
        inspect.NoneType: st.none(), inspect.AnyType: PLAIN, inspect.FloatType: st.floats(),
    }  # fmt: skip
    if isinstance(kind, inspect.LiteralType):
        return st.sampled_from(list(kind.values))
    if isinstance(kind, inspect.StructType):
        return st.builds(kind.cls, **{field.name: values(field.type, known) for field in kind.fields})
    return simple[type(kind)]


def commands(known: st.SearchStrategy[str]) -> st.SearchStrategy[AnyCommand]:
    """Any command, with hostile values in every field."""

    def of(kind: type[AnyCommand]) -> st.SearchStrategy[AnyCommand]:
        info = inspect.type_info(kind)
        assert isinstance(info, inspect.StructType)
        return st.builds(kind, **{field.name: values(field.type, known) for field in info.fields})

    return st.sampled_from(sorted(COMMANDS)).flatmap(lambda name: of(COMMANDS[name]))


def as_json(command: AnyCommand) -> dict[str, Any] | None:
    """The command as it goes over the wire; None if it cannot, since half characters have no form there."""
    try:
        found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(command))
    except UnicodeEncodeError:
        return None
    return found
