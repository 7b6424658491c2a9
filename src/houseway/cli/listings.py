"""`houseway games`, `houseway clauses` and `houseway paytable`: what there is, and where it is printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from houseway.api import catalogue as api
from houseway.api.arguments import Arguments
from houseway.cli.output import JsonFlag, print_json, print_listing, print_problem, print_text
from houseway.errors import InputError
from houseway.ranking.hand_names import hand_title
from houseway.wording import dollars

if TYPE_CHECKING:
    from houseway.api.catalogue import GameFacts
    from houseway.definitions.clauses import Clause
    from houseway.paytables import PayLine, PayTable


def games(
    game: Annotated[str | None, Parameter(help="The id of one game to describe.")] = None,
    /,
    *,
    as_json: JsonFlag = False,
) -> int:
    """List the games, or describe one: seats, deck, wagers with their pay tables, house ways, sheets."""
    if game is not None:
        chosen = api.game(game).to_json()
        print_json(chosen) if as_json else _print_game(chosen)
    elif as_json:
        shown = {"games": [each.to_json() for each in api.games()]}
        print_json(shown | {"refused": [each.to_json() for each in api.refused_games()]})
    else:
        _print_games(api.games())
        for refusal in api.refused_games():
            for fault in refusal.faults:
                print_problem(f"{refusal.name or refusal.source} is not used: {fault}")
    return 0


def _print_games(all_games: tuple[GameFacts, ...]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("id", "name", "cards", "deck", "seats", "wagers"):
        is_number = name in ("cards", "deck", "seats")
        table.add_column(name, justify="right" if is_number else "left", no_wrap=is_number or name == "id")
    for game in all_games:
        wagers = ", ".join(wager.name for wager in game.wagers)
        table.add_row(game.id, game.title, str(game.cards), str(game.deck), str(game.seats), wagers)
    print_text(table, "", "houseway games GAME describes one of them.")


def _print_game(shown: dict[str, Any]) -> None:
    split = f", of which {shown['low_cards']} in the low hand" if shown["low_cards"] else ""
    print_text(
        f"{shown['name']} ({shown['id']})",
        f"{shown['cards']} cards each{split}; {shown['deck']} cards in the deck; up to {shown['seats']} seats",
        f"house ways: {', '.join(shown['ways']) or 'none'}",
        f"rule sheets: {', '.join(shown['sheets'])}",
        "wagers:",
    )
    for wager in shown["wagers"]:
        asked = "  every player makes it" if wager["required"] else ""
        tables = f"  pay tables {', '.join(wager['tables'])}" if wager["tables"] else ""
        print_text(f"  {wager['name']:<13}{wager['title']}{asked}{tables}")
    for note in shown["notes"]:
        print_text(f"note: {note}")


def clauses(
    clause: Annotated[str | None, Parameter(help="The id of one clause, for example 6cfpgp/rules/7.c.")] = None,
    /,
    *,
    sheet: Annotated[str | None, Parameter(metavar="SHEET", help="Only the clauses of this rule sheet.")] = None,
    kind: Annotated[str | None, Parameter(metavar="KIND", help="Only the clauses of this kind.")] = None,
    game: Annotated[str | None, Parameter(metavar="GAME", help="Only the clauses that apply to this game.")] = None,
    as_json: JsonFlag = False,
) -> int:
    """List the clauses of the rule sheets in our own words, each with its document."""
    from houseway.definitions.clauses import KINDS
    from houseway.definitions.clauses import clause as clause_of
    from houseway.definitions.clauses import clauses as all_clauses
    from houseway.games import game_ids

    arguments = Arguments()
    sheet = arguments.choice(sheet, dict.fromkeys(each.sheet for each in all_clauses()), "sheet", code="unknown-sheet")
    kind = arguments.choice(kind, KINDS, "kind")
    game = arguments.choice(game, game_ids(), "game", code="unknown-game")
    one = None if clause is None else arguments.read(lambda: clause_of(clause))
    arguments.refuse_if_any()
    if one is not None:
        print_json(one.to_json()) if as_json else _print_clause(one)
        return 0
    chosen = [
        each
        for each in all_clauses()
        if sheet in (None, each.sheet) and kind in (None, each.kind) and (game is None or game in each.games)
    ]
    if as_json:
        print_json({"clauses": [each.to_json() for each in chosen]})
    else:
        _print_clauses(chosen)
    return 0


def _print_clause(clause: Clause) -> None:
    print_text(f"{clause.id}  ({clause.kind})", f"{clause.document}, {clause.edition}: {clause.heading}", clause.text)
    if clause.due_with:
        who = {"game-manager": "the Game Manager", "operator": "the operator"}[clause.due_with]
        print_text(f"due with {who}: {clause.due_part or 'all of it'}")


def _print_clauses(chosen: list[Clause]) -> None:
    rows = [("clause", "kind", "what it demands"), *((each.id, each.kind, each.text) for each in chosen)]
    print_listing(rows, f"{len(chosen)} clauses")


def paytable(
    table: Annotated[str | None, Parameter(name="ID", help="The id of a table; by default all are listed.")] = None,
    /,
    *,
    file: Annotated[
        str | None, Parameter(metavar="FILE", help="Read and check a table from a TOML file instead.")
    ] = None,
    as_json: JsonFlag = False,
) -> int:
    """Print a pay table with its lines, its source and its printed figures, or list all tables."""
    if table is not None and file is not None:
        raise InputError.of("conflicting-options", "file", "give the id of a table or --file, not both")
    if table is None and file is None:
        _print_tables(api.paytables(), as_json)
        return 0
    chosen = api.paytable(table, file=file)
    print_json(chosen.to_json()) if as_json else _print_table(chosen)
    return 0


def _print_tables(tables: tuple[PayTable, ...], as_json: bool) -> None:
    if as_json:
        print_json({"paytables": [table.to_json() for table in tables]})
        return
    from rich.table import Table

    shown = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("id", "wager", "unit", "games"):
        shown.add_column(name, no_wrap=name != "games")
    for table in tables:
        games_of = ", ".join(table.games) + ("" if table.approved else "  NOT APPROVED")
        shown.add_row(table.id, table.wager, table.unit, games_of)
    print_text(shown, "", f"{len(tables)} tables; houseway paytable ID prints one of them.")


def _print_table(table: PayTable) -> None:
    from rich.table import Table

    shown = Table(box=None, pad_edge=False, header_style="dim")
    shown.add_column("hand")
    shown.add_column("pays", justify="right")
    with_envy = table.has_envy
    if with_envy:
        shown.add_column("envy", justify="right")
    for line in table.lines:
        row = [line.printed_as or hand_title(line.hand), _pays(table, line)]
        shown.add_row(*row, *([dollars(line.envy) if line.envy else ""] if with_envy else []))
    approved = "approved" if table.approved else f"NOT APPROVED: {table.not_approved_because}"
    print_text(
        f"{table.id}: {table.title}",
        f"{table.wager} wager of {', '.join(table.games)}; {approved}",
        "",
        shown,
        "",
        f"source: {table.source.document}, {table.source.section} ({table.source.edition})",
    )
    for printed in table.printed:
        print_text(f"printed {printed.figure.replace('_', ' ')}: {printed.percent_text}")
    for note in table.notes:
        print_text(f"note: {note}")


def _pays(table: PayTable, line: PayLine) -> str:
    """What a line pays, in the words of a layout."""
    if line.push:
        return "push"
    if line.percent is not None:
        level = "" if table.levels == (line.level,) else f" {line.level}"
        return f"{line.percent}% of the{level} meter"
    return f"{line.pays:,} {table.unit.replace('-', ' ')}"
