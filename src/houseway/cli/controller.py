"""`houseway controller`: the process at a table, between its devices and the manager."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter

from houseway.cli.manager_tokens import made_or_read
from houseway.cli.manager_where import DeviceCertOption, DeviceKeyOption, read_secret, state_folder
from houseway.cli.output import print_problem
from houseway.errors import InputError

GREETING_SECONDS: Final = 4.0
"""How long a controller waits for its manager before it tries again: the table stands still meanwhile."""


def controller(
    *,
    table: Annotated[str, Parameter(metavar="ID", help="The controller's table.")],
    manager: Annotated[str, Parameter(metavar="HOST:PORT", help="The address of the manager's server.")],
    secret_file: Annotated[str, Parameter(metavar="FILE", help="The file with the device's secret.")],
    device: Annotated[
        str | None, Parameter(metavar="ID", help="The controller's device id; by default C- and the table.")
    ] = None,
    devices: Annotated[
        str, Parameter(metavar="WHERE", help="Where the table's devices connect: stdio, unix:PATH or tcp:HOST:PORT.")
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
        Parameter(metavar="FILE", help="Where unanswered commands are kept; by default in the user's state folder."),
    ] = None,
    tls_ca: Annotated[
        str | None, Parameter(metavar="FILE", help="Connect with TLS, and trust the certificate in this file.")
    ] = None,
    device_cert: DeviceCertOption = None,
    device_key: DeviceKeyOption = None,
) -> int:
    """Run the controller of a table until SIGTERM or Ctrl-C.

    It speaks JSON lines with sensors, keypad, badge reader, shuffler and sign. While the manager is away it takes no
    jackpot wagers and says so; when the manager returns, nothing is lost or counted twice.
    """
    from houseway.manager.controller.controller_process import ControllerSetup, run
    from houseway.manager.controller.devices import Devices
    from houseway.manager.interface.access import ManagerAccess
    from houseway.manager.interface.serving import log_to_stderr

    if not table or "/" in table:
        raise InputError.of("unknown-table", "table", f"{table[:40]!r} is not the id of a table")
    log_to_stderr()
    kept = Path(outbox) if outbox else state_folder() / f"{table}.outbox"
    # Standard input and a Unix socket are this user's own; a port is everybody's on this machine.
    shown = devices_token or (f"{kept}.devices-token" if devices.startswith("tcp:") else None)
    access = ManagerAccess.at(
        manager, device or f"C-{table}", read_secret(secret_file), tls_ca=tls_ca,
        device_cert=device_cert, device_key=device_key,
        seen_file=kept.with_name(f"{kept.name}.seen"), greeting_seconds=GREETING_SECONDS,
    )  # fmt: skip
    token = made_or_read(shown, "devices-token") if shown else None
    setup = ControllerSetup(table, access, devices, kept, token)

    def ready(found: Devices) -> None:
        if found.address:
            with_token = f", with the token in {shown}" if shown else ""
            print_problem(f"devices connect at {found.address}{with_token}")

    asyncio.run(run(setup, ready))
    return 0
