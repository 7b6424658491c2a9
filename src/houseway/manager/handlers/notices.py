"""The notices that must hang at a table right now: which, what they show, and a text of our own for each.

A notice is posted when a paper of the register `notices` says so; `shows` holds the values on it, so that a notice with
yesterday's limit is found out of date. The amount of a progressive is on its sign, not on paper.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from houseway.amounts import Cents, micros
from houseway.errors import Fault
from houseway.games import Settings, game
from houseway.games.round_tables import read_tables
from houseway.games.table_settings import read_settings
from houseway.games.wager_limits import limits_on
from houseway.manager.core import settings
from houseway.manager.core.floor import Floor
from houseway.manager.core.link_entities import Link
from houseway.manager.core.money import dollars
from houseway.manager.core.table_entities import Table
from houseway.manager.core.twins import paytable_for
from houseway.manager.handlers.table_editions import edition_played, edition_to_open, newest_that_offers
from houseway.paytables import PayTable, paytable
from houseway.reading.faults import Faults
from houseway.reading.json_values import Json, JsonObject

KINDS: Final = (
    "separate-games", "aggregate-limit", "wager-limits", "pay-tables", "jackpot", "dispute-procedure", "house-funded",
    "may-be-withdrawn",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice that must be posted: its kind, the values it shows, and a text for it."""

    kind: str
    shows: JsonObject
    text: str

    def to_json(self) -> JsonObject:
        """The notice as an answer tells it."""
        return {"notice": self.kind, "shows": self.shows, "text": self.text}


def notices(floor: Floor, table: Table, at: int | None = None) -> list[Notice]:
    """What must be posted at the table at a time (now: the last event's)."""
    when = floor.last_at if at is None else at
    found = [_wager_limits(floor, table, when), _dispute()]
    allowed = games_allowed(floor, table, when)
    if allowed is not None:
        text = f"A player may bet on at most {allowed} separate games in one hand."
        found.insert(0, Notice("separate-games", {"games": allowed}, text))
    limit = table_settings(table).aggregate_limit
    if limit is not None:
        text = (
            f"What bonus wagers win by odds is limited to {dollars(micros(Cents(limit.cents)))} a {limit.per}. "
            "Envy payments are outside the limit."
        )
        found.append(Notice("aggregate-limit", {"per": limit.per, "cents": limit.cents}, text))
    return found + _pay_tables(table) + _jackpots(floor, table)


def table_settings(table: Table) -> Settings:
    """The table's settlement settings, as they were checked when it was set up."""
    return read_settings(dict(table.settings), game(table.game), Faults(), [])


def games_allowed(floor: Floor, table: Table, at: int) -> int | None:
    """On how many separate games a player may bet at the table.

    The lowest of the table's number, the property's of the day, and that of the edition under which the table plays.
    """
    numbers = (
        table_settings(table).max_games,
        settings.value(floor, "separate_games", at),
        _games_of_edition(floor, table, at),
    )
    return min((number for number in numbers if number is not None), default=None)


def _games_of_edition(floor: Floor, table: Table, at: int) -> int | None:
    """The number that the edition's sheet prints: that of its day; an undated sheet prints none.

    A table that is closed would open under the newest approved edition, or the newest at all before any approval.
    """
    if table.status == "open":
        edition = edition_played(table)
    else:
        edition = edition_to_open(floor, table, at) or newest_that_offers(floor, table, at)
    if not edition.date:
        return None
    return limits_on(date.fromisoformat(edition.date), settings.licence_of(floor)).separate_games


def wager_ranges(floor: Floor, table: Table, at: int) -> dict[str, dict[str, Cents | None]]:
    """The least and the most of each wager that is told in chips, in cents; the property's highest wager caps all."""
    limits = table_settings(table).limits
    highest = settings.value(floor, "highest_wager", at)
    ranges: dict[str, dict[str, Cents | None]] = {}
    for wager in game(table.game).wagers:
        if wager.kind == "jackpot":
            continue
        own = limits.ranges(wager.name) if limits else ()
        least = max((Cents(bounds.least) for bounds in own if bounds.least is not None), default=None)
        caps = [highest, *(None if bounds.most is None else Cents(bounds.most) for bounds in own)]
        most = min((cap for cap in caps if cap is not None), default=None)
        ranges[wager.name] = {"min": least, "max": most}
    return ranges


def offered(table: Table) -> set[str]:
    """The wagers that are taken at the table: a bonus wager without a pay table could not be paid."""
    paid = bonus_tables(table)
    return {wager.name for wager in game(table.game).wagers if wager.kind != "bonus" or wager.name in paid}


def _wager_limits(floor: Floor, table: Table, at: int) -> Notice:
    ranges = {name: each for name, each in wager_ranges(floor, table, at).items() if name in offered(table)}
    titles = {wager.name: wager.title for wager in game(table.game).wagers}
    lines = [f"{titles[name]}: {_range(bounds)}" for name, bounds in ranges.items()]
    return Notice("wager-limits", {"wagers": ranges}, "Wagers at this table. " + "; ".join(lines) + ".")


def _range(bounds: dict[str, Cents | None]) -> str:
    least, most = bounds["min"], bounds["max"]
    words = [f"at least {dollars(micros(least))}"] if least is not None else []
    words += [f"at most {dollars(micros(most))}"] if most is not None else []
    return ", ".join(words) or "no limit"


def bonus_tables(table: Table) -> dict[str, PayTable]:
    """The pay table of each bonus wager that the table offers: the one it was set up with, or the sheet's only one."""
    wagers = game(table.game)
    found = read_tables(dict(table.paytables), wagers, set(), table_settings(table), Faults())
    return {wager.name: found[wager.name] for wager in wagers.wagers if wager.kind == "bonus" and wager.name in found}


def _pay_tables(table: Table) -> list[Notice]:
    """The posted pay tables of the bonus wagers: bonus wagers are reconciled against them."""
    tables = bonus_tables(table)
    if not tables:
        return []
    titles = {wager.name: wager.title for wager in game(table.game).wagers}
    pays = {name: _pays(found) for name, found in tables.items()}
    shows = {name: {"paytable": found.id, **pays[name].shown()} for name, found in tables.items()}
    texts = [f"{titles[name]}, pay table {found.id}: {pays[name]}." for name, found in tables.items()]
    return [Notice("pay-tables", {"wagers": shows}, " ".join(texts))]


class _PostedPays(NamedTuple):
    """What every hand of a pay table pays, in words or in cents, and the envy in cents that it brings."""

    pays: dict[str, str | Cents]
    envy: dict[str, Cents]

    def shown(self) -> JsonObject:
        """As a notice shows it."""
        return {"pays": self.pays, "envy": self.envy} if self.envy else {"pays": self.pays}

    def __str__(self) -> str:
        """As people read it."""
        words = []
        for hand, pay in self.pays.items():
            said = pay if isinstance(pay, str) else dollars(micros(pay))
            envy = self.envy.get(hand)
            words.append(f"{hand.replace('-', ' ')} {said}" + (f", envy {dollars(micros(envy))}" if envy else ""))
        return "; ".join(words)


def _pays(table: PayTable, wager: Cents | None = None) -> _PostedPays:
    """What every hand of a table pays, as it hangs at the table, and the envy in cents that it brings.

    Fixed pays of a jackpot are posted as amounts, since they are multiplied by the fixed wager.
    """
    pays: dict[str, str | Cents] = {}
    for line in table.lines:
        if line.percent is not None:
            pays[line.hand] = f"{line.percent}% of {line.level}"
        elif wager is not None:
            pays[line.hand] = wager * (line.pays or 0)
        else:
            pays[line.hand] = "push" if line.push else f"{line.pays} {table.unit.replace('-', ' ')}"
    return _PostedPays(pays, {line.hand: Cents(line.envy) for line in table.lines if line.envy})


def _dispute() -> Notice:
    text = (
        "If you do not agree with a decision, say so before the next hand: the supervisor is called, the cards stay as "
        "they lie, and surveillance looks at the hand. You may take the matter to the gambling commission."
    )
    return Notice("dispute-procedure", {}, text)


def _jackpots(floor: Floor, table: Table) -> list[Notice]:
    links = {sensor: floor.links[link] for sensor, link in sorted(table.sensors.items()) if link in floor.links}
    if not links:
        return []
    pays = {sensor: _link_pays(table, link) for sensor, link in links.items()}
    shows = {sensor: _shown(link, pays[sensor]) for sensor, link in links.items()}
    texts = [_jackpot_text(sensor, link, pays[sensor]) for sensor, link in links.items()]
    found = [Notice("jackpot", {"sensors": shows}, " ".join(texts))]
    if any(link.kind == "house" for link in links.values()):
        text = "The jackpot prizes at this table are paid by the house. They belong to the house until they are won."
        found.append(Notice("house-funded", {}, text))
        text = "The house may change or withdraw the jackpot prizes without notice."
        found.append(Notice("may-be-withdrawn", {}, text))
    return found


def _link_pays(table: Table, link: Link) -> _PostedPays:
    """What the pay table of a jackpot pays in the fixed wager."""
    readings = tuple(sorted(link.readings.items()))
    # Whether the game may be on the link is not asked here: the table could not have been joined to it.
    return _pays(paytable_for(link.paytable, table.game, readings) or paytable(link.paytable), link.wager)


def _shown(link: Link, pays: _PostedPays) -> JsonObject:
    """The values of a jackpot that a notice must show: its pay table in the fixed wager, a limit where one is set."""
    shown: JsonObject = {"kind": link.kind, "paytable": link.paytable, "wager": link.wager, **pays.shown()}
    if link.kind == "house":
        return {**shown, "prizes": dict(link.prizes)}
    limits = {name: level.limit for name, level in link.levels.items() if level.limit is not None}
    return {**shown, "limits": limits}


def _jackpot_text(sensor: str, link: Link, shown: _PostedPays) -> str:
    wager, pays = dollars(micros(link.wager)), f"It pays: {shown}."
    if link.kind == "house":
        prizes = ", ".join(f"{name} {dollars(micros(cents))}" for name, cents in link.prizes.items())
        start = f"Sensor {sensor}: house jackpot, wager {wager}, pay table {link.paytable}."
        return f"{start} Each winner gets the full prize: {prizes}. {pays}"
    limits = ", ".join(
        f"{name} at most {dollars(micros(level.limit))}"
        for name, level in link.levels.items()
        if level.limit is not None
    )
    bound = f" Limit: {limits}." if limits else ""
    return (
        f"Sensor {sensor}: progressive jackpot, wager {wager}, pay table {link.paytable}. "
        f"The sign shows what can be won.{bound} {pays}"
    )


def notice_faults(floor: Floor, table: Table, at: int) -> list[Fault]:
    """Notices that are not posted, or that show other values than those in force."""
    posted: dict[str, Json] = {}
    papers = (paper for paper in floor.papers_of("notice") if paper.subject == table.id)
    for paper in sorted(papers, key=lambda each: each.since):
        if paper.since <= at and (paper.until is None or at < paper.until):
            posted[paper.text("notice")] = paper.fields.get("shows", {})
    faults: list[Fault] = []
    for notice in notices(floor, table, at):
        path = f"notices.{notice.kind}"
        if notice.kind not in posted:
            message = f"the notice {notice.kind} is not posted at {table.id}: post it and record it"
            faults.append(Fault("notice-missing", path, message))
        elif posted[notice.kind] != notice.shows:
            message = f"the notice {notice.kind} at {table.id} shows other values than those in force: post a new one"
            faults.append(Fault("notice-outdated", path, message))
    return faults
