"""The scenarios: a room, what is tried in it, and how deep the test command goes.

A product of everything with everything is too wide to see any of it. Each scenario takes what belongs together, with
all orders and all badges of that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from houseway.manager.commands.house_commands import AddDevice, SignIn
from houseway.manager.commands.link_commands import Approve
from houseway.manager.commands.round_commands import HitJackpot, PressHand, StartRound
from houseway.manager.core.engine import Envelope
from instruments.explorer.alphabets import (
    Desk,
    Play,
    Registrars,
    Theft,
    at_table,
    at_the_desk,
    controllers,
    controls,
    house,
    newcomers,
    through_service,
    waiting,
    with_stolen_secret,
)
from instruments.explorer.follow import step
from instruments.explorer.rooms import (
    DESK,
    FIXED,
    LINK,
    OTHER_LINK,
    OTHER_SERVICE,
    OWN,
    SHARE,
    SMALL_SHARE,
    START,
    badge,
    open_room,
    secret,
    sent,
    session,
)
from instruments.explorer.states import State

Alphabet = Callable[[State], Iterator[Envelope]]


@dataclass(frozen=True)
class Scenario:
    """What one exploration looks at."""

    name: str
    about: str
    begin: Callable[[], State]
    alphabet: Alphabet
    depth: int
    """How deep the test command goes."""


def _in_play(**room: Any) -> State:  # noqa: ANN401 - as `open_room` takes them
    """The room with a round in play at T1, both seats with a wager."""
    state, _ = step(open_room(**room), sent("D1", StartRound("T1", {"1": [1, 2]}), "C1"))
    return state


def _both_hit() -> State:
    """The room with a round in play at T1 in which both seats have hit the same level, one after the other's reseed."""
    state = _in_play()
    for do in (PressHand("T1-1", 1, SHARE), PressHand("T1-1", 2, SHARE), HitJackpot("T1-1")):
        state, _ = step(state, sent("D1", do, "C1"))
    return state


def _hit_by_executive() -> State:
    """The room with an award that the executive has pressed and hit at the desk: anybody else may pay it."""
    state = _in_play()
    for do in (PressHand("T1-1", 1, SMALL_SHARE), HitJackpot("T1-1")):
        state, _ = step(state, sent("EX", do, DESK))
    return state


def _rounds(state: State) -> Iterator[Envelope]:
    badges = ("D1", "DS", "SU", "EX", "VS")
    wagers = ((1, 2), (2,))
    yield from at_table(state, Play("T1", ("SU", "EX"), badges, (SMALL_SHARE,), wagers, 2, slips=True, reliefs=("DS",)))
    yield from at_table(state, Play("T2", ("SU",), ("EX", "SU"), (SMALL_SHARE,), ((1,),), 1))
    yield from waiting(state, START, 1)


def _winners(state: State) -> Iterator[Envelope]:
    yield from at_table(state, Play("T1", ("VS",), ("EX",), (SHARE, SMALL_SHARE, FIXED), ((1, 2), (1,)), 2))
    yield from at_table(state, Play("T2", (), ("EX",), (SHARE, SMALL_SHARE), ((1, 2),), 2))


def _keys(state: State) -> Iterator[Envelope]:
    play = Play("T1", ("SU", "EX"), ("D1", "DS", "SU", "EX"), (SMALL_SHARE, FIXED), reliefs=("DS",))
    yield from at_table(state, play)


def _surveillance(state: State) -> Iterator[Envelope]:
    yield from at_table(state, Play("T1", ("VS", "EX"), ("D1", "SU", "EX", "VS"), (SHARE, SMALL_SHARE)))


def _controllers(state: State) -> Iterator[Envelope]:
    yield from at_table(state, Play("T1", ("EX",), ("D1", "SU", "EX"), (SMALL_SHARE,)))
    yield from controllers(state, Registrars(("EX", "TE"), (None, "EX", "TE", "SU")), "T1", 2)


def _stolen() -> State:
    """The room with a round in play at T1, whose controller's secret a supervisor has copied."""
    state = _in_play()
    custody = state.history.custody
    return replace(state, history=replace(state.history, custody=replace(custody, copied={"C1": custody.bit("SU")})))


def _thief(state: State) -> Iterator[Envelope]:
    yield from with_stolen_secret(state, Theft("T1", "SU", (SMALL_SHARE, FIXED)))
    yield from at_table(state, Play("T1", (), ("EX",), (SMALL_SHARE, FIXED), reliefs=("D1", "DS")))


def _badges(state: State) -> Iterator[Envelope]:
    yield from at_table(state, Play("T1", ("EX", "NX"), ("EX", "NX"), (SMALL_SHARE,), ends=False))
    yield from newcomers(state, Registrars(("EX", "SU"), (None, "EX", "SU", "DS", "AC", "NX"), ("EX", "VS")), "NX")
    roles = {"change": "roles", "person": "NX", "roles": ["supervisor"]}
    yield from at_the_desk(state, Desk(("SU", "EX"), ("AC", "EX", "NX"), (roles,), withdraw=False))


def _own_service() -> State:
    """The room with an award that waits, and a service of the executive and accounting where others are signed in."""
    state = _hit_by_executive()
    new = AddDevice(OWN, "service", secret(OWN), badge=badge("AC"))
    state, _ = step(state, sent("EX", new, DESK))
    for person in ("SU", "VS", "TE"):
        state, _ = step(state, sent(f"device:{OWN}", SignIn(badge(person), session(person)), OWN))
    return state


def _services(state: State) -> Iterator[Envelope]:
    yield from at_table(state, Play("T1", ("EX", "NX"), ("EX", "NX"), (SMALL_SHARE,), ends=False))
    seconds = ("EX", "AC", "DS")
    for device in (OWN, OTHER_SERVICE, DESK):
        if device in state.floor.devices:
            there = Registrars(("SU", "TE"), seconds, ("VS", "EX"), device)
            yield from through_service(state, there, "NX", OTHER_SERVICE)
    if OTHER_SERVICE in state.floor.devices:
        for person in ("SU", "VS"):
            if person not in state.floor.devices[OTHER_SERVICE].signed_in:
                yield sent(f"device:{OTHER_SERVICE}", SignIn(badge(person), session(person)), OTHER_SERVICE)
    for proposal in state.floor.proposals.values():
        for who in ("EX", "AC"):
            yield sent("EX", Approve(proposal.id, proposal.content_hash, badge(who)), DESK)


def _changes(state: State) -> Iterator[Envelope]:
    level = {"change": "adjustment", "link": LINK, "level": "royal_flush", "reference": "slip 7"}
    changes = (
        {**level, "code": "won", "micros": -50_000_000},
        {**level, "code": "recover-seed", "micros": -100_000_000},
        {**level, "code": "seed-added", "micros": 20_000},
        {**level, "code": "malfunction", "micros": 90_000, "table": "T1"},
        {**level, "code": "overflow-released", "micros": 10_000},
        {**level, "code": "book-receipts", "micros": -10_000, "account": "reserve", "table": "T1"},
        {"change": "level", "link": LINK, "level": "royal_flush", "seed": 40_000},
        {"change": "limit", "link": LINK, "level": "royal_flush", "limit": 60_000},
        {"change": "retire", "link": LINK, "paper": "order 9", "to": {
            "five_aces": {"link": OTHER_LINK, "level": "five_aces"},
            "royal_flush": {"link": OTHER_LINK, "level": "royal_flush"}}},
        {"change": "back-out", "award": "none", "reference": "none"},
    )  # fmt: skip
    yield from at_table(state, Play("T1", ("SU",), ("EX",), (SMALL_SHARE,), ((1, 2),), 2, slips=True))
    yield from at_the_desk(state, Desk(("SU", "EX"), ("AC", "SU", "EX"), changes))


def _choices(state: State) -> Iterator[Envelope]:
    chosen = (
        *({"change": "link", "link": LINK, "order": order} for order in ("full-to-each", "seat-order")),
        *({"change": "link", "link": LINK, "shows_contributions": when} for when in ("at-end", "at-start")),
    )
    yield from at_table(state, Play("T1", (), (), (), ((1,), (1, 2)), 2))
    yield from at_table(state, Play("T2", (), (), (), ((1,),), 1))
    yield from at_the_desk(state, Desk(("SU", "EX"), ("AC",), chosen))
    yield from controls(state, "EX", "T1")


def _house(state: State) -> Iterator[Envelope]:
    yield from house(state, Registrars(("SU", "EX", "AC"), ("D1", "SU", "EX", "AC")), "T1", LINK)
    yield from at_table(state, Play("T1", (), ("SU",), (), ((1,),), 1, slips=True))


SCENARIOS: Final[dict[str, Scenario]] = {
    scenario.name: scenario
    for scenario in (
        Scenario("rounds", "rounds, slips and disputes at two tables, with every badge", open_room, _rounds, 5),
        Scenario("winners", "several winners at both tables, from one link", open_room, _winners, 5),
        Scenario("keys", "the first generation's key", lambda: _in_play(vocabulary="aquarius"), _keys, 4),
        Scenario("surveillance", "payouts that surveillance verifies", _both_hit, _surveillance, 6),
        Scenario("controllers", "a controller changes while an award waits", _in_play, _controllers, 7),
        Scenario("thief", "a supervisor with a copy of a controller's secret", _stolen, _thief, 5),
        Scenario("badges", "people, badges and roles change while an award waits", _hit_by_executive, _badges, 5),
        Scenario("services", "a service of those who second what is done there", _own_service, _services, 4),
        Scenario("changes", "changes by two people in the middle of play", lambda: open_room(links=2), _changes, 5),
        Scenario("choices", "choices of the room and the papers that cover them", open_room, _choices, 6),
        Scenario("house", "tables, chips, counts, a link and its bank account", open_room, _house, 4),
    )
}
