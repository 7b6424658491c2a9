"""Parts of sentences that all layers share: what was probably meant, what a value is in plain words, amounts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

LONGEST_COMPARED: Final = 80
"""A longer word is not a slip of the finger, and comparing it would take long."""
MOST_LISTED: Final = 100
"""Choices that a refusal lists."""

_KINDS: Final = (
    (bool, "true or false"),
    (int, "a whole number"),
    (float, "a number with a fraction"),
    (str, "text"),
    (list, "a list"),
)


def kind_of(value: object, mapping: str = "a table") -> str:
    """What a value out of JSON or TOML is; `mapping` is that format's own word for a dictionary.

    >>> kind_of(2.5)
    'a number with a fraction'
    >>> kind_of({}, "an object")
    'an object'
    """
    if value is None:
        return "null"
    if isinstance(value, dict):
        return mapping
    for kind, words in _KINDS:
        if isinstance(value, kind):
            return words
    return "a date or time" if type(value).__module__ == "datetime" else type(value).__name__


def dollars(cents: int) -> str:
    """Cents as an amount for people, with a minus in front where it is one.

    >>> dollars(123450), dollars(-5)
    ('$1,234.50', '-$0.05')
    """
    return micro_dollars(cents * 10_000)


def micro_dollars(micros: int) -> str:
    """Millionths of a dollar as an amount for people, with the part below a cent only where there is one.

    >>> micro_dollars(1_234_567_890_000), micro_dollars(12_345_678), micro_dollars(-500_000)
    ('$1,234,567.89', '$12.345678', '-$0.50')
    """
    whole, rest = divmod(abs(micros), 1_000_000)
    digits = f"{rest:06d}"
    return f"{'-' if micros < 0 else ''}${whole:,}.{digits[:2] if digits[2:] == '0000' else digits}"


def in_known_case(word: str, known: Iterable[str]) -> str:
    """The known word that a typed one is but for capital letters; else the word as it is.

    >>> in_known_case("fpgp-3", ["FPGP-2", "FPGP-3"]), in_known_case("Foxwoods", ["foxwoods"]), in_known_case("X", [])
    ('FPGP-3', 'foxwoods', 'X')
    """
    choices = tuple(known)
    if word in choices:
        return word
    folded = word.casefold()
    return next((other for other in choices if other.casefold() == folded), word)


def did_you_mean(word: str, known: Iterable[str], most: int = 1, show: Callable[[str], str] = str) -> str:
    """A question that names the known words nearest to a misspelt one, the nearest first; empty if none is near.

    >>> did_you_mean("fortuna", ["progressive", "fortune"])
    'did you mean fortune?'
    >>> did_you_mean("tree-pair", ["two-pair", "three-pair"], most=2, show=repr)
    "did you mean 'three-pair' or 'two-pair'?"
    >>> did_you_mean("zzz", ["progressive", "fortune"])
    ''
    """
    if len(word) > LONGEST_COMPARED:
        return ""
    # Only a refusal needs this: what is accepted starts without it.
    from difflib import get_close_matches

    near = get_close_matches(word, list(known), n=most)
    return f"did you mean {' or '.join(show(found) for found in near)}?" if near else ""


def suggestion(name: str, known: Iterable[str], most: int = 1) -> str:
    """The hint of every refusal of an unknown word: what was probably meant, else all there is to choose from.

    >>> suggestion("fortuna", ["progressive", "fortune"]), suggestion("zzz", ["progressive", "fortune"])
    ('did you mean fortune?', 'choose one of progressive, fortune')
    """
    choices = list(known)
    more = f" and {len(choices) - MOST_LISTED} more" if len(choices) > MOST_LISTED else ""
    listed = f"choose one of {', '.join(choices[:MOST_LISTED])}{more}" if choices else "there is none"
    return did_you_mean(name, choices, most) or listed
