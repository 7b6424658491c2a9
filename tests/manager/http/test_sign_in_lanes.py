"""Wrong sign-ins over HTTP: strangers close nothing but their own lanes, and guess no faster from many addresses."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from houseway.manager.core import badge_lanes, badges
from houseway.manager.core.badge_lanes import OF_KNOWN_NETWORK, OF_UNKNOWN_NETWORK, OF_UNKNOWN_NETWORKS
from houseway.manager.core.badges import MINUTE
from houseway.manager.http import lobby
from houseway.manager.views.floor_questions import DevicesQuestion, HealthQuestion
from tests.manager.floors import ACCOUNTING, CAGE, DEALER, EXECUTIVE, SUPERVISOR, badge
from tests.manager.http.running_http import DEVICE, Served, serving
from tests.manager.server.house import House
from tests.manager.server.running import recorded

_guesses = iter(range(10**9))


@pytest.fixture(autouse=True)
def swift(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong badges are answered at once."""
    monkeypatch.setattr(badges, "DELAY_SECONDS", 0.0)


@asynccontextmanager
async def coming_from(served: Served, number: int) -> AsyncIterator[httpx.AsyncClient]:
    """A client at an address of its own: 127.1.0.0 and so on, which all reach this machine."""
    own = httpx.AsyncHTTPTransport(local_address=f"127.1.{number // 250}.{number % 250 + 1}")
    async with httpx.AsyncClient(transport=own, base_url=served.base, timeout=60) as client:
        yield client


async def sign_in(served: Served, number: int, shown: str) -> int:
    async with coming_from(served, number) as client:
        return (await client.post("/v1/session", json={"badge": shown})).status_code


async def guess(served: Served, number: int) -> int:
    """One wrong badge from an address."""
    return await sign_in(served, number, f"guess {next(_guesses):012}")


async def flood(served: Served, addresses: range) -> list[int]:
    """Wrong badges from every address until it is refused to look at them."""
    said = []
    for number in addresses:
        for _ in range(OF_UNKNOWN_NETWORK.at_once + 2):
            said.append(await guess(served, number))
            if said[-1] == 429:
                break
    return said


async def second_badge(served: Served, who: dict[str, str], shown: str) -> int:
    """What a command with a second person's badge is answered."""
    fields = {"person": "Dealer 19", "badge": f"a new badge {next(_guesses)}", "second_badge": shown}
    return (await served.command("person.change", who, f"key-{next(_guesses)}", **fields)).status_code


def test_a_flood_from_many_addresses_closes_nothing_for_who_is_signed_in_or_has_been(house: House) -> None:
    async def scenario() -> None:
        async with serving(house, listen=True) as served:
            boss = await served.sign_in(EXECUTIVE)
            assert await sign_in(served, 0, badge(SUPERVISOR)) == 200
            said = await flood(served, range(10, 40))
            assert said.count(403) == OF_UNKNOWN_NETWORKS.at_once, "all addresses share one allowance"
            # The reader is closed for whoever comes from where nobody came before, even with the right badge.
            assert await sign_in(served, 50, badge(DEALER)) == 429
            # Second people's badges are taken as ever, right and wrong, and so are sign-ins from known addresses.
            assert await second_badge(served, boss, badge(ACCOUNTING)) == 200
            assert await second_badge(served, boss, "nobody's badge") == 403
            assert await sign_in(served, 0, badge(DEALER)) == 200
            assert await sign_in(served, 0, badge(CAGE)) == 200

    asyncio.run(scenario())
    lanes = [one["lane"] for one in recorded(house, "system.locked")]
    assert lanes.count(badge_lanes.UNKNOWN_NETWORKS) == 1
    assert all(one.startswith(("network 127.1.", badge_lanes.UNKNOWN_NETWORKS)) for one in lanes), lanes
    tried = [one for one in recorded(house) if one["kind_of"] == "person.sign-in"]
    assert len({one["address"] for one in tried}) >= 10, "the record has where each came from"


def test_one_address_waits_and_the_others_do_not(house: House) -> None:
    async def scenario() -> tuple[list[int], str, str]:
        async with serving(house, listen=True) as served:
            said = [await guess(served, 1) for _ in range(OF_UNKNOWN_NETWORK.at_once + 1)]
            async with coming_from(served, 1) as client:
                right = await client.post("/v1/session", json={"badge": badge(DEALER)})
                wrong = await client.post("/v1/session", json={"badge": "nobody's badge at all"})
            assert int(right.headers["retry-after"]) > 0
            assert await sign_in(served, 2, badge(DEALER)) == 200
            alerts = (await served.service.ask(HealthQuestion())).alerts
            assert [one.about for one in alerts] == [f"{DEVICE}, network 127.1.0.2"]
            return [*said, right.status_code], right.json()["error"]["faults"][0]["code"], wrong.text[:60]

    said, code, _ = asyncio.run(scenario())
    assert said == [403] * OF_UNKNOWN_NETWORK.at_once + [429, 429]
    assert code == "badges-locked"


def test_the_same_wrong_badge_shown_again_is_one_guess(house: House) -> None:
    async def scenario() -> None:
        async with serving(house, listen=True) as served:
            for _ in range(2 * OF_UNKNOWN_NETWORK.at_once):
                assert await sign_in(served, 1, "a badge read wrongly") == 403
            assert await sign_in(served, 1, badge(DEALER)) == 200

    asyncio.run(scenario())


def test_who_is_signed_in_closes_their_own_lane_alone(house: House) -> None:
    async def scenario() -> None:
        async with serving(house) as served:
            boss, other = await served.sign_in(EXECUTIVE), await served.sign_in(SUPERVISOR)
            said = [await second_badge(served, boss, f"guess {number:012}") for number in range(6)]
            assert said == [403] * 5 + [429]
            assert await second_badge(served, boss, badge(ACCOUNTING)) == 429
            swipe = await served.command("dealer.in", other, "swipe", table="T1", badge="nobody's badge")
            assert swipe.json()["error"]["faults"][0]["code"] == "badge-refused"
            assert (await served.sign_in(DEALER))["Authorization"]

    asyncio.run(scenario())


def test_a_closed_lane_outlasts_a_restart_and_comes_back_slowly(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a restart there are not all tries again, also when the lane is open: they come back one by one."""

    async def use_up() -> None:
        async with serving(house, listen=True) as served:
            assert await sign_in(served, 0, badge(SUPERVISOR)) == 200
            await flood(served, range(10, 40))

    async def after(minutes: int) -> list[int]:
        now = time.time_ns() // 1000 + minutes * MINUTE
        monkeypatch.setattr("houseway.manager.server.badge_gate.wall_micros", lambda: now)
        async with serving(house, listen=True) as served:
            return [await guess(served, 100 + minutes), await guess(served, 101 + minutes), await guess(served, 0)]

    asyncio.run(use_up())
    assert asyncio.run(after(1)) == [429, 429, 403]
    every = OF_UNKNOWN_NETWORKS.every // MINUTE
    assert asyncio.run(after(every + 1)) == [403, 429, 403]


def test_a_known_network_guesses_no_faster_either(house: House) -> None:
    async def scenario() -> None:
        async with serving(house, listen=True) as served:
            assert await sign_in(served, 0, badge(SUPERVISOR)) == 200
            said = [await guess(served, 0) for _ in range(OF_KNOWN_NETWORK.at_once + 1)]
            assert said == [403] * OF_KNOWN_NETWORK.at_once + [429]
            assert await sign_in(served, 1, badge(DEALER)) == 200

    asyncio.run(scenario())


def test_nobody_makes_the_networks_of_others_unknown(house: House) -> None:
    async def scenario() -> tuple[str, ...]:
        async with serving(house) as served:
            await served.service.sign_in({"badge": badge(SUPERVISOR)}, "10.0.0.1")
            for number in range(20):
                await served.service.sign_in({"badge": badge(DEALER)}, f"2001:db8:0:{number:x}::1")
            devices = await served.service.ask(DevicesQuestion())
            return next(one.networks for one in devices.devices if one.id == DEVICE)

    networks = asyncio.run(scenario())
    assert "10.0.0.1" in networks
    assert len(networks) == 1 + badge_lanes.MOST_KNOWN_OF_PERSON
    assert "2001:db8:0:13::/64" in networks


def test_sign_ins_wait_in_a_short_line_and_hold_up_nobody_who_is_signed_in(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a wrong badge waits for its answer, people go on, and a line that is full refuses at once."""

    async def scenario() -> None:
        async with serving(house, listen=True) as served:
            boss = await served.sign_in(EXECUTIVE)
            assert await sign_in(served, 0, badge(SUPERVISOR)) == 200
            monkeypatch.setattr(badges, "DELAY_SECONDS", 600.0)
            addresses = range(10, 10 + lobby.MOST_IN_LINE)
            waiting = [asyncio.create_task(guess(served, number)) for number in addresses]
            try:
                async with asyncio.timeout(60):
                    await go_on(served, boss)
            finally:
                # Else the end would wait for the badge that waits for its answer, and for those behind it.
                monkeypatch.setattr(badges, "DELAY_SECONDS", 0.0)
                for task in [*waiting, *served.server._shown]:
                    task.cancel()
                await asyncio.gather(*waiting, return_exceptions=True)

    async def go_on(served: Served, boss: dict[str, str]) -> None:
        while served.service.lobby.line_of("127.1.0.11").length < lobby.MOST_IN_LINE:
            await asyncio.sleep(0.01)
        refused = await _whole(served, 30, "nobody's badge")
        assert (refused.status_code, refused.json()["error"]["faults"][0]["code"]) == (429, "too-many-clients")
        assert int(refused.headers["retry-after"]) > 0
        # Who is signed in commands, asks and shows second badges; who comes from a known address signs in.
        assert (await served.http.get("/v1/tables", headers=boss)).status_code == 200
        assert await second_badge(served, boss, badge(ACCOUNTING)) == 200
        assert await sign_in(served, 0, badge(CAGE)) == 200

    asyncio.run(scenario())


async def _whole(served: Served, number: int, shown: str) -> Any:
    async with coming_from(served, number) as client:
        return await client.post("/v1/session", json={"badge": shown})
