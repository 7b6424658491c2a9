"""Views with nothing in them but what a test is about."""

from __future__ import annotations

from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from houseway.manager.views.view_base import FloorView

V = TypeVar("V", bound=FloorView)


def blank(kind: type[V], **given: Any) -> V:
    """A view with nothing in it but what is given."""
    hints = get_type_hints(kind)
    left = {name: _nothing(hint) for name, hint in hints.items() if name not in given}
    return kind(**given, **left)


def _nothing(hint: Any) -> Any:
    parts = get_args(hint)
    if type(None) in parts:
        return None
    if get_origin(hint) is Literal:
        return parts[0]
    return (get_origin(hint) or hint)()
