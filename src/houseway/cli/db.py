"""`houseway db`: back a journal up while it is played on, restore, check, upgrade and move its database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from houseway.api.arguments import Arguments, database_url
from houseway.cli.audit import KeysOption, PublicKeyOption, database_of, trust_of
from houseway.cli.output import JsonFlag, print_json, print_text
from houseway.cli.progress import progress_bar

if TYPE_CHECKING:
    from houseway.manager.interface.keeping import Manifest, RestoreResult

DatabaseArgument = Annotated[
    str | None,
    Parameter(
        env_var="HOUSEWAY_DATABASE",
        show_env_var=False,
        help="The database: a SQLite file, or a PostgreSQL URL; by default what HOUSEWAY_DATABASE names.",
    ),
]
KeyFolder = Annotated[str, Parameter(metavar="FOLDER", help="The manager's key folder.")]
AnchorOption = Annotated[
    list[str] | None,
    Parameter(metavar="FILE", negative="", help="A signed anchor kept elsewhere; may be repeated."),
]
NewDatabase = Annotated[
    str,
    Parameter(
        metavar="DATABASE", help="The new database: a SQLite file that is not there, or an empty PostgreSQL URL."
    ),
]

db = App(
    name="db",
    help="Back up a journal while it is played on, restore, check, upgrade and move its database.",
    help_format="markdown",
)


@db.command
def backup(
    database: DatabaseArgument = None,
    /,
    *,
    to: Annotated[str, Parameter(metavar="FOLDER", help="The new folder of the backup.")],
    keys: KeyFolder,
    no_check: Annotated[
        bool, Parameter(negative="", show_default=False, help="Leave the audit of the backup to a later db check.")
    ] = False,
    as_json: JsonFlag = False,
) -> int:
    """Back a journal up into a new folder: one file, its checksum, and a manifest that the property's key signs.

    Servers and tables go on meanwhile. The backup is audited as it lies on the disk. One of a PostgreSQL database
    that was interrupted goes on where it stopped when the same command is given again.
    """
    from houseway.manager.interface.keeping import make_backup

    made = make_backup(
        database_url(database_of(database)), Path(keys), Path(to), stage=progress_bar, check=not no_check
    )
    if as_json:
        print_json({"folder": to, "checked": made.report is not None, **_told(made.manifest)})
        return 0
    _print_manifest(made.manifest, to)
    if made.report is None:
        print_text(f"Not checked yet: houseway db check {to} --keys {keys}")
    else:
        print_text("checked: nothing found")
    print_text("It holds fingerprints and sealed seeds: keep it like the vault, apart from the keys.")
    return 0


@db.command
def restore(
    backup_folder: Annotated[str, Parameter(name="BACKUP", help="The folder of the backup.")],
    /,
    *,
    to: NewDatabase,
    keys: KeysOption = None,
    public_key: PublicKeyOption = None,
    anchor: AnchorOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Restore a backup into a new database, audit it there, and say what its clients will need.

    Nothing is overwritten. Signature and checksum are checked before anything is written.
    """
    from houseway.manager.interface.keeping import restore_backup

    arguments = Arguments()
    trust = trust_of(arguments, keys, public_key, anchor)
    arguments.refuse_if_any()
    assert trust is not None
    restored = restore_backup(Path(backup_folder), database_url(to), trust, stage=progress_bar)
    steps = next_steps(restored)
    if as_json:
        lost = None if restored.lost is None else restored.lost._asdict()
        told = {"database": to, "checked": True, "lost": lost, "marks": restored.marks, "next": steps}
        print_json({**told, **_told(restored.manifest)})
        return 0
    _print_manifest(restored.manifest, to)
    print_text("checked: nothing found")
    for step in steps:
        print_text(f"next: {step}")
    return 0


def next_steps(restored: RestoreResult) -> list[str]:
    """What people have to do before the clients work with a restored journal."""
    end, lost = restored.manifest.mark.seq, restored.lost
    alone = "see that no server still has the old database: two journals with the same keys must never be served"
    if lost is None:
        known = "the anchors that were given know of no later event" if restored.marks else "no anchor was given"
        seen = (
            f"{known}; if a client refuses it (history-lost), it has seen an event behind {end}: look for a newer "
            "backup, else two people put the loss on record (houseway system recovery; docs/operations.md, Backup and "
            "restore)"
        )
        return [alone, seen]
    command = (
        f'{{"kind": "system.recovery", "first": {lost.first}, "last": {lost.last}, "hash": "{lost.hash}", '
        '"badge": "?", "second_badge": "?", "reason": "..."}'
    )
    return [
        alone,
        f"events {lost.first} to {lost.last} are missing: look for a newer backup first, and restore that instead",
        "keep the anchor.json of the key folder as evidence, and move it away: no server starts before",
        "write down from controllers, receipts and paper what was paid and won in the missing events",
        f"start the server; two people from different departments then send {command}",
        "enter again what is missing; controllers and displays then accept the manager by themselves",
    ]


@db.command
def check(
    database: Annotated[
        str | None,
        Parameter(
            env_var="HOUSEWAY_DATABASE",
            show_env_var=False,
            help="A SQLite file, a PostgreSQL URL, or the folder of a backup; by default what HOUSEWAY_DATABASE names.",
        ),
    ] = None,
    /,
    *,
    keys: KeysOption = None,
    public_key: PublicKeyOption = None,
    anchor: AnchorOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Check a database or a backup: integrity of the store, every row, signature and checksum. 1 if it finds anything.

    A database may be served meanwhile; a backup is only read.
    """
    from houseway.cli.audit_output import print_report
    from houseway.manager.interface.keeping import audit_database, check_backup, is_backup

    arguments = Arguments()
    trust = trust_of(arguments, keys, public_key, anchor)
    arguments.refuse_if_any()
    assert trust is not None
    name = database_of(database)
    if is_backup(name) or Path(name).is_dir():
        report = check_backup(Path(name), trust, stage=progress_bar)
    else:
        report = audit_database(name, trust, progress_bar)
    if as_json:
        print_json(report.to_json())
    else:
        print_report(report)
    return 0 if report.is_clean else 1


@db.command
def upgrade(
    database: DatabaseArgument = None,
    /,
    *,
    keys: KeyFolder,
    backup_to: Annotated[
        str | None, Parameter(metavar="FOLDER", help="The new folder for the backup that is made before.")
    ] = None,
    to: Annotated[
        str, Parameter(metavar="REVISION", help="The revision to go to, up or down; by default the newest.")
    ] = "head",
    as_json: JsonFlag = False,
) -> int:
    """Bring a database to the tables of this version, or to another revision, and back it up before.

    End all servers first. The change is tried on the backup, made in one transaction, and audited.
    """
    from houseway.manager.interface.keeping import upgrade_tables

    name, folder = database_of(database), None if backup_to is None else Path(backup_to)
    done = upgrade_tables(database_url(name), Path(keys), folder, to, stage=progress_bar)
    back = []
    if done.backup is not None:
        back = [
            f"houseway db upgrade {name} --to {done.before} --keys {keys} --backup-to FOLDER, then old software",
            f"or, with old software: houseway db restore {backup_to} --to DATABASE --keys {keys}",
        ]
    if as_json:
        told: dict[str, Any] = {"before": done.before, "after": done.after, "checked": done.report is not None}
        print_json({**told, "backup": None if done.backup is None else backup_to, "way_back": back})
        return 0
    print_text(f"tables {done.before} -> {done.after}")
    if done.backup is None:
        print_text("nothing to do")
    for way in back:
        print_text(f"way back: {way}")
    return 0


@db.command
def copy(
    database: DatabaseArgument = None,
    /,
    *,
    to: NewDatabase,
    keys: KeysOption = None,
    public_key: PublicKeyOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Copy a journal into a new database of either kind, SQLite to PostgreSQL or back, and audit it there.

    End the servers first if the copy shall take the journal's place. A copy that was interrupted goes on where it
    stopped when the same command is given again.
    """
    from houseway.manager.interface.keeping import copy_database

    arguments = Arguments()
    trust = trust_of(arguments, keys, public_key)
    arguments.refuse_if_any()
    assert trust is not None
    moved = copy_database(database_url(database_of(database)), database_url(to), trust, stage=progress_bar)
    if as_json:
        print_json({"database": to, "checked": True, "rows": moved.report.rows, **moved.copied._asdict()})
        return 0
    if moved.copied.resumed_behind:
        print_text(f"continued behind event {moved.copied.resumed_behind}")
    print_text(f"events {moved.copied.first} to {moved.copied.last}, hash {moved.copied.hash}: {to}")
    print_text("checked: nothing found")
    print_text("Serve one of the two only, never both: their signatures are the same property's.")
    return 0


def _told(manifest: Manifest) -> dict[str, Any]:
    """A manifest as programs read it."""
    return {
        "journal": manifest.mark.journal, "first": manifest.first, "last": manifest.mark.seq,
        "hash": manifest.mark.hash, "made_at": manifest.made_at, "store": manifest.store,
        "revision": manifest.revision, "rows": manifest.rows, "bytes": manifest.size, "sha256": manifest.sha256,
        "key_id": manifest.key_id,
    }  # fmt: skip


def _print_manifest(manifest: Manifest, where: str) -> None:
    print_text(f"{where}: events {manifest.first} to {manifest.mark.seq} of the journal {manifest.mark.journal}")
    print_text(f"hash {manifest.mark.hash}")
    print_text(f"file {manifest.size} bytes, SHA-256 {manifest.sha256}")
