"""How Alembic reaches the database: by the connection that `migrations.upgrade` and `downgrade` hand over."""

from __future__ import annotations

from alembic import context

from houseway.manager.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
