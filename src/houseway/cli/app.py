"""The command's frame: which subcommands there are, and how a run ends.

Whatever happens, a run ends with one of the documented exit codes and without a traceback: bad input is told with every
fault (as JSON on standard output with `--json`, else as text on standard error), a missing part with the way to get
it. Each command lives in a module of its own that is imported only when it is called, so that `houseway games` does
not wait for what only `houseway settle` needs.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Sequence
from typing import Final, NoReturn

from cyclopts import App, CycloptsError, Group

from houseway import __version__
from houseway.cli.output import print_faults, print_problem
from houseway.cli.usage import fault_of_usage
from houseway.errors import Fault, InputError, MissingPartError, TerminatedError, terminate

EXIT_OK: Final = 0
EXIT_BAD_INPUT: Final = 2
EXIT_MISSING_PART: Final = 3
EXIT_INTERNAL: Final = 70
EXIT_INTERRUPTED: Final = 130
EXIT_BROKEN_PIPE: Final = 141
EXIT_TERMINATED: Final = 143

_HELP: Final = """Approved rules in, provable money out: casino table games, dealt and settled clause by clause.

Cards are written `As Kd Th 9c Jk` (Jk is the joker), separated by spaces or commas. Amounts of
rounds are whole cents; a room's commands take dollars.
`houseway --games FOLDER COMMAND ...` adds the games of a folder, as the variable HOUSEWAY_GAMES does.
Exit codes: 0 fine, 1 a check found something, 2 bad input, 3 something is missing on this machine."""

_GAMES: Final = "--games"

ROOM: Final = ("staff", "device", "link", "table", "round", "jackpot", "slip", "papers", "change", "incident", "system")
"""Groups of commands of a room; their own module builds each when it is asked for."""
_PANELS: Final = {
    "Games and odds": (
        ("games", "houseway.cli.listings:games"),
        ("clauses", "houseway.cli.listings:clauses"),
        ("paytable", "houseway.cli.listings:paytable"),
        ("rank", "houseway.cli.hand_commands:rank"),
        ("set", "houseway.cli.hand_commands:set_hand"),
        ("ways", "houseway.cli.ways:ways"),
        ("deal", "houseway.cli.deal:deal"),
        ("settle", "houseway.cli.settle:settle"),
        ("replay", "houseway.cli.replay:replay"),
        ("verify", "houseway.cli.verify:verify"),
        ("odds", "houseway.cli.odds:odds"),
        ("advise", "houseway.cli.advise:advise"),
        ("simulate", "houseway.cli.simulate:simulate"),
        ("cache", "houseway.cli.cache:cache"),
    ),
    "A room": (
        ("setup", "houseway.cli.room_setup:setup"),
        ("desk", "houseway.cli.desk:desk"),
        *((name, f"houseway.cli.room_commands:{name}") for name in ROOM),
        ("report", "houseway.cli.report:report"),
    ),
    "The Game Manager": (
        ("manager", "houseway.cli.manager:manager"),
        ("serve", "houseway.cli.http:serve"),
        ("http", "houseway.cli.http:http"),
        ("controller", "houseway.cli.controller:controller"),
        ("audit", "houseway.cli.audit:audit"),
        ("db", "houseway.cli.db:db"),
        ("proof", "houseway.cli.proof:proof"),
        ("witness", "houseway.cli.witness:witness"),
        ("tls", "houseway.cli.tls:tls"),
    ),
    "To begin with": (
        ("demo", "houseway.cli.demo:demo"),
        ("demo-floor", "houseway.cli.demo_floor:demo_floor"),
        ("tour", "houseway.cli.tour:tour"),
        ("completion", "houseway.cli.completion:completion"),
    ),
}
"""The commands with their homes, under the titles that the overview shows."""
_COMMANDS: Final = tuple(command for commands in _PANELS.values() for command in commands)


def build_app() -> App:
    """The command with all its subcommands, none of them imported yet."""
    app = App(
        name="houseway",
        help=_HELP,
        help_format="markdown",
        version=__version__,
        print_error=False,
        exit_on_error=False,
        suppress_keyboard_interrupt=False,
        result_action="return_value",
    )
    for row, (title, commands) in enumerate(_PANELS.items()):
        panel = Group(title, sort_key=row)
        for place, (name, import_path) in enumerate(commands):
            app.command(import_path, name=name, sort_key=place, group=panel)
    return app


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (the process's own by default) and return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if sys.stdout is None:
        print_problem("standard output is closed: there is nowhere to print to")
        return EXIT_MISSING_PART
    _make_output_safe()
    try:
        code = _run(words)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough (`houseway clauses | head`).
        _drop_output()
        return EXIT_BROKEN_PIPE
    except TerminatedError:
        return EXIT_TERMINATED
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except OSError as error:
        _drop_output()
        print_problem(f"the output could not be written: {error.strerror or error}")
        return EXIT_MISSING_PART
    return code


def command() -> NoReturn:
    """The `houseway` command as a process: run it and end with its exit code.

    Taking the compiled kernels apart at the end takes Python a quarter of a second, for nothing: where they were
    loaded, the process ends at once. Everything is written by then.
    """
    # Servers and controllers set their own; everything else would leave workers and semaphores behind.
    signal.signal(signal.SIGTERM, terminate)
    code = main()
    if "numba" in sys.modules:
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def _run(words: list[str]) -> int:
    """Run a command and turn what it raises into faults and an exit code."""
    as_json = any(word == "--json" or word.startswith("--json=") for word in words)
    try:
        return _run_command(_with_games(words), as_json)
    except InputError as error:
        print_faults(error.faults, as_json)
        return EXIT_BAD_INPUT
    except OSError:
        raise
    except Exception as error:
        # The last resort: a bug is told as a fault, never as a traceback.
        if os.environ.get("HOUSEWAY_TRACEBACK"):
            raise
        print_faults([_internal(error)], as_json)
        return EXIT_INTERNAL


def _with_games(words: list[str]) -> list[str]:
    """Take along the folders of games that stand before the command; what is left is the command."""
    while words and words[0].partition("=")[0] == _GAMES:
        option, equals, folder = words[0].partition("=")
        rest = words[1:] if equals else words[2:]
        if not equals:
            folder = "".join(words[1:2])
        if not folder:
            raise InputError.of("missing-argument", "games", f"{option} names a folder of games: {option} FOLDER")
        from houseway.sources import add_folder

        add_folder(folder)
        words = rest
    return words


def _run_command(words: list[str], as_json: bool) -> int:
    app = build_app()
    if not words or words[0] in app.help_flags:
        # The overview shows what each command says about itself.
        for name, _ in _COMMANDS:
            app[name]
    try:
        code = app(words)
    except CycloptsError as error:
        print_faults([fault_of_usage(error, [name for name, _ in _COMMANDS])], as_json)
        return EXIT_BAD_INPUT
    except InputError as error:
        print_faults(error.faults, as_json)
        return EXIT_BAD_INPUT
    except MissingPartError as error:
        print_faults([Fault("missing-part", "", str(error))], as_json)
        return EXIT_MISSING_PART
    return code if isinstance(code, int) else EXIT_OK


def _internal(error: Exception) -> Fault:
    return Fault(
        "internal-error",
        "",
        f"this is a bug in houseway ({type(error).__name__}: {error}); please report it with the input. "
        "HOUSEWAY_TRACEBACK=1 shows where it happened",
    )


def _drop_output() -> None:
    """Let what is still buffered go nowhere, so that Python does not try to write it once more at the end."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _make_output_safe() -> None:
    """Never fail on a character that the terminal's encoding lacks: input is echoed in messages."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
