"""Whatever a program hands in, the front door says what is wrong with it, in the words of its arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import houseway as hw

DEALER = "As Kd Qh 9c 7d 5h 3c"
SEAT = {1: hw.Seat("8s 8d Ah Kc Qs 4d 2h", main=2000, progressive=100)}
ANY: Any = None


@pytest.mark.parametrize(
    ("call", "faults"),
    [
        (lambda: hw.rank(ANY), ["wrong-type cards"]),
        (lambda: hw.rank("As As 10x", ranking="x"), ["duplicate-card cards", "bad-card cards", "bad-choice ranking"]),
        (lambda: hw.set_hand(ANY, "As"), ["wrong-type game"]),
        (lambda: hw.set_hand("fortune", DEALER, wheel=ANY or 3), ["wrong-type wheel"]),
        (lambda: hw.paytable(ANY or 3), ["wrong-type paytable"]),
        (lambda: hw.settle(ANY), ["wrong-type "]),
        (lambda: hw.settle("fortune", dealer=DEALER, seats=ANY or [SEAT[1]]), ["wrong-type seats"]),
        (lambda: hw.settle("fortune", dealer=DEALER, seats=SEAT), ["missing-paytable paytables.progressive"]),
        (
            lambda: hw.settle(
                "fortune", dealer=DEALER, seats=SEAT, paytables={"progressive": "FPGPP-WA01"}, meters={"mega": 1}
            ),
            ["no-meter meters"],
        ),
        (lambda: hw.settle(hw.deal("fortune"), banker=2), ["conflicting-options banker"]),
        (lambda: hw.deal("fortune", seats=ANY or ["1"], seed=ANY or 5), ["bad-seed seed", "bad-seat seats"]),
        (lambda: hw.deal("fortune", meters={"main": 5}), ["conflicting-options meters"]),
        (lambda: hw.odds("fortune", "fortune"), ["missing-paytable paytables"]),
        (lambda: hw.odds("fortune", "main", paytables={"main": "FPGP-1"}), ["wrong-paytable paytables.main"]),
        (lambda: hw.odds("fortune", others=9, role="x"), ["bad-choice role", "out-of-range others"]),
        (lambda: hw.advise("six-card-poker", "Ks Qd Jc 8h 6s 3d"), ["missing-argument up"]),
        (lambda: hw.Room.at("127.0.0.1:9", device="x", secret="y", tls_ca="/none"), ["unreadable-file tls-ca"]),
    ],
)
def test_bad_input_is_refused_with_its_faults(call: Callable[[], object], faults: list[str]) -> None:
    with pytest.raises(hw.InputError) as error:
        call()
    assert [f"{fault.code} {fault.path}" for fault in error.value.faults] == faults
    assert not any("--" in fault.message for fault in error.value.faults)


def test_notes_name_arguments_too() -> None:
    table = {"progressive": "FPGPP-WA01"}
    assert "give meters= main=CENTS" in hw.odds("fortune", "progressive", paytables=table).notes[-1]


def test_results_and_seats_do_not_change() -> None:
    seat = hw.Seat("As Ks", main=5)
    for thing, name in (
        (seat, "cards"),
        (hw.rank("As"), "value"),
        (hw.game("fortune"), "id"),
        (hw.deal("fortune"), "seed"),
    ):
        with pytest.raises(AttributeError):
            setattr(thing, name, 1)
    assert seat == hw.Seat(["As", "Ks"], main=5)
    assert len({seat, hw.Seat("As Ks", main=5)}) == 1


def test_a_dealt_round_tells_no_log_its_cards() -> None:
    dealt = hw.deal("fortune", seats=[2], seed="5eed" * 16)
    assert "5eed" not in repr(dealt)
    assert str(dealt.dealer[0]) not in repr(dealt).replace(dealt.commitment, "")
