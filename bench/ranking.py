"""Ranking: random seven-card hands in batches from Python beside five peers, and all 154,143,080 hands in one go.

Every contender ranks random hands, prepared in its own form before the clock starts, by its fastest calls, in small and
in large batches; the better batch counts, and of it the best of several turns that the contenders take one after
another. The peers get 52-card hands, for none of them takes a joker; Houseway gets hands from all 53 cards. Before
anything is timed, each peer's order of the 52-card hands is compared with Houseway's.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import starmap
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from houseway.cards.card import CARD_TEXTS
from houseway.ranking import PAI_GOW, STANDARD, fast, rank_kernels
from houseway.ranking.counting import count_domain

Hands = npt.NDArray[np.uint8]

# Python objects are fastest while they fit into the caches, arrays when there are many hands to a call. Below ten
# thousand hands a processor starts to know the hands by heart and no longer ranks random ones.
PEER_BATCHES = (10_000, 100_000)
OWN_BATCHES = (100_000, 1_000_000)
TURNS = 5
CALLS_IN_A_TURN = 3
COMPARED = 1_000


class Contender(NamedTuple):
    """A way to rank hands: what is called, how many hands a turn, and whether a higher value wins."""

    package: str
    call: str
    hands: int
    rank: Callable[[], Sequence[int]]
    higher_wins: bool = True


def random_hands(count: int, deck: int, seed: int) -> Hands:
    """Hands of seven cards, each a uniform draw from the deck."""
    generator = np.random.default_rng(seed)
    chunks = [generator.random((chunk.size, deck)).argsort(axis=1)[:, :7] for chunk in np.array_split(range(count), 50)]
    return np.concatenate(chunks).astype(np.uint8)


def peers(hands: Hands) -> list[Contender]:
    """Every peer's fastest calls; a slow peer gets fewer of the hands."""
    import eval7
    import pkrbot
    import pokerkit
    import treys
    from phevaluator import _pheval

    rows = hands.tolist()
    # Houseway counts suits c, d, h, s from 0, as phevaluator and pkrbot do.
    bytes_of = [(bytes(card >> 2 for card in hand), bytes(card & 3 for card in hand), 7) for hand in rows]
    pkrbot_cards = [pkrbot.Card(text) for text in CARD_TEXTS[:52]]
    pkrbot_hands = [[pkrbot_cards[card] for card in hand] for hand in rows]
    eval7_cards = [eval7.Card(text) for text in CARD_TEXTS[:52]]
    eval7_hands = [[eval7_cards[card] for card in hand] for hand in rows]
    few, very_few = rows[:2_000], rows[:200]
    treys_cards = [treys.Card.new(text) for text in CARD_TEXTS[:52]]
    treys_hands = [([treys_cards[card] for card in hand], []) for hand in few]
    treys_evaluate = treys.Evaluator().evaluate
    pokerkit_cards = [next(iter(pokerkit.Card.parse(text))) for text in CARD_TEXTS[:52]]
    pokerkit_hands = [tuple(pokerkit_cards[card] for card in hand) for hand in very_few]
    best_of = pokerkit.StandardHighHand.from_game

    def pokerkit_ranks() -> list[int]:
        return [best_of(hand).entry.index for hand in pokerkit_hands]

    count = len(rows)
    return [
        Contender("pkrbot", "map(evaluate, card lists)", count, lambda: list(map(pkrbot.evaluate, pkrbot_hands))),
        Contender(
            "pkrbot", "starmap(evaluate_raw, bytes)", count, lambda: list(starmap(pkrbot.evaluate_raw, bytes_of))
        ),
        Contender(
            "phevaluator",
            "starmap(_pheval.evaluate_7cards, ints)",
            count,
            lambda: list(starmap(_pheval.evaluate_7cards, rows)),
            higher_wins=False,
        ),
        Contender("eval7", "map(evaluate, card lists)", count, lambda: list(map(eval7.evaluate, eval7_hands))),
        Contender(
            "treys",
            "starmap(Evaluator().evaluate, ints)",
            len(few),
            lambda: list(starmap(treys_evaluate, treys_hands)),
            higher_wins=False,
        ),
        Contender("pokerkit", "StandardHighHand.from_game", len(very_few), pokerkit_ranks),
    ]


def ours(hands: Hands) -> list[Contender]:
    """Houseway's calls on hands with the joker."""
    rows = hands[:10_000].tolist()
    return [
        Contender("houseway", "rank_hands(array)", len(hands), lambda: rank_kernels.rank_hands(hands)),
        Contender(
            "houseway", "rank_hands(array, threads=2)", len(hands), lambda: rank_kernels.rank_hands(hands, threads=2)
        ),
        Contender("houseway", "names_of_hands(array)", len(hands), lambda: rank_kernels.names_of_hands(hands)),
        Contender("houseway", "value_of_best without numba", len(rows), lambda: list(map(fast.value_of_best, rows))),
    ]


def check_same_order(contender: Contender, values: Sequence[int]) -> None:
    """Stop if a contender orders hands in another way: equal where we say equal, higher where we say higher."""
    theirs = np.asarray(contender.rank()[: len(values)], dtype=np.int64)
    mine = np.asarray(values[: len(theirs)], dtype=np.int64)
    order = np.argsort(mine, kind="stable")
    steps = np.diff(theirs[order]) * (1 if contender.higher_wins else -1)
    if not np.array_equal(np.sign(steps), np.sign(np.diff(mine[order]))):
        sys.exit(f"{contender.package} orders hands in another way")


def best_seconds(calls: Sequence[Callable[[], object]]) -> list[float]:
    """The shortest time of each call; all take turns, so that a busy moment of the machine hits all alike."""
    best = [float("inf")] * len(calls)
    for _ in range(TURNS):
        for place, call in enumerate(calls):
            for _ in range(CALLS_IN_A_TURN):
                begun = time.perf_counter()
                call()
                best[place] = min(best[place], time.perf_counter() - begun)
    return best


def first_use_seconds() -> dict[str, float]:
    """From the shell to the first ranked batch: with no compiled code on disk, and with it."""
    program = "from houseway.ranking.rank_kernels import warm_up; warm_up(lambda sentence: None)"
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"NUMBA_CACHE_DIR": folder}
        seconds = []
        for _ in range(2):
            begun = time.perf_counter()
            subprocess.run([sys.executable, "-c", program], check=True, env=environment)
            seconds.append(round(time.perf_counter() - begun, 2))
    return {"compiling": seconds[0], "compiled before": seconds[1]}


def enumeration() -> dict[str, Any]:
    """Every hand of seven cards of 53 dealt and ranked, warm, on one core and with two threads."""
    counted = count_domain(7, PAI_GOW)
    assert counted.hands == comb(53, 7)
    one, two = best_seconds([lambda: count_domain(7, PAI_GOW), lambda: count_domain(7, PAI_GOW, threads=2)])
    return {
        "hands": counted.hands,
        "checksum": counted.checksum,
        "seconds_one_core": round(one, 3),
        "seconds_two_threads": round(two, 3),
        "million_per_second_one_core": round(counted.hands / one / 1e6, 1),
    }


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    cpu = Path("/proc/cpuinfo")
    names = [line.partition(": ")[2] for line in cpu.read_text().splitlines() if line.startswith("model name")]
    return {
        "processor": names[0] if names else platform.processor(),
        "cores": os.cpu_count(),
        "load_before": round(os.getloadavg()[0], 2),
        "python": platform.python_version(),
    }


def package_version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def random_hands_ranked() -> list[dict[str, Any]]:
    """Hands a second of every contender's calls, the fastest peer's speed as the measure."""
    without_joker, with_joker = (
        random_hands(max(PEER_BATCHES), 52, seed=52),
        random_hands(max(OWN_BATCHES), 53, seed=53),
    )
    rivals = [rival for batch in PEER_BATCHES for rival in peers(without_joker[:batch])]
    own = [contender for batch in OWN_BATCHES for contender in ours(with_joker[:batch])]
    standard = [fast.value_of_best(hand, STANDARD) for hand in without_joker[:COMPARED].tolist()]
    for rival in rivals:
        check_same_order(rival, standard)
    contenders = [*own, *rivals]
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for contender, seconds in zip(contenders, best_seconds([each.rank for each in contenders]), strict=True):
        speed = contender.hands / seconds / 1e6
        if speed > rows.get((contender.package, contender.call), {"million_per_second": 0})["million_per_second"]:
            rows[contender.package, contender.call] = {
                "package": contender.package,
                "version": package_version(contender.package),
                "call": contender.call,
                "batch": contender.hands,
                "million_per_second": round(speed, 4),
            }
    fastest_peer = max(row["million_per_second"] for row in rows.values() if row["package"] != "houseway")
    for row in rows.values():
        row["times_fastest_peer"] = round(row["million_per_second"] / fastest_peer, 4)
    return sorted(rows.values(), key=lambda row: -row["million_per_second"])


def run() -> dict[str, Any]:
    """All figures of this benchmark."""
    return {
        "machine": machine(),
        "random_seven_card_hands": random_hands_ranked(),
        "every_seven_card_hand": enumeration(),
        "first_use_seconds": first_use_seconds(),
    }


def as_table(result: dict[str, Any]) -> str:
    """The result for people."""
    lines = [f"{'package':<12} {'call':<40} {'batch':>9} {'M hands/s':>10} {'x fastest peer':>15}"]
    lines += [
        f"{row['package']:<12} {row['call']:<40} {row['batch']:>9,} {row['million_per_second']:>10.3f} "
        f"{row['times_fastest_peer']:>15.3f}"
        for row in result["random_seven_card_hands"]
    ]
    every = result["every_seven_card_hand"]
    lines.append(f"all {every['hands']:,} hands: {every['seconds_one_core']} s on one core, warm")
    first = result["first_use_seconds"]
    lines.append(f"first use: {first['compiling']} s compiling, {first['compiled before']} s afterwards")
    return "\n".join(lines)


if __name__ == "__main__":
    found = run()
    print(json.dumps(found, indent=2))
    print(as_table(found), file=sys.stderr)
