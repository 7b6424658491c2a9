"""The shipped ways, a room's own file, and the faults of a broken one with file, line and reason."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from houseway.cards import card_texts, parse_cards
from houseway.errors import InputError
from houseway.houseways import SHIPPED, house_way, house_ways, load_house_way
from houseway.houseways.facts import FACTS
from houseway.houseways.rules import KEEPS, PLACES
from tests.houseways.room_files import ROOM

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def _write(text: str, name: str = "room.toml") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return _write


def faults_of(path: Path | str) -> list[tuple[str, str, str]]:
    with pytest.raises(InputError) as refused:
        load_house_way(path)
    return [(fault.code, fault.path, fault.message) for fault in refused.value.faults]


def test_shipped_ways() -> None:
    assert [way.id for way in house_ways()] == list(SHIPPED)
    assert [way.cards for way in house_ways()] == [6, 7, 7, 7, 7]
    assert all(way.source and way.title for way in house_ways())
    assert house_way("foxwoods") is house_way("foxwoods")


def test_unknown_way_names_the_known_ones() -> None:
    with pytest.raises(InputError, match="six-card, foxwoods, trump-plaza, sixes-together, casino-real") as refused:
        house_way("borgata")
    assert refused.value.faults[0].code == "unknown-way"


def test_an_extending_preset_keeps_the_questions_and_their_order() -> None:
    base = [question.id for question in house_way("foxwoods").questions]
    assert base == [
        "five-aces", "quads", "two-trips", "full-house", "three-pair", "two-pair", "trips", "pair", "no-pair",
    ]  # fmt: skip
    for way_id in ("trump-plaza", "sixes-together", "casino-real"):
        assert [question.id for question in house_way(way_id).questions] == base


def test_fingerprints_differ_by_what_decides_a_setting(write: Write) -> None:
    prints = {way.fingerprint for way in house_ways()}
    assert len(prints) == len(SHIPPED)
    assert all(len(text) == 64 for text in prints)
    room = load_house_way(write(ROOM)).fingerprint
    assert load_house_way(write(ROOM.replace("Aces stay in back.", "House rule."))).fingerprint == room
    assert load_house_way(write(ROOM.replace('top-set = "A"', 'top-set = "K"'))).fingerprint != room


def test_a_rooms_file_replaces_a_question(write: Write) -> None:
    way = load_house_way(write(ROOM))
    aces = parse_cards("As Ad 8h 8c 3d 3s Kh")
    assert card_texts(way.split(aces).low) == ["8h", "8c"]
    assert way.set(aces).why == "Aces stay in back."
    kings = parse_cards("Qs Qd 8h 8c 3d 3s Kh")
    assert way.split(kings).low == house_way("foxwoods").split(kings).low


def test_a_rooms_file_adds_a_question_before_another(write: Write) -> None:
    added = ROOM.replace('id = "three-pair"\nasks', 'id = "ace-pairs"\nbefore = "three-pair"\nasks').replace(
        'when = { shape = "three-pair" }', 'when = { shape = "three-pair", top-set = "A" }'
    )
    added = added[: added.index('[[question.rule]]\nid = "three-pair"')]
    way = load_house_way(write(added))
    assert [question.id for question in way.questions][3:6] == ["full-house", "ace-pairs", "three-pair"]


def test_a_file_extends_another_file(write: Write) -> None:
    write(ROOM)
    text = 'id = "annex"\ntitle = "Annex"\nextends = "room.toml"\n'
    assert load_house_way(write(text, "annex.toml")).rules == load_house_way(write(ROOM)).rules


def test_files_that_extend_each_other_are_refused(write: Write) -> None:
    write('id = "b"\ntitle = "B"\nextends = "a.toml"\n', "b.toml")
    [(code, path, message)] = faults_of(write('id = "a"\ntitle = "A"\nextends = "b.toml"\n', "a.toml"))
    assert (code, path) == ("way-extends", "b.toml:3")
    assert message == "these files extend each other in a circle: a.toml -> b.toml -> a.toml"


@pytest.mark.parametrize("name", ["foxwods", "../room.toml", "/etc/passwd", "room.txt"])
def test_what_cannot_be_extended(write: Write, name: str) -> None:
    [(code, path, message)] = faults_of(write(ROOM.replace('"foxwoods"', f'"{name}"')))
    assert (code, path) == ("way-extends", "room.toml:3")
    assert "foxwoods" in message
    assert "same folder" in message


def test_a_missing_parent_file_is_named(write: Write) -> None:
    [(code, path, _)] = faults_of(write(ROOM.replace('"foxwoods"', '"gone.toml"')))
    assert (code, path) == ("way-file", "gone.toml")


@pytest.mark.parametrize(
    ("old", "new", "code", "line", "said"),
    [
        ('title = "Corner room"', 'title = "Corner room', "way-syntax", 2, "not TOML"),
        ('title = "Corner room"', 'titel = "Corner room"', "way-key", 2, "did you mean title?"),
        ('title = "Corner room"', "title = 7", "way-value", 2, "expected text, found"),
        ('id = "corner-room"', 'id = "Corner Room"', "way-value", 1, "small letters"),
        ('id = "corner-room"', 'id = "foxwoods"', "way-value", 1, "shipped way"),
        ('extends = "foxwoods"', "cards = 7", "way-value", 0, ""),
        ('extends = "foxwoods"', 'extends = "foxwoods"\ncards = 6', "way-extends", 4, "cannot extend"),
        ('extends = "foxwoods"', 'extends = "foxwoods"\ncards = "7"', "way-value", 4, "cards = 6"),
        ('when = { top-set = "A" }', 'when = { top-sett = "A" }', "way-feature", 13, "did you mean top-set?"),
        ('when = { top-set = "A" }', 'when = { top-set = "1" }', "way-value", 13, "not a rank"),
        ('when = { top-set = "A" }', 'when = { top-set = "K-J" }', "way-value", 13, "runs downwards"),
        ('when = { top-set = "A" }', "when = { top-set = 7 }", "way-value", 13, "takes texts"),
        ('when = { top-set = "A" }', "when = { top-set = [] }", "way-value", 13, "no value at all"),
        ('when = { top-set = "A" }', 'when = { complete = "yes" }', "way-value", 13, "true or false"),
        ('when = { top-set = "A" }', 'when = { shape = "trio" }', "way-value", 13, "not a value of shape"),
        ('when = { top-set = "A" }', 'when = "top-set A"', "way-value", 13, "expected a table, found text"),
        (
            '["second-set", "second-set"]',
            '["second-pair", "second-set"]',
            "way-action",
            14,
            "'second-pair' is not known: did you mean second-",
        ),
        ('["second-set", "second-set"]', '["second-set"]', "way-action", 14, "2 of the 7 cards, not 1"),
        ('["second-set", "second-set"]', '"lowest"', "way-action", 14, "which cards go in front"),
        (
            '["second-set", "second-set"]',
            '"highest"\nkeep = "pair"',
            "way-action",
            15,
            "'pair' is not known: choose one of",
        ),
        ("otherwise = true", 'otherwise = "yes"', "way-value", 19, "true or false"),
        ("otherwise = true", "otherwise = true\nwhen = { complete = true }", "way-value", 19, "not both"),
        ('when = { top-set = "A" }', "otherwise = true", "way-value", 5, "only one rule"),
        ('asks = "Three pair"', 'ask = "Three pair"', "way-key", 7, "did you mean asks?"),
        ('id = "three-pair"\nasks', 'id = "triple-pair"\nasks', "way-extends", 5, "before which"),
        ('id = "three-pair"\nasks', 'id = "x"\nbefore = "y"\nasks', "way-extends", 7, "before which"),
        ('id = "three-pair-aces"', 'id = "three-pair"', "way-value", 17, "two rules have the id 'three-pair'"),
        ('id = "three-pair-aces"', 'id = "no-pair"', "way-value", 11, "two rules have the id 'no-pair'"),
    ],
)
def test_a_slip_is_found_at_its_line(write: Write, old: str, new: str, code: str, line: int, said: str) -> None:
    assert ROOM.count(old) >= 1
    text = ROOM.replace(old, new, 1)
    if not line:
        assert load_house_way(write(text)).cards == 7
        return
    assert any(
        found_code == code and path == f"room.toml:{line}" and said in message
        for found_code, path, message in faults_of(write(text))
    ), faults_of(write(text))


def test_all_faults_are_told_at_once(write: Write) -> None:
    text = (
        ROOM.replace('title = "Corner room"', "title = 7").replace('"A"', '"1"').replace("otherwise = true", "keep = 1")
    )
    assert [(code, path) for code, path, _ in faults_of(write(text))] == [
        ("way-value", "room.toml:2"),
        ("way-value", "room.toml:13"),
        ("way-value", "room.toml:19"),
    ]


def test_faults_below_a_table_header_have_their_line(write: Write) -> None:
    text = ROOM.replace(
        'when = { top-set = "A" }\nfront = ["second-set", "second-set"]',
        'front = ["second-set", "second-set"]\n[question.rule.when]\ntop-set = "1"',
    )
    assert [(code, path) for code, path, _ in faults_of(write(text))] == [("way-value", "room.toml:15")]


def test_before_needs_a_way_to_extend(write: Write) -> None:
    text = ROOM.replace('extends = "foxwoods"', "cards = 7").replace("asks =", 'before = "pair"\nasks =')
    assert [(code, path) for code, path, _ in faults_of(write(text))] == [("way-value", "room.toml:7")]


def test_a_question_that_stands_twice_is_refused(write: Write) -> None:
    question = ROOM[ROOM.index("[[question]]") :]
    faults = faults_of(write(ROOM + question))
    assert ("way-value", "room.toml:22") in [(code, path) for code, path, _ in faults]


def test_a_long_row_of_files_is_refused(write: Write) -> None:
    for number in range(12):
        write(f'id = "n{number}"\ntitle = "N"\nextends = "n{number + 1}.toml"\n', f"n{number}.toml")
    path = write('id = "n0"\ntitle = "N"\nextends = "n1.toml"\n', "n0.toml")
    assert [(code, where) for code, where, _ in faults_of(path)] == [("way-extends", "n9.toml:3")]


def test_own_slips_are_told_beside_those_of_the_extended_file(write: Write) -> None:
    write(ROOM.replace('"A"', '"1"'), "base.toml")
    text = ROOM.replace('"foxwoods"', '"base.toml"').replace('"A"', '"2-"').replace("asks =", 'before = "pair"\nasks =')
    assert [(code, where) for code, where, _ in faults_of(write(text))] == [
        ("way-value", "base.toml:13"),
        ("way-value", "room.toml:14"),
    ]


def test_files_that_are_no_way_at_all(write: Write, tmp_path: Path) -> None:
    assert [code for code, _, _ in faults_of(tmp_path / "gone.toml")] == ["way-file"]
    assert [code for code, _, _ in faults_of(tmp_path)] == ["way-file"]
    assert {code for code, _, _ in faults_of(write(""))} == {"way-value"}
    assert [code for code, _, _ in faults_of(write("x = " + "[" * 5000))] == ["way-syntax"]
    path = tmp_path / "latin.toml"
    path.write_bytes(b'id = "caf\xe9"')
    assert [code for code, _, _ in faults_of(path)] == ["way-file"]
    path.write_bytes(b"#" * 1_000_001)
    assert [code for code, _, _ in faults_of(path)] == ["way-file"]
    assert [code for code, _, _ in faults_of("a\0b.toml")] == ["way-file"]


def test_a_way_without_questions_is_refused(write: Write) -> None:
    [(code, _, message)] = faults_of(write('id = "empty"\ntitle = "Empty"\ncards = 7\n'))
    assert code == "way-value"
    assert "[[question]]" in message


def test_the_guide_names_every_fact_place_and_hand_that_can_be_kept(request: pytest.FixtureRequest) -> None:
    guide = (request.config.rootpath / "docs" / "guides" / "add-a-house-way.md").read_text(encoding="utf-8")
    for name in (*(fact.name for fact in FACTS), *PLACES, *KEEPS):
        assert f"`{name}`" in guide
