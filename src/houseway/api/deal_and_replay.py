"""Dealing a round from a seed, as an input for settlement, and dealing it again from its record."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from houseway.api.arguments import Arguments
from houseway.cards.card import Card, card_texts, find_card
from houseway.cards.modes import NUMBERING, machine_name, named_mode, shuffler_mode
from houseway.cards.shuffler import Deal, differences
from houseway.cards.shuffler import deal as deal_from_seed
from houseway.cards.shuffler import replay as replay_deal
from houseway.cards.stream import SEED_BYTES_LEAST, check_fresh_seed, parse_seed
from houseway.errors import Fault, InputError, present

if TYPE_CHECKING:
    from houseway.definitions import Game
    from houseway.paytables import PayTable

Levels = Mapping[str, int] | Mapping[str, Mapping[str, int]]
"""Cents by level of a meter, or by pay table and level where several jackpots are played."""


@dataclass(frozen=True, slots=True)
class DealtRound:
    """A round as it was dealt, with all that is needed to deal it again; with wagers it can be settled.

    Seed and cards stay out of its text form, so that a log written during the round gives nothing away.
    """

    game: str
    commitment: str
    """The hash of the seed, to be published before the bets."""
    occupied: tuple[int, ...]
    seed: str = field(repr=False)
    """The seed in hexadecimal, to be revealed after the round."""
    dealer: tuple[Card, ...] = field(repr=False)
    seats: Mapping[int, tuple[Card, ...]] = field(repr=False)
    """The hands of the occupied seats."""
    community: tuple[Card, ...] = field(default=(), repr=False)
    """The cards in the middle, in a game that has some."""
    wagers: Mapping[str, int] = field(default_factory=dict)
    _json: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def to_json(self) -> dict[str, Any]:
        """The round as `houseway deal --json` prints it: an input for `settle` and `replay`."""
        from copy import deepcopy

        return deepcopy(dict(self._json))


def deal(
    game: str,
    *,
    seats: Iterable[int] | None = None,
    seed: str | bytes | None = None,
    player_entropy: str | Iterable[str] = (),
    mode: str | None = None,
    start: int | None = None,
    numbering: Sequence[int] | None = None,
    wagers: Mapping[str, int] | None = None,
    paytables: Mapping[str, str] | None = None,
    meters: Levels | None = None,
    seed_amounts: Levels | None = None,
    paytable_file: str | None = None,
) -> DealtRound:
    """Shuffle and deal one round; `replay` deals it again from its seed.

    `seats` are the occupied ones, all by default; `seed` is drawn from the system unless it is given. With `wagers`,
    in cents, which every seat makes, and the `paytables` of those that have one, the round is complete and can be
    settled; `paytable_file` is a table of your own, which `settle` needs too. `meters` say what the meters of jackpots
    show, `seed_amounts` what they restart with. `mode`, `start` and `numbering` are for rooms that deal otherwise than
    the machine usually does.

    >>> round_ = deal("fortune", seats=[1, 3], seed="5eed" * 16, wagers={"main": 2500})
    >>> round_.seats[3]
    (4s, Kd, 8h, Jd, Td, As, 6h)
    >>> round_
    DealtRound(game='fortune', commitment='...', occupied=(1, 3), wagers={'main': 2500})
    """
    arguments = Arguments()
    played = arguments.game(game)
    drawn = fresh_seed() if seed is None else arguments.read(lambda: seed_bytes(seed))
    texts = (player_entropy,) if isinstance(player_entropy, str) else tuple(player_entropy)
    entropy = arguments.read(lambda: entropy_bytes(texts))
    dealt = None
    if played is not None:
        occupied = None if seats is None else tuple(seats)
        if occupied is not None and not all(type(seat) is int for seat in occupied):
            arguments.add("bad-seat", "seats", "seats are whole numbers: list them as in [1, 2, 5]")
            occupied = None
        dealt = deal_round(arguments, played, drawn, occupied, entropy, mode, start, numbering)
    further = {"paytables": paytables, "meters": meters, "seed_amounts": seed_amounts}
    if not wagers and (idle := [name for name, value in further.items() if value]):
        message = f"{', '.join(idle)} go with wagers: say what every seat bets, as in wagers={{'main': 2500}}"
        arguments.add("conflicting-options", idle[0], message)
    own = arguments.read(lambda: own_table_of(paytable_file, bool(wagers)))
    arguments.refuse_if_any()
    played, (found, machine_mode) = present(played, "game"), present(dealt, "deal")
    shown = deal_json(played, found, machine_mode)
    if texts:
        shown["player_entropy"] = list(texts)
    if wagers:
        for seat in shown["seats"]:
            seat["wagers"] = dict(wagers)
        named = _with_own(played, wagers, paytables or {}, own)
        if named:
            shown["paytables"] = named
        for key, given in (("meters", meters), ("seeds", seed_amounts)):
            if given:
                shown[key] = levels_by_table(played, wagers, named, given, key, own)
        check_round(shown, own)
    return round_of(played, found, shown)


def round_of(game: Game, dealt: Deal, shown: dict[str, Any]) -> DealtRound:
    """A deal and its JSON form as one object."""
    wagers: dict[str, int] = next((seat["wagers"] for seat in shown["seats"]), {})
    return DealtRound(
        game.reference, shown["commitment"], dealt.occupied, shown["seed"], dealt.dealer, dealt.players,
        dealt.community, dict(wagers), shown,
    )  # fmt: skip


def deal_round(
    arguments: Arguments,
    game: Game,
    seed: bytes | None,
    seats: tuple[int, ...] | None,
    entropy: tuple[bytes, ...] | None,
    mode: str | None,
    start: int | None,
    numbering: Sequence[int] | None,
) -> tuple[Deal, str | None] | None:
    """The deal and what the machine was set to, or None with the faults noted."""
    usual = shuffler_mode(game.shuffler_mode)
    chosen = arguments.read(lambda: named_mode(mode or usual.id, usual, game.machine_names))
    if numbering is not None and chosen is not None and not chosen[0].every_position:
        message = "leave out the numbering: this deal has no positions, it starts with the lowest occupied seat"
        arguments.add("bad-numbering", "numbering", message)
    dealt = arguments.read(
        lambda: deal_from_seed(
            chosen[0] if chosen else usual,
            # With a stand-in for a faulty seed, so that faults of the seats are told in the same run.
            seed or bytes(SEED_BYTES_LEAST),
            seats=seats,
            player_entropy=entropy or (),
            start_position=start,
            numbering=numbering or NUMBERING,
        )
    )
    return None if dealt is None or chosen is None else (dealt, chosen[1])


def own_table_of(file: str | None, has_wagers: bool) -> PayTable | None:
    """A pay table of somebody's own, if a file is named; it pays wagers."""
    from houseway.paytables import own_paytable

    if file is None:
        return None
    if not has_wagers:
        message = "a pay table pays wagers, and none is made: say what every seat bets, or leave the file out"
        raise InputError.of("conflicting-options", "paytable_file", message)
    return own_paytable(file)


def _with_own(game: Game, wagers: Iterable[str], paytables: Mapping[str, str], own: PayTable | None) -> dict[str, str]:
    """The ids of the pay tables by wager, with that of one's own for the first wager that it fits."""
    from houseway.games.round_tables import fits

    if own is None:
        return dict(paytables)
    for name in wagers:
        wager = game.wager(name)
        if wager is not None and fits(own, wager, game, {}, str(paytables.get(name, ""))):
            return {**paytables, name: own.id}
    message = f"{own.id} fits no wager that is made: it is for {own.wager} of {', '.join(own.games)}"
    raise InputError.of("wrong-paytable", "paytable_file", message)


def check_round(shown: dict[str, Any], own: PayTable | None = None) -> None:
    """Refuse wagers that settlement would refuse."""
    from houseway.games import read_round

    read_round(shown, None, own)


def levels_by_table(
    game: Game,
    wagers: Iterable[str],
    paytables: Mapping[str, str],
    given: Levels,
    path: str,
    own: PayTable | None = None,
) -> dict[str, dict[str, int]]:
    """Cents by pay table and level: as given, or each level for every jackpot of the round that has it."""
    from houseway.games.round_tables import meter_key
    from houseway.paytables import paytable

    if not all(type(value) is int for value in given.values()):
        return {str(key): dict(value) if isinstance(value, Mapping) else value for key, value in given.items()}  # type: ignore[misc]
    tables = {}
    for name in wagers:
        wager = game.wager(name)
        table = paytables.get(name) or (None if wager is None else wager.default_table)
        if table is not None:
            tables[name] = own if own is not None and own.id == table else paytable(table, f"paytables.{name}")
    found: dict[str, dict[str, int]] = {}
    for level, cents in given.items():
        having = [meter_key(name, tables) for name, table in tables.items() if level in table.levels]
        if not having:
            known = ", ".join(dict.fromkeys(each for table in tables.values() for each in table.levels))
            there = f"there is {known}" if known else "no jackpot wager is made here"
            raise InputError.of("no-meter", path, f"{str(level)[:40]!r} is not a level of a jackpot's meter: {there}")
        for key in having:
            found.setdefault(key, {})[level] = cents  # type: ignore[assignment]
    return found


def fresh_seed() -> bytes:
    """A seed from the system's generator; a stuck generator is refused and no round is dealt."""
    seed = secrets.token_bytes(SEED_BYTES_LEAST)
    check_fresh_seed(seed)
    return seed


def seed_bytes(seed: str | bytes) -> bytes:
    """A seed as bytes or in hexadecimal."""
    if not isinstance(seed, str | bytes):
        raise InputError.of("bad-seed", "seed", "a seed is bytes, or a text of hexadecimal digits")
    return seed if isinstance(seed, bytes) else parse_seed(seed)


def entropy_bytes(texts: tuple[str, ...]) -> tuple[bytes, ...]:
    """The players' contributions as bytes: the text in UTF-8."""
    try:
        return tuple(text.encode("utf-8") for text in texts)
    except UnicodeEncodeError as error:
        raise InputError([Fault("not-utf8", "player_entropy", "a contribution is not UTF-8 text")]) from error


def deal_json(game: Game, dealt: Deal, machine_mode: str | None = None) -> dict[str, Any]:
    """A deal as an input for settle, with what is needed to deal it again and what nobody played.

    `machine_mode` is what the machine was set to, where the sheet names more than one setting.
    """
    players = dealt.players
    return {
        "game": game.reference,
        **({"dealer": card_texts(dealt.dealer)} if game.dealer_hand else {}),
        **({"community": [str(card) for card in dealt.community]} if game.community_cards else {}),
        "seats": [
            {"seat": seat, "cards": card_texts(cards), "low": None, "fold": False, "wagers": {}}
            for seat, cards in players.items()
        ],
        "seed": present(dealt.seed, "seed of the deal").hex(),
        "commitment": dealt.commitment,
        "mode": dealt.mode.id,
        "machine_mode": machine_mode or machine_name(dealt.mode, game.machine_names),
        "numbering": list(dealt.numbering) if dealt.mode.every_position else None,
        "start_position": dealt.start_position,
        "up": card_texts(dealt.dealer[: game.dealer_cards_up]) if game.dealer_cards_up else None,
        "unoccupied": [
            {"seat": seat, "cards": card_texts(cards)} for seat, cards in dealt.seats.items() if seat not in players
        ],
        "leftover": card_texts(dealt.leftover),
    }


@dataclass(frozen=True, slots=True)
class Replay:
    """Whether a round follows from its seed; true if it does."""

    differences: tuple[Fault, ...] = ()

    @property
    def matches(self) -> bool:
        """Whether every card and the commitment fit."""
        return not self.differences

    def __bool__(self) -> bool:
        return self.matches

    def to_json(self) -> dict[str, Any]:
        """The finding as `houseway replay --json` prints it."""
        return {"matches": self.matches, "differences": [fault.to_json() for fault in self.differences]}


def replay(round_: DealtRound | Mapping[str, Any]) -> Replay:
    """Deal a round again from its revealed seed, and say where the record differs.

    >>> round_ = deal("six-card-poker", seats=[2])
    >>> replay(round_).matches
    True
    >>> record = round_.to_json()
    >>> record["dealer"][0] = record["leftover"][0]
    >>> [fault.path for fault in replay(record).differences]
    ['dealer']
    """
    return Replay(tuple(_found(_record(round_.to_json() if isinstance(round_, DealtRound) else round_))))


def _record(data: object) -> dict[str, Any]:
    """The parts of a dealt round that a replay needs; InputError with every one that is missing."""
    from houseway.reading.faults import Faults

    faults = Faults()
    record = faults.mapping(data, "")
    for key in ("game", "seed", "commitment"):
        if not isinstance(record.get(key), str):
            faults.add("missing-key", key, f"a replay needs it as text: `deal --json` writes {key}")
    for key in ("dealer", "seats"):
        if key == "dealer" and key not in record and "community" in record:
            # A dealer without a hand; that there is one is found when the deal is compared.
            continue
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
    from houseway.games import game

    hands = {}
    for index, seat in enumerate(record["seats"]):
        if not isinstance(seat, dict) or not isinstance(seat.get("seat"), int):
            raise InputError.of("wrong-type", f"seats[{index}]", "expected an object with the seat's number and cards")
        hands[seat["seat"]] = _cards(seat.get("cards"), f"seats[{index}].cards")
    played = game(record["game"])
    usual, names = shuffler_mode(played.shuffler_mode), played.machine_names
    mode, _ = named_mode(record.get("mode") or usual.id, usual, names)
    shown = record.get("machine_mode")
    if shown is not None and named_mode(shown, usual, names, "machine_mode")[0] != mode:
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
    return differences(
        again,
        dealer=_cards(record.get("dealer", []), "dealer"),
        seats=hands,
        start_position=record.get("start_position"),
        community=_cards(record.get("community", []), "community"),
    )


def _cards(value: object, path: str) -> list[int]:
    """The cards of a hand in the record."""
    cards = [find_card(text) for text in value] if isinstance(value, list) else [None]
    if None in cards:
        raise InputError.of("bad-card", path, "expected a list of cards as in As, Td, 9c or Jk")
    return [card for card in cards if card is not None]
