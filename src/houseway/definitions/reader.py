"""Reads the definition of a game from TOML, and refuses a broken one with every fault at once, each with its line."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final, TypeVar, cast, get_args

from houseway.cards.card import parse_cards
from houseway.cards.modes import plain_mode, shuffler_mode
from houseway.definitions.definition import (
    Clauses,
    Commission,
    ContestRules,
    Controls,
    DealerPush,
    Edition,
    Game,
    HandPart,
    JackpotOffer,
    Look,
    LookedAt,
    NamedHand,
    Qualifier,
    Raise,
    RaiseRule,
    Street,
    Wager,
    WagerKind,
    Wheel,
)
from houseway.definitions.edition_facts import EDITION_KEYS, WITHOUT, EditionFaults, dated_keys, facts_of, has_facts
from houseway.definitions.hand_spans import HandSpan, span_of
from houseway.errors import InputError
from houseway.ranking.hand_names import HAND_NAMES
from houseway.reading.codes import Codes
from houseway.reading.fields import Fields
from houseway.reading.places import Place
from houseway.reading.toml_files import FileFaults, parse_toml

FAULT_CODES: Final = {
    "game-unreadable": "the file cannot be read, is too large or is not UTF-8 text",
    "game-syntax": "the file is not TOML",
    "game-id": "the id is not well formed or is not the file's name",
    "game-missing-key": "a required key is absent",
    "game-unknown-key": "a key that definitions do not have",
    "game-bad-type": "a value of the wrong kind: text where a number belongs, true or false",
    "game-bad-value": "a value outside its range or closed list",
    "game-contradiction": "two facts of the definition contradict each other",
    "game-clause": "a sheet that is not there, or a clause that no sheet of the game has",
    "game-refused": "a game from outside that is not used, since its files have faults",
}
"""Every fault code of this package, with its meaning."""

_CODES: Final = Codes(
    missing="game-missing-key",
    unknown="game-unknown-key",
    kind="game-bad-type",
    number="game-bad-type",
    bounds="game-bad-value",
    text="game-bad-value",
    word="game-bad-value",
)
ENVY_SUFFIX: Final = "_envy"
"""The lines of envy that a wager earns are called by its name with this behind it."""
BANK: Final = "bank"
"""The name of the line of a player who banks."""

_ID: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,30}")
_CARDS_OF_PART: Final = {"best": 5, "high": 5}
_REQUIRED: Final = ("id", "title", "sheets", "line_order", "deal", "wagers")
_OPTIONAL: Final = (
    "ways", "aggregate_clause", "fixed_wheel", "fixed_pays_from_meter", "notes", "commission", "raise_rules",
    "editions", "listed", "contest", "streets", "hands",
)  # fmt: skip
_WITHOUT_JOKER: Final = 52
_MOST_CENTS: Final = 100_000_00
_MOST_SENSORS: Final = 9
_MOST_LISTED: Final = 999
_SECTION: Final = re.compile(r"[a-z0-9]+/[a-z0-9-]+")
_MOST_CARDS: Final = 7
_MOST_TIMES: Final = 10
_HAND_SIZES: Final = (1, 5, 6, 7)
"""Of how many cards a hand can be, for there to be an order of hands."""
_DATE: Final = re.compile(r"20[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])")

Kind = TypeVar("Kind")


def read_game(text: str, file: str, stem: str) -> Game:
    """The game that a text defines; `file` is its path for the messages, and `stem` the id that is expected.

    Raises InputError with every fault.
    """
    faults = FileFaults(_CODES, file, text)
    values = parse_toml(text, code="game-syntax", name=file)
    reader = Fields(values, Place("the definition"), faults)
    game = _Definition(reader).read(stem)
    if game is not None and not faults.any:
        game = _with_earlier(game, reader)
    if faults.any or game is None:
        raise faults.error()
    return game


def _with_earlier(newest: Game, reader: Fields) -> Game:
    """The game with the facts of its earlier editions: each is read as a definition of its own, by the same rules."""
    earlier = []
    for edition, said in zip(newest.editions, reader.tables("editions", "edition"), strict=True):
        if not has_facts(said):
            continue
        if edition is newest.editions[-1]:
            message = "the definition itself has the facts of the newest edition: write them there"
            said.fault("game-contradiction", "sensors", message)
            continue
        faults = EditionFaults(_CODES, said, edition.text)
        merged = Fields(facts_of(reader.values, said), Place("the definition"), faults)
        found = _Definition(merged).read(newest.id, newest.editions, edition.date)
        if found is not None:
            earlier.append(found)
    return replace(newest, earlier=tuple(earlier))


class _Definition:
    """One definition while it is read."""

    def __init__(self, reader: Fields) -> None:
        self.reader = reader
        self.low_cards = 0

    def read(self, stem: str, editions: tuple[Edition, ...] | None = None, as_of: str = "") -> Game | None:
        """The game, or None where something is missing, which the faults then say.

        The facts of an earlier edition come with all editions of the game and the day of that one.
        """
        reader = self.reader
        reader.only(_REQUIRED, _OPTIONAL)
        game_id = self._id(stem)
        deal = reader.table("deal", "[deal]")
        if deal is None:
            return None
        optional = ("low_cards", "shuffler_mode", "machine_names", "dealer_cards_up", "dealer_hand")
        deal.only(("deck", "cards", "seats"), optional)
        self.low_cards = deal.whole("low_cards", 0, 2) or 0
        deck, cards, seats = deal.whole("deck", 52, 53), deal.whole("cards", 1, 7), deal.whole("seats", 1, 8)
        dealer_hand = deal.flag("dealer_hand") is not False
        up = deal.whole("dealer_cards_up", 0, cards or 0) or 0
        streets = tuple(self._street(one) for one in reader.tables("streets", "street"))
        named = tuple(self._named(one) for one in reader.tables("hands", "hand"))
        contest = self._contest()
        wagers = [self._wager(one) for one in reader.tables("wagers", "wager")]
        commission = self._commission()
        title, line_order = reader.text("title"), reader.texts("line_order")
        rules = tuple(
            rule for one in reader.tables("raise_rules", "raise rule") if (rule := self._raise_rule(one)) is not None
        )
        if editions is None:
            editions = self._editions()
        if contest is None or game_id is None or title is None or None in wagers or editions is None or not wagers:
            return None
        if deck is None or cards is None or seats is None:
            return None
        plain = plain_mode(deck, cards, seats, sum(street.community for street in streets), up, dealer=dealer_hand)
        game = Game(
            id=game_id,
            title=title,
            sheets=reader.texts("sheets"),
            deck=deck,
            cards=cards,
            low_cards=self.low_cards,
            max_seats=seats,
            shuffler_mode=deal.text("shuffler_mode") or plain.id,
            wagers=tuple(wager for wager in wagers if wager is not None),
            line_order=line_order,
            contest=contest,
            ways=reader.texts("ways"),
            fixed_wheel=cast("Wheel | None", reader.word("fixed_wheel", get_args(Wheel))),
            dealer_cards_up=up,
            commission=commission,
            fixed_pays_from_meter=reader.flag("fixed_pays_from_meter") is True,
            aggregate_clause=reader.text("aggregate_clause") or "",
            raise_rules=rules,
            notes=reader.texts("notes"),
            dealer_hand=dealer_hand,
            streets=streets,
            named_hands=tuple(hand for hand in named if hand is not None),
            machine_names=deal.texts("machine_names"),
            listed=reader.whole("listed", 1, _MOST_LISTED) or 0,
            editions=editions,
            as_of=as_of,
        )
        _check(game, reader)
        return game

    def _id(self, stem: str) -> str | None:
        game_id = self.reader.text("id")
        if game_id is not None and not _ID.fullmatch(game_id):
            self.reader.fault(
                "game-id", "id", "an id is small letters, digits and inner hyphens, such as six-card-poker"
            )
        elif game_id is not None and game_id != stem:
            message = f'the id "{game_id}" is not the name of the file: name the file {game_id}.toml, or correct the id'
            self.reader.fault("game-id", "id", message)
        return game_id

    def _span(self, reader: Fields, key: str, part: str | None) -> HandSpan | None:
        """A text that names hands, for the part of a hand that it is about."""
        text = reader.text(key)
        if text is None or part is None:
            return None
        try:
            return span_of(text, _CARDS_OF_PART.get(part, self.low_cards))
        except ValueError:
            message = (
                f'"{key}" of {reader.name} names no hands: write it as in "pair of eights or better" or "nine-high"'
            )
            reader.fault("game-bad-value", key, message)
            return None

    def _part(self, reader: Fields, key: str) -> HandPart | None:
        return cast("HandPart | None", reader.word(key, get_args(HandPart)))

    def _street(self, reader: Fields) -> Street:
        reader.only(("title",), ("seat", "community", "pulls", "keep"))
        return Street(
            reader.text("title") or "",
            reader.whole("seat", 0, _MOST_CARDS) or 0,
            reader.whole("community", 0, _MOST_CARDS) or 0,
            reader.texts("pulls"),
            self._span(reader, "keep", "best"),
        )

    def _named(self, reader: Fields) -> NamedHand | None:
        reader.only(("name",), ("hands", "cards"))
        name = reader.text("name")
        hands, texts = self._span(reader, "hands", "best"), reader.texts("cards")
        if name is not None and (not _ID.fullmatch(name) or name in HAND_NAMES):
            message = "the name of a hand is small letters, digits and inner hyphens, and none that every game knows"
            reader.fault("game-bad-value", "name", message)
        if ("hands" in reader.values) == ("cards" in reader.values):
            reader.fault("game-missing-key", "name", f"{reader.name} says which hands it is by `hands` or by `cards`")
        cards: list[frozenset[int]] = []
        for text in texts:
            try:
                cards.append(frozenset(parse_cards(text, "cards")))
            except InputError as error:
                reader.fault("game-bad-value", "cards", str(error))
        return None if name is None else NamedHand(name, hands, tuple(cards))

    def _contest(self) -> ContestRules | None:
        reader = self.reader.table("contest", "[contest]")
        if reader is None:
            return ContestRules((), "push") if "contest" not in self.reader.values else None
        reader.only(("parts", "tie"), ("joker_low_wins", "dealer_push", "qualifier", "bank_clause"))
        parts = cast("tuple[HandPart, ...]", reader.words("parts", get_args(HandPart)))
        tie = reader.word("tie", ("dealer", "push"))
        push, qualifier = reader.table("dealer_push", "dealer_push"), reader.table("qualifier", "qualifier")
        if tie is None:
            return None
        return ContestRules(
            parts,
            "dealer" if tie == "dealer" else "push",
            joker_low_wins=reader.flag("joker_low_wins") is True,
            dealer_push=None if push is None else self._dealer_push(push),
            qualifier=None if qualifier is None else self._qualifier(qualifier),
            bank_clause=reader.text("bank_clause") or "",
        )

    def _dealer_push(self, reader: Fields) -> DealerPush | None:
        reader.only(("part", "hands", "clause"), ("banked_clause",))
        part = self._part(reader, "part")
        hands, clause = self._span(reader, "hands", part), reader.text("clause")
        if part is None or hands is None or clause is None:
            return None
        return DealerPush(part, hands, clause, reader.text("banked_clause") or "")

    def _qualifier(self, reader: Fields) -> Qualifier | None:
        reader.only(("part", "hands"))
        part = self._part(reader, "part")
        hands = self._span(reader, "hands", part)
        return None if part is None or hands is None else Qualifier(part, hands)

    def _commission(self) -> Commission | None:
        reader = self.reader.table("commission", "[commission]")
        if reader is None:
            return None
        reader.only(("percent",), ("minimum",))
        percent = reader.whole("percent", 1, 100)
        return None if percent is None else Commission(percent, reader.whole("minimum", 0, _MOST_CENTS) or 0)

    def _raise_rule(self, reader: Fields) -> RaiseRule | None:
        reader.only(("against", "least"))
        against, least = reader.text("against"), self._span(reader, "least", "high")
        return None if against is None or least is None else RaiseRule(against, least)

    def _editions(self) -> tuple[Edition, ...] | None:
        """The editions of the sheet; None where one of them cannot be read."""
        read = [self._edition(one) for one in self.reader.tables("editions", "edition")]
        found = tuple(edition for edition in read if edition is not None)
        return found if len(found) == len(read) else None

    def _edition(self, reader: Fields) -> Edition | None:
        facts = dated_keys((*_REQUIRED, *_OPTIONAL))
        reader.only(("sensors", "house_jackpots"), (*EDITION_KEYS, WITHOUT, *facts))
        date = reader.text("date") if "date" in reader.values else ""
        if date and not _DATE.fullmatch(date):
            reader.fault("game-bad-value", "date", "the day of a letter is written as in 2023-06-14")
        offer, beyond = self._offer(reader), reader.table("by_paper", "by_paper")
        if beyond is not None:
            beyond.only(("sensors", "house_jackpots"))
        if date is None or offer is None:
            return None
        by_paper = None if beyond is None else self._offer(beyond)
        document = reader.text("document") or ""
        return Edition(date, offer.sensors, offer.house_jackpots, by_paper, document, self._controls(reader))

    def _offer(self, reader: Fields) -> JackpotOffer | None:
        sensors, house = reader.whole("sensors", 0, _MOST_SENSORS), reader.flag("house_jackpots")
        return None if sensors is None or house is None else JackpotOffer(sensors, house)

    def _controls(self, reader: Fields) -> tuple[Controls, ...]:
        """Generations of controls with the sections that hold their rules of play, as `nexus = "6cfpgpp/nexus"`."""
        table = reader.table("controls", "controls")
        if table is None:
            return ()
        found = [(name, table.text(name)) for name in table.values]
        for name, section in found:
            if section is not None and not _SECTION.fullmatch(section):
                message = "the section of a sheet in the register of clauses is written as in 6cfpgpp/nexus"
                table.fault("game-bad-value", name, message)
        return tuple(Controls(name, section) for name, section in found if section is not None)

    def _wager(self, reader: Fields) -> Wager | None:
        optional = ("look", "table_wager", "default_table", "lines_may_push", "envy_from", "raises", "needs_qualifier",
                    "equals")  # fmt: skip
        reader.only(("name", "kind", "title", "clauses"), optional)
        name, title = reader.text("name"), reader.text("title")
        kind = cast("WagerKind | None", reader.word("kind", get_args(WagerKind)))
        clauses, look = self._clauses(reader), reader.table("look", "look")
        raises = reader.table("raises", "raises")
        if name is not None and not _NAME.fullmatch(name):
            reader.fault("game-bad-value", "name", "a wager's name is small letters, digits and underscores")
        if name is None or title is None or kind is None or clauses is None:
            return None
        return Wager(
            name,
            kind,
            title,
            clauses,
            look=None if look is None else self._look(look),
            table_wager=reader.text("table_wager") or "",
            default_table=reader.text("default_table"),
            lines_may_push=reader.flag("lines_may_push") is True,
            envy_from=reader.whole("envy_from", 0, _MOST_CENTS),
            raises=None if raises is None else self._raise(raises),
            needs_qualifier=reader.flag("needs_qualifier") is True,
            equals=reader.text("equals") or "",
        )

    def _clauses(self, reader: Fields) -> Clauses | None:
        table = reader.table("clauses", "clauses")
        if table is None:
            return None
        names = tuple(Clauses.__dataclass_fields__)
        table.only(names[:2], names[2:])
        return Clauses(**{name: text for name in names if (text := table.text(name)) is not None} | _absent(table))

    def _look(self, reader: Fields) -> Look | None:
        reader.only(("at",), ("hands", "beaten_by", "tie"))
        at = cast("LookedAt | None", reader.word("at", get_args(LookedAt)))
        hands = self._span(reader, "hands", "low" if at == "dealer-low" else "best")
        tie = reader.word("tie", ("lose", "push"))
        beaten_by = self._part(reader, "beaten_by")
        return None if at is None else Look(at, hands, beaten_by, "push" if tie == "push" else "lose")

    def _raise(self, reader: Fields) -> Raise | None:
        reader.only(("of",), ("instead_of_fold", "may_be_less", "times"))
        of = reader.text("of")
        if of is None:
            return None
        times = reader.wholes("times", 1, _MOST_TIMES) or (1,)
        return Raise(of, reader.flag("instead_of_fold") is True, reader.flag("may_be_less") is True, times)


def _absent(table: Fields) -> dict[str, str]:
    """The two clauses that every wager has, empty where they are missing: that is a fault of its own."""
    return {name: "" for name in ("win", "lose") if not isinstance(table.values.get(name), str)}


def _check(game: Game, reader: Fields) -> None:
    """What single keys cannot show: facts that contradict each other."""
    names = [wager.name for wager in game.wagers]
    lines = set(names) | {wager.name + ENVY_SUFFIX for wager in game.wagers if wager.has_envy}
    if game.offers_banker:
        lines.add(BANK)
    if set(game.line_order) != lines or len(game.line_order) != len(lines):
        missing = ", ".join(sorted(lines.symmetric_difference(game.line_order))) or "a line twice"
        message = (
            f'"line_order" lists every wager, its envy where it has one, and the bank once; it differs in: {missing}'
        )
        reader.fault("game-contradiction", "line_order", message)
    if len(set(names)) != len(names):
        reader.fault("game-contradiction", "wagers", "two wagers have one name")
    if game.first_wager.kind != "main":
        reader.fault("game-contradiction", "wagers", "the first wager is the main one, which every player makes")
    _check_words(game, reader)
    _check_deal(game, reader)
    split = bool(set(game.contest.parts) & {"high", "low"})
    if game.contest.parts and split != bool(game.low_cards):
        message = "hands with low cards are compared by their high and low hands, others by the best hand"
        reader.fault("game-contradiction", "contest", message)
    if bool(game.ways) != bool(game.low_cards):
        reader.fault("game-contradiction", "deal", "a game with low hands names its house ways, another has none")
    if game.low_cards and game.cards - game.low_cards != 5:
        reader.fault("game-contradiction", "deal", "a high hand has five cards: the others are the low hand")
    for wager in game.wagers:
        _check_wager(wager, game, reader)
        _check_look(wager, game, reader)
    _check_contest(game, reader)
    _check_editions(game, reader)


def _check_words(game: Game, reader: Fields) -> None:
    """Wagers that the same pay tables pay: these tell what a table looks at by its word."""
    by_table = [wager for wager in game.wagers if wager.needs_table]
    for word in dict.fromkeys(wager.paid_by for wager in by_table):
        sharing = [wager for wager in by_table if wager.paid_by == word]
        if len({(wager.kind, wager.look) for wager in sharing}) > 1:
            names = ", ".join(wager.name for wager in sharing)
            message = f"{names} are paid by the tables of {word!r}: they look at the same, or have other words"
            reader.fault("game-contradiction", "wagers", message)


def _check_editions(game: Game, reader: Fields) -> None:
    """The editions against each other and the game's wagers."""
    dates = [edition.date for edition in game.editions]
    if dates != sorted(set(dates)) or ("" in dates and len(dates) > 1):
        message = "the editions of a sheet stand by their dates, the oldest first; one without a date stands alone"
        reader.fault("game-contradiction", "editions", message)
    if game.as_of:
        if game.newest_edition.offer(with_paper=True).sensors > len(game.jackpots):
            message = f"it offers more sensors than its {len(game.jackpots)} jackpot wagers"
            reader.fault("game-contradiction", "wagers", message)
        return
    if game.editions and game.newest_edition.offer(with_paper=True).sensors != len(game.jackpots):
        message = (
            f"the newest edition offers the game's {len(game.jackpots)} jackpot wagers, one a sensor, by itself or "
            "with a paper (by_paper)"
        )
        reader.fault("game-contradiction", "editions", message)
    for edition in game.editions:
        by_itself, most = edition.offer(), edition.offer(with_paper=True)
        if most.sensors < by_itself.sensors or most.house_jackpots < by_itself.house_jackpots:
            message = "what a paper allows (by_paper) is never less than the edition offers by itself"
            reader.fault("game-contradiction", "editions", message)


def _check_deal(game: Game, reader: Fields) -> None:
    """The cards that are dealt, in which steps and to whom."""

    def contradiction(key: str, message: str) -> None:
        reader.fault("game-contradiction", key, message)

    if game.hand_cards not in _HAND_SIZES:
        sizes = ", ".join(map(str, _HAND_SIZES))
        contradiction(
            "deal", f"a hand has {game.hand_cards} cards with the community's, and an order of hands is for {sizes}"
        )
    if bool(game.contest.parts) != game.dealer_hand:
        contradiction("contest", "a dealer's hand is what a contest is about: both are there, or neither")
    if game.streets and sum(street.seat for street in game.streets) != game.cards:
        contradiction("streets", f"the streets deal a seat other than the {game.cards} cards of [deal]")
    if game.streets and game.low_cards:
        contradiction("streets", "hands that are set in two parts are dealt at once: leave the streets out")
    names = {wager.name for wager in game.wagers}
    pulled = [wager for street in game.streets for wager in street.pulls]
    if len(set(pulled)) != len(pulled) or not set(pulled) <= names:
        contradiction("streets", f"`pulls` name each a wager of the game, once: {', '.join(pulled)}")
    if len({hand.name for hand in game.named_hands}) != len(game.named_hands):
        contradiction("hands", "two hands have one name")
    try:
        mode = shuffler_mode(game.shuffler_mode)
    except InputError as error:
        contradiction("deal", f"shuffler_mode: {error.faults[0].message}; or leave it out for a plain deal")
        return
    dealt = (len(mode.deck), mode.packet_size, mode.seats, mode.community, mode.dealer_hand)
    if dealt != (game.deck, game.cards, game.max_seats, game.community_cards, game.dealer_hand):
        contradiction("deal", f"the shuffler mode {mode.id} deals other cards or seats than the game")
    needed = game.cards * (game.max_seats + game.dealer_hand) + game.community_cards
    if needed > game.deck:
        players = f"{game.max_seats} players{' and the dealer' if game.dealer_hand else ''}"
        contradiction("deal", f"{players} need {needed} cards of {game.deck}")


def _check_wager(wager: Wager, game: Game, reader: Fields) -> None:
    """One wager against its kind and the rest of the game."""
    by_table = wager.kind in ("bonus", "jackpot") or not game.dealer_hand
    if by_table != wager.needs_table:
        says = "needs a look, which says what its table is read with" if by_table else "is decided by the contest"
        reader.fault("game-contradiction", "wagers", f"{wager.name} is a {wager.kind} wager and {says}")
    if wager.look is not None and not game.dealer_hand and not wager.look.at.startswith("player"):
        message = f"{wager.name} looks at {wager.look.at}, and the dealer of {game.id} has no hand"
        reader.fault("game-contradiction", "wagers", message)
    if (game.pull_street(wager.name) is not None) != bool(wager.clauses.pull):
        message = f"{wager.name}: a street at which it may be pulled and a clause of `pull` belong together"
        reader.fault("game-contradiction", "wagers", message)
    if wager.equals and (game.wager(wager.equals) is None or wager.equals == wager.name):
        reader.fault(
            "game-contradiction", "wagers", f"{wager.name} equals {wager.equals!r}, which is not another wager"
        )
    if (wager.kind == "raise") != (wager.raises is not None):
        reader.fault("game-contradiction", "wagers", f"{wager.name}: a raise, and nothing else, says what it raises")
    if wager.raises is not None and game.wager(wager.raises.of) is None:
        reader.fault("game-contradiction", "wagers", f"{wager.name} raises {wager.raises.of!r}, which is not a wager")
    if wager.needs_qualifier and (game.contest.qualifier is None or by_table):
        says = "its table decides it" if by_table else "the contest has none"
        reader.fault("game-contradiction", "wagers", f"{wager.name} needs a qualifier, and {says}")
    if wager.lines_may_push and (wager.kind == "jackpot" or not wager.clauses.push):
        says = "no line of a jackpot does" if wager.kind == "jackpot" else "it has no clause of `push`"
        reader.fault("game-contradiction", "wagers", f"lines of {wager.name} may push, and {says}")
    if wager.has_envy != bool(wager.clauses.envy):
        reader.fault("game-contradiction", "wagers", f"{wager.name}: envy_from and a clause of envy belong together")


def _check_look(wager: Wager, game: Game, reader: Fields) -> None:
    """What a wager looks at, against what a settlement asks of hands: nothing is read that would not be honoured."""
    look = wager.look
    if look is None:
        return
    compared, split = look.beaten_by, bool(game.low_cards)
    for amiss, what in (
        (wager.kind == "jackpot" and not look.is_plain, "a jackpot looks at `player-best`, and at every hand"),
        (wager.has_envy and not look.is_plain, "a wager that earns envy looks at `player-best`, and at every hand"),
        (look.at == "dealer-low" and not split, "hands are not split, so the dealer has no low hand"),
        (look.at == "player-cards" and look.hands is not None, "`hands` are whole hands, not a seat's own cards"),
        (look.at in ("player-cards", "losing-hand") and compared is not None, f"{look.at} takes no `beaten_by`"),
        (compared is not None and not game.dealer_hand, "the dealer has no hand to be beaten"),
        (compared == "low" and not split, "hands are not split, so no low hand can be beaten"),
        (look.tie == "push" and compared is None, "without `beaten_by` there is no tie"),
        (look.tie == "push" and game.contest.tie == "dealer", "ties go to the dealer by [contest], and do not push"),
        (look.tie == "push" and not wager.clauses.push, "a tie pushes, and there is no clause of `push`"),
    ):  # fmt: skip
        if amiss:
            reader.fault("game-contradiction", "wagers", f"{wager.name}: {what}")


def _check_contest(game: Game, reader: Fields) -> None:
    """What the contest and the order of hands leave without a meaning."""
    if game.commission is not None and game.first_wager.needs_table:
        message = "a commission is kept of wagers that the contest decides, and a pay table decides the main one"
        reader.fault("game-contradiction", "commission", message)
    if game.fixed_wheel == "second" and game.deck == _WITHOUT_JOKER:
        reader.fault("game-contradiction", "fixed_wheel", "without a joker A-2-3-4-5 is the lowest straight")
