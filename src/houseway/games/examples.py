"""A small round for examples: the README, the docstrings and the guides settle it."""

from __future__ import annotations

from typing import Any, Final

EXAMPLE_ROUND: Final[dict[str, Any]] = {
    "game": "fortune",
    "paytables": {"fortune": "FPGP-3"},
    "dealer": ["Ah", "Qd", "Jc", "9s", "7d", "5h", "4c"],
    "seats": [
        {
            "seat": 3,
            "cards": ["Ks", "Kd", "Kh", "Ac", "Qc", "8d", "3s"],
            "low": None,
            "wagers": {"main": 2500, "fortune": 500},
        },
        {
            "seat": 5,
            "cards": ["Ts", "9d", "8h", "7c", "5d", "4s", "2h"],
            "low": None,
            "wagers": {"main": 1500, "fortune": 500},
        },
    ],
}
