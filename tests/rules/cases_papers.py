"""Cases of the commission's letters and of notices: which papers a game needs before its table opens."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from houseway.errors import InputError
from houseway.games import game
from houseway.manager.commands.house_commands import AttachSensor, CreateTable, OpenTable, RecordPaper, SetFaceUp
from houseway.manager.commands.round_commands import StartRound
from houseway.manager.core.records import canonical, digest
from houseway.manager.handlers.notices import notices
from houseway.manager.handlers.papers_in_order import MAKER, papers_in_order
from houseway.manager.handlers.room_choices import rules_hash, rules_of
from tests.manager.floors import (
    DEALER,
    EXECUTIVE,
    OTHER_SUPERVISOR,
    SUPERVISOR,
    TECHNICIAN,
    Room,
    badge,
    enters,
    new_room,
)
from tests.rules.clause_sets import on_each
from tests.rules.harness import replaced, rule
from tests.rules.manager_switches import HANDLED, unchecked
from tests.rules.rooms import JACKPOT_TABLES, closed_table, codes, draw_up, enter, opening

POKER, FORTUNE, ALL = ("six-card-poker",), ("fortune", "commission-free-fortune"), tuple(JACKPOT_TABLES)
SEVEN_CARD = ("fortune", "commission-free-fortune", "face-up")
YEAR_2019 = 1_560_000_000_000_000
"""June 8, 2019, in microseconds."""

NO_APPROVAL_ASKED = unchecked("registers.approval_faults")


def approval(game_id: str, licence: str, **changes: Any) -> dict[str, Any]:
    """The fields of an approval of a game's rules as they are in force."""
    fields = {"submission": "3119", "edition": "2023-06-14", "hash": rules_hash(game_id), "licence": licence}
    return {**fields, **changes}


def hash_with(game_id: str, **changes: Any) -> str:
    """The hash of a game's rules if some of them were different."""
    return digest(canonical({**rules_of(game_id), **changes}))


# ---------------------------------------------------------------- approvals

AS_ENCLOSED = {
    "letters/2014/1": (POKER, ("commercial", "tribal")),
    "letters/2018/commercial.1": (FORTUNE, ("commercial",)),
    "letters/2018/tribal.1": (FORTUNE, ("tribal",)),
    "letters/2023/1": (ALL, ("commercial", "tribal")),
}


@on_each(
    AS_ENCLOSED,
    off=(NO_APPROVAL_ASKED, replaced(f"{HANDLED}.room_choices.rules_hash", lambda *_: "0" * 64)),
)
def a_game_opens_only_under_an_approval_of_its_very_rules(own: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
    games, licences = own
    for game_id in games:
        for licence in licences:
            other = "tribal" if licence == "commercial" else "commercial"
            room = closed_table(game_id, licence=licence, without=["game-approval"])
            assert opening(room) == {("no-approval", "game-approval")}
            # Neither the approval of another kind of property, nor of another game, nor of other rules will do.
            enter(room, "game-approval", game_id, approval(game_id, other))
            another = next(each for each in JACKPOT_TABLES if each != game_id)
            enter(room, "game-approval", another, approval(another, licence))
            assert opening(room) == {("no-approval", "game-approval")}
            enter(room, "game-approval", game_id, approval(game_id, licence, hash=rules_hash(another)))
            assert opening(room) == {("approval-differs", "game-approval")}
            enter(room, "game-approval", game_id, approval(game_id, licence))
            assert opening(room) == set()


CHANGES = {"letters/2014/changes.1": POKER, "letters/2018/changes.1": FORTUNE, "letters/2023/changes.1": ALL}


@on_each(CHANGES, off=NO_APPROVAL_ASKED)
def any_change_of_the_rules_ends_the_approval_until_it_is_approved(games: tuple[str, ...]) -> None:
    for game_id in games:
        rules = rules_of(game_id)
        table, way = next(iter(rules["paytables"])), next(iter(rules["ways"]), None)
        changes: list[dict[str, Any]] = [
            {"paytables": {**rules["paytables"], table: "0" * 64}},
            {"definition": replace(game(game_id), wagers=game(game_id).wagers[1:]).fingerprint},
            {"definition": replace(game(game_id), cards=5).fingerprint},
            {"clauses": dict(list(rules["clauses"].items())[1:])},
            {"ways": {**rules["ways"], way: "0" * 64}}
            if way
            else {"definition": replace(game(game_id), max_seats=game(game_id).max_seats - 1).fingerprint},
        ]
        for licence in ("commercial", "tribal"):
            room = closed_table(game_id, licence=licence, without=["game-approval"])
            for change in changes:
                # The approval on file is that of the rules before the change.
                enter(room, "game-approval", game_id, approval(game_id, licence, hash=hash_with(game_id, **change)))
                assert opening(room) == {("approval-differs", "game-approval")}
            enter(room, "game-approval", game_id, approval(game_id, licence, hash=hash_with(game_id)))
            assert opening(room) == set()


# ---------------------------------------------------------------- what else a property needs


def check_paper(game_id: str, licence: str, register: str, code: str, fields: dict[str, Any]) -> None:
    """A table opens only while a paper of the register holds: not before, not after, not once it is withdrawn."""
    room = closed_table(game_id, licence=licence, without=[register])
    assert opening(room) == {(code, register)}
    enter(room, register, game_id, fields, since=room.now + 1_000_000)
    assert opening(room) == {(code, register)}
    enter(room, register, game_id, fields, since=room.now - 10, until=room.now - 1)
    assert opening(room) == {(code, register)}
    enter(room, register, game_id, fields)
    assert opening(room) == set()
    # Another kind of property needs other papers.
    other = "tribal" if licence == "commercial" else "commercial"
    assert opening(closed_table(game_id, licence=other, without=[register])) == set()


INTERNAL_CONTROLS = {
    "letters/2014/commercial.1": POKER,
    "letters/2018/commercial.2": FORTUNE,
    "letters/2023/commercial.1": ALL,
}


@on_each(INTERNAL_CONTROLS, off=NO_APPROVAL_ASKED)
def a_commercial_room_starts_with_approved_internal_controls(games: tuple[str, ...]) -> None:
    fields = {"reference": "controls 12", "approved_on": "2023-07-01"}
    for game_id in games:
        check_paper(game_id, "commercial", "internal-controls", "no-internal-controls", fields)


AGENCY = {"letters/2014/tribal.1": POKER, "letters/2018/tribal.2": FORTUNE, "letters/2023/tribal.1": ALL}


@on_each(AGENCY, off=NO_APPROVAL_ASKED)
def a_tribal_operation_needs_its_agencys_approval(games: tuple[str, ...]) -> None:
    for game_id in games:
        fields = {"agency": "Example Gaming Agency", "reference": "approval 3"}
        check_paper(game_id, "tribal", "agency-approval", "no-tribal-paper", fields)


CONCURRENCE = {"letters/2014/tribal.2": POKER, "letters/2018/tribal.3": FORTUNE, "letters/2023/tribal.2": ALL}


@on_each(CONCURRENCE, off=NO_APPROVAL_ASKED)
def the_commission_concurs_before_a_tribal_game_opens(games: tuple[str, ...]) -> None:
    for game_id in games:
        check_paper(game_id, "tribal", "state-concurrence", "no-tribal-paper", {"reference": "concurrence 8"})


SUPPLEMENT = {"letters/2014/tribal.3": POKER, "letters/2018/tribal.4": FORTUNE, "letters/2023/tribal.3": ALL}


@on_each(SUPPLEMENT, off=NO_APPROVAL_ASKED)
def a_tribal_submission_holds_rules_and_supplemental_information(games: tuple[str, ...]) -> None:
    fields = {"reference": "supplement 2", "submitted_on": "2023-07-01"}
    for game_id in games:
        check_paper(game_id, "tribal", "supplemental-information", "no-tribal-paper", fields)
        room = closed_table(game_id, licence="tribal", without=["game-approval"])
        assert opening(room) == {("no-approval", "game-approval")}


# ---------------------------------------------------------------- makers

NO_MAKER_ASKED = unchecked("registers._maker_faults")
SOLD = ["layout", "equipment"]


def makers_refused(room: Room) -> int:
    """For how many missing papers of makers T1 may not open."""
    try:
        room.do(EXECUTIVE, OpenTable("T1", 100_000, badge(SUPERVISOR)))
    except InputError as error:
        return sum(fault.code == "maker-unlicensed" for fault in error.faults)
    return 0


def licensed(room: Room, issuer: str, document: str) -> None:
    """The maker of the equipment has this paper."""
    fields = {"number": "54-00001", "issuer": issuer, "document": document, "covers": SOLD}
    enter(room, "maker-licence", MAKER, fields)


MAKERS = {"letters/2014/commercial.2": POKER, "letters/2018/commercial.3": FORTUNE, "letters/2023/commercial.2": ALL}


@on_each(MAKERS, off=NO_MAKER_ASKED)
def a_maker_without_a_state_licence_keeps_the_table_closed(games: tuple[str, ...]) -> None:
    for game_id in games:
        assert makers_refused(closed_table(game_id, without=["maker-licence"])) == 1
        # A paper of the tribe, or a certificate, is not the state's licence.
        for issuer, document, missing in (
            ("tribe", "licence", 1),
            ("state", "certificate", 1),
            ("state", "licence", 0),
        ):
            room = closed_table(game_id, without=["maker-licence"])
            licensed(room, issuer, document)
            assert makers_refused(room) == missing
        # Nor is a licence for layouts one for equipment.
        room = closed_table(game_id, without=["maker-licence"])
        fields = {"number": "54-00001", "issuer": "state", "document": "licence", "covers": ["layout"]}
        enter(room, "maker-licence", MAKER, fields)
        assert makers_refused(room) == 1


TRIBAL_MAKERS = {"letters/2014/tribal.4": POKER, "letters/2018/tribal.5": FORTUNE, "letters/2023/tribal.4": ALL}


@on_each(TRIBAL_MAKERS, off=NO_MAKER_ASKED)
def a_tribal_propertys_maker_has_certificate_and_licence(games: tuple[str, ...]) -> None:
    for game_id in games:
        for held, missing in (
            ((), 2),
            ((("state", "certificate"),), 1),
            ((("tribe", "licence"),), 1),
            ((("state", "licence"),), 2),
            ((("state", "certificate"), ("tribe", "licence")), 0),
        ):
            room = closed_table(game_id, licence="tribal", without=["maker-licence"])
            for issuer, document in held:
                licensed(room, issuer, document)
            assert makers_refused(room) == missing


# ---------------------------------------------------------------- the first generation of controls


@rule("letters/2018/2", off=(unchecked("table_setup.vocabulary_faults"), unchecked("link_rules.vocabulary_faults")))
def the_seven_card_fortune_games_are_not_played_with_aquarius() -> None:
    room = new_room()
    for game_id in FORTUNE:
        for vocabulary, refused in (("aquarius", {"vocabulary-withdrawn"}), ("nexus", set()), ("nexus-2", set())):
            made = CreateTable(f"{game_id}-{vocabulary}", game_id, vocabulary)
            assert codes(room, TECHNICIAN, made) == refused
    # Other games keep it, but not on the Fortune jackpots.
    for game_id in ("six-card-fortune", "six-card-poker", "face-up"):
        assert codes(room, TECHNICIAN, CreateTable(game_id, game_id, "aquarius")) == set()
    draw_up(room, "L1", "FPGPP-WA01")
    assert codes(room, TECHNICIAN, AttachSensor("face-up", "1", "L1")) == {"vocabulary-withdrawn"}


# ---------------------------------------------------------------- notices

NO_NOTICE_ASKED = unchecked("registers.notice_faults")


def notice(kind: str, shows: dict[str, Any]) -> dict[str, Any]:
    """The fields of a posted notice."""
    return {"notice": kind, "text": "as posted", "shows": shows}


FOUR_GAMES = {
    "fpgp/general/3": FORTUNE,
    "cffpgp/general/3": ("commission-free-fortune",),
    "fpgpp/general/3": SEVEN_CARD,
    "pgd/general/2": ("fortune",),
}


@on_each(FOUR_GAMES, off=NO_NOTICE_ASKED)
def a_placard_tells_of_the_four_games_while_they_are_the_limit(games: tuple[str, ...]) -> None:
    for game_id in games:
        room = closed_table(game_id, at=YEAR_2019, without=["separate-games"])
        assert opening(room) == {("notice-missing", "notices.separate-games")}
        enter(room, "notice", "T1", notice("separate-games", {"games": 5}))
        assert opening(room) == {("notice-outdated", "notices.separate-games")}
        enter(room, "notice", "T1", notice("separate-games", {"games": 4}))
        assert opening(room) == set()
        # The sheet of 2023 has dropped the number: since then no such notice is needed.
        assert opening(closed_table(game_id, without=["separate-games"])) == set()


WAGERS = {
    "fortune": ({"main": 1000, "fortune": 500, "paigowd": 500}, {"fortune": "FPGP-1", "paigowd": "PGD-01"}),
    "commission-free-fortune": ({"main": 1000, "fortune": 500, "tiger9": 500}, {"fortune": "FPGP-2"}),
}
"""Three games that a player may bet on, and their pay tables."""


@on_each({**FOUR_GAMES, "fpgpj/jackpots/2": FORTUNE}, off=unchecked("settlement._game_faults"))
def start_game_takes_four_games_of_a_player_and_each_sensor_is_one(games: tuple[str, ...]) -> None:
    for game_id in (each for each in games if each in WAGERS):
        wagers, paytables = WAGERS[game_id]
        room = closed_table(game_id, at=YEAR_2019, paytables=paytables)
        for sensor, table_id in (("1", "FPGPP-WA01"), ("2", "FPGPP-WA03")):
            draw_up(room, f"L{sensor}", table_id)
            room.attach("T1", sensor, f"L{sensor}")
        room.open_table("T1")
        five = StartRound("T1", {"1": [2], "2": [2]}, {"2": wagers})
        assert codes(room, DEALER, five) == {"too-many-games"}
        other = {game(game_id).first_wager.name: 1000}
        assert codes(room, DEALER, StartRound("T1", {"1": [2], "2": [3]}, {"2": wagers, "3": other})) == set()


CAPS = {"fpgp/rules/6.a.i": ("fortune",), "cffpgp/rules/3.a": ("commission-free-fortune",)}


@on_each(CAPS, off=NO_NOTICE_ASKED)
def a_sign_explains_an_aggregate_limit(games: tuple[str, ...]) -> None:
    for game_id in games:
        for per in ("hand", "round"):
            # $1,000,000 is above the highest wager at 50 to 1: the state lets a room set it.
            settings = {"aggregate_limit": {"per": per, "cents": 100_000_000}}
            rest = {"without": ["aggregate-limit"], "settings": settings}
            room = closed_table(game_id, paytables={"fortune": "FPGP-1"}, **rest)
            assert opening(room) == {("notice-missing", "notices.aggregate-limit")}
            enter(room, "notice", "T1", notice("aggregate-limit", {"per": per, "cents": 1}))
            assert opening(room) == {("notice-outdated", "notices.aggregate-limit")}
            enter(room, "notice", "T1", notice("aggregate-limit", {"per": per, "cents": 100_000_000}))
            assert opening(room) == set()
        assert opening(closed_table(game_id, without=["aggregate-limit"])) == set()


@rule("fpgpj/jackpots/6", off=NO_NOTICE_ASKED)
def prizes_notices_and_disclosures_of_a_house_jackpot_stand_at_the_table() -> None:
    kinds = ("jackpot", "house-funded", "may-be-withdrawn")
    for game_id in SEVEN_CARD:
        table_id = JACKPOT_TABLES[game_id]
        room = closed_table(game_id)
        link = draw_up(room, "H1", table_id, "house")
        room.do(TECHNICIAN, AttachSensor("T1", "1", "H1"))
        for command in papers_in_order(room.floor, room.table(), room.now):
            if command.register != "notice":
                room.do(enters(command), command)
        assert opening(room) == {("notice-missing", f"notices.{kind}") for kind in kinds}
        (due,) = (each.shows["sensors"]["1"] for each in notices(room.floor, room.table()) if each.kind == "jackpot")
        shown = {**due, "prizes": dict.fromkeys(link.prizes, 499_999)}
        enter(room, "notice", "T1", notice("jackpot", {"sensors": {"1": shown}}))
        for kind in kinds[1:]:
            enter(room, "notice", "T1", notice(kind, {}))
        assert opening(room) == {("notice-outdated", "notices.jackpot")}
        right = {**shown, "prizes": dict.fromkeys(link.prizes, 500_000)}
        enter(room, "notice", "T1", notice("jackpot", {"sensors": {"1": right}}))
        assert opening(room) == set()


# ---------------------------------------------------------------- permission to deal face up


@rule(
    "letters/2020/5",
    off=(unchecked("papers._paper_faults"), replaced(f"{HANDLED}.face_up._controls_held", lambda *_: True)),
)
def a_permission_to_deal_face_up_names_its_approved_internal_controls() -> None:
    room = closed_table("fortune")
    letter = {"reference": "letter", "issued": "2020-07-07", "games": ["Fortune Pai Gow Poker"]}
    for fields, refused in (
        (letter, {"missing-key"}),
        ({**letter, "internal_controls": " "}, {"bad-value"}),
        ({**letter, "internal_controls": "approved 2020-08-01, number 4"}, set()),
    ):
        paper = RecordPaper("face-up-permission", "permission", "fortune", fields, room.now)
        assert codes(room, EXECUTIVE, paper) == refused
    # They are on file as approved, for this game or all of them, or the cards are dealt face down.
    up = SetFaceUp("T1", True, badge(OTHER_SUPERVISOR))
    assert codes(room, SUPERVISOR, up) == {"no-internal-controls"}
    approved = {"reference": "approved 2020-08-01, number 4", "approved_on": "2020-08-01"}
    enter(room, "internal-controls", "fortune", approved)
    assert codes(room, SUPERVISOR, up) == set()
