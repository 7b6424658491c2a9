"""Cases of an award at the keypad, of every sheet with jackpot rules: its lock, badge, record and way back."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from houseway.errors import present
from houseway.manager.commands.link_commands import Approve, CreateLink, Propose, Withdraw
from houseway.manager.commands.round_commands import HitJackpot, RejectJackpot, TurnKey
from houseway.manager.commands.slip_commands import PrintSlip
from houseway.manager.controller.key_words import HIT, KEY_TO_JPH, PAY
from houseway.manager.core.award_entities import Award
from houseway.manager.core.engine import Decision
from houseway.manager.core.link_entities import Link
from houseway.manager.core.table_entities import Round
from houseway.manager.handlers.meters import lock_share
from houseway.manager.handlers.parameters import LinkChange
from houseway.manager.handlers.rounds import awards_of
from houseway.manager.views.table_views import SensorLink, _sensor_link
from houseway.paytables import PayLine, paytable
from tests.manager.floors import ACCOUNTING, new_room
from tests.rules.harness import replaced, rule
from tests.rules.keypad import EXECUTIVE, METER, SEED, SUPERVISOR, Desk, Jackpot, on_sheets
from tests.rules.manager_switches import HANDLED, handled_by, ignored, unchecked, without_key
from tests.rules.rooms import done, levels_of, two_people

CENT = 10_000
"""In millionths, as the books count."""


def winner(jackpot: Jackpot, line: PayLine, **changes: Any) -> Desk:
    """A desk at which seat 3 of three wagers has won by a line, and the award is locked."""
    desk = Desk(jackpot, **changes)
    desk.start(1, 3, 4)
    desk.hand(3, line.hand)
    desk.call()
    return desk


# ---------------------------------------------------------------- HIT JACKPOT


@on_sheets("hit", off=(without_key(HIT), ignored(HitJackpot), replaced(f"{HANDLED}.awards._lock_all", lambda *_: None)))
def hit_jackpot_locks_the_award(jackpot: Jackpot) -> None:
    desk = Desk(jackpot, contribution="1/10")
    line = jackpot.whole
    desk.start(3)
    desk.start(1, table="T2")
    desk.hand(3, line.hand)
    assert desk.pit.held("locked", "L1", line.level or "") == 0
    desk.key("Hit Jackpot")
    # Two wagers have put 20 cents on the meter; whatever comes later is not part of the award.
    (award,) = desk.awards()
    assert (award.status, award.cents) == ("hit", METER + 20)
    assert desk.pit.held("locked", "L1", line.level or "") == (METER + 20) * CENT
    desk.hand(1, line.hand, "T2")
    desk.key("Hit Jackpot", table="T2")
    (second,) = (each for each in desk.pit.floor.awards.values() if each.table == "T2")
    assert (second.cents, desk.awards()[0].cents) == (SEED, METER + 20)
    assert award.order < second.order
    # The button is no longer the dealer's to take back.
    desk.key("SPOT", spot=3)
    assert desk.refused("HAND", hand=line.hand) == {"award-locked"}


# ---------------------------------------------------------------- the badge


def any_badge(decision: Decision, round_: Round, award: Award, badge: str | None) -> str:
    """Whoever has a badge pays."""
    return decision.floor.badges[badge] if badge else decision.actor


ANY_CARD_PAYS = replaced(f"{HANDLED}.awards._paying_person", any_badge)
DEALER_PAYS = replaced(f"{HANDLED}.awards.badge_role_for", lambda *_: "none")
EXECUTIVE_PAYS_ALL = replaced(f"{HANDLED}.awards.badge_role_for", lambda *_: "executive")
NO_RECORD = replaced(f"{HANDLED}.awards.record_hit", lambda *_: None)
NO_SLIP = replaced(f"{HANDLED}.awards.issue_win_slip", lambda *_: None)
NO_COUNT = replaced(f"{HANDLED}.awards._count_hit", lambda *_: None)


@on_sheets("pay", off=(without_key(PAY), ANY_CARD_PAYS, DEALER_PAYS, EXECUTIVE_PAYS_ALL))
def the_card_goes_by_the_size_of_the_award(jackpot: Jackpot) -> None:
    pay = Desk(jackpot).printed("pay")
    for line in jackpot.table.lines:
        award = METER * line.percent // 100 if line.percent else (line.pays or 0) * 100
        for executive_from, wanted in ((award, "executive"), (award + 1, "supervisor"), (None, "supervisor")):
            desk = winner(jackpot, line, executive_from=executive_from)
            # The signs of the link show the amount that waits for its payment.
            amount = f"${award // 100:,}.{award % 100:02d}"
            assert amount in desk.sign("T2")["message"]
            if jackpot.vocabulary != "aquarius" or wanted == "executive":
                # The display says which badge and how much before the swipe.
                desk.verify()
                desk.key(pay)
                assert desk.display()["role"] == wanted
                assert amount in desk.display()["text"]
            if wanted == "executive":
                assert desk.refused(pay, SUPERVISOR) == {"wrong-role"}
            paid = desk.pay(EXECUTIVE if wanted == "executive" else SUPERVISOR)
            assert (paid.get("cents"), paid.get("paid_by")) == (award, "E1" if wanted == "executive" else "S1")


@on_sheets("pay", off=(NO_RECORD, NO_COUNT))
def the_win_is_recorded(jackpot: Jackpot) -> None:
    for line in jackpot.table.lines:
        if line.percent:
            desk = winner(jackpot, line)
            desk.pay()
            award = METER * line.percent // 100
            rows = desk.pit.rows("hit")
            assert [row["status"] for row in rows] == ["hit", "paid"]
            row = rows[-1]
            assert (row["status"], row["seat"], row["hand"], row["cents"]) == ("paid", 3, line.hand, award)
            assert (row["table"], row["link"], row["level"]) == ("T1", "L1", line.level)
            figures = desk.pit.floor.levels[f"L1/{line.level}"]
            assert (figures.hits, figures.won_micros) == (1, award * CENT)
            assert (figures.recent[-1].table, figures.recent[-1].cents) == ("T1", award)
            assert desk.pit.held("paid", "L1") == award * CENT


@on_sheets("pay", off=(NO_SLIP,))
def a_win_page_can_be_printed(jackpot: Jackpot) -> None:
    desk = winner(jackpot, jackpot.whole)
    desk.pay()
    (award,) = desk.awards()
    slips = [(slip.id, slip.award, slip.cents, slip.second) for slip in desk.pit.floor.slips.values()]
    assert slips == [("WIN-000001", award.id, METER, award.paid_by)]
    assert desk.pit.do(PrintSlip("WIN-000001"), actor="S1")["marks"] == ["ORIGINAL"]


def still_there(award: Award) -> bool:
    """An award stays on the sign, paid or not."""
    return award.source == "meter" and award.status in ("hit", "paid")


STAYS_ON_THE_SIGN = replaced("houseway.manager.core.signs._still_on_the_sign", still_there)
FALLS_AT_THE_SWIPE = replaced("houseway.manager.core.signs._still_on_the_sign", lambda award: award.status == "hit")
FALLS_AT_THE_HIT = replaced("houseway.manager.core.signs._still_on_the_sign", lambda *_: False)


def meter_after(line: PayLine) -> int:
    """Cents that a level shows once an award of $10,000 by a line is off it."""
    return SEED if line.percent == 100 else METER - METER * (line.percent or 0) // 100


@on_sheets("pay", off=(STAYS_ON_THE_SIGN, FALLS_AT_THE_HIT))
def the_meter_falls_when_the_award_is_completed(jackpot: Jackpot) -> None:
    for line in jackpot.table.lines:
        if line.percent:
            desk = winner(jackpot, line)
            assert desk.shown(line) == METER * CENT
            desk.pay()
            # In the first generation the key holds the meter until it is back at Run.
            desk.run()
            assert desk.shown(line) == meter_after(line) * CENT


@on_sheets("key", off=(without_key(KEY_TO_JPH), ignored(TurnKey)))
def the_key_stands_at_jph_before_j_pot_is_pressed(jackpot: Jackpot) -> None:
    desk = Desk(jackpot)
    round_ = desk.start(3)
    desk.hand(3, jackpot.whole.hand)
    desk.pit.do(HitJackpot(round_))
    assert desk.refused("J-pot", SUPERVISOR) == {"key-not-turned"}
    desk.key("KEY JPH", SUPERVISOR)
    assert desk.round.key_turned
    assert desk.pay()["cents"] == METER


@on_sheets("run", off=(FALLS_AT_THE_SWIPE, STAYS_ON_THE_SIGN, ignored(TurnKey)))
def the_key_back_at_run_lowers_the_meter_and_lets_the_table_go_on(jackpot: Jackpot) -> None:
    for line in jackpot.table.lines:
        if line.percent:
            desk = winner(jackpot, line)
            assert desk.refused("KEY RUN") == {"award-open"}
            desk.pay()
            assert desk.shown(line) == METER * CENT
            assert desk.refused("Game Over") == {"key-at-jph"}
            desk.key("KEY RUN")
            assert desk.shown(line) == meter_after(line) * CENT
            desk.end()
            desk.start(2)


# ---------------------------------------------------------------- backing out


def rejected_all_the_same(decision: Decision, command: RejectJackpot) -> None:
    """A rejection takes a paid award back too."""
    award = decision.floor.awards[command.award]
    decision.awards.drop(award.id)
    round_ = decision.floor.rounds[award.round]
    decision.rounds.put(replace(round_, awards=tuple(id_ for id_ in round_.awards if id_ != award.id)))


def back_out(desk: Desk, award: str, badge: str) -> set[str]:
    """A supervisor proposes that a paid award is backed out, and a badge approves it: the codes of a refusal."""
    what = {"change": "back-out", "award": award, "reference": "incident 7"}
    if desk.pit.floor.awards[award].percent == 100:
        what["recover_seed"] = False
    proposed = desk.pit.do(Propose(what, "the hand was misread"), "S1")
    refused = desk.pit.refused(Approve(proposed["proposal"], proposed["content_hash"], badge), "S1")
    if refused:
        # While it waits, nobody proposes the same again.
        desk.pit.do(Withdraw(proposed["proposal"], "refused"), "S1")
    return refused


@on_sheets(
    "back-out",
    off=(
        handled_by(RejectJackpot, rejected_all_the_same),
        ignored(Approve),
        replaced("houseway.manager.core.authority.refuse_own_badge", lambda *_: None),
        unchecked("changes._department_faults"),
    ),
)
def a_logged_prize_is_undone_by_a_manual_adjustment_only(jackpot: Jackpot) -> None:
    for line in (jackpot.whole, jackpot.fixed):
        desk = winner(jackpot, line)
        (before,) = desk.awards()
        desk.pay()
        (award,) = desk.awards()
        assert (award.status, award.cents) == ("paid", before.cents)
        # Neither the dealer nor the supervisor takes it back at the table.
        pit, round_ = desk.pit, desk.round.id
        assert desk.refused("HAND", hand=line.hand, spot=3) == {"award-locked"}
        assert pit.refused(RejectJackpot(award.id, SUPERVISOR, "misread")) == {"award-paid"}
        assert desk.refused("VOID", SUPERVISOR, reason="wrong-wagers") == {"award-paid"}
        # In the Game Manager one person cannot either, nor two of the same department.
        assert back_out(desk, award.id, SUPERVISOR) == {"second-person"}
        assert back_out(desk, award.id, "badge-S2") == {"same-department"}
        meter = pit.held("meter", "L1", line.level) if line.level else 0
        assert back_out(desk, award.id, EXECUTIVE) == set()
        assert award.id not in pit.floor.awards
        assert pit.held("paid", "L1") == 0
        if line.level:
            assert pit.held("meter", "L1", line.level) == meter + award.cents * CENT
        else:
            assert pit.floor.balances["tray/T1"] == 0
        papers = [paper for paper in pit.floor.papers.values() if paper.fields.get("award") == award.id]
        assert [(p.fields["proposed_by"], p.fields["approved_by"]) for p in papers] == [("S1", "E1")]
        assert pit.floor.rounds[round_].awards == ()


# ---------------------------------------------------------------- several winners


def in_seat_order_only(decision: Decision, link: Any, award: Award, at_least: int = 0) -> Award:
    """Each winner gets what the one before left, whatever order the link has."""
    return lock_share(decision, link, award)


def from_the_left(decision: Decision, round_: Round) -> list[Award]:
    """The awards of a round from the dealer's left."""
    return sorted(awards_of(decision, round_), key=lambda award: award.seat)


@on_sheets("order", off=replaced(f"{HANDLED}.awards.awards_of", from_the_left))
def meter_awards_of_one_round_are_locked_and_paid_from_the_far_right(jackpot: Jackpot) -> None:
    for line in jackpot.table.lines:
        if line.percent:
            desk = two_winners(jackpot, line)
            right, left = (award.cents for award in sorted(desk.awards(), key=lambda award: -award.seat))
            assert right == METER * line.percent // 100
            assert left == meter_after(line) * line.percent // 100
            # The supervisor's confirmation goes to the seat at the far right first, then to the next one.
            assert [desk.pay()["seat"], desk.pay()["seat"]] == [5, 2]


def two_winners(jackpot: Jackpot, line: PayLine, **changes: Any) -> Desk:
    """Seats 2 and 5 have won by the same line; seat 2 was pressed first."""
    desk = Desk(jackpot, **changes)
    desk.start(2, 5)
    desk.hand(2, line.hand)
    desk.hand(5, line.hand)
    desk.call()
    return desk


def as_drawn_up(change: LinkChange, link: Link) -> Link:
    """A change of a link that changes nothing."""
    return link


@on_sheets(
    "order",
    off=(
        replaced(f"{HANDLED}.awards.lock_share", in_seat_order_only),
        replaced(f"{HANDLED}.parameters.LinkChange.changed", as_drawn_up),
    ),
)
def a_room_enters_another_order_with_its_link(jackpot: Jackpot) -> None:
    room, table_id = new_room(), jackpot.table.id
    for link, order in (("L1", "seat-order"), ("L2", "full-to-each")):
        done(room, ACCOUNTING, CreateLink(link, "progressive", table_id, levels_of(table_id), order=order))  # type: ignore[arg-type]
        assert room.floor.links[link].order == order
    two_people(room, {"change": "link", "link": "L1", "order": "full-to-each"})
    assert room.floor.links["L1"].order == "full-to-each"
    for line in jackpot.table.lines:
        if line.percent:
            desk = two_winners(jackpot, line, order=room.floor.links["L1"].order)
            assert [award.cents for award in desk.awards()] == [METER * line.percent // 100] * 2


# ---------------------------------------------------------------- envy


def only_the_last_stays(decision: Decision, round_: Round, sensor: str, seat: int) -> Award | None:
    """The press of another spot takes an earlier one off."""
    return next(iter(awards_of(decision, round_)), None)


@on_sheets(
    "envy",
    off=(
        replaced(f"{HANDLED}.rounds._pay_envy", lambda *_: []),
        replaced(f"{HANDLED}.awards.award_at", only_the_last_stays),
    ),
)
def a_hand_that_brings_envy_stays_in_the_round_until_envy_is_paid(jackpot: Jackpot) -> None:
    assert bool(jackpot.envied) == (jackpot.table.id != "6CFPGPP-5")
    for line in jackpot.envied:
        desk = Desk(jackpot)
        desk.start(1, 2, 4)
        # A spot without the wager brings envy as well; its hand is pressed and stays, and a supervisor confirms it.
        desk.hand(6, line.hand)
        desk.hand(4, jackpot.fixed.hand)
        desk.call()
        desk.pay()
        desk.pay()
        desk.run()
        shown = present(desk.panel().round, "round in play")
        assert {(award.seat, award.envy_cents) for award in shown.awards} >= {(6, line.envy)}
        tray = desk.pit.floor.balances.get("tray/T1", 0)
        # END GAME pays the envy and lets the hand go with the round.
        fixed = jackpot.fixed.envy or 0
        assert sorted((each["seat"], each["cents"]) for each in desk.end()["envy"]) == sorted(
            [(seat, line.envy) for seat in (1, 2, 4)] + [(seat, fixed) for seat in (1, 2) if fixed]
        )
        assert tray - desk.pit.floor.balances["tray/T1"] == (3 * (line.envy or 0) + 2 * fixed) * CENT
        assert desk.pit.floor.tables["T1"].round is None


def pays_of_one_dollar(link: Link, game: str) -> SensorLink:
    """What the sign is told, with pays as if every wager were one dollar."""
    told = _sensor_link(link, game)
    return replace(told, pays_cents={hand: cents * 100 // link.wager for hand, cents in told.pays_cents.items()})


@rule("fpgpj/wager/3", off=replaced("houseway.manager.views.table_views._sensor_link", pays_of_one_dollar))
def the_sign_shows_the_multiplied_pays() -> None:
    for game_id, table_id in (("fortune", "FPGPP-WA07"), ("face-up", "FUPGPP-07")):
        for wager, full_house, quads in ((100, "$5.00", "$75.00"), (500, "$25.00", "$375.00")):
            desk = Desk(Jackpot(game_id, "nexus-2", paytable(table_id)), wager=wager)
            (shown,) = desk.sign()["meters"]
            assert (shown["pays"]["full-house"], shown["pays"]["four-of-a-kind"]) == (full_house, quads)
            assert "five-aces" not in shown["pays"]
