"""`houseway ways`: the house ways with their questions and rules, and the check of a room's own file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from houseway.api.arguments import WHEELS, Arguments
from houseway.cli.kernel_notice import announce_compiling, kernels_are_there
from houseway.cli.output import JsonFlag, print_json, print_text
from houseway.cli.progress import progress_bar
from houseway.ranking.reference import PAI_GOW, PAI_GOW_LOW_WHEEL, Ranking
from houseway.wording import in_known_case

if TYPE_CHECKING:
    from houseway.houseways import HouseWay
    from houseway.houseways.rules import Rule, WayQuestion


def ways(
    way: Annotated[str | None, Parameter(help="The id of one house way, to see its rules.")] = None,
    /,
    *,
    file: Annotated[str | None, Parameter(metavar="FILE", help="A room's own house way, a TOML file, instead.")] = None,
    check: Annotated[
        bool,
        Parameter(
            negative="", show_default=False, help="Set every possible hand; report what is unset, ambiguous or fouled."
        ),
    ] = False,
    wheel: Annotated[
        str | None,
        Parameter(metavar="PLACE", help="For --check, the place of A-2-3-4-5: second (the default) or lowest."),
    ] = None,
    as_json: JsonFlag = False,
) -> int:
    """List the house ways, print the rules of one, or check that it sets every hand.

    The check exits with 1 if it finds a hand that the way fouls, or does not set by exactly one rule.
    """
    from houseway.houseways import house_way, load_house_way, way_ids

    arguments = Arguments()
    if way is not None and file is not None:
        arguments.add("conflicting-options", "file", "give the id of a house way or --file, not both")
    if check and way is None and file is None:
        arguments.add("missing-argument", "way", "name the house way to check, or give its --file")
    wheel = arguments.choice(wheel, WHEELS, "wheel")
    if wheel is not None and not check:
        arguments.add("conflicting-options", "wheel", "--wheel is for --check: the rules are the same for both places")
    arguments.refuse_if_any()
    if way is None and file is None:
        _print_ways(tuple(map(house_way, way_ids())), as_json)
        return 0
    chosen = load_house_way(file) if file is not None else house_way(in_known_case(way or "", way_ids()))
    if check:
        return _check(chosen, PAI_GOW_LOW_WHEEL if wheel == "lowest" else PAI_GOW, as_json)
    print_json(way_json(chosen)) if as_json else _print_way(chosen)
    return 0


def _check(way: HouseWay, ranking: Ranking, as_json: bool) -> int:
    """Check a way over its whole domain; 1 if it does not pass."""
    from houseway.houseways.check import check_house_way

    if kernels_are_there():
        announce_compiling()
    with progress_bar(f"setting every hand by {way.id}") as progress:
        report = check_house_way(way, ranking, progress=progress)
    print_json(report.to_json()) if as_json else print_text(str(report))
    return 0 if report.passed else 1


def way_json(way: HouseWay) -> dict[str, Any]:
    """A house way as the command line prints it."""
    return {
        "id": way.id,
        "title": way.title,
        "cards": way.cards,
        "low_cards": way.low_cards,
        "source": way.source,
        "questions": [_question_json(question) for question in way.questions],
        "fingerprint": way.fingerprint,
    }


def _question_json(question: WayQuestion) -> dict[str, Any]:
    return {
        "id": question.id,
        "asks": question.asks,
        "when": [str(condition) for condition in question.when],
        "rules": [
            {
                "id": rule.id,
                "why": rule.why,
                "when": [str(condition) for condition in rule.when],
                "otherwise": rule.otherwise,
                "front": list(rule.front) or "highest",
                "keep": rule.keep,
            }
            for rule in question.rules
        ],
    }


def _print_ways(chosen: tuple[HouseWay, ...], as_json: bool) -> None:
    if as_json:
        print_json({"ways": [way_json(way) for way in chosen]})
        return
    for way in chosen:
        print_text(f"{way.id:<16}{way.cards} cards, {len(way.rules)} rules  {way.title}")
    print_text("", "houseway ways WAY prints the rules of one of them.")


def _print_way(way: HouseWay) -> None:
    print_text(f"{way.title} ({way.id}): hands of {way.cards} cards, {way.low_cards} in front", f"source: {way.source}")
    for question in way.questions:
        print_text("", f"{question.id}: {question.asks}")
        for rule in question.rules:
            print_text(f"  {rule.id}: {rule.why}", f"    when {_when(rule)}; in front {_front(rule)}")


def _when(rule: Rule) -> str:
    told = " and ".join(str(condition) for condition in rule.when)
    return told or ("nothing else holds" if rule.otherwise else "the question holds")


def _front(rule: Rule) -> str:
    front = " and ".join(rule.front) or "the highest cards"
    return front + (f" that leave {rule.keep}" if rule.keep else "")
