"""Houseway: approved casino table games with progressive jackpots, made executable.

    import houseway as hw

    hw.rank("As Ks Qs Js Ts").text
    hw.set_hand("fortune", "As Kd Th 9c 9d 4s 4h").low
    hw.odds("fortune", "main", way="foxwoods").edge

The names in `__all__` are the whole of what a program should use; docs/api.md shows each. They are loaded when they are
first used, so that this import stays quick. Everything else in the package is internal and may change.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from houseway.api.advice import Choice, HandAdvice, advise
    from houseway.api.async_room import AsyncDemoRoom, AsyncRoom
    from houseway.api.catalogue import GameFacts, WagerFacts, add_games, game, games, paytable, paytables, refused_games
    from houseway.api.deal_and_replay import DealtRound, Replay, deal, replay
    from houseway.api.hands import HandSetting, RankedHand, rank, set_hand
    from houseway.api.odds import Odds, odds
    from houseway.api.printed_figures import Verification, verify
    from houseway.api.room import CommandResult, DemoRoom, ManagerAwayError, RefusedError, Room
    from houseway.api.settling import Seat, settle
    from houseway.api.simulation import SimulatedRounds, simulate
    from houseway.errors import Fault, InputError, MissingPartError
    from houseway.games.round_model import Line, Settlement
    from houseway.paytables.pay_table import PayTable
    from houseway.sources import Refusal

__version__ = "0.1.0"

__all__ = [
    "AsyncDemoRoom",
    "AsyncRoom",
    "Choice",
    "CommandResult",
    "DealtRound",
    "DemoRoom",
    "Fault",
    "GameFacts",
    "HandAdvice",
    "HandSetting",
    "InputError",
    "Line",
    "ManagerAwayError",
    "MissingPartError",
    "Odds",
    "PayTable",
    "RankedHand",
    "Refusal",
    "RefusedError",
    "Replay",
    "Room",
    "Seat",
    "Settlement",
    "SimulatedRounds",
    "Verification",
    "WagerFacts",
    "add_games",
    "advise",
    "deal",
    "game",
    "games",
    "odds",
    "paytable",
    "paytables",
    "rank",
    "refused_games",
    "replay",
    "set_hand",
    "settle",
    "simulate",
    "verify",
]

_HOMES: Final = {
    "houseway.api.advice": ("Choice", "HandAdvice", "advise"),
    "houseway.api.async_room": ("AsyncDemoRoom", "AsyncRoom"),
    "houseway.api.catalogue": (
        "GameFacts",
        "WagerFacts",
        "add_games",
        "game",
        "games",
        "paytable",
        "paytables",
        "refused_games",
    ),
    "houseway.api.deal_and_replay": ("DealtRound", "Replay", "deal", "replay"),
    "houseway.api.hands": ("RankedHand", "HandSetting", "rank", "set_hand"),
    "houseway.api.odds": ("Odds", "odds"),
    "houseway.api.room": ("CommandResult", "DemoRoom", "ManagerAwayError", "RefusedError", "Room"),
    "houseway.api.settling": ("Seat", "settle"),
    "houseway.api.simulation": ("SimulatedRounds", "simulate"),
    "houseway.api.printed_figures": ("Verification", "verify"),
    "houseway.errors": ("Fault", "InputError", "MissingPartError"),
    "houseway.games.round_model": ("Line", "Settlement"),
    "houseway.paytables.pay_table": ("PayTable",),
    "houseway.sources": ("Refusal",),
}
"""Where each name is made."""
_HOME_OF: Final = {name: home for home, names in _HOMES.items() for name in names}
_NAMED_LIKE_PACKAGES: Final = frozenset({"games", "odds", "paytables"})
"""Functions whose names the packages behind them bear too."""


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any of the names above
    if name in _NAMED_LIKE_PACKAGES:
        return import_module(f"houseway.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'houseway' has no attribute {name!r}")
    found = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, "__version__"})


class _CallablePackage(ModuleType):
    """A package that can be called like the function of the same name: `hw.odds(...)` beside `houseway.odds.wagers`."""

    @property
    def __wrapped__(self) -> Any:  # noqa: ANN401 - one of the functions
        # What tools look at for signature and documentation.
        name = self.__name__.rpartition(".")[2]
        return getattr(import_module(_HOME_OF[name]), name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - as the function has it
        return self.__wrapped__(*args, **kwargs)


class _Door(ModuleType):
    """Makes the packages callable: Python puts each here, over the function, as soon as it is imported."""

    def __setattr__(self, name: str, value: object) -> None:
        if name in _NAMED_LIKE_PACKAGES and type(value) is ModuleType:
            value.__class__ = _CallablePackage
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Door
