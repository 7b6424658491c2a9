"""What stands between the journal and its rows: tables, indexes and guards, each as it was made, and nothing else.

A trigger or a rule of somebody else can drop a row while the database reports success, a view can take a table's
place, row security can hide what is there, an index, a check or a default can refuse honest rows or alter them.
Writers, starts and audits all hold the database against this one list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from houseway.manager.store import schema
from houseway.manager.store.definitions import NAMES, column_text, expected, plain
from houseway.manager.store.store_errors import JournalDamagedError

Ask = Callable[[str], Sequence[Any]]
"""Puts a question without parameters to the database; returns its rows."""
Named = tuple[str, str]
"""The name of something in the database, and its definition."""

# All of it: SQLite also goes by an entry whose type somebody has written in another case.
_SQLITE: Final = "SELECT type, name, tbl_name, sql FROM sqlite_master"
_SQLITE_STATISTICS: Final = "sqlite_stat"
"""How the tables begin in which SQLite's own ANALYZE keeps what it has counted."""
_NAMES: Final = ", ".join(f"('{name}')" for name in NAMES)
# The tables as their names are resolved here, whatever the search path says.
_FOUND: Final = f"(VALUES {_NAMES}) AS named(name) LEFT JOIN pg_class c ON c.oid = to_regclass(named.name)"
_OURS: Final = f"(SELECT c.oid FROM {_FOUND} WHERE c.oid IS NOT NULL)"  # noqa: S608 - names of our own
_SCHEMAS: Final = f"(SELECT c.relnamespace FROM {_FOUND} WHERE c.oid IS NOT NULL)"  # noqa: S608 - names of our own
_POSTGRES_TABLES: Final = f"""
SELECT named.name, c.relkind::text, c.relpersistence::text, c.relrowsecurity OR c.relforcerowsecurity,
    EXISTS (SELECT FROM pg_inherits WHERE c.oid IN (inhrelid, inhparent)) FROM {_FOUND}
"""  # noqa: S608 - names of our own
# Foreign keys make triggers too, of the server's own functions. A guard's function must be the one beside its table:
# another of the same name, in a schema that is searched before, would be told in the same words.
_POSTGRES_TRIGGERS: Final = f"""
SELECT t.tgname, t.tgenabled::text, p.pronamespace = c.relnamespace, pg_get_triggerdef(t.oid)
FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid JOIN pg_class c ON c.oid = t.tgrelid
WHERE t.tgrelid IN {_OURS} AND NOT (t.tgisinternal AND starts_with(p.proname, 'RI_FKey_')
    AND p.pronamespace = 'pg_catalog'::regnamespace)
"""  # noqa: S608 - names of our own
# A setting of the function's own, such as a search path, would let the same text mean something else.
_POSTGRES_FUNCTIONS: Final = f"""
SELECT p.proname, p.prosrc, l.lanname = 'plpgsql' AND NOT p.prosecdef AND p.proconfig IS NULL
FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
WHERE p.pronamespace IN {_SCHEMAS} AND p.prorettype = 'trigger'::regtype AND starts_with(p.proname, 'houseway_')
"""  # noqa: S608 - names of our own
_POSTGRES_RULES: Final = f"SELECT rulename FROM pg_rewrite WHERE ev_class IN {_OURS}"  # noqa: S608 - names of our own
_POSTGRES_POLICIES: Final = f"SELECT polname FROM pg_policy WHERE polrelid IN {_OURS}"  # noqa: S608 - names of our own
_POSTGRES_BESIDE: Final = f"""
SELECT relname, CASE relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' ELSE 'table' END FROM pg_class
WHERE relnamespace IN {_SCHEMAS} AND relkind IN ('v', 'm', 'r', 'p', 'f') AND oid NOT IN {_OURS} ORDER BY relname
"""  # noqa: S608 - names of our own
_POSTGRES_COLUMNS: Final = f"""
SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), NOT a.attnotnull, concat(
    CASE WHEN t.typnamespace <> 'pg_catalog'::regnamespace THEN ' of a type of somebody else' END,
    CASE WHEN a.attcollation <> t.typcollation THEN ' with a collation of its own' END,
    CASE WHEN a.attidentity <> '' THEN ' GENERATED AS IDENTITY' END,
    CASE WHEN a.attgenerated <> '' THEN ' GENERATED' WHEN d.oid IS NOT NULL THEN ' DEFAULT' END,
    ' ' || pg_get_expr(d.adbin, d.adrelid))
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE a.attrelid IN {_OURS} AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attrelid, a.attnum
"""  # noqa: S608 - names of our own
# Newer servers also list what forbids nulls, which the columns tell; what makes triggers is told with these.
_POSTGRES_CONSTRAINTS: Final = f"""
SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE (conrelid IN {_OURS} OR confrelid IN {_OURS}) AND contype NOT IN ('n', 't')
"""  # noqa: S608 - names of our own
_POSTGRES_INDEXES: Final = f"""
SELECT c.relname, pg_get_indexdef(i.indexrelid), i.indisvalid AND i.indisready AND i.indislive
FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid IN {_OURS}
"""  # noqa: S608 - names of our own


def _stamp_of(catalogue: str, column: str, *more: str) -> str:
    """A text that changes with every row of a catalogue that is about our tables."""
    told = ", ".join(f"x.{part}" for part in ("ctid", "xmin", *more))
    return (
        f"(SELECT string_agg(concat_ws('.', {told}), ' ' ORDER BY x.ctid) FROM {catalogue} x "  # noqa: S608 - our own
        f"WHERE x.{column} IN {_OURS})"
    )


POSTGRES_STAMP: Final = f"""
SELECT {_stamp_of("pg_trigger", "tgrelid")}, {_stamp_of("pg_index", "indrelid", "indisvalid", "indisready")},
    {_stamp_of("pg_constraint", "conrelid")}, {_stamp_of("pg_constraint", "confrelid")},
    {_stamp_of("pg_attribute", "attrelid")}, {_stamp_of("pg_attrdef", "adrelid")}, {_stamp_of("pg_policy", "polrelid")},
    {_stamp_of("pg_inherits", "inhparent")}, {_stamp_of("pg_rewrite", "ev_class")},
    (SELECT string_agg(concat_ws('.', p.oid, p.xmin), ' ' ORDER BY p.oid) FROM pg_proc p
        WHERE p.oid IN (SELECT t.tgfoid FROM pg_trigger t WHERE t.tgrelid IN {_OURS})),
    string_agg(concat_ws('.', named.name, c.oid, c.relkind, c.relpersistence, c.relhasrules, c.relrowsecurity,
    c.relforcerowsecurity), ' ') FROM {_FOUND}
"""  # noqa: S608 - names of our own
"""A text that changes with every trigger, rule, index or other change to what stands between the journal and its rows.

Asked within a transaction behind its inserts, it holds for them: until the end nobody adds or drops any of these.
"""
SQLITE_STAMP: Final = "PRAGMA schema_version"
"""The same on SQLite, for all that the connection itself goes by."""

_SHOWN: Final = 80
"""Characters of a definition that a refusal tells."""
_REPAIR: Final = "the repair takes it off"
_ANEW: Final = "the repair makes it again"
_RESTORE: Final = "restore the backup, or put it back by hand as the migrations make it"


class ForeignObject(NamedTuple):
    """Something that is not as this software makes it."""

    kind: str
    """`trigger`, `rule`, `policy`, `view`, `materialized view`, `table`, `column`, `constraint`, `index` or `entry`.
    The guards' functions count as triggers.
    """
    name: str
    what: str


def strange(dialect: str, ask: Ask) -> list[ForeignObject]:
    """All that is missing, altered, or not of this software's making, guards first."""
    return _on_sqlite(ask) if dialect == "sqlite" else _on_postgres(ask)


def check_guards(dialect: str, ask: Ask) -> None:
    """`JournalDamagedError` names everything `strange`."""
    found = strange(dialect, ask)
    if found:
        told = "; ".join(f"{each.kind} {each.name}: {each.what}" for each in found[:20])
        more = f"; and {len(found) - 20} more" if len(found) > 20 else ""
        raise JournalDamagedError(f"{found[0].kind}[{found[0].name}]", f"the database was altered ({told}{more})")


def _on_sqlite(ask: Ask) -> list[ForeignObject]:
    found: dict[str, list[Named]] = {"table": [], "trigger": [], "view": [], "index": []}
    forged: list[ForeignObject] = []
    for kind, name, table, sql in ask(_SQLITE):
        if kind not in found:
            what = f"no statement makes an entry of the type {str(kind)[:20]!r}: it was written into the schema by hand"
            forged.append(ForeignObject("entry", str(name), what))
        # What SQLite itself makes for a constraint has no statement: the table's own tells it.
        elif sql is not None or kind != "index" or not name.startswith(f"sqlite_autoindex_{table}_"):
            found[kind].append((name, plain(sql or "")))
    tables = [(name, sql) for name, sql in found["table"] if not name.startswith(_SQLITE_STATISTICS)]
    guards = {name: plain(sql) for name, sql in schema.guards("sqlite").items()}
    wanted = expected("sqlite")
    return [
        *_guards(guards, found["trigger"]),
        *forged,
        *(_view("view", name) for name, _ in found["view"]),
        *_differing("table", wanted.tables, tables, missing=_RESTORE, foreign="drop it"),
        *_differing("index", wanted.indexes, found["index"], missing=_ANEW, foreign=_REPAIR),
    ]


def _on_postgres(ask: Ask) -> list[ForeignObject]:
    triggers = [
        (name, f"{_as_postgres(plain(sql))}{'' if enabled in ('O', 'A') and is_own else ' (off, or elsewhere)'}")
        for name, enabled, is_own, sql in ask(_POSTGRES_TRIGGERS)
    ]
    functions = [
        (name, f"{plain(source)}{'' if is_plain else ' (with settings of its own)'}")
        for name, source, is_plain in ask(_POSTGRES_FUNCTIONS)
    ]
    guards = {name: _as_postgres(plain(sql)) for name, sql in schema.guards("postgresql").items()}
    tables, others = list[Named](), list[ForeignObject]()
    for name, kind, lasts, secured, inherits in ask(_POSTGRES_TABLES):
        if kind == "r":
            tables.append((name, ""))
        if lasts not in (None, "p"):
            others.append(ForeignObject("table", name, "its rows do not outlast a crash (unlogged): set it to logged"))
        if secured:
            others.append(ForeignObject("table", name, f"row security is on, which can hide or refuse rows: {_REPAIR}"))
        if inherits:
            others.append(
                ForeignObject("table", name, "another table inherits from it, or it from another: take that off")
            )
    rules = [
        ForeignObject("rule", name, f"no rule belongs there, it could drop rows: {_REPAIR}")
        for (name,) in ask(_POSTGRES_RULES)
    ]
    policies = [
        ForeignObject("policy", name, f"no policy belongs there, it could hide or refuse rows: {_REPAIR}")
        for (name,) in ask(_POSTGRES_POLICIES)
    ]
    beside = [
        ForeignObject("table", name, "this is no table of the journal, whose schema is its own: drop or move it")
        if kind == "table"
        else _view(kind, name)
        for name, kind in ask(_POSTGRES_BESIDE)
    ]
    return [
        *_guards(guards, triggers + functions),
        *rules,
        *policies,
        *_differing("table", expected("postgresql").tables, tables, missing=_RESTORE, foreign="drop it"),
        *beside,
        *others,
        *_postgres_parts(ask),
    ]


def _postgres_parts(ask: Ask) -> Iterable[ForeignObject]:
    """What the tables consist of: columns, constraints, indexes."""
    wanted, columns, place = expected("postgresql"), list[Named](), dict[str, int]()
    for table, name, type_, is_null, otherwise in ask(_POSTGRES_COLUMNS):
        place[table] = place.get(table, 0) + 1
        text = column_text(place[table], type_, is_null=is_null, otherwise=otherwise)
        columns.append((f"{table}.{name}", text))
    constraints = [(f"{table}.{name}", text) for table, name, text in ask(_POSTGRES_CONSTRAINTS)]
    indexes = [
        (name, f"{_as_postgres(plain(sql))}{'' if is_valid else ' (not valid)'}")
        for name, sql, is_valid in ask(_POSTGRES_INDEXES)
    ]
    yield from _differing("column", wanted.columns, columns, missing=_RESTORE, foreign="drop it")
    yield from _differing("constraint", wanted.constraints, constraints, missing=_ANEW, foreign=_REPAIR)
    yield from _differing("index", wanted.indexes, indexes, missing=_ANEW, foreign=_REPAIR)


def _differing(
    kind: str, wanted: dict[str, str], found: Sequence[Named], *, missing: str, foreign: str
) -> Iterable[ForeignObject]:
    """What is gone, what is not as it was made, and what nobody of ours has made, each with what to do."""
    own, others = _own_and_others(wanted, found)
    for name, text in wanted.items():
        if name not in own:
            yield ForeignObject(kind, name, f"the {kind} is not there, or something else has its name: {missing}")
        elif own[name] != text:
            yield ForeignObject(kind, name, f"the {kind} {_difference(own[name], text)}: {missing}")
    for name in others:
        yield ForeignObject(kind, name, f"this is no {kind} of the journal, and could refuse or alter rows: {foreign}")


def _own_and_others(wanted: dict[str, str], found: Sequence[Named]) -> tuple[dict[str, str], list[str]]:
    """What bears a name of ours, the right one first where several do, and the names of all the rest.

    A database may take the same name again on another table, so that a name alone says nothing.
    """
    own: dict[str, str] = {}
    others: list[str] = []
    for name, text in sorted(found, key=lambda each: (each[0], wanted.get(each[0]) != each[1])):
        if name in wanted and name not in own:
            own[name] = text
        else:
            others.append(name)
    return own, others


def _difference(found: str, wanted: str) -> str:
    """Where two definitions part."""
    same = next(
        (place for place, pair in enumerate(zip(found, wanted, strict=False)) if pair[0] != pair[1]), len(wanted)
    )
    begin = wanted[:same].rfind(" ") + 1
    return f"has {found[begin : begin + _SHOWN]!r} where {wanted[begin : begin + _SHOWN]!r} belongs"


def _guards(wanted: dict[str, str], found: Sequence[Named]) -> Iterable[ForeignObject]:
    own, others = _own_and_others(wanted, found)
    for name, sql in wanted.items():
        if name not in own:
            yield ForeignObject("trigger", name, f"the guard is not there, rows could be changed unseen: {_ANEW}")
        elif own[name] != sql:
            yield ForeignObject("trigger", name, f"the guard is not the one that belongs there, or is off: {_ANEW}")
    for name in others:
        yield ForeignObject(
            "trigger", name, f"this is no guard of the journal, and could change or drop rows: {_REPAIR}"
        )


def _view(kind: str, name: str) -> ForeignObject:
    return ForeignObject(kind, name, f"no view belongs beside the journal, it could take a table's place: {_REPAIR}")


def _as_postgres(sql: str) -> str:
    """A statement in the form in which PostgreSQL tells it: a function's source, and names without their schema."""
    body = re.search(r"\$\$(.*)\$\$", sql, re.DOTALL)
    return plain(body[1]) if body else re.sub(r'\bON (?:\w+|"[^"]*")\.', "ON ", sql, count=1)
