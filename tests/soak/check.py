"""The independent check: the journal as it lies in the database against what the clients were told.

It shares no code with the manager: SQL of its own, JSON of its own, hashes of its own, and the rules of the books as
docs/manager.md states them. `Checker.follow` goes on from where it was; a new one looks at everything.
"""

from __future__ import annotations

import hmac
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from tests.soak.books import Books, Query
from tests.soak.claims import Claim, Claims, Failure, compact
from tests.soak.floor import CARRIED, LINKS, TablePlan, device_of

WINDOW: Final = 2_000
TRANSFER: Final = ("debit", "credit", "micros", "reason", "subject")
COLUMNS: Final = {
    "rounds": (
        "round", "table", "game", "number", "dealer", "started_at", "ended_at", "outcome", "wagered_cents",
        "returned_cents", "held",
    ),
    "lines": (
        "round", "table", "line", "seat", "wager", "hand", "outcome", "stake_cents", "returned_cents", "source",
        "clause", "link", "award",
    ),
    "hits": (
        "award", "link", "level", "table", "round", "seat", "hand", "percent", "cents", "order", "status", "at",
        "meter_before_micros", "meter_after_micros", "seed_drawn_micros", "reserve_drawn_micros",
    ),
}  # fmt: skip
ROWS: Final = {"round": "rounds", "line": "lines", "hit": "hits"}
SECRET: Final = frozenset({"badge", "second_badge", "secret", "session"})
WITHDRAW: Final = "message.withdraw"


def must(holds: object, what: str) -> None:
    """Fail with a sentence unless it holds."""
    if not holds:
        raise Failure(what)


class Wagers:
    """The jackpot wagers of all rounds, counted from the answers to START GAME, corrections and voids."""

    def __init__(self) -> None:
        self.taken: dict[str, dict[str, tuple[str, int]]] = {}
        """By round and sensor: the link and the cents."""
        self.by_link: Counter[str] = Counter()
        self.by_table: Counter[str] = Counter()

    def _count(self, round_: str, taken: Mapping[str, tuple[str, int]], sign: int) -> None:
        for link, cents in taken.values():
            self.by_link[link] += sign * cents * 10_000
            self.by_table[round_.rpartition("-")[0]] += sign * cents * 10_000

    def now(self, round_: str, taken: Mapping[str, Mapping[str, Any]]) -> None:
        """A round has these wagers, instead of those it had."""
        self._count(round_, self.taken.get(round_, {}), -1)
        self.taken[round_] = {sensor: (each["link"], each["cents"]) for sensor, each in taken.items()}
        self._count(round_, self.taken[round_], 1)

    def returned(self, round_: str) -> None:
        """A round was voided: its wagers went back."""
        self._count(round_, self.taken.pop(round_, {}), -1)


class Checker:
    """The journal up to an event, followed row by row."""

    def __init__(self, books: Books, keys: Path, claims: Claims, tables: Iterable[TablePlan]) -> None:
        self._books = books
        self._keys = keys
        self._pepper = bytes.fromhex((keys / "pepper.key").read_text().strip())
        self._claims = claims
        self._by_controller = {device_of(table.id) for table in tables if table.devices is not None}
        self.seq = 0
        self.head = "0" * 64
        self._at = 0
        self.balances: Counter[str] = Counter()
        self.entities: dict[str, dict[str, Any]] = {kind: {} for kind in ("table", "round", "award", "level")}
        self.wagers = Wagers()
        self._paid: Counter[tuple[str, str]] = Counter()
        self._numbers: Counter[str] = Counter()
        self._open: set[str] = set()
        self._unclaimed: dict[str, tuple[int, int, str, str, bytes, bytes]] = {}
        """Events whose claim has not been seen yet: number, time, hash, kind, command, answer."""
        self._checked = 0
        self._closed = 0
        self._known_to_device: Counter[tuple[str, str, bytes]] = Counter()
        self._told = 0
        self.kinds: Counter[str] = Counter()

    # ------------------------------------------------------------ one look

    def follow(self, *, books: bool = False) -> int:
        """Check everything that is new, with `books` the sums of all rows too; returns the number of the last event."""
        acknowledged, closed, told = len(self._claims.acknowledged), len(self._claims.closed), len(self._claims.told)
        anchor = self._anchor()
        with self._books.opened() as query:
            while self._window(query):
                pass
            self._no_rows_beyond(query)
            if books:
                self._check_books(query)
            self._check_secrets(query)
            self._check_checkpoint(query)
            if anchor is not None:
                self._check_anchor(query, anchor)
        for claim in self._claims.acknowledged[self._checked : acknowledged]:
            self._check_claim(claim)
        for claim in self._claims.closed[self._closed : closed]:
            self._check_closed(claim)
        for seen in self._claims.told[self._told : told]:
            must(self._known_to_device[seen] == 1, f"{seen}: {self._known_to_device[seen]} events have this answer")
        self._checked, self._closed, self._told = acknowledged, closed, told
        self._check_rounds()
        self._check_shares()
        return self.seq

    def finish(self) -> None:
        """Nothing is under way any more: every event of a client belongs to one of its claims, and no claim is open."""
        open_ = [claim.key for claim in self._claims.by_key.values() if claim.state == "sent"]
        must(not open_, f"commands whose fate nobody knows: {open_[:5]}")
        stray = [key for key, event in self._unclaimed.items() if not self._is_own(key, event)]
        must(not stray, f"events under keys that nobody claims: {stray[:5]}")
        must(not self._open, f"rounds that never ended: {sorted(self._open)[:5]}")
        locked = {name: value for name, value in self.balances.items() if name.startswith("locked/") and value}
        must(not locked, f"locked awards of no round: {locked}")

    def _is_own(self, key: str, event: tuple[int, int, str, str, bytes, bytes]) -> bool:
        claim = self._claims.by_key.get(key)
        return claim is not None and claim.state in ("withdrawn", "refused") and event[3] == WITHDRAW

    # ------------------------------------------------------------ events and their rows

    def _window(self, query: Query) -> bool:
        low = self.seq
        events = query(
            'SELECT seq, at, "key", input_hash, actor, device, kind, body, salt, leaf, hash FROM events '
            f"WHERE seq > {low} ORDER BY seq LIMIT {WINDOW}"
        )
        if not events:
            return False
        must(events[-1][0] - low == len(events), f"the events {low + 1} to {events[-1][0]} have a gap")
        rows = self._rows(query, low, events[-1][0])
        for event in events:
            self._event(event, {name: found.get(event[0], []) for name, found in rows.items()})
        return len(events) == WINDOW

    def _rows(self, query: Query, low: int, high: int) -> dict[str, dict[int, list[Any]]]:
        """The rows of a window by table and event."""
        wanted: dict[str, tuple[str, ...]] = {"transfers": ("line", *TRANSFER, "debit_balance", "credit_balance")}
        wanted |= {name: ("row_no", *columns) for name, columns in COLUMNS.items()}
        found: dict[str, dict[int, list[Any]]] = {}
        for name, columns in wanted.items():
            listed = ", ".join(f'"{column}"' for column in columns)
            mine: dict[int, list[Any]] = {}
            for seq, *values in query(
                f"SELECT seq, {listed} FROM {name} WHERE seq > {low} AND seq <= {high} ORDER BY seq, {columns[0]}"
            ):
                mine.setdefault(seq, []).append(values)
            found[name] = mine
        return found

    def _event(self, event: tuple[Any, ...], rows: dict[str, list[Any]]) -> None:
        seq, at, key, input_hash, actor, device, kind, text, salt, leaf, hash_ = event
        must(seq == self.seq + 1, f"event {self.seq + 1} is missing, event {seq} follows")
        body = json.loads(text)
        rest = sha256(b"\2" + salt[32:].encode() + compact([key, input_hash, actor, device]) + text.encode())
        hits = [row for row_kind, row in body.get("rows", []) if row_kind == "hit"]
        page = [salt[:32], seq, at, kind, body.get("post", []), hits, rest.hexdigest()]
        must(leaf == sha256(b"\0" + compact(page)).hexdigest(), f"event {seq}: its leaf is not that of its page")
        chained = sha256(compact([self.head, leaf])).hexdigest()
        must(hash_ == chained, f"event {seq}: its hash does not follow on the event before")
        must(at >= self._at, f"event {seq} is earlier than the event before")
        must(
            input_hash == sha256(compact([actor, device, body["do"]])).hexdigest(),
            f"event {seq}: the hash of its input is not that of its command",
        )
        self._transfers(seq, body.get("post", []), rows["transfers"])
        self._projections(seq, body.get("rows", []), rows)
        for entity_kind, id_, value in body.get("put", []):
            if entity_kind in self.entities:
                self.entities[entity_kind].pop(id_, None)
                if value is not None:
                    self.entities[entity_kind][id_] = value
        answer = body.get("answer", {})
        self._count(kind, body["do"], answer, body.get("post", []))
        if device in self._by_controller:
            self._known_to_device[device, kind, compact(answer)] += 1
            must(key.startswith(f"{device.removeprefix('C-')}:"), f"event {seq}: a key that is no controller's: {key}")
        elif not key.startswith("system/"):
            must(key in self._claims.by_key, f"event {seq}: nobody sent the command {key}")
            self._unclaimed[key] = (seq, at, hash_, kind, compact(body["do"]), compact(answer))
        self.kinds[kind] += 1
        self.seq, self.head, self._at = seq, hash_, at

    def _transfers(self, seq: int, post: list[list[Any]], rows: list[Any]) -> None:
        expected = []
        for line, transfer in enumerate(post, 1):
            debit, credit, micros, *_ = transfer
            must(type(micros) is int and micros > 0, f"event {seq}: a transfer of {micros!r}")
            self.balances[debit] += micros
            self.balances[credit] -= micros
            expected.append([line, *transfer, self.balances[debit], self.balances[credit]])
        must(rows == expected, f"event {seq}: its transfers are {rows}, the event says {expected}")

    def _projections(self, seq: int, said: list[Any], rows: dict[str, list[Any]]) -> None:
        expected: dict[str, list[Any]] = {name: [] for name in COLUMNS}
        for kind, columns in said:
            if kind == "lost" or (kind == "line" and columns.get("hand") is None and not columns.get("returned_cents")):
                continue
            mine = expected[ROWS[kind]]
            values = [columns.get(name) for name in COLUMNS[ROWS[kind]]]
            mine.append([len(mine) + 1, *(int(value) if isinstance(value, bool) else value for value in values)])
        for name, wanted in expected.items():
            must(rows[name] == wanted, f"event {seq}: its rows in {name} are {rows[name]}, the event says {wanted}")

    def _no_rows_beyond(self, query: Query) -> None:
        for name in ("transfers", "rounds", "lines", "hits", "checkpoints"):
            ((beyond,),) = query(f"SELECT count(*) FROM {name} WHERE seq > {self.seq}")
            must(beyond == 0, f"{beyond} rows of {name} belong to no event")

    # ------------------------------------------------------------ rounds and money, counted from commands and answers

    def _count(self, kind: str, do: dict[str, Any], answer: dict[str, Any], post: list[Any]) -> None:
        round_ = str(answer.get("round"))
        if kind == "round.start":
            self._numbers[do["table"]] += 1
            must(round_ == f"{do['table']}-{self._numbers[do['table']]}", f"{round_} is out of its table's count")
            self._open.add(round_)
            self.wagers.now(round_, answer["taken"])
        elif kind == "round.correct":
            self.wagers.now(round_, answer["taken"])
        elif kind in ("round.end", "round.void") or (kind == "round.decide" and do["decision"] == "void"):
            must(round_ in self._open, f"{round_} ended, and was not in play")
            self._open.discard(round_)
            if kind != "round.end":
                self.wagers.returned(round_)
            self._check_reveal(answer.get("reveal"))
        elif kind == "round.reopen":
            must(round_ not in self._open, f"{round_} was opened again while it was in play")
            self._open.add(round_)
        for debit, credit, micros, reason, _ in post:
            if reason == "payment" and debit.startswith("locked/"):
                _, link, level = debit.split("/")
                self._paid[link, level] += micros
            elif reason == "take-back" and credit.startswith("locked/"):
                _, link, level = credit.split("/")
                self._paid[link, level] -= micros

    def _check_reveal(self, reveal: dict[str, Any] | None) -> None:
        """The seed that a round reveals is the one whose commitment was published."""
        if reveal is not None:
            seed = bytes.fromhex(reveal["seed"])
            must(sha256(seed).hexdigest() == reveal["commitment"], f"a seed that was never committed to: {reveal}")

    def _check_rounds(self) -> None:
        """Each round that has not ended is in play at its table or on hold, and nowhere else."""
        playing = {table["round"] for table in self.entities["table"].values() if table.get("round")}
        held = {id_ for id_, round_ in self.entities["round"].items() if round_["phase"] == "held"}
        must(not playing & held, f"rounds that are in play and on hold: {playing & held}")
        must(playing | held == self._open, f"rounds lost or doubled: {(playing | held) ^ self._open}")
        last = {table.get("last_round") for table in self.entities["table"].values()}
        kept = self.entities["round"].keys() - self._open - last
        must(not kept, f"rounds that are over and were never let go: {sorted(kept)[:5]}")
        stray = {award["round"] for award in self.entities["award"].values()} - self.entities["round"].keys()
        must(not stray, f"awards of rounds that are gone: {sorted(stray)[:5]}")

    def _check_shares(self) -> None:
        """Every level holds its seed and the exact shares of all wagers, less what was won."""
        for link in LINKS:
            if link.linked_as == "house":
                owed = self._held("locked", link.link, "main") - self.balances[f"paid/{link.link}"]
                must(owed == self.balances[f"prizes/{link.link}"], f"{link.link}: prizes are not what was won")
                continue
            for level, parameters in link.levels.items():
                self._check_level(link.link, level, Fraction(parameters.contribution), Fraction(parameters.reserve))
        for table, micros in self.wagers.by_table.items():
            must(self.balances[f"drop/{table}"] == micros, f"the drop of {table} is not the sum of its wagers")

    def _held(self, kind: str, link: str, level: str) -> int:
        return -self.balances[f"{kind}/{link}/{level}"]

    def _check_level(self, link: str, level: str, contribution: Fraction, reserve: Fraction) -> None:
        figures = self.entities["level"].get(f"{link}/{level}", {})
        wagered = self.wagers.by_link[link]
        must(figures.get("wagered_micros", 0) == wagered, f"{link}/{level} counts other wagers than the rounds had")
        shares = wagered * (contribution + reserve)
        carried = Fraction(figures.get("carried", "0")) + Fraction(figures.get("reserve_carried", "0"))
        opened = CARRIED.get(link, {}).get(level, 0) * 10_000 + self.balances[f"seed/{link}/{level}"]
        held = sum(self._held(kind, link, level) for kind in ("meter", "overflow", "reserve", "locked"))
        must(
            opened + shares - carried == held + self._paid[link, level],
            f"{link}/{level} holds {held} and paid {self._paid[link, level]}; seed and opening are {opened}, the "
            f"shares of {wagered} wagered are {shares}, carried {carried}",
        )
        must(
            all(self._held(kind, link, level) >= 0 for kind in ("meter", "overflow", "reserve", "locked")), "overdrawn"
        )

    # ------------------------------------------------------------ the database as a whole

    def _check_books(self, query: Query) -> None:
        sums: Counter[str] = Counter()
        last: dict[str, tuple[int, int, int]] = {}
        for side, sign in (("debit", 1), ("credit", -1)):
            for account, micros in query(f"SELECT {side}, CAST(sum(micros) AS bigint) FROM transfers GROUP BY {side}"):
                sums[str(account)] += sign * int(micros)
            newest = query(
                f"SELECT t.{side}, t.seq, t.line, t.{side}_balance FROM transfers t JOIN (SELECT {side} AS account, "
                f"max(seq) AS seq FROM transfers GROUP BY {side}) q ON t.{side} = q.account AND t.seq = q.seq"
            )
            for account, *row in newest:
                last[str(account)] = max(last.get(str(account), (0, 0, 0)), tuple(row))
        must(sum(sums.values()) == 0, f"the balances sum to {sum(sums.values())}")
        must(sums == self.balances, "the balances are not the sums of the transfers")
        must(
            {account: balance for account, (_, _, balance) in last.items()} == dict(sums),
            "the last balance of an account is not the sum of its transfers",
        )
        for unique in ("coalesce(device, '') || ' ' || \"key\"", "hash"):
            ((doubled,),) = query(f"SELECT count(*) - count(DISTINCT {unique}) FROM events")
            must(doubled == 0, f"{doubled} events have the {unique} of another one")

    def _check_secrets(self, query: Query) -> None:
        """A sealed seed for every dealt round that is not over, and for the next deal of every table; no other."""
        stored = {round_ for (round_,) in query('SELECT "round" FROM secrets')}
        dealt = {
            id_
            for id_, round_ in self.entities["round"].items()
            if round_["phase"] != "ended" and round_.get("deal") is not None
        }
        ahead = {f"next:{id_}" for id_, table in self.entities["table"].items() if table.get("next_commitment")}
        must(stored == dealt | ahead, f"sealed seeds missing or left over: {stored ^ (dealt | ahead)}")

    def _check_checkpoint(self, query: Query) -> None:
        ((seq, hash_),) = query("SELECT seq, hash FROM checkpoints ORDER BY seq DESC LIMIT 1")
        must(
            (seq, hash_) == (self.seq, self.head), f"the last signature is of event {seq}, the last event is {self.seq}"
        )

    def _anchor(self) -> tuple[int, str] | None:
        path = self._keys / "anchor.json"
        if not path.exists():
            return None
        found = json.loads(path.read_text())
        return int(found["seq"]), str(found["hash"])

    def _check_anchor(self, query: Query, anchor: tuple[int, str]) -> None:
        found = query(f"SELECT hash FROM events WHERE seq = {anchor[0]}")
        must([hash_ for (hash_,) in found] == [anchor[1]], f"the anchor notes event {anchor[0]}, which is not there")

    # ------------------------------------------------------------ claims

    def _check_claim(self, claim: Claim) -> None:
        event = self._unclaimed.pop(claim.key, None)
        if event is None:
            raise Failure(f"{claim.key} was acknowledged as event {claim.seq} and is not in the journal")
        seq, at, hash_, _, do, answer = event
        must(
            (seq, at, hash_) == (claim.seq, claim.at, claim.hash),
            f"{claim.key} was acknowledged as event {claim.seq}, and is event {seq}",
        )
        must(answer == claim.answer, f"{claim.key} was answered {claim.answer!r}, event {seq} says {answer!r}")
        said, sent = json.loads(do), json.loads(claim.do)
        for name, value in sent.items():
            wanted = self._fingerprint(value) if claim.tokens and name in SECRET and value is not None else value
            must(said.get(name) == wanted, f"{claim.key}: event {seq} has another {name} than was sent")

    def _check_closed(self, claim: Claim) -> None:
        """A refused command is not there; one that was taken back left the record of that, and nothing else."""
        event = self._unclaimed.get(claim.key)
        if claim.state == "refused":
            must(event is None or event[3] == WITHDRAW, f"{claim.key} was refused, and is in the journal")
        else:
            must(
                event is not None and event[3] == WITHDRAW, f"{claim.key} was taken back, and there is no record of it"
            )

    def _fingerprint(self, token: str) -> str:
        return hmac.new(self._pepper, token.encode(), sha256).hexdigest()
