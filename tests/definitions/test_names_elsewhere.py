"""Outside the definitions no module names a game, a wager of one game, or the hands of a rule: it derives them.

Looked for are texts in the code that are a game's id, a wager's name, its line of envy, its usual pay table or the
hands of a rule, and longer texts that hold the title of a game or a bonus wager. Docstrings may give examples.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from houseway.definitions import ENVY_SUFFIX, Game, games

SOURCE = Path(__file__).parents[2] / "src" / "houseway"
DEFINITIONS = "definitions/"

KIND_OF_WAGER = "a kind of wager, a word of every definition"
KIND_OF_JACKPOT = "a kind of jackpot, beside a house jackpot"
LEVEL = "the level of a pay table's meter"
DECISION = "what a player decides, beside a fold"
DEMO = "the plan of the demo floor: its games, wagers and meters"
EXAMPLE = "an example that is shown to people"

EXCEPTIONS: dict[str, dict[str, str]] = {
    "api/odds.py": {"progressive": "a key of the answer: the plan of a jackpot"},
    "cards/modes.py": {
        "six-card-poker": "a mode of the shuffler, as a definition names it",
        "Six Card Poker": "what a shuffler's display calls a mode",
    },
    "cli/__init__.py": {"main": "a function"},
    "cli/command_examples.py": {"main": EXAMPLE, "six-card-fortune": EXAMPLE},
    "cli/demo.py": {"main": KIND_OF_WAGER},
    "cli/demo_floor.py": {"main": DEMO},
    "cli/hand_commands.py": {"Six Card Poker": EXAMPLE},
    "cli/room_setup.py": {"progressive": KIND_OF_JACKPOT},
    "cli/tour.py": {"fortune": EXAMPLE},
    "games/contest.py": {"main": KIND_OF_WAGER},
    "games/examples.py": {"fortune": EXAMPLE, "main": EXAMPLE},
    "games/table_settings.py": {"progressive": KIND_OF_JACKPOT},
    "manager/": {"progressive": KIND_OF_JACKPOT},
    "manager/demo/play.py": {
        "commission-free-fortune": DEMO,
        "face-up": DEMO,
        "fortune": DEMO,
        "main": DEMO,
        "six-card-fortune": DEMO,
    },
    "manager/handlers/face_up.py": {"Fortune Pai Gow Poker": "the games that a letter names, in the letter's words"},
    "manager/http/type_examples.py": {"fortune": EXAMPLE, "main": EXAMPLE},
    "odds/conformance/conformance_report.py": {"Six Card Poker": "a note on which sheets the documents hold"},
    "odds/pai_gow/split_games.py": {"less than a pair": "what the kernels count; another look is refused by name"},
    "odds/simulation/job.py": {"main": f"{KIND_OF_WAGER}; {LEVEL}"},
    "odds/simulation/together.py": {"main": KIND_OF_WAGER},
    "odds/six_card_poker/": {"play": DECISION},
    "odds/six_card_poker/strategy.py": {"ace-high": "the name of a rule of the written strategy"},
}
"""By file or folder: the words that may stand there, and why."""


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
    wagers = {wager.title for wager in game.wagers if wager.kind == "bonus"}
    return {game.title} | {title for title in wagers if " " in title}


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


def found_names(source: Path = SOURCE) -> Iterator[tuple[str, int, str]]:
    """Every place outside the definitions that names something of one game: file, line and word."""
    words = {word for game in games() for word in words_of(game)}
    titles = {title for game in games() for title in titles_of(game)}
    for path in sorted(source.rglob("*.py")):
        file = path.relative_to(source).as_posix()
        if file.startswith(DEFINITIONS):
            continue
        for line, text in texts_in(path):
            if text in words:
                yield file, line, text
            yield from ((file, line, title) for title in titles if title in text)


def exceptions_for(file: str) -> dict[str, str]:
    """What may stand in a file, by its own name and those of its folders."""
    return {
        word: place
        for place, words in EXCEPTIONS.items()
        if file == place or (place.endswith("/") and file.startswith(place))
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
    code = '"""Of fortune."""\nWAGER = "tiger9"\nHANDS = "nine-high"\nprint(f"Bad Beat looks at {WAGER}")\n'
    (tmp_path / "odds" / "new.py").write_text(code)
    (tmp_path / "definitions").mkdir()
    (tmp_path / "definitions" / "registry.py").write_text('SHIPPED = ("fortune",)\n')
    assert list(found_names(tmp_path)) == [
        ("odds/new.py", 2, "tiger9"),
        ("odds/new.py", 3, "nine-high"),
        ("odds/new.py", 4, "Bad Beat"),
    ]
