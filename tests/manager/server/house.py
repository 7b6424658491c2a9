"""A small property on disk, set up by commands: people with badges, tables with sensors on links, devices with secrets.

It is built once for a run of tests and copied for each test, keys and all.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from houseway.manager.commands import Envelope
from houseway.manager.commands.house_commands import SignIn
from houseway.manager.handlers.papers_in_order import papers_in_order
from houseway.manager.interface.access import ManagerAccess
from houseway.manager.interface.local import LocalManager
from houseway.manager.interface.requests import command_of
from houseway.manager.server.setup import create_property
from houseway.manager.store.clock import wall_micros
from houseway.manager.store.keys import load_keys
from houseway.manager.store.manager import Manager, open_manager
from tests.manager.floors import (
    ACCOUNTING,
    CAGE,
    DEALER,
    EXECUTIVE,
    OTHER_DEALER,
    PEOPLE,
    SUPERVISOR,
    TECHNICIAN,
    badge,
    enters,
    first_people,
)

TABLES = {"T1": "nexus-2", "T2": "nexus", "T3": "aquarius", "T4": "nexus-2"}
"""Tables and their controls; T1 and T2 play with cards on the felt, T4 with cards known to the system."""
GAMES = {"T1": "six-card-fortune", "T2": "six-card-fortune", "T3": "six-card-fortune", "T4": "fortune"}
LINKS = {"T1": "L1", "T2": "L1", "T3": "L1", "T4": "L4"}
DEALERS = {"T1": DEALER, "T2": OTHER_DEALER, "T3": "Dealer 19", "T4": "Dealer 20"}
SEED = 1_000_000
"""Cents on the meter of L1 when it opens."""


def secret(device: str) -> str:
    """The secret of a device."""
    return f"the secret of {device}"


def access(port: int, device: str = "SVC-1", **more: Any) -> ManagerAccess:
    """The access of a device to a server of this machine."""
    return ManagerAccess("127.0.0.1", port, device, secret(device), **more)


def session(person: str) -> str:
    """The token of the session in which a person is signed in at SVC-1."""
    return f"drawn for the session of {person}"


def swiped(table: str) -> str:
    """The token that a table's controller drew when its dealer swiped in."""
    return f"drawn for the swipe at {table}"


def sessions(device: str = "SVC-1") -> dict[str, str]:
    """What a program keeps that signed everybody in at SVC-1, or at whose controller the table's dealer swiped in."""
    people = [*PEOPLE, *DEALERS.values()]
    if device == "SVC-1":
        return {person: session(person) for person in people}
    table = device.removeprefix("C-")
    return {DEALERS[table]: swiped(table)} if table in DEALERS else {}


@dataclass(frozen=True)
class House:
    """A property in a folder."""

    folder: Path
    postgres: str | None = None
    """The URL of its database, where that is no file of the folder."""

    @property
    def url(self) -> str:
        return self.postgres or f"sqlite:///{self.folder / 'house.db'}"

    @property
    def keys(self) -> Path:
        return self.folder / "keys"

    def open(self) -> Manager:
        """The journal, in this process."""
        return open_manager(self.url, self.keys, create=False)

    def copied(self, folder: Path) -> House:
        """The same property once more."""
        shutil.copytree(self.folder, folder)
        return House(folder)


def built(folder: Path, postgres: str | None = None) -> House:
    """A new property with tables open, dealers signed in, a device of each kind, and everybody signed in at SVC-1."""
    house = House(folder, postgres)
    people = [*first_people(), *(_dealer(person) for person in ("Dealer 19", "Dealer 20"))]
    create_property(house.url, house.keys, "Example Card Room", "commercial", people)
    fingerprint = load_keys(house.keys).fingerprint
    with house.open() as manager:
        _set_up(manager, LocalManager(manager, fingerprint))
        for person in people:
            sign_in = SignIn(fingerprint(badge(person["id"])), fingerprint(session(person["id"])))
            manager.call(Envelope(f"sign-in of {person['id']}", "device:SVC-1", sign_in, "SVC-1"))
    for table, dealer in DEALERS.items():
        # What the controllers have kept of it.
        kept = folder / f"{table}.outbox.session"
        kept.touch(mode=0o600)
        kept.write_text(json.dumps({"dealer": dealer, "session": swiped(table)}))
    return house


def _dealer(person: str) -> dict[str, Any]:
    return {"id": person, "name": person, "department": "pit", "roles": ["dealer"], "badge": badge(person)}


def _set_up(manager: Manager, told: LocalManager) -> None:
    def do(actor: str, kind: str, **fields: Any) -> dict[str, Any]:
        return told.send(command_of({"kind": kind, **fields}), actor=actor).answer.to_json()

    for link, paytable in (("L1", "6CFPGPP-2"), ("L4", "FPGPP-WA01")):
        levels = {"main": {"seed": SEED, "contribution": "1/5"}}
        do(EXECUTIVE, "link.create", link=link, linked_as="progressive", paytable=paytable, levels=levels)
        do(EXECUTIVE, "link.open", link=link, opening={"main": {"seed": SEED}}, badge=badge(ACCOUNTING))
    for table, controls in TABLES.items():
        cards = "known" if table == "T4" else "felt"
        pays = {"fortune": "FPGP-1"} if table == "T4" else {}
        game = {"game": GAMES[table], "vocabulary": controls, "cards": cards, "paytables": pays}
        do(TECHNICIAN, "table.create", table=table, **game)
        do(TECHNICIAN, "table.attach", table=table, sensor="1", link=LINKS[table])
        for paper in manager.view(lambda floor, id_=table: papers_in_order(floor, floor.tables[id_], wall_micros())):
            fields = {name: getattr(paper, name) for name in paper.__struct_fields__}
            do(enters(paper), "paper.record", **fields)
        do(EXECUTIVE, "table.open", table=table, float_cents=1_000_000, badge=badge(SUPERVISOR))
        do(SUPERVISOR, "table.deck", table=table, deck=f"deck of {table}", counted=53)
        controller = {"device": f"C-{table}", "kind_of": "controller", "secret": secret(f"C-{table}"), "table": table}
        do(TECHNICIAN, "device.add", **controller, badge=badge(ACCOUNTING))
        swipe = {"table": table, "badge": badge(DEALERS[table]), "session": swiped(table)}
        do(DEALERS[table], "dealer.in", **swipe)
    for device, kind in (("SVC-1", "service"), ("SIGN-1", "display")):
        # Whoever registers it is no second person there: somebody whom few tests ask for a badge.
        second = {"badge": badge(CAGE)} if kind == "service" else {}
        do(TECHNICIAN, "device.add", device=device, kind_of=kind, secret=secret(device), **second)
