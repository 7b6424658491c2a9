"""Files of text and TOML: reading them, and the faults of their contents, each at its line."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final

from houseway.errors import Fault, InputError
from houseway.reading.codes import Codes
from houseway.reading.faults import Faults
from houseway.reading.places import AnyPlace
from houseway.reading.tomllines import Locator

MAX_BYTES: Final = 1_000_000
"""The largest file that is read, unless its kind says less."""
_SYNTAX_LINE: Final = re.compile(r"\(at line ([0-9]+), column [0-9]+\)")


class FileFaults(Faults):
    """The faults found in one file so far; their paths are `file:line`."""

    mapping_word = "a table"

    def __init__(self, codes: Codes, file: str, text: str) -> None:
        """Begin with none; `file` is what messages call the file, and `text` its contents."""
        super().__init__(codes)
        self.file = file
        self._text = text
        self._locator: Locator | None = None
        self._lines: dict[Fault, int] = {}

    def add(self, code: str, place: AnyPlace, message: str) -> None:
        """Note one fault at a place in the document; a text is the path of something else."""
        if isinstance(place, str):
            super().add(code, place, message)
            return
        # Lines are looked up only when there is something to say: a good file is read without it.
        self._locator = self._locator or Locator(self._text)
        line = self._locator.line_of(place.parts)
        fault = Fault(code, f"{self.file}:{line}", message)
        self._lines[fault] = line
        self.note(fault)

    def found(self) -> list[Fault]:
        """All faults from the top of the file down, behind those of other files that it builds on."""
        faults = super().found()
        last = [fault for fault in faults if fault.code == "too-many-faults"]
        return sorted((fault for fault in faults if fault not in last), key=lambda one: self._lines.get(one, 0)) + last


def read_text(path: Path, *, code: str, name: str | None = None, most: int = MAX_BYTES) -> str:
    """The text of a file, which messages call `name`; InputError with that code if it cannot be had."""
    name = str(path) if name is None else name
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or "this is not a file name"
        raise InputError.of(code, name, f"the file cannot be read: {reason}") from None
    return text_of(data, code=code, name=name, most=most)


def text_of(data: bytes, *, code: str, name: str, most: int = MAX_BYTES) -> str:
    """The text of a file's bytes; InputError with that code if they are none, or too many."""
    if len(data) > most:
        raise InputError.of(code, f"{name}:1", f"the file is larger than {most:,} bytes: no such file is")
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        message = f"byte {problem.start + 1} of the file is not UTF-8 text: save the file as UTF-8"
        raise InputError.of(code, f"{name}:{line}", message) from None


def parse_toml(text: str, *, code: str, name: str) -> dict[str, Any]:
    """The values of a TOML document; InputError with that code, at its line, if it is none."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        line, reason = 1, "brackets are nested too deep"
    except ValueError as problem:
        # Besides the parser's own error, a number of thousands of digits is refused with a bare ValueError.
        found = _SYNTAX_LINE.search(str(problem))
        at_end = "at end of document" in str(problem)
        line = int(found.group(1)) if found else (text.count("\n", 0, len(text.rstrip())) + 1 if at_end else 1)
        reason = str(problem) if isinstance(problem, tomllib.TOMLDecodeError) else "a number is too long"
    raise InputError.of(code, f"{name}:{line}", f"not TOML: {reason}")
