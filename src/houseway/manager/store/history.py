"""The floor as it was at any time: the nearest stored state before it, and the events from there on."""

from __future__ import annotations
