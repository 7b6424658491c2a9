"""Options that several commands take, worded once."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

WheelOption = Annotated[
    str | None, Parameter(metavar="PLACE", help="Place of A-2-3-4-5: second (the default) or lowest.")
]
CommissionOption = Annotated[
    str | None, Parameter(metavar="PERCENT", help="The room's commission on wins; by default what the game takes.")
]
WayFileOption = Annotated[
    str | None, Parameter(metavar="FILE", help="A room's own house way: a TOML file (see the guide on house ways).")
]
