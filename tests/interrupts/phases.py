# SPDX-License-Identifier: MIT
"""Checks that interrupts came before every instruction from an interrupt to its waiter.

phases.py OBJDUMP RUNNER [OPTION...] PROGRAM runs a program of stress.hpp. Its line `touched` has a
bit for each word of flash before which an interrupt came. In a block of code without jumps, which
one hit proves to be executed, every instruction must have been hit, except those during which
interrupts are masked.
"""

import re
import subprocess
import sys

WATCHED = re.compile(r"scheduler::run|isr_signal::|wait_in|consumer.*::run_")
LEAVES = re.compile(r"^(r?jmp|ret|reti|br..|cpse|sb[ir][sc]|i?call|rcall|ijmp|icall)$")
LEAST_SHARE = 0.96  # a block may be entered rarely, only after a delay


def functions(listing: str) -> "dict[str, list[tuple[int, str, str]]]":
    """Returns the instructions of each function: address, mnemonic, operands."""
    found: "dict[str, list[tuple[int, str, str]]]" = {}
    name = ""
    for line in listing.splitlines():
        if head := re.match(r"[0-9a-f]+ <(.*)>:$", line):
            name = head[1]
            found[name] = []
        elif code := re.match(r" +([0-9a-f]+):\t[0-9a-f ]+\t(\S+)\s*([^;]*)(?:; (0x[0-9a-f]+))?", line):
            found[name].append((int(code[1], 16), code[2], (code[4] or code[3]).strip()))
    return found


def blocks(code: "list[tuple[int, str, str]]") -> "list[list[tuple[int, str, str]]]":
    """Returns the blocks that are executed from the first instruction to the last."""
    starts = set()
    for (address, mnemonic, operand), following in zip(code, [*code[1:], (0, "", "")]):
        if LEAVES.match(mnemonic):
            starts.add(following[0])
            if jump := re.match(r"\.([+-]\d+)", operand):
                starts.add(address + 2 + int(jump[1]))
            elif target := re.match(r"0x([0-9a-f]+)", operand):
                starts.add(int(target[1], 16))
    result: "list[list[tuple[int, str, str]]]" = []
    for instruction in code:
        if not result or instruction[0] in starts:
            result.append([])
        result[-1].append(instruction)
    return result


def masked(code: "list[tuple[int, str, str]]") -> "set[int]":
    """Returns the addresses before which no interrupt can come.

    They reach from behind `cli` to behind the instruction after `sei` or after a restored SREG.
    """
    result, off = set(), False
    for (address, mnemonic, operand), following in zip(code, [*code[1:], (0, "", "")]):
        if off:
            result.add(address)
        if mnemonic == "cli":
            off = True
        elif mnemonic == "sei" or (mnemonic == "out" and operand.startswith("0x3f")):
            off = False
            result.add(following[0])
    return result


def main() -> int:
    """Prints the number of hits, and each instruction that should have been hit."""
    objdump, *command = sys.argv[1:]
    run = subprocess.run(command, capture_output=True, text=True, timeout=110, check=False)
    touched = re.search(r"touched ([0-9a-f]+)", run.stdout)
    if not touched:
        print(run.stdout, run.stderr, "no line `touched`", sep="\n")
        return 1
    words = bytes.fromhex(touched[1])
    hit = {2 * (8 * i + bit) for i, byte in enumerate(words) for bit in range(8) if byte >> bit & 1}
    listing = subprocess.run([objdump, "-d", "-C", command[-1]], capture_output=True, text=True, timeout=60, check=True)
    expected, missed = 0, []
    for name, code in functions(listing.stdout).items():
        if not WATCHED.search(name):
            continue
        unreachable = masked(code)
        for block in blocks(code):
            if any(address in hit for address, _, _ in block):
                wanted = [i for i in block if i[0] not in unreachable]
                expected += len(wanted)
                missed += [(name, *i) for i in wanted if i[0] not in hit]
    for name, address, mnemonic, operand in missed:
        print(f"not hit: {address:#x} {mnemonic} {operand} in {name}")
    print(f"interrupts came before {expected - len(missed)} of {expected} instructions that ran")
    return 0 if expected >= 80 and len(missed) <= (1 - LEAST_SHARE) * expected else 1


if __name__ == "__main__":
    sys.exit(main())
