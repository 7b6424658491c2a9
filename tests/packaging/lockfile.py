"""Reads requirements.lock: which packages it pins, and the part of it that some requirements need."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "requirements.lock"
_PINNED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==", re.MULTILINE)


def pinned() -> dict[str, str]:
    """The text of every pinned package with its hashes, by the package's name."""
    text = LOCK.read_text(encoding="utf-8")
    starts = [found.start() for found in _PINNED.finditer(text)]
    blocks = (text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True))
    return {canonicalize_name(block.split("==", 1)[0]): block for block in blocks}


def needed(requirements: Iterable[str]) -> set[str]:
    """The packages that requirements need here, with all that those need in turn."""
    found: set[str] = set()
    waiting = [Requirement(text) for text in requirements]
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        extras = ["", *requirement.extras]
        if name in found or not _applies(requirement, [""]):
            continue
        found.add(name)
        for text in metadata.requires(name) or []:
            inner = Requirement(text)
            if _applies(inner, extras):
                # The extra has been looked at; what is left of the marker is looked at in this loop.
                waiting.append(Requirement(text.split(";", 1)[0]))
    return found


def _applies(requirement: Requirement, extras: Iterable[str]) -> bool:
    return requirement.marker is None or any(requirement.marker.evaluate({"extra": extra}) for extra in extras)
