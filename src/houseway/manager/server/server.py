"""The server: sockets on one side, the `Manager` on the other, an event loop between them that waits for no disk.

Commands go to the manager's writer and are answered when they are written. Questions and pushes read the state in a
thread of their own. A fault in one connection ends that connection.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import ssl
import time
from collections import defaultdict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final, NamedTuple, NoReturn, TypeVar

import msgspec

from houseway import __version__
from houseway.errors import InputError, present
from houseway.manager.core.badges import shows_token
from houseway.manager.core.engine import Envelope
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Device
from houseway.manager.core.networks import network_of
from houseway.manager.core.records import Event, SentKey
from houseway.manager.server.alerts import Alerts
from houseway.manager.server.asks import answer_ask, reminded, uncovered
from houseway.manager.server.attempts import Attempts
from houseway.manager.server.badge_gate import Badges
from houseway.manager.server.door import Arrival, Door, GrowingReader
from houseway.manager.server.edge import GivenPins, check_reach, read_command
from houseway.manager.server.event_answers import answer_events
from houseway.manager.server.head_answers import answer_head
from houseway.manager.server.hub import Hub
from houseway.manager.server.pace import Pace
from houseway.manager.server.pin_gate import Pins
from houseway.manager.server.session import Session
from houseway.manager.server.traffic import UNREAD, Traffic
from houseway.manager.server.win_pages import answer_win_page
from houseway.manager.server.wire import HEARTBEAT_SECONDS, refusal, to_line
from houseway.manager.store.clock import wall_micros
from houseway.manager.store.deciding import kind_of
from houseway.manager.store.manager import Manager
from houseway.manager.store.marks import mark_from
from houseway.manager.store.store_errors import JournalDamagedError, StoreUnavailableError, passes
from houseway.manager.store.writer import Answer
from houseway.manager.views.answers import KeyAnswer
from houseway.manager.views.floor_questions import (
    EventsQuestion,
    HeadQuestion,
    HealthQuestion,
    KeyQuestion,
    Question,
    WinPageQuestion,
)
from houseway.manager.views.health_view import HealthView
from houseway.manager.views.view_base import FloorView

LOG: Final = logging.getLogger("houseway.manager.server")
MOST_CLIENTS: Final = 2_000
_LAST_EVENT: Final = 2**53
MOST_OF_DEVICE: Final = 32
"""Connections of one service or display; a controller has one."""
MOST_IN_HAND: Final = 8
"""Commands of one device, over all its connections, that are with the writer at once. Whatever else it sends waits in
its own line, unread, so that no other device waits for more than these."""
MOST_ASKED: Final = 4
"""Questions of one device that are being answered at once."""
AT_THE_EDGE: Final = frozenset({"wrong-role", "wrong-device", "token-misplaced"})
"""Refusals before the manager decides that are put on record: a device tries what it may not."""
ALERT_MICROS: Final = 600_000_000
"""How long health tells of something that was met once."""

T = TypeVar("T")

_ENDING: Final = InputError.of("server-ending", "", "this server ends: connect again in a moment, or to another")
_REPLACED: Final = InputError.of("controller-replaced", "", "this controller has connected again")
_FULL: Final = InputError.of("too-many-clients", "", f"{MOST_CLIENTS} clients are connected: connect again in a moment")


class _LastDeparture(NamedTuple):
    """How a controller's last connection ended."""

    secret: str
    address: str
    fell_silent: bool


class _HandedIn(NamedTuple):
    """A command on its way: who sent it, and since when it is here."""

    session: Session
    device: Device
    request: int | str | None
    began: float
    kind: str = UNREAD
    actor: str = ""


class ReadCommand(NamedTuple):
    """A command that may go to the writer."""

    handed: _HandedIn
    envelope: Envelope
    pins: GivenPins


class Server:
    """One process that serves a journal."""

    def __init__(
        self, manager: Manager, process: str, fingerprint: Callable[[str], str], in_force: dict[str, str] | None = None
    ) -> None:
        """Take a manager that is open, and what turns tokens into fingerprints."""
        self.manager = manager
        self.process = process
        self.fingerprint = fingerprint
        self.version = __version__
        self.supervisor = manager.supervisor
        self.hub = Hub(self._view_for_hub, self.supervisor)
        self.attempts = Attempts(manager)
        self.alerts = Alerts()
        self.pace = Pace()
        self.traffic = Traffic()
        self._pins = Pins(manager, self.attempts, self.view, fingerprint)
        self._badges = Badges(manager, self.attempts, self.alerts, self._pins, self.view, self._apart)
        self._shown: set[asyncio.Task[None]] = set()
        """Commands with a badge on their way: they are carried out even if their client goes."""
        self._turns: defaultdict[str, asyncio.Semaphore] = defaultdict(lambda: asyncio.Semaphore(MOST_IN_HAND))
        self._asking: defaultdict[str, asyncio.Semaphore] = defaultdict(lambda: asyncio.Semaphore(MOST_ASKED))
        self._finished: deque[tuple[_HandedIn, asyncio.Semaphore, Answer | BaseException, bytes]] = deque()
        """Answers that the writer's thread has left for the loop to send."""
        self._is_finishing = False
        self._in_force = in_force or {}
        self._started_at = wall_micros()
        self._sessions: set[Session] = set()
        self._left: dict[str, _LastDeparture] = {}
        """By controller the connection that ended last, while no other has taken its place."""
        self._entering: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.door = Door(self._connected, self._crowded, self.supervisor)
        self._reading = ThreadPoolExecutor(1, "houseway-reads")
        self._telling = ThreadPoolExecutor(1, "houseway-pushes")
        """Apart from questions: however many are asked, signs are told."""
        self._tasks: list[asyncio.Task[None]] = []
        self._unsubscribe: Callable[[], None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self.closing = False
        """No more commands are taken."""

    # ------------------------------------------------------------ life

    async def start(self, host: str, port: int, tls: ssl.SSLContext | None = None) -> tuple[str, int]:
        """Begin to listen; returns the address, whose port was chosen if 0 was given."""
        loop = self._loop = asyncio.get_running_loop()

        def on_events(events: list[Event]) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(self._heard, events)

        with contextlib.suppress(InputError):  # the store may be away, and alerts of before with it
            self.alerts.devices(self.manager.view(lambda floor: list(floor.devices.values())))

        found = await self.door.open(host, port, tls)
        self._unsubscribe = self.manager.subscribe(on_events)
        self._tasks = [
            asyncio.create_task(self.supervisor.keep("hub", self.hub.run)),
            asyncio.create_task(self.supervisor.keep("heartbeat", self._beat)),
        ]
        return found

    async def close(self, seconds: float = 10.0) -> None:
        """Listen no more, finish what is in hand, tell the clients, and end."""
        self.closing = True
        self.door.close()
        until = time.monotonic() + seconds
        while any(session.outstanding for session in self._sessions) and time.monotonic() < until:
            await asyncio.sleep(0.01)
        for session in list(self._sessions):
            session.end(_ENDING)
        await asyncio.gather(self.door.wait(), *self._shown, return_exceptions=True)
        self.attempts.write_counted(every=True)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._unsubscribe is not None:
            self._unsubscribe()
        for threads in (self._reading, self._telling):
            threads.shutdown(wait=True, cancel_futures=True)
        self._pins.close()

    async def _connected(self, reader: GrowingReader, writer: asyncio.StreamWriter, arrival: Arrival) -> None:
        await Session(self, reader, writer, arrival).run()

    def _crowded(self, network: str) -> None:
        """Somebody holds more connections than strangers may, and says nothing."""
        message = f"more connections from {network} than may wait: see what connects there"
        if self.alerts.note("too-many-clients", network, message, wall_micros() + ALERT_MICROS):
            LOG.warning("%s", message)
        self.attempts.greeting(network, None, InputError.of("too-many-clients", "hello", message), known=False)

    def _heard(self, events: list[Event]) -> None:
        """Events were written, by this or another server."""
        self.hub.events(events)
        for event in events:
            try:
                self.alerts.event(event)
            except Exception as error:  # noqa: BLE001 - the other events are not to suffer
                self.supervisor.met("alerts", error, f"event {event.seq}")

    async def enter(self, session: Session, device: Device) -> None:
        """A client has proved who it is: let it in, unless the device is here already."""
        async with self._entering[device.id]:
            there = [one for one in self._sessions if one.device is not None and one.device.id == device.id]
            if device.kind == "controller":
                await self._make_way(device, there, session)
            elif len(there) >= MOST_OF_DEVICE or len(self._sessions) >= MOST_CLIENTS:
                raise _FULL if len(there) < MOST_OF_DEVICE else _too_many_of(device)
            session.device = device
            self._left.pop(device.id, None)
            self._sessions.add(session)
            self.hub.clients.enter(session, device.id)

    async def _make_way(self, device: Device, there: list[Session], newer: Session) -> None:
        """A controller has one connection: an older one that does not answer makes way, one that does stays.

        So a controller that was cut off is back in a moment, and of two with one secret the second is kept out.
        """
        if not there and device.id in self._left:
            self._judge_return(device, newer)
        for older in there:
            if await older.answers():
                self._doubled(device, older, newer)
            older.end(_REPLACED)
            self.leave(older)
            self._replaced(device, older.address, newer, "did not answer")

    def _judge_return(self, device: Device, newer: Session) -> None:
        """A controller greets after its connection ended: on record if that fell silent, or was from elsewhere.

        One that closed, or was killed and is back from the same address, is the same machine as far as anybody can
        tell. Under another secret it was registered again, by two people.
        """
        left = self._left[device.id]
        if left.secret != device.secret:
            return
        if left.fell_silent:
            self._replaced(device, left.address, newer, "fell silent")
        elif network_of(left.address) != network_of(newer.address):
            self._replaced(device, left.address, newer, "left")

    def _replaced(self, device: Device, older: str, newer: Session, how: str) -> None:
        """Put a takeover on record: mostly a machine that was cut off is back, but another one may have its secret."""
        message = (
            f"{device.id} was connected from {older} and {how}, and one from {newer.address} took its "
            "place: look whether the same machine is back"
        )
        self.alerts.note("controller-replaced", device.id, message, wall_micros() + ALERT_MICROS)
        error = InputError.of("controller-replaced", "hello", message)
        self.attempts.replaced(newer.address, device.id, error)

    def _doubled(self, device: Device, older: Session, newer: Session) -> NoReturn:
        message = f"{device.id} is connected from {older.address}, and a second one tried from {newer.address}"
        if self.alerts.note("controller-connected", device.id, message, wall_micros() + ALERT_MICROS):
            LOG.warning("%s", message)
        told = f"{device.id} is connected already, and answers: a table has one controller, and a secret one machine"
        error = InputError.of("controller-connected", "hello", told)
        self.attempts.greeting(newer.address, device.id, error, known=True)
        raise error

    def leave(self, session: Session) -> None:
        """A client is gone."""
        if session in self._sessions and session.device is not None and session.device.kind == "controller":
            left = _LastDeparture(session.device.secret, session.address, session.fell_silent)
            self._left[session.device.id] = left
        self._sessions.discard(session)
        self.hub.clients.leave(session)

    async def _beat(self) -> None:
        """Tell every client regularly that the manager is there, and whether it can write."""
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            beat = {"at": wall_micros(), **self.manager.health()}
            mark = self.manager.mark()
            beat["mark"] = None if mark is None else mark.to_json()
            line = to_line({"heartbeat": beat})
            for session in self._sessions:
                session.mailbox.state("heartbeat", "", line)
                session.end_if_left()
            self.attempts.write_counted()

    # ------------------------------------------------------------ requests

    async def view(self, look: Callable[[int, Floor], T]) -> T:
        """What a function reads off the state, with the number of the last event in it."""
        return await self._apart(lambda: self.manager.view_at(look))

    async def last_known(self, look: Callable[[int, Floor], T]) -> T:
        """As `view`, and while the store is away what was known last: whoever asks how the manager is must get in."""
        try:
            return await self.view(look)
        except (StoreUnavailableError, JournalDamagedError):
            return self.manager.last_known(look)

    async def _view_for_hub(self, look: Callable[[int, Floor], T]) -> T:
        work = lambda: self.manager.view_at(look)  # noqa: E731 - the thread's work
        return await asyncio.get_running_loop().run_in_executor(self._telling, work)

    async def _apart(self, work: Callable[[], T]) -> T:
        """Do something that may wait for the writer, without holding up the loop."""
        return await asyncio.get_running_loop().run_in_executor(self._reading, work)

    async def ask(self, asked: Question[FloorView], device: str) -> FloorView:
        """The answer to a checked question, with the event up to which it holds, when it is its device's turn."""
        async with self._asking[device]:
            if isinstance(asked, HealthQuestion):
                return self.health()
            if isinstance(asked, KeyQuestion):
                return await self._key(asked.key, device)
            if isinstance(asked, HeadQuestion):
                return await self._apart(lambda: answer_head(self.manager.heads, asked))
            if isinstance(asked, EventsQuestion):
                return await self._apart(lambda: answer_events(self.manager, asked, wall_micros()))
            if isinstance(asked, WinPageQuestion):
                return await self._apart(lambda: self._win_page(asked))
            return await self.view(lambda seq, floor: answer_ask(seq, floor, asked, wall_micros()))

    def _win_page(self, asked: WinPageQuestion) -> FloorView:
        seq, _, floor = self.manager.seen()
        return answer_win_page(self.manager.heads, seq, floor, asked, wall_micros(), may_sign=True)

    async def compare(self, name: str, arguments: dict[str, Any], device: str) -> dict[str, Any]:
        """The answer to a question of the protocol: whether client and server know the same journal."""
        async with self._asking[device]:
            if name == "chain":
                return await self._chain(arguments.get("seq", 0))
            return await self._seen(arguments.get("mark"), device)

    def read(self, session: Session, message: object, request: int | str | None) -> ReadCommand | None:
        """The command of a message; None where it is refused, which is answered and, if it must be, on record.

        Nothing in it waits: the caller charges it to the device.
        """
        device, began, given = present(session.device, "device that has proved itself"), time.monotonic(), GivenPins()
        handed = _HandedIn(session, device, request, began)
        if self.closing:
            self._answered(handed, _ENDING)
            return None
        envelope = self._read_command(handed, message, given)
        if envelope is None:
            return None
        handed = _HandedIn(session, device, request, began, kind_of(envelope), envelope.actor)
        return ReadCommand(handed, envelope, given)

    async def command(self, read: ReadCommand) -> None:
        """Hand a command to the writer when it is its device's turn; its answer goes to the client when it is written.

        Until then no further request of the client is read. One with a badge is carried out by a task of its own, for
        which the next request waits as well.
        """
        handed, envelope, given = read
        if shows_token(envelope.do):
            shown = asyncio.create_task(self._show_badge(handed, envelope, given))
            self._shown.add(shown)
            shown.add_done_callback(self._shown.discard)
            await asyncio.shield(shown)
        else:
            await self._submit(handed, envelope)

    def _read_command(self, handed: _HandedIn, message: object, given: GivenPins) -> Envelope | None:
        device = handed.device
        try:
            envelope = read_command(message, self.fingerprint, device.id, given)
            check_reach(device, envelope.do)
        except InputError as error:
            if any(fault.code in AT_THE_EDGE for fault in error.faults):
                self.attempts.command(device.id, message, error)
            self._answered(handed, error)
        except Exception as error:  # noqa: BLE001 - the client must get an answer, and its place among the outstanding back
            self._answered(handed, error)
        else:
            return envelope
        return None

    def _answered(self, handed: _HandedIn, outcome: Answer | BaseException, line: bytes | None = None) -> None:
        """Tell the client what became of a command, and count it."""
        name = handed.device.id
        self.traffic.command(name, handed.session.address, handed.kind, handed.actor, handed.began, outcome)
        handed.session.finish(line or _outcome_line(outcome, handed.request))

    async def _submit(self, handed: _HandedIn, envelope: Envelope) -> None:
        turns = self._turns[handed.device.id]
        await turns.acquire()
        if self.closing:
            turns.release()
            self._answered(handed, _ENDING)
            return

        def answered(done: Future[Answer]) -> None:
            """Called by the writer's thread."""
            outcome = done.exception() or done.result()
            self._finished.append((handed, turns, outcome, _outcome_line(outcome, handed.request)))
            # One call for all answers of a group: each of them would wake the loop while the writer goes on.
            if not self._is_finishing:
                self._is_finishing = True
                with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
                    present(self._loop, "loop that serves").call_soon_threadsafe(self._finish)

        self.manager.submit(envelope).add_done_callback(answered)

    def _finish(self) -> None:
        """Send the answers to commands that have been written."""
        # First: whoever adds an answer from now on calls again.
        self._is_finishing = False
        while self._finished:
            handed, turns, outcome, line = self._finished.popleft()
            turns.release()
            self._answered(handed, outcome, line)

    async def _show_badge(self, handed: _HandedIn, envelope: Envelope, given: GivenPins) -> None:
        try:
            outcome: Answer | BaseException = await self._badges.carry_out(handed.device, envelope, given)
        except Exception as error:  # noqa: BLE001 - the client must get an answer
            outcome = error
        self._answered(handed, outcome)

    # ------------------------------------------------------------ what the server knows itself

    def health(self) -> HealthView:
        """How the server is: what it runs, how far the journal is, whether it can write."""
        known = {
            **self.manager.health(), "now": wall_micros(), "version": self.version, "process": self.process,
            "started_at": self._started_at, "clients": len(self._sessions), "strangers": self.door.strangers,
            "in_force": self._in_force, "alerts": self.alerts.current(wall_micros()),
            "uncovered": self.manager.last_known(lambda _, floor: uncovered(floor, wall_micros())),
            "reminders": self.manager.last_known(lambda _, floor: reminded(floor, wall_micros())),
        }  # fmt: skip
        return msgspec.convert(known, HealthView)

    async def _key(self, key: str, device: str) -> KeyAnswer:
        """Whether a command of the same device was carried out under a key, and which."""
        event = await self._apart(lambda: self.manager.find(SentKey(device, key)))
        if event is None:
            return KeyAnswer(key=key, kind=None, seq=None)
        return KeyAnswer(key=key, kind=event.kind, seq=event.seq)

    async def _chain(self, seq: object) -> dict[str, Any]:
        """What the journal has at a number, its newest signed mark, and what is on record as lost."""
        if type(seq) is not int or not 0 <= seq < _LAST_EVENT:
            raise InputError.of("bad-message", "seq", "name the number of an event")
        past, mark = await self._apart(lambda: self.manager.past(seq)), self.manager.mark()
        return {
            "journal": self.manager.journal_id,
            "first": past.first,
            "hash": past.hash,
            "recoveries": [msgspec.to_builtins(recovery) for recovery in past.recoveries],
            "mark": None if mark is None else mark.to_json(),
        }

    async def _seen(self, shown: object, device: str) -> dict[str, Any]:
        """What a mark proves that a device shows; one that is not signed by the property proves nothing."""
        mark = mark_from(shown)
        if mark is None or not 0 <= mark.seq < _LAST_EVENT:
            raise InputError.of("bad-message", "mark", "show a mark as the manager gave it (ask: chain)")
        judged = await self._apart(lambda: self.manager.shown_mark(mark, device))
        if judged not in ("known", "lost"):
            message = f"{device} shows a mark of event {mark.seq} that this journal never signed ({judged})"
            self.attempts.at_device(device, f"device:{device}", "seen", InputError.of("history-lost", "mark", message))
        return {"judged": judged}


def _too_many_of(device: Device) -> InputError:
    message = f"{MOST_OF_DEVICE} connections of {device.id} are open: end some of them"
    return InputError.of("too-many-clients", "hello", message)


def _outcome_line(outcome: Answer | BaseException, request: int | str | None) -> bytes:
    """The answer to a command, or why there is none; an unknown fault is told as one, and logged."""
    if isinstance(outcome, Answer):
        return to_line({"id": request, "answer": outcome})
    if isinstance(outcome, InputError):
        return to_line(refusal(outcome, request, retry=outcome is _ENDING or passes(outcome)))
    LOG.error("a command hit an internal error", exc_info=outcome)
    fault = InputError.of("internal-error", "", f"an internal error ({type(outcome).__name__}): see the log")
    return to_line(refusal(fault, request))
