"""The books of a day from the transfers alone: they agree with what was played, and say so when they do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from houseway.errors import InputError
from houseway.manager.commands.link_commands import Approve, Propose
from houseway.manager.commands.round_commands import EndRound
from houseway.manager.store import schema
from houseway.manager.store.history import as_of
from houseway.manager.store.reading import View, open_view
from houseway.manager.store.reconcile import Reconciliation, reconcile
from tests.manager.audit.house import FELT, House
from tests.manager.audit.play import Played
from tests.manager.audit.tampering import Forger, forging
from tests.manager.floors import DAY, DEALER, EXECUTIVE, START, SUPERVISOR, badge


def day_of(now: int) -> tuple[int, int]:
    first = now // DAY * DAY
    return first, first + DAY - 1


def books(played: Played) -> Reconciliation:
    with open_view(played.url) as view:
        return reconcile(view, *day_of(played.now))


def test_a_day_agrees_with_what_was_played(played: Played) -> None:
    found = books(played)
    assert found.agrees, [check for check in found.checks if not check.agrees]
    (level,) = found.levels
    assert (level.link, level.level) == ("L1", "main")
    # Seven rounds of three wagers each, a third of a dollar of each wager to the meter, one round void.
    assert (level.contributions, level.voided) == (7_000_000, -1_000_000)
    assert level.seeded == 1_000_000_000
    moved = level.contributions + level.voided + level.won + level.seeded + level.released
    assert level.opening + moved + level.opened + level.adjusted == level.closing
    accounts = {account.name: account for account in found.accounts}
    drop = accounts["drop/T1"]
    assert drop.moved == {"receipt": 12_000_000, "void": -3_000_000}
    assert accounts["paid/L1"].moved["payment"] == -level.won
    assert sum(account.opening for name, account in accounts.items() if name.startswith("tray")) > 0


def test_days_follow_on_each_other(played: Played) -> None:
    with open_view(played.url) as view:
        first = view.event(view.bounds()[0])
        assert first is not None
        middle = played.now - 10_000_000
        begin = day_of(played.now)[0]
        one, two = reconcile(view, begin, middle), reconcile(view, middle + 1, played.now)
    assert one.agrees
    assert two.agrees
    assert {account.name: account.closing for account in one.accounts} == {
        account.name: account.opening
        for account in two.accounts
        if account.name in {each.name for each in one.accounts}
    }


def test_an_empty_day(played: Played) -> None:
    with open_view(played.url) as view:
        found = reconcile(view, played.now + DAY, played.now + 2 * DAY)
    assert found.agrees
    assert found.last < found.first
    assert all(account.moved == {} for account in found.accounts)


def test_an_archived_day_cannot_be_reconciled(played: Played) -> None:
    with open_view(played.url) as view, pytest.raises(InputError) as caught:
        reconcile(view, *day_of(START))
    assert {fault.code for fault in caught.value.faults} == {"archived"}


def failed(forger: Forger, played: Played) -> set[str]:
    found = reconcile(View(forger.connection, "forged"), *day_of(played.now))
    return {check.what for check in found.checks if not check.agrees}


def row_of(forger: Forger, account: str) -> dict[str, Any]:
    return [row for row in forger.rows(schema.transfers) if account in (row["debit"], row["credit"])][-1]


def test_money_that_went_astray_does_not_agree(played: Played) -> None:
    with forging(played) as forger:
        row = row_of(forger, "meter/L1/main")
        forger.change(schema.transfers, row, micros=row["micros"] + 1)
        other = row["debit"] if row["credit"] == "meter/L1/main" else row["credit"]
        assert {f"{other}: stored balance", "meter/L1/main: stored balance"} <= failed(forger, played)
    with forging(played) as forger:
        row = row_of(forger, "drop/T1")
        side = "debit_balance" if row["debit"] == "drop/T1" else "credit_balance"
        forger.change(schema.transfers, row, **{side: row[side] + 1})
        assert failed(forger, played) == {"drop/T1: stored balance"}
    with forging(played) as forger:
        row = row_of(forger, "paid/L1")
        forger.run(update(schema.hits).where(schema.hits.c.status == "paid").values(cents=schema.hits.c.cents + 1))
        assert "paid/L1: awards paid" in failed(forger, played)
    with forging(played) as forger:
        locked = row_of(forger, "locked/L1/main")
        side = "debit" if locked["debit"] == "locked/L1/main" else "credit"
        forger.change(schema.transfers, locked, **{side: "locked/L1/other"})
        wrong = failed(forger, played)
        assert "L1: what awards took off the meters was locked or paid" in wrong


def change(house: House, **what: Any) -> None:
    """A change by two people."""
    made = house.do(SUPERVISOR, Propose(what, "as agreed"))
    house.do(EXECUTIVE, Approve(made["proposal"], made["content_hash"], badge(EXECUTIVE)))


def test_changes_by_two_people_that_wait_for_the_end_of_a_round(empty_url: str, tmp_path: Path) -> None:
    """Shares and seeds change at the end of a round or with a win, adjustments move money then: the books agree."""
    house = House(empty_url, tmp_path / "keys")
    house.set_up()
    first = house.start(FELT)
    change(house, change="level", link="L1", level="main", contribution="1/4", reserve="0")
    change(house, change="adjustment", link="L1", level="main", code="malfunction", micros=-333_333, reference="i 1")
    before = house.now
    house.do(DEALER, EndRound(first))
    change(house, change="adjustment", link="L1", level="main", code="malfunction", micros=1_111_111, reference="i 2")
    change(house, change="level", link="L1", level="main", seed=150_000, when="won")
    house.play_felt({5: "seven-card-straight-flush"})
    house.play_felt({5: "royal-flush-royal-match"}, reject=True)
    house.void()
    house.play_known()
    house.close()
    with open_view(empty_url) as view:
        found = reconcile(view, *day_of(house.now))
        rates = [as_of(view, at).section("links")[0]["levels"]["main"] for at in (before, house.now)]
    assert found.agrees, [check for check in found.checks if not check.agrees]
    assert [rate["contribution"] for rate in rates] == ["1/3", "1/4"]
    assert [rate["seed"] for rate in rates] == [100_000, 150_000]
    (level,) = found.levels
    assert level.adjusted != 0
    reasons = {reason for account in found.accounts for reason in account.moved}
    assert {"malfunction", "seed-changed", "award", "reseed", "rejection", "void"} <= reasons
    assert level.adjusted == 1_111_111 - 333_333 + 500_000_000
    # One share of the first round, a quarter of a dollar from then on.
    assert level.contributions == 1_000_000 + 4 * 750_000
