"""Every file and folder that a page names is there: a path, a script in a command, the target of a link."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted([
    *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md",
])  # fmt: skip
HIGH_CARD = ROOT / "examples" / "games" / "high-card"
BASES = (
    ROOT, ROOT / "src", ROOT / "src" / "houseway", ROOT / "instruments", HIGH_CARD,
    HIGH_CARD / "src" / "houseway_high_card" / "rules",
)  # fmt: skip
"""Where paths in pages begin: modules are told by their place in the package, files of the example by theirs."""
PATH = re.compile(r"(?<![\w/.:<-])(?:[\w-]+/)+(?:[\w<>*-][\w.<>*-]*)?")
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")
PLACEHOLDER = re.compile(r"<[a-z-]+>|\b[A-Z]{2,}\b")
"""What stands for a name in a path: <game> or GAME."""
TEXTS = {"houseway/shuffle/v1", "houseway/0123456789abcdef"}
"""Texts that look like paths: what a hash begins with, and the name of a log."""


def is_there(path: str, bases: tuple[Path, ...]) -> bool:
    """Whether a path is there, from one of the places where paths begin, with some name for each placeholder."""
    pattern = PLACEHOLDER.sub("*", path)
    return any(any(base.glob(ending)) for base in bases for ending in (pattern, f"{pattern}.py"))


def paths_of(text: str) -> set[str]:
    """The paths that a page names; other words with a stroke are ids, routes and cards."""
    # What a command makes, such as build/site, is there only once it has run.
    ours = {each.name for base in BASES for each in base.iterdir() if each.is_dir()} - {"build"}
    return {path.rstrip("./") for path in PATH.findall(text) if path.partition("/")[0] in ours} - TEXTS


def missing(page: Path) -> set[str]:
    """The paths that a page names or links to, and that are not there."""
    text = page.read_text(encoding="utf-8")
    linked = {link for link in LINK.findall(text) if not (page.parent / link).exists()}
    return {path for path in paths_of(LINK.sub("](", text)) if not is_there(path, (*BASES, page.parent))} | linked


def test_the_paths_that_pages_name_are_there() -> None:
    assert sum(len(paths_of(page.read_text(encoding="utf-8"))) for page in PAGES) > 300
    assert {str(page.relative_to(ROOT)): found for page in PAGES if (found := missing(page))} == {}


def test_a_path_that_is_gone_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "Put it into `src/houseway/definitions/data/<id>.toml` or `rules/definitions/GAME.toml`, run `scripts/no-such` "
        "and see [a page](no-page.md). T1-17/1 is a payout, and /v1/session a route."
    )
    assert missing(page) == {"src/houseway/definitions/data/<id>.toml", "scripts/no-such", "no-page.md"}
