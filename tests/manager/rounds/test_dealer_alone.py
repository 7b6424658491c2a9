"""What a dealer pays without anybody's badge: bounded by round, whatever it is made of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from houseway.definitions import defined_as, game
from houseway.errors import InputError
from houseway.manager.commands.round_commands import (
    EndRound,
    HitJackpot,
    PayJackpot,
    PressHand,
    RejectJackpot,
    StartRound,
)
from tests.manager.pit import Pit, progressive, table_of

DOLLAR = 100
FROM = 100 * DOLLAR
"""From here on a supervisor confirms; 6CFPGPP-2 pays 15 to 1 for a full house and $50 of envy for a royal flush."""


def pit_of(*links: str, wager: int = 100) -> Pit:
    linked = [progressive(link, fixed_supervisor_from=FROM, wager=wager) for link in links]
    sensors = {str(number): link for number, link in enumerate(links, 1)}
    return Pit(*linked, tables=[table_of(sensors=sensors)], meters={f"{link}/main": 1_000_000 for link in links})


def roles(pit: Pit) -> dict[int, tuple[str, str]]:
    return {award.seat: (award.badge_role, award.status) for award in pit.floor.awards.values()}


def test_hands_without_the_wager_bring_no_more_envy_alone_than_one_award_could() -> None:
    """Five of them, each with $50 for the one seat that has the wager."""
    pit = pit_of("L1")
    round_ = pit.start(1)
    for seat in range(2, 7):
        pit.press(round_, seat, "royal-flush")
    pit.do(HitJackpot(round_))
    assert roles(pit) == dict.fromkeys(range(2, 7), ("supervisor", "hit"))
    assert pit.refused(EndRound(round_)) == {"award-open"}
    for award in list(pit.floor.awards):
        assert pit.refused(PayJackpot(award)) == {"badge-needed"}
        pit.pay(award, "badge-S1")
    assert sum(line["cents"] for line in pit.end(round_)["envy"]) == 250 * DOLLAR


def test_one_after_the_other_they_come_no_further() -> None:
    pit = pit_of("L1")
    round_ = pit.start(1)
    assert pit.hit(round_, 2, "royal-flush").status == "paid"
    second = pit.hit(round_, 3, "royal-flush")
    assert (second.badge_role, second.status) == ("supervisor", "hit")
    with pytest.raises(InputError, match=r"small pays of a round need it together from \$100"):
        pit.do(PayJackpot(second.id))
    # Confirmed by a badge it does not count any more: the next small one is the dealer's again.
    pit.pay(second.id, "badge-S1")
    assert pit.hit(round_, 1, "full-house").status == "paid"


def test_small_awards_and_envy_count_together_over_all_links_of_the_round() -> None:
    played = game("six-card-fortune")
    (jackpot,) = played.jackpots
    second = replace(jackpot, name="progressive2", table_wager=jackpot.name)
    editions = tuple(replace(each, sensors=2) for each in played.editions)
    with defined_as(replace(played, wagers=(*played.wagers, second), editions=editions)):
        pit = pit_of("L1", "L2", wager=2 * DOLLAR)
        round_ = str(pit.do(StartRound("T1", sensors={"1": [1, 2], "2": [1, 2, 3]}))["round"])
        places = [(1, "1"), (2, "1"), (1, "2"), (2, "2")]
        awards = [pit.hit(round_, seat, "full-house", sensor=sensor) for seat, sensor in places]
    assert [award.cents for award in awards] == [30 * DOLLAR] * 4
    assert [award.badge_role for award in awards] == ["none"] * 3 + ["supervisor"]


def test_what_a_dealer_took_back_still_counts() -> None:
    """Paid, taken back and paid to the next: the chips of the first may be gone."""
    pit = pit_of("L1", wager=4 * DOLLAR)
    round_ = pit.start(1, 2, 3)
    paid = pit.hit(round_, 1, "full-house")
    assert (paid.cents, paid.status) == (60 * DOLLAR, "paid")
    assert pit.do(PressHand(round_, 1, "full-house"))["taken_back_cents"] == 60 * DOLLAR
    again = pit.hit(round_, 2, "full-house")
    assert (again.badge_role, again.status) == ("supervisor", "hit")
    # What a supervisor takes back was looked at by one.
    pit.pay(again.id, "badge-S1")


def test_what_a_supervisor_rejected_counts_no_more() -> None:
    pit = pit_of("L1", wager=4 * DOLLAR)
    round_ = pit.start(1, 2, 3)
    paid = pit.hit(round_, 1, "full-house")
    pit.do(RejectJackpot(paid.id, "badge-S1", "the wrong seat"))
    assert pit.hit(round_, 2, "full-house").status == "paid"


def test_every_round_begins_anew() -> None:
    pit = pit_of("L1")
    for _ in range(2):
        round_ = pit.start(1)
        assert pit.hit(round_, 2, "royal-flush").status == "paid"
        pit.end(round_)
