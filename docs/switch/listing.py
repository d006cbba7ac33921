#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fills the listing of docs/switch-cost.md from the compiled program beside it, or checks it.

    docs/switch/listing.py build/nano/docs/switch.elf            rewrites the listing
    docs/switch/listing.py --check build/nano/docs/switch.elf    fails if it differs

It follows one switch as the processor does: from the body's return through scheduler::run() to the
next body's return. The cycles are those of the AVR Instruction Set Manual for devices with a 16-bit
program counter (ATmega328P).
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).parents[1] / "switch-cost.md"
BEGIN = "<!-- listing: docs/switch/listing.py -->"
END = "<!-- end of listing -->"
SCHEDULER = "baton::scheduler::run()"
BODY = "baton::coroutine<blink, baton::plain>::run_(baton::job*, unsigned char)"

CYCLES = {"ret": 4, "icall": 3, "rcall": 3, "call": 4, "rjmp": 2, "jmp": 3, "ijmp": 2}
TWO = ("ld", "ldd", "lds", "st", "std", "sts", "push", "pop", "adiw", "sbiw", "sbi", "cbi")
ONE = ("mov", "movw", "ldi", "cpi", "cp", "cpc", "tst", "in", "out", "and", "or", "eor", "dec", "inc", "subi", "sbci")
SKIPS = {"sbrc": True, "sbrs": False, "sbic": True, "sbis": False}
"""True if a clear bit skips the next instruction: `suspended` and attention are clear here."""

NOTES = (
    ("sbrc|sbrs", r"r24, 7", "the body returned a label, not `suspended`"),
    ("std", r"[YZ]\+4, ", "the job's resume point"),
    ("sts", r"", "the tail moves on: the job is the last now"),
    ("sbic|sbis", r"0x1e, 0", "attention? interrupts, timers and idling at once"),
    ("ldd?", r"r\d+, [YZX]\+?$", "the next job: tail->next"),
    ("ldd", r"r3[01], [YZ]\+[23]", "its step function"),
    ("ldd", r"r22, [YZ]\+4", "its resume point"),
    ("icall", r"", "the body"),
    ("sbi|cbi", r"0x05, 5", "THE WORK"),
    ("cpi", r"r22, ", "which resume point?"),
    ("ldi", r"r24, ", "the next one, returned in a register"),
)


@dataclass(frozen=True)
class Instruction:
    """One line of the disassembly."""

    address: int
    name: str
    operands: str

    @property
    def words(self) -> int:
        """Its length: two words for an instruction with an address."""
        return 2 if self.name in ("lds", "sts", "call", "jmp") else 1


def functions(elf: str, objdump: str) -> dict[str, dict[int, Instruction]]:
    """Returns the instructions of each function, by address."""
    command = [objdump, "-dC", "--no-show-raw-insn", elf]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found: dict[str, dict[int, Instruction]] = {}
    inside: dict[int, Instruction] = {}
    for line in text.splitlines():
        if head := re.match(r"^[0-9a-f]+ <(.*)>:$", line):
            inside = found.setdefault(head[1], {})
        elif code := re.match(r"^ *([0-9a-f]+):\t(\w+)\s*([^;]*?)\s*(?:;.*)?$", line):
            address = int(code[1], 16)
            inside[address] = Instruction(address, code[2], code[3])
    return found


def follow(code: dict[int, Instruction], start: int, last: str, point: int) -> list[tuple[Instruction, int]]:
    """Returns the instructions from `start` to `last`, with cycles; r22 is the resume point."""
    path: list[tuple[Instruction, int]] = []
    address, equal = start, None
    while len(path) < 100:
        i = code[address]
        behind = address + 2 * i.words
        step, target = _cycles(i), behind
        if i.name in SKIPS:
            if SKIPS[i.name]:
                skipped = code[behind]
                step, target = 1 + skipped.words, behind + 2 * skipped.words
        elif i.name == "cpi" and i.operands.startswith("r22,"):
            equal = int(i.operands.split(",")[1], 16) == point
        elif i.name in ("breq", "brne"):
            if equal is None:
                sys.exit(
                    f"{last}: cannot follow {i.name} at {address:#x}: teach docs/switch/listing.py which way it goes"
                )
            if equal == (i.name == "breq"):
                step, target = 2, behind + _distance(i)
            equal = None
        elif i.name == "rjmp":
            target = behind + _distance(i)
        path.append((i, step))
        if i.name == last:
            return path
        address = target
    sys.exit(f"no {last} within 100 instructions: teach docs/switch/listing.py the way")


def _cycles(i: Instruction) -> int:
    if i.name in CYCLES:
        return CYCLES[i.name]
    if i.name in TWO:
        return 2
    if i.name in ONE or i.name in SKIPS or i.name in ("breq", "brne"):
        return 1
    sys.exit(f"docs/switch/listing.py does not know how long {i.name} takes")


def _distance(i: Instruction) -> int:
    return int(i.operands.lstrip("."), 10)


def _ram(i: Instruction) -> int:
    return int(i.operands.split(",")[0], 16)


def _operands(i: Instruction, tail: int) -> str:
    """Returns the operands without the parts that an unrelated change would change."""
    if i.name in ("rjmp", "breq", "brne"):
        return ""
    if i.name == "sts" and _ram(i) in (tail, tail + 1):
        return ("tail" if _ram(i) == tail else "tail+1") + i.operands[6:]
    return i.operands


def _note(i: Instruction) -> str:
    for name, operands, note in NOTES:
        if re.fullmatch(name, i.name) and re.search(operands, i.operands):
            return note
    return ""


def listing(elf: str, objdump: str) -> list[str]:
    """Returns the listing: a line per instruction, and their cycles together."""
    code = functions(elf, objdump)
    loop = code[SCHEDULER]
    body = code[BODY]
    call = next(a for a, i in loop.items() if i.name == "icall")
    through = follow(loop, call + 2, "icall", 0)
    inside = follow(body, min(body), "ret", 1)
    tail = min((_ram(i) for i, _ in through if i.name == "sts"), default=0)
    lines, last = ["```"], ""
    for title, path in (("in run()", through), ("in the body", inside)):
        lines.append(title)
        for i, cycles in path:
            note = _note(i)
            shown = "" if note == last else note
            last = note
            lines.append(f"  {i.name:<6}{_operands(i, tail):<14}{cycles}  {shown}".rstrip())
    work = sum(cycles for i, cycles in inside if _note(i) == "THE WORK")
    whole = sum(cycles for _, cycles in through + inside)
    lines += [f"together {whole - work} cycles without the work", "```"]
    return lines


def main(words: list[str]) -> None:
    """Rewrites or checks the page."""
    check = "--check" in words
    paths = [word for word in words if not word.startswith("--")]
    objdump = next((word.split("=", 1)[1] for word in words if word.startswith("--objdump=")), "avr-objdump")
    if len(paths) != 1:
        sys.exit(__doc__)
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    begin, end = lines.index(BEGIN), lines.index(END)
    fresh = ["", *listing(paths[0], objdump), ""]
    if lines[begin + 1 : end] == fresh:
        return
    if check:
        sys.exit(
            "\n".join(
                [f"{PAGE.name}: the listing is stale; docs/switch/listing.py {paths[0]} writes this one:", *fresh]
            )
        )
    lines[begin + 1 : end] = fresh
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
