"""The pages say things in idiomatic English, and the glossary gives every word one meaning."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])
INSTEAD = {
    r"\banew\b": "again",
    r"nothing is no command": "name a command",
    r"\bstaff cards?\b": "badge",
}
"""Wrong words, each as a pattern, and what to write."""

NOT_YET = {f"docs/reference/{page}.md" for page in ("cli", "commands", "protocol", "faults")}
"""Pages of fields and codes that still call a badge a card."""


def test_pages_use_the_right_words() -> None:
    assert len(PAGES) > 30
    found = [
        f"{page.relative_to(ROOT)}:{number}: {wrong} (write: {right})"
        for page in PAGES
        if page.relative_to(ROOT).as_posix() not in NOT_YET
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1)
        for wrong, right in INSTEAD.items()
        if re.search(wrong, line, re.IGNORECASE)
    ]
    assert found == []


def test_the_glossary_gives_each_word_once() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \|$", text, re.MULTILINE)
    words = [word for row in rows if row != "word" for word in row.split(", ")]
    assert len(words) > 60
    assert sorted(set(words)) == sorted(words)
