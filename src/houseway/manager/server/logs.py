"""The log of a process: one line an occurrence, never the content of a message; as text, JSON or RFC 5424.

The log of access is a file of its own, or goes with the rest. Files are opened again when they were moved away, so
that any tool may rotate them.
"""

from __future__ import annotations

import json
import logging
import os
import socket
import time
from collections import Counter
from collections.abc import Mapping
from logging.handlers import WatchedFileHandler
from pathlib import Path
from typing import Any, Final

from houseway.errors import InputError

_FACILITY: Final = 16
"""local0 of RFC 5424."""
_SEVERITIES: Final = {"DEBUG": 7, "INFO": 6, "WARNING": 4, "ERROR": 3, "CRITICAL": 2}
_ENTERPRISE: Final = "houseway@32473"
"""The id of structured data, with the enterprise number that is set aside for documentation."""
_lines: Final[Counter[str]] = Counter()


def lines_logged() -> Mapping[str, int]:
    """How many lines this process has logged, by level."""
    return _lines.copy()


def log_to_stderr(level: int = logging.INFO, log_format: str = "text") -> None:
    """Write what the manager's processes report to standard error, with the time in UTC."""
    logger = logging.getLogger("houseway")
    logger.handlers = [_ready(logging.StreamHandler(), log_format)]
    logger.setLevel(level)
    logger.propagate = False
    access = logging.getLogger("houseway.access")
    access.handlers = []
    access.disabled = True


def begin_logs(log_format: str, access: str | None) -> None:
    """Begin the log of a process, and the log of access where one is wanted; as text that one is JSON in a file."""
    log_to_stderr(log_format=log_format)
    if access is not None:
        log_access(access, "json" if log_format == "text" and access != "-" else log_format)


def log_access(target: str, log_format: str = "json") -> None:
    """Write who sends what from where, and how it ended, into a file that only its owner may read; - is the log."""
    access = logging.getLogger("houseway.access")
    access.disabled = False
    access.setLevel(logging.INFO)
    if target == "-":
        access.handlers, access.propagate = [], True
        return
    path = Path(target)
    try:
        # Made by hand, so that nobody else may read it, also after a rotation.
        handler = _OwnFileHandler(path, encoding="utf-8")
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror}; name a file in a folder of the server's account"
        raise InputError.of("unwritable-file", "access-log", message) from None
    access.handlers, access.propagate = [_ready(handler, log_format)], False


class _OwnFileHandler(WatchedFileHandler):
    """A file that is made for its owner alone, and made again when it was moved away."""

    def _open(self):  # type: ignore[no-untyped-def]  # noqa: ANN202 - as the library has it
        handle = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return os.fdopen(handle, "a", encoding=self.encoding)


def _ready(handler: logging.Handler, log_format: str) -> logging.Handler:
    handler.setFormatter(_FORMATTERS[log_format]())
    handler.addFilter(_counted)
    return handler


def _counted(record: logging.LogRecord) -> bool:
    _lines[record.levelname] += 1
    return True


def _one_line(text: str) -> str:
    """A text that begins no line of its own and steers no terminal: parts of it may be a stranger's."""
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in text)


def _moment(record: logging.LogRecord) -> str:
    seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
    return f"{seconds}.{int(record.msecs):03d}Z"


def _entry(record: logging.LogRecord) -> Mapping[str, object]:
    """The fields of an entry of the log of access; none of other lines."""
    found = getattr(record, "entry", None)
    return found if isinstance(found, Mapping) else {}


class _TextLine(logging.Formatter):
    """For people; where an error is told, its trace follows in lines of its own."""

    def format(self, record: logging.LogRecord) -> str:
        line = f"{_moment(record)} {record.levelname} {_one_line(record.getMessage())}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class _JsonLine(logging.Formatter):
    """For programs: an object a line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {"at": _moment(record), "level": record.levelname, "logger": record.name}
        line |= {"process": record.process, **(_entry(record) or {"message": record.getMessage()})}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


class _SyslogLine(logging.Formatter):
    """A line of RFC 5424, with the fields of an entry as structured data."""

    def format(self, record: logging.LogRecord) -> str:
        priority = _FACILITY * 8 + _SEVERITIES.get(record.levelname, 5)
        fields = " ".join(f'{name}="{_parameter(value)}"' for name, value in _entry(record).items())
        data = f"[{_ENTERPRISE} {fields}]" if fields else "-"
        host, name = socket.gethostname() or "-", record.name.replace(" ", "_")
        text = _one_line(record.getMessage())
        if record.exc_info:
            text += " | " + _one_line(self.formatException(record.exc_info))
        return f"<{priority}>1 {_moment(record)} {host} houseway {record.process or '-'} {name} {data} {text}"


def _parameter(value: object) -> str:
    text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    return _one_line(text).replace("\\", "\\\\").replace('"', '\\"').replace("]", "\\]")


_FORMATTERS: Final[dict[str, type[logging.Formatter]]] = {
    "text": _TextLine,
    "json": _JsonLine,
    "rfc5424": _SyslogLine,
}
LOG_FORMATS: Final = tuple(_FORMATTERS)
