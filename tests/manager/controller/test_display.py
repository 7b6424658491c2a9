"""The keypad's display: what was refused, what is asked for, what the dealer must know now; nothing of before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from houseway.errors import InputError
from houseway.manager.controller import keys, sign
from houseway.manager.controller.panel import Panel
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
    assert table.display == {**asked, "text": f"{why} - {asked['text']}"}
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
    shown = table.wait("display", lambda display: display["text"] in AWAY)
    assert (shown["asks"], shown["card"], shown["keys"]) == (None, None, [])


def test_a_lost_link_is_shown_at_once_whatever_was_refused(table: Table, served: Served) -> None:
    why = refused(table, key="END GAME")
    assert table.display["text"] == why
    served.kill()
    assert table.wait("display", lambda display: display["text"] in AWAY)["keys"] == []


def test_a_chosen_spot_clears_what_was_said(table: Table) -> None:
    table.lay(5)
    table.press("START GAME")
    assert table.display["text"] == ""
    assert refused(table, key="HAND", hand="five-aces") == table.display["text"]
    table.press("SPOT", spot=5)
    assert (table.display["text"], table.display["spot"]) == ("", 5)


def test_no_old_text_stands_beside_new_keys(table: Table) -> None:
    refused(table, key="END GAME")
    assert "no round is in play" in table.display["text"]
    started = shown_while(table, key="START GAME")
    assert started
    assert {display["text"] for display in started} == {""}
    refused(table, key="HAND", hand="five-aces")
    ended = shown_while(table, key="END GAME")
    assert ended
    assert {display["text"] for display in ended} == {""}


def test_texts_for_dealers_name_no_place_in_a_message(table: Table) -> None:
    """Neither what the controller refuses nor what the manager refuses."""
    hit(table)
    said = [
        refused(table, key="REJECT"),
        refused(table, key="SPOT"),
        refused(table, key="LUCKY"),
        refused(table, key="HAND", spot=99, hand="five-aces"),
        refused(table, key="START GAME", sensors={"1": [99]}),
    ]
    table.look(0.2)
    texts = [line["display"]["text"] for line in table.seen if "display" in line]
    assert all(text in texts for text in said)
    assert not [text for text in texts if re.match(r"[a-z_]+(\.[a-z_]+|\[\d+\])*: ", text)]
    assert said[:2] == ["a reason is needed: say why, it goes on record", "which spot? Give its number"]


def test_a_card_that_the_manager_wants_is_asked_for_in_the_words_of_the_keys(table: Table, served: Served) -> None:
    hit(table)
    refused(table, key="CORRECT", spot=1, made=True, reason="the chip lay beside the sensor")
    assert table.display["text"].endswith("CORRECT: swipe the card of a supervisor")


def test_a_dealer_who_is_there_already_is_told_so(table: Table) -> None:
    said = refused(table, card=card(DEALERS["T1"]))
    assert said == f"{DEALERS['T1']} deals at T1 already: there is nothing to do"
    assert table.display["text"] == said


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
