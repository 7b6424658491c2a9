"""The wagers of a seat: read by name, held to what goes together, to the sheet in force and to the room's limits."""

from __future__ import annotations

from houseway.definitions import Game, Wager
from houseway.errors import present
from houseway.games.round_model import CheckedSeat
from houseway.games.table_settings import NEEDS_PAPER, Settings, edition_of
from houseway.reading.faults import Faults
from houseway.wording import dollars, suggestion


def read_wagers(value: object, path: str, game: Game, faults: Faults) -> dict[str, int]:
    """The wagers of one seat by name; faults for those that the game lacks and for stakes that are none."""
    if value is None:
        faults.add("missing-key", path, f"give the wagers in cents, at least {game.first_wager.name}")
        return {}
    wagers: dict[str, int] = {}
    for name, amount in faults.mapping(value, path).items():
        if game.wager(name) is None:
            known = suggestion(name[:40], [wager.name for wager in game.wagers])
            faults.add("unknown-wager", f"{path}.{name[:40]}", f"{game.title} offers no {name[:40]!r} wager: {known}")
            continue
        stake = faults.cents(amount, f"{path}.{name}", least=1)
        # A faulty stake keeps its place, so that no second fault says the wager is missing.
        wagers[name] = stake or 0
    return wagers


def check_wagers(
    seat: CheckedSeat, place: str, game: Game, settings: Settings, is_banker: bool, faults: Faults
) -> None:
    """Which wagers a seat may make together, and within which limits; `place` is where they are found."""
    wagers = seat.wagers
    first = game.first_wager.name
    if not is_banker and first not in wagers:
        faults.add("missing-first-wager", place, f"every player makes the {first} wager: it is missing")
    for wager in game.wagers:
        if wager.raises is not None and wagers.get(wager.raises.of):
            _check_raise(wager, seat, place, settings, faults)
        if wager.equals and not is_banker and wagers.get(wager.name) != wagers.get(wager.equals):
            base = wagers.get(wager.equals)
            faults.add("unequal-wagers", f"{place}.{wager.name}", f"{wager.name} equals {wager.equals} ({base})")
    if settings.limits is not None:
        _check_limits(wagers, place, settings, faults)
    _check_offered(wagers, place, game, settings, faults)
    allowed = settings.games_allowed
    separate = [wager.name for wager in game.wagers if wager.name in wagers and wager.is_separate_game]
    if allowed is not None and len(separate) > allowed:
        faults.add(
            "too-many-games",
            place,
            f"{len(separate)} games ({', '.join(separate)}): a player may bet on {allowed} at most",
        )


def _check_raise(wager: Wager, seat: CheckedSeat, place: str, settings: Settings, faults: Faults) -> None:
    """A raise against the wager that it raises."""
    raises = present(wager.raises, f"wager that {wager.name} raises")
    name, of = wager.name, raises.of
    stake, base = seat.wagers.get(name), seat.wagers[of]
    path, fitting = f"{place}.{name}", [base * times for times in raises.times]
    called, amount = wager.title.lower(), dollars(base)
    wanted = " or ".join(
        f"the {_called(of)} wager" if times == 1 else f"{times} times the {_called(of)} wager" for times in raises.times
    )
    if raises.instead_of_fold:
        if seat.fold and stake is not None:
            faults.add("play-after-fold", path, f"a player who folds makes no {called} wager")
        elif not seat.fold and stake not in fitting:
            faults.add(
                "raise-mismatch", path, f"to stay in, the {called} wager must equal {wanted}, {amount}; else fold"
            )
    elif stake is not None and stake > max(fitting):
        faults.add("raise-mismatch", path, f"a {called} of {dollars(stake)} is more than {wanted}, {amount}")
    elif stake is not None and stake not in fitting and not (raises.may_be_less and settings.double_for_less):
        faults.add(
            "raise-mismatch", path, f"the {called} must equal {wanted}, {amount}, unless the room doubles for less"
        )
    elif stake is not None and stake not in fitting and not _is_limited(name, min(fitting), settings):
        message = (
            f"the {called} must equal {wanted}, {amount}: it is less only where a limit is below that, and none is"
        )
        faults.add("raise-mismatch", path, message)


def _called(name: str) -> str:
    """A wager as people say it.

    >>> _called("aces_up")
    'aces up'
    """
    return name.replace("_", " ")


def _is_limited(name: str, stake: int, settings: Settings) -> bool:
    """Whether a limit in force is below a stake."""
    ranges = () if settings.limits is None else settings.limits.ranges(name)
    return any(allowed.most is not None and stake > allowed.most for allowed in ranges)


def _check_offered(wagers: dict[str, int], place: str, game: Game, settings: Settings, faults: Faults) -> None:
    """Whether the sheet in force, or a paper beside it, offers a player the jackpot wagers that are made."""
    edition = edition_of(game, settings)
    offered = edition.offer(with_paper=settings.jackpots_by_paper).sensors
    by_paper = edition.offer(with_paper=True).sensors
    for number, wager in enumerate(game.jackpots):
        if wager.name not in wagers or number < offered:
            continue
        if number < by_paper:
            message = f"{edition.text} of {game.title} offers {_number_of_jackpots(offered)}: {NEEDS_PAPER}"
            faults.add("needs-paper", f"{place}.{wager.name}", message)
        else:
            message = f"{edition.text}, in force on that day, offers {_number_of_jackpots(by_paper)}: leave it out"
            faults.add("not-in-edition", f"{place}.{wager.name}", message)


def _number_of_jackpots(number: int) -> str:
    return f"{number} jackpot wager" + ("" if number == 1 else "s") if number else "no jackpot wager"


def _check_limits(wagers: dict[str, int], place: str, settings: Settings, faults: Faults) -> None:
    limits = present(settings.limits, "set of limits to check wagers against")
    for name, stake in wagers.items():
        for allowed in limits.ranges(name):
            if allowed.most is not None and stake > allowed.most:
                faults.add("over-limit", f"{place}.{name}", f"{stake} is above the limit of {allowed.most}")
            if allowed.least is not None and 0 < stake < allowed.least:
                faults.add("under-limit", f"{place}.{name}", f"{stake} is below the least wager, {allowed.least}")
