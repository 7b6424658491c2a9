"""The explorer: every order of a small alphabet of commands, on the state machine itself, each state held to rules.

The simulator lets large rooms play at random under a checker of every figure. This goes the other way: few people,
few commands, and all of their orders, the shortest first, so that what it finds comes with the shortest way to it.
"""

from instruments.explorer.scenarios import SCENARIOS, Scenario
from instruments.explorer.search import Exploration, Finding

__all__ = ["SCENARIOS", "Exploration", "Finding", "Scenario"]
