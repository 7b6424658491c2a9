"""What the files of shipped results have in common: where they lie, how they are laid out, what made them.

A file is JSON that begins with a mark: a script has written it, nobody edits it. It has one row a line, so that a
changed count is a changed line.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from houseway.ranking.rank_tables import TABLE_PATH

DATA: Final = Path(__file__).parent / "data"
MARK: Final = "generated"
_WIDTH: Final = 200
"""The longest table that still counts as a row; a row of plain values is never broken."""


def content_of(path: Path) -> dict[str, Any]:
    """What a file of results says, without the mark that it is generated."""
    content: dict[str, Any] = json.loads(path.read_bytes())
    content.pop(MARK, None)
    return content


def write_file(path: Path, content: Mapping[str, Any], script: str, *, sort: bool = False) -> None:
    """Write a file of results in one step, marked with the script that does it."""
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_text(file_text(content, script, sort=sort), encoding="utf-8")
    unfinished.replace(path)


def file_text(content: Mapping[str, Any], script: str, *, sort: bool = False) -> str:
    """The text of a file of results; `sort` orders the names below the top, where their order has no meaning.

    >>> print(file_text({"name": "sample", "counts": {"pair": [1, 2], "flush": [3, 4]}}, "scripts/solve", sort=True))
    {
     "generated": "by scripts/solve: do not edit",
     "name": "sample",
     "counts": {
      "flush": [3, 4],
      "pair": [1, 2]
     }
    }
    <BLANKLINE>
    """
    plain = {name: json.loads(json.dumps(value, sort_keys=sort)) for name, value in content.items()}
    return _laid_out({MARK: f"by {script}: do not edit", **plain}, "\n") + "\n"


def _laid_out(value: object, line: str) -> str:
    """JSON with one row a line: a list of plain values, or a table of them that is not too wide."""
    text = json.dumps(value)
    if not isinstance(value, dict | list):
        return text
    inner = list(value.values()) if isinstance(value, dict) else value
    if not any(isinstance(each, dict | list) for each in inner) and (isinstance(value, list) or len(text) <= _WIDTH):
        return text
    shown = [_laid_out(each, f"{line} ") for each in inner]
    if isinstance(value, dict):
        shown = [f"{json.dumps(name)}: {each}" for name, each in zip(value, shown, strict=True)]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}{line} " + f",{line} ".join(shown) + f"{line}{closing}"


def fingerprint_of(inputs: Mapping[str, Any]) -> str:
    """The hash over a result's inputs that it carries, so that it is never used for other rules."""
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()


def head_of(name: str, format_: int, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """How a file of results begins: its format and name, and what it was made from."""
    return {"format": format_, "name": name, "inputs": inputs, "fingerprint": fingerprint_of(inputs)}


def is_current(content: Mapping[str, Any], format_: int, inputs: Mapping[str, Any]) -> bool:
    """Whether a file of results has this format and was made from these inputs."""
    return content.get("format") == format_ and content.get("fingerprint") == fingerprint_of(inputs)


@cache
def order_of_hands() -> str:
    """The hash of the ranking tables, an input of every result."""
    return hashlib.sha256(TABLE_PATH.read_bytes()).hexdigest()
