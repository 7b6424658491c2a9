"""Pages, messages and comments say things in idiomatic English, and the glossary gives every word one meaning."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted([
    *(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md",
    *(ROOT / "src").rglob("*.py"), *(ROOT / "instruments").rglob("*.py"), *(ROOT / "examples").rglob("*.py"),
])  # fmt: skip
INSTEAD = {
    r"\banew\b": "again",
    r"nothing is no command": "name a command",
    r"[}`'\"] is no (?!longer\b|more\b)": "is not a",
    r"\bfaults? of the program\b": "an internal error; a fault is a reason for a refusal",
    r"\bheld against\b": "compared with, checked against",
    r"\bis there twice\b": "appears twice",
    r"\bpeople of (?:different|two) departments\b|\bof another department\b": "from",
    r"\b(?:his|hers|himself|herself)\b": "their, themselves",
    r"\b(?:the|an) own\b": "their own, a badge of their own",
    r"\bstaff cards?\b|\bswipe[sd]? (?:a|the|their) cards?\b|\bunknown-card\b|\bsecond_card\b": "badge",
}
"""Wrong words, each as a pattern, and what to write."""


def test_pages_use_the_right_words() -> None:
    assert len(PAGES) > 300
    found = [
        f"{page.relative_to(ROOT)}:{number}: {wrong} (write: {right})"
        for page in PAGES
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
