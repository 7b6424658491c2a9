"""Whole answers to questions that are answered in pages."""

from __future__ import annotations

from houseway.manager.interface.contract import AsyncManagerInterface, ManagerInterface
from houseway.manager.views.floor_questions import A_co, Question, is_last_page, joined, next_page


def ask_all(manager: ManagerInterface, asked: Question[A_co]) -> A_co:
    """The answer to a question with all its pages; the event up to which it holds is the first page's."""
    pages = [manager.ask(asked)]
    while not is_last_page(pages[-1]):
        pages.append(manager.ask(next_page(asked, pages[-1])))
    return joined(asked, pages)


async def ask_all_async(manager: AsyncManagerInterface, asked: Question[A_co]) -> A_co:
    """As `ask_all`, for asyncio."""
    pages = [await manager.ask(asked)]
    while not is_last_page(pages[-1]):
        pages.append(await manager.ask(next_page(asked, pages[-1])))
    return joined(asked, pages)
