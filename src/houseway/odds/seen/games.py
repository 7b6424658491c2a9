"""The games whose face-up dealing is analysed: for each a deal, the decisions of its player, and their payoff.

Nothing here knows of pay tables or of a table's seats. A further game needs what `SeenGame` asks for: how many cards
lie where, and what every decision gains in total over all ways in which the hidden cards can fall.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, Final, Protocol

from houseway.cards.card import ALL_CARDS
from houseway.definitions import Game, game, shipped_games
from houseway.houseways import house_way
from houseway.odds.contest_facts import contest_texts, raise_texts
from houseway.odds.pai_gow.dealer_tables import DealerTables, dealer_tables
from houseway.odds.pai_gow.outcomes import Breaks, CellRules
from houseway.odds.pai_gow.split_games import contest_wagers
from houseway.odds.pai_gow.splits import PlayerSetting, legal_settings, undominated
from houseway.odds.six_card_poker.fold_rules import fold_or_play_game, rules_of
from houseway.ranking import fast
from houseway.ranking.reference import PAI_GOW, STANDARD

if TYPE_CHECKING:
    from houseway.odds.pai_gow.layouts import Ints
    from houseway.odds.running.cache import Cache


@dataclass(frozen=True, slots=True)
class SeenQuestion:
    """What is asked about a deal: a game and the wagers that its player decides on."""

    game: str
    wagers: str
    commission: int = 0
    """What the house keeps of a win, in percent: it decides which setting is best, so each rate is a question."""

    @property
    def unit(self) -> int:
        """Payoffs are whole numbers of this part of the first wager: of a hundredth where a commission is taken."""
        return 100 if self.commission else 1


class SeenGame(Protocol):
    """A game for analysis. Several questions may share one deal, where the same walk answers them."""

    @property
    def name(self) -> str:
        """A short name of this kind of deal, fit for a file name."""

    @property
    def questions(self) -> tuple[SeenQuestion, ...]:
        """The questions that are answered for every deal."""

    @property
    def deck(self) -> int:
        """How many cards the deck has, numbered from 0."""

    @property
    def own(self) -> int:
        """How many cards the player holds, as do the other players."""

    @property
    def open(self) -> int:
        """How many further cards the player sees in any case, such as the dealer's."""

    @property
    def hidden(self) -> int:
        """How many cards decide the outcome and are unknown."""

    @property
    def fingerprint(self) -> str:
        """All that the payoffs depend on besides the cards."""

    def ready(self, cache: Cache | None) -> None:
        """Get tables at hand before the first question."""

    def payoffs(self, own: Sequence[int], open_cards: Sequence[int], decks: Ints) -> list[Ints] | None:
        """For every question what each decision gains in total over all hidden cards out of a deck.

        `decks` has one deck a row; an answer has a row for every deck and a column for every decision, the same
        decisions whatever the decks. None if no question leaves anything to decide.
        """


@dataclass(frozen=True, slots=True)
class PaiGow:
    """Pai Gow games that share a deck and a dealer: the player chooses a setting, and whether to double down."""

    name: str
    way: str
    questions: tuple[SeenQuestion, ...]

    @property
    def deck(self) -> int:
        """The deck that the games share."""
        return game(self.questions[0].game).deck

    @property
    def own(self) -> int:
        """As many cards as the way sets."""
        return house_way(self.way).cards

    @property
    def open(self) -> int:
        """The dealer shows nothing."""
        return 0

    @property
    def hidden(self) -> int:
        """The dealer's whole hand."""
        return self.own

    @property
    def fingerprint(self) -> str:
        """The dealer's house way and the games' facts; the place of A-2-3-4-5 is the default, second-highest."""
        played = {asked.game: game(asked.game) for asked in self.questions}
        return " | ".join([house_way(self.way).fingerprint, *map(_facts, played.values())])

    def ready(self, cache: Cache | None) -> None:
        """Open the dealer's tables, once in a process."""
        if self.way not in _TABLES:
            _TABLES[self.way] = dealer_tables(house_way(self.way), PAI_GOW, cache)

    def payoffs(self, own: Sequence[int], open_cards: Sequence[int], decks: Ints) -> list[Ints] | None:
        """The totals of the settings that no other dominates, and of each with the double down where it is asked."""
        from houseway.odds.pai_gow.dealer_walk import count_cells_of_decks

        assert not open_cards
        settings = undominated(legal_settings([ALL_CARDS[card] for card in own]))
        rules = [CellRules.of(game(question.game)) for question in self.questions]
        doubling = any("+" in question.wagers for question in self.questions)
        if len(settings) == 1 and not doubling:
            return None
        highs = {value for rule in rules for value in rule.high_breaks}
        lows = {rank for rule in rules for rank in rule.low_breaks}
        breaks = Breaks.around(settings, highs, lows)
        cells = count_cells_of_decks(_TABLES[self.way], decks, breaks)
        return [
            cells @ _payoffs_in_cells(question, rule, settings, breaks).T
            for question, rule in zip(self.questions, rules, strict=True)
        ]


_TABLES: dict[str, DealerTables] = {}


def _payoffs_in_cells(question: SeenQuestion, rules: CellRules, settings: list[PlayerSetting], breaks: Breaks) -> Ints:
    """What every decision gains in each cell: a row for a decision."""
    import numpy as np

    main = np.stack([rules.main(setting, breaks).ravel() for setting in settings])
    if question.commission:
        return np.where(main > 0, question.unit - question.commission, question.unit) * main
    if "+" not in question.wagers:
        return main
    double = np.stack([rules.raised(setting, breaks).ravel() for setting in settings])
    return np.concatenate([main, main + double])


@dataclass(frozen=True, slots=True)
class SeenFoldOrPlay:
    """A game of whole hands: some of the dealer's cards are open, and the player folds or plays for one more wager."""

    name: str

    @property
    def questions(self) -> tuple[SeenQuestion, ...]:
        """The first wager, and the raise of a player who does not fold."""
        return (SeenQuestion(self.name, contest_wagers(game(self.name))),)

    @property
    def deck(self) -> int:
        """The deck of the game."""
        return game(self.name).deck

    @property
    def own(self) -> int:
        """A whole hand."""
        return game(self.name).cards

    @property
    def open(self) -> int:
        """The dealer's cards that lie open."""
        return game(self.name).dealer_cards_up

    @property
    def hidden(self) -> int:
        """The dealer's other cards."""
        return self.own - self.open

    @property
    def fingerprint(self) -> str:
        """The facts of the game."""
        return _facts(game(self.name))

    @property
    def _qualifier(self) -> int:
        qualifying = rules_of(game(self.name)).qualifying
        return 0 if qualifying is None else qualifying.start

    def ready(self, cache: Cache | None) -> None:
        """No table is needed."""

    def payoffs(self, own: Sequence[int], open_cards: Sequence[int], decks: Ints) -> list[Ints] | None:
        """The totals of folding and of playing."""
        import numpy as np

        from houseway.odds.seen.seen_kernels import play_totals

        totals = np.empty((len(decks), 2), np.int64)
        totals[:, 0] = -comb(decks.shape[1], self.hidden)
        played = np.empty(len(decks), np.int64)
        value = fast.value_of_best(own, STANDARD)
        play_totals(value, np.array(open_cards, np.int64), decks, self._qualifier, played)
        totals[:, 1] = played
        return [totals]


def _facts(played: Game) -> str:
    return f"{played.id}: {'; '.join([*contest_texts(played), *raise_texts(played)])}"


def split_deal(cards: int) -> PaiGow:
    """The games whose hands of so many cards are split against a hidden dealer's hand, with all their questions."""
    split = [played for played in shipped_games() if played.cards == cards and played.low_cards]
    shared = [played for played in split if not played.dealer_cards_up]
    questions: list[SeenQuestion] = []
    for played in shared:
        plain = contest_wagers(played, raised=False)
        if played.commission is not None:
            questions.append(SeenQuestion(played.id, plain, played.commission.percent))
        questions.append(SeenQuestion(played.id, plain))
        if played.raise_wager is not None:
            questions.append(SeenQuestion(played.id, contest_wagers(played)))
    return PaiGow(f"{_NUMBERS[cards]}-card", shared[0].ways[0], tuple(questions))


_NUMBERS: Final = {6: "six", 7: "seven"}


def fold_or_play_deal() -> SeenFoldOrPlay:
    """The game of whole hands in which a player folds or plays."""
    return SeenFoldOrPlay(fold_or_play_game().id)
