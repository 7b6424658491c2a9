"""The options that say who does a long computation: processes of this machine, a Dask cluster or a Ray cluster."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

WorkersOption = Annotated[
    str | None, Parameter(metavar="N", help="Processes on this machine; by default one for each processor.")
]
DaskOption = Annotated[
    str | None, Parameter(metavar="ADDRESS", help="Compute on the Dask cluster with this scheduler: HOST:PORT.")
]
RayOption = Annotated[
    str | None, Parameter(metavar="ADDRESS", help="Compute on the Ray cluster with this head: HOST:PORT.")
]
