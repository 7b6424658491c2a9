"""The controller of a table: devices on one side, the manager on the other, the outbox between them.

One thing happens at a time: a press is turned into commands, each is written to the outbox, sent, answered, and the
table is shown as the manager then has it. While the manager is away nothing is accepted and the sign says so; on
return, commands without an answer are resolved before anything else.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from typing import Any, Final

import msgspec

from houseway.errors import InputError, present
from houseway.manager.commands.house_answers import DealerInAnswer
from houseway.manager.commands.house_commands import DealerIn, DealerOut
from houseway.manager.controller import elsewhere, key_presses, sign, speech
from houseway.manager.controller.dealer_session import KeptSession
from houseway.manager.controller.key_words import word_of_command
from houseway.manager.controller.outbox import Outbox, OutboxEntry, OutboxMessage
from houseway.manager.controller.panel import CommandDraft, Panel
from houseway.manager.controller.resolve import Resolution, resolve
from houseway.manager.controller.sensors import read_change, read_report
from houseway.manager.controller.shown import DeviceAnnouncer
from houseway.manager.interface.async_client import AsyncManagerClient
from houseway.manager.interface.contract import ChangeMessage, CommandResult, ManagerAwayError, RefusedError
from houseway.manager.interface.field_types import CommandAnswer
from houseway.manager.interface.sessions import new_session
from houseway.manager.views.answers import MetersMessage, TableMessage
from houseway.manager.views.floor_questions import MetersQuestion, TableQuestion
from houseway.manager.views.health_view import HeartbeatView
from houseway.manager.views.jackpot_views import MetersView
from houseway.manager.views.table_views import TableView
from houseway.reading.codes import Codes
from houseway.reading.faults import Faults
from houseway.reading.json_values import JsonObject

LOG: Final = logging.getLogger("houseway.manager.controller")
AWAY: Final = "the manager cannot be reached"
NOT_YET: Final = "the manager has not answered yet"
OTHER_VIEW: Final = frozenset({"round-in-play", "no-round", "no-such-round", "round-held", "table-closed", "no-dealer"})
"""Refusals that another view of the table explains: the table is looked at again before anybody reads them."""
OTHERS_FIRST: Final = frozenset({"surveillance-reference"})
"""Refusals of a press that waits for others: they may have done their part while the news of it is still under way."""
CHANGED: Final = "the table has changed since it was shown here: look at it, and press again if you still want to"


class Controller:
    """The controller without its sockets: `Link` brings the manager, `Devices` the hardware."""

    def __init__(
        self,
        table: str,
        device: str,
        outbox: Outbox,
        tell: Callable[[dict[str, Any]], None],
        *,
        kept: KeptSession | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Begin without the manager, in the session of the dealer who swiped in before."""
        self.table = table
        self.device = device
        self.panel = Panel(table)
        self.shown = DeviceAnnouncer(tell)
        self._tell = tell
        self._outbox = outbox
        self._kept = kept or KeptSession()
        self.panel.present = self._kept.dealer
        self._now = now
        self._client: AsyncManagerClient | None = None
        self._meters: dict[str, MetersView] = {}
        self._subscribed: list[str] = []
        self._seq = 0
        self._news = sign.NO_NEWS
        self._why = NOT_YET
        self._logged = ""
        self._told = ""
        self._of_wagers = ""
        """What was last told of wagers that the manager does not take: over when they are."""
        self._turn = asyncio.Lock()
        self._told_until_report = False
        """What was told of the last press is that the sensors do not report."""
        self._swiping = False
        self._while_swiping: TableMessage | None = None
        """News of the table that came before the answer to a dealer's swipe."""
        self._sync = asyncio.Event()
        self.refresh()

    def is_live(self) -> bool:
        """Whether the manager is there, can write, and everything is resolved."""
        return self._client is not None and self._news == sign.LIVE

    # ------------------------------------------------------------ the manager comes and goes

    async def arrived(self, client: AsyncManagerClient) -> None:
        """The manager is there: resolve what was never answered, take the table as it is, and go on."""
        async with self._turn:
            self._told = ""
            for entry in await asyncio.to_thread(self._outbox.waiting):
                await self._resolve(client, entry)
            await self._look(client)
            await self._subscribe(client)
            self._client = client
            self._set_news(sign.LIVE, "")
            self.panel.sensors.dark.clear()
        self._sync.set()
        self.refresh()

    async def _subscribe(self, client: AsyncManagerClient) -> None:
        """Take the meters of the table's links as they are, and have every change of them and of the table told."""
        links = self._links()
        asked = {link: await client.ask(MetersQuestion(link=link)) for link in links}
        self._meters = {link: answer.meters[0] for link, answer in asked.items()}
        await client.subscribe("meters", "tables", tables=[self.table], links=links)
        self._subscribed = links

    def _links(self) -> list[str]:
        view = present(self.panel.view, "view of the table")
        return sorted({link.link for link in view.links.values()})

    def left(self, news: str, why: str, details: str = "") -> None:
        """The manager is away: dark sensors, sign and display say so; details are for the log."""
        if self._client is not None:
            # Whatever was said or asked before, this is what the dealer must know now.
            self._told = ""
        self._client = None
        self._set_news(news, why, details)
        self.refresh()

    def _set_news(self, news: str, why: str, details: str = "") -> None:
        self._news, self._why = news, why
        if (details or why) != self._logged:
            self._logged = details or why
            if self._logged:
                LOG.warning("%s: %s", self.table, self._logged)

    async def _resolve(self, client: AsyncManagerClient, entry: OutboxEntry) -> None:
        resolved = await resolve(client, entry, self.device, self.table, self._now() - entry.made_at)
        if resolved.carried:
            await self._follow(entry, resolved.carried)
        if resolved.refused:
            self._check_session(entry, resolved.refused)
        await asyncio.to_thread(self._outbox.settle, entry)
        self._told = _resolved_text(resolved, self.panel)
        self.panel.settled(entry.kind)
        told: dict[str, Any] = {"key": entry.key, "kind": entry.kind, "outcome": resolved.outcome}
        if resolved.carried:
            told["answer"] = resolved.carried.answer.to_json()
        if resolved.refused:
            told["faults"] = [fault.to_json() for fault in resolved.refused.faults]
        LOG.info("%s: %s of before the cut: %s", self.table, entry.kind, resolved.outcome)
        self.shown.show("resolved", told)

    def changed(self, change: ChangeMessage) -> None:
        """News of the manager: the table or a meter has changed."""
        if isinstance(change, MetersMessage):
            self._meters[change.meters.link] = change.meters
        elif isinstance(change, TableMessage) and change.table.id == self.table:
            if self._swiping:
                # Who deals now is known here only with the answer, which brings the session.
                self._while_swiping = change
                return
            self._take_news(change)
        self.refresh()

    def _take_news(self, change: TableMessage) -> None:
        """The table has changed: by a press here, or elsewhere, at the desk or by surveillance."""
        if change.seq < self._seq:
            return
        view = change.table
        if not self._turn.locked() and elsewhere.stands_otherwise(self.panel.view, view):
            # Somebody else did it: what was said before about the table is not true any more.
            self._told = elsewhere.noticed(self.panel.view, view)
        self._take(view, change.seq)
        self.panel.sensors.dark.clear()
        self._sync.set()

    def heard(self, beat: HeartbeatView) -> None:
        """The manager is there; it may still be unable to write."""
        if self._client is not None:
            self._beat(beat)
        self.refresh()

    def _beat(self, beat: HeartbeatView) -> None:
        serving = beat.state in ("serving", "impaired")
        if serving and self._news == sign.PAUSED:
            self.panel.sensors.dark.clear()
            self._sync.set()
        news = sign.LIVE if serving else sign.PAUSED
        if news != self._news:
            self._told = ""
        self._set_news(news, "" if serving else "; ".join(fault.message for fault in beat.faults))

    async def _look(self, client: AsyncManagerClient) -> None:
        """Ask for the table as it is."""
        answer = await client.ask(TableQuestion(table=self.table))
        self._take(answer.table, answer.seq)

    def _take(self, view: TableView, seq: int) -> None:
        before = self.panel.round
        if before is not None and (view.in_play is None or view.in_play.id != before.id):
            # Another round, or none: what was asked for the last one is over.
            self.panel.asking = self.panel.spot = None
        self.panel.view, self._seq = view, seq
        if self._kept.dealer != view.dealer:
            # Another one deals, or nobody does: whoever swiped here has left.
            self._end_session()
        if not (view.in_play and view.in_play.key_turned):
            self.panel.key_badge = None

    # ------------------------------------------------------------ devices

    async def handle(self, message: dict[str, Any]) -> dict[str, Any]:
        """Do what a device says; the answer is what came of it, InputError why nothing did."""
        # A key may name a sensor, or tell the wagers itself where there is no sensor hardware.
        if "key" not in message and ("sensor" in message or "sensors" in message):
            return self._sense(message)
        async with self._turn:
            # What was said about an earlier press is over.
            self._told, self._told_until_report = "", False
            try:
                # A press counts on top of the wagers as they lie.
                await self._tell_sensors()
                answers = await self._carry_out_all(await self._meaning_now(message))
            except InputError as error:
                self._told = self._in_words(error)
                self._told_until_report = any(fault.code == "sensors-away" for fault in error.faults)
                await self._look_again(error)
                raise
            finally:
                self.refresh()
        self._sync.set()
        return {"answers": answers}

    async def _look_again(self, error: InputError) -> None:
        """Take the table as it is where a press was refused for what is in play: the view here may be another one's."""
        client, before = self._client, self.panel.view
        if client is None or OTHER_VIEW.isdisjoint(fault.code for fault in error.faults):
            return
        with contextlib.suppress(ManagerAwayError, RefusedError):
            await self._look(client)
            if elsewhere.stands_otherwise(before, present(self.panel.view, "view of the table")):
                self._told = CHANGED

    def _sense(self, message: dict[str, Any]) -> dict[str, Any]:
        """The hardware reports wagers; the manager is told as soon as it can be."""
        if "sensors" in message:
            self.panel.sensors.report(read_report(message["sensors"]))
            if self._told_until_report:
                self._told, self._told_until_report = "", False
        else:
            change = read_change(message["sensor"])
            self.panel.sensors.change(change.sensor, change.seat, change.on)
        self.panel.sensors.dark.clear()
        self._sync.set()
        self.refresh()
        return {}

    def parts_gone(self, parts: set[str]) -> None:
        """A device went, and nobody else is these parts."""
        if "sensors" in parts:
            self.panel.sensors.gone()
            self.refresh()

    async def _meaning_now(self, message: dict[str, Any]) -> list[CommandDraft]:
        """The commands that a message means; where it waits for others, by the table as the manager has it now."""
        try:
            return self._meaning(message)
        except InputError as error:
            if self._client is None or OTHERS_FIRST.isdisjoint(fault.code for fault in error.faults):
                raise
            with contextlib.suppress(ManagerAwayError, RefusedError):
                await self._look(self._client)
        return self._meaning(message)

    def _meaning(self, message: dict[str, Any]) -> list[CommandDraft]:
        """The commands that a message means."""
        if not self.is_live():
            raise InputError.of("manager-away", "", f"{self._why}: {speech.waiting(self.panel)}")
        faults, fields = Faults(Codes.only("bad-message")), dict(message)
        if "key" in message:
            key = faults.text(fields.pop("key"), "key")
            if key is not None:
                return key_presses.press(self.panel, key, fields)
        elif "shuffler" in message:
            request = faults.mapping(message["shuffler"], "shuffler")
            if not faults.any:
                return key_presses.deal(self.panel, request)
        else:
            read = {"badge": self.panel.swipe, "pin": self.panel.give_pin, "typed": self.panel.typed}
            name = next((name for name in read if name in message), None)
            if name is None:
                what = "a device sends a key, a badge, a PIN, a sensor, sensors or a shuffler's request"
                raise InputError.of("bad-message", "", what)
            text = faults.text(message[name], name)
            if text is not None:
                return read[name](text)
        raise faults.error()

    # ------------------------------------------------------------ commands

    async def _carry_out_all(self, dos: list[CommandDraft]) -> list[JsonObject]:
        answers = []
        for do in dos:
            try:
                carried = await self._carry_out(do)
            except RefusedError as error:
                self.panel.refused(do, error)
                raise
            self.panel.carried_out(do)
            self._say(speech.said(self.panel, do.command, carried.answer))
            answers.append(carried.answer.to_json())
        return answers

    def _say(self, text: str) -> None:
        """Add to what is said about this press: one key may stand for several commands."""
        self._told = ". ".join(part for part in (self._told, text) if part)

    def _in_words(self, error: InputError) -> str:
        """A refusal in the words of this table's keys."""
        return sign.in_words(error, self.panel.vocabulary)

    async def _carry_out(self, do: CommandDraft) -> CommandResult[CommandAnswer]:
        """Write a command down, send it, and show the table as it is then."""
        client = self._client
        if client is None:
            raise InputError.of("manager-away", "", f"{self._why}: wait until it is back")
        entry = await asyncio.to_thread(self._outbox.add, self._message(do), self._now(), only_fresh=do.only_fresh)
        self._swiping = isinstance(do.command, DealerIn)
        try:
            return await self._send(client, entry)
        finally:
            self._swiping, late, self._while_swiping = False, self._while_swiping, None
            if late is not None:
                self._take_news(late)

    async def _send(self, client: AsyncManagerClient, entry: OutboxEntry) -> CommandResult[CommandAnswer]:
        """Send a command that is in the outbox, and take the table as it is then."""
        try:
            carried = await entry.sent_to(client)
        except RefusedError as error:
            if error.retry:
                raise await self._in_doubt(client, sign.PAUSED, self._in_words(error)) from error
            self._check_session(entry, error)
            await asyncio.to_thread(self._outbox.settle, entry)
            raise
        except ManagerAwayError as error:
            raise await self._in_doubt(client, sign.LINK_LOST, AWAY, str(error)) from error
        await self._follow(entry, carried)
        await asyncio.to_thread(self._outbox.settle, entry)
        with contextlib.suppress(ManagerAwayError, RefusedError):
            await self._look(client)
        return carried

    async def _in_doubt(self, client: AsyncManagerClient, news: str, why: str, details: str = "") -> InputError:
        """No answer: the connection is given up, and what became of the command is found out on return."""
        self.left(news, why, details)
        client.gone.set()
        message = f"{why}: what was pressed is resolved as soon as the manager is back; accept nothing until then"
        return InputError.of("manager-away", "", message)

    # ------------------------------------------------------------ the dealer's session

    def _message(self, do: CommandDraft) -> OutboxMessage:
        """A command as it is sent: by the device, with a new session where a dealer swipes, or in the dealer's."""
        if isinstance(do.command, DealerIn):
            swipe = msgspec.structs.replace(do.command, session=new_session())
            return OutboxMessage(f"device:{self.device}", swipe)
        if do.by_device:
            return OutboxMessage(f"device:{self.device}", do.command)
        view = self.panel.view
        dealer = view.dealer if view else None
        if view is not None and view.status != "open":
            raise InputError.of("table-closed", "key", speech.closed(self.panel))
        if dealer is None:
            message = f"nobody is signed in as dealer at {self.table}: swipe a dealer's badge first"
            raise InputError.of("no-dealer", "badge", message)
        session = self._kept.of(dealer)
        if session is None:
            raise InputError.of("not-signed-in", "badge", speech.swipe_again(self.panel))
        return OutboxMessage(dealer, do.command, session)

    async def _follow(self, entry: OutboxEntry, carried: CommandResult[CommandAnswer]) -> None:
        """Keep the session of a swipe that was carried out, before its command leaves the outbox."""
        command, answer = entry.command, carried.answer
        if isinstance(command, DealerIn) and isinstance(answer, DealerInAnswer):
            await asyncio.to_thread(self._kept.keep, answer.dealer, str(command.session))
            self.panel.present = answer.dealer
            # News of before the swipe, still on their way, would end it.
            self._seq = max(self._seq, carried.seq)
        elif isinstance(command, DealerOut):
            self._end_session()

    def _check_session(self, entry: OutboxEntry, error: InputError) -> None:
        """A session that the manager does not take is over: the dealer swipes again."""
        codes = {(fault.code, fault.path) for fault in error.faults}
        if ("not-signed-in", "actor") in codes and self._kept.holds(entry.message.session):
            self._end_session()

    def _end_session(self) -> None:
        if self.panel.present is not None:
            self._kept.forget()
            self.panel.present = self.panel.asking = None

    async def keep_sensors_in_step(self) -> None:
        """Tell the manager of the sensors whenever there is something to tell, for ever."""
        while True:
            await self._sync.wait()
            self._sync.clear()
            async with self._turn:
                await self._tell_sensors()
            self.refresh()

    async def _tell_sensors(self) -> None:
        if not self.is_live() or self.panel.view is None:
            return
        if self._client is not None and self._links() != self._subscribed:
            # The table was joined to other links meanwhile.
            with contextlib.suppress(ManagerAwayError, RefusedError):
                await self._subscribe(self._client)
        if self._told == self._of_wagers and not self.panel.sensors.dark & self.panel.sensors.on:
            # Those wagers lie there no more, or are tried again now.
            self._told = ""
        for command in self.panel.sensors.differences(self.panel.view):
            place = (command.sensor, command.seat)
            try:
                await self._carry_out(CommandDraft(command, by_device=True, only_fresh=True))
            except InputError as error:
                self.panel.sensors.dark.add(place)
                self._told = self._of_wagers = self._in_words(error)
                self._tell({"refused": {"sensor": place[0], "seat": place[1], **error.to_json()["error"]}})
            if not self.is_live():
                return

    # ------------------------------------------------------------ showing

    def refresh(self) -> None:
        """Show everything that is new."""
        self.shown.show("sign", sign.sign(self.panel, self._meters, self._news))
        self.shown.show("lights", sign.lights(self.panel, self.is_live()))
        self.shown.show("display", sign.display(self.panel, self.is_live(), self._told or self._why))
        self.shown.show("start", sign.start(self.panel))
        self.shown.show("open", sign.open_cards(self.panel))


def _resolved_text(resolved: Resolution, panel: Panel) -> str:
    """What the dealer reads about a press of before the cut."""
    entry = resolved.entry
    word = word_of_command(panel.vocabulary, entry.kind)
    if resolved.carried:
        what = speech.said(panel, entry.command, resolved.carried.answer) or "done"
        return f"{word} was carried out before the link was lost: {what}"
    if resolved.refused:
        return f"{word} was refused: {sign.in_words(resolved.refused, panel.vocabulary)}"
    return f"{word} did not reach the manager and will not be carried out: press it again if you still want to"
