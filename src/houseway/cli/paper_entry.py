"""`houseway papers enter`: the papers of a file, or those that a table lacks, entered one after the other."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from houseway.api.arguments import Arguments
from houseway.cli.asking import ask, has_terminal
from houseway.cli.command_sending import Sending
from houseway.cli.command_times import with_times
from houseway.cli.files import opened
from houseway.cli.jsonin import parse_json
from houseway.cli.manager_changes import ActorOption
from houseway.cli.manager_where import ManagerLocation, SignIn, asked
from houseway.cli.output import JsonFlag, print_text, printable
from houseway.errors import InputError

if TYPE_CHECKING:
    from houseway.manager.views.view_base import FloorView


def enter(
    file: Annotated[
        str | None,
        Parameter(
            allow_leading_hyphen=True,
            help="A file of papers, a line each as papers drafts prints them; - for standard input.",
        ),
    ] = None,
    /,
    *,
    table: Annotated[
        str | None, Parameter(metavar="TABLE", help="Instead of a file: enter what this table lacks, asked for.")
    ] = None,
    actor: ActorOption = None,
    sign_in_with: SignIn = None,
    where: ManagerLocation = ManagerLocation(),  # noqa: B008 - frozen
    as_json: JsonFlag = False,
) -> int:
    """Enter papers into their registers. What a draft leaves open (FILL IN) is asked for at the terminal.

    A draft approves nothing: compare each with the paper in hand first. Where one is refused, those before it stay
    entered, and the rest can be entered again. Example: `houseway papers enter --table T1`.
    """
    if (file is None) == (table is None):
        raise InputError.of("missing-argument", "file", "name a file of papers, or --table to be asked for its papers")
    papers = _read_papers(file) if file is not None else drafted(_asked_drafts(where, str(table)))
    sending = Sending(where, actor=actor, sign_in=sign_in_with, yes=True, as_json=as_json)
    for place, paper in enumerate(papers, 1):
        sending.send(filled_in(paper, f"paper {place} of {len(papers)}"))
    return 0


def _asked_drafts(where: ManagerLocation, table: str) -> FloorView:
    return asked(where, "drafts", table=table, at=time.time_ns() // 1_000)


def drafted(answer: FloorView) -> list[dict[str, Any]]:
    """The papers that a table lacks, each as the command that enters it."""
    drafts = answer.to_json()["drafts"]
    return [draft for draft in drafts if isinstance(draft, dict)] if isinstance(drafts, list) else []


def _read_papers(name: str) -> list[dict[str, Any]]:
    """The papers of a file, each a command that enters one; nothing is sent before all can be read."""
    arguments = Arguments()
    found = []
    with opened(name, "file") as stream:
        lines = [line for line in stream.read().splitlines() if line.strip()]
    for number, line in enumerate(lines, 1):
        paper = arguments.read(partial(parse_json, line, f"line {number}"))
        if not isinstance(paper, dict) or paper.get("kind") != "paper.record":
            arguments.add(
                "wrong-type", f"line {number}", "this is no paper as houseway papers drafts --json prints them"
            )
        else:
            found.append(with_times(arguments, paper, f"line {number}"))
    arguments.refuse_if_any()
    return found


def filled_in(paper: dict[str, Any], title: str) -> dict[str, Any]:
    """A draft with what it left open; refused where there is nobody to ask."""
    from houseway.manager.interface.field_types import TO_FILL_IN

    told = paper.get("fields")
    fields = told if isinstance(told, dict) else {}
    parts = {"subject": paper.get("subject"), **fields}
    left_open = [name for name, value in parts.items() if _is_open(value, TO_FILL_IN)]
    if not left_open:
        return paper
    place = f"{paper.get('register')} {paper.get('paper')}"
    if not has_terminal():
        message = f"{place} leaves {', '.join(left_open)} open ({TO_FILL_IN}): fill it in, or run this in a terminal"
        raise InputError.of("missing-argument", "file", message)
    about = "" if "subject" in left_open else f", about {paper.get('subject')}"
    print_text(printable(f"{title}: {place}{about}"))
    answers = {name: ask(f"  {name.replace('_', ' ')}") for name in left_open}
    subject = answers.pop("subject", paper.get("subject"))
    return {**paper, "subject": subject, "fields": {**fields, **answers}}


def _is_open(value: object, to_fill_in: str) -> bool:
    return isinstance(value, str) and to_fill_in in value
