"""Hand buttons of rounds with known cards: the system proposes, refuses a wrong one, and lets no winner be missed."""

from __future__ import annotations

import msgspec
import pytest

from houseway.manager.commands.round_commands import EndRound, HitJackpot, PayJackpot, PressHand, ShowDealerWay
from houseway.manager.handlers.cards import check_button, finish, unpressed
from houseway.manager.handlers.round_lines import jackpot_lines
from houseway.manager.handlers.settlement import lost_by_joker, proposed_buttons
from houseway.paytables import paytable
from tests.manager.cards.pit import GAMES, SEATS, Pit, jackpot_hand, winning_seed


def opened(game: str = "fortune", hand: str = "full-house", seat: int = 2, sensor: tuple[int, ...] = SEATS) -> Pit:
    """A round in which one seat has a winning hand, with all hands open."""
    pit = Pit(game, seeds=[winning_seed(game, hand, seat)])
    pit.start(*SEATS, sensor=sensor)
    pit.deal()
    pit.set(*SEATS)
    pit.show()
    return pit


@pytest.mark.parametrize("game", GAMES)
def test_the_button_of_a_winning_hand_is_proposed(game: str) -> None:
    pit = opened(game)
    assert pit.round.proposed == {"1/2": "full-house"}
    answer = pit.do(PressHand(pit.round.id, 2, "full-house"))
    assert answer["on"]
    assert pit.engine.floor.awards[answer["award"]].override is None


@pytest.mark.parametrize("game", GAMES)
def test_proposals_are_those_of_the_readable_reference(game: str) -> None:
    for number in range(60):
        pit = Pit(game, name=f"proposals {number}")
        pit.start(*SEATS, sensor=(1, 2))
        pit.deal()
        pit.set(*SEATS)
        dealt = pit.cards
        pit.show()
        table = paytable(GAMES[game]["jackpot"])
        expected = {}
        for seat in SEATS:
            hand = jackpot_hand(game, dealt.players[seat])
            envy = next((line.envy for line in table.lines if line.hand == hand), None)
            if hand is not None and (seat in (1, 2) or envy):
                expected[f"1/{seat}"] = hand
        assert pit.round.proposed == expected


def test_nothing_is_pressed_before_all_hands_lie_open() -> None:
    pit = Pit(seeds=[winning_seed("fortune", "full-house", 2)])
    pit.start(*SEATS, sensor=SEATS)
    assert pit.refused(PressHand(pit.round.id, 2, "full-house")) == ["cards-not-shown"]
    pit.deal()
    pit.set(1, 5)
    pit.show(2)
    assert pit.refused(PressHand(pit.round.id, 2, "full-house")) == ["cards-not-shown"], (
        "the dealer's hand is not shown"
    )
    assert pit.refused(EndRound(pit.round.id)) == ["cards-not-shown"]


@pytest.mark.parametrize(("seat", "hand"), [(2, "four-of-a-kind"), (1, "full-house"), (5, "royal-flush")])
def test_a_wrong_button_is_refused_and_says_what_the_cards_are(seat: int, hand: str) -> None:
    pit = opened()
    assert pit.refused(PressHand(pit.round.id, seat, hand)) == ["wrong-button"]
    assert ("make full house" if seat == 2 else "win nothing") in pit.faults[0].message


def test_a_wrong_button_needs_a_reason_and_a_supervisors_card() -> None:
    pit = opened()

    def press(override: str | None, badge: str | None, actor: str = "D1") -> list[str]:
        return pit.refused(PressHand(pit.round.id, 2, "four-of-a-kind", override=override, badge=badge), actor)

    assert press("misread", None) == ["badge-needed"]
    assert press(" ", "badge-S1") == ["reason-needed"]
    assert press("misread", "badge-D2") == ["wrong-role"]
    assert press("misread", "nobody") == ["unknown-badge"]
    answer = pit.do(PressHand(pit.round.id, 2, "four-of-a-kind", override="misread", badge="badge-S1"))
    assert pit.engine.floor.awards[answer["award"]].override == "misread (by S1; proposed: full-house)"


def test_the_dealer_of_the_round_does_not_override_with_a_badge_of_his_own() -> None:
    pit = opened()
    dealer = pit.engine.floor.people["D1"]
    pit.engine.floor.put("person", "D1", msgspec.structs.replace(dealer, roles=("dealer", "supervisor")))
    wrong = PressHand(pit.round.id, 2, "four-of-a-kind", override="misread", badge="badge-D1")
    assert pit.refused(wrong) == ["second-person"]


def test_a_hand_without_the_wager_that_brings_envy_is_proposed_too() -> None:
    pit = opened("six-card-fortune", "four-of-a-kind", sensor=(1, 5))
    assert pit.round.proposed == {"1/2": "four-of-a-kind"}
    alone = opened("six-card-fortune", "four-of-a-kind", sensor=(2,))
    assert alone.round.proposed == {"1/2": "four-of-a-kind"}
    no_envy = opened("six-card-fortune", "full-house", sensor=(1, 5))
    assert no_envy.round.proposed == {}


def test_a_line_that_takes_several_hands_is_one_button() -> None:
    pit = opened()
    link = pit.engine.floor.links["L1"]
    pit.engine.floor.put("link", "L1", msgspec.structs.replace(link, paytable="FPGPP-WA03"))
    line = paytable("FPGPP-WA03").lines[0]
    assert line.also
    suited = ("2s", "3s", "4s", "5s", "6s", "7s", "Jk")
    shown = {**pit.round.shown, "2": msgspec.structs.replace(pit.round.shown["2"], cards=suited)}
    round_ = msgspec.structs.replace(pit.round, shown=shown)
    decision = pit.decision_of("D1", EndRound("x"))
    for hand in line.hands:
        assert check_button(decision, round_, "1", 2, hand, None, None) is None


@pytest.mark.parametrize(
    ("cards", "semi_wild", "literal"),
    [
        (("As", "Ah", "Ad", "Jk", "Kd", "9s", "5c"), "four-of-a-kind", None),
        (("As", "Ah", "Jk", "Kd", "Ks", "9s", "5c"), "full-house", None),
        (("As", "Ah", "Ad", "Ac", "Jk", "9s", "5c"), "five-aces", "five-aces"),
    ],
)
def test_a_joker_is_no_ace_beside_three(cards: tuple[str, ...], semi_wild: str | None, literal: str | None) -> None:
    pit = opened()
    link = pit.engine.floor.links["L1"]
    shown = {**pit.round.shown, "2": msgspec.structs.replace(pit.round.shown["2"], cards=cards)}
    round_ = msgspec.structs.replace(pit.round, shown=shown)
    for joker, hand in (("semi-wild", semi_wild), ("literal", literal)):
        pit.engine.floor.put("link", "L1", msgspec.structs.replace(link, readings={"jackpot_joker": joker}))
        decision = pit.decision_of("D1", EndRound("x"))
        assert proposed_buttons(decision, round_).get("1/2") == hand, joker
        by_joker = lost_by_joker(decision, round_)
        assert by_joker == (set() if hand else {("1", 2)})
        lines = {line["seat"]: line for line in jackpot_lines(pit.table, round_, [], by_joker)}
        assert lines[2]["clause"] == ("fpgpj/rules/2" if hand else "fpgpj/rules/3.note")


def test_the_end_refuses_to_miss_a_winner_unless_a_supervisor_says_why() -> None:
    pit = opened()
    assert pit.refused(EndRound(pit.round.id)) == ["missed-winner"]
    assert "seat 2 has full house" in pit.faults[0].message
    pit.do(PressHand(pit.round.id, 2, "full-house"))
    pit.do(PressHand(pit.round.id, 2, "full-house"))
    assert pit.refused(EndRound(pit.round.id)) == ["missed-winner"], "the button was switched off again"
    pit.do(PressHand(pit.round.id, 2, "full-house"))
    award = pit.do(HitJackpot(pit.round.id))["awards"][0]["award"]
    pit.do(PayJackpot(award, "badge-S1"))
    assert unpressed(pit.decision_of("D1", EndRound("x")), pit.table, pit.round) == []
    pit.end()


def test_a_round_on_the_felt_passes_untouched() -> None:
    pit = Pit(cards="felt")
    pit.start(1, 2, sensor=(1,))
    decision = pit.decision_of("D1", EndRound("x"))
    assert check_button(decision, pit.round, "1", 1, "full-house", None, None) is None
    assert unpressed(decision, pit.table, pit.round) == []
    assert finish(decision, pit.table, pit.round) == (pit.round, None)
    assert decision.secrets == {}


def test_a_round_that_was_not_dealt_cannot_end() -> None:
    pit = Pit()
    pit.start(1)
    assert pit.refused(EndRound(pit.round.id)) == ["cards-not-shown"]
    pit.deal()
    pit.set(1)
    assert pit.refused(EndRound(pit.round.id)) == ["cards-not-shown"]
    pit.do(ShowDealerWay(pit.round.id))
    pit.end()
