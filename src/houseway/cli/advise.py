"""`houseway advise`: what every setting or decision is worth, the best first, and what the house way costs."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

from cyclopts import Parameter

from houseway.cards.card import Card, card_texts, descending, parse_cards
from houseway.cli.advise_output import advice_json, decision_json, number_json, print_advice
from houseway.cli.arguments import LONGEST_SHOWN, WHEELS, Arguments
from houseway.cli.hands import Cards, check_wheel, house_way_of
from houseway.cli.options import CommissionOption, WayFileOption, WheelOption
from houseway.cli.output import JsonFlag, print_json, print_problem
from houseway.ranking.reference import PAI_GOW, PAI_GOW_LOW_WHEEL, Ranking

if TYPE_CHECKING:
    from houseway.definitions import Game
    from houseway.houseways import HouseWay

_SEEN_IS_IDLE: Final = "--seen changes nothing here: all cards of the dealer lie open."
_PERCENT: Final = re.compile(r"[0-9]{1,3}(\.[0-9]{1,6})?")


def advise(
    game: Annotated[str, Parameter(help="The game's id; `houseway games` lists them.")],
    /,
    *cards: Cards,
    up: Annotated[
        str | None,
        Parameter(metavar="CARDS", help="The dealer's open cards: 3 in six-card-poker, 7 in face-up."),
    ] = None,
    seen: Annotated[
        str | None, Parameter(metavar="CARDS", help="Other players' cards that lie face up, any number of them.")
    ] = None,
    way: Annotated[
        str | None, Parameter(metavar="WAY", help="The dealer's house way instead of the game's default.")
    ] = None,
    way_file: WayFileOption = None,
    wheel: WheelOption = None,
    commission: CommissionOption = None,
    strategy: Annotated[
        bool,
        Parameter(
            negative="", show_default=False, help="Show the game's written strategy and its cost; takes no cards."
        ),
    ] = False,
    as_json: JsonFlag = False,
) -> int:
    """Weigh every setting of a hand, or playing and folding, by exact count over all hands that the dealer can have.

    Values are in units of the first wager: 0.25 means that a wager of $100 gains $25 on average.
    """
    options = (way, way_file, wheel, commission)
    if strategy:
        from houseway.cli.advise_strategy import tell_strategy

        return tell_strategy(game, (*cards, up, seen, *options), as_json=as_json)
    arguments = Arguments()
    # Loading the games takes as long as all the rest of a decision in this one; without options it needs none of them.
    played = None if game == _POKER.id and options == (None,) * 4 else arguments.game(game)
    table = _POKER if game == _POKER.id else None if played is None else _Table.of(played)
    lying = _Lying(arguments.cards(cards), _further_cards(arguments, up, "up"), _further_cards(arguments, seen, "seen"))
    wheel = arguments.choice(wheel, WHEELS, "wheel")
    rate = _commission(arguments, played, commission)
    chosen = None
    if played is not None:
        if played.ways or way is not None or way_file is not None:
            chosen = house_way_of(arguments, played, way, way_file)
        _check_way(arguments, played, chosen)
        check_wheel(arguments, played, wheel)
    if table is not None:
        _check_cards(arguments, table, lying)
    arguments.refuse_if_any()
    assert table is not None
    assert lying.cards is not None
    held, shown, others = descending(lying.cards), descending(lying.up or ()), descending(lying.seen or ())
    ranking = PAI_GOW_LOW_WHEEL if wheel == "lowest" else PAI_GOW
    if played is None or chosen is None:
        told = _decision(held, shown, others)
    elif played.dealer_cards_up:
        told = _against_open(played, held, shown, chosen, ranking)
    else:
        told = _against_hidden(played, held, others, chosen, ranking, rate)
    told |= {"game": table.id, "cards": card_texts(held), "seen": card_texts(others), "up": card_texts(shown)}
    told["notes"] = [_SEEN_IS_IDLE] if others and shown and len(shown) == table.cards else []
    print_json(told) if as_json else print_advice(told)
    return 0


# -------------------------------------------------------------------- reading


class _Table(NamedTuple):
    """What decides which cards can lie on a table of a game."""

    id: str
    title: str
    deck: int
    cards: int
    up: int

    @classmethod
    def of(cls, game: Game) -> _Table:
        return cls(game.id, game.title, game.deck, game.cards, game.dealer_cards_up)


_POKER: Final = _Table("six-card-poker", "Six Card Poker", deck=52, cards=6, up=3)


class _Lying(NamedTuple):
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
        shown = text[:LONGEST_SHOWN]
        arguments.add("bad-argument", "commission", f"{shown!r} is no percentage: write 5, or 2.5")
        return None
    rate = Fraction(text) / 100
    if rate > 1:
        arguments.add("out-of-range", "commission", f"{text}% is more than a win: give 0 to 100")
    return rate


def _check_way(arguments: Arguments, game: Game, way: HouseWay | None) -> None:
    if way is not None and way.cards != game.cards:
        message = f"the {way.id} way sets hands of {way.cards} cards: a hand of {game.title} has {game.cards}"
        arguments.add("card-count", "way_file", message)


def _check_cards(arguments: Arguments, table: _Table, lying: _Lying) -> None:
    """Whether these cards can lie on one table of the game, each once, and leave the dealer a hand."""
    if lying.cards is not None and len(lying.cards) != table.cards:
        arguments.add("card-count", "cards", f"{len(lying.cards)} cards: a hand of {table.title} has {table.cards}")
    if lying.up is not None:
        _check_up(arguments, table, lying.up)
    before: set[Card] = set()
    for path, given in lying._asdict().items():
        for card in given or ():
            if card in before:
                arguments.add("duplicate-card", path, f"{card} lies elsewhere already: a deck holds each card once")
            if card >= table.deck:
                arguments.add("joker-not-used", path, f"{table.title} is played with 52 cards, without the joker")
        before.update(given or ())
    hidden, seen = table.cards - table.up, len(lying.seen or ())
    most = table.deck - 2 * table.cards
    if seen > most:
        message = f"{seen} seen cards leave too few for the {hidden} hidden ones of the dealer: name at most {most}"
        arguments.add("too-many-seen", "seen", message)


def _check_up(arguments: Arguments, table: _Table, up: tuple[Card, ...]) -> None:
    """Whether the dealer of the game shows that many cards."""
    if not table.up:
        if up:
            message = f"the dealer of {table.title} shows no card: name what other players show as --seen"
            arguments.add("no-up-cards", "up", message)
    elif not up:
        message = f"the dealer of {table.title} shows {table.up} cards before you decide: name them as --up"
        arguments.add("missing-argument", "up", message)
    elif len(up) != table.up:
        arguments.add("card-count", "up", f"{len(up)} cards: the dealer of {table.title} shows {table.up}")


# -------------------------------------------------------------------- computing


def _against_hidden(
    game: Game,
    cards: tuple[Card, ...],
    seen: tuple[Card, ...],
    way: HouseWay,
    ranking: Ranking,
    commission: Fraction | None,
) -> dict[str, Any]:
    """The advice for a game whose dealer shows nothing."""
    from houseway.cli.kernels import announce_compiling, kernels_are_there
    from houseway.cli.progress import progress_bar
    from houseway.odds.pai_gow.advice import advise as weigh
    from houseway.odds.pai_gow.tables import tables_ahead
    from houseway.odds.running.cache import Cache

    if not kernels_are_there():
        announce_compiling()
    tables = tables_ahead(way, ranking, Cache(say=print_problem))
    announce_compiling()
    rate = game.commission_rate if commission is None else commission
    with progress_bar(f"every hand of the dealer by {way.id}"):
        laid = tables()
    advice = weigh(game, cards, way, laid, ranking=ranking, seen=seen, commission=rate)
    told = advice_json(advice, way, ranking)
    if game.commission:
        told |= number_json("commission", rate)
    return told


def _against_open(
    game: Game, cards: tuple[Card, ...], dealer: tuple[Card, ...], way: HouseWay, ranking: Ranking
) -> dict[str, Any]:
    """The advice for the game whose dealer shows all cards; what others show changes nothing."""
    from houseway.odds.pai_gow.advice import advise_open

    return advice_json(advise_open(game, cards, descending(dealer), way, ranking=ranking), way, ranking)


def _decision(cards: tuple[Card, ...], up: tuple[Card, ...], seen: tuple[Card, ...]) -> dict[str, Any]:
    """The advice for Six Card Poker: play or fold."""
    from houseway.odds.six_card_poker.decision import decision

    return decision_json(decision(cards, up, seen))
