# SPDX-License-Identifier: MIT
"""The command line reports an impossible request in one line, with exit code 2."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from sample_runs import records, run_of

from baton_lab.base.project import ROOT, Project
from baton_lab.base.store import Store
from baton_lab.board import flashing
from baton_lab.command import cli, commands, project_commands


@pytest.fixture(autouse=True)
def tree(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setattr(commands, "Project", lambda: project)
    return project


def call(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["baton", *words])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    return int(ended.value.code or 0)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("bench --board uno", "there is no board 'uno'; boards: host nano promicro"),
        ("bench --suite speed", "there is no suite 'speed'; suites: auto channel"),
        ("bench --format csv", "there is no format 'csv'; formats: table records"),
        (
            "bench --board nano,promcro",
            "no board 'promcro'; did you mean 'promicro'? boards: host nano promicro",
        ),
        ("bench --board host --board Nano", "did you mean 'nano'? boards:"),
        ("bench --suite chanel,auto", "there is no suite 'chanel'; did you mean 'channel'? suites: auto channel"),
        ("bench --format record", "did you mean 'records'?"),
        ("seeds ichr", "there is no document 'ichr'; did you mean 'ichor'?"),
        ("package arduno", "did you mean 'arduino'?"),
        ("bench --variant all --case x", "--case and --variant"),
        ("bench --http --case x", "--http"),
        ("gate --bless --case x", "--case and --bless"),
        ("bnch", "Did you mean 'bench'? Commands: new build"),
        ("bench --peers", "bench/peers"),
        ("bench --variant jemalloc", "there is no variant 'jemalloc'; variants: gcc-standard-hardened"),
        ("bench --variant all --peers", "--variant and --peers"),
        ("test --board uno", "there is no board 'uno'; boards: host nano promicro"),
        ("setup uno", "there is no board 'uno'; boards: host nano promicro"),
        ("compare 1 2", "there is no run 1; nothing is stored yet"),
        ("compare one two", "RUN"),
        ("compare 1", "Missing argument"),
        ("report", "nothing is stored yet"),
        ("explain 5", "docs/require.md"),
        (
            "frobnicate",
            "No such command 'frobnicate'. Commands: new build run flash monitor size setup bench import test",
        ),
        ("bench --frmat x", "No such option"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    words: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, *words.split()) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1
    assert said in printed.err


def test_a_store_that_cannot_be_read_is_one_line(
    tree: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tree.store.parent.mkdir(parents=True)
    tree.store.write_text("rubbish " * 200)
    assert call(monkeypatch, "runs") == 1
    assert "baton.sqlite" in capsys.readouterr().err


def test_a_port_that_cannot_be_used_is_one_line_in_any_folder(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert call(monkeypatch, "monitor", "--port", "ttyUSB9") == 1
    assert capsys.readouterr().err == "baton: ttyUSB9 is gone: plug the board in again, and see ./baton boards\n"


def test_a_program_that_is_not_written_is_told_without_a_trace_of_the_lab(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(board: str) -> None:
        raise flashing.FlashError("not flashed, /dev/ttyUSB0: wrong board")

    monkeypatch.setattr(project_commands, "flash", fails)
    assert call(monkeypatch, "flash") == 1
    assert capsys.readouterr().err == "baton: not flashed, /dev/ttyUSB0: wrong board\n"


def test_runs_and_boards_are_listed(
    tree: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "runs") == 0
    assert "nothing is stored yet" in capsys.readouterr().err
    assert call(monkeypatch, "boards") == 0
    listed = capsys.readouterr().out
    assert "promicro" in listed and "./baton setup nano" in listed
    assert max(map(len, listed.splitlines())) <= 80
    assert call(monkeypatch, "boards", "--wide") == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + 3


def test_a_run_of_some_cases_alone_is_listed_as_such_and_never_compared_as_a_whole(
    tree: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = "direct value=3\nscheduler value=4 yields=2"
    with Store(tree.store) as store:
        first = records("auto", "nano", lines, "unit=cycles valid=simulated")
        store.save(run_of("nano", "auto"), first)
        store.save(run_of("nano", "auto", cases="sched*", dirty=True), first[1:])
        store.save(run_of("nano", "channel"), records("channel", "nano", "call value=9", "unit=cycles valid=simulated"))
    assert call(monkeypatch, "runs") == 0
    listed = capsys.readouterr().out
    assert "sched*" in listed and "a part of its suite" in listed and "61eaaf6c0f+" in listed
    assert call(monkeypatch, "compare", "1", "2") == 0
    printed = capsys.readouterr().out
    assert "scheduler yields=2" in printed and "auto: sched*" in printed
    assert "not compared: 1 only in the first (direct, cycles)" in printed
    assert call(monkeypatch, "compare", "1", "3") == 2
    said = capsys.readouterr()
    assert said.out == "" and len(said.err.splitlines()) == 1
    assert "run 1 is the suite auto on nano; run 3 is the suite channel on nano" in said.err


def test_every_command_is_in_the_help(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(monkeypatch, "--help") == 0
    shown = capsys.readouterr().out
    assert [name for name in cli.names() if f" {name} " not in shown] == []
    assert "examples" in cli.names()


def test_a_bug_of_the_lab_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*, wide: bool) -> None:
        raise sqlite3.ProgrammingError("a bug")

    monkeypatch.setattr(commands, "boards", breaks)
    monkeypatch.setattr(sys, "argv", ["baton", "boards"])
    with pytest.raises(sqlite3.ProgrammingError):
        cli.main()


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; import baton_lab.command.cli; heavy = {'pydantic', 'jinja2', 'matplotlib', 'sqlite3', 'numpy'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(ROOT) / "lab"
    )
    assert answer.stdout.strip() == "[]"
