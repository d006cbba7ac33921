# SPDX-License-Identifier: MIT
"""Checks that misuse does not compile, and that the first error names the mistake.

usage: compile_fail.py KIND CASE COMPILER [FLAG...], with the KIND g++, clang++ or avr-g++. A case
is one source: with FAILS=1 it has the misuse, with FAILS=0 the right way, which must compile
without a warning. Its head states the expectation:

// error: REGEX             in the line of the first error, with every compiler
// error g++ clang++: REGEX with these
// silent: REASON           it compiles; docs/limits.md must say so
// errors: NUMBER           as many lines are diagnosed, each for that reason
// lines: NUMBER            the compiler's output is no longer, so that it fits on a screen
// only: g++ ...            // not: avr-g++ ...
"""

import re
import subprocess
import sys
from pathlib import Path

SKIPPED = 77


def compiles(source: Path, fails: int, command: "list[str]") -> "tuple[bool, str]":
    """Compiles the source; returns whether it compiles, and the compiler's output."""
    words = [*command, f"-DFAILS={fails}", "-c", str(source), "-o", "/dev/null"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False, env={"LC_ALL": "C", "PATH": "/usr/local/bin:/usr/bin:/bin"})
    return done.returncode == 0, done.stdout + done.stderr


def expectation(source: Path, kind: str) -> "tuple[str, str]":
    """Reads a case's expectation for a compiler: error, silent or skip, and the text."""
    found = ("", "")
    for word, kinds, text in re.findall(r"^// (error|silent|only|not)((?: [a-z+-]+)*): (.*)$", source.read_text(), re.M):
        if word == "only" and kind not in text.split() or word == "not" and kind in text.split():
            return "skip", ""
        if word in ("error", "silent") and (not kinds or kind in kinds.split()):
            found = (word, text)
    return found


def lines_of(output: str, source: Path, text: str) -> "set[str]":
    """Gives the lines of the source that have an error of the reason."""
    return {m[1] for m in re.finditer(rf"^\S*{re.escape(source.name)}:(\d+):\d+: error: (.*)$", output, re.M) if re.search(text, m[2])}


def main() -> int:
    """Compiles a case and its twin."""
    kind, source, command = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
    word, text = expectation(source, kind)
    if word == "skip":
        return SKIPPED
    if not word:
        print(f"{source.name}: says nothing about {kind}")
        return 1
    good, output = compiles(source, 0, command)
    if not good:
        print(f"{source.name}: the right way does not compile\n{output}")
        return 1
    good, output = compiles(source, 1, command)
    if good != (word == "silent"):
        print(f"{source.name}: " + ("the misuse compiles" if good else f"is diagnosed, update its head and the docs\n{output}"))
        return 1
    first = next((line for line in output.splitlines() if "error:" in line), "")
    if word == "error" and not re.search(text, first):
        print(f"{source.name}: the first error should say: {text}\n{output}")
        return 1
    all_of_them = re.search(r"^// errors: (\d+)$", source.read_text(), re.M)
    if word == "error" and all_of_them and len(lines_of(output, source, text)) != int(all_of_them[1]):
        print(f"{source.name}: {all_of_them[1]} lines should be diagnosed, not {len(lines_of(output, source, text))}\n{output}")
        return 1
    most = re.search(r"^// lines: (\d+)$", source.read_text(), re.M)
    if most and len(output.splitlines()) > int(most[1]):
        print(f"{source.name}: the compiler says more than {most[1]} lines\n{output}")
        return 1
    print(first or "compiles")
    return 0


if __name__ == "__main__":
    sys.exit(main())
