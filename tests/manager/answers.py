"""Answers of commands as tests read them."""

from __future__ import annotations

from typing import Any

import msgspec

from houseway.manager.core.command import answer_type
from houseway.manager.core.engine import Decision


def plain_answer(decision: Decision) -> dict[str, Any]:
    """The answer as JSON has it; what comes back from the JSON is the answer again, of the type that its command names.

    A handler that a test has put out of force answers nothing.
    """
    if decision.answer is None:
        return {}
    text = msgspec.json.encode(decision.answer)
    assert msgspec.json.decode(text, type=answer_type(type(decision.envelope.do))) == decision.answer
    found: dict[str, Any] = msgspec.json.decode(text)
    return found
