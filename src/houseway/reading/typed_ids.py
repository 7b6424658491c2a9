"""Ids as people type them: in any case, as long as that leaves one."""

from __future__ import annotations

from collections.abc import Collection

from houseway.errors import InputError


def known_id(typed: str, known: Collection[str], path: str) -> str:
    """The known id that a typed one is but for capital letters; else the typed one, without the blanks around it.

    Refused where it may be one of several.

    >>> known_id(" t1 ", ["T1", "T2"], "table"), known_id("T9", ["T1"], "table"), known_id("t1", ["t1", "T1"], "table")
    ('T1', 'T9', 't1')
    """
    word = typed.strip()
    if word in known:
        return word
    folded = word.casefold()
    alike = [each for each in known if each.casefold() == folded]
    if len(alike) > 1:
        message = f"{word[:60]!r} may be {' or '.join(sorted(alike))}: write it as it is registered"
        raise InputError.of("ambiguous-id", path, message)
    return alike[0] if alike else word
