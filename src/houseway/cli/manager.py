"""`houseway manager`: set a property up, serve it, send it commands, look at it, bring its database up to date."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Annotated, Any, Final

from cyclopts import App, Parameter

from houseway.api.arguments import Arguments, database_url
from houseway.cli.files import opened
from houseway.cli.jsonin import parse_json
from houseway.cli.manager_changes import approve, back_out
from houseway.cli.manager_people import first_people
from houseway.cli.manager_tokens import new_secret_in, new_token, with_tokens
from houseway.cli.manager_where import ManagerLocation, SignIn, asked, speaking, tls_server
from houseway.cli.output import JsonFlag, print_json, print_text, printable
from houseway.errors import InputError

_LICENCES: Final = ("commercial", "tribal")
_SHAPE: Final = 'a command is an object with its kind: {"kind": "round.end", ...}'
_SHOWN: Final = ("meters", "tables", "links", "awards", "proposals", "people", "devices", "papers", "health")

DatabaseArgument = Annotated[str, Parameter(help="The database: a SQLite file, or a PostgreSQL URL.")]
KeysOption = Annotated[
    str, Parameter(metavar="FOLDER", help="The folder of the keys, which only the manager may read.")
]

manager = App(
    name="manager",
    help="Set a property up, serve it, send it commands, look at it, bring its database up to date.",
    help_format="markdown",
)


@manager.command
def init(
    database: DatabaseArgument,
    /,
    *,
    keys: KeysOption,
    name: Annotated[str, Parameter(metavar="TEXT", help="The name of the card room or casino.")],
    licence: Annotated[str, Parameter(metavar="KIND", help="commercial or tribal.")],
    people: Annotated[
        str | None,
        Parameter(metavar="FILE", help="A JSON file with the first people; asked for in a terminal without it."),
    ] = None,
    as_json: JsonFlag = False,
) -> int:
    """Begin a journal: keys, database, the property and its first two people, of different departments.

    Cards that the file does not name are made and printed once: hand them out, and keep no copy.
    """
    arguments = Arguments()
    licence = arguments.choice(licence, _LICENCES, "licence") or licence
    arguments.refuse_if_any()
    listed, made = first_people(people)
    from houseway.manager.server.setup import create_property

    answer = create_property(database_url(database), Path(keys), name, licence, listed)
    if as_json:
        print_json({**answer, "cards": made})
        return 0
    print_text(f"{name}: journal in {database}, keys in {keys}")
    for person, card in made.items():
        print_text(f"card of {person}, shown once: {card}")
    for step in answer["next"]:
        print_text(f"next: {step}")
    print_text(f"Back the keys up apart from the database. Next: houseway manager serve {database} --keys {keys}")
    return 0


@manager.command
def serve(
    database: DatabaseArgument,
    /,
    *,
    keys: KeysOption,
    listen: Annotated[str, Parameter(metavar="HOST:PORT", help="Where to listen.")] = "127.0.0.1:7300",
    tls_cert: Annotated[str | None, Parameter(metavar="FILE", help="The server's certificate, for TLS.")] = None,
    tls_key: Annotated[str | None, Parameter(metavar="FILE", help="The certificate's key.")] = None,
    plain_network: Annotated[
        bool,
        Parameter(
            negative="", show_default=False, help="Listen beyond this machine without TLS, in a network of its own."
        ),
    ] = False,
    as_json: JsonFlag = False,
) -> int:
    """Serve a journal to controllers, displays and services until SIGTERM or Ctrl-C.

    Program and data are checked before anything is accepted. Several servers may serve one database.
    """
    from houseway.manager.server.client import read_address
    from houseway.manager.server.logs import log_to_stderr
    from houseway.manager.server.server_process import ServerSetup, run

    host, port = read_address(listen, "listen")
    setup = ServerSetup(database_url(database), Path(keys), host, port, tls_server(tls_cert, tls_key), plain_network)
    log_to_stderr()
    run(setup, lambda host, port: _ready(host, port, as_json))
    return 0


def _ready(host: str, port: int, as_json: bool) -> None:
    """Say on standard output that clients may connect."""
    import sys

    if as_json:
        print_json({"listening": {"host": host, "port": port}})
    else:
        print_text(f"listening at {host}:{port}")
    sys.stdout.flush()


@manager.command(name="do")
def do_command(
    command: Annotated[
        str,
        Parameter(
            allow_leading_hyphen=True,
            help='The command as JSON, such as {"kind": ...}; or a file, or - for standard input.',
        ),
    ],
    /,
    *,
    actor: Annotated[str, Parameter(metavar="ID", help="The person who acts.")],
    key: Annotated[
        str | None,
        Parameter(metavar="TEXT", help="The command's key, to repeat one that was not answered; drawn by default."),
    ] = None,
    sign_in_with: SignIn = None,
    new_secret: Annotated[
        str | None,
        Parameter(metavar="FILE", help="Draw the secret of a device, write it into this new file, and send it along."),
    ] = None,
    where: ManagerLocation = ManagerLocation(),  # noqa: B008 - frozen
    as_json: JsonFlag = False,
) -> int:
    """Send one command. A field card, second_card or secret that is "?" is asked for, or taken from the environment.

    The variables are HOUSEWAY_CARD, HOUSEWAY_SECOND_CARD and HOUSEWAY_SECRET. Through a server the actor must be signed
    in at the service from this account of this machine: person.sign-in keeps its session there, for this user alone. On
    the machine of the database nobody is asked.
    """
    do, typed = _read_command(command)
    if new_secret is not None:
        do = {**do, "secret": "?"}
    if key is None:
        key = f"cli:{new_token()}"
    elif not key:
        raise InputError.of("bad-value", "key", "an empty text is no key: name the key of the command, or leave it out")
    filled = with_tokens({name: value for name, value in do.items() if name != "secret" or not new_secret}, typed=typed)
    with contextlib.ExitStack() as stack:
        # Whoever puts the loss of events on record must reach the manager that lost them.
        recall = do["kind"] != "system.recovery"
        found = stack.enter_context(speaking(where, actor, sign_in_with, recall=recall))
        if new_secret is not None:
            filled["secret"] = stack.enter_context(new_secret_in(new_secret))
        carried = found.command(filled, actor=actor, key=key)
    if as_json:
        print_json({"key": key, "seq": carried.seq, "at": carried.at, "hash": carried.hash, "answer": carried.answer,
                    "repeated": carried.repeated})  # fmt: skip
    else:
        print_text(f"event {carried.seq}{' (carried out before)' if carried.repeated else ''}")
        print_answer(carried.answer)
    return 0


def print_answer(answer: dict[str, Any]) -> None:
    """Print what an answer tells, a field a line."""
    from houseway.cli.words import read_as, words

    for name, value in answer.items():
        print_text(printable(f"  {name}: {words(value, read_as(answer, name))}"))


def _read_command(text: str) -> tuple[dict[str, Any], bool]:
    """The command, and whether it was typed on the command line."""
    if not text.strip():
        raise InputError.of("bad-json", "command", f"nothing is no command: {_SHAPE}")
    typed = text.lstrip()[0] in '{["'
    if text.startswith("-") and text != "-":
        # The parser lets a hyphen through for the sake of standard input; a file of such a name is ./-name.
        raise InputError.of("unknown-option", "", f"{text[:40]!r} is no option (see houseway manager do --help)")
    if typed:
        data = text.encode()
    else:
        with opened(text, "command") as stream:
            data = stream.read()
    do = parse_json(data, "command")
    if not isinstance(do, dict) or not isinstance(do.get("kind"), str):
        raise InputError.of("wrong-type", "command", _SHAPE)
    return do, typed


@manager.command
def show(
    what: Annotated[
        str, Parameter(help="meters, tables, links, awards, proposals, people, devices, papers or health.")
    ],
    /,
    *,
    where: ManagerLocation = ManagerLocation(),  # noqa: B008 - frozen
    as_json: JsonFlag = False,
) -> int:
    """Show meters, tables, links, awards, proposals, people, devices, papers or health of a server or a database.

    It is only read.
    """
    arguments = Arguments()
    what = arguments.choice(what, _SHOWN, "what") or what
    arguments.refuse_if_any()
    answer = asked(where, what)
    if as_json:
        print_json(answer)
        return 0
    from houseway.cli.manager_show import SHOWN

    print_text(SHOWN[what](answer))
    return 0


@manager.command
def drafts(
    table: Annotated[str, Parameter(help="The table.")],
    /,
    *,
    where: ManagerLocation = ManagerLocation(),  # noqa: B008 - frozen
    as_json: JsonFlag = False,
) -> int:
    """Print the papers that a table lacks as drafts: a command a line, of today, with the hashes of the rules in force.

    A draft approves nothing. Compare it with the paper in hand, fill in what says FILL IN, and enter it with do.
    """
    import time

    answer = asked(where, "drafts", table=table, at=time.time_ns() // 1_000)
    if as_json:
        print_json(answer)
        return 0
    for draft in answer["drafts"]:
        print_json(draft)
    return 0


@manager.command
def migrate(
    database: DatabaseArgument,
    /,
    *,
    to: Annotated[
        str, Parameter(metavar="REVISION", help="The revision to go to, up or down; the newest by default.")
    ] = "head",
    as_json: JsonFlag = False,
) -> int:
    """Bring a database to the schema of this version, or to another revision. Stop all servers first."""
    from houseway.manager.server.setup import migrate_to

    before, after = migrate_to(database_url(database), to)
    if as_json:
        print_json({"before": before, "after": after})
    else:
        print_text(f"schema {before or 'none'} -> {after or 'none'}")
    return 0


@manager.command(name="schema")
def print_schema() -> int:
    """Print the JSON schema of all that a manager answers and tells (docs/reference/views.md)."""
    from houseway.manager.views.answers import schema

    print_json(schema())
    return 0


manager.command(approve)
manager.command(back_out, name="back-out")
