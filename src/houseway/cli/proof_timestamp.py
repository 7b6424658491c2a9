"""`houseway proof timestamp`: timestamps of third parties on signed heads (RFC 3161), asked for and checked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from houseway.cli.files import opened, unreadable
from houseway.cli.output import JsonFlag, print_json, print_text, printable
from houseway.errors import InputError

if TYPE_CHECKING:
    from houseway.proofs.tree_heads import SignedHead
    from houseway.witness.head_timestamps import HeadTimestamp

HeadFile = Annotated[str, Parameter(name="HEAD", help="A signed head, as `houseway proof head --to` writes it.")]
NewFile = Annotated[str, Parameter(name="--to", metavar="FILE", help="The new file; one that exists is kept.")]
CaOption = Annotated[
    str, Parameter(name="--ca", metavar="FILE", help="The certificates (PEM) that vouch for the authority.")
]
UntrustedOption = Annotated[
    str | None,
    Parameter(metavar="FILE", help="Certificates (PEM) between those and the authority's own, if the reply has none."),
]

timestamp = App(
    name="timestamp",
    help="Have a signed head timestamped by a third party (RFC 3161), and check such timestamps. Needs openssl.",
    help_format="markdown",
)


@timestamp.command
def request(head: HeadFile, /, *, to: NewFile) -> int:
    """Write a request for a head, to be carried to an authority where this machine reaches none."""
    from houseway.witness.head_timestamps import request_for

    signed = _head(head)
    _write(to, request_for(signed))
    print_text(f"{to}: the request to timestamp the head of {signed.head.size} events")
    return 0


@timestamp.command
def ask(
    head: HeadFile,
    /,
    *,
    authority: Annotated[str, Parameter(metavar="URL", help="The address of a timestamp authority.")],
    ca: CaOption,
    to: NewFile,
    untrusted: UntrustedOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Send the digest of a head to an authority, check its reply, and keep it. Nothing else leaves this machine."""
    from houseway.witness.head_timestamps import ask_authority, check_timestamp, request_for

    signed = _head(head)
    reply = ask_authority(authority, request_for(signed))
    found = check_timestamp(signed, reply, Path(ca), None if untrusted is None else Path(untrusted))
    _write(to, reply)
    _show(signed, found, to, as_json=as_json)
    return 0


@timestamp.command
def check(
    head: HeadFile,
    reply: Annotated[str, Parameter(name="REPLY", help="The authority's reply (*.tsr).")],
    /,
    *,
    ca: CaOption,
    untrusted: UntrustedOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Check the timestamp of a head: when it was there, and who says so. Ends with 1 if it is refused."""
    from houseway.witness.head_timestamps import MOST_BYTES, check_timestamp

    signed = _head(head)
    try:
        with opened(reply, "reply") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise unreadable(reply, "reply", error) from None
    try:
        found = check_timestamp(signed, data, Path(ca), None if untrusted is None else Path(untrusted))
    except InputError as error:
        if [fault.code for fault in error.faults] != ["bad-timestamp"]:
            raise
        if as_json:
            print_json({"proven": False, "faults": [fault.to_json() for fault in error.faults]})
        else:
            print_text(*(printable(f"refused: {fault} [{fault.code}]") for fault in error.faults))
        return 1
    _show(signed, found, None, as_json=as_json)
    return 0


def _head(name: str) -> SignedHead:
    from houseway.cli.proof import read_text
    from houseway.proofs.tree_heads import read_head

    return read_head(read_text(name, "head"))


def _write(name: str, data: bytes) -> None:
    from houseway.manager.interface.auditing import new_file

    with new_file(Path(name)) as file:
        file.write(data)


def _show(signed: SignedHead, found: HeadTimestamp, file: str | None, *, as_json: bool) -> None:
    if as_json:
        told: dict[str, Any] = {"proven": True, "origin": signed.head.origin, "size": signed.head.size}
        print_json({**told, **found._asdict(), "file": file})
        return
    from houseway.cli.times import time_text

    when = time_text(found.at * 1_000_000)
    lines = [f"proven: the head of {signed.head.size} events of {signed.head.origin} was there at {when}"]
    lines.append(f"says {found.authority} (policy {found.policy}, serial number {found.serial})")
    print_text(*map(printable, lines), *([] if file is None else [f"{file}: the timestamp"]))
