"""The keypad's display: what was refused, what is asked for, what the dealer must know now; nothing of before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from houseway.errors import InputError
from houseway.manager.commands import kind_of
from houseway.manager.commands.round_answers import CorrectWagerAnswer, EndRoundAnswer
from houseway.manager.commands.round_commands import EndRound
from houseway.manager.controller import elsewhere, key_presses, sign, speech
from houseway.manager.controller.key_words import COMMON_WORDS, OF_COMMANDS, OTHER_COMMANDS, OWN_WORDS
from houseway.manager.controller.panel import Panel
from houseway.manager.controller.reasons import MISDEAL, REASONS, WHICH_WAY, recorded_reason
from houseway.manager.views.jackpot_views import AwardView, MetersView
from houseway.manager.views.table_views import DealView, RoundView, SensorLink, SetView, TableView
from tests.manager.controller.blank_views import blank
from tests.manager.controller.table import RefusedByControllerError, Table
from tests.manager.controller.test_vocabularies import verify
from tests.manager.floors import badge
from tests.manager.server.house import DEALERS, House
from tests.manager.server.processes import Served

AWAY = {"the manager cannot be reached", "the link to the manager is lost"}


@pytest.fixture
def served(house: House) -> Iterator[Served]:
    with Served(house) as found:
        yield found


@pytest.fixture
def table(served: Served) -> Iterator[Table]:
    with Table(served.house, served.address) as found:
        found.wait_live()
        yield found


def refused(table: Table, **message: Any) -> str:
    """What a device is told that sent this."""
    with pytest.raises(RefusedByControllerError) as caught:
        table.send(message)
    return caught.value.message


def shown_while(table: Table, **message: Any) -> list[dict[str, Any]]:
    """Every display that is shown until a message is answered, and a moment after it."""
    table.look(0.3)
    table.seen.clear()
    table.send(message)
    table.look(0.3)
    return [line["display"] for line in table.seen if "display" in line]


def hit(table: Table) -> None:
    """A jackpot waits for its payment."""
    table.lay(5)
    table.press("START GAME")
    table.press("HAND", spot=5, hand="five-aces")
    table.press("HIT JACKPOT")


def test_the_refusal_of_a_card_is_shown_while_another_is_asked_for(table: Table, served: Served) -> None:
    hit(table)
    verify(served, "T1-1", 5)
    table.press("PAY JACKPOT")
    asked = table.display
    why = refused(table, badge="found in the street")
    assert table.display == {**asked, "said": why, "text": f"{why} - {asked['text']}"}
    # Whose badge it was does not show.
    assert refused(table, badge=badge(DEALERS["T1"])) == why
    assert table.display["text"] == f"{why} - {asked['text']}"
    table.press("PAY JACKPOT")
    assert table.display == asked


def test_nobody_is_called_to_swipe_before_surveillance_has_verified(table: Table, served: Served) -> None:
    """What is missing first is asked for first; once it is there, the same key asks for the badge."""
    hit(table)
    why = refused(table, key="PAY JACKPOT")
    assert (
        why == "call surveillance to verify seat 5, five aces, $10,000.20: PAY JACKPOT pays it once that is on record"
    )
    assert (table.display["asks"], table.display["said"]) == (None, why)
    verify(served, "T1-1", 5)
    table.press("PAY JACKPOT")
    assert (table.display["asks"], table.display["role"]) == ("badge", "supervisor")


def test_what_was_said_of_the_sensors_goes_when_they_report(served: Served) -> None:
    with Table(served.house, served.address, reporting=False) as table:
        table.wait("display", lambda display: "have not reported yet" in display["now"])
        why = refused(table, key="START GAME")
        assert table.display["said"] == why
        table.report()
        assert table.wait("display", lambda display: display["said"] == "")["keys"] == ["START GAME"]


def test_a_lost_link_is_shown_at_once_whatever_was_asked(table: Table, served: Served) -> None:
    hit(table)
    verify(served, "T1-1", 5)
    table.press("PAY JACKPOT")
    assert table.display["asks"] == "badge"
    served.kill()
    shown = table.wait("display", lambda display: display["said"] in AWAY)
    assert (shown["asks"], shown["role"], shown["keys"]) == (None, None, [])


def test_a_lost_link_is_shown_at_once_whatever_was_refused(table: Table, served: Served) -> None:
    why = refused(table, key="END GAME")
    assert table.display["said"] == why
    served.kill()
    shown = table.wait("display", lambda display: display["said"] in AWAY)
    assert (shown["keys"], shown["now"]) == ([], "take no jackpot wagers, no START GAME until the manager is back")


def test_a_chosen_spot_clears_what_was_said(table: Table) -> None:
    table.lay(5)
    table.press("START GAME")
    assert refused(table, key="HAND", hand="five-aces") == table.display["said"]
    table.press("SPOT", spot=5)
    assert (table.display["said"], table.display["spot"]) == ("", 5)
    assert table.display["text"].endswith("Spot 5 is chosen: press its hand (CANCEL forgets it)")


def test_no_old_text_stands_beside_new_keys(table: Table) -> None:
    refused(table, key="END GAME")
    assert "no round is in play" in table.display["text"]
    started = shown_while(table, key="START GAME")
    assert started
    assert {display["said"] for display in started} <= {"", "T1-1 begins without jackpot wagers"}
    refused(table, key="HAND", hand="five-aces")
    ended = shown_while(table, key="END GAME")
    assert ended
    assert {display["said"] for display in ended} <= {
        "",
        "T1-1 is over. Too early? REOPEN, until the next START GAME",
    }
    assert all(display["text"] for display in [*started, *ended])


def test_texts_for_dealers_name_no_place_in_a_message(table: Table) -> None:
    """Neither what the controller refuses nor what the manager refuses."""
    hit(table)
    said = [
        refused(table, key="REASON"),
        refused(table, key="SPOT"),
        refused(table, key="LUCKY"),
        refused(table, key="HAND", spot=99, hand="five-aces"),
        refused(table, key="START GAME", sensors={"1": [99]}),
    ]
    table.look(0.2)
    texts = [line["display"]["said"] for line in table.seen if "display" in line]
    assert all(text in texts for text in said)
    assert not [text for text in texts if re.match(r"[a-z_]+(\.[a-z_]+|\[\d+\])*: ", text)]
    assert said[:2] == [
        "no reason is asked for: press the key that needs one first",
        "which spot? Give its number",
    ]


def test_a_card_that_the_manager_wants_is_asked_for_in_the_words_of_the_keys(table: Table, served: Served) -> None:
    hit(table)
    refused(table, key="CORRECT", spot=1, made=True, reason="chip-beside")
    assert table.display["now"].startswith("CORRECT seat 1: swipe the badge of a supervisor")


def test_a_dealer_who_is_there_already_begins_another_session(table: Table) -> None:
    kept = table.outbox.with_name(f"{table.outbox.name}.session")
    before = kept.read_text()
    table.swipe(badge(DEALERS["T1"]))
    assert table.display["said"] == f"{DEALERS['T1']} deals at T1"
    assert kept.read_text() != before
    assert "error" not in table.press("START GAME")


def test_a_key_may_name_the_sensor(table: Table) -> None:
    """It is a press then, no news of the sensors."""
    table.lay(2, 5)
    table.press("START GAME")
    table.press("SPOT", spot=5, sensor="1")
    assert table.display["spot"] == 5
    assert table.press("HAND", hand="five-aces", sensor="1")["answers"][0]["seat"] == 5


def test_a_table_without_jackpots_needs_no_sensors() -> None:
    panel = Panel("T9", present="D1")
    panel.view = blank(TableView, id="T9", status="open", vocabulary="nexus-2", dealer="D1")
    (start,) = key_presses.press(panel, "START GAME", {})
    assert start.command.sensors is None
    assert sign.sign(panel, {}, sign.LIVE)["state"] == sign.LIVE
    panel.view = replace(panel.view, links={"1": blank(SensorLink, link="L1", status="open")})
    with pytest.raises(InputError) as caught:
        key_presses.press(panel, "START GAME", {})
    assert caught.value.faults[0].code == "sensors-away"
    assert sign.sign(panel, {}, sign.LIVE)["state"] == sign.PAUSED


def known_view(**round_: Any) -> TableView:
    """A table whose cards the system deals, with a round in play."""
    in_play = blank(RoundView, id="T4-1", taken={"1": (1, 4)}, occupied=(1, 4), **round_)
    return blank(
        TableView, id="T4", status="open", vocabulary="nexus-2", dealer="D1", cards="known", round="T4-1",
        in_play=in_play, links={"1": blank(SensorLink)},
    )  # fmt: skip


DEAL, SET = blank(DealView), blank(SetView)


@pytest.mark.parametrize(
    ("round_", "comes_next"),
    [
        ({}, "The shuffler deals now"),
        ({"deal": DEAL}, "Still to set: seats 1, 4"),
        ({"deal": DEAL, "sets": {"1": SET}}, "Still to set: seat 4"),
        ({"deal": DEAL, "sets": {"1": SET, "4": SET}}, "All hands are set: SHOW DEALER"),
        (
            {"deal": DEAL, "sets": {"1": SET, "4": SET}, "dealer_shown": True, "proposed": {"1/4": "five-aces"}},
            "The cards make five aces at seat 4: press it",
        ),
    ],
)
def test_known_cards_tell_what_they_wait_for(round_: dict[str, Any], comes_next: str) -> None:
    panel = Panel("T4", present="D1")
    panel.view = known_view(**round_)
    assert sign.display(panel, True, "")["text"] == f"T4-1, jackpot wagers at seats 1, 4. {comes_next}"


def test_a_closed_table_and_a_round_without_a_dealer_speak() -> None:
    panel = Panel("T4", present="D1")
    panel.view = replace(known_view(), dealer=None)
    assert sign.display(panel, True, "")["text"] == "T4-1 waits; nobody deals at T4: swipe a dealer's badge"
    panel.view = replace(known_view(), status="closed")
    assert sign.display(panel, True, "")["text"] == "T4 is closed: two people open it at the desk"
    assert sign.display(Panel("T4"), False, "")["text"]


def test_reasons_are_recorded_as_code_and_words() -> None:
    for action, reasons in REASONS.items():
        assert reasons[-1][0] == "other" or action in (WHICH_WAY, MISDEAL)
        for number, (code, words) in enumerate(reasons, 1):
            assert recorded_reason(action, number) == recorded_reason(action, code.upper()) == f"{code}: {words}"
        with pytest.raises(InputError, match="not one of the reasons"):
            recorded_reason(action, "the dog ate it")


def test_every_command_of_the_keypad_is_told() -> None:
    """Whatever a key does, the display says what became of it."""
    silent = {"sensor.set", "message.withdraw"}
    assert ({*OF_COMMANDS, *OTHER_COMMANDS} - silent) == set(map(kind_of, speech._SAID))


def award(seat: int, sensor: str, status: str, hand: str = "full-house", **more: Any) -> AwardView:
    """An award as the manager shows it."""
    told = {
        "id": f"T5-1/{sensor}{seat}", "seat": seat, "sensor": sensor, "hand": hand, "status": status, "cents": 1500,
        "badge_role": "none" if status == "paid" else "supervisor", "source": "tray", "link": f"L{sensor}",
        "paid_by": "S1", **more,
    }  # fmt: skip
    return blank(AwardView, **told)


def two_jackpots(*awards: AwardView, vocabulary: str = "nexus-2", sensors: str = "12", **round_: Any) -> Panel:
    """A table with a jackpot on each of two sensors, in a round with these awards."""
    panel = Panel("T5", present="D1")
    hands = ("full-house", "five-aces")
    in_play = {"id": "T5-1", "taken": dict.fromkeys(sensors, (2, 5)), "awards": awards, **round_}
    panel.view = blank(
        TableView, id="T5", status="open", vocabulary=vocabulary, dealer="D1", seats=6, round="T5-1",
        links={sensor: blank(SensorLink, link=f"L{sensor}", status="open", hands=hands) for sensor in sensors},
        in_play=blank(RoundView, **in_play),
    )  # fmt: skip
    return panel


def refusal(panel: Panel, key: str, **fields: Any) -> tuple[str, str]:
    """The code of a refusal, and what the display says then."""
    with pytest.raises(InputError) as caught:
        key_presses.press(panel, key, fields)
    return caught.value.faults[0].code, sign.in_words(caught.value, panel.vocabulary)


@pytest.mark.parametrize("vocabulary", ["aquarius", "nexus", "nexus-2"])
def test_reject_asks_which_award_is_meant(vocabulary: str) -> None:
    panel = two_jackpots(award(5, "1", "hit"), award(2, "1", "paid"), vocabulary=vocabulary, sensors="1")
    assert key_presses.press(panel, "REJECT", {"reason": "wrong-hand"}) == []
    shown = sign.display(panel, True, "")
    assert (shown["asks"], shown["keys"]) == ("spot", ["SPOT", "CANCEL"])
    assert "which spot? seat 5, full house, $15.00; seat 2, full house, $15.00" in shown["now"]
    # Another seat is no answer: the question stays.
    assert refusal(panel, "SPOT", spot=3)[0] == "nothing-hit"
    assert refusal(panel, "SPOT", spot=9)[0] == "no-such-seat"
    assert sign.display(panel, True, "")["asks"] == "spot"
    assert key_presses.press(panel, "SPOT", {"spot": 2}) == []
    assert panel.asking is not None
    assert (panel.asking.what, panel.asking.fields["award"]) == ("badge", "T5-1/12")
    assert panel.asking.fields["reason"].startswith("wrong-hand")
    assert panel.spot is None


def test_reject_takes_the_award_of_the_sensor_that_is_named() -> None:
    panel = two_jackpots(award(2, "1", "hit"), award(2, "2", "hit"))
    key_presses.press(panel, "REJECT", {"spot": 2, "sensor": "2", "reason": "wrong-hand"})
    assert panel.asking is not None
    assert panel.asking.fields["award"] == "T5-1/22"
    assert "seat 2 (sensor 2)" in panel.asking.text
    key_presses.press(panel, "REJECT", {"spot": 2})
    assert sign.display(panel, True, "")["asks"] == "spot"
    assert "which spot and sensor? seat 2 (sensor 1), full house" in panel.asking.text
    key_presses.press(panel, "SPOT", {"spot": 2, "sensor": "2"})
    assert (panel.asking.what, panel.asking.fields["award"]) == ("reason", "T5-1/22")


def test_a_correction_says_which_sensor_and_which_way() -> None:
    panel = two_jackpots()
    # What is left open is asked for, one after the other.
    assert key_presses.press(panel, "CORRECT", {"spot": 4, "reason": 1}) == []
    assert panel.asking is not None
    assert panel.asking.text == "CORRECT seat 4: which sensor, 1 or 2?"
    assert key_presses.press(panel, "SPOT", {"sensor": "2"}) == []
    shown = sign.display(panel, True, "")
    assert (shown["asks"], list(shown["choices"])) == ("reason", ["1", "2"])
    assert shown["now"].startswith("CORRECT seat 4 (sensor 2): was the wager made? 1 made, 2 not made")
    assert refusal(panel, "REASON", reason=3)[0] == "unknown-reason"
    (do,) = key_presses.press(panel, "REASON", {"reason": 1})
    assert (do.command.seat, do.command.sensor, do.command.made) == (4, "2", True)
    code, why = refusal(panel, "CORRECT", spot=4, sensor="2", made="yes")
    assert (code, "true to count it" in why) == ("bad-message", True)
    assert key_presses.press(panel, "CORRECT", {"spot": 4, "sensor": "2", "made": False}) == []
    assert panel.asking is not None
    assert panel.asking.text.startswith("take the wager out of seat 4 (sensor 2): why? 1 no chip")
    (do,) = key_presses.press(panel, "REASON", {"reason": 1})
    assert (do.command.sensor, do.command.made) == ("2", False)
    assert do.command.reason == "no-chip: no chip lay on the sensor"
    assert refusal(panel, "CORRECT", spot=4, sensor="2", made=True, reason="no-chip")[0] == "unknown-reason"
    assert refusal(panel, "CORRECT", spot=4, sensor="2", made=False, reason="chip-beside")[0] == "unknown-reason"
    done = speech.said(panel, do.command, CorrectWagerAnswer(round="T5-1", taken={}))
    assert "seat 4 (sensor 2)" in done
    # A single jackpot needs no sensor named, whichever it is on.
    (do,) = key_presses.press(two_jackpots(sensors="2"), "CORRECT", {"spot": 4, "made": True, "reason": 1})
    assert do.command.sensor == "2"


@pytest.mark.parametrize(
    ("vocabulary", "hit", "pay"),
    [("aquarius", "CALL", "J-POT"), ("nexus", "CALL", "CONFIRM"), ("nexus-2", "HIT JACKPOT", "PAY JACKPOT")],
)
def test_nobody_is_sent_to_the_hand_button_of_an_award_that_is_paid(vocabulary: str, hit: str, pay: str) -> None:
    """Within a few seconds it would take the award back."""
    panel = two_jackpots(award(2, "1", "paid"), vocabulary=vocabulary, sensors="1")
    assert refusal(panel, pay) == (
        "nothing-hit",
        "no award is locked: seat 2, full house, $15.00 is paid already, nothing waits",
    )
    assert refusal(panel, hit)[1].endswith("seat 2, full house, $15.00 is paid already, nothing waits")
    panel = two_jackpots(award(2, "1", "pressed"), vocabulary=vocabulary, sensors="1")
    assert refusal(panel, pay)[1] == f"no award is locked: seat 2 is pressed, {hit} locks it first"
    panel = two_jackpots(vocabulary=vocabulary, sensors="1")
    assert ("spot" in refusal(panel, hit)[1]) == (vocabulary != "aquarius")


@pytest.mark.parametrize(("vocabulary", "pressed"), [("aquarius", "HIT JACKPOT"), ("nexus", "PAY JACKPOT")])
def test_a_key_of_other_controls_is_named_as_it_was_pressed(vocabulary: str, pressed: str) -> None:
    assert f"has no {pressed}: press " in refusal(two_jackpots(vocabulary=vocabulary), pressed)[1]
    assert f"'{pressed}S' is not a key" in refusal(two_jackpots(vocabulary=vocabulary), f"{pressed}S")[1]


def test_the_first_controls_say_what_is_so() -> None:
    panel = two_jackpots(vocabulary="aquarius", key_turned=True)
    assert speech.standing(panel).endswith("No award waits: KEY RUN lowers the sign")
    assert refusal(panel, "HAND", hand="flush")[0] == "no-such-hand"
    assert panel.asking is None


def test_a_spot_that_the_table_lacks_is_refused() -> None:
    panel = two_jackpots()
    assert refusal(panel, "SPOT", spot=9) == ("no-such-seat", "T5 has seats 1 to 6, not 9")
    assert panel.spot is None


def test_a_table_with_two_jackpots_names_the_sensor_of_an_award() -> None:
    panel = two_jackpots(award(5, "2", "hit"), award(2, "1", "hit"))
    assert "LOCKED seat 5 (sensor 2), full house" in speech.standing(panel)
    assert speech.standing(panel).endswith("After it seat 2 (sensor 1)")


def test_what_others_did_says_what_to_do_with_the_money() -> None:
    before = two_jackpots(award(5, "2", "paid"), award(2, "1", "paid", source="meter")).view
    after = two_jackpots().view
    assert before is not None
    assert after is not None
    # What a badge has paid is told by the table itself, for longer than a press.
    assert elsewhere.noticed(before, after) == ""
    locked = two_jackpots(award(5, "2", "hit")).view
    assert elsewhere.noticed(locked, after) == "taken out elsewhere: seat 5 (sensor 2), full house, $15.00"
    assert elsewhere.noticed(replace(before, in_play=None, held=("T5-1",)), after) == "T5-1 was on hold and goes on now"


def test_a_hand_on_two_sensors_keeps_its_spot_and_asks() -> None:
    panel = two_jackpots()
    key_presses.press(panel, "SPOT", {"spot": 2})
    assert key_presses.press(panel, "HAND", {"hand": "full-house"}) == []
    shown = sign.display(panel, True, "")
    assert (shown["asks"], shown["now"]) == (
        "spot",
        "full house at seat 2: which sensor, 1 or 2? (CANCEL leaves it)",
    )
    (do,) = key_presses.press(panel, "SPOT", {"sensor": "2"})
    assert (do.command.seat, do.command.sensor, do.command.hand) == (2, "2", "full-house")
    key_presses.press(panel, "SPOT", {"spot": 5, "sensor": "2"})
    shown = sign.display(panel, True, "")
    assert (shown["spot"], shown["sensor"]) == (5, "2")
    assert "Spot 5 (sensor 2) is chosen" in shown["now"]


def test_a_pressed_hand_does_not_hide_what_is_locked() -> None:
    panel = two_jackpots(award(5, "1", "hit"), award(2, "1", "pressed", cents=0), sensors="1")
    now = sign.display(panel, True, "")["now"]
    assert "Pressed: seat 2, full house. HIT JACKPOT locks it" in now
    assert "LOCKED seat 5, full house, $15.00" in now


def test_a_round_without_jackpot_wagers_asks_for_no_winner() -> None:
    panel = two_jackpots(taken={"1": (), "2": ()})
    assert sign.display(panel, True, "")["now"] == "T5-1, no jackpot wagers. END GAME when all is settled"


def test_a_hand_that_only_brings_envy_is_not_paid_nothing() -> None:
    panel = two_jackpots(award(5, "1", "paid", cents=0), sensors="1")
    now = sign.display(panel, True, "")["now"]
    assert "Paid: seat 5, full house, envy for the others only." in now
    assert "$0.00" not in now


@pytest.mark.parametrize("vocabulary", ["aquarius", "nexus", "nexus-2"])
def test_every_key_that_the_text_names_is_offered(vocabulary: str) -> None:
    between = two_jackpots(vocabulary=vocabulary, sensors="1")
    assert between.view is not None
    between.view = replace(between.view, in_play=None, last_round="T5-1")
    between.sensors.report({})
    over = speech.said(between, EndRound("T5-1"), EndRoundAnswer(round="T5-1", envy=()))
    chosen = two_jackpots(vocabulary=vocabulary)
    chosen.spot = (2, None)
    known = Panel("T4", present="D1")
    known.view = known_view(deal=DEAL, sets={"1": SET, "4": SET})
    cases = [
        (between, over), (chosen, ""), (known, ""), (two_jackpots(award(2, "1", "paid"), vocabulary=vocabulary), ""),
        (two_jackpots(award(2, "1", "hit"), award(5, "1", "pressed"), vocabulary=vocabulary), ""),
        (two_jackpots(award(2, "1", "hit"), vocabulary=vocabulary, key_turned=True), ""),
    ]  # fmt: skip
    for panel, told in cases:
        shown = sign.display(panel, True, told)
        words = {**COMMON_WORDS, **OWN_WORDS[panel.vocabulary]}
        named = [word for word in words if re.search(rf"\b{word}\b", shown["text"])]
        assert [word for word in named if word not in shown["keys"]] == [], shown
    assert "REJECT" in sign.display(cases[3][0], True, "")["keys"]


def test_without_the_manager_a_press_in_a_round_is_told_about_the_round() -> None:
    assert speech.waiting(two_jackpots()) == (
        "T5-1 waits as it is: pay no jackpot, take no wager until the manager is back"
    )


def test_a_spot_without_a_wager_is_asked_for_a_hand_that_brings_envy() -> None:
    panel = two_jackpots(sensors="1")
    assert panel.view is not None
    panel.spot = (4, None)
    shown = sign.display(panel, True, "")
    assert "no hand waits to be pressed there" in shown["now"]
    assert "HAND" not in shown["keys"]
    links = {"1": replace(panel.view.links["1"], envy_hands=("five-aces",))}
    panel.view = replace(panel.view, links=links)
    shown = sign.display(panel, True, "")
    assert (
        "Spot 4 has no jackpot wager: press its hand if it brings envy (five aces; CANCEL forgets it)" in shown["now"]
    )
    assert "HAND" in shown["keys"]
    # Nothing lies on the sensor, or the hand is pressed already: nobody is there to envy it, or it is told.
    for round_ in ({"taken": {"1": ()}}, {"awards": (award(4, "1", "paid", "five-aces", cents=0),)}):
        panel.view = replace(panel.view, in_play=replace(panel.view.in_play, **round_))
        assert "HAND" not in sign.display(panel, True, "")["keys"]


def test_a_hand_that_only_brings_envy_is_confirmed_and_not_paid() -> None:
    before = two_jackpots(award(5, "1", "hit", cents=0), sensors="1").view
    after = two_jackpots(award(5, "1", "paid", cents=0), sensors="1").view
    assert before is not None
    assert after is not None
    told = elsewhere.noticed(before, after)
    assert "seat 5, full house, confirmed by S1 elsewhere: envy for the others comes with END GAME" in told
    assert "PAY" not in told


def test_the_sign_calls_no_envy_a_pending_prize() -> None:
    panel = two_jackpots(sensors="1")
    panel.sensors.report({})
    waiting = (blank(AwardView, table="T5", cents=0),)
    shown = sign.sign(panel, {"L1": blank(MetersView, status="open", pending=waiting)}, sign.LIVE)
    assert (shown["state"], shown["meters"][0]["pending"]) == (sign.LIVE, [])


def test_known_cards_without_a_winner_ask_for_no_button() -> None:
    panel = two_jackpots(sensors="1", deal=blank(DealView), dealer_shown=True)
    assert panel.view is not None
    panel.view = replace(panel.view, cards="known")
    shown = sign.display(panel, True, "")
    assert "The cards make no jackpot winner. END GAME when all is settled" in shown["now"]
    assert "Press" not in shown["now"]
