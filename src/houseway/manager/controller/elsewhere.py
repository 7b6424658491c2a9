"""What others have done to a table meanwhile, as its display tells it: at the desk or by surveillance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from houseway.amounts import Cents
from houseway.manager.controller.key_words import END, START, word_for
from houseway.manager.controller.place_words import place_text
from houseway.manager.controller.speech import (
    ENVY_FOLLOWS,
    award_text,
    each_amount,
    from_where,
    hand_at,
    wagers_text,
)
from houseway.manager.views.table_views import TableView, UndoneAwardView, UndoneRoundView, UndoneView
from houseway.ranking.hand_names import hand_title
from houseway.wording import dollars, micro_dollars

if TYPE_CHECKING:
    from houseway.manager.controller.panel import Panel


def stands_otherwise(before: TableView | None, after: TableView) -> bool:
    """Whether a table stands otherwise than before, so that words about it may not be true any more."""
    return before is None or _standing_of(before) != _standing_of(after)


def _standing_of(view: TableView) -> tuple[Any, ...]:
    """What words about a table rest on: not the wagers that lie on its sensors, which the display itself shows."""
    links = {sensor: (link.link, link.status) for sensor, link in view.links.items()}
    table = (view.status, view.dealer, view.deck, view.held, view.last_round, links)
    round_ = view.in_play
    if round_ is None:
        return table
    awards = [(each.id, each.status, each.reference_missing) for each in round_.awards]
    return (*table, round_.id, round_.key_turned, round_.taken, awards)


def undone(panel: Panel) -> list[str]:
    """What was undone away from the table: by whom, under which paper, and what the dealer does with the chips.

    It stands on the display until it is acknowledged, or until the next round begins.
    """
    view = panel.view
    if view is None:
        return []
    told = [_backed_out(view, each) if isinstance(each, UndoneAwardView) else _void(each) for each in view.undone]
    until = f"SEEN when done; the next {word_for(panel.vocabulary, START)} clears it"
    return [*told[:-1], f"{told[-1]}. {until}"] if told else []


def _backed_out(view: TableView, award: UndoneAwardView) -> str:
    sensor = next((sensor for sensor, link in view.links.items() if link.link == award.link), None)
    seat = f"seat {award.seat}" if sensor is None else place_text(view, award.seat, sensor)
    amount = dollars(award.cents)
    return (
        f"BACKED OUT {_by_two(award)}: {award.id}, {seat}, {hand_title(award.hand)}, {amount}. "
        f"{_chips_and_sign(award, amount)}"
    )


def _chips_and_sign(award: UndoneAwardView, amount: str) -> str:
    """What the dealer does with the chips of a backed-out award, and what the sign shows for it."""
    if award.source == "tray":
        return f"Put {amount} back into the tray; the sign stays as it is"
    if award.source == "house":
        return "The prize is the house's again: move no chips, the sign stays as it is"
    seed = f", less {micro_dollars(award.seed_recovered_micros)} of seed money" if award.seed_recovered_micros else ""
    return f"It is on the meter {award.link}/{award.level} again{seed}: the sign shows it, move no chips"


def _void(round_: UndoneRoundView) -> str:
    back = [
        f"{each_amount(Cents(round_.wagers_cents[sensor]), list(seats))} to {wagers_text({sensor: seats})}"
        for sensor, seats in sorted(round_.seats.items())
    ]
    give = f"Give back {'; '.join(back)}, and all other wagers" if back else "Give all wagers back"
    return f"{round_.id}, which was on hold, is VOID {_by_two(round_)}. {give}"


def _by_two(undone: UndoneView) -> str:
    return f"by {undone.proposed_by}, approved by {undone.approved_by} ({undone.reference})"


def noticed(before: TableView | None, after: TableView) -> str:
    """What somebody else has changed in the round of a table: an award undone or verified, a round ended or voided."""
    old, new = before.in_play if before else None, after.in_play
    if old is None or new is None or old.id != new.id:
        ended = [f"{old.id} was ended or set aside elsewhere"] if old is not None else []
        resumed = [new.id] if new is not None and before is not None and new.id in before.held else []
        return ". ".join([*ended, *(f"{id_} was on hold and goes on now" for id_ in resumed)])
    there = {award.id: award for award in new.awards}
    told = []
    for award in old.awards:
        now = there.get(award.id)
        if now is None and award.status != "paid":
            told.append(f"taken out elsewhere: {award_text(after, award)}")
        elif now is None:
            # It was backed out, which stands on the display by itself.
            continue
        elif award.reference_missing and not now.reference_missing:
            told.append(f"surveillance has verified {place_text(after, award.seat, award.sensor)}")
        elif award.status != now.status == "paid":
            if not now.cents:
                follows = ENVY_FOLLOWS.replace("END GAME", word_for(after.vocabulary, END))
                told.append(f"{hand_at(after, now)}, confirmed by {now.paid_by} elsewhere: {follows}")
                continue
            told.append(f"PAY {award_text(after, now)} {from_where(now)}: logged by {now.paid_by} elsewhere")
    return ". ".join(told)
