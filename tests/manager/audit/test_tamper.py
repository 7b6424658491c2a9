"""Whatever is changed in a journal's database without its keys is found, and the finding names the row."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import Column, Table, delete, text, update

from houseway.manager.core.records import Event, canonical, chain_hash, digest
from houseway.manager.store import schema
from houseway.manager.store.day_summing import sum_parts
from houseway.manager.store.day_sums import part_bytes
from houseway.manager.store.journal import signed_text
from houseway.manager.store.keys import create_keys, key_id_of, load_keys
from houseway.manager.store.reading import View
from houseway.manager.store.trust import Trust, Witness, trust_in
from tests.manager.audit.play import Played
from tests.manager.audit.tampering import TABLES, Forger, changed, forging, key_of, names, shown

COLUMNS = [(table, column) for table in TABLES for column in table.columns]
BEYOND = 10**6


def places(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first, a middle and the last row."""
    return [rows[place] for place in sorted({0, len(rows) // 2, len(rows) - 1})]


def found_in(forger: Forger, table: Table, *rows: dict[str, Any]) -> None:
    """The audit names every one of these rows."""
    forger.put_guards_back()
    report = forger.audit(listed=10_000)
    for row in rows:
        key = key_of(table, row)
        assert any(names(finding, table.name, key) for finding in report.findings), (
            f"{table.name} {key} is not named:\n{shown(report.findings)}"
        )


def test_nothing_is_found_where_nothing_was_changed(played: Played) -> None:
    with forging(played) as forger:
        forger.put_guards_back()
        report = forger.audit(archives=[played.archive])
        assert (report.found, shown(report.findings), report.notes) == (0, "", [])
        for table in TABLES:
            assert forger.rows(table), f"{table.name} holds no row, so nothing of it is tested"


@pytest.mark.parametrize(("table", "column"), COLUMNS, ids=lambda part: part.name)
def test_an_edited_column_is_found(played: Played, table: Table, column: Column[Any]) -> None:
    with forging(played) as forger:
        rows = forger.rows(table)
        # First, middle and last rows take turns from column to column.
        row = places(rows)[list(table.columns).index(column) % len(places(rows))]
        value = changed(column, row[column.name])
        while column.primary_key and value in {each[column.name] for each in rows}:
            value = value + 1 if isinstance(value, int) else value + "0"
        forger.change(table, row, **{column.name: value})
        if column.primary_key:
            # The row under its old key is gone, one under the new key is too many: either is a true name.
            forger.put_guards_back()
            report = forger.audit(listed=10_000)
            keys = [key_of(table, row), key_of(table, {**row, column.name: value})]
            hits = [any(names(each, table.name, key) for each in report.findings) for key in keys]
            assert any(hits), f"{table.name} {keys}:\n{shown(report.findings)}"
        else:
            found_in(forger, table, {column.name: value} if table.name == "alembic_version" else row)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_a_deleted_row_is_found(played: Played, table: Table) -> None:
    with forging(played) as forger:
        rows = forger.rows(table)
    for row in places(rows):
        with forging(played) as forger:
            forger.delete(table, row)
            last = row is rows[-1]
            if table.name == "events" and last:
                # Its checkpoint still speaks of it.
                found_in(forger, schema.checkpoints, row)
            elif table.name == "checkpoints" and last:
                found_in(forger, schema.events, {"seq": row["seq"]})
            elif table.name == "heads" and last:
                # Nothing is lost with it: the next head of so many events is the same text.
                continue
            else:
                found_in(forger, table, row)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_an_inserted_row_is_found(played: Played, table: Table) -> None:
    with forging(played) as forger:
        rows = forger.rows(table)
        row = dict(rows[-1])
        for column in list(table.primary_key.columns) or list(table.columns):
            row[column.name] = (
                BEYOND
                if isinstance(row[column.name], int)
                else digest(row[column.name].encode())[: len(row[column.name])]
            )
        if table.name == "events":
            row |= {"seq": rows[-1]["seq"] + 1, "key": "forged"}
        forger.insert(table, row)
        if table.name == "events":
            forger.rechain(row["seq"])
        found_in(forger, table, row)


@pytest.mark.parametrize("name", ["transfers", "rounds", "lines", "hits"])
def test_a_row_inserted_among_those_of_an_event_is_found(played: Played, name: str) -> None:
    table = schema.metadata.tables[name]
    number = list(table.columns)[1].name
    with forging(played) as forger:
        row = forger.rows(table)[0]
        row[number] = 99
        forger.insert(table, row)
        found_in(forger, table, row)


@pytest.mark.parametrize(
    "table", [each for each in TABLES if each.name not in ("alembic_version", "archives", "tiles")]
)
def test_two_swapped_rows_are_found(played: Played, table: Table) -> None:
    keys = {column.name for column in table.primary_key.columns}
    with forging(played) as forger:
        rows = forger.rows(table)
        one, other = rows[0], rows[-1]
        assert key_of(table, one) != key_of(table, other)
        # Columns that must be unique take a detour.
        if table.name == "events":
            forger.change(table, one, key="for a moment")
        forger.change(table, other, **{name: value for name, value in one.items() if name not in keys})
        forger.change(table, one, **{name: value for name, value in other.items() if name not in keys})
        found_in(forger, table, one, other)


@pytest.mark.parametrize(
    "column", [each.name for each in schema.events.columns if each.name not in ("seq", "leaf", "hash")]
)
def test_an_edited_event_with_its_hash_made_anew_is_found(played: Played, column: str) -> None:
    with forging(played) as forger:
        rows = forger.rows(schema.events)
        # An event in the middle of a group of several, signed together: no checkpoint pins its own hash.
        alone = {row["seq"] for row in forger.rows(schema.checkpoints)}
        row = next(row for row in rows[1:] if row["seq"] not in alone)
        forger.change(schema.events, row, **{column: changed(schema.events.c[column], row[column])})
        rehash_alone(forger, row["seq"])
        assert [each["seq"] for each in forger.rows(schema.events) if each not in rows] == [row["seq"]]
        found_in(forger, schema.events, row)


@pytest.mark.parametrize("column", ["salt", "leaf"])
def test_a_leaf_that_is_not_that_of_its_page_is_found(played: Played, column: str) -> None:
    """The hashes of all later events are made again over the forged leaf, and the checkpoints with the stolen key."""
    with forging(played) as forger:
        events = [Event(*row.values()) for row in forger.rows(schema.events)]
        # The first of a group: what it follows on is signed, so the fault is its own.
        signed_up_to = {row["seq"] for row in forger.rows(schema.checkpoints)}
        place = next(place for place in range(len(events) // 2, len(events)) if events[place - 1].seq in signed_up_to)
        forged = replace(events[place], **{column: changed(schema.events.c[column], getattr(events[place], column))})
        head, hashes = events[place - 1].hash, dict[int, str]()
        for event in (forged, *events[place + 1 :]):
            head = hashes[event.seq] = chain_hash(head, event.leaf)
            forger.run(
                update(schema.events)
                .where(schema.events.c.seq == event.seq)
                .values(salt=event.salt, leaf=event.leaf, hash=head)
            )
        keys, journal_id = load_keys(played.keys), View(forger.connection, "forged").journal_id() or ""
        for row in forger.rows(schema.checkpoints):
            if row["seq"] in hashes:
                signed = signed_text(journal_id, row["first"], row["seq"], hashes[row["seq"]], row["at"])
                forger.change(schema.checkpoints, row, hash=hashes[row["seq"]], signature=keys.sign(signed))
        findings = [each for each in forger.audit().findings if each.table == "events"]
        assert [(each.row, each.problem) for each in findings][:1] == [(str(forged.seq), "altered")], shown(findings)


def rehash_alone(forger: Forger, seq: int) -> None:
    """Make the hash of one event again, and leave those after it."""
    kept = {row["seq"]: row["hash"] for row in forger.rows(schema.events) if row["seq"] > seq}
    forger.rechain(seq)
    for later, hash_ in kept.items():
        forger.run(update(schema.events).where(schema.events.c.seq == later).values(hash=hash_))


def edit_quietly(forger: Forger) -> dict[str, Any]:
    """Give a finished round another dealer, in a body in perfect order, with the rows that follow from it."""
    row = next(row for row in forger.rows(schema.events) if row["kind"] == "round.end")
    body = json.loads(row["body"])
    name, columns = body["rows"][0]
    assert name == "round"
    columns["dealer"] = "Dealer 99"
    forger.change(schema.events, row, body=canonical(body).decode())
    forger.run(update(schema.rounds).where(schema.rounds.c.seq == row["seq"]).values(dealer="Dealer 99"))
    return row


def test_a_chain_made_anew_from_the_edited_event_on_is_found_by_the_checkpoints(played: Played) -> None:
    with forging(played) as forger:
        row = edit_quietly(forger)
        forger.rechain(row["seq"])
        forger.put_guards_back()
        report = forger.audit()
        first = next(finding for finding in report.findings if finding.table == "events")
        assert first.problem == "not-signed-so"
        assert names(first, "events", str(row["seq"]))


def test_checkpoints_moved_to_the_forged_hashes_are_found(played: Played) -> None:
    with forging(played) as forger:
        row = edit_quietly(forger)
        forger.rechain(row["seq"])
        hashes = {each["seq"]: each["hash"] for each in forger.rows(schema.events)}
        moved = [each for each in forger.rows(schema.checkpoints) if each["seq"] >= row["seq"]]
        for each in moved:
            forger.change(schema.checkpoints, each, hash=hashes[each["seq"]])
        forger.put_guards_back()
        report = forger.audit(listed=10_000)
        bad = {finding.row for finding in report.findings if finding.problem == "bad-signature"}
        assert bad == {str(each["seq"]) for each in moved}


def forge_with_own_keys(forger: Forger, folder: Any) -> Trust:
    """Make the whole journal again, signed with keys of one's own, which the starts announce."""
    keys, (true,) = create_keys(folder), forger.played.trust.public.values()
    journal_id = next(each["value"] for each in forger.rows(schema.meta) if each["name"] == "journal")
    edit_quietly(forger)
    exchanged = {key_id_of(true): keys.key_id, true.public_bytes_raw().hex(): keys.public}

    def forged(text: str) -> str:
        for old, new in exchanged.items():
            text = text.replace(old, new)
        return text

    for row in forger.rows(schema.snapshots):
        # The state knows the keys as well, and events name its digest.
        state = forged(bytes(row["state"]).decode()).encode()
        exchanged[row["digest"]] = digest(state)
        forger.change(schema.snapshots, row, state=state, digest=digest(state))
    for row in forger.rows(schema.events):
        body = forged(row["body"])
        if body != row["body"]:
            input_hash = digest(canonical([row["actor"], row["device"], json.loads(body)["do"]]))
            forger.change(schema.events, row, body=body, input_hash=input_hash)
    forger.rechain(forger.rows(schema.events)[0]["seq"])
    hashes = {each["seq"]: each["hash"] for each in forger.rows(schema.events)}
    for each in forger.rows(schema.checkpoints):
        text_ = signed_text(journal_id, each["first"], each["seq"], hashes[each["seq"]], each["at"])
        signed = {"hash": hashes[each["seq"]], "key_id": keys.key_id, "signature": keys.sign(text_)}
        forger.change(schema.checkpoints, each, **signed)
    for each in forger.rows(schema.snapshots):
        if each["seq"] in hashes:
            forger.change(schema.snapshots, each, hash=hashes[each["seq"]])
    for each in forger.rows(schema.day_sums):
        made = sum_parts(View(forger.connection, "forged"), each["before"], each["seq"], "America/Los_Angeles")
        forger.change(schema.day_sums, each, hash=hashes[each["seq"]], sums=part_bytes(made[each["part"]]))
    forger.run(delete(schema.heads))
    forger.put_guards_back()
    return trust_in(folder)


def test_a_journal_made_anew_with_other_keys_is_found_with_the_true_key(played: Played, tmp_path: Any) -> None:
    with forging(played) as forger:
        forge_with_own_keys(forger, tmp_path / "own")
        only_public = Trust(played.trust.public, is_given=True)
        problems = {finding.problem for finding in forger.audit(trust=only_public).findings}
        assert problems == {"wrong-keys"}
        # Without a key from elsewhere it looks true, and the report says what that is worth.
        report = forger.audit(trust=Trust())
        assert report.found == 0
        assert any("give --public-key" in note for note in report.notes)


def cut_off(forger: Forger, seq: int) -> None:
    """Remove every trace of the events beyond a number."""
    for name in ("checkpoints", "transfers", "rounds", "lines", "hits", "events"):
        table = schema.metadata.tables[name]
        forger.run(delete(table).where(table.c.seq > seq))
    forger.run(delete(schema.snapshots).where(schema.snapshots.c.seq >= seq))
    forger.run(delete(schema.heads).where(schema.heads.c.size > seq))


def test_a_tail_cut_off_with_its_checkpoints_is_found_by_anchor_and_witness(played: Played) -> None:
    with forging(played) as forger:
        last = forger.rows(schema.events)[-1]
        # A cut where no seed was sealed or opened since: between two rounds of the table on the felt.
        ends = [row for row in forger.rows(schema.checkpoints) if row["seq"] < last["seq"]]
        seq = ends[-1]["seq"]
        secrets = {row["round"]: row["seq"] for row in forger.rows(schema.secrets)}
        cut_off(forger, seq)
        for name, sealed_at in secrets.items():
            if sealed_at > seq:
                forger.delete(schema.secrets, {"round": name})
        forger.put_guards_back()
        unanchored = Trust(played.trust.public, is_given=True)
        quiet = {finding.table for finding in forger.audit(trust=unanchored).findings} - {"secrets"}
        assert quiet == set()
        report = forger.audit()
        assert [(each.table, each.row, each.problem) for each in report.findings if each.table == "anchor"] == [
            ("anchor", str(last["seq"]), "cut-off")
        ]
        witness = Witness(last["seq"], last["hash"][:16])
        report = forger.audit(trust=unanchored, witnesses=[witness])
        assert ("witness", str(last["seq"])) in [(each.table, each.row) for each in report.findings]


def test_another_event_than_a_witness_saw_is_found(played: Played) -> None:
    with forging(played) as forger:
        forger.put_guards_back()
        row = forger.rows(schema.events)[3]
        assert forger.audit(witnesses=[Witness(row["seq"], row["hash"])]).is_clean
        report = forger.audit(witnesses=[Witness(row["seq"], "0" * 64)])
        assert [(each.table, each.row, each.problem) for each in report.findings] == [
            ("witness", str(row["seq"]), "witness-differs")
        ]


def test_an_anchor_of_another_journal_is_found(played: Played) -> None:
    with forging(played) as forger:
        forger.put_guards_back()
        (anchor,) = played.trust.anchors
        other = Trust(played.trust.public, anchors=(replace(anchor, journal="0" * 32),), is_given=True)
        assert {each.table for each in forger.audit(trust=other).findings} == {"meta"}


def test_a_journal_without_any_checkpoint_is_found(played: Played) -> None:
    with forging(played) as forger:
        first, last = (forger.rows(schema.events)[place]["seq"] for place in (0, -1))
        forger.run(delete(schema.checkpoints))
        forger.put_guards_back()
        assert [(each.table, each.row, each.problem) for each in forger.audit().findings] == [
            ("events", f"{first}-{last}", "unsigned")
        ]


def test_events_removed_as_if_they_were_archived_are_found(played: Played) -> None:
    """A forged record of an archive lets rows be deleted, and shows."""
    with forging(played) as forger:
        snapshot = max(forger.rows(schema.snapshots), key=lambda row: int(row["seq"]))
        up_to = snapshot["seq"]
        archive = {"up_to": up_to, "seq": up_to + 2, "file_digest": "0" * 64, "hash": snapshot["hash"]}
        forger.insert(schema.archives, archive)
        for name in ("checkpoints", "transfers", "rounds", "lines", "hits", "events"):
            table = schema.metadata.tables[name]
            forger.run(delete(table).where(table.c.seq <= up_to))
        forger.run(delete(schema.snapshots).where(schema.snapshots.c.seq < up_to))
        found_in(forger, schema.archives, archive)


def test_missing_guards_are_found(played: Played) -> None:
    with forging(played) as forger:
        if forger.connection.dialect.name == "sqlite":
            wanted = set(schema.guards(schema.SQLITE))
        else:
            forger.put_guards_back()
            forger.run(text("ALTER TABLE public.transfers DISABLE TRIGGER transfers_no_update"))
            forger.run(text("DROP TRIGGER events_no_delete ON public.events"))
            forger.run(
                text(
                    "CREATE OR REPLACE FUNCTION public.houseway_no_change() RETURNS trigger LANGUAGE plpgsql AS "
                    "$$BEGIN RETURN NEW; END$$"
                )
            )
            wanted = {"transfers_no_update", "events_no_delete", "houseway_no_change"}
        found = {each.row for each in forger.audit(listed=1000).findings if each.problem == "unprotected"}
        assert found == wanted


def test_a_trigger_that_does_not_belong_there_is_found(played: Played) -> None:
    with forging(played) as forger:
        forger.put_guards_back()
        if forger.connection.dialect.name == "sqlite":
            forger.run(text("CREATE TRIGGER mine AFTER INSERT ON transfers BEGIN DELETE FROM meta; END"))
        else:
            does = "RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NULL; END$$"
            forger.run(text(f"CREATE FUNCTION public.mine() {does}"))
            when = "BEFORE INSERT ON public.transfers FOR EACH ROW"
            forger.run(text(f"CREATE TRIGGER mine {when} EXECUTE FUNCTION public.mine()"))
        found = {(each.table, each.row) for each in forger.audit().findings}
        assert found - {("function", "public.mine()")} == {("trigger", "mine")}


def test_the_findings_are_capped_and_counted(played: Played) -> None:
    with forging(played) as forger:
        forger.run(update(schema.transfers).values(debit_balance=schema.transfers.c.debit_balance + 1))
        forger.put_guards_back()
        report = forger.audit(listed=2)
        assert len(report.findings) == 2
        assert report.found > 2
