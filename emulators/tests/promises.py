# SPDX-License-Identifier: MIT
"""Tests the promises of emulators/run for a run in any emulator, each by a small C program.

A program has print(), put(), get(), leave() and MARKED("assembly"), an interval around it.
"""

from __future__ import annotations

import os
import signal
import subprocess

from support import SECONDS, RunnerTest, children, ends_soon

FOR_EVER = "for (;;) {}"


class Promises(RunnerTest):
    """The tests. The attributes come first; each emulator sets them to its own values."""

    count = "cycles"  # the count in the line of JSON, so many per millisecond:
    count_per_ms = 0
    limit_delta = 10
    sent_within_ms = 2
    loop, loop_counts = "", 0  # assembly, and its count
    stop = ""  # a mark that ends an interval
    ticks = ("", "")  # a program that interrupts itself, and the code before its main()

    # ---- console ----

    def test_the_text_arrives_byte_for_byte(self) -> None:
        got = self.run_c(r'print("\033[1mone\r\n"); print("two\n"); print("no end");')
        self.assertEqual(got.text, b"\x1b[1mone\r\ntwo\nno end")

    def test_garbage_arrives_byte_for_byte(self) -> None:
        got = self.run_c("for (unsigned i = 0; i < 10000; ++i) put((uint8_t)(i == 10 ? 0 : i % 251));")
        self.assertEqual(got.text, bytes(0 if i == 10 else i % 251 for i in range(10000)))

    def test_what_is_sent_arrives_at_its_time(self) -> None:
        got = self.run_c("for (int i = 0; i < 5; ++i) put(get());", "--send", "250:hel", "--send", r"300:l\x6f")
        self.assertEqual(got.text, b"hello")
        self.assertGreater(got.facts[self.count], 300 * self.count_per_ms)
        self.assertLess(got.facts[self.count], (300 + self.sent_within_ms) * self.count_per_ms)

    def test_every_byte_can_be_sent(self) -> None:
        got = self.run_c("for (int i = 0; i < 8; ++i) put(get());", "--send", r"9:\n\r\t\\\x00\xfF" + "\u00e9")
        self.assertEqual(got.text, b"\n\r\t\\\x00\xff\xc3\xa9")

    # ---- ends ----

    def test_the_program_names_the_exit_code(self) -> None:
        for code in (0, 1, 70, 200):
            self.check_end(self.run_c(f"leave({code});"), "finished", code)

    def test_a_hang_ends_at_the_limit_of_the_board_s_time(self) -> None:
        got = self.run_c('print("last words"); for (;;) {}', "--limit-ms", "50")
        self.check_end(got, "limit", 124)
        self.assertEqual(got.text, b"last words")
        self.assertAlmostEqual(got.facts[self.count], 50 * self.count_per_ms, delta=self.limit_delta)

    def test_a_hang_ends_at_the_real_limit(self) -> None:
        self.check_end(self.run_c(FOR_EVER, "--limit-ms", "4000000000", "--wall-s", "1"), "limit", 124)

    def test_a_number_of_lines_is_an_end_at_the_same_instruction_in_every_run(self) -> None:
        program = str(self.compile('for (;;) print("line\\n");'))
        runs = [self.start(*self.usual, "--lines", "3", "--stack", program) for _ in range(5)]
        self.assertEqual(len({str(run.facts) for run in runs}), 1, [run.facts for run in runs])
        self.check_end(runs[0], "lines", 0)
        self.assertEqual({run.text for run in runs}, {b"line\n" * 3})

    def test_every_run_counts_the_same(self) -> None:
        body, before = self.ticks
        program = str(self.compile(body, before))
        runs = [self.start(*self.usual, "--stack", program) for _ in range(3)]
        self.check_end(runs[0], "finished", 0)
        self.assertEqual(len({(run.text, str(run.facts)) for run in runs}), 1, [run.facts for run in runs])
        self.assertIn(b"tick\n", runs[0].text)

    # ---- the runner's own end ----

    def begin(self, body: str) -> tuple[subprocess.Popen[bytes], int]:
        """Starts a run that has printed a line; returns it and the process of its emulator."""
        program = str(self.compile(f'print("begun\\n"); {body}'))
        runner = subprocess.Popen(
            self.command("--limit-ms", "4000000000", program), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.addCleanup(runner.wait)
        self.addCleanup(runner.kill)
        assert runner.stdout is not None
        self.addCleanup(runner.stdout.close)
        self.assertEqual(runner.stdout.readline(), b"begun\n")
        (emulator,) = children(runner.pid)
        return runner, emulator

    def test_no_emulator_outlives_its_runner(self) -> None:
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            runner, emulator = self.begin(FOR_EVER)
            runner.send_signal(number)
            runner.wait(SECONDS)
            self.assertTrue(ends_soon(emulator), f"{number!r} left the emulator running")

    def test_it_ends_when_nobody_reads(self) -> None:
        for body in (FOR_EVER, 'for (;;) print("more\\n");'):
            runner, emulator = self.begin(body)
            assert runner.stdout is not None
            runner.stdout.close()
            self.assertNotEqual(runner.wait(SECONDS), 0)
            self.assertTrue(ends_soon(emulator), body)

    def test_an_emulator_that_breaks_is_a_crash(self) -> None:
        runner, emulator = self.begin(FOR_EVER)
        os.kill(emulator, signal.SIGKILL)
        self.assertEqual(runner.wait(SECONDS), 125)

    # ---- measuring ----

    def record(self, assembly: str, iterations: int = 1) -> str:
        got = self.run_c(f'MARKED("{assembly}"); print("baton-bench/1 value=#0 iterations={iterations}\\r\\n");')
        self.check_end(got, "finished", 0)
        return got.word("value")

    def test_an_empty_interval_is_nothing(self) -> None:
        self.assertEqual(self.record(""), "0.000")

    def test_an_interval_counts_everything(self) -> None:
        for iterations in (1, 3):
            self.assertEqual(self.record(self.loop, iterations), f"{self.loop_counts / iterations:.3f}")

    def test_a_record_without_its_interval_says_missing(self) -> None:
        line = "baton-bench/1 suite=a value=#1 base=#0 reads=#r1 iterations=2\\n"
        got = self.run_c(f'{self.stop} MARKED(""); print("{line}"); print("{line}");')
        self.assertEqual(
            got.text.decode().splitlines(),
            ["baton-bench/1 suite=a value=missing base=0.000 reads=missing iterations=2",
             "baton-bench/1 suite=a value=missing base=missing reads=missing iterations=2"],
        )  # fmt: skip

    def test_only_whole_record_values_are_replaced(self) -> None:
        lines = [
            "value=#0 iterations=1",
            "baton-bench/2 value=#0 iterations=1",
            "baton-bench/1 =#0 a=# b=#x c=#0x d=##0 e=#r f=#q0 #0  two spaces",
            "baton-bench/1 value=#99999999999999999999 iterations=1",
            "baton-bench/1 value=#0 iterations=0",
            "baton-bench/1 value=#0 iterations=none",
        ]
        got = self.run_c("".join(f'MARKED(""); print("{line}\\n");' for line in lines)).text.decode().splitlines()
        self.assertEqual(got[:2], lines[:2])
        self.assertEqual(got[2], "baton-bench/1 =missing a=# b=#x c=#0x d=##0 e=#r f=#q0 #0  two spaces")
        self.assertEqual(got[3], lines[3])
        self.assertEqual([line.split()[1] for line in got[4:]], ["value=missing"] * 2)

    # ---- usage ----

    def test_bad_usage_says_what_is_wrong(self) -> None:
        program = str(self.compile(""))
        text = self.folder / "text.elf"
        text.write_text("no program")
        for why, *arguments in (
            (r"program\.elf", "--lines", "1"),
            ("not a number", "--limit-ms", "soon", program),
            ("MS:TEXT", "--send", "hello", program),
            ("escape", "--send", r"1:\q", program),
            ("0 is no speed", "--baud", "0", program),
            ("no such file", str(self.folder / "none.elf")),
            (r"text\.elf is no ELF file", str(text)),
            ("is no ELF file", "/dev/null"),
            (r"\[emulator\]", "--board", self.other_board('[emulator]\nkind = "bochs"'), program),
            ("line 2", "--board", self.other_board("mhz = 1\nmhz = 2\n"), program),
            ("unrecognized", "--colour", program),
        ):
            self.check_refused(why, *arguments)

    def test_a_program_that_the_chip_does_not_hold_is_refused_by_name_and_size(self) -> None:
        program = str(self.compile('many[0] = 1; print("ran\\n");', "volatile int many[9];"))
        for flash, ram, why in (
            (100, 10**9, r"program\.elf: takes \d+ bytes of flash, and small has 100"),
            (10**9, 1, r"program\.elf: takes \d+ bytes of RAM, and small has 1"),
        ):
            board = self.other_board(f"{self.description}\n[memory]\nflash_bytes = {flash}\nram_bytes = {ram}\n")
            self.check_refused(why, "--board", board, program)
        board = self.other_board(f"{self.description}\n[memory]\nflash_bytes = 99999\nram_bytes = 99999\n")
        self.assertEqual(self.start("--board", board, program).text, b"ran\n")
