"""The fault codes that a kind of input has for what can be wrong with a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Codes:
    """One code for each thing that the checks find; kinds of input that programs tell less closely repeat one."""

    missing: str
    """Something that must be there is not."""
    unknown: str
    """A key that nobody reads."""
    kind: str
    """A value of the wrong kind: text where a list belongs."""
    number: str
    """A value that is not the whole number it must be."""
    bounds: str
    """A number outside its bounds."""
    text: str
    """A text that is empty, too long or not printable."""
    word: str
    """A word that is not on the closed list of its place."""

    @classmethod
    def only(cls, code: str) -> Codes:
        """One code for everything."""
        return cls(code, code, code, code, code, code, code)


ROUND: Final = Codes(
    missing="missing-key",
    unknown="unknown-key",
    kind="wrong-type",
    number="not-an-integer",
    bounds="out-of-range",
    text="bad-value",
    word="bad-setting",
)
"""Rounds, their settings, and the papers that the Game Manager keeps."""
