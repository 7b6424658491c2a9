"""What the cases of the seven-card games share: switches, and checks of rules that several sheets state alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from importlib import import_module

from houseway.cards import DECK_53, JOKER, Card, parse_cards
from houseway.cards import modes as shuffler_modes
from houseway.cards.modes import MODES, ShufflerMode, shuffler_mode
from houseway.cards.shuffler import Deal, deal_in_order
from houseway.errors import InputError
from houseway.games import game
from houseway.games.limits import DatedLimits
from houseway.games.model import Contest, Line, Round, Seat, Wager
from houseway.houseways import house_way
from houseway.houseways.evaluate import Evaluator, ReferenceEvaluator
from houseway.paytables import PayTable, paytable
from houseway.ranking.reference import Ranking
from tests.rules.felt import line, play, refusals, seat
from tests.rules.harness import Switch, replaced

SEVEN_CARD = ("fortune", "commission-free-fortune", "face-up")
BANKED = ("fortune", "commission-free-fortune")
SEED = bytes(range(32))
settling = import_module("houseway.games.settle")


# Switches


def in_settle(name: str, value: object) -> Switch:
    """Replace a name in the module that settles; its path as text would find the function of the same name."""
    return lambda monkeypatch: monkeypatch.setattr(settling, name, value)


def game_with(game_id: str, **changes: object) -> Switch:
    """The game with other data."""
    changed = replace(game(game_id), **changes)
    return replaced("houseway.games.rounds.find_game", lambda asked: changed if asked == game_id else game(asked))


def wager_with(game_id: str, name: str, **changes: object) -> Switch:
    """The game with other data for one of its wagers."""
    wagers = (replace(wager, **changes) if wager.name == name else wager for wager in game(game_id).wagers)
    return game_with(game_id, wagers=tuple(wagers))


def not_offered(game_id: str, name: str) -> Switch:
    """The game without one of its wagers."""
    return game_with(game_id, wagers=tuple(wager for wager in game(game_id).wagers if wager.name != name))


def resolved_last(game_id: str, name: str) -> Switch:
    """The game with a wager resolved after all others and after envy."""
    order = game(game_id).line_order
    return game_with(game_id, line_order=(*(each for each in order if each != name), name))


def required(name: str) -> Switch:
    """Another wager than the standard one is what every player must make."""
    return replaced("houseway.games.model.Game.first_wager", property(lambda played: played.wager(name)))


def table_with(table_id: str, change: Callable[[PayTable], PayTable]) -> Switch:
    """A pay table that says something else."""
    changed = change(paytable(table_id))
    return replaced("houseway.games.tables.paytable", lambda asked: changed if asked == table_id else paytable(asked))


def line_with(table_id: str, hand: str, **changes: object) -> Switch:
    """A pay table with one line changed."""

    def change(table: PayTable) -> PayTable:
        return replace(table, lines=tuple(replace(ln, **changes) if ln.hand == hand else ln for ln in table.lines))

    return table_with(table_id, change)


def table_for(table_id: str, *games: str) -> Switch:
    """A pay table that belongs to other games."""
    return table_with(table_id, lambda table: replace(table, games=games))


def modes_with(**changes: object) -> Switch:
    """All shuffler modes with other data."""
    return replaced("houseway.cards.modes.MODES", tuple(replace(mode, **changes) for mode in MODES))


NO_DATED_LIMIT = replaced("houseway.games.settings.limits_on", lambda day, licence: DatedLimits())
NO_NUMBER_OF_GAMES = replaced("houseway.games.settings.Settings.games_allowed", property(lambda settings: None))
OTHER_HOUSE_WAY = replaced("houseway.games.rounds.house_way", lambda _: house_way("sixes-together"))


class JokerAs(ReferenceEvaluator):
    """Hands in which the joker stands for the best of some cards, and for nothing else."""

    def __init__(self, stand_ins: Iterable[Card]) -> None:
        self.stand_ins = tuple(stand_ins)

    def played(self, cards: Sequence[int], ranking: Ranking) -> Sequence[int]:
        naturals = [card for card in cards if card != JOKER]
        choices = [[*naturals, card] for card in self.stand_ins if card not in naturals]
        if JOKER not in cards or not choices:
            return cards
        return max(choices, key=lambda hand: super(JokerAs, self).value_of_best(hand, ranking))

    def value_of_best(self, cards: Sequence[int], ranking: Ranking) -> int:
        return super().value_of_best(self.played(cards, ranking), ranking)

    def names_fitted(self, cards: Sequence[int], ranking: Ranking) -> frozenset[str]:
        return super().names_fitted(self.played(cards, ranking), ranking)


ACES = parse_cards("As Ah Ad Ac")
JOKER_COMPLETES_NOTHING = in_settle("TableEvaluator", lambda: JokerAs(ACES))
JOKER_IS_NO_ACE = in_settle("TableEvaluator", lambda: JokerAs(card for card in DECK_53[:52] if card not in ACES))
JOKER_IS_WILD = in_settle("TableEvaluator", lambda: JokerAs(DECK_53[:52]))


def opponent(choose: Callable[[Contest], object]) -> Switch:
    """The players' wagers face another hand."""

    def open_contest(round_: Round, evaluator: Evaluator) -> Contest:
        contest: Contest = OPEN_CONTEST(round_, evaluator)
        return replace(contest, opponent=choose(contest))

    return in_settle("_open_contest", open_contest)


OPEN_CONTEST = settling._open_contest
ENVY_TRIGGERS = settling.envy_triggers
ENVY_LINES = settling.envy_lines


def own_hand_brings_envy(contest: Contest, wager: Wager, seated: Seat, triggers: object) -> list[Line]:
    """Envy as if the player's own hand were somebody else's."""
    return list(ENVY_LINES(contest, wager, replace(seated, number=0), triggers))


def dealer_brings_envy(contest: Contest, wager: Wager) -> list[tuple[int, int, str]]:
    """Envy as if the dealer sat at the table as a player."""
    return list(ENVY_TRIGGERS(replace(contest, hands={**contest.hands, 0: contest.dealer}), wager))


OWN_HAND_BRINGS_ENVY = in_settle("envy_lines", own_hand_brings_envy)
DEALER_BRINGS_ENVY = in_settle("envy_triggers", dealer_brings_envy)
ENVY_AT_ANY_STAKE = replaced("houseway.games.bonus.envies", lambda contest, wager, stake: True)
ENVY_FOR_ANY_PAID_HAND = replaced(
    "houseway.games.bonus.envy_of",
    lambda table, hand: (500, hand.best_name) if table.line_for(hand.names) else (0, ""),
)
ONE_ENVY_A_ROUND = in_settle("envy_triggers", lambda contest, wager: ENVY_TRIGGERS(contest, wager)[:1])


# What several sheets say in the same words


def mode_of(game_id: str) -> ShufflerMode:
    return shuffler_mode(game(game_id).shuffler_mode)


def deal_from_shoe(game_id: str, order: Iterable[Card], **rest: object) -> Deal | None:
    """A deal by hand, or None if it is refused."""
    try:
        return deal_in_order(shuffler_modes.shoe(mode_of(game_id)), order, **rest)
    except InputError:
        return None


NO_SHUFFLE = replaced("houseway.cards.shuffler.shuffle", lambda order, stream: None)
NO_SHOE = replaced("houseway.cards.modes.shoe", lambda mode: mode)


ONLY_THE_SEATED = replaced(
    "houseway.cards.modes.ShufflerMode.places", lambda mode, occupied, start, numbering: [*occupied, 0]
)
PACKETS_OF_SIX = modes_with(packet_size=6)


def check_seven_packets_of_seven(game_id: str) -> None:
    """From position 3, which is seat 5, counter-clockwise to every position, though only seat 2 is taken."""
    dealt = deal_from_shoe(game_id, DECK_53, seats=[2], start_position=3)
    assert dealt is not None
    assert [packet.place for packet in dealt.packets] == [5, 4, 3, 2, 1, 0, 6]
    assert [len(packet.cards) for packet in dealt.packets] == [7] * 7
    assert len(dealt.leftover) == 53 - 49


NO_JOKER_IN_THE_DECK = modes_with(deck=DECK_53[:52])
DECK_AND_JOKER = (NO_JOKER_IN_THE_DECK, JOKER_COMPLETES_NOTHING, JOKER_IS_NO_ACE, JOKER_IS_WILD)


def check_deck_and_joker(game_id: str) -> None:
    """Fortune table 1 pays a straight 2, a flush 4, a straight flush 50 and three of a kind 3 to 1."""
    assert sorted(mode_of(game_id).deck) == sorted(DECK_53)
    assert len(set(DECK_53)) == 53
    for cards, hand, returned in (
        ("Jk 9s 8d 7c 5h Kd 2c", "straight", 3000),
        ("Jk Kh 9h 6h 3h 8s 2c", "flush", 5000),
        ("Jk 9h 8h 7h 6h 2s Kd", "straight-flush", 51000),
        ("Jk As Ad 9c 7h 4s 2c", "three-of-a-kind", 4000),
        # Beside a pair of nines the joker is an ace and no third nine.
        ("Jk 9s 9d Kc 7h 4s 2c", "pair", 0),
    ):
        settled = play(
            game_id, "Qs Qd Jc Tc 8c 4d 3s", seat(1, cards, main=1000, fortune=1000), paytables={"fortune": "FPGP-1"}
        )
        bonus = line(settled, 1, "fortune")
        assert (bonus.hand, bonus.returned) == (hand, returned)


# Two pair of sixes and under: split, since no king or better can go in front.
SMALL_TWO_PAIR = "6s 6d 3h 3c Qh Jh 9c"


def check_banker_is_set_the_house_way(game_id: str) -> None:
    dealer, player = "Kh Tc 7s 5c 4h 2h 8d", seat(1, "Ks Kd Ah 8c 6h 5d 3s", "Ah 8c", main=1000)
    own_low = seat(2, SMALL_TWO_PAIR, "Qh Jh")
    assert refusals(game_id, dealer, player, own_low, banker=2) == {"banker-low"}
    hand = play(game_id, dealer, player, seat(2, SMALL_TWO_PAIR), banker=2).seat(2).hand
    assert set(hand.low) == set(parse_cards("3h 3c"))


BANKER_HOUSE_WAY = (OTHER_HOUSE_WAY, replaced("houseway.games.rounds._read_banker", lambda number, *rest: number))
