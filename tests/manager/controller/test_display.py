"""The keypad's display: what was refused, what is asked for, what the dealer must know now; nothing of before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from houseway.errors import InputError
from houseway.manager.controller import keys, sign, speech
from houseway.manager.controller.panel import Panel
from houseway.manager.controller.reasons import REASONS, recorded_reason
from houseway.manager.controller.vocabulary import OF_COMMANDS, OTHER_COMMANDS
from tests.manager.controller.table import RefusedByControllerError, Table
from tests.manager.floors import card
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


def test_the_refusal_of_a_card_is_shown_while_another_is_asked_for(table: Table) -> None:
    hit(table)
    table.press("PAY JACKPOT")
    asked = table.display
    why = refused(table, card="found in the street")
    assert table.display == {**asked, "said": why, "text": f"{why} - {asked['text']}"}
    # Whose card it was does not show.
    assert refused(table, card=card(DEALERS["T1"])) == why
    assert table.display["text"] == f"{why} - {asked['text']}"
    table.press("PAY JACKPOT")
    assert table.display == asked


def test_a_lost_link_is_shown_at_once_whatever_was_asked(table: Table, served: Served) -> None:
    hit(table)
    table.press("PAY JACKPOT")
    assert table.display["asks"] == "card"
    served.kill()
    shown = table.wait("display", lambda display: display["said"] in AWAY)
    assert (shown["asks"], shown["card"], shown["keys"]) == (None, None, [])


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
    assert table.display["now"].startswith("CORRECT: swipe the card of a supervisor")


def test_a_dealer_who_is_there_already_is_told_so(table: Table) -> None:
    said = refused(table, card=card(DEALERS["T1"]))
    assert said == f"{DEALERS['T1']} deals at T1 already: there is nothing to do"
    assert table.display["said"] == said


def test_a_key_may_name_the_sensor(table: Table) -> None:
    """It is a press then, no news of the sensors."""
    table.lay(2, 5)
    table.press("START GAME")
    table.press("SPOT", spot=5, sensor="1")
    assert table.display["spot"] == 5
    assert table.press("HAND", hand="five-aces", sensor="1")["answers"][0]["seat"] == 5


def test_a_table_without_jackpots_needs_no_sensors() -> None:
    panel = Panel("T9")
    panel.view = {
        "id": "T9", "status": "open", "vocabulary": "nexus-2", "dealer": "D1", "in_play": None, "links": {}, "lit": {},
    }  # fmt: skip
    (start,) = keys.press(panel, "START GAME", {})
    assert start.command["sensors"] is None
    assert sign.sign(panel, {}, sign.LIVE)["state"] == sign.LIVE
    panel.view["links"] = {"1": {"link": "L1", "status": "open", "pays": {}, "hands": []}}
    with pytest.raises(InputError) as caught:
        keys.press(panel, "START GAME", {})
    assert caught.value.faults[0].code == "sensors-away"
    assert sign.sign(panel, {}, sign.LIVE)["state"] == sign.PAUSED


def known_view(**round_: Any) -> dict[str, Any]:
    """A table whose cards the system deals, with a round in play."""
    in_play = {
        "id": "T4-1", "taken": {"1": [1, 4]}, "awards": [], "key_turned": False, "deal": None, "occupied": [1, 4],
        "sets": {}, "dealer_shown": False, "proposed": {}, **round_,
    }  # fmt: skip
    return {
        "id": "T4", "status": "open", "vocabulary": "nexus-2", "dealer": "D1", "cards": "known", "round": "T4-1",
        "in_play": in_play, "links": {"1": {}}, "lit": {},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("round_", "comes_next"),
    [
        ({}, "The shuffler deals now"),
        ({"deal": {}}, "Still to set: seats 1, 4"),
        ({"deal": {}, "sets": {"1": {}}}, "Still to set: seat 4"),
        ({"deal": {}, "sets": {"1": {}, "4": {}}}, "All hands are set: SHOW DEALER"),
        (
            {"deal": {}, "sets": {"1": {}, "4": {}}, "dealer_shown": True, "proposed": {"1/4": "five-aces"}},
            "The cards make five aces at seat 4: press it",
        ),
    ],
)
def test_known_cards_tell_what_they_wait_for(round_: dict[str, Any], comes_next: str) -> None:
    panel = Panel("T4")
    panel.view = known_view(**round_)
    assert sign.display(panel, True, "")["text"] == f"T4-1, jackpot wagers at seats 1, 4. {comes_next}"


def test_a_closed_table_and_a_round_without_a_dealer_speak() -> None:
    panel = Panel("T4")
    panel.view = {**known_view(), "dealer": None}
    assert sign.display(panel, True, "")["text"] == "T4-1 waits; nobody deals at T4: swipe a dealer's card"
    panel.view = {**known_view(), "status": "closed"}
    assert sign.display(panel, True, "")["text"] == "T4 is closed: two people open it at the desk"
    assert sign.display(Panel("T4"), False, "")["text"]


def test_reasons_are_recorded_as_code_and_words() -> None:
    for action, reasons in REASONS.items():
        assert reasons[-1][0] == "other"
        for number, (code, words) in enumerate(reasons, 1):
            assert recorded_reason(action, number) == recorded_reason(action, code.upper()) == f"{code}: {words}"
        with pytest.raises(InputError, match="none of the reasons"):
            recorded_reason(action, "the dog ate it")


def test_every_command_of_the_keypad_is_told() -> None:
    """Whatever a key does, the display says what became of it."""
    silent = {"sensor.set", "message.withdraw"}
    assert ({*OF_COMMANDS, *OTHER_COMMANDS} - silent) == set(speech._SAID)
