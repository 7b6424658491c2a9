"""The test vectors of docs/shuffle.md: the package and an implementation written from the page both reproduce them."""

from __future__ import annotations

import json
import re
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from houseway.cards.modes import MODES, NUMBERING, shuffler_mode
from houseway.cards.shuffler import Deal, deal, replay
from houseway.cards.stream import byte_stream, draw_below, parse_seed, stream_key
from tests.cards.straight_line_shuffle import results_of

PAGE = (Path(__file__).parents[2] / "docs" / "shuffle.md").read_text(encoding="utf-8")
VECTORS: list[dict[str, Any]] = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]


def text(cards: tuple[int, ...]) -> str:
    return " ".join(str(card) for card in cards)


def dealt(vector: dict[str, Any]) -> Deal:
    mode = shuffler_mode(vector["mode"])
    return deal(
        mode,
        parse_seed(vector["seed"]),
        seats=vector["seats"],
        player_entropy=[bytes.fromhex(contribution) for contribution in vector["player_entropy"]],
        start_position=None if mode.by_machine else vector["start_position"],
        numbering=vector.get("numbering", NUMBERING),
    )


def test_the_page_has_a_vector_for_every_kind_of_deal() -> None:
    assert len(VECTORS) >= 5
    assert {vector["mode"].removeprefix("shoe-") for vector in VECTORS} == {
        mode.id for mode in MODES if mode.by_machine
    }
    assert any(vector["mode"].startswith("shoe-") for vector in VECTORS)
    assert any(vector["player_entropy"] for vector in VECTORS)
    assert any("numbering" in vector for vector in VECTORS)
    assert any(len(vector["seed"]) > 128 for vector in VECTORS), "a seed that HMAC would have hashed, were it the key"


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_the_straight_line_implementation_reproduces_the_vector(vector: dict[str, Any]) -> None:
    results = results_of(vector)
    assert {name: vector[name] for name in results} == results


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_the_package_reproduces_the_intermediate_values(vector: dict[str, Any]) -> None:
    entropy = [bytes.fromhex(contribution) for contribution in vector["player_entropy"]]
    key = stream_key(parse_seed(vector["seed"]), vector["mode"], entropy)
    assert key.hex() == vector["key"]
    assert bytes(islice(byte_stream(key), 32)).hex() == vector["first_bytes"]

    taken: list[int] = []
    recording = (taken.append(byte) or byte for byte in byte_stream(key))
    mode = shuffler_mode(vector["mode"])
    bounds = [*range(len(mode.deck), 1, -1), *([7] if mode.draws_start else [])]
    draws: list[list[int | None]] = []
    for bound in bounds:
        before = len(taken)
        result = draw_below(bound, recording)
        draws += [[bound, byte, None] for byte in taken[before:-1]]
        draws.append([bound, taken[-1], result])
    assert draws[: len(vector["first_draws"])] == vector["first_draws"]
    assert len(taken) == vector["bytes_used"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_the_package_reproduces_the_deal(vector: dict[str, Any]) -> None:
    result = dealt(vector)
    assert result.commitment == vector["commitment"]
    assert text(result.order) == vector["order"]
    assert result.start_position == vector["start_position"]
    assert [packet.place for packet in result.packets] == vector["places"]
    assert text(result.dealer) == vector["dealer"]
    assert text(result.leftover) == vector["left_over"]
    assert list(result.players) == vector["seats"]


def test_the_straight_line_implementation_agrees_on_many_more_deals() -> None:
    for number in range(60):
        mode = MODES[number % len(MODES)]
        seed = bytes((number * 7 + place * 13) % 256 for place in range(32 + number))
        start = None if mode.by_machine or not mode.every_position else 1 + number % 7
        entropy = [bytes([number, place]) for place in range(number % 4)]
        seats = [seat for seat in range(1, mode.seats + 1) if (number + seat) % 3]
        result = deal(mode, seed, seats=seats, player_entropy=entropy, start_position=start)
        again = results_of(
            {
                "mode": mode.id,
                "seed": seed.hex(),
                "player_entropy": [contribution.hex() for contribution in entropy],
                "seats": seats,
                "start_position": start,
                "first_draws": [],
            }
        )
        assert text(result.order) == again["order"]
        assert result.start_position == again["start_position"]
        assert [packet.place for packet in result.packets] == again["places"]
        assert text(result.leftover) == again["left_over"]
        assert (
            replay(again["commitment"], mode, seed, seats=seats, player_entropy=entropy, start_position=start) == result
        )
