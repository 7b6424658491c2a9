"""What only somebody with the keys, or a fault in the manager, could do: each fault alone, chained and signed."""

from __future__ import annotations

from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from houseway.manager.core.floor import Floor
from houseway.manager.core.records import GENESIS, Event, canonical, digest
from houseway.manager.store.chain import Follower, Signatures
from houseway.manager.store.event_body import Body
from houseway.manager.store.findings import AuditFindings
from houseway.manager.store.journal import Checkpoint, signed_text

KEY = Ed25519PrivateKey.generate()
SALT = "0123456789abcdef" * 4


def event_of(previous: Event | None, **changes: Any) -> Event:
    """An event that follows on another, in perfect order but for the changes."""
    body = changes.pop("body", None) or Body({"kind": "tray.fill", "table": "T1"})
    text = body if isinstance(body, str) else canonical(body).decode()
    do = body.do if isinstance(body, Body) else {"kind": "tray.fill"}
    seq = previous.seq + 1 if previous else 1
    fields: dict[str, Any] = {
        "seq": seq, "at": 1_000 + seq, "key": f"k{seq}", "input_hash": digest(canonical(["D1", None, do])),
        "actor": "D1", "device": None, "kind": "tray.fill", "body": text,
    }  # fmt: skip
    fields |= changes
    made = Event(**fields, salt=SALT, leaf="", hash="")
    return made.chained(previous.hash if previous else GENESIS)


def chain_of(*changes: dict[str, Any]) -> list[Event]:
    """Events in a row, each with its changes."""
    events: list[Event] = []
    for change in changes:
        events.append(event_of(events[-1] if events else None, **change))
    return events


def found(events: list[Event]) -> list[tuple[str, str]]:
    findings = AuditFindings()
    follower = Follower(findings)
    for event in events:
        follower.follow(event)
    return [(finding.row, finding.problem) for finding in findings.items]


def moving(debit: str, credit: str, micros: int = 5, reason: str = "fill", subject: str = "slip:S1") -> Body:
    return Body({"kind": "tray.fill", "table": "T1"}, post=[(debit, credit, micros, reason, subject)])


def test_a_chain_in_order() -> None:
    assert found(chain_of({}, {"body": moving("tray/T1", "house")}, {})) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"body": moving("tray/T1", "house", 0)}, "bad-transfer"),
        ({"body": moving("tray/T1", "house", -5)}, "bad-transfer"),
        ({"body": moving("tray/T1/2", "house")}, "bad-transfer"),
        ({"body": moving("tray/T1", "house", reason="deposit")}, "bad-transfer"),
        ({"body": moving("tray/T1", "house", subject="round:T1-1")}, "bad-transfer"),
        ({"body": moving("meter/L1/main", "house", reason="malfunction", subject="change:P1")}, "overdrawn"),
        ({"body": '{"do": {"kind":"tray.fill"}}'}, "not-canonical"),
        ({"body": '{"do":{"kind":"tray.fill"},"more":1}'}, "not-canonical"),
        ({"body": "[]"}, "unreadable"),
        ({"body": "{"}, "unreadable"),
        ({"input_hash": "0" * 64}, "input-differs"),
        ({"actor": "D2"}, "input-differs"),
        ({"device": "C1"}, "input-differs"),
        ({"kind": "tray.credit"}, "altered"),
        ({"at": 5}, "time-went-back"),
        ({"body": Body({"kind": "tray.fill"}, put=[("nothing", "N1", {})])}, "unreadable"),
        ({"body": Body({"kind": "tray.fill"}, put=[("person", "P1", {"id": 1})])}, "unreadable"),
        ({"body": Body({"kind": "tray.fill"}, rows=[("round", {"moon": 1})])}, "unreadable"),
        ({"body": Body({"kind": "tray.fill"}, rows=[("moon", {})])}, "unreadable"),
        ({"body": Body({"kind": "system.snapshot", "digest": "0" * 64}), "kind": "system.snapshot"}, "state-differs"),
    ],
)
def test_one_fault_is_one_finding(change: dict[str, Any], problem: str) -> None:
    assert found(chain_of({}, {}, change, {})) == [("3", problem)]


def test_the_clock_may_go_back_where_two_people_say_so() -> None:
    body = Body({"kind": "system.clock"})
    events = chain_of({"at": 9_000}, {"at": 500, "kind": "system.clock", "body": body}, {"at": 600})
    assert found(events) == []


def test_missing_repeated_and_exchanged_events() -> None:
    one, two, three, four = chain_of({}, {}, {}, {})
    assert found([one, three, four]) == [("2", "missing")]
    assert found([one, four]) == [("2-3", "missing")]
    assert found([one, two, two, three]) == [("2", "extra")]
    assert found([two, three]) == [("1", "missing")]


def test_an_altered_event_is_one_finding_whatever_stands_behind_it() -> None:
    events = chain_of(*({} for _ in range(6)))
    events[3] = Event(**{**_fields(events[3]), "key": "other"})
    assert found(events) == [("3 or 4", "chain-broken")]


def _fields(event: Event) -> dict[str, Any]:
    return {name: getattr(event, name) for name in event.__struct_fields__}


def checkpoint_of(events: list[Event], first: int, last: int, **changes: Any) -> Checkpoint:
    hash_ = events[last - 1].hash
    text = signed_text("the journal", first, last, hash_, 7)
    made = {"seq": last, "first": first, "hash": hash_, "at": 7, "key_id": "k", "signature": KEY.sign(text).hex()}
    return Checkpoint(**{**made, **changes})


def signed(events: list[Event], *checkpoints: Checkpoint) -> list[tuple[str, str, str]]:
    findings = AuditFindings()
    follower = Follower(findings)
    signatures = Signatures(follower, _verifies, "the journal")
    for event in events:
        follower.follow(event)
        for checkpoint in checkpoints:
            if checkpoint.seq == event.seq:
                signatures.check(checkpoint)
    signatures.finish()
    return [(finding.table, finding.row, finding.problem) for finding in findings.items]


def _verifies(key_id: str, signature: str, text: bytes) -> bool | None:
    from cryptography.exceptions import InvalidSignature

    if key_id != "k":
        return None
    try:
        KEY.public_key().verify(bytes.fromhex(signature), text)
    except InvalidSignature:
        return False
    return True


def test_checkpoints() -> None:
    events = chain_of(*({} for _ in range(6)))
    both = checkpoint_of(events, 1, 2), checkpoint_of(events, 3, 6)
    assert signed(events, *both) == []
    assert signed(events, both[0]) == [("events", "3-6", "unsigned")]
    assert signed(events, both[1]) == [("checkpoints", "1-2", "missing")]
    assert signed(events, both[0], checkpoint_of(events, 5, 6)) == [("checkpoints", "3-4", "missing")]
    assert signed(events, both[0], checkpoint_of(events, 3, 6, at=8)) == [("checkpoints", "6", "bad-signature")]
    assert signed(events, both[0], checkpoint_of(events, 3, 6, key_id="x")) == [("checkpoints", "6", "unknown-key")]


def test_a_checkpoint_pins_which_event_was_altered() -> None:
    events = chain_of(*({} for _ in range(4)))
    checkpoints = [checkpoint_of(events, seq, seq) for seq in range(1, 5)]
    # Altered without a new hash, and with one that the next event does not know.
    events[2] = Event(**{**_fields(events[2]), "key": "other"})
    assert signed(events, *checkpoints) == [("events", "3", "altered")]
    fresh = events[2].chained(events[1].hash)
    assert signed([*events[:2], fresh, events[3]], *checkpoints) == [("events", "3", "not-signed-so")]


def test_a_chain_made_anew_is_reported_once() -> None:
    events = chain_of(*({} for _ in range(6)))
    checkpoints = [checkpoint_of(events, seq, seq) for seq in range(1, 7)]
    forged = chain_of({}, {}, {"key": "other"}, {}, {}, {})
    assert signed(forged, *checkpoints) == [("events", "3", "not-signed-so")]


def test_a_state_in_the_middle() -> None:
    """An audit may begin anywhere, with the state as it was there."""
    events = chain_of({}, {"body": moving("meter/L1/main", "house", reason="malfunction", subject="change:P1")}, {})
    floor = Floor()
    floor.balances = {"meter/L1/main": -5, "house": 5}
    findings = AuditFindings()
    follower = Follower(findings, floor=floor, seq=1, head=events[0].hash)
    first, _ = [follower.follow(event).rows for event in events[1:]]
    assert first is not None
    assert first.transfers == [(2, 1, "meter/L1/main", "house", 5, "malfunction", "change:P1", 0, 0)]
    assert findings.count == 0


@given(st.text())
def test_hashes_are_those_of_plain_json(text: str) -> None:
    """Other programs make the same text with a common JSON writer."""
    import json
    from hashlib import sha256

    try:
        text.encode()
    except UnicodeEncodeError:
        return

    def hash_of(prefix: str, value: object, more: str = "") -> str:
        plain = json.dumps(value, separators=(",", ":"), ensure_ascii=False, sort_keys=True)
        return sha256(f"{prefix}{plain}{more}".encode()).hexdigest()

    moved = ("tray/T1", "house", 5, "fill", f"slip:{text}")
    body = canonical(Body({"kind": "k"}, post=[moved], rows=[("hit", {"award": text}), ("line", {"seat": 1})])).decode()
    event = Event(1, 2, text, "h", "a", None, "k", body, SALT, "", "").chained(GENESIS)
    rest = hash_of("\2" + SALT[32:], [text, "h", "a", None], body)
    leaf = hash_of("\0", [SALT[:32], 1, 2, "k", [moved], [{"award": text}], rest])
    assert (event.leaf, event.hash) == (leaf, hash_of("", [GENESIS, leaf]))
