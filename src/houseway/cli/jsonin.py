"""Reading JSON strictly: one meaning per text, and never more memory or stack than a round can need.

Python's own reader takes NaN, keeps the last of two equal keys and dies on deep nesting; for money a text that two
programs could read differently is refused.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any, Final, NoReturn

from houseway.errors import InputError

LONGEST_TEXT: Final = 1 << 20
"""A round of a full table is a few thousand bytes; a longer line or object than this is not a round."""


class _RefusedError(ValueError):
    """A text that Python would read and we do not."""


def parse_json(data: bytes, path: str = "") -> Any:  # noqa: ANN401 - JSON can be anything until it is checked
    """The JSON value of a UTF-8 text; InputError if it is none, or could mean more than one thing."""
    if len(data) > LONGEST_TEXT:
        raise InputError.of("too-large", path, f"longer than {LONGEST_TEXT} bytes: no round is that large")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"not UTF-8 text: byte {error.start + 1} is {data[error.start]:#04x}"
        raise InputError.of("not-utf8", path, message) from error
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InputError.of("bad-json", path, f"not JSON: {error.msg} at {place}") from error
    except _RefusedError as error:
        raise InputError.of("bad-json", path, str(error)) from error
    except RecursionError as error:
        raise InputError.of("bad-json", path, "nested too deeply to be a round") from error
    except ValueError as error:
        # Python refuses to read integers of thousands of digits.
        raise InputError.of("bad-json", path, "a number with too many digits") from error


def stream_parser() -> Callable[[bytes], Any]:
    """`parse_json` for a stream: by a faster reader where the two surely agree."""
    # Loaded for streams only: a single round is read sooner without it.
    from msgspec import DecodeError
    from msgspec.json import Decoder

    decode = Decoder().decode

    def parse(data: bytes) -> Any:  # noqa: ANN401 - JSON can be anything until it is checked
        # Outside ASCII and in escapes the readers may differ in what they take for a character.
        if len(data) <= LONGEST_TEXT and b"\\" not in data and data.isascii():
            try:
                value = decode(data)
            except (DecodeError, RecursionError):
                return parse_json(data)
            # The fast reader keeps the last of two equal keys. Every key has a colon behind it, so as many different
            # keys as colons leave none that appears twice.
            if type(value) is dict and _keys_in(value) == data.count(b":"):
                return value
        return parse_json(data)

    return parse


def _keys_in(value: dict[str, Any]) -> int:
    """How many keys an object of a round's shape has with the objects in it; of another shape, perhaps fewer."""
    count = len(value)
    for item in value.values():
        if type(item) is dict:
            count += _keys_in(item)
        elif type(item) is list and item and type(item[0]) is dict:
            for element in item:
                if type(element) is dict:
                    count += len(element)
                    for inner in element.values():
                        if type(inner) is dict:
                            count += len(inner)
    return count


def _no_constant(name: str) -> NoReturn:
    raise _RefusedError(f"{name} is not a JSON number")


def _finite(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise _RefusedError(f"{digits[:20]} is too large for a number")
    return number


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these pairs, if no key appears twice."""
    read = dict(pairs)
    if len(read) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        raise _RefusedError(f"the key {twice[:40]!r} appears twice in one object")
    return read


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_constant, parse_float=_finite)
