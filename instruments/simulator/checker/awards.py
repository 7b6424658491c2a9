"""Awards by the documents: hand buttons, the hit, who pays, in which order, rejection.

Clauses: a button pressed by accident is turned off by pressing it again; percentage pays come off the meter, other
hands from the tray or, where the sheet allows it and the room chose it, off the meter; the player farthest to the
dealer's right is paid first; a supervisor's or an executive's badge, depending on the amount; the key at JPH in the
first generation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from instruments.simulator.checker.chain import ChainEntry
from instruments.simulator.checker.errors import require, same
from instruments.simulator.checker.meters import (
    hold_limits,
    is_covered,
    lock,
    lock_in_order,
    release_all,
    shared_base,
    worked_out_anew,
)
from instruments.simulator.checker.rounds import SUPERVISING, against_dealer, unsure
from instruments.simulator.checker.rules import CONTROLS, Call, Objection, against_badge, against_blank, rule
from instruments.simulator.checker.slips import issued_for
from instruments.simulator.checker.state import (
    MICROS_PER_CENT,
    SLIP_SECONDS,
    SURVEILLANCE_THRESHOLD,
    Award,
    Floor,
    Link,
    Round,
    SurveillanceNote,
)

# Hand buttons


def award_at(round_: Round, sensor: str, seat: int) -> Award | None:
    """The award of a spot."""
    return next((each for each in round_.awards.values() if (each.sensor, each.seat) == (sensor, seat)), None)


def _judge_press(floor: Floor, call: Call) -> Iterator[Objection]:
    round_ = floor.round_in_play(call["round"])
    if round_ is None:
        yield Objection("the round is not in play")
        return
    table = floor.tables[round_.table]
    yield from against_dealer(floor, call, table)
    sensor = call.get("sensor", "1")
    taken = round_.taken.get(sensor)
    link = floor.links.get(table.sensors.get(sensor, ""))
    if link is None:
        yield Objection("no jackpot on this sensor")
        return
    line = link.printed.buttons.get(call["hand"])
    if line is None:
        yield Objection("the pay table has no such button")
    if not 1 <= call["seat"] <= table.seats:
        yield Objection("no such seat")
    wagered = taken is not None and call["seat"] in taken.seats
    if not wagered and (line is None or not line.envy_cents or taken is None or not taken.seats):
        yield Objection("the seat made no wager and its hand brings envy to nobody")
    pressed = award_at(round_, sensor, call["seat"])
    if pressed is not None and pressed.status != "pressed" and not _is_own_slip(floor, call, pressed):
        yield Objection("the award is locked or paid")
    if table.cards == "known":
        yield Objection("known cards may say otherwise", certain=False)
    if call.get("override") is not None or call.get("badge") is not None:
        yield Objection("an override where none may be needed", certain=False)


def _is_own_slip(floor: Floor, call: Call, award: Award) -> bool:
    """Whether the dealer has paid this very hand without a badge a moment ago: pressed again it is taken back."""
    seconds = floor.setting("slip_seconds", call.now, SLIP_SECONDS)
    fresh = call.now - award.paid_at <= seconds * 1_000_000
    mine = award.paid_by == call.actor and award.hand == call["hand"]
    return award.status == "paid" and award.badge_role == "none" and not award.referred and mine and fresh


@rule("hand.press", *CONTROLS)(_judge_press)
def _apply_press(floor: Floor, call: Call, entry: ChainEntry) -> None:
    round_ = floor.rounds[call["round"]]
    sensor, seat = call.get("sensor", "1"), call["seat"]
    old = award_at(round_, sensor, seat)
    round_.touched = True
    if old is not None and old.status == "paid":
        same(False, entry.answer["on"], "a small award pressed again is taken back")
        round_.taken_back += old.cents
        _take_back(floor, round_, old, entry)
        floor.note("a dealer took back a small award of their own")
        return
    if old is not None:
        del round_.awards[old.id]
    if old is not None and old.hand == call["hand"]:
        same(False, entry.answer["on"], "a button pressed again goes off")
        return
    same(True, entry.answer["on"], "a button pressed goes on")
    if call.get("override") is not None:
        floor.note("a button other than the proposed one by override")
    press(floor, round_, sensor, seat, call["hand"], str(entry.answer["award"]), call.actor)


def press(floor: Floor, round_: Round, sensor: str, seat: int, hand: str, award_id: str, by: str) -> None:
    """A button goes on: its award is a new one of the round."""
    link = floor.links[floor.tables[round_.table].sensors[sensor]]
    line = link.printed.buttons[hand]
    wagered = seat in round_.taken[sensor].seats
    source = _source(link, round_.taken[sensor].fixed_pays, line.percent, wagered)
    level = line.level if line.percent is not None else (link.printed.levels[0] if source == "meter" else None)
    require(award_id not in round_.awards, f"award {award_id} is a new one")
    round_.awards[award_id] = Award(
        award_id, round_.id, round_.table, link.id, sensor, seat, hand, line.percent, line.pays, level,
        line.envy_cents, source, wagered, by,
    )  # fmt: skip


def _take_back(floor: Floor, round_: Round, award: Award, entry: ChainEntry) -> None:
    """A payment without a badge is undone, and the award goes as if it had been rejected."""
    same(award.cents, entry.answer["taken_back_cents"], f"what {award.id} had paid")
    amount = award.cents * MICROS_PER_CENT
    if award.source == "tray":
        floor.move(f"tray/{award.table}", f"receipts/{award.table}", amount)
    else:
        floor.move(f"paid/{award.link}", f"locked/{award.link}/{award.level}", amount)
    award.status = "hit"
    del floor.paid_awards[award.id]
    _release_with_the_others(floor, round_, floor.links[award.link], award, entry.at)
    check_awards(floor, round_, entry.answer["awards"], entry.at)


def _source(link: Link, fixed_pays: str, percent: int | None, wagered: bool) -> str:
    if not wagered:
        return "tray"
    if percent is not None:
        return "house" if link.kind == "house" else "meter"
    return fixed_pays if link.kind == "progressive" else "tray"


# HIT JACKPOT


def _judge_hit(floor: Floor, call: Call) -> Iterator[Objection]:
    round_ = floor.round_in_play(call["round"])
    if round_ is None:
        yield Objection("the round is not in play")
        return
    yield from against_dealer(floor, call, floor.tables[round_.table])
    pressed = [award for award in round_.awards.values() if award.status == "pressed"]
    if not pressed:
        yield Objection("no button is pressed")
    unpaid = [award for award in round_.awards.values() if award.status != "paid"]
    fixed = [award for award in unpaid if award.source == "meter" and award.percent is None]
    if fixed and call.get("fixed_from") is None:
        # Whether the meter covers it depends on the order of all awards; the outcome is checked when it is applied.
        for award in fixed:
            if not is_covered(floor, award) or len(round_.awards) > 1:
                yield Objection("the meter may not cover a fixed pay", certain=False)


@rule("jackpot.hit", *CONTROLS)(_judge_hit)
def _apply_hit(floor: Floor, call: Call, entry: ChainEntry) -> None:
    hit(floor, floor.rounds[call["round"]], call, entry)


def hit(floor: Floor, round_: Round, call: Call, entry: ChainEntry) -> None:
    """What is pressed is locked, and small pays are made."""
    new = [award for award in round_.awards.values() if award.status == "pressed"]
    locked_before = {award.id: award.hits for award in round_.awards.values()}
    for link_id in dict.fromkeys(award.link for award in round_.awards.values()):
        link = floor.links[link_id]
        lock_in_order(floor, round_, link, tray=call.get("fixed_from") == "tray")
    for award in round_.awards.values():
        # The badge was told with the amount; one that stands as it was locked keeps both.
        if award.status == "hit" and award.hits != locked_before[award.id]:
            award.badge_role = badge_role_for(floor, award, entry.at)
    for award in new:
        if award.badge_role == "none" and not needs_reference(floor, award, entry.at):
            pay(floor, award, call.actor, entry.at)
    for award in round_.awards.values():
        floor.note(f"badge: {award.badge_role}")
        if award.percent is None and award.source == "meter":
            floor.note("a fixed pay off the meter")
        if needs_reference(floor, award, entry.at):
            floor.note("a payout that surveillance verifies")
        if not award.wagered:
            floor.note("a hand without the wager brought envy")
            if award.badge_role == "supervisor":
                floor.note("envy of a hand without the wager needed a badge")
    check_awards(floor, round_, entry.answer["awards"], entry.at)


def badge_role_for(floor: Floor, award: Award, at: int) -> str:
    """Which badge pays an award: by its amount; a share of the meter and a house prize always need one.

    What needs none by itself needs a supervisor's where all that the dealer pays alone in the round reaches the amount.
    """
    alone = _role_of_one(floor, award, at)
    if alone != "none":
        return alone
    round_ = floor.rounds[award.round]
    paid_alone = round_.taken_back
    for each in round_.awards.values():
        role = each.badge_role if each.status == "paid" else _role_of_one(floor, each, at)
        paid_alone += _brings(floor, each) if role == "none" else 0
    if paid_alone < floor.links[award.link].fixed_supervisor_from:
        return "none"
    floor.note("small pays of a round needed a badge together")
    return "supervisor"


def _role_of_one(floor: Floor, award: Award, at: int) -> str:
    link = floor.links[award.link]
    if award.wagered:
        # Fixed pays belong to the first level, whoever pays them.
        level = link.levels.get(award.level or link.printed.levels[0])
        from_cents = None if level is None else level.executive_from
        if from_cents is None:
            from_cents = floor.setting("executive_from", at, None)
        cents = award.cents if award.percent is not None else _fixed(floor, award)
        if from_cents is not None and cents >= from_cents:
            return "executive"
        if award.percent is not None:
            return "supervisor"
    return "none" if _brings(floor, award) < link.fixed_supervisor_from else "supervisor"


def _fixed(floor: Floor, award: Award) -> int:
    """What a fixed pay comes to, from the press of its button on."""
    wager = floor.rounds[award.round].taken[award.sensor].wager if award.wagered else 0
    return (award.pays or 0) * wager


def _brings(floor: Floor, award: Award) -> int:
    """What a hand without a share brings to its own seat, and as envy to the other seats with the wager."""
    others = floor.rounds[award.round].taken.get(award.sensor)
    return _fixed(floor, award) + (award.envy or 0) * len(others.seats - {award.seat} if others else ())


def check_awards(floor: Floor, round_: Round, told: list[dict[str, Any]], at: int) -> None:
    """An answer tells the awards of a round from the far right, each with its amount and what its payment needs."""
    ours = sorted(round_.awards.values(), key=lambda each: (-each.seat, each.sensor))
    same([each.id for each in ours], [each["award"] for each in told], f"awards of {round_.id}, from the far right")
    for award, theirs in zip(ours, told, strict=True):
        expected = {
            "seat": award.seat, "sensor": award.sensor, "hand": award.hand, "link": award.link, "source": award.source,
            "status": award.status,
        }  # fmt: skip
        if award.status != "pressed":
            # What a pressed button will bring is not settled before the hit.
            expected |= {"cents": award.cents, "badge_role": award.badge_role}
            expected |= {"reference_needed": needs_reference(floor, award, at)}
        if award.wagered:
            expected["percent"] = award.percent
        same(expected, {key: theirs[key] for key in expected}, f"award {award.id}")


def needs_reference(floor: Floor, award: Award, at: int) -> bool:
    """Whether surveillance verifies the payout before it is made."""
    return bool(award.cents > floor.setting("surveillance_threshold", at, SURVEILLANCE_THRESHOLD))


def pay(floor: Floor, award: Award, by: str, at: int) -> None:
    """Hand an award over: out of what is locked, or out of the tray."""
    amount = award.cents * MICROS_PER_CENT
    if award.source == "tray":
        floor.move(f"receipts/{award.table}", f"tray/{award.table}", amount)
    else:
        floor.move(f"locked/{award.link}/{award.level}", f"paid/{award.link}", amount)
    award.status, award.paid_by, award.paid_at = "paid", by, at
    award.under_key = floor.rounds[award.round].key_at_jph
    floor.paid_awards[award.id] = award


# PAY JACKPOT


def _judge_pay(floor: Floor, call: Call) -> Iterator[Objection]:
    award = floor.award(call["award"])
    round_ = None if award is None else floor.round_in_play(award.round)
    if award is None or round_ is None:
        yield Objection("no such award in play")
        return
    table = floor.tables[round_.table]
    yield from unsure(against_dealer(floor, call, table))
    if award.status != "hit":
        yield Objection("the award is not locked, or paid already")
        return
    for other in round_.awards.values():
        same_meter = other.link == award.link and other.source == award.source == "meter"
        if same_meter and other.seat > award.seat and other.status != "paid":
            yield Objection("a player farther to the right comes first")
    yield from _against_paying_card(floor, call, round_, award)
    seen = seen_of(round_, award)
    if needs_reference(floor, award, call.now) and seen is None:
        yield Objection("surveillance has not verified it")
        if award.id in round_.references:
            yield Objection("surveillance has verified another amount")
    told = (call.get("reference") or "").strip()
    if told and (seen is None or told != seen.reference):
        yield Objection("a reference that surveillance has not given")
    if table.vocabulary == "aquarius" and not round_.key_at_jph:
        yield Objection("the key is not at JPH", certain=award.source != "tray")


def seen_of(round_: Round, award: Award) -> SurveillanceNote | None:
    """What surveillance has seen of an award, if it is still that, and if who saw it has not dealt the round."""
    seen = round_.references.get(award.id)
    fits = seen is not None and (seen.hand, seen.cents) == (award.hand, award.cents)
    return seen if seen is not None and fits and seen.by not in round_.dealers else None


def _against_paying_card(floor: Floor, call: Call, round_: Round, award: Award) -> Iterator[Objection]:
    if award.badge_role == "executive":
        yield from against_badge(floor, call.get("badge"), ("executive",), *round_.dealers)
    elif award.badge_role == "supervisor":
        yield from against_badge(floor, call.get("badge"), SUPERVISING, *round_.dealers)
    elif call.get("badge") is not None:
        yield Objection("a badge where none is needed", certain=False)
    person = floor.person_of_badge(call.get("badge"))
    if person is not None and person.id == award.pressed_by:
        yield Objection("who pressed the button pays it", certain=award.badge_role != "none")
    payer = call.actor if award.badge_role == "none" or person is None else person.id
    seen = seen_of(round_, award)
    if seen is not None and payer == seen.by:
        yield Objection("who verified it for surveillance pays it")


@rule("jackpot.pay", *CONTROLS)(_judge_pay)
def _apply_pay(floor: Floor, call: Call, entry: ChainEntry) -> None:
    award = floor.award(call["award"])
    assert award is not None
    same(
        (award.seat, award.hand, award.cents, award.source),
        tuple(entry.answer[key] for key in ("seat", "hand", "cents", "source")),
        f"payment of {award.id}",
    )
    pay(floor, award, call.actor, entry.at)
    issued_for(floor, award, entry)
    award.referred = seen_of(floor.rounds[award.round], award) is not None
    if award.badge_role != "none":
        person = floor.person_of_badge(call.get("badge"))
        same(None if person is None else person.id, entry.answer["paid_by"], f"who paid {award.id}")


def _judge_reject(floor: Floor, call: Call) -> Iterator[Objection]:
    award = floor.award(call["award"])
    round_ = None if award is None else floor.round_in_play(award.round)
    if award is None or round_ is None:
        yield Objection("no such award in play")
        return
    yield from unsure(against_dealer(floor, call, floor.tables[round_.table]))
    if award.status == "paid" and award.badge_role != "none":
        yield Objection("a badge has paid the award already")
    yield from against_badge(floor, call["badge"], SUPERVISING, *round_.dealers)
    yield from against_blank(call["reason"])


@rule("jackpot.reject", *CONTROLS)(_judge_reject)
def _apply_reject(floor: Floor, call: Call, entry: ChainEntry) -> None:
    award = floor.award(call["award"])
    assert award is not None
    round_, link = floor.rounds[award.round], floor.links[award.link]
    if award.status == "paid":
        _take_back(floor, round_, award, entry)
        floor.note("a small award was taken back with a badge")
        return
    _release_with_the_others(floor, round_, link, award, entry.at)
    check_awards(floor, round_, entry.answer["awards"], entry.at)


def _release_with_the_others(floor: Floor, round_: Round, link: Link, rejected: Award, at: int) -> None:
    """What a rejected award had locked goes back; the others of its round that do not stand yet are locked again."""
    mine = [each for each in round_.awards.values() if each.link == link.id]
    locked = worked_out_anew(floor, link, mine)
    del round_.awards[rejected.id]
    if rejected.status == "pressed":
        return
    if rejected not in locked:
        floor.note("an award was rejected and the others stood")
        locked = [rejected]
    release_all(floor, locked)
    full = {level: shared_base(floor, link, level) for level in link.levels}
    for each in sorted(locked, key=lambda each: (-each.seat, each.sensor)):
        if each is not rejected and is_covered(floor, each):
            lock(floor, link, each, full)
            each.badge_role = badge_role_for(floor, each, at)
    hold_limits(floor, link)


# The key of the first generation, and surveillance


def _judge_key(floor: Floor, call: Call) -> Iterator[Objection]:
    round_ = floor.round_in_play(call["round"])
    if round_ is None:
        yield Objection("the round is not in play")
        return
    table = floor.tables[round_.table]
    yield from unsure(against_dealer(floor, call, table))
    if table.vocabulary != "aquarius":
        yield Objection("these controls have no key")
    yield from against_badge(floor, call["badge"], SUPERVISING, *round_.dealers)
    if round_.key_at_jph == (call["to"] == "jph"):
        yield Objection("the key stands there already", certain=False)
    waiting = any(award.status == "hit" for award in round_.awards.values())
    if call["to"] == "jph" and not waiting:
        yield Objection("nothing waits for the key", certain=False)
    if call["to"] == "run" and waiting:
        yield Objection("an award waits for its payment", certain=False)


@rule("key.turn", *CONTROLS)(_judge_key)
def _apply_key(floor: Floor, call: Call, _entry: ChainEntry) -> None:
    round_ = floor.rounds[call["round"]]
    round_.key_at_jph = call["to"] == "jph"
    round_.touched = True
    if not round_.key_at_jph:
        for award in round_.awards.values():
            award.under_key = False


def _judge_reference(floor: Floor, call: Call) -> Iterator[Objection]:
    round_ = floor.round_in_play(call["round"])
    if round_ is None:
        yield Objection("the round is not in play", certain=floor.rounds.get(call["round"]) is None)
        return
    yield from against_blank(call["reference"])
    award = round_.awards.get(call["payout"])
    if award is None:
        # Of other wagers, whose cards are known, the checker does not know what they win.
        yield Objection("no such award waits", certain=call["payout"].startswith(f"{round_.id}/"))
        return
    if award.status != "hit":
        yield Objection("the award is not locked, or paid already")
    elif (award.hand, award.cents) != (call["hand"], call["cents"]):
        yield Objection("not the hand or the amount of the award")
    if call.actor in round_.dealers:
        yield Objection("who dealt the round verifies it")
    if call.actor == award.pressed_by:
        yield Objection("who pressed the button verifies it")


@rule("surveillance.reference", "surveillance")(_judge_reference)
def _apply_reference(floor: Floor, call: Call, _entry: ChainEntry) -> None:
    if call["payout"] in floor.rounds[call["round"]].awards:
        seen = SurveillanceNote(call["reference"].strip(), call.actor, call["hand"], call["cents"])
        floor.rounds[call["round"]].references[call["payout"]] = seen
