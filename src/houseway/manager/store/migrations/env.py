"""How Alembic reaches the database: by the connection that `migrations.upgrade` and `downgrade` hand over."""

from __future__ import annotations

from alembic import context

from houseway.manager.store.schema import metadata

try:
    _connection = context.config.attributes["connection"]
except (AttributeError, NameError):  # imported by itself: only Alembic establishes its context
    _connection = None

if _connection is not None:
    context.configure(connection=_connection, target_metadata=metadata)
    context.run_migrations()
