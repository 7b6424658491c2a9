"""What a table shows: amounts and state on the sign, light under the sensors, words on the keypad's display.

The sign is a plain monitor: everything that it shows is made here. It never shows an amount as current that may not be.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import to_builtins

from houseway.amounts import MICROS_PER_CENT
from houseway.cards.modes import DEALER, NUMBERING
from houseway.errors import InputError
from houseway.manager.controller import elsewhere, keys_shown, speech
from houseway.manager.controller.key_words import in_own_words
from houseway.manager.controller.panel import Panel
from houseway.manager.controller.reasons import choices
from houseway.manager.controller.refusals import plain
from houseway.manager.views.jackpot_views import MetersView
from houseway.manager.views.table_views import SensorLink
from houseway.wording import micro_dollars

LIVE, PENDING, PAUSED, NO_NEWS, LINK_LOST, REFUSED = "live", "pending", "paused", "no-news", "link-lost", "refused"

NO_WAGERS: Final = "NO JACKPOT WAGERS"

NOT_LIVE: Final = {
    PAUSED: "the Game Manager cannot record wagers at the moment",
    NO_NEWS: "no news from the Game Manager",
    LINK_LOST: "the Game Manager cannot be reached",
    REFUSED: "the Game Manager does not accept this table's controller",
}
"""What players read; addresses, files and error numbers are for the log."""


NAMES_THE_KEY: Final = frozenset({"wrong-button-here", "unknown-button"})
"""Refusals that repeat the key as it was pressed, which is none of the table's: no word of them is translated."""


def sign(panel: Panel, meters: Mapping[str, MetersView], news: str) -> dict[str, Any]:
    """The sign: `news` is live, or why there is none."""
    links = panel.view.links if panel.view else {}
    shown = [_sensor(sensor, link, meters.get(link.link)) for sensor, link in sorted(links.items())]
    waiting = [award for one in shown for award in one["pending"]]
    if news != LIVE:
        return {"state": news, "message": f"{NO_WAGERS}: {NOT_LIVE[news]}", "current": False, "meters": shown}
    paused = _paused(panel, shown)
    if paused:
        return {"state": PAUSED, "message": f"{NO_WAGERS}: {paused}", "current": True, "meters": shown}
    if waiting:
        message = "PENDING: " + ", ".join(f"{award['table']} {award['amount']}" for award in waiting)
        return {"state": PENDING, "message": message, "current": True, "meters": shown}
    return {"state": LIVE, "message": "", "current": True, "meters": shown}


def _sensor(sensor: str, link: SensorLink, view: MetersView | None) -> dict[str, Any]:
    """One jackpot of the table: its levels as the players read them."""
    levels = view.levels if view else {}
    return {
        "sensor": sensor,
        "link": link.link,
        "status": view.status if view else link.status,
        "levels": {name: _amount(level.displayed_micros) for name, level in levels.items()},
        "pays": {hand: _amount(cents * MICROS_PER_CENT) for hand, cents in link.pays_cents.items()},
        "pending": [
            {"table": award.table, "amount": _amount(award.cents * MICROS_PER_CENT)}
            # A hand that only brings envy waits for a badge, and for no prize.
            for award in (view.pending if view else ())
            if award.cents
        ],
    }


def _amount(micros: int) -> str:
    """Whole cents: a sign shows no fraction of one."""
    return micro_dollars(micros // MICROS_PER_CENT * MICROS_PER_CENT)


def _paused(panel: Panel, shown: list[dict[str, Any]]) -> str:
    """Why the table takes no jackpot wagers though the manager is there; empty if it does."""
    if panel.view is None or panel.view.status != "open":
        return "the table is closed"
    if shown and panel.sensors.unseen:
        return panel.sensors.unseen
    stopped = [one for one in shown if one["status"] != "open"]
    if shown and len(stopped) == len(shown):
        return ", ".join(f"{one['link']} is {one['status']}" for one in stopped)
    return ""


def start(panel: Panel) -> dict[str, Any] | None:
    """The shuffler's display: the number of the position that gets the first packet, and which place that is here."""
    deal = panel.round.deal if panel.round else None
    if deal is None or deal.start_position is None:
        return None
    place = (deal.numbering or NUMBERING)[deal.start_position - 1]
    return {"number": deal.start_position, "place": "dealer" if place == DEALER else f"seat {place}"}


def open_cards(panel: Panel) -> dict[str, Any] | None:
    """The cards of the round that lie open."""
    round_ = panel.round
    return {"round": round_.id, "cards": to_builtins(round_.shown)} if round_ and round_.shown else None


def lights(panel: Panel, live: bool) -> dict[str, list[int]]:
    """Seats whose sensors are lit: before the round the wagers that the manager has seen, then those it has taken."""
    if not live or panel.view is None:
        return {}
    round_ = panel.view.in_play
    # What the manager knew before the sensors fell silent may be gone by now.
    lit = round_.taken if round_ else {} if panel.sensors.unseen else panel.view.lit
    return {sensor: sorted(seats) for sensor, seats in sorted(lit.items()) if seats}


def display(panel: Panel, live: bool, told: str) -> dict[str, Any]:
    """The keypad's display: what became of the last press, what is asked for or comes next, the keys that lead on."""
    # While the manager is away nothing can be answered, and while a dealer must swipe nothing else: none is asked for.
    asking = panel.asking if live and not panel.waits_for_dealer else None
    if asking is not None:
        now = f"{asking.text} (CANCEL leaves it)"
    elif live:
        now = speech.standing(panel)
    else:
        now = speech.waiting(panel)
    undone = elsewhere.undone(panel)
    return {
        "text": " - ".join(text for text in (told, *undone, now) if text),
        "said": told,
        "undone": undone,
        "now": now,
        "asks": asking.what if asking else None,
        "role": asking.role if asking else None,
        "choices": choices(asking.why) if asking and asking.why else None,
        "spot": panel.spot[0] if panel.spot else None,
        "sensor": panel.spot[1] if panel.spot else None,
        "keys": keys_shown.keys(panel) if live else [],
    }


def in_words(error: InputError, vocabulary: str = "nexus-2") -> str:
    """A refusal as people at the table read it: without the places in a message, in the words of their own keys."""
    return "; ".join(
        fault.message if fault.code in NAMES_THE_KEY else in_own_words(vocabulary, plain(fault))
        for fault in error.faults
    )
