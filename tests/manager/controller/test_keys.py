"""Every key that the display names is accepted or asks for something, and at every state something leads on.

Tables of all generations, with cards on the felt and with cards that the system deals, are played at random by the keys
that their displays name. At each state every named key is tried, on a copy of the floor.
"""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from houseway.amounts import Cents
from houseway.errors import InputError
from houseway.games import game as game_of
from houseway.manager.commands import AnyCommand
from houseway.manager.commands.round_commands import AddReference
from houseway.manager.controller import key_presses, sign
from houseway.manager.controller.panel import CommandDraft, Panel
from houseway.manager.core.engine import Engine, Envelope
from houseway.manager.core.floor import Floor
from houseway.manager.views.table_views import table_view
from tests.manager.cards.pit import Pit as KnownPit
from tests.manager.pit import Pit, progressive, table_of

WAITS = ("swipe", "badge", "shuffler deals", "surveillance", "sensors", "at the desk")
"""Words of the display by which it says whom it waits for where no key leads on."""


RAW = re.compile(r"[a-z]_[a-z]|\$[\d,]+\.\d{3,}|\bthe 1 [a-z ]+s\b|\bNone\b")
"""What no dealer should read: names of fields, parts of a cent, one of several, Python's own words."""


class Keypad:
    """One table of a floor in memory, with the panel of its controller."""

    def __init__(self, engine: Engine, now: int, seed: int) -> None:
        self.engine = engine
        self.now, self.count, self.luck = now, 0, random.Random(seed)
        self.panel = Panel("T1")
        self.panel.sensors.report({})
        self.met: set[str] = set()
        self.look()

    def look(self) -> None:
        self.panel.view = table_view(self.engine.floor, self.engine.floor.tables["T1"])
        self.panel.present = self.panel.view.dealer
        if not (self.panel.view.in_play and self.panel.view.in_play.key_turned):
            self.panel.key_badge = None

    def carry_out(self, drafts: list[CommandDraft]) -> None:
        for do in drafts:
            try:
                self.do(do.command, "D1")
            except InputError as error:
                self.panel.refused(do, error)
                if self.panel.asking is None:
                    raise
                return
            self.panel.carried_out(do)
            self.look()

    def do(self, command: AnyCommand, actor: str) -> None:
        self.count += 1
        self.now += 1_000_000
        envelope = Envelope(f"key {self.count}", actor, command)
        drawn = random.Random(self.count)
        decision = self.engine.decide(envelope, self.now, drawn.randbytes)
        self.engine.apply_decision(decision, self.engine.record(decision))

    def press(self, key: str, fields: dict[str, Any]) -> None:
        self.carry_out(key_presses.press(self.panel, key, dict(fields)))

    @property
    def display(self) -> dict[str, Any]:
        return sign.display(self.panel, True, "")

    # ------------------------------------------------------------ what a finger could do

    def ways_to_press(self, key: str) -> Iterator[dict[str, Any]]:
        """What a dealer may give with a key, the most likely first."""
        view, round_ = self.panel.view, self.panel.round
        assert view is not None
        seats = list(range(1, view.seats + 1))
        if key == "SPOT":
            taken = sorted({seat for each in (round_.taken.values() if round_ else ()) for seat in each})
            yield from ({"spot": seat} for seat in self.luck.sample(taken, len(taken)) or seats)
        elif key == "HAND":
            hands = list(dict.fromkeys(hand for link in view.links.values() for hand in link.hands))
            proposed = list(round_.proposed.values()) if round_ else []
            yield from ({"hand": hand} for hand in [*proposed, *self.luck.sample(hands, len(hands))])
        elif key == "SET":
            low = 1 if view.game == "six-card-fortune" else 2 if view.way is not None else 0
            still = [seat for seat in (round_.occupied if round_ else ()) if str(seat) not in round_.sets]
            yield from ({"spot": seat, **({"low": list(range(low))} if low else {})} for seat in still)
        elif key == "REASON":
            yield {"reason": 1}
        elif key == "PLAYS":
            yield from ({"spot": seat} for seat in seats)
        else:
            yield {}

    def is_accepted(self, key: str) -> bool:
        """Whether some press of a key is carried out, chooses or asks something; on a copy, nothing changes here."""
        for fields in self.ways_to_press(key):
            other = copy.copy(self)
            kept = msgspec.json.decode(msgspec.json.encode(self.engine.floor.snapshot()))
            other.engine = Engine(Floor.restored(kept), self.engine.seq, self.engine.head)
            other.engine.secrets = dict(self.engine.secrets)
            other.panel = copy.deepcopy(self.panel)
            try:
                other.press(key, fields)
            except InputError:
                continue
            return True
        return False

    def check(self) -> None:
        shown = self.display
        assert not RAW.search(shown["text"]), shown["text"]
        self.met.update(shown["keys"])
        for key in shown["keys"]:
            assert self.is_accepted(key), (key, shown)
        leads_on = [key for key in shown["keys"] if key not in ("CANCEL", "REOPEN", "SEEN")]
        assert leads_on or any(word in shown["now"] for word in WAITS), shown

    # ------------------------------------------------------------ a walk

    def step(self) -> None:
        """Somebody does something: swipes a badge, verifies, deals, or presses a key that the display names."""
        shown, luck = self.display, self.luck
        round_ = self.panel.round
        if shown["asks"] == "badge" and luck.random() < 0.8:
            self.quietly(lambda: self.carry_out(self.panel.swipe(luck.choice(("badge-S1", "badge-E1")))))
            self.look()
            return
        unverified = [award for award in (round_.awards if round_ else ()) if award.reference_missing]
        if unverified and luck.random() < 0.4:
            told = unverified[0]
            self.do(AddReference(told.round, told.id, told.hand, Cents(told.cents), "camera 4"), "V1")
            self.look()
            return
        if round_ is not None and self.panel.view.cards == "known" and round_.deal is None and round_.occupied:
            self.carry_out(key_presses.deal(self.panel, {}))
            return
        if round_ is None:
            lit = sorted(luck.sample(range(1, 7), luck.choice((0, 1, 2, 3))))
            self.panel.sensors.report({"1": lit} if lit else {})
        keys = [key for key in shown["keys"] if key != "REOPEN" or luck.random() < 0.2]
        key = luck.choice(keys or ["CANCEL"])
        ways = list(self.ways_to_press(key))
        self.quietly(lambda: self.press(key, luck.choice(ways)))
        self.look()

    def quietly(self, act: Any) -> None:
        try:
            act()
        except InputError as error:
            told = sign.in_words(error, self.panel.vocabulary)
            assert not RAW.search(told), told


def felt(vocabulary: str, **link: Any) -> Engine:
    """A table with cards on the felt; its fixed pays come off a small meter where that is asked for."""
    pit = Pit(
        progressive("L1", **link),
        tables=[table_of("T1", vocabulary=vocabulary, deck="A-1")],
        meters={"L1/main": 2_000 if link else 1_000_000},
    )
    return pit.engine


@pytest.mark.parametrize("vocabulary", ["aquarius", "nexus", "nexus-2"])
@pytest.mark.parametrize("fixed_pays", ["tray", "meter"])
def test_every_key_that_a_table_on_the_felt_names_is_accepted(vocabulary: str, fixed_pays: str) -> None:
    met: set[str] = set()
    for seed in range(6):
        link = {} if fixed_pays == "tray" else {"fixed_pays": "meter"}
        keypad = Keypad(felt(vocabulary, **link), 1_750_000_000_000_000, seed)
        for _ in range(60):
            keypad.check()
            keypad.step()
        met |= keypad.met
    own = {"aquarius": {"COIN IN", "CALL", "KEY JPH", "J-POT", "KEY RUN", "GAME OVER"},
           "nexus": {"START GAME", "CALL", "CONFIRM", "END GAME", "SPOT"},
           "nexus-2": {"START GAME", "HIT JACKPOT", "PAY JACKPOT", "END GAME", "SPOT"}}[vocabulary]  # fmt: skip
    wanted = own | {"HAND", "REJECT", "REASON", "CANCEL"} | ({"TRAY PAYS"} if fixed_pays == "meter" else set())
    assert wanted <= met, wanted - met


@pytest.mark.parametrize("game", ["six-card-fortune", "fortune", "six-card-poker"])
def test_every_key_that_a_table_with_known_cards_names_is_accepted(game: str) -> None:
    met: set[str] = set()
    for seed in range(4):
        keypad = Keypad(
            KnownPit(game, name=f"keys {seed}", way=next(iter(game_of(game).ways), None), deck="A-1").engine,
            5_000_000,
            seed,
        )
        for _ in range(40):
            keypad.check()
            keypad.step()
        met |= keypad.met
    wanted = {"START GAME", "SET", "SHOW DEALER", "END GAME"} | ({"ALL SET"} if game == "six-card-poker" else set())
    assert wanted <= met, wanted - met
    assert ("ALL SET" in met) == (game == "six-card-poker")


def test_without_sensors_no_key_begins_a_round() -> None:
    keypad = Keypad(felt("aquarius"), 1_750_000_000_000_000, 0)
    keypad.panel.sensors.gone()
    assert (keypad.display["keys"], keypad.display["now"]) == ([], "NO JACKPOT WAGERS: the sensors do not report")
    keypad.panel.sensors.report({})
    assert keypad.display["keys"] == ["COIN IN"]


def test_a_fixed_pay_above_the_meter_names_the_key_and_both_outcomes() -> None:
    keypad = Keypad(felt("nexus", fixed_pays="meter"), 1_750_000_000_000_000, 0)
    keypad.panel.sensors.report({"1": [2]})
    keypad.press("START GAME", {})
    keypad.press("SPOT", {"spot": 2})
    keypad.press("HAND", {"hand": "four-of-a-kind"})
    drafts = key_presses.press(keypad.panel, "CALL", {})
    with pytest.raises(InputError) as refused:
        keypad.do(drafts[0].command, "D1")
    told = sign.in_words(refused.value, "nexus")
    assert "seat 2's four of a kind wins $150.00, and the meter L1/main holds $20.20" in told
    assert "TRAY PAYS" in told
    assert "$150.00 leaves the tray and the meter keeps its $20.20; if not, the hand waits as it is pressed" in told
    keypad.press("CALL", {})
    assert (keypad.display["asks"], keypad.display["keys"]) == ("tray-pays", ["TRAY PAYS", "CANCEL"])
    keypad.press("TRAY PAYS", {})
    (award,) = keypad.engine.floor.awards.values()
    assert (award.source, award.cents) == ("tray", 15_000)
