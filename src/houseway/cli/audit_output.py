"""`houseway audit` as text: reports, rounds, accounts, events, states and books for people, and their JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from houseway.cli.output import dollars, print_listing, print_text, printable
from houseway.cli.times import time_text
from houseway.manager.core.ledger import OWED, kind_of_account, shown_balance
from houseway.manager.core.money import dollars as micro_dollars
from houseway.manager.store.projections import COLUMNS

if TYPE_CHECKING:
    from houseway.manager.store.archive import Archived
    from houseway.manager.store.deals import DealCheck
    from houseway.manager.store.export import Written
    from houseway.manager.store.history import AsOf
    from houseway.manager.store.reconcile import Reconciliation
    from houseway.manager.store.search import Entry, Statement
    from houseway.manager.store.verify import Report

_HIT: Final = COLUMNS["hits"]


def print_report(report: Report) -> None:
    """An audit: every finding, what was looked at, and what had to be taken on trust."""
    for finding in report.findings:
        print_text(printable(f"found: {finding}"))
    if report.found > len(report.findings):
        print_text(f"... and {report.found - len(report.findings):,} more")
    for note in report.notes:
        print_text(f"note: {note}")
    rows = ", ".join(f"{count:,} {table}" for table, count in report.rows.items())
    print_text(f"{report.source}: events {report.first} to {report.last} ({rows})", f"last hash {report.hash}")
    print_text("nothing was found" if report.is_clean else f"{report.found:,} found")


def print_written(file: str, written: Written) -> None:
    """An export."""
    print_text(
        f"{file}: events {written.first} to {written.last}, {written.checkpoints:,} checkpoints",
        f"SHA-256 {written.digest}",
    )


def print_archived(file: str, archived: Archived) -> None:
    """An archive."""
    print_text(
        f"{file}: events {archived.first} to {archived.up_to} were moved, on record in event {archived.seq}",
        f"SHA-256 {archived.digest}",
        "Keep the file at least as long as records must be kept, in two places: the database has only the rest.",
    )


# Rounds


def print_rounds(found: Sequence[dict[str, Any]]) -> None:
    """Rounds with their winning lines."""
    rows = [("round", "table", "started (UTC)", "dealer", "outcome", "wagered", "returned", "won by")]
    for round_ in found:
        won = [
            f"seat {line['seat']} {line['hand'] or line['wager']} {dollars(line['returned_cents'])}"
            for line in round_["lines"]
            if line["outcome"] == "win"
        ]
        outcome = f"{round_['outcome']}{' (held)' if round_['held'] else ''}"
        amounts = [dollars(round_[name] or 0) for name in ("wagered_cents", "returned_cents")]
        started = time_text(round_["started_at"])
        who = str(round_["dealer"])
        rows.append((round_["round"], round_["table"], started, who, outcome, amounts[0], amounts[1], ", ".join(won)))
    print_listing(rows if found else [], f"{len(found):,} round{'' if len(found) == 1 else 's'}")


def story_json(round_id: str, story: Sequence[Entry], deal: DealCheck | None) -> dict[str, Any]:
    """Everything about a round: its end, its events with their postings, its lines, its awards, its deal."""
    ends = [
        dict(zip(COLUMNS["rounds"], row, strict=True))
        for entry in story
        for row in entry.rows.rounds
        if row[2] == round_id
    ]
    end = ends[-1] if ends else None
    lines = [
        dict(zip(COLUMNS["lines"], row, strict=True))
        for entry in story
        for row in entry.rows.lines
        if row[2] == round_id and end is not None and row[0] == end["seq"]
    ]
    return {
        "round": round_id,
        "end": end,
        "events": [{**entry.to_json(), "postings": _postings_json(entry)} for entry in story],
        "lines": lines,
        "awards": [dict(zip(_HIT, row, strict=True)) for entry in story for row in entry.rows.hits],
        "deal": None if deal is None else deal.to_json(),
    }


def _postings_json(entry: Entry) -> list[dict[str, Any]]:
    return [{"account": row[2], "micros": row[3], "balance": row[4]} for row in entry.rows.postings]


def print_story(round_id: str, story: Sequence[Entry], deal: DealCheck | None) -> None:
    """A round from its start to its end."""
    told = story_json(round_id, story, deal)
    for event in told["events"]:
        device = f" at {event['device']}" if event["device"] else ""
        print_text(
            printable(f"{time_text(event['at'])}  event {event['seq']}  {event['kind']} by {event['actor']}{device}")
        )
        said = {name: value for name, value in event["do"].items() if name != "kind" and value not in (None, {}, [])}
        if said:
            print_text(printable("    " + ", ".join(f"{name} {value}" for name, value in said.items())))
        for posting in event["postings"]:
            print_text("    " + _posting_text(posting["account"], posting["micros"], posting["balance"]))
    for award in told["awards"]:
        amount = dollars(award["cents"] or 0)
        level = f" of {award['link']}/{award['level']}" if award["level"] else ""
        print_text(f"award {award['award']}: seat {award['seat']} {award['hand']} {amount}{level}, {award['status']}")
    for line in told["lines"]:
        stake, back = dollars(line["stake_cents"]), dollars(line["returned_cents"])
        print_text(f"seat {line['seat']} {line['wager']}: {line['hand'] or '-'}, {line['outcome']}, {stake} -> {back}")
    _print_deal(deal)
    end = told["end"]
    print_text(f"{round_id}: {'in play' if end is None else end['outcome']}")


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


def _posting_text(account: str, micros: int, balance: int) -> str:
    change = shown_balance(account, micros)
    return f"{account}: {'+' if change > 0 else ''}{micro_dollars(change)} -> {_held(account, balance)}"


def _held(account: str, balance: int) -> str:
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
        "postings": [
            {**line._asdict(), "against": [{"account": name, "micros": micros} for name, micros in line.against]}
            for line in statement.lines
        ],
    }


def print_statement(statement: Statement) -> None:
    """Every posting with its event, its other side and the balance after it."""
    name = statement.account
    rows = [("event", "time (UTC)", "kind", "amount", "balance", "about, and the other side")]
    for line in statement.lines:
        change = shown_balance(name, line.micros)
        amount = f"{'+' if change > 0 else ''}{micro_dollars(change)}"
        other = ", ".join(
            f"{account} {micro_dollars(shown_balance(account, micros))}" for account, micros in line.against
        )
        about = f"{line.about} | {other}" if line.about else other
        cells = (str(line.seq), time_text(line.at), line.kind, amount, _held(name, line.balance), printable(about))
        rows.append(cells)
    opening, closing = _held(name, statement.opening), _held(name, statement.closing)
    cut = ", more follow: raise --limit or name a time" if statement.is_cut else ""
    last = f"{name}: {opening} + {len(statement.lines):,} postings = {closing}{cut}"
    print_listing(rows if statement.lines else [], last)


# Events


def print_events(found: Sequence[Entry]) -> None:
    """Events with what was asked."""
    rows: list[tuple[str, ...]] = [("event", "time (UTC)", "kind", "actor", "device", "command")]
    for entry in found:
        told = entry.to_json()
        do = ", ".join(f"{name} {value}" for name, value in told["do"].items() if name != "kind" and value is not None)
        cells = (str(told["seq"]), time_text(told["at"]), told["kind"], told["actor"], told["device"] or "-", do[:500])
        rows.append(tuple(printable(cell) for cell in cells))
    print_listing(rows if found else [], f"{len(found):,} event{'' if len(found) == 1 else 's'}")


# A date


def print_state(state: AsOf, sections: Iterable[str]) -> None:
    """What held at a date."""
    print_text(f"as of {time_text(state.at)} UTC: event {state.seq}, hash {state.hash}")
    rules = state.rules()
    if rules:
        print_text(f"software {rules['version']} since {time_text(rules['since'])} (event {rules['seq']})")
        for name, value in rules["fingerprints"].items():
            print_text(f"    {name} {value}")
    for section in sections:
        rows = state.section(section)
        print_text("", f"{section}: {len(rows)}")
        for row in rows:
            told = ", ".join(
                f"{name} {_value(value)}" for name, value in row.items() if value not in (None, "", {}, [])
            )
            print_text(printable(f"    {told}"))


def _value(value: Any) -> str:  # noqa: ANN401 - plain data
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name} {_value(part)}" for name, part in value.items()) + "}"
    return str(value)


# Books


def print_reconciliation(found: Reconciliation) -> None:
    """The books of a period: meters, all accounts, and every check that fails."""
    print_text(f"{time_text(found.since)} to {time_text(found.until)} UTC, events {found.first} to {found.last}")
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
    print_listing(rows, f"{len(found.checks):,} checks, {len(failed):,} of them fail")
    for check in failed:
        print_text(f"does not agree: {check.what}: {check.expected} expected, {check.found} found")
