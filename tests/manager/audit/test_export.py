"""Exported files: whole, verifiable without a database, and every change to them found."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from houseway.errors import InputError, MissingPartError
from houseway.manager.store import export
from houseway.manager.store.export import open_journal_file, write_journal
from houseway.manager.store.findings import PROBLEMS
from houseway.manager.store.journal_audit import AuditReport, verify_file
from houseway.manager.store.keys import create_keys
from houseway.manager.store.reading import open_view
from houseway.manager.store.trust import Trust, Witness
from tests.manager.audit.play import Played

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "guides" / "audit.md"


def exported(played: Played, folder: Path) -> Path:
    """The live part of the journal in a file."""
    with open_view(played.url) as view:
        write_journal(view, folder / "whole.jsonl", played.trust.hex_keys(), view.bounds()[0])
    return folder / "whole.jsonl"


@pytest.fixture
def whole(on_sqlite: Played, tmp_path: Path) -> Path:
    """A file to change."""
    return exported(on_sqlite, tmp_path)


def problems(report: AuditReport) -> set[tuple[str, str]]:
    return {(finding.table, finding.problem) for finding in report.findings}


def test_a_file_is_clean_and_says_what_it_holds(played: Played, tmp_path: Path) -> None:
    whole = exported(played, tmp_path)
    report = verify_file(whole, played.trust)
    assert (report.found, report.notes) == (0, [])
    assert (report.first, report.hash) == (played.archived.up_to + 1, whole_hash(whole))
    without = verify_file(whole, Trust())
    assert without.is_clean
    assert "give --public-key" in without.notes[0]


def whole_hash(path: Path) -> str:
    return str(json.loads(path.read_text().splitlines()[-1])["end"]["hash"])


def test_parts_and_compression(played: Played, tmp_path: Path) -> None:
    first = played.archived.up_to + 8
    with open_view(played.url) as view:
        for name in ("part.jsonl", "part.jsonl.gz", "again.jsonl.gz"):
            written = write_journal(view, tmp_path / name, {}, first, first + 20)
            assert (written.first, written.last, written.events) == (first, first + 20, 21)
    assert gzip.decompress((tmp_path / "part.jsonl.gz").read_bytes()) == (tmp_path / "part.jsonl").read_bytes()
    assert (tmp_path / "part.jsonl.gz").read_bytes() == (tmp_path / "again.jsonl.gz").read_bytes()
    report = verify_file(tmp_path / "part.jsonl.gz", played.trust)
    # A part may end within a group, whose signature comes later.
    assert problems(report) <= {("events", "unsigned")}


def test_what_cannot_be_exported(played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_view(played.url) as view:
        first, last = view.bounds()
        for low, high in ((first - 1, last), (first, last + 1), (last, first)):
            with pytest.raises(InputError, match="cannot be exported"):
                write_journal(view, tmp_path / "bad.jsonl", {}, low, high)
        (tmp_path / "there.jsonl").write_text("mine")
        with pytest.raises(InputError, match="exists already"):
            write_journal(view, tmp_path / "there.jsonl", {}, first)
        with pytest.raises(InputError, match="cannot be written"):
            write_journal(view, tmp_path / "no" / "folder.jsonl", {}, first)

        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(export, "_write_items", full)
        with pytest.raises(MissingPartError, match="No space left"):
            write_journal(view, tmp_path / "full.jsonl", {}, first)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["there.jsonl"]
    assert (tmp_path / "there.jsonl").read_text() == "mine"


def test_every_changed_line_is_found(on_sqlite: Played, whole: Path) -> None:
    lines = whole.read_text().splitlines()
    assert '"state"' in lines[1][:10]
    for place, line in enumerate(lines):
        # One digit is another one.
        digit = next(found for found in re.finditer(r"\d", line[len(line) // 3 :] + line))
        at = len(line) // 3 + digit.start()
        changed = line[:at] + ("1" if line[at] == "0" else "0") + line[at + 1 :]
        if json_or_none(changed) == json.loads(line):
            continue
        whole.write_text("\n".join([*lines[:place], changed, *lines[place + 1 :]]) + "\n")
        assert not verify_file(whole, on_sqlite.trust).is_clean or is_only_told(changed, place), (place, changed[:300])


def json_or_none(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def is_only_told(line: str, place: int) -> bool:
    """The keys in the first line are only told: with keys of one's own nobody looks at them."""
    return place == 0 and '"keys"' in line


def test_a_line_taken_out_doubled_or_moved_is_found(on_sqlite: Played, whole: Path) -> None:
    lines = whole.read_text().splitlines(keepends=True)
    for place in (1, 2, 3, len(lines) // 2, len(lines) // 2 + 1, len(lines) - 2, len(lines) - 1):
        for changed in (
            [*lines[:place], *lines[place + 1 :]],
            [*lines[:place], lines[place], *lines[place:]],
            [*lines[: place - 1], lines[place], lines[place - 1], *lines[place + 1 :]] if place > 1 else lines[:place],
        ):
            whole.write_text("".join(changed))
            assert not verify_file(whole, on_sqlite.trust).is_clean, place


def test_a_file_cut_off_anywhere_is_found(on_sqlite: Played, whole: Path, tmp_path: Path) -> None:
    data = whole.read_bytes()
    packed = gzip.compress(data)
    first_line = data.index(b"\n") + 1
    for size in (first_line, first_line + 100, len(data) // 2, len(data) - 1):
        whole.write_bytes(data[:size])
        assert ("file", "cut-off") in problems(verify_file(whole, on_sqlite.trust)), size
    for size in (len(packed) // 2, len(packed) - 4):
        (tmp_path / "cut.jsonl.gz").write_bytes(packed[:size])
        assert not verify_file(tmp_path / "cut.jsonl.gz", on_sqlite.trust).is_clean


def test_a_tail_taken_off_with_an_end_made_anew_needs_a_witness(on_sqlite: Played, whole: Path) -> None:
    lines = whole.read_text().splitlines()
    last = json.loads([line for line in lines if line.startswith('{"event"')][-1])["event"]
    header, end = json.loads(lines[0]), json.loads(lines[-1])["end"]
    cut = lines[:-3]
    while not cut[-1].startswith('{"checkpoint"'):
        cut.pop()
    events = [json.loads(line)["event"] for line in cut if line.startswith('{"event"')]
    header["to"] = events[-1]["seq"]
    signed = sum(line.startswith('{"checkpoint"') for line in cut)
    end |= {"events": len(events), "checkpoints": signed, "hash": events[-1]["hash"]}
    whole.write_text("\n".join([json.dumps(header), *cut[1:], json.dumps({"end": end})]) + "\n")
    assert verify_file(whole, on_sqlite.trust).is_clean
    report = verify_file(whole, on_sqlite.trust, witnesses=[Witness(last["seq"], last["hash"])])
    assert problems(report) == {("witness", "cut-off")}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"{}\n",
        b'{"houseway":"journal"}\n',
        b"\x1f\x8bgarbage",
        b"\xff\xfe\n",
        b'["journal"]\n',
        b"{" * 100_000,
    ],
)
def test_what_is_no_journal_is_bad_input(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad").write_bytes(content)
    with pytest.raises(InputError) as caught:
        verify_file(tmp_path / "bad", Trust())
    assert {fault.code for fault in caught.value.faults} == {"no-journal"}


def test_a_newer_format_is_refused(whole: Path) -> None:
    lines = whole.read_text().splitlines(keepends=True)
    whole.write_text("".join([lines[0].replace('"version":1', '"version":2'), *lines[1:]]))
    with pytest.raises(InputError, match="has the format 2"), open_journal_file(whole):
        pass


# The guide


def guide_program() -> str:
    (found,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    return str(found)


def run_guide(path: Path, key: Path) -> subprocess.CompletedProcess[str]:
    """Run the guide's program in a Python that sees nothing but its own standard library."""
    command = [sys.executable, "-I", "-S", "-c", guide_program(), str(path), str(key)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_guides_program_verifies_a_file_without_houseway(played: Played, tmp_path: Path) -> None:
    (key,) = played.keys.glob("*.pub")
    done = run_guide(played.archive, key)
    assert done.returncode == 0, done.stderr
    assert sum(bool(line.strip()) for line in guide_program().splitlines()) <= 40
    assert done.stdout.startswith(f"{played.archived.up_to + 1} events verified")
    assert "sum to 0" in done.stdout
    lines = gzip.decompress(played.archive.read_bytes()).decode().splitlines(keepends=True)
    events = [place for place, line in enumerate(lines) if line.startswith('{"event"')]
    for place, old, new in (
        (events[3], '"at":1', '"at":2'),
        (events[len(events) // 2], '"actor":"', '"actor":"x'),
        (events[-1], '"body":"{', '"body":"{ '),
        (len(lines) - 2, '"at":1', '"at":2'),
    ):
        changed = lines[place].replace(old, new, 1)
        assert changed != lines[place]
        (tmp_path / "bad.jsonl").write_text("".join([*lines[:place], changed, *lines[place + 1 :]]))
        assert run_guide(tmp_path / "bad.jsonl", key).returncode != 0, lines[place]
    create_keys(tmp_path / "other")
    (other,) = (tmp_path / "other").glob("*.pub")
    assert "not by this key" in run_guide(played.archive, other).stderr


def test_the_guide_tells_every_problem() -> None:
    told = dict(re.findall(r"^\| `([a-z-]+)` \| (.*) \|$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE))
    assert told == PROBLEMS
