"""Hands that the cases of the two six-card games share."""

from __future__ import annotations

HANDS = {
    "five-aces": "As Ah Ad Ac Jk 2c",
    "royal-flush": "Ah Kh Qh Jh Th 2c",
    "straight-flush": "9h 8h 7h 6h 5h 2c",
    "four-of-a-kind": "9s 9h 9d 9c 5h 2c",
    "full-house": "9s 9h 9d 5c 5h 2c",
    "flush": "Kh Jh 9h 5h 3h 2c",
    "straight": "9s 8h 7h 6h 5h 2c",
    "three-of-a-kind": "9s 9h 9d Kc 5h 2c",
    "two-pair": "9s 9h 5c 5h Kc 2c",
    "pair-of-aces": "As Ah 9h 7c 5h 2c",
}
"""A hand of every name, each with the deuce of clubs: two of them never meet in a round."""

OTHER_ROYAL = "Ad Kd Qd Jd Td 2h"
"""A royal flush that may sit beside the one of hearts."""

QUEEN_HIGH = "Qs Ts 7s 6c 4s 3d"
"""A dealer's hand that shares no card with HANDS. Set the house way: Q-7-6-4-3 high, the ten low."""

ONLOOKER = "Kd Jd 8d 4c 3c Qc"
"""A king-high player's hand that shares no card with HANDS or QUEEN_HIGH."""
