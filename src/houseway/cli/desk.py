"""`houseway desk`: where this account's commands go when they do not say it, kept in a file of its own."""

from __future__ import annotations

import os
import stat
import tomllib
from dataclasses import asdict, fields
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from houseway.cli.manager_tokens import write_private
from houseway.cli.manager_where import ManagerLocation
from houseway.cli.output import JsonFlag, print_json, print_text, printable
from houseway.errors import InputError

VARIABLE = "HOUSEWAY_DESK"
"""Names another file, for one shell or one program."""
_FILES = ("keys", "secret_file", "tls_ca", "device_cert", "device_key")


def desk_file() -> Path:
    """The file that says where the desk is."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "houseway" / "desk.toml"


def desk_location() -> ManagerLocation | None:
    """Where this account's desk is; None where it has none."""
    path = desk_file()
    _refuse_if_open(path)
    try:
        read = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if os.environ.get(VARIABLE):
            raise InputError.of("unreadable-file", "desk", f"{path} is not there: {VARIABLE} names it") from None
        return None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError.of(
            "unreadable-file", "desk", f"{path} cannot be read: {error}; run houseway desk again"
        ) from None
    known = {field.name for field in fields(ManagerLocation)}
    if not set(read) <= known or not all(isinstance(value, str) for value in read.values()):
        message = f"{path} says something else than {', '.join(sorted(known))}: run houseway desk again"
        raise InputError.of("unreadable-file", "desk", message)
    return ManagerLocation(**read)


def _refuse_if_open(path: Path) -> None:
    """Refuse a file that somebody else may change: badges would be asked for and sent where that person says."""
    try:
        found = path.stat()
    except OSError:
        return  # told where it is read
    if found.st_uid not in (os.geteuid(), 0):
        message = f"{path} belongs to the user {found.st_uid}, who says where badges are sent: run houseway desk again"
    elif found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        message = f"others may change {path}, and so where badges are sent: chmod go-w it, and look what it says"
    else:
        return
    raise InputError.of("desk-open", "desk", message)


def keep_desk(where: ManagerLocation) -> Path:
    """Write down where the desk is; files are named in full, so that it holds in every folder."""
    told = {name: value for name, value in asdict(where).items() if value is not None}
    for name in _FILES:
        if name in told:
            told[name] = str(Path(told[name]).absolute())
    if "database" in told and "://" not in told["database"]:
        told["database"] = str(Path(told["database"]).absolute())
    elif "database" in told and _has_password(told["database"]):
        message = "a desk keeps no password: leave it out of the URL, and put it into ~/.pgpass or PGPASSWORD"
        raise InputError.of("token-in-command", "database", message)
    path = desk_file()
    text = "".join(f"{name} = {_quoted(value)}\n" for name, value in told.items())
    try:
        write_private(path, text)
    except OSError as error:
        raise InputError.of("unwritable-file", "desk", f"{path} cannot be written: {error.strerror}") from None
    return path


def _has_password(url: str) -> bool:
    """Whether a URL names a password; one that cannot be read is refused where it is used."""
    try:
        parts = urlsplit(url)
        return parts.password is not None or "password" in parse_qs(parts.query)
    except ValueError:
        return False


def _quoted(text: str) -> str:
    """A text as TOML writes it."""
    import json

    return json.dumps(text, ensure_ascii=False)


def desk(*, where: ManagerLocation = ManagerLocation(), as_json: JsonFlag = False) -> int:  # noqa: B008 - frozen
    """Say once where commands go: a server with the desk's device and secret, or a database with its keys.

    Without options it shows where they go now. The file is read by this account's commands only; HOUSEWAY_DESK names
    another one. Example: `houseway desk --manager 127.0.0.1:7300 --device DESK --secret-file desk.secret`
    """
    if where == ManagerLocation():
        found = desk_location()
        if found is None:
            message = "this account has no desk yet: houseway desk --manager HOST:PORT --device ID --secret-file FILE"
            raise InputError.of("missing-argument", "manager", message)
    else:
        found = where
        if (where.database is None) == (where.manager is None):
            message = "name either --database with --keys, or --manager with --device and --secret-file"
            raise InputError.of("conflicting-options", "database", message)
        needed = ("keys",) if where.database is not None else ("device", "secret_file")
        missing = [name.replace("_", "-") for name in needed if getattr(where, name) is None]
        if missing:
            raise InputError.of("missing-argument", missing[0], f"--{' and --'.join(missing)} must be there too")
        keep_desk(where)
        found = desk_location() or where
    told = {name: value for name, value in asdict(found).items() if value is not None}
    if as_json:
        print_json({"desk": told, "file": str(desk_file())})
        return 0
    for name, value in told.items():
        print_text(printable(f"{name.replace('_', ' ')}: {value}"))
    return 0
