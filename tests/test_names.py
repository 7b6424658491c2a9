"""Names: every module and every class has one of its own, and a class is a noun."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "houseway"
INSTRUMENTS = ROOT / "instruments"

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


# Classes

NO_NOUNS = frozenset(
    """
    Archived Asked Asking Carried Checked Dated Dealt Decided Direct Do Done Expected Followed Following Found
    Given Gone Heard Joining Keeping Kept Known Left Locked Lost Lying Made Met Missing Mortal Named No Open Paid
    Past Pressed Published Read Refused Remembered Resolved Sealed Seen Sent Set Shown Signed Solved Spoken Stored
    Strange Taken Told Touched Unlisted Used Waiting Wanted Where Written
    """.split()
)
"""Participles, adjectives and verbs that once were, or might become, the whole name of a class."""

NO_NOUN_BEFORE_OR_AFTER = re.compile(r"^(?:As|In|On|Of)[A-Z][a-z]+$|(?:Kept|Seen|Known|Taken|Given)$")
"""`AsOf`, `OnDisk`, `TermsKept`: a noun would say what the thing is. Records of what happened end in other words."""

ACTS_OF_THE_MANAGER = re.compile(
    r"(?:Accepted|Archived|Locked|Noticed|Rebuilt|Recorded|Refused|Resumed|Started|Taken)$"
)
"""Commands that the manager gives itself report what it did: `ServerStarted`, `SnapshotTaken`."""


def _classes(*roots: Path) -> dict[str, list[str]]:
    homes: dict[str, list[str]] = defaultdict(list)
    for root in roots:
        for path in root.rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    homes[node.name].append(path.relative_to(root.parent).as_posix())
    return homes


def _is_no_noun(name: str, homes: list[str]) -> bool:
    plain = name.lstrip("_")
    if homes == ["houseway/manager/commands/system_commands.py"] and ACTS_OF_THE_MANAGER.search(plain):
        return False
    return plain in NO_NOUNS or bool(NO_NOUN_BEFORE_OR_AFTER.search(plain))


def test_classes_are_nouns() -> None:
    classes = _classes(PACKAGE, INSTRUMENTS)
    assert len(classes) > 400
    found = {name for name, homes in classes.items() if _is_no_noun(name, homes)}
    assert found == set()


def test_a_class_has_its_name_for_itself() -> None:
    """But for those of one module only. The instruments are left out: a checker calls what it checks by its name."""
    shared = {name: homes for name, homes in _classes(PACKAGE).items() if len(homes) > 1 and name[0] != "_"}
    assert shared == {}


def test_names_that_are_no_nouns_are_found() -> None:
    here = ["houseway/games/somewhere.py"]
    assert all(_is_no_noun(name, here) for name in ("Taken", "_Lying", "OnDisk", "TermsKept", "Do"))
    assert not any(_is_no_noun(name, here) for name in ("TakenWagers", "OutboxEntry", "Round", "InputError", "Setup"))
