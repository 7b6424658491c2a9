"""What is marked on the paper of a slip, so that no two papers of one slip look alike."""

from __future__ import annotations

from typing import Final

from houseway.manager.core.slip_entities import SlipPrint

NOT_A_SLIP: Final = "NOT A SLIP"
"""The mark of what was looked at and not printed."""


def marks_of(is_void: bool, printed: SlipPrint | None) -> tuple[str, ...]:
    """The marks of one print; what was not printed at all is marked as no slip.

    One paper of a slip says ORIGINAL, for ever: where its printer failed, the next one is a reprint and no original.

    >>> marks_of(True, SlipPrint("duplicate", "S1", 0, reprint=2)), marks_of(False, SlipPrint("original", "S1", 0))
    (('VOID', 'DUPLICATE', 'REPRINT 2'), ('ORIGINAL',))
    >>> marks_of(False, SlipPrint("original", "S1", 0, reprint=1)), marks_of(False, None)
    (('REPRINT 1',), ('NOT A SLIP',))
    """
    void = ("VOID",) if is_void else ()
    if printed is None:
        return (*void, NOT_A_SLIP)
    reprint = (f"REPRINT {printed.reprint}",) if printed.reprint else ()
    copy = () if printed.copy == "original" and reprint else (printed.copy.upper(),)
    return (*void, *copy, *reprint)
