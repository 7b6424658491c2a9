"""What the payment of a prize brings with it: a tax form, withholding, payment by check, keeping hand and deck.

Every threshold is a dated setting of the property. The form looks at the whole prize, so that none is missed;
withholding at the prize less its wager, as the federal instructions have it.
"""

from __future__ import annotations

from typing import Final

from houseway.amounts import NO_CENTS, Cents
from houseway.manager.core import settings
from houseway.manager.core.overlay import State
from houseway.manager.core.slip_entities import PrizeDuties

_HOUR: Final = 3_600_000_000
_DAY: Final = 24 * _HOUR


def prize_duties(state: State, prize: Cents, wager: Cents, at: int) -> PrizeDuties:
    """What a prize brings with it that is paid at a time."""
    form_from = settings.value(state, "tax_form_cents", at)
    multiple = settings.value(state, "tax_form_multiple", at)
    above = settings.value(state, "withholding_above", at)
    percent = settings.value(state, "withholding_percent", at)
    large = settings.value(state, "large_prize_cents", at)
    winnings = prize - wager
    is_large = prize >= large
    return PrizeDuties(
        day=settings.day_of(at).isoformat(),
        wager=wager,
        form_from=form_from,
        form_multiple=multiple,
        form=prize >= form_from and prize >= wager * multiple,
        withholding_above=above,
        withholding_percent=percent,
        withheld=_percent_of(winnings, percent) if winnings > above and winnings >= wager * multiple else NO_CENTS,
        check_from=large,
        check=is_large,
        check_by=at + settings.value(state, "large_prize_hours", at) * _HOUR if is_large else None,
        kept_until=at + settings.value(state, "hand_kept_days", at) * _DAY if is_large else None,
    )


def _percent_of(amount: Cents, percent: int) -> Cents:
    """A share in whole cents, half a cent upwards.

    >>> _percent_of(Cents(500_050), 24), _percent_of(Cents(1), 50)
    (120012, 1)
    """
    return Cents((int(amount) * percent + 50) // 100)
