"""Keys: drawn once, for the owner's eyes only, named when something is wrong with them, never shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519, x25519
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from houseway.cards.stream import commitment
from houseway.errors import InputError
from houseway.manager.store.journal_audit import verify_database
from houseway.manager.store.keys import (
    PEPPER,
    SEALING,
    SECRET_FILES,
    SIGNING,
    Keys,
    create_keys,
    load_keys,
    renew_signing_key,
)
from houseway.manager.store.reading import open_view
from houseway.manager.store.store_errors import JournalDamagedError, StoreRefusedError
from houseway.manager.store.trust import trust_in
from tests.cli.runner import call
from tests.manager.store.acts import moved, people
from tests.manager.store.stores import SqlStore

SEED = b"seed" * 8


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    return create_keys(tmp_path / "keys")


def codes(folder: Path) -> list[tuple[str, str]]:
    with pytest.raises(InputError) as refused:
        load_keys(folder)
    return [(fault.code, Path(fault.path).name) for fault in refused.value.faults]


def test_they_are_the_owners_alone(keys: Keys) -> None:
    assert keys.folder.stat().st_mode & 0o777 == 0o700
    for name in SECRET_FILES:
        assert (keys.folder / name).stat().st_mode & 0o777 == 0o600


def test_they_are_the_same_when_loaded_again(keys: Keys) -> None:
    again = load_keys(keys.folder)
    assert again.fingerprint("token") == keys.fingerprint("token")
    assert again.verifies(keys.key_id, keys.sign(b"text"), b"text")
    assert again.unseal("T1-1", 1, commitment(SEED), keys.seal("T1-1", 1, SEED)) == SEED
    assert again.check_value() == keys.check_value()


def test_two_houses_have_nothing_in_common(keys: Keys, tmp_path: Path) -> None:
    other = create_keys(tmp_path / "other")
    assert other.fingerprint("token") != keys.fingerprint("token")
    assert other.check_value() != keys.check_value()
    assert not other.verifies(keys.key_id, keys.sign(b"text"), b"text")
    with pytest.raises(JournalDamagedError):
        other.unseal("T1-1", 1, commitment(SEED), keys.seal("T1-1", 1, SEED))


def test_they_are_never_overwritten(keys: Keys) -> None:
    with pytest.raises(InputError, match="never overwritten"):
        create_keys(keys.folder)


def test_nothing_of_them_is_shown(keys: Keys) -> None:
    shown = repr(keys) + str(keys)
    secrets = [
        keys.pepper.hex(),
        (keys.folder / SEALING).read_text().strip(),
        (keys.folder / PEPPER).read_text().strip(),
    ]
    assert not any(secret in shown for secret in secrets)
    assert "PRIVATE" not in shown


@pytest.mark.parametrize("name", SECRET_FILES)
def test_a_missing_file_is_named(keys: Keys, name: str) -> None:
    (keys.folder / name).unlink()
    assert codes(keys.folder) == [("keys-missing", name)]


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    assert codes(tmp_path / "nowhere") == [("keys-missing", name) for name in SECRET_FILES]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o606])
def test_a_file_that_others_may_read_is_refused(keys: Keys, mode: int) -> None:
    (keys.folder / SEALING).chmod(mode)
    assert codes(keys.folder) == [("keys-open", SEALING)]


@pytest.mark.parametrize(
    ("name", "content"),
    [(SIGNING, b"no key"), (SEALING, b"12"), (SEALING, b"zz" * 32), (PEPPER, b""), (PEPPER, b"\xff\xfe" * 20)],
)
def test_a_damaged_file_is_named(keys: Keys, name: str, content: bytes) -> None:
    (keys.folder / name).write_bytes(content)
    assert codes(keys.folder) == [("keys-damaged", name)]


def test_a_key_of_another_kind_signs_nothing(keys: Keys) -> None:
    other = x25519.X25519PrivateKey.generate()
    (keys.folder / SIGNING).write_bytes(other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    assert codes(keys.folder) == [("keys-damaged", SIGNING)]


def test_a_public_key_that_is_none_is_named(keys: Keys) -> None:
    (keys.folder / "old.pub").write_text("no key")
    assert codes(keys.folder) == [("keys-damaged", "old.pub")]


def test_a_seed_is_bound_to_its_deal(keys: Keys) -> None:
    sealed, published = keys.seal("T1-1", 7, SEED), commitment(SEED)
    assert SEED not in sealed
    assert keys.unseal("T1-1", 7, published, sealed) == SEED
    for name, number, said in (("T1-2", 7, published), ("T1-1", 8, published), ("T1-1", 7, commitment(b"o" * 32))):
        with pytest.raises(JournalDamagedError, match="secrets"):
            keys.unseal(name, number, said, sealed)
    for place in range(len(sealed)):
        altered = sealed[:place] + bytes([sealed[place] ^ 1]) + sealed[place + 1 :]
        with pytest.raises(JournalDamagedError):
            keys.unseal("T1-1", 7, published, altered)
    with pytest.raises(JournalDamagedError):
        keys.unseal("T1-1", 7, published, b"")


@pytest.mark.parametrize("signature", ["", "zz", "00" * 64])
def test_what_is_no_signature_does_not_verify(keys: Keys, signature: str) -> None:
    assert not keys.verifies(keys.key_id, signature, b"text")
    assert not keys.verifies("unknown", keys.sign(b"text"), b"text")


def test_a_new_signing_key_takes_over_while_the_old_one_still_counts(sqlite_store: SqlStore) -> None:
    with sqlite_store.manager() as manager:
        manager.call(people())
    fresh = ed25519.Ed25519PrivateKey.generate()
    path = sqlite_store.keys_folder / SIGNING
    path.write_bytes(fresh.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    with sqlite_store.manager() as manager:
        manager.call(moved("k"))
    used = sqlite_store.sql("SELECT DISTINCT key_id FROM checkpoints")
    assert len(used) == 2


def test_a_retired_key_that_was_thrown_away_no_longer_counts(sqlite_store: SqlStore) -> None:
    with sqlite_store.manager() as manager:
        manager.call(people())
    fresh = ed25519.Ed25519PrivateKey.generate()
    path = sqlite_store.keys_folder / SIGNING
    path.write_bytes(fresh.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    for public in sqlite_store.keys_folder.glob("*.pub"):
        public.unlink()
    with pytest.raises(InputError, match="not signed by these keys"):
        sqlite_store.manager()
    (sqlite_store.keys_folder / "anchor.json").unlink()
    with pytest.raises(JournalDamagedError, match="signature"):
        sqlite_store.manager()


# ---------------------------------------------------------------- renewed, lost


def clean(store: SqlStore, **trust: Any) -> bool:
    with open_view(store.url) as view:
        return verify_database(view, trust_in(**trust)).is_clean


def test_a_renewed_key_takes_over_and_the_chain_verifies_with_both(store: SqlStore) -> None:
    with store.manager() as manager:
        manager.call(people())
    made = call("manager", "new-key", "--keys", str(store.keys_folder), "--json").json
    assert made["key_id"] != store.keys.key_id
    publics = sorted(store.keys_folder.glob("*.pub"))
    assert [path.stem for path in publics] == sorted([made["key_id"], store.keys.key_id])
    with store.manager() as manager:
        manager.call(moved("k1"))
        newest = manager.mark()
        assert newest is not None
        assert newest.key_id == made["key_id"]
    assert clean(store, folder=store.keys_folder)
    assert clean(store, public_files=publics)
    assert not clean(store, public_files=[Path(made["file"])]), "what was signed before needs the old public key"


def test_a_lost_signing_key_is_replaced_and_an_interrupted_change_leaves_the_old_one(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.manager() as manager:
        manager.call(people())

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        renew_signing_key(store.keys_folder)
    monkeypatch.undo()
    assert load_keys(store.keys_folder).key_id == store.keys.key_id
    (store.keys_folder / SIGNING).unlink()
    with pytest.raises(StoreRefusedError):
        store.manager()
    renewed = renew_signing_key(store.keys_folder)
    assert not list(store.keys_folder.glob(".*")), "nothing of a key lies about"
    with store.manager() as manager:
        manager.call(moved("k1"))
    assert clean(store, folder=store.keys_folder)
    assert renewed.key_id in {path.stem for path in store.keys_folder.glob("*.pub")}


@pytest.mark.parametrize("name", [SEALING, PEPPER])
def test_without_the_other_keys_a_journal_is_read_and_never_served(store: SqlStore, name: str) -> None:
    with store.manager() as manager:
        manager.call(people())
    publics = list(store.keys_folder.glob("*.pub"))
    (store.keys_folder / name).unlink()
    for use in (store.manager, lambda: renew_signing_key(store.keys_folder)):
        with pytest.raises(StoreRefusedError) as refused:
            use()
        assert [fault.code for fault in refused.value.faults] == ["keys-missing"]
    # Another key in its place is no help.
    (store.keys_folder / name).touch(mode=0o600)
    (store.keys_folder / name).write_text("ab" * 32)
    with pytest.raises(StoreRefusedError) as refused:
        store.manager()
    assert [fault.code for fault in refused.value.faults] == ["wrong-keys"]
    assert clean(store, public_files=publics)
