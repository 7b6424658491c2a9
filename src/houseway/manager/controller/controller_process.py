"""`houseway controller` as a process: outbox, devices, link, and an orderly end."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from houseway.manager.controller.controller import Controller
from houseway.manager.controller.dealer_session import KeptSession
from houseway.manager.controller.devices import Devices
from houseway.manager.controller.link import ManagerLink
from houseway.manager.controller.outbox import Outbox
from houseway.manager.interface.access import ManagerAccess


@dataclass(frozen=True)
class ControllerSetup:
    """What a controller is started with."""

    table: str
    manager: ManagerAccess
    devices: str
    outbox: Path
    devices_token: str | None = None
    """What devices show at the port; needed there, and only there."""


async def run(setup: ControllerSetup, ready: Callable[[Devices], None] | None = None) -> None:
    """Run a controller until it is told to end, or its standard input ends where that is the device."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    outbox = await asyncio.to_thread(Outbox.open, setup.outbox, setup.table, setup.manager.secret)
    try:
        await _serve(setup, outbox, stop, ready)
    finally:
        await asyncio.to_thread(outbox.close)


async def _serve(
    setup: ControllerSetup, outbox: Outbox, stop: asyncio.Event, ready: Callable[[Devices], None] | None
) -> None:
    devices = Devices()
    kept = await asyncio.to_thread(KeptSession, setup.outbox.with_name(f"{setup.outbox.name}.session"))
    controller = Controller(setup.table, setup.manager.device, outbox, devices.tell, kept=kept)
    devices.serve(controller.handle, controller.shown.everything, controller.parts_gone)
    await devices.open(setup.devices, setup.devices_token)
    if ready is not None:
        ready(devices)
    link = ManagerLink(controller, setup.manager)
    tasks = {
        asyncio.create_task(work)
        for work in (link.run(), controller.keep_sensors_in_step(), stop.wait(), devices.stdio_ended.wait())
    }
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with contextlib.suppress(OSError):
            await devices.close()
    for task in done:
        task.result()
