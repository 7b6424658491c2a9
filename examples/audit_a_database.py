"""Audit a database: play a small floor on SQLite, verify its journal, alter one row, and see the audit find it."""

import tempfile

import sqlalchemy as sa

import houseway as hw

with tempfile.TemporaryDirectory() as folder:
    database = f"{folder}/floor.db"
    with hw.Room.demo(database=database, keys=f"{folder}/keys") as room:
        room.play(6)
    report = room.audit()
    print(f"after play: {report.rows['rounds']} rounds audited, {report.found} findings")
    engine = sa.create_engine(f"sqlite:///{database}")
    with engine.begin() as connection:
        # Whoever owns the file can remove its guards; the audit misses them.
        connection.exec_driver_sql("drop trigger hits_no_update")
        largest = "select seq from hits order by cents desc, seq limit 1"
        connection.exec_driver_sql(f"update hits set cents = cents + 100000 where seq = ({largest})")
    engine.dispose()
    report = room.audit()
    print(f"after tampering with an award: {report.found} findings")
    for finding in report.findings:
        print(f"  {finding.table}: {finding.problem}")
