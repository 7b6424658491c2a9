"""Reading a round: from decoded JSON to a checked `CheckedRound`, with every fault found at once.

What cannot have happened at a table is refused here: a card twice, a joker in a 52-card game, a wager that the game
lacks, a stake that is not a positive whole number, a raise that does not fit its main wager, a pay table of another
wager, a setting that the sheet rules out.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable
from itertools import chain
from typing import Any, Final

from houseway.cards.card import JOKER, find_card, find_known_card, unknown_card
from houseway.definitions import AS_OF, Game, find_game, game_ids, replaced_games, why_no_game
from houseway.games import round_tables
from houseway.games.round_model import CheckedRound, CheckedSeat
from houseway.games.round_wagers import check_wagers, read_wagers
from houseway.games.table_settings import Settings, read_settings
from houseway.games.terms import RoundTerms, TermsCache, wagers_key
from houseway.houseways import HouseWay, house_way
from houseway.paytables import PayTable
from houseway.reading.faults import Faults
from houseway.wording import in_known_case, kind_of

ROUND_KEYS: Final = (
    "game", "paytables", "way", "settings", "meters", "seeds", "banker", "dealer_stake", "dealer", "seats",
    "community",
)  # fmt: skip
DEAL_KEYS: Final = (
    "seed", "commitment", "mode", "machine_mode", "numbering", "start_position", "up", "unoccupied", "leftover",
    "player_entropy",
)  # fmt: skip
"""What `houseway deal` adds for the record; settlement neither needs nor changes it."""
SEAT_KEYS: Final = ("seat", "cards", "low", "fold", "wagers", "pulled")
_ALL_ROUND_KEYS: Final = frozenset(ROUND_KEYS + DEAL_KEYS)
_ALL_SEAT_KEYS: Final = frozenset(SEAT_KEYS)


def read_round(value: object, way: HouseWay | None = None, own_table: PayTable | None = None) -> CheckedRound:
    """The checked round of a decoded JSON object; InputError with every fault.

    `way` replaces the named house way, `own_table` the pay table of a wager that it fits.
    """
    return RoundReader(way, own_table).read(value)


class RoundReader:
    """Reads rounds one after another, and what they have in common once."""

    def __init__(self, way: HouseWay | None = None, own_table: PayTable | None = None) -> None:
        """`way` replaces the named house ways, `own_table` the pay table of a wager that it fits."""
        self._way = way
        self._own_table = own_table
        self._kept = TermsCache()

    def read(self, value: object) -> CheckedRound:
        """The checked round of a decoded JSON object; InputError with every fault."""
        faults = Faults()
        data = faults.mapping(value, "")
        faults.refuse_if_any()
        if not _ALL_ROUND_KEYS.issuperset(data):
            faults.keys(data, ROUND_KEYS + DEAL_KEYS, "")
        game = _read_game(data, faults)
        if game is None:
            _check_without_game(data, faults)
            raise faults.error()
        key = self._kept.key(game, data)
        terms = self._kept.find(key)
        notes: list[str] = []
        if terms is None:
            settings = read_settings(data.get("settings"), game, faults, notes)
        else:
            settings = terms.settings
            notes += terms.settings_notes
        settings_notes = tuple(notes)
        dealer_stake = _read_dealer_stake(data.get("dealer_stake"), settings, faults)
        used: dict[int, str] = {}
        hands = _hands_at_once(data, game)
        dealer = _read_dealer(data, game, used, faults) if hands is None else hands[0]
        community = _read_community(data, game, used, faults)
        seats, keys = _read_seats(data, game, used, faults, terms, hands)
        _check_cards_out_of_play(data, used, seats, faults)
        banker = _read_banker(data.get("banker"), game, seats, faults)
        for index, (seat, wagers) in enumerate(zip(seats, keys, strict=True)):
            if terms is None or not terms.knows(wagers):
                check_wagers(seat, f"seats[{index}].wagers", game, settings, seat.number == banker, faults)
        made = frozenset().union(*[seat.wagers for seat in seats])
        if terms is None or made not in terms.notes:
            found, way = self._read_tables_and_way(data, game, made, settings, faults, notes)
        else:
            found, way = terms.tables, terms.way
            notes += terms.notes[made]
        table_notes = tuple(notes[len(settings_notes) :])
        meters = self._read_levels(data.get("meters"), "meters", game, terms, faults)
        seeds = self._read_levels(data.get("seeds"), "seeds", game, terms, faults)
        idle = round_tables.idle_meters(meters, found)
        if idle:
            notes.append(f"no jackpot of this round plays for these meters: {', '.join(idle)}")
        if dealer_stake and banker is None and data.get("banker") is None:
            faults.add("no-banker", "dealer_stake", "the dealer's hand has a stake only against a player who banks")
        faults.refuse_if_any()
        if terms is None:
            terms = RoundTerms(game, replaced_games(), settings, settings_notes, found, way)
            self._kept.add(key, terms)
        if made not in terms.notes or not terms.wagers.issuperset(keys):
            terms.keep(keys, made, table_notes)
        return CheckedRound(
            game=game,
            tables=found,
            way=way,
            settings=settings,
            meters=meters,
            seeds=seeds,
            banker=banker,
            dealer_stake=settings.dealer_stake if dealer_stake is None else dealer_stake,
            dealer=dealer,
            seats=tuple(seats),
            community=community,
            notes=notes,
            lines=terms.lines,
        )

    def _read_levels(
        self, value: object, path: str, game: Game, terms: RoundTerms | None, faults: Faults
    ) -> dict[str, dict[str, int]]:
        """Meters or seeds, which in a stream are often those of the round before."""
        if terms is None or value is None:
            return round_tables.read_levels(value, path, game, faults, self._own_table)
        said = repr(value)
        found = terms.levels.get(said)
        if found is None:
            found = round_tables.read_levels(value, path, game, faults, self._own_table)
            if not faults.any:
                terms.keep_levels(said, found)
        return found

    def _read_tables_and_way(
        self,
        data: dict[str, Any],
        game: Game,
        made: frozenset[str],
        settings: Settings,
        faults: Faults,
        notes: list[str],
    ) -> tuple[dict[str, PayTable], HouseWay | None]:
        """The pay tables and the house way of a round, and what there is to say about those of one's own."""
        own_table, way = self._own_table, self._way
        found = round_tables.read_tables(data.get("paytables"), game, made, settings, faults, own_table)
        if own_table is not None:
            notes.append(_note_on(own_table, found, made))
        named_way = read_way(data.get("way"), game, faults)
        if way is not None and not game.ways:
            notes.append(f"{way.id} sets no hand of this round: {game.title} has no house way, its hands are not split")
            way = None
        return found, way or named_way


def _note_on(own: PayTable, found: dict[str, PayTable], made: Collection[str]) -> str:
    """What a settlement says about a table of one's own."""
    if not any(table.id == own.id for name, table in found.items() if name in made):
        return f"{own.id} pays no wager of this round"
    return f"{own.id} is a table of your own" + ("" if own.approved else ", not an approved one")


def _check_without_game(data: dict[str, Any], faults: Faults) -> None:
    """What can be said of a round whose game nobody knows: missing parts, cards that are none or twice, stakes."""
    used: dict[int, str] = {}
    read_cards(data.get("dealer"), "dealer", None, used, faults)
    if data.get("seats") is None:
        faults.add("missing-key", "seats", "list the seats in play")
        return
    for index, item in enumerate(faults.sequence(data["seats"], "seats")):
        seat = faults.mapping(item, f"seats[{index}]")
        read_cards(seat.get("cards"), f"seats[{index}].cards", None, used, faults)
        wagers = seat.get("wagers")
        for name, amount in (wagers if isinstance(wagers, dict) else {}).items():
            faults.cents(amount, f"seats[{index}].wagers.{str(name)[:40]}", least=1)


def _check_cards_out_of_play(
    data: dict[str, Any], used: dict[int, str], seats: list[CheckedSeat], faults: Faults
) -> None:
    """What a deal lists beside the hands in play: the cards of empty spots, and those left in the deck."""
    if data.get("leftover") is not None:
        read_cards(data["leftover"], "leftover", None, used, faults)
    if data.get("unoccupied") is not None:
        occupied = {seat.number for seat in seats}
        for index, item in enumerate(faults.sequence(data["unoccupied"], "unoccupied")):
            spot = faults.mapping(item, f"unoccupied[{index}]")
            if spot.get("seat") in occupied:
                message = f"seat {spot['seat']} is in play, and its hand is listed as dealt to an empty spot too"
                faults.add("duplicate-seat", f"unoccupied[{index}].seat", message)
            read_cards(spot.get("cards"), f"unoccupied[{index}].cards", None, used, faults)


def _read_game(data: dict[str, Any], faults: Faults) -> Game | None:
    name = data.get("game")
    if not isinstance(name, str):
        faults.add("missing-key" if name is None else "wrong-type", "game", f"name the game: {', '.join(game_ids())}")
        return None
    # The list of all games, for a name in another case, is looked at only where it is needed.
    game = find_game(name) or find_game(in_known_case(name, game_ids()))
    if game is None:
        for fault in why_no_game(name):
            faults.note(fault)
    return game if game is None else _on_day(game, data.get("settings"))


def _on_day(game: Game, settings: object) -> Game:
    """The game as its sheet had it on the day whose limits hold, where a round names one."""
    limits = settings.get("limits") if isinstance(settings, dict) else None
    day = limits.get("as_of") if isinstance(limits, dict) else None
    of_day = find_game(f"{game.id}{AS_OF}{day}") if isinstance(day, str) else None
    return of_day or game


def read_way(name: object, game: Game, faults: Faults) -> HouseWay | None:
    """The house way of a round: the one that is named, or the game's first; None where hands are not split."""
    if not game.ways:
        if name is not None:
            faults.add("no-house-way", "way", f"{game.title} has no house way: hands are not split")
        return None
    if name is None:
        return house_way(game.ways[0])
    known = in_known_case(name, game.ways) if isinstance(name, str) else name
    way = faults.choice(known, game.ways, "way", "unknown-way")
    return None if way is None else house_way(way)


def read_cards(value: object, path: str, game: Game | None, used: dict[int, str], faults: Faults) -> tuple[int, ...]:
    """Cards in play or out of it, none of which may be elsewhere too; with a game they are a whole hand of it."""
    if isinstance(value, str):
        value = value.replace(",", " ").split()
    if not isinstance(value, list):
        code = "missing-key" if value is None else "wrong-type"
        number = f"{game.cards} " if game else ""
        faults.expected(path, f"a list of {number}cards", value, code)
        return ()
    cards: list[int] = []
    for index, text in enumerate(value):
        card = find_card(text)
        if card is None:
            faults.note(unknown_card(text, f"{path}[{index}]"))
        elif card == JOKER and game is not None and not game.has_joker:
            faults.add("joker-not-used", f"{path}[{index}]", f"{game.title} is dealt from 52 cards without a joker")
        elif card in used:
            faults.add("duplicate-card", f"{path}[{index}]", f"{text} is in play twice: also in {used[card]}")
        else:
            used[card] = path
            cards.append(card)
    if game is not None and len(value) != game.cards:
        faults.add("card-count", path, f"a hand of {game.title} has {game.cards} cards, not {len(value)}")
    return tuple(cards)


def _read_dealer(data: dict[str, Any], game: Game, used: dict[int, str], faults: Faults) -> tuple[int, ...]:
    """The dealer's cards; none where the dealer has no hand."""
    if game.dealer_hand:
        return read_cards(data.get("dealer"), "dealer", game, used, faults)
    if data.get("dealer"):
        faults.add("card-count", "dealer", f"the dealer of {game.title} has no hand: leave it out")
    return ()


def _read_community(data: dict[str, Any], game: Game, used: dict[int, str], faults: Faults) -> tuple[int, ...]:
    """The cards in the middle."""
    given, wanted = data.get("community"), game.community_cards
    if not wanted:
        if given:
            faults.add("card-count", "community", f"{game.title} has no community cards: leave them out")
        return ()
    if given is None:
        faults.add("missing-key", "community", f"give the {wanted} community cards")
        return ()
    cards = read_cards(given, "community", None, used, faults)
    if isinstance(given, list | str) and len(cards) != wanted and not faults.any:
        faults.add("card-count", "community", f"{game.title} has {wanted} community cards, not {len(cards)}")
    if JOKER in cards and not game.has_joker:
        faults.add("joker-not-used", "community", f"{game.title} is dealt from 52 cards without a joker")
    return cards


def _hands_at_once(data: dict[str, Any], game: Game) -> list[tuple[int, ...]] | None:
    """All hands of a round, the dealer's first, if nothing is wrong with any card.

    Else None, and a look at each card tells what is; so too where a deal lists cards that are out of play.
    """
    seats = data.get("seats")
    if game.streets or not game.dealer_hand:
        return None
    if type(seats) is not list or data.get("leftover") is not None or data.get("unoccupied") is not None:
        return None
    try:
        lists = [data["dealer"], *[seat["cards"] for seat in seats]]
        if {*map(type, lists)} != {list} or {*map(len, lists)} != {game.cards}:
            return None
    except (KeyError, TypeError, IndexError):
        return None
    texts = [*chain.from_iterable(lists)]
    if {*map(type, texts)} != {str}:
        return None
    cards: list[Any] = [*map(find_known_card, texts)]
    different = frozenset(cards)
    if len(different) != len(cards) or None in different or (JOKER in different and not game.has_joker):
        return None
    return [tuple(cards[start : start + game.cards]) for start in range(0, len(cards), game.cards)]


def _read_seats(
    data: dict[str, Any],
    game: Game,
    used: dict[int, str],
    faults: Faults,
    terms: RoundTerms | None,
    hands: list[tuple[int, ...]] | None,
) -> tuple[list[CheckedSeat], list[Hashable]]:
    """The seats, and for each what its wagers are known by if they are sound.

    `hands` are those of the dealer and of each seat, where they are known to be sound.
    """
    value = data.get("seats")
    if value is None:
        faults.add("missing-key", "seats", "list the seats in play")
        return [], []
    listed = faults.sequence(value, "seats")
    if not listed and isinstance(value, list):
        faults.add("no-seats", "seats", "a round has at least one seat in play")
    seats: list[CheckedSeat] = []
    keys: list[Hashable] = []
    numbers: set[int] = set()
    banker = data.get("banker") if type(data.get("banker")) is int else 0
    for index, item in enumerate(listed):
        path = f"seats[{index}]"
        if type(item) is dict and _ALL_SEAT_KEYS.issuperset(item):
            given = item
        else:
            given = faults.mapping(item, path)
            if not isinstance(item, dict):
                continue
            faults.keys(given, SEAT_KEYS, path)
        number = given.get("seat")
        if type(number) is not int or not 0 < number <= game.max_seats or number in numbers:
            number = _faulty_number(given, f"{path}.seat", game, numbers, faults)
        numbers.add(number or 0)
        if hands is None:
            cards = read_cards(given.get("cards"), f"{path}.cards", game, used, faults)
        else:
            cards = hands[index + 1]
        low = given.get("low")
        if low is not None:
            low = _read_low(low, f"{path}.low", game, cards, faults)
        fold = given.get("fold", False)
        if fold is not False:
            fold = _read_fold(fold, f"{path}.fold", game, faults)
        wagers = given.get("wagers")
        key = wagers_key(wagers, fold=fold, is_banker=number == banker)
        pulled = given.get("pulled")
        if pulled is not None:
            pulled = _read_pulled(pulled, f"{path}.pulled", game, wagers, faults)
        if terms is not None and terms.knows(key):
            wagers = dict(given["wagers"])
        else:
            wagers = read_wagers(wagers, f"{path}.wagers", game, faults)
        keys.append(key)
        seats.append(CheckedSeat(number or 0, cards, low, fold, wagers, pulled or frozenset()))
    return seats, keys


def _faulty_number(given: dict[str, Any], path: str, game: Game, numbers: set[int], faults: Faults) -> int | None:
    """The number of a seat with which something is wrong."""
    if "seat" not in given:
        number = None
        faults.add("missing-key", path, f"give the number of the seat, 1 to {game.max_seats}")
    else:
        number = faults.integer(given["seat"], path, 1, game.max_seats)
    if number in numbers:
        faults.add("duplicate-seat", path, f"seat {number} is listed twice")
    return number


def _read_low(value: object, path: str, game: Game, cards: tuple[int, ...], faults: Faults) -> tuple[int, ...] | None:
    """The cards that a player put in the low hand; None where the hand is set the house way."""
    if value is None:
        return None
    if not game.low_cards:
        faults.add("no-low-hand", path, f"{game.title} has no low hand: leave it out")
        return None
    if isinstance(value, str):
        value = value.replace(",", " ").split()
    low: list[int] = []
    for index, text in enumerate(faults.sequence(value, path)):
        card = find_card(text)
        if card is None:
            faults.note(unknown_card(text, f"{path}[{index}]"))
        elif card not in cards:
            faults.add("low-not-in-hand", f"{path}[{index}]", f"{text} is not among this seat's cards")
        elif card in low:
            faults.add("duplicate-card", f"{path}[{index}]", f"{text} is in the low hand twice")
        low.append(-1 if card is None else card)
    if isinstance(value, list) and len(low) != game.low_cards:
        faults.add("card-count", path, f"the low hand of {game.title} has {game.low_cards}, not {len(low)}")
    return tuple(low)


def _read_fold(value: object, path: str, game: Game, faults: Faults) -> bool:
    fold = faults.boolean(value, path)
    if fold and not game.offers_fold:
        faults.add("no-fold", path, f"nobody folds in {game.title}")
    return fold


def _read_pulled(value: object, path: str, game: Game, wagers: object, faults: Faults) -> frozenset[str]:
    """The wagers that a player has taken back."""
    pulled: set[str] = set()
    for index, name in enumerate(faults.sequence(value, path)):
        place = f"{path}[{index}]"
        if not isinstance(name, str) or game.wager(name) is None:
            shown = name[:40] if isinstance(name, str) else kind_of(name, "an object")
            faults.add("unknown-wager", place, f"{game.title} offers no {shown!r} wager that could be pulled")
        elif game.pull_street(name) is None:
            faults.add("no-pull", place, f"nobody takes {name} back in {game.title}")
        elif not isinstance(wagers, dict) or name not in wagers:
            faults.add("no-pull", place, f"{name} was not bet: there is nothing to take back")
        else:
            pulled.add(name)
    return frozenset(pulled)


def _read_dealer_stake(value: object, settings: Settings, faults: Faults) -> int | None:
    if value is None:
        return None
    stake = faults.integer(value, "dealer_stake")
    if settings.dealer_stake not in (0, stake):
        faults.add("bad-setting", "dealer_stake", "it is given twice with two amounts, here and in the settings")
    return stake


def _read_banker(value: object, game: Game, seats: list[CheckedSeat], faults: Faults) -> int | None:
    if value is None:
        return None
    if not game.offers_banker:
        faults.add("no-banker", "banker", f"{game.title} has no player banking")
        return None
    number = faults.integer(value, "banker", 1, game.max_seats)
    banker = next((seat for seat in seats if seat.number == number), None)
    if number is not None and banker is None:
        faults.add("no-banker", "banker", f"seat {number} is not in play: the banker needs a hand")
    if banker is not None and banker.low is not None:
        place = f"seats[{seats.index(banker)}].low"
        faults.add("banker-low", place, "a player who banks must be set the house way: leave low at null")
    return number
