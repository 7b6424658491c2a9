"""`houseway manager`: set a property up, serve it, send it commands, look at it."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Annotated, Any, Final

from cyclopts import App, Parameter

from houseway.api.arguments import Arguments, database_url
from houseway.cli.command_times import for_typing, with_times
from houseway.cli.files import opened
from houseway.cli.jsonin import parse_json
from houseway.cli.manager_people import first_people
from houseway.cli.manager_pins import sent
from houseway.cli.manager_show import SHOWN
from houseway.cli.manager_tokens import new_secret_in, new_token, with_tokens
from houseway.cli.manager_where import ManagerLocation, NoSignIn, SignIn, asked, refuse_sign_in, speaking
from houseway.cli.output import JsonFlag, print_json, print_problem, print_text, printable
from houseway.cli.server_options import ServerOptions, say_ready
from houseway.errors import InputError

_LICENCES: Final = ("commercial", "tribal")
_SHAPE: Final = 'a command is an object with its kind: {"kind": "round.end", ...}'

DatabaseArgument = Annotated[str, Parameter(help="The database: a SQLite file, or a PostgreSQL URL.")]
KeysOption = Annotated[str, Parameter(metavar="FOLDER", help="The key folder, which only the manager may read.")]

manager = App(
    name="manager",
    help="Set up a property, serve it, send it commands, look at it.",
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
        Parameter(metavar="FILE", help="A JSON file with the first people; without it the terminal asks for them."),
    ] = None,
    as_json: JsonFlag = False,
) -> int:
    """Begin a journal: keys, database, the property and its first two people, of different departments.

    Badges that the file does not give are drawn and printed once: hand them out, and keep no copy.
    """
    arguments = Arguments()
    licence = arguments.choice(licence, _LICENCES, "licence") or licence
    arguments.refuse_if_any()
    listed, made = first_people(people)
    from houseway.manager.interface.serving import create_property

    answer = create_property(database_url(database), Path(keys), name, licence, listed)
    if as_json:
        print_json({**answer, "badges": made})
        return 0
    print_text(f"{name}: journal in {database}, keys in {keys}")
    for person, badge in made.items():
        print_text(f"badge of {person}, shown once: {badge}")
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
    options: ServerOptions = ServerOptions(),  # noqa: B008 - frozen
    as_json: JsonFlag = False,
) -> int:
    """Serve a journal to controllers, displays and services until SIGTERM or Ctrl-C.

    Program and data are checked before any command is accepted. Several servers may serve one database.
    """
    from houseway.manager.interface.serving import run

    setup = options.setup(database, keys)
    run(setup, lambda listening, watched: say_ready({"listening": listening, "watched": watched}, as_json))
    return 0


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
        Parameter(metavar="TEXT", help="The command's key, to repeat an unanswered one; by default drawn."),
    ] = None,
    sign_in_with: SignIn = None,
    new_secret: Annotated[
        str | None,
        Parameter(metavar="FILE", help="Draw a device's secret, write it to this new file, and send it along."),
    ] = None,
    where: ManagerLocation = ManagerLocation(),  # noqa: B008 - frozen
    as_json: JsonFlag = False,
) -> int:
    """Send one command. If badge, second_badge or secret is "?", the terminal or the environment supplies it.

    The variables are HOUSEWAY_BADGE, HOUSEWAY_SECOND_BADGE and HOUSEWAY_SECRET. Through a server the actor must be
    signed in at the service from this account of this machine: person.sign-in keeps its session there, for this user
    alone. With --database no sign-in is needed. Times (since, until, known_at, now) may be written as local time,
    such as "2026-01-31T18:30", or as a date; until a date includes that day.
    """
    from houseway.manager.interface.requests import command_of

    do, typed = _read_command(command)
    arguments = Arguments()
    do = with_times(arguments, do)
    arguments.refuse_if_any()
    if new_secret is not None:
        do = {**do, "secret": "?"}
    if key is None:
        key = f"cli:{new_token()}"
    elif not key:
        raise InputError.of(
            "bad-value", "key", "an empty text is not a key: name the key of the command, or leave it out"
        )
    filled = with_tokens({name: value for name, value in do.items() if name != "secret" or not new_secret}, typed=typed)
    with contextlib.ExitStack() as stack:
        # Whoever puts the loss of events on record must reach the manager that lost them.
        recall = do["kind"] != "system.recovery"
        found, person, ids = stack.enter_context(speaking(where, actor, sign_in_with, recall=recall))
        if typed:
            filled = ids.in_command(filled)
        if new_secret is not None:
            filled["secret"] = stack.enter_context(new_secret_in(new_secret))
        carried = sent(found, command_of(filled), person, key)
    if as_json:
        print_json({"key": key, "seq": carried.seq, "at": carried.at, "hash": carried.hash,
                    "answer": carried.answer.to_json(), "repeated": carried.repeated})  # fmt: skip
    else:
        from houseway.cli.answer_text import answer_lines

        print_text(f"event {carried.seq}{' (carried out before)' if carried.repeated else ''}")
        print_text(*map(printable, answer_lines(carried.answer.to_json())))
    return 0


def _read_command(text: str) -> tuple[dict[str, Any], bool]:
    """The command, and whether it was typed on the command line."""
    if not text.strip():
        raise InputError.of("bad-json", "command", f"name a command: {_SHAPE}")
    typed = text.lstrip()[0] in '{["'
    if text.startswith("-") and text != "-":
        # The parser lets a hyphen through for the sake of standard input; a file of such a name is ./-name.
        raise InputError.of("unknown-option", "", f"{text[:40]!r} is not an option (see houseway manager do --help)")
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
    what: Annotated[str, Parameter(help=f"{', '.join(list(SHOWN)[:-1])} or {list(SHOWN)[-1]}.")],
    /,
    *,
    sign_in_with: NoSignIn = None,
    where: ManagerLocation = ManagerLocation(),  # noqa: B008 - frozen
    as_json: JsonFlag = False,
) -> int:
    """Show one part of a server or a database: meters, tables, links, awards, proposals, people, health and so on.

    Nothing is written.
    """
    refuse_sign_in(sign_in_with)
    arguments = Arguments()
    what = arguments.choice(what, SHOWN, "what") or what
    arguments.refuse_if_any()
    answer = asked(where, what)
    if as_json:
        print_json(answer.to_json())
        return 0
    print_text(SHOWN[what](answer))
    return 0


def drafts(
    table: Annotated[str, Parameter(help="The table.")],
    /,
    *,
    sign_in_with: NoSignIn = None,
    where: ManagerLocation = ManagerLocation(),  # noqa: B008 - frozen
    as_json: JsonFlag = False,
) -> int:
    """Print the papers that a table lacks as drafts: one command a line, dated today, with the rules' hashes.

    A draft approves nothing. Compare it with the paper in hand, fill in what says FILL IN, and enter it with do.
    """
    import time

    from houseway.manager.views.answers import DraftsAnswer

    refuse_sign_in(sign_in_with)
    answer = asked(where, "drafts", table=table, at=time.time_ns() // 1_000)
    if as_json or not isinstance(answer, DraftsAnswer):
        print_json(answer.to_json())
        return 0
    for draft in answer.drafts:
        print_json(for_typing(draft.to_json()))
    for register, roles in answer.entered_by.items():
        if "executive" not in roles:
            print_problem(f"{register} is entered by {' or '.join(roles)}, not by an executive")
    return 0


@manager.command(name="new-key")
def new_key(*, keys: KeysOption, as_json: JsonFlag = False) -> int:
    """Draw another signing key, in place of one that was lost or may be known to others. End all servers first.

    The next start announces it; the old one then counts only for what it has signed. The public keys stay.
    """
    from houseway.manager.interface.keeping import renew_signing_key

    renewed = renew_signing_key(Path(keys))
    file = str(Path(keys) / f"{renewed.key_id}.pub")
    if as_json:
        print_json({"key_id": renewed.key_id, "public": renewed.public, "file": file})
        return 0
    print_text(f"signing key {renewed.key_id}, public {renewed.public}")
    print_text("next: copy the folder to the other machines that serve this journal, back it up, and start the servers")
    print_text(f"next: give {file} to auditors and witnesses")
    return 0


@manager.command(name="schema")
def print_schema() -> int:
    """Print the JSON schema of everything a manager sends (docs/reference/views.md)."""
    from houseway.manager.views.view_schema import schema

    print_json(schema())
    return 0
