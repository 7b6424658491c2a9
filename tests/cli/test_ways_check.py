"""`houseway ways --check`: a way is swept over its whole domain, and 1 says that something was found."""

from __future__ import annotations

from pathlib import Path

import pytest

from houseway.houseways import check, house_way
from houseway.houseways.check import CheckReport, Problem
from houseway.houseways.interpret import Status
from houseway.houseways.sweep_findings import Progress
from houseway.houseways.way import HouseWay
from houseway.ranking.reference import PAI_GOW_LOW_WHEEL, Ranking
from tests.cli.runner import call


def report(*problems: Problem) -> CheckReport:
    return CheckReport("own", 7, "pai-gow", "classes", 154_143_080, {"no-pair": 154_143_080}, problems)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """The ways and rankings that were checked; the check itself is left out."""
    calls: list[tuple[str, str]] = []
    problem = Problem(Status.UNSET, "pair", (), 5, (house_way("foxwoods").set(range(7)).high,))

    def stand_in(way: HouseWay, ranking: Ranking, progress: Progress | None) -> CheckReport:
        assert progress is None, "nobody watches"
        calls.append((way.id, ranking.id))
        return report() if way.id == "foxwoods" else report(problem)

    monkeypatch.setattr(check, "check_house_way", stand_in)
    return calls


def test_a_way_that_passes_ends_with_0(asked: list[tuple[str, str]]) -> None:
    run = call("ways", "foxwoods", "--check", "--json")
    assert (run.code, run.json["passed"]) == (0, True)
    assert "Passed" in call("ways", "foxwoods", "--check").out
    assert asked == [("foxwoods", "pai-gow")] * 2


def test_a_way_that_does_not_pass_ends_with_1(asked: list[tuple[str, str]], tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('id = "own"\ntitle = "Ours"\nsource = "house"\nextends = "foxwoods"\n', encoding="utf-8")
    run = call("ways", "--file", str(file), "--check", "--wheel", "lowest", "--json")
    assert (run.code, run.json["problems"][0]["kind"]) == (1, "unset")
    assert call("ways", "--file", str(file), "--check").code == 1
    assert asked == [("own", PAI_GOW_LOW_WHEEL.id), ("own", "pai-gow")]


@pytest.mark.slow
@pytest.mark.kernels
def test_the_six_card_way_passes() -> None:
    pytest.importorskip("numba")
    run = call("ways", "six-card", "--check", "--json")
    assert (run.code, run.json["hands"], sum(run.json["set_by"].values())) == (0, 22_957_480, 22_957_480)
