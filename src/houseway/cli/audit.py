"""`houseway audit`: verify a journal, export and archive it, search it, look back to any date, reconcile its books."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import App, Parameter

from houseway.api.arguments import Arguments
from houseway.cli.output import JsonFlag, print_json, print_text, to_line
from houseway.cli.times import read_date, read_time
from houseway.errors import InputError
from houseway.reading.typed_ids import known_id

if TYPE_CHECKING:
    from houseway.manager.interface.auditing import Trust, Witness

_MOST: Final = 1_000_000
_LARGEST: Final = 10**18
SECTIONS: Final = ("people", "links", "tables", "settings", "papers")

DatabaseOption = Annotated[
    str | None,
    Parameter(
        name="--database",
        metavar="DATABASE",
        env_var="HOUSEWAY_DATABASE",
        show_env_var=False,
        help="A SQLite file or a PostgreSQL URL; by default what HOUSEWAY_DATABASE names.",
    ),
]
KeysOption = Annotated[
    str | None, Parameter(metavar="FOLDER", help="The manager's key folder: signatures, anchor and sealed seeds.")
]
PublicKeyOption = Annotated[
    list[str] | None,
    Parameter(metavar="FILE", negative="", help="A public key (*.pub) kept elsewhere; may be repeated."),
]
ArchiveOption = Annotated[
    list[str] | None,
    Parameter(metavar="FILE", negative="", help="An archive to read as well; may be repeated."),
]
SinceOption = Annotated[
    str | None,
    Parameter(name="--from", metavar="TIME", help="From this date or local time, such as 2026-01-31T18:30."),
]
UntilOption = Annotated[
    str | None, Parameter(name="--to", metavar="TIME", help="Up to this date or time; a date includes the whole day.")
]
LimitOption = Annotated[str, Parameter(metavar="NUMBER", help="The most to list.")]

audit = App(
    name="audit",
    help="Verify, export, archive and search a journal, look back to any date, reconcile its books.",
    help_format="markdown",
)


def database_of(given: str | None) -> str:
    """The database that was named; refused where none was."""
    if given is None:
        raise InputError.of("missing-argument", "database", "name the database, or set HOUSEWAY_DATABASE")
    return given


def _person(database: str, typed: str) -> str:
    """The id of a person as it is registered, however it was typed."""
    from houseway.manager.interface.auditing import NewestState, open_view

    with open_view(database) as view:
        return known_id(typed, NewestState(view).ids.people, "by")


def _paths(names: Sequence[str] | None) -> list[Path]:
    return [Path(name) for name in names or ()]


def trust_of(
    arguments: Arguments, keys: str | None, public_key: Sequence[str] | None, anchor: Sequence[str] | None = None
) -> Trust | None:
    """The keys that were given; None where something is wrong with them, which is noted."""
    from houseway.manager.interface.auditing import trust_in

    if keys is not None and public_key:
        arguments.add("conflicting-options", "public-key", "give --keys or --public-key, not both")
        return None
    return arguments.read(lambda: trust_in(None if keys is None else Path(keys), _paths(public_key), _paths(anchor)))


def _witnesses(arguments: Arguments, texts: Sequence[str] | None) -> list[Witness]:
    from houseway.manager.interface.auditing import read_witness

    found = [arguments.read(lambda text=text: read_witness(text)) for text in texts or ()]  # type: ignore[misc]
    return [witness for witness in found if witness is not None]


@audit.command
def verify(
    source: Annotated[
        str | None,
        Parameter(
            env_var="HOUSEWAY_DATABASE",
            show_env_var=False,
            help="A database, or a file that export or archive wrote; by default what HOUSEWAY_DATABASE names.",
        ),
    ] = None,
    /,
    *,
    keys: KeysOption = None,
    public_key: PublicKeyOption = None,
    since: Annotated[
        str | None, Parameter(name="--from", metavar="SEQ", help="Begin at the last stored state before this event.")
    ] = None,
    witness: Annotated[
        list[str] | None,
        Parameter(metavar="SEQ:HASH", negative="", help="A receipt for an event; may be repeated."),
    ] = None,
    anchor: Annotated[
        list[str] | None,
        Parameter(metavar="FILE", negative="", help="A signed anchor kept elsewhere; may be repeated."),
    ] = None,
    archive: ArchiveOption = None,
    listed: Annotated[str, Parameter(metavar="NUMBER", help="How many findings to list; all are counted.")] = "200",
    as_json: JsonFlag = False,
) -> int:
    """Check every event, row and signature of a journal. Exits with 1 if it finds anything.

    The server may keep running: the audit reads the journal as it was when the audit began.
    """
    from houseway.cli.progress import progress_bar
    from houseway.manager.interface.auditing import is_database, open_view, verify_database, verify_file

    arguments = Arguments()
    trust = trust_of(arguments, keys, public_key, anchor)
    witnesses = _witnesses(arguments, witness)
    first = None if since is None else arguments.whole_number(since, "from", 1, _LARGEST)
    most = arguments.whole_number(listed, "listed", 1, _MOST)
    arguments.refuse_if_any()
    assert trust is not None
    assert most is not None
    name = database_of(source)
    with progress_bar("verifying") as progress:
        if is_database(name):
            with open_view(name) as view:
                report = verify_database(
                    view, trust, since=first, witnesses=witnesses, archives=_paths(archive), progress=progress,
                    listed=most,
                )  # fmt: skip
        else:
            if archive or first is not None:
                raise InputError.of("conflicting-options", "archive", "--archive and --from are for a database")
            report = verify_file(Path(name), trust, witnesses=witnesses, progress=progress, listed=most)
    if as_json:
        print_json(report.to_json())
    else:
        from houseway.cli.audit_output import print_report

        print_report(report)
    return 0 if report.is_clean else 1


@audit.command(name="anchor")
def anchor_command(
    *,
    to: Annotated[str, Parameter(metavar="FILE", help="The new file; an existing one is not overwritten.")],
    database: DatabaseOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Write how far the journal has come, by its newest signature, to a file to keep on another machine.

    A journal that later lacks that event was rolled back, whatever its own files say: audit verify --anchor shows it.
    """
    from houseway.manager.interface.auditing import new_file, newest_mark, open_view

    with open_view(database_of(database)) as view:
        mark = newest_mark(view)
    with new_file(Path(to)) as file:
        file.write(to_line(mark.to_json()).encode() + b"\n")
    if as_json:
        print_json({"file": to, **mark.to_json()})
    else:
        print_text(f"event {mark.seq} {mark.hash} of the journal {mark.journal}: {to}")
    return 0


@audit.command
def export(
    file: Annotated[str, Parameter(help="The new file, compressed if its name ends in .gz.")],
    /,
    *,
    database: DatabaseOption = None,
    keys: KeysOption = None,
    public_key: PublicKeyOption = None,
    since: Annotated[str | None, Parameter(name="--from", metavar="SEQ", help="The first event.")] = None,
    until: Annotated[str | None, Parameter(name="--to", metavar="SEQ", help="The last event.")] = None,
    as_json: JsonFlag = False,
) -> int:
    """Write a journal to a file that anybody can verify without a database."""
    from houseway.manager.interface.auditing import announced_keys, open_view, write_journal

    arguments = Arguments()
    trust = trust_of(arguments, keys, public_key)
    first = None if since is None else arguments.whole_number(since, "from", 1, _LARGEST)
    last = None if until is None else arguments.whole_number(until, "to", 1, _LARGEST)
    arguments.refuse_if_any()
    assert trust is not None
    with open_view(database_of(database)) as view:
        trusted = trust.announced(announced_keys(view))
        written = write_journal(view, Path(file), trusted.hex_keys(), first or view.bounds()[0], last)
    if as_json:
        print_json({"file": file, **written._asdict()})
    else:
        from houseway.cli.audit_output import print_written

        print_written(file, written)
    return 0


@audit.command(name="archive")
def archive_command(
    *,
    before: Annotated[str, Parameter(metavar="DATE", help="Move the events before this date.")],
    to: Annotated[str, Parameter(metavar="FILE", help="The new archive, compressed if its name ends in .gz.")],
    by: Annotated[str, Parameter(metavar="PERSON", help="The id of the person responsible.")],
    keys: Annotated[str, Parameter(metavar="FOLDER", help="The manager's key folder.")],
    database: DatabaseOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Move old events into a file: written, verified, put on record, then removed from the database.

    Tables play on meanwhile. If it is interrupted, run the same command again to finish.
    """
    from houseway.manager.interface.auditing import archive_before

    arguments = Arguments()
    moment = read_time(arguments, before, "before")
    arguments.refuse_if_any()
    assert moment is not None
    by = _person(database_of(database), by)
    archived = archive_before(database_of(database), Path(keys), moment, Path(to), by)
    if as_json:
        print_json({"file": to, **archived._asdict()})
    else:
        from houseway.cli.audit_output import print_archived

        print_archived(to, archived)
    return 0


@audit.command(name="repair")
def repair_command(
    *,
    by: Annotated[str, Parameter(metavar="PERSON", help="The id of the person responsible.")],
    reason: Annotated[str, Parameter(metavar="TEXT", help="Why: it goes on record.")],
    keys: Annotated[str, Parameter(metavar="FOLDER", help="The manager's key folder.")],
    database: DatabaseOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Make rows again that follow from events and were damaged; the events themselves are never touched.

    Stop all servers and copy the database first: it is the evidence of what had happened.
    """
    from houseway.manager.interface.auditing import repair

    by = _person(database_of(database), by)
    changed = repair(database_of(database), Path(keys), by=by, reason=reason)
    if as_json:
        print_json({"by": by, "differed": changed})
    else:
        listed = ", ".join(f"{count} in {name}" for name, count in changed.items()) or "none"
        print_text(f"rows that differed: {listed}")
    return 0


@audit.command
def rounds(
    *,
    table: Annotated[str | None, Parameter(metavar="ID", help="At this table.")] = None,
    dealer: Annotated[str | None, Parameter(metavar="PERSON", help="Dealt by this person: an id or a name.")] = None,
    seat: Annotated[str | None, Parameter(metavar="NUMBER", help="With a wager at this seat.")] = None,
    hand: Annotated[str | None, Parameter(metavar="NAME", help="In which this hand decided a wager.")] = None,
    wager: Annotated[str | None, Parameter(metavar="NAME", help="With this wager.")] = None,
    award: Annotated[str | None, Parameter(metavar="ID", help="With this award.")] = None,
    at_least: Annotated[
        str | None,
        Parameter(metavar="AMOUNT", help="In which a wager returned at least this: cents, or dollars as in 1000.00."),
    ] = None,
    at_most: Annotated[
        str | None,
        Parameter(metavar="AMOUNT", help="In which a wager returned at most this: cents, or dollars as in 1000.00."),
    ] = None,
    since: SinceOption = None,
    until: UntilOption = None,
    limit: LimitOption = "100",
    archive: ArchiveOption = None,
    database: DatabaseOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Find rounds, the latest first. Seat, hand, wager, award and amount must all fit the same wager."""
    from houseway.manager.interface.auditing import (
        NewestState,
        RoundQuery,
        find_rounds,
        open_view,
        person_called,
        unknown_names,
    )

    arguments = Arguments()
    whole = arguments.whole_number
    query = RoundQuery(
        table=table,
        dealer=dealer,
        since=read_time(arguments, since, "from"),
        until=read_time(arguments, until, "to", is_end=True),
        seat=None if seat is None else whole(seat, "seat", 1, 100),
        hand=hand,
        wager=wager,
        award=award,
        at_least=None if at_least is None else arguments.amount(at_least, "at-least", _LARGEST),
        at_most=None if at_most is None else arguments.amount(at_most, "at-most", _LARGEST),
        limit=whole(limit, "limit", 1, _MOST) or 1,
    )
    arguments.refuse_if_any()
    with open_view(database_of(database)) as view:
        newest = NewestState(view)
        query = replace(
            query,
            dealer=person_called(newest, query.dealer),
            table=None if table is None else known_id(table, newest.ids.tables, "table"),
            award=None if award is None else newest.ids.of_table(award, "award"),
        )
        found = find_rounds(view, query, _paths(archive))
        notes = [] if found else unknown_names(newest, query)
    if as_json:
        print_json({"rounds": found, "notes": notes})
    else:
        from houseway.cli.audit_output import print_rounds

        print_rounds(found, notes)
    return 0


@audit.command(name="round")
def round_command(
    round_id: Annotated[str, Parameter(name="ROUND", help="The round's id, such as T1-17.")],
    /,
    *,
    archive: ArchiveOption = None,
    database: DatabaseOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Show everything about one round, and deal it again from its seed once that is revealed.

    Exits with 1 if the replay differs. Cards and seeds are never shown before their reveal.
    """
    from houseway.manager.interface.auditing import NewestState, check_deal, open_view, round_story

    with open_view(database_of(database)) as view:
        round_id = NewestState(view).ids.of_table(round_id, "round")
        story = round_story(view, round_id, _paths(archive))
        deal = check_deal(story)
    from houseway.cli.audit_output import print_story, story_json

    if as_json:
        print_json(story_json(round_id, story, deal))
    else:
        print_story(round_id, story, deal)
    return 1 if deal is not None and deal.differences else 0


@audit.command
def account(
    name: Annotated[str, Parameter(help="The account, such as meter/L1/main, receipts/T1 or house.")],
    /,
    *,
    since: SinceOption = None,
    until: UntilOption = None,
    limit: LimitOption = "1000",
    archive: ArchiveOption = None,
    database: DatabaseOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Explain every cent of an account: each transfer with its event, reason, other account and balance."""
    from houseway.manager.interface.auditing import NewestState, account_statement, open_view

    arguments = Arguments()
    begin, end = read_time(arguments, since, "from"), read_time(arguments, until, "to", is_end=True)
    most = arguments.whole_number(limit, "limit", 1, _MOST)
    arguments.refuse_if_any()
    with open_view(database_of(database)) as view:
        name = known_id(name, NewestState(view).ids.accounts, "account")
        statement = account_statement(view, name, begin, end, most or 1, _paths(archive))
    from houseway.cli.audit_output import print_statement, statement_json

    if as_json:
        print_json(statement_json(statement))
    else:
        print_statement(statement)
    return 0


@audit.command
def events(
    *,
    kind: Annotated[
        str | None, Parameter(metavar="KIND", help="Of this kind; `round.` finds every kind that begins with it.")
    ] = None,
    actor: Annotated[
        str | None, Parameter(metavar="ACTOR", help="By this actor: a person, system, or device:ID.")
    ] = None,
    person: Annotated[
        str | None,
        Parameter(metavar="PERSON", help="By this person, or in which their badge or name took part in another way."),
    ] = None,
    device: Annotated[str | None, Parameter(metavar="ID", help="Sent by this device.")] = None,
    since: SinceOption = None,
    until: UntilOption = None,
    limit: LimitOption = "100",
    archive: ArchiveOption = None,
    database: DatabaseOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Find events, the latest first."""
    from houseway.manager.interface.auditing import (
        EventQuery,
        NewestState,
        find_events,
        open_view,
        person_called,
        unknown_event_names,
    )

    arguments = Arguments()
    query = EventQuery(
        kind=kind,
        actor=actor,
        person=person,
        device=device,
        since=read_time(arguments, since, "from"),
        until=read_time(arguments, until, "to", is_end=True),
        limit=arguments.whole_number(limit, "limit", 1, _MOST) or 1,
    )
    arguments.refuse_if_any()
    with open_view(database_of(database)) as view:
        newest = NewestState(view)
        actor, person = (person_called(newest, text) for text in (query.actor, query.person))
        if device is not None:
            device = known_id(device, newest.ids.devices, "device")
        query = replace(query, actor=actor, person=person, device=device)
        found = find_events(view, query, _paths(archive))
        notes = [] if found else unknown_event_names(newest, query)
    if as_json:
        print_json({"events": [entry.to_json() for entry in found], "notes": notes})
    else:
        from houseway.cli.audit_output import print_events

        print_events(found, notes)
    return 0


@audit.command(name="as-of")
def as_of_command(
    date: Annotated[str, Parameter(help="A date, which includes the whole day, or a time such as 2026-01-31T18:30.")],
    section: Annotated[
        str | None, Parameter(help="people, links, tables, settings or papers; by default all, and the rules in force.")
    ] = None,
    /,
    *,
    archive: ArchiveOption = None,
    database: DatabaseOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Show people, links, tables, settings, papers and the rules in force as they were at a date."""
    from houseway.manager.interface.auditing import as_of, open_view

    arguments = Arguments()
    moment = read_time(arguments, date, "date", is_end=True)
    section = arguments.choice(section, SECTIONS, "section")
    arguments.refuse_if_any()
    assert moment is not None
    with open_view(database_of(database)) as view:
        state = as_of(view, moment, _paths(archive))
    sections = SECTIONS if section is None else (section,)
    if as_json:
        shown = {name: state.section(name) for name in sections}
        print_json({"at": state.at, "seq": state.seq, "hash": state.hash, "rules": state.rules(), **shown})
    else:
        from houseway.cli.audit_output import print_state

        print_state(state, sections)
    return 0


@audit.command
def reconcile(
    *,
    day: Annotated[
        str | None,
        Parameter(metavar="DATE", help="The gaming day of the property; by default the last one with events."),
    ] = None,
    since: SinceOption = None,
    until: UntilOption = None,
    database: DatabaseOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Recompute the books of a day from the transfers, and compare them with balances, awards and shares.

    Exits with 1 if anything disagrees.
    """
    from houseway.manager.interface.auditing import open_view
    from houseway.manager.interface.auditing import reconcile as reconciled
    from houseway.manager.interface.reporting import gaming_day_at, gaming_day_of

    arguments = Arguments()
    if day is not None and (since is not None or until is not None):
        arguments.add("conflicting-options", "day", "give --day, or --from and --to")
        arguments.refuse_if_any()
    named = None if day is None else read_date(arguments, day, "day")
    begin = read_time(arguments, since, "from")
    end = read_time(arguments, until, "to", is_end=True)
    if begin is not None and end is not None and end < begin:
        arguments.add("bad-time", "to", "the time ends before it begins: swap --from and --to")
    arguments.refuse_if_any()
    with open_view(database_of(database)) as view:
        last = view.event(view.bounds()[1])
        newest = 0 if last is None else last.at
        if named is not None or begin is None:
            found_day = gaming_day_at(view, newest if end is None else end) if named is None else named
            whole = gaming_day_of(view, found_day)
            begin, end = whole.since, whole.until if named is not None else end
        wanted = newest if end is None else end
        found = reconciled(view, begin, wanted)
    if as_json:
        print_json(found.to_json())
    else:
        from houseway.cli.audit_output import print_reconciliation

        print_reconciliation(found, so_far=found.until < wanted)
    return 0 if found.agrees else 1
