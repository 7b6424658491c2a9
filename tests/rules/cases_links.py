"""Cases of links and their tables: what may be joined and what may not, and the life of a progressive."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.manager.commands.house_commands import AttachSensor
from houseway.manager.commands.link_commands import CreateLink, PayPromotion, RecordDeposit, ResumeLink, StopLink
from houseway.manager.commands.round_commands import EndRound, StartRound
from houseway.manager.core.engine import SYSTEM
from houseway.manager.handlers import promotions
from houseway.manager.handlers.adjustments import REASONS
from houseway.paytables import PayTable, paytable
from tests.manager.floors import (
    ACCOUNTING,
    CAGE,
    DAY,
    DEALER,
    EXECUTIVE,
    SUPERVISOR,
    TECHNICIAN,
    Room,
    badge,
    new_room,
)
from tests.rules.harness import replaced, rule
from tests.rules.manager_switches import HANDLED, ignored, unchecked
from tests.rules.rooms import codes, done, draw_up, levels_of, two_people

SEVEN_CARD = ("fortune", "commission-free-fortune", "face-up")
TABLES = {
    "FPGPP-WA01": "FUPGPP-WA01", "FPGPP-WA07": "FUPGPP-07", "FPGPP-WA03": "FUPGPP-03", "FPGPP-ML2": "FUPGPP-ML02",
}  # fmt: skip
"""The pay tables of the Fortune sheets, each with the table for Face Up Pai Gow that is printed beside it."""
CENT = 10_000


# ---------------------------------------------------------------- what may be joined


def only_its_own_games(table_id: str, game_id: str, *_: object) -> PayTable | None:
    """A pay table has no counterpart for another game."""
    return paytable(table_id) if game_id in paytable(table_id).games else None


@rule(
    "fpgpp/general/1.linked",
    off=(unchecked("link_rules._game_faults"), replaced(f"{HANDLED}.link_rules.paytable_for", only_its_own_games)),
)
def tables_join_a_link_with_its_pay_table_and_deck_only() -> None:
    for table_id, for_face_up in TABLES.items():
        room = new_room()
        draw_up(room, "L1", table_id)
        # The games of the sheet join one link, Face Up Pai Gow by the table that is printed as the same one.
        for number, game_id in enumerate(SEVEN_CARD, 1):
            room.add_table(f"T{number}", game_id)
            done(room, TECHNICIAN, AttachSensor(f"T{number}", "1", "L1"))
        assert paytable(for_face_up).games[0] == "face-up"
        # Games whose pay tables differ do not.
        for game_id in ("six-card-fortune", "six-card-poker"):
            room.add_table(f"X-{game_id}", game_id)
            assert codes(room, TECHNICIAN, AttachSensor(f"X-{game_id}", "1", "L1")) == {"game-not-linkable"}
        # A pay table belongs to the link, not to the table: there is no way to have two on one.
        two_decks = CreateLink("L2", "progressive", table_id, levels_of(table_id), decks=2)
        assert codes(room, ACCOUNTING, two_decks) == {"link-decks"}


@rule(
    "fpgpj/jackpots/3",
    off=(unchecked("link_rules._sensor_faults"), unchecked("parameters._house_faults")),
)
def a_progressive_is_never_linked_with_a_house_jackpot() -> None:
    for table_id in TABLES:
        room, levels = new_room(), levels_of(table_id)
        prizes = dict.fromkeys(levels, 500_000)
        # One link is one of the two, and stays it.
        for kind in ("progressive", "house"):
            both = CreateLink("LX", kind, table_id, levels, prizes=prizes)  # type: ignore[arg-type]
            assert codes(room, ACCOUNTING, both) == {"link-levels"}
        draw_up(room, "L1", table_id)
        draw_up(room, "H1", table_id, "house")
        assert two_people(room, {"change": "prizes", "link": "L1", "prizes": prizes, "posted": "sign"}) == {
            "wrong-link-kind"
        }
        level = next(iter(levels))
        assert two_people(room, {"change": "level", "link": "H1", "level": level, "seed": 1}) == {"wrong-link-kind"}
        # No table carries both, on whichever sensor.
        for number, game_id in enumerate(SEVEN_CARD, 1):
            room.add_table(f"T{number}", game_id)
            for first, second in (("L1", "H1"), ("H1", "L1")):
                done(room, TECHNICIAN, AttachSensor(f"T{number}", "1", first))
                assert codes(room, TECHNICIAN, AttachSensor(f"T{number}", "2", second)) == {"mixed-jackpots"}
                done(room, TECHNICIAN, AttachSensor(f"T{number}", "1", None))
        # And players' money of the one never goes to the other.
        retired = {"change": "retire", "link": "L1", "paper": "order 1", "to": dict.fromkeys(levels, onto("H1", level))}
        assert "bad-destination" in set(two_people(room, retired))


def onto(link: str, level: str) -> dict[str, str]:
    """A destination of a retired link's money."""
    return {"link": link, "level": level}


@rule("fpgpj/jackpots/1", "fpgpj/jackpots/4", "fpgpj/jackpots/5", off=unchecked("link_rules._sensor_faults"))
def a_table_carries_two_jackpots_of_one_kind_on_two_sensors() -> None:
    for game_id in SEVEN_CARD:
        room = new_room()
        for link, table_id, kind in (
            ("L1", "FPGPP-WA01", "progressive"),
            ("L2", "FPGPP-WA07", "progressive"),
            ("H1", "FPGPP-WA03", "house"),
        ):
            draw_up(room, link, table_id, kind)
        room.add_table("T1", game_id)
        done(room, TECHNICIAN, AttachSensor("T1", "1", "L1"))
        assert codes(room, TECHNICIAN, AttachSensor("T1", "1", "L2")) == {"sensor-taken"}
        assert codes(room, TECHNICIAN, AttachSensor("T1", "2", "H1")) == {"mixed-jackpots"}
        assert codes(room, TECHNICIAN, AttachSensor("T1", "2", "L1")) == {"link-twice"}
        done(room, TECHNICIAN, AttachSensor("T1", "2", "L2"))
        assert codes(room, TECHNICIAN, AttachSensor("T1", "3", "L2")) >= {"unknown-sensor"}


# ---------------------------------------------------------------- the state's rules for progressives

PROGRESSIVE_RULES = "fpgpj/jackpots/7"


@rule(PROGRESSIVE_RULES, off=replaced(f"{HANDLED}.links.file_paper", lambda *_: "none"))
def the_opening_amount_of_a_progressive_is_on_record() -> None:
    for table_id in TABLES:
        room = new_room()
        draw_up(room, "L1", table_id)
        papers = [paper for paper in room.floor.papers.values() if paper.register == "link-opening"]
        assert [paper.subject for paper in papers] == ["L1"]
        for level in paytable(table_id).levels:
            assert papers[0].fields["amounts"][level]["meter_micros"] == 300_000 * CENT
            assert room.balance(f"meter/L1/{level}") == -300_000 * CENT


def any_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every reason code may do what a malfunction may, and the ledger lets it."""
    replaced(f"{HANDLED}.adjustments.REASONS", dict.fromkeys(REASONS, REASONS["malfunction"]))(monkeypatch)
    replaced("houseway.manager.core.ledger.check_transfer", lambda *_: None)(monkeypatch)


@rule(PROGRESSIVE_RULES, off=any_reason)
def a_displayed_amount_falls_for_the_listed_reasons_only() -> None:
    room = new_room()
    draw_up(room, "L1", "FPGPP-WA07")
    base = {"change": "adjustment", "link": "L1", "level": "main", "reference": "incident 1"}
    assert two_people(room, {**base, "code": "promotion", "micros": -CENT}) == {"bad-change"}
    for code in ("seed-added", "reserve-released", "overflow-released", "carried"):
        assert two_people(room, {**base, "code": code, "micros": -CENT}) == {"wrong-direction"}
    # Funds that are not displayed may be booked; the displayed ones may not.
    booked = {**base, "code": "book-receipts", "micros": -CENT, "table": "T1"}
    assert "wrong-account" in set(two_people(room, booked))
    assert two_people(room, {**base, "code": "malfunction", "micros": -300_001 * CENT}) == {"below-zero"}
    assert room.balance("meter/L1/main") == -300_000 * CENT
    assert dict(two_people(room, {**base, "code": "malfunction", "micros": -CENT}))["status"] == "made"
    papers = [paper.fields for paper in room.floor.papers.values() if paper.register == "link-adjustment"]
    assert [(each["code"], each["proposed_by"], each["approved_by"]) for each in papers] == [
        ("malfunction", ACCOUNTING, EXECUTIVE)
    ]


@rule(PROGRESSIVE_RULES, off=replaced(f"{HANDLED}.parameters.least_limit", lambda *_: 0))
def a_limit_is_set_at_or_above_the_displayed_amount_and_the_rest_overflows() -> None:
    room = new_room()
    draw_up(room, "L1", "FPGPP-WA07")
    # A small seed, so that only what is displayed stands in the way of a limit.
    two_people(room, {"change": "level", "link": "L1", "level": "main", "seed": 100})
    change = {"change": "limit", "link": "L1", "level": "main", "posted": "sign at every table"}
    assert two_people(room, {**change, "limit": 299_999}) == {"limit-too-low"}
    assert dict(two_people(room, {**change, "limit": 300_005}))["status"] == "made"
    play_one(room)
    assert room.balance("meter/L1/main") == -300_005 * CENT
    assert room.balance("overflow/L1/main") == -5 * CENT


def play_one(room: Room) -> None:
    """A round with one $1 wager on the link at a new table."""
    table = f"T{len(room.floor.tables) + 1}"
    room.add_table(table, "fortune")
    room.attach(table, "1", "L1")
    room.open_table(table)
    round_ = done(room, DEALER, StartRound(table, {"1": [3]}, {"3": {"main": 1000}}))["round"]
    done(room, DEALER, EndRound(round_))


def refused_round(room: Room) -> set[str]:
    """The codes with which a jackpot wager at the first table is refused."""
    return codes(room, DEALER, StartRound("T1", {"1": [3]}))


@rule(PROGRESSIVE_RULES, off=(unchecked("rounds._sensor_faults"), ignored(StopLink)))
def seized_funds_and_a_short_account_stop_a_progressive() -> None:
    room = new_room()
    draw_up(room, "L1", "FPGPP-WA07")
    play_one(room)
    # The account should hold what the meter shows and the reserve; a week without it, and the game stops.
    due = (300_000 + 10 + 1) * CENT
    deposited = done(room, CAGE, RecordDeposit("L1", 1, "slip 1", badge(ACCOUNTING)))
    assert deposited["due_micros"] == due - CENT
    stop = StopLink("L1", "", "account-short", "a week without a deposit")
    assert codes(room, SYSTEM, stop) == {"wrong-role"}
    room.now += 8 * DAY
    done(room, SYSTEM, stop)
    assert refused_round(room) == {"link-not-open"}
    resume = ResumeLink("L1", badge(EXECUTIVE), "bank statement 4")
    assert codes(room, ACCOUNTING, resume) == {"account-short"}
    done(room, CAGE, RecordDeposit("L1", 300_010, "slip 2", badge(ACCOUNTING)))
    done(room, ACCOUNTING, resume)
    done(room, SUPERVISOR, StopLink("L1", badge(EXECUTIVE), "funds-seized", "order of the tax authority"))
    assert refused_round(room) == {"link-not-open"}
    done(room, ACCOUNTING, ResumeLink("L1", badge(EXECUTIVE), "funds returned, letter 5"))
    assert refused_round(room) == set()


@rule(PROGRESSIVE_RULES, off=replaced(f"{HANDLED}.retirement.Retirement._destination_faults", lambda *_: []))
def a_progressive_out_of_play_gives_its_money_to_another_one() -> None:
    room = new_room()
    draw_up(room, "L1", "FPGPP-WA07")
    play_one(room)
    what: dict[str, Any] = {"change": "retire", "link": "L1", "paper": "letter 9", "recover_seed": True}
    assert two_people(room, what) == {"destination-needed"}
    draw_up(room, "L2", "FPGPP-WA03")
    before = room.balance("meter/L2/main")
    made = dict(two_people(room, {**what, "to": {"main": onto("L2", "main")}}))
    assert made["link_status"] == "retired"
    # The players' 11 cents, without the seed that the house had advanced.
    assert before - room.balance("meter/L2/main") == 11 * CENT
    assert [room.balance(f"{kind}/L1/main") for kind in ("meter", "reserve", "overflow", "seed")] == [0, 0, 0, 0]
    assert refused_round(room) == {"link-not-open"}


@rule(PROGRESSIVE_RULES, off=replaced(f"{HANDLED}.promotions.reminders", lambda *_: []))
def a_promotion_gives_the_money_of_a_progressive_back_in_time() -> None:
    room = new_room()
    draw_up(room, "L1", "FPGPP-WA07")
    play_one(room)
    what: dict[str, Any] = {"change": "retire", "link": "L1", "paper": "letter 9", "recover_seed": True}
    made = dict(two_people(room, {**what, "promotions": {"main": "drawing of July"}}))
    assert made["link_status"] == "retired"
    # The players' 11 cents wait for the drawing, and nobody forgets them.
    assert room.balance("promotion/L1/main") == -11 * CENT
    assert promotions.reminders(room.floor, room.now) == []
    late = room.now + 60 * DAY
    assert [each.code for each in promotions.reminders(room.floor, late - DAY)] == ["promotion-due"]
    assert [each.code for each in promotions.reminders(room.floor, late + 1)] == ["promotion-overdue"]
    paid = PayPromotion("L1", "main", 11, "list of winners", badge(ACCOUNTING))
    assert codes(room, ACCOUNTING, paid) == {"second-person"}
    done(room, CAGE, paid)
    assert room.balance("promotion/L1/main") == 0
    assert promotions.reminders(room.floor, late + 1) == []
