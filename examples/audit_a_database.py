"""Audit a database: play a small floor on SQLite, verify its journal, alter one row, and see the audit find it."""

import random
import tempfile
import time
from pathlib import Path

import sqlalchemy as sa

from houseway.manager.demo.play import DemoFloor
from houseway.manager.store.keys import create_keys
from houseway.manager.store.manager import open_manager
from houseway.manager.store.reading import open_view
from houseway.manager.store.trust import trust_in
from houseway.manager.store.verify import Report, verify_database


def play(url: str, keys_folder: Path) -> None:
    """Let the demonstration floor play a few rounds with a jackpot."""
    keys = create_keys(keys_folder)
    # Cards come from the system's generator; here they are the same every time, as the players' choices are.
    with open_manager(url, keys_folder, draw=random.Random(7).randbytes) as manager:  # noqa: S311
        floor = DemoFloor(manager, keys.fingerprint, seed=7)
        floor.open(time.time_ns() // 1_000)
        for _ in floor.play(6):
            pass


def audit(url: str, keys_folder: Path) -> Report:
    """Verify the whole journal with the keys, as `houseway audit verify` does."""
    trust = trust_in(keys_folder)
    with open_view(url) as view:
        return verify_database(view, trust)


def main() -> None:
    """Play, audit, tamper, audit."""
    with tempfile.TemporaryDirectory() as folder:
        url, keys = f"sqlite:///{folder}/floor.db", Path(folder) / "keys"
        play(url, keys)
        report = audit(url, keys)
        print(f"after play: {report.rows['rounds']} rounds audited, {report.found} findings")
        engine = sa.create_engine(url)
        with engine.begin() as connection:
            # Whoever owns the file can remove its guards; the audit misses them.
            connection.exec_driver_sql("drop trigger hits_no_update")
            largest = "select seq from hits order by cents desc, seq limit 1"
            connection.exec_driver_sql(f"update hits set cents = cents + 100000 where seq = ({largest})")
        engine.dispose()
        report = audit(url, keys)
        print(f"after tampering with an award: {report.found} findings")
        for finding in report.findings:
            print(f"  {finding.table}: {finding.problem}")


if __name__ == "__main__":
    main()
