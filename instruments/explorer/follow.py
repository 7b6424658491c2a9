"""One step: a command on a state, and the state after it with all that is wrong."""

from __future__ import annotations

from dataclasses import replace

from houseway.manager.core.engine import Envelope
from instruments.explorer.acts import broken_acts
from instruments.explorer.books import Broken, broken_books, follow_books
from instruments.explorer.history import follow_awards, follow_custody
from instruments.explorer.states import TICK, State, Wait


def step(state: State, envelope: Envelope) -> tuple[State, list[Broken]]:
    """Carry a command out; InputError if the manager refuses it."""
    if isinstance(envelope.do, Wait):
        return replace(state, now=state.now + TICK), []
    decision = state.decide(envelope)
    before, history = state.floor, state.history
    after, seq = state.after(decision)
    broken = [*broken_acts(history, before, state.now, envelope), *broken_books(after)]
    awards = follow_awards(history, before, after, envelope)
    history = replace(history, custody=follow_custody(history.custody, before, after, envelope), awards=awards)
    history, money = follow_books(history, before, after, envelope)
    return State(after, seq, state.now, history), broken + money
