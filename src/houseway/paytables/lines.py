"""Reads the lines of a pay table and checks that each can be paid, in one way only, and can be reached at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from houseway.definitions import Wager
from houseway.paytables.pay_table import PayLine
from houseway.paytables.vocabulary import LESSER_HANDS, hand_names_of, never_dealt, wager_of
from houseway.ranking.hand_names import hand_title
from houseway.reading.fields import Fields

MAX_PAY: Final = 1_000_000
"""The highest pay, in units of the wager, and the highest envy in dollars: more is a slip of the finger."""

CENTS_PER_DOLLAR: Final = 100
_OPTIONAL: Final = ("also", "printed_as", "pays", "percent", "level", "push", "envy_dollars", "reading")


class LineRules(NamedTuple):
    """What the rest of the table says about its lines; a wager of None is already a fault of its own."""

    wager: Wager | None
    levels: tuple[str, ...]
    games: tuple[str, ...]

    @property
    def word(self) -> str:
        """The wager as the table names it."""
        return "" if self.wager is None else self.wager.paid_by

    def first_game_without(self, allowed: Callable[[Wager], bool]) -> str | None:
        """The first game whose sheet does not allow something; a game that lacks the wager is a fault of its own."""
        wagers = ((game, wager_of(game, self.word)) for game in self.games)
        return next((game for game, wager in wagers if wager is not None and not allowed(wager)), None)


def read_lines(reader: Fields, rules: LineRules) -> tuple[PayLine, ...]:
    """All lines that could be read; every fault is noted."""
    readers = reader.tables("lines", "line")
    if reader.values.get("lines") == []:
        reader.fault("paytable-bad-value", "lines", '"lines" is empty: a table pays at least one hand')
    read = [(line_reader, _read_line(line_reader, rules)) for line_reader in readers]
    found = [(line_reader, line) for line_reader, line in read if line is not None]
    _check_order(found)
    used = {line_reader.values.get("level") for line_reader in readers}
    for index, level in enumerate(rules.levels):
        if readers and level not in used:
            message = f'no line is paid from the meter level "{level}": remove the level or add its line'
            reader.faults.add("paytable-level", reader.place.key("levels").element(index), message)
    return tuple(line for _, line in found)


def _read_line(reader: Fields, rules: LineRules) -> PayLine | None:
    """One line, or None if its hand cannot be read."""
    reader.only(("hand",), _OPTIONAL)
    names = hand_names_of(rules.games)
    hand = reader.word("hand", names)
    also = reader.words("also", names)
    pays = reader.whole("pays", 1, MAX_PAY)
    percent = reader.whole("percent", 1, 100)
    push = reader.flag("push") is True
    level = _read_level(reader, rules)
    envy_dollars = reader.whole("envy_dollars", 1, MAX_PAY)
    printed_as = reader.text("printed_as")
    reading = reader.text("reading")
    _check_pay(reader, rules)
    without_envy = rules.first_game_without(lambda wager: wager.has_envy)
    if "envy_dollars" in reader.values and without_envy:
        message = f"{reader.name} has envy, but the {rules.word} wager of {without_envy} has none: remove it"
        reader.fault("paytable-envy", "envy_dollars", message)
    if hand is None:
        return None
    _check_dealt(reader, (hand, *also), rules)
    return PayLine(
        hand=hand,
        also=also,
        pays=pays,
        percent=percent,
        level=level,
        push=push,
        envy=None if envy_dollars is None else envy_dollars * CENTS_PER_DOLLAR,
        printed_as=printed_as or hand_title(hand),
        reading=reading,
    )


def _read_level(reader: Fields, rules: LineRules) -> str | None:
    level = reader.text("level")
    if level is not None and level not in rules.levels:
        declared = ", ".join(rules.levels) or "none"
        message = f'{reader.name} names a meter level that the table does not declare (in "levels": {declared})'
        reader.fault("paytable-level", "level", message)
    return level


def _check_pay(reader: Fields, rules: LineRules) -> None:
    """A line pays in exactly one way, and in a way that its table can pay."""
    values = reader.values
    ways = [key for key in ("pays", "percent") if key in values]
    if values.get("push") is True:
        ways.append("push")
    if not ways:
        message = f'{reader.name} pays nothing: give it "pays", or "percent" with "level", or "push = true"'
        reader.faults.add("paytable-pay", reader.place, message)
    elif len(ways) > 1:
        message = f"{reader.name} has {' and '.join(ways)}: a line pays in one way only"
        reader.fault("paytable-pay", ways[-1], message)
    without_push = rules.first_game_without(lambda wager: wager.lines_may_push)
    if "push" in ways and without_push:
        message = f"{reader.name} pushes, but no clause of {without_push} lets the {rules.word} wager push"
        reader.fault("paytable-pay", "push", message)
    if "percent" in ways and rules.wager is not None and rules.wager.kind != "jackpot":
        message = f"{reader.name} pays a share of a meter, but only jackpot wagers have meters"
        reader.fault("paytable-pay", "percent", message)
    if "percent" in ways and "level" not in values:
        message = f'{reader.name} has a percentage but no "level": name the meter level that it is a share of'
        reader.fault("paytable-level", "percent", message)
    if "level" in values and "percent" not in ways:
        message = f'{reader.name} names a meter level but no "percent" of it'
        reader.fault("paytable-level", "level", message)


def _check_dealt(reader: Fields, hands: tuple[str, ...], rules: LineRules) -> None:
    """A hand that some game of the table can never deal does not belong to a table that the game uses."""
    for hand in hands:
        for game in rules.games:
            reason = never_dealt(hand, game, rules.word)
            if reason:
                message = f"{reader.name} can never be paid: {hand}: {reason}"
                reader.fault("paytable-dead-line", "hand", message)
                break


def _check_order(found: list[tuple[Fields, PayLine]]) -> None:
    """No hand stands twice, and none below a line that takes all of its hands."""
    taken_by: dict[str, str] = {}
    for reader, line in found:
        if line.hand in line.also:
            message = f'"also" of {reader.name} has its own hand "{line.hand}" again: remove it there'
            reader.fault("paytable-hand-twice", "also", message)
        for hand in line.hands:
            if hand in taken_by:
                message = f'{reader.name} has the hand "{hand}" again: {taken_by[hand]} has it already'
                reader.fault("paytable-hand-twice", "hand", message)
                continue
            above = [lesser for lesser in LESSER_HANDS.get(hand, ()) if lesser in taken_by]
            if above:
                message = (
                    f"{reader.name} can never be paid: every {hand} is also a {above[0]}, "
                    f"which {taken_by[above[0]]} takes first; put the better hand above"
                )
                reader.fault("paytable-dead-line", "hand", message)
        for hand in line.hands:
            taken_by.setdefault(hand, reader.name)
