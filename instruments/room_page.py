"""docs/reference/room.md: the commands of a room for people, written from the command line's own functions."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any, Final, get_args

from cyclopts import App, Parameter

from houseway.cli.room_commands import GROUPS, group

HEAD: Final = """# Commands of a room

What people type to run a room: `houseway GROUP COMMAND`. Each is made from the class of its command ([all
commands](commands.md)), and this page from what `--help` prints (`scripts/write-room-page`); a test holds them equal.
[Set up a room](../guides/set-up-a-room.md) has the commands of an ordinary day.

- **Amounts** are dollars, as in `10,000` or `12.50`. **Times** are those of the place, as in `2026-01-31T18:30`; a
  date is its first moment, and after `--until` its last.
- **Lists** have commas. An **object** is given entry by entry, `--opening main:seed=10,000` or `--setting
  commission_percent=5`.
- **Badges** are never typed on the line: the terminal shows what is about to be sent and asks for the badge, saying
  whose; programs set `HOUSEWAY_BADGE` and `HOUSEWAY_SECOND_BADGE` for one command.
- **PINs**, where a setting of the property asks for them, are typed at the terminal without being shown, and come from
  nowhere else.
- **Who acts** is whoever has signed in at this desk from this account (`houseway staff sign-in`), or `--actor ID`.
  `--sign-in FILE` signs somebody in for one command; `?` asks for the badge.
- **Where** commands go is kept by [`houseway desk`](cli.md#desk); `--manager HOST:PORT --device ID --secret-file FILE
  [--tls-ca FILE]` or `--database DATABASE --keys FOLDER` name another place.
- **`--yes`** sends without asking where no badge is asked for; **`--json`** prints `seq`, `at`, `hash`, `answer` and
  `repeated` of the event.
- Whatever is missing or wrong is told at once, and then nothing was sent.

"""
_FOR_ALL: Final = frozenset({"actor", "sign_in_with", "yes", "where", "as_json"})


def page() -> str:
    """The whole page."""
    return HEAD + "\n".join(_group(name) for name in GROUPS)


def _group(name: str) -> str:
    return f"## {name}\n\n{GROUPS[name]}\n\n" + "\n".join(_commands(group(name), (name,)))


def _commands(app: App, words: tuple[str, ...]) -> Iterator[str]:
    """Every command of a group, those of groups below it too."""
    for verb in sorted(each for each in app if not each.startswith("-")):
        below = app[verb]
        if below.default_command is None:
            yield from _commands(below, (*words, verb))
        else:
            yield _command(below.default_command, (*words, verb))


def _command(function: Any, words: tuple[str, ...]) -> str:  # noqa: ANN401 - any command
    told = re.sub(r"\n(?!\n)\s*", "\n", inspect.cleandoc(function.__doc__ or ""))
    own = [each for each in inspect.signature(function, eval_str=True).parameters.values() if each.name not in _FOR_ALL]
    rows = "".join(_row(each) for each in own)
    table = f"| option | meaning |\n|---|---|\n{rows}\n" if rows else ""
    return f"### {' '.join(words)}\n\n{told}\n\n{table}"


def _row(parameter: inspect.Parameter) -> str:
    shown = next((each for each in get_args(parameter.annotation) if isinstance(each, Parameter)), Parameter())
    words = (shown.help or "").replace("|", r"\|")
    if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
        return f"| `{parameter.name.upper()}` | {words} |\n"
    name = next(iter(shown.name or ()), f"--{parameter.name.replace('_', '-')}")
    value = f" {shown.metavar}" if shown.metavar else ""
    option = f"{name}{value}".replace("|", r"\|")
    return f"| `{option}` | {words} |\n"
