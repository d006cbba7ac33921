# SPDX-License-Identifier: MIT
"""Runs a program until it has printed the lines of a file: prints.py EXPECTED COMMAND...

A program that prints another line after those is stopped; one that ends must end well.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

LIMIT_S = 30


def main() -> int:
    """Compares the output line by line."""
    expected, command = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines(), sys.argv[2:]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as program:
        assert program.stdout is not None
        signal.signal(signal.SIGALRM, lambda *_: os.killpg(program.pid, signal.SIGKILL))  # silence ends, too
        signal.alarm(LIMIT_S)
        try:
            for number, line in enumerate(expected, 1):
                printed = program.stdout.readline().rstrip("\r\n")
                if printed != line:
                    print(f'line {number}: printed "{printed}", expected "{line}"')
                    return 1
            if not program.stdout.readline() and program.wait() != 0:
                print(f"ended with {program.returncode}")
                return 1
        finally:
            signal.alarm(0)
            if program.poll() is None:
                os.killpg(program.pid, signal.SIGKILL)
    return 0


if __name__ == "__main__":
    sys.exit(main())
