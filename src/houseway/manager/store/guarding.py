"""What stands between the journal and its rows: tables, indexes and guards, each as it was made, and nothing else.

A trigger or a rule of somebody else can drop a row while the database reports success, a view can take a table's
place, row security can hide what is there, an index, a check or a default can refuse honest rows or alter them.
Writers, starts and audits all check the database against this one list.
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
_NAME_HERE: Final = "$JOURNAL"
"""Stands for the name of the journal's schema."""
_SCHEMA: Final = f"(SELECT oid FROM pg_namespace WHERE nspname = {_NAME_HERE})"  # noqa: S608 - names of our own
_FOUND: Final = (
    f"(VALUES {_NAMES}) AS named(name) LEFT JOIN pg_class c ON c.relname = named.name AND c.relnamespace = {_SCHEMA}"
)
_OURS: Final = f"(SELECT c.oid FROM {_FOUND} WHERE c.oid IS NOT NULL)"  # noqa: S608 - names of our own
_POSTGRES_PATH: Final = "SELECT current_setting('search_path')"
_POSTGRES_TABLES: Final = f"""
SELECT named.name, c.relkind::text, c.relpersistence::text, c.relrowsecurity OR c.relforcerowsecurity,
    EXISTS (SELECT FROM pg_inherits WHERE c.oid IN (inhrelid, inhparent)), c.relreplident <> 'd' FROM {_FOUND}
"""  # noqa: S608 - names of our own
# Foreign keys make triggers too, of the server's own functions.
_POSTGRES_TRIGGERS: Final = f"""
SELECT t.tgname, t.tgenabled::text, pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
WHERE t.tgrelid IN {_OURS} AND NOT (t.tgisinternal AND starts_with(p.proname, 'RI_FKey_')
    AND p.pronamespace = 'pg_catalog'::regnamespace)
"""  # noqa: S608 - names of our own
# Another setting of the function's own, such as a search path, would let the same text mean something else.
_POSTGRES_FUNCTIONS: Final = f"""
SELECT p.proname, p.prosrc,
    l.lanname = 'plpgsql' AND NOT p.prosecdef AND p.proconfig = ARRAY['search_path={schema.SEARCH_PATH}']
FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
WHERE p.pronamespace = {_SCHEMA} AND p.prorettype = 'trigger'::regtype AND starts_with(p.proname, 'houseway_')
"""  # noqa: S608 - names of our own
# The server's own list knows those of all tables and of whole schemas, too.
_PUBLISHED: Final = (
    f"pg_publication_tables x WHERE x.schemaname = {_NAME_HERE} AND x.tablename IN ({', '.join(map(repr, NAMES))})"
)
_SUBSCRIBED: Final = (
    "pg_subscription x WHERE x.subdbid = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())"
)
_POSTGRES_REPLICATION: Final = f"""
SELECT 'publication', x.pubname::text FROM {_PUBLISHED}
UNION SELECT 'publication', p.pubname::text FROM pg_publication p WHERE p.puballtables
UNION SELECT 'subscription', x.subname::text FROM {_SUBSCRIBED} ORDER BY 1, 2
"""  # noqa: S608 - names of our own
_REPLICATES: Final = {
    "publication": "it hands rows of the journal on and could refuse deletes: drop it by hand",
    "subscription": "what it receives is written past the guards: drop it by hand (DROP SUBSCRIPTION)",
}
_POSTGRES_RULES: Final = f"SELECT rulename FROM pg_rewrite WHERE ev_class IN {_OURS}"  # noqa: S608 - names of our own
_POSTGRES_POLICIES: Final = f"SELECT polname FROM pg_policy WHERE polrelid IN {_OURS}"  # noqa: S608 - names of our own
_POSTGRES_BESIDE: Final = f"""
SELECT relname, CASE relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' ELSE 'table' END FROM pg_class
WHERE relnamespace = {_SCHEMA} AND relkind IN ('v', 'm', 'r', 'p', 'f') AND oid NOT IN {_OURS} ORDER BY relname
"""  # noqa: S608 - names of our own
_POSTGRES_COLUMNS: Final = f"""
SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), NOT a.attnotnull, concat(
    CASE WHEN t.typnamespace <> 'pg_catalog'::regnamespace THEN ' of a type of somebody else' END,
    CASE WHEN a.attcollation <> t.typcollation THEN ' with a collation of its own' END,
    CASE WHEN a.attstorage <> t.typstorage OR a.attoptions IS NOT NULL THEN ' stored in a way of its own' END,
    CASE WHEN a.attidentity <> '' THEN ' GENERATED AS IDENTITY' END,
    CASE WHEN a.attgenerated <> '' THEN ' GENERATED' WHEN d.oid IS NOT NULL THEN ' DEFAULT' END,
    ' ' || pg_get_expr(d.adbin, d.adrelid))
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE a.attrelid IN {_OURS} AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attrelid, a.attnum
"""  # noqa: S608 - names of our own
# Newer servers also list what forbids nulls, which the columns tell; what makes triggers is told with these.
_POSTGRES_CONSTRAINTS: Final = f"""
SELECT CASE WHEN conrelid IN {_OURS} THEN (SELECT relname::text FROM pg_class c WHERE c.oid = conrelid)
    ELSE conrelid::regclass::text END, conname, concat(pg_get_constraintdef(oid), CASE WHEN EXISTS (
    SELECT FROM pg_trigger t WHERE t.tgconstraint = pg_constraint.oid AND t.tgenabled <> 'O') THEN ' (off)' END)
FROM pg_constraint
WHERE (conrelid IN {_OURS} OR confrelid IN {_OURS}) AND contype NOT IN ('n', 't')
"""  # noqa: S608 - names of our own
_POSTGRES_INDEXES: Final = f"""
SELECT c.relname, pg_get_indexdef(i.indexrelid), i.indisvalid AND i.indisready AND i.indislive
FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid IN {_OURS}
"""  # noqa: S608 - names of our own
_FIRST_OF_OTHERS: Final = 16_384
"""The server's own objects have lower numbers than this."""
_IN_SCHEMAS: Final = (
    ("function", "oid::regprocedure", "pg_proc", "pronamespace"),
    ("operator", "oid::regoperator", "pg_operator", "oprnamespace"),
    ("type", "oid::regtype", "pg_type", "typnamespace"),
    ("collation", "collname", "pg_collation", "collnamespace"),
    ("conversion", "conname", "pg_conversion", "connamespace"),
    ("operator class", "opcname", "pg_opclass", "opcnamespace"),
    ("operator family", "opfname", "pg_opfamily", "opfnamespace"),
    ("text search configuration", "cfgname", "pg_ts_config", "cfgnamespace"),
    ("text search dictionary", "dictname", "pg_ts_dict", "dictnamespace"),
    ("text search parser", "prsname", "pg_ts_parser", "prsnamespace"),
    ("text search template", "tmplname", "pg_ts_template", "tmplnamespace"),
)
_OWN_FUNCTION: Final = "x.prorettype = 'trigger'::regtype AND starts_with(x.proname, 'houseway_')"
# The type of a table's rows is told with the table, that of a list with what it lists.
_TYPE_OF_A_TABLE: Final = (
    "x.typrelid <> 0 AND (SELECT c.relkind <> 'c' FROM pg_class c WHERE c.oid = x.typrelid) "
    "OR EXISTS (SELECT FROM pg_type e WHERE e.typarray = x.oid)"
)
_NOT_LISTED: Final = {"pg_proc": _OWN_FUNCTION, "pg_type": _TYPE_OF_A_TABLE}


def _of_an_extension(catalogue: str) -> str:
    return (
        "EXISTS (SELECT FROM pg_depend d WHERE d.deptype = 'e' AND d.objid = x.oid "
        f"AND d.classid = 'pg_catalog.{catalogue}'::regclass)"
    )


def _others_in(kind: str, name: str, catalogue: str, column: str) -> str:
    """What somebody else has put into the journal's schema or among the server's own objects."""
    return (
        f"SELECT '{kind}', x.{name}::text FROM {catalogue} x WHERE x.oid >= {_FIRST_OF_OTHERS} "  # noqa: S608 - our own
        f"AND x.{column} IN ({_SCHEMA}, 'pg_catalog'::regnamespace) AND NOT {_of_an_extension(catalogue)} "
        f"AND NOT ({_NOT_LISTED.get(catalogue, 'false')})"
    )


# A cast between the server's own types belongs to no schema, and holds for everybody.
_CASTS: Final = (
    f"x.oid >= {_FIRST_OF_OTHERS} AND x.castsource < {_FIRST_OF_OTHERS} AND x.casttarget < {_FIRST_OF_OTHERS}"
)
_CASTS_OF_OTHERS: Final = (
    "SELECT 'cast', concat('(', x.castsource::regtype, ' AS ', x.casttarget::regtype, ')') "  # noqa: S608 - our own
    f"FROM pg_cast x WHERE {_CASTS}"
)
_EVENT_TRIGGERS: Final = (
    "SELECT 'event trigger', x.evtname::text FROM pg_event_trigger x "  # noqa: S608 - our own
    f"WHERE x.evtenabled <> 'D' AND NOT {_of_an_extension('pg_event_trigger')}"
)
_POSTGRES_OTHERS: Final = " UNION ALL ".join(
    (
        *(_others_in(*each) for each in _IN_SCHEMAS),
        _CASTS_OF_OTHERS,
        _EVENT_TRIGGERS,
        f"SELECT 'statistics', x.stxname::text FROM pg_statistic_ext x WHERE x.stxrelid IN {_OURS}",  # noqa: S608
        f"SELECT 'sequence', x.relname::text FROM pg_class x WHERE x.relkind = 'S' AND x.relnamespace = {_SCHEMA}",  # noqa: S608
        f"SELECT 'schema', {_NAME_HERE} WHERE has_schema_privilege('public', {_SCHEMA}, 'CREATE')",
    )
)
_DROPPED: Final = ("operator", "cast", "function", "type")
"""What a repair drops, in this order."""


def _stamp_of(catalogue: str, column: str, *more: str) -> str:
    """A text that changes with every row of a catalogue that is about our tables."""
    told = ", ".join(f"x.{part}" for part in ("ctid", "xmin", *more))
    return (
        f"(SELECT string_agg(concat_ws('.', {told}), ' ' ORDER BY x.ctid) FROM {catalogue} x "  # noqa: S608 - our own
        f"WHERE x.{column} IN {_OURS})"
    )


def _stamp_of_others(catalogue: str, column: str) -> str:
    """The same of what belongs to no table, in the journal's schema and among the server's own objects."""
    return (
        f"(SELECT string_agg(concat_ws('.', x.oid, x.xmin), ' ' ORDER BY x.oid) FROM {catalogue} x "  # noqa: S608 - our own
        f"WHERE x.oid >= {_FIRST_OF_OTHERS} AND x.{column} IN ({_SCHEMA}, 'pg_catalog'::regnamespace))"
    )


_POSTGRES_STAMP: Final = f"""
SELECT current_setting('search_path'), {_stamp_of_others("pg_proc", "pronamespace")},
    {_stamp_of_others("pg_operator", "oprnamespace")},
    (SELECT string_agg(concat_ws('.', x.oid, x.xmin), ' ' ORDER BY x.oid) FROM pg_cast x WHERE {_CASTS}),
    {_stamp_of("pg_trigger", "tgrelid")}, {_stamp_of("pg_index", "indrelid", "indisvalid", "indisready")},
    {_stamp_of("pg_constraint", "conrelid")}, {_stamp_of("pg_constraint", "confrelid")},
    {_stamp_of("pg_attribute", "attrelid")}, {_stamp_of("pg_attrdef", "adrelid")}, {_stamp_of("pg_policy", "polrelid")},
    {_stamp_of("pg_inherits", "inhparent")}, {_stamp_of("pg_rewrite", "ev_class")},
    (SELECT string_agg(DISTINCT x.pubname::text, ' ') FROM {_PUBLISHED}),
    (SELECT string_agg(x.subname::text, ' ' ORDER BY x.subname) FROM {_SUBSCRIBED}),
    (SELECT string_agg(concat_ws('.', x.oid, x.xmin), ' ' ORDER BY x.oid) FROM pg_event_trigger x),
    (SELECT string_agg(concat_ws('.', p.oid, p.xmin), ' ' ORDER BY p.oid) FROM pg_proc p
        WHERE p.oid IN (SELECT t.tgfoid FROM pg_trigger t WHERE t.tgrelid IN {_OURS})),
    string_agg(concat_ws('.', named.name, c.oid, c.relkind, c.relpersistence, c.relhasrules, c.relreplident,
    c.reloftype, c.relrowsecurity, c.relforcerowsecurity), ' ') FROM {_FOUND}
"""  # noqa: S608 - names of our own


def _within(sql: str, namespace: schema.Namespace) -> str:
    return sql.replace(_NAME_HERE, f"'{namespace.name}'")


def postgres_stamp(namespace: schema.Namespace) -> str:
    """The question for a text that changes with all that stands between the journal and its rows.

    Asked within a transaction behind its inserts, it holds for them: until the end nobody adds or drops any of these.
    """
    return _within(_POSTGRES_STAMP, namespace)


SQLITE_STAMP: Final = "PRAGMA schema_version"
"""The same on SQLite, for all that the connection itself goes by."""

_SHOWN: Final = 80
"""Characters of a definition that a refusal tells."""
_REPAIR: Final = "the repair takes it off"
_MADE_AGAIN: Final = "the repair makes it again"
_RESTORE: Final = "restore the backup, or put it back by hand as the migrations make it"


class ForeignObject(NamedTuple):
    """Something that is not as this software makes it."""

    kind: str
    """`trigger`, `rule`, `policy`, `view`, `materialized view`, `table`, `column`, `constraint`, `index`, `entry`, and
    on PostgreSQL also `setting`, `schema`, `publication`, `subscription`, `function`, `operator`, `cast`, `type` and
    the like. The guards' functions count as triggers.
    """
    name: str
    what: str


def strange(namespace: schema.Namespace, ask: Ask) -> list[ForeignObject]:
    """All that is missing, altered, or not of this software's making, guards first."""
    if namespace.dialect == "sqlite":
        return _on_sqlite(ask)
    # The path behind all the others: what was run meanwhile could have changed it.
    return [*_on_postgres(namespace, lambda sql: ask(_within(sql, namespace))), *strange_path(ask)]


def strange_path(ask: Ask) -> list[ForeignObject]:
    """Whether a session with PostgreSQL goes by other names than at its beginning."""
    ((path,),) = ask(_POSTGRES_PATH)
    own = schema.SEARCH_PATH
    if path == own:
        return []
    what = f"the session's search path is {path[:_SHOWN]!r} in place of {own!r}: something of the database has set it"
    return [ForeignObject("setting", "search_path", what)]


def check_guards(namespace: schema.Namespace, ask: Ask) -> None:
    """`JournalDamagedError` names everything `strange`."""
    found = strange(namespace, ask)
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
    guards = {name: plain(sql) for name, sql in schema.guards(schema.SQLITE).items()}
    wanted = expected(schema.SQLITE)
    return [
        *_guards(guards, found["trigger"]),
        *forged,
        *(_view("view", name) for name, _ in found["view"]),
        *_differing("table", wanted.tables, tables, missing=_RESTORE, foreign="drop it"),
        *_differing("index", wanted.indexes, found["index"], missing=_MADE_AGAIN, foreign=_REPAIR),
    ]


def _on_postgres(namespace: schema.Namespace, ask: Ask) -> list[ForeignObject]:
    triggers = [
        (name, f"{plain(sql)}{'' if enabled in ('O', 'A') else ' (off)'}")
        for name, enabled, sql in ask(_POSTGRES_TRIGGERS)
    ]
    functions = [
        (name, f"{plain(source)}{'' if is_plain else ' (with settings of its own)'}")
        for name, source, is_plain in ask(_POSTGRES_FUNCTIONS)
    ]
    guards = {name: _as_postgres(plain(sql)) for name, sql in schema.guards(namespace).items()}
    tables, others = list[Named](), list[ForeignObject]()
    for name, kind, lasts, secured, inherits, identified in ask(_POSTGRES_TABLES):
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
        if identified:
            what = f"its replica identity is not its key, so that deletes could be refused: {_REPAIR}"
            others.append(ForeignObject("table", name, what))
    others += [ForeignObject(kind, name, _REPLICATES[kind]) for kind, name in ask(_POSTGRES_REPLICATION)]
    rules = [
        ForeignObject("rule", name, f"no rule belongs there, it could drop rows: {_REPAIR}")
        for (name,) in ask(_POSTGRES_RULES)
    ]
    policies = [
        ForeignObject("policy", name, f"no policy belongs there, it could hide or refuse rows: {_REPAIR}")
        for (name,) in ask(_POSTGRES_POLICIES)
    ]
    beside = [
        ForeignObject("table", name, "this is not a table of the journal, whose schema is its own: drop or move it")
        if kind == "table"
        else _view(kind, name)
        for name, kind in ask(_POSTGRES_BESIDE)
    ]
    return [
        *_guards(guards, triggers + functions),
        *rules,
        *policies,
        *_differing("table", expected(namespace).tables, tables, missing=_RESTORE, foreign="drop it"),
        *beside,
        *others,
        *_postgres_parts(namespace, ask),
        *(_other(kind, name) for kind, name in ask(_POSTGRES_OTHERS)),
    ]


def _other(kind: str, name: str) -> ForeignObject:
    if kind == "schema":
        what = f"anybody may make objects in it: REVOKE CREATE ON SCHEMA {name} FROM PUBLIC, by its owner"
        return ForeignObject(kind, name, what)
    then = _REPAIR if kind in _DROPPED else f"drop it by hand (DROP {kind.upper()})"
    what = f"this is no {kind} of the journal or the server, and could act in their place: {then}"
    return ForeignObject(kind, name, what)


def drops(found: Iterable[ForeignObject]) -> list[str]:
    """The statements by which a repair takes off what stands beside the tables; those that use others go first."""
    some = list(found)
    listed = sorted((each for each in some if each.kind in _DROPPED), key=lambda each: _DROPPED.index(each.kind))
    open_to_all = [f'REVOKE CREATE ON SCHEMA "{each.name}" FROM PUBLIC' for each in some if each.kind == "schema"]
    dropped = [f"DROP {'ROUTINE' if each.kind == 'function' else each.kind.upper()} {each.name}" for each in listed]
    return [*open_to_all, *dropped]


def _postgres_parts(namespace: schema.Namespace, ask: Ask) -> Iterable[ForeignObject]:
    """What the tables consist of: columns, constraints, indexes."""
    wanted, columns, place = expected(namespace), list[Named](), dict[str, int]()
    for table, name, type_, is_null, otherwise in ask(_POSTGRES_COLUMNS):
        place[table] = place.get(table, 0) + 1
        text = column_text(place[table], type_, is_null=is_null, otherwise=otherwise)
        columns.append((f"{table}.{name}", text))
    constraints = [(f"{table}.{name}", text) for table, name, text in ask(_POSTGRES_CONSTRAINTS)]
    indexes = [
        (name, f"{plain(sql)}{'' if is_valid else ' (not valid)'}") for name, sql, is_valid in ask(_POSTGRES_INDEXES)
    ]
    yield from _differing("column", wanted.columns, columns, missing=_RESTORE, foreign="drop it")
    yield from _differing("constraint", wanted.constraints, constraints, missing=_MADE_AGAIN, foreign=_REPAIR)
    yield from _differing("index", wanted.indexes, indexes, missing=_MADE_AGAIN, foreign=_REPAIR)


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
            yield ForeignObject("trigger", name, f"the guard is not there, rows could be changed unseen: {_MADE_AGAIN}")
        elif own[name] != sql:
            yield ForeignObject(
                "trigger", name, f"the guard is not the one that belongs there, or is off: {_MADE_AGAIN}"
            )
    for name in others:
        yield ForeignObject(
            "trigger", name, f"this is not a guard of the journal, and could change or drop rows: {_REPAIR}"
        )


def _view(kind: str, name: str) -> ForeignObject:
    return ForeignObject(kind, name, f"no view belongs beside the journal, it could take a table's place: {_REPAIR}")


def _as_postgres(sql: str) -> str:
    """A statement in the form in which PostgreSQL tells it: of a function its source."""
    body = re.search(r"\$\$(.*)\$\$", sql, re.DOTALL)
    return plain(body[1]) if body else sql
