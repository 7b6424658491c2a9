"""Cards and their text form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.cards import (
    ACE,
    ALL_CARDS,
    DECK_52,
    DECK_53,
    JOKER,
    Card,
    card_of,
    card_texts,
    descending,
    find_card,
    parse_card,
    parse_cards,
)
from houseway.errors import InputError


def test_the_decks() -> None:
    assert len(DECK_52) == len(set(DECK_52)) == 52
    assert DECK_53 == ALL_CARDS == (*DECK_52, JOKER)
    assert [str(card) for card in (DECK_52[0], DECK_52[3], DECK_52[51], JOKER)] == ["2c", "2s", "As", "Jk"]


def test_every_card_comes_back_from_its_text_and_from_its_rank_and_suit() -> None:
    for card in ALL_CARDS:
        assert parse_card(str(card)) is card
        if card.suit is not None:
            assert card_of(card.rank, card.suit) is card
    assert len({card.words for card in ALL_CARDS}) == 53
    assert (parse_card("Td").words, JOKER.words, JOKER.rank, JOKER.suit) == ("ten of diamonds", "joker", ACE, None)


@pytest.mark.parametrize("text", ["", "A", "10s", "1s", "Xs", "As ", "A\N{BLACK SPADE SUIT}"])
def test_a_text_that_names_no_card_is_refused(text: str) -> None:
    assert find_card(text) is None
    with pytest.raises(InputError, match="is not a card"):
        parse_card(text)


@pytest.mark.parametrize("text", ["As", "as", "AS", "aS"])
def test_capital_letters_tell_nothing(text: str) -> None:
    assert str(parse_card(text)) == "As"
    assert parse_cards(f"{text} jK") == parse_cards("As Jk")


def test_a_list_is_refused_with_every_fault() -> None:
    with pytest.raises(InputError) as refused:
        parse_cards("As Zz, As Jk Jk 5", path="dealer")
    assert [(fault.code, fault.path) for fault in refused.value.faults] == [
        ("bad-card", "dealer"),
        ("duplicate-card", "dealer"),
        ("duplicate-card", "dealer"),
        ("bad-card", "dealer"),
    ]


@given(st.lists(st.sampled_from(ALL_CARDS), unique=True), st.sampled_from([" ", ",", ", ", "\n", "  "]))
def test_lists_come_back_whatever_separates_them(cards: list[Card], separator: str) -> None:
    assert parse_cards(separator.join(str(card) for card in cards)) == tuple(cards)


@given(st.text())
def test_no_text_makes_the_parser_stumble(text: str) -> None:
    try:
        cards = parse_cards(text)
    except InputError:
        return
    assert len(set(cards)) == len(cards)
    assert "".join(str(card) for card in cards) == "".join(text.replace(",", " ").split())


def test_output_goes_from_the_joker_down() -> None:
    cards = parse_cards("9c Jk As 9s Ac")
    assert card_texts(cards) == ["Jk", "As", "Ac", "9s", "9c"]
    assert descending(cards) == parse_cards("Jk As Ac 9s 9c")
