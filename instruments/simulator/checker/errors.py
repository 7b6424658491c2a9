"""What the checker says when the manager did something that the documents do not allow."""

from __future__ import annotations


class CheckError(AssertionError):
    """The manager and the documents disagree: the step, what was looked at, and both figures."""

    def __init__(self, what: str, expected: object = None, found: object = None) -> None:
        """Say what disagrees; the runner adds the seed and the step."""
        self.what = what
        self.expected = expected
        self.found = found
        self.seed: int | None = None
        self.step: int | None = None
        super().__init__(what)

    def __str__(self) -> str:
        """Everything that is needed to see the disagreement again."""
        where = "" if self.seed is None else f"seed {self.seed}, step {self.step}: "
        figures = (
            ""
            if self.expected is None and self.found is None
            else f"; by the documents {self.expected!r}, found {self.found!r}"
        )
        return f"{where}{self.what}{figures}"


def require(holds: bool, what: str, expected: object = None, found: object = None) -> None:
    """Raise CheckError unless something holds."""
    if not holds:
        raise CheckError(what, expected, found)


def same(expected: object, found: object, what: str) -> None:
    """Raise CheckError unless two figures are equal."""
    if expected != found:
        raise CheckError(what, expected, found)
