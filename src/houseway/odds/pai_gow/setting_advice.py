"""What every setting of a Pai Gow hand is worth: exact counts over all hands that the dealer can still have.

The player knows their own cards and whatever else was seen, such as other players' hands dealt face up; all dealer
hands out of the rest are equally likely. The best setting, the house way's setting and what it costs follow.
In Face Up Pai Gow Poker the dealer's hand is open, and every setting wins, pushes or loses for certain.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from houseway.cards.card import Card
from houseway.definitions import Game
from houseway.houseways.way import HouseWay, Setting
from houseway.odds.pai_gow.outcomes import Breaks, CellRules
from houseway.odds.pai_gow.splits import PlayerSetting, legal_settings, low_rank_of, setting_of
from houseway.ranking.reference import PAI_GOW, Ranking

if TYPE_CHECKING:
    from houseway.odds.pai_gow.dealer_tables import DealerTables
    from houseway.odds.pai_gow.layouts import Ints


@dataclass(frozen=True, slots=True)
class SettingTally:
    """How many of the dealer's hands a wager wins, pushes and loses against."""

    win: int
    push: int
    lose: int

    @classmethod
    def of(cls, cells: Ints, outcomes: Ints) -> SettingTally:
        """The sum over cells of the dealer's hands in which the wager wins (1), pushes (0) and loses (-1)."""
        won, pushed, lost = (int(cells[outcomes == outcome].sum()) for outcome in (1, 0, -1))
        return cls(won, pushed, lost)

    @property
    def total(self) -> int:
        """The number of the dealer's hands."""
        return self.win + self.push + self.lose

    def value(self, commission: Fraction = Fraction(0)) -> Fraction:
        """What a wager of one gains on average, at even money less a commission on wins.

        >>> SettingTally(win=3, push=1, lose=2).value(), SettingTally(win=3, push=1, lose=2).value(Fraction(1, 20))
        (Fraction(1, 6), Fraction(17, 120))
        """
        return (self.win * (1 - commission) - self.lose) / Fraction(self.total)


@dataclass(frozen=True, slots=True)
class Option:
    """One setting and what it is worth."""

    setting: PlayerSetting
    main: SettingTally
    value: Fraction
    """What a main wager of one gains on average."""
    raised: SettingTally | None = None
    """The raise's own outcomes, in a game that has one."""

    @property
    def double_value(self) -> Fraction:
        """What a double down of one gains on average; 0 in a game without it."""
        return Fraction(0) if self.raised is None else self.raised.value()

    @property
    def doubles(self) -> bool:
        """Whether a double down gains with this setting."""
        return self.double_value > 0

    @property
    def whole_value(self) -> Fraction:
        """What the main wager gains together with the double down, made where it gains."""
        return self.value + max(Fraction(0), self.double_value)


@dataclass(frozen=True, slots=True)
class Advice:
    """All settings of a hand, the best first, and the house way's among them."""

    options: tuple[Option, ...]
    house_way: Option
    rule: str
    """The rule of the house way that sets the hand."""
    why: str
    deals: int
    """How many hands the dealer can have."""

    @property
    def cost(self) -> Fraction:
        """What the house way's setting loses against the best one, in units of the main wager."""
        return self.options[0].value - self.house_way.value

    @property
    def best_whole(self) -> Option:
        """The setting that gains most together with the double down."""
        return max(self.options, key=lambda option: option.whole_value)


def advise(
    game: Game,
    cards: Sequence[Card],
    way: HouseWay,
    tables: DealerTables,
    *,
    ranking: Ranking = PAI_GOW,
    seen: Collection[int] = (),
    commission: Fraction | None = None,
    threads: int = 2,
) -> Advice:
    """Weigh every setting against all dealer hands out of the unknown cards; `tables` are the dealer's.

    `way` sets the player's hand for comparison. The commission counts only in a game that takes one, at the game's own
    rate unless another is given.
    """
    from houseway.odds.pai_gow.dealer_walk import count_cells

    assert game.low_cards, f"hands of {game.title} are not split"
    assert not game.dealer_cards_up, "where the dealer's hand is open, `advise_open` judges it"
    settings = legal_settings(cards, ranking)
    deck = [card for card in range(game.deck) if card not in cards and card not in seen]
    rules = CellRules.of(game)
    breaks = Breaks.around(settings, rules.high_breaks, rules.low_breaks)
    cells = count_cells(tables, deck, breaks, threads)
    rate = commission if commission is not None and game.commission is not None else game.commission_rate
    options = [_option(rules, setting, cells, breaks, rate) for setting in settings]
    return _advice(options, way.set(cards, ranking), cards, ranking)


def _option(rules: CellRules, setting: PlayerSetting, cells: Ints, breaks: Breaks, commission: Fraction) -> Option:
    """What the counted cells make of a setting."""
    main = SettingTally.of(cells, rules.main(setting, breaks))
    raised = SettingTally.of(cells, rules.raised(setting, breaks)) if rules.doubles else None
    return Option(setting, main, main.value(commission), raised)


def advise_open(
    game: Game, cards: Sequence[Card], dealer: Sequence[Card], way: HouseWay, *, ranking: Ranking = PAI_GOW
) -> Advice:
    """Judge every setting against the dealer's open hand, which is set the house way; no kernel is needed."""
    assert game.dealer_cards_up == game.cards, "the dealer's whole hand is open"
    faced = way.set(dealer, ranking)
    push = game.contest.dealer_push
    pushes = push is not None and (faced.high_value if push.part == "high" else faced.low_value) in push.hands
    options = []
    for setting in legal_settings(cards, ranking):
        won = (setting.high_value > faced.high_value) + (setting.low_rank > low_rank_of(faced.low))
        main = SettingTally(0, 1, 0) if pushes or won == 1 else SettingTally(won // 2, 0, 1 - won // 2)
        options.append(Option(setting, main, main.value()))
    return _advice(options, way.set(cards, ranking), cards, ranking)


def _advice(options: list[Option], of_way: Setting, cards: Sequence[Card], ranking: Ranking) -> Advice:
    """The options in their order; of settings of equal worth the house way's stands for all."""
    ways = setting_of(cards, of_way.low, ranking)
    listed = [replace(option, setting=ways) if option.setting.worth == ways.worth else option for option in options]
    # Of equally good settings the house way's comes first: there is no reason to leave it.
    listed.sort(
        key=lambda option: (option.value, option.whole_value, option.setting is ways, option.setting.worth),
        reverse=True,
    )
    house = next(option for option in listed if option.setting is ways)
    return Advice(tuple(listed), house, of_way.rule, of_way.why, house.main.total)
