"""6 Card Fortune Pai Gow Poker: Double Down, Fortune, Envy and Insurance, and their pay tables."""

from __future__ import annotations

from houseway.errors import InputError
from houseway.games import Line, Outcome, Seat, Settlement, Wager
from houseway.games.model import won
from houseway.games.reading import Faults
from houseway.paytables import PayLine, paytable
from tests.rules.cases_6cfpgp_switches import (
    DEALER_PAYS_ENVY,
    HAND_AS_SET_COUNTS,
    HANDS,
    ONLOOKER,
    OWN_HAND_PAYS_ENVY,
    QUEEN_HIGH,
    RAISES_UNCHECKED,
    changed_line,
    changed_table,
    without_line,
)
from tests.rules.felt import line, lines, play, refusals, seat
from tests.rules.harness import replaced, rule

GAME = "six-card-fortune"
QUALIFYING = replaced  # placeholder
