"""Switches that put one rule of the Game Manager out of force: a handler, a check of one, a key, a paper."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from houseway.manager.controller import key_presses, key_words
from houseway.manager.controller.panel import CommandDraft, Panel
from houseway.manager.core.engine import HANDLERS, Handler
from tests.rules.harness import Switch, replaced

HANDLED = "houseway.manager.handlers"


def handled_by(command: type, handler: Handler) -> Switch:
    """A command is carried out by another handler."""

    def throw(monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(HANDLERS, command, handler)

    return throw


def ignored(command: type) -> Switch:
    """A command is accepted and does nothing."""
    return handled_by(command, lambda decision, wanted: None)


def unchecked(check: str) -> Switch:
    """A check of the handlers, `module.function`, that finds no fault."""
    return replaced(f"{HANDLED}.{check}", lambda *_, **__: [])


def without_key(action: str) -> Switch:
    """No generation of controls has a key for an action."""
    words = {
        generation: {word: does for word, does in own.items() if does != action}
        for generation, own in key_words.OWN_WORDS.items()
    }
    return replaced("houseway.manager.controller.key_words.OWN_WORDS", words)


def key_does(action: str, meaning: Callable[[Panel, dict[str, Any]], list[CommandDraft]]) -> Switch:
    """A key means something else."""

    def throw(monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(key_presses._ACTIONS, action, meaning)

    return throw


ONE_VOCABULARY = replaced(
    "houseway.manager.controller.key_words.OWN_WORDS",
    {
        generation: {word: does for own in key_words.OWN_WORDS.values() for word, does in own.items()}
        for generation in key_words.OWN_WORDS
    },
)
"""Every generation has the keys of all."""
