"""Checks proofs of a Houseway journal without Houseway: Python's standard library and the package `cryptography`.

    python3 verify_proof.py --key KEY [--key WITNESS] HEAD                      a signed head, or the code of a win page
    python3 verify_proof.py --key KEY [--key WITNESS] PROOF --page PAGE         an award: its proof and its page
    python3 verify_proof.py --key KEY [--key WITNESS] UPDATE --old HEAD         that the journal has only grown

KEY is NAME+ID+BASE64, from elsewhere than the proof. Says what is proven and what is not, and ends with 0; or with 1.
"""

import argparse
import base64
import json
import re
import sys
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def need(is_so: object, why: str) -> None:
    if not is_so:
        raise ValueError(why)


def unpacked(text: str, size: int | None = None) -> bytes:
    data = base64.b64decode(text.encode(), validate=True)
    need(base64.b64encode(data).decode() == text and size in (None, len(data)), f"{text[:50]!r} is written wrongly")
    return data


def number(text: str) -> int:
    need(re.fullmatch("0|[1-9][0-9]{0,15}", text), f"{text[:50]!r} is no whole number")
    return int(text)


def node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right).digest()


def climbed(index: int, last: int, found: list[bytes], path: list[bytes]) -> list[bytes]:
    """The hashes at the root, from those of a subtree on; the first grows only by what lies on the left."""
    for other in path:
        need(last, "the path is too long")
        if index & 1 or index == last:
            found = [node(other, each) for each in found]
            while index and not index & 1:
                index, last = index >> 1, last >> 1
        else:
            found[-1] = node(found[-1], other)
        index, last = index >> 1, last >> 1
    need(last == 0, "the path is too short")
    return found


def read_head(text: str) -> tuple[str, int, bytes, str, list[str]]:
    body, gap, lines = text.rpartition("\n\n")
    need(gap and lines.endswith("\n") and not re.search("[\x00-\x09\x0b-\x1f\x7f]", text), "the head is no signed note")
    rows = body.split("\n")
    need(len(rows) == 3 and re.fullmatch(r"[^\s+]+", rows[0]), "a head is three lines: log, size, root")
    return rows[0], number(rows[1]), unpacked(rows[2], 32), f"{body}\n", lines[:-1].split("\n")


def check_signatures(log: str, text: str, lines: list[str], keys: list[str], limits: str) -> str:
    """Who has signed, and what nobody has; every line must be by a given key, no key twice, and the log among them."""
    known, signers = {}, []
    for key in keys:
        name, key_id, packed = key.strip().split("+", 2)
        data = unpacked(packed, 33)
        computed = sha256(f"{name}\n".encode() + data).digest()[:4]
        need(data[0] in (1, 4) and computed.hex() == key_id, f"the key of {name} is damaged")
        known[name, computed] = data
    for line in lines:
        need(re.fullmatch(r"— [^\s+]+ \S+", line), f"{line[:50]!r} is no signature")
        name, packed = line.split(" ")[1:]
        signature = unpacked(packed)
        data = known.pop((name, signature[:4]), None)
        need(data, f"signed by {name}, whose key was not given, or twice: give the key, or take the line out")
        time, signed = int.from_bytes(signature[4:-64], "big"), signature[-64:]
        need(len(signature) == (76 if data[0] == 4 else 68) and time < 2**63, f"the signature of {name} is malformed")
        message = f"cosignature/v1\ntime {time}\n{text}" if data[0] == 4 else text
        Ed25519PublicKey.from_public_bytes(data[1:]).verify(signed, message.encode())
        role = f"cosigned at {time} s by the witness" if data[0] == 4 else "signed by"
        signers.append(f"{role} {name}, key {signature[:4].hex()}")
    need(any(each.startswith(f"signed by {log}, ") for each in signers), f"{log} itself has not signed")
    told = "; ".join(signers)
    limits += "" if "cosigned at " in told else "; NOT proven: that others see the same, as no witness has cosigned"
    return f"{told}; NOT proven: that this head is the newest; NOT proven: that what was written is true; {limits}"


def verify_head(text: str, keys: list[str]) -> str:
    page, gap, proof = text.partition("\n")
    if page.startswith("{"):  # page and proof in one text, as a QR code holds them
        return verify_event(proof, page + gap, keys)
    log, size, _, body, lines = read_head(text)
    limits = "NOT proven: what its events say, or that it grew out of any other head"
    return f"head of {size} events of {log}; {check_signatures(log, body, lines, keys, limits)}"


def verify_event(proof: str, page: str, keys: list[str]) -> str:
    shown = json.loads(page)
    packed = json.dumps(shown, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    need(packed + "\n" == page and sorted(shown) == ["at", "hits", "kind", "post", "seq"], "the page is malformed")
    first, gap, head = proof.partition("\n\n")
    title, extra, index, *path = first.split("\n")
    need(gap and (title, extra[:6], index[:6]) == ("c2sp.org/tlog-proof@v1", "extra ", "index "), "this is no proof")
    log, size, root, body, lines = read_head(head)
    place, secret = number(index[6:]), unpacked(extra[6:], 48).hex()
    need(place < size and shown["seq"] == place + 1, "the page is that of another event")
    leaf = [secret[:32], shown["seq"], shown["at"], shown["kind"], shown["post"], shown["hits"], secret[32:]]
    data = json.dumps(leaf, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode()
    hashes = climbed(place, size - 1, [sha256(b"\0" + data).digest()], [unpacked(each, 32) for each in path])
    need(hashes == [root], "page, path and head do not belong together")
    limits = "NOT proven: what the page does not show, or that no later event undoes it, as a back-out does"
    what = f"event {shown['seq']} of {log} is as this page shows it, under the head of {size} events"
    return f"{what}; {check_signatures(log, body, lines, keys, limits)}"


def verify_growth(update: str, old_head: str, keys: list[str]) -> str:
    first, gap, head = update.partition("\n\n")
    before, *path = first.split("\n")
    need(gap and before.startswith("old "), "this is no update of a head")
    (log, old, old_root, old_body, old_lines), (log_now, new, root, body, lines) = read_head(old_head), read_head(head)
    need((log, number(before[4:])) == (log_now, old) and old <= new, "the update does not begin at the older head")
    hashes = [unpacked(each, 32) for each in path]
    if old in (0, new):
        need(not hashes and old_root == (root if old else sha256(b"").digest()), "the journal was written again")
    else:
        start, *hashes = [old_root, *hashes] if old & (old - 1) == 0 else hashes or [b""]
        index, last = old - 1, new - 1
        while index & 1:
            index, last = index >> 1, last >> 1
        need(climbed(index, last, [start, start], hashes) == [old_root, root], "the journal was written again")
    before = check_signatures(log, old_body, old_lines, keys, "").split("; NOT")[0].replace("; ", ", ")
    what = f"{log} has only grown from {old} to {new} events; the older head is {before}"
    return f"{what}; {check_signatures(log, body, lines, keys, 'NOT proven: what its events say')}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, more in (("file", {}), ("--page", {}), ("--old", {}), ("--key", {"action": "append", "required": True})):
        parser.add_argument(name, **more)
    given = parser.parse_args()
    names = [name for name in (given.file, given.page or given.old) if name]
    verify = verify_event if given.page else verify_growth if given.old else verify_head
    try:
        print("proven:", verify(*(open(name, "rb").read().decode() for name in names), given.key).replace("; ", "\n  "))
    except (ValueError, KeyError, TypeError, InvalidSignature) as why:  # what cannot be read proves nothing
        print("REFUSED:", why or "a signature does not fit")
        sys.exit(1)
