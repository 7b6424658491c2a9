"""The endurance run: kill the servers of a playing floor again and again, and check every time that nothing is lost.

    scripts/soak                                  100 kills on SQLite, 50 on PostgreSQL
    scripts/soak --store sqlite --kills 500       more of it
    scripts/soak --minutes 60                     as many kills on each store as an hour brings
    scripts/soak --seed 7                         the choices of a run that failed (timing is never the same)
    scripts/soak --keep FOLDER                    keep database, logs and claims there, also when all is well

Ctrl-C ends it in order: the rounds in play are played to their end and everything is checked; a second one ends it at
once. Exit code 0 when nothing was found and all kills were done, 1 otherwise. A failure prints its seed and keeps its
folder.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from tests.manager.postgres import PostgresServer
from tests.soak.claims import Failure
from tests.soak.kills import Killer
from tests.soak.world import Figures, Size, World, to_stderr

KILLS: Final = {"sqlite": 100, "postgres": 50}
DURABLE: Final = {"fsync": "on", "full_page_writes": "on", "autovacuum": "on", "shared_buffers": "128MB"}


def soak(
    store: str, kills: int, folder: Path, seed: int, *, size: Size | None = None, minutes: float | None = None,
    postgres: PostgresServer | None = None, say: Callable[[str], None] = to_stderr, program: str = "houseway",
    own_sessions: bool = False,
) -> tuple[Figures, bool]:  # fmt: skip
    """One store: the figures, and whether it was ended early. Failure if anything is not as it must be.

    With `own_sessions`, Ctrl-C in a terminal is for this process alone; without, whoever ends its group ends all.
    """
    folder.mkdir(parents=True, exist_ok=True)
    world = World(store, folder, seed, size or Size(), postgres, say, program, own_sessions=own_sessions)
    return asyncio.run(_soak(world, kills, minutes))


async def _soak(world: World, kills: int, minutes: float | None) -> tuple[Figures, bool]:
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    assert task is not None
    loop.add_signal_handler(signal.SIGINT, _interrupt, world, task)
    loop.add_signal_handler(signal.SIGTERM, task.cancel)
    try:
        world.build()
        async with world.playing():
            until = None if minutes is None else time.monotonic() + minutes * 60
            await Killer(world).run(kills, until=until)
        await world.finish()
    except BaseExceptionGroup as group:
        raise _first(group) from group
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        loop.remove_signal_handler(signal.SIGTERM)
    return world.figures, world.stopping.is_set()


def _interrupt(world: World, task: asyncio.Task[Any]) -> None:
    """Ctrl-C: end in order; the second time at once."""
    if world.stopping.is_set():
        task.cancel()
    world.stopping.set()


def _first(error: BaseException) -> BaseException:
    """The failure that ended a run, out of all that ended with it."""
    while isinstance(error, BaseExceptionGroup):
        failures = [each for each in error.exceptions if not isinstance(each, asyncio.CancelledError)]
        error = (failures or error.exceptions)[0]
    return error


def report(figures: Figures) -> str:
    """What a run did, for people."""
    moments = ", ".join(f"{count} {moment}" for moment, count in sorted(figures.kills.items()))
    lines = [f"{figures.store}: {figures.killed} kills in {figures.seconds:,.0f} s, seed {figures.seed}: {moments}"]
    if figures.database:
        lines.append(f"  database: {', '.join(f'{count} {how}' for how, count in sorted(figures.database.items()))}")
    lines.append(f"  servers that stood still: {figures.freezes}; slowest start {figures.slowest_start:.1f} s")
    lines += [f"  {name}: {value:,}" for name, value in figures.found.items()]
    return "\n".join(lines)


def _one(store: str, chosen: argparse.Namespace, base: Path, seed: int) -> str:
    """Run one store: `well`, `early` if it was ended before all kills were done, or `failed`."""
    folder = base / store
    if folder.exists():
        to_stderr(f"soak: {folder} is there already: name another folder, or remove it")
        return "failed"
    kills = chosen.kills or KILLS[store]
    to_stderr(f"soak: {store}, seed {seed}, in {folder}")
    with ExitStack() as stack:
        postgres = PostgresServer(own_session=True, **DURABLE) if store == "postgres" else None
        if postgres is not None:
            stack.callback(postgres.stop)
        try:
            figures, early = soak(
                store, kills, folder, seed, minutes=chosen.minutes, postgres=postgres, own_sessions=True
            )
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - whatever it was, its seed and its folder are what helps
            if postgres is not None:
                stack.pop_all()
                postgres.kill()
                to_stderr(f"soak: the data of PostgreSQL are kept in {postgres.folder}")
            known = isinstance(error, Failure | asyncio.CancelledError)
            what = str(error) or "it was told to end at once" if known else traceback.format_exc()
            to_stderr(f"soak: FAILED on {store} with --seed {seed}: {what}\nsoak: everything is kept in {folder}")
            return "failed"
    (folder / "figures.json").write_text(json.dumps(vars(figures), indent=1) + "\n")
    print(report(figures), flush=True)
    if early and chosen.minutes is None:
        to_stderr(f"soak: ended early, after {figures.killed} of {kills} kills; nothing was found up to there")
        return "early"
    return "well"


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="scripts/soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--store", choices=["sqlite", "postgres", "both"], default="both")
    parser.add_argument("--kills", type=int, metavar="N", help="kills on each store; 100 on SQLite, 50 on PostgreSQL")
    parser.add_argument("--minutes", type=float, metavar="M", help="go on so long on each store, instead of counting")
    parser.add_argument("--seed", type=int, metavar="S", help="of all choices; drawn by default")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where everything is kept; thrown away without it")
    chosen = parser.parse_args(arguments)
    if (chosen.kills is not None and chosen.kills < 1) or (chosen.minutes is not None and chosen.minutes <= 0):
        parser.error("--kills and --minutes are above zero")
    seed = random.SystemRandom().randrange(10**6) if chosen.seed is None else chosen.seed
    # Sockets of devices lie in the folder, and the path of a socket is at most about a hundred characters long.
    base = chosen.keep.absolute() if chosen.keep else Path(tempfile.mkdtemp(prefix="houseway-soak-"))
    if len(str(base)) > 70:
        parser.error(f"{base}: the path is too long for sockets in it, name one of at most 70 characters")
    base.mkdir(parents=True, exist_ok=True)
    outcome = "well"
    for store in ("sqlite", "postgres") if chosen.store == "both" else (chosen.store,):
        if outcome == "well":
            outcome = _one(store, chosen, base, seed)
    if outcome != "failed" and chosen.keep is None:
        shutil.rmtree(base, ignore_errors=True)
    if outcome == "well":
        to_stderr("soak: nothing was lost")
    return 0 if outcome == "well" else 1


if __name__ == "__main__":
    sys.exit(main())
