"""`houseway staff | device | link | table | round | jackpot | slip | papers | change | incident | system`: for a room.

Each is made from the class of its command: its options are the fields, its help is the class's own description. A
command that is added to the manager has its friendly form at once.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import App, Parameter

from houseway.api.arguments import Arguments
from houseway.cli.command_examples import example
from houseway.cli.command_options import CommandOption, options_of, parameter, read_options
from houseway.cli.command_sending import Sending
from houseway.cli.manager_changes import ActorOption, approve, back_out
from houseway.cli.manager_where import ManagerLocation, SignIn
from houseway.cli.output import JsonFlag
from houseway.manager.commands import AUTHORITY, COMMANDS
from houseway.reading.field_words import struct_words

if TYPE_CHECKING:
    import msgspec

GROUPS: Final = {
    "staff": "People of the room: who they are, and who is at the desk.",
    "device": "Controllers, displays and services.",
    "link": "Progressive links and house jackpots: drawn up, opened, stopped, resumed, their deposits and promotions.",
    "table": "Tables: set up, opened, staffed, filled, counted, closed.",
    "round": "Rounds: begun, dealt, ended, corrected, disputed.",
    "jackpot": "Jackpots: pressed, hit, verified, paid, rejected.",
    "slip": "Numbered slips of money paid, brought and counted: printed, printed again, voided.",
    "papers": "Papers of the registers: approvals, internal controls, licences, notices.",
    "change": "Changes that two people make: proposed, approved, withdrawn.",
    "incident": "Malfunctions and other incidents.",
    "system": "What two people put right when the system itself went wrong.",
}
"""The groups of commands, with their help."""

_GROUP_OF: Final = {
    "person": "staff", "session": "staff", "paper": "papers", "sensor": "table", "seat": "table", "dealer": "table",
    "tray": "table", "drop": "table", "undone": "table", "hand": "round", "display": "round", "key": "jackpot",
    "surveillance": "jackpot", "prize": "jackpot", "promotion": "link",
}  # fmt: skip
"""Where commands stand whose kind begins with another word than their group's."""
VERBS: Final = {
    "sensor.set": "sensor", "seat.declare": "seat", "dealer.in": "dealer-in", "dealer.out": "dealer-out",
    "drop.count": "drop", "undone.acknowledge": "seen", "display.player": "show-player",
    "display.dealer": "show-dealer", "key.turn": "key", "surveillance.reference": "verify",
    "promotion.pay": "pay-promotion",
}  # fmt: skip
"""The words for commands whose kind ends with another one."""
TYPED_APART: Final = frozenset(
    {"person.sign-in", "person.sign-out", "change.propose", "change.approve", "slip.print", "slip.reprint"}
)
"""Commands with a function of their own."""


def place_of(kind: str) -> tuple[str, str]:
    """The group and the word of a command.

    >>> place_of("person.add"), place_of("surveillance.reference"), place_of("table.open")
    (('staff', 'add'), ('jackpot', 'verify'), ('table', 'open'))
    """
    first, _, last = kind.partition(".")
    return _GROUP_OF.get(first, first), VERBS.get(kind, last)


def kinds_for_people() -> tuple[str, ...]:
    """The kinds of commands that a person may give."""
    return tuple(kind for kind, command in COMMANDS.items() if AUTHORITY[command].roles)


@cache
def group(name: str) -> App:
    """The commands of a group."""
    from houseway.cli.manager_pins import set_pin
    from houseway.cli.paper_entry import enter
    from houseway.cli.room_import import IMPORTED, importing
    from houseway.cli.room_listings import listings_of
    from houseway.cli.room_people import sign_in, sign_out
    from houseway.cli.slip_papers import list_slips, page, print_copy, reprint, show

    app = App(name=name, help=GROUPS[name], help_format="markdown")
    for kind in kinds_for_people():
        of_group, verb = place_of(kind)
        if of_group == name and kind not in TYPED_APART:
            app.command(_function(kind), name=verb)
    if name == "staff":
        app.command(set_pin, name="pin")
        app.command(sign_in, name="sign-in")
        app.command(sign_out, name="sign-out")
    if name == "change":
        app.command(_proposals(), name="propose")
        app.command(approve)
    if name == "jackpot":
        app.command(back_out, name="back-out")
        app.command(page)
    if name == "slip":
        app.command(list_slips, name="list")
        app.command(show)
        app.command(print_copy, name="print")
        app.command(reprint)
    if name == "papers":
        app.command(enter)
    if name in IMPORTED:
        app.command(importing(name), name="import")
    for verb, function in listings_of(name).items():
        app.command(function, name=verb)
    return app


def __getattr__(name: str) -> App:
    """A group by its name, as the frame of the command asks for it: only that one is built."""
    if name in GROUPS:
        return group(name)
    raise AttributeError(name)


# ---------------------------------------------------------------- functions from classes

_YES: Final = Annotated[
    bool, Parameter(negative="", show_default=False, help="Send it without a question, once it is shown.")
]
_NEW_SECRET: Final = Annotated[
    str | None,
    Parameter(metavar="FILE", help="Draw the device's secret and write it to this new file. Required."),
]
_NEW_BADGE: Final = Annotated[
    bool, Parameter(negative="", show_default=False, help="Give the person a new badge: it is asked for, or drawn.")
]


def _function(kind: str) -> Callable[..., int]:
    """The function of a command, with the options that its class gives it."""
    command = COMMANDS[kind]
    options = options_of(command)
    words = place_of(kind)
    further: dict[str, Any] = {}
    if "secret" in command.__struct_fields__:
        further["new_secret"] = _NEW_SECRET
    if kind == "person.change":
        further["new_badge"] = _NEW_BADGE

    def run(*positional: Any, **given: Any) -> int:  # noqa: ANN401 - the parser's values
        sending = _sending(given)
        arguments = Arguments()
        fields = read_options(arguments, options, _named(options, positional, given), " ".join(("houseway", *words)))
        secret = given.get("new_secret")
        if "new_secret" in further and secret is None:
            arguments.add("missing-argument", "new-secret", "--new-secret FILE is missing: a new file for the secret")
        arguments.refuse_if_any()
        new_badge = kind == "person.add" or bool(given.get("new_badge"))
        return sending.send({"kind": kind, **fields}, new_badge=new_badge, new_secret=secret)

    return _dressed(run, command, words, options, further)


def _proposals() -> App:
    """`houseway change propose`: a command for each change."""
    from houseway.manager.interface.change_types import CHANGES

    app = App(name="propose", help="Propose a change; somebody from another department approves it.")
    for name, change in CHANGES.items():
        app.command(_proposal(name, change), name=name)
    return app


def proposal_options(change: type[msgspec.Struct]) -> tuple[CommandOption, ...]:
    """The options of a proposal: the fields of its change, and the reason."""
    return (*options_of(change), options_of(COMMANDS["change.propose"])[-1])


def _proposal(name: str, change: type[msgspec.Struct]) -> Callable[..., int]:
    options = proposal_options(change)
    words = ("change", "propose", name)

    def run(*positional: Any, **given: Any) -> int:  # noqa: ANN401 - the parser's values
        sending = _sending(given)
        arguments = Arguments()
        fields = read_options(arguments, options, _named(options, positional, given), " ".join(("houseway", *words)))
        arguments.refuse_if_any()
        why = fields.pop("reason")
        return sending.send({"kind": "change.propose", "what": {"change": name, **fields}, "reason": why})

    return _dressed(run, change, words, options, {})


def _named(options: tuple[CommandOption, ...], positional: tuple[Any, ...], given: dict[str, Any]) -> dict[str, Any]:
    """The values by their fields; arguments come without a name, in their order."""
    arguments = [option.field for option in options if option.is_argument]
    return {**given, **dict(zip(arguments, positional, strict=False))}


def _sending(given: dict[str, Any]) -> Sending:
    """How to send, out of the options that all commands have."""
    return Sending(
        given.get("where") or ManagerLocation(), actor=given.get("actor"), sign_in=given.get("sign_in_with"),
        yes=bool(given.get("yes")), as_json=bool(given.get("as_json")),
    )  # fmt: skip


def _dressed(
    run: Callable[..., int],
    struct: type[msgspec.Struct],
    words: tuple[str, ...],
    options: tuple[CommandOption, ...],
    further: dict[str, Any],
) -> Callable[..., int]:
    """A function with the signature and the help that the parser shows."""
    only = inspect.Parameter.KEYWORD_ONLY
    parameters = [parameter(option) for option in options]
    parameters += [
        inspect.Parameter(name, only, default=False if told is _NEW_BADGE else None, annotation=told)
        for name, told in further.items()
    ]
    parameters += [
        inspect.Parameter("actor", only, default=None, annotation=ActorOption),
        inspect.Parameter("sign_in_with", only, default=None, annotation=SignIn),
        inspect.Parameter("yes", only, default=False, annotation=_YES),
        inspect.Parameter("where", only, default=ManagerLocation(), annotation=ManagerLocation),
        inspect.Parameter("as_json", only, default=False, annotation=JsonFlag),
    ]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    run.__name__ = words[-1].replace("-", "_")
    run.__doc__ = f"{struct_words(struct)}\n\nExample: `{example(words, options)}`"
    return run
