"""A signing key counts where it was in force, and nobody else puts one into the folder."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from houseway.cli.app import main
from houseway.manager.store.archive import archive_before
from houseway.manager.store.journal import signed_text
from houseway.manager.store.journal_audit import verify_database
from houseway.manager.store.key_use import alone_with_keys
from houseway.manager.store.keys import SIGNING, create_keys, key_id_of, load_keys, renew_signing_key
from houseway.manager.store.manager import open_manager
from houseway.manager.store.marks import ANCHOR
from houseway.manager.store.reading import open_view
from houseway.manager.store.repair import repair
from houseway.manager.store.store_errors import JournalDamagedError, StoreRefusedError
from houseway.manager.store.trust import Trust, trust_in
from tests.manager.audit.house import House
from tests.manager.floors import AUDITOR, DAY
from tests.manager.store.acts import moved, people
from tests.manager.store.stores import SqlStore


def take_new_key(store: SqlStore, fresh: Ed25519PrivateKey) -> None:
    path = store.keys_folder / SIGNING
    path.write_bytes(fresh.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


def put_public(store: SqlStore, key: Ed25519PrivateKey) -> None:
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    (store.keys_folder / "another.pub").write_bytes(public)


def sign_last(store: SqlStore, key: Ed25519PrivateKey) -> int:
    """Let another key sign the last group, as somebody does who has rewritten it."""
    journal = store.journal()
    found = journal.latest_checkpoint()
    assert found is not None
    text = signed_text(journal.meta()["journal"], found.first, found.seq, found.hash, found.at)
    id_, signature = key_id_of(key.public_key()), key.sign(text).hex()
    journal.close()
    store.tamper(f"UPDATE checkpoints SET key_id = '{id_}', signature = '{signature}' WHERE seq = {found.seq}")
    return found.seq


def problems(store: SqlStore) -> list[tuple[str, str, str]]:
    with open_view(store.url) as view:
        findings = verify_database(view, trust_in(store.keys_folder)).findings
    return [(each.table, each.row, each.problem) for each in findings]


def played_with_two_keys(store: SqlStore) -> Ed25519PrivateKey:
    """A journal whose signing key was replaced; returns the old one."""
    old = store.keys.signing
    with store.manager() as manager:
        manager.call(people())
    fresh = Ed25519PrivateKey.generate()
    put_public(store, fresh)
    take_new_key(store, fresh)
    with store.manager() as manager:
        manager.call(moved("k1"))
    with store.manager() as manager:
        manager.call(moved("k2"))
    return old


@pytest.mark.parametrize("has_anchor", [True, False])
def test_a_replaced_key_signs_nothing_more(store: SqlStore, has_anchor: bool) -> None:
    old = played_with_two_keys(store)
    assert problems(store) == []
    if not has_anchor:
        (store.keys_folder / ANCHOR).unlink()
    seq = sign_last(store, old)
    assert problems(store) == [("checkpoints", f"{seq}", "key-not-in-force")]
    with pytest.raises(JournalDamagedError) as damaged:
        store.manager()
    assert damaged.value.row == f"checkpoints[{seq}]"


def test_a_process_with_a_replaced_key_signs_nothing(store: SqlStore) -> None:
    fresh = Ed25519PrivateKey.generate()
    put_public(store, fresh)
    first = store.manager()
    first.call(people())
    take_new_key(store, fresh)
    with store.manager() as second:
        second.call(moved("k1"))
    with pytest.raises(JournalDamagedError, match="has replaced the signing key"):
        first.call(moved("k2"))
    first.close()
    assert problems(store) == []


def test_a_replaced_key_is_never_taken_again(sqlite_store: SqlStore) -> None:
    kept = (sqlite_store.keys_folder / SIGNING).read_bytes()
    played_with_two_keys(sqlite_store)
    (sqlite_store.keys_folder / SIGNING).write_bytes(kept)
    with pytest.raises(JournalDamagedError, match="never taken again"):
        sqlite_store.manager()
    assert problems(sqlite_store) == []


def test_a_public_key_that_no_start_announces_vouches_for_nothing(store: SqlStore) -> None:
    with store.manager() as manager:
        manager.call(people())
        manager.call(moved("k1"))
    foreign = Ed25519PrivateKey.generate()
    put_public(store, foreign)
    seq = sign_last(store, foreign)
    assert problems(store) == [("checkpoints", f"{seq}", "key-not-in-force")]
    with pytest.raises(JournalDamagedError):
        store.manager()


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
def test_a_folder_that_others_may_write_is_refused(tmp_path: Path, mode: int) -> None:
    folder = create_keys(tmp_path / "keys").folder
    folder.chmod(mode)
    with pytest.raises(StoreRefusedError) as refused:
        load_keys(folder)
    assert [(fault.code, fault.path) for fault in refused.value.faults] == [("keys-open", str(folder))]
    folder.chmod(0o755)
    (path,) = folder.glob("*.pub")
    path.chmod(0o664)
    with pytest.raises(StoreRefusedError) as refused:
        load_keys(folder)
    assert [(fault.code, fault.path) for fault in refused.value.faults] == [("keys-open", str(path))]
    path.chmod(0o644)
    load_keys(folder)


def archived_with_two_keys(store: SqlStore, tmp_path: Path) -> tuple[Ed25519PrivateKey, Path, int]:
    """A journal whose signing key was replaced, and the start that says so archived; the old key, the file, its end."""
    old, folder = store.keys.signing, store.keys_folder
    house = House(store.url, folder, snapshot_every=5)
    house.set_up()
    house.close()
    renew_signing_key(folder)
    house = House(store.url, folder, snapshot_every=5, now=house.now)
    house.play_felt()
    house.pass_days(60)
    house.play_felt()
    house.close()
    file = tmp_path / "old.jsonl"
    before = house.now - 40 * DAY
    archived = archive_before(store.url, folder, before, file, AUDITOR, clock=lambda: house.now)
    return old, file, archived.up_to


def public_trust(store: SqlStore, *anchors: Path) -> Trust:
    """What an auditor has: the public keys, and no key folder."""
    return trust_in(public_files=sorted(store.keys_folder.glob("*.pub")), anchor_files=anchors)


def audited(store: SqlStore, trust: Trust, *archives: Path) -> list[tuple[str, str, str]]:
    with open_view(store.url) as view:
        findings = verify_database(view, trust, archives=archives).findings
    return [(each.table, each.row, each.problem) for each in findings]


def test_a_replaced_key_is_known_when_the_start_that_says_so_is_archived(store: SqlStore, tmp_path: Path) -> None:
    old, file, up_to = archived_with_two_keys(store, tmp_path)
    journal = store.journal()
    first = next(iter(journal.checkpoints_after(up_to)))
    name = journal.meta()["journal"]
    journal.close()
    anchor = tmp_path / "anchor.json"
    anchor.write_bytes((store.keys_folder / ANCHOR).read_bytes())
    assert audited(store, public_trust(store, anchor)) == []
    assert audited(store, public_trust(store), file) == []
    # Without archives and anchor nobody knows which key came last, and the audit asks for them.
    assert audited(store, public_trust(store)) == [("keys", "all", "key-unaccounted")]
    (store.keys_folder / ANCHOR).unlink()
    # The old key signs the first group that is left: no start before it is there any more, but the state knows.
    text = signed_text(name, first.first, first.seq, first.hash, first.at)
    id_, signature = key_id_of(old.public_key()), old.sign(text).hex()
    store.tamper(f"UPDATE checkpoints SET key_id = '{id_}', signature = '{signature}' WHERE seq = {first.seq}")
    wrong = ("checkpoints", str(first.seq), "key-not-in-force")
    assert wrong in audited(store, public_trust(store))
    assert wrong in audited(store, public_trust(store), file)
    with open_view(store.url) as view, pytest.raises(JournalDamagedError, match="was in force"):
        view.state_at(first.seq)
    with pytest.raises(JournalDamagedError, match="was in force"):
        repair(store.url, store.keys_folder, by=AUDITOR, reason="try")


def test_a_journal_written_again_under_an_old_key_does_not_pass_with_the_new_one(tmp_path: Path) -> None:
    """A copy from before the change is played on under the old key: it is whole, and the new key is nowhere in it."""
    (tmp_path / "true").mkdir()
    house = House(f"sqlite:///{tmp_path / 'true' / 'house.db'}", tmp_path / "true" / "keys")
    house.set_up()
    house.close()
    shutil.copytree(tmp_path / "true", tmp_path / "false")
    fresh = renew_signing_key(house.keys)
    keys = sorted(house.keys.glob("*.pub"))
    with open_view(house.url) as view:
        assert verify_database(view, trust_in(house.keys)).is_clean, "drawn just now: the anchor vouches for the end"
    house.restart()
    house.close()
    false = House(f"sqlite:///{tmp_path / 'false' / 'house.db'}", tmp_path / "false" / "keys", now=house.now)
    false.play_felt()
    false.close()
    for url, found in ((house.url, []), (false.url, [("keys", fresh.key_id, "key-unaccounted")])):
        with open_view(url) as view:
            report = verify_database(view, trust_in(public_files=keys))
        assert [(each.table, each.row, each.problem) for each in report.findings] == found


def test_no_key_is_drawn_beside_a_running_server(sqlite_store: SqlStore, capsys: pytest.CaptureFixture[str]) -> None:
    folder, kept = sqlite_store.keys_folder, (sqlite_store.keys_folder / SIGNING).read_bytes()
    first, second = sqlite_store.manager(), sqlite_store.manager()
    first.call(people())
    for manager in (first, second):
        assert main(["manager", "new-key", "--keys", str(folder), "--json"]) == 2
        assert "keys-in-use" in capsys.readouterr().out
        assert (folder / SIGNING).read_bytes() == kept
        manager.call(moved(f"k{manager is first}"))
        manager.close()
    with alone_with_keys(folder), pytest.raises(StoreRefusedError) as refused:
        sqlite_store.manager()
    assert [fault.code for fault in refused.value.faults] == ["keys-in-use"]
    # A start that fails lets go of the folder.
    with pytest.raises(StoreRefusedError):
        open_manager(f"{sqlite_store.url}.none", folder, create=False)
    assert main(["manager", "new-key", "--keys", str(folder), "--json"]) == 0
    assert (folder / SIGNING).read_bytes() != kept
    sqlite_store.manager().close()
    assert problems(sqlite_store) == []
