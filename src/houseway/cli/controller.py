"""`houseway controller`: the process at a table, between its devices and the manager."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from houseway.cli.manager_tokens import made_or_read
from houseway.cli.manager_where import read_secret, state_folder
from houseway.cli.output import print_problem
from houseway.errors import InputError


def controller(
    *,
    table: Annotated[str, Parameter(metavar="ID", help="The table that the controller stands at.")],
    manager: Annotated[str, Parameter(metavar="HOST:PORT", help="Where the manager's server is.")],
    secret_file: Annotated[str, Parameter(metavar="FILE", help="The file with the device's secret.")],
    device: Annotated[
        str | None, Parameter(metavar="ID", help="The controller's id in the manager; C- and the table by default.")
    ] = None,
    devices: Annotated[
        str, Parameter(metavar="WHERE", help="Where the table's devices are: stdio, unix:PATH or tcp:HOST:PORT.")
    ] = "stdio",
    devices_token: Annotated[
        str | None,
        Parameter(
            metavar="FILE",
            help="The file with the token that devices show at a TCP port; made if it is not there. "
            "Beside the outbox by default.",
        ),
    ] = None,
    outbox: Annotated[
        str | None,
        Parameter(metavar="FILE", help="Where unanswered commands are kept; in the user's state folder by default."),
    ] = None,
    tls_ca: Annotated[
        str | None, Parameter(metavar="FILE", help="Connect with TLS; the file holds the certificate to trust.")
    ] = None,
) -> int:
    """Run the controller of a table until it is told to end.

    It speaks JSON lines with sensors, keypad, card reader, shuffler and sign. While the manager is away it takes no
    jackpot wagers and says so; on return nothing is counted twice or lost.
    """
    from houseway.manager.controller.controller_process import ControllerSetup, run
    from houseway.manager.controller.devices import Devices
    from houseway.manager.server.client import read_address, tls_client
    from houseway.manager.server.logs import log_to_stderr

    if not table or "/" in table:
        raise InputError.of("unknown-table", "table", f"{table[:40]!r} is no id of a table")
    log_to_stderr()
    kept = Path(outbox) if outbox else state_folder() / f"{table}.outbox"
    # Standard input and a Unix socket are this user's own; a port is everybody's on this machine.
    shown = devices_token or (f"{kept}.devices-token" if devices.startswith("tcp:") else None)
    setup = ControllerSetup(
        table, device or f"C-{table}", read_secret(secret_file), read_address(manager), devices, kept,
        tls_client(tls_ca), made_or_read(shown, "devices-token") if shown else None,
    )  # fmt: skip

    def ready(found: Devices) -> None:
        if found.address:
            with_token = f", with the token in {shown}" if shown else ""
            print_problem(f"devices connect at {found.address}{with_token}")

    asyncio.run(run(setup, ready))
    return 0
