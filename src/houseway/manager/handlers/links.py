"""The life of a link: drawn up, opened with its opening amounts on record, deposits, stopped, resumed.

Drawing up checks everything at once and warns of what the sheets advise against; nothing plays until a second person of
another department opens it. Every step leaves a paper in a register of its own. Changes and retirement are proposals
(`changes`).
"""

from __future__ import annotations

from collections.abc import Mapping
from re import compile as pattern
from typing import Final, Literal

from msgspec import to_builtins
from msgspec.structs import asdict, replace

from houseway.amounts import NO_CENTS, Cents, micros, total
from houseway.errors import Fault, InputError
from houseway.manager.commands.link_answers import (
    CreateLinkAnswer,
    OpeningAmount,
    OpenLinkAnswer,
    RecordDepositAnswer,
    ResumeLinkAnswer,
    StopLinkAnswer,
)
from houseway.manager.commands.link_commands import CreateLink, OpenLink, RecordDeposit, ResumeLink, StopLink
from houseway.manager.core.engine import SYSTEM, Decision, collect, handles, need_role, person_of_badge
from houseway.manager.core.house_entities import Person
from houseway.manager.core.ledger import HOUSE, about, account
from houseway.manager.core.link_entities import Level, Link, LinkWarning
from houseway.manager.core.money import LARGEST_CENTS, cents_text, dollars
from houseway.manager.core.roles import OFFICE
from houseway.manager.core.texts import alike
from houseway.manager.handlers.change_base import file_paper, text_fault
from houseway.manager.handlers.changes import apply_waiting, is_drained_for
from houseway.manager.handlers.funds import bank_balance, funds, funds_due, is_overdue, must_stop, should_hold
from houseway.manager.handlers.parameters import configuration_faults
from houseway.manager.handlers.presets import configured, warnings_of
from houseway.reading.json_values import JsonObject

"""Who may open, stop and resume links, and be the second person."""
BANKING: Final = (*OFFICE, "cage")
"""Who may be the second person at a deposit or withdrawal."""
_ID: Final = pattern(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


@handles(CreateLink)
def create_link(decision: Decision, command: CreateLink) -> CreateLinkAnswer:
    """Draw a link up: refused with every fault, or kept as a draft with its odds, preset and warnings."""
    link = Link(
        command.link, command.linked_as, command.paytable, command.wager, command.decks, command.fixed_pays,
        command.levels, command.prizes, command.display_falls, command.shows_contributions, command.order, "draft", 1,
        fixed_supervisor_from=command.fixed_supervisor_from, readings=command.readings,
    )  # fmt: skip
    faults = _id_faults(decision, link.id)
    collect(faults + configuration_faults(decision.floor, link, decision.now))
    link = replace(link, warnings=warnings_of(decision.floor, link, decision.now))
    decision.links.put(link)
    for name in link.levels:
        decision.levels.put(Level(f"{link.id}/{name}"))
    figures = configured(decision.floor, link, decision.now)
    file_paper(decision, "link-odds", link.id, to_builtins(figures))
    return CreateLinkAnswer(
        link=link.id, status=link.status, version=link.version, odds=figures.odds, preset=figures.preset,
        house_advantage=figures.house_advantage, house_advantage_with_envy=figures.house_advantage_with_envy,
        warnings=link.warnings,
    )  # fmt: skip


def _id_faults(decision: Decision, link_id: str) -> list[Fault]:
    if not _ID.fullmatch(link_id):
        message = "the id of a link has 1 to 40 letters, digits and ._-, a letter or digit first"
        return [Fault("bad-id", "link", message)]
    taken = alike(decision.floor.links, link_id)
    if taken is not None:
        message = f"there is a link {taken} already: links are never drawn up twice, choose another id"
        return [Fault("link-exists", "link", message)]
    return []


@handles(OpenLink)
def open_link(decision: Decision, command: OpenLink) -> OpenLinkAnswer:
    """Put a link into play; the opening amount of every level is posted and goes on record."""
    link = _link(decision, command.link)
    if link.status != "draft":
        message = f"{link.id} is {link.status}: a link is opened once; stopped links are resumed"
        raise InputError.of("link-not-draft", "link", message)
    second = second_person(decision, command.badge, "opening a link", other_department=True)
    collect(_opening_faults(link, command) + configuration_faults(decision.floor, link, decision.now))
    amounts = {}
    for level, sources in command.opening.items():
        seed, carried = micros(sources.get("seed", NO_CENTS)), micros(sources.get("carried", NO_CENTS))
        amounts[level] = OpeningAmount(seed, carried, seed + carried)
    opened = replace(link, status="open", funded_at=decision.now)
    decision.links.put(opened)
    fields = {
        "amounts": to_builtins(amounts), "prizes": link.prizes, "note": command.note, "second_person": second.id,
    }  # fmt: skip
    paper = file_paper(decision, "link-opening", link.id, fields)
    for level, amount in amounts.items():
        meter, subject = account("meter", link.id, level), about("paper", paper)
        advanced_by = account("seed", link.id, level)
        decision.books.transfer_any(advanced_by, meter, amount.seed_micros, "opening", subject)
        decision.books.transfer_any(HOUSE, meter, amount.carried_micros, "opening", subject)
        decision.levels.put(Level(f"{link.id}/{level}", seeded_micros=amount.seed_micros, seeded_in=0))
    return OpenLinkAnswer(
        link=link.id,
        status="open",
        opening=amounts,
        second_person=second.id,
        paper=paper,
        warnings=(
            *link.warnings,
            *_opening_warnings(link, command),
        ),
    )


def _opening_faults(link: Link, command: OpenLink) -> list[Fault]:
    """Every level has its opening amount, within its limit; carried money says where it comes from."""
    if link.kind == "house":
        message = "a house jackpot has posted prizes and no meter: it opens without amounts"
        return [Fault("wrong-link-kind", "opening", message)] if command.opening else []
    faults = []
    if set(command.opening) != set(link.levels):
        message = f"give the opening amount of exactly these levels: {', '.join(link.levels)}"
        faults.append(Fault("link-levels", "opening", message))
    for level in set(command.opening) & set(link.levels):
        faults += _amount_faults(link, level, command.opening[level])
    is_carried = any(sources.get("carried") for sources in command.opening.values())
    faults += text_fault(command.note, "note", "say from which progressive the carried money comes", needed=is_carried)
    return sorted(faults, key=lambda fault: fault.path)


def _amount_faults(link: Link, level: str, sources: Mapping[Literal["seed", "carried"], Cents]) -> list[Fault]:
    path, limit = f"opening.{level}", link.levels[level].limit
    faults = [
        Fault(
            "out-of-range",
            f"{path}.{source}",
            f"{cents_text(cents)}: expected $0.00 to {cents_text(LARGEST_CENTS)}, written in cents",
        )
        for source, cents in sources.items()
        if not 0 <= cents <= LARGEST_CENTS
    ]
    if not sources:
        message = 'give "seed", "carried" or both in cents, 0 if the meter begins empty'
        faults.append(Fault("missing-key", path, message))
    if limit is not None and total(sources.values()) > limit:
        opening = cents_text(total(sources.values()))
        message = f"the opening amount of {opening} is above the posted limit of {cents_text(limit)}"
        faults.append(Fault("above-posted-limit", path, message))
    return faults


def _opening_warnings(link: Link, command: OpenLink) -> list[LinkWarning]:
    """A level that opens below its own seed looks poorer than after a jackpot."""
    return [
        LinkWarning(
            "opens-below-seed", level, f"{level} opens at {cents_text(total(sources.values()))}, below its seed of "
            f"{cents_text(link.levels[level].seed)}", "",
        )
        for level, sources in command.opening.items()
        if total(sources.values()) < link.levels[level].seed
    ]  # fmt: skip


@handles(RecordDeposit)
def record_deposit(decision: Decision, command: RecordDeposit) -> RecordDepositAnswer:
    """Record a deposit into the separate bank account, or a withdrawal from it, with its paper, by two departments."""
    link = _link(decision, command.link)
    what = "a deposit" if command.cents > 0 else "a withdrawal"
    second = second_person(decision, command.badge, what, other_department=True, roles=BANKING)
    faults = text_fault(command.paper, "paper", "name the bank's slip")
    if link.kind == "house":
        message = f"{link.id} is a house jackpot: it holds no players' money and has no bank account"
        faults.append(Fault("wrong-link-kind", "link", message))
    elif link.status == "draft" or (
        link.status == "retired" and not (should_hold(decision, link) or bank_balance(decision, link))
    ):
        faults.append(Fault("link-not-open", "link", f"{link.id} is {link.status}: nothing is deposited for it"))
    if command.cents == 0 or abs(command.cents) > LARGEST_CENTS:
        most = cents_text(LARGEST_CENTS)
        message = f"{cents_text(command.cents)}: a deposit is not zero and at most {most}, written in cents"
        faults.append(Fault("out-of-range", "cents", message))
    bank, amount = account("bank", link.id), micros(abs(command.cents))
    if command.cents < 0 and bank_balance(decision, link) < amount:
        message = f"the account holds {dollars(bank_balance(decision, link))} by the deposits on record, less than that"
        faults.append(Fault("bank-short", "cents", message))
    collect(faults)
    fields: JsonObject = {"cents": command.cents, "reference": command.paper, "second_person": second.id}
    paper = file_paper(decision, "link-deposit", link.id, fields)
    if command.cents > 0:
        decision.books.transfer(bank, HOUSE, amount, "deposit", about("paper", paper))
    else:
        decision.books.transfer(HOUSE, bank, amount, "withdrawal", about("paper", paper))
    if not funds_due(decision, link):
        link = replace(link, funded_at=decision.now)
    elif link.status in ("open", "draining") and must_stop(decision, link, decision.now):
        link = _stopped(link, "account-short", "the bank account is short and overdue")
    decision.links.put(link)
    state = funds(decision, link, decision.now)
    return RecordDepositAnswer(
        link=link.id, status=link.status, cents=command.cents, second_person=second.id, paper=paper, **asdict(state)
    )


@handles(StopLink)
def stop_link(decision: Decision, command: StopLink) -> StopLinkAnswer:
    """Stop a link with a second person's badge; a short account lets the system itself stop it by policy."""
    link = _link(decision, command.link)
    collect(text_fault(command.reason, "reason", "say why the link stops"))
    if link.status not in ("open", "draining"):
        raise InputError.of("link-not-open", "link", f"{link.id} is {link.status}: there is nothing to stop")
    second = _stopping_person(decision, command, link)
    decision.links.put(_stopped(link, command.cause, command.reason))
    fields = {"cause": command.cause, "reason": command.reason, "second_person": second}
    paper = file_paper(decision, "link-stop", link.id, fields)
    return StopLinkAnswer(
        link=link.id,
        status="stopped",
        cause=command.cause,
        second_person=second,
        paper=paper,
        funds=funds(decision, link, decision.now) if link.kind == "progressive" else None,
    )


def _stopping_person(decision: Decision, command: StopLink, link: Link) -> str | None:
    if decision.actor != SYSTEM:
        return second_person(decision, command.badge, "stopping a link").id
    if command.cause != "account-short" or not must_stop(decision, link, decision.now):
        message = "the system stops a link only for a short account that the policy short_account stops for"
        raise InputError.of("wrong-role", "actor", message)
    return None


def _stopped(link: Link, cause: str, reason: str) -> Link:
    return replace(link, status="stopped", status_reason=f"{cause}: {reason}")


@handles(ResumeLink)
def resume_link(decision: Decision, command: ResumeLink) -> ResumeLinkAnswer:
    """Let a stopped link play again: the paper says why it may, and a short account must be whole.

    After seized funds the two people are of different departments.
    """
    link = _link(decision, command.link)
    if link.status != "stopped":
        raise InputError.of("link-not-stopped", "link", f"{link.id} is {link.status}: there is nothing to resume")
    seized = link.status_reason.startswith("funds-seized")
    second = second_person(decision, command.badge, "resuming a link", other_department=seized)
    faults = text_fault(command.paper, "paper", "name the paper that lets the link play again")
    if link.status_reason.startswith("account-short") and is_overdue(decision, link, decision.now):
        message = f"{dollars(funds_due(decision, link))} are still due to the bank account: deposit them first"
        faults.append(Fault("account-short", "link", message))
    collect(faults)
    draining = is_drained_for(decision, link.id)
    decision.links.put(replace(link, status="draining" if draining else "open", status_reason=""))
    fields = {"reference": command.paper, "was": link.status_reason, "second_person": second.id}
    paper = file_paper(decision, "link-resume", link.id, fields)
    apply_waiting(decision)
    return ResumeLinkAnswer(
        link=link.id, second_person=second.id, paper=paper, status=decision.links[link.id].status,
        changes=decision.outcomes,
    )  # fmt: skip


def _link(decision: Decision, link_id: str) -> Link:
    link = decision.links.get(link_id)
    if link is None:
        raise InputError.of("unknown-link", "link", f"there is no link {link_id[:60]}: name one drawn up here")
    return link


def second_person(
    decision: Decision, badge: str, what: str, *, other_department: bool = False, roles: tuple[str, ...] = OFFICE
) -> Person:
    """The second person whose badge was swiped: of the office, and where asked from another department."""
    person = person_of_badge(decision, badge)
    need_role(person, roles, "badge", what)
    actor = decision.floor.people.get(decision.actor)
    if other_department and actor is not None and actor.department == person.department:
        message = f"{person.id} and {actor.id} are both from {person.department}: {what} needs two departments"
        raise InputError.of("same-department", "badge", message)
    return person
