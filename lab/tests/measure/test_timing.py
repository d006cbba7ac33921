# SPDX-License-Identifier: MIT
"""Approximate cycles: the cores' timings, and the programs that run in both emulators."""

import struct
from pathlib import Path

import pytest

from baton_lab.base.process import Outcome
from baton_lab.base.project import ROOT, Project
from baton_lab.base.records import Record, parse_line
from baton_lab.board import board_files, emulator
from baton_lab.board.board_files import Board
from baton_lab.measure import baselines, board_run, suites, timing
from baton_lab.measure.timing import TimingError


def board(name: str) -> Board:
    return board_files.load(ROOT / "boards" / name / "board.toml")


def record(text: str) -> Record:
    found = parse_line(f"baton-bench/1 suite=auto board=rp2040 unit=cycles valid=approximate {text}")
    assert found is not None
    return found


def elf(vectors: int, *words: int) -> bytes:
    """The start of an ELF file with one segment, whose words follow."""
    content = struct.pack(f"<{len(words)}I", *words)
    header = struct.pack("<28xI10xHH", 64, 32, 1).ljust(64, b"\0")
    return header + struct.pack("<8I", 1, 96, vectors, vectors, len(content), len(content), 5, 4) + content


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "bench_auto.elf"
    path.write_bytes(elf(0x20000000, 0x20042000, 0x200001E9))
    return path


def run_in_qemu(monkeypatch: pytest.MonkeyPatch, last: str, problem: str = "") -> list[emulator.Request]:
    """Replaces QEMU's run by its last line of standard error."""
    asked = []

    def execute(project: Project, board: Board, request: emulator.Request) -> emulator.Ending:
        assert request.description is not None
        assert 'timing = "cortex-m0plus"' in request.description.read_text(encoding="utf-8")
        asked.append(request)
        return emulator.Ending("", problem, Outcome((), 0, "", f"a warning\n{last}\n", 0.0))

    monkeypatch.setattr(emulator, "execute", execute)
    return asked


def test_each_board_that_is_timed_names_a_core_of_the_table() -> None:
    boards = {name for suite in suites.known() for name in suite.timed}
    assert {name for name in boards if board(name).emulator} == boards
    cores = {name: emulated.timing for name in boards if (emulated := board(name).emulator)}
    assert cores.pop("rp2040") is None
    assert set(cores.values()) <= set(timing.cores())


def test_the_figures_of_a_core_are_cycles() -> None:
    assert timing.cores()["cortex-m0"].figure("refill") == timing.cores()["cortex-m0plus"].figure("refill") + 1
    assert timing.cores()["cortex-m0"].figure("divide") == 0


def test_only_the_suites_that_are_shown_take_the_time_for_cycles() -> None:
    assert timing.is_timed(board("stm32vl"), "auto")
    assert not timing.is_timed(board("stm32vl"), "channel")
    assert not timing.is_timed(board("nano"), "auto")
    assert not timing.is_timed(board("rp2040"), "auto")


def test_a_program_moves_its_led_and_nothing_else() -> None:
    words = (0xD0000000, 0xD00000FC, 0xD0000100, 0xCFFFFFFC, 0x20000000)
    moved = (0x21000000, 0x210000FC, 0xD0000100, 0xCFFFFFFC, 0x20000000)
    assert timing.without_led(struct.pack("<5I", *words) + b"\xd0") == struct.pack("<5I", *moved) + b"\xd0"


def test_the_first_vectors_are_those_of_the_program() -> None:
    assert timing.first_vectors(elf(0x20000000, 1, 2, 3)) == struct.pack("<2I", 1, 2)
    assert timing.first_vectors(elf(0x1FFFFFFC, 1, 2, 3)) == struct.pack("<2I", 2, 3)
    with pytest.raises(TimingError, match="nothing at 0x20000000"):
        timing.first_vectors(elf(0x20000004, 1, 2, 3))


def test_each_figure_of_a_record_takes_its_interval(monkeypatch: pytest.MonkeyPatch, program: Path) -> None:
    run_in_qemu(monkeypatch, '{"intervals": [[9, 20, 10, 400], [9, 0, 0, 100], [9, 0, 0, 300], [9, 5, 5, 50]]}')
    given = [
        record("case=direct iterations=10 value=39 base=10 floor=30 reads=2 writes=1 yields=2"),
        record("case=plain iterations=10 value=5 reads=0 writes=0"),
    ]
    direct, plain = timing.held(Project(ROOT), board("rp2040"), "auto", program, given)
    assert (direct.value, direct.base, direct.floor) == (40, 10, 30)
    assert direct.params == {"reads": "2.000", "writes": "1.000", "yields": "2", "timing": "cortex-m0plus"}
    assert (plain.value, plain.base, plain.params["reads"]) == (5, None, "0.500")
    assert direct.is_timed and direct.identity != given[0].identity
    assert baselines.figures([*given, direct, plain]) == baselines.figures(given)


UNEQUAL = (
    ('{"intervals": []}', "fewer intervals"),
    ('{"state": "finished"}', "fewer intervals"),
    ('{"intervals": [[1, 0, 0, 1], [1, 0, 0, 1]]}', "more intervals"),
)


@pytest.mark.parametrize(("last", "why"), UNEQUAL)
def test_other_intervals_are_no_comparison(monkeypatch: pytest.MonkeyPatch, program: Path, last: str, why: str) -> None:
    run_in_qemu(monkeypatch, last)
    with pytest.raises(TimingError, match=why):
        timing.held(Project(ROOT), board("rp2040"), "auto", program, [record("case=plain iterations=1 value=5")])


def test_a_crash_in_the_other_emulator_is_told(monkeypatch: pytest.MonkeyPatch, program: Path) -> None:
    run_in_qemu(monkeypatch, "{}", "it crashed")
    with pytest.raises(TimingError, match="in QEMU it crashed"):
        timing.held(Project(ROOT), board("rp2040"), "auto", program, [record("case=plain iterations=1 value=5")])


def test_a_board_that_is_not_compared_runs_once(monkeypatch: pytest.MonkeyPatch, program: Path) -> None:
    asked = run_in_qemu(monkeypatch, "{}")
    for name, suite in (("microbit", "auto"), ("rp2040", "idle"), ("nano", "auto"), ("host", "auto")):
        assert timing.held(Project(ROOT), board(name), suite, program, []) == []
    assert asked == []


@pytest.mark.parametrize(("suite", "is_timed"), [("auto", True), ("channel", False)])
def test_the_emulator_is_asked_for_the_cycles_of_a_timed_suite_alone(
    monkeypatch: pytest.MonkeyPatch, program: Path, suite: str, is_timed: bool
) -> None:
    asked = []

    def execute(project: Project, board: Board, request: emulator.Request) -> emulator.Ending:
        asked.append("--timing" in emulator.command(project, board, request))
        line = f"baton-bench/1 suite={suite} case=a board=stm32vl unit=instructions value=1 iterations=1"
        return emulator.Ending(f"{line} valid=instructions\n", "", Outcome((), 0, "", "", 0.0))

    monkeypatch.setattr(emulator, "execute", execute)
    board_run.run_suite(Project(ROOT), board("stm32vl"), suite, program)
    assert asked == [is_timed]


def test_of_two_programs_only_the_first_runs_in_both_emulators(monkeypatch: pytest.MonkeyPatch, program: Path) -> None:
    other = program.with_name("bench_auto_unoptimized.elf")
    monkeypatch.setattr(board_run, "program", lambda project, board, suite: program)
    monkeypatch.setattr(board_run, "programs", lambda project, board, suite: [program, other])
    monkeypatch.setattr(board_run, "run_suite", lambda *_: [record("case=plain iterations=1 value=5")])
    run_in_qemu(monkeypatch, '{"intervals": [[3, 0, 0, 6]]}')
    found = board_run.measure(Project(ROOT), board("rp2040"), "auto")
    assert [(each.value, each.is_timed) for each in found] == [(5, False), (6, True), (5, False)]
