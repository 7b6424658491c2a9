"""`houseway witness`: follow the heads of a journal, cosign what has grown, and sound the alarm at what has not."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import App, Parameter

from houseway.api.arguments import Arguments
from houseway.cli.manager_where import ManagerLocation, asked
from houseway.cli.output import JsonFlag, print_faults, print_json, print_problem, print_text, printable
from houseway.cli.proof import ToOption, head_json, read_keys, read_text
from houseway.cli.times import time_text
from houseway.cli.words import counted
from houseway.errors import InputError, MissingPartError

if TYPE_CHECKING:
    from houseway.witness.cosigner import CosignedHead, Cosigner

_LONGEST_PAUSE: Final = 86_400

FolderArgument = Annotated[str, Parameter(name="FOLDER", help="The witness's own folder.")]
LogOption = Annotated[
    list[str],
    Parameter(
        name="--log",
        metavar="KEY",
        negative="",
        help="The key of a log to watch, as proof key prints it, or a file that holds one a line; may be repeated.",
    ),
]

witness = App(
    name="witness",
    help="Run a witness: it cosigns heads of a journal that has only grown, and refuses every other one.",
    help_format="markdown",
)


@contextlib.contextmanager
def _open(folder: str) -> Iterator[Cosigner]:
    from houseway.witness.cosigner import Cosigner

    found = Cosigner(Path(folder), lambda: int(time.time()))
    try:
        yield found
    finally:
        found.seen.close()


@witness.command
def init(
    folder: FolderArgument,
    /,
    *,
    name: Annotated[str, Parameter(metavar="NAME", help="The witness's name, as in regulator.example/witness-1.")],
    log: LogOption,
    as_json: JsonFlag = False,
) -> int:
    """Begin a witness: a folder with a fresh key, for the logs whose keys are given. Prints the witness's key."""
    from houseway.witness.witness_files import begin_witness

    key = begin_witness(Path(folder), name, read_keys(log))
    if as_json:
        print_json({"folder": folder, "key": key.text})
    else:
        print_text(key.text)
    return 0


@witness.command
def watch(folder: FolderArgument, /, *, log: LogOption, as_json: JsonFlag = False) -> int:
    """Watch another log, or a new key of one that is watched."""
    from houseway.witness.witness_files import watch_log

    keys = read_keys(log)
    watch_log(Path(folder), keys)
    if as_json:
        print_json({"folder": folder, "logs": [key.text for key in keys]})
    else:
        print_text(*(f"watching {key.name}" for key in keys))
    return 0


@witness.command
def cosign(
    folder: FolderArgument,
    file: Annotated[
        str,
        Parameter(
            name="FILE",
            allow_leading_hyphen=True,
            help="A head, or an update as proof consistency prints it; - for standard input.",
        ),
    ] = "-",
    /,
    *,
    to: ToOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Cosign one head, if it has grown out of the last one. Ends with 1 if it has not, which is an alarm.

    Prints the line to put under the head; --to writes the head with all its signatures.
    """
    text = read_text(file, "file")
    with _open(folder) as cosigner:
        try:
            found = cosigner.cosign(text)
        except InputError as error:
            return _refused(error, as_json=as_json)
    _hand_on(found, to)
    if as_json:
        print_json(_shown(found))
    else:
        print_text(found.line.line())
    return 0


@witness.command
def follow(
    folder: FolderArgument,
    /,
    *,
    where: ManagerLocation | None = None,
    every: Annotated[str, Parameter(metavar="SECONDS", help="How often to ask.")] = "60",
    once: Annotated[bool, Parameter(negative="", show_default=False, help="Ask once, then end.")] = False,
    to: Annotated[
        str | None, Parameter(metavar="FILE", help="Keep the newest cosigned head in this file, replaced each time.")
    ] = None,
    as_json: JsonFlag = False,
) -> int:
    """Follow a manager: ask for its newest head, cosign it, and again. Ends with 1 at an alarm.

    A manager that is away is asked again; with --once that ends with 3.
    """
    arguments = Arguments()
    seconds = arguments.whole_number(every, "every", 1, _LONGEST_PAUSE)
    arguments.refuse_if_any()
    assert seconds is not None
    with _open(folder) as cosigner:
        while True:
            try:
                found = _cosigned(cosigner, where or ManagerLocation())
            except InputError as error:
                return _refused(error, as_json=as_json)
            except MissingPartError as error:
                if once:
                    raise
                print_problem(f"{error}; asking again in {seconds} s")
                found = None
            if found is not None and (found.is_new or once):
                _hand_on(found, to, replace=True)
                _tell(found, as_json=as_json)
            if once:
                return 0
            time.sleep(seconds)


def _cosigned(cosigner: Cosigner, where: ManagerLocation) -> CosignedHead | None:
    from houseway.manager.views.answers import HeadAnswer
    from houseway.proofs.head_updates import HeadUpdate
    from houseway.proofs.proof_texts import read_path
    from houseway.proofs.tree_heads import read_head

    old = cosigner.wanted_size()
    answer = asked(where, "head", old=old)
    assert isinstance(answer, HeadAnswer)
    if answer.head is None:
        return None
    signed = read_head(answer.head)
    # A head of fewer events has no path; the witness says what that means.
    text = answer.head if signed.head.size < old else HeadUpdate(old, read_path(answer.path), signed).written()
    return cosigner.cosign(text)


@witness.command
def show(folder: FolderArgument, /, *, as_json: JsonFlag = False) -> int:
    """Show a witness: its key, the logs it watches with the last head of each, its alarms. Ends with 1 at any alarm."""
    with _open(folder) as cosigner:
        seen = cosigner.seen
        logs = {key.name: seen.newest(key.name) for key in seen.watched()}
        alarms, count, keys = seen.alarms(), seen.count(), [key.text for key in seen.watched()]
    if as_json:
        print_json(
            {
                "key": cosigner.key.text,
                "watched": keys,
                "heads": [head_json(head) for head in logs.values() if head is not None],
                "cosigned": count,
                "alarms": [alarm._asdict() for alarm in alarms],
            }
        )
        return 1 if alarms else 0
    print_text(cosigner.key.text, f"{counted(count, 'head')} cosigned")
    for name, head in logs.items():
        print_text(printable(f"{name}: {'nothing seen yet' if head is None else f'{head.head.size} events'}"))
    for alarm in alarms:
        print_text(printable(f"ALARM {time_text(alarm.at * 1_000_000)}: {alarm.message} [{alarm.code}]"))
    return 1 if alarms else 0


def _refused(error: InputError, *, as_json: bool) -> int:
    """Tell why a head was not cosigned; 1 for an alarm, 2 for bad input."""
    from houseway.witness.cosigner import ALARMING

    print_faults(error.faults, as_json)
    is_alarm = any(fault.code in ALARMING for fault in error.faults)
    if is_alarm:
        print_problem("ALARM: this head was not cosigned; the witness has kept it as evidence (houseway witness show)")
    return 1 if is_alarm else 2


def _tell(found: CosignedHead, *, as_json: bool) -> None:
    if as_json:
        print_json(_shown(found))
    else:
        print_text(printable(f"{found.signed.head.origin}: {found.signed.head.size} events cosigned"))
    sys.stdout.flush()


def _shown(found: CosignedHead) -> dict[str, Any]:
    return {**head_json(found.signed), "line": found.line.line(), "new": found.is_new}


def _hand_on(found: CosignedHead, to: str | None, *, replace: bool = False) -> None:
    if to is None:
        return
    text = found.signed.note.written()
    if not replace:
        from houseway.cli.proof import write_text

        write_text(to, text)
        return
    part = Path(f"{to}.new")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(to)
    except OSError as error:
        raise InputError.of("unwritable-file", "to", f"{to} cannot be written: {error.strerror}") from None
