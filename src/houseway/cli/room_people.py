"""`houseway staff sign-in` and `sign-out`: a person comes to the desk, and leaves it."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from houseway.cli.manager_tokens import asked_token
from houseway.cli.manager_where import ManagerLocation, badge_read, located, reached, speaking
from houseway.cli.output import JsonFlag, print_json, print_text, printable
from houseway.errors import InputError


def sign_in(
    *,
    where: ManagerLocation = ManagerLocation(),  # noqa: B008 - frozen
    as_json: JsonFlag = False,
) -> int:
    """Come to the desk: your badge is asked for, and from then on commands from this account are yours.

    The session ends with sign-out, after the hours that the property has set, and when you go off duty or get another
    badge. Example: `houseway staff sign-in`
    """
    where = located(where)
    if where.manager is None:
        message = "people sign in at a service: name it with --manager, --device and --secret-file, or by houseway desk"
        raise InputError.of("conflicting-options", "manager", message)
    with reached(where) as found:
        person = badge_read(found, asked_token("badge", "your badge: "))
    if as_json:
        print_json({"person": person.person, "roles": list(person.roles), "device": where.device})
    else:
        print_text(printable(f"{person.person} ({', '.join(person.roles)}) is signed in at {where.device}"))
    return 0


def sign_out(
    person: Annotated[str | None, Parameter(help="Who leaves; by default whoever has signed in from here.")] = None,
    /,
    *,
    where: ManagerLocation = ManagerLocation(),  # noqa: B008 - frozen
    as_json: JsonFlag = False,
) -> int:
    """Leave the desk. Example: `houseway staff sign-out`."""
    with speaking(where, person, None) as (found, who, _):
        found.sign_out(who)
    if as_json:
        print_json({"person": who})
    else:
        print_text(printable(f"{who} has left"))
    return 0
