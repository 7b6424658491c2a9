"""The first people of a property: read from a file or asked for, with a badge each."""

from __future__ import annotations

import getpass
import sys
from typing import Any, get_args

from houseway.cli.asking import has_terminal
from houseway.cli.files import opened
from houseway.cli.jsonin import parse_json
from houseway.cli.manager_tokens import new_token
from houseway.errors import InputError

Person = dict[str, Any]


def first_people(file: str | None) -> tuple[list[Person], dict[str, str]]:
    """The people, each with a badge, and the badges that were made here by person: they are told once."""
    people = _from_file(file) if file is not None else _asked()
    made: dict[str, str] = {}
    for person in people:
        if not person.get("badge"):
            person["badge"] = made[str(person.get("id"))] = new_token()
    return people, made


def _from_file(name: str) -> list[Person]:
    with opened(name, "people") as stream:
        listed = parse_json(stream.read(), "people")
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        message = 'the file lists people: [{"id": "E1", "name": "...", "department": "...", "roles": [...]}, ...]'
        raise InputError.of("wrong-type", "people", message)
    return listed


def _asked() -> list[Person]:
    if not has_terminal():
        message = "name a file with the first two people (--people), or run this in a terminal to be asked for them"
        raise InputError.of("missing-argument", "people", message)
    return [_one_asked(number) for number in (1, 2)]


def _one_asked(number: int) -> Person:
    """Ask for one person on the terminal."""
    from houseway.manager.interface.field_types import Department, Role

    sys.stdout.write(f"Person {number} of the first two; departments differ, and one is an executive.\n")
    return {
        "id": input("  id (such as E1): ").strip(),
        "name": input("  name: ").strip(),
        "department": input(f"  department ({', '.join(get_args(Department))}): ").strip(),
        "roles": input(f"  roles ({', '.join(get_args(Role))}): ").replace(",", " ").split(),
        "badge": getpass.getpass("  badge (empty: one is drawn): ").strip(),
    }
