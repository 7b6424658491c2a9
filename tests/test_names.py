"""Names: a module is called by one name of its own."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "src" / "houseway"

NAMED_AFTER_A_COMMAND = {"cache", "controller", "manager", "odds", "settle", "verify"}
"""Modules of `cli` that hold one command of the same name; what it calls, further down, may be called the same."""

THE_TASK_OF_THE_FRONT_DOOR = {"advice", "hands", "odds"}
"""Modules of `api` that are named after the task, as their functions are."""


def _modules(root: Path) -> list[tuple[str, ...]]:
    paths = (path.relative_to(root).with_suffix("").parts for path in root.rglob("*.py"))
    return [parts for parts in paths if not parts[-1].startswith("__")]


def _namesakes(modules: list[tuple[str, ...]]) -> dict[str, list[str]]:
    """Names that several modules share, each with these modules; what the two lists above allow is left out."""
    homes: dict[str, list[str]] = defaultdict(list)
    for parts in modules:
        if parts[0] == "cli" and parts[-1] in NAMED_AFTER_A_COMMAND:
            continue
        if parts[0] == "api" and parts[-1] in THE_TASK_OF_THE_FRONT_DOOR:
            continue
        homes[parts[-1]].append(".".join(parts))
    return {name: found for name, found in homes.items() if len(found) > 1}


def test_a_module_has_its_name_for_itself() -> None:
    modules = _modules(PACKAGE)
    assert len(modules) > 200
    assert _namesakes(modules) == {}


def test_every_allowed_namesake_is_one() -> None:
    names = {parts[:1] + parts[-1:] for parts in _modules(PACKAGE)}
    assert {("cli", name) for name in NAMED_AFTER_A_COMMAND} <= names
    assert {("api", name) for name in THE_TASK_OF_THE_FRONT_DOOR} <= names


def test_namesakes_are_found() -> None:
    modules = [("games", "tables"), ("odds", "deep", "tables"), ("cli", "settle"), ("games", "settle")]
    assert _namesakes(modules) == {"tables": ["games.tables", "odds.deep.tables"]}
