# SPDX-License-Identifier: MIT
"""Programs of a Cortex-M4."""

from __future__ import annotations

import subprocess
from pathlib import Path

from support import HERE, Outcome, RunnerTest


class ArmTest(RunnerTest):
    description = """
        name = "small"
        mhz = 25
        [emulator]
        kind = "qemu"
        program = "qemu-system-arm"
        arguments = ["-M", "mps2-an386", "-nographic", "-monitor", "none", "-serial", "stdio",
                     "-semihosting-config", "enable=on,target=native", "-icount", "shift=6,sleep=off"]
        """

    def compile(self, body: str, before: str = "", *options: str) -> Path:
        source, program = self.folder / "program.c", self.folder / "program.elf"
        source.write_text(f'#include "program.h"\n{before}\nint main(void) {{\n{body}\nreturn 0;\n}}\n')
        command = [self.compiler, "-mcpu=cortex-m4", "-mthumb", "-Os", "-ffreestanding", "-nostdlib", "-Wall", *options]
        command += [f"-I{HERE}", f"-T{HERE / 'program.ld'}", str(source), "-o", str(program)]
        subprocess.run(command, check=True, timeout=60)
        return program

    def run_c(self, body: str, *arguments: str, before: str = "") -> Outcome:
        return self.start(*arguments, str(self.compile(body, before)))
