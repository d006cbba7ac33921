#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the frame sizes that frame-sizes reads from a program with those of a run. Exit code 1 if they differ.

usage: frames_agree.py FRAME_SIZES PROGRAM COMMAND...
"""

import re
import subprocess
import sys


def main() -> int:
    """Print one line per coroutine."""
    frame_sizes, program, *command = sys.argv[1:]
    report = subprocess.run([sys.executable, frame_sizes, program], capture_output=True, text=True, check=True).stdout
    reported = {m[2]: int(m[1]) for m in re.finditer(r"^ +\d+ +(\d+)  (\w+)\(", report, re.MULTILINE)}
    ran = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    said = {m[1]: int(m[2]) for m in re.finditer(r"^(\w+)(?:\(\))? (\d+)\r?$", ran, re.MULTILINE)}
    if sorted(said) != ["ends", "keeps", "sends"]:
        print(f"the program printed the frames of {sorted(said)}:\n{ran}")
        return 2
    for name, size in said.items():
        print(f"{name}: {size} bytes of the pool, {reported.get(name)} reported")
    return 0 if said == {name: reported.get(name) for name in said} else 1


if __name__ == "__main__":
    sys.exit(main())
