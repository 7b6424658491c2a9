"""What a refusal says about an unknown word and about a value of the wrong kind."""

from __future__ import annotations

import datetime
import subprocess
import sys

import pytest

from houseway.wording import LONGEST_COMPARED, did_you_mean, kind_of


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "null"),
        (True, "true or false"),
        (0, "a whole number"),
        (0.5, "a number with a fraction"),
        ("0", "text"),
        ([], "a list"),
        ({}, "a table"),
        (datetime.date(2023, 6, 14), "a date or time"),
        (datetime.time(7, 32), "a date or time"),
        ((), "tuple"),
    ],
)
def test_a_value_is_named_in_plain_words(value: object, words: str) -> None:
    assert kind_of(value) == words


def test_a_dictionary_has_the_word_of_its_format() -> None:
    assert kind_of({}, "an object") == "an object"
    assert kind_of([], "an object") == "a list"


def test_the_nearest_words_come_first_and_no_more_than_asked_for() -> None:
    known = ["two-pair", "three-pair", "straight"]
    assert did_you_mean("tree-pair", known) == "did you mean three-pair?"
    assert did_you_mean("tree-pair", known, most=3) == "did you mean three-pair or two-pair?"
    assert did_you_mean("tree-pair", iter(known), show=repr) == "did you mean 'three-pair'?"


def test_nothing_is_suggested_where_nothing_is_near() -> None:
    assert did_you_mean("xyz", ["two-pair"]) == ""
    assert did_you_mean("two-pair", []) == ""


def test_a_long_word_is_not_compared() -> None:
    longest = "a" * LONGEST_COMPARED
    assert did_you_mean(longest, [longest]) == f"did you mean {longest}?"
    assert did_you_mean(longest + "a", [longest]) == ""


def test_what_refuses_nothing_does_not_load_the_comparison() -> None:
    script = "import sys, houseway.games, houseway.houseways, houseway.paytables; print('difflib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
