"""An example of any type: what the description of the API shows, made from the type itself."""

from __future__ import annotations

from typing import Any, Final

from msgspec import inspect

_TEXTS: Final[dict[str, str]] = {
    "table": "T1", "link": "L1", "round": "T1-42", "award": "T1-42/1", "person": "S3", "actor": "D17", "dealer": "D17",
    "device": "C-T1", "key": "6f1d2a6c-3a8e-4f0e-9f57-0b8a4f6f2b11", "hand": "royal-flush", "game": "fortune",
    "paytable": "FPGPP-WA01", "sensor": "1", "level": "main", "reason": "misread cards", "deck": "A-2",
    "kind": "round.start", "register": "approval", "paper": "GA-2025-1", "subject": "fortune", "proposal": "P12",
    "hash": "5f" * 32, "content_hash": "5f" * 32, "badge": "BADGE-TOKEN", "second_badge": "SECOND-BADGE-TOKEN",
    "secret": "A-LONG-DEVICE-SECRET",
    "slip": "F-118", "reference": "SURV-2026-118", "name": "Example", "state": "serving", "version": "0.1.0",
}  # fmt: skip
"""What fields of these names hold."""
_NUMBERS: Final[dict[str, int]] = {
    "seq": 813, "at": 1_763_200_001_234_567, "now": 1_763_200_001_300_000, "since": 1_763_200_000_000_000, "seat": 3,
    "first": 1, "counted": 53, "limit": 100, "until": 1_763_243_201_234_567,
}  # fmt: skip


def named_example(name: str) -> str:
    """An example of a text by its field's name."""
    return _TEXTS.get(name, "text")


def example_of(kind: type, *, only_required: bool = False) -> Any:  # noqa: ANN401 - as JSON has it
    """An example of a type, as JSON has it.

    >>> from houseway.manager.commands.round_commands import EndRound
    >>> example_of(EndRound, only_required=True)
    {'kind': 'round.end', 'round': 'T1-42'}
    """
    return _of(inspect.type_info(kind), "", only_required, 0)


def _of(info: inspect.Type, name: str, only_required: bool, depth: int) -> Any:  # noqa: ANN401
    match info:
        case inspect.StructType():
            return _struct(info, only_required, depth)
        case inspect.UnionType():
            found = [one for one in info.types if not isinstance(one, inspect.NoneType)]
            return None if depth > 6 else _of(found[0], name, only_required, depth + 1)
        case inspect.LiteralType():
            return info.values[0]
        case inspect.ListType() | inspect.VarTupleType() | inspect.SetType():
            return [_of(info.item_type, _single(name), only_required, depth + 1)]
        case inspect.TupleType():
            return [_of(one, name, only_required, depth + 1) for one in info.item_types]
        case inspect.DictType():
            key = info.key_type.values[0] if isinstance(info.key_type, inspect.LiteralType) else _key(name)
            return {key: _of(info.value_type, "", only_required, depth + 1)}
        case inspect.BoolType():
            return True
        case inspect.IntType():
            return max(_NUMBERS.get(name, 1), info.ge or 0)
        case inspect.StrType():
            return _TEXTS.get(name, "text")
        case inspect.NoneType():
            return None
        case _:
            return "text"


def _struct(info: inspect.StructType, only_required: bool, depth: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if info.tag_field is not None:
        found[info.tag_field] = info.tag
    for field in info.fields:
        if field.required or not only_required:
            found[field.encode_name] = _of(field.type, field.name, only_required, depth + 1)
    return found


def _single(name: str) -> str:
    return {"tables": "table", "links": "link", "people": "person", "seats": "seat", "roles": "role"}.get(name, "")


def _key(name: str) -> str:
    return "main" if name in ("levels", "opening") else "1"
