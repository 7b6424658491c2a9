"""`houseway setup`: a new room from nothing to an open table, in one sitting at the machine of the database.

It asks for what it needs, says what it does, and can be run again: what is there already is left as it is. All of it is
sent as ordinary commands, with the badges of the two people who sit there, and stands in the journal under their names.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, get_args

from cyclopts import Parameter

from houseway.cli.asking import ask, ask_badge, ask_yes, has_terminal
from houseway.cli.crew import SMALLEST, CrewMember, crew_lines
from houseway.cli.desk import keep_desk
from houseway.cli.manager_tokens import new_secret_in, new_token
from houseway.cli.manager_where import ManagerLocation
from houseway.cli.output import print_problem, print_text, printable
from houseway.cli.room_import import read_rows
from houseway.errors import InputError
from houseway.manager.interface.field_types import WITH_AUTHORITY

if TYPE_CHECKING:
    from houseway.manager.interface.local import LocalManager

DESK: Final = "DESK"
FIRST: Final = 3
"""People with whom a room begins: two issue the next badge, and the third confirms it."""
_LISTEN: Final = "127.0.0.1:7300"
_LICENCES: Final = ("commercial", "tribal")


def setup(
    folder: Annotated[str, Parameter(help="The folder of the room: database, keys and secrets are made there.")] = ".",
    /,
    *,
    staff: Annotated[
        str | None, Parameter(metavar="FILE", help="People out of a CSV file, as houseway staff import reads it.")
    ] = None,
    tables: Annotated[
        str | None, Parameter(metavar="FILE", help="Tables out of a CSV file, as houseway table import reads it.")
    ] = None,
    listen: Annotated[
        str, Parameter(metavar="HOST:PORT", help="Where the server will listen; the desk connects there.")
    ] = _LISTEN,
) -> int:
    """Set up a room, from nothing to an open table. Run it again whenever something is missing.

    Two people from different departments sit at the machine with their badges, and a third who confirms whom they
    register. The property, people, a desk, a link, a table, its papers and its controller are entered one after the
    other. Example: `houseway setup room`.
    """
    if not has_terminal():
        message = "setup asks for badges and papers: run it in a terminal, or use the single commands in a script"
        raise InputError.of("missing-argument", "folder", message)
    rows = {"staff": read_rows(staff, "person.add") if staff else [],
            "tables": read_rows(tables, "table.create") if tables else []}  # fmt: skip
    wizard = SetupWizard(Path(folder), listen)
    with wizard.opened(rows["staff"]):
        wizard.hire(rows["staff"])
        wizard.place_desk()
        for table in wizard.set_up_tables(rows["tables"]):
            wizard.join_link(table)
            wizard.enter_papers(table)
            wizard.place_controller(table)
            wizard.open_table(table)
        wizard.tell_next()
    return 0


class SetupWizard:
    """The questions of a sitting, and the two people who answer them."""

    def __init__(self, folder: Path, listen: str) -> None:
        """Remember the folder; nothing is made yet."""
        self.folder = folder
        self.listen = listen
        self.database, self.keys = folder / "house.db", folder / "keys"
        self._manager: LocalManager | None = None
        self._actor = self._second = ""
        self._badges: dict[str, str] = {}
        """Of those who sit here, by person: in memory, and gone with the sitting."""

    @property
    def manager(self) -> LocalManager:
        """The manager, once it is open."""
        assert self._manager is not None
        return self._manager

    # ------------------------------------------------------------ the property and its people

    @contextlib.contextmanager
    def opened(self, rows: list[dict[str, Any]]) -> Any:  # noqa: ANN401 - a context
        """The room's database, begun if there is none, with the two people who act."""
        from houseway.manager.interface.opening import begin_on, open_database

        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        url = f"sqlite:///{self.database.absolute()}"
        if self.database.exists():
            print_text(f"{self.database} is there: setting up what is missing")
            manager = open_database(url, self.keys)
        else:
            print_text(SMALLEST, "")
            name = ask("Name of the room")
            licence = ask("Licence", choices=_LICENCES)
            print_text("", "The first three people, from different departments, one of them an executive:")
            first = [self._first_person(row) for row in (rows[:FIRST] or [{}] * FIRST)]
            while True:
                try:
                    manager = begin_on(url, self.keys, name, licence, first)
                    break
                except InputError as error:
                    name, first = self._asked_again(error, name, first)
            print_text(f"{name}: journal in {self.database}, keys in {self.keys}")
        with manager:
            self._manager = manager
            self._who_sits_here()
            yield

    def _asked_again(
        self, error: InputError, name: str, first: list[dict[str, Any]]
    ) -> tuple[str, list[dict[str, Any]]]:
        """The name and the first people with what was refused of them asked for again; all else stays as entered."""
        paths = [fault.path.removeprefix("do.") for fault in error.faults]
        if not all(path == "name" or path.startswith("people") for path in paths):
            raise error
        for fault in error.faults:
            print_problem(fault.message)
        if "name" in paths:
            name = ask("Name of the room")
        people = []
        for place, person in enumerate(first):
            faults = [path for path in paths if path == "people" or path.startswith(f"people[{place}]")]
            if not faults:
                people.append(person)
                continue
            self._badges.pop(person["id"], None)
            kept = {("person" if key == "id" else key): value for key, value in person.items() if key != "badge"}
            only_badge = all(path.endswith(".badge") for path in faults)
            people.append(self._first_person(kept if only_badge else {}))
        return name, people

    def _first_person(self, row: dict[str, Any]) -> dict[str, Any]:
        person = self._person(row)
        badge = person["badge"] = ask_badge(f"badge of {person['person']}", drawn=new_token)
        self._badges[person["person"]] = badge
        return {("id" if name == "person" else name): value for name, value in person.items()}

    def _person(self, row: dict[str, Any]) -> dict[str, Any]:
        """Who somebody is, out of a row or asked for."""
        from houseway.manager.interface.field_types import Department, Role

        if row:
            print_text(printable(f"{row['person']}: {row['name']}, {row['department']}, {', '.join(row['roles'])}"))
            return dict(row)
        return {
            "person": ask("  id, such as E1"),
            "name": ask("  name"),
            "department": ask("  department", choices=get_args(Department)),
            "roles": ask("  roles, with commas", several=get_args(Role)).split(","),
        }

    def _crew(self) -> list[CrewMember]:
        from houseway.manager.interface.whole_answers import ask_all
        from houseway.manager.views.floor_questions import PeopleQuestion

        people = ask_all(self.manager, PeopleQuestion()).people
        return [
            CrewMember(each.id, each.department, frozenset(each.roles))
            for each in people
            if each.active and not each.unconfirmed
        ]

    def _who_sits_here(self) -> None:
        """Who acts, and who confirms what takes two people."""
        crew = self._crew()
        executives = [each.id for each in crew if each.has("executive")]
        self._actor = executives[0] if len(executives) == 1 else ask("Which executive acts", choices=executives)
        department = next(each.department for each in crew if each.id == self._actor)
        others = [each.id for each in crew if each.department != department]
        self._second = others[0] if len(others) == 1 else ask("Who confirms, from another department", choices=others)
        print_text(f"{self._actor} acts; {self._second} confirms what takes two people")
        for person in (self._actor, self._second):
            self._badge_of(person)

    def hire(self, rows: list[dict[str, Any]]) -> None:
        """Register people: those of the file, or asked for until nobody is left."""
        while True:
            crew = self._crew()
            known = self._registered()
            print_text("", "What the crew can do:", *(f"  {line}" for line in crew_lines(crew)))
            waiting = [row for row in rows if row["person"] not in known]
            if not waiting and (rows or not ask_yes("Register another person", default=False)):
                return
            person = self._person(waiting[0] if waiting else {})
            badge = ask_badge(f"new badge of {person['person']}", drawn=new_token)
            done = self._send({"kind": "person.add", **person, "badge": badge}, second="second_badge")
            if done:
                self._badges[person["person"]] = badge
                self._confirm(person["person"])
            elif waiting:
                return

    def _registered(self) -> set[str]:
        from houseway.manager.interface.whole_answers import ask_all
        from houseway.manager.views.floor_questions import PeopleQuestion

        return {each.id for each in ask_all(self.manager, PeopleQuestion()).people}

    def _confirm(self, person: str) -> None:
        """Let a third person of those who sit here confirm the new badge, where there is one."""
        others = [
            each.id
            for each in self._crew()
            if each.has(*WITH_AUTHORITY) and each.id not in (self._actor, self._second, person)
        ]
        later = f"{person}'s badge counts once a third person has confirmed it: houseway staff confirm {person}"
        if not others or not ask_yes(f"  is {' or '.join(others)} here to confirm {person}", default=True):
            print_text(later)
            return
        third = others[0] if len(others) == 1 else ask("  who confirms", choices=others)
        self._badge_of(third)
        do = {"kind": "person.confirm", "person": person, "badge": self._badges[person]}
        if not self._send(do, actor=third):
            print_text(later)

    # ------------------------------------------------------------ devices

    def _devices(self) -> set[str]:
        from houseway.manager.interface.whole_answers import ask_all
        from houseway.manager.views.floor_questions import DevicesQuestion

        return {each.id for each in ask_all(self.manager, DevicesQuestion()).devices if each.active}

    def place_desk(self) -> None:
        """A service from which people act, and this account's desk at it."""
        secret = self.folder / "desk.secret"
        if DESK not in self._devices():
            self._add_device({"device": DESK, "kind_of": "service"}, secret)
        if secret.exists():
            where = ManagerLocation(manager=self.listen, device=DESK, secret_file=str(secret))
            print_text(f"this account's commands go to {self.listen} as {DESK} ({keep_desk(where)})")

    def place_controller(self, table: str) -> None:
        """The controller of a table."""
        device = f"C-{table}"
        if device not in self._devices():
            self._add_device(
                {"device": device, "kind_of": "controller", "table": table}, self.folder / f"{table}.secret"
            )

    def _add_device(self, fields: dict[str, Any], secret: Path) -> None:
        with new_secret_in(str(secret)) as token:
            self._send({"kind": "device.add", **fields, "secret": token}, second="badge", must=True)
        print_text(f"{fields['device']} is registered, its secret is in {secret}")

    # ------------------------------------------------------------ tables, links, papers

    def set_up_tables(self, rows: list[dict[str, Any]]) -> list[str]:
        """Set up tables: those of the file, or one that is asked for; all that are closed."""
        known = {table.id for table in self._tables()}
        for row in rows:
            if row["table"] not in known:
                self._send({"kind": "table.create", **row})
        if not rows and not known:
            from houseway.games import game_ids

            made = False
            while not made:
                table = ask("Table", default="T1")
                game = ask("  game", choices=tuple(game_ids()))
                made = self._send({"kind": "table.create", "table": table, "game": game})
        return [table.id for table in self._tables() if table.status == "closed"]

    def _tables(self) -> Any:  # noqa: ANN401 - views of tables
        from houseway.manager.views.floor_questions import TablesQuestion

        return self.manager.ask(TablesQuestion()).tables

    def join_link(self, table: str) -> None:
        """A progressive for a table's first sensor, where it has none."""
        from houseway.manager.views.floor_questions import LinksQuestion

        found = next(each for each in self._tables() if each.id == table)
        if found.sensors or not ask_yes(f"A progressive at {table}", default=True):
            return
        links = {each.id: each for each in self.manager.ask(LinksQuestion()).links}
        link = ask("  link", default=next(iter(links), "L1"))
        while link not in links and not self._new_link(link, found.game):
            if not ask_yes("  enter the link again", default=True):
                return
            link = ask("  link", default=link)
        self._send({"kind": "table.attach", "table": table, "sensor": "1", "link": link})

    def _new_link(self, link: str, game: str) -> bool:
        from houseway.cli.typed_values import read_dollars
        from houseway.paytables import paytable, paytable_ids

        offered = tuple(id_ for id_ in paytable_ids() if game in paytable(id_).games and paytable(id_).levels)
        table = paytable(ask("  pay table", choices=offered))
        levels, opening = {}, {}
        for level in table.levels:
            print_text(f"  level {level}")
            seed = ask("    seed in dollars", read=lambda arguments, text: read_dollars(arguments, text, "seed"))
            share = ask("    contribution of each wager", default="20%")
            reserve = ask("    reserve of each wager", default="1%")
            levels[level] = {"seed": seed, "contribution": share, "reserve": reserve}
            opening[level] = {"seed": seed}
        drawn = {
            "kind": "link.create",
            "link": link,
            "linked_as": "progressive",
            "paytable": table.id,
            "levels": levels,
        }
        opened = {"kind": "link.open", "link": link, "opening": opening}
        return self._send(drawn) and self._send(opened, second="badge")

    def enter_papers(self, table: str) -> None:
        """The papers that a table lacks, each with what its draft leaves open."""
        import time

        from houseway.cli.paper_entry import drafted, filled_in
        from houseway.manager.views.floor_questions import DraftsQuestion

        papers = drafted(self.manager.ask(DraftsQuestion(table=table, at=time.time_ns() // 1_000)))
        if papers:
            print_text(
                "", f"{table} lacks {len(papers)} papers. Enter each as it lies before you; a draft approves nothing."
            )
        for place, paper in enumerate(papers, 1):
            by = self._who_enters(str(paper["register"]))
            if by is not None:
                self._send(filled_in(paper, f"paper {place} of {len(papers)}"), actor=by)

    def _who_enters(self, register: str) -> str | None:
        """Who enters a paper of a register: who acts here if they may, else somebody who has a role for it."""
        from houseway.manager.interface.change_types import REGISTERS

        roles = REGISTERS[register].roles
        able = [each.id for each in self._crew() if each.has(*roles)]
        if self._actor in able:
            return self._actor
        if not able:
            print_problem(
                f"nobody here may enter {register}: register somebody as {' or '.join(roles)}, and run setup again"
            )
            return None
        person = able[0] if len(able) == 1 else ask(f"Who enters {register}", choices=able)
        self._badge_of(person)
        return person

    def open_table(self, table: str) -> None:
        """Open a table, with the badge of somebody who supervises."""
        from houseway.cli.typed_values import read_dollars

        if not ask_yes(f"Open {table} now", default=True):
            return
        cents = ask("  float in dollars", read=lambda arguments, text: read_dollars(arguments, text, "float"))
        supervising = [
            each.id for each in self._crew() if each.has("supervisor", "executive") and each.id != self._actor
        ]
        if not supervising:
            print_problem("opening takes a second supervisor or executive: register one, and run setup again")
            return
        second = supervising[0] if len(supervising) == 1 else ask("  who opens with you", choices=supervising)
        do = {"kind": "table.open", "table": table, "float_cents": cents, "badge": self._badge_of(second)}
        if self._send(do):
            print_text(f"{table} is open")

    # ------------------------------------------------------------ sending

    def _badge_of(self, person: str) -> str:
        """Somebody's badge: asked for once in a sitting."""
        while person not in self._badges:
            badge = ask_badge(f"badge of {person}")
            try:
                whose = self.manager.sign_in(badge).person
            except InputError as error:
                print_problem(error.faults[0].message)
                continue
            if whose == person:
                self._badges[person] = badge
            else:
                print_problem(f"this is another person's badge: {person}'s is asked for")
        return self._badges[person]

    def _send(
        self, do: dict[str, Any], *, second: str | None = None, must: bool = False, actor: str | None = None
    ) -> bool:
        """Send a command; a refusal is told, and the sitting goes on with the next question unless it must not."""
        from houseway.manager.interface.requests import command_of

        if second is not None:
            do = {**do, second: self._badge_of(self._second)}
        try:
            self.manager.send(command_of(do), actor=actor or self._actor)
        except InputError as error:
            if must:
                raise
            for fault in error.faults:
                print_problem(f"{fault} [{fault.code}]")
            return False
        return True

    def tell_next(self) -> None:
        """What to run now."""
        controllers = [
            f"  houseway controller --table {table.id} --manager {self.listen} "
            f"--secret-file {self.folder / f'{table.id}.secret'} --outbox {self.folder / f'{table.id}.outbox'}"
            for table in self._tables()
        ]
        print_text(
            "", "The room is set up. Back the keys up apart from the database. Then, in terminals of their own:",
            f"  houseway manager serve {self.database} --keys {self.keys} --listen {self.listen}",
            *controllers,
            "and at the desk:", "  houseway staff sign-in", "  houseway table list",
        )  # fmt: skip
