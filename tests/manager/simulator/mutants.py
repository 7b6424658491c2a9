"""Managers that are wrong on purpose, each in one place: the checker must find every one of them out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from houseway.amounts import MICROS_PER_CENT, micros
from houseway.manager.commands.round_commands import AddReference, DealRound, ShowDealerWay
from houseway.manager.core import authority, engine, presence, records, signs
from houseway.manager.core.engine import HANDLERS
from houseway.manager.core.ledger import account
from houseway.manager.core.table_entities import Reference
from houseway.manager.handlers import (
    adjustments,
    awards,
    changes,
    dealer_alone,
    displays,
    house,
    links,
    meters,
    parameters,
    property_changes,
    room_choices,
    round_lines,
    rounds,
    seats,
    tables,
    verification,
)
from houseway.manager.handlers import sign_in as presence_handlers
from houseway.manager.store import deciding
from houseway.manager.store.memory_journal import MemoryJournal

Mutation = Callable[[pytest.MonkeyPatch], None]
MUTANTS: dict[str, Mutation] = {}
LIKELY: dict[str, int] = {}
"""The seed that found a mistake when this was written, where it was not among the first: it is tried before them."""


def mutant(name: str, *, seed: int = 0) -> Callable[[Mutation], Mutation]:
    """Keep a mutation under a name that says what is wrong with the manager, and a seed that finds it."""

    def keep(mutation: Mutation) -> Mutation:
        MUTANTS[name], LIKELY[name] = mutation, seed
        return mutation

    return keep


def wrap(patch: pytest.MonkeyPatch, module: Any, name: str, change: Callable[..., Any]) -> None:
    """Put a function in place of another, which it gets as its first argument."""
    original = getattr(module, name)
    patch.setattr(module, name, lambda *given, **named: change(original, *given, **named))


def wrap_handler(patch: pytest.MonkeyPatch, command: Any, change: Callable[..., Any]) -> None:
    """Put a handler in place of another, which it gets as its first argument."""
    original = HANDLERS[command]

    def changed(decision: Any, do: Any) -> Any:
        answers: list[Any] = []

        def told(*given: Any) -> Any:
            answers.append(original(*given))
            return answers[-1]

        answer = change(told, decision, do)
        return answers[-1] if answer is None else answer

    patch.setitem(HANDLERS, command, changed)


# Contributions


@mutant("a contribution is a millionth too high")
def _(patch: pytest.MonkeyPatch) -> None:
    def share(original: Any, *given: Any) -> Any:
        posted, carried = original(*given)
        return (posted + 1 if posted else 0), carried

    wrap(patch, meters, "share", share)


@mutant("the remainder below a millionth is forgotten")
def _(patch: pytest.MonkeyPatch) -> None:
    def share(original: Any, *given: Any) -> Any:
        posted, carried = original(*given)
        return posted, type(carried)(0)

    wrap(patch, meters, "share", share)


@mutant("a posted limit is not kept")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(meters, "room_below_limit", lambda *given: 10**18)


# Who plays


@mutant("a declared player is not waited for", seed=52)
def _(patch: pytest.MonkeyPatch) -> None:
    def not_set(original: Any, round_: Any) -> list[int]:
        taken = {seat for each in round_.taken for seat in each.seats}
        return [seat for seat in original(round_) if seat in taken or str(seat) in round_.wagers]

    wrap(patch, displays, "_not_set", not_set)


@mutant("a jackpot wager is taken without the regular one", seed=19)
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(seats, "start_faults", lambda *given: [])


@mutant("a permission to deal face up counts for any number of spots", seed=46)
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rounds, "spot_faults", lambda *given: [])


# Lines


@mutant("a fixed pay cites the clause of a share")
def _(patch: pytest.MonkeyPatch) -> None:
    wrap(patch, round_lines, "_what", lambda original, award: "win" if original(award) == "fixed" else original(award))


# Awards


@mutant("an award is rounded up to the cent")
def _(patch: pytest.MonkeyPatch) -> None:
    wrap(patch, meters, "awardable", lambda original, *given: original(*given) + MICROS_PER_CENT - 1)


@mutant("contributions that the sign does not show yet are won")
def _(patch: pytest.MonkeyPatch) -> None:
    for module in (meters, signs):
        patch.setattr(module, "hidden_contributions", lambda *given: 0)


@mutant("the second winner of a round is paid the full meter")
def _(patch: pytest.MonkeyPatch) -> None:
    def locked(original: Any, decision: Any, link: Any, award: Any, full: Any) -> Any:
        return original(decision, replace(link, order="full-to-each"), award, full)

    wrap(patch, awards, "_locked", locked)


@mutant("the lowest seat is paid first")
def _(patch: pytest.MonkeyPatch) -> None:
    def lock_all(original: Any, decision: Any, link: Any, round_: Any, mine: Any, *more: Any) -> None:
        original(decision, link, round_, list(reversed(mine)), *more)

    wrap(patch, awards, "_lock_all", lock_all)


@mutant("another level is reseeded than the one that was won")
def _(patch: pytest.MonkeyPatch) -> None:
    def lock_share(original: Any, decision: Any, link: Any, award: Any, *more: Any) -> Any:
        locked, books = original(decision, link, award, *more), decision.books
        other = next((level for level in link.levels if level != award.level), award.level)
        drawn = locked.seed_drawn_micros - locked.advanced_micros
        for level, reason in ((award.level, "reseed-returned"), (other, "reseed")) if drawn else ():
            accounts = account("seed", link.id, level), account("meter", link.id, level)
            accounts = accounts if reason == "reseed" else accounts[::-1]
            books.transfer(*accounts, drawn, reason, f"award:{award.id}")
        return locked

    wrap(patch, awards, "lock_share", lock_share)


@mutant("a reseed leaves the reserve where it is")
def _(patch: pytest.MonkeyPatch) -> None:
    wrap(patch, meters, "win", lambda original, pot, *more, **named: original(pot._replace(reserve=0), *more, **named))


@mutant("an award is netted against the seed behind it")
def _(patch: pytest.MonkeyPatch) -> None:
    def lock_share(original: Any, decision: Any, *more: Any) -> Any:
        award, books = original(decision, *more), decision.books
        by_reason = {reason: place for place, (_, _, _, reason, _) in enumerate(books.transfers)}
        won, seed = (by_reason.get(reason) for reason in ("award", "reseed"))
        if won is not None and seed is not None:
            (meter, locked, amount, *about), (source, _, seeded, *_) = books.transfers[won], books.transfers[seed]
            books.transfers[won] = (meter, locked, amount - seeded, *about)
            books.transfers[seed] = (source, locked, seeded, *about)
        return award

    wrap(patch, awards, "lock_share", lock_share)


@mutant("a payment is called a fill")
def _(patch: pytest.MonkeyPatch) -> None:
    def pay(original: Any, decision: Any, *more: Any) -> Any:
        paid, books = original(decision, *more), decision.books
        books.transfers[:] = [
            (*moved, "fill" if reason == "payment" else reason, subject) for *moved, reason, subject in books.transfers
        ]
        return paid

    wrap(patch, awards, "_pay", pay)


@mutant("a rejected award leaves the seed that it drew on the meter")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(meters, "_take_reseed_back", lambda *given, **named: None)


@mutant("a locked award is worked out again although another table has won since")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(awards, "_has_moved_on", lambda *given: False)


@mutant("what goes back onto a meter stays there above its posted limit", seed=77)
def _(patch: pytest.MonkeyPatch) -> None:
    for module in (awards, rounds):
        patch.setattr(module, "hold_limits", lambda *given: None)


@mutant("envy of a hand without the wager needs no badge", seed=10)
def _(patch: pytest.MonkeyPatch) -> None:
    def brought(_original: Any, _decision: Any, award: Any) -> Any:
        return award.cents

    wrap(patch, dealer_alone, "brought", brought)


@mutant("a dealer pays any number of small awards alone", seed=601)
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(dealer_alone, "paid_alone", lambda *given: -1)


@mutant("what a dealer took back alone is forgotten", seed=1520)
def _(patch: pytest.MonkeyPatch) -> None:
    def paid_alone(original: Any, decision: Any, round_: Any) -> Any:
        return original(decision, round_) - round_.taken_back

    wrap(patch, dealer_alone, "paid_alone", paid_alone)


@mutant("a round that is opened again is won on the terms of today", seed=136)
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(parameters, "earlier_terms", lambda *given: ())


@mutant("a corrected slip takes all wagers of its sensor again", seed=33)
def _(patch: pytest.MonkeyPatch) -> None:
    def add_seat(_original: Any, decision: Any, round_: Any, link: Any, sensor: Any, seat: Any, old: Any) -> Any:
        if old is None:
            return meters.take_wagers(decision, round_.id, round_.table, link, sensor, (seat,))
        meters.give_back(decision, round_.id, round_.table, link, old, "correction")
        return meters.take_wagers(decision, round_.id, round_.table, link, sensor, (*old.seats, seat), old)

    wrap(patch, rounds, "add_seat", add_seat)


@mutant("a house prize is shared among its winners")
def _(patch: pytest.MonkeyPatch) -> None:
    def lock_prize(original: Any, decision: Any, link: Any, award: Any) -> Any:
        shared = {level: cents // 2 for level, cents in link.prizes.items()}
        return original(decision, replace(link, prizes=shared), award)

    wrap(patch, awards, "_lock_prize", lock_prize)


@mutant("fixed pays do not grow with the wager")
def _(patch: pytest.MonkeyPatch) -> None:
    def pressed(original: Any, *given: Any) -> Any:
        award = original(*given)
        return award if award.percent is not None else replace(award, cents=award.cents // 2)

    wrap(patch, awards, "_pressed", pressed)


@mutant("the winner gets the envy too")
def _(patch: pytest.MonkeyPatch) -> None:
    def pay_envy(original: Any, decision: Any, round_: Any, mine: Any) -> Any:
        lines = original(decision, round_, mine)
        for award in mine:
            if award.envy:
                accounts = account("receipts", round_.table), account("tray", round_.table)
                decision.books.transfer(*accounts, micros(award.envy), "envy", f"round:{round_.id}")
        return lines

    wrap(patch, rounds, "_pay_envy", pay_envy)


# Who may pay, and when


@mutant("any badge pays a jackpot")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(awards, "_paying_person", lambda decision, *given: decision.actor)


@mutant("winners are paid in any order", seed=20)
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(awards, "_refuse_out_of_order", lambda *given: None)


@mutant("a large payout needs no reference of surveillance")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(awards, "is_above_threshold", lambda *given: False)


@mutant("whoever pays makes up the reference of surveillance")
def _(patch: pytest.MonkeyPatch) -> None:
    def on_record(_original: Any, decision: Any, round_: Any, award: Any, given: Any) -> Any:
        seen = awards.reference_for(decision, round_, awards.payout_of(award))
        return seen if given is None and seen is not None else Reference(given or "made up", "", None, 0)

    wrap(patch, awards, "_reference_on_record", on_record)


@mutant("surveillance's reference pays whatever amount the award has become", seed=473)
def _(patch: pytest.MonkeyPatch) -> None:
    def for_anything(original: Any, round_: Any, table: Any, payout: str, *_: Any) -> Any:
        seen = round_.references.get(payout)
        return None if seen is None else original(round_, table, payout, seen.hand, seen.cents)

    wrap(patch, verification, "counting_reference", for_anything)


@mutant("surveillance verifies an amount that nobody is paid")
def _(patch: pytest.MonkeyPatch) -> None:
    def for_any(original: Any, decision: Any, command: Any) -> None:
        round_ = decision.floor.rounds.get(command.round)
        payout = None if round_ is None else verification._open_payouts(decision, round_).get(command.payout)
        found = command if payout is None else replace(command, hand=payout.hand, cents=payout.cents)
        original(decision, found)

    wrap_handler(patch, AddReference, for_any)


@mutant("a badge that one person issued gets a role with authority", seed=33)
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(property_changes, "badge_faults", lambda *given: [])


@mutant("who verified a payout for surveillance pays it")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(awards, "_refuse_own_reference", lambda *given: None)


@mutant("a dealer with another badge goes on dealing", seed=9)
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(house, "end_dealing", lambda *given: [])


@mutant("the actor's own badge counts as a second person's")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(authority, "refuse_own_badge", lambda *given: None)


@mutant("who pressed a hand's button or dealt it pays its award", seed=62)
def _(patch: pytest.MonkeyPatch) -> None:
    def paying(original: Any, decision: Any, round_: Any, award: Any, badge: Any) -> Any:
        nobody = replace(round_, dealer="nobody", reliefs=())
        with pytest.MonkeyPatch.context() as within:
            within.setattr(awards, "not_dealing", lambda decision, person, round_: person)
            return original(decision, nobody, replace(award, pressed_by="nobody"), badge)

    wrap(patch, awards, "_paying_person", paying)


@mutant("one person alone registers a controller")
def _(patch: pytest.MonkeyPatch) -> None:
    def second(original: Any, decision: Any, command: Any) -> Any:
        return None if command.kind_of == "controller" else original(decision, command)

    wrap(patch, house, "registering_second", second)


@mutant("a dealer stays present where the controller was replaced")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(house, "end_presence_at", lambda *given: [])


@mutant("who registered a controller is the second person at it")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(authority, "refuse_registrar", lambda *given: None)


@mutant("the bar of who registered a controller never ends", seed=53)
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(tables, "end_first_shift", lambda *given: None)


@mutant("anybody acts at any device")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(authority, "check_presence", lambda *given: None)


@mutant("whoever knows a service's secret acts for those who are signed in there")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(presence, "compare_digest", lambda *given: True)


@mutant("one person retires the last service", seed=48)
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(house, "retiring_second", lambda *given: None)


@mutant("the answer of a command is told to whoever knows its key and content", seed=5)
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(deciding, "is_from_sender", lambda *given: True)


@mutant("nobody gets the answer of a command again who has left meanwhile")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(deciding, "is_from_sender", lambda *given: False)


@mutant("a command at a controller counts in any session")
def _(patch: pytest.MonkeyPatch) -> None:
    def fits(original: Any, device: Any, *given: Any) -> bool:
        return device.kind == "controller" or original(device, *given)

    wrap(patch, presence, "is_in_session", fits)


@mutant("a swipe at a service begins a session at the controller")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(tables, "session_of_swipe", lambda decision, table, session: session)


@mutant("a dealer takes any table over from a service")
def _(patch: pytest.MonkeyPatch) -> None:
    for module in (tables, presence_handlers):
        patch.setattr(module, "is_let_in", lambda *given: False)


@mutant("one person alone gives a dealer a badge", seed=8)
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(house, "BY_TWO", house.WITH_AUTHORITY)


@mutant("one person alone records a deposit", seed=35)
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(links, "second_person", lambda decision, *given, **named: decision.floor.people["EX1"])


@mutant("END GAME works while an award is open")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rounds, "_open_faults", lambda *given: [])


@mutant("the sign falls at the hit where it should fall at the payment", seed=4)
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(signs, "_still_on_the_sign", lambda *given: False)


# Voids, changes, counts


@mutant("a void forgets the reserve", seed=12)
def _(patch: pytest.MonkeyPatch) -> None:
    def give_back(original: Any, decision: Any, round_: Any, table: Any, link: Any, taken: Any, reason: Any) -> None:
        shares = {level: put._replace(reserve=0) for level, put in taken.shares.items()}
        original(decision, round_, table, link, replace(taken, shares=shares), reason)

    wrap(patch, rounds, "give_back", give_back)


@mutant("a change of parameters takes effect in the middle of a round")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(changes, "link_is_idle", lambda *given: True)


@mutant("whoever proposed a change may approve it", seed=29)
def _(patch: pytest.MonkeyPatch) -> None:
    def second_people(original: Any, floor: Any, envelope: Any, found: Any, now: int) -> None:
        if found.beside != "proposer":
            original(floor, envelope, found, now)

    wrap(patch, engine, "check_second_people", second_people)
    patch.setattr(changes, "_department_faults", lambda *given: [])


@mutant("what a count finds short is forgotten", seed=57)
def _(patch: pytest.MonkeyPatch) -> None:
    def count_out(original: Any, decision: Any, kind: str, table: str, cents: int) -> Any:
        book = decision.books.balance(account(kind, table))
        return original(decision, kind, table, max(cents, book // MICROS_PER_CENT))

    wrap(patch, tables, "_count_out", count_out)


# Secrecy


@mutant("the answer to a deal tells the seed", seed=4)
def _(patch: pytest.MonkeyPatch) -> None:
    def deal(original: Any, decision: Any, command: Any) -> Any:
        answer = original(decision, command)
        return msgspec.structs.replace(answer, machine_mode=decision.secrets[command.round].hex())

    wrap_handler(patch, DealRound, deal)


@mutant("the dealer's hand is shown before all players have set theirs", seed=5)
def _(patch: pytest.MonkeyPatch) -> None:
    def show(original: Any, decision: Any, command: Any) -> None:
        with pytest.MonkeyPatch.context() as within:
            within.setattr(displays, "_not_set", lambda *given: [])
            original(decision, command)

    wrap_handler(patch, ShowDealerWay, show)


# Choices of the room


@mutant("a link's new order of paying closes no table", seed=26)
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rounds, "choice_faults_in_play", lambda *given: [])


@mutant("the order of paying is not part of the rules")
def _(patch: pytest.MonkeyPatch) -> None:
    own = {name: value for name, value in room_choices.OF_A_LINK.items() if name != "order"}
    patch.setattr(room_choices, "OF_A_LINK", own)


@mutant("after a misdeal nobody counts a deck down", seed=9)
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rounds, "deck_faults", lambda _table: [])


# Retries and the store


@mutant("a repeated command is carried out again")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(MemoryJournal, "by_keys", lambda *given: {})


@mutant("a used key answers another command")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(deciding, "_repeated", lambda earlier, *given: deciding.answer_of(earlier))


@mutant("a key that one device has used is lost to all others", seed=156)
def _(patch: pytest.MonkeyPatch) -> None:
    for sent in (engine.Envelope, records.Event):
        patch.setattr(sent, "sent_key", property(lambda self: records.SentKey(None, self.key)))


@mutant("a group is written by half")
def _(patch: pytest.MonkeyPatch) -> None:
    def keep(original: Any, journal: Any, batch: Any) -> None:
        if len(batch.events) > 4:
            del batch.events[-1]
        original(journal, batch)

    original = MemoryJournal._keep
    patch.setattr(MemoryJournal, "_keep", lambda journal, batch: keep(original, journal, batch))


# Small awards that are taken back


@mutant("a dealer takes a small award back whenever he likes")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(awards, "may_take_back_alone", lambda _decision, award: awards.is_small(award))


@mutant("what was taken back stays out of the tray")
def _(patch: pytest.MonkeyPatch) -> None:
    def unpay(original: Any, decision: Any, award: Any) -> Any:
        locked = original(decision, award)
        if award.source == "tray":
            accounts = account("receipts", award.table), account("tray", award.table)
            decision.books.transfer(*accounts, micros(award.cents), "payment", f"award:{award.id}")
        return locked

    wrap(patch, awards, "unpay", unpay)


@mutant("a back-out leaves the reseed on the sign without having asked")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(adjustments.BackOut, "_choice_faults", lambda *_given: [])
