"""A signing key counts where it was in force, and nobody else puts one into the folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from houseway.manager.store.journal import signed_text
from houseway.manager.store.journal_audit import verify_database
from houseway.manager.store.keys import SIGNING, create_keys, key_id_of, load_keys
from houseway.manager.store.marks import ANCHOR
from houseway.manager.store.reading import open_view
from houseway.manager.store.store_errors import JournalDamagedError, StoreRefusedError
from houseway.manager.store.trust import trust_in
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
