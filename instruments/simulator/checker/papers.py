"""The progressive pay tables as the checker reads them: from the printed tables' files, with a reader of its own.

The checker shares no code with what it checks, so it does not ask `houseway.paytables` what a line pays.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

TITLES: Final = {
    "fortune": "Fortune Pai Gow Poker",
    "commission-free-fortune": "Commission Free Fortune Pai Gow Poker",
    "face-up": "Face Up Pai Gow Poker",
    "six-card-fortune": "6 Card Fortune Pai Gow Poker",
    "six-card-poker": "Six Card Poker",
}
"""The games as letters write them; with a jackpot on the table, "Progressive" stands behind."""
LETTER_DAY: Final = "2020-07-07"
LETTER_GAMES: Final = (
    "DJ Wild Stud Poker", "Fortune Pai Gow Poker", "Fortune Pai Gow Poker Progressive", "I Luv Suits Poker",
)  # fmt: skip
"""The letter that permits face-up dealing for the time being, and the four games that it names."""
CENTS_PER_DOLLAR: Final = 100
JACKPOT_WAGER: Final = "progressive"


class PrintedLine(NamedTuple):
    """One line of a printed table: a fixed pay, or a share of the meter of a level, and the envy that it brings."""

    hand: str
    pays: int | None
    percent: int | None
    level: str | None
    envy_cents: int | None


class PrintedTable(NamedTuple):
    """A printed table of jackpot pays."""

    id: str
    games: tuple[str, ...]
    levels: tuple[str, ...]
    fixed_from_meter: bool
    linked_with: str | None
    buttons: dict[str, PrintedLine]
    """Its lines by the hand's button; the first line that takes a hand counts."""


@cache
def printed_tables() -> dict[str, PrintedTable]:
    """Every printed table of jackpot pays, by its id."""
    folder = resources.files("houseway") / "rules" / "paytables"
    read = (tomllib.loads(file.read_text("utf-8")) for file in folder.iterdir() if file.name.endswith(".toml"))
    return {data["id"]: _table(data) for data in read if data["wager"] == JACKPOT_WAGER}


def _table(data: dict[str, object]) -> PrintedTable:
    buttons: dict[str, PrintedLine] = {}
    for line in data["lines"]:  # type: ignore[attr-defined]
        dollars = line.get("envy_dollars")
        printed = PrintedLine(
            line["hand"],
            line.get("pays"),
            line.get("percent"),
            line.get("level"),
            None if dollars is None else dollars * CENTS_PER_DOLLAR,
        )
        for hand in (line["hand"], *line.get("also", ())):
            buttons.setdefault(hand, printed)
    return PrintedTable(
        str(data["id"]),
        tuple(data["games"]),  # type: ignore[arg-type]
        tuple(data.get("levels", ())),  # type: ignore[arg-type]
        bool(data.get("fixed_from_meter", False)),
        data.get("linked_with"),  # type: ignore[arg-type]
        buttons,
    )
