"""`houseway odds --seen-hands`: the odds of a player who sees other hands before deciding, from the shipped gains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from houseway.api.arguments import Arguments
from houseway.api.odds_arguments import CheckedOptions, OddsOptions, read
from houseway.cli.kernel_notice import TERMINAL
from houseway.cli.output import print_json
from houseway.errors import InputError, MissingPartError
from houseway.odds.solved_game import OPTIMAL

_NOT_WITH_SEEN: Final[Mapping[str, str]] = {
    "others": "the wagers with seen hands bring no envy; --seen-hands says how many hands are face up",
    "bet": "the figures are per unit, with a commission that is not rounded to the cent",
    "workers": "the gains ship: nothing is solved",
    "dask": "the gains ship: nothing is solved",
    "ray": "the gains ship: nothing is solved",
    "csv": "the odds with seen hands are a gain, not a distribution",
}
"""The options that an answer from sampled gains cannot take into account, and why."""


def tell_seen(
    game: str,
    wager: str | None,
    given: OddsOptions,
    seen_hands: str,
    others: Mapping[str, str | None],
    *,
    as_json: bool,
) -> int:
    """Print the shipped gain and the edge that remains; whatever else was asked for is refused."""
    from houseway.cli.odds_output import print_seen, seen_json
    from houseway.odds.conformance.claims import seen_result

    _refuse_options(given, others)
    if given.player is None:
        given.player = OPTIMAL
    asked = read(game, wager, given, TERMINAL)
    if asked.player != OPTIMAL:
        raise InputError.of("conflicting-options", "player", "--seen-hands is about perfect play: leave --player out")
    hands, wagers, commission = _shipped_choice(asked, seen_hands)
    found = seen_result(asked.game.id, hands, wagers, commission)
    default_way = (*asked.game.ways, "")[0]
    default_wheel = asked.game.fixed_wheel or "second"
    if found is None or (asked.dealer, asked.wheel) != (default_way, default_wheel):
        raise MissingPartError("results with seen hands are shipped for the default house way and order only")
    print_json(seen_json(found, asked.notes)) if as_json else print_seen(found, asked.notes)
    return 0


def _refuse_options(given: OddsOptions, others: Mapping[str, str | None]) -> None:
    """Refuse every option that the shipped gains cannot answer, all at once."""
    arguments = Arguments()
    for name, why in _NOT_WITH_SEEN.items():
        if (others[name] if name in others else getattr(given, name)) is not None:
            arguments.add("conflicting-options", name, f"--seen-hands cannot be asked together with --{name}: {why}")
    if arguments.choice(given.role, ("player", "banker"), "as") == "banker":
        why = "a bank is set the house way, whatever is face up"
        arguments.add("conflicting-options", "as", f"--seen-hands cannot be asked together with --as banker: {why}")
    arguments.refuse_if_any()


def _shipped_choice(asked: CheckedOptions, seen_hands: str) -> tuple[int, str, int]:
    """The number of hands, the wagers and the commission in percent, if a gain is shipped for them."""
    from houseway.odds.conformance.claims import seen_choices

    choices = seen_choices(asked.game.id)
    wagers = "+".join(asked.wagers)
    if not choices:
        raise MissingPartError(f"no result with seen hands is shipped for {asked.game.id}")
    if (seen_hands, wagers) not in {(str(hands), solved) for hands, solved, _ in choices}:
        known = ", ".join(dict.fromkeys(f"{hands} ({solved})" for hands, solved, _ in choices))
        message = f"{seen_hands[:40]!r} seen hands with {wagers}: results are shipped for {known}"
        raise InputError.of("bad-choice", "seen_hands", message)
    rates = sorted({rate for hands, solved, rate in choices if (str(hands), solved) == (seen_hands, wagers)})
    percent = asked.commission * 100
    if percent not in rates:
        known = " and ".join(f"{rate}%" for rate in rates)
        message = f"the commission decides how the player sets, and gains were sampled under {known} alone"
        raise InputError.of("bad-choice", "commission", message)
    return int(seen_hands), wagers, int(percent)
