"""Reading the arguments of `houseway odds`: from words to a question about the odds, or every fault at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from houseway.api.arguments import WHEELS, Arguments
from houseway.errors import InputError
from houseway.odds.solved_game import OPTIMAL
from houseway.reading.faults import MOST_CENTS
from houseway.reading.places import excerpt
from houseway.wording import in_known_case, suggestion

if TYPE_CHECKING:
    from houseway.api.telling import Teller
    from houseway.definitions import Game
    from houseway.games.table_settings import Reading
    from houseway.houseways import HouseWay
    from houseway.paytables import PayTable

_NUMBER: Final = re.compile(r"[0-9]{1,12}(\.[0-9]{1,12})?")
HOUSE_WAY: Final = "house-way"


@dataclass
class OddsOptions:
    """The options as they were given."""

    paytables: Sequence[str | PayTable] = ()
    paytable_file: str | None = None
    allow_holes: bool = False
    way: str | None = None
    player: str | None = None
    wheel: str | None = None
    role: str = "player"
    commission: str | None = None
    others: str | None = None
    bet: str | None = None
    meters: Sequence[str] = ()
    contribution: str | None = None
    seeds: Sequence[str] = ()
    advantage: str | None = None
    readings: Sequence[str] = ()


class _SettingWays(NamedTuple):
    """How both sides set: the name of each, and the way where it is out of a file."""

    dealer: str
    dealer_way: HouseWay | None
    player: str
    player_way: HouseWay | None


@dataclass
class CheckedOptions:
    """The same, read and checked against each other."""

    game: Game
    wagers: tuple[str, ...]
    tables: dict[str, PayTable]
    dealer: str
    dealer_way: HouseWay | None
    """The dealer's way where it is out of a file."""
    player: str
    player_way: HouseWay | None
    """The player's way where it is out of a file."""
    wheel: str
    banker: bool
    commission: Fraction
    others: int | None
    bet: int | None
    meters: dict[str, int] = field(default_factory=dict)
    contribution: Fraction | None = None
    seeds: dict[str, int] = field(default_factory=dict)
    advantage: Fraction | None = None
    notes: list[str] = field(default_factory=list)
    """What somebody who designed a table should know about it."""


def read(game_id: str, wager: str | None, given: OddsOptions, teller: Teller) -> CheckedOptions:
    """The arguments as a question; raises InputError with every fault."""
    arguments = Arguments()
    game = arguments.game(game_id)
    amounts = _amounts(arguments, given)
    if game is None:
        arguments.refuse_if_any()
    assert game is not None
    wagers = _wagers(arguments, game, wager)
    notes: list[str] = []
    tables = _tables(arguments, game, wagers, given, notes)
    wheel = _wheel(arguments, game, given)
    sides = _sides(arguments, game, given, wheel, teller)
    found = CheckedOptions(game, wagers, tables, *sides, wheel, notes=notes, **amounts)
    _check_commission(arguments, game, given)
    if game.commission is None or found.commission is None:
        found.commission = game.commission_rate
    _check_banker(arguments, found)
    _check_others(arguments, found)
    _read_levels(arguments, found, given)
    arguments.refuse_if_any()
    if given.paytable_file is not None:
        found.notes += _design_notes(found)
    return found


def _amounts(arguments: Arguments, given: OddsOptions) -> dict[str, Any]:
    """The values that can be read without knowing the game."""
    role = arguments.choice(given.role, ("player", "banker"), "as")
    percent = _percent(arguments, given.commission, "commission", "5")
    return {
        "banker": role == "banker",
        "commission": percent,
        "others": _amount(arguments, given.others, "others", 0, 6),
        "bet": _amount(arguments, given.bet, "bet", 1, MOST_CENTS),
        "contribution": _rate(arguments, given.contribution, "contribution"),
        "advantage": _rate(arguments, given.advantage, "advantage"),
    }


def _amount(arguments: Arguments, text: str | None, path: str, low: int, high: int) -> int | None:
    """A whole number in a range; None where none was given."""
    return None if text is None else arguments.whole_number(text, path, low, high)


def _percent(arguments: Arguments, text: str | None, path: str, example: str) -> Fraction | None:
    """A percentage, with or without its sign, as a share of 1."""
    if text is None:
        return None
    number = text.removesuffix("%")
    if not _NUMBER.fullmatch(number) or Fraction(number) > 100:
        shown = excerpt(text)
        arguments.add("out-of-range", path, f"{shown!r} is not a percentage from 0 to 100, such as {example}")
        return None
    return Fraction(number) / 100


def _rate(arguments: Arguments, text: str | None, path: str) -> Fraction | None:
    """A share from 0 to 1, or the same as a percentage with its sign."""
    if text is None or text.endswith("%"):
        return _percent(arguments, text, path, "15%")
    if not _NUMBER.fullmatch(text) or Fraction(text) > 1:
        shown = excerpt(text)
        arguments.add("out-of-range", path, f"{shown!r} is not a share from 0 to 1, such as 0.15 or 15%")
        return None
    return Fraction(text)


def _wagers(arguments: Arguments, game: Game, text: str | None) -> tuple[str, ...]:
    """The wagers of a sum in the game's order; the first one by default, and one that may be folded with its raise."""
    known = [wager.name for wager in game.wagers]
    names = [game.first_wager.name] if text is None else [in_known_case(word, known) for word in text.split("+")]
    for name in names:
        if name not in known:
            shown = excerpt(name)
            arguments.add("unknown-wager", "wager", f"{shown!r} is not a wager of {game.id}: {suggestion(name, known)}")
        elif names.count(name) > 1:
            arguments.add("conflicting-options", "wager", f"{name} is in the sum twice")
            break
    if sum(game_wager.kind == "jackpot" and game_wager.name in names for game_wager in game.wagers) > 1:
        arguments.add("conflicting-options", "wager", "ask for one jackpot wager at a time: each has its own meters")
    raised = game.raise_wager
    if raised is not None and game.offers_fold and game.first_wager.name in names and raised.name not in names:
        names.append(raised.name)
    return tuple(name for name in known if name in names)


def _tables(
    arguments: Arguments, game: Game, wagers: Sequence[str], given: OddsOptions, notes: list[str]
) -> dict[str, PayTable]:
    """The pay table of every wager of the sum that has one."""
    from houseway.games.round_tables import as_read
    from houseway.paytables import own_paytable

    offered: list[tuple[PayTable, str]] = []
    for table_id in given.paytables:
        table = arguments.paytable(table_id) if isinstance(table_id, str) else table_id
        offered += [] if table is None else [(table, "paytable")]
    if given.paytable_file is not None:
        file = given.paytable_file
        table = arguments.read(lambda: own_paytable(file))
        offered += [] if table is None else [(table, "paytable_file")]
    elif given.allow_holes:
        arguments.add("conflicting-options", "allow_holes", "--allow-holes is for a table of your own: --paytable-file")
    readings = _readings(arguments, given)
    found: dict[str, PayTable] = {}
    for table, path in offered:
        taken = as_read(table, readings)
        _place(arguments, game, wagers, taken, path, found)
        if path == "paytable_file" and taken in found.values():
            _check_design(arguments, game, taken, given)
    notes += [
        f"--reading {name} changes nothing here: no table of the question is read otherwise by it."
        for name, value in readings.items()
        if all(as_read(table, {name: value}) == table for table, _ in offered)
    ]
    if not arguments.any:
        _add_defaults(arguments, game, wagers, found)
    return found


def _readings(arguments: Arguments, given: OddsOptions) -> dict[str, Reading]:
    """How pay tables are read where it is not the default: NAME=VALUE for each."""
    from houseway.games.table_settings import READING_CHOICES

    found: dict[str, Reading] = {}
    for word in given.readings:
        name, _, value = word.partition("=")
        choices = {str(choice).lower(): choice for choice in READING_CHOICES.get(name, ())}
        if name in found:
            arguments.add("conflicting-options", "reading", f"{name} is given twice")
            continue
        if value.lower() in choices:
            found[name] = choices[value.lower()]
            continue
        known = ", ".join(
            f"{each}={'|'.join(str(choice).lower() for choice in choices)}" for each, choices in READING_CHOICES.items()
        )
        arguments.add("bad-choice", "reading", f"{excerpt(word)!r} is not a reading of a pay table: {known}")
    return found


def _place(
    arguments: Arguments, game: Game, wagers: Sequence[str], table: PayTable, path: str, found: dict[str, PayTable]
) -> None:
    """Give a table to the wager of the sum that it is for."""
    fitting = [wager.name for wager in game.wagers if wager.needs_table and wager.paid_by == table.wager]
    asked = [name for name in wagers if name in fitting and name not in found]
    if game.id not in table.games or not asked:
        offered = f"{table.wager} of {', '.join(table.games)}"
        arguments.add("wrong-paytable", path, f"{table.id} is for {offered}, not for {'+'.join(wagers)} of {game.id}")
        return
    found[asked[0]] = table


def _check_design(arguments: Arguments, game: Game, table: PayTable, given: OddsOptions) -> None:
    """Hold a designer's own table to more than its file says."""
    from houseway.odds.wagers import check_design

    arguments.read(lambda: check_design(table, game.id, given.paytable_file or "", allow_holes=given.allow_holes))


def _design_notes(found: CheckedOptions) -> list[str]:
    from houseway.odds.wagers import unlisted_hands
    from houseway.ranking.hand_names import hand_title

    return [
        f"{table.id} has no line for a {hand_title(unlisted.hand)}: {unlisted.text}."
        for table in found.tables.values()
        if not table.approved
        for unlisted in unlisted_hands(table, found.game.id)
    ]


def _add_defaults(arguments: Arguments, game: Game, wagers: Sequence[str], found: dict[str, PayTable]) -> None:
    from houseway.paytables import paytable, paytables

    for wager in game.wagers:
        if wager.name not in wagers or not wager.needs_table or wager.name in found:
            continue
        if wager.default_table is not None:
            found[wager.name] = paytable(wager.default_table)
            continue
        ids = [table.id for table in paytables() if table.wager == wager.paid_by and game.id in table.games]
        message = (
            f"{wager.name} is paid by a pay table: give --paytable with one of {', '.join(ids)}, or --paytable-file"
        )
        arguments.add("missing-paytable", "paytable", message)


def _sides(arguments: Arguments, game: Game, given: OddsOptions, wheel: str, teller: Teller) -> _SettingWays:
    """How the dealer and the player set their hands, each by a name or by the file of a way."""
    if not game.ways:
        if given.way is not None:
            arguments.add("no-house-way", "way", f"{game.title} has no house way: its hands are not split")
        if given.player not in (None, OPTIMAL):
            arguments.add("no-house-way", "player", f"the player of {game.title} is {OPTIMAL}: it has no house way")
        return _SettingWays("", None, OPTIMAL, None)
    dealer, dealer_way = game.ways[0], None
    if given.way is not None:
        dealer, dealer_way = _way(arguments, game, given.way, "way", (), wheel, teller)
    if given.player in (None, HOUSE_WAY):
        return _SettingWays(dealer, dealer_way, dealer, dealer_way)
    assert given.player is not None
    player, player_way = _way(arguments, game, given.player, "player", (HOUSE_WAY, OPTIMAL), wheel, teller)
    return _SettingWays(dealer, dealer_way, player, player_way)


def _way(
    arguments: Arguments, game: Game, given: str, path: str, others: tuple[str, ...], wheel: str, teller: Teller
) -> tuple[str, HouseWay | None]:
    """One side's way: a name, or the id of a way out of a file and the way."""
    name = in_known_case(given, (*others, *game.ways))
    if name in others or name in game.ways:
        return name, None
    way = arguments.read(lambda: _way_file(game, given, path, others, wheel, teller))
    return (given, None) if way is None else (way.id, way)


def _way_file(game: Game, name: str, path: str, others: tuple[str, ...], wheel: str, teller: Teller) -> HouseWay:
    """A way out of a file that sets every hand; a word that is not a file either is told all that it could be."""
    from pathlib import Path

    from houseway.houseways import load_house_way
    from houseway.houseways.check import require_complete
    from houseway.ranking.reference import PAI_GOW, PAI_GOW_LOW_WHEEL

    choices = (*others, *game.ways)
    if not name.endswith(".toml") and not Path(name).exists():
        shown = excerpt(name)
        if path == "way":
            message = f"{shown!r} is neither a house way of {game.title} nor a file: {suggestion(name, choices)}"
            raise InputError.of("unknown-way", path, message)
        message = (
            f"{shown!r} is neither a way to play nor a file: {suggestion(name, choices)}, or the file of a house way"
        )
        raise InputError.of("bad-choice", path, message)
    way = load_house_way(name)
    if way.cards != game.cards:
        message = f"{way.id} sets hands of {way.cards} cards, and {game.title} deals {game.cards}"
        raise InputError.of("unknown-way", path, message)
    teller.announce_compiling()
    require_complete(way, PAI_GOW_LOW_WHEEL if wheel == "lowest" else PAI_GOW, path)
    return way


def _wheel(arguments: Arguments, game: Game, given: OddsOptions) -> str:
    from houseway.api.hands import check_wheel

    wheel = arguments.choice(given.wheel, WHEELS, "wheel")
    check_wheel(arguments, game, wheel)
    return game.fixed_wheel or wheel or "second"


def _check_commission(arguments: Arguments, game: Game, given: OddsOptions) -> None:
    if given.commission is not None and not game.commission:
        arguments.add("setting-not-allowed", "commission", f"{game.title} takes no commission")


def _check_banker(arguments: Arguments, found: CheckedOptions) -> None:
    if not found.banker:
        return
    if not found.game.offers_banker:
        arguments.add("no-banker", "as", f"no player banks in {found.game.title}")
    elif found.wagers != (found.game.first_wager.name,):
        first = found.game.first_wager
        arguments.add("no-banker", "as", f"a bank covers {first.title.lower()}s only: ask for {first.name}")


def _check_others(arguments: Arguments, found: CheckedOptions) -> None:
    most = found.game.max_seats - 1
    if found.others is not None and found.others > most:
        arguments.add("out-of-range", "others", f"{found.game.title} has {most + 1} seats: at most {most} others")


def _read_levels(arguments: Arguments, found: CheckedOptions, given: OddsOptions) -> None:
    """Meters and seeds, which a table with one level may have without its name."""
    levels = next((table.levels for table in found.tables.values() if table.levels), ())
    for words, path, amounts in ((given.meters, "meter", found.meters), (given.seeds, "seed_amount", found.seeds)):
        if words and not levels:
            if not arguments.any:
                arguments.add("no-meter", path, "the wager pays no share of a meter")
            continue
        for word in words:
            _read_level(arguments, word, levels, path, amounts)
    if not levels:
        for value, path in ((given.contribution, "contribution"), (given.advantage, "advantage")):
            if value is not None and not arguments.any:
                arguments.add("no-meter", path, "the wager pays no share of a meter: nothing is put on one")


def _read_level(arguments: Arguments, word: str, levels: Sequence[str], path: str, amounts: dict[str, int]) -> None:
    level, equals, text = word.rpartition("=")
    level = in_known_case(level, levels) if equals or len(levels) != 1 else levels[0]
    if level not in levels:
        shown = excerpt(word)
        arguments.add("no-meter", path, f"{shown!r}: write LEVEL=CENTS with one of the levels {', '.join(levels)}")
        return
    if level in amounts:
        arguments.add("conflicting-options", path, f"{level} is given twice")
        return
    cents = _amount(arguments, text, path, 0, MOST_CENTS)
    if cents is not None:
        amounts[level] = cents
