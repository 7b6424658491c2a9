"""The house by the documents: people and their cards, papers before play, a table's float, fills, counts and dealers.

What the documents and the compliance list ask: a game only with its approval on file, no single person who gives
authority over money, two signatures on a slip, a slip used once, the tray and the drop explained by their own sums.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from instruments.simulator.checker.chain import ChainEntry
from instruments.simulator.checker.errors import CheckError, same
from instruments.simulator.checker.papers import LETTER_DAY, LETTER_GAMES, TITLES
from instruments.simulator.checker.rounds import SUPERVISING
from instruments.simulator.checker.rules import HOUR, SIGN_IN_HOURS, Call, Objection, against_card, rule
from instruments.simulator.checker.state import MICROS_PER_CENT, Floor, Link, Staff, Table

SEATS: Final = {"six-card-poker": 7}
"""Pai Gow tables have six seats, Six Card Poker up to seven."""
DECKS: Final = {"six-card-poker": 52}
TWO_SENSORS: Final = ("fortune", "commission-free-fortune", "face-up")
AUTHORITY: Final = ("supervisor", "executive", "surveillance", "accounting", "technician", "cage")
"""Roles over money or configuration, whose card counts as a second person's."""
BY_TWO: Final = (*AUTHORITY, "dealer")
"""Roles that one person alone gives to nobody: a dealer too is one of the two people at a jackpot."""
WITHDRAWN: Final = ("fortune", "commission-free-fortune", "face-up")
"""The first generation of controls was withdrawn for the seven-card games."""


# People


def _judge_property(floor: Floor, _call: Call) -> Iterator[Objection]:
    if floor.property is not None:
        yield Objection("there is a property already")


@rule("property.create")(_judge_property)
def _apply_property(floor: Floor, call: Call, _entry: ChainEntry) -> None:
    floor.property = call["name"]
    for person in call["people"]:
        floor.people[person["id"]] = Staff(
            person["id"], person["department"], frozenset(person["roles"]), person.get("card")
        )


def _against_taken_card(floor: Floor, call: Call) -> Iterator[Objection]:
    card = call.get("card")
    if card is not None and any(who.card == card and who.id != call["person"] for who in floor.people.values()):
        yield Objection("the card is another person's")


def _against_second(floor: Floor, call: Call, roles: frozenset[str], concerned: str) -> Iterator[Objection]:
    """Such roles are given by two people of two departments, neither of them the person concerned; others may be."""
    if roles & set(BY_TWO) or call.get("second_card") is not None:
        yield from _against_other_department(floor, call, "second_card", concerned)


def _against_other_department(
    floor: Floor, call: Call, field: str, concerned: str | None = None
) -> Iterator[Objection]:
    second, actor = floor.person_of_card(call.get(field)), floor.people.get(call.actor)
    if second is None or actor is None:
        yield Objection("a second person's card is needed")
    elif second.id == concerned or not second.roles & set(AUTHORITY):
        yield Objection("the second card must be another person's with authority")
    elif second.department == actor.department:
        yield Objection("the second person must be of another department")


def _judge_add(floor: Floor, call: Call) -> Iterator[Objection]:
    if call["person"] in floor.people:
        yield Objection("there is such a person already")
    if not call["roles"]:
        yield Objection("a person needs a role", certain=False)
    yield from _against_taken_card(floor, call)
    yield from _against_second(floor, call, frozenset(call["roles"]), call["person"])


@rule("person.add", "executive", "supervisor")(_judge_add)
def _apply_add(floor: Floor, call: Call, _entry: ChainEntry) -> None:
    by_two = call.get("second_card") is not None
    floor.people[call["person"]] = Staff(
        call["person"], call["department"], frozenset(call["roles"]), call.get("card"), by_two=by_two
    )


def _judge_change(floor: Floor, call: Call) -> Iterator[Objection]:
    person = floor.people.get(call["person"])
    if person is None:
        yield Objection("no such person")
        return
    if call["person"] == call.actor:
        yield Objection("nobody changes himself")
    if call.get("card") is None and call.get("active") is None:
        yield Objection("nothing to change")
    yield from _against_taken_card(floor, call)
    if call.get("card") is not None or call.get("active") not in (None, person.active):
        yield from _against_second(floor, call, person.roles, person.id)
    if call.get("active") is False:
        yield Objection("the last who can approve must stay", certain=False)
    if call.get("active") is not None and bool(call["active"]) == person.active and call.get("card") is None:
        yield Objection("nothing to change", certain=False)


@rule("person.change", "executive", "supervisor")(_judge_change)
def _apply_change(floor: Floor, call: Call, entry: ChainEntry) -> None:
    person = floor.people[call["person"]]
    if call.get("card") is not None:
        person.card, person.by_two = call["card"], call.get("second_card") is not None
    if call.get("active") is not None:
        person.active = call["active"]
    left: list[str] = []
    if call.get("card") is not None or not person.active:
        for device in floor.devices.values():
            device["signed_in"].pop(person.id, None)
        left = sorted(table.id for table in floor.tables.values() if table.dealer == person.id)
    for table in left:
        floor.tables[table].dealer = None
        floor.note(f"a dealer {'got another card' if person.active else 'went off duty'} while signed in at a table")
    same(left, entry.answer["tables_left"], f"tables at which {person.id} deals no more")


# Devices


def _judge_device(floor: Floor, call: Call) -> Iterator[Objection]:
    if call["device"] in floor.devices:
        yield Objection("there is such a device already")
    if any(each["secret"] == call["secret"] for each in floor.devices.values()):
        yield Objection("the secret is another device's")
    table = call.get("table")
    if call["kind_of"] == "controller":
        if table not in floor.tables:
            yield Objection("a controller stands at a table")
        elif any(
            each["active"] and each["kind_of"] == "controller" and each["table"] == table
            for each in floor.devices.values()
        ):
            yield Objection("the table has its controller already")
    elif table is not None:
        yield Objection("where else devices stand is not laid down", certain=False)
    if call["kind_of"] != "display":
        yield from _against_other_department(floor, call, "card")


@rule("device.add", "technician", "executive")(_judge_device)
def _apply_device(floor: Floor, call: Call, entry: ChainEntry) -> None:
    second = None if call["kind_of"] == "display" else floor.person_of_card(call.get("card"))
    floor.devices[call["device"]] = {
        "table": call.get("table"), "active": True, "kind_of": call["kind_of"], "secret": call["secret"],
        "signed_in": {}, "registered_by": {call.actor} | ({second.id} if second else set()), "at": entry.at,
        "shift_over": False,
    }  # fmt: skip
    _end_presence(floor, call["device"])


def _end_presence(floor: Floor, device: str) -> None:
    """Where a controller comes or goes, nobody has shown a badge at it yet, or can any more."""
    found = floor.devices[device]
    table = floor.tables.get(found["table"] or "") if found["kind_of"] == "controller" else None
    if table is not None and table.dealer is not None:
        table.dealer = None
        floor.note("a dealer's table got another controller")


def _judge_retire_device(floor: Floor, call: Call) -> Iterator[Objection]:
    device = floor.devices.get(call["device"])
    if device is None or not device["active"]:
        yield Objection("no such device in use")
    elif device["kind_of"] == "service" and not any(
        each["active"] and each["kind_of"] == "service" for id_, each in floor.devices.items() if id_ != call["device"]
    ):
        # Else one person could leave the others no place to act from.
        yield from _against_other_department(floor, call, "card")


@rule("device.retire", "technician", "executive")(_judge_retire_device)
def _apply_retire_device(floor: Floor, call: Call, _entry: ChainEntry) -> None:
    floor.devices[call["device"]] |= {"active": False, "signed_in": {}}
    _end_presence(floor, call["device"])


def _judge_sign_in(floor: Floor, call: Call) -> Iterator[Objection]:
    device = floor.devices.get(call.actor.removeprefix("device:"))
    if not call.actor.startswith("device:") or (device is not None and device["kind_of"] != "service"):
        yield Objection("a service reads the cards of those who act there")
    if floor.person_of_card(call["card"]) is None:
        yield Objection("the card is nobody's on duty")


@rule("person.sign-in", device=True)(_judge_sign_in)
def _apply_sign_in(floor: Floor, call: Call, entry: ChainEntry) -> None:
    person = floor.person_of_card(call["card"])
    assert person is not None
    floor.devices[call.actor.removeprefix("device:")]["signed_in"][person.id] = (entry.at, call["session"])
    same((person.id, sorted(person.roles)), (entry.answer["person"], sorted(entry.answer["roles"])), "who signed in")


def _left(floor: Floor, call: Call) -> list[str]:
    """The services that a sign-out is about: the one it comes from, else all where the person is."""
    here = call.actor.removeprefix("device:") if call.actor.startswith("device:") else call.device
    return [
        id_
        for id_, device in sorted(floor.devices.items())
        if call["person"] in device["signed_in"] and here in (None, id_)
    ]


def _judge_sign_out(floor: Floor, call: Call) -> Iterator[Objection]:
    if not call.actor.startswith("device:") and call.actor != call["person"]:
        yield Objection("nobody signs another person out")
    if not _left(floor, call):
        yield Objection("the person is not signed in")
    now, hours = call.now, floor.setting("sign_in_hours", call.now, SIGN_IN_HOURS)
    if any(now - floor.devices[id_]["signed_in"][call["person"]][0] >= hours * HOUR for id_ in _left(floor, call)):
        yield Objection("it had ended by itself", certain=False)


@rule("person.sign-out", device=True)(_judge_sign_out)
def _apply_sign_out(floor: Floor, call: Call, entry: ChainEntry) -> None:
    left = _left(floor, call)
    same(left, entry.answer["devices"], f"where {call['person']} was signed in")
    for device in left:
        del floor.devices[device]["signed_in"][call["person"]]


def _judge_withdraw_message(floor: Floor, call: Call) -> Iterator[Objection]:
    if not call.actor.startswith("device:"):
        yield Objection("a controller takes back its own messages")
        return
    device = floor.devices.get(call.actor.removeprefix("device:"))
    if device is not None and device["table"] != call["table"]:
        yield Objection("the controller of another table")


@rule("message.withdraw", device=True)(_judge_withdraw_message)
def _apply_withdraw_message(floor: Floor, call: Call, entry: ChainEntry) -> None:
    """Its key is used up; nothing else changes."""


# The clock


def _judge_clock(floor: Floor, call: Call) -> Iterator[Objection]:
    roles = ("executive", "supervisor", "surveillance", "accounting", "technician", "cage")
    yield from against_card(floor, call["card"], roles)
    yield from against_card(floor, call["second_card"], roles)
    if not call["reason"].strip():
        yield Objection("the record must say why")
    yield Objection("who may accept a time, and when, is the room's matter", certain=False)


@rule("system.clock")(_judge_clock)
def _apply_clock(floor: Floor, _call: Call, _entry: ChainEntry) -> None:
    """The journal goes on from an earlier time."""
    floor.note("two people accepted the clock")


# Papers


def _judge_paper(floor: Floor, call: Call) -> Iterator[Objection]:
    if call["paper"] in floor.papers:
        yield Objection("a paper is entered once")
    if call.get("until") is not None and call["until"] <= call["since"]:
        yield Objection("a paper that ends before it begins")
    if call["register"] == "face-up-permission":
        named = call["fields"].get("games", [])
        if TITLES.get(call["subject"]) not in named:
            yield Objection("the permission does not name the game")
        if call["fields"].get("issued") == LETTER_DAY and not set(named) <= set(LETTER_GAMES):
            yield Objection("the letter does not name the game")
    yield Objection("what a register asks for is not the documents' matter", certain=False)


@rule("paper.record")(_judge_paper)
def _apply_paper(floor: Floor, call: Call, _entry: ChainEntry) -> None:
    floor.papers[call["paper"]] = dict(call.do)


def _judge_incident(_floor: Floor, call: Call) -> Iterator[Objection]:
    if call["known_at"] > call.now:
        yield Objection("it cannot be known before it happened", certain=False)
    yield Objection("which incidents there are is not the documents' matter", certain=False)


@rule("incident.record", device=True)(_judge_incident)
def _apply_incident(floor: Floor, call: Call, entry: ChainEntry) -> None:
    """A record; nothing else changes."""


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
    yield from against_card(floor, call["card"], SUPERVISING)
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
    yield from against_card(floor, call["card"], SUPERVISING)
    if not floor.papers_held("game-approval", table.game, call.now):
        yield Objection("no approval of the game is on file")
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
def _apply_open(floor: Floor, call: Call, _entry: ChainEntry) -> None:
    table = floor.tables[call["table"]]
    table.status, table.edition = "open", _edition(floor, table)
    floor.move(f"tray/{table.id}", "house", call["float_cents"] * MICROS_PER_CENT)


def _judge_close(floor: Floor, call: Call) -> Iterator[Objection]:
    yield from _between_rounds(floor, call)
    table = floor.tables.get(call["table"])
    if table is not None and any(table.lit.values()):
        yield Objection("wagers lie on the table")
    yield from against_card(floor, call["card"], SUPERVISING)
    if call["tray_cents"] < 0 or call["drop_cents"] < 0:
        yield Objection("a count below zero")


@rule("table.close", "dealer", "cage", *SUPERVISING)(_judge_close)
def _apply_close(floor: Floor, call: Call, entry: ChainEntry) -> None:
    table = floor.tables[call["table"]]
    over = _count_out(floor, "tray", table.id, call["tray_cents"]) + _count_out(
        floor, "drop", table.id, call["drop_cents"]
    )
    same(over, entry.answer["over_cents"] * MICROS_PER_CENT, f"over or short at the closing of {table.id}")
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
    yield from against_card(floor, call["card"], ("dealer",))
    person = floor.person_of_card(call["card"])
    if person is not None:
        if any(each.dealer == person.id for each in floor.tables.values()):
            if table.dealer != person.id:
                yield Objection("the dealer is signed in elsewhere")
            elif call.get("session") is None:
                yield Objection("the dealer is signed in, and no new session begins", certain=False)
        if call.actor != person.id and not floor.has_role(call.actor, *SUPERVISING):
            yield Objection("somebody else's card", certain=False)
    yield from _against_place(floor, call, table)
    yield from _against_session(floor, call, table.id)
    if call.actor.startswith("device:"):
        device = floor.devices.get(call.actor.removeprefix("device:"))
        if device is not None and device["table"] != table.id:
            yield Objection("the controller of another table")


def _against_place(floor: Floor, call: Call, table: Table) -> Iterator[Objection]:
    """A dealer has the own table: by the desk, somebody else who supervises answers for who comes to another's."""
    sender = floor.devices.get(call.device or "")
    if sender is None or sender["kind_of"] != "service":
        return
    stands = [each for each in floor.devices.values() if each["kind_of"] == "controller" and each["table"] == table.id]
    if table.round is not None or any(each["active"] for each in stands):
        person = floor.person_of_card(call["card"])
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
    person = floor.person_of_card(call["card"])
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
    """A record; nothing else changes."""


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
    if call["slip"] in floor.slips:
        yield Objection("the slip is used")
    yield from against_card(floor, call["card"], (*SUPERVISING, "cage"))
    tray = floor.book.get(f"tray/{table.id}", 0)
    if call["direction"] == "credit" and call["cents"] * MICROS_PER_CENT > tray:
        yield Objection("the tray holds less by the books", certain=False)


@rule("tray.fill", "dealer", "cage", *SUPERVISING)(_judge_fill)
def _apply_fill(floor: Floor, call: Call, _entry: ChainEntry) -> None:
    tray, amount = f"tray/{call['table']}", call["cents"] * MICROS_PER_CENT
    floor.slips.add(call["slip"])
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
    yield from against_card(floor, call["card"], (*SUPERVISING, "cage", "accounting"))
    if table.round is not None or table.status != "open":
        yield Objection("when a drop is counted is the room's matter", certain=False)


@rule("drop.count", "cage", "accounting", *SUPERVISING)(_judge_count)
def _apply_count(floor: Floor, call: Call, _entry: ChainEntry) -> None:
    _count_out(floor, "drop", call["table"], call["cents"])
