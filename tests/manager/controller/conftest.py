"""The controller's tests use the server's property."""

from __future__ import annotations

from tests.manager.server.conftest import house, pattern

__all__ = ["house", "pattern"]
