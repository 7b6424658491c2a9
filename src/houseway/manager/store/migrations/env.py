"""How Alembic reaches the database: by the connection that `migrations.upgrade` and `downgrade` hand over."""

from __future__ import annotations

from alembic import context

from houseway.manager.store.schema import metadata
from houseway.manager.store.urls import namespace_of

try:
    _connection = context.config.attributes["connection"]
except (AttributeError, NameError):  # imported by itself: only Alembic establishes its context
    _connection = None

if _connection is not None:
    _schema = namespace_of(_connection).name or None
    context.configure(connection=_connection, target_metadata=metadata, version_table_schema=_schema)
    context.run_migrations()
