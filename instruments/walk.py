"""The walk of one round and one jackpot through the modules, written into docs/architecture.md from a trace.

What a hop adds is the first line of the module that it enters. A module stands where it is first entered; one that only
lends a helper to modules that are there already is a hop as well, so that a wrapper that adds nothing cannot hide.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Final, Self

import houseway as hw

PAGE: Final = Path(__file__).parents[1] / "docs" / "architecture.md"
SOURCE: Final = Path(hw.__file__).parent
ASIDE: Final = ("houseway-subscriptions",)
"""Threads that nobody waits for who has given a command: when they come to an event is chance."""


@dataclass(frozen=True, slots=True)
class Hop:
    """The first entry into a module: from which other one, and by which function."""

    module: str
    function: str
    caller: str

    @property
    def adds(self) -> str:
        """What the module says of itself in its first line."""
        return first_line(SOURCE / f"{self.module}.py")


class Trace:
    """Watches which modules are entered while it listens, in this thread and in those that begin after it did."""

    def __init__(self) -> None:
        self._entered: set[str] = set()
        self._found: list[Hop] | None = None

    def __enter__(self) -> Self:
        threading.setprofile(self._look)
        sys.setprofile(self._look)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def hops_of(self, act: Callable[[], object]) -> list[Hop]:
        """The modules that an act enters, in their order, but for those that an act before it has entered."""
        found = self._found = []
        try:
            act()
        finally:
            self._found = None
        return found

    def _look(self, frame: FrameType, event: str, _argument: object) -> None:
        if event != "call" or self._found is None or threading.current_thread().name in ASIDE:
            return
        module = _module_of(frame)
        if module is not None and module not in self._entered:
            self._entered.add(module)
            self._found.append(Hop(module, frame.f_code.co_qualname, next(_callers(frame), "")))


def _callers(frame: FrameType) -> Iterator[str]:
    """The modules of Houseway from which a frame was called, the nearest first."""
    before = frame.f_back
    while before is not None:
        module = _module_of(before)
        if module is not None:
            yield module
        before = before.f_back


def _module_of(frame: FrameType) -> str | None:
    """The module of a frame below the package's folder; None for others' code and for what runs while loading."""
    code = frame.f_code
    if code.co_name == "<module>" or not code.co_filename.startswith(str(SOURCE)):
        return None
    return Path(code.co_filename).relative_to(SOURCE).with_suffix("").as_posix()


def first_line(path: Path) -> str:
    """What a module says of itself."""
    line = path.read_text(encoding="utf-8").split("\n", 1)[0]
    return line.removeprefix('"""').removesuffix('"""').rstrip(".")


def round_walk() -> list[tuple[str, list[Hop]]]:
    """A round with a bonus and a jackpot wager, settled."""
    dealer = "As Kd Qh 9c 7d 5h 3c"

    def settle(cards: str) -> object:
        return hw.settle(
            "fortune",
            dealer=dealer,
            seats={2: hw.Seat(cards, main=2000, fortune=500, progressive=100)},
            paytables={"fortune": "FPGP-3", "progressive": "FPGPP-WA01"},
            meters={"main": 2_480_225},
            seed_amounts={"main": 1_000_000},
        ).to_json()

    settle("8s 8d Ah Kc Qs 4d 2h")  # what is read from data files once has been read
    with Trace() as trace:
        return [("`hw.settle(...).to_json()`", trace.hops_of(lambda: settle("9s 8s 7s 6s 5s 4s 3s")))]


def jackpot_walk() -> list[tuple[str, list[Hop]]]:
    """A jackpot in a room in memory: wagered, hit, seen by surveillance and paid."""
    with Trace() as trace, hw.Room.demo() as room:
        dealer = room.dealer("T1")

        def play(walk: Callable[..., Any]) -> None:
            round_ = walk("round.start", actor=dealer, table="T1", sensors={"1": [2, 5]}).answer.round
            walk("hand.press", actor=dealer, round=round_, seat=5, hand="seven-card-straight-flush")
            (award,) = walk("jackpot.hit", actor=dealer, round=round_).answer.awards
            seen = {"payout": award.award, "hand": award.hand, "cents": award.cents, "reference": "camera 4"}
            walk("surveillance.reference", actor="Surveillance 1", round=round_, **seen)
            walk("jackpot.pay", actor=dealer, award=award.award, badge=room.badge("Executive 1"))
            walk("round.end", actor=dealer, round=round_)

        play(room.command)
        sections: list[tuple[str, list[Hop]]] = []

        def walked(kind: str, **fields: Any) -> Any:  # noqa: ANN401 - the fields of any command
            answers: list[Any] = []
            sections.append((f"`{kind}`", trace.hops_of(lambda: answers.append(room.command(kind, **fields)))))
            return answers[0]

        play(walked)
    return sections


WALKS: Final = {"round": round_walk, "jackpot": jackpot_walk}
"""By the name in the page's marks."""


def table(sections: Sequence[tuple[str, Sequence[Hop]]]) -> str:
    """The walk as a table."""
    rows = ["| | module | entered from | by | what it adds |", "|---|---|---|---|---|"]
    number = 0
    for act, hops in sections:
        rows.append(f"| | **{act}** | | | {'' if hops else 'no module that is not there already'} |")
        for hop in hops:
            number += 1
            caller = f"`{hop.caller}`" if hop.caller else ""
            rows.append(f"| {number} | `{hop.module}` | {caller} | `{hop.function}` | {hop.adds} |")
    return "\n".join(rows) + "\n"


def page(text: str) -> str:
    """The page with its walks as they are today."""
    for name, walk in WALKS.items():
        begin, end = f"<!-- walk: {name} -->\n", f"<!-- end of walk: {name} -->\n"
        before, rest = text.split(begin)
        text = f"{before}{begin}\n{table(walk())}\n{end}{rest.split(end)[1]}"
    return text
