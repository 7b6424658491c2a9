"""Only the reader of input puts together what it expected and what it found, and looks for what was meant."""

from __future__ import annotations

import ast
from pathlib import Path

import houseway

PACKAGE = Path(houseway.__file__).parent
READER = PACKAGE / "reading"
SUGGESTS = {"wording.py", "manager/store/search_names.py"}
"""Where `did_you_mean` itself is used: by `suggestion`, and by a search that suggests without refusing anything."""


def sentences(tree: ast.AST) -> list[str]:
    """The texts with values in them; each value is a brace."""
    return [
        "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
    ]


def is_of_the_reader(sentence: str) -> bool:
    return ("expected " in sentence and ", found {}" in sentence) or "is not read here" in sentence


def outside_the_reader() -> dict[str, ast.Module]:
    paths = [path for path in PACKAGE.rglob("*.py") if READER not in path.parents]
    return {path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def test_only_the_reader_says_what_it_expected_and_found() -> None:
    found = {name: list(filter(is_of_the_reader, sentences(tree))) for name, tree in outside_the_reader().items()}
    assert {name: texts for name, texts in found.items() if texts} == {}
    own = [text for path in READER.glob("*.py") for text in sentences(ast.parse(path.read_text(encoding="utf-8")))]
    assert any(map(is_of_the_reader, own)), "the search finds them where they are"


def test_one_function_suggests_what_was_meant() -> None:
    using = {
        name
        for name, tree in outside_the_reader().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id in ("did_you_mean", "get_close_matches")
    }
    assert using == SUGGESTS


def test_nobody_takes_apart_what_another_library_says() -> None:
    assert [name for name, tree in outside_the_reader().items() if "Expected `" in ast.unparse(tree)] == []
