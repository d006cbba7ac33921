# SPDX-License-Identifier: MIT
"""./baton bench runs real boards, from the flashing to the store; they are simulators behind ptys.

This needs the runner of the host's build and avr-g++; ./baton test runs it (step "real boards").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from fake_desk import CH340, CP2102, FTDI, FakeDesk, argument_after

from baton_lab.base.process import run
from baton_lab.base.project import ROOT, Project
from baton_lab.base.records import Record
from baton_lab.base.store import Store
from baton_lab.base.ui import Screen
from baton_lab.board import board_files, emulator, flashing, program_size
from baton_lab.board.board_files import Board, load
from baton_lab.board.transcript import Limits
from baton_lab.builds import presets
from baton_lab.builds.presets import build
from baton_lab.command import bench_command
from baton_lab.command.bench_command import Plan
from baton_lab.measure import board_run, imported, real_board
from baton_lab.measure.board_run import BoardResult

TOLERANCE = 0.03
"""Tolerance of a figure: the programs differ by their meter, and profilers by the clock's phase."""


@dataclass(frozen=True)
class Elsewhere(Project):
    """This tree, with its runs stored in another place."""

    aside: Path = Path()

    @property
    def store(self) -> Path:
        return self.aside / "runs.sqlite"

    @property
    def report(self) -> Path:
        return self.aside / "report"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Elsewhere(ROOT, tmp_path)


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeDesk]:
    desk = FakeDesk(tmp_path)
    monkeypatch.setenv("PATH", desk.path)
    yield desk
    desk.close()


def board(name: str) -> Board:
    return load(ROOT / "boards" / name / "board.toml")


def runner(project: Project, name: str, *more: str, pty: bool = True) -> list[str | Path]:
    words = ["--board", str(project.root / "boards" / name / "board.toml"), "--limit-ms", "120000"]
    return [emulator.runner(project), *(["--pty"] if pty else []), *words, *more]


def benched(
    project: Project, fake: FakeDesk, wanted: str, suites: list[str], store: Store | None = None
) -> BoardResult:
    desk = replace(real_board.find(ROOT, wanted, fake.attached), limits=Limits(total_s=60, silence_s=10))
    with Screen() as screen:
        return real_board.bench_real(project, desk, suites, store, screen)


def simulated(project: Project, name: str, suite: str) -> list[Record]:
    """The records that a board's own emulator gives. Another one's, by a table of timings, have no counterpart."""
    with Screen() as screen:
        records = board_run.bench_board(project, board(name), [suite], None, screen).runs[suite][1]
    return [record for record in records if not record.is_timed]


def test_a_nano_is_flashed_and_read_and_its_figures_are_the_simulators(project: Project, fake: FakeDesk) -> None:
    fake.plug("ttyUSB0", CP2102, "0001", location="1-2")
    nano = fake.plug("ttyUSB1", FTDI, "A5069RR4", "FT232R USB UART", "1-1")
    fake.then(fake.runs(*runner(project, "nano"), "{file}"))
    with Store(project.store) as store:
        result = benched(project, fake, "nano@A5069RR4", ["auto", "channel", "sizes", "memory"], store)
        assert [str(failure) for failure in result.failures] == []
        stored = {suite: store.run(run.id or 0)[1] for suite, (run, _) in result.runs.items()}
    assert list(stored) == ["auto", "channel", "sizes"]
    for suite in ("auto", "channel"):
        check_against(stored[suite], simulated(project, "nano", suite))
    assert {record.unit for record in stored["sizes"]} == {"bytes"}
    saved = imported.read(ROOT / "build/lab/real/nano@A5069RR4-auto.log")  # what a terminal would have saved
    assert saved.runs == [(("nano", "auto"), stored["auto"])] and not saved.problems
    run = result.runs["auto"][0]
    assert (
        run.board == "nano@A5069RR4" and run.machine["serial number"] == "A5069RR4" and "-mmcu=atmega328p" in run.flags
    )
    call = fake.calls[0]
    assert argument_after(call, "-P") == nano.port and argument_after(call, "-p") == "m328p"
    assert argument_after(call, "-U") == f"flash:w:{ROOT}/build/nano-real/bench/bench_auto.elf:e"
    assert len(fake.calls) == 3


FIGURES = ("value", "base", "floor")


def check_against(ours: list[Record], expected: list[Record], figures: tuple[str, ...] = FIGURES) -> None:
    assert [record.identity for record in ours] == [record.identity for record in expected]
    assert {record.valid for record in ours} == {"measured"} and {record.unit for record in ours} == {"cycles"}
    for mine, other in zip(ours, expected, strict=True):
        for figure in figures:
            own, count = getattr(mine, figure), getattr(other, figure)
            assert (own is None) == (count is None)
            assert own is None or own == pytest.approx(count, rel=TOLERANCE), (mine, other)


def test_the_command_on_a_nano_prints_the_records_and_stores_them_beside_the_simulators(
    project: Project, fake: FakeDesk, capsys: pytest.CaptureFixture[str]
) -> None:
    fake.plug("ttyUSB0", FTDI, "A5069RR4")
    fake.then(fake.runs(*runner(project, "nano"), "{file}"))
    desk = real_board.find(ROOT, "nano@", fake.attached)
    asked = Plan((board("nano"),), ("select",), keep=True, format="records", is_default=False, desks=(desk,))
    assert bench_command.carry_out(project, asked) == 0
    printed = capsys.readouterr().out.splitlines()
    assert [re.findall(r"valid=(\w+)", line)[0] for line in printed] == ["simulated"] * 3 + ["measured"] * 3
    with Store(project.store) as store:
        assert [run.board for run in store.runs()] == ["nano@A5069RR4", "nano"]
    assert "nano@A5069RR4" in (project.report / "index.html").read_text()


def test_of_two_nanos_the_named_one_is_flashed(project: Project, fake: FakeDesk) -> None:
    fake.plug("ttyUSB0", CH340, product="USB Serial", location="1-1.1")
    second = fake.plug("ttyUSB1", CH340, product="USB Serial", location="1-1.2")
    fake.then(fake.runs(*runner(project, "nano"), "{file}"))
    result = benched(project, fake, "nano@1-1.2", ["select"])
    assert not result.failures and [argument_after(call, "-P") for call in fake.calls] == [second.port]


def test_a_nano_that_is_unplugged_in_the_middle_says_what_it_sent_and_stores_nothing(
    project: Project, fake: FakeDesk
) -> None:
    fake.plug("ttyUSB0", FTDI, "A5069RR4")
    fake.then(fake.runs(*runner(project, "nano", "--lines", "4"), "{file}"))
    with Store(project.store) as store:
        result = benched(project, fake, "nano@A5069RR4", ["select"], store)
        assert store.runs() == []
    said = str(result.failures[0])
    assert said.startswith("nano@A5069RR4 select: it was unplugged")
    assert said.count("baton-bench/1 suite=select case=") == 2  # after an empty line and `# begin`
    assert (ROOT / "build/lab/real/nano@A5069RR4-select.log").read_bytes().count(b"baton-bench/1") == 2


def test_a_program_on_a_nano_that_does_not_count_by_itself_is_not_taken_for_measured(
    project: Project, fake: FakeDesk
) -> None:
    fake.plug("ttyUSB0", FTDI, "A5069RR4")
    fake.then(fake.runs(*runner(project, "nano"), project.preset("nano") / "bench" / "bench_select.elf"))
    desk = real_board.find(ROOT, "nano@", fake.attached)
    with Screen() as screen:
        result = real_board.bench_real(project, replace(desk, limits=Limits(10, 1)), ["select"], None, screen)
    assert "but no line '# begin'" in str(result.failures[0])


def test_a_program_on_a_nano_that_counts_wrong_is_a_failure(project: Project, fake: FakeDesk) -> None:
    fake.plug("ttyUSB0", FTDI, "A5069RR4")
    build(project, "nano-real", ["bench_counts_wrong"])
    fake.then(fake.runs(*runner(project, "nano"), project.preset("nano-real") / "tests" / "bench_counts_wrong.elf"))
    (failure,) = benched(project, fake, "nano@A5069RR4", ["select"]).failures
    assert failure.problem.startswith("it ended with 1") and "# a workload counted wrong" in failure.problem


def test_a_promicro_is_touched_flashed_through_its_boot_loader_and_read_through_an_adapter(
    project: Project, fake: FakeDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    sketch = fake.plug("ttyACM0", "1b4f:9206", "HIDPC", "SparkFun Pro Micro", "1-3")
    fake.plug("ttyUSB0", FTDI, "A5069RR4", location="1-4")
    fake.then(fake.runs_behind_adapter(*runner(project, "promicro", pty=False), "{file}"))

    def touch(port: str) -> None:
        assert port == sketch.port
        fake.unplug(sketch)
        fake.plug("ttyACM1", "1b4f:9205", "", "", "1-3")

    monkeypatch.setattr("baton_lab.board.serial_port.touch", touch)
    result = benched(project, fake, "promicro@HIDPC/A5069RR4", ["select"])
    assert [str(failure) for failure in result.failures] == []
    check_against(result.runs["select"][1], simulated(project, "promicro", "select"))
    assert argument_after(fake.calls[0], "-P").endswith("ttyACM1") and argument_after(fake.calls[0], "-c") == "avr109"


FLASHED = ("nano", "promicro", "microbit", "rp2040", "bluepill", "teensy32", "nodemcu", "esp32")


@pytest.mark.parametrize("name", FLASHED)
def test_the_programs_of_a_board_on_a_desk_are_built_fit_its_chip_and_make_its_image(
    project: Project, name: str
) -> None:
    described = board(name)
    assert described.flash is not None
    build(project, described.flash.preset, ["bench_select"])
    program = board_run.program(project, described.model_copy(update={"preset": described.flash.preset}), "select")
    assert program_size.too_large(project, described, program) == ""
    image = flashing.image(program, described.flash.image)
    assert image.stat().st_size > program_size.sizes([program])[program]["flash"] * 3 // 4


def test_the_start_up_of_an_esp32_runs_on_a_core_with_its_vectors(project: Project, tmp_path: Path) -> None:
    """QEMU has no ESP32, but another core with register windows, whose vectors lie as the LX6's do. It runs the
    test of the ESP8266's port with the ESP32's start-up, and the ESP8266's own core does not.
    """
    flags = "-DCMAKE_ASM_FLAGS=-DBATON_LX6 -mlongcalls -mtext-section-literals"
    folders = "-DBATON_PROGRAM_FOLDERS=tests/support;tests/ports"
    for command in (
        ["cmake", "--preset", "esp8266", "-B", str(tmp_path), flags, folders],
        ["cmake", "--build", str(tmp_path), "--target", "port_contract"],
    ):
        built = run(command, cwd=ROOT, limit_s=300, environment=presets.environment(project, "esp8266"))
        assert built.ok, built.tail()
    emulator = ["qemu-system-xtensa", "-M", "sim", "-semihosting", "-display", "none", "-monitor", "none"]
    program = ["-icount", "shift=4", "-kernel", str(next(tmp_path.rglob("port_contract.elf")))]
    assert "verdict: good" in run([*emulator, "-cpu", "de212", *program], cwd=tmp_path, limit_s=60).output
    assert not run([*emulator, "-cpu", "lx106", *program], cwd=tmp_path, limit_s=3).ok


def test_each_board_that_can_be_flashed_like_a_nano_is_built() -> None:
    boards = board_files.select(ROOT, board_files.names(ROOT)) + board_files.on_desks(ROOT)
    assert sorted(FLASHED) == sorted(each.name for each in boards if each.flash)


def test_a_pico_rp2040_runs_the_program_that_its_uf2_file_holds(project: Project, fake: FakeDesk) -> None:
    fake.tool("cp")
    (fake.folder / "dev" / "RPI-RP2").mkdir()
    fake.plug("RPI-RP2", "2e8a:0003", "E0C9125B0D9B", "RP2 Boot", "1-3")
    fake.plug("ttyUSB0", FTDI, "A5069RR4", location="1-4")
    built = project.preset("rp2040-real") / "bench" / "bench_select.elf"
    words: list[str | Path] = [ROOT / "emulators" / "run", *runner(project, "rp2040", pty=False)[1:]]
    fake.then(fake.runs_behind_adapter(*words, built))
    result = benched(project, fake, "rp2040@E0C9125B0D9B/A5069RR4", ["select"])
    assert [str(failure) for failure in result.failures] == []
    # The empty loop of the base keeps its count in another place beside this meter, for two cycles more.
    check_against(result.runs["select"][1], simulated(project, "rp2040", "select"), ("value", "floor"))
    assert fake.calls[0][0].endswith("build/rp2040-real/bench/bench_select.uf2")
