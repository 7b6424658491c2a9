"""A SQLite file of a client's own, with the settings and the checks that the journal has."""

from __future__ import annotations

from houseway.manager.store.sqlite import connect, driver

__all__ = ["connect", "driver"]
