"""What a seed makes of a card room: people, links with odd rates and near limits, tables of all games, bad wires.

Amounts are small and rates high, so that within a hundred commands meters reach their limits, reserves are drawn, cards
of every rank are needed and remainders below a millionth matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Final

from instruments.simulator.checker.papers import printed_tables
from instruments.simulator.network import Weather

START: Final = 1_767_268_800_000_000
"""January 1, 2026, noon UTC, in microseconds."""

DESK: Final = "DESK"
"""The service in the office, where people sign in by badge."""
PEOPLE: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "EX1": ("management", ("executive",)),
    "AC1": ("accounting", ("accounting",)),
    "SU1": ("pit", ("supervisor",)),
    "SU2": ("pit", ("supervisor",)),
    "DE1": ("pit", ("dealer",)),
    "DE2": ("pit", ("dealer",)),
    "DE3": ("pit", ("dealer",)),
    "DE4": ("pit", ("dealer",)),
    "DE5": ("pit", ("dealer", "supervisor")),
    "SV1": ("surveillance", ("surveillance",)),
    "SV2": ("surveillance", ("surveillance", "supervisor")),
    "CA1": ("cage", ("cage",)),
    "TE1": ("engineering", ("technician",)),
    "AU1": ("accounting", ("auditor",)),
}
RATES: Final = ("1/3", "0.215", "21.5%", "1/7", "2/9", "1/64", "0.3333", "7/11", "0")
RESERVES: Final = ("0", "1/100", "1/30", "1/13", "0.05")
FAMILIES: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "six": (("six-card-fortune",), ("6CFPGPP-2", "6CFPGPP-3", "6CFPGPP-4", "6CFPGPP-5")),
    "seven": (
        ("fortune", "commission-free-fortune", "face-up"),
        ("FPGPP-WA01", "FPGPP-WA03", "FPGPP-WA07", "FPGPP-ML2", "FUPGPP-WA01", "FUPGPP-ML02"),
    ),
    "poker": (("six-card-poker",), ("SIXCPP-01", "SIXCPP-02")),
}
"""Games that may share links, and the pay tables for them."""


def badge(person: str) -> str:
    """The fingerprint of a person's badge."""
    return f"badge:{person}"


@dataclass(frozen=True)
class Plan:
    """The room of one seed."""

    links: tuple[dict[str, Any], ...]
    openings: dict[str, dict[str, dict[str, int]]]
    tables: tuple[dict[str, Any], ...]
    sensors: tuple[tuple[str, str, str], ...]
    """Table, sensor, link."""
    processes: int
    weather: Weather
    kills: int
    """Chance in a thousand that a process dies while it writes a group."""
    snapshot_every: int
    luck: int
    """Chance in a thousand that a seat with a wager has a hand with a button."""
    slips: int
    """Chance in a thousand that somebody does the wrong thing."""
    clock_jumps: bool
    verified_from: int | None
    """Payouts above so many cents are verified by surveillance; None: as the property begins."""


def people() -> list[dict[str, Any]]:
    """The staff, as `property.create` takes it."""
    return [
        {"id": id_, "name": f"Person {id_}", "department": department, "roles": list(roles), "badge": badge(id_)}
        for id_, (department, roles) in PEOPLE.items()
    ]


def plan_of(rng: Random) -> Plan:
    """A room, from the luck that is handed in."""
    chosen = rng.sample(sorted(FAMILIES), rng.choice((1, 1, 2)))
    links: list[dict[str, Any]] = []
    tables: list[dict[str, Any]] = []
    sensors: list[tuple[str, str, str]] = []
    for family in chosen:
        _add_family(rng, family, links, tables, sensors, most=2 if len(chosen) > 1 else 3)
    return Plan(
        tuple(links),
        {link["link"]: _opening(rng, link) for link in links},
        tuple(tables),
        tuple(sensors),
        processes=rng.choice((1, 2, 2, 3)),
        weather=_weather(rng),
        kills=rng.choice((0, 10, 30)),
        snapshot_every=rng.choice((25, 60, 10_000)),
        luck=rng.choice((150, 300, 500)),
        slips=rng.choice((20, 80, 150)),
        clock_jumps=rng.random() < 0.15,
        verified_from=rng.choice((None, None, 1_000)),
    )


def large_plan(rng: Random, tables: int) -> Plan:
    """A room with so many tables of all games, on calm wires and a single process, where mistakes are seldom."""
    links: list[dict[str, Any]] = []
    found: list[dict[str, Any]] = []
    sensors: list[tuple[str, str, str]] = []
    while len(found) < tables:
        for family in sorted(FAMILIES):
            _add_family(rng, family, links, found, sensors, most=2)
    names = {table["table"] for table in found[:tables]}
    return Plan(
        tuple(links),
        {link["link"]: _opening(rng, link) for link in links},
        tuple(found[:tables]),
        tuple(each for each in sensors if each[0] in names),
        processes=1,
        weather=Weather(0, 0, 0, 0),
        kills=0,
        snapshot_every=400,
        luck=150,
        slips=10,
        clock_jumps=False,
        verified_from=None,
    )


def _weather(rng: Random) -> Weather:
    if rng.random() < 0.2:
        return Weather(0, 0, 0, 0)
    return Weather(
        rng.choice((10, 60, 120)), rng.choice((10, 60, 120)), rng.choice((20, 100)), rng.choice((0, 2, 6)) * 10**6
    )


def _add_family(
    rng: Random,
    family: str,
    links: list[dict[str, Any]],
    tables: list[dict[str, Any]],
    sensors: list[tuple[str, str, str]],
    most: int,
) -> None:
    games, paytables = FAMILIES[family]
    kinds = rng.choice(
        (("progressive",), ("progressive",), ("progressive", "progressive"), ("house",), ("progressive", "house"))
    )
    mine = [_link(rng, f"L{len(links) + number}", kind, rng.choice(paytables)) for number, kind in enumerate(kinds, 1)]
    links += mine
    for _ in range(rng.randint(1, most)):
        table = _table(rng, f"T{len(tables) + 1}", rng.choice(games))
        tables.append(table)
        first = rng.choice(mine)
        sensors.append((table["table"], "1", first["link"]))
        second = [each for each in mine if each is not first and each["linked_as"] == first["linked_as"]]
        two = family == "seven" and bool(second) and rng.random() < 0.7
        if two:
            sensors.append((table["table"], "2", second[0]["link"]))
        if family == "seven" and (two or first["linked_as"] == "house"):
            # Only the edition of 2023 has these, and it knows no older controls.
            table["vocabulary"] = "nexus-2"


def _link(rng: Random, link: str, kind: str, paytable: str) -> dict[str, Any]:
    printed = printed_tables()[paytable]
    do: dict[str, Any] = {
        "kind": "link.create", "link": link, "linked_as": kind, "paytable": paytable,
        "wager": rng.choice((100, 100, 100, 200, 500)),
        "fixed_supervisor_from": rng.choice((0, 1_000, 20_000)),
        "display_falls": rng.choice(("at-payment", "at-hit")),
    }  # fmt: skip
    if kind == "house":
        return do | {"prizes": {level: rng.choice((50_000, 400_001, 1_000_000)) for level in printed.levels}}
    share = len(printed.levels)
    return do | {
        "levels": {level: _level(rng, share) for level in printed.levels},
        "fixed_pays": "meter" if printed.fixed_from_meter and rng.random() < 0.4 else "tray",
        "shows_contributions": rng.choice(("at-start", "at-start", "at-end")),
        "order": "full-to-each" if rng.random() < 0.3 else "seat-order",
    }


def _level(rng: Random, share: int) -> dict[str, Any]:
    """A level: with several of them, rates small enough to fit into one wager together."""
    seed = rng.choice((0, 0, 1_000, 25_000, 100_000, 350_000))
    level: dict[str, Any] = {
        "seed": seed,
        "contribution": rng.choice(("2/7", "0.215", "1/7", "2/9", "1/64") if share > 1 else RATES),
        "reserve": rng.choice(RESERVES[:3] if share > 1 else RESERVES),
    }
    if rng.random() < 0.35:
        level["limit"] = max(1, seed + rng.choice((0, 150, 400, 2_000)))
    if rng.random() < 0.6:
        level["executive_from"] = rng.choice((500, 20_000, 90_000, 300_000))
    return level


def _opening(rng: Random, link: dict[str, Any]) -> dict[str, dict[str, int]]:
    opening = {}
    for name, level in link.get("levels", {}).items():
        room = 10**9 if level.get("limit") is None else level["limit"] - level["seed"]
        carried = min(room, rng.choice((0, 0, 137, 5_001, 400_000)))
        opening[name] = {"seed": level["seed"], "carried": carried} if carried else {"seed": level["seed"]}
    return opening


def _table(rng: Random, table: str, game: str) -> dict[str, Any]:
    vocabularies = (
        ("nexus", "nexus-2")
        if game in ("fortune", "commission-free-fortune", "face-up")
        else ("aquarius", "nexus", "nexus-2")
    )
    return {
        "kind": "table.create", "table": table, "game": game, "vocabulary": rng.choice(vocabularies),
        "cards": "known" if rng.random() < 0.3 else "felt",
    }  # fmt: skip
