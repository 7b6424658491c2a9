"""`houseway tls`: the house's own authority, which lets servers and devices prove themselves to each other."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import App, Parameter

from houseway.cli.output import JsonFlag, print_json, print_text, printable
from houseway.cli.times import time_text
from houseway.cli.words import counted
from houseway.cli.writing import write_whole
from houseway.errors import InputError

if TYPE_CHECKING:
    from cryptography.x509 import Certificate, CertificateSigningRequest

    from houseway.certificates.house_authority import CertificateAuthority

_WITHIN: Final = 30

FolderArgument = Annotated[str, Parameter(name="FOLDER", help="The authority's own folder.")]
DaysOption = Annotated[int, Parameter(metavar="DAYS", help="How long the certificate holds.")]

tls = App(
    name="tls",
    help="Sign and renew the certificates of the house's own servers and devices.",
    help_format="markdown",
)


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


def _open(folder: str) -> CertificateAuthority:
    from houseway.certificates.house_authority import CertificateAuthority

    return CertificateAuthority.open(Path(folder), _now)


@tls.command
def authority(
    folder: FolderArgument,
    /,
    *,
    name: Annotated[str, Parameter(metavar="NAME", help="The name of the house, as it stands on the certificates.")],
    as_json: JsonFlag = False,
) -> int:
    """Begin the house's own authority in a new folder.

    Keep the folder away from the servers. Its `authority.pem` goes to every machine: servers let devices in by it
    (`--tls-devices`), devices trust servers by it (`--tls-ca`).

    Example: `houseway tls authority authority --name "The Card Room"`
    """
    from houseway.certificates.house_authority import CERTIFICATE, CertificateAuthority

    made = CertificateAuthority.begin(Path(folder), name, _now)
    shown = {"folder": folder, **_facts(made.certificate)}
    _show(shown, f"{Path(folder) / CERTIFICATE} is for every machine; {folder} itself stays where it is", as_json)
    return 0


@tls.command
def request(
    file: Annotated[str, Parameter(name="FILE", help="FILE.key and FILE.csr are made.")],
    /,
    *,
    host: Annotated[
        list[str] | None,
        Parameter(metavar="HOST", negative="", help="A name or address of the server; may be repeated."),
    ] = None,
    device: Annotated[str | None, Parameter(metavar="ID", help="The id of the device.")] = None,
    as_json: JsonFlag = False,
) -> int:
    """Draw the key of this machine, and ask for its certificate.

    Run it on the machine itself: the key stays there. FILE.csr goes to the authority; whoever brings it reads the
    fingerprint out.

    Example: `houseway tls request manager --host manager.house --host 10.0.0.5`

    Example: `houseway tls request c-t1 --device C-T1`
    """
    from houseway.certificates.certificate_requests import request_for_device, request_for_server

    if bool(host) is (device is not None):
        message = "name either the hosts of a server (--host), or a device by its id (--device)"
        raise InputError.of("missing-argument" if device is None else "conflicting-options", "host", message)
    made = request_for_device(Path(file), device) if device is not None else request_for_server(Path(file), host or [])
    _show({"file": f"{file}.csr", **_asked(made)}, f"take {file}.csr to the authority: houseway tls sign", as_json)
    return 0


@tls.command
def sign(
    folder: FolderArgument,
    request_file: Annotated[str, Parameter(name="REQUEST", help="The request, FILE.csr.")],
    /,
    *,
    fingerprint: Annotated[
        str, Parameter(metavar="SHA256", help="Of the key, as it was shown on the machine that made the request.")
    ],
    to: Annotated[str, Parameter(metavar="FILE", help="Where the certificate goes.")],
    days: DaysOption = 90,
    as_json: JsonFlag = False,
) -> int:
    """Sign the certificate that a machine asks for, if the request is that machine's own.

    Example: `houseway tls sign authority c-t1.csr --fingerprint sha256:5b0e... --to c-t1.pem`
    """
    from houseway.certificates.pem_files import read_request

    asked = read_request(Path(request_file), "request")
    facts = _asked(asked)
    if fingerprint.strip().lower() != facts["key"]:
        message = (
            f"the request is for the key {facts['key']}, and another one was read out: somebody may have exchanged it "
            "on the way; bring it again"
        )
        raise InputError.of("wrong-request", "fingerprint", message)
    made = _open(folder).sign(asked, days)
    _write(to, made)
    _show({"file": to, **_facts(made)}, f"take {to} back to the machine, beside its key", as_json)
    return 0


@tls.command
def renew(
    folder: FolderArgument,
    files: Annotated[tuple[str, ...], Parameter(name="CERTIFICATE", help="Certificates of this authority.")],
    /,
    *,
    within: Annotated[
        int, Parameter(metavar="DAYS", help="Renew only what ends within so many days; the others stay as they are.")
    ] = _WITHIN,
    days: DaysOption = 90,
    as_json: JsonFlag = False,
) -> int:
    """Renew certificates for the same keys and names, each in one step; a running server takes its own over by itself.

    Example: `houseway tls renew authority manager.pem c-t1.pem c-t2.pem`
    """
    from houseway.certificates.pem_files import read_certificate

    if not files:
        raise InputError.of("missing-argument", "certificate", "name the certificates to renew")
    signer = _open(folder)
    # Everything is read and checked before anything is written.
    found = [(file, read_certificate(Path(file), "certificate")) for file in files]
    for _, certificate in found:
        signer.check_own(certificate)
    until = _now() + dt.timedelta(days=within)
    rows: list[dict[str, Any]] = []
    for file, certificate in found:
        is_due = certificate.not_valid_after_utc <= until
        kept = signer.renew(certificate, days) if is_due else certificate
        if is_due:
            _write(file, kept)
        rows.append({"file": file, "renewed": is_due, **_facts(kept)})
    if as_json:
        print_json({"certificates": rows})
    else:
        for row in rows:
            done = "renewed" if row["renewed"] else "stays"
            print_text(f"{printable(row['file'])}: {done}, holds until {_day(row['ends_at'])}")
    return 0


@tls.command
def show(
    file: Annotated[str, Parameter(name="FILE", help="A certificate or a request.")],
    /,
    *,
    within: Annotated[int, Parameter(metavar="DAYS", help="Say so if it ends within so many days.")] = _WITHIN,
    as_json: JsonFlag = False,
) -> int:
    """Show whose certificate or request a file holds; exit code 1 if the certificate ends soon or has ended."""
    from houseway.certificates.pem_files import read_certificate, read_request

    content = Path(file).read_text(encoding="utf-8", errors="replace") if Path(file).is_file() else ""
    if "CERTIFICATE REQUEST" in content:
        _show({"file": file, **_asked(read_request(Path(file), "file"))}, "a request, which nobody has signed", as_json)
        return 0
    found = read_certificate(Path(file), "file")
    left = found.not_valid_after_utc - _now()
    is_due = left <= dt.timedelta(days=within)
    if left <= dt.timedelta():
        told = "it has ended"
    else:
        told = f"it holds for another {counted(left.days, 'day')}{': renew it' if is_due else ''}"
    _show({"file": file, **_facts(found)}, told, as_json)
    return 1 if is_due else 0


def _write(file: str, certificate: Certificate) -> None:
    from cryptography.hazmat.primitives.serialization import Encoding

    write_whole(file, certificate.public_bytes(Encoding.PEM), "to")


def _asked(found: CertificateSigningRequest) -> dict[str, Any]:
    from houseway.certificates.pem_files import common_name, fingerprint, hosts_of

    return {"name": common_name(found), "hosts": hosts_of(found), "key": fingerprint(found.public_key())}


def _facts(found: Certificate) -> dict[str, Any]:
    from houseway.certificates.pem_files import common_name, fingerprint, hosts_of

    issuer = found.issuer.rfc4514_string()
    return {
        "name": common_name(found), "hosts": hosts_of(found), "key": fingerprint(found.public_key()), "issuer": issuer,
        "begins_at": found.not_valid_before_utc.isoformat(), "ends_at": found.not_valid_after_utc.isoformat(),
    }  # fmt: skip


def _day(text: str) -> str:
    return time_text(int(dt.datetime.fromisoformat(text).timestamp()) * 1_000_000)


def _show(facts: dict[str, Any], told: str, as_json: bool) -> None:
    if as_json:
        print_json(facts)
        return
    print_text(f"name   {printable(facts['name'])}")
    if facts["hosts"]:
        print_text(f"hosts  {printable(', '.join(facts['hosts']))}")
    print_text(f"key    {facts['key']}")
    if "ends_at" in facts:
        print_text(f"ends   {_day(facts['ends_at'])}")
    print_text(printable(told))
