"""What a pay table is: its lines in printed order, its unit, its meter levels, its source and its printed figures.

All of it is immutable. Pays are whole numbers, envy is in cents, printed figures stay the text that the sheet prints:
no float comes near a table.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from houseway.definitions import Wager
from houseway.errors import present
from houseway.paytables.vocabulary import wager_of
from houseway.ranking.hand_names import names_with_joker

if TYPE_CHECKING:
    from fractions import Fraction

Unit = Literal["to-1", "for-1"]
Joker = Literal["semi-wild", "literal"]


@dataclass(frozen=True, slots=True)
class PayLine:
    """One line of a table: a hand and what it pays, which is `pays`, or `percent` of a meter `level`, or a push.

    `also` holds further hand names that the line takes; `envy` is in cents; `reading` says which choice the printed
    sheet left open here.
    """

    hand: str
    also: tuple[str, ...] = ()
    pays: int | None = None
    percent: int | None = None
    level: str | None = None
    push: bool = False
    envy: int | None = None
    printed_as: str = ""
    reading: str | None = None

    @property
    def hands(self) -> tuple[str, ...]:
        """Every hand name that the line takes."""
        return (self.hand, *self.also)

    def takes(self, names: AbstractSet[str]) -> bool:
        """Whether a hand that fits these names fits the line."""
        return self.hand in names or any(name in names for name in self.also)

    def money(self) -> dict[str, Any]:
        """What decides money on this line, and nothing else; a push of a "to 1" wager is also a pay of 0 to 1."""
        pay: dict[str, Any] = (
            {"pays": self.pays or 0} if self.percent is None else {"percent": self.percent, "level": self.level}
        )
        return {"hand": self.hand, "also": list(self.also), **pay, "push": self.push, "envy": self.envy}

    def to_json(self) -> dict[str, Any]:
        """The line as the command line prints it."""
        return {**self.money(), "printed_as": self.printed_as, "reading": self.reading}


@dataclass(frozen=True, slots=True)
class PrintedSource:
    """Where a table is printed; `also_in` names other editions that print the same figures."""

    document: str
    section: str
    edition: str
    also_in: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The source as the command line prints it."""
        return {
            "document": self.document,
            "section": self.section,
            "edition": self.edition,
            "also_in": list(self.also_in),
        }


@dataclass(frozen=True, slots=True)
class PrintedFigure:
    """A figure that the sheet prints for a table, such as a house advantage of "4.56%", kept as its text."""

    figure: str
    percent_text: str

    @property
    def fraction(self) -> Fraction:
        """The figure as an exact share of 1: "4.56%" is 57/1250."""
        # Imported here because it is slow to import and only the odds need it.
        from fractions import Fraction

        return Fraction(self.percent_text.removesuffix("%")) / 100


@dataclass(frozen=True, slots=True)
class PayTable:
    """A printed pay table. Its lines stand in its own printed order, and the first that fits a hand pays it."""

    id: str
    title: str
    wager: str
    games: tuple[str, ...]
    unit: Unit
    approved: bool
    lines: tuple[PayLine, ...]
    source: PrintedSource
    levels: tuple[str, ...] = ()
    fixed_from_meter: bool = False
    linked_with: str | None = None
    envy_reading: str | None = None
    """The setting by which a room may take the envy from it, where the sheet leaves open whether it has any."""
    not_approved_because: str | None = None
    printed: tuple[PrintedFigure, ...] = ()
    notes: tuple[str, ...] = ()
    joker: Joker = "semi-wild"
    """How the joker counts on its lines: as an ace anywhere, or as an ace in five aces only (`literal`)."""
    has_envy: bool = field(init=False, repr=False, compare=False)
    """Whether any line has an envy pay."""
    _first_lines: dict[frozenset[str], PayLine | None] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """The answers of `line_for` so far: a stream of rounds asks for few different sets of names, very often."""

    def __post_init__(self) -> None:
        """Note what rounds ask for all the time."""
        object.__setattr__(self, "has_envy", any(line.envy for line in self.lines))

    @property
    def looks_at(self) -> str:
        """Which hand the lines name: `player-best`, `dealer-best`, `dealer-low` or `losing-hand`."""
        look = present(self.wager_in(self.games[0]).look, f"look of {self.wager}, which has tables")
        return look.at

    @property
    def is_jackpot(self) -> bool:
        """Whether it pays a jackpot wager, whose stake is never handed back and which may be paid from meters."""
        return self.wager_in(self.games[0]).kind == "jackpot"

    def wager_in(self, game_id: str) -> Wager:
        """The wager that it pays in one of its games."""
        return present(wager_of(game_id, self.wager), f"{self.wager} in {game_id}, which {self.id} is for")

    def line_for(self, names: AbstractSet[str]) -> PayLine | None:
        """The first line from the top that takes one of the names a hand fits, or None if the hand loses.

        >>> from houseway.paytables import paytable
        >>> paytable("FPGP-1").line_for({"straight", "three-of-a-kind", "pair"}).hand
        'three-of-a-kind'
        >>> paytable("6CFPGP-1").line_for({"straight", "three-of-a-kind", "pair"}).hand
        'straight'
        """
        key = frozenset(names)
        if key not in self._first_lines:
            self._first_lines[key] = next((line for line in self.lines if line.takes(key)), None)
        return self._first_lines[key]

    def printed_figure(self, figure: str) -> PrintedFigure | None:
        """The printed figure of that name, or None if the sheet prints none."""
        return next((printed for printed in self.printed if printed.figure == figure), None)

    def without_also(self) -> PayTable:
        """The table under the narrow reading: every line takes only the hand it names."""
        return replace(self, lines=tuple(replace(line, also=()) for line in self.lines))

    def names_of(self, semi_wild: frozenset[str], natural: frozenset[str]) -> frozenset[str]:
        """The names with which the table reads a hand, out of those with the joker an ace anywhere and without it."""
        return semi_wild if self.joker == "semi-wild" else names_with_joker(semi_wild, natural)

    def rules(self) -> dict[str, Any]:
        """What the table decides, without the words around it (title, notes, readings, source)."""
        return {
            **({} if self.joker == "semi-wild" else {"joker": self.joker}),
            "id": self.id,
            "wager": self.wager,
            "games": list(self.games),
            "unit": self.unit,
            "approved": self.approved,
            "lines": [line.money() for line in self.lines],
            "levels": list(self.levels),
            "fixed_from_meter": self.fixed_from_meter,
            "linked_with": self.linked_with,
            "printed": {printed.figure: printed.percent_text for printed in self.printed},
        }

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of `rules()` as JSON with sorted keys and no blanks: it changes if and only if the rules do."""
        canonical = json.dumps(self.rules(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()

    def to_json(self) -> dict[str, Any]:
        """The table as the command line prints it; `envy` is in cents."""
        return {
            **self.rules(),
            "title": self.title,
            "looks_at": self.looks_at,
            "not_approved_because": self.not_approved_because,
            "lines": [line.to_json() for line in self.lines],
            "source": self.source.to_json(),
            "notes": list(self.notes),
            "fingerprint": self.fingerprint,
        }
