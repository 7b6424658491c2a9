"""Tables by the documents: jackpots on sensors, opening and closing, dealers, decks, shifts, fills and counts.

Two signatures on a slip, a slip used once, the tray and the drop explained by their own sums.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from instruments.simulator.checker.chain import ChainEntry
from instruments.simulator.checker.errors import CheckError, same
from instruments.simulator.checker.rounds import SUPERVISING
from instruments.simulator.checker.rules import Call, Objection, against_badge, rule
from instruments.simulator.checker.slips import OWN_SERIES, issued
from instruments.simulator.checker.state import MICROS_PER_CENT, Floor, Link, Table

SEATS: Final = {"six-card-poker": 7}
"""Pai Gow tables have six seats, Six Card Poker up to seven."""
COUNT_APART: Final = 1_000_000
"""Cents by which a count may be away from the books without a word."""
DECKS: Final = {"six-card-poker": 52}
TWO_SENSORS: Final = ("fortune", "commission-free-fortune", "face-up")
WITHDRAWN: Final = ("fortune", "commission-free-fortune", "face-up")
"""The first generation of controls was withdrawn for the seven-card games."""


# Tables


def _judge_table(floor: Floor, call: Call) -> Iterator[Objection]:
    if call["table"] in floor.tables:
        yield Objection("there is such a table already")
    most = SEATS.get(call["game"], 6)
    if call.get("seats") is not None and not 1 <= call["seats"] <= most:
        yield Objection("more seats than the game has")
    if call.get("vocabulary", "nexus-2") == "aquarius" and call["game"] in WITHDRAWN:
        yield Objection("these controls were withdrawn for the game", certain=False)
    if call.get("settings") or call.get("paytables"):
        yield Objection("a game's settings are its own matter", certain=False)


@rule("table.create", "technician", "supervisor", "executive")(_judge_table)
def _apply_table(floor: Floor, call: Call, entry: ChainEntry) -> None:
    seats = call.get("seats") or SEATS.get(call["game"], 6)
    same(seats, entry.answer["seats"], f"seats of {call['table']}")
    floor.tables[call["table"]] = Table(
        call["table"], call["game"], seats, call.get("vocabulary", "nexus-2"), call.get("cards", "felt"),
        raw=dict(call.do),
    )  # fmt: skip


def _judge_attach(floor: Floor, call: Call) -> Iterator[Objection]:
    table = floor.tables.get(call["table"])
    if table is None:
        yield Objection("no such table")
        return
    if table.status != "closed":
        yield Objection("the table is open")
    if call["link"] is None:
        if call["sensor"] not in table.sensors:
            yield Objection("nothing is joined there")
        return
    link = floor.links.get(call["link"])
    if link is None:
        yield Objection("no such link")
        return
    yield from _against_joining(floor, call, table, link)


def _against_joining(floor: Floor, call: Call, table: Table, link: Link) -> Iterator[Objection]:
    if link.status == "retired":
        yield Objection("the link is retired")
    if call["sensor"] not in (("1", "2") if table.game in TWO_SENSORS else ("1",)):
        yield Objection("the sheet gives the game no such sensor")
    if call["sensor"] in table.sensors:
        yield Objection("the sensor has its jackpot already")
    for sensor, other in table.sensors.items():
        if sensor != call["sensor"] and other == link.id:
            yield Objection("both sensors on one link")
        elif sensor != call["sensor"] and floor.links[other].kind != link.kind:
            yield Objection("a progressive and a house jackpot on one table")
    if table.game not in link.printed.games and not _linked_game(floor, link, table.game):
        yield Objection("another game, whose winning hands and odds are not the same")
    if table.vocabulary == "aquarius" and table.game in WITHDRAWN:
        yield Objection("these controls were withdrawn for the game")
    if link.decks != 1:
        yield Objection("another number of decks")


def _linked_game(floor: Floor, link: Link, game: str) -> bool:
    """The sheets name the tables of two games that may be linked."""
    partners = [each for each in floor.printed.values() if each.linked_with == link.printed.id]
    if link.printed.linked_with is not None:
        partners.append(floor.printed[link.printed.linked_with])
    return any(game in partner.games for partner in partners)


@rule("table.attach", "technician", "supervisor", "executive")(_judge_attach)
def _apply_attach(floor: Floor, call: Call, entry: ChainEntry) -> None:
    table = floor.tables[call["table"]]
    if call["link"] is None:
        del table.sensors[call["sensor"]]
    else:
        table.sensors[call["sensor"]] = call["link"]
    same(table.sensors, entry.answer["sensors"], f"sensors of {table.id}")


def _between_rounds(floor: Floor, call: Call) -> Iterator[Objection]:
    table = floor.tables.get(call["table"])
    if table is None:
        yield Objection("no such table")
        return
    if table.status != "open":
        yield Objection("the table is closed")
    if table.round is not None:
        yield Objection("a round is in play")


def _judge_face_up(floor: Floor, call: Call) -> Iterator[Objection]:
    yield from against_badge(floor, call["badge"], SUPERVISING)
    yield Objection("a dated permission is needed", certain=False)
    table = floor.tables.get(call["table"])
    if table is None or table.round is not None:
        yield Objection("only between rounds")
    elif call["face_up"] and not floor.face_up_spots(table, call.now):
        yield Objection("no permission names the game")


@rule("table.face-up", *SUPERVISING)(_judge_face_up)
def _apply_face_up(floor: Floor, call: Call, _entry: ChainEntry) -> None:
    floor.tables[call["table"]].face_up = call["face_up"]


def _judge_open(floor: Floor, call: Call) -> Iterator[Objection]:
    table = floor.tables.get(call["table"])
    if table is None:
        yield Objection("no such table")
        return
    if table.status == "open":
        yield Objection("the table is open already")
    if call["float_cents"] < 0:
        yield Objection("a float below zero")
    yield from against_badge(floor, call["badge"], SUPERVISING)
    if not floor.papers_held("game-approval", table.game, call.now):
        yield Objection("no approval of the game is on file")
    if not floor.covering(table, call.now):
        yield Objection("a choice of the room that no paper in force covers")
    yield Objection("other papers may be missing", certain=False)


def _edition(floor: Floor, table: Table) -> str:
    """The newest approved sheet that has as many sensors, such jackpots and these controls; six-card games have one.

    The seven-card sheets of 2018 have one sensor, progressives alone, and both Nexus systems; that of 2023 has two
    sensors, house jackpots, and the second Nexus system only.
    """
    approved: set[str] = {
        paper["fields"]["edition"]
        for paper in floor.papers.values()
        if paper["register"] == "game-approval" and paper["subject"] == table.game
    }
    if table.game not in TWO_SENSORS:
        return max(approved)
    needs_newer = len(table.sensors) > 1 or any(floor.links[link].kind == "house" for link in table.sensors.values())
    fitting = approved - ({"2023-06-14"} if table.vocabulary == "nexus" else set())
    fitting -= {"2018-10-18"} if needs_newer else set()
    if not fitting:
        raise CheckError(f"{table.id} opened under no sheet that offers what stands on it", found=approved)
    return max(fitting)


@rule("table.open", "dealer", "cage", *SUPERVISING)(_judge_open)
def _apply_open(floor: Floor, call: Call, entry: ChainEntry) -> None:
    table = floor.tables[call["table"]]
    table.status, table.edition = "open", _edition(floor, table)
    table.rules, table.chosen = None, floor.choices(table, entry.at)
    floor.move(f"tray/{table.id}", "house", call["float_cents"] * MICROS_PER_CENT)
    issued(floor, "opener", table.id, call["float_cents"], entry)


def _judge_close(floor: Floor, call: Call) -> Iterator[Objection]:
    yield from _between_rounds(floor, call)
    table = floor.tables.get(call["table"])
    if table is not None and any(table.lit.values()):
        yield Objection("wagers lie on the table")
    yield from against_badge(floor, call["badge"], SUPERVISING)
    if call["tray_cents"] < 0 or call["drop_cents"] < 0:
        yield Objection("a count below zero")
    if table is not None:
        for kind in ("tray", "drop"):
            yield from _against_count(floor, call, kind, call[f"{kind}_cents"])


def _against_count(floor: Floor, call: Call, kind: str, cents: int) -> Iterator[Objection]:
    """A count that is far from the books is made again, or says why."""
    apart = abs(cents - floor.book.get(f"{kind}/{call['table']}", 0) // MICROS_PER_CENT)
    if apart > COUNT_APART and not call.get("reason", "").strip():
        yield Objection("a count far from the books, and nobody says why")


@rule("table.close", "dealer", "cage", *SUPERVISING)(_judge_close)
def _apply_close(floor: Floor, call: Call, entry: ChainEntry) -> None:
    table = floor.tables[call["table"]]
    over = _count_out(floor, "tray", table.id, call["tray_cents"]) + _count_out(
        floor, "drop", table.id, call["drop_cents"]
    )
    same(over, entry.answer["over_cents"] * MICROS_PER_CENT, f"over or short at the closing of {table.id}")
    issued(floor, "closer", table.id, call["tray_cents"], entry)
    table.status, table.dealer, table.declared = "closed", None, set()
    for device in floor.devices.values():
        if device["table"] == table.id and device["kind_of"] == "controller":
            device["shift_over"] = True
    if table.last_round is not None:
        floor.rounds[table.last_round].counted_out = True


def _count_out(floor: Floor, kind: str, table: str, cents: int) -> int:
    """What was counted goes to the house; what the books had more or less is the table's variance."""
    account, counted = f"{kind}/{table}", cents * MICROS_PER_CENT
    book = floor.book.get(account, 0)
    floor.move("house", account, counted)
    short = floor.book.get(account, 0)
    if short >= 0:
        floor.move(f"variance/{table}", account, short)
    else:
        floor.move(account, f"variance/{table}", -short)
    return counted - book


def _judge_dealer_in(floor: Floor, call: Call) -> Iterator[Objection]:
    table = floor.tables.get(call["table"])
    if table is None:
        yield Objection("no such table")
        return
    if table.status != "open":
        yield Objection("the table is closed")
    yield from against_badge(floor, call["badge"], ("dealer",))
    person = floor.person_of_badge(call["badge"])
    if person is not None:
        if any(each.dealer == person.id for each in floor.tables.values()):
            if table.dealer != person.id:
                yield Objection("the dealer is signed in elsewhere")
            elif call.get("session") is None:
                yield Objection("the dealer is signed in, and no new session begins", certain=False)
        if call.actor != person.id and not floor.has_role(call.actor, *SUPERVISING):
            yield Objection("somebody else's badge", certain=False)
    yield from _against_place(floor, call, table)
    yield from _against_session(floor, call, table.id)
    if call.actor.startswith("device:"):
        device = floor.devices.get(call.actor.removeprefix("device:"))
        if device is not None and device["table"] != table.id:
            yield Objection("the controller of another table")


def _against_place(floor: Floor, call: Call, table: Table) -> Iterator[Objection]:
    """A dealer has one table: by the desk, somebody else who supervises answers for who comes to another's."""
    sender = floor.devices.get(call.device or "")
    if sender is None or sender["kind_of"] != "service":
        return
    stands = [each for each in floor.devices.values() if each["kind_of"] == "controller" and each["table"] == table.id]
    if table.round is not None or any(each["active"] for each in stands):
        person = floor.person_of_badge(call["badge"])
        if not floor.has_role(call.actor, *SUPERVISING) or (person is not None and person.id == call.actor):
            yield Objection("a dealer comes alone, and not at the controller")


def _against_session(floor: Floor, call: Call, table: str) -> Iterator[Objection]:
    """A swipe at the table's controller begins a session, one at a service never does."""
    sender = floor.devices.get(call.device or "")
    if sender is not None and (sender["kind_of"] == "controller") != (call.get("session") is not None):
        yield Objection("a controller gives a session with the swipe, and nobody else")
    stands = [each for each in floor.devices.values() if each["kind_of"] == "controller" and each["table"] == table]
    if call.get("session") is not None and not any(each["active"] for each in stands):
        yield Objection("no controller stands there")


@rule("dealer.in", "dealer", *SUPERVISING, device=True)(_judge_dealer_in)
def _apply_dealer_in(floor: Floor, call: Call, entry: ChainEntry) -> None:
    person = floor.person_of_badge(call["badge"])
    assert person is not None
    table = floor.tables[call["table"]]
    same(table.dealer if table.dealer != person.id else None, entry.answer["relieved"], "who was relieved")
    table.dealer, table.session = person.id, call.get("session")
    if table.round is not None:
        floor.rounds[table.round].dealers.add(person.id)
        floor.note("a relief took a round over")
    same(person.id, entry.answer["dealer"], "who deals")


def _judge_dealer_out(floor: Floor, call: Call) -> Iterator[Objection]:
    table = floor.tables.get(call["table"])
    if table is None:
        yield Objection("no such table")
        return
    if table.dealer is None:
        yield Objection("nobody deals there")
    if table.round is not None:
        yield Objection("in the middle of a round only a relief takes over")
    if table.dealer != call.actor and not floor.has_role(call.actor, *SUPERVISING):
        yield Objection("another dealer is signed in")


@rule("dealer.out", "dealer", *SUPERVISING)(_judge_dealer_out)
def _apply_dealer_out(floor: Floor, call: Call, _entry: ChainEntry) -> None:
    floor.tables[call["table"]].dealer = None


def _judge_deck(floor: Floor, call: Call) -> Iterator[Objection]:
    table = floor.tables.get(call["table"])
    if table is None or table.round is not None:
        yield Objection("only between rounds")
    if table is not None and call.actor != table.dealer and not floor.has_role(call.actor, *SUPERVISING):
        yield Objection("somebody else deals there, or nobody")
    if table is not None and call["counted"] != DECKS.get(table.game, 53):
        yield Objection("the deck is not whole")
    yield Objection("which deck it is", certain=False)


@rule("table.deck", "dealer", *SUPERVISING)(_judge_deck)
def _apply_deck(floor: Floor, call: Call, entry: ChainEntry) -> None:
    """A record, after which a table with a misdeal plays on."""
    table = floor.tables[call["table"]]
    if table.deck_due:
        floor.note("a deck was counted down after a misdeal")
    elif entry.answer.get("incident_closed") is not None:
        raise CheckError(f"a deck closes the incident of a misdeal at {table.id}", found=entry.answer)
    table.deck_due = False


def _judge_shift(floor: Floor, call: Call) -> Iterator[Objection]:
    if call["table"] not in floor.tables or floor.tables[call["table"]].round is not None:
        yield Objection("only between rounds")
    yield Objection("which shift it is", certain=False)


@rule("table.shift", "cage", "accounting", *SUPERVISING)(_judge_shift)
def _apply_shift(floor: Floor, call: Call, entry: ChainEntry) -> None:
    """A record; nothing else changes."""


def _judge_fill(floor: Floor, call: Call) -> Iterator[Objection]:
    table = floor.tables.get(call["table"])
    if table is None:
        yield Objection("no such table")
        return
    if table.status != "open":
        yield Objection("the table is closed")
    if call["cents"] <= 0:
        yield Objection("nothing moves")
    if call.get("slip") in floor.slips:
        yield Objection("the slip is used")
    elif str(call.get("slip", "")).startswith(tuple(OWN_SERIES.values())):
        yield Objection("the manager gives such numbers itself")
    chips = sum(int(value) * count for value, count in call.get("chips", {}).items())
    if call.get("chips") and chips != call["cents"]:
        yield Objection("the chips are not the amount")
    yield from against_badge(floor, call["badge"], (*SUPERVISING, "cage"))
    tray = floor.book.get(f"tray/{table.id}", 0)
    if call["direction"] == "credit" and call["cents"] * MICROS_PER_CENT > tray:
        yield Objection("the tray holds less by the books")


@rule("tray.fill", "dealer", "cage", *SUPERVISING)(_judge_fill)
def _apply_fill(floor: Floor, call: Call, entry: ChainEntry) -> None:
    tray, amount = f"tray/{call['table']}", call["cents"] * MICROS_PER_CENT
    issued(floor, call["direction"], call["table"], call["cents"], entry, call.get("slip"))
    if call["direction"] == "fill":
        floor.move(tray, "house", amount)
    else:
        floor.move("house", tray, amount)


def _judge_count(floor: Floor, call: Call) -> Iterator[Objection]:
    table = floor.tables.get(call["table"])
    if table is None:
        yield Objection("no such table")
        return
    if call["cents"] < 0:
        yield Objection("a count below zero")
    yield from _against_count(floor, call, "drop", call["cents"])
    yield from against_badge(floor, call["badge"], (*SUPERVISING, "cage", "accounting"))
    if table.round is not None or table.status != "open":
        yield Objection("when a drop is counted is the room's matter", certain=False)


@rule("drop.count", "cage", "accounting", *SUPERVISING)(_judge_count)
def _apply_count(floor: Floor, call: Call, _entry: ChainEntry) -> None:
    _count_out(floor, "drop", call["table"], call["cents"])
