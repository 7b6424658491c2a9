"""Finding things again: rounds by time, table, seat, hand and amount, the whole story of one, accounts, events.

The live tables are asked in SQL. Archives have no tables: their events are read one after the other, and the same rows
are made of them. Nothing here reads sealed seeds, and events hold no card before its reveal, so neither do the answers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import exists, func, literal_column, or_, select, tuple_

from houseway.amounts import NO_MICROS, Micros
from houseway.errors import InputError
from houseway.manager.core.authority import CARD_FIELDS
from houseway.manager.core.floor import Floor
from houseway.manager.core.ledger import KINDS, kind_of_account
from houseway.manager.core.records import Body, Event, canonical
from houseway.manager.store import schema
from houseway.manager.store.export import DamagedLineError, open_journal_file
from houseway.manager.store.people import CardHolders, PersonPart, parts_of, reference_of
from houseway.manager.store.projections import COLUMNS, Row, Rows, rows_of
from houseway.manager.store.reading import View
from houseway.paytables import paytables
from houseway.wording import did_you_mean

HIDDEN: Final = CARD_FIELDS | {"secret", "session", "people"}
"""Fields of commands with fingerprints of badges, secrets and sessions: nobody needs them to read a journal.

Playing cards (`cards`) are none of them: what was typed for the display is what surveillance compares with the felt.
"""
LATER_KINDS: Final = ("change.propose", "change.approve", "change.withdraw", "round.decide", "incident.record")
"""Commands that may speak of a round long after it."""

_BODY: Final = msgspec.json.Decoder(Body)


class EventEntry(NamedTuple):
    """An event with its body and the rows made of it."""

    event: Event
    body: Body
    rows: Rows
    parts: tuple[PersonPart, ...] = ()
    """Who took part in it, beside its actor."""

    def to_json(self) -> dict[str, Any]:
        """The event as searches show it."""
        event = self.event
        return {
            "seq": event.seq,
            "at": event.at,
            "kind": event.kind,
            "actor": event.actor,
            "device": event.device,
            "key": event.key,
            "do": shown_command(self.body.do),
            "people": [part.to_json() for part in self.parts],
            "reference": reference_of(self.body),
            "hash": event.hash,
        }


def shown_command(do: Any) -> Any:  # noqa: ANN401 - any command as plain data
    """A command without fingerprints."""
    if not isinstance(do, dict):
        return do
    return {name: value for name, value in do.items() if name not in HIDDEN}


# Archives


def archive_entries(paths: Sequence[Path]) -> Iterator[EventEntry]:
    """All events of archives or exported files, in order; those that two files share come once."""
    seen = 0
    for path in sorted(paths, key=_first_event):
        with open_journal_file(path, "archive") as file:
            balances: dict[str, Micros] = {}
            try:
                for item in file.items():
                    if isinstance(item, Floor):
                        balances = dict(item.balances)
                    elif isinstance(item, Event):
                        entry = _entry(item, balances)
                        if item.seq > seen:
                            seen = item.seq
                            yield entry
            except (DamagedLineError, msgspec.DecodeError, ValueError) as error:
                message = f"{path}, line {file.line}: {error}; verify the file before you search it"
                raise InputError.of("unreadable-file", "archive", message) from None


def _first_event(path: Path) -> int:
    with open_journal_file(path, "archive") as file:
        return file.header.first


def _entry(event: Event, balances: dict[str, Micros]) -> EventEntry:
    body = _BODY.decode(event.body)
    after = []
    for debit, credit, micros, _, _ in body.post:
        balances[debit] = balances.get(debit, NO_MICROS) + micros
        balances[credit] = balances.get(credit, NO_MICROS) - micros
        after.append((balances[debit], balances[credit]))
    return EventEntry(event, body, rows_of(body, event.seq, after))


def _old_entries(view: View, archives: Sequence[Path]) -> Iterator[EventEntry]:
    """Events of archives that are no longer in the live tables."""
    if archives:
        first = view.bounds()[0]
        yield from (entry for entry in archive_entries(archives) if entry.event.seq < first)


def _with_people(entries: Sequence[EventEntry], holders: CardHolders) -> list[EventEntry]:
    return [entry._replace(parts=parts_of(entry.event.seq, entry.body, holders)) for entry in entries]


def _card_holders(view: View, archives: Sequence[Path]) -> CardHolders:
    """Whose each card was, as far as the events here and in the given archives tell."""
    holders = CardHolders()
    for entry in _old_entries(view, archives):
        holders.follow(entry.event.seq, entry.body)
    archived = view.archived_up_to()
    if archived:
        start = view.state_before(archived + 1)
        holders.restored(start.seq, start.floor)
    for event in view.events(0, None, schema.events.c.body.contains('["person",')):
        holders.follow(event.seq, _BODY.decode(event.body))
    return holders


# Rounds


@dataclass(frozen=True)
class RoundQuery:
    """What a round must fulfil to be found; None: anything. Seat, hand, wager, award and amounts hold for one line."""

    table: str | None = None
    dealer: str | None = None
    since: int | None = None
    """Started at this time or later."""
    until: int | None = None
    """Started at this time or before."""
    seat: int | None = None
    hand: str | None = None
    wager: str | None = None
    award: str | None = None
    at_least: int | None = None
    """Cents that the line returned."""
    at_most: int | None = None
    limit: int = 100

    def asks_for_lines(self) -> bool:
        """Whether anything is asked of a line."""
        asked = (self.seat, self.hand, self.wager, self.award, self.at_least, self.at_most)
        return any(value is not None for value in asked)


def find_rounds(view: View, query: RoundQuery, archives: Sequence[Path] = ()) -> list[dict[str, Any]]:
    """Rounds that fit, the latest first, each with its lines; a round that ended twice is shown as it ended last.

    `undone` lists the awards of a round whose payment was undone since: backed out by two people, or taken back at the
    table. The line of one that was backed out says when (`backed_out_at`).
    """
    found = [_with_lines(view, row) for row in view.rows(_round_statement(query))]
    if archives and len(found) < query.limit:
        known = {round_["round"] for round_ in found}
        found += [round_ for round_ in _archived_rounds(view, query, archives) if round_["round"] not in known]
    found = found[: query.limit]
    undone = _undone(view, {round_["round"] for round_ in found}, archives)
    return [marked(round_, undone.get(round_["round"], [])) for round_ in found]


UNDONE: Final = ("backed-out", "taken-back")
"""States of an award whose payment was undone."""


def undone_award(row: Row) -> dict[str, Any] | None:
    """What a row of an award tells of a payment that was undone; None if it tells of something else."""
    hit = dict(zip(COLUMNS["hits"], row, strict=True))
    if hit["status"] not in UNDONE:
        return None
    return {name: hit[name] for name in ("award", "seat", "hand", "cents", "status", "at", "seq", "round")}


def marked(round_: dict[str, Any], undone: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """A round with the payments that were undone since, how much of what it returned was backed out, and its lines.

    Each line says when its own payment was backed out (`backed_out_at`).
    """
    # Envy that the hand brought to other seats bears the award's id too, and stays paid.
    at = {(each["award"], each["seat"]): each["at"] for each in undone if each["status"] == "backed-out"}
    lines = [{**line, "backed_out_at": at.get((line["award"], line["seat"]))} for line in round_["lines"]]
    told = [{name: value for name, value in each.items() if name != "round"} for each in undone]
    back = sum(line["returned_cents"] or 0 for line in lines if line["backed_out_at"] is not None)
    return {**round_, "lines": lines, "backed_out_cents": back, "undone": told}


def _undone(view: View, rounds: set[str], archives: Sequence[Path]) -> dict[str, list[dict[str, Any]]]:
    """Payments of these rounds that were undone, by round, the oldest first: also long after the round."""
    hits = schema.hits
    live = view.rows(select(hits).where(hits.c.status.in_(UNDONE)).order_by(hits.c.seq, hits.c.row_no))
    old = [row for entry in _old_entries(view, archives) for row in entry.rows.hits]
    found: dict[str, list[dict[str, Any]]] = {}
    for told in (undone_award(row) for row in (*old, *live)):
        if told is not None and told["round"] in rounds:
            found.setdefault(told["round"], []).append(told)
    return found


def unknown_names(view: View, query: RoundQuery) -> list[str]:
    """What a search that found nothing asked for and nobody here knows: a table, a dealer, a hand."""
    floor = view.state_at(view.bounds()[1]).floor
    asked = (
        ("table", query.table, {*floor.tables, *_on_record(view, schema.rounds.c.table)}),
        ("person", query.dealer, {*floor.people, *_on_record(view, schema.rounds.c.dealer)}),
        ("hand", query.hand, {*_paid_hands(), *_on_record(view, schema.lines.c.hand)}),
    )
    otherwise = "look at how it is written"
    return [
        f"there is no {what} {name[:60]!r} here: {did_you_mean(name[:60], sorted(known)) or otherwise}"
        for what, name, known in asked
        if name is not None and name not in known
    ]


def _on_record(view: View, column: Any) -> list[str]:  # noqa: ANN401 - a column
    return [name for (name,) in view.rows(select(column).distinct()) if name is not None]


def _paid_hands() -> set[str]:
    """The hands that any pay table names, whether or not somebody has had them."""
    return {hand for table in paytables() for line in table.lines for hand in line.hands}


def _round_statement(query: RoundQuery) -> Any:  # noqa: ANN401 - a statement
    rounds, later = schema.rounds, schema.rounds.alias("later")
    conditions = [~exists().where(later.c.round == rounds.c.round, later.c.seq > rounds.c.seq)]
    for column, value in ((rounds.c.table, query.table), (rounds.c.dealer, query.dealer)):
        if value is not None:
            conditions.append(column == value)
    if query.since is not None:
        conditions.append(rounds.c.started_at >= query.since)
    if query.until is not None:
        conditions.append(rounds.c.started_at <= query.until)
    if query.asks_for_lines():
        conditions.append(_has_line(query))
    if query.award is not None:
        hits = schema.hits
        conditions.append(rounds.c.round.in_(select(hits.c.round).where(hits.c.award == query.award)))
    return (
        select(rounds).where(*conditions).order_by(rounds.c.started_at.desc(), rounds.c.seq.desc()).limit(query.limit)
    )


def _has_line(query: RoundQuery) -> Any:  # noqa: ANN401 - a condition
    """One line that fulfils all: looked up from the lines if an index leads to few, else round by round."""
    rounds, lines = schema.rounds, schema.lines
    conditions = _line_conditions(query)
    if query.hand is not None or (query.at_least or 0) > 0:
        few = select(lines.c.seq, lines.c.round).where(*conditions)
        return tuple_(rounds.c.seq, rounds.c.round).in_(few)
    return exists().where(lines.c.seq == rounds.c.seq, lines.c.round == rounds.c.round, *conditions)


def _line_conditions(query: RoundQuery) -> list[Any]:
    lines = schema.lines
    conditions: list[Any] = []
    for column, value in (
        (lines.c.seat, query.seat),
        (lines.c.hand, query.hand),
        (lines.c.wager, query.wager),
        (lines.c.award, query.award),
    ):
        if value is not None:
            conditions.append(column == value)
    if query.at_least is not None:
        conditions.append(lines.c.returned_cents >= query.at_least)
        if query.at_least > 0:
            # In these words, so that the index of amounts can be used, which leaves out lost wagers.
            conditions.append(lines.c.returned_cents > literal_column("0"))
    if query.at_most is not None:
        conditions.append(lines.c.returned_cents <= query.at_most)
    return conditions


def _with_lines(view: View, row: Row) -> dict[str, Any]:
    table = schema.lines
    lines = view.rows(select(table).where(table.c.seq == row[0]).order_by(table.c.row_no))
    return _round_json(row, lines)


def _round_json(row: Row, lines: Sequence[Row]) -> dict[str, Any]:
    round_ = dict(zip(COLUMNS["rounds"], row, strict=True))
    del round_["row_no"]
    round_["held"] = bool(round_["held"])
    mine = [dict(zip(COLUMNS["lines"], line, strict=True)) for line in lines]
    kept = [{name: line[name] for name in COLUMNS["lines"][4:]} for line in mine if line["round"] == round_["round"]]
    return {**round_, "lines": kept}


def _archived_rounds(view: View, query: RoundQuery, archives: Sequence[Path]) -> list[dict[str, Any]]:
    """Rounds of archives that fit, the latest first."""
    found: dict[str, dict[str, Any]] = {}
    for entry in _old_entries(view, archives):
        for row in entry.rows.rounds:
            round_ = _round_json(row, entry.rows.lines)
            found.pop(round_["round"], None)
            if _fits(round_, query):
                found[round_["round"]] = round_
    return sorted(found.values(), key=lambda round_: (round_["started_at"], round_["seq"]), reverse=True)


def _fits(round_: dict[str, Any], query: RoundQuery) -> bool:
    """The same conditions as in SQL."""
    within = (
        query.table in (None, round_["table"])
        and query.dealer in (None, round_["dealer"])
        and (query.since is None or round_["started_at"] >= query.since)
        and (query.until is None or round_["started_at"] <= query.until)
    )
    return within and (not query.asks_for_lines() or any(_line_fits(line, query) for line in round_["lines"]))


def _line_fits(line: dict[str, Any], query: RoundQuery) -> bool:
    asked = (("seat", query.seat), ("hand", query.hand), ("wager", query.wager), ("award", query.award))
    if any(value is not None and line[name] != value for name, value in asked):
        return False
    returned = line["returned_cents"] or 0
    return (query.at_least is None or returned >= query.at_least) and (
        query.at_most is None or returned <= query.at_most
    )


# The story of one round


def round_story(view: View, round_id: str, archives: Sequence[Path] = ()) -> list[EventEntry]:
    """Every event of a round in order: its commands, payments and corrections; refused if there is no such round."""
    entries = [entry for entry in _old_entries(view, archives) if _speaks_of(entry, round_id)]
    entries += [entry for entry in _live_entries(view, round_id) if _speaks_of(entry, round_id)]
    if not entries:
        message = f"there is no round {round_id[:60]!r} here: look for it with houseway audit rounds"
        hint = "" if archives or not view.archived_up_to() else "; older ones lie in archives, which --archive names"
        raise InputError.of("unknown-round", "round", message + hint)
    return _with_people(entries, _card_holders(view, archives))


def _live_entries(view: View, round_id: str) -> Iterator[EventEntry]:
    """Events that may speak of a round: those between its start and its last row, and later decisions about it."""
    events = schema.events
    mentions = events.c.body.contains(f'"{round_id}', autoescape=True)
    first, last = _span(view, round_id)
    for event in view.events(first - 1, last, mentions):
        yield _stored_entry(view, event)
    if last is not None:
        for event in view.events(last, None, events.c.kind.in_(LATER_KINDS), mentions):
            yield _stored_entry(view, event)


def _span(view: View, round_id: str) -> tuple[int, int | None]:
    """The first and the last event of a round, as far as rows tell; an open one reaches to the end."""
    rounds, hits, events = schema.rounds, schema.hits, schema.events
    ended = view.rows(select(rounds.c.seq, rounds.c.started_at).where(rounds.c.round == round_id))
    hit = view.rows(select(hits.c.seq).where(hits.c.round == round_id)) if ended else []
    if ended:
        started_at, last = ended[0][1], max(seq for seq, *_ in [*ended, *hit])
    else:
        open_round = view.state_at(view.bounds()[1]).floor.rounds.get(round_id)
        if open_round is None:
            return 1, 0
        started_at, last = open_round.started_at, None
    start = view.rows(select(events.c.seq).where(events.c.at == started_at, events.c.kind == "round.start").limit(1))
    return (start[0][0] if start else 1), last


def _stored_entry(view: View, event: Event) -> EventEntry:
    """An event of the live tables with its rows as they are stored."""
    body = _BODY.decode(event.body)
    stored = [view.window(schema.metadata.tables[name], event.seq - 1, event.seq) for name in COLUMNS]
    return EventEntry(event, body, Rows(*stored))


def _speaks_of(entry: EventEntry, round_id: str) -> bool:
    """Whether an event belongs to a round: its command, its rows, or what it changed say so."""
    do, prefix = entry.body.do, f"{round_id}/"
    texts = list(_texts(do if isinstance(do, dict) else {}))
    if round_id in texts or any(text.startswith(prefix) for text in texts):
        return True
    if any(columns.get("round") == round_id for _, columns in entry.body.rows):
        return True
    # The next round's start clears the former one away, which is no part of its story.
    return any(
        value is not None and ((kind == "round" and id_ == round_id) or (kind == "award" and id_.startswith(prefix)))
        for kind, id_, value in entry.body.put
    )


def _texts(value: Any) -> Iterator[str]:  # noqa: ANN401 - plain data
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)


# Accounts


class AccountLine(NamedTuple):
    """A transfer of an account with what it rests on."""

    seq: int
    at: int
    kind: str
    actor: str
    about: str
    """What the command was about: a round, an award, a link, a proposal."""
    reason: str
    subject: str
    micros: Micros
    """With the sign that it has in the books of this account."""
    balance: Micros
    against: str
    """The account on the other side."""


class Statement(NamedTuple):
    """An account over a time: what it held before, every transfer, and what it held then."""

    account: str
    opening: Micros
    lines: list[AccountLine]
    closing: Micros
    is_cut: bool
    """Whether there are more transfers than were asked for."""


def account_statement(
    view: View,
    account: str,
    since: int | None = None,
    until: int | None = None,
    limit: int = 1_000,
    archives: Sequence[Path] = (),
) -> Statement:
    """Every transfer of an account in a time; refused if there is no such account."""
    if kind_of_account(account) not in KINDS:
        message = f"{account[:60]!r} is no account: they begin with {', '.join(KINDS)}, as in meter/L1/main"
        raise InputError.of("unknown-account", "account", message)
    lines: list[AccountLine] = []
    opening: Micros | None = None
    for line in _account_lines(view, account, since, archives):
        if since is not None and line.at < since:
            opening = line.balance
            continue
        if until is not None and line.at > until:
            break
        if opening is None:
            opening = line.balance - line.micros
        if len(lines) == limit:
            return Statement(account, opening, lines, lines[-1].balance, is_cut=True)
        lines.append(line)
    if opening is None:
        opening = _untouched(view, account)
    return Statement(account, opening, lines, lines[-1].balance if lines else opening, is_cut=False)


def _untouched(view: View, account: str) -> Micros:
    """The balance of an account without transfers in the rows here: what it had when older rows were archived."""
    balances = view.state_before(view.bounds()[0] + 1).floor.balances
    if account not in balances:
        message = f"nothing ever moved on {account[:60]!r}: houseway audit as-of links lists links and levels"
        raise InputError.of("unknown-account", "account", message)
    return balances[account]


def _account_lines(view: View, account: str, since: int | None, archives: Sequence[Path]) -> Iterator[AccountLine]:
    """The transfers of an account in order, at least from the last ones before `since` on."""
    transfers, low = schema.transfers, 0
    if since is not None:
        before = transfers.c.seq <= view.seq_at(since - 1)
        newest = (
            view.rows(select(func.max(transfers.c.seq)).where(before, side == account))[0][0]
            for side in (transfers.c.debit, transfers.c.credit)
        )
        low = max(0, max(seq or 0 for seq in newest) - 1)
    if not low:
        for entry in _old_entries(view, archives):
            for row in entry.rows.transfers:
                if account in (row[2], row[3]):
                    yield _line(entry.event, entry.body, account, row)
    while True:
        found, high = _transfers_of(view, account, low)
        events = {event.seq: event for event in _events_of(view, sorted({row[0] for row in found}))}
        for row in found:
            event = events[row[0]]
            yield _line(event, _BODY.decode(event.body), account, row)
        if high is None:
            return
        low = high


def _transfers_of(view: View, account: str, low: int) -> tuple[list[Row], int | None]:
    """Some of an account's transfers behind an event, of whole events, and up to which event; None: that was all."""
    transfers, high, found = schema.transfers, None, list[Row]()
    # Each side by its own index; of an event that may have been cut off nothing is taken yet.
    for side in (transfers.c.debit, transfers.c.credit):
        mine = select(transfers).where(side == account, transfers.c.seq > low)
        rows = view.rows(mine.order_by(transfers.c.seq, transfers.c.line).limit(_AT_ONCE))
        found += rows
        if len(rows) == _AT_ONCE:
            last = rows[-1][0] - 1
            high = last if high is None else min(high, last)
    return sorted(tuple(row) for row in found if high is None or row[0] <= high), high


_AT_ONCE: Final = 500
"""Far more than the transfers of one event."""


def _events_of(view: View, seqs: Sequence[int]) -> list[Event]:
    events = schema.events
    return [Event(*row) for row in view.rows(select(events).where(events.c.seq.in_(seqs)))] if seqs else []


def _line(event: Event, body: Body, account: str, row: Row) -> AccountLine:
    _, _, debit, credit, micros, reason, subject, risen, fallen = row
    mine = (micros, risen, credit) if account == debit else (-micros, fallen, debit)
    return AccountLine(event.seq, event.at, event.kind, event.actor, _about(body), reason, subject, *mine)


def _about(body: Body) -> str:
    """What a command is about, in a word or two."""
    do = body.do if isinstance(body.do, dict) else {}
    for name in ("award", "round", "proposal", "link", "table", "slip"):
        found = body.answer.get(name, do.get(name))
        if isinstance(found, str):
            reason = do.get("reason") or do.get("note")
            return f"{found}: {reason}" if isinstance(reason, str) and reason else found
    return ""


# Events


@dataclass(frozen=True)
class EventQuery:
    """What an event must fulfil to be found; None: anything."""

    kind: str | None = None
    """A kind, or the beginning of kinds up to a dot, as in `round.`"""
    actor: str | None = None
    person: str | None = None
    """Who acted, or took part in another way: by a card, as the second person, or by proposing what took effect."""
    device: str | None = None
    since: int | None = None
    until: int | None = None
    limit: int = 100


def find_events(view: View, query: EventQuery, archives: Sequence[Path] = ()) -> list[EventEntry]:
    """Events that fit, the latest first."""
    holders = _card_holders(view, archives)
    found = list(islice(_live_events(view, query, holders), query.limit))
    if len(found) < query.limit:
        fitting = (
            entry
            for old in _old_entries(view, archives)
            for entry in _with_people([old], holders)
            if _event_fits(entry.event, query) and _has_part(entry, query.person)
        )
        found += reversed(deque(fitting, maxlen=query.limit - len(found)))
    return found


def _live_events(view: View, query: EventQuery, holders: CardHolders) -> Iterator[EventEntry]:
    """Events of the live tables that fit, the latest first."""
    events, below = schema.events, None
    statement = select(events).where(*_event_conditions(query, holders)).order_by(events.c.seq.desc())
    statement = statement.limit(min(query.limit, _AT_ONCE))
    while True:
        rows = view.rows(statement if below is None else statement.where(events.c.seq < below))
        entries = [EventEntry(event, _BODY.decode(event.body), Rows([], [], [], [])) for event in map(_event, rows)]
        yield from (entry for entry in _with_people(entries, holders) if _has_part(entry, query.person))
        if len(rows) < min(query.limit, _AT_ONCE):
            return
        below = rows[-1][0]


def _event_conditions(query: EventQuery, holders: CardHolders) -> list[Any]:
    events = schema.events
    conditions: list[Any] = [
        column == value
        for column, value in ((events.c.actor, query.actor), (events.c.device, query.device))
        if value is not None
    ]
    if query.kind is not None:
        is_prefix = query.kind.endswith(".")
        conditions.append(
            events.c.kind.startswith(query.kind, autoescape=True) if is_prefix else events.c.kind == query.kind
        )
    if query.person is not None:
        # Whoever took part stands in the body with his id or a card; `_has_part` then looks where.
        texts = [canonical(query.person).decode(), *holders.cards_of(query.person)]
        named = (events.c.body.contains(text, autoescape=True) for text in texts)
        conditions.append(or_(events.c.actor == query.person, *named))
    if query.since is not None:
        conditions.append(events.c.at >= query.since)
    if query.until is not None:
        conditions.append(events.c.at <= query.until)
    return conditions


def _has_part(entry: EventEntry, person: str | None) -> bool:
    return person is None or person == entry.event.actor or any(part.person == person for part in entry.parts)


def _event(row: Row) -> Event:
    return Event(*row)


def _event_fits(event: Event, query: EventQuery) -> bool:
    kind = query.kind
    return (
        (kind is None or event.kind == kind or (kind.endswith(".") and event.kind.startswith(kind)))
        and query.actor in (None, event.actor)
        and query.device in (None, event.device)
        and (query.since is None or event.at >= query.since)
        and (query.until is None or event.at <= query.until)
    )
