"""What all views have in common: they never change, and hold plain values."""

from __future__ import annotations

import msgspec

from houseway.reading.json_values import JsonObject

Scalar = bool | int | str | None
Flat = bool | int | str | list[Scalar] | dict[str, Scalar] | None
Deep = bool | int | str | list[Flat] | dict[str, Flat] | None
Deeper = bool | int | str | list[Deep] | dict[str, Deep] | None
Value = bool | int | str | list[Deeper] | dict[str, Deeper] | None
"""A value that the property has entered, as a register, a game or a change takes it: lists and objects four deep."""


class FloorView(msgspec.Struct, frozen=True, kw_only=True):
    """Something as others see it."""

    def to_json(self) -> JsonObject:
        """The same as JSON has it."""
        found: JsonObject = msgspec.json.decode(msgspec.json.encode(self))
        return found


def values_of(entered: object) -> dict[str, Value]:
    """What was entered, as plain values of its own: whoever changes them changes nothing else."""
    return msgspec.convert(msgspec.to_builtins(entered), dict[str, Value])
