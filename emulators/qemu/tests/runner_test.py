# SPDX-License-Identifier: MIT
"""What qemu-runner promises of a run, each shown by a small C program: runner_test.py PLUGIN ARM_GCC."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import unittest
from pathlib import Path

from arm import ArmTest
from support import SECONDS, RunnerTest, children, ends_soon, run, without_programs

FOR_EVER = "for (;;) {}"
NANOSECONDS_AN_INSTRUCTION = 64
IDLE_SECONDS = 5.0  # of the runner


class ConsoleTest(ArmTest):
    def test_the_text_arrives_byte_for_byte(self) -> None:
        got = self.run_c(r'print("\033[1mone\r\n"); print("two\n"); print("no end");')
        self.assertEqual(got.text, b"\x1b[1mone\r\ntwo\nno end")

    def test_garbage_arrives_byte_for_byte(self) -> None:
        got = self.run_c("for (int i = 0; i < 10000; ++i) put(i == 10 ? 0 : i % 251);")
        self.assertEqual(got.text, bytes(0 if i == 10 else i % 251 for i in range(10000)))

    def test_what_is_sent_arrives_at_its_time(self) -> None:
        got = self.run_c("for (int i = 0; i < 5; ++i) put(get());", "--send", "250:hel", "--send", r"300:l\x6f")
        self.assertEqual(got.text, b"hello")
        self.assertGreater(got.facts["instructions"] * NANOSECONDS_AN_INSTRUCTION, 300e6)
        self.assertLess(got.facts["instructions"] * NANOSECONDS_AN_INSTRUCTION, 302e6)

    def test_no_byte_is_lost_to_a_slow_program(self) -> None:
        body = "for (int i = 0; i < 9; ++i) { for (volatile int j = 0; j < 9999; ++j); put(get()); }"
        self.assertEqual(self.run_c(body, "--send", r"1:abc\\defgh").text, rb"abc\defgh")

    def test_a_receive_interrupt_sees_every_byte_also_asleep(self) -> None:
        before = "static volatile int left; static void take(char c) { put(c); --left; }"
        body = 'left = 6; on_byte = take; listen(); while (left) __asm__ volatile("wfi");'
        program = str(self.compile(body, before))
        runs = [self.start("--send", "7:abc", "--send", "900:def", program) for _ in range(10)]
        self.assertEqual({run.text for run in runs}, {b"abcdef"})
        self.assertEqual(len({run.facts["instructions"] for run in runs}), 1)
        self.assertLess(runs[0].facts["instructions"], 2000)


class EndTest(ArmTest):
    def test_the_program_names_the_exit_code(self) -> None:
        for code in (0, 1, 70, 200):
            self.check_end(self.run_c(f"leave({code});"), "finished", code)

    def test_a_hang_ends_at_the_virtual_limit(self) -> None:
        got = self.run_c('print("last words"); for (;;) {}', "--limit-ms", "50")
        self.check_end(got, "limit", 124)
        self.assertEqual(got.text, b"last words")
        self.assertEqual(got.facts["instructions"], 50_000_000 // NANOSECONDS_AN_INSTRUCTION)

    def test_sleeping_for_ever_is_a_hang(self) -> None:
        self.check_end(self.run_c('for (;;) __asm__ volatile("cpsid i\\n wfi");', "--limit-ms", "100000"), "limit", 124)

    def test_a_hang_ends_at_the_real_limit(self) -> None:
        self.check_end(self.run_c(FOR_EVER, "--limit-ms", "4000000000", "--wall-s", "1"), "limit", 124)

    def test_a_number_of_lines_is_an_end(self) -> None:
        got = self.run_c('for (;;) print("line\\n");', "--lines", "3")
        self.check_end(got, "lines", 0)
        self.assertEqual(got.text, b"line\n" * 3)

    def test_it_ends_at_the_same_instruction_after_its_lines(self) -> None:
        program = str(self.compile('for (;;) print("line\\n");'))
        runs = [self.start("--lines", "3", "--stack", program) for _ in range(5)]
        self.assertEqual(len({str(run.facts) for run in runs}), 1, [run.facts for run in runs])

    def test_a_fault_is_a_crash(self) -> None:
        got = self.run_c('print("on the way\\n"); *(volatile int*)0xfffffff0;')
        self.check_end(got, "crashed", 125)
        self.assertEqual(got.text, b"on the way\nFAULT\n")

    def test_a_jump_out_of_the_code_is_a_crash(self) -> None:
        got = self.run_c('print("on the way\\n"); ((void (*)(void))0x10001)();')
        self.check_end(got, "crashed", 125)
        self.assertIn("0x10000", got.errors)

    def test_a_fault_in_the_fault_handler_is_a_crash(self) -> None:
        self.check_end(self.start(str(self.compile("*(volatile int*)0xfffffff0;", "", "-DLOCKS_UP"))), "crashed", 125)


class KillTest(ArmTest):
    def begin(self, body: str) -> tuple[subprocess.Popen[bytes], int]:
        """A run that has printed a line; the process of its QEMU."""
        program = str(self.compile(f'print("begun\\n"); {body}'))
        runner = subprocess.Popen(
            self.command("--limit-ms", "4000000000", program), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.addCleanup(runner.wait)
        self.addCleanup(runner.kill)
        assert runner.stdout is not None
        self.addCleanup(runner.stdout.close)
        self.assertEqual(runner.stdout.readline(), b"begun\n")
        (qemu,) = children(runner.pid)
        return runner, qemu

    def test_no_qemu_outlives_its_runner(self) -> None:
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            runner, qemu = self.begin(FOR_EVER)
            runner.send_signal(number)
            runner.wait(SECONDS)
            self.assertTrue(ends_soon(qemu), f"{number!r} left QEMU running")

    def test_a_qemu_that_gets_no_processor_is_not_taken_for_asleep(self) -> None:
        runner, qemu = self.begin(FOR_EVER)
        os.kill(qemu, signal.SIGSTOP)
        with self.assertRaises(subprocess.TimeoutExpired):
            runner.wait(IDLE_SECONDS + 1)

    def test_it_ends_when_nobody_reads(self) -> None:
        for body in (FOR_EVER, 'for (;;) print("more\\n");'):
            runner, qemu = self.begin(body)
            assert runner.stdout is not None
            runner.stdout.close()
            self.assertNotEqual(runner.wait(SECONDS), 0)
            self.assertTrue(ends_soon(qemu), body)


class UsageTest(ArmTest):
    def check_refused(self, why: str, *arguments: str, environment: dict[str, str] | None = None) -> None:
        got = run(self.command(*arguments), environment)
        self.assertEqual((got.code, got.text), (2, b""), got.errors)
        self.assertIn(why, got.errors)

    def test_bad_usage_says_what_is_wrong(self) -> None:
        program = str(self.compile(""))
        text = self.folder / "text.elf"
        text.write_text("no program")
        for why, *arguments in (
            ("program.elf", "--lines", "1"),
            ("not a number", "--limit-ms", "soon", program),
            ("MS:TEXT", "--send", "hello", program),
            ("escape", "--send", r"1:\q", program),
            ("no such file", str(self.folder / "none.elf")),
            ("not a program (ELF)", str(text)),
            ("[emulator]", "--board", self.other_board('[emulator]\nkind = "simavr"'), program),
            ("line 2", "--board", self.other_board("mhz = 1\nmhz = 2\n"), program),
            ("--target baton-count", "--plugin", "/nowhere/libbaton-count.so", program),
            ("unrecognized", "--colour", program),
        ):
            self.check_refused(why, *arguments)

    def test_a_missing_emulator_names_what_installs_it(self) -> None:
        self.check_refused("./baton setup small", str(self.compile("")), environment=without_programs())

    def test_a_program_that_the_chip_does_not_hold_is_refused_by_name_and_size(self) -> None:
        program = self.compile('print("ran\\n");')
        for flash, ram, why in (
            (100, 10**9, r"program\.elf: takes \d+ bytes of flash, and small has 100"),
            (10**9, 1, r"program\.elf: takes \d+ bytes of RAM, and small has 1"),
        ):
            board = self.other_board(f"{self.description}\n[memory]\nflash_bytes = {flash}\nram_bytes = {ram}\n")
            got = run(self.command("--board", board, str(program)))
            self.assertEqual((got.code, got.text), (2, b""), got.errors)
            self.assertRegex(got.errors, why)
        board = self.other_board(f"{self.description}\n[memory]\nflash_bytes = 99999\nram_bytes = 99999\n")
        self.assertEqual(run(self.command("--board", board, str(program))).text, b"ran\n")

    def test_a_machine_that_qemu_lacks_is_no_run(self) -> None:
        board = self.other_board(self.description.replace("mps2-an386", "mps9"))
        self.check_refused("mps9", "--board", board, str(self.compile("")))

    def other_board(self, text: str) -> str:
        path = self.folder / f"other{len(text)}.toml"
        path.write_text(text)
        return str(path)


if __name__ == "__main__":
    RunnerTest.plugin, RunnerTest.compiler = Path(sys.argv[1]), sys.argv[2]
    unittest.main(argv=sys.argv[:1], verbosity=2)
