"""PDF by typst: templates and fonts of this package and no clock, so that the same data gives the same bytes."""

from __future__ import annotations

from importlib.resources import as_file, files
from importlib.util import find_spec
from typing import Final

import msgspec

from houseway.errors import MissingPartError
from houseway.manager.printing.forms import Form

_HERE: Final = files("houseway.manager.printing")


def need_pdf() -> None:
    """Refuse where the typesetter is not installed."""
    if find_spec("typst") is None:
        message = "PDF needs the package typst: pip install 'houseway[pdf]', or write HTML and print it from a browser"
        raise MissingPartError(message)


def form_pdf(form: Form) -> bytes:
    """A form as PDF."""
    return pdf_of("form", form)


def pdf_of(template: str, data: object) -> bytes:
    """A template of this package, filled with data."""
    need_pdf()
    import typst

    text = _HERE.joinpath("templates", f"{template}.typ").read_bytes()
    given = {"data": msgspec.json.encode(data).decode()}
    with as_file(_HERE.joinpath("fonts")) as fonts:
        own = typst.Fonts(include_system_fonts=False, font_paths=[fonts])
        return typst.compile(text, font_paths=own, sys_inputs=given, format="pdf")
