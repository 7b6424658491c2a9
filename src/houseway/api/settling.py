"""Settling a round that is told in Python: card texts, keyword arguments, cents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, overload

from houseway.api.arguments import Arguments, CardsLike, cards_text
from houseway.api.deal_and_replay import DealtRound, Levels, levels_by_table
from houseway.errors import InputError

if TYPE_CHECKING:
    from houseway.games import Settlement


class Seat:
    """A player's spot in a round: cards, and the wagers in cents by their names.

    `low` are the low cards as the player has set them; without them the house way sets the hand. `pulled` names the
    wagers that the player has taken back, in a game that lets players.

    >>> Seat("8s 8d Ah Kc Qs 4d 2h", main=2000, fortune=500)
    Seat('8s 8d Ah Kc Qs 4d 2h', main=2000, fortune=500)
    """

    __slots__ = ("cards", "fold", "low", "pulled", "wagers")

    cards: str
    low: str | None
    fold: bool
    wagers: Mapping[str, int]
    pulled: tuple[str, ...]

    def __init__(
        self,
        cards: CardsLike,
        *,
        low: CardsLike | None = None,
        fold: bool = False,
        pulled: Iterable[str] = (),
        **wagers: int,
    ) -> None:
        """Keep what the player holds and bets; `settle` checks it."""
        put = object.__setattr__
        put(self, "cards", cards_text(cards))
        put(self, "low", None if low is None else cards_text(low))
        put(self, "fold", fold)
        put(self, "wagers", dict(wagers))
        put(self, "pulled", tuple(pulled))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Seat does not change: make a new one instead of setting {name}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Seat) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash((self.cards, self.low, self.fold, self.pulled, *sorted(self.wagers.items())))

    def __repr__(self) -> str:
        parts = [repr(self.cards)]
        if self.low is not None:
            parts.append(f"low={self.low!r}")
        if self.fold:
            parts.append("fold=True")
        if self.pulled:
            parts.append(f"pulled={self.pulled!r}")
        return f"Seat({', '.join([*parts, *(f'{name}={cents!r}' for name, cents in self.wagers.items())])})"

    def to_json(self) -> dict[str, Any]:
        """The seat as a round's JSON has it, without its number."""
        low = None if self.low is None else _words(self.low)
        pulled = {"pulled": list(self.pulled)} if self.pulled else {}
        return {"cards": _words(self.cards), "low": low, "fold": self.fold, "wagers": dict(self.wagers), **pulled}


@overload
def settle(
    round_: DealtRound | Mapping[str, Any], /, *, way_file: str | None = None, paytable_file: str | None = None
) -> Settlement: ...


@overload
def settle(
    game: str,
    /,
    *,
    dealer: CardsLike | None = None,
    seats: Mapping[int, Seat],
    community: CardsLike | None = None,
    paytables: Mapping[str, str] | None = None,
    way: str | None = None,
    settings: Mapping[str, Any] | None = None,
    meters: Levels | None = None,
    seed_amounts: Levels | None = None,
    banker: int | None = None,
    dealer_stake: int | None = None,
    way_file: str | None = None,
    paytable_file: str | None = None,
) -> Settlement: ...


def settle(
    game: str | DealtRound | Mapping[str, Any],
    /,
    *,
    dealer: CardsLike | None = None,
    seats: Mapping[int, Seat] | None = None,
    community: CardsLike | None = None,
    paytables: Mapping[str, str] | None = None,
    way: str | None = None,
    settings: Mapping[str, Any] | None = None,
    meters: Levels | None = None,
    seed_amounts: Levels | None = None,
    banker: int | None = None,
    dealer_stake: int | None = None,
    way_file: str | None = None,
    paytable_file: str | None = None,
) -> Settlement:
    """Settle a round: what every wager returns, with the clause of the sheet that says so. Amounts are cents.

    A round is a game's name with the dealer's cards and the seats, or what `deal` dealt, or decoded JSON as
    `houseway settle` reads it; `community` are the cards in the middle, where a game has some. `paytables` names the
    table of every wager that has one, `meters` says what the meters of jackpots show (by level, or by table and level),
    `seed_amounts` what they restart with. `way_file` and `paytable_file` are a room's own house way and pay table.

    >>> settled = settle(
    ...     "fortune", dealer="As Kd Qh 9c 7d 5h 3c", seats={2: Seat("8s 8d Ah Kc Qs 4d 2h", main=2000, fortune=500)},
    ...     paytables={"fortune": "FPGP-3"},
    ... )
    >>> [(line.wager, line.outcome, line.returned) for line in settled.seat(2).lines]
    [('main', 'win', 3900), ('fortune', 'lose', 0)]
    """
    from houseway.games import read_round
    from houseway.games import settle as settle_round
    from houseway.houseways import load_house_way
    from houseway.paytables import own_paytable

    arguments = Arguments()
    own_way = None if way_file is None else arguments.read(lambda: load_house_way(way_file))
    own_table = None if paytable_file is None else arguments.read(lambda: own_paytable(paytable_file))
    arguments.refuse_if_any()
    further = {
        "dealer": dealer, "seats": seats, "community": community, "paytables": paytables, "way": way,
        "settings": settings, "meters": meters, "seed_amounts": seed_amounts, "banker": banker,
        "dealer_stake": dealer_stake,
    }  # fmt: skip
    data: object
    if isinstance(game, str):
        data = _round_json(game, further)
    else:
        if twice := [name for name, value in further.items() if value is not None]:
            message = f"the round says all of it: leave {', '.join(twice)} out, or change the round"
            raise InputError.of("conflicting-options", twice[0], message)
        data = game.to_json() if isinstance(game, DealtRound) else game
    return settle_round(read_round(data, own_way, own_table))


def _round_json(game_id: str, given: dict[str, Any]) -> dict[str, Any]:
    """A round as `read_round` takes it."""
    from houseway.definitions import find_game
    from houseway.wording import in_known_case
    from houseway.definitions import game_ids  # isort: skip

    seats: Any = given["seats"] or {}
    if not isinstance(seats, Mapping) or not all(isinstance(seat, Seat) for seat in seats.values()):
        message = 'give the seats by their numbers, as in seats={2: hw.Seat("8s 8d ...", main=2000)}'
        raise InputError.of("wrong-type", "seats", message)
    data: dict[str, Any] = {
        "game": in_known_case(game_id, game_ids()),
        "seats": [{"seat": number, **seat.to_json()} for number, seat in seats.items()],
    }
    data |= {name: _words(cards_text(given[name])) for name in ("dealer", "community") if given[name] is not None}
    data |= {
        name: given[name]
        for name in ("paytables", "way", "settings", "banker", "dealer_stake")
        if given[name] is not None
    }
    game = find_game(data["game"])
    made = dict.fromkeys(name for seat in seats.values() for name in seat.wagers)
    for key, name in (("meters", "meters"), ("seeds", "seed_amounts")):
        if given[name] is not None and game is not None:
            data[key] = levels_by_table(game, made, given["paytables"] or {}, given[name], name)
    return data


def _words(text: str) -> list[str]:
    """The cards of a text, one by one; what is none of them is told with its place later."""
    return [word for word in re.split(r"[\s,]+", text) if word]
