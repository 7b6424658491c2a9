"""`houseway audit` as text: reports, rounds, accounts, events, states and books for people, and their JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from houseway.amounts import Micros
from houseway.cli.output import print_listing, print_text, printable
from houseway.cli.times import time_text
from houseway.cli.words import counted, said, words
from houseway.manager.interface.auditing import (
    COLUMNS,
    OWED,
    kind_of_account,
    lines_of,
    marked,
    shown_balance,
    undone_award,
)
from houseway.wording import dollars, micro_dollars

if TYPE_CHECKING:
    from houseway.manager.interface.auditing import (
        ArchiveResult,
        AuditReport,
        DatedState,
        DealCheck,
        EventEntry,
        ExportResult,
        Reconciliation,
        Statement,
    )

_HIT: Final = COLUMNS["hits"]
_TRANSFER: Final = COLUMNS["transfers"][1:]


def print_report(report: AuditReport) -> None:
    """An audit: every finding, what was looked at, and what had to be taken on trust."""
    for finding in report.findings:
        print_text(printable(f"found: {finding}"))
    if report.found > len(report.findings):
        print_text(f"... and {report.found - len(report.findings):,} more")
    for note in report.notes:
        print_text(f"note: {note}")
    rows = ", ".join(counted(count, table.removesuffix("s")) for table, count in report.rows.items())
    print_text(f"{report.source}: events {report.first} to {report.last} ({rows})", f"last hash {report.hash}")
    print_text("nothing was found" if report.is_clean else f"{report.found:,} found")


def print_written(file: str, written: ExportResult) -> None:
    """An export."""
    print_text(
        f"{file}: events {written.first} to {written.last}, {counted(written.checkpoints, 'checkpoint')}",
        f"SHA-256 {written.digest}",
    )


def print_archived(file: str, archived: ArchiveResult) -> None:
    """An archive."""
    print_text(
        f"{file}: events {archived.first} to {archived.up_to} were moved, on record in event {archived.seq}",
        f"SHA-256 {archived.digest}",
        "Keep the file at least as long as records must be kept, in two places: the database has only the rest.",
    )


# Rounds


def print_rounds(found: Sequence[dict[str, Any]], notes: Sequence[str] = ()) -> None:
    """Rounds with their winning lines."""
    for note in notes:
        print_text(printable(f"note: {note}"))
    rows = [("round", "table", "started", "dealer", "outcome", "wagered", "returned", "won by")]
    for round_ in found:
        won = [
            f"seat {line['seat']} {_won_with(line)} {dollars(line['returned_cents'])}{_backed_out(line)}"
            for line in round_["lines"]
            if line["outcome"] == "win"
        ]
        # What was undone before END GAME has no line of its own that won.
        of_lines = {line["award"] for line in round_["lines"]}
        won += [
            f"(seat {each['seat']} {each['hand']} {dollars(each['cents'])}: paid, {UNDONE[each['status']]} "
            f"{time_text(each['at'])})"
            for each in round_["undone"]
            if each["award"] not in of_lines
        ]
        outcome = _OUTCOMES.get(round_["outcome"], f"{round_['outcome']}{', was on hold' if round_['held'] else ''}")
        returned = (round_["returned_cents"] or 0) - round_["backed_out_cents"]
        amounts = [dollars(round_["wagered_cents"] or 0), dollars(returned)]
        started = time_text(round_["started_at"])
        who = str(round_["dealer"])
        rows.append((round_["round"], round_["table"], started, who, outcome, *amounts, ", ".join(won)))
    back = sum(round_["backed_out_cents"] for round_ in found)
    apart = f"; returned is without {dollars(back)} that was backed out since" if back else ""
    print_listing(rows if found else [], counted(len(found), "round") + apart)


_OUTCOMES: Final = {"held-void": "void after a dispute", "misdeal": "void as a misdeal", "on-paper": "ended on paper"}
"""How a round ended, where its record has a code for it."""
UNDONE: Final = {"backed-out": "BACKED OUT", "taken-back": "taken back at the table"}
"""How a payment that was undone is marked."""


def _won_with(line: dict[str, Any]) -> str:
    """What a line has won with: the seat's own hand, or envy for another one's.

    >>> _won_with({"wager": "envy", "hand": "royal-flush"}), _won_with({"wager": "main", "hand": None})
    ('envy for royal-flush', 'main')
    """
    hand = line["hand"] or line["wager"]
    return f"envy for {hand}" if line["wager"].endswith("envy") and line["hand"] else str(hand)


def _backed_out(line: dict[str, Any]) -> str:
    """The mark of a line whose award was backed out since; empty if it was not."""
    at = line["backed_out_at"]
    return "" if at is None else f" (BACKED OUT {time_text(at)})"


def story_json(round_id: str, story: Sequence[EventEntry], deal: DealCheck | None) -> dict[str, Any]:
    """Everything about a round: its end, its events with their transfers, its lines, its awards, its deal."""
    ends = [
        dict(zip(COLUMNS["rounds"], row, strict=True))
        for entry in story
        for row in entry.rows.rounds
        if row[2] == round_id
    ]
    end = ends[-1] if ends else None
    lines = [
        line
        for entry in story
        if end is not None and entry.event.seq == end["seq"]
        for line in lines_of(entry.body, round_id)
    ]
    undone = [undone_award(row) for entry in story for row in entry.rows.hits]
    mine = [each for each in undone if each is not None and each["round"] == round_id]
    told = marked({"lines": lines}, mine)
    return {
        "round": round_id,
        "end": end,
        "events": [
            {**entry.to_json(), **_attested_json(entry), "transfers": _transfers_json(entry)} for entry in story
        ],
        "lines": told["lines"],
        "backed_out_cents": told["backed_out_cents"],
        "undone": told["undone"],
        "awards": [_award_json(entry, row) for entry in story for row in entry.rows.hits],
        "deal": None if deal is None else deal.to_json(),
    }


def _award_json(entry: EventEntry, row: Sequence[Any]) -> dict[str, Any]:
    """A row of an award, with who paid it and under which reference, as its event has them on record."""
    award = dict(zip(_HIT, row, strict=True))
    stored = {id_: value for kind, id_, value in entry.body.put if kind == "award" and value is not None}
    paid = stored.get(award["award"], {}) if award["status"] == "paid" else {}
    return {**award, "paid_by": paid.get("paid_by"), "reference": paid.get("reference")}


def _attested_json(entry: EventEntry) -> dict[str, Any]:
    """The seats whose regular wager the event attests, where it does."""
    attested = entry.body.answer.get("attested")
    return {"attested": attested} if attested else {}


def attested_text(attested: dict[str, str]) -> str:
    """Who attests which regular wagers, in words.

    >>> attested_text({"2": "Dealer 1", "5": "Dealer 1"})
    'Dealer 1 attests the regular wager of seats 2, 5'
    """
    by: dict[str, list[str]] = {}
    for seat, person in attested.items():
        by.setdefault(person, []).append(seat)
    words = [f"{who} attests the regular wager of {_seats_text(seats)}" for who, seats in by.items()]
    return "; ".join(words)


def _seats_text(seats: list[str]) -> str:
    return f"{'seats' if len(seats) > 1 else 'seat'} {', '.join(sorted(seats, key=int))}"


def _transfers_json(entry: EventEntry) -> list[dict[str, Any]]:
    return [dict(zip(_TRANSFER, row[1:], strict=True)) for row in entry.rows.transfers]


def print_story(round_id: str, story: Sequence[EventEntry], deal: DealCheck | None) -> None:
    """A round from its start to its end."""
    told = story_json(round_id, story, deal)
    for event in told["events"]:
        device = f" at {event['device']}" if event["device"] else ""
        print_text(
            printable(f"{time_text(event['at'])}  event {event['seq']}  {event['kind']} by {event['actor']}{device}")
        )
        if asked := said(event["do"], "kind"):
            print_text(printable(f"    {asked}"))
        if people := _people_text(event):
            print_text(printable(f"    {people}"))
        if attested := event.get("attested"):
            print_text(printable(f"    {attested_text(attested)}"))
        for transfer in event["transfers"]:
            print_text(printable(f"    {_transfer_text(transfer)}"))
    for award in told["awards"]:
        amount = dollars(award["cents"] or 0)
        level = f" of {award['link']}/{award['level']}" if award["level"] else ""
        by = f" by {award['paid_by']}" if award["paid_by"] else ""
        reference = f", surveillance reference {award['reference']}" if award["reference"] else ""
        told_award = f"award {award['award']}: seat {award['seat']} {award['hand']} {amount}{level}"
        print_text(printable(f"{told_award}, {award['status']}{by}{reference}"))
    for line in told["lines"]:
        stake, back = dollars(line["stake_cents"]), dollars(line["returned_cents"])
        clause = f" ({line['clause']})" if line["clause"] else ""
        told_line = f"seat {line['seat']} {line['wager']}: {line['hand'] or '-'}, {line['outcome']}, {stake} -> {back}"
        print_text(f"{told_line}{clause}{_backed_out(line)}")
    _print_deal(deal)
    end = told["end"]
    print_text(f"{round_id}: {'in play' if end is None else end['outcome']}")


def _people_text(event: dict[str, Any]) -> str:
    """Who took part in an event beside its actor, and the reference that it used.

    >>> _people_text({"people": [{"as": "paid_by", "person": "S3"}], "reference": "camera 4", "do": {}})
    'paid by S3, reference camera 4'
    """
    told = [f"{_ROLES.get(part['as'], part['as'].replace('_', ' '))} {part['person']}" for part in event["people"]]
    if event["reference"] and event["reference"] != event["do"].get("reference"):
        told.append(f"reference {event['reference']}")
    return ", ".join(told)


_ROLES: Final = {"badge": "badge of", "second_badge": "badge of"}


def _print_deal(deal: DealCheck | None) -> None:
    if deal is None:
        return
    print_text(f"commitment {deal.commitment}, published {time_text(deal.committed_at)}")
    if not deal.is_revealed:
        print_text("the seed is not revealed yet: its cards are not shown before that")
    elif deal.differences:
        print_text("the record differs from its replay:", *(f"    {fault}" for fault in deal.differences))
    else:
        print_text("every card follows from the revealed seed, and the seed fits the commitment")
    _print_hands(deal)


def _print_hands(deal: DealCheck) -> None:
    """The packets of a revealed deal, and how each hand was set."""
    if deal.reveal is None:
        return
    packets = [("dealer", "dealer", deal.reveal["dealer"])]
    packets += [(f"seat {seat['seat']}", str(seat["seat"]), seat["cards"]) for seat in deal.reveal["seats"]]
    for name, place, cards in packets:
        hand = (deal.hands or {}).get(place)
        told = "not set" if hand is None else f"high {' '.join(hand['high'])}"
        if hand is not None and hand.get("low"):
            told += f" | low {' '.join(hand['low'])}"
        if hand is not None and (hand.get("rule") or hand.get("fouled")):
            told += f" ({'fouled' if hand.get('fouled') else 'rule ' + str(hand['rule'])})"
        print_text(f"{name}: {' '.join(cards)}: {told}")
    for seat in deal.reveal["unoccupied"]:
        print_text(f"seat {seat['seat']}: {' '.join(seat['cards'])}: nobody's")
    if deal.reveal["leftover"]:
        print_text(f"not dealt: {' '.join(deal.reveal['leftover'])}")
    print_text(f"seed {deal.reveal['seed']}; --json has the whole deal for houseway replay")


def _transfer_text(transfer: dict[str, Any]) -> str:
    """A transfer as a bookkeeper writes it, with what both accounts hold after it."""
    debit, credit = (
        f"{transfer[side]} ({_held(transfer[side], transfer[f'{side}_balance'])})" for side in ("debit", "credit")
    )
    return f"{transfer['reason']} {micro_dollars(transfer['micros'])}: debit {debit}, credit {credit}"


def _held(account: str, balance: Micros) -> str:
    return micro_dollars(shown_balance(account, balance))


# Accounts


def statement_json(statement: Statement) -> dict[str, Any]:
    """A statement with amounts in micros as the books have them; `owed` accounts are read with the other sign."""
    return {
        "account": statement.account,
        "owed": kind_of_account(statement.account) in OWED,
        "opening": statement.opening,
        "closing": statement.closing,
        "cut": statement.is_cut,
        "transfers": [line._asdict() for line in statement.lines],
    }


def print_statement(statement: Statement) -> None:
    """Every transfer with its event, its reason, its other side and the balance after it."""
    name = statement.account
    rows = [("event", "time", "kind", "reason", "amount", "balance", "the other side", "about")]
    for line in statement.lines:
        change = shown_balance(name, line.micros)
        amount = f"{'+' if change > 0 else ''}{micro_dollars(change)}"
        about = f"{line.subject} | {line.about}" if line.about else line.subject
        rows.append(
            (
                str(line.seq), time_text(line.at), line.kind, line.reason, amount, _held(name, line.balance),
                line.against, printable(about),
            )
        )  # fmt: skip
    opening, closing = _held(name, statement.opening), _held(name, statement.closing)
    cut = ", more follow: raise --limit or name a time" if statement.is_cut else ""
    last = f"{name}: {opening} + {counted(len(statement.lines), 'transfer')} = {closing}{cut}"
    print_listing(rows if statement.lines else [], last)


# Events


def print_events(found: Sequence[EventEntry], notes: Sequence[str] = ()) -> None:
    """Events with what was asked."""
    for note in notes:
        print_text(printable(f"note: {note}"))
    rows: list[tuple[str, ...]] = [("event", "time", "kind", "actor", "device", "who else, and the command")]
    for entry in found:
        told = entry.to_json()
        text = " | ".join(part for part in (_people_text(told), said(told["do"], "kind")[:500]) if part)
        cells = (str(told["seq"]), time_text(told["at"]), told["kind"], told["actor"], told["device"] or "-", text)
        rows.append(tuple(printable(cell) for cell in cells))
    print_listing(rows if found else [], counted(len(found), "event"))


# A date


def print_state(state: DatedState, sections: Iterable[str]) -> None:
    """What held at a date."""
    print_text(f"as of {time_text(state.at)}: event {state.seq}, hash {state.hash}")
    rules = state.rules()
    if rules:
        print_text(f"software {rules['version']} since {time_text(rules['since'])} (event {rules['seq']})")
        for name, value in rules["fingerprints"].items():
            print_text(f"    {name} {value}")
    for section in sections:
        rows = state.section(section)
        print_text("", f"{section}: {len(rows)}")
        for row in rows:
            print_text(printable(f"    {_row_text(section, row)}"))


def _row_text(section: str, row: dict[str, Any]) -> str:
    """A row of a section; the value of a setting is read by the setting's own name."""
    if section != "settings":
        return said(row)
    entered = f", entered {len(row['values'])} times" if len(row["values"]) > 1 else ""
    kind = "default: " if row["default"] else ""
    return f"{row['id']} {words(row['value'], row['id'])} ({kind}{row['basis'] or 'no longer known'}{entered})"


# Books


def print_reconciliation(found: Reconciliation, *, so_far: bool = False) -> None:
    """The books of a period: meters, all accounts, and every check that fails; of one that still runs, so far."""
    events = f"events {found.first} to {found.last}" if found.first <= found.last else "no events: nothing was moved"
    running = " (so far: the time is not over)" if so_far else ""
    print_text(f"{time_text(found.since)} to {time_text(found.until)}{running}, {events}")
    for level in found.levels:
        print_text("", f"meter of {level.link}/{level.level}")
        for name, amount in zip(level._fields[2:], level[2:], strict=True):
            print_text(f"    {name:<14}{micro_dollars(int(amount)):>20}")
    print_text("")
    rows = [("account", "opening", "closing", "movements")]
    for account in found.accounts:
        moved = ", ".join(f"{kind} {micro_dollars(total)}" for kind, total in account.moved.items())
        rows.append((account.name, micro_dollars(account.opening), micro_dollars(account.closing), moved))
    failed = [check for check in found.checks if not check.agrees]
    fail = "it fails" if len(found.checks) == len(failed) == 1 else f"{len(failed):,} of them fail"
    print_listing(rows, f"{counted(len(found.checks), 'check')}, {'none fails' if not failed else fail}")
    for check in failed:
        print_text(f"does not agree: {check.what}: {check.expected} expected, {check.found} found")
