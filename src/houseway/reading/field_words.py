"""What the fields of a struct mean, in words: the texts that stand below them in the source."""

from __future__ import annotations

import ast
import inspect
import textwrap
from functools import cache

import msgspec


@cache
def field_words(struct: type[msgspec.Struct]) -> dict[str, str]:
    """By field the text below it, as one line; those of its bases too."""
    found: dict[str, str] = {}
    for base in reversed(struct.__mro__):
        if not base.__module__.startswith("houseway"):
            continue
        body = ast.parse(textwrap.dedent(inspect.getsource(base))).body[0]
        assert isinstance(body, ast.ClassDef)
        for field, text in zip(body.body, body.body[1:], strict=False):
            if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr) and isinstance(field.target, ast.Name):
                found[field.target.id] = " ".join(str(ast.literal_eval(text.value)).split())
    return found


def struct_words(struct: type[msgspec.Struct]) -> str:
    """The description of a struct, a paragraph a line."""
    text = inspect.cleandoc(struct.__doc__ or "")
    return text.replace("\n\n", "\0").replace("\n", " ").replace("\0", "\n\n")
