"""The property on disk that the tests of the server have."""

from __future__ import annotations

from tests.manager.server.conftest import house, pattern

__all__ = ["house", "pattern"]
