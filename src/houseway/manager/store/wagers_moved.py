"""Jackpot wagers as the events of rounds tell them: taken at START GAME, corrected, given back, and at which rates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from houseway.amounts import MICROS_PER_CENT, Micros, total
from houseway.manager.core.records import Event
from houseway.manager.store.event_body import Body

KINDS: Final = ("round.start", "round.correct", "round.void", "round.misdeal", "round.decide")
"""Commands that take jackpot wagers or give them back."""


class WagersMoved(NamedTuple):
    """Wagers of one sensor that an event took, or gave back."""

    round: str
    table: str
    link: str
    seats: tuple[int, ...]
    micros: Micros
    """All of them together."""
    is_taken: bool
    rates: dict[str, tuple[str, str]]
    """By level: the shares for meter and reserve that hold for them; empty where they are given back."""


def wagers_moved(event: Event, body: Body) -> Iterator[WagersMoved]:
    """The wagers that an event of a round takes or gives back."""
    do: dict[str, Any] = body.do
    if event.kind == "round.start":
        yield from _started(body)
    elif event.kind == "round.correct":
        yield from _corrected(body, do)
    else:
        # A decision that lets a held round resume gives nothing back.
        round_id = str(do["round"])
        for sensor, back in sorted((body.answer.get("returned") or {}).items()):
            del sensor
            seats, micros = tuple(back["seats"]), Micros(back["cents"] * MICROS_PER_CENT)
            yield WagersMoved(round_id, round_id.rpartition("-")[0], back["link"], seats, micros, False, {})


def rounds_begun(event: Event, body: Body) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The table and the seats that play of every round that an event begins."""
    if event.kind == "round.start":
        for kind, _, round_ in body.put:
            if kind == "round" and round_ is not None and round_["phase"] == "playing":
                yield round_["table"], tuple(round_.get("occupied", ()))


def _started(body: Body) -> Iterator[WagersMoved]:
    for kind, id_, round_ in body.put:
        if kind == "round" and round_ is not None and round_["phase"] == "playing":
            for taken in round_["taken"]:
                micros = Micros(len(taken["seats"]) * taken["wager"] * MICROS_PER_CENT)
                seats = tuple(taken["seats"])
                yield WagersMoved(id_, round_["table"], taken["link"], seats, micros, True, _rates(taken))


def _corrected(body: Body, do: dict[str, Any]) -> Iterator[WagersMoved]:
    round_id, made = str(do["round"]), bool(do["made"])
    table = round_id.rpartition("-")[0]
    moved = total(each[2] for each in body.post if (each[0] if made else each[1]).startswith("drop/"))
    taken = next(
        (
            each
            for kind, id_, round_ in body.put
            if kind == "round" and id_ == round_id and round_ is not None
            for each in round_["taken"]
            if each["sensor"] == do["sensor"]
        ),
        None,
    )
    link = taken["link"] if taken is not None else _link_in(body)
    rates = _rates(taken) if made and taken is not None else {}
    yield WagersMoved(round_id, table, link, (int(do["seat"]),), moved, made, rates)


def _link_in(body: Body) -> str:
    """The link of the only wager of a sensor that was taken out again: its shares name it."""
    names = (name for debit, credit, *_ in body.post for name in (debit, credit))
    return next((name.split("/")[1] for name in names if name.startswith(("meter/", "overflow/", "reserve/"))), "")


def _rates(taken: dict[str, Any]) -> dict[str, tuple[str, str]]:
    return {level: (meter, reserve) for level, (meter, reserve) in taken.get("rates", {}).items()}
