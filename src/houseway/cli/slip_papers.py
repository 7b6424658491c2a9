"""`houseway slip list | show | print | reprint` and `houseway jackpot page`: papers looked at, and put on record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from houseway.api.arguments import Arguments
from houseway.cli.manager_changes import ActorOption
from houseway.cli.manager_tokens import new_token
from houseway.cli.manager_where import ManagerLocation, NoSignIn, SignIn, asked, looking, refuse_sign_in, speaking
from houseway.cli.output import JsonFlag, print_json, print_listing, print_text, printable
from houseway.cli.papers_out import (
    COPIES,
    HtmlOption,
    PdfOption,
    SlipArgument,
    check_files,
    paper_of,
    show_form,
    warn_unproved,
    write_paper,
)
from houseway.cli.times import time_text
from houseway.wording import dollars

if TYPE_CHECKING:
    from houseway.manager.views.slip_views import SlipView

CopyOption = Annotated[str, Parameter(metavar="COPY", help="original or duplicate.")]


def list_slips(
    *,
    table: Annotated[str | None, Parameter(metavar="ID", help="Only those of this table.")] = None,
    kind: Annotated[
        str | None, Parameter(metavar="KIND", help="Only win, fill, credit, opener, closer or round.")
    ] = None,
    sign_in_with: NoSignIn = None,
    where: ManagerLocation = ManagerLocation(),  # noqa: B008 - frozen
    as_json: JsonFlag = False,
) -> int:
    """List slips, the oldest first, with what became of each.

    Example: `houseway slip list --kind win --database house.db --keys keys`
    """
    refuse_sign_in(sign_in_with)
    from houseway.manager.interface.field_types import SERIES

    arguments = Arguments()
    arguments.choice(kind, tuple(SERIES), "kind")
    arguments.refuse_if_any()
    given = {name: value for name, value in (("table", table), ("kind", kind)) if value is not None}
    answer = asked(where, "slips", **given)
    if as_json:
        print_json(answer.to_json())
        return 0
    slips: tuple[SlipView, ...] = getattr(answer, "slips", ())
    rows = [("slip", "amount", "table", "made", "by", "state"), *(_row(each) for each in slips)]
    print_listing(rows, f"{len(slips)} slips")
    return 0


def _row(each: SlipView) -> tuple[str, ...]:
    made = printable(f"{each.by}, {each.second}")
    return each.id, dollars(each.cents), each.table, time_text(each.at), made, printable(state_of(each))


def state_of(each: SlipView) -> str:
    """What became of a slip, in words."""
    told = [f"{len(each.prints)} prints" if len(each.prints) != 1 else "1 print"]
    if each.void is not None:
        told.append(f"void: {each.void.reason}")
    elif each.entered is not None:
        told.append(f"entered as {each.entered.round}")
    elif each.handed is not None:
        told.append(f"handed over by {each.handed.method}")
    elif each.duties is not None:
        due = ", ".join(name for name, is_due in _dues(each) if is_due)
        told.append(f"to be handed over ({due})" if due else "to be handed over")
    return "; ".join(told)


def _dues(each: SlipView) -> list[tuple[str, bool]]:
    duties = each.duties
    if duties is None:
        return []
    return [("form", duties.form), ("withholding", duties.withheld_cents > 0), ("check", duties.check)]


def show(
    number: SlipArgument,
    /,
    *,
    html: HtmlOption = None,
    pdf: PdfOption = None,
    sign_in_with: NoSignIn = None,
    where: ManagerLocation = ManagerLocation(),  # noqa: B008 - frozen
    as_json: JsonFlag = False,
) -> int:
    """Look at a slip. Nothing goes on record, and paper made of it is marked NOT A SLIP."""
    refuse_sign_in(sign_in_with)
    from houseway.manager.interface.field_types import as_numbered

    check_files(html, pdf)
    with looking(where) as found:
        paper = paper_of(found, as_numbered(number))
    files = write_paper(paper.form, html, pdf)
    if as_json:
        page = None if paper.page is None else paper.page.to_json()
        print_json({"slip": paper.slip.to_json(), "page": page, "files": files})
        return 0
    show_form(paper.form)
    warn_unproved(paper.page)
    return 0


def print_copy(
    number: SlipArgument,
    /,
    *,
    actor: ActorOption = None,
    copy: CopyOption = "original",
    html: HtmlOption = None,
    pdf: PdfOption = None,
    sign_in_with: SignIn = None,
    where: ManagerLocation = ManagerLocation(),  # noqa: B008 - frozen
    as_json: JsonFlag = False,
) -> int:
    """Print a copy of a slip for the first time: it goes on record, then the paper is written.

    Example: `houseway slip print WIN-000007 --actor S1 --pdf win.pdf --database house.db --keys keys`
    """
    do = {"kind": "slip.print", "slip": number, "copy": copy}
    return _printed(do, actor, html, pdf, sign_in_with, where, as_json)


def reprint(
    number: SlipArgument,
    /,
    *,
    actor: ActorOption = None,
    reason: Annotated[str, Parameter(metavar="TEXT", help="Why it is printed again, as in: the printer jammed.")],
    copy: CopyOption = "original",
    html: HtmlOption = None,
    pdf: PdfOption = None,
    sign_in_with: SignIn = None,
    where: ManagerLocation = ManagerLocation(),  # noqa: B008 - frozen
    as_json: JsonFlag = False,
) -> int:
    """Print a copy again because a printer failed or the paper was lost; it is marked REPRINT."""
    do = {"kind": "slip.reprint", "slip": number, "copy": copy, "reason": reason}
    return _printed(do, actor, html, pdf, sign_in_with, where, as_json)


def _printed(
    do: dict[str, Any], actor: str | None, html: str | None, pdf: str | None, sign_in: str | None,
    where: ManagerLocation, as_json: bool,
) -> int:  # fmt: skip
    """Put a print on record, then write its paper: what fails in between is printed again, and marked."""
    from houseway.manager.commands.slip_answers import PrintSlipAnswer
    from houseway.manager.interface.field_types import as_numbered
    from houseway.manager.interface.requests import command_of

    arguments = Arguments()
    arguments.choice(do["copy"], COPIES, "copy")
    arguments.refuse_if_any()
    check_files(html, pdf, is_print=True)
    do["slip"] = as_numbered(do["slip"])
    with speaking(where, actor, sign_in) as (found, person, _):
        carried = found.send(command_of(do), actor=person, key=f"cli:{new_token()}")
        printed = carried.answer
        assert isinstance(printed, PrintSlipAnswer)
        paper = paper_of(found, do["slip"], printed)
    files = write_paper(paper.form, html, pdf)
    if as_json:
        print_json({"seq": carried.seq, "at": carried.at, "answer": carried.answer.to_json(), "files": files})
        return 0
    marks = ", ".join(paper.form.marks)
    print_text(printable(f"{paper.slip.id} ({marks}) is on record as event {carried.seq}: {', '.join(files)}"))
    warn_unproved(paper.page)
    return 0


def page(
    award: Annotated[str, Parameter(name="AWARD", help="The award's id, as in T1-4711/1.")],
    /,
    *,
    html: HtmlOption = None,
    pdf: PdfOption = None,
    sign_in_with: NoSignIn = None,
    where: ManagerLocation = ManagerLocation(),  # noqa: B008 - frozen
    as_json: JsonFlag = False,
) -> int:
    """Look at the win page of a paid award: what was won, from which meter, who took part, what is due, and the proof.

    Paper made of it is marked NOT A SLIP: houseway slip print makes one that is on record.

    Example: `houseway jackpot page T1-4711/1 --pdf page.pdf --database house.db --keys keys`
    """
    refuse_sign_in(sign_in_with)
    from houseway.manager.interface.printing import win_form
    from houseway.manager.views.floor_questions import WinPageQuestion

    check_files(html, pdf)
    with looking(where) as found:
        view = found.ask(WinPageQuestion(award=award.strip())).page
    form = win_form(view, None)
    files = write_paper(form, html, pdf)
    if as_json:
        print_json({"page": view.to_json(), "files": files})
        return 0
    show_form(form)
    warn_unproved(view)
    return 0
