"""`houseway cache`: what is kept between runs, whether it is whole, and making room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import Parameter

from houseway.api.arguments import Arguments
from houseway.cli.output import JsonFlag, print_json, print_text

if TYPE_CHECKING:
    from houseway.odds.running.cache import Cache
    from houseway.odds.running.cache_entries import CacheEntry

_ACTIONS: Final = ("list", "prune", "verify")
_SECONDS_A_DAY: Final = 86_400
_MOST_DAYS: Final = 100_000


def cache(
    action: Annotated[str, Parameter(help="list (the default), prune or verify.")] = "list",
    /,
    *,
    all_entries: Annotated[
        bool, Parameter(name="--all", negative="", show_default=False, help="For prune: remove everything.")
    ] = False,
    unused_days: Annotated[
        str | None, Parameter(metavar="DAYS", help="For prune: remove what has not been used for that many days.")
    ] = None,
    dry_run: Annotated[
        bool,
        Parameter(negative="", show_default=False, help="For prune: say what would be removed, and remove nothing."),
    ] = False,
    as_json: JsonFlag = False,
) -> int:
    """List what is kept between runs, check it against its hashes, or remove what is no longer needed.

    The folder is the one that HOUSEWAY_CACHE names, else houseway in the user's cache folder. Without an option, prune
    removes what this version of houseway cannot use. Verify exits with 1 if anything is damaged.
    """
    from houseway.odds.running.cache import Cache

    arguments = Arguments()
    action = arguments.choice(action, _ACTIONS, "action") or action
    if action != "prune" and (all_entries or unused_days is not None or dry_run):
        arguments.add("conflicting-options", "action", "--all, --unused-days and --dry-run go with prune only")
    if all_entries and unused_days is not None:
        arguments.add("conflicting-options", "all", "give --all or --unused-days, not both")
    days = None if unused_days is None else arguments.whole_number(unused_days, "unused_days", 0, _MOST_DAYS)
    arguments.refuse_if_any()
    folder = Cache()
    if action == "verify":
        return _verify(folder, as_json)
    if action == "prune":
        return _prune(folder, all_entries, days, dry_run, as_json)
    return _list(folder, as_json)


def _list(folder: Cache, as_json: bool) -> int:
    from houseway.odds.running.cache_entries import entries

    found = entries(folder)
    if as_json:
        print_json(_listing(folder, found))
    else:
        _print_entries(found)
        print_text(f"{_total(found)} in {folder.folder}")
    return 0


def _verify(folder: Cache, as_json: bool) -> int:
    """Compare everything with its hashes; 1 if something is damaged."""
    from houseway.odds.running.cache_entries import damage, entries

    found = entries(folder)
    damaged = [problem for entry in found for problem in damage(entry)]
    if as_json:
        print_json({**_listing(folder, found), "damaged": damaged})
    else:
        for problem in damaged:
            print_text(f"damaged: {problem}")
        told = f"{len(damaged)} damaged, they are built again when they are needed" if damaged else "all whole"
        print_text(f"{_total(found)} in {folder.folder}: {told}")
    return 1 if damaged else 0


def _prune(folder: Cache, everything: bool, unused_days: int | None, dry_run: bool, as_json: bool) -> int:
    import time

    from houseway.odds.running.cache_entries import prunable

    unused_seconds = None if unused_days is None else unused_days * _SECONDS_A_DAY
    chosen = prunable(folder, now=time.time(), everything=everything, unused_seconds=unused_seconds)
    if not dry_run:
        for entry in chosen:
            entry.remove()
    if as_json:
        print_json({**_listing(folder, chosen), "removed": not dry_run})
    else:
        _print_entries(chosen)
        print_text(f"{'would remove' if dry_run else 'removed'} {_total(chosen)} in {folder.folder}")
    return 0


def _listing(folder: Cache, chosen: Sequence[CacheEntry]) -> dict[str, Any]:
    return {
        "folder": str(folder.folder),
        "bytes": sum(entry.size for entry in chosen),
        "entries": [entry.to_json() for entry in chosen],
    }


def _total(chosen: Sequence[CacheEntry]) -> str:
    entries = "1 entry" if len(chosen) == 1 else f"{len(chosen):,} entries"
    return f"{entries}, {sum(entry.size for entry in chosen):,} bytes"


def _print_entries(chosen: Sequence[CacheEntry]) -> None:
    from houseway.cli.times import time_text

    for entry in chosen:
        used = time_text(int(entry.used) * 1_000_000)
        parts = "" if entry.parts is None else f", {entry.parts:,} parts"
        print_text(f"{entry.size:>15,} bytes  {entry.kind:<10} {used}  {entry.name}{parts}")
        if entry.problem is not None:
            print_text(f"{'':23}cannot be read: {entry.problem}")
        elif entry.outdated:
            print_text(f"{'':23}written by houseway {entry.version}")
        for field, value in entry.key.items():
            print_text(f"{'':23}{field}: {value}")
