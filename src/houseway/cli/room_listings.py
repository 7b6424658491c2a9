"""Listings of a room, beside the commands that change it: `houseway table list`, `link meters`, `papers drafts`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from houseway.cli.manager import drafts, show
from houseway.cli.manager_where import ManagerLocation, NoSignIn
from houseway.cli.output import JsonFlag

_LISTED: Final = {
    "staff": {"list": "people", "sessions": "sessions"},
    "device": {"list": "devices"},
    "link": {"list": "links", "meters": "meters"},
    "table": {"list": "tables"},
    "jackpot": {"list": "awards"},
    "papers": {"list": "papers"},
    "change": {"list": "proposals"},
    "incident": {"list": "incidents"},
    "system": {"health": "health"},
}
"""By group and word: what `houseway manager show` lists there."""


def listings_of(group: str) -> dict[str, Callable[..., int]]:
    """The listings of a group, by their words."""
    found: dict[str, Callable[..., int]] = {
        verb: _listing(what, f"houseway {group} {verb}") for verb, what in _LISTED.get(group, {}).items()
    }
    return {**found, "drafts": drafts} if group == "papers" else found


def _listing(what: str, words: str) -> Callable[..., int]:
    def run(
        *,
        sign_in_with: NoSignIn = None,
        where: ManagerLocation = ManagerLocation(),  # noqa: B008 - frozen
        as_json: JsonFlag = False,
    ) -> int:
        return show(what, sign_in_with=sign_in_with, where=where, as_json=as_json)

    run.__doc__ = f"Show the {what} as of now. Nothing is written. Example: `{words}`"
    return run
