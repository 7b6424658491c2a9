"""What the manager shows to those who ask: entities as plain data, without fingerprints, secrets or hidden cards.

A round shows cards only in `shown`, where the manager puts them when they are revealed; the deal shows its commitment.
"""

from __future__ import annotations

from typing import Any

import msgspec

from houseway.manager.core.entities import Award, Device, Link, Person, Proposal, Round
from houseway.manager.core.floor import Floor
from houseway.manager.core.ledger import account
from houseway.manager.handlers import settings
from houseway.manager.handlers.changes import kept_change
from houseway.manager.handlers.common import before_play
from houseway.manager.handlers.link_rules import table_paytable
from houseway.manager.handlers.meters import displayed, pending
from houseway.manager.handlers.verification import payout_of, reference_fits


def meters_view(floor: Floor, link: Link) -> dict[str, Any]:
    """What a link's signs show: each level's displayed amount and what lies behind it, and the awards that wait."""
    shown = displayed(floor, link)
    levels = {name: _level_view(floor, link, name, amount) for name, amount in shown.items()}
    return {
        "link": link.id,
        "kind": link.kind,
        "status": link.status,
        "reason": link.status_reason,
        "wager": link.wager,
        "levels": levels,
        "pending": [award_view(award) for award in pending(floor, link.id)],
    }


def _level_view(floor: Floor, link: Link, level: str, shown: int) -> dict[str, Any]:
    """One level in micros: what the sign shows, what is on the meter, and what is put aside or locked."""
    held = {
        kind: floor.held(account(kind, link.id, level)) for kind in ("meter", "reserve", "overflow", "locked", "seed")
    }
    figures = floor.levels.get(f"{link.id}/{level}")
    parameters = link.levels.get(level)
    return {
        "displayed": shown,
        **held,
        "limit": parameters.limit if parameters else None,
        "hits": figures.hits if figures else 0,
    }


def link_view(floor: Floor, link: Link) -> dict[str, Any]:
    """A link with its parameters, its meters, the tables on it, and the running figures of its levels."""
    tables = sorted(table.id for table in floor.tables.values() if link.id in table.sensors.values())
    figures = {name: msgspec.to_builtins(floor.levels.get(f"{link.id}/{name}")) for name in link.levels}
    return {**msgspec.to_builtins(link), "meters": meters_view(floor, link), "tables": tables, "figures": figures}


def table_view(floor: Floor, id_: str) -> dict[str, Any]:
    """A table with its round, the awards of that round, what its sensors are joined to, and what it still needs."""
    table = floor.tables[id_]
    round_ = floor.rounds.get(table.round or "")
    links = {
        sensor: _sensor_view(floor, floor.links[link], table.game)
        for sensor, link in table.sensors.items()
        if link in floor.links
    }
    return {
        **msgspec.to_builtins(table),
        "links": links,
        "in_play": round_view(floor, round_) if round_ else None,
        "next": before_play(table),
        "held": sorted(r.id for r in floor.rounds.values() if r.table == id_ and r.phase == "held"),
    }


def _sensor_view(floor: Floor, link: Link, game: str) -> dict[str, Any]:
    """What a table's controls need of the link on a sensor: its state, its wager, its hand buttons."""
    pays = table_paytable(floor, link, game)
    return {
        "link": link.id, "kind": link.kind, "status": link.status, "wager": link.wager, "paytable": pays.id,
        "hands": [hand for line in pays.lines for hand in line.hands],
        "pays": {line.hand: line.pays * link.wager for line in pays.lines if line.pays},
    }  # fmt: skip


def round_view(floor: Floor, round_: Round) -> dict[str, Any]:
    """A round in play or held, with its awards in the order in which they are paid."""
    awards = [floor.awards[id_] for id_ in round_.awards if id_ in floor.awards]
    seen = msgspec.to_builtins(round_)
    # Where the wagers' money went is the ledger's business; tables need the seats.
    seen["taken"] = {taken.sensor: list(taken.seats) for taken in round_.taken}
    seen["awards"] = [waiting_award_view(floor, award) for award in sorted(awards, key=_turn)]
    return dict(seen)


def waiting_award_view(floor: Floor, award: Award) -> dict[str, Any]:
    """An award with whether it still waits for surveillance's reference."""
    threshold = settings.value(floor, "surveillance_threshold", floor.last_at)
    missing = award.cents > threshold and not _is_verified(floor.rounds.get(award.round), award)
    return {**award_view(award), "reference_missing": missing}


def _is_verified(round_: Round | None, award: Award) -> bool:
    """Whether surveillance has verified the award as it stands."""
    found = None if round_ is None else round_.references.get(award.id)
    return found is not None and reference_fits(found, payout_of(award))


def _turn(award: Award) -> tuple[int, str, str]:
    """From the dealer's far right: the highest seat first."""
    return (-award.seat, award.sensor, award.id)


def award_view(award: Award) -> dict[str, Any]:
    """An award as it stands."""
    return dict(msgspec.to_builtins(award))


def recent_view(floor: Floor) -> list[dict[str, Any]]:
    """The last awards that were paid off each level, or from tray or house at each table, the oldest first.

    Each with who paid it, the envy of its hand, and when it was backed out, if it was.
    """
    found = [
        {
            "award": hit["award"], "link": id_.split("/", 1)[0], "level": id_.split("/", 1)[1], "table": hit["table"],
            "seat": hit["seat"], "hand": hit["hand"], "cents": hit["cents"], "source": "meter", "paid_at": hit["at"],
            "paid_by": hit["paid_by"], "envy": hit["envy"], "backed_out_at": hit.get("backed_out_at"),
        }
        for id_, level in sorted(floor.levels.items())
        for hit in level.recent
        if hit["award"] not in floor.awards
    ]  # fmt: skip
    found += [
        {
            "award": past.id, "link": past.link, "level": past.level, "table": table, "seat": past.seat,
            "hand": past.hand, "cents": past.cents, "source": past.source, "paid_at": past.paid_at,
            "paid_by": past.paid_by, "envy": past.envy, "backed_out_at": past.backed_out_at,
        }
        for table, paid in sorted(floor.paid.items())
        for past in paid.awards
    ]  # fmt: skip
    return sorted(found, key=lambda hit: (hit["paid_at"], hit["award"]))


def proposal_view(proposal: Proposal) -> dict[str, Any]:
    """A change that waits for a second person or for its moment, with who may approve it and when it is made."""
    change = kept_change(proposal)
    seen = msgspec.to_builtins(proposal)
    return {**seen, "approvers": list(change.approvers), "moment": change.moment}


def person_view(person: Person) -> dict[str, Any]:
    """A member of staff; of the cards only how many there are."""
    seen = msgspec.to_builtins(person)
    seen["cards"] = len(person.cards)
    return dict(seen)


def device_view(device: Device) -> dict[str, Any]:
    """A device without fingerprints, of its secret and of the sessions there."""
    seen = msgspec.to_builtins(device)
    del seen["secret"]
    seen["signed_in"] = {person: found["since"] for person, found in seen["signed_in"].items()}
    return dict(seen)
