"""Cases of the jackpot of Fortune Pai Gow Poker: the progressive sheet of 2018 and the jackpot sheet of 2023.

The later sheet repeats most clauses of the earlier one, so most cases stand for a clause of each.
"""

from __future__ import annotations

from houseway.definitions import Wager
from houseway.games.jackpots import Meters, settle_jackpots
from houseway.games.round_model import Contest, Line, Settlement
from houseway.games.round_tables import read_tables
from tests.rules.deals import deal_of, hands_of
from tests.rules.evaluators import HAND_AS_SET_COUNTS, JOKER_IS_NO_ACE, JOKER_IS_ONLY_AN_ACE, JOKER_IS_WILD
from tests.rules.felt import line, play, refusals, seat
from tests.rules.harness import replaced, rule
from tests.rules.money import LOWEST_SEAT_IS_PAID_FIRST, METER_DOES_NOT_RESTART, SHARE_STAYS_ON_METER, meters_with
from tests.rules.seven_card import HANDS, HANDS_DEALER, PACKETS_OF_SIX, SEVEN_CARD
from tests.rules.switches import (
    NO_DATED_LIMIT,
    NO_NUMBER_OF_GAMES,
    OWN_LIMITS_ARE_IGNORED,
    compulsory,
    game_with,
    resolved_last,
    without_wager,
)

WA07 = {"fortune": "FPGPP-WA07", "commission-free-fortune": "FPGPP-WA07", "face-up": "FUPGPP-07"}
WA03 = {"fortune": "FPGPP-WA03", "commission-free-fortune": "FPGPP-WA03", "face-up": "FUPGPP-03"}
LEVELS = {"FPGPP-ML2": ("mega", "major", "minor"), "FUPGPP-ML02": ("mega", "major", "minor")}
PAIR = "Ts Th 9h 7d 5h 3d 2c"


def amounts(table_id: str, cents: int) -> dict[str, dict[str, int]]:
    """The same amount on every level of a table, as meters or seeds."""
    return {table_id: dict.fromkeys(LEVELS.get(table_id, ("main",)), cents)}


def jackpot(
    game_id: str,
    table_id: str,
    cards: str,
    low: str | None = None,
    *,
    stake: int = 100,
    meter: int = 1_000_000,
    settings: dict[str, str] | None = None,
) -> tuple[Line, dict[str, int]]:
    """The line of a jackpot wager, alone at the table, and the meters after it. Every level has a seed of $2,000."""
    settled = play(
        game_id,
        HANDS_DEALER,
        seat(1, cards, low, main=1000, progressive=stake),
        paytables={"progressive": table_id},
        meters=amounts(table_id, meter),
        seeds=amounts(table_id, 200_000),
        settings=settings,
    )
    return line(settled, 1, "progressive"), settled.meters[table_id]


# Wagers


@rule("fpgpp/nexus/1", "fpgpj/rules/1", off=(compulsory("progressive"), without_wager("fortune", "progressive")))
def the_jackpot_wager_is_optional() -> None:
    for game_id, table_id in WA07.items():
        assert refusals(game_id, HANDS_DEALER, seat(1, PAIR, main=1000)) == set()
        with_it = seat(1, PAIR, main=1000, progressive=100)
        assert refusals(game_id, HANDS_DEALER, with_it, paytables={"progressive": table_id}) == set()


@rule("fpgpp/nexus/5", "fpgpj/rules/5", off=(compulsory("progressive"), without_wager("fortune", "fortune")))
def the_regular_wager_comes_first() -> None:
    for game_id, table_id in WA07.items():
        for wagers, refused in (
            ({"main": 1000}, set()),
            ({"main": 1000, "progressive": 100}, set()),
            ({"progressive": 100}, {"missing-first-wager"}),
        ):
            bets = seat(1, PAIR, **wagers)
            assert refusals(game_id, HANDS_DEALER, bets, paytables={"progressive": table_id}) == refused
    both = seat(1, PAIR, main=1000, fortune=500, progressive=100)
    tables = {"fortune": "FPGP-1", "progressive": "FPGPP-WA07"}
    assert refusals("fortune", HANDS_DEALER, both, paytables=tables) == set()


@rule("fpgpp/general/2", off=NO_DATED_LIMIT)
def no_wager_is_above_the_highest_amount_of_the_day() -> None:
    for day, most in (("2018-10-18", 300_00), ("2023-09-01", 400_00)):
        for game_id, table_id in WA07.items():
            rest = {"paytables": {"progressive": table_id}, "settings": {"limits": {"as_of": day}}}
            for stake, refused in ((most, set()), (most + 1, {"over-limit"})):
                bets = seat(1, PAIR, main=1000, progressive=stake)
                assert refusals(game_id, HANDS_DEALER, bets, **rest) == refused


@rule("fpgpp/general/3", off=NO_NUMBER_OF_GAMES)
def the_jackpot_counts_among_the_four_games() -> None:
    tables = {"fortune": "FPGP-1", "paigowd": "PGD-01", "progressive": "FPGPP-WA07", "progressive2": "FPGPP-WA03"}
    rest = {"paytables": tables, "settings": {"limits": {"as_of": "2018-10-18"}}}
    three = {"main": 1000, "fortune": 500, "paigowd": 500}
    assert refusals("fortune", HANDS_DEALER, seat(1, PAIR, **three, progressive=100), **rest) == set()
    five = seat(1, PAIR, **three, progressive=100, progressive2=100)
    assert refusals("fortune", HANDS_DEALER, five, **rest) == {"too-many-games", "not-in-edition"}


SECOND_SENSOR_IS_NO_GAME = replaced(
    "houseway.definitions.definition.Wager.is_separate_game", property(lambda wager: wager.name != "progressive2")
)


@rule("fpgpj/jackpots/2", off=SECOND_SENSOR_IS_NO_GAME)
def each_sensor_is_a_separate_game() -> None:
    for game_id, table_id in WA07.items():
        rest = {"paytables": {"progressive": table_id, "progressive2": table_id}, "settings": {"max_games": 2}}
        one = seat(1, PAIR, main=1000, progressive=100)
        assert refusals(game_id, HANDS_DEALER, one, **rest) == set()
        two = seat(1, PAIR, main=1000, progressive=100, progressive2=100)
        assert refusals(game_id, HANDS_DEALER, two, **rest) == {"too-many-games"}


ONE_DISPLAY_FOR_BOTH = replaced("houseway.games.jackpots.meter_key", lambda wager, tables: tables[wager].id)


@rule("fpgpj/jackpots/1", off=(without_wager("fortune", "progressive2"), ONE_DISPLAY_FOR_BOTH))
def two_sensors_have_an_amount_each() -> None:
    bets = seat(1, HANDS["five-aces"], main=1000, progressive=100, progressive2=100)
    rest = {
        "paytables": {"progressive": "FPGPP-WA07", "progressive2": "FPGPP-WA07"},
        "meters": {"FPGPP-WA07": {"main": 900_000}, "FPGPP-WA07#2": {"main": 400_000}},
        "seeds": {"FPGPP-WA07": {"main": 200_000}, "FPGPP-WA07#2": {"main": 100_000}},
    }
    assert refusals("fortune", HANDS_DEALER, bets, **rest) == set()
    settled = play("fortune", HANDS_DEALER, bets, **rest)
    assert line(settled, 1, "progressive").returned == 900_000
    assert line(settled, 1, "progressive2").returned == 400_000
    assert settled.meters == {"FPGPP-WA07": {"main": 200_000}, "FPGPP-WA07#2": {"main": 100_000}}


def first_of_several(value: dict[str, object], *rest: object) -> object:
    return read_tables({name: ids[0] if isinstance(ids, list) else ids for name, ids in value.items()}, *rest)


@rule("fpgpj/jackpots/5", off=replaced("houseway.games.round_tables.read_tables", first_of_several))
def a_sensor_carries_one_jackpot_game() -> None:
    bets = seat(1, PAIR, main=1000, progressive=100)
    assert refusals("fortune", HANDS_DEALER, bets, paytables={"progressive": "FPGPP-WA07"}) == set()
    two = {"progressive": ["FPGPP-WA07", "FPGPP-WA03"]}
    assert refusals("fortune", HANDS_DEALER, bets, paytables=two) == {"wrong-type"}


@rule("fpgpj/wager/2", off=OWN_LIMITS_ARE_IGNORED)
def a_room_may_fix_the_wager_at_another_amount() -> None:
    rest = {
        "paytables": {"progressive": "FPGPP-WA07"},
        "settings": {"limits": {"progressive": {"min": 500, "max": 500}}},
    }
    for stake, refused in ((100, {"under-limit"}), (500, set()), (600, {"over-limit"})):
        assert refusals("fortune", HANDS_DEALER, seat(1, PAIR, main=1000, progressive=stake), **rest) == refused


# Dealing


@rule("fpgpp/nexus/7", "fpgpj/rules/7", off=PACKETS_OF_SIX)
def the_regular_game_is_dealt_with_or_without_a_jackpot_wager() -> None:
    for game_id, table_id in WA07.items():
        dealer, cards = hands_of(deal_of(game_id, 1, 1))
        rest = {
            "paytables": {"progressive": table_id},
            "meters": amounts(table_id, 1_000_000),
            "seeds": amounts(table_id, 200_000),
        }
        plain, wagered = seat(1, cards, main=1000), seat(1, cards, main=1000, progressive=100)
        assert refusals(game_id, dealer, plain, **rest) == set()
        before, after = play(game_id, dealer, plain, **rest), play(game_id, dealer, wagered, **rest)
        assert (before.dealer, before.seat(1).hand) == (after.dealer, after.seat(1).hand)
        assert line(before, 1, "main") == line(after, 1, "main")


# Which hand


@rule("fpgpp/nexus/2", "fpgpj/rules/2", off=HAND_AS_SET_COUNTS)
def the_best_of_all_seven_cards_counts() -> None:
    for game_id, table_id in WA07.items():
        # Three kings in back and a pair of fives in front: a full house, 5 for 1.
        won, _ = jackpot(game_id, table_id, HANDS["full-house"], "5h 5s")
        assert (won.hand, won.returned) == ("full-house", 500)
        lost, _ = jackpot(game_id, table_id, HANDS["flush"])
        assert (lost.outcome, lost.returned) == ("lose", 0)


@rule("fpgpp/nexus/3.note", "fpgpj/rules/3.note", off=(JOKER_IS_NO_ACE, JOKER_IS_ONLY_AN_ACE, JOKER_IS_WILD))
def the_joker_is_the_fifth_ace_or_completes_a_hand() -> None:
    for game_id, table_id in WA07.items():
        for cards, hand, returned in (
            (HANDS["five-aces"], "five-aces", 1_000_000),
            ("Jk 9h 8h 7h 5h Kd 2c", "straight-flush", 10_000),
            ("Jk Kh 9h 6h 3h 8s 2c", "flush", 0),
            ("Jk 9h 8s 7h 5c Kd 2c", "straight", 0),
            # No fourth nine: beside three nines the joker is an ace.
            ("Jk 9s 9h 9d Kd 5s 2c", "three-of-a-kind", 0),
        ):
            for joker in ("semi-wild", "literal"):
                won, _ = jackpot(game_id, table_id, cards, settings={"jackpot_joker": joker})
                assert (won.hand, won.returned) == (hand, returned)
        # The note names the ace in five aces. Whether the joker is one in other hands is open: a room's setting.
        for cards, semi_wild, literal in (
            ("Jk As Ah Ad Kd 9s 5c", ("four-of-a-kind", 7_500), ("three-of-a-kind", 0)),
            ("Jk As Ah Ad Kd Ks 5c", ("four-of-a-kind", 7_500), ("full-house", 500)),
            ("Jk As Ah Kd Ks 9s 5c", ("full-house", 500), ("two-pair", 0)),
            ("Jk As Kh Kd Ks 9s 5c", ("full-house", 500), ("three-of-a-kind", 0)),
            ("Jk Kc Kh Kd Ks 9s 5c", ("four-of-a-kind", 7_500), ("four-of-a-kind", 7_500)),
        ):
            for joker, expected in (("semi-wild", semi_wild), ("literal", literal)):
                won, _ = jackpot(game_id, table_id, cards, settings={"jackpot_joker": joker})
                assert (won.hand, won.returned) == expected, (joker, cards)
                # What is lost by the reading of the note alone cites it.
                assert (won.clause == "fpgpj/rules/3.note") == (joker == "literal" and not literal[1])
            assert jackpot(game_id, table_id, cards)[0].returned == semi_wild[1]


# Awards


@rule("fpgpp/nexus/4", "fpgpj/rules/4", off=METER_DOES_NOT_RESTART)
def a_full_award_restarts_its_meter_at_the_seed() -> None:
    for game_id, table_id in WA07.items():
        won, after = jackpot(game_id, table_id, HANDS["five-aces"], meter=1_234_567)
        assert (won.returned, after) == (1_234_567, {"main": 200_000})
    # A tenth of the meter restarts nothing.
    assert jackpot("fortune", "FPGPP-WA03", HANDS["five-aces"])[1] == {"main": 900_000}


@rule(
    "fpgpp/nexus/8",
    "fpgpj/rules/8",
    off=(resolved_last("fortune", "progressive"), resolved_last("fortune", "main")),
)
def regular_bonus_and_jackpot_wagers_are_resolved_together() -> None:
    settled = play(
        "fortune",
        HANDS_DEALER,
        seat(1, HANDS["five-aces"], main=1000, fortune=500, progressive=100),
        seat(2, "8s 8h 8d 8c Kd 5h 2c", main=1000),
        paytables={"fortune": "FPGP-1", "progressive": "FPGPP-WA03"},
        meters=amounts("FPGPP-WA03", 1_000_000),
    )
    assert [each.wager for each in settled.seat(1).lines] == ["main", "fortune", "progressive", "fortune_envy"]
    assert line(settled, 1, "progressive").returned == 100_000


@rule("fpgpp/nexus/9.a", "fpgpj/rules/9.a", off=SHARE_STAYS_ON_METER)
def a_percentage_comes_off_the_meter() -> None:
    for game_id, table_id in WA03.items():
        # A tenth of $10,000.55 is $1,000.055: the fraction of a cent stays on the meter.
        won, after = jackpot(game_id, table_id, HANDS["five-aces"], meter=1_000_055)
        assert (won.returned, won.source, after) == (100_005, "meter", {"main": 900_050})
    for hand, share in (("royal-flush-royal-match", 500_000), ("seven-card-straight-flush-joker", 250_000)):
        won, after = jackpot("fortune", "FPGPP-WA01", HANDS[hand])
        assert (won.returned, won.source, after) == (share, "meter", {"main": 1_000_000 - share})


@rule(
    "fpgpp/nexus/9.b",
    "fpgpj/rules/9.b",
    off=(
        meters_with(pays_fixed=True),
        *(game_with(game_id, fixed_pays_from_meter=True) for game_id in SEVEN_CARD),
    ),
)
def fixed_pays_come_from_the_tray() -> None:
    for game_id, table_id in WA07.items():
        won, after = jackpot(game_id, table_id, HANDS["four-of-a-kind"])
        assert (won.returned, won.source, after) == (7500, "tray", {"main": 1_000_000})
        bets = seat(1, PAIR, main=1000)
        assert refusals(game_id, HANDS_DEALER, bets, settings={"fixed_pays": "meter"}) == {"setting-not-allowed"}


@rule(
    "fpgpp/nexus/9.c",
    "fpgpj/rules/9.c",
    off=LOWEST_SEAT_IS_PAID_FIRST,
)
def the_winner_farthest_right_is_paid_first() -> None:
    # Seats are counted clockwise from the dealer's left: the highest sits at the dealer's right hand.
    top, tenth = HANDS["seven-card-straight-flush"], "Jk As Ah Ad Ac 9h 4c"
    for game_id, table_id in WA03.items():
        for right, left, paid, after in (
            (top, tenth, (1_000_000, 20_000), 180_000),  # all of it; then a tenth of the seed
            (tenth, top, (100_000, 900_000), 200_000),  # a tenth; then all of the rest, and the seed
        ):
            settled = play(
                game_id,
                HANDS_DEALER,
                seat(2, left, main=1000, progressive=100),
                seat(5, right, main=1000, progressive=100),
                paytables={"progressive": table_id},
                meters=amounts(table_id, 1_000_000),
                seeds=amounts(table_id, 200_000),
            )
            assert (line(settled, 5, "progressive").returned, line(settled, 2, "progressive").returned) == paid
            assert settled.meters == amounts(table_id, after)


# House jackpots


def house_round(kind: str) -> Settlement:
    """Two royal flushes, and the winner at the right hand has both sensors covered, each by a table of its own."""
    return play(
        "fortune",
        HANDS_DEALER,
        seat(3, "Ah Kh Qh Jh Th 9s 5c", main=1000, progressive=100),
        seat(6, "As Ks Qs Js Ts Kd Qd", main=1000, progressive=100, progressive2=100),
        paytables={"progressive": "FPGPP-ML2", "progressive2": "FPGPP-WA01"},
        meters={**amounts("FPGPP-ML2", 500_000), **amounts("FPGPP-WA01", 800_000)},
        seeds={**amounts("FPGPP-ML2", 200_000), **amounts("FPGPP-WA01", 200_000)},
        settings={"jackpot_kind": kind},
    )


def a_kind_for_each_sensor(contest: Contest, wager: Wager, meters: Meters) -> dict[int, Line]:
    meters.is_house = wager.name == "progressive"
    return settle_jackpots(contest, wager, meters)


@rule("fpgpj/jackpots/4", off=replaced("houseway.games.settle.settle_jackpots", a_kind_for_each_sensor))
def all_jackpots_of_a_table_are_of_one_kind() -> None:
    for kind, source in (("house", "house"), ("progressive", "meter")):
        settled = house_round(kind)
        assert {line(settled, 6, name).source for name in ("progressive", "progressive2")} == {source}


@rule("fpgpj/jackpots/6", off=meters_with(is_house=False))
def a_house_jackpot_pays_the_posted_prize_to_each_winner() -> None:
    settled = house_round("house")
    for number in (3, 6):
        won = line(settled, number, "progressive")
        assert (won.returned, won.source) == (500_000, "house")
    assert line(settled, 6, "progressive2").returned == 400_000  # half of the posted $8,000
    # The posted prizes stay as they are.
    assert settled.meters == {**amounts("FPGPP-ML2", 500_000), **amounts("FPGPP-WA01", 800_000)}
