"""Where `houseway manager` finds its manager: a server at an address, or the database itself."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cyclopts import Parameter

from houseway.api.arguments import database_url
from houseway.cli.manager_sessions import KeptSessions
from houseway.cli.manager_tokens import own_badge, read_token
from houseway.cli.output import print_problem
from houseway.errors import InputError, MissingPartError

if TYPE_CHECKING:
    from houseway.certificates.server_tls import ServerTls
    from houseway.cli.manager_ids import KnownIds
    from houseway.manager.interface.contract import ManagerInterface, SignedInPerson
    from houseway.manager.interface.sessions import Sessions
    from houseway.manager.views.view_base import FloorView


DeviceCertOption = Annotated[
    str | None,
    Parameter(metavar="FILE", help="The device's certificate, where the server asks for one; needs --device-key."),
]
DeviceKeyOption = Annotated[str | None, Parameter(metavar="FILE", help="The key of the device's certificate.")]


@Parameter(name="*")
@dataclass(frozen=True)
class ManagerLocation:
    """Options that say which manager is meant."""

    database: Annotated[
        str | None, Parameter(metavar="DATABASE", help="The database itself: a SQLite file, or a PostgreSQL URL.")
    ] = None
    keys: Annotated[str | None, Parameter(metavar="FOLDER", help="The key folder; for --database.")] = None
    manager: Annotated[
        str | None, Parameter(metavar="HOST:PORT", help="A server; needs --device and --secret-file.")
    ] = None
    device: Annotated[str | None, Parameter(metavar="ID", help="The device to connect as; for --manager.")] = None
    secret_file: Annotated[
        str | None, Parameter(metavar="FILE", help="The file with the device's secret; for --manager.")
    ] = None
    tls_ca: Annotated[
        str | None, Parameter(metavar="FILE", help="Connect with TLS, and trust the certificate in this file.")
    ] = None
    device_cert: DeviceCertOption = None
    device_key: DeviceKeyOption = None


NoSignIn = Annotated[str | None, Parameter(name="--sign-in", show=False)]
"""The option of commands that only look: refused with the reason, for whoever gives it to every command."""

SignIn = Annotated[
    str | None,
    Parameter(
        name="--sign-in",
        metavar="FILE",
        help="Sign the actor in at the service for this one command, with the badge in this file; ? asks for it, "
        "or takes HOUSEWAY_SIGN_IN. For --manager.",
    ),
]


def located(where: ManagerLocation) -> ManagerLocation:
    """Where the options say, or else where this account's desk is."""
    if where.database is not None or where.manager is not None:
        return where
    from houseway.cli.desk import desk_location

    return desk_location() or where


class Speaker(NamedTuple):
    """A manager that was reached, who acts there, and the ids that it knows."""

    manager: ManagerInterface
    actor: str
    ids: KnownIds


def refuse_sign_in(given: str | None) -> None:
    """Say why looking takes no sign-in."""
    if given is not None:
        message = "looking needs no badge: the service or the database is asked in its own name; leave --sign-in out"
        raise InputError.of("conflicting-options", "sign-in", message)


@contextlib.contextmanager
def speaking(
    where: ManagerLocation, actor: str | None, sign_in: str | None, *, recall: bool = True
) -> Iterator[Speaker]:
    """The manager that the options name, with the actor signed in for as long as this takes if that is wanted.

    Without an actor it is who signs in, or else who has signed in at this desk from this account.
    """
    from houseway.cli.manager_ids import KnownIds

    where = located(where)
    if sign_in is not None and where.manager is None:
        raise InputError.of("conflicting-options", "sign-in", "people sign in at a service: it goes with --manager")
    own = own_badge(sign_in) if sign_in is not None else None
    with contextlib.ExitStack() as stack:
        # A sign-in for one command is nobody's to keep.
        sessions: Sessions | None = None if own is None else {}
        found = stack.enter_context(reached(where, recall=recall, sessions=sessions))
        ids = KnownIds(found)
        if own is not None:
            named = None if actor is None else ids.actor(actor, where.device)
            person = stack.enter_context(signed_in(found, where, own, named))
        elif actor is None:
            person = _who_signed_in(where, ids)
        else:
            person = ids.actor(actor, where.device)
        yield Speaker(found, person, ids)


def _who_signed_in(where: ManagerLocation, ids: KnownIds) -> str:
    """Who has signed in at the service from this account; refused where nobody has, or several have."""
    if where.device is None:
        raise InputError.of(
            "missing-argument", "actor", "at the database itself nobody signs in: name who acts, --actor ID"
        )
    kept = _kept_sessions(where)
    here = [person for person in ids.signed_in(where.device) if kept.get(person) is not None]
    if len(here) == 1:
        return here[0]
    if here:
        message = f"{' and '.join(here)} have signed in at {where.device} from here: say who acts, --actor ID"
    else:
        message = (
            f"nobody has signed in at {where.device} from this account: houseway staff sign-in, or --sign-in ? for one "
            "command"
        )
    raise InputError.of("missing-argument", "actor", message)


@contextlib.contextmanager
def signed_in(found: ManagerInterface, where: ManagerLocation, badge: str, actor: str | None) -> Iterator[str]:
    """Have the actor signed in at the service that speaks, and signed out again however it ends; who it is.

    The badge must be the actor's own, where one is named. The session's token is never written down.
    """
    from houseway.manager.interface.contract import ManagerAwayError

    try:
        person = badge_read(found, badge).person
    except ManagerAwayError:
        # It may have been carried out all the same.
        if actor is not None:
            _sign_out(found, where, actor)
        raise
    if actor is not None and person != actor:
        _sign_out(found, where, person)
        message = f"the badge is {person}'s, not {actor[:60]}'s: name that person as --actor, or use the right badge"
        raise InputError.of("not-signed-in", "sign-in", message)
    try:
        yield person
    finally:
        _sign_out(found, where, person)


def badge_read(found: ManagerInterface, badge: str) -> SignedInPerson:
    """Whose badge it is that signs in; a PIN is typed where one is asked for."""
    from houseway.cli.manager_pins import typed_pin
    from houseway.manager.interface.contract import RefusedError
    from houseway.manager.interface.credentials import badge_with_pin

    try:
        return found.sign_in(badge)
    except RefusedError as error:
        if all(fault.code != "pin-needed" for fault in error.faults):
            raise
    return found.sign_in(badge_with_pin(badge, typed_pin("PIN beside the badge: ")))


def _sign_out(found: ManagerInterface, where: ManagerLocation, person: str) -> None:
    """Sign a person out of the service; somebody must know if that fails, and it changes nothing that was done."""
    from houseway.manager.interface.contract import ManagerAwayError

    try:
        found.sign_out(person)
    except InputError as error:
        # The command itself may have ended the sign-in, by a new badge for instance.
        if all(fault.code == "not-signed-in" for fault in error.faults):
            return
        why = error.faults[0].message
    except ManagerAwayError as error:
        why = str(error)
    else:
        return
    print_problem(
        f"{person[:60]} may still be signed in at {where.device}: {why}; sign out from there (houseway staff sign-out)"
    )


@contextlib.contextmanager
def reached(
    where: ManagerLocation, *, recall: bool = True, sessions: Sessions | None = None
) -> Iterator[ManagerInterface]:
    """The manager that the options name, with the sessions of those who signed in there from this account.

    A server that lacks what was seen of it from here before is refused, unless `recall` is False, for those who look
    what is wrong or put the loss on record.
    """
    where = located(where)
    if (where.database is None) == (where.manager is None):
        message = "name either --database with --keys, or --manager; or once for all commands, with houseway desk"
        raise InputError.of("conflicting-options", "database", message)
    if where.database is not None:
        from houseway.manager.interface.opening import open_database

        with open_database(database_url(where.database), _keys_folder(where)) as found:
            yield found
        return
    from houseway.manager.interface.access import ManagerAccess
    from houseway.manager.interface.client import ManagerClient
    from houseway.manager.interface.contract import ManagerAwayError

    if where.device is None or where.secret_file is None:
        raise InputError.of("missing-argument", "device", "--manager needs --device and --secret-file")
    if sessions is None:
        sessions = _kept_sessions(where)
    try:
        access = ManagerAccess.at(
            where.manager or "", where.device, read_secret(where.secret_file), tls_ca=where.tls_ca,
            device_cert=where.device_cert, device_key=where.device_key,
            # Who looks at a manager that lacks what was seen takes nothing over from it.
            seen_file=_seen_file(where) if recall else None, recall=recall,
        )  # fmt: skip
        with ManagerClient.connect(access, sessions=sessions) as client:
            yield client
    except ManagerAwayError as error:
        raise MissingPartError(f"{error}: is the server running there?") from None


def _kept_sessions(where: ManagerLocation) -> KeptSessions:
    """The sessions of those who signed in at a service from this account."""
    return KeptSessions(state_folder() / "sessions" / _server_name(where))


def asked(where: ManagerLocation, what: str, **arguments: object) -> FloorView:
    """What the manager that the options name answers; a database is only read, whether it is served or not."""
    where = located(where)
    from houseway.cli.manager_ids import KnownIds
    from houseway.manager.interface.whole_answers import ask_all
    from houseway.manager.views.floor_questions import question

    with looking(where, recall=what != "health") as found:
        answer = ask_all(found, question(what, **KnownIds(found).in_command(arguments)))
    return _as_seen_here(where, answer) if what == "health" and where.manager is not None else answer


@contextlib.contextmanager
def looking(where: ManagerLocation, *, recall: bool = True) -> Iterator[ManagerInterface]:
    """The manager that the options name, for questions; a database is only read, whether it is served or not."""
    from houseway.manager.interface.resting import RestingManager

    where = located(where)
    if where.database is None or where.manager is not None:
        with reached(where, recall=recall) as found:
            yield found
        return
    with RestingManager(database_url(where.database), _keys_folder(where)) as found:
        yield found


def _as_seen_here(where: ManagerLocation, health: FloorView) -> FloorView:
    """The health of a server; `refused` if it lacks what was seen of it from here: then nobody here works with it."""
    from msgspec.structs import replace

    from houseway.manager.views.health_view import FaultView, HealthView

    if not isinstance(health, HealthView) or health.state not in ("serving", "impaired"):
        # It says itself that it carries nothing out, and might not answer what was seen.
        return health
    try:
        with reached(where):
            return health
    except InputError as error:
        lost = [fault for fault in error.faults if fault.code == "history-lost"]
        if not lost:
            raise
    told = (FaultView(code=fault.code, path=fault.path, message=fault.message) for fault in lost)
    return replace(health, state="refused", faults=(*told, *health.faults))


def state_folder() -> Path:
    """Where programs keep what must outlast a restart."""
    base = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    folder = Path(base) / "houseway"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def _server_name(where: ManagerLocation) -> str:
    """A device at a server, as files are named by it."""
    from houseway.manager.interface.address import read_address

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


def read_secret(name: str) -> str:
    """A device's secret: the first line of a file that others may not read."""
    return read_token(name, "secret-file")


def tls_server(cert: str | None, key: str | None, devices: str | None = None) -> ServerTls | None:
    """What a server needs to prove itself; None without TLS."""
    if cert is None and key is None and devices is None:
        return None
    if cert is None or key is None:
        raise InputError.of("missing-argument", "tls-cert", "TLS needs both --tls-cert and --tls-key")
    from houseway.certificates.server_tls import ServerTls

    return ServerTls(Path(cert), Path(key), None if devices is None else Path(devices))
