"""What JSON can hold, as a type: values that come from outside, before anybody has looked into them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None
    """A value of JSON. Money and counts are whole numbers; a float is only ever refused."""
else:
    # Decoders and schemas take no type that names itself: to them it is any value.
    Json = Any

JsonObject: TypeAlias = dict[str, Json]
"""An object of JSON."""
