"""A settlement as people read it: cards with their suits, one table of lines per seat, the clauses in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from houseway.cards.card import RANK_LETTERS, descending
from houseway.ranking.hand_names import describe_low, describe_value, hand_title
from houseway.wording import dollars

if TYPE_CHECKING:
    from rich.console import RenderableType

    from houseway.games.round_model import CheckedRound, Hand, Line, SeatResult, Settlement

_SUIT_SIGNS: Final = "♣♦♥♠"
_RED: Final = (1, 2)
_OUTCOME_STYLES: Final = {"win": "bold green", "lose": "red", "push": "yellow"}
_HEADINGS: Final = ("wager", "outcome", "stake", "returned", "hand", "paid by")
_AMOUNTS: Final = ("stake", "returned")
_INDENT: Final = (0, 0, 0, 2)
_CLAUSE_INDENT: Final = (0, 0, 0, 6)


def cards_text(cards: Iterable[int]) -> Text:
    """Cards with their suit signs, the red suits in red: A♠ 10♥ Joker."""
    shown = Text()
    for card in descending(cards):
        if shown:
            shown.append(" ")
        if card.suit is None:
            shown.append("Joker", style="bold magenta")
        else:
            rank = RANK_LETTERS[card.rank].replace("T", "10")
            shown.append(rank + _SUIT_SIGNS[card.suit], style="bold red" if card.suit in _RED else "bold")
    return shown


def settlement_parts(settlement: Settlement) -> list[RenderableType]:
    """The settlement of one round: hands, lines, totals, meters."""
    round_ = settlement.round
    parts: list[RenderableType] = []
    if round_.game.dealer_hand:
        parts.append(hand_part("Dealer", settlement.dealer, round_, _qualifies(settlement)))
    if round_.community:
        parts.append(Text("Community  ").append_text(cards_text(round_.community)))
    # In the order in which the dealer resolves them, which is also the order in which a meter pays.
    for result in (settlement.seat(number) for number in settlement.order):
        parts += ["", _seat_part(result, round_), lines_part(result.lines)]
    parts += ["", total_text(settlement)]
    if settlement.meters:
        parts.append(meters_text(settlement.meters))
    parts += [Text(f"Note: {note}", style="dim") for note in round_.notes]
    return parts


def _qualifies(settlement: Settlement) -> str:
    if settlement.qualifies is None:
        return ""
    return "qualifies" if settlement.qualifies else "does not qualify"


def _seat_part(result: SeatResult, round_: CheckedRound) -> RenderableType:
    seat = next(seat for seat in round_.seats if seat.number == result.seat)
    remarks = []
    if round_.banker == result.seat:
        remarks.append("banks")
    if seat.fold:
        remarks.append("folds")
    if seat.pulled:
        remarks.append(f"takes back {', '.join(name for name in seat.wagers if name in seat.pulled)}")
    if result.hand.fouled:
        remarks.append("FOULED")
    return hand_part(f"Seat {result.seat}", result.hand, round_, ", ".join(remarks))


def hand_part(who: str, hand: Hand, round_: CheckedRound, remark: str = "") -> Table:
    """A hand as it was set, what its parts are worth, and by which rule or by whom it was set."""
    shown = cards_text(hand.high)
    worth = describe_value(hand.high_value)
    if hand.low:
        shown.append("  |  ", style="dim")
        shown.append_text(cards_text(hand.low))
        worth += f"  |  {describe_low(hand.low_value)}"
    else:
        unused = set(hand.cards) - set(hand.high)
        shown.append("  not used: ", style="dim")
        shown.append_text(cards_text(unused))
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    table.add_row(Text(f"{who:<6}", style="bold"), shown)
    table.add_row("", Text(worth + (f"  ({remark})" if remark else ""), style="italic"))
    table.add_row("", _how_it_was_set(hand, round_))
    return table


def _how_it_was_set(hand: Hand, round_: CheckedRound) -> Text:
    if not hand.low:
        return Text("the best five of the cards", style="dim")
    if hand.rule is None or round_.way is None:
        return Text("set by the player", style="dim")
    return Text(f"{round_.way.id} rule {hand.rule}: {round_.way.why[hand.rule]}", style="dim")


def lines_part(lines: Sequence[Line]) -> Group:
    """The lines of a seat, each with the clause it rests on in words below it."""
    rows = [_cells(line) for line in lines]
    widths = [max(len(row[column]) for row in [_HEADINGS, *rows]) for column in range(len(_HEADINGS))]
    parts: list[RenderableType] = [Padding(_row(_HEADINGS, widths, "dim"), _INDENT, expand=False)]
    for line, row in zip(lines, rows, strict=True):
        parts.append(Padding(_row(row, widths, _OUTCOME_STYLES[line.outcome]), _INDENT, expand=False))
        parts.append(Padding(clause_text(line.clause, _by_table(line)), _CLAUSE_INDENT, expand=False))
    return Group(*parts)


def _by_table(line: Line) -> str:
    """Which table decided a line and what it says, and whose hand brought an envy payment."""
    if line.paytable is None:
        return ""
    said = f": {line.pays}" if line.pays else ""
    return f"{line.paytable}{said}" + (f", for the hand of seat {line.trigger}" if line.trigger else "")


def _cells(line: Line) -> tuple[str, ...]:
    paid_by: str = line.source or ""
    if line.commission:
        paid_by += f" less {dollars(line.commission)}"
    return (line.wager, line.outcome, dollars(line.stake), dollars(line.returned), hand_title(line.hand), paid_by)


def _row(cells: Sequence[str], widths: Sequence[int], style: str) -> Text:
    aligned = [
        cell.rjust(width) if heading in _AMOUNTS else cell.ljust(width)
        for heading, cell, width in zip(_HEADINGS, cells, widths, strict=True)
    ]
    return Text("  ".join(aligned).rstrip(), style=style)


def clause_text(clause_id: str, table: str = "") -> Text:
    """A clause's id and its wording, and the pay table that was read."""
    from houseway.definitions.clauses import clause

    shown = Text(f"{clause_id}  ", style="cyan")
    shown.append(clause(clause_id).text, style="dim")
    if table:
        shown.append(f"  [{table}]", style="cyan")
    return shown


def total_text(settlement: Settlement) -> Text:
    """What all seats staked and got back."""
    lines = settlement.lines()
    staked, returned = sum(line.stake for line in lines), sum(line.returned for line in lines)
    return Text(f"All seats: staked {dollars(staked)}, returned {dollars(returned)}", style="bold")


def meters_text(meters: dict[str, dict[str, int]]) -> Text:
    """What the meters show after the round."""
    shown = (f"{table} {level} {dollars(cents)}" for table, levels in meters.items() for level, cents in levels.items())
    return Text("Meters after the round: " + ", ".join(shown))
