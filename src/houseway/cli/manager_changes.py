"""`houseway manager approve` and `back-out`: changes by two people, shown before they are sent."""

from __future__ import annotations

import sys
from typing import Annotated, Any, Final

from cyclopts import Parameter

from houseway.api.arguments import Arguments
from houseway.cli.manager_tokens import new_token, with_tokens
from houseway.cli.manager_where import ManagerLocation, SignIn, Spoken, speaking
from houseway.cli.output import JsonFlag, print_json, print_problem, print_text, printable
from houseway.errors import InputError
from houseway.wording import in_known_case

ActorOption = Annotated[str, Parameter(metavar="ID", help="The person who acts.")]
_SEED: Final = {"recover": True, "keep": False}
ENVY_STAYS: Final = "envy that it has brought to other seats stays paid"
"""What nobody should expect of a back-out."""


def approve(
    proposal: Annotated[str, Parameter(help="The proposal's number, as in P12 (see show proposals).")],
    /,
    *,
    actor: ActorOption,
    yes: Annotated[
        bool, Parameter(negative="", show_default=False, help="Approve without being asked, once it is shown.")
    ] = False,
    sign_in_with: SignIn = None,
    where: ManagerLocation = ManagerLocation(),  # noqa: B008 - frozen
    as_json: JsonFlag = False,
) -> int:
    """Show a proposed change and approve it, with the card of somebody of another department.

    The card is asked for, or taken from HOUSEWAY_CARD. What is sent names the hash of what was shown, so that exactly
    that is approved.
    """
    with speaking(where, actor, sign_in_with) as found:
        shown = _proposal(found, proposal)
        award = _known_awards(found).get(shown["what"].get("award"))
        _show(shown, award, as_json)
        if not yes:
            _confirm(f"approve {shown['id']}?")
        do = {"kind": "change.approve", "proposal": shown["id"], "content_hash": shown["content_hash"], "card": "?"}
        carried = found.command(with_tokens(do, typed=True), actor=actor, key=f"cli:{new_token()}")
    if as_json:
        print_json({"proposal": shown, "seq": carried.seq, "at": carried.at, "answer": carried.answer})
        return 0
    status = carried.answer["status"]
    what = {"made": "it is made", "waiting": "it waits for its moment"}[status]
    print_text(f"{shown['id']} is approved by {carried.answer['approved_by']}: {what} (event {carried.seq})")
    return 0


def _proposal(found: Spoken, number: str) -> dict[str, Any]:
    """A proposal by its number, with or without the P, in any case."""
    from houseway.manager.server.pages import all_pages

    wanted = number.strip().upper().removeprefix("P")
    proposals: list[dict[str, Any]] = all_pages(found.ask, "proposals")["proposals"]
    for proposal in proposals:
        if proposal["id"].removeprefix("P") == wanted:
            return proposal
    known = ", ".join(proposal["id"] for proposal in proposals) or "none"
    message = f"{number[:40]!r} is no proposal that waits: there are {known}"
    raise InputError.of("no-such-proposal", "proposal", message)


def _show(proposal: dict[str, Any], award: dict[str, Any] | None, as_json: bool) -> None:
    """What is to be approved; for programs it comes with the answer."""
    if as_json:
        return
    from houseway.cli.times import time_text
    from houseway.cli.words import read_as, words

    print_text(f"{proposal['id']}, proposed by {proposal['by']} at {time_text(proposal['made_at'])}")
    for name, value in proposal["what"].items():
        if value is not None:
            print_text(printable(f"  {name}: {words(value, read_as(proposal['what'], name))}"))
    if award is not None:
        from houseway.manager.core.money import cents_text

        told = [f"seat {award['seat']}, {award['hand']}, {cents_text(award['cents'])}", *_envy_stays(award)]
        print_text(printable(f"  {'; '.join(told)}"))
    print_text(printable(f"  reason: {proposal['reason']}"))
    print_text(f"  may be approved by: {' or '.join(proposal['approvers'])}, of another department")


def _envy_stays(award: dict[str, Any] | None) -> list[str]:
    """What is said of envy where an award is backed out; nothing of a hand that brings none."""
    return [ENVY_STAYS] if award is not None and award["envy_cents"] else []


def _known_awards(found: Spoken) -> dict[str, dict[str, Any]]:
    """Awards that show awards lists, by id."""
    told = found.ask("awards")
    return {each["id"]: each for each in told["awards"]} | {each["award"]: each for each in told["recent"]}


def _confirm(question: str) -> None:
    """Ask whether to go on; refused where there is nobody to ask, and where the answer is not yes."""
    if sys.stdin is None or not sys.stdin.isatty():
        raise InputError.of("missing-argument", "yes", "there is nobody to ask: give --yes, or run this in a terminal")
    if _answer(f"{question} [yes/no] ") not in {"yes", "y"}:
        raise InputError.of("not-confirmed", "yes", "nothing was sent")


def _answer(question: str) -> str:
    print_text(question)
    return sys.stdin.readline().strip().lower()


def back_out(
    award: Annotated[str, Parameter(help="The award's id, as in T1-17/1 (see show awards).")],
    /,
    *,
    actor: ActorOption,
    reason: Annotated[str, Parameter(metavar="TEXT", help="Why the award does not stand.")],
    reference: Annotated[str, Parameter(metavar="TEXT", help="The paper that says so.")],
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
    """Propose that a paid award is backed out. Somebody of another department approves it (manager approve).

    Only the award itself goes back: envy that its hand has brought to other seats, if any, stays paid.
    """
    arguments = Arguments()
    arguments.choice(seed, tuple(_SEED), "seed")
    arguments.refuse_if_any()
    what: dict[str, Any] = {"change": "back-out", "award": award, "reference": reference}
    if seed is not None:
        what["recover_seed"] = _SEED[seed]
    with speaking(where, actor, sign_in_with) as found:
        known = _known_awards(found)
        what["award"] = in_known_case(award.strip(), known)
        try:
            carried = _propose(found, what, reason, actor)
        except InputError as error:
            what["recover_seed"] = _asked_seed(error)
            carried = _propose(found, what, reason, actor)
    if as_json:
        print_json({"seq": carried.seq, "at": carried.at, "answer": carried.answer})
    else:
        number = carried.answer["proposal"]
        stays = _envy_stays(known.get(what["award"]))
        print_text(f"proposed as {number} (event {carried.seq}): houseway manager approve {number}", *stays)
    return 0


def _propose(found: Spoken, what: dict[str, Any], reason: str, actor: str) -> Any:  # noqa: ANN401 - Carried
    do = {"kind": "change.propose", "what": what, "reason": reason}
    return found.command(do, actor=actor, key=f"cli:{new_token()}")


def _asked_seed(error: InputError) -> bool:
    """What becomes of the reseed, if that is all that is missing and there is somebody to ask; else the refusal."""
    if [fault.code for fault in error.faults] != ["seed-choice"]:
        raise error
    question = error.faults[0].message
    if sys.stdin is None or not sys.stdin.isatty():
        options = "--seed recover (true) or --seed keep (false)"
        raise InputError.of("seed-choice", "seed", f"{question}: give {options}") from None
    print_problem(question)
    answer = _answer("recover or keep? ")
    if answer not in _SEED:
        raise InputError.of("not-confirmed", "seed", "neither recover nor keep: nothing was sent")
    return _SEED[answer]
