"""docs/reference/faults.md and the sources name the same fault codes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import houseway
from houseway.houseways.interpret import Status

SOURCES = Path(houseway.__file__).parent
PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "faults.md"
CODE = re.compile(r"[a-z]+[a-z0-9]*(-[a-z0-9]+)*")

COMPUTED = {
    "f'hand-{outcome.status.name.lower()}'": {f"hand-{status.name.lower()}" for status in Status} - {"hand-set"},
}
"""Codes that are put together from parts, by the expression that does it."""


def documented() -> set[str]:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    return {code for row in rows for code in re.findall(r"`([^`]+)`", row.split("|")[1])}


def used() -> set[str]:
    return {code for path in SOURCES.rglob("*.py") for code in codes_of(ast.parse(path.read_text(encoding="utf-8")))}


def codes_of(tree: ast.Module) -> Iterator[str]:
    """Every code that a module hands to a fault: as an argument, as a default, or by way of a name `code`."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="Codes") | ast.Attribute(value=ast.Name(id="Codes"))):
                yield from texts(node)
            case ast.Call(func=function, args=[first, *others], keywords=keywords):
                if makes_fault(function, len(others)):
                    yield from texts(first)
                yield from (code for word in keywords if word.arg == "code" for code in texts(word.value))
            case ast.Call(keywords=keywords):
                yield from (code for word in keywords if word.arg == "code" for code in texts(word.value))
            case ast.arguments():
                yield from defaults(node)
            case ast.Assign(targets=[ast.Name(id="code")], value=value):
                yield from texts(value)
            case ast.AnnAssign(target=ast.Name(id="FAULT_CODES_OF_USAGE"), value=ast.expr() as value):
                yield from texts(value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if name.endswith("_CODE"):
                yield from texts(value)


def makes_fault(function: ast.expr, other_arguments: int) -> bool:
    match function:
        case ast.Name(id="Fault"):
            return True
        case ast.Attribute(value=ast.Name(id=name), attr="of"):
            return name.endswith("Error")
        case ast.Attribute(attr="add" | "fault"):
            # The add of a set has one argument.
            return other_arguments >= 2
    return False


def defaults(arguments: ast.arguments) -> Iterator[str]:
    places = [*arguments.posonlyargs, *arguments.args]
    pairs: list[tuple[ast.arg, ast.expr | None]] = [*zip(reversed(places), reversed(arguments.defaults), strict=False)]
    pairs += zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    for argument, default in pairs:
        if argument.arg == "code" and default is not None:
            yield from texts(default)


def texts(expression: ast.expr) -> Iterator[str]:
    """The texts that an expression can be; what comes from elsewhere is found where it is made."""
    for node in ast.walk(expression):
        if isinstance(node, ast.JoinedStr):
            yield from COMPUTED[ast.unparse(node)]
            return
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_every_code_that_is_used_is_documented() -> None:
    assert sorted(used() - documented()) == []


def test_every_documented_code_is_used() -> None:
    assert sorted(documented() - used()) == []


def test_every_code_has_the_form_of_a_code() -> None:
    assert [code for code in sorted(documented() | used()) if not CODE.fullmatch(code)] == []


def test_the_search_finds_codes_in_every_form() -> None:
    tree = ast.parse(
        """
def refuse(self, path, code="given-by-default"):
    Fault("in-a-fault", path, "x")
    InputError.of("in-an-error", path, "x")
    faults.add("one" if path else "other", path, "x")
    self.choice(path, code="as-a-keyword")
    names.add("no-code")
    code = "by-a-name"
    Codes(missing="of-a-kind-of-input", unknown="of-another")
    Codes.only("for-everything")
"""
    )
    assert set(codes_of(tree)) == {
        "given-by-default",
        "in-a-fault",
        "in-an-error",
        "one",
        "other",
        "as-a-keyword",
        "by-a-name",
        "of-a-kind-of-input",
        "of-another",
        "for-everything",
    }
