# SPDX-License-Identifier: MIT
"""Counts the lines that a program compiles to use a library through its thin headers.

usage: lines_test.py PROJECT COMPILER

The lines are counted after the preprocessor, without blank ones: unlike seconds they are the same
in every run. A header that includes Boost, or <thread>, or a third of the standard library shows
here at once.
"""

import subprocess
import sys
import unittest
from pathlib import Path

PROJECT, COMPILER = Path(), ""

# The most lines that a program may have.
MOST = {
    "19_services": 67000,
    "26_http_ping_pong": 70520,
    "27_tcp_echo": 67200,
    "30_websocket_echo": 70420,
}
MODULES = ("core", "async", "asio", "service", "components", "ports/host", "ports/host/common", "boards/host", "families/hosted")


def lines_of(*words: str) -> int:
    """Returns the number of lines of a source after the preprocessor."""
    roots = [f"-I{PROJECT / module / 'include'}" for module in MODULES]
    command = [COMPILER, "-std=gnu++20", "-O2", "-DNDEBUG", "-DBOOST_ASIO_SEPARATE_COMPILATION", "-E", "-P", *roots, *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return sum(1 for line in done.stdout.splitlines() if line.strip())


class LinesTest(unittest.TestCase):
    def test_no_program_compiles_more_than_it_may(self) -> None:
        for example, most in MOST.items():
            with self.subTest(example):
                lines = lines_of(str(PROJECT / "examples" / example / "main.cpp"))
                print(f"{example}: {lines} of {most} lines")
                self.assertLessEqual(lines, most)

    def test_what_is_too_much_is_found(self) -> None:
        """Includes a header of the standard library that the service's headers do without."""
        lines = lines_of("-include", "thread", "-include", "regex", str(PROJECT / "examples/19_services/main.cpp"))
        self.assertGreater(lines, MOST["19_services"])


if __name__ == "__main__":
    PROJECT, COMPILER = Path(sys.argv[1]), sys.argv[2]
    unittest.main(argv=sys.argv[:1], verbosity=2)
