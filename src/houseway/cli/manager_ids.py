"""The ids in what people type for a manager: found in any case, and who acts, with a hint where nobody has that id."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from houseway.errors import InputError
from houseway.manager.interface.field_types import as_numbered
from houseway.reading.typed_ids import known_id
from houseway.wording import suggestion

if TYPE_CHECKING:
    from houseway.manager.interface.contract import ManagerInterface

_KINDS: Final = ("table", "link", "round", "award", "proposal", "person", "dealer", "device")
"""Fields of commands and of changes that name something which is there already."""
_NEW: Final = {"table.create": "table", "link.create": "link", "person.add": "person", "device.add": "device"}
"""Fields that name what the command makes: they stay as they are typed."""


class KnownIds:
    """The ids that a manager knows, asked for kind by kind as they are needed."""

    def __init__(self, found: ManagerInterface) -> None:
        """Ask nothing yet."""
        self._found = found
        self._known: dict[str, frozenset[str]] = {}

    def of(self, kind: str) -> frozenset[str]:
        """The ids of a kind; none where the device that speaks may not ask for them."""
        if kind not in self._known:
            try:
                self._known[kind] = frozenset(_ASKED[kind](self._found))
            except InputError:
                self._known[kind] = frozenset()
        return self._known[kind]

    def in_command(self, do: Mapping[str, Any]) -> dict[str, Any]:
        """A command with its ids as they are registered, and so the change that it proposes."""
        own = _NEW.get(str(do.get("kind")))
        read = self._in(do, own, "")
        if isinstance(do.get("what"), Mapping):
            read["what"] = self._in(do["what"], None, "what.")
        if isinstance(do.get("slip"), str) and do.get("kind") != "tray.fill":
            read["slip"] = as_numbered(do["slip"])
        if do.get("register") == "withdrawal" and isinstance(do.get("subject"), str):
            read["subject"] = known_id(do["subject"], self.of("paper"), "subject")
        return read

    def _in(self, fields: Mapping[str, Any], own: str | None, place: str) -> dict[str, Any]:
        return {
            name: known_id(value, self.of(name), f"{place}{name}")
            if name in _KINDS and name != own and isinstance(value, str)
            else value
            for name, value in fields.items()
        }

    def actor(self, typed: str, device: str | None) -> str:
        """Who acts; refused with who there is where nobody has that id. Devices speak for themselves."""
        people = self.of("person")
        if typed == "system" or typed.startswith("device:") or not people:
            return typed
        found = known_id(typed, people, "actor")
        if found in people:
            return found
        signed_in = self.signed_in(device)
        here = f"; signed in at {device}: {', '.join(signed_in) or 'nobody'}" if device is not None else ""
        message = f"nobody here has the id {found[:60]!r}: {suggestion(found[:60], sorted(people))}{here}"
        raise InputError.of("unknown-person", "actor", message)

    def signed_in(self, device: str | None) -> list[str]:
        """Who is signed in at a device."""
        from houseway.manager.interface.whole_answers import ask_all
        from houseway.manager.views.floor_questions import DevicesQuestion

        if device is None:
            return []
        devices = ask_all(self._found, DevicesQuestion()).devices
        return sorted(person for each in devices if each.id == device for person in each.signed_in)


def _tables(found: ManagerInterface) -> list[str]:
    from houseway.manager.views.floor_questions import TablesQuestion

    return [table.id for table in found.ask(TablesQuestion()).tables]


def _links(found: ManagerInterface) -> list[str]:
    from houseway.manager.views.floor_questions import LinksQuestion

    return [link.id for link in found.ask(LinksQuestion()).links]


def _rounds(found: ManagerInterface) -> list[str]:
    from houseway.manager.views.floor_questions import TablesQuestion

    tables = found.ask(TablesQuestion()).tables
    return [id_ for table in tables for id_ in (table.round, table.last_round, *table.held) if id_ is not None]


def _awards(found: ManagerInterface) -> list[str]:
    from houseway.manager.views.floor_questions import AwardsQuestion

    told = found.ask(AwardsQuestion())
    return [*(each.id for each in told.awards), *(each.award for each in told.recent)]


def _proposals(found: ManagerInterface) -> list[str]:
    from houseway.manager.interface.whole_answers import ask_all
    from houseway.manager.views.floor_questions import ProposalsQuestion

    return [proposal.id for proposal in ask_all(found, ProposalsQuestion()).proposals]


def _people(found: ManagerInterface) -> list[str]:
    from houseway.manager.interface.whole_answers import ask_all
    from houseway.manager.views.floor_questions import PeopleQuestion

    return [person.id for person in ask_all(found, PeopleQuestion()).people]


def _devices(found: ManagerInterface) -> list[str]:
    from houseway.manager.interface.whole_answers import ask_all
    from houseway.manager.views.floor_questions import DevicesQuestion

    return [device.id for device in ask_all(found, DevicesQuestion()).devices]


def _papers(found: ManagerInterface) -> list[str]:
    from houseway.manager.interface.whole_answers import ask_all
    from houseway.manager.views.floor_questions import PapersQuestion

    return [paper.id for paper in ask_all(found, PapersQuestion()).papers]


_ASKED: Final[dict[str, Callable[[ManagerInterface], list[str]]]] = {
    "table": _tables,
    "link": _links,
    "round": _rounds,
    "award": _awards,
    "proposal": _proposals,
    "person": _people,
    "dealer": _people,
    "device": _devices,
    "paper": _papers,
}
