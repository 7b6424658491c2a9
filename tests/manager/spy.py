"""A spy who knows every seed, reads everything that is said, and cries out when something says what is still secret.

What may be known is worked out here from the commands alone, apart from the manager: the cards that a game turns up at
the deal, a hand that the display has shown, all hands in play once the dealer's is shown, everything once the round is
over.
"""

from __future__ import annotations

import base64
import logging
import re
from collections.abc import Iterator
from hashlib import sha256, shake_256
from typing import Any

import msgspec

from houseway.cards.card import ALL_CARDS, CARD_TEXTS
from houseway.cards.modes import shuffler_mode
from houseway.cards.shuffler import Deal, deal
from houseway.cards.stream import commitment, stream_key
from houseway.games import game
from houseway.manager.commands.round_commands import (
    DealRound,
    DecideRound,
    EndRound,
    ShowDealerWay,
    ShowPlayerWay,
    VoidRound,
)
from houseway.manager.core.floor import Floor

SEED_BYTES = 32

WORDS = frozenset({"As", "Ad", "Ah"})
"""Cards that are English words too: alone in a sentence they tell nothing."""
TOKEN = re.compile(r"(?<![A-Za-z0-9])(?:[2-9TJQKA][cdhs]|Jk)(?![A-Za-z0-9])")
WINDOW = 4
"""So many cards in the order of the deck are no coincidence."""


class LeakError(AssertionError):
    """Something secret was said."""


class Secrets:
    """One deal and what of it is still secret."""

    def __init__(self, dealt: Deal) -> None:
        self.dealt = dealt
        self.open: set[int] = set()

    def show(self, *places: int, first: int | None = None) -> None:
        """Turn up the cards of some places (0: the dealer), all or the first of them."""
        for packet in self.dealt.packets:
            if packet.place in places:
                self.open |= set(packet.cards[:first])

    @property
    def hidden(self) -> set[int]:
        return set(self.dealt.order) - self.open

    def leaks(self, text: str) -> Iterator[str]:
        """Every way in which a text tells a hidden card, or the order of the deck."""
        hidden = {CARD_TEXTS[card] for card in self.hidden}
        for quoted in re.findall(r'["\']([2-9TJQKA][cdhs]|Jk)["\']', text):
            if quoted in hidden:
                yield f"the card {quoted}"
        found = TOKEN.findall(text)
        alone = len(found) == 1
        yield from (f"the card {token}" for token in found if token in hidden and not (alone and token in WORDS))
        yield from (f"the {words}" for words in self._words() if words in text)
        for window in self._windows():
            yield from (f"the order {form}" for form in _forms_of_cards(window) if form in text)

    def _words(self) -> Iterator[str]:
        return (ALL_CARDS[card].words for card in self.hidden if card != 52)

    def _windows(self) -> Iterator[tuple[int, ...]]:
        """Neighbours in the deck, and the cards of each packet sorted, as far as they are hidden."""
        rows = [self.dealt.order, *(tuple(sorted(packet.cards)) for packet in self.dealt.packets)]
        for row in rows:
            for start in range(len(row) - WINDOW + 1):
                window = row[start : start + WINDOW]
                # Deuces and treys alone look like a list of seats.
                if not self.open.issuperset(window) and max(window) > 7:
                    yield tuple(window)


def _forms_of_cards(cards: tuple[int, ...]) -> tuple[str, ...]:
    numbers = [str(int(card)) for card in cards]
    return ("".join(CARD_TEXTS[card] for card in cards), ",".join(numbers), ", ".join(numbers), " ".join(numbers))


def forms_of_bytes(secret: bytes) -> tuple[str, ...]:
    """Bytes in the forms in which programs print them; of long forms the first half is enough to tell."""
    numbers = [str(byte) for byte in secret[:16]]
    return (
        secret.hex()[:32],
        base64.b64encode(secret).decode()[:40],
        base64.urlsafe_b64encode(secret).decode()[:40],
        base64.b32encode(secret).decode()[:40],
        secret.decode("latin-1"),
        repr(secret)[2:-1],
        repr(secret)[2:-1].replace("\\", "\\\\"),
        str(int.from_bytes(secret, "big")),
        str(int.from_bytes(secret, "little")),
        ",".join(numbers),
        ", ".join(numbers),
    )


class Spy:
    """Knows what was drawn, follows which commands were carried out, and reads everything else."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.seeds: dict[str, bytes] = {}
        """Seeds that are still secret, by commitment."""
        self.rounds: dict[str, Secrets] = {}
        """Rounds whose cards are dealt and not all revealed."""
        self.looks = 0
        self.drawn = 0
        self._clean: set[tuple[str | None, str]] = set()
        """Texts that were read and told nothing, as long as nothing new became a secret or ceased to be one."""
        self._log = _Log()
        self.logs: set[str] = set()
        """The names of the logs that were read."""

    def draw(self, size: int) -> bytes:
        """A source of seeds, the same in every run; salts of leaves are drawn many at once, and are no secret."""
        if size != SEED_BYTES:
            return shake_256(f"{self.name}/salt {self.drawn}".encode()).digest(size)
        self.drawn += 1
        self._clean.clear()
        seed = sha256(f"{self.name}/{self.drawn}".encode()).digest()[:size]
        self.seeds[commitment(seed)] = seed
        return seed

    def __enter__(self) -> Spy:
        # A server that was begun in this process keeps its log to itself: the spy listens there too.
        self._heard = [(logger, logger.level) for logger in (logging.root, logging.getLogger("houseway"))]
        for logger, _ in self._heard:
            logger.addHandler(self._log)
            logger.setLevel(logging.DEBUG)
        # The log of access is off unless somebody wants it: the spy does.
        self._access = logging.getLogger("houseway.access")
        self._was_off, self._access.disabled = self._access.disabled, False
        return self

    def __exit__(self, *_exc: object) -> None:
        for logger, level in self._heard:
            logger.removeHandler(self._log)
            logger.setLevel(level)
        self._access.disabled = self._was_off

    # ------------------------------------------------------------ what may be known

    def follow(self, command: Any, floor: Floor) -> None:
        """A command was carried out: what it was meant to reveal is no secret any more."""
        if not isinstance(command, DealRound | ShowPlayerWay | ShowDealerWay | EndRound | VoidRound | DecideRound):
            return
        self._clean.clear()
        match command:
            case DealRound(round=id_):
                round_ = floor.rounds[id_]
                assert round_.deal is not None
                mode = shuffler_mode(game(round_.game).shuffler_mode)
                seed = self.seeds[round_.deal.commitment]
                occupied = set(round_.occupied)
                entropy = [text.encode() for text in command.player_entropy]
                secrets = Secrets(deal(mode, seed, seats=occupied, player_entropy=entropy))
                secrets.show(0, first=game(round_.game).dealer_cards_up)
                self.rounds[id_] = secrets
            case ShowPlayerWay(round=id_, seat=seat):
                self.rounds[id_].show(seat)
            case ShowDealerWay(round=id_):
                self.rounds[id_].show(0, *self.rounds[id_].dealt.occupied)
            case EndRound(round=id_) | VoidRound(round=id_) | DecideRound(round=id_, decision="void"):
                over = self.rounds.pop(id_, None)
                if over is not None:
                    del self.seeds[over.dealt.commitment or ""]

    # ------------------------------------------------------------ reading

    def read(self, said: Any, where: str, round_id: str | None = None) -> None:
        """Read something that was said about a round: a text, bytes, or plain data."""
        text = _text(said)
        if (round_id, text) in self._clean:
            self.looks += 1
            return
        self.read_for_seeds(text, where)
        for id_, secrets in self.rounds.items():
            if round_id in (None, id_):
                for leak in secrets.leaks(text):
                    raise LeakError(f"{where} tells {leak}")
        self._clean.add((round_id, text))

    def read_for_seeds(self, said: Any, where: str) -> str:
        """Read something in which old, revealed cards may lie about, but no secret seed; the text of it."""
        self.looks += 1
        text = _text(said)
        for seed in self._secret_bytes():
            for form in (*forms_of_bytes(seed), seed.hex()[:32].upper()):
                if form in text:
                    raise LeakError(f"{where} tells a seed or a key: {form!r}")
        return text

    def _secret_bytes(self) -> Iterator[bytes]:
        yield from self.seeds.values()
        for secrets in self.rounds.values():
            dealt = secrets.dealt
            assert dealt.seed is not None
            yield stream_key(dealt.seed, dealt.mode.id, dealt.player_entropy)

    def read_floor(self, floor: Floor) -> None:
        """Read the whole state: each round by what may be known of it, everything else by what may be known of none."""
        entities = dict(floor.snapshot()["entities"])
        rounds = entities.pop("round")
        for kind, each in entities.items():
            self.read(each, f"the state ({kind})")
        self.read(dict(floor.balances), "the balances")
        for id_, round_ in rounds.items():
            self.read(round_, f"the round {id_} in the state", id_)

    def read_log(self) -> None:
        """Read what was logged since the last time."""
        for line in self._log.taken():
            self.logs.add(line.split()[0])
            self.read(line, "the log")


class _Log(logging.Handler):
    """Keeps every record as it would be printed, with its arguments and traceback."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []
        self.setFormatter(logging.Formatter("%(name)s %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{self.format(record)} {record.args!r}")

    def taken(self) -> list[str]:
        lines, self.lines = self.lines, []
        return lines


def _text(said: Any) -> str:
    if isinstance(said, bytes):
        return said.decode("latin-1")
    return said if isinstance(said, str) else msgspec.json.encode(said).decode()
