"""A form as one HTML page for a browser's printer: nothing is loaded from anywhere, no script runs."""

from __future__ import annotations

from base64 import b64encode
from functools import lru_cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from houseway.manager.printing.forms import Form


def form_html(form: Form) -> str:
    """The whole page."""
    return _template().render(form=form, regular=_font("Regular"), bold=_font("Bold"))


@lru_cache(maxsize=2)
def _font(weight: str) -> str:
    """A font in the page itself: the form looks and fits alike on every machine."""
    return b64encode(
        files("houseway.manager.printing").joinpath("fonts", f"Inter-{weight}.woff2").read_bytes()
    ).decode()


@lru_cache(maxsize=1)
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("houseway.manager.printing"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("form.html")
