"""The shipped hand counts: what the kernels count, what the tests' own count files hold, and refused when stale."""

from __future__ import annotations

import json
from math import comb
from pathlib import Path

import pytest

from houseway.errors import MissingPartError
from houseway.games.round_tables import as_read
from houseway.odds import hand_counts as module
from houseway.odds.hand_counts import DATA, DOMAINS, Domain, hand_counts, recount, to_data
from houseway.paytables import paytable, paytables


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: domain.key)
def test_the_counts_fill_their_domain(domain: Domain) -> None:
    counted = hand_counts(*domain)
    assert sum(counted.by_names.values()) == counted.hands == comb(domain.deck, domain.cards)


@pytest.mark.kernels
def test_the_shipped_file_is_what_the_kernels_count() -> None:
    assert DATA.read_text(encoding="utf-8") == to_data(recount(domain) for domain in DOMAINS)


def test_lines_are_counted_in_the_table_s_own_order() -> None:
    """201,824 hands of seven cards are both a straight and three of a kind: each order gives them to its first line."""
    by_hand = {line.hand: count for line, count in hand_counts(7, 53).by_line(paytable("FPGP-1")).items() if line}
    assert (by_hand["three-of-a-kind"], by_hand["straight"]) == (7_672_500, 11_034_204)
    six = {line.hand: count for line, count in hand_counts(6, 53).by_line(paytable("6CFPGP-1")).items() if line}
    assert (six["straight"], six["three-of-a-kind"]) == (696_228, 853_264)


def test_every_hand_is_on_a_line_or_on_none() -> None:
    counts = hand_counts(6, 52).by_line(paytable("SCP-01"))
    assert sum(counts.values()) == comb(52, 6)
    assert list(counts)[-1] is None


def test_a_joker_makes_no_four_of_a_kind_and_no_full_house() -> None:
    """The joker beside six cards leaves their four of a kind and full houses as they are, and four aces make five.

    Counted from the frequencies of seven and of six cards without a joker, which are in any book.
    """
    semi_wild, table = hand_counts(7, 53).by_line(paytable("FPGPP-WA01")), paytable("FPGPP-WA01")
    narrow = as_read(table, {"jackpot_joker": "literal"})
    literal = {line.hand: count for line, count in hand_counts(7, 53, "literal").by_line(narrow).items() if line}
    four_aces = comb(48, 2)
    assert literal["four-of-a-kind"] == 224_848 + 14_664 - four_aces == 307_472 - 69_088
    assert literal["full-house"] == 3_473_184 + 165_984 == 4_188_528 - 549_360
    others = {line.hand: count for line, count in semi_wild.items() if line and line.hand in list(literal)[:6]}
    assert others == {hand: literal[hand] for hand in others}
    assert len(others) == 6
    with pytest.raises(AssertionError):
        hand_counts(7, 53).by_line(narrow)


def test_the_six_card_note_has_no_joker() -> None:
    for table in paytables():
        read = as_read(table, {"jackpot_joker": "literal"})
        assert (read.joker == "literal") == table.id.startswith(("FPGPP-", "FUPGPP-")), table.id
        assert (read.fingerprint != table.fingerprint) == (read.joker == "literal")


@pytest.fixture
def other_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that takes the place of the shipped one."""
    path = tmp_path / "hand-counts.json"
    monkeypatch.setattr(module, "DATA", path)
    module._shipped.cache_clear()
    module.hand_counts.cache_clear()
    yield path
    module._shipped.cache_clear()
    module.hand_counts.cache_clear()


@pytest.mark.parametrize("damage", ["missing", "cut", "stale", "short"])
def test_a_file_that_is_not_right_is_refused(damage: str, other_file: Path) -> None:
    shipped = json.loads(DATA.read_text(encoding="utf-8"))
    if damage == "stale":
        shipped["fingerprint"] = "0" * 64
    if damage == "short":
        shipped["counts"]["6-of-52"]["pair"] -= 1
    if damage != "missing":
        text = json.dumps(shipped)
        other_file.write_text(text[:500] if damage == "cut" else text, encoding="utf-8")
    with pytest.raises(MissingPartError, match="write-hand-counts"):
        hand_counts(6, 52)
