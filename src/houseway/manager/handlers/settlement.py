"""What lies open on a table: hands as they were set, the lines of the other wagers, the buttons to press.

Everything here is worked out of entities and cards with `houseway.games`; nothing knows a seed. Jackpot wagers are left
out of the lines: their money moves by awards.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from houseway.amounts import Cents
from houseway.cards.card import CARD_TEXTS, card_texts, parse_card
from houseway.cards.modes import shuffler_mode
from houseway.cards.shuffler import Deal
from houseway.errors import Fault
from houseway.games import Hand, Settlement, game, table_play
from houseway.games.table_play import DealtSeat, TableTerms, fitted_names, settle_seats, table_terms
from houseway.manager.core import settings
from houseway.manager.core.engine import Decision
from houseway.manager.core.money import cents_text
from houseway.manager.core.table_entities import Round, RoundLine, ShownCards, Table, TakenWagers
from houseway.manager.core.twins import table_paytable
from houseway.manager.handlers.common import the_link
from houseway.manager.handlers.notices import games_allowed
from houseway.paytables import PayTable

DEALER: Final = "dealer"
"""The dealer's name among the hands that are shown."""


def occupied_seats(round_: Round) -> list[int]:
    """The seats that take part, from the lowest up; once dealt, a seat that got no packet cannot join any more."""
    if round_.deal is not None and not shuffler_mode(round_.deal.mode).every_position:
        return sorted(round_.deal.occupied)
    return sorted(round_.occupied)


def low_cards(round_: Round, seat: int, cards: tuple[int, ...]) -> tuple[int, ...] | None:
    """The low cards that a player chose out of the packet; None where the hand is set the house way, or not yet."""
    found = round_.sets.get(str(seat))
    return None if found is None or found.low is None else tuple(cards[place] for place in found.low)


def other_paytables(table: Table) -> dict[str, str]:
    """The table's pay tables without those of jackpot wagers, which their links name."""
    jackpots = {wager.name for wager in game(table.game).wagers if wager.kind == "jackpot"}
    return {name: id_ for name, id_ in table.paytables.items() if name not in jackpots}


def terms_of(table: Table) -> TableTerms:
    """On what terms a table plays the wagers that no link settles."""
    return table_terms(table.game, table.settings, table.way, other_paytables(table))


def house_way_hand(table: Table, cards: tuple[int, ...]) -> Hand:
    """A hand set the house way, or as it plays where hands are not split."""
    return table_play.house_way_hand(terms_of(table), cards)


def shown_hand(hand: Hand) -> ShownCards:
    """A hand as it lies open: its cards as dealt, how they were set and by which rule."""
    return ShownCards(
        as_dealt(hand.cards), tuple(card_texts(hand.high)), tuple(card_texts(hand.low)), hand.rule, hand.fouled
    )


def as_dealt(cards: Iterable[int]) -> tuple[str, ...]:
    """The text forms of a packet's cards in the order of dealing, which the places of a set hand count in."""
    return tuple(CARD_TEXTS[card] for card in cards)


def settled(table: Table, round_: Round, dealt: Deal) -> Settlement:
    """All occupied seats against the dealer; a seat whose wagers were not told is there with its hand and no lines."""
    seats = [
        DealtSeat(seat, cards, low_cards(round_, seat, cards), seat in round_.folds, round_.wagers.get(str(seat)))
        for seat, cards in dealt.players.items()
    ]
    return settle_seats(terms_of(table), dealt.dealer, seats, round_.banker)


def outcomes_untold(round_: Round, settlement: Settlement) -> dict[str, dict[str, str]]:
    """What becomes of the hands of seats whose wagers were not told: by seat, of each wager against the dealer."""
    return {
        str(result.seat): dict(table_play.outcomes_of_hand(settlement, result.seat))
        for result in settlement.seats
        if str(result.seat) not in round_.wagers and result.seat != round_.banker
    }


def line_rows(settlement: Settlement) -> tuple[RoundLine, ...]:
    """The lines of the other wagers as they are kept, in the order in which the dealer resolves the seats."""
    return tuple(
        {
            "seat": seat,
            "wager": line.wager,
            "hand": line.hand,
            "outcome": line.outcome,
            "stake_cents": Cents(line.stake),
            "returned_cents": Cents(line.returned),
            "source": line.source,
            "clause": line.clause,
            "link": None,
            "award": None,
        }
        for seat in settlement.order
        for line in settlement.seat(seat).lines
    )


def proposed_buttons(decision: Decision, round_: Round) -> dict[str, str]:
    """The buttons that the open hands ask for: "SENSOR/SEAT" to the hand of the pay table's line.

    A seat without the wager is among them where its hand brings envy to others who made it.
    """
    table = decision.tables[round_.table]
    terms = terms_of(table)
    hands = {int(seat): _fitted(terms, shown) for seat, shown in round_.shown.items() if seat != DEALER}
    found: dict[str, str] = {}
    for taken in round_.taken:
        paytable = _jackpot_table(decision, table, taken)
        for seat in sorted(hands, reverse=True):
            line = paytable.line_for(paytable.names_of(*hands[seat]))
            if line is not None and (seat in taken.seats or (line.envy and set(taken.seats) - {seat})):
                found[f"{taken.sensor}/{seat}"] = line.hand
    return found


def lost_by_joker(decision: Decision, round_: Round) -> set[tuple[str, int]]:
    """Sensor and seat of the jackpot wagers on open hands that would win if the joker were an ace in any hand."""
    if not round_.shown:
        return set()
    table = decision.tables[round_.table]
    terms = terms_of(table)
    found: set[tuple[str, int]] = set()
    for taken in round_.taken:
        paytable = _jackpot_table(decision, table, taken)
        if paytable.joker == "semi-wild":
            continue
        for seat in taken.seats:
            shown = round_.shown.get(str(seat))
            if shown is not None:
                names, natural = _fitted(terms, shown)
                if paytable.line_for(names) and not paytable.line_for(paytable.names_of(names, natural)):
                    found.add((taken.sensor, seat))
    return found


def _fitted(terms: TableTerms, shown: ShownCards) -> tuple[frozenset[str], frozenset[str]]:
    """Every hand name that open cards fit with the joker an ace anywhere, and those that they fit without it."""
    return fitted_names(terms, tuple(parse_card(text) for text in shown.cards))


def _jackpot_table(decision: Decision, table: Table, taken: TakenWagers) -> PayTable:
    """The pay table of a sensor's link for this table's game."""
    return table_paytable(the_link(decision, taken.link), table.game)


def wager_faults(
    decision: Decision, table: Table, wagers: Mapping[str, Mapping[str, Cents]], sensors: Mapping[str, Collection[int]]
) -> list[Fault]:
    """What is wrong with wagers by seat, told beside those on the sensors: unknown ones, limits, too many games.

    For START GAME, so that nothing stands in the way of settlement once cards are dealt. Raises come later, with the
    hand that makes them.
    """
    faults = [
        Fault("bad-seat", f"wagers.{seat[:10]}", f"there is no seat {seat[:10]!r}: {table.id} has 1 to {table.seats}")
        for seat in wagers
        if not _is_seat(seat, table)
    ]
    kinds = {wager.name: wager.kind for wager in game(table.game).wagers}
    for seat, made in wagers.items():
        for name in made:
            path = f"wagers.{seat[:10]}.{name[:40]}"
            if kinds.get(name) == "jackpot":
                faults.append(Fault("unknown-wager", path, f"a {name} wager comes from its sensor: leave it out here"))
            elif kinds.get(name) == "raise":
                message = f"{name} is made once the cards are seen: enter it when the hand is set"
                faults.append(Fault("raise-too-early", path, message))
    return (
        faults or rule_faults(decision, table, wagers, decision.now) or _game_faults(decision, table, wagers, sensors)
    )


def _is_seat(text: str, table: Table) -> bool:
    return text in {str(number) for number in range(1, table.seats + 1)}


def rule_faults(decision: Decision, table: Table, wagers: Mapping[str, Mapping[str, Cents]], at: int) -> list[Fault]:
    """What the game's rules, the table's terms and the limits at a time, its START GAME, say against wagers by seat."""
    if not wagers:
        return []
    order = sorted(wagers, key=int)
    told = {f"wagers.{seat}": wagers[seat] for seat in order}
    banker = None if table.banker is None else f"wagers.{table.banker}"
    faults = table_play.wager_faults(table.game, table.settings, table.way, other_paytables(table), told, banker)
    highest = settings.value(decision.floor, "highest_wager", at)
    if faults or highest is None:
        return faults
    return [
        Fault(
            "above-limit",
            f"wagers.{seat}.{name}",
            f"the highest single wager here is {cents_text(highest)}, not {cents_text(cents)}",
        )
        for seat in order
        for name, cents in wagers[seat].items()
        if cents > highest
    ]


def _game_faults(
    decision: Decision, table: Table, wagers: Mapping[str, Mapping[str, Cents]], sensors: Mapping[str, Collection[int]]
) -> list[Fault]:
    """Seats that bet on more separate games than they may; each jackpot sensor is one."""
    allowed = games_allowed(decision.floor, table, decision.now)
    separate = {wager.name for wager in game(table.game).wagers if wager.is_separate_game}
    faults = []
    for seat in sorted(wagers, key=int):
        number = sum(name in separate for name in wagers[seat]) + sum(int(seat) in lit for lit in sensors.values())
        if allowed is not None and number > allowed:
            message = f"{number} games with the jackpots: a player may bet on {allowed} at most"
            faults.append(Fault("too-many-games", f"wagers.{seat}", message))
    return faults
