"""What the keypad's display says: what became of the last press, how the table stands, and what comes next.

A dealer in a hurry reads it: short sentences, what to pay to whom from where first. Nothing here decides anything; the
sentences are made of the manager's answers and of the table as it shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from houseway.amounts import Cents
from houseway.manager.commands import AnyCommand
from houseway.manager.commands.house_answers import DealerInAnswer, DealerOutAnswer, FaultNote
from houseway.manager.commands.house_commands import DealerIn, DealerOut
from houseway.manager.commands.round_answers import (
    AcknowledgeUndoneAnswer,
    AwardState,
    CorrectWagerAnswer,
    DealRoundAnswer,
    DeclareBankerAnswer,
    DeclareSeatAnswer,
    DoubleDownAnswer,
    EndRoundAnswer,
    HitJackpotAnswer,
    HoldRoundAnswer,
    MisdealRoundAnswer,
    PayJackpotAnswer,
    PressHandAnswer,
    RejectJackpotAnswer,
    ReopenRoundAnswer,
    SensorWagers,
    SetHandAnswer,
    ShowDealerWayAnswer,
    ShowPlayerWayAnswer,
    StartRoundAnswer,
    TurnKeyAnswer,
    VoidRoundAnswer,
)
from houseway.manager.commands.round_commands import (
    AcknowledgeUndone,
    CorrectWager,
    DealRound,
    DeclareBanker,
    DeclareSeat,
    DoubleDown,
    EndRound,
    HitJackpot,
    HoldRound,
    MisdealRound,
    PayJackpot,
    PressHand,
    RejectJackpot,
    ReopenRound,
    SetHand,
    ShowDealerWay,
    ShowPlayerWay,
    StartRound,
    TurnKey,
    VoidRound,
)
from houseway.manager.commands.settled_hands import OpenDealerHand
from houseway.manager.controller.key_words import END, HIT, KEY_TO_JPH, KEY_TO_RUN, PAY, START, word_for
from houseway.manager.controller.keys_shown import due, envy_at_spot, paid_before, waits_for_hand
from houseway.manager.controller.place_words import place_text
from houseway.manager.controller.refusals import at_the_desk
from houseway.manager.interface.field_types import CommandAnswer, ShownCards
from houseway.manager.views.jackpot_views import AwardView
from houseway.manager.views.table_views import RoundView, TableView
from houseway.ranking.hand_names import hand_title
from houseway.wording import dollars

if TYPE_CHECKING:
    from houseway.manager.controller.panel import Panel

ToldAward = AwardView | AwardState | PayJackpotAnswer
"""An award as a table shows it, or as a command is answered."""


# ---------------------------------------------------------------- parts of sentences


def seats_text(seats: Iterable[int]) -> str:
    """Seats as people say them.

    >>> seats_text([2]), seats_text([5, 2])
    ('seat 2', 'seats 2, 5')
    """
    listed = sorted(seats)
    return f"seat{'s' if len(listed) != 1 else ''} {', '.join(map(str, listed))}"


def wagers_text(taken: Mapping[str, Iterable[int]]) -> str:
    """Jackpot wagers by sensor; the sensor is named where there are two of them.

    >>> wagers_text({"1": [5, 2]}), wagers_text({"1": [2], "2": [3]}), wagers_text({})
    ('seats 2, 5', 'seat 2 (sensor 1), seat 3 (sensor 2)', 'no seat')
    """
    lying = {sensor: list(seats) for sensor, seats in sorted(taken.items()) if seats}
    if len(lying) == 1 and "1" in lying:
        return seats_text(lying["1"])
    return ", ".join(f"{seats_text(seats)} (sensor {sensor})" for sensor, seats in lying.items()) or "no seat"


ENVY_FOLLOWS: Final = "envy for the others comes with END GAME"
"""What becomes of a hand that wins nothing itself."""


def hand_at(view: TableView | None, award: ToldAward) -> str:
    """Whose hand it is, and which."""
    return f"{place_text(view, award.seat, award.sensor)}, {hand_title(award.hand)}"


def award_text(view: TableView | None, award: ToldAward) -> str:
    """An award in words: who, what, how much; no amount where the hand wins nothing itself, or nothing yet."""
    name = hand_at(view, award)
    if award.cents:
        return f"{name}, {dollars(award.cents)}"
    is_pressed = not isinstance(award, PayJackpotAnswer) and award.status == "pressed"
    return name if is_pressed else f"{name}, envy for the others only"


def from_where(award: AwardView | AwardState) -> str:
    """Where an award comes from."""
    if award.source == "meter":
        return f"off the meter {award.link}/{award.level}"
    return "from the tray" if award.source == "tray" else "as the house's posted prize"


def back_where(source: str) -> str:
    """Where an award that was undone goes back to."""
    return {"tray": "into the tray", "meter": "onto the meter", "house": "to the house"}[source]


# ---------------------------------------------------------------- how the table stands, and what comes next


def waiting(panel: Panel) -> str:
    """What the dealer does while the manager is away."""
    if panel.round is not None:
        return f"{panel.round.id} waits as it is: pay no jackpot, take no wager until the manager is back"
    return f"take no jackpot wagers, no {word_for(panel.vocabulary, START)} until the manager is back"


def standing(panel: Panel) -> str:
    """The table in a sentence or two: its round and wagers, what waits, which key leads on."""
    view = panel.view
    if view is None:
        return waiting(panel)
    if view.status != "open":
        return closed(panel)
    if view.dealer is None:
        waits = f"{view.round} waits; " if view.round else ""
        return f"{waits}nobody deals at {panel.table}: swipe a dealer's badge"
    if panel.waits_for_dealer:
        return swipe_again(panel)
    if panel.round is not None:
        return _in_round(panel, panel.round)
    ready = [] if view.deck_due is not None else [_between_rounds(panel, view)]
    return ". ".join([*map(_step, view.next), *ready])


def closed(panel: Panel) -> str:
    """Why no key works, and who changes that."""
    return f"{panel.table} is closed: two people open it at the desk"


def _step(step: str) -> str:
    """A step that the manager names with its command, which no key of the table has.

    >>> _step("count a deck down and record it (houseway table deck)")
    'Count a deck down and record it at the desk'
    """
    words = at_the_desk(step)
    return words[0].upper() + words[1:]


def swipe_again(panel: Panel) -> str:
    """Somebody deals here, but not in a session of this controller: it was lost, or the badge was read elsewhere."""
    round_, dealer = (None, None) if panel.view is None else (panel.view.round, panel.view.dealer)
    waits = f"; {round_} waits and goes on then" if round_ else ""
    return f"{dealer} deals at {panel.table}, but is not signed in here: swipe the dealer's badge again{waits}"


def _between_rounds(panel: Panel, view: TableView) -> str:
    start = word_for(panel.vocabulary, START)
    if not view.links:
        return f"{panel.table} is ready: {start}"
    if panel.sensors.unseen:
        return f"NO JACKPOT WAGERS: {panel.sensors.unseen}"
    lit = {sensor: seats for sensor, seats in view.lit.items() if seats}
    if not lit:
        return f"{panel.table} is ready, no jackpot wager lies: {start} when all bets are made"
    return f"{panel.table} is ready, jackpot wagers at {wagers_text(lit)}: {start} when all bets are made"


def _in_round(panel: Panel, round_: RoundView) -> str:
    taken = {sensor: seats for sensor, seats in round_.taken.items() if seats}
    wagers = f"jackpot wagers at {wagers_text(taken)}" if taken else "no jackpot wagers"
    return f"{round_.id}, {wagers}. {_next(panel, round_)}"


def _next(panel: Panel, round_: RoundView) -> str:
    """What the dealer does next in a round."""
    locked, pressed = panel.awards("hit"), panel.awards("pressed")
    if panel.spot is not None:
        seat, sensor = panel.spot
        which = f"{seat}" if sensor is None else f"{seat} (sensor {sensor})"
        envy = envy_at_spot(panel, round_)
        if envy and all(seat not in seats for seats in round_.taken.values()):
            hands = ", ".join(map(hand_title, envy))
            return f"Spot {which} has no jackpot wager: press its hand if it brings envy ({hands}; CANCEL forgets it)"
        if waits_for_hand(panel, round_):
            return f"Spot {which} is chosen: press its hand (CANCEL forgets it)"
        rest = f". {_waiting(panel, round_, locked)}" if locked else ""
        return f"Spot {which} is chosen, and no hand waits to be pressed there (CANCEL forgets it){rest}"
    if pressed:
        names = "; ".join(
            f"{place_text(panel.view, award.seat, award.sensor)}, {hand_title(award.hand)}" for award in pressed
        )
        hit = word_for(panel.vocabulary, HIT)
        waiting = f". {_waiting(panel, round_, locked)}" if locked else ""
        return f"Pressed: {names}. {hit} locks it; the same hand again takes it off{waiting}"
    if locked:
        return _waiting(panel, round_, locked)
    if round_.key_turned:
        done = "All is paid" if panel.awards("paid") else "No award waits"
        return f"{done}: {word_for(panel.vocabulary, KEY_TO_RUN)} lowers the sign"
    return _at_the_cards(panel, round_) or _closing(panel, round_)


def _waiting(panel: Panel, round_: RoundView, locked: list[AwardView]) -> str:
    """Whom to call for the award that is paid next, and what to press then."""
    award, others = locked[0], locked[1:]
    first = paid_before(round_, award)
    if first:
        return f"LOCKED {award_text(panel.view, award)} {from_where(award)}: {_places(panel, first)} comes first"
    turned = bool(round_.key_turned)
    calls = ["a fill, the tray lacks " + dollars(award.tray_short_cents) + " by the books"] * (
        award.tray_short_cents > 0
    )
    calls += ["surveillance to verify it"] if award.reference_missing else []
    # Whose key stands at JPH is there.
    calls += (
        [_article(award.badge_role)]
        if award.badge_role != "none" and not (turned and award.badge_role == "supervisor")
        else []
    )
    key = word_for(panel.vocabulary, PAY if turned or panel.vocabulary != "aquarius" else KEY_TO_JPH)
    then = f"call {' and '.join(calls)}, then {key}" if calls else key
    more = f". After it {_places(panel, others)}" if others else ""
    return f"LOCKED {award_text(panel.view, award)} {from_where(award)}: {then}{more}"


def _places(panel: Panel, awards: list[AwardView]) -> str:
    """The places of awards that come later."""
    if panel.two_jackpots:
        return ", ".join(place_text(panel.view, award.seat, award.sensor) for award in awards)
    return seats_text(award.seat for award in awards)


def _article(role: str) -> str:
    return f"an {role}" if role[0] in "aeiou" else f"a {role}"


def _at_the_cards(panel: Panel, round_: RoundView) -> str:
    """What the cards wait for where the system deals them; empty where nothing."""
    if panel.view is None or panel.view.cards != "known":
        return ""
    if round_.deal is None:
        nobody = "Nobody plays, so nothing is dealt: PLAYS declares a seat, VOID ends the round"
        return "The shuffler deals now" if round_.occupied else nobody
    waiting = [seat for seat in round_.occupied if str(seat) not in round_.sets]
    if waiting:
        return f"Still to set: {seats_text(waiting)}"
    if not round_.dealer_shown:
        return "All hands are set: SHOW DEALER"
    unpressed = due(round_)
    if unpressed:
        listed = ", ".join(
            f"{hand_title(hand)} at {place_text(panel.view, seat, sensor)}" for sensor, seat, hand in unpressed
        )
        return f"The cards make {listed}: press it"
    return ""


def _closing(panel: Panel, round_: RoundView) -> str:
    """The end of a round in which nothing waits."""
    choose = "the hand" if panel.vocabulary == "aquarius" else "spot and hand"
    paid = panel.awards("paid")
    end = word_for(panel.vocabulary, END)
    if not paid and not any(round_.taken.values()):
        return f"{end} when all is settled"
    if not paid and panel.view is not None and panel.view.cards == "known":
        return f"The cards make no jackpot winner. {end} when all is settled"
    if not paid:
        return f"A jackpot winner? Press {choose}. Otherwise {end} when all is settled"
    listed = "; ".join(award_text(panel.view, award) for award in paid)
    small = any(award.badge_role == "none" for award in paid)
    wrong = " A payment without a badge was wrong? REJECT." if small else ""
    return f"Paid: {listed}.{wrong} {end} when all is settled"


# ---------------------------------------------------------------- what became of a press


def said(panel: Panel, command: AnyCommand, answer: CommandAnswer) -> str:
    """What a command did, with what the dealer has to do by hand; empty where the table as it stands says it all."""
    tell = _SAID.get(type(command))
    return "" if tell is None else tell(panel, command, answer)


def _started(_panel: Panel, _command: StartRound, answer: StartRoundAnswer) -> str:
    if not answer.taken:
        return f"{answer.round} begins without jackpot wagers"
    total = dollars(sum(each.cents for each in answer.taken.values()))
    places = wagers_text({sensor: each.seats for sensor, each in answer.taken.items()})
    return f"{answer.round} begins: {total} taken at {places}. Pick up the coins"


def _pressed(panel: Panel, command: PressHand, answer: PressHandAnswer) -> str:
    if answer.taken_back_cents is not None:
        return _taken_back(panel, answer)
    name = f"{place_text(panel.view, command.seat, command.sensor)}: {hand_title(answer.hand)}"
    return f"{name} is on" if answer.on else f"{name} is off again"


def _taken_back(panel: Panel, answer: PressHandAnswer | RejectJackpotAnswer) -> str:
    amount, where = dollars(answer.taken_back_cents or Cents(0)), back_where(answer.source or "")
    by = f" by {answer.rejected_by}'s badge" if isinstance(answer, RejectJackpotAnswer) else ""
    place = place_text(panel.view, answer.seat, answer.sensor)
    back = f"TAKEN BACK{by}: {place}, {hand_title(answer.hand)}, {amount} {where}"
    return f"{back}. Take the {amount} back from the player{_others(panel, answer)}"


def _others(panel: Panel, answer: PressHandAnswer | RejectJackpotAnswer) -> str:
    """What the other awards of the round are now, where one was undone."""
    locked = [award for award in answer.awards or () if award.status == "hit"]
    return f". Locked now: {'; '.join(award_text(panel.view, award) for award in locked)}" if locked else ""


def _hit(panel: Panel, _command: HitJackpot, answer: HitJackpotAnswer) -> str:
    new = [award for award in answer.awards if award.award in answer.new]
    told = []
    for award in new:
        if award.status == "paid" and award.cents:
            told.append(f"PAY {award_text(panel.view, award)} {from_where(award)}, no badge is needed")
        elif award.status == "paid":
            told.append(f"{hand_at(panel.view, award)}: {ENVY_FOLLOWS}")
    if any(award.status == "paid" for award in new):
        told.append(f"Wrong? The same hand again within {answer.slip_seconds} seconds, later REJECT")
    return _in_words(panel, ". ".join([*_low_tray(answer.warnings), *told]))


def _low_tray(warnings: Iterable[FaultNote]) -> list[str]:
    """What is to be done before anything is paid that the tray does not hold."""
    return [_step(warning.message) for warning in warnings]


def _in_words(panel: Panel, text: str) -> str:
    return text.replace("END GAME", word_for(panel.vocabulary, END))


def _paid(panel: Panel, _command: PayJackpot, answer: PayJackpotAnswer) -> str:
    listed = () if panel.round is None else panel.round.awards
    award = next((each for each in listed if each.id == answer.award), None)
    where = from_where(award) if award is not None else ""
    seen = f", surveillance {answer.reference}" if answer.reference else ""
    if award is not None and not award.cents:
        return _in_words(panel, f"{hand_at(panel.view, award)}, confirmed by {answer.paid_by}{seen}: {ENVY_FOLLOWS}")
    text = award_text(panel.view, award or answer)
    return f"PAY {text} {where}: logged by {answer.paid_by}{seen}".replace(" :", ":")


def _rejected(panel: Panel, _command: RejectJackpot, answer: RejectJackpotAnswer) -> str:
    if answer.taken_back_cents is not None:
        return _taken_back(panel, answer)
    name = f"{place_text(panel.view, answer.seat, answer.sensor)}, {hand_title(answer.hand)}"
    return f"REJECTED by {answer.rejected_by}: {name}, nothing is paid for it{_others(panel, answer)}"


def _turned(_panel: Panel, command: TurnKey, _answer: TurnKeyAnswer) -> str:
    return "the key is at JPH" if command.to == "jph" else "the key is at Run, the sign has dropped"


def _ended(panel: Panel, _command: EndRound, answer: EndRoundAnswer) -> str:
    by_amount: dict[Cents, list[int]] = {}
    for line in answer.envy:
        by_amount.setdefault(line.cents, []).append(line.seat)
    parts = [f"{each_amount(cents, seats)} to {seats_text(seats)}" for cents, seats in sorted(by_amount.items())]
    envy = f". PAY envy from the tray: {'; '.join(parts)}" if parts else ""
    envy += "".join(f". {each}" for each in _low_tray(answer.warnings))
    return f"{answer.round} is over{envy}. Too early? REOPEN, until the next {word_for(panel.vocabulary, START)}"


def each_amount(cents: Cents, seats: list[int]) -> str:
    """An amount for one seat, or for each of several."""
    return f"{dollars(cents)}{' each' if len(seats) > 1 else ''}"


def _voided(_panel: Panel, _command: VoidRound, answer: VoidRoundAnswer) -> str:
    return f"{answer.round} is VOID: {_give_back(answer.returned)}"


def _misdealt(_panel: Panel, _command: MisdealRound, answer: MisdealRoundAnswer) -> str:
    return f"{answer.round} is a MISDEAL ({answer.incident}): {_give_back(answer.returned)}"


def _give_back(returned: Mapping[str, SensorWagers]) -> str:
    """What the dealer gives the players of a round that does not count."""
    back = [
        f"{each_amount(_one_wager(each), [*each.seats])} to {wagers_text({sensor: each.seats})}"
        for sensor, each in sorted(returned.items())
        if each.seats
    ]
    return f"give back {'; '.join(back)}, and all other wagers" if back else "give all wagers back"


def _one_wager(taken: SensorWagers) -> Cents:
    """What one of the wagers on a sensor is, all of which are the same."""
    return Cents(taken.cents // len(taken.seats))


def _held(_panel: Panel, _command: HoldRound, answer: HoldRoundAnswer) -> str:
    return f"{answer.round} is on hold: keep cards and wagers apart, the table may go on"


def _reopened(_panel: Panel, _command: ReopenRound, answer: ReopenRoundAnswer) -> str:
    envy = answer.envy_taken_back
    back = f", take envy of {dollars(envy)} back into the tray" if envy else ""
    return f"{answer.round} is open again{back}"


def _corrected(panel: Panel, command: CorrectWager, answer: CorrectWagerAnswer) -> str:
    taken = answer.taken.get(command.sensor)
    wager = f" {dollars(_one_wager(taken))}" if taken and taken.seats else ""
    place = place_text(panel.view, command.seat, command.sensor)
    if command.made:
        return f"CORRECTED: the jackpot wager of {place} counts, take{wager or ' it'}"
    return f"CORRECTED: the jackpot wager of {place} does not count, give{wager or ' it'} back"


def _dealt(_panel: Panel, _command: DealRound, answer: DealRoundAnswer) -> str:
    start = answer.start_position
    return "dealt" if start is None else f"dealt, first packet to position {start}"


def _set(_panel: Panel, command: SetHand, _answer: SetHandAnswer) -> str:
    return f"seat {command.seat} {'has folded' if command.fold else 'is set'}"


def _doubled(_panel: Panel, command: DoubleDown, answer: DoubleDownAnswer) -> str:
    if not command.cents:
        return f"seat {command.seat} takes the {answer.title.lower()} back: return it"
    return f"seat {command.seat} makes the {answer.title.lower()}: {dollars(command.cents)}"


def _declared(_panel: Panel, command: DeclareSeat, _answer: DeclareSeatAnswer) -> str:
    return f"seat {command.seat} plays" if command.plays else f"seat {command.seat} plays no more"


def _banks(_panel: Panel, command: DeclareBanker, _answer: DeclareBankerAnswer) -> str:
    if command.seat is None:
        return "nobody banks the next round"
    return f"seat {command.seat} banks the next round, its hand is set the house way"


def _shown_player(_panel: Panel, command: ShowPlayerWay, answer: ShowPlayerWayAnswer) -> str:
    return f"seat {command.seat} is set the house way{_cards(answer.hand)}"


def _shown_dealer(_panel: Panel, _command: ShowDealerWay, answer: ShowDealerWayAnswer) -> str:
    """The dealer's hand, what every seat gets for the wagers that were told, and how the hands of the others fare."""
    untold = answer.untold or {}
    told = [seat for seat in answer.seats or () if str(seat.seat) not in untold]
    told.sort(key=lambda each: -each.seat)
    gets = [f"seat {seat.seat} {dollars(seat.from_tray)}" for seat in told if seat.from_tray]
    gives = f". Stakes and wins together: {', '.join(gets)}" if gets else ""
    nobody = f". All wagers {'that were entered ' if untold else ''}lose" if told and not gets else ""
    others = [_fares(seat, untold[seat]) for seat in sorted(untold, key=int, reverse=True)]
    by_hand = f". Wagers not entered: settle them by the cards: {', '.join(others)}" if others else ""
    return f"the dealer's hand is shown{_cards(answer.hand or answer.dealer)}{gives}{nobody}{by_hand}"


_FARES: Final = {"win": "wins", "push": "pushes", "lose": "loses"}


def _fares(seat: str, outcomes: Mapping[str, str]) -> str:
    """How a hand fares against the dealer's, and a raise by itself where it fares otherwise.

    >>> _fares("3", {"main": "win", "double_down": "push"}), _fares("2", {"main": "lose", "double_down": "lose"})
    ('seat 3 wins (a double down pushes)', 'seat 2 loses')
    """
    if not outcomes:
        return f"seat {seat}"
    (_, main), *raises = outcomes.items()
    otherwise = [f" (a {name.replace('_', ' ')} {_FARES[each]})" for name, each in raises if each != main]
    return f"seat {seat} {_FARES[main]}{''.join(otherwise)}"


def _cards(hand: ShownCards | OpenDealerHand | None) -> str:
    """A hand that lies open, as it is set."""
    if hand is None or not hand.high:
        return ""
    low = f" | low {' '.join(hand.low)}" if hand.low else ""
    return f": high {' '.join(hand.high)}{low}"


def _arrived(panel: Panel, _command: DealerIn, answer: DealerInAnswer) -> str:
    return f"{answer.dealer} deals at {panel.table}"


def _left(panel: Panel, _command: DealerOut, answer: DealerOutAnswer) -> str:
    return f"{answer.left} has left {panel.table}"


def _acknowledged(_panel: Panel, _command: AcknowledgeUndone, answer: AcknowledgeUndoneAnswer) -> str:
    return f"seen: {', '.join(answer.acknowledged)}"


_SAID: Final[dict[type[AnyCommand], Callable[[Panel, Any, Any], str]]] = {
    StartRound: _started,
    PressHand: _pressed,
    HitJackpot: _hit,
    PayJackpot: _paid,
    RejectJackpot: _rejected,
    TurnKey: _turned,
    EndRound: _ended,
    VoidRound: _voided,
    MisdealRound: _misdealt,
    HoldRound: _held,
    ReopenRound: _reopened,
    CorrectWager: _corrected,
    DealRound: _dealt,
    SetHand: _set,
    DoubleDown: _doubled,
    DeclareSeat: _declared,
    DeclareBanker: _banks,
    ShowPlayerWay: _shown_player,
    ShowDealerWay: _shown_dealer,
    DealerIn: _arrived,
    DealerOut: _left,
    AcknowledgeUndone: _acknowledged,
}
"""What is said of each command, which gets itself and its own answer."""
