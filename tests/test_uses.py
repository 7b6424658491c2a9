"""Uses: whatever the package defines, the package or its scripts use; what others use is listed with the reason."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import houseway

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "houseway"
APART = frozenset({"migrations", "proofs"})
"""Packages whose names are called by others: the migration tool, and programs of witnesses who check proofs."""
OUTSIDE = [
    *(path for path in (ROOT / "scripts").iterdir() if path.is_file()),
    *(ROOT / "instruments").rglob("*.py"), *(ROOT / "bench").rglob("*.py"),
]  # fmt: skip
"""What uses the package from outside."""

ASYNCIO = "what asyncio calls of a protocol"
USED_FROM_OUTSIDE = {
    "check_left_over_count": "a step of a deal by hand, which docs/shuffle.md offers",
    "deal_in_order": "a deal by hand, which docs/shuffle.md offers and the clauses of hand dealing are checked against",
    "connection_lost": ASYNCIO,
    "connection_made": ASYNCIO,
    "data_received": ASYNCIO,
    "dump": "what the driver of PostgreSQL calls to hand a value over",
    "eof_received": ASYNCIO,
    "fail_at": "lets a store fail at a chosen step",
    "kill_at": "lets a process end at a chosen step",
    "notify": "what numba calls when it compiles",
    "pause_writing": ASYNCIO,
    "resume_writing": ASYNCIO,
    "rule_for": "the readable rule that the kernels are checked against",
    "wanted_by": "what a client is told of by now, which tests of crowds wait for",
    "watchers": "how many watch, which tests of floods wait for",
    "way_against_way": "a second count that the shipped odds are checked against",
    "class_keys": "finds the class of any hand, to hold classes against all hands",
}
"""What no part of the package uses, and why it stands there all the same."""


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _defined(module: ast.Module) -> list[str]:
    """Functions without a decorator that registers them, methods, classes and constants of a module."""
    found = []
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            registered = any(isinstance(each, ast.Call | ast.Attribute) for each in node.decorator_list)
            if not registered or ast.unparse(node.decorator_list[0]).startswith(("lru_cache", "njit", "property")):
                found.append(node.name)
        elif isinstance(node, ast.ClassDef):
            found.append(node.name)
    for line in module.body:
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
            found.append(line.target.id)
        elif isinstance(line, ast.Assign):
            found += [target.id for target in line.targets if isinstance(target, ast.Name)]
    return [name for name in found if not name.startswith("__")]


def _used(module: ast.Module) -> set[str]:
    """Every name that is read; imports alone are no use."""
    found = set()
    for node in ast.walk(module):
        match node:
            case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name, ctx=ast.Load()):
                found.add(name)
            case ast.Constant(value=str() as text) if text.isidentifier():
                found.add(text)
    return found


def test_everything_defined_is_used() -> None:
    modules = [_tree(path) for path in sorted(PACKAGE.rglob("*.py")) if not APART.intersection(path.parts)]
    outside = {word for path in OUTSIDE for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))}
    defined = Counter(name for module in modules for name in _defined(module))
    assert len(defined) > 2000
    used = outside.union(houseway.__all__, *map(_used, modules))
    assert sorted(defined.keys() - used) == sorted(USED_FROM_OUTSIDE)


def test_what_others_use_is_used_there() -> None:
    told = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "docs").rglob("*.md")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in told if path != Path(__file__))
    named = [name for name, why in USED_FROM_OUTSIDE.items() if why != ASYNCIO]
    assert [name for name in named if name not in text] == []
