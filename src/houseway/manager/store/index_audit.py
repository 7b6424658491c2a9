"""Whether the indexes of a journal on PostgreSQL lead to every row: a search goes by them, and nothing else tells.

An index may leave rows out under an honest definition: somebody who may write to the server's catalogues takes a
condition off that it was made with, or a new version of the system sorts texts in another order. Every index is read
from end to end and compared with its table, and where the extension amcheck is installed, by that as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from sqlalchemy import PrimaryKeyConstraint, UniqueConstraint
from sqlalchemy.exc import DBAPIError

from houseway.manager.store.definitions import TABLES, indexes
from houseway.manager.store.findings import AuditFindings
from houseway.manager.store.reading import View

_BY_INDEX: Final = {"enable_seqscan": "off", "enable_indexscan": "on", "enable_sort": "off"}
_BY_TABLE: Final = {"enable_seqscan": "on", "enable_indexscan": "off", "enable_sort": "on"}
_EITHER_WAY: Final = {
    # What is asked for comes from the table itself, and from one index at a time.
    "enable_indexonlyscan": "off",
    "enable_bitmapscan": "off",
    "enable_incremental_sort": "off",
    "max_parallel_workers_per_gather": "0",
    "jit": "off",
}
_AMCHECK: Final = """
SELECT p.oid::regproc::text FROM pg_extension e JOIN pg_depend d ON d.refobjid = e.oid AND d.deptype = 'e'
JOIN pg_proc p ON p.oid = d.objid AND d.classid = 'pg_proc'::regclass
WHERE e.extname = 'amcheck' AND p.proname = 'bt_index_check' AND p.pronargs = 2
    AND has_function_privilege(p.oid, 'EXECUTE')
"""


class _Index(NamedTuple):
    name: str
    table: str
    columns: tuple[str, ...]
    where: str
    """The condition of its rows as a clause, or nothing."""


def check_indexes(view: View, findings: AuditFindings) -> None:
    """Note every index that does not lead to all of its rows, in order."""
    amcheck = [row[0] for row in view.connection.exec_driver_sql(_AMCHECK)]
    for index in _indexes(view):
        problem = _compared(view, index) or next((_amchecked(view, name, index) for name in amcheck), None)
        if problem:
            message = f"{problem}: searches miss rows; find out why, then REINDEX INDEX {index.name}"
            findings.note("index", index.name, "damaged-store", message)


def _indexes(view: View) -> Iterator[_Index]:
    quote, of = view.connection.dialect.identifier_preparer.quote, view.namespace.of
    for table in TABLES:
        for each in table.constraints:
            if isinstance(each, PrimaryKeyConstraint | UniqueConstraint):
                columns = tuple(quote(column.name) for column in each.columns)
                yield _Index(str(each.name or f"{table.name}_pkey"), of(table.name), columns, "")
    for index in indexes():
        where = index.dialect_options["postgresql"]["where"]
        named = "" if index.table is None else index.table.name
        condition = "" if where is None else f" WHERE {where}"
        yield _Index(str(index.name), of(named), tuple(quote(column.name) for column in index.columns), condition)


def _compared(view: View, index: _Index) -> str | None:
    """Read the rows by the index and without it; returns what is wrong."""
    connection = view.connection
    listed = ", ".join(index.columns)
    before = ", ".join(f"lag({column}) OVER () AS before_{place}" for place, column in enumerate(index.columns))
    places = ", ".join(f"before_{place}" for place in range(len(index.columns)))
    in_order = f"SELECT {listed} FROM {index.table}{index.where} ORDER BY {listed}"  # noqa: S608 - names of our own
    by_index = (
        f"SELECT count(*), count(*) FILTER (WHERE ROW({places}) > ROW({listed})) "  # noqa: S608 - names of our own
        f"FROM (SELECT {listed}, {before} FROM ({in_order}) AS sorted) AS pairs"
    )
    attempt = connection.begin_nested()
    try:
        _set(view, _EITHER_WAY | _BY_INDEX)
        plan = " ".join(str(row[0]) for row in connection.exec_driver_sql(f"EXPLAIN (COSTS off) {by_index}"))
        if f"using {index.name} " not in f"{plan} ":
            # It leads nobody astray, and is named with the guards.
            return None
        ((led, misplaced),) = connection.exec_driver_sql(by_index).all()
        _set(view, _BY_TABLE)
        counted = f"SELECT count(*) FROM {index.table}{index.where}"  # noqa: S608 - names of our own
        ((there,),) = connection.exec_driver_sql(counted).all()
    except DBAPIError as error:
        return f"PostgreSQL reports: {str(error.orig).splitlines()[0]}"
    finally:
        attempt.rollback()
    if led != there:
        return f"the index leads to {led} of {there} rows"
    return f"{misplaced} rows of the index are not in order" if misplaced else None


def _amchecked(view: View, function: str, index: _Index) -> str | None:
    attempt = view.connection.begin_nested()
    name = f"{index.table.rpartition('.')[0]}.{index.name}"
    try:
        view.connection.exec_driver_sql(f"SELECT {function}('{name}'::regclass, true)")
    except DBAPIError as error:
        return f"amcheck reports: {str(error.orig).splitlines()[0]}"
    finally:
        attempt.rollback()
    return None


def _set(view: View, settings: dict[str, str]) -> None:
    view.connection.exec_driver_sql("; ".join(f"SET LOCAL {name} = {value}" for name, value in settings.items()))
