"""Events on their way to those who want them: every one once, in order, on a thread of its own.

A slow or failing subscriber holds up neither the writer nor the chain. What comes late is the subscriber's own: it gets
the events in larger lists.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable
from typing import Final

from houseway.manager.core.records import Event
from houseway.manager.store.supervisor import Supervisor

Subscriber = Callable[[list[Event]], None]
_IDLE_SECONDS: Final = 0.5


class _Subscription:
    def __init__(self, call: Subscriber, after: int | None) -> None:
        self.call = call
        self.after = after
        self.active = True


class Subscriptions:
    """Hands published events to subscribers. `read` finds older ones for those who begin in the past."""

    def __init__(
        self, seq: int, read: Callable[[int], Iterable[Event]], idle: Callable[[], None], supervisor: Supervisor
    ) -> None:
        """Begin behind event `seq`; `idle` is called a few times a second, whether or not there are events."""
        self._seq = seq
        self._read = read
        self._idle = idle
        self._supervisor = supervisor
        self._ending = threading.Event()
        self._queue: queue.SimpleQueue[list[Event] | _Subscription | None] = queue.SimpleQueue()
        self._subscribed: list[_Subscription] = []
        work = ("subscriptions", self._run, self._ending)
        self._thread = threading.Thread(
            target=supervisor.keep_thread, args=work, name="houseway-subscriptions", daemon=True
        )
        self._thread.start()

    def publish(self, events: list[Event]) -> None:
        """Hand over events that have been committed."""
        self._queue.put(events)

    def subscribe(self, call: Subscriber, after: int | None = None) -> Callable[[], None]:
        """Call with every event from now on, or with all after a number; returns what ends it."""
        subscription = _Subscription(call, after)
        self._queue.put(subscription)

        def unsubscribe() -> None:
            subscription.active = False

        return unsubscribe

    def close(self) -> None:
        """Hand over what is left, then stop."""
        self._queue.put(None)
        self._ending.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _run(self) -> None:
        while True:
            try:
                item = self._queue.get(timeout=_IDLE_SECONDS)
            except queue.Empty:
                self._do_idle()
                continue
            if item is None:
                return
            if isinstance(item, _Subscription):
                self._begin(item)
            else:
                self._hand_over(item)
            self._do_idle()

    def _do_idle(self) -> None:
        with self._supervisor.guarding("anchor"):
            self._idle()

    def _begin(self, subscription: _Subscription) -> None:
        if subscription.after is not None and subscription.after < self._seq:
            try:
                older = [event for event in self._read(subscription.after) if event.seq <= self._seq]
            except Exception as error:  # noqa: BLE001 - the subscriber hears nothing, which is seen; the others go on
                self._supervisor.met("subscriptions", error, "reading older events for a subscriber")
                return
            self._call(subscription, older)
        self._subscribed.append(subscription)

    def _hand_over(self, events: list[Event]) -> None:
        fresh = [event for event in events if event.seq > self._seq]
        if not fresh:
            return
        self._seq = fresh[-1].seq
        self._subscribed = [subscription for subscription in self._subscribed if subscription.active]
        for subscription in self._subscribed:
            wanted = fresh
            if subscription.after is not None and subscription.after >= fresh[0].seq:
                wanted = [event for event in fresh if event.seq > (subscription.after or 0)]
            self._call(subscription, wanted)

    def _call(self, subscription: _Subscription, events: list[Event]) -> None:
        if not subscription.active or not events:
            return
        with self._supervisor.guarding("subscriptions", f"events {events[0].seq} to {events[-1].seq}"):
            subscription.call(events)
