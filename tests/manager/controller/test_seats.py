"""Who plays, told at the keypad of a felt table: few presses, and the display waits for everybody."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.manager.controller.table import RefusedByControllerError, Table
from tests.manager.server.house import House
from tests.manager.server.processes import Served


@pytest.fixture
def served(house: House) -> Iterator[Served]:
    with Served(house) as found:
        yield found


def refused(table: Table, key: str, **fields: object) -> list[str]:
    with pytest.raises(RefusedByControllerError) as caught:
        table.press(key, **fields)
    return caught.value.codes


def test_a_player_without_a_jackpot_wager_is_declared_with_one_press(served: Served) -> None:
    with Table(served.house, served.address, "T1") as table:
        table.wait_live()
        table.press("PLAYS", spot=4)
        for _ in range(2):
            table.lay(2)
            answer = table.press("START GAME")["answers"][0]
            assert answer["occupied"] == [2, 4]
            assert list(answer["attested"]) == ["2"]
            table.take_up(2)
            assert refused(table, "SHOW DEALER") == ["hands-not-set"]
            assert len(table.press("ALL SET")["answers"]) == 2
            assert refused(table, "ALL SET") == ["hands-closed"]
            table.press("SHOW DEALER")
            table.press("END GAME")
        table.press("PLAYS", spot=4)
        answer = table.press("START GAME")["answers"][0]
        assert answer["occupied"] == []
        assert refused(table, "SHOW DEALER") == ["nobody-plays"]
        table.press("PLAYS", spot=6)
        hand = table.press("SHOW PLAYER", spot=6, cards="Ks Kd Kh 3c 3d 8d")["answers"][0]["hand"]
        assert hand["low"] == ["8d"]
        opened = table.wait("open", lambda shown: shown is not None and "6" in shown["cards"])
        assert opened["cards"]["6"]["low"] == ["8d"]
        table.press("SHOW DEALER", cards=["As", "Qd", "Jh", "9c", "7d", "2d"])
        table.press("END GAME")
