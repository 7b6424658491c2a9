"""On which line of a TOML document a key or an array element stands.

The standard parser checks the document and gives the values, but not their places. This scanner reads a document that
the parser has accepted, and only notes where each key and each element begins.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from contextlib import suppress
from typing import Final

from houseway.reading.places import Parts

_BLANK: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACES: Final = re.compile(r"[ \t]*")
_KEY_PART: Final = re.compile(r"""[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'""")
_STRING: Final = re.compile(
    r'''"""(?:\\.|[^\\])*?"""(?:"{0,2})|\'\'\'.*?\'\'\'(?:\'{0,2})|"(?:[^"\\\n]|\\.)*"|'[^'\n]*\'''', re.DOTALL
)
_SCALAR: Final = re.compile(r"[^,\]}\n#]*")


class Locator:
    """The line numbers of a document's keys and elements."""

    def __init__(self, text: str) -> None:
        """Scan a document that `tomllib.loads` accepts."""
        scanner = _Scanner(text)
        # Where the scanner cannot follow (nested too deep, or not TOML), the line of what stands around it is used.
        with suppress(RecursionError, tomllib.TOMLDecodeError):
            scanner.scan()
        self._lines = scanner.lines

    def line_of(self, place: Parts) -> int:
        """The line on which a place begins; for a place the document lacks, the line of the nearest one around it."""
        while place and place not in self._lines:
            place = place[:-1]
        return self._lines.get(place, 1)


class _Scanner:
    """Walks over a document once, from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.line_starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self.lines: dict[Parts, int] = {}
        self.elements: dict[Parts, int] = {}  # how many [[headers]] of a name there were

    def scan(self) -> None:
        table: Parts = ()
        while self._skip(_BLANK) < len(self.text):
            start = self.position
            if self._at("["):
                table = self._header()
            else:
                self._pair(table)
            if self.position == start:  # not TOML after all: keep what was found
                break

    def _header(self) -> Parts:
        line = self._line()
        is_array = self._take("[") and self._take("[")
        parts = self._key()
        place: Parts = ()
        for part in parts[:-1]:
            place = (*place, part)
            if place in self.elements:
                place = (*place, self.elements[place] - 1)
        place = (*place, *parts[-1:])
        if is_array:
            index = self.elements.get(place, 0)
            self.elements[place] = index + 1
            self.lines.setdefault(place, line)
            place = (*place, index)
        self._take("]")
        self._take("]")
        self.lines[place] = line
        return place

    def _pair(self, table: Parts) -> None:
        line = self._line()
        place = table
        for part in self._key():
            place = (*place, part)
            self.lines.setdefault(place, line)
        self._take("=")
        self._value(place)

    def _value(self, place: Parts) -> None:
        self._skip(_SPACES)
        if self._take("["):
            index = 0
            while self._more("]"):
                self.lines[(*place, index)] = self._line()
                self._value((*place, index))
                index += 1
        elif self._take("{"):
            while self._more("}"):
                self._pair(place)
        elif found := _STRING.match(self.text, self.position):
            self.position = found.end()
        else:
            self._skip(_SCALAR)

    def _more(self, closing: str) -> bool:
        """Step over blanks and a comma to the next element; False at the closing bracket or where none can follow."""
        self._skip(_BLANK)
        self._take(",")
        self._skip(_BLANK)
        # A scalar may be empty only in a document that is not TOML: stop there instead of turning in place.
        return not self._take(closing) and self.position < len(self.text) and self.text[self.position] not in ",]}="

    def _key(self) -> list[str]:
        """The parts of a dotted key."""
        parts: list[str] = []
        while True:
            self._skip(_SPACES)
            found = _KEY_PART.match(self.text, self.position)
            if found is None:
                return parts
            self.position = found.end()
            raw = found.group()
            parts.append(next(iter(tomllib.loads(f"{raw} = 0"))) if raw[0] in "\"'" else raw)
            self._skip(_SPACES)
            if not self._take("."):
                return parts

    def _line(self) -> int:
        return bisect_right(self.line_starts, self.position)

    def _skip(self, pattern: re.Pattern[str]) -> int:
        found = pattern.match(self.text, self.position)
        if found is not None:
            self.position = found.end()
        return self.position

    def _at(self, character: str) -> bool:
        return self.text.startswith(character, self.position)

    def _take(self, character: str) -> bool:
        if self._at(character):
            self.position += 1
            return True
        return False
