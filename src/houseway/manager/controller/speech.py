"""What the keypad's display says: what became of the last press, how the table stands, and what comes next.

A dealer in a hurry reads it: short sentences, what to pay to whom from where first. Nothing here decides anything; the
sentences are made of the manager's answers and of the table as it shows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from houseway.amounts import Cents
from houseway.manager.controller.key_words import END, HIT, KEY_TO_JPH, KEY_TO_RUN, PAY, START, word_for
from houseway.manager.core.money import cents_text
from houseway.ranking.hand_names import hand_title

if TYPE_CHECKING:
    from houseway.manager.controller.panel import Panel

Fields = dict[str, Any]

_COMMAND: Final = re.compile(r"\([a-z]+\.[a-z-]+\)")
"""A command as the manager names it for programs."""


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


def place_text(view: Fields | None, award: Mapping[str, Any]) -> str:
    """The place of an award or a wager: its seat, and its sensor where the table has two.

    >>> place_text({"links": {"1": {}, "2": {}}}, {"seat": 2, "sensor": "2"})
    'seat 2 (sensor 2)'
    """
    two = view is not None and len(view["links"]) > 1
    return f"seat {award['seat']} (sensor {award['sensor']})" if two else f"seat {award['seat']}"


def award_text(view: Fields | None, award: Mapping[str, Any]) -> str:
    """An award in words: who, what, how much; no amount where the hand wins nothing itself, or nothing yet."""
    name = f"{place_text(view, award)}, {hand_title(award['hand'])}"
    if award["cents"]:
        return f"{name}, {cents_text(award['cents'])}"
    return name if award.get("status") == "pressed" else f"{name}, envy for the others only"


def from_where(award: Mapping[str, Any]) -> str:
    """Where an award comes from."""
    if award["source"] == "meter":
        return f"off the meter {award['link']}/{award['level']}"
    return "from the tray" if award["source"] == "tray" else "as the house's posted prize"


def back_where(award: Mapping[str, Any]) -> str:
    """Where an award that was undone goes back to."""
    return {"tray": "into the tray", "meter": "onto the meter", "house": "to the house"}[str(award["source"])]


# ---------------------------------------------------------------- how the table stands, and what comes next


def waiting(panel: Panel) -> str:
    """What the dealer does while the manager is away."""
    if panel.round is not None:
        return f"{panel.round['id']} waits as it is: pay no jackpot, take no wager until the manager is back"
    return f"take no jackpot wagers, no {word_for(panel.vocabulary, START)} until the manager is back"


def standing(panel: Panel) -> str:
    """The table in a sentence or two: its round and wagers, what waits, which key leads on."""
    view = panel.view
    if view is None:
        return waiting(panel)
    if view["status"] != "open":
        return f"{panel.table} is closed: two people open it at the desk"
    if view["dealer"] is None:
        waits = f"{view['round']} waits; " if view["round"] else ""
        return f"{waits}nobody deals at {panel.table}: swipe a dealer's card"
    if panel.waits_for_dealer:
        return swipe_again(panel)
    if panel.round is not None:
        return _in_round(panel, panel.round)
    return ". ".join([*map(_at_the_desk, view["next"]), _between_rounds(panel, view)])


def _at_the_desk(step: str) -> str:
    """A step that the manager names with its command, which no key of the table has.

    >>> _at_the_desk("count a deck down and record it (table.deck)")
    'Count a deck down and record it at the desk'
    """
    words = _COMMAND.sub("at the desk", step)
    return words[0].upper() + words[1:]


def swipe_again(panel: Panel) -> str:
    """Somebody deals here, but not in a session of this controller: it was lost, or the card was read elsewhere."""
    view = panel.view or {}
    waits = f"; {view['round']} waits and goes on then" if view.get("round") else ""
    return (
        f"{view.get('dealer')} deals at {panel.table}, but is not signed in here: swipe the dealer's card again{waits}"
    )


def _between_rounds(panel: Panel, view: Fields) -> str:
    start = word_for(panel.vocabulary, START)
    if not view["links"]:
        return f"{panel.table} is ready: {start}"
    if panel.sensors.unseen:
        return f"NO JACKPOT WAGERS: {panel.sensors.unseen}"
    lit = {sensor: seats for sensor, seats in view["lit"].items() if seats}
    if not lit:
        return f"{panel.table} is ready, no jackpot wager lies: {start} when all bets are made"
    return f"{panel.table} is ready, jackpot wagers at {wagers_text(lit)}: {start} when all bets are made"


def _in_round(panel: Panel, round_: Fields) -> str:
    taken = {sensor: seats for sensor, seats in round_["taken"].items() if seats}
    wagers = f"jackpot wagers at {wagers_text(taken)}" if taken else "no jackpot wagers"
    return f"{round_['id']}, {wagers}. {_next(panel, round_)}"


def _next(panel: Panel, round_: Fields) -> str:
    """What the dealer does next in a round."""
    locked, pressed = panel.awards("hit"), panel.awards("pressed")
    if panel.spot is not None:
        seat, sensor = panel.spot
        which = f"{seat}" if sensor is None else f"{seat} (sensor {sensor})"
        return f"Spot {which} is chosen: press its hand (CANCEL forgets it)"
    if pressed:
        names = "; ".join(f"{place_text(panel.view, award)}, {hand_title(award['hand'])}" for award in pressed)
        hit = word_for(panel.vocabulary, HIT)
        waiting = f". {_waiting(panel, round_, locked)}" if locked else ""
        return f"Pressed: {names}. {hit} locks it; the same hand again takes it off{waiting}"
    if locked:
        return _waiting(panel, round_, locked)
    if round_["key_turned"]:
        done = "All is paid" if panel.awards("paid") else "No award waits"
        return f"{done}: {word_for(panel.vocabulary, KEY_TO_RUN)} lets the sign fall"
    return _at_the_cards(panel, round_) or _closing(panel, round_)


def _waiting(panel: Panel, round_: Fields, locked: list[Fields]) -> str:
    """Whom to call for the award that is paid next, and what to press then."""
    award, others = locked[0], locked[1:]
    turned = bool(round_["key_turned"])
    calls = ["surveillance to verify it"] if award.get("reference_missing") else []
    # Whose key stands at JPH is there.
    calls += (
        [_article(award["card"])] if award["card"] != "none" and not (turned and award["card"] == "supervisor") else []
    )
    key = word_for(panel.vocabulary, PAY if turned or panel.vocabulary != "aquarius" else KEY_TO_JPH)
    then = f"call {' and '.join(calls)}, then {key}" if calls else key
    more = f". After it {_places(panel, others)}" if others else ""
    return f"LOCKED {award_text(panel.view, award)} {from_where(award)}: {then}{more}"


def _places(panel: Panel, awards: list[Fields]) -> str:
    """The places of awards that come later."""
    if panel.two_jackpots:
        return ", ".join(place_text(panel.view, award) for award in awards)
    return seats_text(award["seat"] for award in awards)


def _article(role: str) -> str:
    return f"an {role}" if role[0] in "aeiou" else f"a {role}"


def _at_the_cards(panel: Panel, round_: Fields) -> str:
    """What the cards wait for where the system deals them; empty where nothing."""
    if panel.view is None or panel.view["cards"] != "known":
        return ""
    if round_["deal"] is None:
        return "The shuffler deals now"
    waiting = [seat for seat in round_["occupied"] if str(seat) not in round_["sets"]]
    if waiting:
        return f"Still to set: {seats_text(waiting)}"
    if not round_["dealer_shown"]:
        return "All hands are set: SHOW DEALER"
    there = {f"{award['sensor']}/{award['seat']}" for award in round_["awards"]}
    due = [(spot.split("/"), hand) for spot, hand in sorted(round_["proposed"].items()) if spot not in there]
    if due:
        listed = ", ".join(
            f"{hand_title(hand)} at {place_text(panel.view, {'seat': seat, 'sensor': sensor})}"
            for (sensor, seat), hand in due
        )
        return f"The cards make {listed}: press it"
    return ""


def _closing(panel: Panel, round_: Fields) -> str:
    """The end of a round in which nothing waits."""
    choose = "the hand" if panel.vocabulary == "aquarius" else "spot and hand"
    paid = panel.awards("paid")
    end = word_for(panel.vocabulary, END)
    if not paid and not any(round_["taken"].values()):
        return f"{end} when all is settled"
    if not paid:
        return f"A jackpot winner? Press {choose}. Else {end} when all is settled"
    listed = "; ".join(award_text(panel.view, award) for award in paid)
    small = any(award["card"] == "none" for award in paid)
    wrong = " One without a card was wrong? REJECT." if small else ""
    return f"Paid: {listed}.{wrong} {end} when all is settled"


# ---------------------------------------------------------------- what became of a press


def said(panel: Panel, command: Fields, answer: Fields) -> str:
    """What a command did, with what the dealer has to do by hand; empty where the table as it stands says it all."""
    tell = _SAID.get(command["kind"])
    return "" if tell is None else tell(panel, command, answer)


def _started(_panel: Panel, _command: Fields, answer: Fields) -> str:
    taken = answer["taken"]
    if not taken:
        return f"{answer['round']} begins without jackpot wagers"
    total = cents_text(sum(each["cents"] for each in taken.values()))
    places = wagers_text({sensor: each["seats"] for sensor, each in taken.items()})
    return f"{answer['round']} begins: {total} taken at {places}. Take the coins up"


def _pressed(panel: Panel, command: Fields, answer: Fields) -> str:
    name = f"{place_text(panel.view, command)}: {hand_title(answer['hand'])}"
    if "taken_back_cents" in answer:
        return _taken_back(panel, answer)
    return f"{name} is on" if answer["on"] else f"{name} is off again"


def _taken_back(panel: Panel, answer: Fields) -> str:
    amount, where = cents_text(answer["taken_back_cents"]), back_where(answer)
    by = f" by {answer['rejected_by']}'s card" if "rejected_by" in answer else ""
    back = f"TAKEN BACK{by}: {place_text(panel.view, answer)}, {hand_title(answer['hand'])}, {amount} {where}"
    return f"{back}. Take the {amount} back from the player{_others(panel, answer)}"


def _others(panel: Panel, answer: Fields) -> str:
    """What the other awards of the round are now, where one was undone."""
    locked = [award for award in answer.get("awards", ()) if award["status"] == "hit"]
    return f". Locked now: {'; '.join(award_text(panel.view, award) for award in locked)}" if locked else ""


def _hit(panel: Panel, _command: Fields, answer: Fields) -> str:
    new = [award for award in answer["awards"] if award["award"] in answer["new"]]
    told = []
    for award in new:
        if award["status"] == "paid" and award["cents"]:
            told.append(f"PAY {award_text(panel.view, award)} {from_where(award)}, no card is needed")
        elif award["status"] == "paid":
            name = f"{place_text(panel.view, award)}, {hand_title(award['hand'])}"
            told.append(f"{name}: envy for the others comes with END GAME")
    if any(award["status"] == "paid" for award in new):
        told.append(f"Wrong? The same hand again within {answer['slip_seconds']} seconds, later REJECT")
    return _in_words(panel, ". ".join(told))


def _in_words(panel: Panel, text: str) -> str:
    return text.replace("END GAME", word_for(panel.vocabulary, END))


def _paid(panel: Panel, _command: Fields, answer: Fields) -> str:
    award = next((each for each in (panel.round or {"awards": []})["awards"] if each["id"] == answer["award"]), None)
    where = from_where(award) if award is not None else ""
    seen = f", surveillance {answer['reference']}" if answer.get("reference") else ""
    return f"PAY {award_text(panel.view, award or answer)} {where}: logged by {answer['paid_by']}{seen}".replace(
        " :", ":"
    )


def _rejected(panel: Panel, _command: Fields, answer: Fields) -> str:
    if "taken_back_cents" in answer:
        return _taken_back(panel, answer)
    name = f"{place_text(panel.view, answer)}, {hand_title(answer['hand'])}"
    return f"REJECTED by {answer['rejected_by']}: {name}, nothing is paid for it{_others(panel, answer)}"


def _turned(_panel: Panel, command: Fields, _answer: Fields) -> str:
    return "the key stands at JPH" if command["to"] == "jph" else "the key stands at Run, the sign has fallen"


def _ended(panel: Panel, _command: Fields, answer: Fields) -> str:
    by_amount: dict[Cents, list[int]] = {}
    for line in answer.get("envy", ()):
        by_amount.setdefault(line["cents"], []).append(line["seat"])
    parts = [f"{_each(cents, seats)} to {seats_text(seats)}" for cents, seats in sorted(by_amount.items())]
    envy = f". PAY envy from the tray: {'; '.join(parts)}" if parts else ""
    return f"{answer['round']} is over{envy}. Too early? REOPEN, until the next {word_for(panel.vocabulary, START)}"


def _each(cents: Cents, seats: list[int]) -> str:
    """An amount for one seat, or for each of several."""
    return f"{cents_text(cents)}{' each' if len(seats) > 1 else ''}"


def _voided(_panel: Panel, _command: Fields, answer: Fields) -> str:
    back = [
        f"{_each(each['cents'] // len(each['seats']), each['seats'])} to {wagers_text({sensor: each['seats']})}"
        for sensor, each in sorted(answer["returned"].items())
        if each["seats"]
    ]
    give = f"give back {'; '.join(back)}, and all other wagers" if back else "give all wagers back"
    return f"{answer['round']} is VOID: {give}"


def _held(_panel: Panel, _command: Fields, answer: Fields) -> str:
    return f"{answer['round']} is on hold: keep cards and wagers apart, the table may go on"


def _reopened(_panel: Panel, _command: Fields, answer: Fields) -> str:
    envy = answer.get("envy_taken_back", 0)
    back = f", take envy of {cents_text(envy)} back into the tray" if envy else ""
    return f"{answer['round']} is open again{back}"


def _corrected(panel: Panel, command: Fields, answer: Fields) -> str:
    seats = answer["taken"].get(command["sensor"])
    wager = f" {cents_text(seats['cents'] // len(seats['seats']))}" if seats and seats["seats"] else ""
    if command["made"]:
        return f"CORRECTED: the jackpot wager of {place_text(panel.view, command)} counts, take{wager or ' it'}"
    return (
        f"CORRECTED: the jackpot wager of {place_text(panel.view, command)} does not count, give{wager or ' it'} back"
    )


def _dealt(_panel: Panel, _command: Fields, answer: Fields) -> str:
    start = answer.get("start_position")
    return "dealt" if start is None else f"dealt, first packet to position {start}"


def _set(_panel: Panel, command: Fields, _answer: Fields) -> str:
    return f"seat {command['seat']} {'has folded' if command.get('fold') else 'is set'}"


def _doubled(_panel: Panel, command: Fields, _answer: Fields) -> str:
    if not command["cents"]:
        return f"seat {command['seat']} doubles no more: give the raise back"
    return f"seat {command['seat']} doubles down with {cents_text(command['cents'])}"


def _declared(_panel: Panel, command: Fields, _answer: Fields) -> str:
    return f"seat {command['seat']} plays" if command["plays"] else f"seat {command['seat']} plays no more"


def _shown_player(_panel: Panel, command: Fields, answer: Fields) -> str:
    return f"seat {command['seat']} is set the house way{_cards(answer.get('hand'))}"


def _shown_dealer(_panel: Panel, _command: Fields, answer: Fields) -> str:
    """The dealer's hand, and what every seat gets for the wagers that the system settles."""
    gets = [
        f"seat {seat['seat']} {cents_text(back)}"
        for seat in sorted(answer.get("seats", ()), key=lambda each: -int(each["seat"]))
        if (back := sum(line["returned"] for line in seat["lines"] if line["source"] not in ("meter", "house")))
    ]
    gives = f". Stakes and wins together: {', '.join(gets)}" if gets else ""
    nobody = ". All wagers lose" if answer.get("seats") and not gets else ""
    return f"the dealer's hand lies open{_cards(answer.get('hand') or answer.get('dealer'))}{gives}{nobody}"


def _cards(hand: Fields | None) -> str:
    """A hand that lies open, as it is set."""
    if not hand or not hand.get("high"):
        return ""
    low = f" | low {' '.join(hand['low'])}" if hand.get("low") else ""
    return f": high {' '.join(hand['high'])}{low}"


_SAID: Final[dict[str, Callable[[Any, Fields, Fields], str]]] = {
    "round.start": _started,
    "hand.press": _pressed,
    "jackpot.hit": _hit,
    "jackpot.pay": _paid,
    "jackpot.reject": _rejected,
    "key.turn": _turned,
    "round.end": _ended,
    "round.void": _voided,
    "round.hold": _held,
    "round.reopen": _reopened,
    "round.correct": _corrected,
    "round.deal": _dealt,
    "hand.set": _set,
    "hand.double": _doubled,
    "seat.declare": _declared,
    "display.player": _shown_player,
    "display.dealer": _shown_dealer,
    "dealer.in": lambda panel, _command, _answer: f"{(panel.view or {}).get('dealer')} deals at {panel.table}",
    "dealer.out": lambda panel, _command, answer: f"{answer.get('left')} has left {panel.table}",
}


# ---------------------------------------------------------------- what others did meanwhile


def stands_otherwise(before: Fields | None, after: Fields) -> bool:
    """Whether a table stands otherwise than before, so that words about it may not be true any more."""
    return before is None or _standing_of(before) != _standing_of(after)


def _standing_of(view: Fields) -> tuple[Any, ...]:
    """What words about a table rest on: not the wagers that lie on its sensors, which the display itself shows."""
    round_ = view["in_play"] or {"id": None, "awards": (), "key_turned": False, "taken": {}}
    awards = [(each["id"], each["status"], each.get("reference_missing")) for each in round_["awards"]]
    links = {sensor: (link["link"], link["status"]) for sensor, link in view["links"].items()}
    return (
        view["status"], view["dealer"], view["deck"], view["held"], view["last_round"], links,
        round_["id"], round_["key_turned"], round_["taken"], awards,
    )  # fmt: skip


def noticed(before: Fields | None, after: Fields) -> str:
    """What somebody else has changed in the round of a table: an award undone or verified, a round ended or voided."""
    old, new = (before or {}).get("in_play"), after["in_play"]
    if old is None or new is None or old["id"] != new["id"]:
        ended = [f"{old['id']} was ended or set aside elsewhere"] if old is not None else []
        resumed = new is not None and new["id"] in (before or {}).get("held", ())
        return ". ".join([*ended, *([f"{new['id']} was on hold and goes on now"] if resumed else [])])
    there = {award["id"]: award for award in new["awards"]}
    told = []
    for award in old["awards"]:
        now = there.get(award["id"])
        if now is None:
            told.append(_undone_elsewhere(after, award))
        elif award.get("reference_missing") and not now.get("reference_missing"):
            told.append(f"surveillance has verified {place_text(after, award)}")
        elif award["status"] != now["status"] == "paid":
            told.append(f"PAY {award_text(after, now)} {from_where(now)}: logged by {now['paid_by']} elsewhere")
    return ". ".join(told)


def _undone_elsewhere(view: Fields, award: Fields) -> str:
    """An award that is gone, and what the dealer does with money that had come from the tray."""
    if award["status"] != "paid":
        return f"taken out elsewhere: {award_text(view, award)}"
    tray = f". Put {cents_text(award['cents'])} back into the tray" if award["source"] == "tray" else ""
    return f"BACKED OUT at the desk: {award_text(view, award)}{tray}"
