"""`houseway demo-floor`: a small floor plays by itself on SQLite, hits its jackpot, and is audited at the end."""

from __future__ import annotations

import random
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import Parameter
from cyclopts.validators import Number

from houseway.cli.output import JsonFlag, console, print_json
from houseway.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from houseway.manager.demo.play import DemoFloor, Scene, Takings
    from houseway.manager.interface.auditing import AuditReport, Reconciliation

_STYLES: Final = {"setup": "bold", "win": "cyan", "hit": "bold yellow", "waiting": "dim", "paid": "bold green"}


def demo_floor(
    *,
    rounds: Annotated[int, Parameter(validator=Number(gte=3, lte=100_000), help="Rounds to play.")] = 60,
    seed: Annotated[int | None, Parameter(help="The seed of the players' choices; cards are always fresh.")] = None,
    pause: Annotated[
        float, Parameter(validator=Number(gte=0, lte=10), help="Seconds to wait between rounds, for watching.")
    ] = 0.1,
    folder: Annotated[
        Path | None,
        Parameter(help="A new folder in which to keep database and keys; without it they are removed at the end."),
    ] = None,
    as_json: JsonFlag = False,
) -> int:
    """Play a small floor: meters climb, a jackpot is hit, verified, paid and reconciled, and the chain is verified."""
    chosen = random.SystemRandom().randrange(10**6) if seed is None else seed
    wait = 0.0 if as_json else pause
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="houseway-floor-") as temporary:
            return _run(Path(temporary), rounds, chosen, wait, as_json=as_json, kept=False)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError.of("folder-in-use", "folder", f"{folder} already exists: name a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    return _run(folder, rounds, chosen, wait, as_json=as_json, kept=True)


def _run(folder: Path, rounds: int, seed: int, pause: float, *, as_json: bool, kept: bool) -> int:
    from houseway.manager.demo.floorplan import office
    from houseway.manager.demo.play import PLAN, DemoFloor
    from houseway.manager.interface.opening import begin_on

    url = f"sqlite:///{folder / 'floor.db'}"
    out = None if as_json else console()
    with begin_on(url, folder / "keys", PLAN.name, "commercial", office()) as manager:
        floor = DemoFloor(manager, seed)
        scenes = _watch(floor, rounds, pause, out)
        meters = floor.meters()
        takings = floor.takings
    report, books = _audit(url, folder / "keys")
    if as_json:
        kinds = {kind: sum(scene.kind == kind for scene in scenes) for kind in dict.fromkeys(s.kind for s in scenes)}
        print_json({
            "seed": seed, "rounds": rounds, "scenes": kinds, "meters": meters,
            "tables": {table: asdict(taken) for table, taken in takings.items()},
            "reconciliation": books.to_json(), "audit": report.to_json(),
        })  # fmt: skip
    else:
        assert out is not None
        _show_takings(out, takings)
        _show_end(out, folder, report, books, kept=kept)
    return 0 if report.is_clean and books.agrees else 1


def _watch(floor: DemoFloor, rounds: int, pause: float, out: Console | None) -> list[Scene]:
    """Play, and show what happens as it happens."""
    scenes = [floor.open()]
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
    from houseway.amounts import Micros, whole_cents
    from houseway.wording import dollars

    meters = floor.meters()
    shown = "   ".join(
        f"{link} {dollars(whole_cents(Micros(amount)))}"
        for link, levels in meters.items()
        for amount in levels.values()
    )
    style = _STYLES.get(scene.kind, "")
    if scene.kind == "cards":
        _tell_cards(out, scene)
        return
    out.print(f"{scene.table:<3} {scene.text}", style=style, highlight=False)
    if scene.kind in {"round", "setup", "paid"}:
        out.print(f"    {shown}", style="dim", highlight=False)


def _tell_cards(out: Console, scene: Scene) -> None:
    """The dealer's hands, and each player's with what became of the main wager."""
    dealer = scene.facts["dealer"]
    out.print(f"{scene.table:<3} {scene.text}  dealer  {_hands(dealer)}", highlight=False)
    for seat in scene.facts["seats"]:
        ended = next(line for line in seat["lines"] if line["wager"] == "main")
        place = f"    {'':<{len(scene.text)}}  seat {seat['seat']}"
        out.print(f"{place}  {_hands(seat)}  {ended['outcome']}", highlight=False)


def _hands(laid: dict[str, Any]) -> str:
    """A high and a low hand in signs, and in words."""
    from houseway.cards.card import parse_cards
    from houseway.cli.render import cards_text

    high, low = (cards_text(parse_cards(" ".join(laid[name]))).plain for name in ("high", "low"))
    return f"{high} | {low}  {laid['high_text']} / {laid['low_text']}"


def _show_takings(out: Console, takings: dict[str, Takings]) -> None:
    """Drop and win of every table."""
    from houseway.wording import dollars

    out.print("\nDrop and win by table", style="bold")
    for table, taken in takings.items():
        played = f"{taken.rounds} rounds of {taken.game}"
        main = f"drop {dollars(taken.drop)}, win {dollars(taken.win)}"
        if not taken.drop:
            main = "main wagers not known: cards on the felt"
        jackpot = f"jackpot coins {dollars(taken.coins)}, awards {dollars(taken.awards)}"
        out.print(f"  {table}: {played}: {main}; {jackpot}", highlight=False)


def _audit(url: str, keys: Path) -> tuple[AuditReport, Reconciliation]:
    """Verify the whole chain, and reconcile every account from transfers alone."""
    from houseway.manager.interface.auditing import audit, open_view, reconcile

    with open_view(url) as view:
        return audit(url, keys), reconcile(view, 0, time.time_ns() // 1_000 + 1)


def _show_end(out: Console, folder: Path, report: AuditReport, books: Reconciliation, *, kept: bool) -> None:
    """The day's books and the audit, in a few lines."""
    from houseway.wording import micro_dollars

    out.print("\nReconciled from the transfers", style="bold")
    for level in books.levels:
        parts = {
            "opened": level.opened, "contributions": level.contributions, "won": level.won, "seed": level.seeded,
            "reserve": level.released, "closing": level.closing,
        }  # fmt: skip
        out.print(
            f"  {level.link}/{level.level}: " + ", ".join(f"{name} {micro_dollars(a)}" for name, a in parts.items())
        )
    agreed = sum(check.agrees for check in books.checks)
    out.print(f"  {agreed} of {len(books.checks)} checks agree", style="green" if books.agrees else "bold red")
    rows = ", ".join(f"{number:,} {table}" for table, number in report.rows.items() if number)
    verdict = "the audit chain verifies" if report.is_clean else f"{report.found} findings in the audit"
    out.print(f"Audited: {rows}: {verdict}", style="green" if report.is_clean else "bold red")
    for finding in report.findings:
        out.print(f"  {finding}", style="red")
    if kept:
        out.print(f"Look further: houseway audit rounds --database {folder / 'floor.db'}", highlight=False)
