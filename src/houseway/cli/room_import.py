"""`houseway staff import` and `table import`: people and tables out of a CSV file, a row each.

The columns are the options of `staff add` and `table create`, and are read in the same way. What is there already is
left as it is, so that a file can be imported again after it was corrected.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Annotated, Any, Final

from cyclopts import Parameter

from houseway.api.arguments import Arguments
from houseway.cli.command_options import CommandOption, options_of, read_options
from houseway.cli.command_sending import Sending
from houseway.cli.files import opened
from houseway.cli.manager_changes import ActorOption
from houseway.cli.manager_where import ManagerLocation, SignIn, asked
from houseway.cli.output import JsonFlag, print_json, print_text
from houseway.errors import InputError
from houseway.manager.commands import COMMANDS

IMPORTED: Final = {"staff": ("person.add", "people"), "table": ("table.create", "tables")}
"""By group: the command of a row, and the question that tells what is there already."""
_SEVERAL: Final = ";"
"""Between values in one cell, as a comma ends the cell."""


def importing(group: str) -> Callable[..., int]:
    """The import of a group."""
    kind, listed = IMPORTED[group]

    def run(
        file: Annotated[str, Parameter(allow_leading_hyphen=True, help="The CSV file; - for standard input.")],
        /,
        *,
        actor: ActorOption = None,
        sign_in_with: SignIn = None,
        where: ManagerLocation = ManagerLocation(),  # noqa: B008 - frozen
        as_json: JsonFlag = False,
    ) -> int:
        rows = read_rows(file, kind)
        known = {entry["id"] for entry in asked(where, listed).to_json()[listed]}  # type: ignore[union-attr, index, call-overload]
        sending = Sending(where, actor=actor, sign_in=sign_in_with, yes=True, as_json=as_json)
        new = [row for row in rows if next(iter(row.values())) not in known]
        for row in new:
            sending.send({"kind": kind, **row}, new_badge=kind == "person.add")
        if as_json:
            print_json({"entered": len(new), "there_already": len(rows) - len(new)})
        else:
            print_text(f"{len(new)} entered, {len(rows) - len(new)} there already")
        return 0

    columns = ", ".join(option.path for option in options_of(COMMANDS[kind]))
    run.__doc__ = (
        f"Enter the rows of a CSV file. Columns, by their names in the first row: {columns}; several values in a cell "
        f"have {_SEVERAL} between them.\n\nNothing is sent before every row can be read. "
        f"Example: `houseway {group} import {group}.csv`."
    )
    return run


def read_rows(name: str, kind: str) -> list[dict[str, Any]]:
    """The fields of each row, read as the options of the command are; every fault of every row is told."""
    options = {option.path: option for option in options_of(COMMANDS[kind])}
    arguments = Arguments()
    with opened(name, "file") as stream:
        try:
            text = stream.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise InputError.of(
                "unreadable-file", "file", f"{name[:200]} is not UTF-8: save it as CSV in UTF-8"
            ) from None
    reader = csv.DictReader(io.StringIO(text), skipinitialspace=True)
    columns = [column.strip().lower().replace("_", "-") for column in reader.fieldnames or ()]
    for column in columns:
        arguments.choice(column, tuple(options), f"column {column}")
    arguments.refuse_if_any()
    reader.fieldnames = columns
    rows = [_read_row(arguments, row, tuple(options.values()), f"line {reader.line_num}") for row in reader]
    arguments.refuse_if_any()
    return rows


def _read_row(
    arguments: Arguments, row: dict[str, Any], options: tuple[CommandOption, ...], place: str
) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for option in options:
        cell = row.get(option.path)
        if isinstance(cell, str) and cell.strip():
            given[option.field] = (
                [part.strip() for part in cell.split(_SEVERAL)] if option.is_repeated else cell.strip()
            )
    apart = Arguments()
    read = read_options(apart, options, given, "houseway")
    for fault in apart.found():
        arguments.add(fault.code, f"{place}.{fault.path}", fault.message)
    return read
