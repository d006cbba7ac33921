# SPDX-License-Identifier: MIT
"""The suite compat: AceRoutine's programs as sketches, their output and their flags."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import FINISHED, script

from baton_lab.arduino import core_build
from baton_lab.base.project import ROOT, Project, source_hash
from baton_lab.base.records import format_line, parse_line
from baton_lab.base.ui import Screen
from baton_lab.board import emulator
from baton_lab.board.board_files import Board, load
from baton_lab.measure import board_run, real_board, sketch_times, sketches, suites
from baton_lab.measure.sketch_times import SIZES, SUITE, TIMES, SketchRunError, read, slower

NANO = load(ROOT / "boards" / "nano" / "board.toml")
SIZED = ["SIZEOF", *(f"sizeof({name}): {number}" for number, name in enumerate(SIZES, 1)), "BENCHMARKS"]
CHANNEL = ["BENCHMARKS", "Baseline 12.700 10000 0 0", "Channels 24.424 10000 5000 5000", "END"]


def auto(micros: float) -> list[str]:
    """Returns the output of AutoBenchmark whose rows take `micros` more than the empty loop, each."""
    rows = [f"{name} {1.635 + micros * (number > 0):.3f} 200000" for number, name in enumerate(TIMES["AutoBenchmark"])]
    return [*SIZED, *rows, "END"]


def test_a_row_is_cycles_of_the_board_above_the_first_row() -> None:
    [base, channels] = read(NANO, "ChannelBenchmark", CHANNEL)
    assert (base.case, base.value, base.net, base.iterations) == ("Baseline", 203.2, 0, 10000)
    assert (channels.value, channels.base, channels.unit, channels.valid) == (390.784, 203.2, "cycles", "simulated")
    sizes = [record for record in read(NANO, "AutoBenchmark", auto(1)) if record.unit == "bytes"]
    assert [(record.case, record.value) for record in sizes][:2] == [
        ("sizeof(Coroutine)", 1), ("sizeof(CoroutineScheduler)", 2),
    ]  # fmt: skip


def test_every_row_is_a_record_line() -> None:
    for record in [*read(NANO, "AutoBenchmark", auto(1)), *read(NANO, "ChannelBenchmark", CHANNEL)]:
        assert parse_line(format_line(record)) == record


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (CHANNEL[:2], "rows Baseline instead of Baseline Channels"),
        ([], "rows  instead of Baseline Channels"),
        ([*CHANNEL[:2], "wrong number: Channels 1.000 1 1 1"], "garbage instead of a row: 'wrong number"),
        ([CHANNEL[2], CHANNEL[1]], "rows Channels Baseline instead of"),
        (["sizeof(Coroutine): 16", *CHANNEL], r"rows Coroutine Baseline Channels instead of"),
    ],
)
def test_another_output_is_no_result(lines: list[str], said: str) -> None:
    with pytest.raises(SketchRunError, match=said):
        read(NANO, "ChannelBenchmark", lines)


def test_every_row_is_published_under_its_name() -> None:
    assert set(suites.of(SUITE).published) == {name for names in TIMES.values() for name in names}


def test_a_row_slower_than_aceroutines_own_is_named() -> None:
    assert slower(NANO, read(NANO, "AutoBenchmark", auto(1.0))) == []
    lines = slower(NANO, read(NANO, "AutoBenchmark", auto(5.2)))
    assert [line.split()[1] for line in lines] == [
        "DirectScheduling", "DirectSchedulingWithProfiler", "CoroutineScheduling",
    ]  # fmt: skip
    assert lines[0] == "nano: DirectScheduling takes 6.835 us, 5.200 more than its base; AceRoutine 2.861, 1.226 more"
    assert slower(load(ROOT / "boards" / "promicro" / "board.toml"), read(NANO, "AutoBenchmark", auto(5.2))) == []


def test_a_row_that_adds_more_to_a_faster_base_is_named() -> None:
    assert slower(NANO, read(NANO, "ChannelBenchmark", ["Baseline 12.700 1 0 0", "Channels 24.000 1 5 5"])) == []
    [line] = slower(NANO, read(NANO, "ChannelBenchmark", CHANNEL))
    assert line == "nano: Channels takes 24.424 us, 11.724 more than its base; AceRoutine 27.700, 11.400 more"


@pytest.fixture
def tree(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A tree with the programs, whose build is replaced, and whose runner prints their rows."""
    sketch_times.folder(project.root).mkdir(parents=True)
    programs = {name: project.root / f"{name}.elf" for name in TIMES}
    monkeypatch.setattr(sketches, "build", lambda *words: programs)
    monkeypatch.setattr(board_run, "configure", lambda *words: ["bench_auto"])
    monkeypatch.setattr(emulator, "build", lambda *words: None)
    texts = {"AutoBenchmark": auto(1), "ChannelBenchmark": CHANNEL}
    cases = "".join(f"*{name}*) printf '%s\\r\\n' {' '.join(map(repr, text))};; " for name, text in texts.items())
    script(emulator.runner(project), f"for program; do :; done\ncase $program in {cases}esac\necho '{FINISHED}' >&2")
    return project


def test_the_suite_is_of_boards_that_the_arduino_core_has(
    tree: Project, board: Callable[[str], Board], monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[list[str]] = []
    monkeypatch.setattr(board_run, "build", lambda project, preset, names: built.append(names))
    assert SUITE in board_run.suites(tree.root) and SUITE in real_board.NOT_FLASHED
    nano = board("nano").model_copy(update={"mhz": 16.0, "figures": NANO.figures})
    with Screen() as screen:
        result = board_run.bench_board(tree, nano, [SUITE], None, screen)
        assert not result.failures and not built
        assert len(result.runs[SUITE][1]) == len(SIZES) + sum(map(len, TIMES.values()))
        other = board_run.bench_board(tree, board("host"), [SUITE], None, screen)
    assert "no program for compat" in str(other.failures[0])


def test_the_record_has_the_flags_of_the_core_and_none_of_ours(
    tree: Project, board: Callable[[str], Board], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    core = tmp_path / "core"
    core.mkdir()
    platform = 'recipe.cpp.o.pattern=g++ -c {flags} {includes} "{source_file}" -o "{object_file}"\n'
    platform += 'recipe.c.combine.pattern=g++ {flags} -Wl,--gc-sections -o "{build.path}/x.elf" -lm\n'
    (core / "boards.txt").write_text("nano.name=Nano\nnano.build.mcu=m\nnano.menu.cpu.atmega328.x=y\n")
    monkeypatch.setattr(core_build, "words", functools.partial(core_build.words, core=core))
    for flags, expected in (("-Os -flto", "-Os -flto -Wl,--gc-sections"), ("-Os", "-Os -Wl,--gc-sections")):
        (core / "platform.txt").write_text(f"flags={flags}\n{platform}")
        assert board_run.describe(tree, board("nano"), SUITE).flags == expected
    assert board_run.describe(tree, board("host"), SUITE).flags == ""


def test_the_source_of_the_suite_is_its_programs(tree: Project) -> None:
    program = sketch_times.folder(tree.root) / "AutoBenchmark" / "AutoBenchmark.ino"
    program.parent.mkdir()
    hashes = set()
    for text in ("one", "two"):
        program.write_text(text)
        hashes.add((source_hash(tree.root, SUITE), source_hash(tree.root, "auto")))
    assert len({of_suite for of_suite, _ in hashes}) == 2 and len({of_auto for _, of_auto in hashes}) == 1
