"""Shows the examples of a docstring as code: without this, `>>>` would be a quotation in a quotation in a quotation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from griffe import Extension

if TYPE_CHECKING:
    from griffe import Object


class Doctests(Extension):
    """Puts a fence around every example."""

    def on_object(self, *, obj: Object, **_: Any) -> None:  # noqa: ANN401 - handed on by griffe
        """Rewrite the docstring of one object."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    r"""The text with its examples as fenced code; an example ends with an empty line.

    >>> fenced("One.\n\n>>> 1\n1\n\nTwo.").split("\n")
    ['One.', '', '```pycon', '>>> 1', '1', '```', '', 'Two.']
    """
    lines: list[str] = []
    inside = False
    for line in [*text.split("\n"), ""]:
        if not inside and line.startswith(">>> "):
            lines.append("```pycon")
            inside = True
        elif inside and not line.strip():
            lines.append("```")
            inside = False
        lines.append(line)
    return "\n".join(lines[:-1])
