"""The files of results: marked as generated, one row a line, and written by the script that they name."""

from __future__ import annotations

import json
import os
import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

from houseway.odds.shipped import DATA, MARK, content_of, file_text, write_file

ROOT = Path(__file__).parents[2]
WRITTEN_BY_HAND = {"face-up-report.json"}
FILLED_IN = [ROOT / "docs" / name for name in ("odds.md", "face-up.md", "architecture.md")]
"""Pages of which a script writes some sections."""
FILES = sorted(path for path in DATA.glob("*.json") if path.name not in WRITTEN_BY_HAND)


def names(paths: list[Path]) -> list[str]:
    return [path.stem for path in paths]


def is_folded_in_reviews(path: Path) -> bool:
    """What .gitattributes says of a file: the last line that fits decides."""
    place, folded = path.relative_to(ROOT).as_posix(), False
    for line in (ROOT / ".gitattributes").read_text(encoding="utf-8").splitlines():
        pattern, *attributes = line.split() or ["#"]
        if not pattern.startswith("#") and fnmatch(place, pattern):
            folded = ("linguist-generated" in attributes) or (folded and "-linguist-generated" not in attributes)
    return folded


@pytest.mark.parametrize("path", FILES, ids=names(FILES))
def test_a_file_names_the_script_that_writes_it_and_is_laid_out_as_it_does(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    first = text.splitlines()[1]
    script = first.removeprefix(f' "{MARK}": "by ').removesuffix(': do not edit",')
    assert os.access(ROOT / script, os.X_OK), first
    assert file_text(content_of(path), script, sort=path.name.startswith("main-")) == text


@pytest.mark.parametrize("path", FILES, ids=names(FILES))
def test_no_line_holds_a_lone_number_of_a_row(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert not [line for line in lines if line.strip(" ,").lstrip("-").isdigit()]


def test_reviews_fold_what_is_generated_and_show_what_is_written_by_hand() -> None:
    assert all(map(is_folded_in_reviews, FILES))
    assert all(map(is_folded_in_reviews, (DATA / "strategies").glob("*.toml")))
    assert not any(is_folded_in_reviews(DATA / name) for name in WRITTEN_BY_HAND)
    assert not is_folded_in_reviews(DATA / "known-discrepancies.toml")


def test_reviews_fold_every_page_that_a_script_writes_as_a_whole_and_the_page_says_so() -> None:
    scripts = {script.name: script.read_text(encoding="utf-8") for script in (ROOT / "scripts").glob("write-*")}
    written = {ROOT / page: name for name, text in scripts.items() for page in re.findall(r"docs/[a-z/-]+\.md", text)}
    assert set(FILLED_IN) <= written.keys()
    whole = {page: name for page, name in written.items() if page not in FILLED_IN}
    assert len(whole) > 7
    assert {page for page in (ROOT / "docs").rglob("*.md") if is_folded_in_reviews(page)} == whole.keys()
    unsaid = [page for page, name in whole.items() if f"`scripts/{name}`" not in page.read_text(encoding="utf-8")[:600]]
    assert not unsaid


def test_writing_and_reading_gives_the_content_and_leaves_nothing_unfinished(tmp_path: Path) -> None:
    content = {"format": 1, "rows": {"b": [1, -2], "a": [], "c": {}}, "text": "ä", "deep": [[1], [[2, 3]]]}
    write_file(tmp_path / "sample.json", content, "scripts/solve")
    assert content_of(tmp_path / "sample.json") == content
    assert names(list(tmp_path.iterdir())) == ["sample"]


def test_a_wide_table_has_a_line_for_each_of_its_rows() -> None:
    counts = {f"hand number {number}": number for number in range(40)}
    text = file_text({"counts": counts}, "scripts/solve")
    assert text.count("hand number") == sum("hand number" in line for line in text.splitlines()) == len(counts)
    assert json.loads(text)["counts"] == counts
