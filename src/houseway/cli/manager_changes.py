"""`houseway change approve` and `back-out`: changes by two people, shown before they are sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import Parameter

from houseway.api.arguments import Arguments
from houseway.cli.asking import answer, confirm, has_terminal
from houseway.cli.manager_pins import sent
from houseway.cli.manager_tokens import new_token, second_badge
from houseway.cli.manager_where import ManagerLocation, SignIn, speaking
from houseway.cli.output import JsonFlag, print_json, print_problem, print_text, printable
from houseway.errors import InputError
from houseway.reading.typed_ids import known_id
from houseway.wording import dollars

if TYPE_CHECKING:
    from houseway.manager.commands.link_answers import ProposeAnswer
    from houseway.manager.interface.contract import CommandResult, ManagerInterface
    from houseway.manager.views.jackpot_views import AwardView, RecentAward
    from houseway.manager.views.office_views import ProposalView

ActorOption = Annotated[
    str | None,
    Parameter(metavar="ID", help="Who acts; by default whoever has signed in at this desk from this account."),
]
_SEED: Final = {"recover": True, "keep": False}
ENVY_STAYS: Final = "envy that it has brought to other seats stays paid"
"""What nobody should expect of a back-out."""


def approve(
    proposal: Annotated[str, Parameter(help="The proposal's number, such as P12 (see houseway change list).")],
    /,
    *,
    actor: ActorOption = None,
    yes: Annotated[
        bool, Parameter(negative="", show_default=False, help="Approve without a question, once it is shown.")
    ] = False,
    sign_in_with: SignIn = None,
    where: ManagerLocation = ManagerLocation(),  # noqa: B008 - frozen
    as_json: JsonFlag = False,
) -> int:
    """Show a proposed change and approve it with the badge of somebody from another department.

    The badge is asked for, or taken from HOUSEWAY_BADGE. The command names the hash of what was shown, so that exactly
    that is approved.
    """
    from houseway.manager.commands.link_commands import Approve

    with speaking(where, actor, sign_in_with) as (found, person, _):
        shown = _proposal(found, proposal)
        award = _known_awards(found).get(str(shown.what.get("award")))
        _show(shown, award, as_json)
        if not yes:
            confirm(f"approve {shown.id}?")
        approval = Approve(shown.id, shown.content_hash, second_badge())
        carried = sent(found, approval, person, f"cli:{new_token()}")
    if as_json:
        print_json(
            {"proposal": shown.to_json(), "seq": carried.seq, "at": carried.at, "answer": carried.answer.to_json()}
        )
        return 0
    what = {"made": "it is made", "waiting": "it waits for its moment"}[carried.answer.status]
    told = f"{shown.id} is approved by {carried.answer.approved_by}: {what}"
    print_text(f"{told} (event {carried.seq}, check {carried.answer.check})")
    return 0


def _proposal(found: ManagerInterface, number: str) -> ProposalView:
    """A proposal by its number, with or without the P, in any case."""
    from houseway.manager.interface.whole_answers import ask_all
    from houseway.manager.views.floor_questions import ProposalsQuestion

    wanted = number.strip().upper().removeprefix("P")
    proposals = ask_all(found, ProposalsQuestion()).proposals
    for proposal in proposals:
        if proposal.id.removeprefix("P") == wanted:
            return proposal
    known = ", ".join(proposal.id for proposal in proposals) or "none"
    message = f"{number[:40]!r} is not a waiting proposal: there are {known}"
    raise InputError.of("no-such-proposal", "proposal", message)


def _show(proposal: ProposalView, award: AwardView | RecentAward | None, as_json: bool) -> None:
    """What is to be approved; for programs it comes with the answer."""
    if as_json:
        return
    from houseway.cli.times import time_text
    from houseway.cli.words import read_as, words

    print_text(f"{proposal.id}, proposed by {proposal.by} at {time_text(proposal.made_at)}")
    for name, value in proposal.what.items():
        if value is not None:
            print_text(printable(f"  {name}: {words(value, read_as(proposal.what, name))}"))
    if award is not None:
        told = [f"seat {award.seat}, {award.hand}, {dollars(award.cents)}", *_envy_stays(award)]
        print_text(printable(f"  {'; '.join(told)}"))
    print_text(printable(f"  reason: {proposal.reason}"))
    print_text(f"  check: {proposal.check}, as {proposal.by} has it too")
    print_text(f"  may be approved by: {' or '.join(proposal.approvers)}, from another department")


def _envy_stays(award: AwardView | RecentAward | None) -> list[str]:
    """What is said of envy where an award is backed out; nothing of a hand that brings none."""
    return [ENVY_STAYS] if award is not None and award.envy_cents else []


def _known_awards(found: ManagerInterface) -> dict[str, AwardView | RecentAward]:
    """Awards that show awards lists, by id."""
    from houseway.manager.views.floor_questions import AwardsQuestion

    told = found.ask(AwardsQuestion())
    in_play: dict[str, AwardView | RecentAward] = {each.id: each for each in told.awards}
    return in_play | {each.award: each for each in told.recent}


def back_out(
    award: Annotated[str, Parameter(help="The award's id, such as T1-17/1 (see houseway jackpot list).")],
    /,
    *,
    reason: Annotated[str, Parameter(metavar="TEXT", help="Why the award does not stand.")],
    reference: Annotated[str, Parameter(metavar="TEXT", help="The paper that says so.")],
    actor: ActorOption = None,
    seed: Annotated[
        str | None,
        Parameter(
            metavar="WHAT",
            help="recover or keep: whether the house takes back the seed that restarted the level. Asked for where it "
            "matters, with both outcomes.",
        ),
    ] = None,
    sign_in_with: SignIn = None,
    where: ManagerLocation = ManagerLocation(),  # noqa: B008 - frozen
    as_json: JsonFlag = False,
) -> int:
    """Propose to back out a paid award. Somebody from another department approves it (change approve).

    Only the award itself goes back: envy that its hand paid to other seats stays paid.
    """
    arguments = Arguments()
    arguments.choice(seed, tuple(_SEED), "seed")
    arguments.refuse_if_any()
    what: dict[str, Any] = {"change": "back-out", "award": award, "reference": reference}
    if seed is not None:
        what["recover_seed"] = _SEED[seed]
    with speaking(where, actor, sign_in_with) as (found, person, _):
        known = _known_awards(found)
        what["award"] = known_id(award, known, "award")
        try:
            carried = _propose(found, what, reason, person)
        except InputError as error:
            what["recover_seed"] = _asked_seed(error)
            carried = _propose(found, what, reason, person)
    if as_json:
        print_json({"seq": carried.seq, "at": carried.at, "answer": carried.answer.to_json()})
    else:
        number = carried.answer.proposal
        stays = _envy_stays(known.get(what["award"]))
        check = carried.answer.check
        told = f"proposed as {number} (event {carried.seq}, check {check}): houseway change approve {number}"
        print_text(told, *stays)
    return 0


def _propose(found: ManagerInterface, what: dict[str, Any], reason: str, actor: str) -> CommandResult[ProposeAnswer]:
    from houseway.manager.commands.link_commands import Propose

    return found.send(Propose(what, reason), actor=actor, key=f"cli:{new_token()}")


def _asked_seed(error: InputError) -> bool:
    """What becomes of the reseed, if that is all that is missing and there is somebody to ask; else the refusal."""
    if [fault.code for fault in error.faults] != ["seed-choice"]:
        raise error
    question = error.faults[0].message
    if not has_terminal():
        options = "--seed recover (true) or --seed keep (false)"
        raise InputError.of("seed-choice", "seed", f"{question}: give {options}") from None
    print_problem(question)
    choice = answer("recover or keep? ")
    if choice not in _SEED:
        raise InputError.of("not-confirmed", "seed", "neither recover nor keep: nothing was sent")
    return _SEED[choice]
