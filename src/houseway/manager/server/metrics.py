"""What there is to measure of a server: collected when somebody asks, whoever carries it to them.

Everything is read from counters, from the snapshot that the last commit left and from the system; nothing waits for the
store. Figures are of this process; those of the floor are the same at every server of a journal.
"""

from __future__ import annotations

import os
import resource
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from houseway.manager.core.floor import Floor
from houseway.manager.server.head_keeper import HeadKeeper
from houseway.manager.server.logs import lines_logged
from houseway.manager.server.metrics_text import MetricFamily, Sample, decimal_dollars
from houseway.manager.server.server import MOST_CLIENTS, Server
from houseway.manager.store.clock import wall_micros
from houseway.manager.views.jackpot_views import meters_view

STATES: Final = ("serving", "impaired", "paused", "damaged", "closed")


class Metrics:
    """The metrics of one server process."""

    def __init__(self, server: Server, keeper: HeadKeeper | None = None, file: Path | None = None) -> None:
        """Measure a server, the heads that it signs, and the SQLite file that it keeps, if it does."""
        self._server = server
        self._keeper = keeper
        self._file = file

    def collect(self) -> list[MetricFamily]:
        """All families as they are now."""
        return [*self._of_manager(), *self._of_traffic(), *self._of_floor(), *self._of_store(), *_of_process()]

    def health(self) -> dict[str, object]:
        """How the server is, for a probe: the state and codes, without names, addresses or messages."""
        found = self._server.health()
        return {
            "state": found.state,
            "seq": found.seq,
            "version": found.version,
            "faults": sorted({fault.code for fault in found.faults}),
            "alerts": sorted({alert.code for alert in found.alerts or ()}),
            "reminders": sorted({reminder.code for reminder in found.reminders}),
        }

    def _of_manager(self) -> Iterable[MetricFamily]:
        found = self._server.health()
        yield MetricFamily(
            "houseway_state", "gauge", "1 for the state that the manager is in (docs/operations.md)",
            [Sample(int(found.state == state), {"state": state}) for state in STATES],
        )  # fmt: skip
        yield _gauge("houseway_info", "1, with the version of the program", 1, {"version": str(found.version)})
        yield _counter("houseway_journal_events_total", "Number of the last event that this server knows", found.seq)
        yield _counted("houseway_faults", "gauge", "Faults that stand, by code", "code", _codes(found.faults))
        yield _counted("houseway_alerts", "gauge", "Alerts that stand, by code", "code", _codes(found.alerts or ()))
        yield _counted("houseway_reminders", "gauge", "Reminders that stand, by code", "code", _codes(found.reminders))
        yield _gauge("houseway_clients", "Connections of devices that have proved themselves", found.clients or 0)
        yield _gauge("houseway_clients_most", "Connections that this server takes", MOST_CLIENTS)
        yield _gauge("houseway_strangers", "Connections that have not greeted", found.strangers or 0)
        yield _gauge(
            "houseway_tables_uncovered", "Tables that begin no round for want of a paper", len(found.uncovered)
        )
        if self._keeper is not None:
            yield _counter("houseway_head_events_total", "Events under the newest signed head", self._keeper.newest)

    def _of_traffic(self) -> Iterable[MetricFamily]:
        traffic = self._server.traffic
        yield MetricFamily(
            "houseway_commands_total", "counter", "Commands by kind and outcome: done, repeated, refused, failed",
            [Sample(count, {"kind": kind, "outcome": how}) for (kind, how), count in sorted(traffic.commands.items())],
        )  # fmt: skip
        yield MetricFamily(
            "houseway_command_seconds", "histogram", "Seconds from reading a command to its answer",
            traffic.seconds.samples(),
        )  # fmt: skip
        for name, about, label, counts in (
            ("houseway_refusals_total", "Faults of refused commands, by code", "code", traffic.refusals),
            ("houseway_questions_total", "Questions that were answered, by name", "question", traffic.questions),
            ("houseway_greetings_total", "Connections that proved themselves, by kind of device", "kind",
             traffic.greetings),
            ("houseway_endings_total", "Connections that the server ended, by code", "code", traffic.endings),
            ("houseway_log_lines_total", "Lines of the log, by level", "level", lines_logged()),
        ):  # fmt: skip
            yield _counted(name, "counter", about, label, counts)

    def _of_floor(self) -> list[MetricFamily]:
        return self._server.manager.last_known(lambda _, floor: _floor_families(floor))

    def _of_store(self) -> Iterable[MetricFamily]:
        if self._file is None:
            return
        sizes = {suffix: _size(self._file.with_name(f"{self._file.name}{suffix}")) for suffix in ("", "-wal")}
        yield _gauge("houseway_store_bytes", "Size of the SQLite file", sizes[""])
        yield _gauge("houseway_store_log_bytes", "Size of its write-ahead log", sizes["-wal"])
        try:
            disk = os.statvfs(self._file.parent)
        except OSError:
            return
        yield _gauge("houseway_store_free_bytes", "Bytes that are free on its disk", disk.f_bavail * disk.f_frsize)


def _floor_families(floor: Floor) -> list[MetricFamily]:
    tables = list(floor.tables.values())
    in_play = sum(table.round is not None for table in tables)
    statuses = Counter[str](open=0, closed=0)
    statuses.update(table.status for table in tables)
    awards = Counter[str](award.status for award in floor.awards.values())
    meters = [meters_view(floor, link) for _, link in sorted(floor.links.items())]
    levels = [({"link": each.link, "level": name}, level) for each in meters for name, level in each.levels.items()]
    return [
        _counted("houseway_tables", "gauge", "Tables, by status", "status", statuses),
        _gauge("houseway_rounds_in_play", "Tables with a round in play", in_play),
        _counter("houseway_rounds_total", "Rounds that were begun at all tables", sum(each.rounds for each in tables)),
        _counted("houseway_awards", "gauge", "Awards of rounds in play, by status", "status", awards),
        _gauge("houseway_proposals", "Changes that wait for a second person", len(floor.proposals)),
        MetricFamily(
            "houseway_meter_dollars", "gauge", "What the sign of a level shows",
            [Sample(decimal_dollars(level.displayed_micros), labels) for labels, level in levels],
        ),
        MetricFamily(
            "houseway_level_hits_total", "counter", "Hits of a level so far",
            [Sample(level.hits, labels) for labels, level in levels],
        ),
        _gauge("houseway_last_event_timestamp_seconds", "When the last event was written", floor.last_at // 1_000_000),
        _gauge("houseway_clock_timestamp_seconds", "The time on the manager's clock", wall_micros() // 1_000_000),
    ]  # fmt: skip


def _of_process() -> Iterable[MetricFamily]:
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = used.ru_utime + used.ru_stime
    yield MetricFamily("process_cpu_seconds_total", "counter", "Processor time of the process", [Sample(seconds)])
    yield _gauge("process_max_fds", "Files and sockets that it may hold", resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        files = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - only how many
    except (OSError, ValueError, IndexError):
        return  # not on this system
    yield _gauge("process_resident_memory_bytes", "Memory that it holds", pages * os.sysconf("SC_PAGE_SIZE"))
    yield _gauge("process_open_fds", "Files and sockets that it holds", files)


def _gauge(name: str, about: str, value: int, labels: Mapping[str, str] | None = None) -> MetricFamily:
    return MetricFamily(name, "gauge", about, [Sample(value, labels or {})])


def _counter(name: str, about: str, value: int) -> MetricFamily:
    return MetricFamily(name, "counter", about, [Sample(value)])


def _counted(name: str, kind: str, about: str, label: str, counts: Mapping[str, int]) -> MetricFamily:
    samples = [Sample(count, {label: key}) for key, count in sorted(counts.items())]
    return MetricFamily(name, "counter" if kind == "counter" else "gauge", about, samples)


def _codes(found: Iterable[object]) -> Counter[str]:
    return Counter(str(getattr(each, "code", "")) for each in found)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
