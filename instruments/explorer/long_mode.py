"""The long mode of the explorer: scenarios for so many minutes, so deep, or so many states; interruptible.

Prints states and depth as it goes, and for every rule that does not hold the shortest commands that break it.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from houseway.errors import InputError
from houseway.manager.core.engine import Envelope
from instruments.explorer.rooms import EVERYBODY, badge, secret
from instruments.explorer.saving import NotOursError, finding_json, load, read_finding, replay, save
from instruments.explorer.scenarios import SCENARIOS
from instruments.explorer.search import Exploration, Finding

TELL_EVERY: Final = 5.0
"""Seconds between two lines of progress."""
SAVE_EVERY: Final = 120.0
"""Seconds after which a search is kept."""
READABLE: Final = {badge(who, number): f"badge {number} of {who}" for who in EVERYBODY for number in (1, 2)} | {
    secret(device): f"secret of {device}" for device in ("X1", "X2", "X3")
}
"""Fingerprints as people can read them."""


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/explore-floor", description=__doc__)
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help=f"of {', '.join(SCENARIOS)}; all by default")
    parser.add_argument("--minutes", type=float, help="stop each scenario after this many minutes")
    parser.add_argument(
        "--depth", type=int, help="look at every state up to this many commands (as the test by default)"
    )
    parser.add_argument("--states", type=int, help="stop each scenario at this many states")
    parser.add_argument("--list", action="store_true", help="print the scenarios and stop")
    parser.add_argument("--json", action="store_true", help="print the outcome for programs")
    parser.add_argument(
        "--replay", type=Path, metavar="FILE", help="carry the commands of a finding out, from its JSON"
    )
    parser.add_argument("--folder", type=Path, default=_folder(), help="where searches are kept")
    parser.add_argument("--again", action="store_true", help="forget what an earlier run has seen")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.scenarios if name not in SCENARIOS]
    if unknown:
        parser.error(f"there is no scenario {unknown[0]}: choose of {', '.join(SCENARIOS)}")
    return options


def _folder() -> Path:
    cache = os.environ.get("HOUSEWAY_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "houseway"
    return Path(cache).expanduser() / "explore-floor"


def _begin(options: argparse.Namespace, name: str) -> Exploration:
    """A new search, or the one that was stopped."""
    path: Path = options.folder / f"{name}.search"
    if path.exists() and not options.again:
        try:
            search = load(path)
        except (NotOursError, OSError) as error:
            _say(f"{name}: {path} is not gone on with: {error}; beginning again")
        else:
            _say(f"{name}: going on after {search.states:,} states (--again starts over)")
            return search
    return Exploration(SCENARIOS[name])


def _explore(options: argparse.Namespace, name: str) -> tuple[Exploration, bool]:
    """Explore one scenario; whether it was interrupted."""
    search, path = _begin(options, name), options.folder / f"{name}.search"
    ends = None if options.minutes is None else time.monotonic() + options.minutes * 60
    bounded = options.minutes is not None or options.states is not None
    depth = options.depth if options.depth is not None or bounded else SCENARIOS[name].depth
    told = kept = time.monotonic()
    interrupted = False

    def interrupt(_signal: int, _frame: object) -> None:
        nonlocal interrupted
        interrupted = True

    def until() -> bool:
        nonlocal told, kept
        now = time.monotonic()
        if now - told > TELL_EVERY:
            told = now
            _say(f"{name}: {search.states:,} states, {search.expanded:,} of them looked at, depth {search.depth}")
        if now - kept > SAVE_EVERY:
            kept = now
            save(search, path)
        return interrupted or (ends is not None and now > ends)

    # A state is looked at whole or not at all, so an interruption waits for the end of one.
    before = signal.signal(signal.SIGINT, interrupt)
    try:
        search.run(depth=depth, states=options.states, until=until)
    finally:
        signal.signal(signal.SIGINT, before)
    save(search, path)
    if interrupted:
        _say("interrupted: the same command goes on from here")
    return search, interrupted


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def outcome(search: Exploration) -> str:
    """What a search has seen, in a line, and its findings."""
    whole = ", which is all there is" if search.is_complete else ""
    seen = f"{search.scenario.name}: {search.states:,} states, complete to depth {search.depth}{whole}"
    tried = f"{search.steps:,} commands tried, {search.refused:,} refused"
    return "\n".join([f"{seen}; {tried}", *(finding_text(each) for each in search.findings.values())])


def finding_text(finding: Finding) -> str:
    """A finding for people: the rule, and the commands that break it."""
    steps = "\n".join(f"    {number}. {command_text(each)}" for number, each in enumerate(finding.path, 1))
    return f"  BROKEN {finding.rule}: {finding.how}\n{steps}"


def command_text(envelope: Envelope) -> str:
    """A command for people: who does what, at which device, with fingerprints by name."""
    do: dict[str, Any] = msgspec.to_builtins(envelope.do)
    kind = do.pop("kind")
    given = {
        name: READABLE.get(value, value) if isinstance(value, str) else value
        for name, value in do.items()
        if value not in (None, {}, [])
    }
    who = f"{envelope.actor} at {envelope.device}: " if envelope.actor else ""
    return f"{who}{kind} {json.dumps(given)}"


def _replay(path: Path) -> int:
    """Carry a finding's commands out and print what comes of each; 1 if a rule is broken on the way."""
    try:
        data = json.loads(path.read_text("utf-8"))
        finding, scenario = read_finding(data), str(data["scenario"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        _say(f'{path} is not a finding ({error}): give one as --json prints it under "findings"')
        return 2
    found = False
    for envelope, came in replay(scenario, finding.path):
        print(command_text(envelope))
        if isinstance(came, InputError):
            print(f"    refused: {came}")
        for rule, how in came if isinstance(came, list) else ():
            found = True
            print(f"    BROKEN {rule}: {how}")
    return 1 if found else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the long mode; 0 if every rule holds, 1 if one is broken, 130 if it was interrupted."""
    options = _options(arguments)
    if options.list:
        for scenario in SCENARIOS.values():
            print(f"{scenario.name:14} {scenario.about}")
        return 0
    if options.replay is not None:
        return _replay(options.replay)
    searches, interrupted = [], False
    for name in options.scenarios or SCENARIOS:
        search, interrupted = _explore(options, name)
        searches.append(search)
        if not options.json:
            print(outcome(search), flush=True)
        if interrupted:
            break
    if options.json:
        print(json.dumps([_json(search) for search in searches]))
    if interrupted:
        return 130
    return 1 if any(search.findings for search in searches) else 0


def _json(search: Exploration) -> dict[str, Any]:
    return {
        "scenario": search.scenario.name,
        "states": search.states,
        "depth": search.depth,
        "complete": search.is_complete,
        "tried": search.steps,
        "refused": search.refused,
        "findings": [finding_json(search.scenario.name, each) for each in search.findings.values()],
    }
