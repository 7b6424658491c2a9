"""A program that shares no code with Houseway comes to the same figures, to the millionth, from the exported events."""

from __future__ import annotations

import ast
import sys
from datetime import date
from pathlib import Path

import pytest

from houseway.manager.store.reading import View, open_view
from tests.manager.reports.recomputed import TOOL, check_reports, exported
from tests.manager.reports.stretch import DAYS, Stretch, moment

LATER = moment("2026-12-01T00:00")


@pytest.fixture(scope="module")
def file(stretch: Stretch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    with open_view(stretch.url) as view:
        return exported(view, tmp_path_factory.mktemp("export"))


@pytest.mark.parametrize("days", [*((day,) for day in DAYS), (DAYS[0], DAYS[-1])])
def test_every_figure_is_found_again(view: View, file: Path, days: tuple[date, ...]) -> None:
    check_reports(view, file, days, LATER)


def test_the_program_stands_alone() -> None:
    text = TOOL.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 300
    imports = set[str]()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            imports |= {each.name.split(".")[0] for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            imports.add(str(node.module).split(".")[0])
    assert {"gzip", "json"} <= imports <= sys.stdlib_module_names
