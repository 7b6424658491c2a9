"""Takes values out of a parsed TOML table and collects every fault with its line, instead of stopping at the first.

The codes of the faults begin with the kind of file that is read: `paytable-missing-key`, `game-missing-key`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from houseway.errors import Fault
from houseway.wording import did_you_mean, kind_of

if TYPE_CHECKING:
    from houseway.reading.tomllines import Place

MAX_TEXT: Final = 1000
"""The longest text that a key may hold."""


def hint_at(word: str, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown word: up to three that are near it, or nothing."""
    question = did_you_mean(word, known, most=3)
    return f"; {question}" if question else ""


class TomlFindings:
    """The faults found in one file so far."""

    def __init__(self, kind: str) -> None:
        """Start with none; `kind` is the word that the codes begin with."""
        self.kind = kind
        self._found: list[tuple[Place, str, str]] = []

    def add(self, code: str, place: Place, message: str) -> None:
        """Note a fault at a place in the document."""
        self._found.append((place, code, message))

    def faults(self, file: str, text: str) -> list[Fault]:
        """All faults from the top of the file down; their paths are `file:line`."""
        if not self._found:
            return []
        # Lines are looked up only when there is something to say: a good file is read without it.
        from houseway.reading.tomllines import Locator

        locator = Locator(text)
        with_lines = [(locator.line_of(place), code, message) for place, code, message in self._found]
        with_lines.sort(key=lambda found: found[0])
        return [Fault(code, f"{file}:{line}", message) for line, code, message in with_lines]


class TableReader:
    """One TOML table with its place in the document; a value that does not fit is noted and read as None."""

    def __init__(self, values: Mapping[str, object], place: Place, findings: TomlFindings, name: str) -> None:
        """Read `values`, which stand at `place`; messages call the table `name`."""
        self.values = values
        self.place = place
        self.findings = findings
        self.name = name

    def only(self, required: Iterable[str], optional: Iterable[str] = ()) -> None:
        """Note every required key that is absent and every key that is neither required nor optional."""
        needed = tuple(required)
        known = (*needed, *optional)
        for key in needed:
            if key not in self.values:
                self.findings.add(
                    f"{self.findings.kind}-missing-key", self.place, f'{self.name} has no "{key}": add it'
                )
        for key in self.values:
            if key not in known:
                hint = hint_at(key, known) or f"; it may have {', '.join(known)}"
                self.fault(
                    f"{self.findings.kind}-unknown-key", key, f'{self.name} has an unknown key "{_shown(key)}"{hint}'
                )

    def fault(self, code: str, key: str, message: str) -> None:
        """Note a fault about one key."""
        self.findings.add(code, (*self.place, key), message)

    def _wrong_type(self, key: str, wanted: str) -> None:
        found = kind_of(self.values[key])
        self.fault(f"{self.findings.kind}-bad-type", key, f'"{key}" of {self.name} must be {wanted}, not {found}')

    def text(self, key: str) -> str | None:
        """A text of one line that is not empty."""
        value = self.values.get(key)
        if isinstance(value, str):
            if _is_good_text(value):
                return value
            self.fault(
                f"{self.findings.kind}-bad-value",
                key,
                f'"{key}" of {self.name} must be 1 to {MAX_TEXT} printable characters',
            )
        elif value is not None:
            self._wrong_type(key, "text")
        return None

    def word(self, key: str, words: Iterable[str]) -> str | None:
        """A word from a closed list."""
        word = self.text(key)
        known = tuple(words)
        if word is None or word in known:
            return word
        hint = hint_at(word, known) or f"; use one of {', '.join(known)}"
        self.fault(f"{self.findings.kind}-bad-value", key, f'"{key}" of {self.name} is unknown: "{_shown(word)}"{hint}')
        return None

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts, empty if the key is absent."""
        value = self.values.get(key)
        if value is None:
            return ()
        if not isinstance(value, list):
            self._wrong_type(key, "a list of texts")
            return ()
        good: list[str] = []
        for index, element in enumerate(value):
            if isinstance(element, str) and _is_good_text(element):
                good.append(element)
            else:
                self.findings.add(
                    f"{self.findings.kind}-bad-type",
                    (*self.place, key, index),
                    f'"{key}" of {self.name} must list texts of 1 to {MAX_TEXT} printable characters, '
                    f"but element {index + 1} is {kind_of(element)} that is not",
                )
        return tuple(good)

    def words(self, key: str, words: Iterable[str]) -> tuple[str, ...]:
        """A list of different words from a closed list."""
        known = tuple(words)
        good: list[str] = []
        for index, word in enumerate(self.texts(key)):
            place = (*self.place, key, index)
            if word not in known:
                hint = hint_at(word, known) or f"; use one of {', '.join(known)}"
                message = f'"{key}" of {self.name} has the unknown word "{_shown(word)}"{hint}'
                self.findings.add(f"{self.findings.kind}-bad-value", place, message)
            elif word in good:
                self.findings.add(
                    f"{self.findings.kind}-bad-value", place, f'"{key}" of {self.name} has "{word}" twice'
                )
            else:
                good.append(word)
        return tuple(good)

    def flag(self, key: str) -> bool | None:
        """True or false."""
        value = self.values.get(key)
        if value is None or isinstance(value, bool):
            return value
        self._wrong_type(key, "true or false")
        return None

    def whole(self, key: str, low: int, high: int) -> int | None:
        """A whole number in a range."""
        value = self.values.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            self._wrong_type(key, f"a whole number from {low} to {high}")
            return None
        if low <= value <= high:
            return value
        shown = f", not {value}" if -(10**9) < value < 10**9 else ""
        self.fault(
            f"{self.findings.kind}-bad-value", key, f'"{key}" of {self.name} must be from {low} to {high}{shown}'
        )
        return None

    def table(self, key: str, name: str) -> TableReader | None:
        """A table inside this one."""
        value = self.values.get(key)
        if isinstance(value, dict):
            return TableReader(value, (*self.place, key), self.findings, name)
        if value is not None:
            self._wrong_type(key, "a table")
        return None

    def tables(self, key: str, name: str) -> list[TableReader]:
        """A list of tables; each is named by its number, from 1."""
        value = self.values.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            self._wrong_type(key, "a list of tables")
            return []
        readers: list[TableReader] = []
        for index, element in enumerate(value):
            place = (*self.place, key, index)
            if isinstance(element, dict):
                readers.append(TableReader(element, place, self.findings, f"{name} {index + 1}"))
            else:
                self.findings.add(
                    f"{self.findings.kind}-bad-type",
                    place,
                    f"{name} {index + 1} must be a table, not {kind_of(element)}",
                )
        return readers


def _is_good_text(text: str) -> bool:
    return 0 < len(text) <= MAX_TEXT and text.isprintable() and not text.isspace()


def _shown(text: str) -> str:
    """A text from the file, short and printable enough for a message."""
    clean = "".join(character if character.isprintable() else "?" for character in text)
    return clean if len(clean) <= 40 else f"{clean[:40]}..."
