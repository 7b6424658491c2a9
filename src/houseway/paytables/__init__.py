"""Pay tables: one TOML file per printed table, and the loader."""

from houseway.paytables.loader import load_paytable, parse_paytable
from houseway.paytables.pay_table import PayLine, PayTable, PrintedFigure, PrintedSource
from houseway.paytables.shipped_tables import (
    own_paytable,
    paytable,
    paytable_ids,
    paytables,
    refused_paytables,
    set_fingerprint,
)
from houseway.paytables.vocabulary import FAULT_CODES, FIGURES, UNITS, wager_words

__all__ = [
    "FAULT_CODES",
    "FIGURES",
    "UNITS",
    "PayLine",
    "PayTable",
    "PrintedFigure",
    "PrintedSource",
    "load_paytable",
    "own_paytable",
    "parse_paytable",
    "paytable",
    "paytable_ids",
    "paytables",
    "refused_paytables",
    "set_fingerprint",
    "wager_words",
]
