"""Setting of hands and the house-way display, in the order that the documents demand.

A player's hand is shown the house way only once all other players have set theirs; the dealer's only once every
player's hand is set or was set the house way. Nobody chooses after seeing another hand: a double down closes with the
first display of one, unless a permission lets the hands be dealt face up. The order holds on every table, whether the
system knows the cards or they lie on the felt. Every use of the display is kept with who asked for it, for surveillance
to see.
"""

from __future__ import annotations

from msgspec import convert
from msgspec.structs import replace

from houseway.amounts import Cents
from houseway.cards.card import parse_card
from houseway.definitions import Wager
from houseway.errors import Fault, InputError
from houseway.games import Game, Settlement, game
from houseway.games.round_reader import read_cards
from houseway.manager.commands.round_answers import (
    DoubleDownAnswer,
    SetHandAnswer,
    ShowDealerWayAnswer,
    ShowPlayerWayAnswer,
)
from houseway.manager.commands.round_commands import DoubleDown, SetHand, ShowDealerWay, ShowPlayerWay
from houseway.manager.commands.settled_hands import OpenDealerHand, OpenSeat
from houseway.manager.core import settings
from houseway.manager.core.engine import Decision, collect, handles
from houseway.manager.core.table_entities import Display, Round, SeatSetting, Table
from houseway.manager.handlers import settlement
from houseway.manager.handlers.banking import setting_faults
from houseway.manager.handlers.common import need_dealer_of, round_in_play, the_table
from houseway.manager.handlers.dealing import dealt_again
from houseway.manager.handlers.settlement import DEALER, occupied_seats
from houseway.reading.faults import Faults

# ---------------------------------------------------------------- setting


@handles(SetHand)
def set_hand(decision: Decision, command: SetHand) -> SetHandAnswer:
    """A player's hand is set, or set again as long as no display was used."""
    round_, table = _dealt_round(decision, command.round)
    need_dealer_of(decision, table)
    seat = _occupied(round_, command.seat)
    if round_.dealer_shown or (seat in round_.sets and round_.displays):
        message = f"seat {seat}'s hand is set and a display was used since: it stays as it is"
        raise InputError.of("hands-closed", "seat", message)
    played = game(table.game)
    known = round_.deal is not None
    collect(setting_faults(round_, command) or _setting_faults(played, command, known))
    folds = set(round_.folds) - {command.seat} | ({command.seat} if command.fold else set())
    low = None if command.low is None else tuple(sorted(command.low))
    changed = SeatSetting("house-way" if command.house_way else "player", low, decision.now, decision.actor)
    wagers = _with_raise(decision, table, round_, command)
    decision.rounds.put(replace(round_, folds=tuple(sorted(folds)), sets={**round_.sets, seat: changed}, wagers=wagers))
    return SetHandAnswer(
        round=round_.id,
        seat=command.seat,
        by=changed.by,
        not_set=tuple(other for other in _not_set(round_) if other != command.seat),
    )


def _setting_faults(played: Game, command: SetHand, known: bool) -> list[Fault]:
    """What is wrong with how a hand is said to be set; a foul is not a fault here: it loses at settlement."""
    faults = []
    if command.fold and not played.offers_fold:
        faults.append(Fault("no-fold", "fold", f"nobody folds in {played.title}"))
    if command.house_way and not played.ways:
        faults.append(Fault("no-house-way", "house_way", f"{played.title} has no house way: hands are not split"))
    if command.low is None:
        if known and played.low_cards and not command.house_way:
            which = "place of the low card" if played.low_cards == 1 else f"places of the {played.low_cards} low cards"
            message = f"give the {which} in the packet, or ask for the house way"
            faults.append(Fault("card-count", "low", message))
    elif not known:
        faults.append(Fault("cards-on-felt", "low", "the system does not know these cards: leave out the places"))
    elif not played.low_cards:
        faults.append(Fault("no-low-hand", "low", f"{played.title} has no low hand: leave it out"))
    elif command.house_way:
        faults.append(Fault("bad-places", "low", "the hand is left to the house way: leave out the places"))
    else:
        faults += _place_faults(played, command.low)
    return faults


def _place_faults(played: Game, low: list[int]) -> list[Fault]:
    """Why these are not places of a low hand."""
    faults = []
    if len(low) != played.low_cards:
        message = (
            f"the low hand of {played.title} has {played.low_cards} card{'s' * (played.low_cards > 1)}, not {len(low)}"
        )
        faults.append(Fault("card-count", "low", message))
    for index, place in enumerate(low):
        if not 0 <= place < played.cards:
            last = played.cards - 1
            message = f"no card lies at place {place}: the places of a packet go from 0, its first card, to {last}"
            faults.append(Fault("bad-places", f"low[{index}]", message))
        elif place in low[:index]:
            faults.append(Fault("bad-places", f"low[{index}]", f"place {place} is named twice"))
    return faults


def _with_raise(decision: Decision, table: Table, round_: Round, command: SetHand) -> dict[str, dict[str, Cents]]:
    """The round's wagers with what the player raises now that the cards are seen."""
    played, seat = game(table.game), str(command.seat)
    wagers = round_.wagers
    if command.raised is not None:
        wagers = _doubled(decision, table, round_, command.seat, command.raised, "raised")
    forced = played.raise_wager if played.offers_fold else None
    if seat in wagers and forced is not None:
        made = {name: cents for name, cents in wagers[seat].items() if name != forced.name}
        wagers = {**wagers, seat: made if command.fold else {**made, forced.name: made[played.first_wager.name]}}
    if wagers != round_.wagers:
        collect(settlement.rule_faults(decision, table, {seat: wagers[seat]}, round_.started_at))
    return wagers


def _chosen_raise(table: Table, path: str) -> Wager:
    """The raise that a player of the table's game may make or leave."""
    played = game(table.game)
    if played.raise_wager is None or played.offers_fold:
        raise InputError.of("unknown-wager", path, f"{played.title} has no raise that a player chooses")
    return played.raise_wager


def _doubled(
    decision: Decision, table: Table, round_: Round, number: int, cents: Cents, path: str
) -> dict[str, dict[str, Cents]]:
    """The round's wagers with a raise that a seat has chosen, or without it (0); refused once it is closed."""
    played, seat = game(table.game), str(number)
    raised = _chosen_raise(table, path)
    told = round_.wagers.get(seat)
    if told is None:
        message = (
            f"seat {seat}'s {played.first_wager.name} wager was not entered at START GAME: there is nothing to double"
        )
        raise InputError.of("missing-first-wager", path, message)
    made = {name: amount for name, amount in told.items() if name != raised.name}
    if cents:
        made[raised.name] = cents
    if made != told and seat in round_.sets and _until(decision, round_) == "hand-set":
        raise InputError.of(
            "hands-closed", path, f"seat {seat}'s hand is set: here a {raised.title.lower()} is made before that"
        )
    others = [_whose(display.of) for display in round_.displays if display.of != seat]
    if made != told and others and not table.face_up:
        message = f"{others[0]} was displayed: a {raised.title.lower()} is chosen before anybody sees another hand"
        raise InputError.of("hands-closed", path, message)
    return {**round_.wagers, seat: made}


def _until(decision: Decision, round_: Round) -> str:
    """When the property closes a raise by choice, by what it had chosen at START GAME."""
    return str(settings.value(decision.floor, "double_down_until", round_.started_at))


@handles(DoubleDown)
def double_down(decision: Decision, command: DoubleDown) -> DoubleDownAnswer:
    """A player raises by choice, or takes it back, until another hand is shown or as the property says."""
    round_, table = _dealt_round(decision, command.round)
    need_dealer_of(decision, table)
    seat = _occupied(round_, command.seat)
    if round_.dealer_shown:
        raise InputError.of(
            "hands-closed", "seat", f"the dealer's hand of {round_.id} is shown: nothing can be raised any more"
        )
    raised = _chosen_raise(table, "cents")
    wagers = _doubled(decision, table, round_, command.seat, command.cents, "cents")
    if wagers == round_.wagers:
        raise InputError.of("nothing-to-change", "cents", f"seat {seat}'s {raised.title.lower()} stands so already")
    collect(settlement.rule_faults(decision, table, {seat: wagers[seat]}, round_.started_at))
    decision.rounds.put(replace(round_, wagers=wagers, raised=True))
    return DoubleDownAnswer(round=round_.id, seat=command.seat, title=raised.title, wagers=wagers[seat])


# ---------------------------------------------------------------- displays


@handles(ShowPlayerWay)
def show_player_way(decision: Decision, command: ShowPlayerWay) -> ShowPlayerWayAnswer:
    """Show one hand set the house way, once all other players have set theirs; it is set by that."""
    round_, table = _dealt_round(decision, command.round)
    need_dealer_of(decision, table)
    played = game(table.game)
    if not played.ways:
        raise InputError.of("no-house-way", "round", f"{played.title} has no house way: hands are not split")
    seat = _occupied(round_, command.seat)
    if round_.dealer_shown or any(display.of == seat for display in round_.displays):
        raise InputError.of("already-shown", "seat", f"seat {seat}'s hand is shown already")
    waiting = [other for other in _not_set(round_) if other != command.seat]
    if waiting:
        message = (
            f"{_seats(waiting)} must set first: a hand is shown the house way only when all other players have set"
        )
        raise InputError.of("hands-not-set", "seat", message)
    earlier = round_.sets.get(seat)
    if round_.displays and earlier is not None and earlier.by == "player":
        message = f"seat {seat}'s hand is set and a display was used since: it stays as it is"
        raise InputError.of("hands-closed", "seat", message)
    changed = replace(
        round_,
        sets={**round_.sets, seat: SeatSetting("house-way", None, decision.now, decision.actor)},
        displays=(*round_.displays, _display(decision, seat)),
    )
    shown = None
    typed = _typed_cards(table, round_, seat, command.cards)
    if round_.deal is not None or typed:
        cards = typed or dealt_again(decision, round_).seats[command.seat]
        shown = settlement.shown_hand(settlement.house_way_hand(table, cards))
        changed = replace(changed, shown={**changed.shown, seat: shown})
    decision.rounds.put(changed)
    return ShowPlayerWayAnswer(round=round_.id, seat=command.seat, hand=shown)


@handles(ShowDealerWay)
def show_dealer_way(decision: Decision, command: ShowDealerWay) -> ShowDealerWayAnswer:
    """Show the dealer's hand, once every player's hand is set; from now on all hands in play lie open."""
    round_, table = _dealt_round(decision, command.round)
    need_dealer_of(decision, table)
    if round_.dealer_shown:
        raise InputError.of("already-shown", "round", f"the dealer's hand of {round_.id} is shown already")
    if not occupied_seats(round_):
        message = (
            f"nobody is declared in {round_.id}, so nobody can have set: declare every seat that plays, then have the "
            "hands set"
        )
        raise InputError.of("nobody-plays", "round", message)
    waiting = _not_set(round_)
    if waiting:
        message = f"{_seats(waiting)} must set first: the dealer's hand is shown only when every player's hand is set"
        raise InputError.of("hands-not-set", "round", message)
    changed = replace(round_, dealer_shown=True, displays=(*round_.displays, _display(decision, DEALER)))
    answer = ShowDealerWayAnswer(round=round_.id)
    typed = _typed_cards(table, round_, DEALER, command.cards)
    if typed:
        shown = settlement.shown_hand(settlement.house_way_hand(table, typed))
        changed = replace(changed, shown={**changed.shown, DEALER: shown})
        answer = replace(answer, hand=shown)
    if round_.deal is not None:
        changed, settled = open_all(decision, table, changed)
        told = settled.to_json()
        answer = replace(
            answer,
            dealer=convert(told["dealer"], OpenDealerHand | None),
            seats=convert(told["seats"], tuple[OpenSeat, ...]),
            order=settled.order,
            untold=settlement.outcomes_untold(changed, settled),
            proposed=changed.proposed,
        )
    decision.rounds.put(changed)
    return answer


def open_all(decision: Decision, table: Table, round_: Round) -> tuple[Round, Settlement]:
    """The round with all hands in play open, the lines of the other wagers, and the buttons to press.

    With it comes the settlement with its clauses.
    """
    settled = settlement.settled(table, round_, dealt_again(decision, round_))
    shown = {str(result.seat): settlement.shown_hand(result.hand) for result in settled.seats}
    opened = replace(
        round_,
        shown={**shown, DEALER: settlement.shown_hand(settled.dealer)},
        lines=settlement.line_rows(settled),
    )
    opened = replace(opened, proposed=settlement.proposed_buttons(decision, opened))
    return opened, settled


def after_correction(decision: Decision, round_: Round) -> Round:
    """A round whose sensor wagers were just corrected: what lies open is worked out again.

    Refused where a wager is said to have been made at a seat that got no cards.
    """
    if round_.deal is None:
        return round_
    seats = set(occupied_seats(round_))
    for taken in round_.taken:
        for seat in taken.seats:
            if seat not in seats:
                raise InputError.of(
                    "seat-empty", "seat", f"seat {seat} got no cards in {round_.id}: no wager was made there"
                )
    if not round_.dealer_shown:
        return round_
    late = {str(seat): SeatSetting("house-way", None, decision.now, decision.actor) for seat in _not_set(round_)}
    return open_all(decision, the_table(decision, round_.table), replace(round_, sets={**round_.sets, **late}))[0]


# ---------------------------------------------------------------- what both ask


def _typed_cards(table: Table, round_: Round, of: str, typed: list[str] | None) -> tuple[int, ...]:
    """The cards on the felt that were typed in for a hand, checked against the deck and what lies open; () for none."""
    if typed is None:
        return ()
    if table.cards == "known":
        raise InputError.of("cards-known", "cards", f"the system dealt the cards of {round_.id} itself: leave them out")
    faults = Faults()
    open_cards = {
        int(parse_card(text)): _whose(whose)
        for whose, shown in round_.shown.items()
        if whose != of
        for text in shown.cards
    }
    cards = read_cards(typed, "cards", game(table.game), open_cards, faults)
    faults.refuse_if_any()
    return cards


def _whose(of: str) -> str:
    return "the dealer's hand" if of == DEALER else f"seat {of}'s hand"


def _dealt_round(decision: Decision, round_id: str) -> tuple[Round, Table]:
    """A round in play and its table; where the system deals, only once it has dealt."""
    round_ = round_in_play(decision, round_id)
    table = the_table(decision, round_.table)
    if table.cards == "known" and round_.deal is None:
        raise InputError.of("not-dealt", "round", f"{round_.id} is not dealt yet: there is no hand to set or to show")
    return round_, table


def _occupied(round_: Round, seat: int) -> str:
    """The seat's name, if it takes part."""
    if seat not in occupied_seats(round_):
        message = f"nobody plays at seat {seat} in {round_.id}: declare the seat first if somebody does"
        raise InputError.of("seat-empty", "seat", message)
    return str(seat)


def _not_set(round_: Round) -> list[int]:
    """The occupied seats whose hands are not set yet."""
    return [seat for seat in occupied_seats(round_) if str(seat) not in round_.sets]


def _seats(numbers: list[int]) -> str:
    return f"{'seats' if len(numbers) > 1 else 'seat'} {', '.join(map(str, numbers))}"


def _display(decision: Decision, of: str) -> Display:
    return Display(of, decision.actor, decision.envelope.device, decision.now)
