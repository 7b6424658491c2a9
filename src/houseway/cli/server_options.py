"""What `houseway serve` and `houseway manager serve` share: options, logs, and what they say when they are ready."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from houseway.api.arguments import Arguments, database_url
from houseway.cli.manager_where import tls_server
from houseway.cli.output import print_json, print_text

if TYPE_CHECKING:
    from houseway.manager.interface.serving import ServerSetup


@Parameter(name="*")
@dataclass(frozen=True)
class ServerOptions:
    """Options of a server."""

    listen: Annotated[str, Parameter(metavar="HOST:PORT", help="Where controllers, displays and services connect.")] = (
        "127.0.0.1:7300"
    )
    tls_cert: Annotated[str | None, Parameter(metavar="FILE", help="The server's certificate, for TLS.")] = None
    tls_key: Annotated[str | None, Parameter(metavar="FILE", help="The certificate's key.")] = None
    tls_devices: Annotated[
        str | None,
        Parameter(
            metavar="FILE", help="Let only devices in that show a certificate of this authority in their own name."
        ),
    ] = None
    plain_network: Annotated[
        bool,
        Parameter(
            negative="", show_default=False, help="Listen beyond this machine without TLS, on a separate network."
        ),
    ] = False
    watch: Annotated[
        str | None, Parameter(metavar="HOST:PORT", help="Where to tell metrics, health and readiness over HTTP.")
    ] = None
    log_format: Annotated[str, Parameter(metavar="FORMAT", help="Of the log: text, json or rfc5424.")] = "text"
    access_log: Annotated[
        str | None, Parameter(metavar="FILE", help="Log who sends what and how it ended; - is the log itself.")
    ] = None

    def setup(self, database: str, keys: str) -> ServerSetup:
        """What a server is started with; its logs begin here."""
        from houseway.manager.interface.address import read_address
        from houseway.manager.interface.serving import LOG_FORMATS, ServerSetup, begin_logs

        arguments = Arguments()
        chosen = arguments.choice(self.log_format, LOG_FORMATS, "log-format")
        arguments.refuse_if_any()
        assert chosen is not None
        host, port = read_address(self.listen, "listen")
        found = ServerSetup(
            database_url(database), Path(keys), host, port, tls_server(self.tls_cert, self.tls_key, self.tls_devices),
            self.plain_network, None if self.watch is None else read_address(self.watch, "watch"),
        )  # fmt: skip
        begin_logs(chosen, self.access_log)
        return found


def say_ready(places: dict[str, tuple[str, int] | None], as_json: bool) -> None:
    """Say on standard output that clients may connect, and where."""
    found = {name: place for name, place in places.items() if place is not None}
    if as_json:
        print_json({name: {"host": host, "port": port} for name, (host, port) in found.items()})
    else:
        for name, (host, port) in found.items():
            print_text(f"{name} at {host}:{port}")
    sys.stdout.flush()
