# SPDX-License-Identifier: MIT
"""An AVR in the program of emulators/simavr."""

from __future__ import annotations

from elf import AVR

from runner.framed import Framed
from runner.options import Options, built, check_machine


def start(options: Options) -> Framed:
    """Starts an emulator.

    Errors   UsageError
    """
    check_machine(options, AVR, "AVR")
    facts = {"mcu": options.board.fact("mcu", str), **{key: options.board.fact(key, int) for key in ("hz", "uart")}}
    facts |= {"baud": options.baud, "limit": options.limit_ms, "wall": options.wall_s, "lines": options.lines}
    words = [f"{key}={value}" for key, value in facts.items()]
    words += [f"send={send.at_us}:{send.data.hex()}" for send in options.sends]
    words += [f"input={each.at_us}:{each.pin}={each.value}" for each in options.inputs]
    words += [f"watch={pin}" for pin in options.watches]
    words += [f"until={options.until_us}"] if options.script else []
    words += ["pace=1"] if options.pace else []
    words += ["pty=1"] if options.pty else []
    program = f"program={options.program}"
    return Framed([built(options, "simavr/simavr-runner"), *words, program], told=options.told)
