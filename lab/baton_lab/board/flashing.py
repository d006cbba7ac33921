# SPDX-License-Identifier: MIT
"""Writes a program to a real board, with the tool that its real.toml names."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from shutil import which

from baton_lab.base.process import Outcome, printable, run
from baton_lab.base.project import ROOT, Project
from baton_lab.board.board_files import Board, Flash
from baton_lab.board.usb import Device
from baton_lab.setup import packages

IMAGES = ROOT / "tools" / "program_image" / "program-image"
LIMIT_S = 180.0
TAIL_LINES = 15


class FlashError(RuntimeError):
    """The program was not written; the message has the reason, a remedy and the tool's output."""


WRONG_CHIP = re.compile(
    r"device signature = (?P<is>0x[0-9a-f]+)(?: \(probably (?P<name>\w+)\))?.*"
    r"expected signature for (?P<wanted>[\w-]+) is",
    re.IGNORECASE | re.DOTALL,
)
NO_ANSWER = re.compile(
    r"not in sync|programmer is not responding|Failed to connect to ESP|butterfly_recv|initialization failed"
)
EXPLANATIONS = (
    (
        r"This chip is (?!.*\bthe\b)|Unexpected chip|UNEXPECTED idcode",
        "it is another chip than this board's: wrong board",
    ),
    (
        r"Permission denied|LIBUSB_ERROR_ACCESS",
        "this user may not use it: sudo usermod -aG dialout $USER, then log in again",
    ),
    (r"[Bb]usy|LIBUSB_ERROR_BUSY", "another program is using it: end that, then run the same command again"),
    (r"No accessible RP\w+ devices", "it is not in its boot loader: hold BOOTSEL while you plug it in"),
    (
        r"verification (error|mismatch)|content mismatch",
        "what was read back is not what was written: try again, with another cable",
    ),
    (r"No such file or directory|No such device|open failed|no device found|not found", "it is gone: plug it in again"),
)


def require_tool(project: Project, board: Board) -> None:
    """Installs the tool if it is missing, or names the package that has it.

    Errors   SetupError
    """
    flash = board.flash
    assert flash is not None
    if which(flash.tool) is None and flash.package:
        packages.ensure([flash.package], project.build / "lab" / "apt.log")
    if which(flash.tool) is None:
        line = f"pipx install {flash.pypi}" if flash.pypi else packages.install_line([flash.package])
        raise packages.SetupError(f"{flash.tool} is not installed: {line}")


def write(project: Project, board: Board, device: Device, program: Path) -> None:
    """Writes the program and lets the tool verify it.

    Errors   FlashError
    """
    flash = board.flash
    assert flash is not None
    program = image(program, flash.image)
    for baud in flash.boot_bauds or (0,):
        outcome = _call(project, command(flash, device, program, baud))
        if outcome.ok or not NO_ANSWER.search(_said(outcome)):
            break
    if not outcome.ok:
        raise FlashError(explain(board, device, outcome))
    if Path(device.port).is_dir():
        os.sync()  # a drive takes the program once all of it has left this machine's memory


def image(program: Path, form: str) -> Path:
    """Writes the program beside itself in the form that the board's loader takes.

    Errors   FlashError: the program does not fit the form.
    """
    if form == "elf":
        return program
    made = program.with_suffix({"hex": ".hex", "uf2": ".uf2"}.get(form, ".bin"))
    outcome = run([sys.executable, str(IMAGES), form, str(program), str(made)], cwd=program.parent, limit_s=LIMIT_S)
    if not outcome.ok:
        raise FlashError(f"not flashed: {outcome.tail()}")
    return made


def command(flash: Flash, device: Device, program: Path, boot_baud: int) -> list[str]:
    """Returns the tool's command line."""
    values = {"port": device.port, "serial": device.serial, "file": str(program), "boot_baud": boot_baud}
    return [flash.tool, *(argument.format(**values) for argument in flash.arguments)]


def _call(project: Project, words: list[str]) -> Outcome:
    try:
        return run(words, cwd=project.root, limit_s=LIMIT_S)
    except OSError as error:
        raise FlashError(f"{words[0]} could not be started: {error}") from error


def _said(outcome: Outcome) -> str:
    return f"{outcome.output}\n{outcome.errors}"


def explain(board: Board, device: Device, outcome: Outcome) -> str:
    """Explains a failure: in a sentence if it is known, then in the tool's own words."""
    tool, said = outcome.command[0], _said(outcome)
    if wrong := WRONG_CHIP.search(said):
        is_one = f"{wrong['name']} (signature {wrong['is']})" if wrong["name"] else f"one of signature {wrong['is']}"
        why = f"its chip is {is_one}, not {wrong['wanted']}: wrong board, nothing was written"
    elif outcome.timed_out:
        why = f"{tool} {outcome.how}"
    elif NO_ANSWER.search(said):
        why = (
            f"its boot loader does not answer: is it a {board.name}? Take off what is wired to its serial pins, "
            "press its reset button, and run the same command again"
        )
    else:
        known = next((text for pattern, text in EXPLANATIONS if re.search(pattern, said)), "")
        why = known or f"{tool} {outcome.how}"
    said = outcome.tail(TAIL_LINES) or "(nothing)"
    where = device.port or device.name
    return f"not flashed, {where}: {why}\n{tool} said:\n{said}\nto repeat it: {printable(outcome.command)}"
