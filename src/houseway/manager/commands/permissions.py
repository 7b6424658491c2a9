"""The table of who may give which command: roles of people, kinds of devices, the manager itself, and whose badge.

Read together with docs/manager.md ("Who acts"). A command that is not here is refused whoever sends it; a test holds
that every command is here, with every badge that it carries.
"""

from __future__ import annotations

from typing import Final, get_args

from houseway.manager.commands.house_commands import (
    AddDevice,
    AddPerson,
    AttachSensor,
    ChangeDeck,
    ChangePerson,
    ChangeShift,
    CloseTable,
    CountDrop,
    CreateProperty,
    CreateTable,
    DealerIn,
    DealerOut,
    FillTray,
    OpenTable,
    RecordIncident,
    RecordPaper,
    RetireDevice,
    SetFaceUp,
    SignIn,
    SignOut,
)
from houseway.manager.commands.link_commands import (
    Approve,
    CreateLink,
    OpenLink,
    Propose,
    RecordDeposit,
    ResumeLink,
    StopLink,
    Withdraw,
)
from houseway.manager.commands.round_commands import (
    AddReference,
    CorrectWager,
    DealRound,
    DecideRound,
    DeclareSeat,
    DoubleDown,
    EndRound,
    HitJackpot,
    HoldRound,
    PayJackpot,
    PressHand,
    RejectJackpot,
    ReopenRound,
    SetHand,
    SetSensor,
    ShowDealerWay,
    ShowPlayerWay,
    StartRound,
    TurnKey,
    VoidRound,
)
from houseway.manager.commands.system_commands import (
    AttemptRefused,
    ClockAccepted,
    DeviceLocked,
    RecoveryRecorded,
    RollbackNoticed,
    RowsArchived,
    RowsRebuilt,
    ServerResumed,
    ServerStarted,
    SnapshotTaken,
    WithdrawMessage,
)
from houseway.manager.core.authority import AUTHORITY, Authority, CardUse
from houseway.manager.core.entities import Role

EVERYBODY: Final[tuple[str, ...]] = get_args(Role)
"""Every person on duty: what else is needed, the handler knows (a register's own roles, an approver's badge)."""
SUPERVISING: Final = ("supervisor", "executive")
CONTROLS: Final = ("dealer", *SUPERVISING)
"""Who works a table's controls."""
OFFICE: Final = ("supervisor", "executive", "accounting")
PROPOSING: Final = (*OFFICE, "technician", "cage")
CLOCK: Final = (*SUPERVISING, "technician", "surveillance")

SECOND: Final[dict[str, CardUse]] = {"card": "second"}
OWN: Final[dict[str, CardUse]] = {"card": "own"}
NEW: Final[dict[str, CardUse]] = {"card": "new", "second_card": "second"}


def _people(*roles: str, device: str = "", manager: bool = False, cards: dict[str, CardUse] | None = None) -> Authority:
    return Authority(frozenset(roles), frozenset({device} if device else ()), manager, cards or {})


def _at_round(*roles: str) -> Authority:
    return Authority(frozenset(roles), cards=SECOND, of_round=True)


_MANAGER_ONLY: Final = Authority(manager=True)

AUTHORITY.update(
    {
        # A round
        SetSensor: _people(*CONTROLS, device="controller"),
        DeclareSeat: _people(*CONTROLS),
        StartRound: _people(*CONTROLS),
        DealRound: _people(*CONTROLS),
        SetHand: _people(*CONTROLS),
        DoubleDown: _people(*CONTROLS),
        ShowPlayerWay: _people(*CONTROLS),
        ShowDealerWay: _people(*CONTROLS),
        PressHand: _at_round(*CONTROLS),
        HitJackpot: _people(*CONTROLS),
        TurnKey: _at_round(*CONTROLS),
        PayJackpot: _at_round(*CONTROLS),
        RejectJackpot: _at_round(*CONTROLS),
        AddReference: Authority(frozenset({"surveillance"}), of_round=True, actor_is_second=True),
        EndRound: _at_round(*CONTROLS),
        VoidRound: _at_round(*CONTROLS),
        CorrectWager: _at_round(*CONTROLS),
        ReopenRound: _at_round(*CONTROLS),
        HoldRound: _at_round(*CONTROLS, "surveillance"),
        DecideRound: _at_round(*SUPERVISING),
        # Links and changes
        CreateLink: _people(*OFFICE, "technician"),
        OpenLink: _people(*OFFICE, cards=SECOND),
        RecordDeposit: _people("cage", "accounting", "executive", cards=SECOND),
        StopLink: _people(*OFFICE, manager=True, cards=SECOND),
        ResumeLink: _people(*OFFICE, cards=SECOND),
        Propose: _people(*PROPOSING),
        Approve: Authority(frozenset(EVERYBODY), cards=SECOND, beside="proposer"),
        Withdraw: _people(*PROPOSING),
        # The house
        CreateProperty: _MANAGER_ONLY,
        AddPerson: _people(*SUPERVISING, cards=NEW),
        ChangePerson: _people(*SUPERVISING, cards=NEW),
        AddDevice: _people("technician", "executive", cards=SECOND),
        RetireDevice: _people("technician", "executive", cards=SECOND),
        SignIn: Authority(devices=frozenset({"service"}), cards=OWN, always=True),
        SignOut: Authority(frozenset(EVERYBODY), frozenset({"service"}), always=True),
        RecordPaper: _people(*EVERYBODY),
        RecordIncident: Authority(frozenset(EVERYBODY), frozenset({"controller", "service"})),
        # Tables
        CreateTable: _people(*SUPERVISING, "technician"),
        AttachSensor: _people(*SUPERVISING, "technician"),
        SetFaceUp: _people(*SUPERVISING, cards=SECOND),
        OpenTable: _people(*CONTROLS, "cage", cards=SECOND),
        CloseTable: _people(*CONTROLS, "cage", cards=SECOND),
        DealerIn: _people(*CONTROLS, device="controller", cards=OWN),
        DealerOut: _people(*CONTROLS),
        ChangeDeck: _people(*CONTROLS),
        ChangeShift: _people(*SUPERVISING, "cage", "accounting"),
        FillTray: _people(*CONTROLS, "cage", cards=SECOND),
        CountDrop: _people(*SUPERVISING, "cage", "accounting", cards=SECOND),
        # The manager itself
        ServerStarted: _MANAGER_ONLY,
        ServerResumed: _MANAGER_ONLY,
        SnapshotTaken: _MANAGER_ONLY,
        AttemptRefused: _MANAGER_ONLY,
        DeviceLocked: _MANAGER_ONLY,
        RowsArchived: _MANAGER_ONLY,
        RowsRebuilt: _MANAGER_ONLY,
        RollbackNoticed: _MANAGER_ONLY,
        RecoveryRecorded: Authority(frozenset(CLOCK), cards=SECOND, always=True),
        ClockAccepted: Authority(frozenset(CLOCK), cards={"card": "first", "second_card": "second"}, always=True),
        WithdrawMessage: Authority(devices=frozenset({"controller"})),
    }
)

__all__ = ["AUTHORITY"]
