"""Slips and win pages on their way out: looked at in the terminal, or written as HTML and PDF for a printer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

from cyclopts import Parameter

from houseway.cli.output import print_problem, print_text, printable
from houseway.cli.writing import check_writable, write_whole
from houseway.errors import InputError

if TYPE_CHECKING:
    from houseway.manager.commands.slip_answers import PrintSlipAnswer
    from houseway.manager.interface.contract import ManagerInterface
    from houseway.manager.interface.printing import Form
    from houseway.manager.views.slip_views import SlipPrintView, SlipView
    from houseway.manager.views.win_page_view import WinPageView

HtmlOption = Annotated[
    str | None, Parameter(name="--html", metavar="FILE", help="Write the paper as one HTML page, ready to print.")
]
PdfOption = Annotated[str | None, Parameter(name="--pdf", metavar="FILE", help="Write the paper as PDF.")]
SlipArgument = Annotated[str, Parameter(name="SLIP", help="The number of the slip, such as WIN-000007 or win-7.")]
COPIES: Final = ("original", "duplicate")


class SlipPaper(NamedTuple):
    """A slip with the form that shows it."""

    slip: SlipView
    page: WinPageView | None
    """Of a win."""
    form: Form


def check_files(html: str | None, pdf: str | None, *, is_print: bool = False) -> None:
    """Refuse files that cannot be written before a print goes on record; a print is one paper, neither none nor two."""
    if is_print and html is None and pdf is None:
        raise InputError.of("missing-argument", "pdf", "name where the paper goes: --pdf FILE or --html FILE")
    if is_print and html is not None and pdf is not None:
        message = "a print is one paper, and two with the same mark never leave the system: give --pdf or --html"
        raise InputError.of("conflicting-options", "html", message)
    for name, path in ((html, "html"), (pdf, "pdf")):
        if name is not None:
            check_writable(name, path)
    if pdf is not None:
        from houseway.manager.interface.printing import need_pdf

        need_pdf()


def paper_of(found: ManagerInterface, number: str, printed: PrintSlipAnswer | None = None) -> SlipPaper:
    """The paper of a slip, marked as the very print that went on record for it, or as no slip at all.

    Not as the last print: between that and this question, somebody else may have printed it.
    """
    from msgspec.structs import replace

    from houseway.manager.interface.printing import slip_form, win_form
    from houseway.manager.views.floor_questions import SlipQuestion, WinPageQuestion

    answer = found.ask(SlipQuestion(slip=number))
    slip = answer.slip
    print_ = None if printed is None else _print_of(slip, printed)
    if slip.award is None:
        return SlipPaper(slip, None, slip_form(slip, answer.house, answer.people, print_))
    page = found.ask(WinPageQuestion(award=slip.award)).page
    page = replace(page, slip=slip, people={**page.people, **answer.people})
    return SlipPaper(slip, page, win_form(page, print_))


def _print_of(slip: SlipView, printed: PrintSlipAnswer) -> SlipPrintView:
    return next(each for each in slip.prints if (each.copy, each.reprint) == (printed.copy, printed.reprint))


def write_paper(form: Form, html: str | None, pdf: str | None) -> list[str]:
    """Write a form to the files that are named; returns their names."""
    from houseway.manager.interface.printing import form_html, form_pdf

    if html is not None:
        write_whole(html, form_html(form), "html")
    if pdf is not None:
        write_whole(pdf, form_pdf(form), "pdf")
    return [name for name in (html, pdf) if name is not None]


def show_form(form: Form) -> None:
    """A form for people at a terminal."""
    print_text(printable(f"{form.title} {form.number}: {form.amount} [{', '.join(form.marks)}]"))
    print_text(printable(f"{form.house}, {form.licence}: {form.summary}"))
    for title, fields in (*((block.title, block.fields) for block in form.blocks), ("Proof", form.proof)):
        if fields:
            print_text("", title)
        for field in fields:
            print_text(printable(f"  {field.label}: {field.value or '-'}"))
    for table in form.tables:
        print_text("", table.title)
        for row in (*table.rows, table.total):
            if any(row):
                print_text(printable("  " + "  ".join(row)))
    print_text(printable(form.foot))


def warn_unproved(page: WinPageView | None) -> None:
    """Say where a page has no proof yet."""
    if page is not None and page.proof.text is None:
        print_problem(
            "no signed head covers the award yet, so the page has no proof: houseway proof head --keys FOLDER"
        )
