"""The table of docs/face-up.md that comes from the shipped results: `scripts/write-face-up-page` puts it there."""

from __future__ import annotations

import re
from typing import Final

from houseway.games import game
from houseway.odds.conformance.claims import seen_result
from houseway.odds.seen.gains import Gain, shipped_gains

_MARKED: Final = re.compile(r"(<!-- figures -->\n).*?(<!-- end of figures -->)", re.DOTALL)
_HEADS: Final = ("game", "wagers", "commission", "seen hands", "gain", "edge", "left")


def filled(page: str) -> str:
    """The page with the table of figures between its marks."""
    assert _MARKED.search(page), "the page has its marks"
    return _MARKED.sub(lambda marks: f"{marks[1]}{figures()}{marks[2]}", page)


def figures() -> str:
    """A row for each game, its wagers and a number of seen hands."""
    rows = [_row(gain) for gain in shipped_gains()]
    lines = [_HEADS, ("---", "---", "---:", "---:", "---:", "---:", "---:"), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _row(gain: Gain) -> tuple[str, ...]:
    shown = f"{float(gain.gain):.4%} ± {gain.error:.4%}" if gain.hands else "exactly 0"
    found = seen_result(gain.game, gain.others, gain.wagers, gain.commission)
    rate = f"{gain.commission}%" if game(gain.game).commission else ""
    edges = ("not solved yet",) * 2 if found is None else (f"{float(found.before):.4%}", f"{found.edge:.4%}")
    return (game(gain.game).title, gain.wagers, rate, str(gain.others), shown, *edges)
