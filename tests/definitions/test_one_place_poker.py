"""One fact of Six Card Poker is replaced, and settlement, simulation, advice and exact counts follow."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from houseway.cards.card import ALL_CARDS, Card, card_texts
from houseway.definitions import Clauses, Game, Look, Wager, defined_as, game, span_of
from houseway.errors import MissingPartError
from houseway.games import settle_json
from houseway.odds.questions import OddsQuestion, answer
from houseway.odds.seen.gains import shipped_gains
from houseway.odds.six_card_poker.bad_beat import losing_hands
from houseway.odds.six_card_poker.decision import decision
from houseway.odds.six_card_poker.game import shipped, whole_game
from houseway.odds.wagers import Sides
from houseway.paytables import paytable
from tests.cli.runner import call

pytest.importorskip("numba")

from houseway.odds.six_card_poker.six_card_pairs import least_numbers
from houseway.odds.six_card_poker.six_cards import value_number
from tests.odds.replay import Replay, check_against_settlement, simulated

pytestmark = pytest.mark.kernels

POKER = "six-card-poker"
ROUNDS = range(200)
EIGHTS, NINES, SEVENS = "8s 8c Qs 7d 4s 3d", "9s 9c Qs 7d 4s 3d", "7s 7h Qd 5d 4c 2d"
KINGS = "Ks Kd Ah 6c 5h 2c"


def lines_of(dealer: str, cards: str, **wagers: int) -> dict[str, tuple[str, int]]:
    """Outcome and amount of every wager of one seat."""
    seat = {"seat": 1, "cards": cards.split(), "wagers": wagers}
    value = {"game": POKER, "dealer": dealer.split(), "seats": [seat]}
    return {line["wager"]: (line["outcome"], line["returned"]) for line in settle_json(value)["seats"][0]["lines"]}


def settled_completions(
    cards: tuple[Card, ...], up: tuple[Card, ...], rest: tuple[Card, ...], wagers: tuple[str, ...] = ("ante", "play")
) -> Counter[str]:
    """How both wagers of a played hand end, one settled round for every way to complete the dealer's hand."""
    found: Counter[str] = Counter()
    for hidden in combinations(rest, 3):
        lines = lines_of(" ".join(card_texts((*up, *hidden))), " ".join(card_texts(cards)), ante=500, play=500)
        found["+".join(lines[name][0] for name in wagers)] += 1
    return found


def small_decision(number: int) -> tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]:
    """A player's hand, the up cards, nine cards that are left, and all others, which were seen."""
    deck = list(ALL_CARDS[:52])
    Random(number).shuffle(deck)
    return tuple(deck[:6]), tuple(deck[6:9]), tuple(deck[9:18]), tuple(deck[18:])


def check_decisions(changed: Game) -> None:
    """Hold decisions on small decks against settlement under a definition."""
    with defined_as(changed):
        for number in range(4):
            cards, up, rest, seen = small_decision(number)
            found = decision(cards, up, seen)
            assert +Counter(found.counts) == settled_completions(cards, up, rest)
            arguments = [" ".join(card_texts(each)) for each in (cards, up, seen)]
            told = call("advise", POKER, arguments[0], "--up", arguments[1], "--seen", arguments[2], "--json").json
            assert told["options"][0]["action"] == found.best
            assert told["options"][0]["value"] == float(max(found.play, found.fold))


def with_qualifier(hands: str) -> Game:
    played = game(POKER)
    qualifier = played.contest.qualifier
    assert qualifier is not None
    return replace(played, contest=replace(played.contest, qualifier=replace(qualifier, hands=span_of(hands))))


def test_a_qualifier_of_nines() -> None:
    changed = with_qualifier("pair of nines or better")
    for dealer, usual, now in ((EIGHTS, "win", "push"), (NINES, "win", "win"), (SEVENS, "win", "push")):
        assert lines_of(dealer, KINGS, ante=500, play=500)["ante"][0] == usual
        with defined_as(changed):
            lines = lines_of(dealer, KINGS, ante=500, play=500)
        assert (lines["ante"][0], lines["play"][0]) == (now, "win")
    check_decisions(changed)
    with defined_as(changed):
        check_against_settlement(simulated(POKER), ROUNDS)
        replay = Replay(simulated(POKER))
        followed = [replay.play(number) for number in ROUNDS]
        # The count over all deals asks the definition too: it would count from nines.
        assert least_numbers()[0] == value_number(span_of("pair of nines").start)
    replay = Replay(simulated(POKER))
    assert [replay.play(number) for number in ROUNDS] != followed


def test_the_shipped_counts_are_not_used_with_another_qualifier() -> None:
    question = OddsQuestion(game(POKER), ("ante", "play"), sides=Sides(player="optimal"))
    assert answer(question).edge is not None
    assert POKER in {gain.game for gain in shipped_gains()}
    with defined_as(with_qualifier("pair of nines or better")):
        assert shipped() is None
        assert POKER not in {gain.game for gain in shipped_gains()}
        assert losing_hands() is not None
        with pytest.raises(MissingPartError, match="Six Card Poker was made for other rules"):
            whole_game()
        with pytest.raises(MissingPartError, match=POKER):
            answer(question)
    assert answer(question).edge is not None


def test_bad_beat_from_another_least_hand_is_not_answered_from_the_shipped_counts() -> None:
    played = game(POKER)
    bad_beat = played.wager("bad_beat")
    assert bad_beat is not None
    other = replace(bad_beat, look=Look("losing-hand", span_of("two pair or better")))
    changed = replace(played, wagers=tuple(other if wager is bad_beat else wager for wager in played.wagers))
    question = OddsQuestion(played, ("bad_beat",), {"bad_beat": paytable("TWBB-001")})
    assert answer(question).edge is not None
    with defined_as(changed):
        assert losing_hands() is None
        assert shipped() is not None
        assert least_numbers()[1] == value_number(span_of("two pair").start)
        with pytest.raises(MissingPartError):
            answer(replace(question, game=changed))


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"dealer_cards_up": 2}, "other numbers of cards"),
        ({"tie": "dealer"}, "ties that do not push"),
        ({"qualifier": None}, "needs no dealer who qualifies|no least hand"),
    ],
)
def test_what_the_kernels_do_not_know_is_refused_by_name(facts: dict[str, object], message: str) -> None:
    played = game(POKER)
    of_contest = {name: value for name, value in facts.items() if name != "dealer_cards_up"}
    changed = replace(
        played,
        contest=replace(played.contest, **of_contest),
        dealer_cards_up=facts.get("dealer_cards_up", played.dealer_cards_up),
    )
    with defined_as(changed):
        assert shipped() is None
        with pytest.raises(MissingPartError, match=f"Six Card Poker is not counted .*({message})"):
            least_numbers()


def test_a_tie_that_the_dealer_takes() -> None:
    """The decision follows what the kernels do not know."""
    played = game(POKER)
    changed = replace(played, contest=replace(played.contest, tie="dealer"))
    check_decisions(changed)
    cards, up = ALL_CARDS[48:52] + ALL_CARDS[44:46], ALL_CARDS[0:3]
    with defined_as(changed):
        assert "push+push" not in +Counter(decision(cards, up).counts)


def test_a_new_bonus_wager() -> None:
    """A second wager on the player's own hand: dealt, settled, simulated and counted like the first, and advised on."""
    played = game(POKER)
    clauses = Clauses(win="scp/rules/13", lose="scp/rules/13")
    again = Wager(
        "again", "bonus", "Again", clauses, Look("player-best"), table_wager="aces_up", default_table="SCP-02"
    )
    changed = replace(played, wagers=(*played.wagers, again), line_order=(*played.line_order, "again"))
    dealt = (
        "deal",
        POKER,
        "--seats",
        "1,2",
        "--wager",
        "ante=500",
        "--wager",
        "play=500",
        "--wager",
        "again=500",
        "--seed",
        "11" * 32,
    )
    assert call(*dealt).code == 2
    with defined_as(changed):
        round_ = call(*dealt).json
        assert all(seat["wagers"] == {"ante": 500, "play": 500, "again": 500} for seat in round_["seats"])
        settled = call("settle", "-", "--json", stdin=call(*dealt).out.encode()).json
        assert all("again" in {line["wager"] for line in seat["lines"]} for seat in settled["seats"])
        assert lines_of(EIGHTS, "As Ad 9h 6c 5h 2c", ante=500, play=500, again=500)["again"] == ("win", 1000)
        check_against_settlement(simulated(POKER), ROUNDS)
        assert any(wager == "again" for _, wager in Replay(simulated(POKER)).play(0))
        counted = answer(OddsQuestion(changed, ("again",), {"again": paytable("SCP-02")})).edge
        assert call("odds", POKER, "again", "--json").code == 0
    check_decisions(changed)
    assert counted == answer(OddsQuestion(played, ("aces_up",), {"aces_up": paytable("SCP-02")})).edge
    assert shipped() is not None


def test_a_look_at_some_of_the_players_hands_is_not_counted_as_one_at_all() -> None:
    played = game(POKER)
    aces_up = played.wager("aces_up")
    assert aces_up is not None
    other = replace(aces_up, look=Look("player-best", span_of("two pair or better")))
    changed = replace(played, wagers=tuple(other if wager is aces_up else wager for wager in played.wagers))
    with defined_as(changed), pytest.raises(MissingPartError, match="two pair or better"):
        answer(OddsQuestion(changed, ("aces_up",), {"aces_up": paytable("SCP-02")}))
