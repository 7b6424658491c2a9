"""The life of a table that is set up: opened, staffed, supplied, counted, closed.

The float goes from the house to the tray and back. What a count finds above or below the books goes to the table's
variance: the ledger holds the jackpot wagers, so the variance is what the other wagers won or lost, and any mistake.
"""

from __future__ import annotations

from msgspec.structs import asdict, replace

from houseway.amounts import NO_CENTS, NO_MICROS, Cents, micros, total, whole_cents
from houseway.errors import Fault, InputError
from houseway.games import game
from houseway.manager.commands.house_answers import (
    ChangeDeckAnswer,
    ChangeShiftAnswer,
    CloseTableAnswer,
    CountDropAnswer,
    DealerInAnswer,
    DealerOutAnswer,
    FillTrayAnswer,
    MoneyCount,
    OpenTableAnswer,
)
from houseway.manager.commands.house_commands import (
    ChangeDeck,
    ChangeShift,
    CloseTable,
    CountDrop,
    DealerIn,
    DealerOut,
    FillTray,
    OpenTable,
)
from houseway.manager.core import settings
from houseway.manager.core.authority import controllers_of
from houseway.manager.core.engine import Decision, collect, handles, need_role, person_of_badge
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Person
from houseway.manager.core.ledger import HOUSE, about, account
from houseway.manager.core.money import cents_text
from houseway.manager.core.roles import SUPERVISING
from houseway.manager.core.slip_numbering import is_own_number
from houseway.manager.core.table_entities import Table
from houseway.manager.core.table_facts import before_play
from houseway.manager.handlers.change_base import text_fault
from houseway.manager.handlers.common import forget_last_round, need_dealer_of, the_table
from houseway.manager.handlers.dealing import prepare_next
from houseway.manager.handlers.face_up import face_up_faults
from houseway.manager.handlers.incidents import close_misdeal
from houseway.manager.handlers.papers import check_id, fault_notes
from houseway.manager.handlers.registers import flagged_for_opening, missing_for_opening
from houseway.manager.handlers.room_choices import choices_of, rules_hash
from houseway.manager.handlers.sign_in import (
    is_let_in,
    leave_controls,
    need_supervisor_elsewhere,
    session_of_swipe,
    take_controls,
)
from houseway.manager.handlers.slip_numbers import chips_faults, issue_slip
from houseway.manager.handlers.table_checks import (
    amount_faults,
    own_table,
    second_person_of,
    table_between_rounds,
    the_open_table,
)
from houseway.manager.handlers.table_editions import edition_to_open
from houseway.manager.handlers.table_setup import aggregate_of_the_day
from houseway.reading.faults import Faults

# ---------------------------------------------------------------- opening and closing


@handles(OpenTable)
def open_table(decision: Decision, command: OpenTable) -> OpenTableAnswer:
    """Open a table with its float, if all its papers, versions and notices are in order."""
    own_table(decision, command.table)
    table = the_table(decision, command.table)
    if table.status == "open":
        raise InputError.of("table-open", "table", f"{table.id} is open already")
    person = second_person_of(decision, command.badge, SUPERVISING, "opening a table")
    faults = amount_faults(command.float_cents, "float_cents", least=NO_CENTS)
    faults += chips_faults(command.chips, command.float_cents)
    collect(faults + opening_faults(decision.floor, table, decision.now))
    tray, floated = account("tray", table.id), micros(command.float_cents)
    decision.books.transfer_any(tray, HOUSE, floated, "float", about("table", table.id))
    edition = edition_to_open(decision.floor, table, decision.now)
    rules = rules_hash(table.game, choices_of(decision.floor, table, decision.now))
    opened = replace(table, status="open", lit={}, edition=edition.date if edition else "", rules=rules)
    decision.tables.put(prepare_next(decision, opened))
    slip = issue_slip(decision, "opener", table, command.float_cents, person.id, command.chips)
    return OpenTableAnswer(
        table=table.id,
        by=person.id,
        rules=rules,
        tray_cents=whole_cents(decision.books.balance(account("tray", table.id))),
        slip=slip.id,
        warnings=fault_notes(
            flagged_for_opening(decision.floor, table, decision.now) + _link_warnings(decision.floor, table)
        ),
        next=tuple(_before_first_round(opened)),
    )


def opening_faults(floor: Floor, table: Table, at: int) -> list[Fault]:
    """What keeps a table from opening, whatever its float: papers, versions, notices, limits."""
    faults = aggregate_of_the_day(floor, table, at) + face_up_faults(floor, table, at)
    return faults + missing_for_opening(floor, table, at)


def _link_warnings(floor: Floor, table: Table) -> list[Fault]:
    """Sensors whose link takes no wagers right now."""
    return [
        Fault("link-not-open", f"sensors.{sensor}", f"{link} is {floor.links[link].status}: it takes no wagers")
        for sensor, link in table.sensors.items()
        if floor.links[link].status != "open"
    ]


def _before_first_round(table: Table) -> list[str]:
    names = game(table.game).machine_names
    mode = [f"set the shuffler to {' or '.join(names)}"] if names and table.deal_mode == "shuffler" else []
    return [*before_play(table), *mode, "a dealer swipes in"]


@handles(CloseTable)
def close_table(decision: Decision, command: CloseTable) -> CloseTableAnswer:
    """Close a table: tray and drop are counted and go back to the house, and differences stay on record."""
    own_table(decision, command.table)
    table = the_open_table(decision, command.table)
    if table.round is not None:
        raise InputError.of("round-in-play", "table", f"{table.round} is in play at {table.id}: press END GAME first")
    if any(table.lit.values()):
        raise InputError.of("sensor-lit", "table", f"wagers lie on sensors of {table.id}: give them back first")
    person = second_person_of(decision, command.badge, SUPERVISING, "closing a table")
    collect(
        amount_faults(command.tray_cents, "tray_cents", NO_CENTS)
        + amount_faults(command.drop_cents, "drop_cents", NO_CENTS)
        + chips_faults(command.chips, command.tray_cents)
    )
    counted = {"tray": command.tray_cents, "drop": command.drop_cents}
    collect(
        [
            fault
            for kind, cents in counted.items()
            for fault in _count_faults(decision, kind, table.id, cents, f"{kind}_cents", command.reason)
        ]
    )
    slip = issue_slip(decision, "closer", table, command.tray_cents, person.id, command.chips)
    counts = {
        "tray": _count_out(decision, "tray", table.id, command.tray_cents),
        "drop": _count_out(decision, "drop", table.id, command.drop_cents),
    }
    # Tray and drop are counted: from now on no round of the table can take its envy back.
    table = leave_controls(decision, forget_last_round(decision, table))
    decision.tables.put(replace(table, status="closed", lit={}, declared=(), deck=None))
    end_first_shift(decision, table.id)
    held = decision.floor.held_rounds().get(table.id, ())
    return CloseTableAnswer(
        table=table.id,
        by=person.id,
        counts=counts,
        over_cents=total(count.over_cents for count in counts.values()),
        slip=slip.id,
        next=tuple(f"{round_} is still on hold: it waits for its decision" for round_ in held),
    )


def end_first_shift(decision: Decision, table: str) -> None:
    """Tray and drop are counted by two people: the shift in which the table's controllers were registered is over."""
    for each in controllers_of(decision.floor, table):
        controller = decision.devices[each.id]
        if not controller.shift_over:
            decision.devices.put(replace(controller, shift_over=True))


def _count_faults(decision: Decision, kind: str, table: str, counted: Cents, path: str, reason: str) -> list[Fault]:
    """A count so far from the books that play hardly explains it, as after a slip with a digit, says why.

    What the books have is not told, nor whether it is more or less: who counts again would count towards it.
    """
    book = whole_cents(decision.books.balance(account(kind, table)))
    most = settings.value(decision.floor, "count_reason_above", decision.now)
    if abs(counted - book) <= most:
        return []
    if reason.strip():
        return text_fault(reason, "reason", "say why")
    message = (
        f"{cents_text(counted)} was counted in the {kind} of {table}, which is more than {cents_text(most)} away from "
        "the books. Count again; if it is right, send it with a reason"
    )
    return [Fault("count-differs", path, message)]


def _count_out(decision: Decision, kind: str, table: str, counted_cents: Cents) -> MoneyCount:
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
    return MoneyCount(whole_cents(book), counted_cents, counted_cents - whole_cents(book))


# ---------------------------------------------------------------- people and cards at the table


@handles(DealerIn)
def dealer_in(decision: Decision, command: DealerIn) -> DealerInAnswer:
    """A dealer takes the table over, with their own badge; who deals there already begins another session."""
    own_table(decision, command.table)
    table = the_open_table(decision, command.table)
    need_supervisor_elsewhere(decision, table)
    person = _dealer_of_badge(decision, command.badge)
    if person.id == decision.actor and is_let_in(decision, table):
        raise InputError.of(
            "second-person", "badge", f"{person.id} cannot let themselves in to deal: it takes two people"
        )
    elsewhere = next((each for each in decision.floor.tables.values() if each.dealer == person.id), None)
    session = session_of_swipe(decision, table.id, command.session)
    if elsewhere is not None and (elsewhere.id != table.id or session is None):
        here = f"{person.id} deals at {table.id} already: there is nothing to do"
        there = f"{person.id} is signed in at {elsewhere.id} and deals one table at a time: sign out there first"
        raise InputError.of("dealer-elsewhere", "badge", here if elsewhere.id == table.id else there)
    take_controls(decision, table, person.id, session)
    return DealerInAnswer(
        table=table.id,
        dealer=person.id,
        relieved=None if table.dealer == person.id else table.dealer,
        round=table.round,
        next=tuple(before_play(table)),
    )


def _dealer_of_badge(decision: Decision, badge: str) -> Person:
    """The dealer whose badge was read.

    At a controller any badge counts as a dealer's unless the display asks for another. Who is on duty with another role
    came too early, and is told so, whether somebody deals there or not: that is no guess at a badge.
    """
    person = person_of_badge(decision, badge)
    device = decision.floor.devices.get(decision.envelope.device or "")
    at_controls = device is not None and device.kind == "controller"
    if at_controls and "dealer" not in person.roles:
        message = "only a dealer's badge is accepted now: press the key first, the display then says whose badge"
        raise InputError.of("badge-not-asked", "badge", message)
    need_role(person, ("dealer",), "badge", "dealing")
    return person


@handles(DealerOut)
def dealer_out(decision: Decision, command: DealerOut) -> DealerOutAnswer:
    """The dealer leaves; in the middle of a round only a relief may take over."""
    own_table(decision, command.table)
    table = the_table(decision, command.table)
    if table.dealer is None:
        raise InputError.of("no-dealer", "table", f"nobody is signed in as dealer at {table.id}")
    if table.round is not None:
        message = f"{table.round} is in play: end it first, or let the relief swipe in"
        raise InputError.of("round-in-play", "table", message)
    actor = decision.floor.people[decision.actor]
    if actor.id != table.dealer and not set(SUPERVISING) & set(actor.roles):
        raise InputError.of("not-the-dealer", "actor", f"{table.dealer} deals at {table.id}, not {actor.id}")
    leave_controls(decision, table)
    return DealerOutAnswer(table=table.id, left=table.dealer, next=("a dealer swipes in",))


@handles(ChangeDeck)
def change_deck(decision: Decision, command: ChangeDeck) -> ChangeDeckAnswer:
    """A counted deck comes to the table, between rounds."""
    own_table(decision, command.table)
    table = table_between_rounds(decision, command.table)
    if not set(SUPERVISING) & set(decision.floor.people[decision.actor].roles):
        # A supervisor brings a deck also before anybody deals; a dealer only where their own badge was swiped in.
        need_dealer_of(decision, table)
    faults = Faults()
    check_id(faults, command.deck, "deck")
    size = game(table.game).deck
    if command.counted != size:
        message = f"{command.counted} cards were counted, {table.game} is dealt from {size}: take another deck"
        faults.add("deck-count", "counted", message)
    other = next((each.id for each in decision.floor.tables.values() if each.deck == command.deck), None)
    if other is not None:
        faults.add("deck-in-use", "deck", f"{command.deck} is in use at {other}: a deck is at one table at a time")
    faults.refuse_if_any()
    decision.tables.put(replace(table, deck=command.deck, deck_due=None))
    closed = None if table.deck_due is None else close_misdeal(decision, table.deck_due)
    return ChangeDeckAnswer(
        table=table.id, deck=command.deck, replaced=table.deck, counted=command.counted, incident_closed=closed
    )


@handles(ChangeShift)
def change_shift(decision: Decision, command: ChangeShift) -> ChangeShiftAnswer:
    """A shift or drop period begins: the books at this moment are in the answer."""
    own_table(decision, command.table)
    table = table_between_rounds(decision, command.table)
    faults = Faults()
    check_id(faults, command.shift, "shift")
    faults.refuse_if_any()
    if command.shift == table.shift:
        raise InputError.of("nothing-to-change", "shift", f"{table.id} is in shift {table.shift} already")
    decision.tables.put(replace(table, shift=command.shift))
    books = {kind: decision.floor.held(account(kind, table.id)) for kind in ("tray", "drop", "receipts", "variance")}
    return ChangeShiftAnswer(table=table.id, shift=command.shift, before=table.shift, rounds=table.rounds, micros=books)


# ---------------------------------------------------------------- chips and counts


@handles(FillTray)
def fill_tray(decision: Decision, command: FillTray) -> FillTrayAnswer:
    """Chips to the tray or back to the cage, on a slip that is used once and carries two signatures."""
    own_table(decision, command.table)
    table = the_open_table(decision, command.table)
    second = second_person_of(decision, command.badge, (*SUPERVISING, "cage"), "a fill or credit")
    faults = Faults()
    if command.slip is not None:
        _check_form_number(decision, faults, command.slip)
    tray, amount = account("tray", table.id), micros(command.cents)
    held = max(NO_MICROS, decision.books.balance(tray))
    if command.direction == "credit" and amount > held:
        message = (
            f"the books have less in the tray of {table.id}, and a credit takes at most what they have. Look at the "
            "slip again; if more chips lie there, the count at the close takes them to the house"
        )
        faults.add("tray-short", "cents", message)
    found = settings.found_in(faults) + amount_faults(command.cents, "cents", least=Cents(1))
    collect(found + chips_faults(command.chips, command.cents))
    slip = issue_slip(decision, command.direction, table, command.cents, second.id, command.chips, command.slip)
    debit, credit = (tray, HOUSE) if command.direction == "fill" else (HOUSE, tray)
    decision.books.transfer(debit, credit, amount, command.direction, about("slip", slip.id))
    return FillTrayAnswer(
        table=table.id,
        slip=slip.id,
        direction=command.direction,
        cents=slip.cents,
        signed=(
            slip.by,
            slip.second,
        ),
        tray_cents=whole_cents(decision.books.balance(tray)),
    )


def _check_form_number(decision: Decision, faults: Faults, number: str) -> None:
    """The number of a form that was printed beforehand: an id that no slip has, and none of the manager's own."""
    check_id(faults, number, "slip")
    used = decision.floor.slips.get(number)
    if used is not None:
        faults.add("slip-used", "slip", f"slip {used.id} was used at {used.table}: take the next number")
    elif is_own_number(number):
        message = "the manager gives numbers of this form itself: leave the slip out, or name a printed form's number"
        faults.add("slip-number", "slip", message)


@handles(CountDrop)
def count_drop(decision: Decision, command: CountDrop) -> CountDropAnswer:
    """The drop was counted by two people: it goes to the house, over or short to the table's variance."""
    table = the_table(decision, command.table)
    second = second_person_of(decision, command.badge, (*SUPERVISING, "cage", "accounting"), "a count")
    collect(amount_faults(command.cents, "cents", least=NO_CENTS))
    collect(_count_faults(decision, "drop", table.id, command.cents, "cents", command.reason))
    count = _count_out(decision, "drop", table.id, command.cents)
    return CountDropAnswer(table=table.id, **asdict(count), counted_by=(decision.actor, second.id))
