"""`houseway settle`: rounds in, lines out, each line with its wager, its money and the clause it rests on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from houseway.api.arguments import Arguments
from houseway.cli.files import opened
from houseway.cli.jsonin import parse_json
from houseway.cli.kernels import announce_compiling, kernels_are_there
from houseway.cli.output import JsonFlag, print_json, print_problem, print_text, to_line
from houseway.cli.rounds import Entry, entries
from houseway.errors import InputError, MissingPartError

if TYPE_CHECKING:
    from houseway.games import Settlement
    from houseway.houseways import HouseWay
    from houseway.houseways.evaluate import Evaluator
    from houseway.paytables import PayTable

KERNELS_FROM_LINE: Final = 200
"""A stream of this many rounds repays loading the compiled kernels."""

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
        Parameter(metavar="FILE", help="A pay table of your own (TOML) for the wager that it fits."),
    ] = None,
    evaluator: Annotated[
        str,
        Parameter(
            metavar="WHICH",
            help="What ranks the hands: reference (readable), tables (shipped), kernels (compiled) or auto. "
            "All give the same answers; auto takes kernels for long streams if numba is installed.",
        ),
    ] = "auto",
    as_json: JsonFlag = False,
) -> int:
    """Settle a round, or a stream of rounds with one result a line.

    A bad line of a stream gives its faults with the line's number in its place; the others still settle.
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
        found = entries(stream)
        first = next(found, None)
        if first is None:
            raise InputError.of("empty-input", "file", "there is no round in it: give one JSON object")
        return _settle_all(first, found, _Settler(evaluator, way, table), as_json)


def _own_way(way_file: str) -> HouseWay:
    from houseway.houseways import load_house_way

    return load_house_way(way_file)


def _own_table(paytable_file: str) -> PayTable:
    from houseway.paytables import own_paytable

    return own_paytable(paytable_file)


class _Settler:
    """Settles one round after another, with the evaluator that fits the length of the stream."""

    def __init__(self, choice: str, way: HouseWay | None, table: PayTable | None) -> None:
        from houseway.games import read_round
        from houseway.games import settle as settle_round

        self.read_round = read_round
        self.settle_round = settle_round
        self.choice = choice
        self.way = way
        self.table = table
        self.count = 0
        self.evaluator = _chosen(choice)

    def settle(self, data: bytes) -> Settlement:
        """The settlement of a round's JSON text."""
        self.count += 1
        if self.count == KERNELS_FROM_LINE and self.choice == "auto" and kernels_are_there():
            self.evaluator = _kernels_or(self.evaluator)
        return self.settle_round(self.read_round(parse_json(data), self.way, self.table), self.evaluator)


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


def _settle_all(first: Entry, others: Iterator[Entry], settler: _Settler, as_json: bool) -> int:
    """Settle a single round or a stream; 2 if any round was refused."""
    if first.line is None:
        return _settle_one(first, settler, as_json)
    if not as_json:
        # Text is for a single round; only here it matters whether there is a second one.
        second = next(others, None)
        if second is None:
            return _settle_one(first, settler, as_json=False)
        others = chain([second], others)
    return _settle_stream(chain([first], others), settler)


def _settle_one(entry: Entry, settler: _Settler, as_json: bool) -> int:
    settlement = settler.settle(entry.data)
    if as_json:
        print_json(settlement.to_json())
        return 0
    # What draws text is slow to load, and only people wait for it.
    from houseway.cli.render import settlement_parts

    print_text(*settlement_parts(settlement))
    return 0


def _settle_stream(stream: Iterator[Entry], settler: _Settler) -> int:
    """Print one result a line, in the order of the input, as soon as each is known."""
    code = 0
    for entry in stream:
        try:
            result = settler.settle(entry.data).to_json()
        except InputError as error:
            code = 2
            # Beside the envelope and inside it, so that either can be passed on alone.
            result = {"line": entry.line, "error": {"line": entry.line, **error.to_json()["error"]}}
        sys.stdout.write(to_line(result) + "\n")
        sys.stdout.flush()
    return code
