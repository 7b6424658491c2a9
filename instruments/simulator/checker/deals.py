"""A round's deal, dealt again from its seed by the published algorithm, and the buttons that its hands ask for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, cast

from houseway.cards.card import card_texts
from houseway.cards.modes import SEVEN_CARD_PACKETS, SIX_CARD_PACKETS, SIX_CARD_POKER, ShufflerMode
from houseway.cards.shuffler import Deal, deal
from houseway.ranking.reference import PAI_GOW, STANDARD, names_fitted
from instruments.simulator.checker.errors import CheckError
from instruments.simulator.checker.state import Floor, Round

MODES: Final[dict[str, ShufflerMode]] = {"six-card-fortune": SIX_CARD_PACKETS, "six-card-poker": SIX_CARD_POKER}


def occupied(round_: Round) -> list[int]:
    """The seats that take part: with a wager told, on a sensor, or declared."""
    return sorted(round_.occupied)


def dealt(floor: Floor, round_: Round) -> Deal:
    """The round's deal, from the seed behind its commitment."""
    assert round_.deal is not None
    if "dealt" in round_.deal:
        return cast("Deal", round_.deal["dealt"])
    table = floor.tables[round_.table]
    seed = floor.seeds.get(round_.deal["commitment"])
    if seed is None:
        raise CheckError("a commitment is of a seed that was drawn", "a drawn seed", round_.deal["commitment"])
    entropy = [text.encode() for text in round_.deal["entropy"]]
    mode = MODES.get(table.game, SEVEN_CARD_PACKETS)
    round_.deal["dealt"] = found = deal(
        mode, seed, seats=round_.deal["occupied"], player_entropy=entropy, numbering=round_.deal["numbering"]
    )
    return found


def texts(cards: Iterable[int]) -> list[str]:
    """Cards in the order in which they were dealt."""
    return [text for card in cards for text in card_texts([card])]


def open_hands(floor: Floor, round_: Round) -> None:
    """All hands in play lie open, those too whose wager was put right after the deal."""
    packets = dealt(floor, round_).seats
    for seat in occupied(round_):
        round_.open_cards |= set(texts(packets.get(seat, ())))


def due_buttons(floor: Floor, round_: Round) -> dict[str, str]:
    """The buttons that the open hands ask for: the first line of the pay table that a hand fits.

    A hand without the wager asks for its button only where it brings envy to somebody else who made it.
    """
    redealt, found = dealt(floor, round_), {}
    table = floor.tables[round_.table]
    ranking = STANDARD if table.game == "six-card-poker" else PAI_GOW
    for sensor, taken in round_.taken.items():
        buttons = floor.links[taken.link].printed.buttons
        for seat in occupied(round_):
            cards = redealt.seats[seat]
            names = names_fitted(cards, ranking)
            line = next((line for hand, line in buttons.items() if hand in names), None)
            others = taken.seats - {seat}
            if line is not None and (seat in taken.seats or (line.envy_cents and others)):
                found[f"{sensor}/{seat}"] = line.hand
    return found
