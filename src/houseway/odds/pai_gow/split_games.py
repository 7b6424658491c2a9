"""The games that one pass over all deals answers: they share deck and hands, and differ in what pushes and qualifies.

Of seven cards there are three: one in which no dealer's hand pushes, one in which some low hands do, and one in which
the dealer's hand lies open and some high hands do. Of six cards there is one, with a raise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from houseway.definitions import Game, HandSpan, low_ranks_of, low_values, shipped_games, span_of
from houseway.errors import MissingPartError
from houseway.odds.contest_facts import facts_of
from houseway.ranking.hand_names import name_of_low

NO_PAIR: Final = span_of("less than a pair")


@dataclass(frozen=True, slots=True)
class SevenCardGames:
    """The three games of seven cards, and the bounds by which their rules tell the dealer's hands apart."""

    plain: Game
    pushing_low: Game
    pushing_high: Game
    low_push: range
    """The ranks of the low hands that push."""
    high_push: HandSpan
    low_look: range
    """The ranks of the low hands at which a bonus wager looks."""

    @property
    def ids(self) -> tuple[str, str, str]:
        """The ids of the games, in the order of the counts."""
        return self.plain.id, self.pushing_low.id, self.pushing_high.id


def split_games(cards: int) -> tuple[Game, ...]:
    """The shipped games whose hands of so many cards are split into high and low."""
    return tuple(game for game in shipped_games() if game.cards == cards and game.contest.parts == ("high", "low"))


def uncounted_split(game: Game) -> str | None:
    """What a contest of split hands has that the counts and kernels are not made for; None where there is nothing."""
    contest, raised = game.contest, game.raise_wager
    qualifier, push = contest.qualifier, contest.dealer_push
    for amiss, what in (
        (contest.parts != ("high", "low"), f"hands that are compared by their {' and '.join(contest.parts)}"),
        (contest.tie != "dealer", "copies that do not go to the dealer"),
        (game.low_cards == 1 and not contest.joker_low_wins, "a joker alone in front that does not win"),
        (push is not None and push.part == "best", "a dealer's hand that pushes by its best five cards"),
        (
            qualifier is not None and qualifier.part != "high",
            "a dealer who qualifies by another hand than the high one",
        ),
        (
            qualifier is not None and not qualifier.hands.is_open_above,
            "no least hand with which the dealer qualifies",
        ),
        (game.first_wager.needs_qualifier, f"a {game.first_wager.name} wager that needs a dealer who qualifies"),
        (
            raised is not None and raised.needs_qualifier == (qualifier is None),
            "a raise and a qualifier that do not belong together",
        ),
    ):
        if amiss:
            return what
    return None


def check_split_contest(game: Game) -> None:
    """Refuse a contest of split hands that is not counted, by its game: MissingPartError."""
    what = uncounted_split(game)
    if what is not None:
        raise MissingPartError(f"{game.title} is not counted with {what}")


def seven_card_games() -> SevenCardGames:
    """The seven-card games; MissingPartError where a definition asks for what this count does not know."""
    plain = _only("no dealer's hand pushes", lambda game: not game.dealer_cards_up and game.contest.dealer_push is None)
    low = _only("low hands push", lambda game: not game.dealer_cards_up and _pushing_part(game) == "low")
    high = _only(
        "the dealer's open high hands push", lambda game: bool(game.dealer_cards_up) and _pushing_part(game) == "high"
    )
    low_push, high_push = low.contest.dealer_push, high.contest.dealer_push
    assert low_push is not None
    assert high_push is not None
    looks = [wager.look for game in (plain, low, high) for wager in game.wagers if wager.look is not None]
    for look in looks:
        if look.at == "dealer-best" and look.hands != NO_PAIR:
            raise MissingPartError(f"there is no count of dealer's hands that are {look.hands and look.hands.text}")
    lows = next((look.hands for look in looks if look.at == "dealer-low" and look.hands is not None), low_push.hands)
    return SevenCardGames(
        plain,
        low,
        high,
        low_ranks_of(low_push.hands, low.low_cards),
        high_push.hands,
        low_ranks_of(lows, low.low_cards),
    )


def names_of_lows(ranks: range, cards: int) -> list[str]:
    """The names of low hands, by their ranks among all."""
    values = low_values(cards)
    return list(dict.fromkeys(name_of_low(values[rank]) for rank in ranks))


def six_card_qualifier() -> int:
    """The least high hand with which the dealer of the six-card game qualifies for the raise."""
    found = [game for game in split_games(6) if game.contest.qualifier is not None]
    qualifier = found[0].contest.qualifier if found else None
    if qualifier is None or any(game.contest.dealer_push for game in found):
        raise MissingPartError("there is no solver for the six-card game as it is defined")
    for game in found:
        check_split_contest(game)
    return qualifier.hands.start


def contest_wagers(game: Game, *, raised: bool = True) -> str:
    """The wagers that the contest decides, as results name them: the first, and with it the raise, if any."""
    raises = game.raise_wager if raised else None
    return game.first_wager.name if raises is None else f"{game.first_wager.name}+{raises.name}"


def contest_facts(cards: int) -> dict[str, str]:
    """By game, all facts of its definition that decide a count, as a text."""
    return {game.id: facts_of(game) for game in split_games(cards)}


def _pushing_part(game: Game) -> str | None:
    return None if game.contest.dealer_push is None else game.contest.dealer_push.part


def _only(kind: str, fits: Callable[[Game], bool]) -> Game:
    """The one game of seven cards of a kind."""
    found = [game for game in split_games(7) if game.contest.tie == "dealer" and fits(game)]
    if len(found) != 1:
        raise MissingPartError(f"there is no solver for {len(found)} seven-card games in which {kind}")
    return found[0]
