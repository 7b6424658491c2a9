"""Known cards by the documents: committed before the bets, secret until their reveal, displays in order.

The simulator hands the manager its random bytes, so the checker knows every seed. It deals each round again by the
published algorithm (docs/shuffle.md) and holds what the manager shows, and when, against that.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from instruments.simulator.checker.chain import ChainEntry
from instruments.simulator.checker.deals import dealt, due_buttons, occupied, open_hands, texts
from instruments.simulator.checker.errors import CheckError, same
from instruments.simulator.checker.rounds import against_dealer
from instruments.simulator.checker.rules import CONTROLS, Call, Objection, rule
from instruments.simulator.checker.state import Floor, Round

# The deal


def _judge_deal(floor: Floor, call: Call) -> Iterator[Objection]:
    round_ = floor.round_in_play(call["round"])
    if round_ is None:
        yield Objection("the round is not in play")
        return
    table = floor.tables[round_.table]
    yield from against_dealer(floor, call, table)
    if table.cards != "known":
        yield Objection("the cards are on the felt")
    if round_.deal is not None:
        yield Objection("the round was dealt")
    if not occupied(round_):
        yield Objection("nobody plays")
    if round_.sets:
        yield Objection("hands are set already", certain=False)


@rule("round.deal", *CONTROLS)(_judge_deal)
def _apply_deal(floor: Floor, call: Call, entry: ChainEntry) -> None:
    round_ = floor.rounds[call["round"]]
    table = floor.tables[round_.table]
    answer = entry.answer
    entropy = list(call.get("player_entropy", []))
    numbering = floor.setting("position_numbering", entry.at, [0, 6, 5, 4, 3, 2, 1])
    round_.deal = {
        "commitment": answer["commitment"], "occupied": occupied(round_), "entropy": entropy, "numbering": numbering,
    }  # fmt: skip
    round_.touched = True
    same(round_.deal["occupied"], answer["occupied"], f"who plays in {round_.id}")
    if table.commitment is not None:
        same(table.commitment, answer["commitment"], "the commitment published before the bets")
    table.commitment = answer["next_commitment"]
    redealt = dealt(floor, round_)
    same(redealt.mode.id, answer["mode"], "mode of the shuffler")
    same(redealt.start_position, answer["start_position"], "start position")
    same(numbering if redealt.mode.every_position else None, answer["numbering"], "numbering of the positions")
    if numbering != [0, 6, 5, 4, 3, 2, 1]:
        floor.note("a room numbered its positions otherwise")
    round_.open_cards |= set(texts(redealt.dealer if table.game == "face-up" else redealt.up))
    if table.face_up:
        for cards in redealt.players.values():
            round_.open_cards |= set(texts(cards))


# Setting and displays


def _playing(floor: Floor, call: Call) -> Iterator[Objection]:
    round_ = floor.round_in_play(call["round"])
    if round_ is None:
        yield Objection("the round is not in play")
        return
    table = floor.tables[round_.table]
    yield from against_dealer(floor, call, table)
    if table.cards == "known" and round_.deal is None:
        yield Objection("the cards are not dealt")
    if "seat" in call.do and call["seat"] not in occupied(round_):
        yield Objection("nobody plays at this seat")


def _judge_set(floor: Floor, call: Call) -> Iterator[Objection]:
    yield from _playing(floor, call)
    round_ = floor.round_in_play(call["round"])
    if round_ is None:
        return
    if round_.dealer_shown:
        yield Objection("the dealer's hand is shown")
    elif "house-way" in round_.sets.values():
        yield Objection("a display was used", certain=round_.sets.get(call["seat"]) == "house-way")
    if call["seat"] == round_.banker and not (call.get("house_way") and call.get("low") is None):
        yield Objection("the banker's hand is set the house way")
    if call.get("fold") or call.get("low") is not None or call.get("double_down") or call.get("house_way"):
        yield Objection("a game has its own rules of setting", certain=False)
    if floor.tables[round_.table].cards == "known":
        yield Objection("a low hand must be named", certain=False)


@rule("hand.set", *CONTROLS)(_judge_set)
def _apply_set(floor: Floor, call: Call, _entry: ChainEntry) -> None:
    round_ = floor.rounds[call["round"]]
    round_.sets[call["seat"]] = "player"
    round_.touched = True
    if call.get("double_down"):
        round_.wagers.setdefault(str(call["seat"]), {})["double_down"] = call["double_down"]


def _judge_double(floor: Floor, call: Call) -> Iterator[Objection]:
    yield from _playing(floor, call)
    round_ = floor.round_in_play(call["round"])
    if round_ is None:
        return
    if round_.dealer_shown:
        yield Objection("the dealer's hand is shown")
    if floor.tables[round_.table].game != "six-card-fortune":
        yield Objection("the game has no double down")
        return
    made = round_.wagers.get(str(call["seat"]))
    seen = any(way == "house-way" and seat != call["seat"] for seat, way in round_.sets.items())
    if seen and made is not None and not floor.tables[round_.table].face_up:
        yield Objection("another hand was displayed", certain=call["cents"] != made.get("double_down", 0))
    if made is None:
        yield Objection("there is nothing to double")
    elif call["cents"] not in (0, made["main"]):
        yield Objection("a double down is as much as the wager", certain=call["cents"] > made["main"])
    elif call["cents"] == made.get("double_down", 0):
        yield Objection("it stands so already", certain=False)


@rule("hand.double", *CONTROLS)(_judge_double)
def _apply_double(floor: Floor, call: Call, entry: ChainEntry) -> None:
    round_ = floor.rounds[call["round"]]
    made = dict(round_.wagers[str(call["seat"])])
    made.pop("double_down", None)
    round_.wagers[str(call["seat"])] = made | ({"double_down": call["cents"]} if call["cents"] else {})
    same(round_.wagers[str(call["seat"])], dict(entry.answer["wagers"]), f"wagers of seat {call['seat']}")
    round_.touched = True
    if round_.sets.get(call["seat"]) == "house-way":
        floor.note("a double down on a hand that the display had set")


def _judge_player_way(floor: Floor, call: Call) -> Iterator[Objection]:
    yield from _playing(floor, call)
    round_ = floor.round_in_play(call["round"])
    if round_ is None:
        return
    if any(seat not in round_.sets for seat in occupied(round_) if seat != call["seat"]):
        yield Objection("not all other players have set their hands")
    if call["seat"] in round_.sets:
        yield Objection("the hand is set", certain=False)
    if round_.dealer_shown:
        yield Objection("the dealer's hand is shown", certain=False)
    if floor.tables[round_.table].game == "six-card-poker":
        yield Objection("hands are not split", certain=False)


@rule("display.player", *CONTROLS)(_judge_player_way)
def _apply_player_way(floor: Floor, call: Call, entry: ChainEntry) -> None:
    round_ = floor.rounds[call["round"]]
    round_.sets[call["seat"]] = "house-way"
    round_.displayed = round_.touched = True
    if round_.deal is not None:
        packet = texts(dealt(floor, round_).seats[call["seat"]])
        same(packet, list(entry.answer["hand"]["cards"]), f"cards of seat {call['seat']}")
        round_.open_cards |= set(packet)


def _judge_dealer_way(floor: Floor, call: Call) -> Iterator[Objection]:
    yield from _playing(floor, call)
    round_ = floor.round_in_play(call["round"])
    if round_ is None:
        return
    if not occupied(round_):
        yield Objection("nobody is declared, so nobody has set")
    if any(seat not in round_.sets for seat in occupied(round_)):
        yield Objection("not all players have set their hands")
    if round_.dealer_shown:
        yield Objection("the dealer's hand is shown", certain=False)


@rule("display.dealer", *CONTROLS)(_judge_dealer_way)
def _apply_dealer_way(floor: Floor, call: Call, entry: ChainEntry) -> None:
    round_ = floor.rounds[call["round"]]
    round_.dealer_shown = True
    round_.touched = True
    if round_.deal is None:
        return
    redealt = dealt(floor, round_)
    round_.open_cards |= set(texts(redealt.dealer))
    open_hands(floor, round_)
    if due_buttons(floor, round_):
        floor.note("known cards asked for a button")
    same(due_buttons(floor, round_), dict(entry.answer["proposed"]), f"buttons that {round_.id} asks for")


# The reveal


def check_reveal(floor: Floor, entry: ChainEntry, round_: Round | None, *, over: bool) -> None:
    """At the end of a round all of its deal is told, and it is what was committed to."""
    told = entry.answer.get("reveal")
    if round_ is None or round_.deal is None or not over:
        if told is not None:
            raise CheckError("a deal is revealed before its round is over", None, "a reveal")
        return
    if told is None:
        raise CheckError("a round that is over reveals its deal", "a reveal", None)
    redealt = dealt(floor, round_)
    same(round_.deal["commitment"], hashlib.sha256(bytes.fromhex(told["seed"])).hexdigest(), "commitment of the seed")
    same(texts(redealt.dealer), list(told["dealer"]), f"the dealer's cards of {round_.id}")
    for each in (*told["seats"], *told["unoccupied"]):
        same(texts(redealt.seats[each["seat"]]), list(each["cards"]), f"cards of seat {each['seat']} in {round_.id}")
