"""The property and its house: people, devices, settings, papers and proposals."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from houseway.errors import StateError
from houseway.manager.core.roles import Department, Role
from houseway.reading.json_values import Json, JsonObject


class Rollback(Struct, frozen=True):
    """A client showed a signed mark that the journal does not have: an old copy was put in place of the journal."""

    seq: int
    hash: str
    at: int
    """When the mark was signed."""
    device: str
    noticed_at: int


class Recovery(Struct, frozen=True):
    """Two people have put on record which events of the journal were lost."""

    first: int
    last: int
    hash: str
    """That of the last lost event."""
    at: int
    by: str
    second: str
    reason: str
    proved: int = 0
    """The highest event whose loss a signed mark had proved by then; where none had, the last one that was named."""

    def covers(self, seq: int, at: int) -> bool:
        """Whether an event that was signed at a time is one of the lost: later ones are of the journal as it is."""
        return self.first <= seq <= self.last and at <= self.at

    def forgives(self, seq: int, at: int) -> bool:
        """Whether a signed mark of an event stops nobody any more.

        People who name more than a mark had proved, by mistake or to hide it, do not silence the next proof.
        """
        return self.covers(seq, at) and seq <= self.proved


class Property(Struct, frozen=True):
    """The card room or casino. There is one, under the id "property"."""

    id: str
    name: str
    licence: Literal["commercial", "tribal"]
    opened_at: int
    rollback: Rollback | None = None
    """Proof that events are missing, until two people have named the range; nothing is accepted meanwhile."""
    recoveries: tuple[Recovery, ...] = ()


class Archive(Struct, frozen=True):
    """Events up to a number lie in a file.

    The state keeps every one: the event that says so is archived itself one day, and rows are held to this.
    """

    id: str
    """The number as a text."""
    up_to: int
    seq: int
    """The event that records it."""
    file_digest: str
    hash: str
    """That of event `up_to`."""
    at: int = 0
    """The time of event `up_to`, by which the archive of a day is found; 0 where it was not told."""
    next_at: int = 0
    """The time of the event behind it."""


class SigningKey(Struct, frozen=True):
    """A key that signs, or did: the starts that announce keys are archived one day, and the state still knows which.

    A key that was replaced is never taken again.
    """

    id: str
    """Under which checkpoints name it."""
    public: str
    """Ed25519, in hexadecimal digits."""
    since: int
    """The start that announced it."""
    replaced: int | None = None
    """The start that announced the next one."""


class PinRecord(Struct, frozen=True):
    """What is kept of a PIN."""

    hash: str
    """argon2id, of the PIN's fingerprint under the property's pepper."""
    set_at: int
    wrong: int = 0
    """Wrong ones in a row."""
    locked_until: int = 0


class Person(Struct, frozen=True):
    """A member of staff, known by an id; badges are kept as fingerprints."""

    id: str
    name: str
    department: Department
    roles: tuple[Role, ...]
    badges: tuple[str, ...] = ()
    active: bool = True
    issued_by: tuple[str, ...] = ()
    """Who issued the badge: one person, or the two whom a role with authority asks for; the first people's came with
    the journal (`system`)."""
    issued_at: int = 0
    """When somebody last had a hand in the badge or the PIN."""
    unconfirmed: tuple[str, ...] = ()
    """Who had a hand in the badge or the PIN since a third person confirmed it last: who registered the person, issued
    the badge or reset the PIN. Empty once it is confirmed, and for the first people."""
    confirmed_by: str | None = None
    pin: PinRecord | None = None
    pin_open_until: int = 0
    """Until when the bearer may set a first PIN though PINs are asked for: opened by those who gave the badge."""


class SignInRecord(Struct, frozen=True):
    """Somebody whose badge was read at a service, or the dealer whose badge was read at a controller."""

    since: int
    session: str
    """The fingerprint of the token that the sign-in was made with: who lacks it does not act for this person."""


class KnownNetwork(Struct, frozen=True):
    """A network from which somebody has signed in at a service."""

    person: str
    """Who did last."""
    at: int


class Device(Struct, frozen=True):
    """A controller or server that may send commands; it proves itself with a secret whose fingerprint is kept."""

    id: str
    kind: Literal["controller", "display", "service"]
    table: str | None
    secret: str
    active: bool = True
    signed_in: dict[str, SignInRecord] = {}
    """People whose badge was read there. A service: for how long that counts, the property has set. A controller: the
    dealer, until another one swipes in or the dealer leaves the table."""
    closed: dict[str, int] = {}
    """Until when no badge is taken there, because too many wrong ones were shown, by lane: `reader`, `person ID`,
    `network ADDRESS`, `unknown networks`, `known networks`."""
    networks: dict[str, KnownNetwork] = {}
    """A service: networks from which people have signed in."""
    registered_by: tuple[str, ...] = ()
    """Who took part in registering it, and so may know its secret; those too who had registered, in that shift, the
    device at which it was done."""
    registered_at: int = 0
    shift_over: bool = False
    """A controller: whether its table was closed and counted since."""


class DatedValue(Struct, frozen=True):
    """A value of a setting and when it began to hold."""

    since: int
    value: Json
    by: str
    approved_by: str | None = None
    reason: str = ""


class PropertySetting(Struct, frozen=True):
    """A setting of the property with all its values, the oldest first."""

    id: str
    values: tuple[DatedValue, ...]


class Paper(Struct, frozen=True):
    """An entry of a register: an approval of a game, internal controls, a licence, a piece of equipment, a notice."""

    id: str
    register: str
    subject: str
    fields: JsonObject
    since: int
    until: int | None
    by: str
    entered_at: int = 0
    """When it was put on record, whenever it takes effect."""

    def text(self, name: str) -> str:
        """A field that its register keeps as a text."""
        found = self.fields[name]
        if not isinstance(found, str):
            raise self._unlike(name, "a text")
        return found

    def texts(self, name: str) -> tuple[str, ...]:
        """A field that its register keeps as a list of texts."""
        found = self.fields[name]
        if not isinstance(found, list | tuple):
            raise self._unlike(name, "a list")
        return tuple(map(str, found))

    def number(self, name: str) -> int | None:
        """A field that its register keeps as a whole number; None where it is left out, or holds none."""
        found = self.fields.get(name)
        if found is not None and not isinstance(found, int):
            raise self._unlike(name, "a whole number")
        return found

    def _unlike(self, name: str, kind: str) -> StateError:
        return StateError(f"{name} of the paper {self.id} is not {kind}: the register {self.register} takes no other")


INCIDENTS = "incident"
"""The register that `incident.record` writes; no paper is entered into it by hand."""


def is_open_incident(paper: Paper) -> bool:
    """Whether a paper is an incident whose cause was not yet declared repaired."""
    return paper.register == INCIDENTS and paper.until is None


def word_of(paper: Paper) -> str:
    """On whose word a paper rests: a device (`device:ID`), whoever acted there, or the person who entered it."""
    sent_by = paper.fields.get("sent_by") if paper.register == INCIDENTS else None
    return paper.by if sent_by is None else f"device:{sent_by}"


class Proposal(Struct, frozen=True):
    """A change that needs a second person."""

    id: str
    what: JsonObject
    """The change as it was proposed: its name under `change`, and its fields."""
    reason: str
    by: str
    made_at: int
    content_hash: str
    approvers: tuple[str, ...]
    """Roles of which the approver needs one."""
    moment: Literal["now", "idle", "won"]
    """When it is made once it is approved: at once, when no round on its link is in play, or when its level is won."""
    status: Literal["open", "approved", "lapsed"] = "open"
    """Approved ones wait for their moment: no round on the link, or the level won. One that could not be carried out
    when its moment came has lapsed."""
    approved_by: str | None = None
    lapsed_because: str | None = None
    device: str | None = None
    """Where it was proposed."""
