"""The settings of a table, their defaults, and how they are read from a round's `settings` object.

Each point that the documents leave to the room is a named setting; docs/decisions.md says what its default rests on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from houseway.games.wager_limits import LICENCES, DatedLimits, Limits, WagerRange, limits_on
from houseway.paytables import paytables

if TYPE_CHECKING:
    from houseway.definitions import Edition, Game
    from houseway.reading.faults import Faults


Reading: TypeAlias = bool | str
"""The value of a setting that chooses how pay tables are read."""


@dataclass(frozen=True, slots=True)
class AggregateLimit:
    """The most that the odds-paid bonus wagers of one hand, or of the whole round, may win."""

    per: Literal["hand", "round"]
    cents: int


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a table, with their defaults."""

    wheel: Literal["second", "lowest"] = "second"
    commission_percent: int = 0
    commission_minimum: int = 0
    double_for_less: bool = False
    aggregate_limit: AggregateLimit | None = None
    jackpot_kind: Literal["progressive", "house"] = "progressive"
    fixed_pays: Literal["tray", "meter"] = "tray"
    limits: Limits | None = None
    max_games: int | None = None
    allow_unapproved: bool = False
    dealer_stake: int = 0
    banked_bonus: Literal["dealer", "banker"] = "dealer"
    """Whose hand a bonus wager on the dealer's looks at while a player banks."""
    joker_seven_card_line: bool = True
    """Whether a table's only seven-card straight flush line also takes one made with the joker."""
    shared_envy: bool = True
    """Whether one envy column that is printed beside two tables counts for both (`envy_reading` of a table)."""
    jackpot_joker: Literal["semi-wild", "literal"] = "semi-wild"
    """Whether the joker of the seven-card jackpots is an ace in any hand, or as their note says in five aces only."""
    jackpots_by_paper: bool = False
    """Whether a paper allows jackpots that the game's own sheet does not offer."""

    @property
    def readings(self) -> dict[str, Reading]:
        """The settings that choose how pay tables are read."""
        return {name: getattr(self, name) for name in READINGS}

    @property
    def games_allowed(self) -> int | None:
        """How many separate games a player may bet on: the room's own number, else the dated one, else none."""
        return self.max_games if self.max_games is not None or self.limits is None else self.limits.separate_games


SETTING_NAMES: Final = tuple(field.name for field in fields(Settings))
READING_CHOICES: Final[Mapping[str, tuple[Reading, ...]]] = {
    "joker_seven_card_line": (True, False),
    "shared_envy": (True, False),
    "jackpot_joker": ("semi-wild", "literal"),
}
"""The settings that choose how pay tables are read, and what each may be (docs/decisions.md)."""
READINGS: Final[Mapping[str, Reading]] = {name: getattr(Settings(), name) for name in READING_CHOICES}
"""The same with their defaults."""


def read_settings(value: object, game: Game, faults: Faults, notes: list[str]) -> Settings:
    """The settings of a round; faults for unknown names, bad values and what the game's sheet does not allow."""
    if value is None or value == {}:
        return default_settings(game)
    given = faults.mapping(value, "settings")
    faults.keys(given, SETTING_NAMES, "settings")
    read: dict[str, Any] = {}
    for name in SETTING_NAMES:
        if name in given:
            _read_one(name, given[name], game, faults, notes, read)
    _check_wheel(game, faults, notes, read)
    found = replace(default_settings(game), **read)
    _check_meant(game, found, faults)
    _note_day_without_sheet(game, found, notes)
    if found.jackpot_kind == "house":
        _check_house_jackpots(game, found, faults)
    if read.get("fixed_pays") == "meter" and read.get("jackpot_kind") == "house":
        notes.append("a house jackpot has no meter: its fixed pays come from the tray, and fixed_pays is not used")
    return found


def _note_day_without_sheet(game: Game, settings: Settings, notes: list[str]) -> None:
    """Say so where no edition of the sheet is as old as the day that was given."""
    day = None if settings.limits is None else settings.limits.as_of
    if day is not None and game.edition_on(day.isoformat()) is None:
        notes.append(f"no sheet of {game.title} on file is as old as {day}: {game.editions[0].text} is read instead")


def has_setting(game: Game, name: str) -> bool:
    """Whether a setting decides anything in a game, by the game's definition and pay tables."""
    return name not in _MEANT_BY or _MEANT_BY[name][0](game)


def _check_meant(game: Game, settings: Settings, faults: Faults) -> None:
    """Refuse settings that decide nothing in a game; whoever spells out their defaults has chosen nothing."""
    defaults = default_settings(game)
    for name, (is_meant, without) in _MEANT_BY.items():
        if getattr(settings, name) != getattr(defaults, name) and not is_meant(game):
            faults.add("setting-not-allowed", f"settings.{name}", f"{without.format(game.title)}: leave {name} out")


def _is_looked_at_beside_bank(game: Game) -> bool:
    looks = [wager.look for wager in game.wagers if wager.look is not None]
    return game.offers_banker and any(look.at.startswith("dealer") or look.beaten_by for look in looks)


def _has_envy_reading(game: Game) -> bool:
    return any(table.envy_reading is not None for table in paytables() if game.id in table.games)


_MEANT_BY: Final[Mapping[str, tuple[Callable[[Game], bool], str]]] = {
    "wheel": (lambda game: game.has_joker, "without a joker A-2-3-4-5 is the lowest straight of {}"),
    "commission_percent": (lambda game: game.commission is not None, "{} takes no commission, and no room sets one"),
    "commission_minimum": (lambda game: game.commission is not None, "{} takes no commission, and no room sets one"),
    "double_for_less": (
        lambda game: any(wager.raises is not None and wager.raises.may_be_less for wager in game.wagers),
        "{} has no wager that raises another by less than it",
    ),
    "aggregate_limit": (
        lambda game: bool(game.aggregate_clause),
        "the {} sheet lets no room limit what bonus wagers win together",
    ),
    "jackpot_kind": (lambda game: bool(game.jackpots), "{} has no jackpot wager"),
    "fixed_pays": (
        lambda game: game.fixed_pays_from_meter,
        "the {} sheet leaves the meter to percentage awards: fixed ones are paid from the tray",
    ),
    "dealer_stake": (lambda game: game.offers_banker, "no player banks in {}"),
    "banked_bonus": (
        _is_looked_at_beside_bank,
        "no bonus wager of {} looks at a dealer's hand beside a player who banks",
    ),
    "joker_seven_card_line": (
        lambda game: game.has_joker and game.hand_cards >= _SEVEN,
        "no hand of {} is a seven-card straight flush with the joker",
    ),
    "shared_envy": (_has_envy_reading, "no pay table of {} leaves its envy to a reading"),
    "jackpot_joker": (
        lambda game: any(wager.clauses.joker for wager in game.wagers),
        "no jackpot of {} leaves the joker to a reading",
    ),
    "jackpots_by_paper": (
        lambda game: any(edition.by_paper is not None for edition in game.editions),
        "{} has no jackpot that a paper adds to its sheet",
    ),
}
"""For each setting that only some games have, which these are, and what is said of the others."""


def _check_house_jackpots(game: Game, settings: Settings, faults: Faults) -> None:
    edition = edition_of(game, settings)
    if edition.offer(with_paper=settings.jackpots_by_paper).house_jackpots:
        return
    if edition.offer(with_paper=True).house_jackpots:
        message = f"{edition.text} of {game.title} knows no house jackpots: {NEEDS_PAPER}"
        faults.add("needs-paper", "settings.jackpot_kind", message)
    else:
        message = f"{edition.text}, in force on that day, knows no house jackpots: leave jackpot_kind out"
        faults.add("not-in-edition", "settings.jackpot_kind", message)


_SEVEN: Final = 7
NEEDS_PAPER: Final = "leave them out, or set jackpots_by_paper where a paper of the commission allows them"
"""What to do about jackpots that only a paper can bring to a game."""


def edition_of(game: Game, settings: Settings) -> Edition:
    """The edition of the sheet that holds: that of the day of the limits, the newest one where no day is given.

    On a day before the first edition it is that one: nothing older is on file.
    """
    day = None if settings.limits is None else settings.limits.as_of
    if day is None:
        return game.newest_edition
    return game.edition_on(day.isoformat()) or game.editions[0]


def default_settings(game: Game) -> Settings:
    """What holds at a table of a game where a room says nothing."""
    commission = game.commission
    return Settings(
        wheel=game.fixed_wheel or "second",
        commission_percent=0 if commission is None else commission.percent,
        commission_minimum=0 if commission is None else commission.minimum,
    )


def _read_one(name: str, value: object, game: Game, faults: Faults, notes: list[str], read: dict[str, Any]) -> None:
    """Read one setting by its kind."""
    path = f"settings.{name}"
    match name:
        case "wheel":
            _keep(read, name, faults.choice(value, ("second", "lowest"), path))
        case "jackpot_kind":
            _keep(read, name, faults.choice(value, ("progressive", "house"), path))
        case "fixed_pays":
            _keep(read, name, faults.choice(value, ("tray", "meter"), path))
        case "jackpot_joker":
            _keep(read, name, faults.choice(value, ("semi-wild", "literal"), path))
        case "banked_bonus":
            _keep(read, name, faults.choice(value, ("dealer", "banker"), path))
        case "commission_percent":
            _keep(read, name, faults.integer(value, path, 0, 100))
        case "commission_minimum" | "dealer_stake":
            _keep(read, name, faults.integer(value, path))
        case "max_games":
            if value is not None:
                _keep(read, name, faults.integer(value, path, 1, 100))
        case "aggregate_limit":
            read[name] = None if value is None else _read_aggregate(value, path, faults)
        case "limits":
            read[name] = None if value is None else _read_limits(value, path, game, faults, notes)
        case _:
            read[name] = faults.boolean(value, path)


def _keep(read: dict[str, Any], name: str, value: object) -> None:
    if value is not None:
        read[name] = value


def _check_wheel(game: Game, faults: Faults, notes: list[str], read: dict[str, Any]) -> None:
    """Hold the place of A-2-3-4-5 where the sheet fixes it."""
    fixed = game.fixed_wheel
    if fixed is None:
        return
    asked, read["wheel"] = read.get("wheel", fixed), fixed
    if asked == fixed:
        return
    if fixed == "lowest":
        # The default of the setting is the Pai Gow order, so a caller who spells out all defaults is not refused here.
        notes.append(f"{game.title} always ranks A-2-3-4-5 as the lowest straight: the wheel setting is not used")
    else:
        faults.add(
            "setting-not-allowed",
            "settings.wheel",
            f"the {game.title} sheet makes A-2-3-4-5 the second-highest straight: leave wheel at {fixed!r}",
        )


def _read_aggregate(value: object, path: str, faults: Faults) -> AggregateLimit | None:
    limit = faults.mapping(value, path)
    if not limit and isinstance(value, dict):
        faults.add("bad-setting", path, 'give {"per": "hand" or "round", "cents": amount}, or null for no limit')
        return None
    faults.keys(limit, ("per", "cents"), path)
    per = faults.choice(limit.get("per"), ("hand", "round"), f"{path}.per") if limit else None
    cents = faults.integer(limit.get("cents"), f"{path}.cents") if limit else None
    if per is None or cents is None:
        return None
    return AggregateLimit("hand" if per == "hand" else "round", cents)


def _read_limits(value: object, path: str, game: Game, faults: Faults, notes: list[str]) -> Limits:
    """Read `{"as_of": date, "licence": kind}` and/or ranges `{"any" or WAGER: {"min": cents, "max": cents}}`."""
    given = faults.mapping(value, path)
    wagers = [wager.name for wager in game.wagers]
    faults.keys(given, ("as_of", "licence", "any", *wagers), path)
    any_range = _read_range(given["any"], f"{path}.any", faults) if "any" in given else WagerRange()
    own = {name: _read_range(given[name], f"{path}.{name}", faults) for name in wagers if name in given}
    if "as_of" not in given:
        if "licence" in given:
            faults.add("bad-setting", f"{path}.licence", "a licence says something only together with as_of, a date")
        return Limits(any_range, own)
    dated = _read_dated(given, path, faults)
    bounds = [bound for bound in (any_range.most, dated.highest_wager) if bound is not None]
    narrowed = WagerRange(any_range.least, min(bounds) if bounds else None)
    if dated.highest_wager is None:
        notes.append("the documents set no highest wager for that date and licence: enter the room's own")
    return Limits(narrowed, own, dated.separate_games, dated.day)


def _read_dated(given: dict[str, Any], path: str, faults: Faults) -> DatedLimits:
    """What the documents set on the date and for the licence that were given."""
    licence = faults.choice(given.get("licence", LICENCES[0]), LICENCES, f"{path}.licence")
    try:
        day = date.fromisoformat(given["as_of"])
    except (TypeError, ValueError):
        faults.add("bad-setting", f"{path}.as_of", "give a date as in 2023-08-01")
        return DatedLimits()
    return replace(limits_on(day, licence), day=day) if licence else DatedLimits()


def _read_range(value: object, path: str, faults: Faults) -> WagerRange:
    given = faults.mapping(value, path)
    faults.keys(given, ("min", "max"), path)
    least = faults.integer(given["min"], f"{path}.min") if "min" in given else None
    most = faults.integer(given["max"], f"{path}.max") if "max" in given else None
    if least is not None and most is not None and least > most:
        faults.add("bad-setting", path, f"the least wager, {least}, is above the most, {most}")
    return WagerRange(least, most)
