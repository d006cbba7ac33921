# SPDX-License-Identifier: MIT
"""Runs a program and reports how it ended. kill.py [OPTION...] -- COMMAND...

--killed-by WAY,...  the mutant has to end in one of these ways:
                     exit       by itself, with a bad verdict: the exit code 1
                     signal     by a signal, of an assertion or a bad access
                     sanitizer  with a report of a sanitizer
                     crash      stopped by its emulator, for a bad access or instruction
                     hang       not at all, within the limit
                     silence    well, if the program's purpose is a report
--survives           the control: the program has to end by itself, with exit code 0 and without a
                     report
--says REGEX         the output has to match this, in addition
--case NAME          runs only the test case whose name begins so: it has to fail; in the control,
                     which may have several, it has to pass
--limit-s N          limit of real time; a program that takes longer hangs
--runs N             at most so many runs, of which one has to kill the mutant
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys

SANITIZER = re.compile(
    r"WARNING: ThreadSanitizer|ThreadSanitizer: (?:CHECK failed|SEGV)|ERROR: AddressSanitizer|__asan_handle_no_return"
    r"|: runtime error:"
)
WAYS = {0: "good", 1: "exit", 124: "hang", 125: "crash"}
"""The meanings of exit codes; the last two are an emulator's."""


def run(command: list[str], limit_s: float) -> tuple[str, str]:
    """Runs the program; returns how it ended, and its output."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        output, _ = process.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        process.terminate()
        try:
            output, _ = process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            output, _ = process.communicate()
        return "hang", output.decode(errors="replace")
    text = output.decode(errors="replace").replace("\r", "")
    code = process.returncode
    if SANITIZER.search(text):
        return "sanitizer", text
    if code < 0 or code >= 128:
        return "signal", text
    return WAYS.get(code, f"exit code {code}"), text


def fault_of_control(way: str, text: str, cases: list[str]) -> str:
    """Describes the bad end of a program without a mutation; nothing if the end is good."""
    if way != "good":
        return f"the control, which has no mutation, ends by: {way}"
    passed = re.search(r"\b(\d+) passed, 0 failed", text)
    if cases and (not passed or int(passed[1]) < len(cases)):
        return f"not each of these test cases passes in the control: {', '.join(cases)}"
    return ""


def fault_of_kill(way: str, text: str, options: argparse.Namespace) -> str:
    """Describes the wrong end of a mutant; nothing if the end is as it has to be."""
    if way == "good" and "silence" not in options.killed_by:
        return "the mutant survives"
    way = "silence" if way == "good" else way
    if way not in options.killed_by:
        return f"the mutant ends by: {way}, and its entry says: {', '.join(options.killed_by)}"
    if options.case and way in ("exit", "hang") and "0 passed, 1 failed" not in text:
        return f"it is not the one test case '{options.case[0]}' that fails"
    if options.says and not re.search(options.says, text, re.S):
        return f"the mutant does not say: {options.says}"
    return ""


def main() -> int:
    """Prints the program's output, its end, and the fault of that end."""
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--killed-by", type=lambda text: text.split(","), default=[])
    parser.add_argument("--survives", action="store_true")
    parser.add_argument("--says")
    parser.add_argument("--case", action="append")
    parser.add_argument("--limit-s", type=float, default=60)
    parser.add_argument("--runs", type=int, default=1)
    own, command = sys.argv[1:], []
    if "--" in own:
        command = own[own.index("--") + 1 :]
        own = own[: own.index("--")]
    options = parser.parse_args(own)
    if not command or options.survives == bool(options.killed_by):
        parser.error("it needs a command, and either --killed-by or --survives")
    if options.case:
        command.append("--test-case=" + ",".join(f"{case}*" for case in options.case))
    problem, way = "", ""
    for _ in range(options.runs):
        way, text = run(command, options.limit_s)
        is_control = options.survives
        problem = fault_of_control(way, text, options.case or []) if is_control else fault_of_kill(way, text, options)
        print(text[-20000:], f"ended by: {way}", sep="\n", flush=True)
        if not problem:
            return 0
    print(problem)
    return 1


if __name__ == "__main__":
    sys.exit(main())
