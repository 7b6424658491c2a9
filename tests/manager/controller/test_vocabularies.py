"""A whole round with a jackpot at a real table, in the words of each generation of controls."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from houseway.manager.interface.requests import command_of
from tests.manager.controller.table import RefusedByControllerError, Table
from tests.manager.floors import EXECUTIVE, SUPERVISOR, SURVEILLANCE, badge
from tests.manager.server.house import DEALERS, House
from tests.manager.server.processes import Served


@pytest.fixture
def served(house: House) -> Iterator[Served]:
    with Served(house) as found:
        yield found


def verify(served: Served, round_: str, seat: int) -> None:
    """Surveillance gives its reference."""
    with served.client() as client:
        awards = client.request({"ask": "table", "table": round_.partition("-")[0]})["table"]["in_play"]["awards"]
        (award,) = (each for each in awards if each["seat"] == seat)
        do = {"kind": "surveillance.reference", "round": round_, "payout": award["id"], "reference": "camera 4, 12:01"}
        client.send(command_of({**do, "hand": award["hand"], "cents": award["cents"]}), actor=SURVEILLANCE)


def refused(call: object) -> RefusedByControllerError:
    with pytest.raises(RefusedByControllerError) as caught:
        call()  # type: ignore[operator]
    return caught.value


def test_nexus_2(served: Served) -> None:
    with Table(served.house, served.address, "T1") as table:
        table.wait_live()
        table.lay(2, 5)
        round_ = table.press("START GAME")["answers"][0]["round"]
        table.take_up(2, 5)
        assert table.wait("lights", lambda lit: lit == {"1": [2, 5]})
        assert refused(lambda: table.press("HAND", hand="five-aces")).codes == ["spot-needed"]
        table.press("SPOT", spot=5)
        assert table.press("HAND", hand="royal-flush")["answers"][0]["on"] is True
        # Pressed again it is off; then the right one.
        table.press("SPOT", spot=5)
        assert table.press("HAND", hand="royal-flush")["answers"][0]["on"] is False
        table.press("HAND", spot=5, hand="five-aces")
        assert "HIT JACKPOT" in table.display["keys"]
        award = table.press("HIT JACKPOT")["answers"][0]["awards"][0]
        table.wait("sign", lambda sign: sign["state"] == "pending")
        assert refused(lambda: table.press("END GAME")).codes == ["award-open"]
        assert refused(lambda: table.press("PAY JACKPOT")).codes == ["surveillance-reference"]
        assert table.display["asks"] is None
        verify(served, round_, 5)
        table.press("PAY JACKPOT")
        asked = table.display
        assert (asked["asks"], asked["role"]) == ("badge", award["badge_role"])
        assert "seat 5, five aces" in asked["text"]
        # The dealer's own badge and a stranger's are refused; the display goes on asking.
        assert refused(lambda: table.swipe(badge(DEALERS["T1"]))).codes == ["badge-refused"]
        assert refused(lambda: table.swipe("found in the street")).codes == ["badge-refused"]
        assert table.display["asks"] == "badge"
        paid = table.swipe(badge(SUPERVISOR))["answers"][0]
        assert (paid["cents"], paid["paid_by"]) == (award["cents"], SUPERVISOR)
        assert table.press("END GAME")["answers"][0]["round"] == round_
        table.wait_live()
        assert table.display["keys"] == ["START GAME", "REOPEN"]


def test_nexus(served: Served) -> None:
    with Table(served.house, served.address, "T2") as table:
        table.wait_live()
        table.lay(1, 6)
        round_ = table.press("START GAME")["answers"][0]["round"]
        table.take_up(1, 6)
        assert "press CALL" in refused(lambda: table.press("HIT JACKPOT")).message
        table.press("SPOT", spot=6)
        table.press("HAND", hand="five-aces")
        table.press("CALL")
        table.wait("sign", lambda sign: sign["state"] == "pending")
        verify(served, round_, 6)
        assert "press CONFIRM" in refused(lambda: table.press("PAY JACKPOT")).message
        table.press("CONFIRM")
        assert table.display["role"] == "supervisor"
        assert table.swipe(badge(EXECUTIVE))["answers"][0]["paid_by"] == EXECUTIVE
        table.press("END GAME")
        table.wait("lights", lambda lit: lit == {})


def test_aquarius(served: Served) -> None:
    with Table(served.house, served.address, "T3") as table:
        table.wait_live()
        table.lay(4)
        assert "press COIN IN" in refused(lambda: table.press("START GAME")).message
        round_ = table.press("COIN IN")["answers"][0]["round"]
        # One lit sensor: the button's spot is implied.
        pressed = table.press("HAND", hand="five-aces")["answers"][0]
        assert (pressed["seat"], pressed["on"]) == (4, True)
        assert "press CALL" in refused(lambda: table.press("HIT JACKPOT")).message
        # The call fixes the award; the key turns when the supervisor is there.
        (locked,) = table.press("CALL")["answers"]
        assert locked["awards"][0]["status"] == "hit"
        verify(served, round_, 4)
        (turned,) = table.press("KEY JPH", badge=badge(SUPERVISOR))["answers"]
        assert turned["key"] == "jph"
        before = table.wait("sign", lambda sign: sign["state"] == "pending")["meters"][0]["levels"]["main"]
        paid = table.press("J-POT")["answers"][0]
        assert paid["paid_by"] == SUPERVISOR
        table.look(0.5)
        assert table.sign["meters"][0]["levels"]["main"] == before
        assert refused(lambda: table.press("GAME OVER")).codes == ["key-at-jph"]
        # Back to Run the meter falls and the table goes on.
        table.press("KEY RUN")
        after = table.wait("sign", lambda sign: sign["meters"][0]["levels"]["main"] != before)
        assert after["meters"][0]["levels"]["main"] < before
        table.press("GAME OVER")


def test_aquarius_asks_for_the_spot_where_it_is_not_plain(served: Served) -> None:
    with Table(served.house, served.address, "T3") as table:
        table.wait_live()
        table.lay(2, 4)
        table.press("COIN IN")
        assert refused(lambda: table.press("SPOT", spot=4)).codes == ["spot-not-asked"]
        assert table.press("HAND", hand="straight-flush") == {"answers": []}
        assert table.display["asks"] == "spot"
        assert "which spot" in table.display["text"]
        assert table.press("SPOT", spot=4)["answers"][0]["seat"] == 4
        assert table.display["asks"] is None


def test_a_rejected_award_goes_back(served: Served) -> None:
    with Table(served.house, served.address, "T1") as table:
        table.wait_live()
        shown = table.sign["meters"][0]["levels"]["main"]
        table.lay(3)
        table.press("START GAME")
        table.press("HAND", spot=3, hand="five-aces")
        table.press("HIT JACKPOT")
        table.press("REJECT")
        assert (table.display["asks"], table.display["choices"]["2"]) == (
            "reason",
            "wrong-spot: the hand belongs to another spot",
        )
        assert refused(lambda: table.press("REASON", reason="the joker was not used")).codes == ["unknown-reason"]
        assert table.display["asks"] == "reason"
        table.press("REASON", reason="2")
        assert table.display["role"] == "supervisor"
        assert table.swipe(badge(SUPERVISOR))["answers"][0]["rejected_by"] == SUPERVISOR
        table.press("END GAME")
        table.wait_live()
        assert table.sign["meters"][0]["levels"]["main"] > shown


def test_a_foreign_or_unknown_key_is_refused_with_what_to_press(served: Served) -> None:
    with Table(served.house, served.address, "T1") as table:
        table.wait_live()
        for key, instead in (("COIN IN", "START GAME"), ("GAME OVER", "END GAME"), ("J-POT", "PAY JACKPOT")):
            wrong = refused(lambda key=key: table.press(key))
            assert wrong.codes == ["wrong-button-here"]
            assert f"press {instead}" in wrong.message
        assert refused(lambda: table.press("KEY JPH", badge="x")).codes == ["wrong-button-here"]
        assert refused(lambda: table.press("LUCKY")).codes == ["unknown-button"]


def test_nobody_signed_in_nothing_starts(served: Served) -> None:
    with Table(served.house, served.address, "T1") as table:
        table.wait_live()
        table.press("DEALER OUT")
        assert table.display["keys"] == []
        assert refused(lambda: table.press("START GAME")).codes == ["no-dealer"]
        assert refused(lambda: table.swipe(badge(SURVEILLANCE))).codes == ["badge-refused"]
        table.swipe(badge(DEALERS["T1"]))
        assert table.press("START GAME")["answers"][0]["round"] == "T1-1"
        assert table.swipe(badge(DEALERS["T1"]))["answers"][0]["round"] == "T1-1"
