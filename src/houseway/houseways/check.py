"""The check that a house way needs before a dealer uses it: every hand set by exactly one rule, and none fouled.

With the `kernels` extra the check takes seconds. Without it the readable interpreter sets one hand of every suit class,
which is as complete and takes a minute for six cards, and ten minutes or more for seven.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from math import comb
from typing import Any, Final, Literal

from houseway.cards.card import Card, card_texts, descending
from houseway.errors import InputError
from houseway.houseways.interpret import Status
from houseway.houseways.interpreted_sweep import sample_by_interpreter, sweep_by_interpreter
from houseway.houseways.sweep_findings import Progress, SweepFinding
from houseway.houseways.way import HouseWay
from houseway.ranking.reference import PAI_GOW, Ranking

Method = Literal["classes", "hands", "interpreter"]

_METHOD_WORDS: Final[dict[Method, str]] = {
    "classes": "one hand of every suit class, counted with the size of its class",
    "hands": "every hand one by one",
    "interpreter": "one hand of every suit class, counted with the size of its class, without compiled kernels",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """Hands that a way does not set, for one reason: the question, the rules concerned, how many, and some of them."""

    status: Status
    question: str | None
    rules: tuple[str, ...]
    hands: int
    examples: tuple[tuple[Card, ...], ...]

    @property
    def reason(self) -> str:
        """The reason in words."""
        named = " and ".join(self.rules)
        match self.status:
            case Status.UNSET if self.question is None:
                return "no question takes these hands"
            case Status.UNSET:
                return f"no rule of question {self.question} holds"
            case Status.AMBIGUOUS:
                return f"more than one rule of question {self.question} holds: {named}"
            case Status.IMPOSSIBLE:
                return f"rule {named} (question {self.question}) asks for cards that these hands do not have"
            case _:
                return f"rule {named} (question {self.question}) lays a low hand that ranks above the high hand"

    def to_json(self) -> dict[str, Any]:
        """The problem as plain data."""
        return {
            "kind": self.status.name.lower(),
            "question": self.question,
            "rules": list(self.rules),
            "hands": self.hands,
            "examples": [card_texts(cards) for cards in self.examples],
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What the check of a way found; it is passed when no problem is listed."""

    way: str
    cards: int
    ranking: str
    method: Method
    hands: int
    set_by: dict[str, int]
    """The number of hands that each rule sets, rules that set none included."""
    problems: tuple[Problem, ...]

    @property
    def passed(self) -> bool:
        """Whether every hand is set by exactly one rule and none is fouled."""
        return not self.problems

    @property
    def idle_rules(self) -> tuple[str, ...]:
        """Rules that set no hand: no fault, but often a slip."""
        return tuple(rule for rule, hands in self.set_by.items() if not hands)

    def to_json(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "way": self.way,
            "passed": self.passed,
            "cards": self.cards,
            "ranking": self.ranking,
            "method": self.method,
            "hands": self.hands,
            "set_by": self.set_by,
            "idle_rules": list(self.idle_rules),
            "problems": [problem.to_json() for problem in self.problems],
        }

    def __str__(self) -> str:
        """The report for people."""
        lines = [
            f"House way {self.way}: {self.hands:,} hands of {self.cards} cards checked ({_METHOD_WORDS[self.method]})."
        ]
        if self.passed:
            lines.append("Passed: every hand is set by exactly one rule, and none is fouled.")
        else:
            failed = sum(problem.hands for problem in self.problems)
            lines.append(f"Not passed: {failed:,} hands have no single, legal setting.")
        for problem in self.problems:
            lines.append(f"- {problem.status.name.lower()}, {problem.hands:,} hands: {problem.reason}")
            lines.extend(f"    e.g. {' '.join(card_texts(cards))}" for cards in problem.examples)
        if self.idle_rules:
            lines.append(f"Rules that set no hand: {', '.join(self.idle_rules)}")
        return "\n".join(lines)


def check_house_way(
    way: HouseWay,
    ranking: Ranking = PAI_GOW,
    method: Method | None = None,
    progress: Progress | None = None,
) -> CheckReport:
    """Set every hand of the way's size and report those that are left unset, are ambiguous, or are fouled.

    `method` is "classes" or "hands" with the kernels extra, "interpreter" without it; left out, the quickest there is.
    `progress` is called now and then with the number of hands done and of all hands.
    """
    if method is None:
        method = "classes" if find_spec("numba") else "interpreter"
    set_by = {rule.id: 0 for rule in way.rules}
    problems: list[Problem] = []
    for found in _sweep(way, ranking, method, progress):
        if found.status is Status.SET:
            set_by[way.rules[found.rules[0]].id] += found.hands
        else:
            problems.append(_problem(way, found))
    return CheckReport(way.id, way.cards, ranking.id, method, comb(53, way.cards), set_by, tuple(problems))


def require_complete(way: HouseWay, ranking: Ranking = PAI_GOW, path: str = "way") -> None:
    """Refuse a way that does not set every hand by exactly one rule and without a foul.

    Whoever counts over all hands asks this first: a way with a hole gives figures that look like any other. The check
    ends at the first hand that fails; a fault's `path` says from where the way came.
    """
    found = _first_finding(way, ranking)
    if found is not None:
        raise incomplete(way, _problem(way, found), path)


def incomplete(way: HouseWay, problem: Problem | None = None, path: str = "way") -> InputError:
    """The error for a way that does not set every hand."""
    told = ""
    if problem is not None:
        told = f": {problem.reason}, as with {' '.join(card_texts(problem.examples[0]))}"
    message = (
        f"the {way.id} way has not one legal setting for every hand, and figures would be wrong{told}; "
        "correct the way: houseway ways --file FILE --check lists all such hands"
    )
    return InputError.of("way-incomplete", path, message)


def _first_finding(way: HouseWay, ranking: Ranking) -> SweepFinding | None:
    """The first hands found that the way does not set; gross slips before any kernel is compiled or loaded."""
    found = _problem_among(sample_by_interpreter(way, ranking))
    if found is not None:
        return found
    if not find_spec("numba"):
        return _problem_among(sweep_by_interpreter(way, ranking, stop_at_problem=True))
    from houseway.houseways.sweep import first_findings

    return _problem_among(first_findings(way, ranking))


def _problem_among(findings: Iterable[SweepFinding]) -> SweepFinding | None:
    return next((found for found in findings if found.status is not Status.SET), None)


def _problem(way: HouseWay, found: SweepFinding) -> Problem:
    question = None if found.question is None else way.questions[found.question].id
    rules = tuple(way.rules[place].id for place in found.rules)
    examples = tuple(descending(cards) for cards in found.examples)
    return Problem(found.status, question, rules, found.hands, examples)


def _sweep(way: HouseWay, ranking: Ranking, method: Method, progress: Progress | None) -> list[SweepFinding]:
    if method == "interpreter":
        return sweep_by_interpreter(way, ranking, progress)
    # Only here are the compiled kernels needed.
    from houseway.houseways import sweep

    run = sweep.sweep_hands if method == "hands" else sweep.sweep_classes
    return sweep.findings(way, run(way, ranking, progress))
