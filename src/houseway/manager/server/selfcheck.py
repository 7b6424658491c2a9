"""The check of program and data before anything is accepted, and the fingerprints of what is in force.

An installed program lists its files with their hashes: one that was changed, by an accident or by somebody, is found
and nothing starts. Rules, pay tables and house ways are all read, which checks them. The store checks the journal when
it is opened: chain, signature, anchor, balances.
"""

from __future__ import annotations

import base64
from hashlib import sha256
from importlib.metadata import Distribution, PackageNotFoundError
from pathlib import Path

from houseway.errors import Fault, InputError
from houseway.manager.handlers.registers import fingerprints


def check_program(distribution: Distribution | None = None) -> int:
    """Compare the installed files with the hashes they were installed with; the number of files compared.

    Refused (`program-damaged`) with every file that differs or is gone. A program that runs from its sources has no
    such list: its fingerprint in the journal is what tells a change.
    """
    found = distribution or _installed()
    compared, faults = 0, []
    for file in (found.files if found else None) or ():
        if file.hash is None or file.hash.mode != "sha256" or not str(file).startswith("houseway/"):
            continue
        compared += 1
        path = Path(str(file.locate()))
        if not path.is_file() or _installed_hash(path) != file.hash.value:
            faults.append(
                Fault("program-damaged", str(file), "the file is not as installed: install the program again")
            )
    if faults:
        raise InputError(faults)
    return compared


def _installed() -> Distribution | None:
    try:
        return Distribution.from_name("houseway")
    except PackageNotFoundError:
        return None


def _installed_hash(path: Path) -> str:
    """A file's hash as an installer writes it down."""
    return base64.urlsafe_b64encode(sha256(path.read_bytes()).digest()).rstrip(b"=").decode()


def in_force() -> dict[str, str]:
    """Fingerprints of every game's rules and of the pay tables, for the record of a start; reading them checks them."""
    return fingerprints()
