"""Outside the definitions no module names a game, a wager of one game, or the hands of a rule: it derives them.

Looked for are texts in the code that are a game's id, a wager's name, its line of envy, its usual pay table or the
hands of a rule; longer texts that hold an id, a name or a title of several words, or a pay table's id; and names in the
code itself (of variables, arguments, functions, classes, modules) that hold one. Docstrings may give examples.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from houseway.definitions import ENVY_SUFFIX, Game, games
from houseway.paytables import paytables

SOURCE = Path(__file__).parents[2] / "src" / "houseway"
DEFINITIONS = "definitions/"

KIND_OF_WAGER = "a kind of wager, a word of every definition"
KIND_OF_JACKPOT = "a kind of jackpot, beside a house jackpot"
LEVEL = "the level of a pay table's meter"
DECISION = "what a player decides, beside a fold"
DEMO = "the plan of the demo floor: its games, wagers and meters"
EXAMPLE = "an example that is shown to people"
RAISE = "the command hand.double and the setting double_down_until: their names, not what people are shown"
COUNTED = "the package that counts the game in which a player folds or plays; it refuses a definition of another kind"
TWO_HANDS = "what counts the wager on the lesser of two hands"

EXCEPTIONS: dict[str, dict[str, str]] = {
    "": {"six_card_poker": COUNTED},
    "api/odds.py": {"progressive": "a key of the answer: the plan of a jackpot"},
    "cards/modes.py": {"six-card-poker": "a mode of the shuffler, as a definition names it"},
    "cli/__init__.py": {"main": "a function"},
    "cli/command_examples.py": dict.fromkeys(("main", "six-card-fortune", "6cfpgpp-2", "6cfpgp-1"), EXAMPLE),
    "cli/demo.py": {"main": KIND_OF_WAGER},
    "cli/demo_floor.py": {"main": DEMO},
    "cli/hand_commands.py": {"six card poker": EXAMPLE},
    "cli/room_setup.py": {"progressive": KIND_OF_JACKPOT},
    "cli/tour.py": dict.fromkeys(("fortune", "fpgp-3", "six-card-fortune", "double_down"), EXAMPLE),
    "games/contest.py": {"main": KIND_OF_WAGER},
    "games/examples.py": dict.fromkeys(("fortune", "main", "fpgp-3"), EXAMPLE),
    "games/table_settings.py": {"progressive": KIND_OF_JACKPOT},
    "manager/": {"progressive": KIND_OF_JACKPOT, "double_down": RAISE},
    "manager/demo/play.py": dict.fromkeys(
        ("commission-free-fortune", "face-up", "fortune", "main", "six-card-fortune", "fpgpp-wa01", "6cfpgpp-2"), DEMO
    ),
    "manager/handlers/face_up.py": {"fortune pai gow poker": "the games that a letter names, in the letter's words"},
    "manager/http/type_examples.py": dict.fromkeys(("fortune", "main", "fpgpp-wa01"), EXAMPLE),
    "odds/conformance/conformance_report.py": {"six card poker": "a note on which sheets the documents hold"},
    "odds/pai_gow/split_games.py": {"less than a pair": "what the kernels count; another look is refused by name"},
    "odds/simulation/job.py": {"main": f"{KIND_OF_WAGER}; {LEVEL}"},
    "odds/simulation/together.py": {"main": KIND_OF_WAGER},
    "odds/six_card_poker/": {"play": DECISION, "six-card-poker": "the names of shipped results", "bad_beat": TWO_HANDS},
    "odds/six_card_poker/strategy.py": {"ace-high": "the name of a rule of the written strategy"},
    "odds/wagers.py": {"bad_beat": TWO_HANDS},
    "paytables/loader.py": {"fpgp-1": EXAMPLE},
}
"""By file or folder (all of them: ""): the words that may stand there, and why."""
ORDINARY = {"face-up", "face_up"}
"""Words of a game that are words for any: hands are dealt face up. As a whole text one still names the game."""


def words_of(game: Game) -> set[str]:
    """Texts that belong to one game: if code is one of them, it knows the game."""
    contest, words = game.contest, {game.id}
    for wager in game.wagers:
        words |= {wager.name, f"{wager.name}{ENVY_SUFFIX}"}
        words |= {word for word in (wager.table_wager, wager.default_table) if word}
        if wager.look is not None and wager.look.hands is not None:
            words.add(wager.look.hands.text)
    words |= {rule.hands.text for rule in (contest.dealer_push, contest.qualifier) if rule is not None}
    return words


def titles_of(game: Game) -> set[str]:
    """Titles that a message should take from the definition."""
    wagers = {wager.title for wager in game.wagers if wager.kind in ("bonus", "raise")}
    return {game.title} | {title for title in wagers if " " in title}


def parts_of(game: Game) -> set[str]:
    """Words that name the game inside a longer text too: those that are more than one ordinary word."""
    found = {game.id, *(wager.name for wager in game.wagers), *game.machine_names, *map(str.lower, titles_of(game))}
    return {word for word in found if re.search(r"[^A-Za-z]", word)} - ORDINARY


def holding(words: set[str]) -> re.Pattern[str]:
    """What finds any of these words in a longer text, each between other letters than its own."""
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return re.compile(rf"(?<![a-z0-9])(?:{'|'.join(map(re.escape, longest_first))})(?![a-z0-9])", re.IGNORECASE)


def snake(word: str) -> str:
    """A name in code in one form: `DoubleDown` and `DOUBLE_DOWN` are `double_down`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", word).lower()


@cache
def texts_in(path: Path) -> tuple[tuple[int, str], ...]:
    """The texts in the code of a module with their lines, docstrings left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    told = {
        statement.value
        for node in ast.walk(tree)
        if isinstance(body := getattr(node, "body", None), list)
        for statement in body
        if isinstance(statement, ast.Expr)
    }
    return tuple(
        (node.lineno, node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in told
    )


@cache
def identifiers_in(path: Path) -> tuple[tuple[int, str], ...]:
    """The names in the code of a module with their lines, each once a line."""
    found: dict[tuple[int, str], None] = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        for field in ("id", "attr", "name", "arg", "module"):
            word = getattr(node, field, None)
            if isinstance(word, str):
                found |= {(getattr(node, "lineno", 0), snake(part)): None for part in word.split(".")}
    return tuple(found)


def found_names(source: Path = SOURCE) -> Iterator[tuple[str, int, str]]:
    """Every place outside the definitions that names something of one game: file, line and word."""
    words = {word for game in games() for word in words_of(game)}
    tables = {table.id for table in paytables()}
    in_texts = holding({part for game in games() for part in parts_of(game)} | tables)
    in_names = holding({re.sub("[^a-z0-9]+", "_", part.lower()) for game in games() for part in parts_of(game)})
    # A table's id is written without its hyphens in a name.
    of_tables = {re.sub("[^a-z0-9]+", "", table.lower()) for table in tables}
    for path in sorted(source.rglob("*.py")):
        file = path.relative_to(source).as_posix()
        if file.startswith(DEFINITIONS):
            continue
        for line, text in texts_in(path):
            if text in words:
                yield file, line, text
            else:
                yield from ((file, line, found.lower()) for found in in_texts.findall(text))
        for line, name in identifiers_in(path):
            yield from ((file, line, found) for found in in_names.findall(name))
            yield from ((file, line, part) for part in name.split("_") if part in of_tables)


def exceptions_for(file: str) -> dict[str, str]:
    """What may stand in a file, by its own name and those of its folders."""
    return {
        word: place
        for place, words in EXCEPTIONS.items()
        if file == place or ((place.endswith("/") or not place) and file.startswith(place))
        for word in words
    }


def test_no_module_outside_the_definitions_names_a_game_a_wager_or_the_hands_of_a_rule() -> None:
    wrong = [f"{file}:{line}: {word}" for file, line, word in found_names() if word not in exceptions_for(file)]
    assert not wrong


def test_every_exception_is_needed() -> None:
    used = {(exceptions_for(file).get(word), word) for file, _, word in found_names()}
    assert {(place, word) for place, words in EXCEPTIONS.items() for word in words} <= used


def test_a_name_in_code_is_found_and_one_in_a_docstring_is_not(tmp_path: Path) -> None:
    (tmp_path / "odds").mkdir()
    code = (
        '"""Of fortune."""\nWAGER = "tiger9"\nHANDS = "nine-high"\nprint(f"Bad Beat looks at {WAGER}")\n'
        'HELP = "3 in six-card-poker, main+double_down, FPGP-3"\nsays = "no double down, set it to Rabbit Hunter"\n'
        "def sixcpp01_envy() -> None: ...\nclass DoubleDown: ...\nopened.aces_up(face_up=True)\n"
    )
    (tmp_path / "odds" / "new.py").write_text(code)
    (tmp_path / "definitions").mkdir()
    (tmp_path / "definitions" / "registry.py").write_text('SHIPPED = ("fortune",)\n')
    assert sorted((line, word) for file, line, word in found_names(tmp_path) if file == "odds/new.py") == [
        (2, "tiger9"),
        (3, "nine-high"),
        (4, "bad beat"),
        (5, "double_down"),
        (5, "fpgp-3"),
        (5, "six-card-poker"),
        (6, "double down"),
        (6, "rabbit hunter"),
        (7, "sixcpp01"),
        (8, "double_down"),
        (9, "aces_up"),
    ]
    assert {file for file, _, _ in found_names(tmp_path)} == {"odds/new.py"}
