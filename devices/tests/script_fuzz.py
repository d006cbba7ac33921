# SPDX-License-Identifier: MIT
"""Compares the two readers of scripts, this project's C++ and the emulators' Python, on changed scripts.

usage: script_fuzz.py DUMP CORPUS [COUNT]

The corpus has scripts, with a line `---` between two. Each is read as it stands, and then with
random changes: bytes that are replaced, dropped or inserted, words of another line, lines that are
doubled. Both readers have to find the same events, or the same error at the same place.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(1, str(Path(__file__).resolve().parents[2] / "emulators"))

from runner.script import ScriptError, parse  # noqa: E402

SEED = 59
LIMIT_SECONDS = 120
MOST_CHANGES = 2
LEAST_SHARE = 0.05
WORDS = (
    b"pin", b"adc", b"uart", b"expect", b"silence", b"within", b"for", b"low", b"high", b"5ms", b"+1us", b"3600s", b"100%",
    b"0d", b'"a"', b'"\\x41\\n"', b"#", b"4294967296us", b"button", b"9999999999s", b"+3600s", b"\\", b'"', b"\r", b"\xff",
)  # fmt: skip


def changed(text: bytes, chance: random.Random, others: list[bytes]) -> bytes:
    """Returns a script with some changes."""
    data = bytearray(text)
    for _ in range(chance.randint(1, MOST_CHANGES)):
        at = chance.randrange(len(data) + 1)
        kind = chance.randrange(5)
        if kind == 0 and at < len(data):
            data[at] = chance.randrange(256)
        elif kind == 1:
            del data[at : at + chance.randint(1, 8)]
        elif kind == 2:
            data[at:at] = chance.choice(WORDS) + (b" " if chance.random() < 0.5 else b"")
        elif kind == 3:
            data[at:at] = bytes([chance.randrange(256)])
        else:
            lines = chance.choice(others).split(b"\n")
            data[at:at] = chance.choice(lines) + b"\n"
    return bytes(data)


def expected(text: bytes) -> list[str]:
    """Returns what the Python reader makes of a script, as script_dump prints it."""
    lines = text.decode("latin-1").split("\n")
    try:
        events = parse("\n".join(lines))
        last = "end"
    except ScriptError as error:
        # The C++ reader has printed the events of the lines before.
        events = parse("\n".join(lines[: error.line - 1]))
        last = f"error {error.line} {error.column} {error.message}"
    return [
        f"{each.line} {each.at_us} {each.kind} {each.name or '-'} {each.value} {each.data.hex()}- {each.within_us}"
        for each in events
    ] + [last]


def dumped(program: str, scripts: list[bytes]) -> list[str]:
    """Returns the lines that the C++ reader prints."""
    given = b"".join(b"%d\n%s" % (len(each), each) for each in scripts)
    done = subprocess.run([program], input=given, capture_output=True, timeout=LIMIT_SECONDS, check=True)
    return done.stdout.decode("latin-1").splitlines()


def main() -> int:
    """Runs the comparison; returns the exit code."""
    program, corpus = sys.argv[1], Path(sys.argv[2]).read_bytes().split(b"---\n")
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 5000
    chance = random.Random(SEED)
    scripts = corpus + [changed(chance.choice(corpus), chance, corpus) for _ in range(count)]
    got = dumped(program, scripts)
    at, ends = 0, Counter[str]()
    for script in scripts:
        wanted = expected(script)
        if got[at : at + len(wanted)] != wanted:
            print(f"script: {script!r}\nPython: {wanted}\nC++: {got[at : at + len(wanted)]}")
            return 1
        at += len(wanted)
        ends[wanted[-1].split(maxsplit=3)[-1]] += 1
    for words, number in sorted(ends.items()):
        print(f"{number:6} {words}")
    good = ends["end"]
    if at != len(got) or min(good, len(scripts) - good) < LEAST_SHARE * len(scripts):
        print("the changes leave too few scripts right, or too few wrong")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
