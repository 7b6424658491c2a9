"""The controls of a table between two presses: the table as the manager shows it, the chosen spot, what is asked for.

The panel decides nothing that the manager decides. It has no clock, no socket and no file; `key_presses` says what a
press means.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from houseway.errors import InputError
from houseway.manager.commands import AnyCommand, kind_of
from houseway.manager.commands.house_commands import DealerIn
from houseway.manager.commands.round_commands import CorrectWager, HitJackpot, StartRound, TurnKey
from houseway.manager.controller.key_words import START, TRAY_PAYS, word_for, word_of_command
from houseway.manager.controller.place_words import place_text
from houseway.manager.controller.reasons import WHICH_WAY, choices, said
from houseway.manager.controller.refusals import NOT_READ
from houseway.manager.controller.sensors import Sensors
from houseway.manager.interface.credentials import with_pin
from houseway.manager.interface.requests import command_of
from houseway.manager.views.jackpot_views import AwardView
from houseway.manager.views.table_views import RoundView, TableView

Fields = dict[str, Any]

METER_SHORT: Final = "meter-short"
"""The refusal of a hit whose fixed pay the meter cannot cover: who presses is asked whether the tray pays it."""
SWIPE_AGAIN: Final = frozenset({"badge-refused", "badges-locked"})
"""Refusals of a badge after which another badge may be swiped for the same thing."""


@dataclass(frozen=True)
class CommandDraft:
    """A command to be sent, by the dealer or by the device itself."""

    command: AnyCommand
    by_device: bool = False
    only_fresh: bool = False
    """Not to be carried out late: START GAME of minutes ago would take wagers that are gone."""


def draft(fields: Fields, *, only_fresh: bool = False) -> CommandDraft:
    """The dealer's command of these fields, some of which a device has sent; InputError with all their faults."""
    return CommandDraft(command_of(fields), only_fresh=only_fresh)


@dataclass(frozen=True)
class OpenQuestion:
    """What the panel waits for: a badge, its PIN, a spot, a reason or who pays, and what it completes."""

    what: str
    text: str
    fields: Fields
    """For a badge or the reason of a command: the command so far, by its fields; else what the press has given."""
    role: str | None = None
    """Whose badge: supervisor or executive."""
    why: str | None = None
    """For a reason: of which list it is."""
    about: str = ""
    """For a reason: what is to be done."""
    goes_on: str = ""
    """For a spot: the key that goes on once it is chosen."""


@dataclass
class Panel:
    """The controls of one table."""

    table: str
    view: TableView | None = None
    """The table as the manager last showed it."""
    present: str | None = None
    """The dealer whose badge was read here, as long as the session that began with it counts."""
    sensors: Sensors = field(default_factory=Sensors)
    spot: tuple[int, str | None] | None = None
    """The chosen spot, and its sensor if one was named."""
    asking: OpenQuestion | None = None
    key_badge: str | None = None
    """What the supervisor's key said while it stands at JPH; kept in memory only."""

    # ------------------------------------------------------------ what is there

    @property
    def vocabulary(self) -> str:
        """The generation of the table's controls."""
        return self.view.vocabulary if self.view else "nexus-2"

    @property
    def round(self) -> RoundView | None:
        """The round in play."""
        return self.view.in_play if self.view else None

    @property
    def waits_for_dealer(self) -> bool:
        """Whether a dealer swipes before anything else: none deals here, or by a badge that was read elsewhere."""
        return self.view is not None and (self.view.dealer is None or self.view.dealer != self.present)

    def need_round(self) -> RoundView:
        """The round in play, or a refusal that says what to press first."""
        found = self.round
        if found is None:
            start = word_for(self.vocabulary, START)
            raise InputError.of("no-round", "key", f"no round is in play at {self.table}: press {start} first")
        return found

    def awards(self, status: str) -> list[AwardView]:
        """Awards of the round in play in this state, in the order in which they are paid."""
        return [award for award in (self.round.awards if self.round else ()) if award.status == status]

    @property
    def two_jackpots(self) -> bool:
        """Whether the table has several sensors at each seat, so that a seat alone does not say which award."""
        return self.view is not None and len(self.view.links) > 1

    # ------------------------------------------------------------ badges

    def ask_badge(self, command: Fields, what: str, role: str) -> list[CommandDraft]:
        """Wait for a badge that completes a command, and say whose."""
        self.asking = OpenQuestion("badge", f"{what}: swipe the badge of {_article(role)}", command, role)
        return []

    def ask_reason(self, why: str, fields: Fields, about: str) -> list[CommandDraft]:
        """Wait for a reason that completes a command, out of the list for what is to be done."""
        listed = ", ".join(f"{number} {said(words.split(':')[0])}" for number, words in choices(why).items())
        question = "was the wager made?" if why == WHICH_WAY else "why?"
        self.asking = OpenQuestion("reason", f"{about}: {question} {listed}", fields, why=why, about=about)
        return []

    def swipe(self, token: str) -> list[CommandDraft]:
        """A badge was swiped: for what was asked, else a dealer signs in, also a relief in the middle of a round.

        Where nobody deals by a badge of this controller, a dealer signs in before anything else.
        """
        if not self.waits_for_dealer and self.asking is not None and self.asking.what == "badge":
            return [draft({**self.asking.fields, "badge": token})]
        return [CommandDraft(DealerIn(self.table, token), by_device=True)]

    def give_pin(self, pin: str) -> list[CommandDraft]:
        """The PIN of the badge that was swiped: it goes with it in the same command."""
        asking = self.asking
        if asking is None or asking.what != "pin":
            raise InputError.of("pin-not-asked", "pin", "no PIN is asked for: swipe the badge first")
        if not pin:
            raise InputError.of("bad-message", "pin", NOT_READ["pin"])
        # Behind the check of the fields: what stands between badge and PIN is no text of theirs.
        return [CommandDraft(with_pin(command_of(asking.fields), "badge", pin))]

    def typed(self, text: str) -> list[CommandDraft]:
        """A reader that types like a keyboard: a badge, or the PIN where that is what is asked for."""
        if self.asking is not None and self.asking.what == "pin":
            return self.give_pin(text)
        return self.swipe(text)

    def carried_out(self, do: CommandDraft) -> None:
        """A command went through: what was asked for it is settled."""
        command = do.command
        if isinstance(command, TurnKey):
            self.key_badge = command.badge if command.to == "jph" else None
        if isinstance(command, StartRound) and command.sensors is not None:
            self.sensors.told_by_start()
        self.settled(kind_of(command))

    def settled(self, kind: str) -> None:
        """What was asked for a command of this kind is not needed any more."""
        if self.asking is not None and self.asking.fields.get("kind") == kind:
            self.asking = None

    def refused(self, do: CommandDraft, error: InputError) -> None:
        """A command was refused: where only the badge was wrong or missing, it is asked for."""
        codes = {fault.code for fault in error.faults}
        if codes & SWIPE_AGAIN and self.asking is not None and getattr(do.command, "badge", None) is not None:
            return
        if codes == {"pin-needed"}:
            text = f"{self._named(do.command)}: type the PIN of this badge"
            self.asking = OpenQuestion("pin", text, msgspec.to_builtins(do.command))
        elif codes == {METER_SHORT} and isinstance(do.command, HitJackpot):
            tray = msgspec.to_builtins(msgspec.structs.replace(do.command, fixed_from="tray"))
            self.asking = OpenQuestion(TRAY_PAYS, "TRAY PAYS lets the tray pay it", tray)
        elif codes == {"badge-needed"}:
            self.ask_badge(msgspec.to_builtins(do.command), self._named(do.command), "supervisor")
        else:
            self.settled(kind_of(do.command))

    def _named(self, command: AnyCommand) -> str:
        """What a command does in the words of the keys, with its place where its key does not say it."""
        word = word_of_command(self.vocabulary, kind_of(command))
        if isinstance(command, CorrectWager):
            return f"{word} {place_text(self.view, command.seat, command.sensor)}"
        return word


def _article(role: str) -> str:
    return f"an {role}" if role[0] in "aeiou" else f"a {role}"
