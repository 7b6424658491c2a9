"""The leaf of an event: it covers everything, can be worked out from a printed page, and gives nothing else away."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from houseway.cards.stream import SEED_BYTES_LEAST
from houseway.manager.core.records import GENESIS, SALT_BYTES, Event, Page, SaltSource, leaf_hash
from tests.manager.pit import Pit


@pytest.fixture(scope="module")
def paid() -> Event:
    """The payment of a jackpot."""
    pit = Pit()
    round_ = pit.start(1, 3)
    pit.pay(pit.hit(round_, 3, "five-aces").id, "badge-S1")
    return pit.events[-1]


def printed(page: Page) -> str:
    """A win page as somebody could keep it: text with nothing behind it."""
    return json.dumps(msgspec.to_builtins(page))


def test_a_leaf_is_worked_out_from_the_printed_page_alone(paid: Event) -> None:
    values = json.loads(printed(paid.page()))
    text = json.dumps(values, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    assert sha256(b"\0" + text.encode()).hexdigest() == paid.leaf
    salt, seq, at, kind, post, hits, _ = values
    assert (seq, at, kind) == (paid.seq, paid.at, "jackpot.pay")
    assert (len(salt), salt) == (2 * SALT_BYTES, paid.salt[: 2 * SALT_BYTES])
    assert [(each[3], each[2]) for each in post] == [("payment", hits[0]["cents"] * 10_000)]
    assert (hits[0]["status"], hits[0]["seat"], hits[0]["hand"]) == ("paid", 3, "five-aces")


@pytest.mark.parametrize("place", range(len(Page._fields)))
def test_another_page_has_another_leaf(paid: Event, place: int) -> None:
    page = paid.page()
    value: Any = page[place]
    other = value + 1 if isinstance(value, int) else value[:-1] if isinstance(value, list) else f"{value}0"
    assert leaf_hash(Page(*page[:place], other, *page[place + 1 :])) != paid.leaf


@pytest.mark.parametrize("column", [name for name in Event.__struct_fields__ if name not in ("leaf", "hash")])
def test_a_leaf_covers_every_column(paid: Event, column: str) -> None:
    value: Any = getattr(paid, column)
    other = value + 1 if isinstance(value, int) else "other" if value is None else f"{value[:-1]} "
    changed = replace(paid, **{column: other}).chained(GENESIS)
    assert changed.leaf != paid.leaf
    assert changed.hash != paid.chained(GENESIS).hash


def test_a_page_tells_nothing_that_it_does_not_show(paid: Event) -> None:
    """Whoever holds the page and guesses the rest right cannot see it: the rest is blinded by what no page shows."""
    page = paid.page()
    blinded = replace(paid, salt=paid.salt[: 2 * SALT_BYTES] + "ab" * SALT_BYTES)
    assert "ab" * SALT_BYTES not in printed(blinded.page())
    other = replace(paid, salt=paid.salt[: 2 * SALT_BYTES] + "0" * (2 * SALT_BYTES)).page()
    assert other.rest != page.rest
    assert other._replace(rest=page.rest) == page
    for hidden in (paid.actor, paid.key, "badge-S1"):
        assert f'"{hidden}"' not in printed(page)


def test_salts_are_drawn_many_at_a_time_and_none_twice() -> None:
    drawn: list[int] = []

    def draw(size: int) -> bytes:
        drawn.append(size)
        return b"".join(sha256(f"{len(drawn)}/{place}".encode()).digest() for place in range(0, size, 32))[:size]

    source = SaltSource(draw, 4)
    salts = [source.next_salt() for _ in range(9)]
    assert {len(salt) for salt in salts} == {4 * SALT_BYTES}
    halves = [half for salt in salts for half in (salt[: 2 * SALT_BYTES], salt[2 * SALT_BYTES :])]
    assert len(set(halves)) == 18
    assert len(drawn) == 3
    # As long as a seed is a seed alone: whoever watches the draws knows it by that.
    assert SEED_BYTES_LEAST not in drawn


def test_two_events_alike_have_leaves_apart() -> None:
    """Without its salt a leaf cannot be found by trying what the event may have been."""
    draws = iter(range(256))
    pit = Pit()
    from houseway.manager.commands.round_commands import StartRound
    from houseway.manager.core.engine import Envelope

    envelope = Envelope("k", "D1", StartRound("T1", {"1": [1]}))
    decisions = [pit.engine.decide(envelope, pit.now, lambda size: bytes([next(draws)] * size)) for _ in range(2)]
    one, other = (pit.engine.record(decision) for decision in decisions)
    assert (one.body, one.at, one.seq) == (other.body, other.at, other.seq)
    assert one.leaf != other.leaf
    assert one.hash != other.hash
