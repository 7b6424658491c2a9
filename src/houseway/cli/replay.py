"""`houseway replay`: deal a finished round again from its revealed seed and say where the record differs."""

from __future__ import annotations

from typing import Annotated, Any

from cyclopts import Parameter

from houseway.cards.card import find_card
from houseway.cards.modes import NUMBERING, named_mode, shuffler_mode
from houseway.cards.shuffler import Deal, differences
from houseway.cards.shuffler import replay as replay_deal
from houseway.cards.stream import parse_seed
from houseway.cli.files import opened
from houseway.cli.jsonin import LONGEST_TEXT, parse_json
from houseway.cli.output import JsonFlag, print_json, print_text
from houseway.errors import Fault, InputError
from houseway.games import game
from houseway.games.reading import Faults


def replay(
    file: Annotated[
        str,
        Parameter(allow_leading_hyphen=True, help="A round as `deal --json` wrote it, or - for standard input."),
    ],
    /,
    *,
    as_json: JsonFlag = False,
) -> int:
    """Deal a round again from its revealed seed: exit code 0 if every card and the commitment fit, 1 if not."""
    with opened(file, "file") as stream:
        data = parse_json(stream.read(LONGEST_TEXT + 1), "file")
    record = _record(data)
    found = _found(record)
    if as_json:
        print_json({"matches": not found, "differences": [fault.to_json() for fault in found]})
    elif found:
        print_text("The record differs from its replay:", *(f"  {fault}" for fault in found))
    else:
        print_text("Every card follows from the seed, and the seed fits the commitment.")
    return 1 if found else 0


def _record(data: object) -> dict[str, Any]:
    """The parts of a dealt round that a replay needs; InputError with every one that is missing."""
    faults = Faults()
    record = faults.mapping(data, "")
    for key in ("game", "seed", "commitment"):
        if not isinstance(record.get(key), str):
            faults.add("missing-key", key, f"a replay needs it as text: `deal --json` writes {key}")
    for key in ("dealer", "seats"):
        if not isinstance(record.get(key), list):
            faults.add("missing-key", key, f"a replay needs the list of the {key}'s cards as dealt")
    entropy = record.get("player_entropy", [])
    if not isinstance(entropy, list) or not all(isinstance(text, str) for text in entropy):
        faults.add("wrong-type", "player_entropy", "expected the list of the players' texts")
    numbering = record.get("numbering")
    if numbering is not None and not (isinstance(numbering, list) and all(type(place) is int for place in numbering)):
        faults.add("wrong-type", "numbering", "expected the list of the places of the positions, as in 0, 6, 5, ...")
    for key in ("mode", "machine_mode"):
        if not isinstance(record.get(key, ""), str | None):
            faults.add("wrong-type", key, "expected the name of a shuffler mode")
    faults.refuse_if_any()
    return record


def _found(record: dict[str, Any]) -> list[Fault]:
    """Where the record differs from the deal that its seed gives."""
    hands = {}
    for index, seat in enumerate(record["seats"]):
        if not isinstance(seat, dict) or not isinstance(seat.get("seat"), int):
            raise InputError.of("wrong-type", f"seats[{index}]", "expected an object with the seat's number and cards")
        hands[seat["seat"]] = _cards(seat.get("cards"), f"seats[{index}].cards")
    usual = shuffler_mode(game(record["game"]).shuffler_mode)
    mode, _ = named_mode(record.get("mode") or usual.id, usual)
    if record.get("machine_mode") is not None and named_mode(record["machine_mode"], usual, "machine_mode")[0] != mode:
        raise InputError.of("unknown-mode", "machine_mode", f"no machine deals in the mode {mode.id}")
    # Where no machine has drawn it, what the house's procedure gave is part of the record.
    start = record.get("start_position") if mode.every_position and not mode.draws_start else None
    entropy = [text.encode() for text in record.get("player_entropy", [])]
    seed = parse_seed(record["seed"])
    try:
        again: Deal = replay_deal(
            record["commitment"],
            mode,
            seed,
            seats=sorted(hands),
            player_entropy=entropy,
            start_position=start,
            numbering=record.get("numbering") or NUMBERING,
        )
    except InputError as error:
        if {fault.code for fault in error.faults} == {"seed-mismatch"}:
            return list(error.faults)
        raise
    dealer = _cards(record["dealer"], "dealer")
    return differences(again, dealer=dealer, seats=hands, start_position=record.get("start_position"))


def _cards(value: object, path: str) -> list[int]:
    """The cards of a hand in the record."""
    cards = [find_card(text) for text in value] if isinstance(value, list) else [None]
    if None in cards:
        raise InputError.of("bad-card", path, "expected a list of cards as in As, Td, 9c or Jk")
    return [card for card in cards if card is not None]
