"""A witness cosigns what has grown, sounds the alarm at everything else, and forgets nothing over a restart."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from houseway.errors import InputError, MissingPartError
from houseway.proofs.head_updates import HeadUpdate
from houseway.proofs.merkle import consistency_path, node_source, tree_root
from houseway.proofs.notes import NoteKey, SignedNote, sign_note
from houseway.proofs.tree_heads import SignedHead, TreeHead, read_head
from houseway.witness.cosigner import PATIENCE, Cosigner
from houseway.witness.seen_heads import MOST_ALARMS
from houseway.witness.witness_files import HEADS, begin_witness, watch_log
from tests.cli.runner import call
from tests.proofs.test_merkle import LEAVES, NODES
from tests.proofs.test_notes import LOG, ORIGIN, WITNESS, _secret, signed_head

NAME = "regulator.example/w1"


def update(old: int, new: int, nodes: object = NODES) -> str:
    head = TreeHead(ORIGIN, new, tree_root(new, nodes))  # type: ignore[arg-type]
    signed = SignedHead(head, SignedNote(head.text(), (sign_note(head.text(), LOG, _secret(1).sign),)))
    return HeadUpdate(old, tuple(consistency_path(old, new, nodes)), signed).written()  # type: ignore[arg-type]


REWRITTEN = node_source([LEAVES[7], *LEAVES[1:]])


class Watching:
    """A witness and its key, opened again for every head."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.key = begin_witness(folder, NAME, [LOG])
        self.now = 1_700_000_000

    def cosign(self, text: str, *, is_newest: bool = False) -> SignedHead:
        found = Cosigner(self.folder, lambda: self.now)
        try:
            return found.cosign(text, is_newest=is_newest).signed
        finally:
            found.seen.close()

    def alarms(self) -> list[str]:
        found = Cosigner(self.folder, lambda: self.now)
        try:
            return [alarm.code for alarm in found.seen.alarms()]
        finally:
            found.seen.close()

    def older(self) -> list[int]:
        found = Cosigner(self.folder, lambda: self.now)
        try:
            return [each.signed.head.size for each in found.seen.older(ORIGIN)]
        finally:
            found.seen.close()

    def refused(self, text: str, *, is_newest: bool = False) -> str:
        with pytest.raises(InputError) as error:
            self.cosign(text, is_newest=is_newest)
        return error.value.faults[0].code


@pytest.fixture
def watching(tmp_path: Path) -> Watching:
    return Watching(tmp_path / "witness")


def test_what_has_grown_is_cosigned(watching: Watching) -> None:
    first = watching.cosign(signed_head(100).note.written())
    watching.now += 60
    second = watching.cosign(update(100, 300))
    for signed, at in ((first, 1_700_000_000), (second, 1_700_000_060)):
        log, witness = read_head(signed.note.written()).signers([LOG, watching.key])
        assert (log.key, witness.key, witness.at) == (LOG, watching.key, at)
    watching.now += 60
    assert watching.cosign(update(300, 300)) == second, "the same head again gets the same cosignature"
    assert watching.cosign(signed_head(300).note.written()) == second
    assert watching.alarms() == []


def test_a_history_that_was_written_again_is_an_alarm(watching: Watching) -> None:
    """Signed with the log's own key, with a path that is true for the new history."""
    watching.cosign(update(0, 100))
    assert watching.refused(update(100, 300, REWRITTEN)) == "history-rewritten"
    assert watching.refused(update(100, 100, REWRITTEN)) == "history-rewritten"
    assert watching.alarms() == ["history-rewritten", "history-rewritten"]
    assert watching.refused(update(100, 300, REWRITTEN)) == "history-rewritten"
    assert len(watching.alarms()) == 2, "the same evidence is kept once"
    assert watching.cosign(update(100, 300)).head.size == 300, "what has grown is cosigned all the same"


def test_an_old_head_is_no_alarm(watching: Watching) -> None:
    """Anybody can hand one in again: it is noted, and given back as it was if it was cosigned."""
    first = watching.cosign(update(0, 100))
    watching.cosign(update(100, 300))
    watching.now += 10 * PATIENCE
    for text in (update(0, 100), signed_head(100).note.written()):
        assert watching.cosign(text) == first
    for _ in range(2):
        assert watching.refused(update(100, 200)) == "head-older"
        watching.now += 10 * PATIENCE
    assert watching.refused(update(0, 1)) == "head-older"
    assert watching.alarms() == []
    assert watching.older() == [100, 200, 1], "each once"
    # An update from there to the newest one settles it.
    assert watching.cosign(update(200, 300)).head.size == 300
    assert watching.cosign(update(300, 400)).head.size == 400
    assert watching.alarms() == []


def test_an_old_head_of_another_history_is_an_alarm(watching: Watching) -> None:
    watching.cosign(update(0, 100))
    watching.cosign(update(100, 300))
    assert watching.refused(update(0, 100, REWRITTEN)) == "history-rewritten", (
        "that size was cosigned with another root"
    )
    assert watching.refused(update(0, 200, REWRITTEN)) == "head-older", "nothing tells yet"
    assert watching.refused(update(200, 300)) == "history-rewritten"
    assert watching.alarms() == ["history-rewritten"] * 2
    watching.now += 60
    assert watching.cosign(update(300, 400)).head.size == 400, "what has grown is cosigned all the same"


def test_a_log_that_has_shrunk_is_an_alarm_if_it_stays_so(watching: Watching) -> None:
    watching.cosign(update(0, 100))
    watching.cosign(update(100, 300), is_newest=True)
    # The newest head was just deleted and is made again: that passes.
    assert watching.refused(update(0, 200), is_newest=True) == "head-older"
    watching.now += PATIENCE - 1
    assert watching.refused(update(0, 200), is_newest=True) == "head-older"
    watching.cosign(update(300, 300), is_newest=True)
    watching.now += 2
    assert watching.refused(update(0, 250), is_newest=True) == "head-older"
    watching.now += PATIENCE
    assert watching.refused(update(0, 251), is_newest=True) == "tree-shrunk"
    # Also where it went back to a head that was cosigned.
    assert watching.refused(signed_head(100).note.written(), is_newest=True) == "tree-shrunk"
    assert watching.alarms() == ["tree-shrunk"] * 2


def test_the_alarm_of_one_log_is_nothing_to_another(watching: Watching) -> None:
    other = NoteKey("other.example", 1, LOG.public)
    watch_log(watching.folder, [other])
    watching.cosign(update(0, 300))
    assert watching.refused(update(300, 400, REWRITTEN)) == "history-rewritten"
    head = TreeHead(other.name, 5, tree_root(5, NODES))
    text = SignedNote(head.text(), (sign_note(head.text(), other, _secret(1).sign),)).written()
    assert watching.cosign(text).head.size == 5
    found = Cosigner(watching.folder, lambda: watching.now)
    assert (found.wanted_size(ORIGIN), found.wanted_size(other.name), found.wanted_size("nobody")) == (300, 5, 0)
    assert [len(found.seen.alarms(name)) for name in (ORIGIN, other.name)] == [1, 0]
    found.seen.close()
    folder = str(watching.folder)
    assert call("witness", "show", folder, "--log", other.name).code == 0
    assert call("witness", "show", folder, "--log", ORIGIN).code == 1
    assert call("witness", "show", folder).code == 1
    assert call("witness", "show", folder, "--log", "nobody", "--json").codes == ["unknown-log"]


def test_an_alarm_is_acknowledged_and_its_evidence_kept(watching: Watching) -> None:
    watching.cosign(update(0, 100))
    false = update(100, 300, REWRITTEN)
    assert watching.refused(false) == "history-rewritten"
    folder, words = str(watching.folder), ("--by", "Inspector 4", "--reason", "disk died, report 12")
    assert call("witness", "show", folder).code == 1
    assert call("witness", "acknowledge", folder, "2", *words, "--json").codes == ["out-of-range"]
    assert call("witness", "acknowledge", folder, "1", "--by", " ", "--reason", "", "--json").codes == [
        "reason-needed", "reason-needed",
    ]  # fmt: skip
    assert call("witness", "show", folder).code == 1
    assert call("witness", "acknowledge", folder, "1", *words).code == 0
    shown = call("witness", "show", folder, "--json")
    (alarm,) = shown.json["alarms"]
    assert shown.code == 0
    assert (alarm["evidence"], alarm["acknowledged"]["by"]) == (false, "Inspector 4")
    assert "acknowledged" in call("witness", "show", folder).out
    assert call("witness", "acknowledge", folder, "1", *words, "--json").codes == ["already-acknowledged"]
    assert watching.refused(false) == "history-rewritten", "it is refused as before"
    assert call("witness", "show", folder).code == 0, "the same evidence is known"
    assert watching.refused(update(100, 200, REWRITTEN)) == "history-rewritten"
    assert call("witness", "show", folder).code == 1, "another one is not"
    with sqlite3.connect(watching.folder / HEADS) as connection:
        for statement in ("DELETE FROM acknowledged", "UPDATE alarms SET code = 'x'", "DELETE FROM alarms"):
            with pytest.raises(sqlite3.IntegrityError, match="kept"):
                connection.execute(statement)


def test_only_so_many_alarms_of_a_log_are_kept(watching: Watching) -> None:
    watching.cosign(update(0, 100))
    for size in range(101, 101 + MOST_ALARMS + 5):
        assert watching.refused(update(100, size, REWRITTEN)) == "history-rewritten"
    assert len(watching.alarms()) == MOST_ALARMS


def test_bad_input_is_refused_without_an_alarm(watching: Watching) -> None:
    other = NoteKey("other.example", 1, LOG.public)
    foreign = TreeHead(other.name, 5, LEAVES[0])
    unknown = SignedNote(foreign.text(), (sign_note(foreign.text(), other, _secret(1).sign),)).written()
    head = signed_head(100)
    forged = SignedNote(head.note.text, (sign_note(head.note.text, LOG, _secret(9).sign),)).written()
    by_nobody = SignedNote(head.note.text, (sign_note(head.note.text, WITNESS, _secret(2).sign),)).written()
    for text, code in (
        ("nonsense", "proof-malformed"),
        (unknown, "unknown-log"),
        (forged, "proof-unsigned"),
        (by_nobody, "proof-unsigned"),
        (update(50, 100), "update-misplaced"),
    ):
        assert watching.refused(text) == code
    watching.cosign(update(0, 100))
    assert watching.refused(update(50, 300)) == "update-misplaced"
    assert watching.alarms() == []


def test_a_witness_is_begun_once_and_watches_more_keys(watching: Watching) -> None:
    with pytest.raises(InputError, match="never overwritten"):
        begin_witness(watching.folder, NAME, [LOG])
    with pytest.raises(InputError, match="a witness's"):
        watch_log(watching.folder, [WITNESS])
    with pytest.raises(InputError, match="no witness"):
        watch_log(watching.folder / "elsewhere", [LOG])
    new_key = NoteKey(ORIGIN, 1, _secret(5).public_key().public_bytes_raw())
    watching.cosign(update(0, 100))
    head = signed_head(300).head
    signed = SignedHead(head, SignedNote(head.text(), (sign_note(head.text(), new_key, _secret(5).sign),)))
    renewed = HeadUpdate(100, tuple(consistency_path(100, 300, NODES)), signed).written()
    assert watching.refused(renewed) == "proof-unsigned"
    watch_log(watching.folder, [new_key])
    assert watching.cosign(renewed).head.size == 300


def test_nothing_is_cosigned_that_cannot_be_kept(watching: Watching) -> None:
    with sqlite3.connect(watching.folder / HEADS) as connection:
        connection.execute("DROP TABLE cosigned")
    with pytest.raises(MissingPartError):
        watching.cosign(update(0, 100))


def test_what_was_cosigned_is_never_taken_back(watching: Watching) -> None:
    watching.cosign(update(0, 100))
    with sqlite3.connect(watching.folder / HEADS) as connection:
        for statement in ("DELETE FROM cosigned", "UPDATE cosigned SET size = 5"):
            with pytest.raises(sqlite3.IntegrityError, match="kept"):
                connection.execute(statement)


def test_the_commands_of_a_witness(tmp_path: Path) -> None:
    folder, file = str(tmp_path / "w"), str(tmp_path / "update")
    begun = call("witness", "init", folder, "--name", NAME, "--log", LOG.text, "--json")
    key = begun.json["key"]
    assert call("witness", "init", folder, "--name", NAME, "--log", LOG.text, "--json").codes == ["keys-exist"]
    first = call("witness", "cosign", folder, "-", stdin=signed_head(100).note.written().encode())
    assert (first.code, first.out.startswith(f"— {NAME} ")) == (0, True)
    Path(file).write_text(update(100, 300), encoding="utf-8")
    second = call("witness", "cosign", folder, file, "--to", str(tmp_path / "head"), "--json")
    assert (second.json["size"], second.json["new"]) == (300, True)
    checked = call("proof", "check", str(tmp_path / "head"), "--key", LOG.text, "--key", key, "--json")
    assert [signer["name"] for signer in checked.json["signers"]] == [ORIGIN, NAME]
    assert call("witness", "show", folder).code == 0
    Path(file).write_text(update(300, 400, REWRITTEN), encoding="utf-8")
    alarm = call("witness", "cosign", folder, file)
    assert alarm.code == 1
    assert "ALARM" in alarm.err
    shown = call("witness", "show", folder, "--json")
    assert (shown.code, [each["code"] for each in shown.json["alarms"]]) == (1, ["history-rewritten"])
    assert "ALARM" in call("witness", "show", folder).out
    assert call("witness", "cosign", folder, "-", stdin=b"nonsense").code == 2
    assert call("witness", "watch", folder, "--log", LOG.text).code == 0
    assert call("witness", "show", str(tmp_path / "nowhere"), "--json").codes == ["unreadable-file"]
