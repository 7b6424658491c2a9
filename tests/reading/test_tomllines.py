"""The scanner that finds lines agrees with the parser about every place in a document."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import houseway
from houseway.reading.tomllines import Locator
from tests.paytables.sample import UNHURRIED

TRICKY = '''\
# comment with [brackets] and "quotes"
plain = 1
"quoted key" = 2
'literal' = 3
a.b."c.d" = 4
text = "with # no comment and ] no bracket \\" end"
long = """
[not a header]
also = "no key" \\""" still inside
""""
raw = \'\'\'
x = 1
\'\'\'
after = 5
list = [ # comment ]
  1, "two,]", [ 3,
  4 ], { deep = 5, x.y = [6] },
]
when = 1979-05-27 07:32:00
last = true

[ head . er ]
key = 6
[[rows]]
n = 1
[[rows]]
n = 2
[rows.sub]
m = 3
[[rows.more]]
k = 4
'''


def test_tricky_documents_are_followed() -> None:
    tomllib.loads(TRICKY)
    locator = Locator(TRICKY)
    expected = {
        ("plain",): 2,
        ("quoted key",): 3,
        ("literal",): 4,
        ("a", "b", "c.d"): 5,
        ("text",): 6,
        ("long",): 7,
        ("raw",): 11,
        ("after",): 14,
        ("list",): 15,
        ("list", 0): 16,
        ("list", 1): 16,
        ("list", 2, 0): 16,
        ("list", 2, 1): 17,
        ("list", 3, "deep"): 17,
        ("list", 3, "x", "y", 0): 17,
        ("when",): 19,
        ("last",): 20,
        ("head", "er", "key"): 23,
        ("rows", 0): 24,
        ("rows", 0, "n"): 25,
        ("rows", 1, "n"): 27,
        ("rows", 1, "sub", "m"): 29,
        ("rows", 1, "more", 0, "k"): 31,
    }
    assert {place: locator.line_of(place) for place in expected} == expected


def test_an_absent_place_has_the_line_of_what_is_around_it() -> None:
    locator = Locator(TRICKY)
    assert locator.line_of(("rows", 1, "absent")) == 26
    assert locator.line_of(("list", 7)) == 15
    assert locator.line_of(("absent",)) == 1


def places(value: object, place: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], object]]:
    """Every place of a parsed document with its value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, element in inner:
        yield (*place, key), element
        yield from places(element, (*place, key))


def test_every_value_of_the_shipped_files_is_found_on_its_own_line() -> None:
    shipped = sorted(Path(houseway.__file__).parent.glob("**/*.toml"))
    assert {file.parts[-2] for file in shipped} >= {"definitions", "clauses", "paytables", "ways"}
    for file in shipped:
        text = file.read_text()
        rows = text.split("\n")
        locator = Locator(text)
        for place, value in places(tomllib.loads(text)):
            row = rows[locator.line_of(place) - 1]
            if isinstance(place[-1], str):
                assert place[-1] in row, (file.name, place)
            if isinstance(value, int) and not isinstance(value, bool):
                # 300_00 and 30000 are the same number.
                assert f"{place[-1]} = {value}" in re.sub(r"(?<=\d)_(?=\d)", "", row), (file.name, place)


scalars = st.one_of(
    st.integers(-10, 10).map(str),
    st.sampled_from(["true", '"a # b"', "'c ] d'", "1979-05-27 07:32:00", '"\\" }"', "[]", "{}", "1.5"]),
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: "[ " + ", ".join(items) + " ]"),
        st.lists(inner, max_size=3).map(lambda items: "[ # [\n" + ",\n".join(items) + "\n]"),
        st.lists(inner.filter(lambda text: "\n" not in text), max_size=3).map(
            lambda items: "{ " + ", ".join(f"k{index} = {item}" for index, item in enumerate(items)) + " }"
        ),
    ),
    max_leaves=8,
)
gaps = st.sampled_from(["", "\n", "# key = 1\n", '\n# """\n\n'])


@UNHURRIED
@given(st.lists(st.tuples(gaps, values), max_size=6), st.lists(st.tuples(gaps, values), max_size=4))
def test_keys_are_found_whatever_stands_before_them(
    first: list[tuple[str, str]], second: list[tuple[str, str]]
) -> None:
    text, expected = "", {}
    for index, (gap, value) in enumerate(first):
        text += gap
        expected[(f"key{index}",)] = text.count("\n") + 1
        text += f"key{index} = {value} # end\n"
    for index, (gap, value) in enumerate(second):
        text += gap + "[[rows]]\n"
        expected["rows", index, "value"] = text.count("\n") + 1
        text += f"value = {value}\n"
    tomllib.loads(text)
    locator = Locator(text)
    assert {place: locator.line_of(place) for place in expected} == expected


@UNHURRIED
@given(st.text(alphabet="[]{}\"'=,.#a1 \n\\", max_size=40))
def test_any_text_is_scanned_to_an_end(text: str) -> None:
    assert Locator(text).line_of(("a",)) >= 1


def test_deep_nesting_keeps_what_was_found() -> None:
    locator = Locator("a = 1\nb = " + "[" * 50_000)
    assert locator.line_of(("a",)) == 1
    assert locator.line_of(("b", 0)) == 2
