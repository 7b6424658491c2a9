"""`houseway demo-floor`: a small floor plays by itself on SQLite, hits its jackpot, and is audited at the end."""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import Parameter
from cyclopts.validators import Number

from houseway.cli.output import JsonFlag, console, print_json
from houseway.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from houseway.manager.demo.play import DemoFloor, Scene
    from houseway.manager.store.verify import Report

_STYLES: Final = {"setup": "bold", "win": "cyan", "hit": "bold yellow", "waiting": "dim", "paid": "bold green"}


def demo_floor(
    *,
    rounds: Annotated[int, Parameter(validator=Number(gte=3, lte=100_000), help="Rounds to play.")] = 60,
    seed: Annotated[int | None, Parameter(help="Seed of the players' choices; cards are always fresh.")] = None,
    pause: Annotated[
        float, Parameter(validator=Number(gte=0, lte=10), help="Seconds between two rounds, to watch.")
    ] = 0.1,
    folder: Annotated[
        Path | None, Parameter(help="New folder that keeps database and keys; else they are removed at the end.")
    ] = None,
    as_json: JsonFlag = False,
) -> int:
    """Play a small floor: meters climb, a jackpot is hit, verified, paid and reconciled, and the chain is verified."""
    chosen = random.SystemRandom().randrange(10**6) if seed is None else seed
    wait = 0.0 if as_json else pause
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="houseway-floor-") as temporary:
            return _run(Path(temporary), rounds, chosen, wait, as_json=as_json)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError.of("folder-in-use", "folder", f"{folder} is there already: name a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    return _run(folder, rounds, chosen, wait, as_json=as_json)


def _run(folder: Path, rounds: int, seed: int, pause: float, *, as_json: bool) -> int:
    from houseway.manager.demo.play import DemoFloor
    from houseway.manager.store.keys import create_keys
    from houseway.manager.store.manager import open_manager

    keys = create_keys(folder / "keys")
    url = f"sqlite:///{folder / 'floor.db'}"
    out = None if as_json else console()
    with open_manager(url, folder / "keys") as manager:
        floor = DemoFloor(manager, keys.fingerprint, seed)
        scenes = _watch(floor, rounds, pause, out)
        meters = floor.meters()
    report, links = _audit(url, folder / "keys")
    clean = report.is_clean and all(level["difference_micros"] == 0 for level in links)
    if as_json:
        kinds = {kind: sum(scene.kind == kind for scene in scenes) for kind in dict.fromkeys(s.kind for s in scenes)}
        print_json({
            "seed": seed, "rounds": rounds, "scenes": kinds, "meters": meters, "reconciled": links,
            "audit": report.to_json(),
        })  # fmt: skip
    else:
        assert out is not None
        _show_end(out, folder, report, links)
    return 0 if clean else 1


def _watch(floor: DemoFloor, rounds: int, pause: float, out: Console | None) -> list[Scene]:
    """Play, and show what happens as it happens."""
    scenes = [floor.open(time.time_ns() // 1_000)]
    _tell(out, scenes[0], floor)
    for scene in floor.play(rounds):
        scenes.append(scene)
        _tell(out, scene, floor)
        if pause and scene.kind == "round":
            time.sleep(pause)
    return scenes


def _tell(out: Console | None, scene: Scene, floor: DemoFloor) -> None:
    """One line: what happened, and what the signs show."""
    if out is None:
        return
    from houseway.manager.core.money import dollars, micros, whole_cents

    meters = floor.meters()
    shown = "   ".join(
        f"{link} {dollars(micros(whole_cents(amount)))}"
        for link, levels in meters.items()
        for amount in levels.values()
    )
    style = _STYLES.get(scene.kind, "")
    out.print(f"{scene.table:<3} {scene.text}", style=style, highlight=False)
    if scene.kind in {"round", "setup", "paid"}:
        out.print(f"    {shown}", style="dim", highlight=False)


def _audit(url: str, keys: Path) -> tuple[Report, list[dict[str, Any]]]:
    raise NotImplementedError


def _show_end(out: Console, folder: Path, report: Report, links: list[dict[str, Any]]) -> None:
    raise NotImplementedError
