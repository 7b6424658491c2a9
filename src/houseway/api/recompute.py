"""`--recompute` of `houseway verify`: counts everything again, tells how long it took, and compares with what ships."""

from __future__ import annotations

import os
from collections.abc import Iterable
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from houseway.api.telling import Teller
    from houseway.odds.conformance.conformance_report import CountsOf
    from houseway.odds.hand_counts import Domain, HandCounts
    from houseway.odds.running.executors import Executor
    from houseway.paytables import PayTable


def recompute_counts(tables: Iterable[PayTable], problems: list[str], teller: Teller) -> CountsOf:
    """Deal out every hand that the tables look at; a difference to the shipped counts goes to the problems."""
    from houseway.odds.hand_counts import recount
    from houseway.odds.wagers import counts_for

    teller.announce_compiling()
    games = {table.games[0] for table in tables if table.printed and table.looks_at == "player-best"}
    domains = {counts_for(game).domain for game in games}
    fresh: dict[Domain, HandCounts] = {}
    begun = perf_counter()
    with teller.follow("counting every hand") as progress:
        for number, domain in enumerate(sorted(domains)):
            if progress is not None:
                progress(number, len(domains))
            fresh[domain] = recount(domain, threads=os.cpu_count() or 1)
    teller.say(f"pay-table counts: {len(domains)} domains counted again in {perf_counter() - begun:.1f} s")

    def counts_of(game: str) -> HandCounts:
        return fresh[counts_for(game).domain]

    problems += [
        f"the hand counts of {game} differ from the shipped ones: run scripts/write-hand-counts"
        for game in sorted(games)
        if counts_of(game).by_names != counts_for(game).by_names
    ]
    return counts_of


def recompute_ways(tables: Iterable[PayTable], executor: Executor, problems: list[str], teller: Teller) -> None:
    """Solve again what depends on how both sides set, each house way timed by itself."""
    played = {
        game_id
        for table in tables
        if table.printed and table.looks_at in ("dealer-best", "dealer-low")
        for game_id in table.games
    }
    if not played:
        return
    from houseway.games import game
    from houseway.odds.conformance.independent_hands import is_as_shipped

    for way in dict.fromkeys(way for game_id in sorted(played) for way in game(game_id).ways):
        begun = perf_counter()
        if not _way_agrees(way, executor, teller):
            problems.append(
                f"both sides by {way}: the result is not the shipped one, or none is shipped for these rules"
            )
        if not is_as_shipped(way):
            problems.append(f"hands drawn independently, by {way}: the result is not the shipped one")
        teller.say(f"both sides by {way}: solved again in {perf_counter() - begun:.1f} s")


def _way_agrees(way: str, executor: Executor, teller: Teller) -> bool:
    from houseway.odds.running.cache import Cache
    from houseway.odds.solved import comes_out_as_shipped

    with teller.follow(way) as progress:
        return comes_out_as_shipped(way, "second", executor=executor, cache=Cache(say=teller.say), progress=progress)
