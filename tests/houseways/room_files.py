"""A room's own house-way file, and ways with one slip each for the check to find."""

from __future__ import annotations

from pathlib import Path

from houseway.houseways import HouseWay, load_house_way

ROOM = """\
id = "corner-room"
title = "Corner room"
extends = "foxwoods"

[[question]]
id = "three-pair"
asks = "Three pair"
when = { shape = "three-pair" }

[[question.rule]]
id = "three-pair-aces"
why = "Aces stay in back."
when = { top-set = "A" }
front = ["second-set", "second-set"]

[[question.rule]]
id = "three-pair"
why = "The highest pair goes in front."
otherwise = true
front = ["top-set", "top-set"]
"""

_HEAD = 'id = "{id}"\ntitle = "{id}"\nextends = "foxwoods"\n[[question]]\nid = "{question}"\nasks = "{question}"\n'

SLIPS = {
    "unset": (
        "three-pair",
        'when = { shape = "three-pair" }',
        """
        [[question.rule]]
        id = "three-pair-aces"
        why = "Only aces were thought of."
        when = { top-set = "A" }
        front = ["top-set", "top-set"]
        """,
    ),
    "ambiguous": (
        "three-pair",
        'when = { shape = "three-pair" }',
        """
        [[question.rule]]
        id = "three-pair-high"
        why = "Jacks and better."
        when = { top-set = "J-A" }
        front = ["top-set", "top-set"]

        [[question.rule]]
        id = "three-pair-low"
        why = "Jacks are here as well."
        when = { top-set = "2-J" }
        front = ["second-set", "second-set"]
        """,
    ),
    "impossible": (
        "trips",
        'when = { shape = "trips" }',
        """
        [[question.rule]]
        id = "trips-second-set"
        why = "There is no second set beside trips."
        front = ["second-set", "second-set"]
        """,
    ),
    "fouled": (
        "no-pair",
        'when = { shape = "no-pair" }',
        """
        [[question.rule]]
        id = "no-pair-complete"
        why = "Complete hands are kept."
        when = { complete = true }
        front = "highest"
        keep = "complete"

        [[question.rule]]
        id = "no-pair-highest"
        why = "The two highest in front leave too little in back."
        otherwise = true
        front = ["top-single", "second-single"]
        """,
    ),
}

RARE_SLIPS = {
    "unset": """
        [[question.rule]]
        id = "three-pair-but-fours"
        why = "Fours, threes and deuces were forgotten."
        when = { top-set = "5-A" }
        front = FRONT
        """,
    "ambiguous": """
        [[question.rule]]
        id = "three-pair-all"
        why = "Any three pair."
        front = FRONT

        [[question.rule]]
        id = "three-pair-fours"
        why = "Fours, threes and deuces once more."
        when = { top-set = "4" }
        front = FRONT
        """,
    "fouled": """
        [[question.rule]]
        id = "three-pair-but-fours"
        why = "The usual."
        when = { top-set = "5-A" }
        front = FRONT

        [[question.rule]]
        id = "three-pair-fours"
        why = "The odd card beside three small pair is no low hand of two cards, and no high hand stays."
        when = { top-set = "4" }
        front = ODD
        """,
}
"""Slips that touch one hand in ten thousand: three pair of fours, threes and deuces."""


def rare_slip(slip: str, cards: int) -> str:
    """The text of a six- or seven-card way that goes wrong with a few hands only."""
    front, odd = ('["top-set"]', '["second-single"]') if cards == 6 else (
        '["top-set", "top-set"]', '["top-set", "second-single"]'
    )  # fmt: skip
    shipped = "six-card" if cards == 6 else "foxwoods"
    head = _HEAD.format(id=f"rare-{slip}", question="three-pair").replace("foxwoods", shipped)
    rules = RARE_SLIPS[slip].replace("FRONT", front).replace("ODD", odd)
    return head + 'when = { shape = "three-pair" }' + rules


HANDS = {
    "unset": "Ks Kd 9h 9c 4s 4d 2c",
    "ambiguous": "Js Jd 9h 9c 4s 4d 2c",
    "impossible": "Ks Kd Kh Jc 9s 4d 2c",
    "fouled": "Ks Jd 9h 7c 5s 3d 2c",
}
"""A hand that each slip touches."""


def broken_way(slip: str, folder: Path) -> HouseWay:
    """The way with that slip."""
    question, when, rules = SLIPS[slip]
    path = folder / f"{slip}.toml"
    path.write_text(_HEAD.format(id=slip, question=question) + when + rules, encoding="utf-8")
    return load_house_way(path)


def way_without_a_question(folder: Path) -> HouseWay:
    """A way that asks for two pair only."""
    path = folder / "lonely.toml"
    path.write_text(
        """
        id = "lonely"
        title = "Two pair only"
        cards = 7
        [[question]]
        id = "two-pair"
        asks = "Two pair"
        when = { shape = "two-pair" }
        [[question.rule]]
        id = "split"
        why = "Split."
        front = ["second-set", "second-set"]
        """,
        encoding="utf-8",
    )
    return load_house_way(path)
