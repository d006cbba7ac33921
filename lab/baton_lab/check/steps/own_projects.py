# SPDX-License-Identifier: MIT
"""The step that makes projects of one's own outside the tree, a project for each board and a service, and
runs the commands in them.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
import urllib.request
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from baton_lab.base.process import forget, printable, run, start, stop
from baton_lab.base.project import Project
from baton_lab.board.board_files import Board
from baton_lab.check.steps.step import Result, Step

NAME = "projects of one's own"
LIMIT_S = 900.0
SERVES_S = 60.0
_ADDRESS = re.compile(r"http://localhost:(\d+)/ ")


class CommandError(RuntimeError):
    """A command of a project did not do what it should; the message has its output."""


@dataclass(frozen=True)
class Try:
    """A command of a project: its words, its exit code, and a part of what it says."""

    words: tuple[str, ...]
    says: str = ""
    code: int = 0


def step(boards: Sequence[Board], desks: Sequence[Board]) -> Step:
    """Counts each project as one; the commands of a project run one after the other.

    Boards that only a desk has are built if these boards bring the compilers.
    """
    there = {package for board in boards for package in board.setup.packages}
    built = [board for board in desks if there.issuperset(board.setup.packages)]

    def action(project: Project) -> Result:
        with tempfile.TemporaryDirectory(prefix="baton-projects-") as folder:
            tasks = [*(_device(board) for board in (*boards, *built)), _service]
            with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
                return sum(pool.map(lambda task: _one(project, Path(folder), task), tasks), Result())

    return Step(NAME, action, needs=tuple(f"build {board.preset}" for board in boards), wide=True)


Task = Callable[[Project, Path], None]


def _one(project: Project, folder: Path, task: Task) -> Result:
    try:
        task(project, folder)
    except CommandError as error:
        return Result(failed=1, output=str(error), repeat="./baton new ../mine && cd ../mine && ./baton build")
    return Result(passed=1)


def _device(board: Board) -> Task:
    def task(project: Project, folder: Path) -> None:
        name = f"on-{board.name}"
        attempt(project.root, folder, Try(("new", str(folder / name), "--board", board.name), "./baton run"))
        for each in tries(board):
            attempt(folder / name, folder, each)

    return task


def tries(board: Board) -> list[Try]:
    """Returns the commands in a project of a board, and what each has to say."""
    build = [Try(("build",), f"built on-{board.name} for "), Try(("boards",), f"{board.name}  {board.title}")]
    flash = Try(("flash",), f"no {board.name} is plugged in" if board.flash else "is not flashed from here", 2)
    if board.not_emulated:
        return [*build, Try(("size",), "baton core"), flash, Try(("run",), "./baton flash", 2)]
    tests = Try(("test",), f"{board.name}: 1 passed, 0 failed")
    bench = Try(("bench", "--format", "records"), f"suite=pattern case=next board={board.name}")
    if board.emulator is None:
        limit = Try(("run", "--limit", "1"), "flash 2")
        return [*build, tests, Try(("size",), "your program"), bench, Try(("gate",), "no such board", 2), limit, flash]
    gates = [Try(("gate", "--bless"), "1 files changed"), Try(("gate",), "1 figures compared with the baselines")]
    shown = Try(("run", "--fast", "--lines", "2"), "flash 2")
    return [*build, tests, Try(("size",), "baton core"), bench, *gates, shown, flash]


def attempt(project: Path, folder: Path, wanted: Try) -> None:
    """Runs a command of ./baton.

    Errors   CommandError
    """
    outcome = run([str(project / "baton"), *wanted.words], cwd=folder, limit_s=LIMIT_S)
    if (outcome.code, outcome.timed_out) != (wanted.code, False) or wanted.says not in outcome.output:
        expected = f"it was to say {wanted.says!r} and to end with {wanted.code}"
        raise CommandError(f"{printable(outcome.command)} {outcome.how}; {expected}\n{outcome.tail()}")


def _service(project: Project, folder: Path) -> None:
    mine = folder / "a-service"
    attempt(project.root, folder, Try(("new", str(mine), "--service"), "./baton run"))
    for each in (
        Try(("build",), "built a-service for host"),
        Try(("test",), "host: 2 passed, 0 failed"),
        Try(("size",), "baton service"),
        Try(("bench", "--format", "records"), "suite=greeting case=whole board=host unit=ns"),
        Try(("gate",), "no such board", 2),
        Try(("boards",), "host  This machine"),
    ):
        attempt(mine, folder, each)
    serves(mine)


def serves(mine: Path) -> None:
    """Runs the service, reads its pages, and ends it in order by SIGTERM.

    Errors   CommandError
    """
    command = [str(mine / "baton"), "run", "--limit", str(int(SERVES_S)), "--", "0"]
    process = start(command, cwd=mine, streams=(subprocess.DEVNULL, subprocess.PIPE, subprocess.STDOUT))
    try:
        assert process.stdout is not None
        said = process.stdout.readline().decode()
        while said and not _ADDRESS.search(said):
            said = process.stdout.readline().decode()
        found = _ADDRESS.search(said)
        pages = (
            {path: _read(f"http://localhost:{found[1]}{path}") for path in ("/", "/health", "/introspection")}
            if found
            else {}
        )
        process.send_signal(signal.SIGTERM)
        rest = process.stdout.read().decode()
        code = process.wait(SERVES_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CommandError(f"{printable(command)}: {error}") from error
    finally:
        stop(process)
        forget(process)
    wanted = {"/": "Good morning", "/health": "ok", "/introspection": "visits"}
    wrong = [f"{path}: {text[:200]!r}" for path, text in pages.items() if wanted[path] not in text]
    if not pages or wrong or code or "all services have ended" not in rest:
        raise CommandError(f"{printable(command)} ended with {code}; {'; '.join(wrong)}\n{said}{rest}")


def _read(address: str) -> str:
    with urllib.request.urlopen(address, timeout=SERVES_S) as page:
        text: str = page.read().decode()
    return text
