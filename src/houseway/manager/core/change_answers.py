"""What is told of changes by two people that were made: at their approval, or when their moment came."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict

from houseway.amounts import Cents, Micros
from houseway.manager.core.command import CommandAnswer
from houseway.manager.core.link_entities import LinkWarning
from houseway.manager.core.roles import Role
from houseway.reading.json_values import Json


class MovedLevel(Struct, frozen=True, omit_defaults=True):
    """What became of the money of a level that was taken out of play."""

    seed_recovered_micros: Micros
    moved_micros: Micros
    link: str | None = None
    """Where it went; nowhere, if there was none."""
    level: str | None = None
    promotion: str | None = None
    """The promotion that gives it back to players."""
    return_by: int | None = None
    """By when players must have it back."""


class ChangeEffect(CommandAnswer, frozen=True, kw_only=True):
    """What a change has done; each kind of change tells its own part of it."""

    link: str | UnsetType = UNSET
    version: int | UnsetType = UNSET
    """Of the link's parameters, from now on."""
    warnings: tuple[LinkWarning, ...] | UnsetType = UNSET
    link_status: str | UnsetType = UNSET
    """Of a link that was withdrawn, retired, or takes no more wagers until the change is made."""
    level: str | UnsetType | None = UNSET
    limit: Cents | UnsetType | None = UNSET
    released_micros: Micros | UnsetType = UNSET
    """Overflow that a higher limit has let onto the meter."""
    prizes: dict[str, Cents] | UnsetType = UNSET
    code: str | UnsetType = UNSET
    account: str | UnsetType = UNSET
    micros: Micros | UnsetType = UNSET
    meter_micros: Micros | UnsetType = UNSET
    """What the meter holds now."""
    award: str | UnsetType = UNSET
    cents: Cents | UnsetType = UNSET
    seed_recovered_micros: Micros | UnsetType = UNSET
    advance_returned_micros: Micros | UnsetType = UNSET
    source: str | UnsetType = UNSET
    moved: dict[str, MovedLevel] | UnsetType = UNSET
    setting: str | UnsetType = UNSET
    value: Json | UnsetType = UNSET
    since: int | UnsetType = UNSET
    person: str | UnsetType = UNSET
    roles: tuple[Role, ...] | UnsetType = UNSET
    were: tuple[Role, ...] | UnsetType = UNSET
    tables_left: tuple[str, ...] | UnsetType = UNSET
    paper: str | UnsetType = UNSET
    """The paper that was filed of it."""


class ChangeOutcome(ChangeEffect, frozen=True, kw_only=True):
    """An approved change whose moment came within a command: it was made, or it lapsed."""

    proposal: str
    status: Literal["made", "lapsed"]
    because: str | UnsetType = UNSET
    """Why it could not be made."""


def outcome_of(proposal: str, effect: ChangeEffect) -> ChangeOutcome:
    """The outcome of a change that was made."""
    return ChangeOutcome(proposal=proposal, status="made", **asdict(effect))
