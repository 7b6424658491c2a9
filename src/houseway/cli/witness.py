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
from houseway.errors import InputError, MissingPartError, present

if TYPE_CHECKING:
    from houseway.manager.views.answers import HeadAnswer
    from houseway.witness.cosigner import CosignedHead, Cosigner
    from houseway.witness.seen_heads import Alarm

_LONGEST_PAUSE: Final = 86_400
_LARGEST: Final = 10**18
_AT_ONCE: Final = 10
"""Old heads about which a manager is asked at once."""

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
    """Follow a manager: ask for its newest head, cosign it, and again; an alarm is told, and it goes on.

    With --once it ends with 1 at an alarm, and with 3 if the manager is away. Run one for each property: they may share
    the folder, and trouble with one is nothing to the others.
    """
    arguments = Arguments()
    seconds = arguments.whole_number(every, "every", 1, _LONGEST_PAUSE)
    arguments.refuse_if_any()
    assert seconds is not None
    with _open(folder) as cosigner:
        followed = _HeadSource(cosigner, where or ManagerLocation())
        while True:
            code, found = 0, None
            try:
                found = followed.cosigned()
            except _RefusedHeadError as error:
                code = _refused(error, as_json=as_json)
            except MissingPartError as error:
                if once:
                    raise
                print_problem(f"{error}; asking again in {seconds} s")
            if found is not None and (found.is_new or once):
                _hand_on(found, to, replace=True)
                _tell(found, as_json=as_json)
            if once:
                return code
            time.sleep(seconds)


class _RefusedHeadError(InputError):
    """A head that a manager has answered, and that the witness does not cosign: asking goes on."""


class _HeadSource:
    """A manager that is asked for its heads."""

    def __init__(self, cosigner: Cosigner, where: ManagerLocation) -> None:
        self._cosigner = cosigner
        self._where = where
        self._origin: str | None = None
        """The log that the manager signs, once it is known: a witness may watch several."""

    def cosigned(self) -> CosignedHead | None:
        """The manager's newest head, cosigned; None if it has none yet."""
        old, answer = self._asked_since_last()
        if answer.head is None:
            return None
        from houseway.proofs.tree_heads import read_head

        try:
            # A head of fewer events has no path; the witness says what that means.
            text = answer.head if read_head(answer.head).head.size < old else _update(old, answer)
            found = self._cosigner.cosign(text, is_newest=True)
            self._settle_older(found)
        except InputError as error:
            raise _RefusedHeadError(error.faults) from None
        return found

    def _asked_since_last(self) -> tuple[int, HeadAnswer]:
        """The answer from the last cosigned head of the manager's own log on, and the size of that."""
        from houseway.proofs.tree_heads import read_head

        old = 0 if self._origin is None else self._cosigner.wanted_size(self._origin)
        answer = self._ask(old)
        if answer.head is not None:
            try:
                origin = read_head(answer.head).head.origin
            except InputError as error:
                raise _RefusedHeadError(error.faults) from None
            if origin != self._origin:
                self._origin, old = origin, self._cosigner.wanted_size(origin)
                answer = self._ask(old)
        return old, answer

    def _settle_older(self, newest: CosignedHead) -> None:
        """Have the manager prove that old heads, which were handed in, belong to its newest one."""
        from houseway.proofs.tree_heads import read_head

        head = newest.signed.head
        if head.size < self._cosigner.wanted_size(head.origin):
            return
        for older in self._cosigner.seen.older(head.origin, unproven=True)[:_AT_ONCE]:
            answer = self._ask(older.signed.head.size)
            # Where the log has grown meanwhile, the next time will do.
            if answer.head is not None and read_head(answer.head).head == head:
                self._cosigner.settle(older, _update(older.signed.head.size, answer))

    def _ask(self, old: int) -> HeadAnswer:
        from houseway.manager.views.answers import HeadAnswer

        answer = asked(self._where, "head", old=old)
        assert isinstance(answer, HeadAnswer)
        return answer


def _update(old: int, answer: HeadAnswer) -> str:
    from houseway.proofs.head_updates import HeadUpdate
    from houseway.proofs.proof_texts import read_path
    from houseway.proofs.tree_heads import read_head

    return HeadUpdate(old, read_path(answer.path), read_head(present(answer.head, "head"))).written()


@witness.command
def acknowledge(
    folder: FolderArgument,
    number: Annotated[str, Parameter(name="NUMBER", help="The alarm, as witness show numbers it.")],
    /,
    *,
    by: Annotated[str, Parameter(metavar="NAME", help="Who has looked into it.")],
    reason: Annotated[str, Parameter(metavar="TEXT", help="What it was: it goes on record.")],
    as_json: JsonFlag = False,
) -> int:
    """Acknowledge an alarm: show no longer ends with 1 because of it. Alarm, evidence and your words are kept."""
    from houseway.witness.seen_heads import Acknowledgement

    arguments = Arguments()
    which = arguments.whole_number(number, "number", 1, _LARGEST)
    for name, text in (("by", by), ("reason", reason)):
        if not text.strip():
            arguments.add("reason-needed", name, "say who has looked into the alarm, and what it was")
    arguments.refuse_if_any()
    assert which is not None
    with _open(folder) as cosigner:
        alarm = cosigner.seen.acknowledge(which, Acknowledgement(int(time.time()), by.strip(), reason.strip()))
    if as_json:
        print_json(alarm.to_json())
    else:
        print_text(_alarm_line(alarm))
    return 0


@witness.command
def show(
    folder: FolderArgument,
    /,
    *,
    log: Annotated[
        str | None, Parameter(metavar="NAME", help="Only this log, as in houseway/0123456789abcdef; else all.")
    ] = None,
    as_json: JsonFlag = False,
) -> int:
    """Show a witness: its key, the logs it watches with the last head of each, its alarms.

    Ends with 1 as long as nobody has acknowledged an alarm of the logs shown.
    """
    with _open(folder) as cosigner:
        seen = cosigner.seen
        watched = [key for key in seen.watched() if log in (None, key.name)]
        if log is not None and not watched:
            raise InputError.of("unknown-log", "log", f"{log[:80]} is not watched here: witness show lists the logs")
        heads = {key.name: seen.newest(key.name) for key in watched}
        older = {name: seen.older(name) for name in heads}
        alarms, count = [each for each in seen.alarms() if log in (None, each.origin)], seen.count(log)
    is_open = any(alarm.acknowledged is None for alarm in alarms)
    if as_json:
        print_json(
            {
                "key": cosigner.key.text,
                "watched": [key.text for key in watched],
                "heads": [head_json(head) for head in heads.values() if head is not None],
                "older": [head_json(each.signed) for found in older.values() for each in found],
                "cosigned": count,
                "alarms": [alarm.to_json() for alarm in alarms],
            }
        )
        return 1 if is_open else 0
    print_text(cosigner.key.text, f"{counted(count, 'head')} cosigned")
    for name, head in heads.items():
        print_text(printable(f"{name}: {'nothing seen yet' if head is None else f'{head.head.size} events'}"))
        for each in older[name]:
            at = time_text(each.at * 1_000_000)
            print_text(printable(f"older, {at}: a head of {each.signed.head.size} events; no alarm by itself"))
    for alarm in alarms:
        print_text(_alarm_line(alarm))
    return 1 if is_open else 0


def _alarm_line(alarm: Alarm) -> str:
    told = f"{alarm.number}, {time_text(alarm.at * 1_000_000)}, {alarm.origin}: {alarm.message} [{alarm.code}]"
    said = alarm.acknowledged
    if said is None:
        return printable(f"ALARM {told}")
    return printable(f"alarm {told}; acknowledged {time_text(said.at * 1_000_000)} by {said.by}: {said.reason}")


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
