"""The win page of an award, read from the journal: what stood on the floor when it was paid, and the proof of it."""

from __future__ import annotations

from typing import Final, NamedTuple

from msgspec.structs import replace
from sqlalchemy import or_, select

from houseway.amounts import NO_CENTS, Micros
from houseway.errors import InputError, present
from houseway.games import game
from houseway.manager.core.award_entities import Award
from houseway.manager.core.floor import Floor
from houseway.manager.core.ledger import about, account, shown_balance
from houseway.manager.core.prize_duties import prize_duties
from houseway.manager.core.records import Event
from houseway.manager.core.slip_entities import Slip
from houseway.manager.core.table_entities import Round
from houseway.manager.core.twins import table_paytable
from houseway.manager.handlers.round_lines import clause_of_award
from houseway.manager.store import schema
from houseway.manager.store.event_proving import prove_award
from houseway.manager.store.head_making import HeadBook
from houseway.manager.store.reading import View
from houseway.manager.views.answers import WinPageAnswer
from houseway.manager.views.floor_questions import WinPageQuestion
from houseway.manager.views.slip_views import duties_view, house_view, names_of, people_of, slip_view
from houseway.manager.views.win_page_view import ProofView, WinPageView, WonMeter
from houseway.proofs.event_proofs import whole_proof
from houseway.ranking.hand_names import hand_title

_STANDING: Final = ("paid", "backed-out")
"""How the last word about an award reads that has a page."""


class _AwardStory(NamedTuple):
    """An award in the journal."""

    award: str
    paid: Event
    last: Event
    """The last event that says what became of it."""
    status: str
    meter_at_payment: Micros


def answer_win_page(
    book: HeadBook | None, seq: int, floor: Floor, asked: WinPageQuestion, now: int, *, may_sign: bool
) -> WinPageAnswer:
    """The page of an award with its proof; where no head covers it yet, one is signed by whoever may."""
    if book is None:
        message = "a journal in memory has no pages: what is printed must be proved from a database"
        raise InputError.of("no-journal", "award", message)
    with book.view() as view:
        story = _story(view, asked.award)
        then = view.state_at(story.paid.seq).floor
        proof = _proof(view, asked.award, story.last)
        page = _page(view, story, then, floor, proof)
    if proof.text is None and may_sign:
        book.renew()
        with book.view() as view:
            page = replace(page, proof=_proof(view, asked.award, story.last))
    return WinPageAnswer(seq=seq, at=floor.last_at, now=now, page=page)


def _story(view: View, award: str) -> _AwardStory:
    """What the journal says of an award; refused where it was never paid, or its payment lies in an archive."""
    hits = schema.hits
    asked = select(hits.c.seq, hits.c.status, hits.c.meter_after_micros).where(hits.c.award == award)
    rows = view.rows(asked.order_by(hits.c.seq, hits.c.row_no))
    paid = next(((seq, meter) for seq, status, meter in rows if status == "paid"), None)
    if not rows:
        old = " (older ones lie in archives)" if view.archived_up_to() else ""
        message = f"no event here tells of an award {award[:60]!r}{old}: name it as houseway jackpot list does"
        raise InputError.of("no-such-award", "award", message)
    last_seq, status, _ = rows[-1]
    if paid is None or status not in _STANDING:
        message = f"{award} is {status}: a page is made of an award that was paid"
        raise InputError.of("award-not-paid", "award", message)
    first, last = (present(view.event(seq), f"event {seq}") for seq in (paid[0], last_seq))
    return _AwardStory(award, first, last, status, Micros(paid[1] or 0))


def _page(view: View, story: _AwardStory, then: Floor, now: Floor, proof: ProofView) -> WinPageView:
    award = then.awards[story.award]
    round_, table, link = then.rounds[award.round], then.tables[award.table], then.links[award.link]
    played, place, winners = game(round_.game), *_place(then, round_, award)
    wager = next((taken.wager for taken in round_.taken if taken.sensor == award.sensor), NO_CENTS)
    slip = _slip_of(now, award.id)
    duties = None if slip is None else slip.duties
    reference, shown = round_.references.get(award.id), round_.shown.get(str(award.seat))
    return WinPageView(
        house=house_view(now), award=award.id, status="paid" if story.status == "paid" else "backed-out",
        slip=None if slip is None else slip_view(now, slip), game=played.id, game_title=played.title,
        table=table.id, seat=award.seat, round=round_.id, link=link.id, link_kind=link.kind, level=award.level,
        paytable=table_paytable(link, table.game).id, hand=award.hand, hand_title=hand_title(award.hand),
        hand_cards=None if shown is None else shown.cards, clause=clause_of_award(table, award), wager_cents=wager,
        cents=award.cents, source=award.source, hit_at=award.hit_at, paid_at=award.paid_at, order=award.order,
        place=place, winners=winners, meter=_meter(view, story, award), dealer=round_.dealer,
        reliefs=round_.reliefs, pressed_by=award.pressed_by, prepared_by=story.paid.actor,
        verified_by=award.paid_by or "", surveillance_reference=award.reference,
        surveillance_by=None if reference is None or award.reference is None else reference.by,
        people=_people(now, slip, round_, award, story), override=award.override, deck=table.deck,
        deck_size=played.deck,
        duties=duties_view(duties or prize_duties(then, award.cents, wager, award.paid_at)), proof=proof,
    )  # fmt: skip


def _people(floor: Floor, slip: Slip | None, round_: Round, award: Award, story: _AwardStory) -> dict[str, str]:
    """The names of all who are named on the page."""
    reference = round_.references.get(award.id)
    ids = [round_.dealer, *round_.reliefs, award.pressed_by, story.paid.actor, award.paid_by]
    seen = names_of(floor, *ids, None if reference is None else reference.by)
    return seen if slip is None else seen | people_of(floor, slip)


def _place(floor: Floor, round_: Round, award: Award) -> tuple[int, int]:
    """The place of an award among the winners of its round on its link, and how many they are."""
    mine = (floor.awards[id_] for id_ in round_.awards if id_ in floor.awards)
    seats = [each.id for each in sorted(mine, key=lambda one: -one.seat) if each.link == award.link and each.wagered]
    return seats.index(award.id) + 1, len(seats)


def _slip_of(floor: Floor, award: str) -> Slip | None:
    """The slip of an award that counts, else the last one that did."""
    found = sorted((slip for slip in floor.slips.values() if slip.award == award), key=lambda slip: slip.id)
    return next((slip for slip in found if slip.void is None), found[-1] if found else None)


def _meter(view: View, story: _AwardStory, award: Award) -> WonMeter | None:
    """What the lock of the award did to its meter, as the ledger has it."""
    if award.source != "meter" or award.level is None:
        return None
    name, rows = account("meter", award.link, award.level), schema.transfers
    asked = select(rows.c.debit, rows.c.debit_balance, rows.c.credit_balance).where(
        rows.c.seq == award.locked_as // 100,
        rows.c.subject == about("award", award.id),
        or_(rows.c.debit == name, rows.c.credit == name),
    )
    debit, debited, credited = view.rows(asked.order_by(rows.c.line.desc()).limit(1))[0]
    return WonMeter(
        before_micros=award.meter_before_micros, percent=award.percent, advanced_micros=award.advanced_micros,
        reseeded_micros=award.seed_drawn_micros - award.advanced_micros,
        released_micros=award.reserve_drawn_micros + award.overflow_drawn_micros,
        after_micros=shown_balance(name, Micros(debited if debit == name else credited)),
        at_payment_micros=story.meter_at_payment,
    )  # fmt: skip


def _proof(view: View, award: str, event: Event) -> ProofView:
    """The place of an event in the journal, with its proof where a head covers it."""
    table = schema.checkpoints
    signed = select(table.c.seq, table.c.key_id).where(table.c.seq >= event.seq).order_by(table.c.seq).limit(1)
    checkpoint, key_id = view.rows(signed)[0]
    try:
        proved = prove_award(view, award)
    except InputError as error:
        if [fault.code for fault in error.faults] != ["no-head"]:
            raise
        proved = None
    return ProofView(
        event=event.seq, kind=event.kind, at=event.at, hash=event.hash, checkpoint=checkpoint, signed_by=key_id,
        head=None if proved is None else proved.proof.signed.head.size,
        text=None if proved is None else whole_proof(proved.page.text(), proved.proof),
    )  # fmt: skip
