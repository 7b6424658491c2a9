"""The reports over a year of data, on SQLite and PostgreSQL: each for a day and for the year, made cold.

Every report is made by a process of its own, after the database's pages were dropped from the machine's cache.
Processor seconds are those of this process from its start to the written JSON and, on PostgreSQL, those of the server's
process behind it; memory is the peak of the report's process. `--folder` keeps the year, which takes some minutes and
12 GB a store, for the next time.

    python -m bench.reports [--stores sqlite,postgres] [--folder FOLDER] [--days 365] [--transfers 10000000]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from bench.year import FIRST_DAY, TRANSFERS, make_year
from houseway.manager.store.day_sum_keeping import DaySumBook
from houseway.manager.store.reading import open_view
from houseway.manager.store.row_copy import copy_rows
from tests.manager.postgres import PostgresServer

REPORTS = (
    "reconciliation", "jackpots", "master-games", "stiff-sheet", "coin-in", "pace", "staff", "changes", "malfunctions",
    "deposits", "seed", "slips", "prizes",
)  # fmt: skip


def make(url: str, name: str, first: str, last: str) -> None:
    """Make one report, and print what it took."""
    from sqlalchemy import text

    from houseway.cli.report import json_parts
    from houseway.manager.interface import reporting

    begun, behind = time.perf_counter(), 0.0
    with open_view(url) as view:
        server = None if view.is_sqlite else view.rows(text("SELECT pg_backend_pid()"))[0][0]
        ends = date.fromisoformat(first), date.fromisoformat(last)
        report = reporting.make_report(reporting.read_days(view, *ends, reporting.wall_micros()), name)
        if server is not None:
            behind = _seconds_of(server)
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        nowhere.writelines(json_parts(report))
    used = resource.getrusage(resource.RUSAGE_SELF)
    figures = {
        "processor_seconds": round(used.ru_utime + used.ru_stime + behind, 2),
        "seconds": round(time.perf_counter() - begun, 2),
        "peak_mb": used.ru_maxrss // 1024,
    }
    print(json.dumps(figures))


def _seconds_of(process: int) -> float:
    """Processor seconds of another process."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def drop_cache(folder: Path) -> None:
    """Let the machine forget the pages of all files under a folder."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


@contextmanager
def databases(folder: Path, stores: list[str], days: int, transfers: int) -> Iterator[dict[str, tuple[str, Path]]]:
    """The URL of the year on each store, with the folder in which its pages lie."""
    file = folder / "house.db"
    url = f"sqlite:///{file}"
    if not file.exists():
        make_year(folder, days, transfers)
    found, server = {"sqlite": (url, folder)}, None
    DaySumBook(url).renew()
    try:
        if "postgres" in stores:
            server = PostgresServer(fsync="on", full_page_writes="on", autovacuum="on", shared_buffers="128MB")
            other = server.new_database()
            with open_view(url) as view:
                copy_rows(view, other)
            found["postgres"] = other, server.folder
        yield {store: found[store] for store in stores}
    finally:
        if server is not None:
            server.stop()


def measured(url: str, pages: Path, name: str, first: date, last: date) -> dict[str, Any]:
    """One report, made cold by a process of its own."""
    drop_cache(pages)
    words = [sys.executable, "-m", "bench.reports", "--make", url, name, str(first), str(last)]
    run = subprocess.run(words, capture_output=True, text=True, check=True)
    figures: dict[str, Any] = json.loads(run.stdout)
    return figures


def run(stores: list[str], folder: Path, days: int, transfers: int) -> dict[str, Any]:
    """All figures."""
    last = FIRST_DAY + timedelta(days=days - 1)
    found: dict[str, Any] = {}
    with databases(folder, stores, days, transfers) as made:
        for store, (url, pages) in made.items():
            for name in REPORTS:
                # Three days over the year: what a report reads grows with the state.
                some = [FIRST_DAY + timedelta(days=days * part // 10) for part in (2, 5, 9)]
                of_days = [measured(url, pages, name, day, day) for day in some]
                figures = {
                    "day": {key: statistics.median(each[key] for each in of_days) for key in of_days[0]},
                    "slowest_day_processor_seconds": max(each["processor_seconds"] for each in of_days),
                    "year": measured(url, pages, name, FIRST_DAY, last),
                }
                found.setdefault(store, {})[name] = figures
                print(f"{store} {name}: {json.dumps(figures)}", file=sys.stderr, flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stores", default="sqlite,postgres")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--transfers", type=int, default=TRANSFERS)
    parser.add_argument("--make", nargs=4, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.make:
        make(*chosen.make)
        return
    folder = chosen.folder or Path(tempfile.mkdtemp(prefix="houseway-bench-", dir=os.environ.get("BENCH_FOLDER")))
    try:
        print(json.dumps(run(chosen.stores.split(","), folder, chosen.days, chosen.transfers), indent=1))
    finally:
        if chosen.folder is None:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
