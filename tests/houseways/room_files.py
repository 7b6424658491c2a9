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
