"""`houseway settle`: rounds in, lines out, each line with its wager, its money and the clause it rests on."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import Parameter

from houseway.api.arguments import Arguments
from houseway.cli.files import opened
from houseway.cli.jsonin import parse_json, stream_parser
from houseway.cli.kernel_notice import announce_compiling, kernels_are_there
from houseway.cli.output import JsonFlag, print_problem, print_text, to_line
from houseway.cli.round_streams import RoundEntry, StreamLines, entries
from houseway.errors import InputError, MissingPartError

if TYPE_CHECKING:
    from houseway.games import Settlement
    from houseway.games.streams import StreamSettler
    from houseway.houseways import HouseWay
    from houseway.houseways.evaluate import Evaluator
    from houseway.paytables import PayTable

FAST_READER_FROM_LINE: Final = 20
"""A stream of this many rounds repays loading the fast reader of JSON."""
KERNELS_FROM_LINE: Final = 500
"""A stream of this many rounds repays loading the compiled kernels."""
BLOCK: Final = 256
"""How many rounds are settled together at most."""

_EVALUATORS: Final = ("auto", "reference", "tables", "kernels")


def settle(
    file: Annotated[
        str,
        Parameter(
            allow_leading_hyphen=True,
            help="A JSON file with one round, or JSON Lines with many rounds; - is standard input.",
        ),
    ],
    /,
    *,
    way_file: Annotated[
        str | None,
        Parameter(metavar="FILE", help="A room's own house way (TOML) instead of the ways that the rounds name."),
    ] = None,
    paytable_file: Annotated[
        str | None,
        Parameter(metavar="FILE", help="A pay table of your own (TOML), for the wager it fits."),
    ] = None,
    evaluator: Annotated[
        str,
        Parameter(
            metavar="WHICH",
            help="What ranks the hands: reference (readable), tables (shipped), kernels (compiled) or auto. "
            "All give the same answers; auto uses kernels for long streams if numba is installed.",
        ),
    ] = "auto",
    as_json: JsonFlag = False,
) -> int:
    """Settle a round, or a stream of rounds with one result a line.

    In a stream, a bad line yields its faults and its number instead of a result; the others still settle.
    """
    arguments = Arguments()
    if file.startswith("-") and file != "-":
        # The parser lets a hyphen through for the sake of standard input; a file of such a name is ./-name.
        arguments.add("unknown-option", "", f"Unknown option: {file[:40]} (see houseway settle --help)")
    evaluator = arguments.choice(evaluator, _EVALUATORS, "evaluator") or evaluator
    way = None if way_file is None else arguments.read(lambda: _own_way(way_file))
    table = None if paytable_file is None else arguments.read(lambda: _own_table(paytable_file))
    arguments.refuse_if_any()
    with opened(file, "file") as stream:
        lines = StreamLines(stream)
        found = entries(lines)
        first = next(found, None)
        if first is None:
            raise InputError.of("empty-input", "file", "there is no round in it: give one JSON object")
        return _settle_all(first, found, lines, _Settler(evaluator, way, table), as_json)


def _own_way(way_file: str) -> HouseWay:
    from houseway.houseways import load_house_way

    return load_house_way(way_file)


def _own_table(paytable_file: str) -> PayTable:
    from houseway.paytables import own_paytable

    return own_paytable(paytable_file)


class _Settler:
    """Settles one round after another, with the evaluator that fits the length of the stream."""

    def __init__(self, choice: str, way: HouseWay | None, table: PayTable | None) -> None:
        from houseway.games import settle as settle_round
        from houseway.games.round_reader import RoundReader

        self._reader = RoundReader(way, table)
        self._settle = settle_round
        self._choice = choice
        self._count = 0
        self._parse: Callable[[bytes], Any] = parse_json
        self._stream: StreamSettler | None = None
        self._evaluator = _chosen(choice)

    def settle(self, data: bytes) -> Settlement:
        """The settlement of a round's JSON text."""
        return self._settle(self._reader.read(self._parse(data)), self._evaluator)

    def settle_block(self, block: Sequence[RoundEntry]) -> Iterator[str | InputError]:
        """The texts of settlements of rounds that came together, or why they were refused, in their order."""
        self._get_ready(len(block))
        if self._stream is not None:
            yield from self._stream.settle([entry.data for entry in block])
            return
        for entry in block:
            try:
                yield self.settle(entry.data).text
            except InputError as error:
                yield error

    def _get_ready(self, more: int) -> None:
        """Load what pays for itself once a stream is long: the fast reader, and the kernels if they are installed."""
        before, self._count = self._count, self._count + more
        if before < FAST_READER_FROM_LINE <= self._count:
            self._parse = stream_parser()
        if before < KERNELS_FROM_LINE <= self._count and self._choice == "auto" and kernels_are_there():
            self._evaluator = _kernels_or(self._evaluator)
        from houseway.houseways.evaluate import KernelEvaluator

        if (
            self._stream is None
            and isinstance(self._evaluator, KernelEvaluator)
            and self._count >= FAST_READER_FROM_LINE
        ):
            from houseway.games.streams import StreamSettler

            self._stream = StreamSettler(self._reader, self._parse, self._evaluator)


def _chosen(choice: str) -> Evaluator:
    from houseway.houseways.evaluate import ReferenceEvaluator, TableEvaluator

    if choice == "reference":
        return ReferenceEvaluator()
    return _kernels() if choice == "kernels" else TableEvaluator()


def _kernels_or(other: Evaluator) -> Evaluator:
    """The kernels, or what has served so far if numba is there and does not work: the stream goes on either way."""
    try:
        return _kernels()
    except MissingPartError as error:
        print_problem(f"going on without compiled kernels: {error}")
        return other


def _kernels() -> Evaluator:
    announce_compiling()
    from houseway.houseways.evaluate import KernelEvaluator

    return KernelEvaluator()


def _settle_all(
    first: RoundEntry, others: Iterator[RoundEntry], lines: StreamLines, settler: _Settler, as_json: bool
) -> int:
    """Settle a single round or a stream; 2 if any round was refused."""
    if first.line is None:
        return _settle_one(first, settler, as_json)
    if not as_json:
        # Text is for a single round; only here it matters whether there is a second one.
        second = next(others, None)
        if second is None:
            return _settle_one(first, settler, as_json=False)
        others = chain([second], others)
    code = 0
    with _seldom_collecting():
        for block in _blocks(chain([first], others), lines):
            code = max(code, _settle_block(block, settler))
    return code


@contextmanager
def _seldom_collecting() -> Iterator[None]:
    """Look for cyclic garbage seldom: rounds leave next to none, and looking for it takes a fifth of the time."""
    before = gc.get_threshold()
    gc.set_threshold(100_000, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _settle_one(entry: RoundEntry, settler: _Settler, as_json: bool) -> int:
    settlement = settler.settle(entry.data)
    if as_json:
        sys.stdout.write(settlement.text + "\n")
        return 0
    # What draws text is slow to load, and only people wait for it.
    from houseway.cli.render import settlement_parts

    print_text(*settlement_parts(settlement))
    return 0


def _blocks(stream: Iterator[RoundEntry], lines: StreamLines) -> Iterator[list[RoundEntry]]:
    """The rounds that are there at once, together: nobody waits for an answer until more have come."""
    block: list[RoundEntry] = []
    for entry in stream:
        block.append(entry)
        if not lines.waiting or len(block) == BLOCK:
            yield block
            block = []
    if block:
        yield block


def _settle_block(block: list[RoundEntry], settler: _Settler) -> int:
    """Print one result a line, in the order of the input."""
    code = 0
    texts: list[str] = []
    try:
        for entry, result in zip(block, settler.settle_block(block), strict=True):
            if isinstance(result, InputError):
                code = 2
                # Beside the envelope and inside it, so that either can be passed on alone.
                shown = {"line": entry.line, "error": {"line": entry.line, **result.to_json()["error"]}}
                texts.append(to_line(shown))
            else:
                texts.append(result)
    finally:
        # What is known is told, also where the program itself ends in the middle.
        sys.stdout.write("\n".join([*texts, ""]))
        sys.stdout.flush()
    return code
