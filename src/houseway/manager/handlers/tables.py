"""The life of a table: set up, joined to links, opened, staffed, supplied, counted, closed.

The float goes from the house to the tray and back. What a count finds above or below the books goes to the table's
variance: the ledger holds the jackpot wagers, so the variance is what the other wagers won or lost, and any mistake.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from houseway.amounts import NO_CENTS, Cents, micros, whole_cents
from houseway.cards.modes import shuffler_mode
from houseway.definitions import find_game, game_ids
from houseway.errors import Fault
from houseway.games import Game, Settings, game
from houseway.games.round_tables import read_tables
from houseway.games.table_settings import read_settings
from houseway.manager.commands.house_commands import (
    AttachSensor,
    ChangeDeck,
    ChangeShift,
    CloseTable,
    CountDrop,
    CreateTable,
    DealerIn,
    DealerOut,
    FillTray,
    OpenTable,
    SetFaceUp,
)
from houseway.manager.commands.permissions import SUPERVISING
from houseway.manager.core import settings
from houseway.manager.core.authority import controllers_of
from houseway.manager.core.engine import Decision, collect, handles, need_role, person_of_card, refuse
from houseway.manager.core.entities import Person, Slip, Table
from houseway.manager.core.floor import Floor
from houseway.manager.core.ledger import HOUSE, about, account
from houseway.manager.core.money import LARGEST_CENTS, cents_text, dollars
from houseway.manager.core.table_facts import before_play
from houseway.manager.core.texts import alike
from houseway.manager.handlers.common import forget_last_round, need_dealer_of, the_link, the_table
from houseway.manager.handlers.dealing import prepare_next
from houseway.manager.handlers.face_up import face_up_faults, permitted_spots, recommended_spots
from houseway.manager.handlers.link_rules import attach_faults, vocabulary_faults
from houseway.manager.handlers.notices import notices, table_settings, wager_ranges
from houseway.manager.handlers.papers import check_id
from houseway.manager.handlers.registers import flagged_for_opening, missing_for_opening
from houseway.manager.handlers.sign_in import (
    is_let_in,
    leave_controls,
    need_supervisor_elsewhere,
    session_of_swipe,
    take_controls,
)
from houseway.manager.handlers.table_editions import edition_to_open
from houseway.paytables import PayTable
from houseway.reading.faults import Faults

__all__ = ["aggregate_faults", "notices", "own_table", "wager_ranges"]

OF_THE_LINK: Final = ("jackpot_kind", "fixed_pays")
"""Settlement settings that come with a sensor's link, never with the table."""


# ---------------------------------------------------------------- set-up


@handles(CreateTable)
def create_table(decision: Decision, command: CreateTable) -> None:
    """Set up a table; it stays closed until a supervisor opens it."""
    floor, faults = decision.floor, Faults()
    check_id(faults, command.table, "table")
    taken = alike(floor.tables, command.table)
    if taken is not None:
        faults.add("table-exists", "table", f"{taken} is set up already: every table has its own identity")
    found = find_game(command.game)
    if found is None:
        faults.add("unknown-game", "game", f"{command.game[:40]!r} is no game: {', '.join(game_ids())}")
        raise faults.error()
    if found.streets or not found.dealer_hand:
        message = f"{found.title} is dealt in streets, between which players decide: no table of the manager deals it"
        raise refuse("game-in-streets", "game", message)
    seats = found.max_seats if command.seats is None else faults.integer(command.seats, "seats", 1, found.max_seats)
    way = _read_way(command.way, found, faults)
    notes: list[str] = []
    read = read_settings(dict(command.settings), found, faults, notes)
    _check_live_settings(command.settings, faults)
    paytables = read_tables(dict(command.paytables), found, set(), read, faults)
    _check_no_jackpot_tables(command.paytables, found, faults)
    if command.cards == "known" and command.deal_mode == "shoe":
        message = "the system knows only cards that its own shuffler dealt: choose cards on the felt for a shoe"
        faults.add("known-from-shoe", "deal_mode", message)
    refused = settings.found_in(faults) + vocabulary_faults(found.id, command.vocabulary)
    collect(refused)
    table = Table(
        command.table, found.id, seats or found.max_seats, {}, command.vocabulary, command.cards, way,
        dict(command.paytables), dict(command.settings), deal_mode=command.deal_mode,
    )  # fmt: skip
    collect(
        _limit_faults(floor, table, read, decision.now) + aggregate_faults(floor, table, read, paytables, decision.now)
    )
    decision.tables.put(table)
    decision.answer = {
        "table": table.id,
        "seats": table.seats,
        "way": way,
        "notes": notes,
        "next": ["join sensors to links (table.attach)", *(_words(missing_for_opening(floor, table, decision.now)))],
    }


def _read_way(name: str | None, found: Game, faults: Faults) -> str | None:
    """The house way: the game's default where none is named."""
    if not found.ways:
        if name is not None:
            faults.add("no-house-way", "way", f"{found.title} has no house way: hands are not split")
        return None
    if name is None:
        return found.ways[0]
    if name not in found.ways:
        faults.add("unknown-way", "way", f"{name[:40]!r} is no house way of {found.title}: {', '.join(found.ways)}")
    return name


def _check_live_settings(given: dict[str, Any], faults: Faults) -> None:
    """What a table cannot set for itself: it comes with the link, or by date from the property."""
    for name in OF_THE_LINK:
        if name in given:
            faults.add("setting-not-allowed", f"settings.{name}", f"{name} comes with the link of the sensor")
    if given.get("allow_unapproved"):
        message = "a table plays approved pay tables only: leave allow_unapproved to studies"
        faults.add("setting-not-allowed", "settings.allow_unapproved", message)
    limits = given.get("limits")
    for name in ("as_of", "licence"):
        if isinstance(limits, dict) and name in limits:
            message = "the dated limits come from the property's own settings: give ranges of wagers only"
            faults.add("setting-not-allowed", f"settings.limits.{name}", message)


def _check_no_jackpot_tables(given: dict[str, str], found: Game, faults: Faults) -> None:
    for wager in found.wagers:
        if wager.kind == "jackpot" and wager.name in given:
            message = f"the pay table of {wager.name} comes with the link that its sensor joins (table.attach)"
            faults.add("wrong-paytable", f"paytables.{wager.name}", message)


def _limit_faults(floor: Floor, table: Table, read: Settings, at: int) -> list[Fault]:
    """The table's own limits must lie within the property's of the day."""
    faults: list[Fault] = []
    highest = settings.value(floor, "highest_wager", at)
    ranges = {"any": read.limits.any, **read.limits.wagers} if read.limits else {}
    for name, bounds in ranges.items():
        if highest is not None and bounds.most is not None and bounds.most > highest:
            message = f"the highest single wager of the property is {dollars(micros(highest))}: set at most that"
            faults.append(Fault("above-limit", f"settings.limits.{name}.max", message))
    for name, bounds_shown in wager_ranges(floor, table, at).items():
        least, most = bounds_shown["min"], bounds_shown["max"]
        if least is not None and most is not None and least > most:
            message = f"nothing can be bet on {name}: at least {cents_text(least)} and at most {cents_text(most)}"
            faults.append(Fault("bad-setting", f"settings.limits.{name}", message))
    allowed = settings.value(floor, "separate_games", at)
    if allowed is not None and read.max_games is not None and read.max_games > allowed:
        message = f"the property allows {allowed} separate games a hand: set at most that"
        faults.append(Fault("above-limit", "settings.max_games", message))
    return faults


def aggregate_faults(floor: Floor, table: Table, read: Settings, tables: dict[str, PayTable], at: int) -> list[Fault]:
    """An aggregate limit may not cut what the highest wager wins at odds up to the property's number to 1."""
    limit = read.aggregate_limit
    if limit is None:
        return []
    odds = settings.value(floor, "aggregate_odds", at)
    ranges = wager_ranges(floor, table, at)
    faults: list[Fault] = []
    for name, paytable in tables.items():
        most, top = ranges[name]["max"], max(line.pays or 0 for line in paytable.lines)
        if most is None:
            message = f"an aggregate limit needs the highest {name} wager: set it in limits"
            faults.append(Fault("bad-setting", f"settings.limits.{name}", message))
        elif limit.cents < (needed := most * min(top, odds)):
            message = (
                f"{dollars(micros(Cents(limit.cents)))} is below the highest {name} wager at {min(top, odds)} to 1, "
                f"{dollars(micros(needed))}: raise the limit or lower the wager"
            )
            faults.append(Fault("aggregate-too-low", "settings.aggregate_limit", message))
    return faults


def _aggregate_of_the_day(floor: Floor, table: Table, at: int) -> list[Fault]:
    """The table's aggregate limit against the highest wager in force now, which may have risen since it was set up."""
    read = table_settings(table)
    return aggregate_faults(
        floor, table, read, read_tables(dict(table.paytables), game(table.game), set(), read, Faults()), at
    )


@handles(AttachSensor)
def attach_sensor(decision: Decision, command: AttachSensor) -> None:
    """Join a sensor of a closed table to a link, or take it off."""
    table = _closed_table(decision, command.table)
    sensors = dict(table.sensors)
    if command.link is None:
        if command.sensor not in sensors:
            raise refuse("unknown-sensor", "sensor", f"sensor {command.sensor[:20]} of {table.id} is on no link")
        del sensors[command.sensor]
    else:
        link = the_link(decision, command.link)
        collect(attach_faults(decision.floor, table, command.sensor, link))
        sensors[command.sensor] = link.id
    changed = replace(table, sensors=dict(sorted(sensors.items())), lit={})
    decision.tables.put(changed)
    decision.answer = {
        "table": table.id,
        "sensors": changed.sensors,
        "notices": [notice.to_json() for notice in notices(decision.floor, changed, decision.now)],
    }


def _closed_table(decision: Decision, table_id: str) -> Table:
    table = the_table(decision, table_id)
    if table.round is not None:
        raise refuse("round-in-play", "table", f"{table.round} is in play at {table.id}: end it, then close the table")
    if table.status != "closed":
        raise refuse("table-open", "table", f"{table.id} is open: close it first")
    return table


@handles(SetFaceUp)
def set_face_up(decision: Decision, command: SetFaceUp) -> None:
    """Deal the players' cards face up, or down again: by two people, between rounds, with a permission in force."""
    table = _between_rounds(decision, command.table)
    person = _second(decision, command.card, SUPERVISING, "changing how the cards are dealt")
    if table.face_up == command.face_up:
        raise refuse("nothing-to-change", "face_up", f"{table.id} deals that way already")
    changed = replace(table, face_up=command.face_up)
    collect(face_up_faults(decision.floor, changed, decision.now))
    decision.tables.put(changed)
    decision.answer = {
        "table": table.id,
        "face_up": changed.face_up,
        "by": person.id,
        "most_spots": permitted_spots(decision.floor, changed, decision.now),
        "recommended_spots": recommended_spots(decision.floor, changed, decision.now),
    }


# ---------------------------------------------------------------- opening and closing


@handles(OpenTable)
def open_table(decision: Decision, command: OpenTable) -> None:
    """Open a table with its float, if all its papers, versions and notices are in order."""
    own_table(decision, command.table)
    table = the_table(decision, command.table)
    if table.status == "open":
        raise refuse("table-open", "table", f"{table.id} is open already")
    person = _second(decision, command.card, SUPERVISING, "opening a table")
    faults = _amount_faults(command.float_cents, "float_cents", least=NO_CENTS)
    faults += _aggregate_of_the_day(decision.floor, table, decision.now)
    faults += face_up_faults(decision.floor, table, decision.now)
    collect(faults + missing_for_opening(decision.floor, table, decision.now))
    tray, floated = account("tray", table.id), micros(command.float_cents)
    decision.books.transfer_any(tray, HOUSE, floated, "float", about("table", table.id))
    edition = edition_to_open(decision.floor, table, decision.now)
    opened = replace(table, status="open", lit={}, edition=edition.date if edition else "")
    decision.tables.put(prepare_next(decision, opened))
    decision.answer = {
        "table": table.id,
        "by": person.id,
        "tray_cents": whole_cents(decision.books.balance(account("tray", table.id))),
        "warnings": _json(
            flagged_for_opening(decision.floor, table, decision.now) + _link_warnings(decision.floor, table)
        ),
        "next": _before_first_round(opened),
    }


def _link_warnings(floor: Floor, table: Table) -> list[Fault]:
    """Sensors whose link takes no wagers right now."""
    return [
        Fault("link-not-open", f"sensors.{sensor}", f"{link} is {floor.links[link].status}: it takes no wagers")
        for sensor, link in table.sensors.items()
        if floor.links[link].status != "open"
    ]


def _before_first_round(table: Table) -> list[str]:
    names = shuffler_mode(game(table.game).shuffler_mode).machine_names
    mode = [f"set the shuffler to {' or '.join(names)}"] if names and table.deal_mode == "shuffler" else []
    return [*before_play(table), *mode, "a dealer swipes in (dealer.in)"]


@handles(CloseTable)
def close_table(decision: Decision, command: CloseTable) -> None:
    """Close a table: tray and drop are counted and go back to the house, and differences stay on record."""
    own_table(decision, command.table)
    table = _open_table(decision, command.table)
    if table.round is not None:
        raise refuse("round-in-play", "table", f"{table.round} is in play at {table.id}: press END GAME first")
    if any(table.lit.values()):
        raise refuse("sensor-lit", "table", f"wagers lie on sensors of {table.id}: give them back first")
    person = _second(decision, command.card, SUPERVISING, "closing a table")
    collect(
        _amount_faults(command.tray_cents, "tray_cents", NO_CENTS)
        + _amount_faults(command.drop_cents, "drop_cents", NO_CENTS)
    )
    counts = {
        "tray": _count_out(decision, "tray", table.id, command.tray_cents),
        "drop": _count_out(decision, "drop", table.id, command.drop_cents),
    }
    # Tray and drop are counted: from now on no round of the table can take its envy back.
    table = leave_controls(decision, forget_last_round(decision, table))
    decision.tables.put(replace(table, status="closed", lit={}, declared=(), deck=None))
    end_first_shift(decision, table.id)
    held = [
        round_.id for round_ in decision.floor.rounds.values() if round_.table == table.id and round_.phase == "held"
    ]
    decision.answer = {
        "table": table.id,
        "by": person.id,
        "counts": counts,
        "over_cents": sum(count["over_cents"] for count in counts.values()),
        "next": [f"{round_} is still on hold: it waits for its decision" for round_ in held],
    }


def end_first_shift(decision: Decision, table: str) -> None:
    """Tray and drop are counted by two people: the shift in which the table's controllers were registered is over."""
    for each in controllers_of(decision.floor, table):
        controller = decision.devices[each.id]
        if not controller.shift_over:
            decision.devices.put(replace(controller, shift_over=True))


def _count_out(decision: Decision, kind: str, table: str, counted_cents: Cents) -> dict[str, Cents]:
    """What was counted goes to the house; what the books have more or less goes to the table's variance."""
    name, variance, books, subject = (
        account(kind, table),
        account("variance", table),
        decision.books,
        about("table", table),
    )
    book = books.balance(name)
    books.transfer_any(HOUSE, name, micros(counted_cents), "count", subject)
    rest = books.balance(name)
    if rest > 0:
        books.transfer(variance, name, rest, "variance", subject)
    else:
        books.transfer_any(name, variance, -rest, "variance", subject)
    return {
        "book_cents": whole_cents(book),
        "counted_cents": counted_cents,
        "over_cents": counted_cents - whole_cents(book),
    }


# ---------------------------------------------------------------- people and cards at the table


@handles(DealerIn)
def dealer_in(decision: Decision, command: DealerIn) -> None:
    """A dealer takes the table over, by his own card; who deals there already begins another session."""
    own_table(decision, command.table)
    table = _open_table(decision, command.table)
    need_supervisor_elsewhere(decision, table)
    person = _dealer_of_card(decision, table, command.card)
    if person.id == decision.actor and is_let_in(decision, table):
        raise refuse("second-person", "card", f"{person.id} lets another one in to deal: it must be two people")
    elsewhere = next((each for each in decision.floor.tables.values() if each.dealer == person.id), None)
    session = session_of_swipe(decision, table.id, command.session)
    if elsewhere is not None and (elsewhere.id != table.id or session is None):
        here = f"{person.id} deals at {table.id} already: there is nothing to do"
        there = f"{person.id} is signed in at {elsewhere.id} and deals one table at a time: sign out there first"
        raise refuse("dealer-elsewhere", "card", here if elsewhere.id == table.id else there)
    take_controls(decision, table, person.id, session)
    decision.answer = {
        "table": table.id,
        "dealer": person.id,
        "relieved": None if table.dealer == person.id else table.dealer,
        "round": table.round,
        "next": before_play(table),
    }


def _dealer_of_card(decision: Decision, table: Table, card: str) -> Person:
    """The dealer whose card was read.

    At a controller where somebody deals, any card counts as a dealer's unless the display asks for another. Who is on
    duty with another role came too early, and is told so: that is no guess at a badge.
    """
    person = person_of_card(decision, card)
    device = decision.floor.devices.get(decision.envelope.device or "")
    at_controls = device is not None and device.kind == "controller"
    if at_controls and table.dealer is not None and "dealer" not in person.roles:
        message = "no card but a dealer's is taken now: press the key first, the display then says whose card"
        raise refuse("card-not-asked", "card", message)
    need_role(person, ("dealer",), "card", "dealing")
    return person


@handles(DealerOut)
def dealer_out(decision: Decision, command: DealerOut) -> None:
    """The dealer leaves; in the middle of a round only a relief may take over."""
    own_table(decision, command.table)
    table = the_table(decision, command.table)
    if table.dealer is None:
        raise refuse("no-dealer", "table", f"nobody is signed in as dealer at {table.id}")
    if table.round is not None:
        message = f"{table.round} is in play: end it first, or let the relief swipe in (dealer.in)"
        raise refuse("round-in-play", "table", message)
    actor = decision.floor.people[decision.actor]
    if actor.id != table.dealer and not set(SUPERVISING) & set(actor.roles):
        raise refuse("not-the-dealer", "actor", f"{table.dealer} deals at {table.id}, not {actor.id}")
    leave_controls(decision, table)
    decision.answer = {"table": table.id, "left": table.dealer, "next": ["a dealer swipes in (dealer.in)"]}


@handles(ChangeDeck)
def change_deck(decision: Decision, command: ChangeDeck) -> None:
    """A counted deck comes to the table, between rounds."""
    own_table(decision, command.table)
    table = _between_rounds(decision, command.table)
    if not set(SUPERVISING) & set(decision.floor.people[decision.actor].roles):
        # A supervisor brings a deck also before anybody deals; a dealer only where the own card was swiped in.
        need_dealer_of(decision, table)
    faults = Faults()
    check_id(faults, command.deck, "deck")
    size = game(table.game).deck
    if command.counted != size:
        message = f"{command.counted} cards were counted, {table.game} is dealt from {size}: take another deck"
        faults.add("deck-count", "counted", message)
    other = next((each.id for each in decision.floor.tables.values() if each.deck == command.deck), None)
    if other is not None:
        faults.add("deck-in-use", "deck", f"{command.deck} lies on {other}: every deck is at one table")
    faults.refuse_if_any()
    decision.tables.put(replace(table, deck=command.deck))
    decision.answer = {"table": table.id, "deck": command.deck, "replaced": table.deck, "counted": command.counted}


@handles(ChangeShift)
def change_shift(decision: Decision, command: ChangeShift) -> None:
    """A shift or drop period begins: the books at this moment are in the answer."""
    own_table(decision, command.table)
    table = _between_rounds(decision, command.table)
    faults = Faults()
    check_id(faults, command.shift, "shift")
    faults.refuse_if_any()
    if command.shift == table.shift:
        raise refuse("nothing-to-change", "shift", f"{table.id} is in shift {table.shift} already")
    decision.tables.put(replace(table, shift=command.shift))
    books = {kind: decision.floor.held(account(kind, table.id)) for kind in ("tray", "drop", "receipts", "variance")}
    decision.answer = {
        "table": table.id,
        "shift": command.shift,
        "before": table.shift,
        "rounds": table.rounds,
        "micros": books,
    }


# ---------------------------------------------------------------- chips and counts


@handles(FillTray)
def fill_tray(decision: Decision, command: FillTray) -> None:
    """Chips to the tray or back to the cage, on a slip that is used once and carries two signatures."""
    own_table(decision, command.table)
    table = _open_table(decision, command.table)
    second = _second(decision, command.card, (*SUPERVISING, "cage"), "a fill or credit")
    faults = Faults()
    check_id(faults, command.slip, "slip")
    used = decision.floor.slips.get(command.slip)
    if used is not None:
        message = f"slip {used.id} was used for a {used.direction} at {used.table}: take the next number"
        faults.add("slip-used", "slip", message)
    collect(settings.found_in(faults) + _amount_faults(command.cents, "cents", least=Cents(1)))
    tray, amount = account("tray", table.id), micros(command.cents)
    debit, credit = (tray, HOUSE) if command.direction == "fill" else (HOUSE, tray)
    decision.books.transfer(debit, credit, amount, command.direction, about("slip", command.slip))
    slip = Slip(command.slip, table.id, command.direction, command.cents, decision.actor, second.id, decision.now)
    decision.slips.put(slip)
    decision.answer = {
        "table": table.id,
        "slip": slip.id,
        "direction": slip.direction,
        "cents": slip.cents,
        "signed": [slip.by, slip.second],
        "tray_cents": whole_cents(decision.books.balance(tray)),
    }


@handles(CountDrop)
def count_drop(decision: Decision, command: CountDrop) -> None:
    """The drop was counted by two people: it goes to the house, over or short to the table's variance."""
    table = the_table(decision, command.table)
    second = _second(decision, command.card, (*SUPERVISING, "cage", "accounting"), "a count")
    collect(_amount_faults(command.cents, "cents", least=NO_CENTS))
    count = _count_out(decision, "drop", table.id, command.cents)
    decision.answer = {"table": table.id, **count, "counted_by": [decision.actor, second.id]}


# ---------------------------------------------------------------- shared checks


def own_table(decision: Decision, table: str) -> None:
    """Refuse a controller that speaks for another table than its own."""
    device = decision.floor.devices.get(decision.envelope.device or "")
    if device is not None and device.kind == "controller" and device.table != table:
        message = f"{device.id} is the controller of {device.table}: it cannot act for {table[:40]}"
        raise refuse("wrong-device", "table", message)


def _open_table(decision: Decision, table_id: str) -> Table:
    table = the_table(decision, table_id)
    if table.status != "open":
        raise refuse("table-closed", "table", f"{table.id} is closed: a supervisor opens it first")
    return table


def _between_rounds(decision: Decision, table_id: str) -> Table:
    table = the_table(decision, table_id)
    if table.round is not None:
        raise refuse("round-in-play", "table", f"{table.round} is in play at {table.id}: press END GAME first")
    return table


def _second(decision: Decision, card: str, roles: tuple[str, ...], what: str) -> Person:
    """A second person with one of the roles."""
    person = person_of_card(decision, card)
    need_role(person, roles, "card", what)
    return person


def _amount_faults(cents: Cents, path: str, least: Cents) -> list[Fault]:
    if least <= cents <= LARGEST_CENTS:
        return []
    least_text, most_text = cents_text(least), cents_text(LARGEST_CENTS)
    message = f"an amount here is {least_text} to {most_text}, written in cents, not {cents_text(cents)}"
    return [Fault("bad-amount", path, message)]


def _words(faults: list[Fault]) -> list[str]:
    return [fault.message for fault in faults]


def _json(faults: list[Fault]) -> list[dict[str, Any]]:
    return [fault.to_json() for fault in faults]
