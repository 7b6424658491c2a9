"""Changes by two people at the command line: shown, approved by their number, backed out with a question."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import houseway
from houseway.cli.manager_show import awards
from houseway.cli.times import read_time, time_text
from houseway.cli.words import said, words
from houseway.manager.core.money import cents_text, dollars
from houseway.manager.interface.requests import command_of
from houseway.manager.views.answers import AwardsAnswer
from tests.cli.runner import call
from tests.manager.floors import DEALER, EXECUTIVE, SUPERVISOR, SURVEILLANCE, badge
from tests.manager.server.house import House, built

SURE = {"reason": "the hand was misread", "reference": "incident 3"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    return built(tmp_path_factory.mktemp("house"))


@pytest.fixture
def direct(house: House, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    monkeypatch.setenv("HOUSEWAY_BADGE", badge(EXECUTIVE))
    return iter([["--database", str(house.folder / "house.db"), "--keys", str(house.keys)]])


@pytest.fixture
def where(direct: Iterator[list[str]]) -> list[str]:
    return next(direct)


def won(house: House) -> str:
    """A jackpot at 100% is won and paid; its award."""
    from houseway.manager.interface.local import LocalManager
    from houseway.manager.store.keys import load_keys

    with house.open() as manager:
        told = LocalManager(manager, load_keys(house.keys).fingerprint)

        def do(actor: str, kind: str, **fields: Any) -> dict[str, Any]:
            return told.send(command_of({"kind": kind, **fields}), actor=actor).answer.to_json()

        round_ = do(DEALER, "round.start", table="T1", sensors={"1": [5]})["round"]
        do(DEALER, "hand.press", round=round_, seat=5, hand="five-aces")
        hit = do(DEALER, "jackpot.hit", round=round_)["awards"][0]
        award, seen = hit["award"], {"hand": hit["hand"], "cents": hit["cents"], "reference": "camera 4"}
        do(SURVEILLANCE, "surveillance.reference", round=round_, payout=award, **seen)
        do(DEALER, "jackpot.pay", award=award, badge=badge(SUPERVISOR))
        do(DEALER, "round.end", round=round_)
    return str(award)


def options(**more: str) -> list[str]:
    return [word for name, value in more.items() for word in (f"--{name}", value)]


def test_an_award_is_backed_out_and_approved_by_its_number(house: House, where: list[str]) -> None:
    award = won(house)
    assert award in call("manager", "show", "awards", *where).out
    asked = call("jackpot", "back-out", award, "--actor", SUPERVISOR, *options(**SURE), *where)
    assert asked.code == 2
    assert "[seed-choice]" in asked.err
    assert "the sign shows $20,000.20" in asked.err, "with the seed recovered"
    assert "--seed recover (true) or --seed keep (false)" in asked.err
    proposed = call("jackpot", "back-out", award, "--actor", SUPERVISOR, *options(**SURE, seed="keep"), *where)
    assert proposed.code == 0, proposed.err
    number = proposed.out.split()[2]
    shown = call("manager", "show", "proposals", *where)
    assert all(text in " ".join(shown.out.split()) for text in (number, "back-out", SURE["reference"], SUPERVISOR))
    assert call("manager", "show", "proposals", *where, "--json").json["proposals"][0]["content_hash"]
    # Nobody approves without having been asked, or with --yes once it is shown.
    assert "there is nobody to ask" in call("change", "approve", number, "--actor", EXECUTIVE, *where).err
    assert "there are P" in call("change", "approve", "P1", "--actor", EXECUTIVE, *where).err
    done = call("change", "approve", number.lower(), "--actor", EXECUTIVE, "--yes", *where)
    assert done.code == 0, done.err
    assert f"award: {award}" in done.out
    assert "recover_seed: no" in done.out
    assert f"{number} is approved by {EXECUTIVE}: it is made" in done.out
    assert "BACKED OUT" in call("manager", "show", "awards", *where).out
    rounds = call("audit", "rounds", "--database", where[1])
    assert "BACKED OUT" in " ".join(rounds.out.split())


def test_the_question_is_asked_in_a_terminal(house: House, where: list[str]) -> None:
    award = won(house)
    command = ["jackpot", "back-out", award, "--actor", SUPERVISOR, *options(**SURE), *where]
    answered = in_terminal(command, b"recover or keep?", b"recover\n")
    assert "proposed as P" in answered
    number = answered.split("proposed as ")[1].split()[0]
    assert "nothing was sent" in in_terminal(["change", "approve", number, "--actor", EXECUTIVE, *where], b"]", b"no\n")
    told = in_terminal(["change", "approve", number, "--actor", EXECUTIVE, *where], b"[yes/no]", b"yes\n")
    assert "it is made" in told
    assert "recover_seed: yes" in told


def test_envy_stays_paid_when_its_award_is_backed_out(house: House, where: list[str]) -> None:
    from houseway.manager.interface.local import LocalManager
    from houseway.manager.store.keys import load_keys

    def do(actor: str, kind: str, **fields: Any) -> dict[str, Any]:
        with house.open() as manager:
            told = LocalManager(manager, load_keys(house.keys).fingerprint)
            return told.send(command_of({"kind": kind, **fields}), actor=actor).answer.to_json()

    round_ = do(DEALER, "round.start", table="T1", sensors={"1": [2, 5]})["round"]
    do(DEALER, "hand.press", round=round_, seat=5, hand="five-aces")
    (hit,) = do(DEALER, "jackpot.hit", round=round_)["awards"]
    award = hit["award"]
    assert waits_for(where, award) == "surveillance's reference, then badge: supervisor"
    seen = {"hand": hit["hand"], "cents": hit["cents"], "reference": "camera 4"}
    do(SURVEILLANCE, "surveillance.reference", round=round_, payout=award, **seen)
    assert waits_for(where, award) == "badge: supervisor"
    do(DEALER, "jackpot.pay", award=award, badge=badge(SUPERVISOR))
    do(DEALER, "round.end", round=round_)
    # Who paid it is told as long as it is listed, not only during its round.
    do(DEALER, "round.end", round=do(DEALER, "round.start", table="T1", sensors={})["round"])
    recent = call("manager", "show", "awards", *where, "--json").json["recent"]
    assert [past["paid_by"] for past in recent if past["award"] == award] == [SUPERVISOR]
    assert f"paid by {SUPERVISOR}" in " ".join(call("manager", "show", "awards", *where).out.split())
    options_ = options(**SURE, seed="keep")
    proposed = call("jackpot", "back-out", award.lower(), "--actor", SUPERVISOR, *options_, *where)
    assert "stays paid" in proposed.out, proposed.err
    done = call("change", "approve", proposed.out.split()[2], "--actor", EXECUTIVE, "--yes", *where)
    assert f"seat 5, five-aces, {cents_text(hit['cents'])}; envy" in done.out
    rounds = call("audit", "rounds", "--award", award, "--database", where[1], "--json").json["rounds"]
    marks = {(line["seat"], line["wager"]): line["backed_out_at"] is not None for line in rounds[0]["lines"]}
    assert marks == {(5, "progressive"): True, (2, "progressive"): False, (2, "progressive_envy"): False}
    assert rounds[0]["backed_out_cents"] == hit["cents"]
    found = call("audit", "rounds", "--award", award, "--at-least", "$10,000.00", "--database", where[1])
    text = " ".join(found.out.split())
    assert f"is without {cents_text(hit['cents'])} that was backed out since" in text
    story = call("audit", "round", round_, "--database", where[1]).out
    assert [("_envy" in line) for line in story.splitlines() if "BACKED OUT" in line] == [False]


def waits_for(where: list[str], award: str) -> str:
    """What show awards says an award waits for."""
    answer = call("manager", "show", "awards", *where, "--json").json
    table = awards(msgspec.convert(answer, AwardsAnswer))
    return str(dict(zip(table.columns[0].cells, table.columns[6].cells, strict=True))[award])


def in_terminal(words_: list[str], question: bytes, answer: bytes) -> str:
    """What a command prints in a terminal in which its question is answered."""
    mine, theirs = pty.openpty()
    process = subprocess.Popen([sys.executable, "-m", "houseway", *words_], stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    seen, until, told = b"", time.monotonic() + 60, False
    while time.monotonic() < until:
        if not told and question in seen:
            os.write(mine, answer)
            told = True
        if select.select([mine], [], [], 0.1)[0]:
            try:
                seen += os.read(mine, 65536)
            except OSError:
                break
    process.wait(30)
    os.close(mine)
    return seen.decode()


@pytest.fixture
def pacific(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "America/Los_Angeles")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("pacific")
def test_times_are_those_of_the_place_and_can_be_typed_again(tmp_path: Path) -> None:
    from houseway.api.arguments import Arguments

    arguments, noon = Arguments(), 1_735_732_800_250_000
    assert time_text(noon) == "2025-01-01 04:00:00-08:00"
    assert words(noon, "started_at") == time_text(noon)
    assert read_time(arguments, "2025-01-01T04:00:00.250", "from") == noon
    # People read seconds, and what they read can be typed again.
    assert read_time(arguments, time_text(noon), "from") == noon - 250_000
    first, last = (read_time(arguments, "2025-03-09", "day", is_end=end) for end in (False, True))
    assert first is not None
    assert last is not None
    assert (last + 1 - first) // 3_600_000_000 == 23, "the day on which the clocks go forward"


def test_amounts_are_dollars_wherever_a_field_is_shown() -> None:
    assert words({"seed_recovered_micros": 1_500_000, "cents": 5, "returned_cents": 7}) == (
        "{seed_recovered_micros $1.50, cents $0.05, returned_cents $0.07}"
    )


def test_the_value_of_a_proposed_setting_is_told_by_the_setting() -> None:
    assert said({"change": "setting", "name": "surveillance_threshold", "value": 300_000}, "change") == (
        "name surveillance_threshold, value $3,000.00"
    )
    assert said({"setting": "slip_seconds", "value": 20}) == "setting slip_seconds, value 20"


def test_awards_are_listed_in_the_order_of_time() -> None:
    hit = {"link": "L1", "level": "main", "table": "T1", "seat": 1, "hand": "flush", "cents": 5, "source": "meter",
           "paid_by": "S", "envy_cents": None}  # fmt: skip
    in_round = {"round": "T1-2", "sensor": "1", "percent": 100, "badge_role": "none", "reference_missing": False,
                "order": 1, "pressed_at": 10**15, "pressed_by": "D", "hit_at": 10**15, "meter_before_micros": 0,
                "wagered": True, "override": None, "reference": None, "under_key": False, "status": "paid",
                "tray_short_cents": 0, "duties": None}  # fmt: skip
    recent = [{**hit, "award": "T1-1/1", "paid_at": 3 * 10**15, "backed_out_at": None}]
    listed = [{**hit, **in_round, "id": f"T1-{round_}/1", "paid_at": at * 10**15} for round_, at in ((3, 4), (2, 2))]
    answer = {"seq": 1, "at": 1, "now": 1, "awards": listed, "recent": recent}
    cells = awards(msgspec.convert(answer, AwardsAnswer)).columns[0].cells
    assert list(cells) == ["T1-2/1", "T1-1/1", "T1-3/1"]


PLAIN = {
    "1", "2", "counted", "decks", "declared", "low", "most_spots", "not_set", "numbering", "occupied", "order",
    "percent", "position_numbering", "rounds", "seat", "seats", "sign_in_hours", "slip_seconds", "spots",
    "start_position", "times", "version", "form_multiple", "withholding_percent", "reprint", "since", "until",
    "committed_at", "whole_since", "known_at", "report_due_at", "check_by", "kept_until",
}  # fmt: skip
"""Fields of commands and answers whose numbers are no money: counts, places and times."""


def numbers(fields: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], dict[str, Any] | Any, int]]:
    """Every number with the names that lead to it, and the same shape with nothing else in it."""
    if isinstance(fields, int) and not isinstance(fields, bool):
        yield path, fields, fields
    elif isinstance(fields, list):
        for each in fields:
            yield from ((found, [shape], value) for found, shape, value in numbers(each, path))
    elif isinstance(fields, dict):
        setting = {name: fields[name] for name in ("name", "setting") if "value" in fields and name in fields}
        for name, each in fields.items():
            called = next(iter(setting.values()), name) if name == "value" else name
            for found, shape, value in numbers(each, (*path, called)):
                yield found, {**setting, name: shape} if name == "value" else {name: shape}, value


def test_every_amount_of_every_answer_is_told_in_its_own_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rooms that play by themselves: a number is told in dollars unless its field is one of those without money."""
    from houseway.manager.core.records import Event
    from houseway.manager.store.event_body import Body
    from instruments.simulator import runner

    met: set[str] = set()
    wrong: list[str] = []
    entered = runner._entry

    def entry(event: Event) -> Any:
        body = msgspec.json.decode(event.body, type=Body)
        for path, shape, value in (*numbers(body.answer), *numbers(body.do)):
            text, own = words(shape), path[-1]
            met.add(own)
            if own in PLAIN:
                is_right = "$" not in text
            elif any(name.endswith("micros") for name in path):
                is_right = f" {dollars(value)}" in text
            else:
                is_right = f" {cents_text(value)}" in text
            if not is_right:
                wrong.append(f"{event.kind}: {text}")
        return entered(event)

    monkeypatch.setattr(runner, "_entry", entry)
    for seed in range(8):
        runner.run_seed(seed)
    assert not wrong, sorted(set(wrong))[:20]
    assert met >= {"meter_micros", "cents", "whole_since", "surveillance_threshold", "envy_taken_back", "stake"}


def test_no_message_of_the_manager_tells_an_amount_in_cents_or_millionths() -> None:
    """People read dollars: a formatted amount followed by a unit of the books is a slip."""
    raw = re.compile(r"""f["'][^"'\n]*\{[^}\n]*\} (cents|micros|millionths)\b""")
    folders = [
        Path(houseway.__file__).parent / "manager" / name for name in ("core", "handlers", "store", "controller")
    ]
    found = [
        f"{path.name}:{number}: {line.strip()}"
        for folder in folders
        for path in sorted(folder.glob("*.py"))
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if raw.search(line)
    ]
    assert found == []


def test_nothing_is_said_of_envy_where_the_hand_brings_none(house: House, where: list[str]) -> None:
    from houseway.manager.interface.local import LocalManager
    from houseway.manager.store.keys import load_keys

    with house.open() as manager:
        told = LocalManager(manager, load_keys(house.keys).fingerprint)

        def do(kind: str, **fields: Any) -> dict[str, Any]:
            return told.send(command_of({"kind": kind, **fields}), actor=DEALER).answer.to_json()

        round_ = do("round.start", table="T1", sensors={"1": [2, 5]})["round"]
        do("hand.press", round=round_, seat=5, hand="full-house")
        (hit,) = do("jackpot.hit", round=round_)["awards"]
        assert (hit["status"], hit["envy"]) == ("paid", None)
        do("round.end", round=round_)
    proposed = call("jackpot", "back-out", hit["award"], "--actor", SUPERVISOR, *options(**SURE), *where)
    assert proposed.code == 0, proposed.err
    assert "stays paid" not in proposed.out
    done = call("change", "approve", proposed.out.split()[2], "--actor", EXECUTIVE, "--yes", *where)
    assert f"seat 5, full-house, {cents_text(hit['cents'])}" in done.out
    assert "envy" not in done.out
