"""What a press means: from a key of the table's generation, or a request of the shuffler, to the manager's commands.

Words become commands here, and what is missing (a spot, a badge, a reason) is asked for; the display says which badge
before the swipe.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from houseway.amounts import Cents
from houseway.errors import InputError, present
from houseway.manager.commands.house_commands import DealerOut
from houseway.manager.commands.round_commands import (
    AcknowledgeUndone,
    DeclareBanker,
    DeclareSeat,
    DoubleDown,
    HitJackpot,
    SetHand,
)
from houseway.manager.controller.key_words import (
    END,
    HAND,
    HIT,
    KEY_TO_JPH,
    KEY_TO_RUN,
    PAY,
    REASON,
    SPOT,
    START,
    TRAY_PAYS,
    action_of,
    word_for,
)
from houseway.manager.controller.panel import CommandDraft, Fields, OpenQuestion, Panel, draft
from houseway.manager.controller.place_words import place_text
from houseway.manager.controller.reasons import COUNT_WAGER, MADE, MISDEAL, TAKE_WAGER_OUT, WHICH_WAY, recorded_reason
from houseway.manager.controller.refusals import NOT_READ
from houseway.manager.controller.speech import award_text
from houseway.manager.views.jackpot_views import AwardView
from houseway.manager.views.table_views import RoundView
from houseway.ranking.hand_names import hand_title
from houseway.reading.typed_ids import known_id


def press(panel: Panel, key: str, fields: Fields) -> list[CommandDraft]:
    """The commands of a key, or none where it only chose or asked something."""
    action = action_of(panel.vocabulary, key)
    if panel.asking is None or panel.asking.what != action:
        panel.asking = None
    return _ACTIONS[action](panel, fields)


def start(panel: Panel, fields: Fields) -> list[CommandDraft]:
    """START GAME, COIN IN: with the sensors as they are seen here, or as the press itself tells them."""
    told = fields.get("sensors")
    if told is None and panel.view is not None and panel.view.links:
        told = panel.sensors.told(panel.table)
    panel.spot = None
    command = {"kind": "round.start", "table": panel.table, "sensors": told, "wagers": fields.get("wagers", {})}
    if "occupied" in fields:
        command["occupied"] = fields["occupied"]
    return [draft(command, only_fresh=True)]


def choose(panel: Panel, fields: Fields) -> list[CommandDraft]:
    """A spot is chosen, for the next hand button or for the one that waits for it."""
    asked = panel.asking.fields if panel.asking is not None and panel.asking.what == SPOT else {}
    # Where only the sensor is left open, the spot stays as it was given.
    seat, sensor = _number({"spot": asked.get("spot"), **fields}, "spot"), _sensor(fields)
    seats = panel.view.seats if panel.view else 0
    if not 1 <= seat <= seats:
        raise InputError.of("no-such-seat", "spot", f"{panel.table} has seats 1 to {seats}, not {seat}")
    asking = panel.asking
    if asking is None or asking.what != SPOT:
        if panel.vocabulary == "aquarius":
            raise InputError.of("spot-not-asked", "key", "press the hand button: the spot is asked for if it is needed")
        panel.spot = (seat, sensor)
        return []
    panel.asking = None
    chosen = {"spot": seat} if sensor is None else {"spot": seat, "sensor": sensor}
    try:
        return _ACTIONS[asking.goes_on](panel, asking.fields | chosen)
    except InputError:
        # It was not an answer: the question stays.
        panel.asking, panel.spot = asking, None
        raise


def hand(panel: Panel, fields: Fields) -> list[CommandDraft]:
    """A hand button, for the spot that was chosen or comes with it; the first generation's may have to ask for it."""
    round_ = panel.need_round()
    name = _hand(panel, fields)
    if "spot" in fields:
        panel.spot = (_number(fields, "spot"), _sensor(fields))
    elif panel.spot is None and panel.vocabulary == "aquarius":
        seats = {seat for taken in round_.taken.values() for seat in taken}
        _need_button(panel, name)
        if len(seats) != 1:
            panel.asking = OpenQuestion(SPOT, f"{hand_title(name)}: which spot?", dict(fields), goes_on=HAND)
            return []
        panel.spot = (seats.pop(), None)
    if panel.spot is None:
        raise InputError.of("spot-needed", "key", "choose the spot first, then press its hand")
    (seat, sensor), panel.spot = panel.spot, None
    sensor = sensor or _sensor(fields)
    if sensor is None:
        possible = _sensors_of(panel, round_, seat, name)
        if len(possible) > 1:
            return _ask_sensor(panel, {**fields, "spot": seat}, f"{hand_title(name)} at seat {seat}", possible, HAND)
        sensor = possible[0]
    command = {"kind": "hand.press", "round": round_.id, "seat": seat, "hand": name, "sensor": sensor}
    return _with_override(panel, command, fields)


def _hand(panel: Panel, fields: Fields) -> str:
    """The name of a hand, typed in any case and with blanks or hyphens."""
    view = present(panel.view, "view of the table")
    known = dict.fromkeys(each for link in view.links.values() for each in link.hands)
    return known_id("-".join(_text(fields, "hand").split()), known, "hand")


def _need_button(panel: Panel, hand: str) -> None:
    """Before a spot is asked for: whether the table pays this hand at all."""
    view = present(panel.view, "view of the table")
    having = list(dict.fromkeys(each for _, link in sorted(view.links.items()) for each in link.hands))
    if hand not in having:
        titles = ", ".join(map(hand_title, having)) or "none"
        message = f"{panel.table} has no button for {hand_title(hand)}: it has {titles}"
        raise InputError.of("no-such-hand", "hand", message)


def _sensors_of(panel: Panel, round_: RoundView, seat: int, hand: str) -> list[str]:
    """The sensors that a hand button may belong to: of those that have it, the ones with the seat's wager."""
    view = present(panel.view, "view of the table")
    having = [str(sensor) for sensor, link in sorted(view.links.items()) if hand in link.hands]
    wagered = [sensor for sensor in having if seat in round_.taken.get(sensor, ())]
    return wagered or having or ["1"]


def _ask_sensor(panel: Panel, fields: Fields, what: str, sensors: list[str], goes_on: str) -> list[CommandDraft]:
    """Ask which of a spot's sensors is meant; the spot and all else of the press stay as they were given."""
    text = f"{what}: which sensor, {' or '.join(sensors)}?"
    panel.asking = OpenQuestion(SPOT, text, fields, goes_on=goes_on)
    return []


def hit(panel: Panel, fields: Fields) -> list[CommandDraft]:
    """HIT JACKPOT, CALL: lock what is pressed."""
    command = {"kind": "jackpot.hit", "round": panel.need_round().id}
    if not panel.awards("pressed"):
        raise InputError.of("nothing-pressed", "key", f"no hand button is pressed: {_what_instead(panel)}")
    if "fixed_from" in fields:
        command["fixed_from"] = fields["fixed_from"]
    return [draft(command)]


def tray_pays(panel: Panel, fields: Fields) -> list[CommandDraft]:
    """TRAY PAYS: lock what is pressed, and let the tray make the fixed pays that the meter cannot cover."""
    return hit(panel, {**fields, "fixed_from": "tray"})


def pay(panel: Panel, fields: Fields) -> list[CommandDraft]:
    """PAY JACKPOT, CONFIRM, J-POT: the next award from the far right; the display says which badge it needs."""
    panel.need_round()
    award = _next_award(panel)
    command = {"kind": "jackpot.pay", "award": award.id}
    if fields.get("reference"):
        command["reference"] = _text(fields, "reference")
    if award.badge_role == "none":
        return [draft(command)]
    if panel.vocabulary == "aquarius" and not panel.need_round().key_turned:
        turn = word_for(panel.vocabulary, KEY_TO_JPH)
        raise InputError.of("key-not-turned", "key", f"the supervisor turns {turn} first, then press J-POT")
    if award.reference_missing:
        pays = word_for(panel.vocabulary, PAY)
        message = f"call surveillance to verify {award_text(panel.view, award)}: {pays} pays it once that is on record"
        raise InputError.of("surveillance-reference", "key", message)
    if panel.key_badge is not None and award.badge_role == "supervisor":
        return [draft({**command, "badge": panel.key_badge})]
    return panel.ask_badge(command, f"pay {award_text(panel.view, award)}", award.badge_role)


def _next_award(panel: Panel) -> AwardView:
    """The locked award that is paid next, of the chosen spot if one is chosen."""
    waiting = panel.awards("hit")
    if not waiting:
        raise InputError.of("nothing-hit", "key", f"no award is locked: {_what_instead(panel)}")
    return (_chosen(waiting, *(panel.spot or (None, None))) or waiting)[0]


def _chosen(awards: list[AwardView], seat: int | None, sensor: str | None) -> list[AwardView]:
    """Those of a seat and a sensor, as far as they are named."""
    return [each for each in awards if seat in (None, each.seat) and sensor in (None, each.sensor)]


def _what_instead(panel: Panel) -> str:
    """What to do where no award waits for the key that was pressed.

    Nobody is sent to a hand button whose award is there already: pressed once more it would be taken back.
    """
    choose = "press the hand" if panel.vocabulary == "aquarius" else "choose the spot and press its hand"
    first = word_for(panel.vocabulary, HIT)
    pressed, locked, paid = panel.awards("pressed"), panel.awards("hit"), panel.awards("paid")
    if pressed:
        places = "; ".join(place_text(panel.view, each.seat, each.sensor) for each in pressed)
        return f"{places} is pressed, {first} locks it first"
    if locked:
        return f"{'; '.join(award_text(panel.view, each) for each in locked)} is locked already"
    if paid:
        return f"{'; '.join(award_text(panel.view, each) for each in paid)} is paid already, nothing waits"
    return f"{choose}, then {first}"


def key_to_jph(panel: Panel, fields: Fields) -> list[CommandDraft]:
    """First generation: the supervisor's key confirms what is pressed and stands at JPH."""
    round_ = panel.need_round()
    turn = {"kind": "key.turn", "round": round_.id, "to": "jph"}
    locking = [CommandDraft(HitJackpot(round_.id))] if panel.awards("pressed") else []
    if "badge" not in fields:
        return [*locking, *panel.ask_badge(turn, "turn the key to JPH", "supervisor")]
    return [*locking, draft({**turn, "badge": _text(fields, "badge")})]


def key_to_run(panel: Panel, fields: Fields) -> list[CommandDraft]:
    """First generation: the key goes back, the sign falls, the table goes on."""
    turn = {"kind": "key.turn", "round": panel.need_round().id, "to": "run"}
    token = fields.get("badge") or panel.key_badge
    return [draft({**turn, "badge": token})] if token else panel.ask_badge(turn, "turn the key to Run", "supervisor")


def end(panel: Panel, fields: Fields) -> list[CommandDraft]:
    """END GAME, GAME OVER."""
    return _with_override(panel, {"kind": "round.end", "round": panel.need_round().id}, fields)


def _with_override(panel: Panel, command: Fields, fields: Fields) -> list[CommandDraft]:
    """A command that a supervisor may force with a reason: with the reason, a badge is asked for."""
    if not fields.get("override"):
        return [draft(command)]
    if fields["override"] is True:
        return panel.ask_reason("override", command, "override")
    forced = {**command, "override": recorded_reason("override", fields["override"])}
    return panel.ask_badge(forced, "override on record", "supervisor")


def _because(panel: Panel, action: str, command: Fields, fields: Fields, what: str) -> list[CommandDraft]:
    """A command with its reason out of the closed list, which is asked for if the press has none; then a badge."""
    if fields.get("reason") in (None, ""):
        return panel.ask_reason(action, command, what)
    reason = recorded_reason(action, fields["reason"])
    if action == MISDEAL:
        return [draft({**command, "cause": reason.split(":")[0]})]
    forced = {**command, "reason": reason}
    if action in (COUNT_WAGER, TAKE_WAGER_OUT):
        return [draft(forced)]
    return panel.ask_badge(forced, what, "supervisor")


def give_reason(panel: Panel, fields: Fields) -> list[CommandDraft]:
    """REASON: the number or the code of the reason that the display asks for."""
    asking, panel.asking = panel.asking, None
    if asking is None or asking.why is None:
        raise InputError.of("reason-not-asked", "key", "no reason is asked for: press the key that needs one first")
    if asking.why == WHICH_WAY:
        return correct(panel, {**asking.fields, "made": _reason_given(asking, panel, fields) == MADE})
    given = {"override" if asking.why == "override" else "reason": _reason_given(asking, panel, fields)}
    if asking.why == "override":
        return _with_override(panel, asking.fields, given)
    return _because(panel, asking.why, asking.fields, given, asking.about)


def _reason_given(asking: OpenQuestion, panel: Panel, fields: Fields) -> str:
    """The reason of a press that answers; where it is none of the list, the question stays."""
    value = fields.get("reason")
    try:
        return recorded_reason(asking.why or "", "" if value is None else value).split(":")[0]
    except InputError:
        panel.asking = asking
        raise


def reject(panel: Panel, fields: Fields) -> list[CommandDraft]:
    """The award did not stand verification; where several could be meant, the display asks which."""
    panel.need_round()
    seat, sensor = (_number(fields, "spot"), None) if "spot" in fields else panel.spot or (None, None)
    sensor = _sensor(fields) or sensor
    # What a badge has paid is the desk's to back out.
    small = [award for award in panel.awards("paid") if award.badge_role == "none"]
    meant = _chosen([*panel.awards("hit"), *panel.awards("pressed"), *small], seat, sensor)
    by_badge = _chosen([award for award in panel.awards("paid") if award.badge_role != "none"], seat, sensor)
    if not meant and by_badge:
        message = f"a badge has paid {award_text(panel.view, by_badge[0])}: two people back it out at the desk"
        raise InputError.of("award-paid", "key", message)
    if not meant:
        at = ("" if seat is None else f" at seat {seat}") + ("" if sensor is None else f" on sensor {sensor}")
        message = f"no award{at} is pressed, locked or paid without a badge: there is nothing to reject"
        raise InputError.of("nothing-hit", "key", message)
    panel.spot = None
    if len(meant) > 1:
        return _ask_which(panel, meant, fields)
    (award,) = meant
    command = {"kind": "jackpot.reject", "award": award.id}
    what = "take back" if award.status == "paid" else "reject"
    return _because(panel, "reject", command, fields, f"{what} {award_text(panel.view, award)}")


def _ask_which(panel: Panel, meant: list[AwardView], fields: Fields) -> list[CommandDraft]:
    """Ask for the spot of the award that is to be rejected, and for its sensor where one seat has two."""
    listed = "; ".join(award_text(panel.view, award) for award in meant)
    one_seat = len({award.seat for award in meant}) < len(meant)
    which = "which spot and sensor" if one_seat else "which spot"
    panel.asking = OpenQuestion(SPOT, f"REJECT: {which}? {listed}", dict(fields), goes_on="reject")
    return []


def void(panel: Panel, fields: Fields) -> list[CommandDraft]:
    """The round does not count."""
    round_ = panel.need_round().id
    return _because(panel, "void", {"kind": "round.void", "round": round_}, fields, f"void {round_}")


def misdeal(panel: Panel, fields: Fields) -> list[CommandDraft]:
    """The deal cannot stand; a badge is asked for if the manager wants one."""
    round_ = panel.need_round().id
    return _because(panel, MISDEAL, {"kind": "round.misdeal", "round": round_}, fields, f"misdeal of {round_}")


def hold(panel: Panel, fields: Fields) -> list[CommandDraft]:
    """A dispute: the round is set aside."""
    round_ = panel.need_round().id
    command = {"kind": "round.hold", "round": round_, "evidence": fields.get("evidence", {})}
    return _because(panel, "hold", command, fields, f"put {round_} on hold")


def reopen(panel: Panel, fields: Fields) -> list[CommandDraft]:
    """END GAME was too early."""
    command = {"kind": "round.reopen", "table": panel.table}
    return _because(panel, "reopen", command, fields, "open the last round again")


def correct(panel: Panel, fields: Fields) -> list[CommandDraft]:
    """A wager was missed, or counted where there was none; a badge is asked for if the manager wants one."""
    round_, seat, sensor = panel.need_round().id, _number(fields, "spot"), _sensor(fields)
    sensors = sorted(panel.view.links) if panel.view else []
    if sensor is None and len(sensors) > 1:
        return _ask_sensor(panel, dict(fields), f"CORRECT seat {seat}", sensors, "correct")
    made = fields.get("made")
    if made is None:
        place = place_text(panel.view, seat, sensor or "1")
        return panel.ask_reason(WHICH_WAY, dict(fields), f"CORRECT {place}")
    if not isinstance(made, bool):
        raise InputError.of("bad-message", "made", _NEEDED["made"])
    command = {
        "kind": "round.correct", "round": round_, "sensor": sensor or (sensors or ["1"])[0], "seat": seat, "made": made,
    }  # fmt: skip
    action, what = (COUNT_WAGER, "count the wager") if made else (TAKE_WAGER_OUT, "take the wager out")
    return _because(panel, action, command, fields, f"{what} of {place_text(panel.view, seat, str(command['sensor']))}")


def cancel(panel: Panel, _fields: Fields) -> list[CommandDraft]:
    """Forget the chosen spot and what was asked for."""
    panel.spot = None
    return []


def dealer_out(panel: Panel, _fields: Fields) -> list[CommandDraft]:
    """The dealer leaves."""
    return [CommandDraft(DealerOut(panel.table))]


def set_hand(panel: Panel, fields: Fields) -> list[CommandDraft]:
    """A player's hand is set."""
    command = {"kind": "hand.set", "round": panel.need_round().id, "seat": _number(fields, "spot")}
    taken = ("low", "fold", "house_way", "raised")
    return [draft({**command, **{name: fields[name] for name in taken if name in fields}})]


def double(panel: Panel, fields: Fields) -> list[CommandDraft]:
    """A player doubles down, before or after the hand is set."""
    round_ = panel.need_round().id
    return [CommandDraft(DoubleDown(round_, _number(fields, "spot"), Cents(_number(fields, "cents"))))]


def plays(panel: Panel, fields: Fields) -> list[CommandDraft]:
    """Somebody plays at a spot without a wager on its sensor; pressed again, nobody does from the next round on."""
    seat = _number(fields, "spot")
    declared = panel.view.declared if panel.view else ()
    return [CommandDraft(DeclareSeat(panel.table, seat, plays=seat not in declared))]


def banks(panel: Panel, fields: Fields) -> list[CommandDraft]:
    """A player banks the next round; pressed again for the same spot, nobody does."""
    seat = _number(fields, "spot")
    banker = panel.view.banker if panel.view else None
    return [CommandDraft(DeclareBanker(panel.table, None if seat == banker else seat))]


def seen(panel: Panel, _fields: Fields) -> list[CommandDraft]:
    """The dealer has read what was undone away from the table."""
    return [CommandDraft(AcknowledgeUndone(panel.table))]


def all_set(panel: Panel, _fields: Fields) -> list[CommandDraft]:
    """All players who have not set their hands yet have set them now: one press for the whole table."""
    round_ = panel.need_round()
    waiting = [seat for seat in round_.occupied if str(seat) not in round_.sets]
    if not waiting:
        raise InputError.of("hands-closed", "key", "no hand is left to set: every declared seat has set")
    return [CommandDraft(SetHand(round_.id, seat, house_way=seat == round_.banker)) for seat in waiting]


def show_player(panel: Panel, fields: Fields) -> list[CommandDraft]:
    """The house-way display for a player, on the felt with the cards that were typed in."""
    command = {"kind": "display.player", "round": panel.need_round().id, "seat": _number(fields, "spot")}
    return [draft(command | _typed(fields))]


def show_dealer(panel: Panel, fields: Fields) -> list[CommandDraft]:
    """The house-way display for the dealer, on the felt with the cards that were typed in."""
    return [draft({"kind": "display.dealer", "round": panel.need_round().id} | _typed(fields))]


def _typed(fields: Fields) -> Fields:
    """Cards of the felt, typed as a list or as one text, as in "Ks Kd Kh Ac Qc 8d 3s"."""
    cards = fields.get("cards")
    if cards is None:
        return {}
    return {"cards": cards.replace(",", " ").split() if isinstance(cards, str) else cards}


def deal(panel: Panel, fields: Fields) -> list[CommandDraft]:
    """The shuffler is asked for the packets of the round."""
    entropy = fields.get("player_entropy", [])
    return [draft({"kind": "round.deal", "round": panel.need_round().id, "player_entropy": entropy})]


_NEEDED: Final = {
    "reference": "the reference is empty: give surveillance's words, or none",
    "hand": "which hand? Press the button of a hand",
    "spot": "which spot? Give its number",
    "cents": "how much is the raise? Give the amount",
    "sensor": 'a sensor is named by its text, "1" or "2"',
    "badge": NOT_READ["badge"],
    "made": "was the wager made? Give made as true to count it, as false to take it out",
}
"""What a dealer reads when a press lacks something."""


def _text(fields: Fields, name: str) -> str:
    """A text that a message must have."""
    value = fields.get(name)
    if not isinstance(value, str) or not value.strip():
        raise InputError.of("bad-message", name, _NEEDED.get(name, f"a {name} is needed, as a text"))
    return value


def _sensor(fields: Fields) -> str | None:
    """The sensor that a message names, if it names one."""
    return _text(fields, "sensor") if fields.get("sensor") is not None else None


def _number(fields: Fields, name: str) -> int:
    value = fields.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise InputError.of("bad-message", name, _NEEDED.get(name, f"a {name} is needed, as a number"))
    return value


_ACTIONS: Final[dict[str, Callable[[Panel, Fields], list[CommandDraft]]]] = {
    START: start,
    SPOT: choose,
    HAND: hand,
    HIT: hit,
    PAY: pay,
    KEY_TO_JPH: key_to_jph,
    KEY_TO_RUN: key_to_run,
    END: end,
    TRAY_PAYS: tray_pays,
    "cancel": cancel,
    "reject": reject,
    REASON: give_reason,
    "void": void,
    MISDEAL: misdeal,
    "hold": hold,
    "reopen": reopen,
    "correct": correct,
    "dealer-out": dealer_out,
    "set": set_hand,
    "all-set": all_set,
    "double": double,
    "plays": plays,
    "banks": banks,
    "seen": seen,
    "show-player": show_player,
    "show-dealer": show_dealer,
}
