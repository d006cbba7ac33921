# SPDX-License-Identifier: MIT
"""Tests the promises of emulators/run for a user-mode emulator.

usage: user_test.py AARCH64_GCC PLUGIN
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from arm import RunnerTest
from support import main

MARKS = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
__asm__(".text\\n.global baton_mark_start, baton_mark_stop\\n"
        ".type baton_mark_start, %function\\n.type baton_mark_stop, %function\\n"
        "baton_mark_start: ret\\nbaton_mark_stop: ret\\n");
#define MARKED(instructions) \\
  __asm__ volatile("bl baton_mark_start\\n" instructions "\\nbl baton_mark_stop" ::: "x0", "x1", "x2", "x30", "memory")
"""
LOOP = r'MARKED("mov x1, #100\n1: subs x1, x1, #1\nstr x1, [sp, #-16]\nldp x0, x2, [sp]\nb.ne 1b");'


class UserTest(RunnerTest):
    description = """
        name = "user"
        mhz = 1000
        [emulator]
        kind = "qemu"
        program = "qemu-aarch64"
        """

    def compile(self, body: str, before: str = "", *options: str) -> Path:
        source, program = self.folder / "program.c", self.folder / "program"
        source.write_text(f"{MARKS}{before}\nint main(void) {{\n{body}\nreturn 0;\n}}\n")
        words = [self.compiler, "-O1", "-Wall", *(options or ("-static",)), str(source), "-o", str(program)]
        subprocess.run(words, check=True, timeout=60)
        return program

    def test_an_interval_counts_every_instruction(self) -> None:
        line = r"baton-bench/1 value=#0 empty=#1 reads=#r0 writes=#w0 iterations=1\n"
        for options in (("-static",), ("-static-pie",)):
            program = str(self.compile(f'{LOOP} MARKED(""); printf("{line}");', "", *options))
            runs = [self.start(program) for _ in range(10)]
            expected = b"baton-bench/1 value=401.000 empty=0.000 reads=200.000 writes=100.000 iterations=1\n"
            self.assertEqual({run.text for run in runs}, {expected}, options)

    def test_the_program_names_the_exit_code(self) -> None:
        self.check_end(self.run_c("return 70;"), "finished", 70)

    def test_it_ends_at_the_same_instruction_after_its_lines(self) -> None:
        program = str(self.compile(r'for (;;) { printf("line\n"); fflush(stdout); }'))
        runs = [self.start("--lines", "3", program) for _ in range(3)]
        self.assertEqual({run.text for run in runs}, {b"line\n" * 3})
        self.assertEqual(len({str(run.facts) for run in runs}), 1, [run.facts for run in runs])

    def test_a_crash_is_a_crash(self) -> None:
        got = self.run_c(r'printf("on the way\n"); fflush(stdout); *(volatile int*)16 = 1;')
        self.check_end(got, "crashed", 125)
        self.assertEqual(got.text, b"on the way\n")

    def test_a_hang_ends_at_as_many_instructions_as_the_limit_allows(self) -> None:
        got = self.run_c("for (volatile int i = 0;; ++i) {}", "--limit-ms", "100")
        self.check_end(got, "limit", 124)
        self.assertGreater(got.facts["instructions"], 100_000_000)

    def test_sleeping_for_ever_is_a_hang(self) -> None:
        got = self.run_c("for (;;) pause();", "--limit-ms", "20")
        self.check_end(got, "limit", 124)
        self.assertIn("waits", got.errors)

    def test_a_hang_ends_at_the_real_limit(self) -> None:
        self.check_end(self.run_c("for (;;) pause();", "--wall-s", "1"), "limit", 124)

    def test_what_is_sent_is_the_standard_input(self) -> None:
        got = self.run_c(
            "char c; do { c = getchar(); putchar(c); } while (c != 10);", "--send", r"1:hel", "--send", r"9:lo\n"
        )
        self.assertEqual(got.text, b"hello\n")

    def test_its_input_is_not_the_runner_s(self) -> None:
        command = [*self.command("--limit-ms", "20"), str(self.compile("return getchar();"))]
        got = subprocess.run(command, input=b"x", capture_output=True, check=False, timeout=60)
        self.assertEqual(got.returncode, 124)


if __name__ == "__main__":
    main()
