"""Which keys the display names: those that would be accepted now, or that ask for what is missing.

A key that is not named still works where the manager lets it; one that is named never leads into a refusal that the
table as it is shown already tells. What waits for somebody else (the shuffler, the sensors, surveillance, the desk)
names no key for it: the words of the display do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from houseway.manager.controller.key_words import END, HIT, KEY_TO_JPH, KEY_TO_RUN, PAY, START, TRAY_PAYS, word_for
from houseway.manager.views.jackpot_views import AwardView
from houseway.manager.views.table_views import RoundView, TableView

if TYPE_CHECKING:
    from houseway.manager.controller.panel import Panel

_ANSWERING: Final = {"badge": (), "pin": (), "spot": ("SPOT",), "reason": ("REASON",), TRAY_PAYS: ("TRAY PAYS",)}
"""The keys that answer what is asked for; a badge is swiped."""


def keys(panel: Panel) -> list[str]:
    """The words of the keys that lead on from here, for a table whose manager is there."""
    view = panel.view
    if view is None or view.status != "open" or panel.waits_for_dealer:
        return []
    if panel.asking is not None:
        return [*_ANSWERING[panel.asking.what], "CANCEL"]
    acknowledge = ["SEEN"] if view.undone else []
    if panel.round is None:
        return [*_start(panel, view), *(["REOPEN"] if view.last_round else []), *acknowledge]
    return [
        *_of_hands(panel, panel.round),
        *_of_cards(view, panel.round),
        *_of_awards(panel, panel.round),
        *acknowledge,
    ]


def _start(panel: Panel, view: TableView) -> list[str]:
    """START GAME, unless a deck is due or nobody sees the wagers; face up somebody must be declared first."""
    if view.deck_due is not None:
        return []
    if view.links and panel.sensors.unseen:
        return []
    if view.face_up and not view.declared and not any(view.lit.values()):
        return ["PLAYS"]
    return [word_for(panel.vocabulary, START)]


def _of_hands(panel: Panel, round_: RoundView) -> list[str]:
    """Spot and hand, as long as there is a hand to be pressed, or one to be taken off."""
    chosen = ["CANCEL"] if panel.spot is not None else []
    hand = ["HAND"] if waits_for_hand(panel, round_) else []
    if panel.vocabulary == "aquarius":
        return [*hand, *chosen]
    return [*(["SPOT"] if _places(panel, round_) else []), *(hand if chosen else []), *chosen]


def waits_for_hand(panel: Panel, round_: RoundView) -> bool:
    """Whether a hand can be pressed, or taken off again: at the chosen spot, or where none is chosen, anywhere."""
    seat, sensor = panel.spot or (None, None)
    waits = any(seat in (None, there) and sensor in (None, on) for on, there in _places(panel, round_))
    return waits or bool(envy_at_spot(panel, round_))


def envy_at_spot(panel: Panel, round_: RoundView) -> list[str]:
    """Hands that the chosen spot may press without a wager of its own, since they bring envy; none for known cards."""
    if panel.spot is None or panel.view is None or panel.view.cards == "known":
        return []
    seat, sensor = panel.spot
    there = {award.sensor for award in round_.awards if award.seat == seat}
    hands = [
        hand
        for on, link in panel.view.links.items()
        if sensor in (None, on) and on not in there and round_.taken.get(on) and seat not in round_.taken[on]
        for hand in link.envy_hands
    ]
    return list(dict.fromkeys(hands))


def _places(panel: Panel, round_: RoundView) -> set[tuple[str, int]]:
    """Sensor and seat of every wager whose hand may be pressed, or is pressed and may be taken off."""
    pressed = {(award.sensor, award.seat) for award in panel.awards("pressed")}
    if panel.view is not None and panel.view.cards == "known":
        return pressed | {(sensor, int(seat)) for sensor, seat, _ in due(round_)}
    there = {(award.sensor, award.seat) for award in round_.awards}
    return pressed | {(sensor, seat) for sensor, seats in round_.taken.items() for seat in seats} - there


def due(round_: RoundView) -> list[tuple[str, str, str]]:
    """Sensor, seat and hand of the buttons that the open cards ask for and nobody has pressed."""
    there = {f"{award.sensor}/{award.seat}" for award in round_.awards}
    return [
        (*_place(spot), hand)
        for spot, hand in sorted(round_.proposed.items())
        if round_.dealer_shown and spot not in there
    ]


def _place(spot: str) -> tuple[str, str]:
    sensor, _, seat = spot.partition("/")
    return sensor, seat


def _of_cards(view: TableView, round_: RoundView) -> list[str]:
    """The keys for cards that the system deals: hands are set, then the dealer's is shown."""
    if view.cards != "known" or round_.dealer_shown:
        return []
    if round_.deal is None:
        # The shuffler deals to seats that play; with none of them there is nothing to deal.
        return [] if round_.occupied else ["PLAYS", "VOID"]
    if all(str(seat) in round_.sets for seat in round_.occupied):
        return ["SHOW DEALER"]
    # Where hands are split, each is set by the places of its own low cards, or by the house way.
    return ["SET"] if view.way is not None else ["SET", "ALL SET"]


def _of_awards(panel: Panel, round_: RoundView) -> list[str]:
    """HIT, PAY, the supervisor's key, END GAME and REJECT."""
    first, turned = panel.vocabulary == "aquarius", round_.key_turned
    pressed, locked = panel.awards("pressed"), panel.awards("hit")
    found = [word_for(panel.vocabulary, HIT)] if pressed else []
    if first and not turned and (pressed or locked):
        found.append(word_for(panel.vocabulary, KEY_TO_JPH))
    if locked and (turned or not first):
        found += [word_for(panel.vocabulary, PAY)] if _payable(panel, round_, locked) else []
    elif turned:
        found.append(word_for(panel.vocabulary, KEY_TO_RUN))
    elif not pressed and not locked and may_end(panel, round_):
        found.append(word_for(panel.vocabulary, END))
    small = [award for award in panel.awards("paid") if award.badge_role == "none"]
    if any(panel.spot is None or award.seat == panel.spot[0] for award in (*locked, *small)):
        found.append("REJECT")
    return found


def _payable(panel: Panel, round_: RoundView, locked: list[AwardView]) -> bool:
    """Whether the next award, or that of the chosen spot, is verified and nobody farther right comes before it."""
    chosen = [award for award in locked if panel.spot is not None and award.seat == panel.spot[0]]
    award = (chosen or locked)[0]
    return not award.reference_missing and not paid_before(round_, award)


def paid_before(round_: RoundView, award: AwardView) -> list[AwardView]:
    """The awards that come before one: of seats farther right, off the same meter, and not paid yet."""
    return [
        other
        for other in round_.awards
        if other.status != "paid" and other.seat > award.seat
        if other.link == award.link and other.source == award.source == "meter"
    ]


def may_end(panel: Panel, round_: RoundView) -> bool:
    """Whether the cards keep the round open no more: known ones lie open, and what they ask for is pressed."""
    known = panel.view is not None and panel.view.cards == "known"
    return not known or (round_.dealer_shown and not due(round_))
