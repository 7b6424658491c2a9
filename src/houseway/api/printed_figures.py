"""Every printed figure against the exact one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from houseway.api.arguments import Arguments
from houseway.api.executor_choice import choose_executor
from houseway.api.telling import LOG, Teller

if TYPE_CHECKING:
    from houseway.odds.conformance.claims import Claim
    from houseway.odds.conformance.conformance_report import Conformance, Row


@dataclass(frozen=True, slots=True)
class Verification:
    """What became of the printed figures; true if nothing is off beyond the documented list."""

    problems: tuple[str, ...]
    """What is off beyond the documented list."""
    report: Conformance = field(repr=False)

    def __bool__(self) -> bool:
        return not self.problems

    @property
    def rows(self) -> tuple[Row, ...]:
        """Each printed figure with the exact one and the verdict."""
        return self.report.rows

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What the sheets claim in words."""
        return self.report.claims

    def to_json(self) -> dict[str, Any]:
        """The report as `houseway verify --json` prints it."""
        return self.report.to_json()


def verify(
    *,
    paytable: str | None = None,
    recompute: bool = False,
    workers: int | None = None,
    dask: str | None = None,
    ray: str | None = None,
) -> Verification:
    """Hold every printed figure, or those of one pay table, against the exact one.

    `recompute` counts everything again instead of reading shipped results, by processes of this machine (`workers`) or
    a cluster.

    >>> found = verify(paytable="FPGP-1")
    >>> bool(found), [row.verdict for row in found.rows]
    (True, ['matches', 'matches'])
    """
    return verified(paytable, recompute, workers, dask, ray, LOG)


def verified(
    paytable: str | None, recompute: bool, workers: str | int | None, dask: str | None, ray: str | None, teller: Teller
) -> Verification:
    """The same, telling how far it has come."""
    from houseway.odds.conformance.claims import claims
    from houseway.odds.conformance.conformance_report import conformance
    from houseway.paytables import paytables

    arguments = Arguments()
    table = None if paytable is None else arguments.paytable(paytable)
    executor = choose_executor(arguments, workers, dask, ray) if recompute else None
    if not recompute and (workers, dask, ray) != (None, None, None):
        arguments.add(
            "conflicting-options", "recompute", "--workers, --dask and --ray are for --recompute: give it too"
        )
    arguments.refuse_if_any()
    tables = paytables() if table is None else (table,)
    wanted = claims() if table is None else ()
    problems: list[str] = []
    if executor is None:
        found = conformance(tables, wanted)
    else:
        from houseway.api.recompute import recompute_counts, recompute_ways

        counts_of = recompute_counts(tables, problems, teller)
        recompute_ways(tables, executor, problems, teller)
        found = conformance(tables, wanted, counts_of)
    problems += [f"beyond the documented list: {problem}" for problem in found.unexpected]
    return Verification(tuple(problems), found)
