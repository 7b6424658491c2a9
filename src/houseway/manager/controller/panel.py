"""The controls of a table between two presses: the table as the manager shows it, the chosen spot, what is asked for.

The panel decides nothing that the manager decides. It has no clock, no socket and no file; `key_presses` says what a
press means.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from houseway.errors import InputError
from houseway.manager.controller.key_words import START, word_for, word_of_command
from houseway.manager.controller.reasons import WHICH_WAY, choices, said
from houseway.manager.controller.sensors import Sensors

Fields = dict[str, Any]

SWIPE_AGAIN: Final = frozenset({"card-refused", "badges-locked"})
"""Refusals of a card after which another card may be swiped for the same thing."""


@dataclass(frozen=True)
class CommandDraft:
    """A command to be sent, by the dealer or by the device itself."""

    command: Fields
    by_device: bool = False
    only_fresh: bool = False
    """Not to be carried out late: START GAME of minutes ago would take wagers that are gone."""


@dataclass(frozen=True)
class OpenQuestion:
    """What the panel waits for: a card, a spot or a reason, and the command that it completes."""

    what: str
    text: str
    do: CommandDraft
    card: str | None = None
    """Whose card: supervisor or executive."""
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
    view: Fields | None = None
    """The table as the manager last showed it."""
    present: str | None = None
    """The dealer whose card was read here, as long as the session that began with it counts."""
    sensors: Sensors = field(default_factory=Sensors)
    spot: tuple[int, str | None] | None = None
    """The chosen spot, and its sensor if one was named."""
    asking: OpenQuestion | None = None
    key_card: str | None = None
    """What the supervisor's key said while it stands at JPH; kept in memory only."""

    # ------------------------------------------------------------ what is there

    @property
    def vocabulary(self) -> str:
        """The generation of the table's controls."""
        return str(self.view["vocabulary"]) if self.view else "nexus-2"

    @property
    def round(self) -> Fields | None:
        """The round in play."""
        found = self.view["in_play"] if self.view else None
        return dict(found) if found else None

    @property
    def waits_for_dealer(self) -> bool:
        """Whether a dealer swipes before anything else: none deals here, or by a card that was read elsewhere."""
        return self.view is not None and (self.view["dealer"] is None or self.view["dealer"] != self.present)

    def need_round(self) -> Fields:
        """The round in play, or a refusal that says what to press first."""
        found = self.round
        if found is None:
            start = word_for(self.vocabulary, START)
            raise InputError.of("no-round", "key", f"no round is in play at {self.table}: press {start} first")
        return found

    def awards(self, status: str) -> list[Fields]:
        """Awards of the round in play in this state, in the order in which they are paid."""
        return [award for award in (self.round or {"awards": []})["awards"] if award["status"] == status]

    @property
    def two_jackpots(self) -> bool:
        """Whether the table has several sensors at each seat, so that a seat alone does not say which award."""
        return self.view is not None and len(self.view["links"]) > 1

    # ------------------------------------------------------------ cards

    def ask_card(self, command: Fields, what: str, card: str) -> list[CommandDraft]:
        """Wait for a card that completes a command, and say whose."""
        self.asking = OpenQuestion("card", f"{what}: swipe the card of {_article(card)}", CommandDraft(command), card)
        return []

    def ask_reason(self, why: str, do: CommandDraft, about: str) -> list[CommandDraft]:
        """Wait for a reason that completes a command, out of the list for what is to be done."""
        listed = ", ".join(f"{number} {said(words.split(':')[0])}" for number, words in choices(why).items())
        question = "was the wager made?" if why == WHICH_WAY else "why?"
        self.asking = OpenQuestion("reason", f"{about}: {question} {listed}", do, why=why, about=about)
        return []

    def swipe(self, token: str) -> list[CommandDraft]:
        """A card was swiped: for what was asked, else a dealer signs in, also a relief in the middle of a round.

        Where nobody deals by a card of this controller, a dealer signs in before anything else.
        """
        if not self.waits_for_dealer and self.asking is not None and self.asking.what == "card":
            return [CommandDraft({**self.asking.do.command, "card": token})]
        return [CommandDraft({"kind": "dealer.in", "table": self.table, "card": token}, by_device=True)]

    def carried_out(self, do: CommandDraft) -> None:
        """A command went through: what was asked for it is settled."""
        if do.command["kind"] == "key.turn":
            self.key_card = do.command["card"] if do.command["to"] == "jph" else None
        if do.command["kind"] == "round.start" and do.command["sensors"] is not None:
            self.sensors.told_by_start()
        self.settled(do.command["kind"])

    def settled(self, kind: str) -> None:
        """What was asked for a command of this kind is not needed any more."""
        if self.asking is not None and self.asking.do.command.get("kind") == kind:
            self.asking = None

    def refused(self, do: CommandDraft, error: InputError) -> None:
        """A command was refused: where only the card was wrong or missing, it is asked for."""
        codes = {fault.code for fault in error.faults}
        if codes & SWIPE_AGAIN and self.asking is not None and "card" in do.command:
            return
        if codes == {"card-needed"}:
            self.ask_card(do.command, word_of_command(self.vocabulary, do.command["kind"]), "supervisor")
        else:
            self.settled(do.command["kind"])


def _article(role: str) -> str:
    return f"an {role}" if role[0] in "aeiou" else f"a {role}"
