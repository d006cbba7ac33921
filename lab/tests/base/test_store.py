# SPDX-License-Identifier: MIT
import multiprocessing
import os
import resource
import signal
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from baton_lab.base.records import Record
from baton_lab.base.store import Run, Store, StoreError, UnknownRunError

WRITERS = 4
RUNS_EACH = 15


def run(suite: str = "auto") -> Run:
    return Run(
        started=datetime.now(UTC), board="nano", suite=suite, commit="abc", dirty=True, compiler="g++", flags="-Os"
    )


def record(value: float = 1.0, case: str = "direct") -> Record:
    return Record(
        suite="auto", case=case, board="nano", unit="cycles", value=value, valid="simulated", params={"yields": "2"}
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "lab" / "runs.sqlite") as opened:
        yield opened


def test_a_run_comes_back_with_its_records_in_order(store: Store) -> None:
    made, records = run(), [record(2.0, "b"), record(1.5, "a")]
    number = store.save(made, records)
    assert store.run(number) == (made.model_copy(update={"id": number}), records)


def test_the_latest_run_is_that_of_the_board_and_suite(store: Store) -> None:
    store.save(run(), [record(1)])
    store.save(run(), [record(2)])
    store.save(run("channel"), [record(3)])
    latest = store.latest("nano", "auto")
    assert latest is not None and latest[1][0].value == 2
    assert store.latest("nano", "idle") is None
    assert [each.suite for each in store.runs(2)] == ["channel", "auto"]


def test_a_run_of_some_cases_is_kept_and_never_the_latest(store: Store) -> None:
    whole = store.save(run(), [record(1), record(2, "other")])
    part = store.save(run().model_copy(update={"cases": "direct"}), [record(3)])
    assert store.run(part)[0].cases == "direct"
    latest = store.latest("nano", "auto")
    assert latest is not None and latest[0].id == whole


def test_the_last_duration_of_a_step_is_kept(store: Store) -> None:
    assert store.durations() == {}
    store.note_durations({"nano: build": 30.0, "nano: auto": 2.5})
    store.note_durations({"nano: build": 0.5})
    assert store.durations() == {"nano: build": 0.5, "nano: auto": 2.5}


def test_an_unknown_run_is_refused_with_what_is_stored(store: Store) -> None:
    with pytest.raises(UnknownRunError, match="nothing is stored"):
        store.run(1)
    store.save(run(), [])
    with pytest.raises(UnknownRunError, match="there is no run 7; stored are 1, numbered 1 to 1"):
        store.run(7)


def die_while_saving(path: Path) -> None:
    def records() -> Iterator[Record]:
        yield record()
        os.kill(os.getpid(), signal.SIGKILL)

    class Deadly(list[Record]):
        def __iter__(self) -> Iterator[Record]:
            return records()

    Store(path).save(run(), Deadly())


def test_a_run_killed_in_its_transaction_leaves_nothing_and_the_rest_readable(store: Store) -> None:
    number = store.save(run(), [record()])
    process = multiprocessing.get_context("fork").Process(target=die_while_saving, args=(store.path,))
    process.start()
    process.join(30)
    assert process.exitcode == -signal.SIGKILL
    with Store(store.path) as again:
        assert [each.id for each in again.runs()] == [number]
        assert again.save(run(), [record()]) > number
    database = sqlite3.connect(store.path)
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()


def write_many(path: Path) -> None:
    with Store(path) as own:
        for _ in range(RUNS_EACH):
            own.save(run(), [record(), record(case="other")])


def test_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"  # not there yet: they also make it at once
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=write_many, args=(path,)) for _ in range(WRITERS)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
        assert writer.exitcode == 0
    with Store(path) as store:
        assert len(store.runs()) == WRITERS * RUNS_EACH
        assert all(len(store.run(each.id or 0)[1]) == 2 for each in store.runs())


def open_together(paths: list[Path], start: Barrier) -> None:
    for path in paths:
        start.wait(30)
        Store(path).close()


def test_processes_that_make_a_file_at_once_wait_for_each_other(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    start = context.Barrier(WRITERS)
    paths = [tmp_path / f"{number}.sqlite" for number in range(300)]
    makers = [context.Process(target=open_together, args=(paths, start)) for _ in range(WRITERS)]
    for maker in makers:
        maker.start()
    for maker in makers:
        maker.join(60)
        assert maker.exitcode == 0


def fill_the_disk(path: Path, told: str) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (120_000, 120_000))
    try:
        with Store(path) as store:
            for _ in range(1000):
                store.save(run(), [record()] * 50)
    except StoreError as error:
        Path(told).write_bytes(str(error).encode())
        os._exit(3)
    os._exit(0)


def test_a_full_disk_is_an_error_that_leaves_what_was_stored(tmp_path: Path) -> None:
    path, told = tmp_path / "runs.sqlite", tmp_path / "told"
    with Store(path) as store:
        store.save(run(), [record(42)])
    process = multiprocessing.get_context("fork").Process(target=fill_the_disk, args=(path, str(told)))
    process.start()
    process.join(60)
    assert process.exitcode == 3
    assert "runs.sqlite" in told.read_text()
    with Store(path) as store:
        assert store.run(1)[1] == [record(42)]
        for each in store.runs():
            assert each.id == 1 or len(store.run(each.id or 0)[1]) == 50


def test_a_file_that_is_no_database_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    path.write_text("no database " * 100)
    with pytest.raises(StoreError, match=r"runs\.sqlite"):
        Store(path)


def test_every_repeat_comes_back_as_it_ran(store: Store) -> None:
    timed = record().model_copy(update={"samples": (3.5, 1.25, 2.0)})
    assert store.run(store.save(run(), [timed, record()]))[1] == [timed, record()]


def test_a_file_from_before_the_repeats_were_kept_is_read_and_written_on(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    with Store(path) as made:
        made.save(run(), [record(7.0)])
    database = sqlite3.connect(path)
    database.execute("ALTER TABLE record DROP COLUMN samples")
    database.execute("ALTER TABLE run DROP COLUMN cases")
    database.execute("DROP TABLE duration")
    database.execute("PRAGMA user_version=1")
    database.commit()
    database.close()
    for _ in range(2):
        with Store(path) as again:
            latest = again.latest("nano", "auto")
            assert latest is not None and latest[1] == [record(7.0)]
    with Store(path) as again:
        timed = record().model_copy(update={"samples": (1.0, 2.0)})
        assert again.run(again.save(run(), [timed]))[1] == [timed]
        again.note_durations({"nano: auto": 1.0})


def test_a_file_of_another_schema_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version=99")
    database.commit()
    database.close()
    with pytest.raises(StoreError, match="schema 99"):
        Store(path)
