"""`houseway replay`: deal a finished round again from its revealed seed and say where the record differs."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from houseway.api import deal_and_replay
from houseway.cli.files import opened
from houseway.cli.jsonin import LONGEST_TEXT, parse_json
from houseway.cli.output import JsonFlag, print_json, print_text


def replay(
    file: Annotated[
        str,
        Parameter(allow_leading_hyphen=True, help="A round as `deal --json` wrote it, or - for standard input."),
    ],
    /,
    *,
    as_json: JsonFlag = False,
) -> int:
    """Deal a round again from its revealed seed: exit code 0 if every card and the commitment match, 1 if not."""
    with opened(file, "file") as stream:
        data = parse_json(stream.read(LONGEST_TEXT + 1), "file")
    found = deal_and_replay.replay(data)
    if as_json:
        print_json(found.to_json())
    elif found.differences:
        print_text("The record differs from its replay:", *(f"  {fault}" for fault in found.differences))
    else:
        print_text("Every card follows from the seed, and the seed fits the commitment.")
    return 0 if found.matches else 1
