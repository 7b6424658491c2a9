"""Commands of a room for people: each command of the manager has its friendly form, made from its class."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from houseway.api.arguments import Arguments
from houseway.cli import room_commands
from houseway.cli.app import ROOM, build_app
from houseway.cli.command_examples import example
from houseway.cli.command_options import options_of, read_options
from houseway.cli.command_sending import Sending
from houseway.cli.manager_tokens import VARIABLES
from houseway.cli.room_commands import GROUPS, TYPED_APART, kinds_for_people, place_of
from houseway.cli.room_import import read_rows
from houseway.cli.typed_values import read_dollars, read_entry, read_value, shown_type
from houseway.errors import InputError
from houseway.manager.commands import AUTHORITY, COMMANDS
from houseway.manager.core.link_entities import LevelParameters
from houseway.manager.handlers.changes import CHANGES, read_change
from tests.cli.runner import call
from tests.manager.floors import EXECUTIVE, SUPERVISOR, badge
from tests.manager.server.house import House, built, secret
from tests.manager.server.processes import Served


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What would be sent, instead of sending it."""
    found: list[dict[str, Any]] = []

    def send(self: Sending, do: dict[str, Any], **_: object) -> int:
        found.append(do)
        return 0

    monkeypatch.setattr(Sending, "send", send)
    return found


def _with_tokens(kind: str, do: dict[str, Any]) -> dict[str, Any]:
    wanted = [name for name in COMMANDS[kind].__struct_fields__ if name in VARIABLES]
    return {**dict.fromkeys(wanted, "t"), **do}


@pytest.mark.parametrize("kind", [kind for kind in kinds_for_people() if kind != "change.propose"])
def test_every_command_that_a_person_may_give_has_its_friendly_form(kind: str, sent: list[dict[str, Any]]) -> None:
    group, verb = place_of(kind)
    assert group in ROOM
    assert verb in room_commands.group(group)
    if kind in TYPED_APART:
        return
    line = example((group, verb), options_of(COMMANDS[kind]))
    assert f"Example: `{line}`" in (room_commands.group(group)[verb].help or "")
    words = shlex.split(line)[1:]
    if "secret" in COMMANDS[kind].__struct_fields__:
        words += ["--new-secret", "new.secret"]
    assert build_app()(words) == 0
    (do,) = sent
    # What the example says is a command: every field by its type, none unknown.
    read = msgspec.convert(_with_tokens(kind, do), COMMANDS[kind])
    assert read.__struct_config__.tag == kind


@pytest.mark.parametrize("name", CHANGES)
def test_every_change_can_be_proposed(name: str, sent: list[dict[str, Any]]) -> None:
    app = room_commands.group("change")["propose"][name]
    (line,) = (part for part in (app.help or "").split("`") if part.startswith("houseway"))
    assert build_app()(shlex.split(line)[1:]) == 0
    (do,) = sent
    assert do["kind"] == "change.propose"
    assert do["reason"]
    assert type(read_change(do["what"])) is CHANGES[name]


def test_no_command_stands_twice_and_every_group_is_there() -> None:
    places = [place_of(kind) for kind in kinds_for_people()]
    assert len(set(places)) == len(places)
    assert tuple(GROUPS) == ROOM
    assert {group for group, _ in places} <= set(GROUPS)


def test_what_devices_and_the_manager_say_has_no_friendly_form() -> None:
    nobody = {kind for kind in COMMANDS if not AUTHORITY[COMMANDS[kind]].roles}
    assert "system.archived" in nobody
    assert nobody.isdisjoint(kinds_for_people())


def test_all_that_is_missing_is_told_at_once() -> None:
    faults = call("table", "close", "--json").json["error"]["faults"]
    assert {(fault["code"], fault["path"]) for fault in faults} == {
        ("missing-argument", path) for path in ("table", "tray", "drop")
    }
    wrong = call("table", "close", "T1", "--tray", "1.234", "--drop", "some", "--json").json["error"]["faults"]
    assert [fault["path"] for fault in wrong] == ["tray", "drop"]


def test_badges_and_secrets_are_never_options() -> None:
    for kind in kinds_for_people():
        names = {option.field for option in options_of(COMMANDS[kind])}
        assert names.isdisjoint(VARIABLES), kind
    assert call("table", "open", "T1", "--float", "1", "--badge", "48311001", "--json").code == 2


# ---------------------------------------------------------------- values


def _read(read: Callable[[Arguments], Any]) -> Any:
    arguments = Arguments()
    value = read(arguments)
    return [fault.code for fault in arguments.found()] or value


@pytest.mark.parametrize(
    ("text", "cents"),
    [("10,000", 1_000_000), ("$12.50", 1_250), ("12.5", 1_250), ("-3", -300), ("0", 0), ("1_000", 100_000),
     ("1.234", ["bad-argument"]), ("ten", ["bad-argument"]), ("", ["bad-argument"]), ("1e3", ["bad-argument"]),
     ("9" * 30, ["out-of-range"]), ("\u0661", ["bad-argument"]), ("nan", ["bad-argument"])],
)  # fmt: skip
def test_amounts_are_dollars(text: str, cents: object) -> None:
    assert _read(lambda arguments: read_dollars(arguments, text, "x")) == cents


def test_millionths_have_six_digits() -> None:
    assert _read(lambda arguments: read_dollars(arguments, "1.000001", "x", 6)) == 1_000_001
    assert _read(lambda arguments: read_value(arguments, "-0.5", int, "micros", "x")) == -500_000


def test_objects_and_lists_are_typed_in_parts() -> None:
    def level(text: str) -> Any:
        return _read(lambda arguments: read_entry(arguments, text, dict[str, LevelParameters], "levels", "level"))

    assert level("main:seed=10,000,contribution=20%,limit=none") == (
        "main", {"seed": 1_000_000, "contribution": "20%", "limit": None},
    )  # fmt: skip
    assert level("main:seeds=1") == ["bad-choice"]
    assert level("main") == ["bad-argument"]
    assert _read(lambda arguments: read_value(arguments, "1,2, 5", list[int], "occupied", "x")) == [1, 2, 5]
    assert _read(lambda arguments: read_value(arguments, "1,b", list[int], "occupied", "x")) == ["not-an-integer"]
    assert shown_type(dict[str, LevelParameters], "levels").startswith("NAME:seed=DOLLARS,contribution=TEXT")


def test_a_setting_is_read_by_its_own_name() -> None:
    options = options_of(CHANGES["setting"])

    def value(name: str, text: str) -> Any:
        return read_options(Arguments(), options, {"name": name, "value": text}, "x")["value"]

    assert value("surveillance_threshold", "3,000") == 300_000
    assert value("sign_in_hours", "8") == 8
    assert value("commission_percent", "5") == 5


def test_a_file_of_people_tells_every_fault_of_every_row(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text("person,name,department,role\nD1,Dealer 1,pits,dealer\n,Dealer 2,pit,dealer;boss\n")
    with pytest.raises(InputError) as refused:
        read_rows(str(file), "person.add")
    assert [fault.path for fault in refused.value.faults] == ["line 2.department", "line 3.person", "line 3.role[1]"]
    file.write_text("person,nmae\nD1,x\n")
    with pytest.raises(InputError, match="name"):
        read_rows(str(file), "person.add")


# ---------------------------------------------------------------- a desk


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    return built(tmp_path_factory.mktemp("desk"))


@pytest.mark.slow
def test_a_day_at_the_desk_takes_one_command_for_each_task(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the desk is said once, the actor is who signed in, and a badge that is needed is asked for."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    kept = tmp_path / "svc.secret"
    kept.write_text(secret("SVC-1"))
    kept.chmod(0o600)
    with Served(house) as served:
        assert "has no desk yet" in call("desk").err
        assert "houseway desk" in call("table", "list").err
        desk = ("desk", "--manager", served.address, "--device", "SVC-1", "--secret-file", str(kept))
        assert call(*desk).code == 0
        # Nobody has signed in from this account, though others are signed in at the service.
        assert "nobody has signed in at SVC-1 from this account" in call("table", "shift", "T1", "--shift", "day").err
        monkeypatch.setenv("HOUSEWAY_BADGE", badge(EXECUTIVE))
        assert call("staff", "sign-in", "--json").json["person"] == EXECUTIVE
        monkeypatch.setenv("HOUSEWAY_BADGE", badge(SUPERVISOR))
        done = {
            words: call(*shlex.split(words), "--json")
            for words in (
                "table shift T1 --shift swing",
                "table fill T1 --direction fill --amount 500 --slip 4711",
                "table drop T1 --amount 0",
                "link stop L1 --cause malfunction --reason 'the sign is dark'",
                "link resume L1 --paper 'repair 7'",
            )
        }
        assert {words: run.code for words, run in done.items()} == dict.fromkeys(done, 0), done
        assert done["table fill T1 --direction fill --amount 500 --slip 4711"].json["answer"]["signed"] == [
            EXECUTIVE,
            SUPERVISOR,
        ]
        # Ids in any case, and a hint for one that is not there; a wrong badge changes nothing.
        assert call("table", "shift", "t1", "--shift", "late").code == 0
        assert "T1" in call("table", "shift", "T11", "--shift", "late").err
        monkeypatch.setenv("HOUSEWAY_BADGE", "a badge that nobody has")
        refused = call("table", "fill", "T1", "--direction", "fill", "--amount", "500", "--slip", "4712", "--json")
        assert refused.json["error"]["faults"][0]["code"] == "badge-refused"
        # Without a badge at hand nobody can be asked, and the terminal would have said whose.
        monkeypatch.delenv("HOUSEWAY_BADGE")
        assert "token-missing" in call("table", "drop", "T1", "--amount", "0").err
        assert call("staff", "sign-out", "--json").json == {"person": EXECUTIVE}
        assert call("table", "shift", "T1", "--shift", "night").code == 2


def test_a_desk_says_what_it_lacks_and_what_is_wrong_with_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "desk.toml"
    monkeypatch.setenv("HOUSEWAY_DESK", str(file))
    assert "is not there" in call("desk").err
    assert "--device and --secret-file" in call("desk", "--manager", "127.0.0.1:1").err
    assert call("desk", "--database", "house.db", "--keys", "keys", "--json").json["desk"]["keys"].startswith("/")
    file.write_text("manager = 3")
    assert "run houseway desk again" in call("desk").err
    file.write_text("manager = ")
    assert "cannot be read" in call("table", "list").err


def test_nobody_else_says_where_a_desk_is_or_reads_a_password_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "conf" / "desk.toml"
    monkeypatch.setenv("HOUSEWAY_DESK", str(file))
    for url in ("postgresql://room:hunter2@127.0.0.1/room", "postgresql://127.0.0.1/room?password=hunter2"):
        refused = call("desk", "--database", url, "--keys", "keys")
        assert (refused.code, "[token-in-command]" in refused.err, file.exists()) == (2, True, False)
        assert "hunter2" not in refused.out + refused.err
    before = os.umask(0)
    try:
        assert call("desk", "--database", "postgresql://room@127.0.0.1/room", "--keys", "keys").code == 0
    finally:
        os.umask(before)
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    for mode in (0o620, 0o602):
        file.chmod(mode)
        for command in (("desk",), ("table", "list"), ("staff", "sign-in")):
            assert "[desk-open]" in call(*command).err, "somebody else could have written another address there"
    assert call("desk", "--database", "house.db", "--keys", "keys").code == 0, "said again, it is this account's alone"
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_shell_completes_groups_commands_and_options(tmp_path: Path) -> None:
    script = call("completion", "bash")
    assert script.code == 0
    (tmp_path / "houseway").write_text(script.out)

    def completed(*words: str) -> set[str]:
        line = " ".join(words)
        asked = (
            f'source {tmp_path / "houseway"}; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; COMP_LINE="{line}"; '
            f'COMP_POINT=${{#COMP_LINE}}; _houseway 2>/dev/null; printf "%s\\n" "${{COMPREPLY[@]}}"'
        )
        run = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=False, timeout=60)
        return {word.strip() for word in run.stdout.split()}

    assert {"table", "tls", "tour"} >= completed("houseway", "t") >= {"table"}
    assert "open" in completed("houseway", "table", "op")
    assert "--float" in completed("houseway", "table", "open", "--fl")
    assert call("completion", "tcsh").code == 2
