"""Random hands for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from houseway.ranking.reference import RANKINGS, Ranking


@st.composite
def hands_in_an_order(draw: st.DrawFn, sizes: tuple[int, ...] = (5, 6, 7), suits: int = 4) -> tuple[list[int], Ranking]:
    """A hand and a declared order that ranks it; fewer suits make more flushes."""
    ranking = draw(st.sampled_from(list(RANKINGS.values())))
    deck = [card for card in range(52) if card & 3 < suits] + ([52] if ranking.joker else [])
    size = draw(st.sampled_from(sizes))
    return draw(st.lists(st.sampled_from(deck), min_size=size, max_size=size, unique=True)), ranking
