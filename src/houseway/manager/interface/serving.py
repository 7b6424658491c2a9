"""What the machine of the database does: begin a property, serve it."""

from __future__ import annotations

from houseway.manager.server.logs import LOG_FORMATS, begin_logs, log_to_stderr
from houseway.manager.server.server_process import (
    Beside,
    Ready,
    ServerSetup,
    check_network,
    check_port,
    run,
    spare_the_collector,
)
from houseway.manager.server.setup import create_property

__all__ = [
    "LOG_FORMATS",
    "Beside",
    "Ready",
    "ServerSetup",
    "begin_logs",
    "check_network",
    "check_port",
    "create_property",
    "log_to_stderr",
    "run",
    "spare_the_collector",
]
