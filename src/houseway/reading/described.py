"""Plain data checked against the description of a type: every fault of it, where the decoder stops at the first.

msgspec decodes, fast and strictly. What it refuses is walked here along its own description of the type, by the same
checks as all other input.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from typing import Any, Final, Protocol, TypeVar

import msgspec
from msgspec import inspect

from houseway.reading.faults import Faults
from houseway.reading.places import below, excerpt

_Read = TypeVar("_Read")
MOST_VISITED: Final = 5_000
"""Values of one input that are looked at for its faults: who sends more has read enough of them."""
_description: Final = cache(inspect.type_info)
_LISTS: Final = (inspect.ListType, inspect.VarTupleType, inspect.SetType, inspect.FrozenSetType)
_OBJECTS: Final = (inspect.StructType, inspect.DictType)
_WORDS: Final[tuple[tuple[tuple[type[inspect.Type], ...], str], ...]] = (
    ((inspect.NoneType,), "null"),
    ((inspect.BoolType,), "true or false"),
    ((inspect.IntType,), "a whole number"),
    ((inspect.FloatType,), "a number"),
    ((inspect.StrType, inspect.LiteralType), "text"),
    (_LISTS, "a list"),
    (_OBJECTS, "an object"),
)


class _Sized(Protocol):
    """The description of something whose length may be bounded."""

    @property
    def min_length(self) -> int | None: ...
    @property
    def max_length(self) -> int | None: ...


def as_described(value: object, type_: type[_Read], path: str, faults: Faults, called: str) -> _Read | None:
    """The value as that type, or None with every fault noted; a sentence calls the value `called`."""
    try:
        return msgspec.convert(value, type_)
    except msgspec.ValidationError as error:
        note_faults(value, type_, path, faults, called=called, reason=str(error))
        return None


def note_faults(
    value: object, type_: object, path: str, faults: Faults, *, called: str, reason: str, offered: Collection[str] = ()
) -> None:
    """Note every fault of a value that the decoder refused for that reason.

    `offered` are the kinds that a union of kinds suggests for an unknown one; without them, all it knows.
    """
    _Walk(faults, offered).hold(value, _description(type_), path, called)
    if not faults.any:
        # What is wrong cannot be seen in the value: say what the decoder says.
        faults.add(faults.codes.kind, path, f"{called} cannot be read: {reason}")


class _Walk:
    """One walk through a value, along the description of its type."""

    def __init__(self, faults: Faults, offered: Collection[str]) -> None:
        self.faults = faults
        self.offered = offered
        self.left = MOST_VISITED
        """How many further values are looked at."""

    def hold(self, value: object, kind: inspect.Type, path: str, called: str) -> None:
        """Note what is wrong with a value and with all that it holds."""
        self.left -= 1
        if self.is_over():
            return
        if isinstance(kind, inspect.Metadata):
            self.hold(value, kind.type, path, called)
        elif isinstance(kind, inspect.UnionType):
            self._union(value, kind.types, path, called)
        elif isinstance(kind, inspect.StructType):
            self._struct(value, kind, path, called)
        elif isinstance(kind, inspect.DictType):
            self._dict(value, kind, path)
        elif isinstance(kind, _LISTS):
            listed = [*value] if isinstance(value, tuple | set | frozenset) else self.faults.sequence(value, path)
            if not self._length(listed, kind, path, "elements"):
                return
            for index, item in enumerate(listed):
                if self.is_over():
                    return
                self.hold(item, kind.item_type, f"{path}[{index}]", called)
        else:
            self._single(value, kind, path)

    def is_over(self) -> bool:
        """Whether enough was looked at, or found."""
        return self.left < 0 or self.faults.full

    def _single(self, value: object, kind: inspect.Type, path: str) -> None:
        """Note what is wrong with a value that holds no others; one of any kind is never wrong."""
        faults = self.faults
        if isinstance(kind, inspect.LiteralType):
            faults.choice(value, [str(word) for word in kind.values], path)
        elif isinstance(kind, inspect.StrType):
            self._length(faults.text(value, path), kind, path, "characters")
        elif isinstance(kind, inspect.BoolType):
            faults.boolean(value, path)
        elif isinstance(kind, inspect.IntType):
            faults.integer(value, path, _least(kind), _most(kind))
        elif isinstance(kind, inspect.FloatType):
            if not isinstance(value, int | float) or isinstance(value, bool):
                faults.expected(path, "a number", value)
        elif isinstance(kind, inspect.NoneType) and value is not None:
            faults.expected(path, "null", value)

    def _union(self, value: object, kinds: Sequence[inspect.Type], path: str, called: str) -> None:
        """One of several kinds: the one of the value's own form is what was meant."""
        tagged = {str(kind.tag): kind for kind in kinds if isinstance(kind, inspect.StructType)}
        if len(tagged) > 1 and isinstance(value, dict):
            self._tagged(value, tagged, path, called)
            return
        meant = next((kind for kind in kinds if _has_form(value, kind)), None)
        others = [kind for kind in kinds if not isinstance(kind, inspect.LiteralType | inspect.NoneType)]
        # A wrong word in place of a number may be a number in quotes as well: what is taken says more than the words.
        if meant is not None and not (isinstance(meant, inspect.LiteralType) and others):
            self.hold(value, meant, path, called)
            return
        words = list(dict.fromkeys(_in_words(kind) for kind in kinds))
        self.faults.expected(path, " or ".join(words), value)

    def _tagged(self, value: dict[Any, Any], tagged: dict[str, inspect.StructType], path: str, called: str) -> None:
        """Objects that a field tells apart."""
        field = next(iter(tagged.values())).tag_field or ""
        if field not in value:
            self.faults.missing(path, called, field)
            return
        tag = value[field]
        if isinstance(tag, str) and tag in tagged:
            self._struct(value, tagged[tag], path, tag)
        else:
            self.faults.choice(tag, self.offered or tuple(tagged), below(path, field))

    def _struct(self, value: object, kind: inspect.StructType, path: str, called: str) -> None:
        given = self.faults.mapping(value, path)
        if given is not value:
            return
        known = [kind.tag_field] if kind.tag_field is not None else []
        for field in kind.fields:
            known.append(field.encode_name)
            if field.encode_name in given:
                where = below(path, field.encode_name)
                self.hold(given[field.encode_name], field.type, where, called)
            elif field.required:
                self.faults.missing(path, called, field.encode_name)
        if kind.forbid_unknown_fields:
            self.faults.keys(given, known, path)

    def _length(self, value: str | list[Any] | dict[str, Any] | None, kind: _Sized, path: str, of: str) -> bool:
        """Note a text, a list or an object that is shorter or longer than it may be; whether it is not."""
        least, most = kind.min_length or 0, kind.max_length
        if value is None or (least <= len(value) and (most is None or len(value) <= most)):
            return True
        bounds = f"at least {least}" if most is None else f"{least} to {most}"
        self.faults.add(self.faults.codes.text, path, f"expected {bounds} {of}, found {len(value)}")
        return False

    def _dict(self, value: object, kind: inspect.DictType, path: str) -> None:
        given = self.faults.mapping(value, path)
        if not self._length(given, kind, path, "entries"):
            return
        for key, item in given.items():
            if self.is_over():
                return
            where = below(path, excerpt(key))
            self.hold(key, kind.key_type, where, excerpt(key))
            self.hold(item, kind.value_type, where, excerpt(key))


def _least(kind: inspect.IntType) -> int | None:
    return kind.ge if kind.gt is None else kind.gt + 1


def _most(kind: inspect.IntType) -> int | None:
    return kind.le if kind.lt is None else kind.lt - 1


def _has_form(value: object, kind: inspect.Type) -> bool:
    """Whether a value looks like one of a kind, whatever it holds."""
    if isinstance(value, bool):
        return isinstance(kind, inspect.BoolType)
    if value is None:
        return isinstance(kind, inspect.NoneType)
    forms: tuple[tuple[type | tuple[type, ...], tuple[type[inspect.Type], ...]], ...] = (
        (int, (inspect.IntType, inspect.FloatType)),
        (float, (inspect.FloatType,)),
        (str, (inspect.StrType, inspect.LiteralType)),
        ((list, tuple, set, frozenset), _LISTS),
        (dict, _OBJECTS),
    )
    return isinstance(kind, inspect.AnyType) or any(
        isinstance(value, form) and isinstance(kind, kinds) for form, kinds in forms
    )


def _in_words(kind: inspect.Type) -> str:
    if isinstance(kind, inspect.LiteralType):
        return " or ".join(f'"{word}"' for word in kind.values)
    return next((words for kinds, words in _WORDS if isinstance(kind, kinds)), "another value")
