# SPDX-License-Identifier: MIT
"""Builds and runs small programs and reads the results, for the tests of each emulator."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

RUNNER = Path(__file__).resolve().parents[1] / "run"
SECONDS = 60


class Outcome:
    def __init__(self, done: subprocess.CompletedProcess[bytes]) -> None:
        self.code = done.returncode
        self.text = done.stdout
        self.errors = done.stderr.decode()
        last = self.errors.strip().splitlines()[-1:]
        self.facts = json.loads(last[0]) if last and last[0].startswith("{") else {}

    def word(self, key: str) -> str:
        """Returns the value of `key=` in the output."""
        words = dict(word.partition("=")[::2] for word in self.text.decode().split())
        return words[key]


class RunnerTest(unittest.TestCase):
    """A test with a folder, and a board.toml in it.

    `here` is the folder of the files that programs are built with, `flags` are the compiler's, and
    `usual` are options of every run.
    """

    plugin: Path | None = None
    compiler = ""
    description = ""
    here = Path()
    flags: tuple[str, ...] = ()
    usual: tuple[str, ...] = ()
    main = "int main(void) {\n%s\nreturn 0;\n}\n"

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.board = self.folder / "board.toml"
        self.board.write_text(self.description)

    def compile(self, body: str, before: str = "", *options: str) -> Path:
        source, program = self.folder / "program.c", self.folder / "program.elf"
        source.write_text(f'#include "program.h"\n{before}\n{self.main % body}')
        command = [
            self.compiler,
            *self.flags,
            "-Os",
            "-Wall",
            *options,
            f"-I{self.here}",
            str(source),
            "-lgcc",
            "-o",
            str(program),
        ]
        subprocess.run(command, check=True, timeout=60)
        return program

    def command(self, *arguments: str) -> list[str]:
        plugin = ["--plugin", str(self.plugin)] if self.plugin else []
        return [str(RUNNER), "--board", str(self.board), *plugin, *arguments]

    def start(self, *arguments: str) -> Outcome:
        return run(self.command(*arguments))

    def run_c(self, body: str, *arguments: str, before: str = "") -> Outcome:
        return self.start(*self.usual, *arguments, str(self.compile(body, before)))

    def check_end(self, got: Outcome, state: str, code: int) -> None:
        self.assertEqual((got.facts.get("state"), got.facts.get("exit"), got.code), (state, code, code), got.errors)

    def check_refused(self, why: str, *arguments: str, environment: dict[str, str] | None = None) -> None:
        got = run(self.command(*arguments), environment)
        self.assertEqual((got.code, got.text), (2, b""), got.errors)
        self.assertRegex(got.errors, why)

    def other_board(self, text: str) -> str:
        path = self.folder / f"other{len(text)}.toml"
        path.write_text(text)
        return str(path)


def run(command: list[str], environment: dict[str, str] | None = None) -> Outcome:
    return Outcome(subprocess.run(command, capture_output=True, timeout=SECONDS, check=False, env=environment))


def children(parent: int) -> list[int]:
    """Returns the processes that a process has started."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError, IndexError):
            state = (entry / "stat").read_text().rpartition(")")[2].split()
            if int(state[1]) == parent:
                found.append(int(entry.name))
    return found


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def ends_soon(pid: int, within_s: float = 10) -> bool:
    until = time.monotonic() + within_s
    while is_running(pid) and time.monotonic() < until:
        time.sleep(0.02)
    return not is_running(pid)


def without_programs() -> dict[str, str]:
    """Returns an environment in which only Python is found."""
    folder = tempfile.mkdtemp()
    (Path(folder) / "python3").symlink_to("/usr/bin/python3")
    return {**os.environ, "PATH": folder}


def main() -> None:
    """Runs the tests of a script: its words are the compiler, and the emulator's built part."""
    RunnerTest.compiler = sys.argv[1]
    RunnerTest.plugin = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    unittest.main(argv=sys.argv[:1], verbosity=2)
