"""Hands set by hand from the prose of the ways, each with the cards that go in front and the rule that says so.

The lines were written down from the rule sheet and the published ways, not from the program's output.
"""

from __future__ import annotations

from typing import NamedTuple


class Example(NamedTuple):
    way: str
    cards: str
    low: str
    rule: str


def _examples(way: str, table: str) -> list[Example]:
    rows = [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]
    return [Example(way, *row) for row in rows]


EXAMPLES = [
    *_examples(
        "six-card",
        """
        Ks Jd 9h 7c 4s 2d | Jd | 6a
        As Kd 9h 7c 5s 2d | Kd | 6a
        Jk Qd 9h 7c 5s 3d | Qd | 6a
        Kd Ks Qh 9c 7d 4s | Qh | 6b
        2d 2s Ah 9c 7d 4s | Ah | 6b
        Jk As Kd 9h 7c 4s | Kd | 6b
        Td Ts 6h 6c Qd 4s | Qd | 6b
        8d 8s 8h Kc 7d 2s | Kc | 6b
        Jk As Ad Kh 8c 3d | Kh | 6b
        5d 5s 5h 9c 9d 2s | 2s | 6b
        7d 7s 7h 7c Qd 3s | Qd | 6b
        7d 7s 7h 7c Qd Qs | Qd | 6b
        Jk As Ah Ad Ac 7d | 7d | 6b
        9d 8s 7h 6c 5d Ks | Ks | 6b
        9d 9s 8h 7c 6d 5s | 9d | 6b
        Jk Td 8s 7h 6c 4d | Td | 6b
        Jk As Ad Kh Qc Jd | Ad | 6b
        Ks Ts 8s 5s 2s Ad | Ad | 6b
        As Ks Qs Js Ts 4d | 4d | 6b
        Kd Ks Kh 9c 9d 9s | Kd | 6c
        Jk As Ad 9c 9d 9s | Jk | 6c
        Qd Qs 8h 8c 3d 3s | Qd | 6d
        Jk As 8h 8c 3d 3s | Jk | 6d
        Td 9s 8h 7c 6d 5s | Td | 6e
        6d 5s 4h 3c 2d As | As | 6e
        Jk 9s 8h 7c 6d 5s | Jk | 6e
        Jk Td 9s 7c 6d 5s | Td | 6e
        Jk As Kd Qh Jc Ts | Jk | 6e
        Jk Ad 5d 4c 3h 2s | Jk | 6e
        Ks Ts 8s 5s 3s 2s | Ks | 6e
        Jk Ks Ts 8s 5s 2s | Jk | 6e
        Jk As Ts 8s 5s 2s | Jk | 6e
        Ts 9s 8s 7s 6s 5s | Ts | 6e
        As Ks Qs Js Ts 9s | As | 6e
        Jk As Ks Qs Js Ts | Jk | 6e
        9s 8d 7s 6s 5s 2s | 8d | 6f
        9s 8s 7s 6s 5s Td | Td | 6f
        9s 8s 7s 6s 5s 4d | 4d | 6f
        9s 8s 7s 6s 5s 9d | 9d | 6f
        Jk 9s 8s 7s 6s 5h | 5h | 6f
        Ks 9s 8s 7s 6s 5s | Ks | 6g
        9s 8s 7s 6s 5s 2s | 2s | 6g
        Jk Ts 8s 7s 6s 4s | Ts | 6g
        Jk As Qs Js Ts 8s | 8s | 6g
        """,
    ),
    *_examples(
        "foxwoods",
        """
        Kd Js 9h 7c 5d 3s 2h | Js 9h | no-pair
        Jk Qs 9h 7c 5d 3s 2h | Qs 9h | no-pair
        As Kd 9h 8c 7d 6s 5h | As Kd | no-pair-complete
        Td 9s 8h 7c 6d 5s 2h | Td 2h | no-pair-complete
        Kh 9s 8d 7s 6s 5s 2s | Kh 8d | no-pair-complete
        Jk Ks Qd 8h 7c 6d 5s | Ks Qd | no-pair-complete
        Jk 9s 8h 7c 6d 5s 2h | Jk 2h | no-pair-complete
        Kd Ks Qh 9c 7d 4s 2h | Qh 9c | pair-kept
        Kh 9d 9s 8h 7c 6d 5s | Kh 9d | pair-complete
        9h 8c 7d 6s 5h 2d 2s | 2s 2d | pair-complete
        As Kd Ks Qh Jc Td 9s | As Kd | pair-complete
        As 9s 9d 7s 4s 3h 2s | 9d 3h | pair-complete
        Jk As Kd Qh Jc 3s 2d | 3s 2d | pair-complete
        As Kd Ks Qh Jc Td 5s | As Qh | pair-ace-in-front
        As Ts Td 7s 4s 3h 2s | As 7s | pair-ace-in-front
        Jk Td Ts 9h 8c 7d 2s | Jk 9h | pair-ace-in-front
        Jd Js 4h 4c Ad 9s 7h | 4h 4c | two-pair-j-a-split
        Jk As 4h 4c Kd 9s 7h | 4h 4c | two-pair-j-a-split
        9d 9s 4h 4c Ad Js 7h | Ad Js | two-pair-7-10-ace-kept
        9d 9s 4h 4c Jk Js 7h | Jk Js | two-pair-7-10-ace-kept
        9d 9s 4h 4c Kd Js 7h | 4h 4c | two-pair-7-10-split
        9d 9s 8h 8c 7d 6s 5h | 8h 8c | two-pair-7-10-split
        6d 6s 3h 3c Kd Js 8h | Kd Js | two-pair-3-6-king-kept
        6d 6s 3h 3c Qd Js 8h | 3h 3c | two-pair-3-6-split
        Qd Qs 8h 8c 3d 3s Ah | Qs Qd | three-pair
        Jk As 8h 8c 3d 3s Kh | Jk As | three-pair
        Kd Ks Kh Qc 9d 6s 2h | Qc 9d | trips-2-k-kept
        Ad As Ah Kc 9d 6s 2h | Ad Kc | trips-aces-split
        Jk As Ad Kc 9h 6s 2d | Jk Kc | trips-aces-split
        Jk As Ad Kc Qh Js 4d | Ad 4d | trips-complete
        Jk As Ad Ks 9s 6s 2d | Ad 2d | trips-complete
        9d 9s 9h 8c 7d 6s 5h | 9h 9d | trips-complete
        Kd Ks Kh Qc Jd Ts 9h | Kh Kd | trips-complete
        Kd Ks Kh 4c 4d 4s 9h | Kh Kd | two-trips
        8d 8s 8h Jc Jd 5s 2h | Jd Jc | full-house-split
        8d 8s 8h Jc Jd 5s 5h | Jd Jc | full-house-split
        Jd Js Jh Jc Ad 9s 4h | Jd Jc | quads-j-a-split
        Jk As Ad Ac Kh Qd Js | Ad Ac | quads-j-a-split
        8d 8s 8h 8c Kd 9s 4h | Kd 9s | quads-7-10-king-kept
        8d 8s 8h 8c Jk 9s 4h | Jk 9s | quads-7-10-king-kept
        8d 8s 8h 8c Qd 9s 4h | 8d 8c | quads-7-10-split
        5d 5s 5h 5c Qd 9s 4h | Qd 9s | quads-2-6-kept
        Kd Ks Kh Kc 3d 3s 9h | 3s 3d | quads-pair-in-front
        6d 6s 6h 6c 9d 9s 9h | 9h 9d | quads-pair-in-front
        Jk As Ah Ad Ac Kd Ks | Ks Kd | five-aces-kings
        Jk As Ah Ad Ac Qd Qs | Jk Ac | five-aces-split
        Jk As Ah Ad Ac Kd 7s | Jk Ac | five-aces-split
        """,
    ),
    *_examples(
        "trump-plaza",
        """
        5d 5s 3h 3c Kd 9s 7h | Kd 9s | two-pair-low-king-kept
        9d 9s 4h 4c Kd Js 7h | Kd Js | two-pair-low-king-kept
        9d 9s 4h 4c Jk Js 7h | Jk Js | two-pair-low-king-kept
        9d 9s 4h 4c Qd Js 7h | 4h 4c | two-pair-low-split
        Jd Js 4h 4c Ad 9s 7h | Ad 9s | two-pair-low-and-high-ace-kept
        Jd Js 4h 4c Kd 9s 7h | 4h 4c | two-pair-low-and-high-split
        Td Ts 8h 8c Ad 5s 3h | Ad 5s | two-pair-medium-ace-kept
        Td Ts 8h 8c Kd 5s 3h | 8h 8c | two-pair-medium-split
        9d 9s 8h 8c 7d 6s 5h | 8h 8c | two-pair-medium-split
        Qd Qs 8h 8c Ad 5s 3h | 8h 8c | two-pair-high-split
        Ad As 2h 2c Kd 9s 7h | 2h 2c | two-pair-aces-split
        9d 9s 9h 2c 2d As Kh | As Kh | full-house-twos-ace-king
        9d 9s 9h 2c 2d As Qh | 2d 2c | full-house-split
        9d 9s 9h 5c 5d 2s 2h | 5d 5c | full-house-split
        Kd Ks Kh Kc Ad 9s 4h | Ad 9s | quads-j-k-ace-kept
        Kd Ks Kh Kc Qd 9s 4h | Kd Kc | quads-j-k-split
        Ad As Ah Ac Kd 9s 4h | Ad Ac | quads-aces-split
        Ad As Ah Ac 2d 2s 4h | 2s 2d | quads-pair-in-front
        6d 6s 6h 6c 5d 4s 3h | 5d 4s | quads-2-6-kept
        As Kd Ks Qh Jc Td 5s | Kd 5s | pair-complete
        9h 8c 7d 6s 5h 2d 2s | 2s 2d | pair-in-front
        9d 9s 9h 8c 7d 6s 5h | 9h 9d | trips-complete
        Jk As Ad Kc Qh Js 4d | Jk Kc | trips-aces-split
        Kd Ks Kh Qc 9d 6s 2h | Qc 9d | trips-2-k-kept
        Kd Js 9h 7c 5d 3s 2h | Js 9h | no-pair
        """,
    ),
    *_examples(
        "sixes-together",
        """
        6d 6s 3h 3c Qd Js 8h | Qd Js | two-pair-3-6-kept
        6d 6s 3h 3c Jk Js 8h | Jk Js | two-pair-ace-3-10-kept
        Jd Js 7h 7c Ad 9s 3h | 7h 7c | two-pair-ace-high-pairs-split
        Jd Js 6h 6c Ad 9s 3h | Ad 9s | two-pair-ace-j-k-over-2-6-kept
        Td Ts 8h 8c Ad 5s 3h | Ad 5s | two-pair-ace-3-10-kept
        7d 7s 3h 3c Kd Js 9h | 3h 3c | two-pair-7-k-split
        Ad As 3h 3c Kd Js 9h | 3h 3c | two-pair-aces-split
        Ad As Ah Ac 7d 7s 4h | 7s 7d | quads-aces-pair-in-front
        Ad As Ah Ac 6d 6s 4h | Ad Ac | quads-aces-split
        8d 8s 8h 8c Jd 9s 4h | Jd 9s | quads-7-10-jack-kept
        8d 8s 8h 8c Td 9s 4h | 8d 8c | quads-7-10-split
        Qd Qs Qh Qc Ad 9s 4h | Qd Qc | quads-j-k-split
        Qd Qs Qh Qc 9d 9s 4h | 9s 9d | quads-pair-in-front
        9d 9s 9h 8c 7d 6s 5h | 8c 7d | trips-2-k-kept
        Ad As Ah 5c 4d 3s 2h | Ah Ad | trips-aces-complete
        Jk As Ad Kc Qh Js 4d | Ad 4d | trips-aces-complete
        """,
    ),
    *_examples(
        "casino-real",
        """
        Qd Qs 5h 5c Ad 9s 3h | 5h 5c | two-pair-q-a-split
        Jd Js 5h 5c Ad 9s 3h | Ad 9s | two-pair-9-j-ace-kept
        Jd Js 5h 5c Kd 9s 3h | 5h 5c | two-pair-9-j-split
        8d 8s 5h 5c Kd Js 3h | Kd Js | two-pair-6-8-king-kept
        8d 8s 5h 5c Qd Js 3h | 5h 5c | two-pair-6-8-split
        5d 5s 3h 3c Qd Js 8h | Qd Js | two-pair-3-5-queen-kept
        5d 5s 3h 3c Jd 9s 8h | 3h 3c | two-pair-3-5-split
        Qd Qs Qh Qc Ad 9s 4h | Qd Qc | quads-q-a-split
        Jd Js Jh Jc Kd 9s 4h | Kd 9s | quads-9-j-king-kept
        Jd Js Jh Jc Qd 9s 4h | Jd Jc | quads-9-j-split
        7d 7s 7h 7c Qd 9s 4h | Qd 9s | quads-6-8-queen-kept
        7d 7s 7h 7c Jd 9s 4h | 7d 7c | quads-6-8-split
        5d 5s 5h 5c Jd 9s 4h | Jd 9s | quads-2-5-kept
        Ad As Ah Ac 2d 2s 4h | 2s 2d | quads-pair-in-front
        Jk As Ah Ad Ac Kd Ks | Jk Ac | five-aces-split
        """,
    ),
]
