# SPDX-License-Identifier: MIT
"""Programs of a Cortex-M4."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(1, str(HERE.parents[1] / "tests"))

from support import RunnerTest  # noqa: E402


class ArmTest(RunnerTest):
    here = HERE
    flags = ("-mcpu=cortex-m4", "-mthumb", "-ffreestanding", "-nostdlib", f"-T{HERE / 'program.ld'}")
    description = """
        name = "small"
        mhz = 25
        [emulator]
        kind = "qemu"
        program = "qemu-system-arm"
        machine = "mps2-an386"
        arguments = ["-semihosting-config", "enable=on,target=native"]
        shift = 6
        masks = "thumb"
        """
