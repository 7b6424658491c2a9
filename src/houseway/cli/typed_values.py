"""Values as people type them after an option, read by the type of the field that they are for.

Amounts are dollars, times are those of the place, lists have commas, and an object is written NAME=VALUE, or
NAME:PART=VALUE,PART=VALUE where its values have parts of their own. What cannot be read is noted, and reading goes on.
"""

from __future__ import annotations

import json
import re
import types
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from houseway.cli.command_times import NOW
from houseway.cli.times import read_time
from houseway.cli.words import MICROS, is_amount, is_time, part_name
from houseway.reading.places import excerpt

if TYPE_CHECKING:
    from houseway.api.arguments import Arguments

NOTHING: Final = "none"
"""The word for no value, where a field may have none."""
_LARGEST: Final = 2**53
_PARTS: Final = re.compile(r",(?=[a-z_]+=)")
"""Between parts: a comma before the next name. Other commas belong to a value, as in 10,000."""
_AMOUNT: Final = re.compile(r"(-?)\$? ?([0-9]+)(?:\.([0-9]{1,6}))?")
_WORDS: Final = {"yes": True, "true": True, "no": False, "false": False}


def plain_type(hint: Any) -> Any:  # noqa: ANN401 - any annotation
    """A type without its bounds, and without null and unset.

    >>> plain_type(Annotated[list[int], msgspec.Meta(max_length=5)] | None)
    list[int]
    """
    while get_origin(hint) in (Annotated, Union, types.UnionType):
        given = [each for each in get_args(hint) if each not in (type(None), msgspec.UnsetType)]
        if get_origin(hint) is not Annotated and len(given) > 1:
            return hint
        hint = given[0]
    return hint


def is_nullable(hint: Any) -> bool:  # noqa: ANN401 - any annotation
    """Whether a field may hold null."""
    return get_origin(hint) in (Union, types.UnionType) and type(None) in get_args(hint)


def is_object(hint: Any) -> bool:  # noqa: ANN401 - any annotation
    """Whether a value has named parts."""
    plain = plain_type(hint)
    return get_origin(plain) is dict or (isinstance(plain, type) and issubclass(plain, msgspec.Struct))


def is_list(hint: Any) -> bool:  # noqa: ANN401 - any annotation
    """Whether a value is a list."""
    return get_origin(plain_type(hint)) in (list, tuple)


def shown_type(hint: Any, name: str) -> str:  # noqa: ANN401 - any annotation
    """What stands for a value in a help text.

    >>> shown_type(int, "float_cents"), shown_type(dict[str, str], "paytables"), shown_type(str | None, "way")
    ('DOLLARS', 'NAME=TEXT', 'TEXT')
    """
    plain = plain_type(hint)
    given = get_args(plain)
    if get_origin(plain) is dict:
        if given[1] is Any:
            return "NAME=VALUE"
        inner = shown_type(given[1], part_name(name, ""))
        return f"NAME:{inner}" if is_object(given[1]) else f"NAME={inner}"
    if get_origin(plain) in (list, tuple):
        return f"{shown_type(given[0], name)},..."
    if isinstance(plain, type) and issubclass(plain, msgspec.Struct):
        return ",".join(f"{part}={shown_type(each, part)}" for part, each in get_type_hints(plain).items())
    if get_origin(plain) is Literal:
        return "|".join(map(str, given))
    return _shown_scalar(plain, name)


def _shown_scalar(plain: Any, name: str) -> str:  # noqa: ANN401 - any annotation
    if is_amount(name):
        return "DOLLARS"
    if is_time(name):
        return "TIME"
    return {bool: "yes|no", int: "NUMBER"}.get(plain, "TEXT")


def read_value(arguments: Arguments, text: str, hint: Any, name: str, path: str) -> Any:  # noqa: ANN401 - JSON
    """The value that a text says for a field; None with a fault noted where it says none."""
    plain = plain_type(hint)
    if is_nullable(hint) and text == NOTHING:
        return None
    given = get_args(plain)
    if get_origin(plain) is dict:
        key_type, value_type = given
        return _read_parts(arguments, text, dict.fromkeys(_names(key_type), value_type) or value_type, name, path)
    if get_origin(plain) in (list, tuple):
        words = [word for word in re.split(r"[,\s]+", text) if word]
        return [read_value(arguments, word, given[0], name, f"{path}[{place}]") for place, word in enumerate(words)]
    if isinstance(plain, type) and issubclass(plain, msgspec.Struct):
        return _read_parts(arguments, text, get_type_hints(plain, include_extras=True), name, path)
    if get_origin(plain) is Literal:
        return arguments.choice(text, given, path)
    return _read_scalar(arguments, text, plain, name, path)


def read_entry(arguments: Arguments, text: str, hint: Any, name: str, path: str) -> tuple[str, Any] | None:  # noqa: ANN401 - JSON
    """One entry of an object, NAME=VALUE or NAME:PARTS; None with a fault noted where it is neither."""
    key_type, value_type = get_args(plain_type(hint))
    sign = ":" if is_object(value_type) and value_type is not Any else "="
    key, found, rest = text.partition(sign)
    if not found or not key:
        shape = shown_type(hint, name)
        arguments.add("bad-argument", path, f"{excerpt(text)!r} is not an entry: write it as {shape}")
        return None
    if _names(key_type) and arguments.choice(key, _names(key_type), path) is None:
        return None
    return key, read_value(arguments, rest, value_type, part_name(name, key), f"{path}.{key}")


def _names(key_type: Any) -> tuple[str, ...]:  # noqa: ANN401 - any annotation
    """The closed list of an object's keys; nothing where any text is one."""
    return get_args(key_type) if get_origin(key_type) is Literal else ()


def _read_parts(arguments: Arguments, text: str, parts: Any, name: str, path: str) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """The parts of an object; `parts` has the type of each, or is the type of all of them."""
    read: dict[str, Any] = {}
    for word in _PARTS.split(text):
        part, found, value = word.partition("=")
        if not found:
            arguments.add(
                "bad-argument", path, f"{excerpt(word)!r} is not a part: write NAME=VALUE, with commas between"
            )
        elif isinstance(parts, dict) and part not in parts:
            arguments.choice(part, parts, f"{path}.{part}")
        else:
            hint = parts[part] if isinstance(parts, dict) else parts
            read[part] = read_value(arguments, value, hint, part_name(name, part), f"{path}.{part}")
    return read


def _read_scalar(arguments: Arguments, text: str, plain: Any, name: str, path: str) -> Any:  # noqa: ANN401 - JSON
    if is_time(name):
        return text if text == NOW else read_time(arguments, text, path, is_end=name == "until")
    if is_amount(name) and (plain is int or _AMOUNT.fullmatch(text.replace(",", ""))):
        return read_dollars(arguments, text, path, 6 if name in MICROS or name.endswith("_micros") else 2)
    if plain is bool:
        return _read_yes(arguments, text, path)
    if plain is int:
        return arguments.whole_number(text, path, -_LARGEST, _LARGEST)
    return text if plain is str else _guessed(text)


def _guessed(text: str) -> Any:  # noqa: ANN401 - JSON
    """A value of any kind: yes and no, a whole number, JSON in brackets, else the text itself.

    >>> _guessed("yes"), _guessed("12"), _guessed("20%"), _guessed("[1, 2]")
    (True, 12, '20%', [1, 2])
    """
    if text in _WORDS:
        return _WORDS[text]
    if re.fullmatch(r"-?[0-9]{1,15}", text):
        return int(text)
    if text[:1] in ("{", "["):
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text


def _read_yes(arguments: Arguments, text: str, path: str) -> bool | None:
    word = arguments.choice(text, tuple(_WORDS), path)
    return None if word is None else _WORDS[word]


def read_dollars(arguments: Arguments, text: str, path: str, digits: int = 2) -> int | None:
    """An amount in dollars as cents, or as millionths with six digits; a dollar sign and commas may stand in it."""
    found = _AMOUNT.fullmatch(text.strip().replace(",", "").replace("_", ""))
    if found is None or len(found[3] or "") > digits:
        told = "to the cent" if digits == 2 else "to the millionth"
        message = f"{excerpt(text)!r} is not an amount in dollars: write it {told} at most, as in 10,000 or 12.50"
        arguments.add("bad-argument", path, message)
        return None
    sign, whole, rest = found.groups()
    amount = int(f"{whole}{(rest or '').ljust(digits, '0')}")
    if amount > _LARGEST:
        arguments.add("out-of-range", path, f"{excerpt(text)} is more than any room has")
        return None
    return -amount if sign else amount
