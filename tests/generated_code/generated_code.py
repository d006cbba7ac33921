# SPDX-License-Identifier: MIT
"""Checks the machine code of a program on an AVR board: generated_code.py OBJDUMP NM PROGRAM
[unused]

In every program, a switch tests the attention flag with one instruction and loads only the job's
own five bytes. With `unused`, the program only yields, so it may hold nothing of timers, signals
and select, and its step touches no memory.
"""

import re
import subprocess
import sys

UNUSED = re.compile(r"timers::|isr_signal|select|sleep_(for|until)|wait_in|wait_list|baton_avr_now")
FLAG = re.compile(r"^0x1e, 0$")
LONGEST_SWITCH = 20


def code_of(listing: str, function: str) -> "list[tuple[int, str, str]]":
    """Returns address, mnemonic and operands of the first function whose name matches."""
    found, inside = [], False
    for line in listing.splitlines():
        if head := re.match(r"[0-9a-f]+ <(.*)>:$", line):
            inside = bool(re.search(function, head[1])) and not found
        elif inside and (code := re.match(r" +([0-9a-f]+):\t[0-9a-f ]+\t(\S+)\s*([^;]*)", line)):
            found.append((int(code[1], 16), code[2], code[3].strip()))
    return found


def target(address: int, operands: str) -> int:
    """Returns the target of a relative jump."""
    return address + 2 + int(operands.removeprefix("."))


def switch_path(code: "list[tuple[int, str, str]]") -> "list[tuple[int, str, str]]":
    """Returns the instructions of a switch without attention, between two tests of the flag."""
    call = next(i for i, (_, mnemonic, _) in enumerate(code) if mnemonic == "icall")
    at = {address: i for i, (address, _, _) in enumerate(code)}
    for end in range(call, len(code)):
        address, mnemonic, operands = code[end]
        if mnemonic != "rjmp" or target(address, operands) not in at:
            continue
        test = at[target(address, operands)]
        if code[test][1] in ("sbis", "sbic") and FLAG.match(code[test][2]):
            skip = code[test + 1]
            start = at[target(skip[0], skip[2])] if code[test][1] == "sbis" else test + 2
            return [code[test], skip, *code[start : end + 1]]
    raise ValueError("found no loop from a call of a step back to the test of the flag")


def faults_of_switch(path: "list[tuple[int, str, str]]") -> "list[str]":
    """Returns the forbidden parts of a switch."""
    words = [mnemonic for _, mnemonic, _ in path]
    faults = [f"a switch holds {word}" for word in words if re.match(r"lds|r?call|cli|in$|push|pop", word)]
    if sum(operands == "0x1e, 0" for _, _, operands in path) != 1:
        faults.append("a switch tests the flag more than once")
    if sum(word in ("ld", "ldd") for word in words) != 5:
        faults.append("a switch loads more or less than link, function and label")
    if len(path) > LONGEST_SWITCH:
        faults.append(f"a switch is {len(path)} instructions, not {LONGEST_SWITCH}")
    return faults


def main() -> int:
    """Prints each fault."""
    objdump, nm, program, *unused = sys.argv[1:]
    listing = subprocess.run([objdump, "-d", "-C", program], capture_output=True, text=True, timeout=60, check=True).stdout
    symbols = subprocess.run([nm, "-C", program], capture_output=True, text=True, timeout=60, check=True).stdout
    path = switch_path(code_of(listing, r"scheduler::run\(\)"))
    faults = faults_of_switch(path)
    if not faults_of_switch([path[0], (0, "lds", "r24, 0x0100"), *path[1:]]):
        faults.append("this check does not see a load that was put into the path")
    if unused:
        faults += [f"holds {line.split(maxsplit=2)[-1]}" for line in symbols.splitlines() if UNUSED.search(line)]
        step = code_of(listing, r"body.*::run_")
        faults += [f"the step holds {i[1]} {i[2]}" for i in step if re.match(r"ld|st|push|pop|call", i[1]) and i[1] != "ldi"]
    print("\n".join(faults) or f"a switch is {len(path)} instructions")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
