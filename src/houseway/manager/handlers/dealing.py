"""Deals by the system's shuffler: the seed drawn and sealed, its commitment published, and the reveal at the end.

The seed of a table's next deal is drawn ahead, at the table's opening and with every deal, so that its commitment
stands in the journal before the bets. Nothing but the sealed secrets holds a seed until the round is over: entities,
answers and messages name commitments, places and seats, and cards only from their reveal on. Because a deal is a
function of its record and its seed, it is dealt again wherever its cards are needed, and comes out the same after any
interruption.
"""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import replace

from houseway.cards import shuffler
from houseway.cards.modes import NUMBERING, machine_name, shuffler_mode
from houseway.cards.stream import SEED_BYTES_LEAST, check_fresh_seed, commitment
from houseway.errors import InputError, present
from houseway.games import Game, game
from houseway.manager.commands.round_answers import DealRoundAnswer, Reveal, RevealedSeat, UnoccupiedSeat
from houseway.manager.commands.round_commands import DealRound
from houseway.manager.core import settings
from houseway.manager.core.engine import Decision, handles
from houseway.manager.core.table_entities import DealRecord, Round, ShownCards, Table
from houseway.manager.handlers import settlement
from houseway.manager.handlers.common import need_dealer_of, round_in_play, the_table


def next_secret(table: str) -> str:
    """The name under which the seed of a table's next deal is sealed.

    >>> next_secret("T1")
    'next:T1'
    """
    return f"next:{table}"


def prepare_next(decision: Decision, table: Table) -> Table:
    """The table with the commitment of its next deal published and the seed sealed; one that is still unused stays.

    For whoever opens a table. A table whose cards are on the felt is returned as it is. A commitment whose seed is lost
    or exchanged is given up for a new one; the numbers of the shuffles tell that one of them was never dealt.
    """
    if table.cards != "known" or _is_ready(decision, table):
        return table
    seed = _fresh_seed(decision)
    decision.secrets[next_secret(table.id)] = seed
    return replace(table, next_commitment=commitment(seed), next_committed_at=decision.now, shuffles=table.shuffles + 1)


def _is_ready(decision: Decision, table: Table) -> bool:
    """Whether a commitment is published for the next deal and its own seed lies sealed."""
    sealed = _sealed(decision, table.id)
    return sealed is not None and commitment(sealed) == table.next_commitment


def _sealed(decision: Decision, table: str) -> bytes | None:
    """The sealed seed of a table's next deal, with this decision's own changes."""
    name = next_secret(table)
    return decision.secrets.get(name, decision.context.secrets.get(name))


def _fresh_seed(decision: Decision) -> bytes:
    """A seed from the source that was handed in; refused if the source is stuck or repeats a seed that is in use."""
    seed = decision.context.draw(SEED_BYTES_LEAST)
    in_use = {*decision.context.secrets.values(), *decision.secrets.values()}
    check_fresh_seed(seed, [used for used in in_use if used is not None])
    return seed


@handles(DealRound)
def deal_round(decision: Decision, command: DealRound) -> DealRoundAnswer:
    """Deal the round to its occupied seats; once, before any hand is set."""
    round_ = round_in_play(decision, command.round)
    table = the_table(decision, round_.table)
    need_dealer_of(decision, table)
    if table.cards != "known" or table.deal_mode == "shoe":
        message = (
            f"the cards of {table.id} are dealt by hand: the system's shuffler deals only where they are known to it"
        )
        raise InputError.of("cards-on-felt", "round", message)
    if round_.deal is not None:
        raise InputError.of("already-dealt", "round", f"{round_.id} is dealt: go on with it, or void it")
    played = game(table.game)
    seed, committed_at, number = _next_seed(decision, table)
    entropy = tuple(command.player_entropy)
    mode = shuffler_mode(played.shuffler_mode)
    numbering = tuple(settings.value(decision.floor, "position_numbering", decision.now))
    dealt = shuffler.deal(
        mode,
        seed,
        seats=settlement.occupied_seats(round_),
        player_entropy=_as_bytes(entropy),
        numbering=numbering,
    )
    record = DealRecord(
        dealt.mode.id, commitment(seed), dealt.start_position, dealt.occupied, committed_at, number, entropy,
        numbering=numbering if mode.every_position else None,
    )  # fmt: skip
    decision.secrets[round_.id] = seed
    table = prepare_next(decision, replace(table, next_commitment=None, shuffles=number))
    decision.tables.put(table)
    decision.rounds.put(replace(round_, deal=record, shown=_face_up(table, played, dealt)))
    return DealRoundAnswer(
        mode=record.mode,
        commitment=record.commitment,
        committed_at=record.committed_at,
        machine_mode=machine_name(dealt.mode, played.machine_names),
        start_position=record.start_position,
        numbering=None if record.numbering is None else tuple(record.numbering),
        occupied=tuple(record.occupied),
        next_commitment=table.next_commitment,
    )


def _next_seed(decision: Decision, table: Table) -> tuple[bytes, int, int]:
    """The seed of this deal, when its commitment was published, and its number.

    It is the one drawn ahead; one is drawn now only where nothing was published. What was published binds: with another
    seed, or without one, nothing is dealt.
    """
    if table.next_commitment is None:
        return _fresh_seed(decision), decision.now, table.shuffles + 1
    sealed = _sealed(decision, table.id)
    what = f"for shuffle {table.shuffles} of {table.id} the commitment {table.next_commitment} is published"
    undone = "nothing was dealt: void the round, which publishes a new commitment, and call surveillance"
    if sealed is None:
        raise InputError.of("seed-lost", "round", f"{what}, and the store holds no seed that fits it; {undone}")
    if commitment(sealed) != table.next_commitment:
        raise InputError.of("seed-mismatch", "round", f"{what}, and the sealed seed is another one; {undone}")
    return sealed, table.next_committed_at, table.shuffles


def _as_bytes(texts: tuple[str, ...]) -> list[bytes]:
    """The players' contributions as the shuffler takes them."""
    try:
        return [text.encode() for text in texts]
    except UnicodeEncodeError:
        raise InputError.of("not-utf8", "player_entropy", "a contribution is not UTF-8 text: leave it out") from None


def _face_up(table: Table, played: Game, dealt: shuffler.Deal) -> dict[str, ShownCards]:
    """What lies open from the deal on: dealer's cards that the game turns up, and all hands where they are dealt so."""
    shown: dict[str, ShownCards] = {}
    if played.dealer_cards_up == played.cards:
        # A dealer whose whole hand is open sets it first, so the players see it set.
        shown[settlement.DEALER] = settlement.shown_hand(settlement.house_way_hand(table, dealt.dealer))
    elif played.dealer_cards_up:
        shown[settlement.DEALER] = ShownCards(settlement.as_dealt(dealt.dealer[: played.dealer_cards_up]))
    if table.face_up:
        shown |= {str(seat): ShownCards(settlement.as_dealt(cards)) for seat, cards in dealt.players.items()}
    return shown


def dealt_again(decision: Decision, round_: Round) -> shuffler.Deal:
    """The round's deal from its sealed or revealed seed; refused if the seed is lost."""
    seed = _seed(decision, round_)
    if seed is None:
        message = f"the store holds no seed that fits {round_.id}: restore it, or void the round and call surveillance"
        raise InputError.of("seed-lost", "round", message)
    return dealt_from(round_, seed)


def dealt_from(round_: Round, seed: bytes) -> shuffler.Deal:
    """The round's deal from its seed, all packets of it; refused (`seed-mismatch`) if it is another round's seed.

    For whoever may know the seed: the manager itself, and a seat's own screen behind it.
    """
    record = present(round_.deal, f"deal of {round_.id}")
    mode = shuffler_mode(record.mode)
    seats = settlement.occupied_seats(round_) if mode.every_position else record.occupied
    return shuffler.replay(
        record.commitment,
        mode,
        seed,
        seats=seats,
        player_entropy=_as_bytes(record.player_entropy),
        numbering=record.numbering or NUMBERING,
    )


def _seed(decision: Decision, round_: Round) -> bytes | None:
    if round_.deal is not None and round_.deal.seed is not None:
        return bytes.fromhex(round_.deal.seed)
    return decision.context.secrets.get(round_.id)


def disclose(decision: Decision, round_: Round) -> tuple[Round, Reveal]:
    """Reveal the whole deal and forget the sealed seed; the round comes back with its seed on record."""
    dealt = dealt_again(decision, round_)
    deal, seed = present(round_.deal, f"deal of {round_.id}"), present(dealt.seed, f"seed of {round_.id}")
    decision.secrets[round_.id] = None
    table = decision.tables[round_.table]
    return replace(round_, deal=replace(deal, seed=seed.hex())), reveal(table, round_, dealt)


def disclose_void(decision: Decision, round_: Round) -> Reveal | None:
    """A voided round discloses its seed and all cards, so that no commitment is left unexplained.

    A round that was not dealt has used no seed: the table's commitment stays for the next one.
    """
    if round_.deal is None:
        return None
    seed = _seed(decision, round_)
    if seed is None or commitment(seed) != round_.deal.commitment:
        # A lost seed is one of the reasons to void: the record says so instead of holding up the players' money.
        decision.secrets[round_.id] = None
        return Reveal(commitment=round_.deal.commitment, seed=None)
    return disclose(decision, round_)[1]


def reveal(table: Table, round_: Round, dealt: shuffler.Deal) -> Reveal:
    """A deal with its seed as `houseway replay` and `houseway settle` read it."""
    seed = present(dealt.seed, f"seed of {round_.id}")
    played = game(table.game)
    players = dealt.players
    return Reveal(
        game=played.id,
        paytables=settlement.other_paytables(table),
        way=table.way,
        settings=dict(table.settings),
        dealer=settlement.as_dealt(dealt.dealer),
        seats=tuple(_seat_revealed(round_, seat, cards) for seat, cards in players.items()),
        seed=seed.hex(),
        commitment=present(dealt.commitment, f"commitment of {round_.id}"),
        mode=dealt.mode.id,
        machine_mode=machine_name(dealt.mode, played.machine_names),
        numbering=tuple(dealt.numbering) if dealt.mode.every_position else None,
        start_position=dealt.start_position,
        up=settlement.as_dealt(dealt.dealer[: played.dealer_cards_up]) if played.dealer_cards_up else None,
        unoccupied=tuple(
            UnoccupiedSeat(seat, settlement.as_dealt(cards))
            for seat, cards in dealt.seats.items()
            if seat not in players
        ),
        leftover=settlement.as_dealt(dealt.leftover),
        player_entropy=() if round_.deal is None else round_.deal.player_entropy,
        banker=UNSET if round_.banker is None else round_.banker,
    )


def _seat_revealed(round_: Round, seat: int, cards: tuple[int, ...]) -> RevealedSeat:
    """A seat of the reveal: its cards as dealt, its low hand where the player chose it, its decision and wagers."""
    low = settlement.low_cards(round_, seat, cards)
    return RevealedSeat(
        seat,
        settlement.as_dealt(cards),
        None if low is None else settlement.as_dealt(low),
        seat in round_.folds,
        dict(round_.wagers.get(str(seat), {})),
    )
