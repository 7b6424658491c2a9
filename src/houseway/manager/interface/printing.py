"""Papers for people: slips and win pages as forms, for whoever has asked a manager for them."""

from __future__ import annotations

from houseway.manager.printing.form_html import form_html
from houseway.manager.printing.forms import Form
from houseway.manager.printing.pdf_pages import form_pdf, need_pdf
from houseway.manager.printing.slip_form import slip_form
from houseway.manager.printing.win_form import win_form

__all__ = ["Form", "form_html", "form_pdf", "need_pdf", "slip_form", "win_form"]
