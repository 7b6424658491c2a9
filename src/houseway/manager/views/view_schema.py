"""The JSON schema of all that others ask and see: questions and their answers, subscriptions, answers to commands."""

from __future__ import annotations

import msgspec

from houseway.manager.commands import COMMAND_ANSWERS
from houseway.manager.views.answers import MESSAGES
from houseway.manager.views.floor_questions import ANSWERS, QUESTIONS
from houseway.reading.json_values import JsonObject


def schema() -> JsonObject:
    """The JSON schema of every question, answer and message, with the objects in them under `$defs`."""
    kinds: list[type[msgspec.Struct]] = [*QUESTIONS.values(), *ANSWERS.values(), *MESSAGES.values()]
    kinds += COMMAND_ANSWERS.values()
    schemas, defined = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    found = iter(schemas)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What a Houseway Game Manager is asked, answers and tells",
        "questions": {name: next(found) for name in QUESTIONS},
        "answers": {name: next(found) for name in ANSWERS},
        "messages": {name: next(found) for name in MESSAGES},
        "commands": {name: next(found) for name in COMMAND_ANSWERS},
        "$defs": defined,
    }
