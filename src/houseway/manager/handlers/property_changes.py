"""Changes of the property itself that two people make: values of settings with their dates, and roles of people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from houseway.errors import Fault, InputError
from houseway.manager.commands.bounds import MOST_ROLES
from houseway.manager.core import settings
from houseway.manager.core.authority import is_issued_by_two
from houseway.manager.core.change_answers import ChangeEffect
from houseway.manager.core.confirmation import badge_counts, needs_confirmation
from houseway.manager.core.engine import Decision
from houseway.manager.core.house_entities import DatedValue, Person, PropertySetting, Proposal
from houseway.manager.core.roles import APPROVING, BY_TWO, OFFICE, Role, misfit
from houseway.manager.handlers.change_base import Change, close_proposals
from houseway.manager.handlers.presets import PRESET, preset_faults
from houseway.manager.handlers.register_list import LAST_TIME
from houseway.manager.handlers.sign_in import end_dealing, sign_out_of
from houseway.paytables import PayTable, paytable
from houseway.reading.json_values import Json


class SettingChange(Change, frozen=True, tag="setting"):
    """A value of a setting from a time on; what held before is kept."""

    name: str
    value: Json
    since: int | None = None
    """Microseconds since 1970; None: from the approval on. Never in the past."""

    def faults(self, decision: Decision) -> list[Fault]:
        """The name must be on the list, the value one that it can have, the time not past."""
        if self.name.startswith(PRESET):
            found = preset_faults(self.name, self.value, _table_named(self.name))
        else:
            found = settings.check_setting(self.name, self.value)
        faults = [Fault(each.code, f"what.{each.path}", each.message) for each in found]
        if self.since is not None and self.since > LAST_TIME:
            message = f"no setting takes effect after {LAST_TIME} microseconds: give the time in microseconds"
            faults.append(Fault("out-of-range", "what.since", message))
        if self.since is not None and self.since < decision.now:
            message = "a value cannot take effect in the past: give a later time, or none for the approval's"
            faults.append(Fault("in-the-past", "what.since", message))
        return faults

    def effect(self, decision: Decision, papers: Proposal) -> ChangeEffect:
        """Add the value to the setting's history."""
        since = decision.now if self.since is None else self.since
        old = decision.settings.get(self.name)
        new = DatedValue(since, self.value, papers.by, papers.approved_by, papers.reason)
        values = (*(old.values if old else ()), new)
        # Of two values with the same time the later entry counts: the order of entering is kept among equals.
        dated = tuple(sorted(values, key=lambda value: value.since))
        decision.settings.put(PropertySetting(self.name, dated))
        return ChangeEffect(setting=self.name, value=self.value, since=since)


def _table_named(name: str) -> PayTable | None:
    try:
        return paytable(name.removeprefix(PRESET))
    except InputError:
        return None


def badge_faults(person: Person, roles: Iterable[str]) -> list[Fault]:
    """A role with authority asks for a badge that two people issued: else one person could have made the second one."""
    given = sorted(BY_TWO & set(roles))
    if not given or not person.badges or is_issued_by_two(person):
        return []
    message = (
        f"{', '.join(given)} asks for a badge that two people issued, {person.id}'s is by "
        f"{' and '.join(person.issued_by) or 'nobody on record'} alone: have two people from different departments "
        "issue another one first (houseway staff change)"
    )
    return [Fault("badge-by-one", "what.person", message)]


class RolesChange(Change, frozen=True, tag="roles"):
    """The roles of a member of staff; nobody proposes or approves their own."""

    person: str
    roles: Annotated[list[Role], Meta(max_length=MOST_ROLES)]

    def faults(self, decision: Decision) -> list[Fault]:
        """The person must exist, keep a role, and the property its two signatures."""
        person = decision.people.get(self.person)
        if person is None:
            message = f"{self.person[:40]} is nobody here: name a registered person"
            return [Fault("unknown-person", "what.person", message)]
        if not self.roles:
            message = (
                "everybody on the list has a role: take a person off duty instead (houseway staff change --no-active)"
            )
            return [Fault("no-role", "what.roles", message)]
        why = misfit(self.roles, person.department)
        if why is not None:
            return [Fault("role-misfit", "what.roles", why)]
        if set(self.roles) == set(person.roles):
            return [Fault("nothing-to-change", "what.roles", f"{person.id} has exactly these roles already")]
        return badge_faults(person, self.roles) + self._signature_faults(decision, person)

    def own_faults(self, acting: str, path: str) -> list[Fault]:
        """The fault of a person who acts on their own roles."""
        if acting != self.person:
            return []
        return [Fault("own-change", path, f"{acting} cannot decide about their own roles: others must")]

    def _signature_faults(self, decision: Decision, person: Person) -> list[Fault]:
        """After the change two departments must still be able to agree on the next one."""
        people = [
            replace(each, roles=tuple(self.roles)) if each.id == person.id else each
            for each in decision.floor.people.values()
            if each.active and badge_counts(decision.floor, each, decision.now)
        ]
        approvers = {each.department for each in people if set(each.roles) & set(APPROVING)}
        proposers = {each.department for each in people if set(each.roles) & set(OFFICE)}
        if approvers and len(approvers | proposers) > 1:
            return []
        message = "nobody could propose and approve a change any more: give another person the role first"
        return [Fault("last-approver", "what.roles", message)]

    def effect(self, decision: Decision, papers: Proposal) -> ChangeEffect:
        """Give the person the roles."""
        del papers
        person = decision.people[self.person]
        roles = tuple(dict.fromkeys(self.roles))
        changed = replace(person, roles=roles)
        decision.people.put(changed)
        if needs_confirmation(changed) and not needs_confirmation(person):
            sign_out_of(decision, person.id)
        if set(person.roles) - set(roles):
            because = f"{person.id}, who proposed it, has lost a role since: let somebody propose it again"
            close_proposals(decision, person.id, because)
            # What the person may still do is decided at the next sign-in, under the badge and not a running session.
            sign_out_of(decision, person.id)
        left = [] if "dealer" in roles else end_dealing(decision, person.id)
        return ChangeEffect(person=person.id, roles=roles, were=person.roles, tables_left=tuple(left))
