"""Imports stand at the top of a module: inside a function only behind the doors, and where there is a reason to wait.

The front door and the command line load what a task needs when it is done. Elsewhere an import waits only for an
optional part of the installation, or where a comment above it says why.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import houseway

FOLDER = Path(houseway.__file__).parent
PROJECT = FOLDER.parents[1] / "pyproject.toml"
DOORS = ("houseway.api", "houseway.cli")


@cache
def optional_parts() -> frozenset[str]:
    """The packages of the extras, by the names under which they are imported."""
    extras = tomllib.loads(PROJECT.read_text("utf-8"))["project"]["optional-dependencies"]
    return frozenset(
        re.split(r"[\[<>=;~! ]", wanted)[0].replace("-", "_") for part in extras.values() for wanted in part
    )


@cache
def modules() -> dict[str, ast.Module]:
    names = {
        path: ".".join(("houseway", *path.relative_to(FOLDER).with_suffix("").parts)) for path in FOLDER.rglob("*.py")
    }
    return {name.removesuffix(".__init__"): ast.parse(path.read_text("utf-8")) for path, name in names.items()}


def imported(node: ast.AST) -> Iterator[str]:
    """The modules that an import names."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module is not None:
        yield node.module
        yield from (name for alias in node.names if (name := f"{node.module}.{alias.name}") in modules())


def late(tree: ast.AST) -> list[ast.Import | ast.ImportFrom]:
    """Imports inside functions."""
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    found = {node: None for function in functions for node in ast.walk(function)}
    return [node for node in found if isinstance(node, ast.Import | ast.ImportFrom)]


@cache
def imports_of(name: str) -> tuple[frozenset[str], frozenset[str]]:
    """What a module imports when it is loaded, and what its functions import later."""
    tree = modules().get(name, ast.Module([], []))
    later = frozenset(one for node in late(tree) for one in imported(node))
    return frozenset(one for node in ast.walk(tree) for one in imported(node)) - later, later


@cache
def needs(name: str) -> frozenset[str]:
    """What comes along when a module is loaded, and what the functions of all these import later."""
    everything: set[str] = set()
    ahead = [name]
    while ahead:
        at_once, later = imports_of(ahead.pop())
        ahead += at_once - everything
        everything |= at_once | later
    return frozenset(everything)


def waits_for_an_extra(node: ast.AST) -> bool:
    return any(
        one.partition(".")[0] in optional_parts()
        for name in imported(node)
        for one in {name, *(needs(name) if name.startswith("houseway") else ())}
    )


def says_why(name: str, node: ast.stmt) -> bool:
    path = FOLDER.joinpath(*name.split(".")[1:]).with_suffix(".py")
    lines = path.read_text("utf-8").splitlines()
    above = next(
        line for line in reversed(lines[: node.lineno - 1]) if not line.lstrip().startswith(("from ", "import "))
    )
    return above.lstrip().startswith("#")


def test_an_import_inside_a_function_has_a_reason() -> None:
    found = [
        f"{name}:{node.lineno}"
        for name, tree in modules().items()
        if name != "houseway" and not name.startswith(DOORS)
        for node in late(tree)
        if not waits_for_an_extra(node) and not says_why(name, node)
    ]
    assert found == []


def test_a_needless_one_would_be_seen() -> None:
    needless = ast.parse("def f():\n    from houseway.cards import Card\n    import numpy\n")
    card, numpy = late(needless)
    assert not waits_for_an_extra(card)
    assert waits_for_an_extra(numpy)
    assert optional_parts() >= {"numba", "numpy", "psycopg", "typst", "fastapi"}
