"""Rounds for hypothesis: valid ones of every game, and valid ones with something impossible done to them."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st

from houseway.cards import DECK_52, DECK_53
from houseway.games import Game, games
from houseway.games.table_settings import has_setting
from houseway.paytables import PayTable, paytables

GAMES = games()
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda children: st.lists(children, max_size=4) | st.dictionaries(st.text(max_size=12), children, max_size=4),
    max_leaves=12,
)


def tables_for(game: Game, wager: str, kind: str) -> list[PayTable]:
    """The approved tables that a wager of a game may be played with."""
    paid_by = "progressive" if kind == "jackpot" else wager
    return [table for table in paytables() if table.wager == paid_by and game.id in table.games and table.approved]


@st.composite
def rounds(draw: st.DrawFn, game: Game | None = None) -> dict[str, Any]:
    """A round that settles: cards from one deck, legal wagers, meters and seeds for every jackpot."""
    chosen = game or draw(st.sampled_from(GAMES))
    deck = draw(st.permutations([str(card) for card in (DECK_53 if chosen.deck == 53 else DECK_52)]))
    numbers = sorted(draw(st.sets(st.integers(1, chosen.max_seats), min_size=1)))
    round_: dict[str, Any] = {"game": chosen.id, "paytables": {}, "meters": {}, "seeds": {}}
    for wager in chosen.wagers:
        if wager.needs_table:
            table = draw(st.sampled_from(tables_for(chosen, wager.name, wager.kind)))
            round_["paytables"][wager.name] = table.id
    _add_meters(draw, round_)
    hands = [deck[start : start + chosen.cards] for start in range(0, len(deck) - chosen.cards + 1, chosen.cards)]
    round_["dealer"] = hands[0]
    banker = draw(st.sampled_from([None, *numbers])) if chosen.offers_banker else None
    if banker is not None:
        round_["banker"] = banker
        round_["dealer_stake"] = draw(st.integers(0, 50_000))
    round_["settings"] = draw(table_settings(chosen))
    round_["seats"] = [
        draw(seats(chosen, number, hand, is_banker=number == banker))
        for number, hand in zip(numbers, hands[1:], strict=False)
    ]
    return round_


def _add_meters(draw: st.DrawFn, round_: dict[str, Any]) -> None:
    first = round_["paytables"].get("progressive")
    for name in ("progressive", "progressive2"):
        table_id = round_["paytables"].get(name)
        if table_id is not None:
            table = next(table for table in paytables() if table.id == table_id)
            key = f"{table_id}#2" if name == "progressive2" and table_id == first else table_id
            round_["meters"][key] = {level: draw(st.integers(0, 10**9)) for level in table.levels}
            round_["seeds"][key] = {level: draw(st.integers(0, 10**7)) for level in table.levels}


def table_settings(game: Game) -> st.SearchStrategy[dict[str, Any]]:
    """Any settings that the game's sheet allows and that refuse no wager."""
    limit = st.builds(
        lambda per, cents: {"per": per, "cents": cents}, st.sampled_from(["hand", "round"]), st.integers(0, 200_000)
    )
    choices: dict[str, st.SearchStrategy[Any]] = {
        "wheel": st.sampled_from([game.fixed_wheel] if game.fixed_wheel else ["second", "lowest"]),
        "commission_percent": st.integers(0, 100 if game.commission else 0),
        "commission_minimum": st.integers(0, 500 if game.commission else 0),
        "double_for_less": st.booleans(),
        "aggregate_limit": st.none() | limit if game.aggregate_clause else st.none(),
        "jackpot_kind": st.sampled_from(["progressive", "house"]),
        "banked_bonus": st.sampled_from(["dealer", "banker"]),
        "joker_seven_card_line": st.booleans(),
        "shared_envy": st.booleans(),
        "jackpot_joker": st.sampled_from(["semi-wild", "literal"]),
    }
    # A paper allows whatever jackpots the sheet itself does not offer.
    by_paper = {"jackpots_by_paper": st.just(True)} if has_setting(game, "jackpots_by_paper") else {}
    return st.fixed_dictionaries(
        by_paper, optional={name: values for name, values in choices.items() if has_setting(game, name)}
    )


@st.composite
def seats(draw: st.DrawFn, game: Game, number: int, hand: list[str], *, is_banker: bool) -> dict[str, Any]:
    """A seat with legal wagers; its hand set by the house way or, foul or not, by the player."""
    amounts = st.integers(1, 60_000)
    wagers: dict[str, int] = {}
    fold = game.offers_fold and draw(st.booleans())
    for wager in game.wagers:
        if wager is game.first_wager:
            if not is_banker:
                wagers[wager.name] = draw(amounts)
        elif wager.kind == "raise":
            if not fold if game.offers_fold else draw(st.booleans()):
                wagers[wager.name] = wagers[game.first_wager.name]
        elif draw(st.booleans()):
            wagers[wager.name] = draw(amounts)
    by_house = is_banker or not game.low_cards or draw(st.booleans())
    low = None if by_house else draw(st.permutations(hand))[: game.low_cards]
    seat = {"seat": number, "cards": hand, "low": low, "wagers": wagers}
    return {**seat, "fold": fold} if game.offers_fold else seat


@st.composite
def impossible_rounds(draw: st.DrawFn) -> tuple[dict[str, Any], str]:
    """A round in which something cannot have happened, and the code of the fault that must be among those found."""
    round_ = copy.deepcopy(draw(rounds()))
    seat = draw(st.sampled_from(round_["seats"]))
    wagers = seat["wagers"] or {"fortune": 1}
    seat["wagers"] = wagers
    wager = draw(st.sampled_from(sorted(wagers)))
    kind = draw(
        st.sampled_from(
            ["card-twice", "two-jokers", "negative", "zero", "float", "bool", "text", "seat-twice", "wager", "seat"]
        )
    )
    match kind:
        case "card-twice":
            seat["cards"][0] = round_["dealer"][0]
            return round_, "duplicate-card"
        case "two-jokers":
            round_["dealer"][0] = seat["cards"][0] = "Jk"
            return round_, "joker-not-used" if round_["game"] == "six-card-poker" else "duplicate-card"
        case "negative" | "zero":
            wagers[wager] = -draw(st.integers(1, 10**9)) if kind == "negative" else 0
            return round_, "out-of-range"
        case "float" | "bool" | "text":
            wagers[wager] = {"float": 500.0, "bool": True, "text": "500"}[kind]
            return round_, "not-an-integer"
        case "seat-twice":
            round_["seats"].append({**seat, "cards": []})
            return round_, "duplicate-seat"
        case "wager":
            wagers["side_bet"] = 500
            return round_, "unknown-wager"
        case _:
            seat["seat"] = draw(st.sampled_from([0, -1, 8, 99, 10**30]))
            return round_, "out-of-range"
