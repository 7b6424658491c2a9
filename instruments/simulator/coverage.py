"""What the seeds of a test run must have met together: every kind of command, done and refused, every situation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from houseway.manager.commands import COMMANDS
from instruments.simulator.checker.changes import CODES, EFFECTS
from instruments.simulator.mishaps import STEPS as KILL_STEPS

OWN: Final = frozenset(
    {
        "system.started", "system.snapshot", "system.refused", "system.locked", "system.pin", "system.archived",
        "system.rebuilt", "system.resumed", "system.rollback", "system.recovery",
    }
)  # fmt: skip
"""What the manager does of itself, and the record of events lost with an old copy, which no floor here suffers."""
REFUSED_CODES: Final = frozenset({"above-limit"})
"""Reasons that only a journal of an earlier version can have: no meter rises above its posted limit any more."""

SITUATIONS: Final = frozenset(
    {
        # Money on and off the meters
        "a remainder below a millionth was carried",
        "a contribution above the limit went to the overflow",
        "a reseed drew the reserve",
        "a reseed drew the overflow",
        "a reseed stopped at the limit",
        "what went back above a limit went to the overflow",
        "a reseed was taken back",
        "a reseed stayed because a later award stands",
        "seed money was recovered",
        "money was put aside for a promotion",
        "a promotion gave money back",
        "a promotion gave all money back",
        "an advance of the house went back with its award",
        # Winners
        "several winners of a meter in one round",
        "awards of a round worked out again",
        "awards stood because another table had won since",
        "winners of one level at two tables at once",
        "an award was rejected and the others stood",
        "a house prize to each of several winners",
        "the house added to the full meter for each",
        "a fixed pay off the meter",
        "a fixed pay from the tray because the meter was short",
        "badge: none",
        "badge: supervisor",
        "badge: executive",
        "a payout that surveillance verifies",
        "envy was paid",
        "envy from several hands",
        "envy was taken back",
        "a hand without the wager brought envy",
        "envy of a hand without the wager needed a badge",
        # Signs
        "a sign that still shows what is locked",
        "a sign that does not show a round's contributions yet",
        "a sign that stopped at its limit while an award waited",
        # Who plays
        "a player without a jackpot wager was declared",
        "a double down on a hand that the display had set",
        # Known cards
        "a room numbered its positions otherwise",
        "known cards asked for a button",
        "a button other than the proposed one by override",
        "a proposed button was left unpressed by override",
        # Slips and disputes
        "a slip was put right by the dealer alone",
        "a slip was put right by badge",
        "a dealer took back a small award of their own",
        "a small award was taken back with a badge",
        "a round was voided with an award locked",
        "a void bore by the house what an award had taken",
        "a misdeal by the dealer alone",
        "a misdeal by badge",
        "a deck was counted down after a misdeal",
        "a round was entered from paper and ended",
        "a round was entered from paper and waits for a payment",
        "a form was voided",
        "a player was declared to bank",
        "nobody banks any more",
        "a player banked a round",
        "a round on hold: resume",
        "a round on hold: void",
        # Slips on paper
        "a slip was printed again",
        "a slip was voided with its award",
        "a win got another slip",
        "a fill was voided",
        "a credit was voided",
        "a prize was handed over: chips",
        "a prize was handed over: check",
        # Changes
        "a change waits for the round",
        "a change waits for the level to be won",
        "a change was made after the round",
        "a change was made at the win",
        "a change lapsed",
        "a link drains",
        *(f"change: {change}" for change in EFFECTS),
        *(f"adjustment: {code}" for code in CODES.keys() - REFUSED_CODES),
        # Who acts
        "a night passed",
        "a relief took a round over",
        "a dealer got another badge while signed in at a table",
        "a dealer went off duty while signed in at a table",
        "a dealer's table got another controller",
        # Messages, processes, clocks
        "answered again",
        "carried out, never acknowledged",
        "carried out under a key that another sender has used",
        "refused: a key used for another command",
        "refused: the answer of somebody else's command",
        "a message came after it was taken back",
        "a process followed another one",
        "a process started again",
        "a process started again from a snapshot",
        *(f"killed: {step}" for step in KILL_STEPS),
        *(f"store failed: {step}" for step in KILL_STEPS),
        "refused: the clock went back",
        "two people accepted the clock",
        "a round under choices that a paper covers",
    }
)

REFUSALS: Final = frozenset(
    {
        "refused dealer.in: a dealer comes alone, and not at the controller",
        "refused round.start: a round is in play",
        "refused round.start: the link takes no wagers",
        "refused round.start: the controller sees other wagers than the manager",
        "refused round.start: a misdeal, and no deck was counted down since",
        "refused round.start: a jackpot wager without the regular one",
        "refused round.start: more spots than may be dealt face up",
        "refused round.start: a choice of the room that no paper in force covers",
        "refused table.face-up: no permission names the game",
        "refused paper.record: the permission does not name the game",
        "refused paper.record: surveillance alone says what it sees",
        "refused display.dealer: nobody is declared, so nobody has set",
        "refused round.end: an award is not settled",
        "refused round.end: the supervisor's key stands at JPH",
        "refused round.void: an award of the round is paid",
        "refused hand.press: the award is locked or paid",
        "refused hand.press: the pay table has no such button",
        "refused jackpot.hit: no button is pressed",
        "refused jackpot.pay: a player farther to the right comes first",
        "refused jackpot.pay: surveillance has not verified it",
        "refused jackpot.pay: surveillance has verified another amount",
        "refused surveillance.reference: not the hand or the amount of the award",
        "refused change.propose: one person alone issued the badge",
        "refused jackpot.pay: the badge is nobody's on duty",
        "refused jackpot.pay: the badge is not one of executive",
        "refused jackpot.pay: the badge is not one of supervisor, executive",
        "refused jackpot.pay: the key is not at JPH",
        "refused jackpot.pay: the award is not locked, or paid already",
        "refused key.turn: these controls have no key",
        "refused display.player: not all other players have set their hands",
        "refused display.dealer: not all players have set their hands",
        "refused change.approve: two departments must agree",
        "refused change.approve: the approval is not of what was proposed",
        "refused change.propose: it would fall below zero",
        "refused change.propose: what becomes of the reseed was not said",
        "refused change.propose: nothing stands above a posted limit",
        "refused change.propose: the same is proposed already",
        "refused change.propose: a limit below the amount on the sign",
        "refused link.create: the sheet pays fixed hands from the tray",
        "refused table.attach: a progressive and a house jackpot on one table",
        "refused table.attach: another game, whose winning hands and odds are not the same",
        "refused tray.fill: the slip is used",
        "refused table.close: a count far from the books, and nobody says why",
        "refused tray.fill: the manager gives such numbers itself",
        "refused tray.fill: the chips are not the amount",
        "refused round.enter: the time on the paper is before the round",
        "refused seat.bank: no player banks here",
        "refused hand.set: the banker's hand is set the house way",
        "refused slip.print: the copy was printed before",
        "refused slip.reprint: the copy was never printed",
        "refused slip.void: the slip is void already",
        "refused slip.void: a second person is needed",
        "refused prize.hand-over: a second person is needed",
        "refused prize.hand-over: the tax form is missing",
        "refused prize.hand-over: a large prize is paid by check",
        "refused prize.hand-over: the deck was not counted",
        "refused prize.hand-over: the prize was handed over",
        "refused jackpot.pay: a reference that surveillance has not given",
        "refused round.start: the actor is not the dealer who swiped in at the table",
        "refused link.deposit: the actor has shown no badge at the service",
        "refused link.deposit: the badge is not one of supervisor, executive, accounting, cage",
        "refused person.change: a second person's badge is needed",
        "refused device.add: a second person's badge is needed",
        "refused device.add: there is such a device already",
        "refused device.add: the secret is another device's",
        "refused jackpot.pay: who verified it for surveillance pays it",
        "refused jackpot.pay: who pressed the button pays it",
        "refused jackpot.pay: a second person is needed",
        "refused table.face-up: a second person is needed",
        "refused round.decide: who dealt a round decides its dispute",
        "refused round.decide: a second person is needed",
        "refused round.void: a second person is needed",
        "refused round.hold: a second person is needed",
        "refused round.reopen: a second person is needed",
        "refused round.correct: a second person is needed",
        "refused jackpot.reject: a second person is needed",
        "refused key.turn: a second person is needed",
        "refused jackpot.pay: who registered the controller is the second person",
        "refused jackpot.reject: who registered the controller is the second person",
        "refused round.void: who registered the controller is the second person",
        "refused tray.fill: who registered the controller is the second person",
        "refused change.approve: a second person is needed",
    }
)
"""Mistakes that must have been made, and stopped."""


def missing(accepted: Mapping[str, int], refused: Mapping[str, int], seen: Counter[str]) -> list[str]:
    """What was not met, in words."""
    kinds = [kind for kind in COMMANDS if kind not in OWN]
    return [
        *(f"{kind} was never carried out" for kind in kinds if not accepted.get(kind)),
        *(f"{kind} was never refused" for kind in kinds if not refused.get(kind)),
        *(f"never met: {situation}" for situation in sorted(SITUATIONS | REFUSALS) if not seen[situation]),
    ]
