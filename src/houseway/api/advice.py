"""What every setting or decision of a hand is worth, the best first, and what the house way costs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from houseway.api.advice_json import advice_json, decision_json, number_json
from houseway.api.arguments import WHEELS, Arguments, CardsLike, cards_text
from houseway.api.hands import check_wheel, house_way_of, pai_gow
from houseway.api.telling import LOG, Teller, told_in_python
from houseway.cards.card import Card, card_texts, descending, parse_cards
from houseway.errors import present
from houseway.reading.places import excerpt

if TYPE_CHECKING:
    from houseway.definitions import Game
    from houseway.houseways import HouseWay
    from houseway.odds.pai_gow.setting_advice import Advice, Option
    from houseway.odds.six_card_poker.decision import FoldDecision
    from houseway.ranking.reference import Ranking

_SEEN_IS_IDLE: Final = "--seen changes nothing here: all of the dealer's cards are face up."
_PERCENT: Final = re.compile(r"[0-9]{1,3}(\.[0-9]{1,6})?")


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to play a hand, and what it gains on average in units of the first wager."""

    action: str
    """set, play or fold."""
    value: Fraction
    high: tuple[Card, ...] = ()
    low: tuple[Card, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict, repr=False)
    """How many of the dealer's hands it wins, pushes and loses against."""
    double_value: Fraction | None = None
    """What a double down gains beside it, in the game that has one."""


@dataclass(frozen=True, slots=True)
class HandAdvice:
    """All ways to play a hand, the best first."""

    game: str
    cards: tuple[Card, ...]
    best: Choice
    cost: Fraction | None
    """What the house way's setting loses against the best one; None where hands are not set."""
    choices: tuple[Choice, ...] = field(repr=False)
    house_way: Choice | None = field(repr=False)
    rule: str | None = field(repr=False)
    """The rule of the house way that sets the hand."""
    deals: int = field(repr=False)
    """How many hands the dealer can have."""
    _json: Mapping[str, Any] = field(repr=False)

    def to_json(self) -> dict[str, Any]:
        """The advice as `houseway advise --json` prints it."""
        return dict(self._json)


@told_in_python
def advise(
    game: str,
    cards: CardsLike,
    *,
    up: CardsLike | None = None,
    seen: CardsLike | None = None,
    way: str | None = None,
    way_file: str | None = None,
    wheel: str | None = None,
    commission: int | str | Fraction | None = None,
) -> HandAdvice:
    """Weigh every setting of a hand, or playing against folding, by an exact count of all hands the dealer can have.

    `up` are the dealer's open cards, `seen` other players' cards that lie face up; `way` or `way_file` is the dealer's
    house way, `commission` the room's in percent. Where the dealer shows nothing this needs the `kernels` extra.

    >>> advise("six-card-poker", "Ks Qd Jc 8h 6s 3d", up="9h 7d 2s").best
    Choice(action='fold', value=Fraction(-1, 1), high=(), low=(), double_value=None)
    """
    percent = commission
    if isinstance(percent, Fraction):
        from houseway.odds.distribution import decimal_text

        percent = decimal_text(percent, 6)
    rate = None if percent is None else str(percent)
    return weigh(game, cards, _maybe(up), _maybe(seen), way, way_file, wheel, rate, LOG)


def _maybe(cards: CardsLike | None) -> str | None:
    return None if cards is None else cards_text(cards)


def weigh(
    game: str,
    cards: CardsLike,
    up: str | None,
    seen: str | None,
    way: str | None,
    way_file: str | None,
    wheel: str | None,
    commission: str | None,
    teller: Teller,
) -> HandAdvice:
    """The advice for arguments as they are written."""
    arguments = Arguments()
    played = arguments.game(game)
    lying = _OpenCards(
        arguments.cards(cards), _further_cards(arguments, up, "up"), _further_cards(arguments, seen, "seen")
    )
    place = arguments.choice(wheel, WHEELS, "wheel")
    rate = _commission(arguments, played, commission)
    chosen = None
    if played is not None:
        if played.ways or way is not None or way_file is not None:
            chosen = house_way_of(arguments, played, way, way_file)
        _check_way(arguments, played, chosen)
        check_wheel(arguments, played, place)
        _check_cards(arguments, played, lying)
    arguments.refuse_if_any()
    played, held = present(played, "game"), descending(present(lying.cards, "hand"))
    shown, others = descending(lying.up or ()), descending(lying.seen or ())
    notes = [_SEEN_IS_IDLE] if others and shown and len(shown) == played.cards else []
    told: dict[str, Any]
    further = {"game": played.id, "cards": card_texts(held), "seen": card_texts(others), "up": card_texts(shown)}
    if chosen is None:
        return _decided(played, held, _decision(played, held, shown, others), further, notes)
    ranking = pai_gow(place)
    if played.dealer_cards_up:
        found = _against_open(played, held, shown, chosen, ranking)
        told = advice_json(found, played, chosen, ranking)
    else:
        charged = played.commission_rate if rate is None else rate
        found = _against_hidden(played, held, others, chosen, ranking, charged, teller)
        told = advice_json(found, played, chosen, ranking)
        if played.commission:
            told |= number_json("commission", charged)
    return HandAdvice(
        played.id,
        held,
        _choice(found.options[0]),
        found.cost,
        tuple(map(_choice, found.options)),
        _choice(found.house_way),
        found.rule,
        found.deals,
        told | further | {"notes": notes},
    )


def _choice(option: Option) -> Choice:
    main = option.main
    return Choice(
        "set",
        option.value,
        descending(option.setting.high),
        descending(option.setting.low),
        {"win": main.win, "push": main.push, "lose": main.lose},
        None if option.raised is None else option.double_value,
    )


def _decided(
    game: Game, held: tuple[Card, ...], found: FoldDecision, further: dict[str, Any], notes: list[str]
) -> HandAdvice:
    choices = tuple(
        Choice(action, value, counts=dict(found.counts) if action != "fold" else {})
        for action, value in found.values.items()
    )
    told = decision_json(found) | further | {"notes": notes}
    return HandAdvice(game.id, held, choices[0], None, choices, None, None, found.completions, told)


class _OpenCards(NamedTuple):
    """The cards that lie open for the player; None where they could not be read."""

    cards: tuple[Card, ...] | None
    up: tuple[Card, ...] | None
    seen: tuple[Card, ...] | None


def _further_cards(arguments: Arguments, text: str | None, path: str) -> tuple[Card, ...] | None:
    """The cards of an option; none where it was not given."""
    return () if text is None else arguments.read(lambda: parse_cards(text, path))


def _commission(arguments: Arguments, game: Game | None, text: str | None) -> Fraction | None:
    """The commission as a share of a win; None where the usual one counts."""
    if text is None:
        return None
    if game is not None and not game.commission:
        arguments.add("setting-not-allowed", "commission", f"{game.title} takes no commission: leave it out")
    if not _PERCENT.fullmatch(text):
        shown = excerpt(text)
        arguments.add("bad-argument", "commission", f"{shown!r} is not a percentage: write 5, or 2.5")
        return None
    rate = Fraction(text) / 100
    if rate > 1:
        arguments.add("out-of-range", "commission", f"{text}% is more than a win: give 0 to 100")
    return rate


def _check_way(arguments: Arguments, game: Game, way: HouseWay | None) -> None:
    if way is not None and way.cards != game.cards:
        message = f"the {way.id} way sets hands of {way.cards} cards: a hand of {game.title} has {game.cards}"
        arguments.add("card-count", "way_file", message)


def _check_cards(arguments: Arguments, game: Game, lying: _OpenCards) -> None:
    """Whether these cards can lie on one table of the game, each once, and leave the dealer a hand."""
    if lying.cards is not None and len(lying.cards) != game.cards:
        arguments.add("card-count", "cards", f"{len(lying.cards)} cards: a hand of {game.title} has {game.cards}")
    if lying.up is not None:
        _check_up(arguments, game, lying.up)
    before: set[Card] = set()
    for path, given in lying._asdict().items():
        for card in given or ():
            if card in before:
                arguments.add("duplicate-card", path, f"{card} lies elsewhere already: a deck holds each card once")
            if card >= game.deck:
                message = f"{game.title} is played with {game.deck} cards, without the joker"
                arguments.add("joker-not-used", path, message)
        before.update(given or ())
    hidden, seen = game.cards - game.dealer_cards_up, len(lying.seen or ())
    most = game.deck - 2 * game.cards
    if seen > most:
        message = f"{seen} seen cards leave too few for the {hidden} hidden ones of the dealer: name at most {most}"
        arguments.add("too-many-seen", "seen", message)


def _check_up(arguments: Arguments, game: Game, up: tuple[Card, ...]) -> None:
    """Whether the dealer of the game shows that many cards."""
    if not game.dealer_cards_up:
        if up:
            message = f"the dealer of {game.title} shows no card: name what other players show as --seen"
            arguments.add("no-up-cards", "up", message)
    elif not up:
        message = f"the dealer of {game.title} shows {game.dealer_cards_up} cards before you decide: name them as --up"
        arguments.add("missing-argument", "up", message)
    elif len(up) != game.dealer_cards_up:
        arguments.add("card-count", "up", f"{len(up)} cards: the dealer of {game.title} shows {game.dealer_cards_up}")


def _against_hidden(
    game: Game,
    cards: tuple[Card, ...],
    seen: tuple[Card, ...],
    way: HouseWay,
    ranking: Ranking,
    commission: Fraction,
    teller: Teller,
) -> Advice:
    """The advice for a game whose dealer shows nothing."""
    if find_spec("numba") is None or find_spec("numpy") is None:
        teller.announce_compiling()
    from houseway.odds.pai_gow.dealer_tables import tables_ahead
    from houseway.odds.pai_gow.setting_advice import advise as weigh_settings
    from houseway.odds.running.cache import Cache

    tables = tables_ahead(way, ranking, Cache(say=teller.say))
    teller.announce_compiling()
    with teller.follow(f"every hand of the dealer by {way.id}"):
        laid = tables()
    return weigh_settings(game, cards, way, laid, ranking=ranking, seen=seen, commission=commission)


def _against_open(
    game: Game, cards: tuple[Card, ...], dealer: tuple[Card, ...], way: HouseWay, ranking: Ranking
) -> Advice:
    """The advice for the game whose dealer shows all cards; what others show changes nothing."""
    from houseway.odds.pai_gow.setting_advice import advise_open

    return advise_open(game, cards, descending(dealer), way, ranking=ranking)


def _decision(game: Game, cards: tuple[Card, ...], up: tuple[Card, ...], seen: tuple[Card, ...]) -> FoldDecision:
    """The advice for a game in which a player folds or plays."""
    from houseway.odds.six_card_poker.decision import decision

    return decision(cards, up, seen, game=game)
