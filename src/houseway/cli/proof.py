"""`houseway proof`: signed heads of a journal, proofs of awards and of growth, and checking all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import App, Parameter

from houseway.api.arguments import Arguments
from houseway.cli.audit import ArchiveOption, DatabaseOption, KeysOption, database_of
from houseway.cli.files import opened, unreadable
from houseway.cli.output import JsonFlag, print_json, print_text, printable
from houseway.errors import InputError

if TYPE_CHECKING:
    from houseway.proofs.notes import NoteKey
    from houseway.proofs.tree_heads import SignedHead
    from houseway.proofs.verdicts import Verdict

_LONGEST: Final = 1_000_000
"""Bytes that are read of a proof, a head or a page."""
_LARGEST: Final = 2**53

ToOption = Annotated[
    str | None,
    Parameter(name="--to", metavar="FILE", help="Write it to this new file; one that exists is not overwritten."),
]
KeyOption = Annotated[
    list[str] | None,
    Parameter(
        name="--key",
        metavar="KEY",
        negative="",
        help="A key of the log or of a witness, or a file that holds one a line; may be given several times.",
    ),
]

proof = App(
    name="proof",
    help="Sign heads of a journal, prove an award or the journal's growth, and check such proofs.",
    help_format="markdown",
)


proof.command("houseway.cli.proof_timestamp:timestamp", name="timestamp")


def read_text(name: str, place: str) -> str:
    """The text of a file, or of standard input for `-`."""
    try:
        with opened(name, place) as stream:
            data = stream.read(_LONGEST + 1)
        if len(data) > _LONGEST:
            raise InputError.of("unreadable-file", place, f"{name[:200]} is longer than any proof")
        return data.decode()
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(name, place, error) from None


def read_keys(given: Sequence[str] | None) -> list[NoteKey]:
    """Keys from their texts, or from files with one a line."""
    from houseway.proofs.notes import NoteKey

    texts = list[str]()
    for each in given or ():
        is_key = each.count("+") >= 2 and not Path(each).is_file()
        texts += [each] if is_key else [line for line in read_text(each, "key").splitlines() if line.strip()]
    if not texts:
        message = "name the log's key with --key, from elsewhere than the proof: the casino publishes it"
        raise InputError.of("missing-argument", "key", message)
    return [NoteKey.read(text) for text in texts]


def write_text(name: str, text: str) -> None:
    """Write a text to a new file."""
    from houseway.manager.interface.auditing import new_file

    with new_file(Path(name)) as file:
        file.write(text.encode())


def head_json(signed: SignedHead) -> dict[str, Any]:
    """A head as programs read it."""
    return {
        "origin": signed.head.origin,
        "size": signed.head.size,
        "root": signed.head.root.hex(),
        "note": signed.note.written(),
    }


def _handed_on(text: str, to: str | None, said: str) -> None:
    """Write a text to its file, or print it as it is."""
    if to is None:
        print_text(text.removesuffix("\n"))
    else:
        write_text(to, text)
        print_text(f"{to}: {said}")


@proof.command
def key(*, database: DatabaseOption = None, keys: KeysOption = None, as_json: JsonFlag = False) -> int:
    """Print the keys that sign a journal's heads, as checkers and witnesses take them.

    Without --keys they are those that the journal itself announces.
    """
    from houseway.manager.interface.proving import journal_keys, open_view

    with open_view(database_of(database)) as view:
        found = journal_keys(view, None if keys is None else Path(keys))
    if as_json:
        print_json({"keys": [each.text for each in found]})
    else:
        print_text(*(each.text for each in found))
    return 0


@proof.command
def head(
    *,
    database: DatabaseOption = None,
    keys: Annotated[
        str | None,
        Parameter(metavar="FOLDER", help="The manager's key folder: a new head is signed if the journal has grown."),
    ] = None,
    size: Annotated[str | None, Parameter(metavar="EVENTS", help="The stored head of so many events.")] = None,
    to: ToOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Print a signed head of the journal: how many events it has, and the root of their tree.

    Without --keys the newest head that a server or somebody else has made.
    """
    from houseway.manager.interface.proving import make_head, open_view, stored_head

    arguments = Arguments()
    wanted = None if size is None else arguments.whole_number(size, "size", 1, _LARGEST)
    if keys is not None and size is not None:
        arguments.add("conflicting-options", "size", "--keys makes the newest head; --size asks for a stored one")
    arguments.refuse_if_any()
    name = database_of(database)
    if keys is not None:
        signed = make_head(name, Path(keys))
    else:
        with open_view(name) as view:
            signed = stored_head(view, wanted)
    if to is not None and as_json:
        write_text(to, signed.note.written())
    if as_json:
        print_json({**head_json(signed), "file": to})
    else:
        _handed_on(signed.note.written(), to, f"the head of {signed.head.size} events of {signed.head.origin}")
    return 0


@proof.command
def award(
    name: Annotated[str, Parameter(name="AWARD", help="The award's id, as in T1-4711/1.")],
    /,
    *,
    database: DatabaseOption = None,
    head_file: Annotated[
        str | None,
        Parameter(
            name="--head",
            metavar="FILE",
            help="The head to prove it under, such as one with cosignatures of witnesses.",
        ),
    ] = None,
    status: Annotated[
        str | None,
        Parameter(metavar="STATUS", help="The event that gave it this status, such as hit or paid; else the last one."),
    ] = None,
    to: ToOption = None,
    page_to: Annotated[
        str | None, Parameter(name="--page-to", metavar="FILE", help="Write the page's values to this new file.")
    ] = None,
    archive: ArchiveOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Prove an award: the values of its page, and a short text, for a QR code, that proves them.

    The page has what people read; page and proof together are enough for anybody who has the log's key.
    """
    from houseway.manager.interface.proving import open_view, prove_award
    from houseway.proofs.tree_heads import read_head

    given = None if head_file is None else read_head(read_text(head_file, "head"))
    with open_view(database_of(database)) as view:
        proved = prove_award(view, name, given, [Path(each) for each in archive or ()], status)
    text, page = proved.proof.written(), proved.page.text()
    for file, content in ((to, text), (page_to, page)):
        if file is not None:
            write_text(file, content)
    if as_json:
        from msgspec import to_builtins

        shown = {"page": to_builtins(proved.page), "proof": text, "head": head_json(proved.proof.signed)}
        print_json({**shown, "file": to, "page_file": page_to})
        return 0
    if page_to is None:
        print_text(page.removesuffix("\n"), "")
    if to is None:
        print_text(text.removesuffix("\n"))
    said = f"event {proved.page.seq} under the head of {proved.proof.signed.head.size} events"
    written = [f"{file}: {what}" for file, what in ((page_to, "the page"), (to, f"{len(text.encode())} bytes, {said}"))
               if file is not None]  # fmt: skip
    print_text(*written)
    return 0


@proof.command
def consistency(
    *,
    since: Annotated[str, Parameter(name="--from", metavar="EVENTS", help="The size of the older head.")],
    size: Annotated[
        str | None, Parameter(name="--size", metavar="EVENTS", help="The newer stored head; else the newest.")
    ] = None,
    database: DatabaseOption = None,
    to: ToOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Prove that the journal has only grown since an older head: the update that a witness takes."""
    from houseway.manager.interface.proving import open_view, prove_growth
    from houseway.proofs.proof_texts import encoded

    arguments = Arguments()
    old = arguments.whole_number(since, "from", 0, _LARGEST)
    new = None if size is None else arguments.whole_number(size, "size", 1, _LARGEST)
    arguments.refuse_if_any()
    assert old is not None
    with open_view(database_of(database)) as view:
        update = prove_growth(view, old, new)
    if as_json:
        if to is not None:
            write_text(to, update.written())
        path = [encoded(each) for each in update.path]
        print_json({"old": old, "path": path, "head": head_json(update.signed), "update": update.written(), "file": to})
    else:
        _handed_on(update.written(), to, f"growth from {old} to {update.signed.head.size} events")
    return 0


@proof.command
def check(
    file: Annotated[
        str,
        Parameter(
            name="FILE",
            allow_leading_hyphen=True,
            help="A proof, a head, an update or what a win page's QR code holds; - for standard input.",
        ),
    ],
    /,
    *,
    key: KeyOption = None,
    page: Annotated[str | None, Parameter(metavar="FILE", help="For the proof of an award: its page.")] = None,
    old: Annotated[
        str | None,
        Parameter(metavar="FILE", help="For a head or an update: an older head that it must have grown from."),
    ] = None,
    as_json: JsonFlag = False,
) -> int:
    """Check a proof of an award with its page, a head, or the growth from an older head. Ends with 1 if it is refused.

    Nothing is believed but the keys: take them from elsewhere than the proof. tools/verify_proof.py does the same
    without houseway.
    """
    from houseway.proofs.event_proofs import parted

    keys = read_keys(key)
    text = read_text(file, "file")
    page_text = None if page is None else read_text(page, "page")
    together = None if page is not None else parted(text)
    if together is not None:
        text, page_text = together
    old_text = None if old is None else read_text(old, "old")
    checked = _check_of(text, page_text, old_text)
    try:
        verdict = checked(keys)
    except InputError as error:
        if as_json:
            print_json({"proven": False, "faults": [fault.to_json() for fault in error.faults]})
        else:
            print_text(*(printable(f"refused: {fault} [{fault.code}]") for fault in error.faults))
        return 1
    if as_json:
        print_json(verdict.to_json())
    else:
        _print_verdict(verdict)
    return 0


def _print_verdict(verdict: Verdict) -> None:
    from houseway.cli.times import time_text

    times = [f"{each.key.name} cosigned at {time_text(each.at * 1_000_000)}" for each in verdict.signers if each.at]
    print_text(printable(f"proven: {verdict.what}"))
    print_text(*(printable(f"  holds: {each}") for each in (*verdict.claims, *times)))
    print_text(*(printable(f"  not proven: {each}") for each in verdict.limits))


Checked = Callable[[Sequence["NoteKey"]], "Verdict"]


def _check_of(text: str, page: str | None, old: str | None) -> Checked:
    """How a text is checked, by what it is; refused if something that belongs to it is missing."""
    from houseway.proofs.event_proofs import is_proof
    from houseway.proofs.head_updates import is_update

    if is_proof(text):
        if page is None:
            raise InputError.of("missing-argument", "page", "the proof of an award needs its page: --page FILE")
        return lambda keys: _checked_event(text, page, keys)
    if page is not None:
        raise InputError.of("conflicting-options", "page", "a page goes with the proof of an award, and this is none")
    if is_update(text):
        if old is None:
            raise InputError.of("missing-argument", "old", "an update needs the older head: --old FILE")
        return lambda keys: _checked_update(text, old, keys)
    return lambda keys: _checked_head(text, old, keys)


def _checked_event(text: str, page: str, keys: Sequence[NoteKey]) -> Verdict:
    from msgspec import to_builtins

    from houseway.manager.interface.proving import check_event
    from houseway.proofs.verdicts import of_event

    proved, signers = check_event(text, page, keys)
    return of_event(proved.proof.signed, signers, proved.page.seq, to_builtins(proved.page))


def _checked_update(text: str, old: str, keys: Sequence[NoteKey]) -> Verdict:
    from houseway.proofs.head_updates import read_update
    from houseway.proofs.tree_heads import check_growth, read_head
    from houseway.proofs.verdicts import of_growth

    update, before = read_update(text), read_head(old)
    old_signers, signers = before.signers(keys), update.signed.signers(keys)
    if update.old != before.head.size:
        message = f"the update proves growth from {update.old} events, the older head has {before.head.size}"
        raise InputError.of("proof-differs", "old", message)
    check_growth(before.head, update.signed.head, update.path)
    return of_growth(before, old_signers, update.signed, signers)


def _checked_head(text: str, old: str | None, keys: Sequence[NoteKey]) -> Verdict:
    from houseway.proofs.tree_heads import check_growth, read_head
    from houseway.proofs.verdicts import of_head

    signed = read_head(text)
    signers, before = signed.signers(keys), None
    if old is not None:
        before = read_head(old)
        before.signers(keys)
        check_growth(before.head, signed.head, ())
    return of_head(signed, signers, before)
