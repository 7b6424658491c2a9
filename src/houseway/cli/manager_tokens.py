"""Badge tokens and secrets on the command line: from a prompt, the environment or a file, never in the history."""

from __future__ import annotations

import contextlib
import getpass
import os
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from houseway.errors import InputError

ASKED: Final = "?"
"""What stands in a command for a token that is asked for."""
VARIABLES: Final = {
    "badge": "HOUSEWAY_BADGE", "second_badge": "HOUSEWAY_SECOND_BADGE", "secret": "HOUSEWAY_SECRET",
    "session": "HOUSEWAY_SESSION",
}  # fmt: skip
SIGN_IN: Final = "HOUSEWAY_SIGN_IN"
"""The variable with the badge of whoever acts."""


def with_tokens(value: Any, *, typed: bool, path: str = "do") -> Any:  # noqa: ANN401 - JSON
    """The command with its tokens filled in; refused if a token stands in a command that was typed on the line."""
    if isinstance(value, dict):
        return {name: _filled(name, inner, typed, f"{path}.{name}") for name, inner in value.items()}
    if isinstance(value, list):
        return [with_tokens(inner, typed=typed, path=f"{path}[{place}]") for place, inner in enumerate(value)]
    return value


def _filled(name: str, value: Any, typed: bool, path: str) -> Any:  # noqa: ANN401 - JSON
    if name == "pin" and isinstance(value, str):
        message = "a PIN is typed by its bearer and written down nowhere: set it with houseway staff pin"
        raise InputError.of("token-in-command", path, message)
    if name not in VARIABLES or not isinstance(value, str):
        return with_tokens(value, typed=typed, path=path)
    if value == ASKED:
        return _asked(VARIABLES[name], path)
    if typed:
        message = f'a token on the command line stays in the history of the shell: write "?" and set {VARIABLES[name]}'
        raise InputError.of("token-in-command", path, f"{message}, or let it be asked for")
    return value


def second_badge() -> str:
    """The badge of whoever approves, as a command asks for it with "?"."""
    return _asked(VARIABLES["badge"], "do.badge")


def own_badge(source: str) -> str:
    """The badge of whoever acts: from a file that others may not read, or asked for where "?" stands."""
    if source == ASKED:
        return _asked(SIGN_IN, "sign-in")
    return read_token(source, "sign-in")


def read_token(name: str, option: str) -> str:
    """A token: the first line of a file that others may not read."""
    path = Path(name)
    try:
        mode = path.stat().st_mode
        token = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise InputError.of("unreadable-file", option, f"{name[:200]} cannot be read: {why}") from None
    if mode & 0o077:
        raise InputError.of("secret-open", option, f"others may read it: chmod 600 {name[:200]}")
    if not token:
        raise InputError.of("unreadable-file", option, f"{name[:200]} is empty: it must hold the token")
    return token


def asked_token(field: str, prompt: str) -> str:
    """The token of a field of a command, from the environment or asked for in words that say whose it is."""
    return _asked(VARIABLES[field], field, prompt)


def _asked(variable: str, path: str, prompt: str = "") -> str:
    """A token from the environment, or typed without being shown."""
    found = os.environ.get(variable, "")
    if not found and sys.stdin is not None and sys.stdin.isatty():
        found = getpass.getpass(prompt or f"{path}: ").strip()
    if not found:
        message = f"there is nobody to ask: set {variable}, or run this in a terminal"
        raise InputError.of("token-missing", path, message)
    return found


def new_token() -> str:
    """A fresh token for a badge or a device."""
    return secrets.token_urlsafe(24)


def made_or_read(name: str, option: str) -> str:
    """The token of a file that others may not read; where there is none, one is drawn and written."""
    token = new_token()
    with contextlib.suppress(FileExistsError):
        _write_new(name, token, option)
        return token
    return read_token(name, option)


def _write_new(name: str, token: str, option: str) -> None:
    """Write a token into a new file that only its owner may read; FileExistsError if there is one."""
    try:
        handle = os.open(Path(name), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise
    except OSError as error:
        message = f"{name[:200]} cannot be made: {error.strerror}; name a file that is not there yet"
        raise InputError.of("unwritable-file", option, message) from None
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(f"{token}\n")
        file.flush()
        os.fsync(file.fileno())


def write_private(path: Path, text: str) -> None:
    """Put a text into a file of this account alone, in place of what it held: whole at every moment; OSError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as new:
        new.write(text)
    part.replace(path)


@contextlib.contextmanager
def new_secret_in(name: str) -> Iterator[str]:
    """Draw a secret for a device and write it into a new file that only its owner may read.

    Where what it was drawn for is refused, it is nobody's secret, and the file goes again. Where the outcome is not
    known it stays: the device may be registered with it.
    """
    secret, path = new_token(), Path(name)
    try:
        _write_new(name, secret, "new-secret")
    except FileExistsError as error:
        message = f"{name[:200]} cannot be made: {error.strerror}; name a file that is not there yet"
        raise InputError.of("unwritable-file", "new-secret", message) from None
    try:
        yield secret
    except InputError as error:
        if all(fault.code != "store-unavailable" for fault in error.faults):
            path.unlink(missing_ok=True)
        raise
