"""Where `houseway manager` finds its manager: a server at an address, or the database itself."""

from __future__ import annotations

import contextlib
import os
import re
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

from cyclopts import Parameter

from houseway.api.arguments import database_url
from houseway.cli.manager_sessions import KeptSessions
from houseway.cli.manager_tokens import own_card, read_token
from houseway.cli.output import print_problem
from houseway.errors import InputError, MissingPartError

if TYPE_CHECKING:
    from houseway.manager.server.client import CommandResult, Sessions


@Parameter(name="*")
@dataclass(frozen=True)
class ManagerLocation:
    """Options that say which manager is meant."""

    database: Annotated[
        str | None, Parameter(metavar="DATABASE", help="The database itself: a SQLite file, or a PostgreSQL URL.")
    ] = None
    keys: Annotated[str | None, Parameter(metavar="FOLDER", help="The folder of the keys; goes with --database.")] = (
        None
    )
    manager: Annotated[
        str | None, Parameter(metavar="HOST:PORT", help="A server; needs --device and --secret-file.")
    ] = None
    device: Annotated[
        str | None, Parameter(metavar="ID", help="The device as which to connect; goes with --manager.")
    ] = None
    secret_file: Annotated[
        str | None, Parameter(metavar="FILE", help="The file with the device's secret; goes with --manager.")
    ] = None
    tls_ca: Annotated[
        str | None, Parameter(metavar="FILE", help="Connect with TLS; the file holds the certificate to trust.")
    ] = None


class Spoken(Protocol):
    """A manager that can be told and asked."""

    def command(self, do: dict[str, Any], *, actor: str, key: str | None = None) -> CommandResult:
        """Have a command carried out."""

    def ask(self, what: str, **arguments: object) -> dict[str, Any]:
        """Ask a question."""


SignIn = Annotated[
    str | None,
    Parameter(
        name="--sign-in",
        metavar="FILE",
        help="Sign the actor in at the service for this one command, with the card in this file; ? asks for it, "
        "or takes HOUSEWAY_SIGN_IN. Goes with --manager.",
    ),
]


@contextlib.contextmanager
def speaking(where: ManagerLocation, actor: str, sign_in: str | None, *, recall: bool = True) -> Iterator[Spoken]:
    """The manager that the options name, with the actor signed in for as long as this takes if that is wanted."""
    if sign_in is not None and where.manager is None:
        raise InputError.of("conflicting-options", "sign-in", "people sign in at a service: it goes with --manager")
    own = own_card(sign_in) if sign_in is not None else None
    with contextlib.ExitStack() as stack:
        # A sign-in for one command is nobody's to keep.
        sessions: Sessions | None = None if own is None else {}
        found = stack.enter_context(reached(where, recall=recall, sessions=sessions))
        if own is not None:
            stack.enter_context(signed_in(found, where, own, actor))
        yield found


@contextlib.contextmanager
def signed_in(found: Spoken, where: ManagerLocation, card: str, actor: str) -> Iterator[None]:
    """Have the actor signed in at the service that speaks, and signed out again however it ends.

    The card must be the actor's own. The session's token is never written down.
    """
    from houseway.manager.server.client import ManagerAwayError

    service = f"device:{where.device}"
    try:
        person = found.command({"kind": "person.sign-in", "card": card}, actor=service).answer["person"]
    except ManagerAwayError:
        # It may have been carried out all the same.
        _sign_out(found, where, actor)
        raise
    if person != actor:
        _sign_out(found, where, person)
        message = f"the card is {person}'s, not {actor[:60]}'s: name that person as --actor, or use the right card"
        raise InputError.of("not-signed-in", "sign-in", message)
    try:
        yield
    finally:
        _sign_out(found, where, actor)


def _sign_out(found: Spoken, where: ManagerLocation, person: str) -> None:
    """Sign a person out of the service; somebody must know if that fails, and it changes nothing that was done."""
    from houseway.manager.server.client import ManagerAwayError

    try:
        found.command({"kind": "person.sign-out", "person": person}, actor=f"device:{where.device}")
    except InputError as error:
        # The command itself may have ended the sign-in, by a new card for instance.
        if all(fault.code == "not-signed-in" for fault in error.faults):
            return
        why = error.faults[0].message
    except ManagerAwayError as error:
        why = str(error)
    else:
        return
    print_problem(f"{person[:60]} may still be signed in at {where.device}: {why}; send person.sign-out from there")


@contextlib.contextmanager
def reached(where: ManagerLocation, *, recall: bool = True, sessions: Sessions | None = None) -> Iterator[Spoken]:
    """The manager that the options name, with the sessions of those who signed in there from this account.

    A server that lacks what was seen of it from here before is refused, unless `recall` is False, for those who look
    what is wrong or put the loss on record.
    """
    if (where.database is None) == (where.manager is None):
        raise InputError.of("conflicting-options", "database", "name either --database with --keys, or --manager")
    if where.database is not None:
        with _direct(where) as found:
            yield found
        return
    from houseway.manager.server.client import ManagerAwayError, ManagerClient, tls_client
    from houseway.manager.server.client_memory import Memory

    if where.device is None or where.secret_file is None:
        raise InputError.of("missing-argument", "device", "--manager needs --device and --secret-file")
    if sessions is None:
        sessions = KeptSessions(state_folder() / "sessions" / _server_name(where))
    try:
        with ManagerClient.connect(
            where.manager or "", where.device, read_secret(where.secret_file), tls=tls_client(where.tls_ca),
            memory=Memory(_seen_file(where)), recall=recall, sessions=sessions,
        ) as client:  # fmt: skip
            yield client
    except ManagerAwayError as error:
        raise MissingPartError(f"{error}: is the server running there?") from None


def asked(where: ManagerLocation, what: str, **arguments: object) -> dict[str, Any]:
    """What the manager that the options name answers; a database is only read, whether it is served or not."""
    from houseway.manager.server.pages import all_pages

    if where.database is None or where.manager is not None:
        with reached(where, recall=what != "health") as found:
            return all_pages(found.ask, what, **arguments)
    from houseway.manager.server.direct import ask_at_rest
    from houseway.manager.store.keys import load_keys

    return ask_at_rest(database_url(where.database), load_keys(_keys_folder(where)), what, arguments)


def state_folder() -> Path:
    """Where programs keep what must outlast a restart."""
    base = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    folder = Path(base) / "houseway"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def _server_name(where: ManagerLocation) -> str:
    """A device at a server, as files are named by it."""
    from houseway.manager.server.client import read_address

    host, port = read_address(where.manager or "")
    return re.sub(r"[^\w.-]", "_", f"{where.device}@{host}_{port}")


def _seen_file(where: ManagerLocation) -> Path:
    """Where it is kept what this device has seen of a server."""
    folder = state_folder() / "seen"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder / f"{_server_name(where)}.json"


def _keys_folder(where: ManagerLocation) -> Path:
    if where.keys is None:
        raise InputError.of("missing-argument", "keys", "--database needs --keys, the folder of the keys")
    return Path(where.keys)


@contextlib.contextmanager
def _direct(where: ManagerLocation) -> Iterator[Spoken]:
    from houseway.manager.server.direct import Direct
    from houseway.manager.store.keys import load_keys
    from houseway.manager.store.manager import open_manager

    folder = _keys_folder(where)
    manager = open_manager(database_url(where.database or ""), folder, create=False)
    try:
        yield Direct(manager, load_keys(folder).fingerprint)
    finally:
        manager.close()


def read_secret(name: str) -> str:
    """A device's secret: the first line of a file that others may not read."""
    return read_token(name, "secret-file")


def tls_server(cert: str | None, key: str | None) -> ssl.SSLContext | None:
    """What a server needs to prove itself; None without TLS."""
    if cert is None and key is None:
        return None
    if cert is None or key is None:
        raise InputError.of("missing-argument", "tls-cert", "TLS needs both --tls-cert and --tls-key")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    try:
        context.load_cert_chain(cert, key)
    except OSError as error:
        raise InputError.of("unreadable-file", "tls-cert", f"certificate and key cannot be used: {error}") from None
    return context
