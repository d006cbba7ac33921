# SPDX-License-Identifier: MIT
"""Every suite of every board runs twice at once in one tree: the second waits, nothing breaks."""

from __future__ import annotations

import functools
import multiprocessing
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from multiprocessing.synchronize import Barrier
from pathlib import Path

import elf_files
import pytest
from conftest import FINISHED, LINE, script

from baton_lab.arduino import core_build, library_package
from baton_lab.base.project import Project
from baton_lab.base.store import Store
from baton_lab.board import emulator
from baton_lab.builds import presets
from baton_lab.command import bench_command
from baton_lab.measure import board_run, sketches

TIMES, LIMIT_S = 2, 60
TRIES = 10  # without a lock the two may still miss each other
SUITES = ["auto", "channel", "memory"]
BOARDS = ["host", "nano", "promicro"]
SOURCES = 4

ALONE = "mkdir {busy} || {{ echo 'somebody else is here'; exit 1; }}; sleep 0.1; rmdir {busy};"
CMAKE = """case "$*" in
  *help) printf 'bench_auto: phony\\nbench_channel: phony\\nmemory_empty: phony\\n'; exit 0;;
  *build/emulators*) name=emulators;;
  *) for word; do [ "$last" != --preset ] || name=$word; last=$word; done;;
esac
folder={root}/build/$name; mkdir -p $folder; """
CMAKE += ALONE.format(busy="$folder/busy") + " touch $folder/build.ninja"
LINKS_A_WHOLE_ARCHIVE = """[ $(wc -l < "$1") = {sources} ] || { echo "$1 holds:"; cat "$1"; exit 1; }; cp {elf} "$2" """
PLATFORM = """compiler.warning_flags.none=-w
compiler.warning_flags.all=-Wall
recipe.cpp.o.pattern=cp "{source_file}" "{object_file}"
recipe.ar.pattern=TOOLS/add "{object_file}" "{archive_file_path}"
recipe.c.combine.pattern=TOOLS/link "{build.path}/{archive_file}" "{build.path}/{build.project_name}.elf"
"""


@pytest.fixture
def tree(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Makes boards and an Arduino core of scripts, which notice foreign writes into their
    folder.
    """
    root = project.root
    script(root / "bin" / "cmake", CMAKE.replace("{root}", str(root)))
    monkeypatch.setenv("PATH", f"{root}/bin", prepend=":")
    (root / "CMakePresets.json").write_text("{}")
    (root / "bench" / "suites" / "memory").mkdir()
    for board in BOARDS:
        elf_files.write(project.preset(board) / "bench" / "memory" / "empty.elf", elf_files.program(100, 9))
        elf_files.write(project.preset(board) / "bench" / "memory" / "channel.elf", elf_files.program(200, 9))
    for suite in SUITES[:-1]:
        line = LINE.format(board="host", unit="ns", valid="measured").replace("suite=auto", f"suite={suite}")
        script(project.preset("host") / "bench" / f"bench_{suite}", f"echo '{line}'")
    cycles = LINE.format(board="$board", unit="cycles", valid="simulated").replace("suite=auto", "suite=$suite")
    names = 'for p; do :; done; suite=$(basename $p .elf); suite=${suite#bench_}; board=$(basename $(dirname "$2"))'
    script(emulator.runner(project), f"{names}\necho \"{cycles}\"\necho '{FINISHED}' >&2")
    _arduino_core(root, monkeypatch)
    monkeypatch.setattr(board_run, "count_instructions", lambda *words: [])
    monkeypatch.setattr(bench_command, "_write", lambda *words: True)  # the report, which takes seconds
    return project


def _arduino_core(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    core, tools = root / "core-of-arduino", root / "bin"
    elf = elf_files.write(root / "sketch", elf_files.program(300, 20))
    script(tools / "add", 'echo "$1" >> "$2"; sleep 0.02')
    link = LINKS_A_WHOLE_ARCHIVE.replace("{sources}", str(SOURCES)).replace("{elf}", str(elf))
    script(tools / "link", link)
    for folder in ("cores/arduino", "variants/standard"):
        (core / folder).mkdir(parents=True)
    for number in range(SOURCES):
        (core / "cores" / "arduino" / f"source_{number}.cpp").write_text("")
    (core / "platform.txt").write_text(PLATFORM.replace("TOOLS", str(tools)))
    lines = "name={0}\n{0}.build.core=arduino\n{0}.build.variant=standard\n"
    boards = "".join(f"{name}.{lines.format(name)}" for name in ("nano", "leonardo"))
    (core / "boards.txt").write_text(f"{boards}nano.menu.cpu.atmega328.build.mcu=atmega328p\n")
    memory = root / "compat" / "aceroutine" / "memory"
    memory.mkdir(parents=True)
    for name in ("baseline", "blink"):
        (memory / f"{name}.ino").write_text("void setup() {}\nvoid loop() {}\n")
    monkeypatch.setattr(sketches, "Workshop", functools.partial(core_build.Workshop, core=core))
    monkeypatch.setattr(library_package, "_project", lambda root: ("0", ""))
    for files in ("files", "compat_files"):
        text = {"library.properties": "name", "src/a.cpp": "", "src/b.cpp": ""}
        monkeypatch.setattr(library_package, files, lambda root, text=text: text)


def _bench(project: Project, start: Barrier) -> None:
    plan = bench_command.plan(project, bench_command.Wanted(BOARDS, ()), keep=True, format="records")
    start.wait(LIMIT_S)
    sys.exit(bench_command.carry_out(project, plan))


def twice_at_once(project: Project) -> Iterator[int | None]:
    """Runs the command twice at once; yields the exit codes."""
    context = multiprocessing.get_context("fork")
    start = context.Barrier(TIMES)
    processes = [context.Process(target=_bench, args=(project, start)) for _ in range(TIMES)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(LIMIT_S)
        yield process.exitcode


def test_every_suite_of_every_board_runs_twice_at_once(tree: Project, capfd: pytest.CaptureFixture[str]) -> None:
    codes = list(twice_at_once(tree))
    assert codes == [0] * TIMES, capfd.readouterr().err
    with Store(tree.store) as store:
        assert len(store.runs()) == TIMES * len(BOARDS) * len(SUITES)
    assert "waiting for it" in capfd.readouterr().err


@pytest.mark.parametrize(("free", "said"), [("build", "somebody else is here"), ("sketches", "core.a holds:")])
def test_without_a_lock_it_breaks(
    tree: Project, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], free: str, said: str
) -> None:
    of = {"build": (presets, "alone"), "sketches": (sketches, "alone")}
    monkeypatch.setattr(*of[free], lambda *words: nullcontext())
    assert any(any(list(twice_at_once(tree))) for _ in range(TRIES))
    assert said in capfd.readouterr().err
