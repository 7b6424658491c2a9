"""The options that say who does a long computation: processes of this machine, a Dask cluster or a Ray cluster."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

WorkersOption = Annotated[
    str | None, Parameter(metavar="N", help="Processes of this machine; one for each processor by default.")
]
DaskOption = Annotated[
    str | None, Parameter(metavar="ADDRESS", help="Compute on the Dask cluster whose scheduler is there: HOST:PORT.")
]
RayOption = Annotated[
    str | None, Parameter(metavar="ADDRESS", help="Compute on the Ray cluster whose head is there: HOST:PORT.")
]
