"""The deal of docs/shuffle.md once more, written from that page alone: no import from the package, no `hmac` module."""

from __future__ import annotations

import hashlib
from typing import Any

CARDS_IN_A_PACKET = {"six-card-packets": 6, "seven-card-packets": 7, "six-card-poker": 6}


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    if len(key) > 64:
        key = sha256(key)
    key = key + b"\0" * (64 - len(key))
    inner = bytes(byte ^ 0x36 for byte in key)
    outer = bytes(byte ^ 0x5C for byte in key)
    return sha256(outer + sha256(inner + message))


def frame(part: bytes) -> bytes:
    return bytes([len(part) >> 24 & 255, len(part) >> 16 & 255, len(part) >> 8 & 255, len(part) & 255]) + part


def results_of(vector: dict[str, Any]) -> dict[str, Any]:
    """Every result that a test vector states, from its inputs."""
    seed = bytes.fromhex(vector["seed"])
    contributions = [bytes.fromhex(text) for text in vector["player_entropy"]]
    mode = vector["mode"]

    # Key and bytes.
    message = frame(seed) + frame(mode.encode("ascii")) + bytes([0, 0, 0, len(contributions)])
    for contribution in contributions:
        message += frame(contribution)
    key = hmac_sha256(b"houseway/shuffle/v1", message)
    stream = b""
    for block in range(40):
        stream += hmac_sha256(key, bytes(7) + bytes([block]))

    # Shuffle, with a note of every byte taken.
    base = mode.removeprefix("shoe-")
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    if base != "six-card-poker":
        deck.append("Jk")
    draws: list[list[int | None]] = []
    bounds = list(range(len(deck), 1, -1))
    if base != "six-card-poker" and base == mode:
        bounds.append(7)
    numbers = []
    for bound in bounds:
        highest_fair = 256 - 256 % bound - 1
        while stream[len(draws)] > highest_fair:
            draws.append([bound, stream[len(draws)], None])
        numbers.append(stream[len(draws)] % bound)
        draws.append([bound, stream[len(draws)], numbers[-1]])
    for step in range(len(deck) - 1):
        i = len(deck) - 1 - step
        j = numbers[step]
        held = deck[i]
        deck[i] = deck[j]
        deck[j] = held

    # Start position and packets.
    start = numbers[-1] + 1 if bounds[-1] == 7 else vector.get("start_position")
    if base == "six-card-poker":
        start = None
        places = [*sorted(vector["seats"]), 0]
    else:
        numbering = vector.get("numbering", [0, 6, 5, 4, 3, 2, 1])
        place = numbering[start - 1]
        places = []
        for _ in range(7):
            places.append(place)
            place = 6 if place == 0 else place - 1
    size = CARDS_IN_A_PACKET[base]
    packets = {place: deck[turn * size : turn * size + size] for turn, place in enumerate(places)}
    return {
        "commitment": sha256(seed).hex(),
        "key": key.hex(),
        "first_bytes": stream[:32].hex(),
        "first_draws": draws[: len(vector["first_draws"])],
        "bytes_used": len(draws),
        "order": " ".join(deck),
        "start_position": start,
        "places": places,
        "dealer": " ".join(packets[0]),
        "left_over": " ".join(deck[len(places) * size :]),
    }
