"""A card room that plays by itself from a seed, and the independent checker that looks over the manager's shoulder."""

from __future__ import annotations

from instruments.simulator.report import Failure, Report, run_seeds
from instruments.simulator.runner import STEPS, RunOutcome, Simulation, run_seed

__all__ = ["STEPS", "Failure", "Report", "RunOutcome", "Simulation", "run_seed", "run_seeds"]
