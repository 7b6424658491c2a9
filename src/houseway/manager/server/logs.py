"""The log of a process: one line an occurrence on standard error, never the content of a message."""

from __future__ import annotations

import logging
import time


def log_to_stderr(level: int = logging.INFO) -> None:
    """Write what the manager's processes report to standard error, with the time in UTC."""
    handler = logging.StreamHandler()
    formatter = logging.Formatter("%(asctime)s.%(msecs)03dZ %(levelname)s %(message)s", "%Y-%m-%dT%H:%M:%S")
    formatter.converter = time.gmtime
    handler.setFormatter(formatter)
    logger = logging.getLogger("houseway")
    logger.handlers = [handler]
    logger.setLevel(level)
    logger.propagate = False
