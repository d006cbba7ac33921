# SPDX-License-Identifier: MIT
"""A flashing tool's failures are explained; Debian's avrdude 7.1 printed the texts of avrdude."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_desk import FTDI, NO_ANSWER, WRONG_CHIP

from baton_lab.base.process import Outcome
from baton_lab.base.project import ROOT, Project
from baton_lab.board import flashing
from baton_lab.board.board_files import load
from baton_lab.board.flashing import FlashError
from baton_lab.board.usb import Device
from baton_lab.setup import packages

NANO = load(ROOT / "boards" / "nano" / "board.toml")
DEVICE = Device("/dev/ttyUSB0", FTDI, "A5069RR4", "FT232R USB UART", "1-1")

OPENING = (
    "avrdude OS error: cannot open port /dev/ttyUSB0: {}\navrdude error: unable to open programmer arduino on port"
)


def explained(said: str, tool: str = "avrdude", code: int = 1, timed_out: bool = False) -> str:
    return flashing.explain(NANO, DEVICE, Outcome((tool, "-p", "m328p"), code, said, "", 180.0, timed_out))


def test_a_wrong_chip_is_named_and_nothing_was_written() -> None:
    first, *rest = explained(WRONG_CHIP).splitlines()
    is_one = "its chip is m32u4 (signature 0x1e9587), not ATmega328P"
    assert first == f"not flashed, /dev/ttyUSB0: {is_one}: wrong board, nothing was written"
    assert "avrdude said:" in rest and rest[-1] == "to repeat it: avrdude -p m328p"


@pytest.mark.parametrize(
    ("tool", "said", "expected"),
    [
        ("avrdude", NO_ANSWER, "boot loader does not answer: is it a nano?"),
        ("avrdude", OPENING.format("Permission denied"), "usermod -aG dialout"),
        ("avrdude", OPENING.format("Device or resource busy"), "another program is using it"),
        ("avrdude", OPENING.format("No such file or directory"), "it is gone: plug it in again"),
        ("avrdude", "avrdude error: verification mismatch, first mismatch at byte 0x0000", "with another cable"),
        ("openocd", "Error: open failed", "it is gone"),
        ("picotool", "No accessible RP2040 devices in BOOTSEL mode were found.", "hold BOOTSEL"),
        ("esptool", "A fatal error occurred: This chip is ESP32 not ESP32-C3. Wrong --chip argument?", "wrong board"),
        (
            "esptool",
            "A fatal error occurred: Failed to connect to ESP32-C3: No serial data received.",
            "does not answer",
        ),
        ("avrdude", "", "avrdude ended with 1\navrdude said:\n(nothing)"),
    ],
)
def test_a_failure_says_what_to_do_and_what_the_tool_said(tool: str, said: str, expected: str) -> None:
    shown = explained(said, tool)
    assert expected in shown and all(line in shown for line in said.splitlines())


def test_a_tool_that_hangs_is_a_failure() -> None:
    assert "did not end within 180 s" in explained("", timed_out=True)


def test_the_arguments_are_filled_in() -> None:
    assert NANO.flash is not None
    words = flashing.command(NANO.flash, DEVICE, Path("x.elf"), 57600)
    assert words[:9] == ["avrdude", "-c", "arduino", "-p", "m328p", "-P", "/dev/ttyUSB0", "-b", "57600"]
    assert words[-1] == "flash:w:x.elf:e"


def tool(folder: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    script = folder / "avrdude"
    script.write_text(f"#!/bin/sh\n{body}\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def test_an_old_boot_loader_is_tried_at_its_own_rate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool(
        tmp_path,
        monkeypatch,
        f'echo "$@" >> {tmp_path}/log; case "$*" in *57600*) exit 0;; esac; echo not in sync; exit 1',
    )
    flashing.write(Project(tmp_path), NANO, DEVICE, Path("x.elf"))
    assert [line.split()[7] for line in (tmp_path / "log").read_text().splitlines()] == ["115200", "57600"]


def test_another_failure_is_not_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool(tmp_path, monkeypatch, f'echo x >> {tmp_path}/log; echo "expected signature"; exit 1')
    with pytest.raises(FlashError):
        flashing.write(Project(tmp_path), NANO, DEVICE, Path("x.elf"))
    assert (tmp_path / "log").read_text() == "x\n"


def test_a_missing_tool_names_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(packages, "ensure", lambda *words: None)
    with pytest.raises(packages.SetupError, match=r"avrdude is not installed: sudo apt-get install .*avrdude"):
        flashing.require_tool(Project(tmp_path), NANO)


def test_a_tool_that_is_there_installs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool(tmp_path, monkeypatch, "exit 0")
    monkeypatch.setattr(packages, "ensure", lambda *words: pytest.fail("it asked for a package"))
    flashing.require_tool(Project(tmp_path), NANO)
