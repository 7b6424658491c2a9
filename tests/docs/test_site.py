"""The documentation site is built without a complaint, holds every page, and loads nothing from elsewhere."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

import houseway

ROOT = Path(__file__).parents[2]
LOADED = re.compile(r"""<(?:script|link|img|iframe|source)\b[^>]*?\b(?:src|href)=["']?(?:https?:)?//[^>]*>""")


def module(name: str) -> ModuleType:
    spec = spec_from_file_location(f"site_{name}", ROOT / "scripts" / "site" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    found = module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


pages = module("pages")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [Path(sys.executable).parent / "mkdocs", "build", "--strict", "--site-dir", folder]
    # A proxy that is not there: what would fetch something fails.
    nowhere = dict.fromkeys(("http_proxy", "https_proxy", "all_proxy"), "http://127.0.0.1:9")
    env = os.environ | nowhere | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stdout + done.stderr
    return folder


@pytest.mark.slow
def test_the_site_holds_every_page_example_and_package(site: Path) -> None:
    written = [path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")]
    examples = [Path("examples", path.stem).with_suffix(".html") for path in (ROOT / "examples").glob("*.py")]
    packages = [Path(name).with_suffix(".html") for name in ("python/houseway", "python/houseway.manager.core")]
    expected = [Path("index.html"), *written, *examples, *packages, Path("project/changelog.html")]
    assert [str(page) for page in expected if not (site / page).is_file()] == []


@pytest.mark.slow
def test_the_reference_shows_docstrings_and_their_examples_as_code(site: Path) -> None:
    page = (site / "python" / "houseway.cards.html").read_text(encoding="utf-8")
    assert 'id="houseway.cards.shuffler.replay"' in page
    assert "Deal a finished round again from its revealed seed" in page
    assert "&gt;&gt;&gt; " in re.sub(r"<[^>]+>", "", page), "an example keeps its prompt"
    assert page.count("<blockquote>") == 0


@pytest.mark.slow
def test_the_reference_begins_with_the_front_door(site: Path) -> None:
    page = (site / "python" / "houseway.html").read_text(encoding="utf-8")
    places = [page.find(f'id="{houseway._HOME_OF[name]}.{name}"') for name in ("advise", "settle", "Room", "Seat")]
    assert -1 not in places
    assert places == sorted(places)
    assert page.find('id="houseway.errors"') > places[-1]


@pytest.mark.slow
def test_the_site_loads_nothing_from_elsewhere(site: Path) -> None:
    loaded = {found for path in site.rglob("*.html") for found in LOADED.findall(path.read_text(encoding="utf-8"))}
    assert loaded == set()
    styles = [
        path for path in site.rglob("*.css") if re.search(r"url\(\s*['\"]?(?:https?:)?//", path.read_text("utf-8"))
    ]
    assert styles == []


@pytest.mark.slow
def test_the_search_knows_every_section_and_works_from_a_folder(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    found = {entry["location"] for entry in index["docs"]}
    assert {"index.html", "odds.html#method", "python/houseway.cards.html#houseway.cards.shuffler.deal"} <= found
    for page, script in (("index.html", "site-search.js"), ("guides/audit.html", "../site-search.js")):
        assert f'src="{script}"' in (site / page).read_text(encoding="utf-8")
    assert (site / "search" / "search_index.js").is_file()


def test_links_to_files_of_the_repository_become_links_of_the_site() -> None:
    text = "[a](docs/odds.md#method) [b](https://example.com) [c](#here) [d](LICENSE) [e](examples/exact_odds.py)"
    assert pages.with_links(text, "index.md") == (
        "[a](odds.md#method) [b](https://example.com) [c](#here) [d](project/licence.md) [e](examples/exact_odds.md)"
    )
    assert pages.with_links("[x](../../README.md)", "guides/audit.md") == "[x](../index.md)"
    assert pages.with_links("[x](../../scripts/run)", "guides/audit.md") == "x (`scripts/run`)"
    assert pages.with_links("```\n[x](../../scripts/run)\n```", "guides/audit.md").startswith("```\n[x]")


def test_a_link_that_leads_nowhere_is_left_for_the_strict_build_to_find() -> None:
    assert pages.with_links("[x](../missing.md)", "guides/audit.md") == "[x](../missing.md)"
    assert pages.with_links("[x](../../missing.py)", "guides/audit.md") == "[x](../missing.py)"


def test_a_page_that_no_list_names_is_in_the_navigation() -> None:
    every = [
        "index.md",
        "odds.md",
        "new.md",
        "guides/b.md",
        "guides/a.md",
        "python/houseway.md",
        "python/houseway.odds.md",
    ]
    nav = {title: entries for entry in pages.navigation(every) for title, entries in entry.items()}
    assert nav["Odds"] == ["odds.md"]
    assert nav["Guides"] == ["guides/a.md", "guides/b.md"]
    assert nav["Python"] == [{"houseway": "python/houseway.md"}, {"odds": "python/houseway.odds.md"}]
    assert nav["Project"] == ["new.md"]


def test_examples_of_docstrings_get_a_fence() -> None:
    fenced = module("doctests").fenced
    assert fenced("A.\n\n>>> 1\n1") == "A.\n\n```pycon\n>>> 1\n1\n```"
    assert fenced("A.\n\n    >>> 1\n    1\n\nB.") == "A.\n\n    >>> 1\n    1\n\nB."
    assert fenced("No example.") == "No example."
