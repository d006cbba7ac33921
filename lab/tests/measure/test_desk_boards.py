# SPDX-License-Identifier: MIT
"""The boards that have a description of a real board are flashed by a stub of their tool.

The stub takes the arguments that the tool documents, and refuses others. No such board has been
seen: the tests show that descriptions, images and the order of steps fit each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import elf_files
import pytest
from conftest import LINE
from elf_files import ALLOC, ARM, EXECUTE, Part
from fake_desk import CH340, CP2102, FTDI, FakeDesk, program

from baton_lab.base.project import ROOT, Project
from baton_lab.base.ui import Screen
from baton_lab.board import board_files
from baton_lab.board.board_files import BadInputError
from baton_lab.board.transcript import Limits
from baton_lab.measure import real_board
from baton_lab.measure.board_run import BoardResult
from baton_lab.measure.real_board import Waits

HALF_KAY, RP2_BOOT, ST_LINK = "16c0:0478", "2e8a:0003", "0483:3748"
Benched = Callable[..., BoardResult]


def sent(board: str) -> bytes:
    return program(LINE.format(board=board, unit="cycles", valid="measured"))


def carried(fake: FakeDesk, board: str) -> dict[str, object]:
    return fake.runs_behind_adapter("printf", "%b", sent(board).decode().replace("\n", "\\n"))


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeDesk]:
    desk = FakeDesk(tmp_path)
    monkeypatch.setenv("PATH", desk.path)
    monkeypatch.setattr(real_board, "configure", lambda *words: ["bench_auto", "bench_channel"])
    monkeypatch.setattr(real_board, "build", lambda *words: None)
    yield desk
    desk.close()


@pytest.fixture
def benched(project: Project, fake: FakeDesk) -> Benched:
    """Benches with this tree's descriptions, on programs that are ELF files of headers alone."""

    def bench(wanted: str, entry: int, *suites: str, told: list[str] | None = None) -> BoardResult:
        found = real_board.find(ROOT, wanted, fake.attached)
        desk = replace(
            found, limits=Limits(20, 5), waits=Waits(0.3, 0.3), tell=(told if told is not None else []).append
        )
        assert desk.board.flash is not None
        folder = project.root / "build" / desk.board.flash.preset / "bench"
        for suite in suites:
            part = Part(".text", 40, entry, ALLOC | EXECUTE)
            elf_files.write(folder / f"bench_{suite}.elf", [part], ARM)
        with Screen() as screen:
            return real_board.bench_real(project, desk, suites, None, screen)

    return bench


def measured(result: BoardResult) -> list[float]:
    assert [str(failure) for failure in result.failures] == []
    return [record.value for _, records in result.runs.values() for record in records]


def test_a_blue_pill_is_flashed_by_an_st_link_and_read_through_an_adapter(fake: FakeDesk, benched: Benched) -> None:
    fake.tool("openocd")
    fake.plug("", ST_LINK, "37FF6D06", "STM32 STLink", "1-1")
    fake.plug("ttyUSB0", FTDI, "A5069RR4", location="1-2")
    fake.then(carried(fake, "bluepill"))
    assert measured(benched("bluepill@37FF6D06/A5069RR4", 0x08000000, "auto")) == [30]
    (call,) = fake.calls
    assert call[:6] == ["-f", "interface/stlink.cfg", "-c", "adapter serial 37FF6D06", "-f", "target/stm32f1x.cfg"]
    assert set(call[6::2]) == {"-c"} and call[7:10:2] == ["init", "reset halt"]
    assert call[11] == 'if {([read_memory 0xE0042000 32 1] & 0xfff) != 0x410} {error "This chip is not an STM32F103"}'
    assert re.fullmatch(r"program \S+/build/bluepill/bench/bench_auto\.elf verify reset exit", call[13])


def test_what_has_no_serial_port_is_no_adapter(fake: FakeDesk) -> None:
    fake.plug("", ST_LINK, "37FF6D06", "STM32 STLink", "1-1")
    fake.plug("", ST_LINK, "4711", "STM32 STLink", "1-2")
    with pytest.raises(BadInputError, match="name the USB adapter there; there is none"):
        real_board.find(ROOT, "bluepill@37FF6D06", fake.attached)
    with pytest.raises(BadInputError, match="0 USB adapters have the serial number or socket 4711"):
        real_board.find(ROOT, "bluepill@37FF6D06/4711", fake.attached)


def test_another_chip_at_the_st_link_is_named(fake: FakeDesk, benched: Benched) -> None:
    fake.tool("openocd")
    fake.plug("", ST_LINK, "37FF6D06", "STM32 STLink", "1-1")
    fake.plug("ttyUSB0", FTDI, "A5069RR4", location="1-2")
    fake.then(fake.fails(1, "Error: This chip is not an STM32F103"))
    (failure,) = benched("bluepill@37FF6D06/A5069RR4", 0x08000000, "auto").failures
    assert "it is another chip than this board's: wrong board" in str(failure)


@pytest.fixture
def resets(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lines by which a port has been reset."""
    done: list[str] = []
    monkeypatch.setattr("baton_lab.board.serial_port.reset", lambda port, by: done.append(by))
    return done


@pytest.mark.parametrize(
    "esp", [("nodemcu", 0x40100000, "esp8266", "0"), ("esp32", 0x40080000, "esp32", "0x1000")], ids=lambda esp: esp[0]
)
def test_an_esp_is_flashed_at_its_own_port_and_reset_by_rts(
    fake: FakeDesk, benched: Benched, project: Project, resets: list[str], esp: tuple[str, int, str, str]
) -> None:
    board, entry, chip, address = esp
    fake.tool("esptool")
    node = fake.plug("ttyUSB0", CP2102, "0001", "CP2102 USB to UART Bridge Controller")
    fake.then(fake.sends(sent(board)))
    assert measured(benched(f"{board}@0001", entry, "auto")) == [30] and resets == ["rts"]
    image = project.root / "build" / board / "bench" / "bench_auto.bin"
    assert fake.calls == [["--chip", chip, "--port", node.port, "--baud", "115200", "write_flash", address, str(image)]]
    assert image.read_bytes()[:1] == b"\xe9"


def test_a_ch340_may_be_a_nano_or_a_nodemcu_until_it_is_named(fake: FakeDesk) -> None:
    fake.plug("ttyUSB0", CH340, location="1-1.2")
    with pytest.raises(BadInputError, match="may be nano or esp32 or nodemcu, by its USB identity"):
        real_board.find(ROOT, "nodemcu@", fake.attached)
    assert real_board.find(ROOT, "nodemcu@1-1.2", fake.attached).name == "nodemcu@1-1.2"


def test_a_teensy_is_flashed_after_its_button_and_asked_for_it_again(
    fake: FakeDesk, benched: Benched, project: Project
) -> None:
    fake.tool("teensy_loader_cli")
    teensy = fake.plug("", HALF_KAY, "0003A1B2", "", "1-3")
    fake.plug("ttyUSB0", FTDI, "A5069RR4", location="1-4")
    fake.then(carried(fake, "teensy32"))
    told: list[str] = []
    assert measured(benched("teensy32@0003A1B2/A5069RR4", 0x410, "auto", told=told)) == [30] and not told
    image = project.root / "build" / "teensy32" / "bench" / "bench_auto.hex"
    assert fake.calls == [["--mcu=TEENSY31", "-v", str(image)]] and image.read_text().endswith(":00000001FF\n")
    desk = real_board.find(ROOT, "teensy32@0003A1B2/A5069RR4", fake.attached)
    fake.unplug(teensy)  # the boot loader goes when the program runs
    desk = replace(desk, waits=Waits(0.1, 0.1), tell=told.append)
    with Screen() as screen:
        (failure,) = real_board.bench_real(project, desk, ["auto"], None, screen).failures
    assert told == ["teensy32@0003A1B2: press its button"]
    assert "did not appear at 1-3: press its button when asked to" in str(failure)


def test_a_pico_takes_a_uf2_file_on_its_drive(fake: FakeDesk, benched: Benched, project: Project) -> None:
    fake.tool("cp")
    drive = fake.folder / "dev" / "RPI-RP2"
    drive.mkdir()
    fake.plug("RPI-RP2", RP2_BOOT, "E0C9125B0D9B", "RP2 Boot", "1-3")
    fake.plug("ttyUSB0", FTDI, "A5069RR4", location="1-4")
    fake.then(carried(fake, "rp2040"))
    assert measured(benched("rp2040@E0C9125B0D9B/A5069RR4", 0x20000100, "auto")) == [30]
    image = project.root / "build" / "rp2040-real" / "bench" / "bench_auto.uf2"
    assert fake.calls == [[str(image), str(drive)]] and image.read_bytes().startswith(b"UF2\n")


def test_a_picos_drive_that_is_not_mounted_is_not_written_to(fake: FakeDesk, benched: Benched) -> None:
    fake.tool("cp")
    fake.plug("", RP2_BOOT, "E0C9125B0D9B", "RP2 Boot", "1-3")
    fake.plug("ttyUSB0", FTDI, "A5069RR4", location="1-4")
    (failure,) = benched("rp2040@E0C9125B0D9B/A5069RR4", 0x20000100, "auto").failures
    assert "the drive of rp2040@E0C9125B0D9B is not mounted: mount it" in str(failure) and not fake.calls


def test_a_board_that_only_a_desk_has_is_not_run_here() -> None:
    on_desks = {board.name: board for board in board_files.on_desks(ROOT)}
    assert {"bluepill", "teensy32", "nodemcu", "esp32"} == set(on_desks)
    assert not set(on_desks) & set(board_files.names(ROOT))
    for name, board in on_desks.items():
        with pytest.raises(BadInputError, match=rf"{name} \(.*\): QEMU has no .*; name one on USB, {name}@SERIAL"):
            board_files.select(ROOT, [name])
        assert board_files.select(ROOT, [name], to_run=False) == [board]
        assert board.flash is not None and board.usb is not None and board.memory is not None
        assert board.program_suffix == ".elf" and board.flash.preset == board.preset == name
