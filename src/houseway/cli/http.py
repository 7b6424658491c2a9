"""`houseway serve` and `houseway http`: the HTTP API beside a manager or at its address, its keys and its webhooks."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import App, Parameter

from houseway.cli.manager_where import DeviceCertOption, DeviceKeyOption, read_secret, tls_server
from houseway.cli.output import JsonFlag, print_json, print_text
from houseway.cli.server_options import ServerOptions, say_ready
from houseway.cli.times import time_text
from houseway.errors import InputError, MissingPartError

if TYPE_CHECKING:
    from houseway.manager.http.http_process import HttpSetup
    from houseway.manager.http.own_book import OwnBook

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_DAYS: Final = 36_500
"""A hundred years: no key outlives that."""

HttpOption = Annotated[str, Parameter(name="--http", metavar="HOST:PORT", help="Where to listen for HTTP.")]
DeviceOption = Annotated[
    str,
    Parameter(metavar="ID", help="The service that HTTP is at the manager; houseway device add registers it."),
]
SecretOption = Annotated[str, Parameter(metavar="FILE", help="The file with the device's secret.")]
BookOption = Annotated[str | None, Parameter(metavar="FILE", help="The file with API keys and webhooks.")]
OwnBookOption = Annotated[str, Parameter(name="--book", metavar="FILE", help="The file with API keys and webhooks.")]
NamesOption = Annotated[
    list[str] | None,
    Parameter(name="--name", metavar="HOST", negative="", help="A further name by which the service is called."),
]
CertOption = Annotated[str | None, Parameter(metavar="FILE", help="The certificate, for TLS.")]
KeyOption = Annotated[str | None, Parameter(metavar="FILE", help="The certificate's key.")]
PlainOption = Annotated[
    bool,
    Parameter(negative="", show_default=False, help="Listen beyond this machine without TLS, on a separate network."),
]
NameArgument = Annotated[str, Parameter(help="Small letters, digits and hyphens.")]

http = App(name="http", help="The HTTP API by itself, its keys and its webhooks.", help_format="markdown")
key = App(name="key", help="Keys with which programs look: made, listed, ended.", help_format="markdown")
webhook = App(name="webhook", help="Addresses to which events are told.", help_format="markdown")
http.command(key)
http.command(webhook)


def serve(
    database: Annotated[str, Parameter(help="The database: a SQLite file, or a PostgreSQL URL.")],
    /,
    *,
    keys: Annotated[str, Parameter(metavar="FOLDER", help="The key folder, which only the manager may read.")],
    device: DeviceOption,
    secret_file: SecretOption,
    http: HttpOption = "127.0.0.1:7380",
    name: NamesOption = None,
    book: BookOption = None,
    options: ServerOptions = ServerOptions(),  # noqa: B008 - frozen
    as_json: JsonFlag = False,
) -> int:
    """Serve a journal and its HTTP API, until SIGTERM or Ctrl-C.

    HTTP runs in a process beside the manager's, so that nothing that comes in there slows a table. Certificate and key
    are for both ports. `houseway manager serve` serves without HTTP, `houseway http serve` HTTP alone.

    Example: `houseway serve house.db --keys keys --device HTTP-1 --secret-file http.secret`
    """
    from houseway.manager.interface.serving import run

    setup = options.setup(database, keys)
    with _parts():
        from houseway.manager.http.http_beside import beside
        from houseway.manager.http.http_process import check

        tls = (options.tls_cert, options.tls_key)
        own = _setup(http, device, secret_file, name, book, *tls, plain_network=options.plain_network)
        check(own)
    ready = lambda listening, watched: say_ready({"listening": listening, "watched": watched}, as_json)  # noqa: E731
    run(setup, ready, beside(own, (options.log_format, options.access_log), _http_ready(as_json)))
    return 0


@http.command(name="serve")
def serve_alone(
    *,
    manager: Annotated[str, Parameter(metavar="HOST:PORT", help="The address of the manager's server.")],
    device: DeviceOption,
    secret_file: SecretOption,
    http: HttpOption = "127.0.0.1:7380",
    name: NamesOption = None,
    book: BookOption = None,
    tls_ca: Annotated[
        str | None, Parameter(metavar="FILE", help="Connect to the manager with TLS, and trust this certificate.")
    ] = None,
    device_cert: DeviceCertOption = None,
    device_key: DeviceKeyOption = None,
    tls_cert: CertOption = None,
    tls_key: KeyOption = None,
    plain_network: PlainOption = False,
    as_json: JsonFlag = False,
) -> int:
    """Serve the HTTP API for a manager at an address, until SIGTERM or Ctrl-C."""
    from houseway.manager.interface.contract import ManagerAwayError
    from houseway.manager.interface.serving import log_to_stderr

    tls_server(tls_cert, tls_key)
    with _parts():
        from houseway.manager.http.http_process import run_at

        setup = _setup(http, device, secret_file, name, book, tls_cert, tls_key, plain_network=plain_network)
    log_to_stderr()
    try:
        run_at(setup, manager, (tls_ca, device_cert, device_key), _http_ready(as_json))
    except ManagerAwayError as error:
        raise MissingPartError(f"{error}: is the server running there?") from None
    return 0


@key.command(name="add")
def add_key(
    name: NameArgument,
    /,
    *,
    scope: Annotated[
        list[str], Parameter(metavar="SCOPE", negative="", help="What it opens: ask:meters, ask:*, webhooks and so on.")
    ],
    book: OwnBookOption,
    secret_file: SecretOption,
    days: Annotated[int | None, Parameter(metavar="N", help="How long it lasts; without it until it is ended.")] = None,
    as_json: JsonFlag = False,
) -> int:
    """Make a key and print it once. It opens what its scopes name, to look only: commands are people's.

    Example: `houseway http key add sign-wall --scope ask:meters --scope ask:awards --book http.book --secret-file s`
    """
    with _book(book, secret_file) as found:
        from houseway.manager.http.callers import read_scopes

        if days is not None and not 1 <= days <= _DAYS:
            raise InputError.of("out-of-range", "days", f"a key lasts 1 to {_DAYS} days")
        until = None if days is None else time.time_ns() // 1_000 + timedelta(days=days) // timedelta(microseconds=1)
        made = found.add_key(_checked(name), read_scopes(scope), until)
    if as_json:
        print_json({"name": name, "key": made})
    else:
        print_text(f"the key {name}, shown once: {made}")
    return 0


@key.command(name="list")
def list_keys(*, book: OwnBookOption, secret_file: SecretOption, as_json: JsonFlag = False) -> int:
    """List the keys with their scopes; the keys themselves are not kept."""
    with _book(book, secret_file) as found:
        listed = found.keys()
    if as_json:
        print_json({"keys": [{**one._asdict(), "scopes": list(one.scopes)} for one in listed]})
        return 0
    for one in listed:
        until = "until it is ended" if one.until is None else f"until {time_text(one.until)}"
        print_text(f"{one.name}: {', '.join(one.scopes)}, {until}")
    return 0


@key.command(name="end")
def end_key(name: NameArgument, /, *, book: OwnBookOption, secret_file: SecretOption, as_json: JsonFlag = False) -> int:
    """End a key at once."""
    _ended(name, book, secret_file, lambda found: found.remove_key(name), "key", as_json)
    return 0


@webhook.command(name="add")
def add_webhook(
    name: NameArgument,
    url: Annotated[str, Parameter(help="Where letters go: https://HOST/PATH.")],
    /,
    *,
    kind: Annotated[
        list[str],
        Parameter(metavar="KIND", negative="", help="Events that are told: jackpot.pay, jackpot.* and so on."),
    ],
    book: OwnBookOption,
    secret_file: SecretOption,
    after: Annotated[int, Parameter(metavar="SEQ", help="Begin behind this event; 0 for all of them.")],
    as_json: JsonFlag = False,
) -> int:
    """Tell events to an address, and print the secret that signs them once (Standard Webhooks 1.0).

    Example: `houseway http webhook add books https://books.example/hook --kind 'jackpot.*' --after 0 --book FILE ...`
    """
    with _book(book, secret_file) as found:
        from houseway.manager.http.webhooks import check_address

        check_address(url)
        if after < 0:
            raise InputError.of("out-of-range", "after", "name the number of an event, or 0")
        odd = [one for one in kind if re.fullmatch(r"[a-z*][a-z.*-]{0,59}", one) is None]
        if odd or not kind:
            raise InputError.of("bad-value", "kind", "name kinds of commands, such as jackpot.pay or jackpot.*")
        secret = found.add_webhook(_checked(name), url, kind, after)
    if as_json:
        print_json({"name": name, "secret": secret})
    else:
        print_text(f"the secret of {name}, shown once: {secret}")
    return 0


@webhook.command(name="list")
def list_webhooks(*, book: OwnBookOption, secret_file: SecretOption, as_json: JsonFlag = False) -> int:
    """List the addresses, how many letters wait, and how many are dead."""
    with _book(book, secret_file) as found:
        listed = [(one, *found.waiting(one.name)) for one in found.webhooks()]
    if as_json:
        rows = [
            {**one._asdict(), "kinds": list(one.kinds), "waiting": waiting, "dead": dead}
            for one, waiting, dead in listed
        ]
        print_json({"webhooks": rows})
        return 0
    for one, waiting, dead in listed:
        state = f"stopped: {one.stopped}" if one.stopped else f"told to event {one.told}"
        print_text(f"{one.name}: {one.url}, {', '.join(one.kinds)}; {state}; {waiting} wait, {dead} dead")
    return 0


@webhook.command(name="resume")
def resume_webhook(
    name: NameArgument, /, *, book: OwnBookOption, secret_file: SecretOption, as_json: JsonFlag = False
) -> int:
    """Have the dead letters of an address tried again, and resume one that was stopped."""
    with _book(book, secret_file) as found:
        if name not in {one.name for one in found.webhooks()}:
            raise _unknown("webhook", name)
        again = found.try_again(name)
    if as_json:
        print_json({"name": name, "letters": again})
    else:
        print_text(f"{name}: {again} letters are tried again")
    return 0


@webhook.command(name="remove")
def remove_webhook(
    name: NameArgument, /, *, book: OwnBookOption, secret_file: SecretOption, as_json: JsonFlag = False
) -> int:
    """Tell an address no more, and forget the letters that wait for it."""
    _ended(name, book, secret_file, lambda found: found.remove_webhook(name), "webhook", as_json)
    return 0


def _ended(name: str, book: str, secret_file: str, end: Callable[[OwnBook], bool], what: str, as_json: bool) -> None:
    with _book(book, secret_file) as found:
        if not end(found):
            raise _unknown(what, name)
    if as_json:
        print_json({"name": name, "ended": True})
    else:
        print_text(f"the {what} {name} has ended")


def _unknown(what: str, name: str) -> InputError:
    return InputError.of("bad-value", "name", f"there is no {what} {name[:40]!r}: see houseway http {what} list")


def _checked(name: str) -> str:
    if _NAME.fullmatch(name) is None:
        message = f"{name[:40]!r} is not a name: at most 40 small letters, digits and hyphens"
        raise InputError.of("bad-id", "name", message)
    return name


@contextlib.contextmanager
def _parts() -> Iterator[None]:
    """Say how to get the packages of the HTTP API where they are missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        message = f'the HTTP API needs {error.name}: install it with "pip install houseway[web]"'
        raise MissingPartError(message) from None


@contextlib.contextmanager
def _book(path: str, secret_file: str) -> Iterator[OwnBook]:
    with _parts():
        from houseway.manager.http.own_book import OwnBook

        found = OwnBook.open(Path(path), read_secret(secret_file))
    try:
        yield found
    finally:
        found.close()


def _setup(
    http: str, device: str, secret_file: str, names: list[str] | None, book: str | None, cert: str | None,
    cert_key: str | None, *, plain_network: bool,
) -> HttpSetup:  # fmt: skip
    from houseway.manager.http.http_process import HttpSetup
    from houseway.manager.interface.address import read_address

    host, port = read_address(http, "http")
    return HttpSetup(
        host, port, device, read_secret(secret_file), tuple(names or ()), Path(book) if book else None,
        Path(cert) if cert else None, Path(cert_key) if cert_key else None, plain_network,
    )  # fmt: skip


def _http_ready(as_json: bool) -> Callable[[str, int], None]:
    return lambda host, port: say_ready({"http": (host, port)}, as_json)
