"""Cases of the house-way display: who sees which hand when, and what surveillance sees of it."""

from __future__ import annotations

from collections.abc import Callable

from houseway.games import game
from houseway.manager.commands.house_commands import OpenTable, RecordPaper
from houseway.manager.commands.round_commands import SetHand, ShowDealerWay, ShowPlayerWay
from houseway.manager.core.table_entities import Display
from houseway.manager.handlers.dealing import _face_up
from houseway.manager.handlers.settlement import house_way_hand, shown_hand
from houseway.manager.views.table_views import round_view
from tests.manager.cards.pit import Pit
from tests.manager.floors import EXECUTIVE, SUPERVISOR, SURVEILLANCE, badge, new_room
from tests.rules.harness import Switch, replaced, rule
from tests.rules.manager_switches import HANDLED, unchecked
from tests.rules.rooms import codes

SEVEN_CARD = ("fortune", "commission-free-fortune", "face-up")
CONDITIONS = {
    "6cfpgp/rules/5.a": (("six-card-fortune",), "nexus"),
    "6cfpgpp/aquarius/7.a": (("six-card-fortune",), "aquarius"),
    "6cfpgpp/nexus/7.a": (("six-card-fortune",), "nexus"),
    "cffpgp/general/6": (("commission-free-fortune",), "nexus-2"),
    "fpgp/general/6": (("fortune", "commission-free-fortune"), "nexus-2"),
    "fpgpj/equipment/4": (SEVEN_CARD, "nexus-2"),
    "fpgpp/general/8": (SEVEN_CARD, "nexus"),
}
"""The clauses with the three state conditions, the games of their sheets, and controls that the sheets name."""


def on_displays(
    number: str, off: Switch | tuple[Switch, ...]
) -> Callable[[Callable[[str, str], None]], Callable[[str, str], None]]:
    """Register a case for one of the three conditions of every sheet, and for the clause that lists them."""

    def register(check: Callable[[str, str], None]) -> Callable[[str, str], None]:
        for clause, (games, vocabulary) in CONDITIONS.items():
            rule(clause, f"{clause}.{number}", off=off)(_on_games(check, games, vocabulary))
        return check

    return register


def _on_games(check: Callable[[str, str], None], games: tuple[str, ...], vocabulary: str) -> Callable[[], None]:
    def case() -> None:
        for game_id in games:
            check(game_id, vocabulary)

    case.__name__ = check.__name__
    return case


NOBODY_IS_WAITED_FOR = replaced(f"{HANDLED}.displays._not_set", lambda round_: [])


def three_players(game_id: str, vocabulary: str, cards: str) -> Pit:
    """A table with players at seats 1, 3 and 6, dealt where the system deals."""
    pit = Pit(game_id, cards=cards, vocabulary=vocabulary)
    pit.start(1, 3, 6)
    if cards == "known":
        pit.deal()
    return pit


@on_displays("i", off=NOBODY_IS_WAITED_FOR)
def a_player_is_set_the_house_way_once_all_others_have_set(game_id: str, vocabulary: str) -> None:
    for cards in ("known", "felt"):
        for asked in (1, 3, 6):
            others = [seat for seat in (1, 3, 6) if seat != asked]
            pit = three_players(game_id, vocabulary, cards)
            show = ShowPlayerWay(pit.round.id, asked)
            assert pit.refused(show) == ["hands-not-set"]
            pit.set(others[0])
            assert pit.refused(show) == ["hands-not-set"]
            assert pit.refused(show, "S1") == ["hands-not-set"]
            assert str(asked) not in pit.round.shown
            pit.set(others[1])
            answer = pit.show(asked)
            assert pit.round.sets[str(asked)].by == "house-way"
            if cards == "known":
                cards_of = pit.cards.seats[asked]
                wanted = shown_hand(house_way_hand(pit.table, cards_of))
                assert pit.round.shown[str(asked)] == wanted
                assert tuple(answer["hand"]["high"]) == wanted.high


def dealer_lies_open(table: object, played: object, dealt: object) -> dict[str, object]:
    """The dealer's house way is to be seen from the deal on."""
    return {**_face_up(table, played, dealt), "dealer": shown_hand(house_way_hand(table, dealt.dealer))}  # type: ignore[arg-type,attr-defined]


@on_displays("ii", off=(NOBODY_IS_WAITED_FOR, replaced(f"{HANDLED}.dealing._face_up", dealer_lies_open)))
def the_dealers_house_way_waits_for_every_players_hand(game_id: str, vocabulary: str) -> None:
    # Face Up Pai Gow lays the dealer's hand open before anybody sets: its own rule. The display waits there too.
    is_hidden = not game(game_id).dealer_cards_up
    for cards in ("known", "felt"):
        pit = three_players(game_id, vocabulary, cards)
        show = ShowDealerWay(pit.round.id)
        for seat in (1, 3):
            assert pit.refused(show) == ["hands-not-set"]
            assert pit.refused(show, "S1") == ["hands-not-set"]
            pit.set(seat)
        assert pit.refused(show) == ["hands-not-set"]
        assert not (is_hidden and "dealer" in pit.round.shown)
        # The last hand may be set by its player or the house way: both are set.
        pit.show(6)
        pit.do(show)
        assert pit.round.dealer_shown
        assert cards == "felt" or pit.round.shown["dealer"] == shown_hand(house_way_hand(pit.table, pit.cards.dealer))
    pit = three_players(game_id, vocabulary, "felt")
    for seat in (1, 3, 6):
        pit.do(SetHand(pit.round.id, seat, house_way=seat == 3))
    pit.show()


NO_TRACE = replaced(f"{HANDLED}.displays._display", lambda decision, of: Display("", "", None, 0))
SEEN_WITHOUT_THE_DISPLAY = ["table", "cards", "wagers", "tray", "shuffler"]


@on_displays("iii", off=(NO_TRACE, unchecked("registers.display_faults")))
def surveillance_sees_the_display_and_every_use_of_it(game_id: str, vocabulary: str) -> None:
    pit = three_players(game_id, vocabulary, "felt")
    pit.set(1, 3)
    pit.show(6)
    pit.show()
    seen = round_view(pit.engine.floor, pit.round).to_json()["displays"]
    assert [(use["of"], use["by"]) for use in seen] == [("6", "D1"), ("dealer", "D1")]
    assert [use["at"] for use in seen] == [pit.events[-2].at, pit.events[-1].at]
    # A table with the display stays closed until surveillance declares to see it.
    room = new_room()
    room.add_table("T1", game_id, vocabulary=vocabulary)
    room.put_papers_in_order()
    assert any(paper.fields.get("component") == "i-verify" for paper in room.floor.papers.values())
    (coverage,) = room.floor.papers_of("surveillance-coverage")
    room.do(SURVEILLANCE, RecordPaper("withdrawal", "W1", coverage.id, {"reason": "camera 4 is down"}, room.now))
    less = {"sees": SEEN_WITHOUT_THE_DISPLAY, "reference": "camera plan 4"}
    room.do(SURVEILLANCE, RecordPaper("surveillance-coverage", "coverage-1", "T1", less, room.now))
    opening = OpenTable("T1", 100_000, badge(SUPERVISOR))
    assert codes(room, EXECUTIVE, opening) == {"display-unseen"}
    whole = {"sees": [*SEEN_WITHOUT_THE_DISPLAY, "house-way-display"], "reference": "camera plan 5"}
    room.do(SURVEILLANCE, RecordPaper("surveillance-coverage", "coverage-2", "T1", whole, room.now))
    assert codes(room, EXECUTIVE, opening) == set()
