# SPDX-License-Identifier: MIT
"""./baton bench on a real board by the shipped path: only the board and its flashing tool are ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import LINE, script
from fake_desk import CH340, CP2102, FTDI, NO_ANSWER, WRONG_CHIP, FakeDesk, argument_after, program

from baton_lab.base.project import Project
from baton_lab.base.store import Store
from baton_lab.base.ui import Screen
from baton_lab.board.board_files import BadInputError
from baton_lab.board.transcript import Limits
from baton_lab.measure import real_board
from baton_lab.measure.board_run import BoardResult
from baton_lab.measure.real_board import Desk, Waits

FLASH = """
name = "{name}"
title = "A board"
preset = "{name}"
[emulator]
kind = "simavr"
mcu = "atmega328p"
hz = 16000000
uart = 0
[usb]
ids = ["0403:6001", "1a86:7523", "1b4f:9206"]
boot_ids = ["1b4f:9205"]
[flash]
preset = "{name}-real"
{more}
"""
AVRDUDE = 'tool = "avrdude"\narguments = ["-P", "{port}", "-U", "flash:w:{file}:e"]\npackage = "avrdude"\n'
OPENOCD = """
tool = "openocd"
arguments = ["-f", "interface/stlink.cfg", "-c", "adapter serial {serial}", "-c", "program {file} verify reset exit"]
package = "openocd"
"""
RECORD = LINE.format(board="nano", unit="cycles", valid="measured")
CHANNEL = RECORD.replace("suite=auto", "suite=channel")


@pytest.fixture
def fake(tmp_path: Path, project: Project, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeDesk]:
    desk = FakeDesk(tmp_path)
    monkeypatch.setenv("PATH", desk.path)
    monkeypatch.setattr(real_board, "configure", lambda *words: ["bench_auto", "bench_channel", "memory_empty"])
    monkeypatch.setattr(real_board, "build", lambda *words: None)
    touched = AVRDUDE + 'touch_1200 = true\nconsole = "adapter"'
    (project.root / "boards" / "bluepill").mkdir()
    for name, more in (("nano", AVRDUDE), ("promicro", touched), ("bluepill", OPENOCD)):
        (project.root / "boards" / name / "board.toml").write_text(FLASH.format(name=name, more=more))
    script(project.root / "build" / "nano-real" / "bench" / "bench_auto.elf", "")
    yield desk
    desk.close()


@pytest.fixture
def benched(project: Project, fake: FakeDesk) -> Callable[..., BoardResult]:
    def bench(
        wanted: str, suites: tuple[str, ...] = ("auto",), store: Store | None = None, silence_s: float = 5
    ) -> BoardResult:
        found = real_board.find(project.root, wanted, fake.attached)
        desk = replace(found, limits=Limits(20, silence_s), waits=Waits(0.5, 0.5))
        with Screen() as screen:
            return real_board.bench_real(project, desk, suites, store, screen)

    return bench


Benched = Callable[..., BoardResult]


def test_its_records_are_stored_under_its_own_name(
    project: Project, fake: FakeDesk, benched: Benched, monkeypatch: pytest.MonkeyPatch
) -> None:
    resets: list[str] = []
    monkeypatch.setattr("baton_lab.board.serial_port.reset", lambda port, by: resets.append(f"{port.port} {by}"))
    nano = fake.plug("ttyUSB0", FTDI, "A5069RR4", "FT232R USB UART")
    fake.then(fake.sends(program(RECORD)), fake.sends(program(CHANNEL)))
    with Store(project.store) as store:
        result = benched("nano@A5069RR4", ("auto", "channel", "memory"), store)
        assert not result.failures and list(result.runs) == ["auto", "channel"]
        assert store.latest("nano", "auto") is None
        found = store.latest("nano@A5069RR4", "auto")
    assert found is not None and found[1][0].valid == "measured" and found[0].machine["usb"] == FTDI
    assert result.board.name == "nano" and "A5069RR4 over USB" in result.board.title
    folder = project.root / "build" / "nano-real" / "bench"
    written = [f"flash:w:{folder}/bench_{suite}.elf:e" for suite in ("auto", "channel")]
    assert fake.calls == [["-P", nano.port, "-U", word] for word in written]
    assert resets == [f"{nano.port} dtr"] * 2


def test_of_two_of_one_kind_the_named_one_is_flashed(fake: FakeDesk, benched: Benched) -> None:
    fake.plug("ttyUSB0", FTDI, "A5069RR4", location="1-1")
    second = fake.plug("ttyUSB1", FTDI, "A50285BI", location="1-2")
    fake.then(fake.sends(program(RECORD)))
    with pytest.raises(BadInputError, match="2 devices may be a nano"):
        benched("nano@")
    assert not benched("nano@A50285BI").failures
    assert [argument_after(call, "-P") for call in fake.calls] == [second.port]


def test_a_board_that_moved_to_another_port_is_found_there(project: Project, fake: FakeDesk) -> None:
    first = fake.plug("ttyUSB0", FTDI, "A5069RR4")
    desk = replace(real_board.find(project.root, "nano@A5069RR4", fake.attached), limits=Limits(20, 5))
    fake.unplug(first)
    moved = fake.plug("ttyUSB5", FTDI, "A5069RR4", location="1-4")
    fake.then(fake.sends(program(RECORD)))
    with Screen() as screen:
        assert not real_board.bench_real(project, desk, ["auto"], None, screen).failures
    assert argument_after(fake.calls[0], "-P") == moved.port


def test_another_device_in_its_socket_is_recognised_before_flashing(project: Project, fake: FakeDesk) -> None:
    first = fake.plug("ttyUSB0", CH340, location="1-1")
    desk = real_board.find(project.root, "nano@1-1", fake.attached)
    fake.unplug(first)
    fake.plug("ttyUSB0", CP2102, location="1-1")
    with Screen() as screen:
        result = real_board.bench_real(project, desk, ["auto", "channel"], None, screen)
    (failure,) = result.failures
    assert "in the place of 1-1 (1a86:7523) there is another device" in str(failure) and not fake.calls


@pytest.mark.parametrize(
    ("said", "expected"), [(WRONG_CHIP, "wrong board, nothing was written"), (NO_ANSWER, "boot loader does not answer")]
)
def test_a_tool_that_fails_is_quoted_and_nothing_more_is_tried(
    fake: FakeDesk, benched: Benched, said: str, expected: str
) -> None:
    fake.plug("ttyUSB0", FTDI, "A5069RR4")
    fake.then(fake.fails(1, said))
    result = benched("nano@A5069RR4", ("auto", "channel"))
    (failure,) = result.failures
    assert str(failure).startswith("nano@A5069RR4 auto: not flashed, ") and expected in str(failure)
    assert said.strip().splitlines()[0] in str(failure) and len(fake.calls) == 1


def test_a_busy_port_is_refused_before_flashing(
    fake: FakeDesk, benched: Benched, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake.plug("ttyUSB0", FTDI, "A5069RR4")
    monkeypatch.setattr("baton_lab.board.serial_port.holders", lambda name: ["minicom (process 4711)"])
    (failure,) = benched("nano@A5069RR4").failures
    assert "ttyUSB0 is in use by minicom (process 4711): end that" in str(failure) and not fake.calls


def test_a_tool_that_leaves_the_port_alone_finds_it_open_so_that_no_line_is_lost(
    fake: FakeDesk, benched: Benched
) -> None:
    fake.tool("openocd")
    fake.plug("ttyACM0", FTDI, "0674FF", location="1-1")
    line = RECORD.replace("board=nano", "board=bluepill")
    fake.then(fake.runs_behind_adapter("printf", "%b", program(line).decode().replace("\n", "\\n")))
    result = benched("bluepill@0674FF")
    assert [str(failure) for failure in result.failures] == []
    assert result.runs["auto"][1][0].value == 30
    assert fake.calls[0][2:4] == ["-c", "adapter serial 0674FF"] and "bench_auto.elf verify" in fake.calls[0][5]


def cut(data: bytes, lines: int) -> bytes:
    return b"".join(data.splitlines(keepends=True)[:lines])


@pytest.mark.parametrize(
    "case",
    [
        (cut(program(RECORD, RECORD), 3), "goes", "it was unplugged", 1),
        (cut(program(RECORD, RECORD), 3), "stays", "it fell silent for 1 s", 1),
        (
            cut(program(RECORD, RECORD), 3) + b"\xf0\x9d\x00#?\n",
            "stays",
            "garbage instead of a record: '\\xf0\\x9d\\x00#?'",
            1,
        ),
        (bytes(range(128, 256)) * 4, "stays", "no line '# begin': '\\x80\\x81", 0),
        (b"", "stays", "it was silent for 1 s: press its reset button", 0),
        (program(RECORD).replace(b"30.000", b"3.0000"), "stays", "lost or changed on the way", 1),
        (program(RECORD, "# a workload counted wrong", exit_code=1), "stays", "it ended with 1", 1),
        (program(RECORD.replace("measured", "simulated")), "stays", "not of the preset nano-real", 1),
        (program(CHANNEL), "stays", "suite channel, from nano's auto", 1),
        (program("# nothing"), "stays", "it printed no record", 0),
    ],
)
def test_a_run_that_fails_is_not_stored_but_all_that_came_is_shown_and_kept(
    project: Project, fake: FakeDesk, benched: Benched, case: tuple[bytes, str, str, int]
) -> None:
    data, then, expected, kept = case
    fake.plug("ttyUSB0", FTDI, "A5069RR4")
    fake.then(fake.sends(data, stays=then == "stays"))
    with Store(project.store) as store:
        (failure,) = benched("nano@A5069RR4", store=store, silence_s=1).failures
        assert not store.runs()
    assert expected in str(failure) and "not stored; received until then" in str(failure)
    assert str(failure).count("\nbaton-bench/1 ") == kept
    assert (project.build / "lab" / "real" / "nano@A5069RR4-auto.log").read_bytes() == data


def test_the_other_suites_go_on_after_one_that_fails(fake: FakeDesk, benched: Benched) -> None:
    fake.plug("ttyUSB0", FTDI, "A5069RR4")
    fake.then(fake.sends(b"\n# begin\nnonsense\n"), fake.sends(program(CHANNEL)))
    result = benched("nano@A5069RR4", ("auto", "channel"))
    assert [failure.suite for failure in result.failures] == ["auto"] and list(result.runs) == ["channel"]


def test_a_board_without_a_port_of_its_own_needs_an_adapter(project: Project, fake: FakeDesk) -> None:
    fake.plug("ttyACM0", "1b4f:9206", "HIDPC", location="1-3")

    def refusal(wanted: str) -> str:
        with pytest.raises(BadInputError) as error:
            real_board.find(project.root, wanted, fake.attached)
        return str(error.value)

    assert "name the USB adapter there; there is none" in refusal("promicro@HIDPC")
    fake.plug("ttyUSB0", CP2102, "0001", location="1-4")
    assert "--board promicro@HIDPC/0001  " in refusal("promicro@HIDPC")
    assert "0 USB adapters have the serial number or socket 0002" in refusal("promicro@HIDPC/0002")
    fake.plug("ttyUSB1", FTDI, "A5069RR4", location="1-5")
    assert "console on its own port" in refusal("nano@A5069RR4/0001")


def boot_loader_of(project: Project, fake: FakeDesk, told: list[str]) -> Desk:
    found = real_board.find(project.root, "promicro@1-3/0001", fake.attached)
    return replace(found, limits=Limits(20, 5), waits=Waits(0.5, 0.5), tell=told.append)


def test_a_boot_loader_is_started_by_the_touch_or_by_a_person(
    project: Project, fake: FakeDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    sketch = fake.plug("ttyACM0", "1b4f:9206", "HIDPC", location="1-3")
    fake.plug("ttyUSB0", CP2102, "0001", location="1-4")
    fake.then(fake.fails(1, "this is enough"))
    told: list[str] = []
    desk = boot_loader_of(project, fake, told)

    def flashed() -> str:
        with Screen() as screen:
            return str(real_board.bench_real(project, desk, ["auto"], None, screen).failures[0])

    touched: list[str] = []
    monkeypatch.setattr("baton_lab.board.serial_port.touch", touched.append)
    assert "the boot loader of promicro@HIDPC did not appear at 1-3" in flashed()
    assert touched == [sketch.port] and "press its reset button twice" in told[0] and not fake.calls

    def start(port: str) -> None:
        fake.unplug(sketch)
        fake.plug("ttyACM1", "1b4f:9205", location="1-3")

    monkeypatch.setattr("baton_lab.board.serial_port.touch", start)
    assert "this is enough" in flashed() and argument_after(fake.calls[0], "-P").endswith("ttyACM1")
    monkeypatch.setattr("baton_lab.board.serial_port.touch", lambda port: pytest.fail("it runs already"))
    assert "this is enough" in flashed()
