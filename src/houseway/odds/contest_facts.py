"""The facts of a game's definition on which a count rests, as texts: every file of shipped results carries them.

A result whose facts are no longer those of the definition is not used.
"""

from __future__ import annotations

from houseway.definitions import Game, Look


def contest_texts(game: Game) -> list[str]:
    """The facts that decide how hands meet: what is compared, who gets ties, what pushes and what qualifies."""
    contest, push, qualifier = game.contest, game.contest.dealer_push, game.contest.qualifier
    return [
        f"compare {' and '.join(contest.parts)}",
        f"ties to {contest.tie}",
        *(["a joker low wins"] if contest.joker_low_wins else []),
        *([f"{push.part} {push.hands.text} pushes"] if push is not None else []),
        *([f"{qualifier.part} {qualifier.hands.text} qualifies"] if qualifier is not None else []),
        *([f"{game.dealer_cards_up} cards open"] if game.dealer_cards_up else []),
    ]


def look_text(look: Look) -> str:
    """What a wager looks at."""
    tie = ", a tie pushes" if look.tie == "push" else ""
    return f"look at {look.at}: {look.hands.text if look.hands else 'any'}, beaten by {look.beaten_by}{tie}"


def facts_of(game: Game) -> str:
    """The facts of a game that decide how its contest and its looks at more than the player's own hand end."""
    looks = [wager.look for wager in game.wagers if wager.look is not None and wager.look.at != "player-best"]
    return "; ".join([*contest_texts(game), *map(look_text, looks)])


def raise_texts(game: Game) -> list[str]:
    """The facts that decide what a raise may do, and which wagers go back where the dealer does not qualify."""
    return [
        *(
            f"{wager.name} raises {wager.raises.of}{' instead of a fold' if wager.raises.instead_of_fold else ''}"
            for wager in game.wagers
            if wager.raises is not None
        ),
        *(f"{wager.name} needs a dealer who qualifies" for wager in game.wagers if wager.needs_qualifier),
    ]
