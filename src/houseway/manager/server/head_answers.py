"""The signed heads of a journal, for witnesses who ask."""

from __future__ import annotations

from houseway.errors import InputError
from houseway.manager.store.head_making import HeadBook
from houseway.manager.views.answers import HeadAnswer
from houseway.manager.views.floor_questions import HeadQuestion
from houseway.proofs.proof_texts import MOST_LEAVES, encoded


def answer_head(book: HeadBook | None, asked: HeadQuestion) -> HeadAnswer:
    """The newest stored head with its growth; a journal in memory has none."""
    if not 0 <= asked.old <= MOST_LEAVES:
        raise InputError.of("bad-message", "old", "a size is a whole number of events")
    update = None if book is None else book.update(asked.old)
    if update is None:
        return HeadAnswer(head=None, old=asked.old, path=())
    return HeadAnswer(head=update.signed.note.written(), old=asked.old, path=tuple(map(encoded, update.path)))
