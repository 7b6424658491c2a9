"""The table of who may give which command: roles of people, kinds of devices, the manager itself, and whose badge.

Read together with docs/manager.md ("Who acts"). A command that is not here is refused whoever sends it; a test holds
that every command is here, with every badge that it carries.
"""

from __future__ import annotations

from typing import Final

from houseway.manager.commands.house_commands import (
    AddDevice,
    AddPerson,
    AttachSensor,
    ChangeDeck,
    ChangePerson,
    ChangeShift,
    CloseTable,
    ConfirmPerson,
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
    RevokeSession,
    SetFaceUp,
    SetPin,
    SignIn,
    SignOut,
)
from houseway.manager.commands.link_commands import (
    Approve,
    CreateLink,
    OpenLink,
    PayPromotion,
    Propose,
    RecordDeposit,
    ResumeLink,
    StopLink,
    Withdraw,
)
from houseway.manager.commands.round_commands import (
    AcknowledgeUndone,
    AddReference,
    CorrectWager,
    DealRound,
    DecideRound,
    DeclareBanker,
    DeclareSeat,
    DoubleDown,
    EndRound,
    EnterRound,
    HitJackpot,
    HoldRound,
    MisdealRound,
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
from houseway.manager.commands.slip_commands import HandOverPrize, IssueForm, PrintSlip, ReprintSlip, VoidSlip
from houseway.manager.commands.system_commands import (
    AttemptRefused,
    ClockAccepted,
    DeviceLocked,
    PinTried,
    RecoveryRecorded,
    RollbackNoticed,
    RowsArchived,
    RowsRebuilt,
    ServerResumed,
    ServerStarted,
    SnapshotTaken,
    WithdrawMessage,
)
from houseway.manager.core.authority import AUTHORITY, Authority, BadgeUse
from houseway.manager.core.roles import CONTROLS, MACHINES, OFFICE, PRESENT, STAFF, SUPERVISING, WITH_AUTHORITY

PROPOSING: Final = (*OFFICE, "technician", "cage")
CLOCK: Final = (*SUPERVISING, "technician", "surveillance")

SECOND: Final[dict[str, BadgeUse]] = {"badge": "second"}
OWN: Final[dict[str, BadgeUse]] = {"badge": "own"}
BOTH: Final[dict[str, BadgeUse]] = {"badge": "first", "second_badge": "second"}
NEW: Final[dict[str, BadgeUse]] = {"badge": "new", "second_badge": "second"}


def _people(
    *roles: str, device: str = "", manager: bool = False, badges: dict[str, BadgeUse] | None = None
) -> Authority:
    return Authority(frozenset(roles), frozenset({device} if device else ()), manager, badges or {})


def _in_house(*roles: str, badges: dict[str, BadgeUse]) -> Authority:
    return Authority(frozenset(roles), badges=badges, of_house=True)


def _at_round(*roles: str) -> Authority:
    return Authority(frozenset(roles), badges=SECOND, of_round=True)


_MANAGER_ONLY: Final = Authority(manager=True)

AUTHORITY.update(
    {
        # A round
        SetSensor: _people(*CONTROLS, device="controller"),
        DeclareSeat: _people(*CONTROLS),
        DeclareBanker: _people(*CONTROLS),
        AcknowledgeUndone: _people(*CONTROLS),
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
        MisdealRound: _at_round(*CONTROLS),
        EnterRound: _at_round(*SUPERVISING),
        CorrectWager: _at_round(*CONTROLS),
        ReopenRound: _at_round(*CONTROLS),
        HoldRound: _at_round(*CONTROLS, "surveillance"),
        DecideRound: _at_round(*SUPERVISING),
        # Links and changes
        CreateLink: _people(*OFFICE, "technician"),
        OpenLink: _in_house(*OFFICE, badges=SECOND),
        RecordDeposit: _in_house("cage", "accounting", "executive", badges=SECOND),
        PayPromotion: _in_house("cage", "accounting", "executive", badges=SECOND),
        StopLink: _people(*OFFICE, manager=True, badges=SECOND),
        ResumeLink: _people(*OFFICE, badges=SECOND),
        Propose: _people(*PROPOSING),
        Approve: Authority(frozenset(STAFF), badges=SECOND, beside="proposer"),
        Withdraw: _people(*PROPOSING),
        # The house
        CreateProperty: _MANAGER_ONLY,
        AddPerson: _in_house(*SUPERVISING, badges=NEW),
        ChangePerson: _in_house(*SUPERVISING, badges=NEW),
        ConfirmPerson: _people(*sorted(WITH_AUTHORITY), badges={"badge": "confirmed"}),
        AddDevice: _in_house(*MACHINES, badges=SECOND),
        RetireDevice: _people(*MACHINES, badges=SECOND),
        SignIn: Authority(devices=frozenset({"service"}), badges=OWN, always=True),
        SetPin: Authority(devices=frozenset({"service"}), badges=OWN, always=True),
        SignOut: Authority(frozenset(PRESENT), frozenset({"service"}), always=True),
        RevokeSession: Authority(frozenset(PRESENT), badges=SECOND, always=True),
        RecordPaper: _people(*STAFF),
        RecordIncident: Authority(frozenset(STAFF), frozenset({"controller", "service"})),
        # Tables
        CreateTable: _people(*SUPERVISING, "technician"),
        AttachSensor: _people(*SUPERVISING, "technician"),
        SetFaceUp: _people(*SUPERVISING, badges=SECOND),
        OpenTable: _people(*CONTROLS, "cage", badges=SECOND),
        CloseTable: _people(*CONTROLS, "cage", badges=SECOND),
        DealerIn: _people(*CONTROLS, device="controller", badges=OWN),
        DealerOut: _people(*CONTROLS),
        ChangeDeck: _people(*CONTROLS),
        ChangeShift: _people(*SUPERVISING, "cage", "accounting"),
        FillTray: _people(*CONTROLS, "cage", badges=SECOND),
        CountDrop: _people(*SUPERVISING, "cage", "accounting", badges=SECOND),
        # Slips
        IssueForm: _people(*SUPERVISING, "cage"),
        PrintSlip: _people(*SUPERVISING, "cage", "accounting"),
        ReprintSlip: _people(*SUPERVISING, "cage", "accounting"),
        VoidSlip: _in_house(*SUPERVISING, "cage", badges=SECOND),
        HandOverPrize: _in_house(*SUPERVISING, "cage", badges=SECOND),
        # The manager itself
        ServerStarted: _MANAGER_ONLY,
        ServerResumed: _MANAGER_ONLY,
        SnapshotTaken: _MANAGER_ONLY,
        AttemptRefused: _MANAGER_ONLY,
        DeviceLocked: _MANAGER_ONLY,
        PinTried: _MANAGER_ONLY,
        RowsArchived: _MANAGER_ONLY,
        RowsRebuilt: _MANAGER_ONLY,
        RollbackNoticed: _MANAGER_ONLY,
        RecoveryRecorded: Authority(frozenset(CLOCK), badges=BOTH, always=True),
        ClockAccepted: Authority(frozenset(CLOCK), badges=BOTH, always=True),
        WithdrawMessage: Authority(devices=frozenset({"controller"})),
    }
)

__all__ = ["AUTHORITY"]
