# SPDX-License-Identifier: MIT
"""Stores every run in one SQLite file: with a write-ahead log, and one transaction per run."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import TracebackType

from pydantic import BaseModel, ConfigDict

from baton_lab.base.records import Record

DEFAULT_PATH = Path("build/lab/baton.sqlite")
BUSY_SECONDS = 30.0
SCHEMA_VERSION = 3
SCHEMA = """
CREATE TABLE run (
  id INTEGER PRIMARY KEY AUTOINCREMENT, started TEXT NOT NULL, board TEXT NOT NULL, suite TEXT NOT NULL,
  commit_id TEXT NOT NULL, dirty INTEGER NOT NULL, compiler TEXT NOT NULL, flags TEXT NOT NULL,
  machine TEXT NOT NULL, source_hash TEXT NOT NULL, cases TEXT NOT NULL DEFAULT '');
CREATE INDEX run_by_board_and_suite ON run (board, suite, id);
CREATE TABLE record (
  run_id INTEGER NOT NULL REFERENCES run (id), position INTEGER NOT NULL,
  suite TEXT NOT NULL, case_name TEXT NOT NULL, board TEXT NOT NULL, unit TEXT NOT NULL,
  value REAL NOT NULL, iterations INTEGER NOT NULL, valid TEXT NOT NULL, base REAL, floor REAL, params TEXT NOT NULL,
  samples TEXT NOT NULL DEFAULT '[]', PRIMARY KEY (run_id, position)) WITHOUT ROWID;
CREATE TABLE duration (step TEXT PRIMARY KEY, seconds REAL NOT NULL) WITHOUT ROWID;
"""
MIGRATIONS = {
    1: "ALTER TABLE record ADD COLUMN samples TEXT NOT NULL DEFAULT '[]'",
    2: """ALTER TABLE run ADD COLUMN cases TEXT NOT NULL DEFAULT '';
      CREATE TABLE duration (step TEXT PRIMARY KEY, seconds REAL NOT NULL) WITHOUT ROWID""",
}
"""The statements that change the schema of each version into that of the next."""

IMPORTED = "imported from"
"""The fact of a run's machine that names the file from which ./baton import took the records."""

OF_A_VARIANT = """EXISTS (SELECT 1 FROM record WHERE run_id = run.id AND position = 0
  AND json_extract(params, '$.variant') IS NOT NULL)"""
"""Selects runs of variants, whose records name the variant."""


class StoreError(RuntimeError):
    """The store cannot be opened, read or written; the message has the file and the reason."""


class UnknownRunError(LookupError):
    """There is no run of that number; the message lists the runs."""


class Run(BaseModel):
    """The circumstances of a set of records: one suite on one board."""

    model_config = ConfigDict(frozen=True)

    id: int | None = None
    started: datetime
    board: str
    suite: str
    commit: str
    dirty: bool
    compiler: str
    flags: str
    machine: dict[str, str] = {}
    source_hash: str = ""
    cases: str = ""
    """The patterns of --case, if a case was left out: the run is a part of its suite."""

    @property
    def build(self) -> str:
        """Compiler and flags; of imported records, the file that they come from."""
        return f"{IMPORTED} {file}" if (file := self.machine.get(IMPORTED)) else f"{self.compiler} {self.flags}".strip()


class Store:
    """The runs of one file. Use it as a context manager, or call `close`.

    Context  any number of processes at once: readers never wait, a writer waits for another up to
             BUSY_SECONDS. A run is stored as a whole or not at all.
    Errors   StoreError
    """

    def __init__(self, path: Path = DEFAULT_PATH) -> None:
        self.path = path
        with self._explained():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
            self._write_ahead()
            self._db.execute("PRAGMA foreign_keys=ON")
            self._prepare()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection; nothing is pending, because `save` commits."""
        self._db.close()

    def save(self, run: Run, records: Sequence[Record]) -> int:
        """Stores a run and its records in one transaction and returns the run's number."""
        with self._explained(), self._transaction():
            cursor = self._db.execute(
                "INSERT INTO run (started, board, suite, commit_id, dirty, compiler, flags, machine, source_hash,"
                " cases) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (run.started.isoformat(), run.board, run.suite, run.commit, run.dirty)
                + (run.compiler, run.flags, json.dumps(run.machine), run.source_hash)
                + (run.cases,),
            )
            number = cursor.lastrowid
            assert number is not None
            self._db.executemany(
                "INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [(number, position, *_columns(record)) for position, record in enumerate(records)],
            )
        return number

    def run(self, id: int) -> tuple[Run, list[Record]]:
        """Returns the run of that number and its records, in the order of the output."""
        with self._explained():
            row = self._db.execute("SELECT * FROM run WHERE id = ?", (id,)).fetchone()
            if row is None:
                raise UnknownRunError(f"there is no run {id}; {self._known()}")
            rows = self._db.execute("SELECT * FROM record WHERE run_id = ? ORDER BY position", (id,)).fetchall()
        return _run(row), [_record(each) for each in rows]

    def runs(self, limit: int | None = None) -> list[Run]:
        """Returns the runs, newest first."""
        with self._explained():
            rows = self._db.execute(
                "SELECT * FROM run ORDER BY id DESC LIMIT ?", (-1 if limit is None else limit,)
            ).fetchall()
        return [_run(row) for row in rows]

    def latest(self, board: str, suite: str) -> tuple[Run, list[Record]] | None:
        """Returns the newest whole run of a suite on a board, or None; variants are left out, and runs with --case."""
        query = f"SELECT max(id) FROM run WHERE board = ? AND suite = ? AND cases = '' AND NOT {OF_A_VARIANT}"
        with self._explained():
            row = self._db.execute(query, (board, suite)).fetchone()
        return None if row[0] is None else self.run(row[0])

    def latest_variants(self, board: str, suite: str) -> list[tuple[Run, list[Record]]]:
        """Returns the runs of the newest session of variants, which began at the same time."""
        of_these = f"board = ? AND suite = ? AND {OF_A_VARIANT}"
        query = f"SELECT id FROM run WHERE {of_these} AND started = (SELECT started FROM run WHERE {of_these} "
        query += "ORDER BY id DESC LIMIT 1) ORDER BY id"
        with self._explained():
            rows = self._db.execute(query, (board, suite) * 2).fetchall()
        return [self.run(row[0]) for row in rows]

    def durations(self) -> dict[str, float]:
        """Returns the seconds that each step took when it last passed."""
        with self._explained():
            return dict(self._db.execute("SELECT step, seconds FROM duration").fetchall())

    def note_durations(self, seconds: Mapping[str, float]) -> None:
        """Notes the seconds that steps took, in one transaction."""
        with self._explained(), self._transaction():
            self._db.executemany("INSERT OR REPLACE INTO duration VALUES (?, ?)", list(seconds.items()))

    def _write_ahead(self) -> None:
        """Switches a new file to write-ahead logging. SQLite does not wait for another process that does the same."""
        until = time.monotonic() + BUSY_SECONDS
        while True:
            try:
                self._db.execute("PRAGMA journal_mode=WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
                time.sleep(0.01)

    def _prepare(self) -> None:
        if self._version() == 0:
            with self._transaction():
                if self._version() == 0:  # another process may have been first
                    for statement in SCHEMA.split(";"):
                        self._db.execute(statement)
                    self._db.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
        while self._version() in MIGRATIONS:
            with self._transaction():
                version = self._version()
                if version in MIGRATIONS:  # another process may have been first
                    for statement in MIGRATIONS[version].split(";"):
                        self._db.execute(statement)
                    self._db.execute(f"PRAGMA user_version={version + 1}")
        if self._version() != SCHEMA_VERSION:
            raise StoreError(
                f"{self.path}: written by another version of the lab (schema {self._version()}, this one"
                f" reads {SCHEMA_VERSION}); move the file away to start a new one"
            )

    def _version(self) -> int:
        return int(self._db.execute("PRAGMA user_version").fetchone()[0])

    def _known(self) -> str:
        low, high, count = self._db.execute("SELECT min(id), max(id), count(*) FROM run").fetchone()
        if not count:
            return "nothing is stored yet: ./baton bench"
        return f"stored are {count}, numbered {low} to {high}: ./baton runs"

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:  # SQLite has already rolled back after some errors
                self._db.execute("ROLLBACK")
            raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"{self.path}: {error}") from error


def _columns(record: Record) -> tuple[object, ...]:
    return (record.suite, record.case, record.board, record.unit, record.value, record.iterations) + (
        record.valid,
        record.base,
        record.floor,
        json.dumps(record.params),
        json.dumps(record.samples),
    )


def _run(row: tuple[object, ...]) -> Run:
    keys = (
        "id",
        "started",
        "board",
        "suite",
        "commit",
        "dirty",
        "compiler",
        "flags",
        "machine",
        "source_hash",
        "cases",
    )
    values = dict(zip(keys, row, strict=True))
    values["machine"] = json.loads(str(values["machine"]))
    return Run.model_validate(values)


def _record(row: tuple[object, ...]) -> Record:
    keys = ("suite", "case", "board", "unit", "value", "iterations", "valid", "base", "floor", "params", "samples")
    values = dict(zip(keys, row[2:], strict=True))
    for key in ("params", "samples"):
        values[key] = json.loads(str(values[key]))
    return Record.model_validate(values)
