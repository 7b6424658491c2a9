"""What a session with PostgreSQL goes by: no name, operator or setting that somebody else could have chosen.

Whoever may set parameters of a database or a role, or make objects in a schema, could otherwise let the same statements
mean something else: PostgreSQL takes a function or an operator from any schema of the search path if its types fit
better than those of its own. So nothing is searched for but the server's own catalogues, every table is named with its
schema, and every setting that changes what is written or read is made again on each connection.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from houseway.manager.store.schema import SEARCH_PATH, Namespace
from houseway.manager.store.store_errors import StoreUnavailableError

if TYPE_CHECKING:
    import psycopg

_SETTINGS: Final = {
    # Before the path, which is noted with quotes otherwise.
    "quote_all_identifiers": "off",
    "search_path": SEARCH_PATH,
    "standard_conforming_strings": "on",
    "backslash_quote": "safe_encoding",
    "array_nulls": "on",
    "transform_null_equals": "off",
    "bytea_output": "'hex'",
    "datestyle": "'ISO, YMD'",
    "intervalstyle": "'postgres'",
    "timezone": "'UTC'",
    "extra_float_digits": "1",
    "xmloption": "content",
    "xmlbinary": "base64",
    "default_transaction_isolation": "'read committed'",
    "default_transaction_read_only": "off",
    "default_transaction_deferrable": "off",
    "default_tablespace": "''",
    "default_table_access_method": "'heap'",
    "check_function_bodies": "on",
    "synchronous_commit": "on",
    # A policy that would hide rows makes the question fail instead.
    "row_security": "off",
    "exit_on_error": "off",
    "statement_timeout": "0",
    "lock_timeout": "'60s'",
    "idle_in_transaction_session_timeout": "0",
}
_NEWER_SETTINGS: Final = {"idle_session_timeout": (140_000, "0"), "transaction_timeout": (170_000, "0")}
"""With the version of the server that first knew each."""
DEMANDED: Final = {"session_replication_role": "origin", "zero_damaged_pages": "off", "ignore_checksum_failure": "off"}
"""What only the server's administrator may set: without triggers or with pages that are passed over nothing is safe."""
_SCHEMA: Final = """
SELECT n.nspname::text, quote_ident(n.nspname) FROM unnest(%s::text[]) WITH ORDINALITY AS path (name, place)
JOIN pg_namespace n ON n.nspname = path.name
LEFT JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = 'events' ORDER BY c.oid IS NULL, path.place LIMIT 1
"""
_NAMEABLE: Final = re.compile(r"[\w$ -]+")
_namespaces: Final[WeakKeyDictionary[Any, Namespace]] = WeakKeyDictionary()


def namespace_of(connection: object) -> Namespace:
    """Where the journal's tables are, or will be made, for a connection that was settled."""
    return _namespaces[connection]


def settle(connection: psycopg.Connection[Any], known: Namespace | None = None) -> None:
    """Pin what the session goes by, and find the journal's schema unless it is known already.

    It is the first of the search path as the server has it that holds events; a new journal comes into the first there
    is.
    """
    # Not a name or an operator in this that the path could lead astray.
    row = connection.execute("SELECT pg_catalog.current_schemas(false)::pg_catalog.text[]").fetchone()
    version = connection.info.server_version
    newer = {name: value for name, (since, value) in _NEWER_SETTINGS.items() if version >= since}
    connection.execute("; ".join(f"SET {name} = {value}" for name, value in (_SETTINGS | newer).items()))
    _demand(connection)
    _namespaces[connection] = known or _found(connection, row[0] if row else [])


def _demand(connection: psycopg.Connection[Any]) -> None:
    asked = ", ".join(f"current_setting('{name}')" for name in DEMANDED)
    found = connection.execute(f"SELECT {asked}").fetchone() or ()
    for (name, wanted), value in zip(DEMANDED.items(), found, strict=True):
        if value != wanted:
            try:
                connection.execute(f"SET {name} = {wanted}")
            except connection.ProgrammingError as error:
                message = (
                    f"PostgreSQL's {name} is {value} for this database or user, and must be {wanted}: its "
                    f"administrator takes it off (ALTER DATABASE ... RESET {name}, ALTER ROLE ... RESET {name})"
                )
                raise StoreUnavailableError(message) from error


def _found(connection: psycopg.Connection[Any], path: list[str]) -> Namespace:
    schemas = [name for name in path if not name.startswith("pg_")]
    name, quoted = connection.execute(_SCHEMA, (schemas,)).fetchone() or ("public", "public")
    if not _NAMEABLE.fullmatch(name):
        message = f"the schema {name!r} has a name that cannot be used: letters, digits, _, $ and - are in order"
        raise StoreUnavailableError(message)
    return Namespace("postgresql", name, quoted)
