"""`houseway audit` as people and programs call it, on a database file with real play in it."""

from __future__ import annotations

import json
import random
import re
import shutil
from pathlib import Path

import pytest

from houseway.api.arguments import Arguments
from houseway.manager.store import sqlite
from houseway.manager.store.reading import open_view
from tests.cli.runner import Run, call, spawn
from tests.manager.audit.house import House
from tests.manager.audit.play import Played, play
from tests.manager.floors import AUDITOR, DAY

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "cli.md"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Played:
    folder = tmp_path_factory.mktemp("audit")
    return play(f"sqlite:///{folder / 'house.db'}", folder)


@pytest.fixture
def database(made: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy that a test may damage, named by the environment; the key folder's copy stands beside it."""
    source = Path(made.url.removeprefix("sqlite:///"))
    shutil.copy(source, tmp_path / "house.db")
    shutil.copytree(made.keys, tmp_path / "keys")
    monkeypatch.setenv("HOUSEWAY_DATABASE", str(tmp_path / "house.db"))
    return tmp_path / "house.db"


def tamper(database: Path, *statements: str) -> None:
    """Change a file as somebody does who has it: without guards, and without leaving them off."""
    connection = sqlite.connect(database)
    guards = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in guards:
        connection.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        connection.execute(statement)
    for _, sql in guards:
        connection.execute(sql)
    connection.close()


def keys(database: Path) -> tuple[str, str]:
    return "--keys", str(database.parent / "keys")


def section_keys(name: str) -> set[str]:
    """The keys that the reference tells of a command."""
    found = re.search(rf"^### audit {name}$(.*?)(?=^##|\Z)", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert found is not None
    return set(re.findall(r"`([a-z_]+)`", found[1]))


# Verify


def test_verify_a_clean_journal(made: Played, database: Path) -> None:
    run = call("audit", "verify", *keys(database), "--archive", str(made.archive), "--json")
    assert run.code == 0, run.out
    report = run.json
    assert report.keys() <= section_keys("verify")
    assert (report["clean"], report["found"], report["findings"], report["notes"]) == (True, 0, [], [])
    assert report["from"] == made.archived.up_to + 1
    text = call("audit", "verify", str(database))
    assert text.code == 0
    assert "nothing was found" in text.out
    assert "note: " in text.out
    assert call("audit", "verify", f"sqlite:///{database}", *keys(database), "--json").json["notes"] != []


def first_transfer(database: Path) -> tuple[int, int]:
    connection = sqlite.connect(database)
    ((seq, line),) = connection.execute("SELECT seq, line FROM transfers ORDER BY seq, line LIMIT 1").fetchall()
    connection.close()
    return seq, line


def test_findings_as_json_and_text(database: Path) -> None:
    seq, line = first_transfer(database)
    tamper(database, f"UPDATE transfers SET micros = micros + 1 WHERE seq = {seq} AND line = {line}")
    run = call("audit", "verify", *keys(database), "--json")
    assert run.code == 1
    (finding,) = run.json["findings"]
    assert (finding["table"], finding["row"], finding["problem"], finding["file"]) == (
        "transfers", f"{seq}/{line}", "altered", None,
    )  # fmt: skip
    assert "micros is" in finding["message"]
    text = call("audit", "verify", *keys(database))
    assert text.code == 1
    assert f"found: transfers {seq}/{line}: micros is" in text.out
    assert "1 found" in text.out


def test_listed_findings_are_capped(database: Path) -> None:
    tamper(database, "DELETE FROM lines", "UPDATE events SET actor = 'nobody'")
    run = call("audit", "verify", "--listed", "3")
    assert run.code == 1
    assert len(re.findall(r"^found: ", run.out, re.MULTILINE)) == 3
    assert re.search(r"\.\.\. and [\d,]+ more", run.out)


def test_a_cut_off_tail_is_found_by_the_anchor_and_by_a_receipt(database: Path) -> None:
    seq = call("audit", "verify", "--json").json["to"]
    receipt = f"{seq}:{call('audit', 'verify', '--json').json['hash'][:20]}"
    assert call("audit", "verify", "--witness", receipt).code == 0
    tables = ("checkpoints", "transfers", "rounds", "lines", "hits", "events")
    # The last event is a deal, which sealed the seed of the table's next one.
    tamper(database, "PRAGMA foreign_keys = OFF", *(f"DELETE FROM {table} WHERE seq >= {seq - 1}" for table in tables))
    found = call("audit", "verify", "--witness", receipt, "--json").json["findings"]
    assert ("witness", str(seq), "cut-off") in [(each["table"], each["row"], each["problem"]) for each in found]
    found = call("audit", "verify", *keys(database), "--json").json["findings"]
    assert ("anchor", "cut-off") in [(each["table"], each["problem"]) for each in found]


def test_public_keys(made: Played, database: Path, tmp_path: Path) -> None:
    (public,) = made.keys.glob("*.pub")
    run = call("audit", "verify", "--public-key", str(public), "--json")
    assert run.code == 0
    assert not any("--public-key" in note for note in run.json["notes"])
    from houseway.manager.store.keys import create_keys

    create_keys(tmp_path / "other")
    (other,) = (tmp_path / "other").glob("*.pub")
    run = call("audit", "verify", "--public-key", str(other), "--json")
    assert [finding["problem"] for finding in run.json["findings"]] == ["wrong-keys"]
    both = call("audit", "verify", "--public-key", str(other), "--public-key", str(public), "--json")
    assert both.code == 0


def test_the_keys_of_another_journal_are_one_finding(made: Played, database: Path, tmp_path: Path) -> None:
    """Not eighty that look like tampering; what else is wrong is still found."""
    House(f"sqlite:///{tmp_path / 'other.db'}", tmp_path / "other").close()
    for arguments in ([], [str(made.archive)]):
        run = call("audit", "verify", *arguments, "--keys", str(tmp_path / "other"), "--json")
        assert run.code == 1
        (finding,) = run.json["findings"]
        assert finding["problem"] == "wrong-keys"
        assert "name the key folder or the public key of this journal" in finding["message"]
    seq, line = first_transfer(database)
    tamper(database, f"UPDATE transfers SET micros = micros + 1 WHERE seq = {seq} AND line = {line}")
    both = call("audit", "verify", "--keys", str(tmp_path / "other"), "--json").json["findings"]
    assert [finding["problem"] for finding in both] == ["wrong-keys", "altered"]


@pytest.mark.parametrize(
    ("arguments", "faults"),
    [
        (["verify", "/no/such/file"], [("unreadable-file", "file")]),
        (["verify", __file__], [("no-journal", "file")]),
        (["verify", "--witness", "17", "--from", "x"], [("bad-witness", "witness"), ("not-an-integer", "from")]),
        (["verify", "--keys", "/no/keys"], [("keys-missing", "/no/keys/signing.pem")]),
        (["verify", "--public-key", "/no/key"], [("unreadable-file", "public-key")]),
        (["verify", "--public-key", __file__], [("keys-damaged", "public-key")]),
        (["verify", "--public-key", "a", "--keys", "b"], [("conflicting-options", "public-key")]),
        (["rounds", "--from", "soon", "--seat", "x"], [("bad-time", "from"), ("not-an-integer", "seat")]),
        (["round", "T9-1"], [("unknown-round", "round")]),
        (["account", "meter/L9/main"], [("unknown-account", "account")]),
        (["as-of", "2025-13-01", "moon"], [("bad-time", "date"), ("bad-choice", "section")]),
        (["reconcile", "--day", "2025-01-01", "--from", "2025-01-01"], [("conflicting-options", "day")]),
        (["reconcile", "--day", "2024-12-31"], [("archived", "day")]),
        (["reconcile", "--day", "2999-01-01"], [("no-events", "day")]),
        (["reconcile", "--from", "2025-03-03", "--to", "2025-03-02"], [("bad-time", "to")]),
        (
            ["rounds", "--at-least", "x", "--at-most", "y"],
            [("not-an-integer", "at-least"), ("not-an-integer", "at-most")],
        ),
        (["as-of", "2024-12-31"], [("archived", "date")]),
        (["export", "/no/folder/x.jsonl"], [("unwritable-file", "file")]),
        (["export", "x", "--from", "1"], [("out-of-range", "from")]),
        (["rounds", "--archive", __file__], [("no-journal", "archive")]),
        (["nothing"], [("unknown-command", "")]),
    ],
)
def test_bad_input(database: Path, arguments: list[str], faults: list[tuple[str, str]]) -> None:
    run = call("audit", *arguments, "--json")
    assert run.code == 2
    assert run.faults[: len(faults)] == faults


def test_without_a_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOUSEWAY_DATABASE", raising=False)
    for command in ("verify", "rounds", "events", "reconcile"):
        assert call("audit", command, "--json").faults == [("missing-argument", "database")]


def test_the_hint_names_the_commands_below() -> None:
    assert "did you mean reconcile?" in call("audit", "reconcil").err


# Files


def test_export_and_verify_the_file(made: Played, database: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl.gz"
    run = call("audit", "export", str(target), *keys(database), "--json")
    assert run.code == 0
    assert run.json.keys() <= section_keys("export")
    checked = call("audit", "verify", str(target), *keys(database), "--json").json
    assert (checked["clean"], checked["hash"]) == (True, run.json["hash"])
    assert call("audit", "export", str(target)).code == 2
    part = tmp_path / "part.jsonl"
    # Two events, neither of which names a stored state.
    with open_view(made.url) as view:
        named = {event.seq for event in view.events() if event.kind == "system.snapshot"}
    first = next(seq for seq in range(run.json["first"] + 3, run.json["last"]) if not named & {seq, seq + 1})
    last = first + 1
    some = call("audit", "export", str(part), "--from", str(first), "--to", str(last))
    assert f"events {first} to {last}" in some.out
    data = part.read_text()
    assert "taken on trust" in " ".join(call("audit", "verify", str(part)).out.split())
    part.write_text(data.replace('{"event":{"actor":"', '{"event":{"actor":"x', 1))
    assert call("audit", "verify", str(part)).code == 1
    # The archive is a journal file like any other.
    assert call("audit", "verify", str(made.archive), *keys(database)).code == 0
    assert call("audit", "verify", str(part), "--archive", str(made.archive), "--json").codes == ["conflicting-options"]


def test_archive(database: Path, tmp_path: Path) -> None:
    """The clock of the command is the machine's: what was played in 2025 is old enough."""
    target = tmp_path / "more.jsonl"
    arguments = ["archive", *keys(database), "--before", "2025-06-01", "--to", str(target), "--by", AUDITOR, "--json"]
    too_young = call("audit", *arguments)
    assert too_young.codes == ["too-young"]
    from houseway.manager.store.manager import open_manager

    open_manager(f"sqlite:///{database}", database.parent / "keys").close()
    run = call("audit", *arguments)
    assert run.code == 0, run.out
    assert run.json.keys() <= section_keys("archive")
    assert call("audit", "verify", *keys(database), "--archive", str(target)).code == 0
    again = call("audit", *[word if word != str(target) else str(tmp_path / "x.jsonl") for word in arguments])
    assert again.codes == ["nothing-to-archive"]
    other = call("audit", *arguments[:-1], "--by", "x")
    assert other.code == 2


# Searches


@pytest.mark.parametrize(
    ("text", "cents"), [("100000", 100_000), ("1000.00", 100_000), ("$1,000", 100_000), ("$0.05", 5), ("1,000", 1_000)]
)
def test_amounts_are_cents_or_dollars(text: str, cents: int) -> None:
    arguments = Arguments()
    assert (arguments.amount(text, "at-least", 10**18), arguments.found()) == (cents, [])


@pytest.mark.parametrize("text", ["1000.0", "10.005", "$", "-$5.00", "$1e3", "x", "-5"])
def test_amounts_that_are_none_are_refused(text: str) -> None:
    arguments = Arguments()
    assert arguments.amount(text, "at-least", 10**18) is None
    assert [fault.path for fault in arguments.found()] == ["at-least"]


def test_rounds(made: Played, database: Path) -> None:
    found = call("audit", "rounds", "--hand", "royal-flush-royal-match", "--archive", str(made.archive), "--json").json
    assert [each["round"] for each in found["rounds"]] == [made.rounds[1], made.old_rounds[2]]
    assert set(found["rounds"][0]) | set(found["rounds"][0]["lines"][0]) <= section_keys("rounds")
    text = call("audit", "rounds", "--table", "T1", "--limit", "2").out
    assert made.rounds[3] in text
    assert "2 rounds" in text
    unknown = call("audit", "rounds", "--table", "T9").out
    assert "there is no table 'T9' here" in unknown
    assert "0 rounds" in unknown
    misspelt = call("audit", "rounds", "--hand", "royalflush", "--dealer", "Dealer 71", "--json").json
    assert misspelt["rounds"] == []
    assert "no person 'Dealer 71'" in misspelt["notes"][0]
    assert "'royalflush' here: did you mean royal-flush" in misspelt["notes"][1]
    assert call("audit", "rounds", "--hand", "five-aces", "--table", "T1", "--json").json == {"rounds": [], "notes": []}
    day = call("audit", "rounds", "--from", "2025-03-02", "--to", "2025-03-02", "--json").json["rounds"]
    assert {each["round"] for each in day} == set(made.rounds)
    assert call("audit", "rounds", "--to", "2025-03-01", "--from", "2025-02-01", "--json").json["rounds"] == []


def test_round(made: Played, database: Path) -> None:
    told = call("audit", "round", made.rounds[4], "--json")
    assert told.code == 0
    assert told.json["deal"]["matches"] is True
    known = section_keys("round") | {"kind", "hash"}
    assert set(told.json) | set(told.json["events"][0]) | set(told.json["deal"]) <= known
    text = call("audit", "round", made.rounds[1]).out
    for part in (
        "jackpot.pay by Dealer 17",
        "contribution $1.00: debit receipts/T",
        "royal-flush-royal-match",
        "ended",
    ):
        assert part in text
    assert re.search(r"^ +paid by Executive 1", text, re.MULTILINE)
    assert re.search(r"^award .*, paid by Executive 1", text, re.MULTILINE)
    dealt = call("audit", "round", made.rounds[4]).out
    assert "every card follows from the revealed seed" in dealt
    for place in ("dealer", "seat 1", "seat 2", "seat 5"):
        assert re.search(rf"^{place}: (\w\w ){{6}}\w\w: high .* \| low ", dealt, re.MULTILINE), place
    open_text = call("audit", "round", made.open_round)
    assert open_text.code == 0
    assert "not revealed yet" in open_text.out
    assert not re.search(r"\b[2-9TJQKA][shdc]\b", open_text.out)
    deal = call("audit", "round", made.open_round, "--json").json["deal"]
    assert (deal["reveal"], deal["hands"]) == (None, None)
    assert "in play" in open_text.out


def test_the_reveal_of_a_round_is_what_replay_and_settle_read(made: Played, database: Path, tmp_path: Path) -> None:
    told = call("audit", "round", made.rounds[4], "--json").json
    deal, file = told["deal"], tmp_path / "round.json"
    file.write_text(json.dumps(deal["reveal"]))
    assert call("replay", str(file)).code == 0
    assert {place: sorted(hand["high"] + hand["low"]) for place, hand in deal["hands"].items()} == {
        "dealer": sorted(deal["reveal"]["dealer"]),
        **{str(seat["seat"]): sorted(seat["cards"]) for seat in deal["reveal"]["seats"]},
    }
    assert set(deal["hands"]["dealer"]) <= section_keys("round")


def test_a_replay_that_differs_ends_with_1(made: Played, database: Path) -> None:
    """The record of a revealed card is exchanged for another one."""
    connection = sqlite.connect(database)
    rows = connection.execute("SELECT seq, body FROM events WHERE kind = 'round.end'").fetchall()
    connection.close()
    seq, body = next((seq, body) for seq, body in rows if made.rounds[5] in body and '"reveal"' in body)
    changed = json.loads(body)
    cards = changed["answer"]["reveal"]
    cards["dealer"][0], cards["leftover"][0] = cards["leftover"][0], cards["dealer"][0]
    text = json.dumps(changed).replace("'", "''")
    tamper(database, f"UPDATE events SET body = '{text}' WHERE seq = {seq}")
    run = call("audit", "round", made.rounds[5])
    assert run.code == 1
    assert "the record differs from its replay" in run.out


def test_account(made: Played, database: Path) -> None:
    run = call("audit", "account", "meter/L1/main", "--archive", str(made.archive), "--json")
    told = run.json
    assert set(told) | set(told["transfers"][0]) <= section_keys("account") | {"kind"}
    assert (told["opening"], told["owed"], told["cut"]) == (0, True, False)
    assert sum(each["micros"] for each in told["transfers"]) == told["closing"]
    text = call("audit", "account", "meter/L1/main", "--limit", "2").out
    assert "more follow" in text
    assert "+$1.00" in text


def test_events(made: Played, database: Path) -> None:
    told = call("audit", "events", "--kind", "jackpot.", "--archive", str(made.archive), "--json").json["events"]
    assert {each["kind"].split(".")[0] for each in told} == {"jackpot"}
    assert "badge" not in told[-1]["do"]
    text = call("audit", "events", "--actor", "Supervisor 3").out
    assert "jackpot.reject" in text
    assert "1 event\n" in text
    paid = call("audit", "events", "--kind", "jackpot.pay", "--person", "Executive 1", "--json").json["events"]
    assert {each["actor"] for each in paid} == {"Dealer 17"}
    assert paid[0]["people"] == [{"as": "paid_by", "person": "Executive 1"}]
    assert set(paid[0]["people"][0]) | {"people", "reference"} <= section_keys("round")
    assert "paid by Executive 1" in call("audit", "events", "--kind", "jackpot.pay").out


def test_people_are_found_by_name_and_unknown_ones_are_noted(database: Path) -> None:
    by_id = call("audit", "events", "--person", "Supervisor 3", "--json").json
    assert call("audit", "events", "--person", "supervisor 3", "--json").json == by_id
    assert by_id["events"]
    assert by_id["notes"] == []
    assert "did you mean jackpot." in call("audit", "events", "--kind", "jackpots.").out
    for option in ("--actor", "--person"):
        found = call("audit", "events", option, "Supervisor 33", "--json").json
        assert found["events"] == []
        assert "did you mean Supervisor 3" in found["notes"][0]


def test_as_of(made: Played, database: Path) -> None:
    told = call("audit", "as-of", "2025-03-02", "--json").json
    assert set(told) - set("people links tables settings papers".split()) <= section_keys("as-of") | {"hash"}
    assert told["rules"]["fingerprints"].keys() >= {"software/games", "game/fortune", "paytables"}
    before = call("audit", "as-of", "2025-01-01T12:00:40", "links", "--archive", str(made.archive), "--json").json
    assert before["links"][0]["levels"]["main"]["contribution"] == "1/3"
    assert "people" not in before
    text = call("audit", "as-of", "2025-03-02").out
    for part in ("people: ", "links: 1", "papers: ", "contribution 1/3", "software "):
        assert part in text
    # Amounts, times and empty values as people read them.
    for part in (
        "meter $505.08",
        "wager $1.00",
        "since 2025-",
        "surveillance_threshold $3,000.00 (default: card room rules",
    ):
        assert part in text
    for part in ("None", "True", "{'", "since 17"):
        assert part not in text


def test_reconcile_a_day_without_events(database: Path) -> None:
    run = call("audit", "reconcile", "--day", "2025-03-10", "--json")
    assert (run.code, run.json["events"]) == (0, None)
    text = call("audit", "reconcile", "--day", "2025-03-10").out
    assert "no events: nothing was moved" in text
    assert " to 10" not in text
    assert call("audit", "reconcile", "--day", "soon", "--json").faults == [("bad-time", "day")]


def test_reconcile_a_day_before_the_journal(tmp_path: Path) -> None:
    House(f"sqlite:///{tmp_path / 'new.db'}", tmp_path / "new").close()
    run = call("audit", "reconcile", "--day", "2020-01-01", "--database", str(tmp_path / "new.db"), "--json")
    assert run.faults == [("no-events", "day")]
    one = call("audit", "reconcile", "--database", str(tmp_path / "new.db"))
    assert "1 check, none fails" in one.out
    assert "1 event," in call("audit", "verify", str(tmp_path / "new.db")).out


def test_reconcile(database: Path) -> None:
    run = call("audit", "reconcile", "--json")
    assert (run.code, run.json["agrees"]) == (0, True)
    rows = [run.json, run.json["accounts"][0], run.json["levels"][0], run.json["checks"][0]]
    assert {key for row in rows for key in row} <= section_keys("reconcile")
    # The gaming day began at 6 by the clocks of Los Angeles.
    assert run.json["since"] % DAY == 14 * 3_600_000_000
    same = call("audit", "reconcile", "--day", "2025-03-01", "--json").json
    assert same["accounts"] == run.json["accounts"]
    text = call("audit", "reconcile")
    assert "none fails" in text.out
    seq, line = first_transfer(database)
    tamper(database, f"UPDATE transfers SET micros = micros + 1 WHERE seq = {seq} AND line = {line}")
    run = call("audit", "reconcile")
    assert run.code == 1
    assert "does not agree: house: stored balance" in run.out


def test_a_password_in_the_url_is_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    run = call("audit", "verify", "postgresql://house:geheim@127.0.0.1:1/none", "--json")
    assert run.codes == ["unreadable-database"]
    assert "geheim" not in run.out + run.err


def test_as_a_process(database: Path) -> None:
    run: Run = spawn("audit", "verify", str(database), "--json")
    assert run.code == 0
    assert run.json["clean"] is True


def test_text_cannot_steer_the_terminal(database: Path) -> None:
    tamper(database, "UPDATE events SET actor = 'a' || char(27) || '[31mb' WHERE seq = (SELECT max(seq) FROM events)")
    for command in (["events", "--limit", "1"], ["verify"]):
        assert "\x1b" not in call("audit", *command).out


def test_flipped_bits_anywhere_in_the_file_never_end_in_a_crash(made: Played, database: Path) -> None:
    """A damaged disk, not a forger: whatever cannot be read is told as a finding or as bad input."""
    data = database.read_bytes()
    source = random.Random(4711)
    codes = set()
    for _ in range(40):
        place = source.randrange(len(data))
        damaged = bytearray(data)
        damaged[place] ^= 1 << source.randrange(8)
        database.write_bytes(damaged)
        for leftover in database.parent.glob("house.db-*"):
            leftover.unlink()
        run = call("audit", "verify", *keys(database), "--json")
        assert run.code in (0, 1, 2), (place, run.out)
        codes.add(run.code)
        for command in (["rounds"], ["events", "--limit", "1000"], ["round", made.rounds[4]], ["reconcile"]):
            assert call("audit", *command, "--json").code in (0, 1, 2), (place, command)
    assert 1 in codes


def _is_found(database: Path, data: bytes, place: int) -> bool:
    """Whether the audit finds one bit that has changed."""
    database.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
    return call("audit", "verify", *keys(database)).code == 1


def test_a_flipped_bit_in_a_row_is_found(database: Path) -> None:
    data = database.read_bytes()
    for text in (b"royal-flush-royal-match", b"Dealer 17", b"meter/L1/main"):
        # Pages that hold nothing any more keep old text: of all its places some lie in rows.
        places = [found.start() for found in re.finditer(re.escape(text), data)]
        assert any(_is_found(database, data, place) for place in reversed(places)), text
