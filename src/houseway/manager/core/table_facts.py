"""What follows from a table and its round alone, for those who decide and those who look."""

from __future__ import annotations

from houseway.manager.core.table_entities import Reference, Round, Table


def before_play(table: Table) -> list[str]:
    """What is still to be done at an open table before it plays; only a misdeal's deck stops play until it is done."""
    if table.deck or table.status != "open":
        return []
    after = f", since {table.deck_due.round} was a misdeal" if table.deck_due else ""
    return [f"count a deck down and record it (houseway table deck){after}"]


def dealers_of(round_: Round, table: Table) -> set[str]:
    """Who began the round as dealer and who took it over, even if relieved since."""
    return {person for person in (round_.dealer, *round_.reliefs, table.dealer) if person is not None}


def counting_reference(round_: Round, table: Table, payout: str, hand: str | None, cents: int) -> Reference | None:
    """Surveillance's reference that counts for a payout as it stands.

    None where it was given for another hand or amount, or by somebody who has dealt the round since.
    """
    found = round_.references.get(payout)
    if found is None or (found.hand, found.cents) != (hand, cents) or found.by in dealers_of(round_, table):
        return None
    return found
