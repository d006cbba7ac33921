# SPDX-License-Identifier: MIT
"""Tests the promises of emulators/run for a run in QEMU, each by a small C program.

usage: runner_test.py ARM_GCC PLUGIN
"""

from __future__ import annotations

import os
import signal
import subprocess

from arm import ArmTest
import promises
from support import main, without_programs

IDLE_SECONDS = 5.0  # the runner's own


class QemuTest(promises.Promises, ArmTest):
    count, count_per_ms, limit_delta = "instructions", 1_000_000 // 64, 0
    loop, loop_counts = r"movs r1, #100\n1: nop\nsubs r1, #1\nbne 1b", 301
    stop = '__asm__ volatile("bl baton_mark_stop" ::: "lr");'
    ticks = (
        "REGISTER(0xe000e014) = 999; REGISTER(0xe000e018) = 0; REGISTER(0xe000e010) = 7;"
        'while (n < 500) print("tick\\n");',
        "static volatile int n; void on_tick(void) { ++n; }",
    )

    def compile(self, body: str, before: str = "", *options: str):  # type: ignore[no-untyped-def]  # as above
        return super().compile(body, before, *options, *(["-DTICK=on_tick"] if "on_tick" in before else []))

    # ---- particular to QEMU ----

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

    def test_sleeping_for_ever_is_a_hang(self) -> None:
        self.check_end(self.run_c('for (;;) __asm__ volatile("cpsid i\\n wfi");', "--limit-ms", "100000"), "limit", 124)

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

    def test_a_qemu_that_gets_no_processor_is_not_taken_for_asleep(self) -> None:
        runner, qemu = self.begin(promises.FOR_EVER)
        os.kill(qemu, signal.SIGSTOP)
        with self.assertRaises(subprocess.TimeoutExpired):
            runner.wait(IDLE_SECONDS + 1)

    # ---- scripts ----

    lamp = "enum { led = 0x40028000 };"
    echo = "for (;;) { const char c = get(); REGISTER(led) = c == 'a'; put(c); }"

    def play(self, script: str, body: str):  # type: ignore[no-untyped-def]  # an Outcome
        self.board.write_text(self.description + '[pins]\nled = "0x40028000:0"\nno = "/machine/nothing[0]"\n')
        path = self.folder / "a.script"
        path.write_text(script)
        return self.start("--script", str(path), str(self.compile(body, self.lamp)))

    def test_a_script_sends_bytes_and_sees_text_and_level_at_their_times(self) -> None:
        script = """20ms uart "a"
            +0us expect uart "a" within 10us
            +0us expect pin led high within 10us
            30ms uart "bc"
            +87us expect uart "c" within 10us
            +0us expect pin led low within 10us
            +1ms expect silence for 5ms"""
        runs = [self.play(script, self.echo) for _ in range(3)]
        self.check_end(runs[0], "script", 0)
        self.assertEqual({(run.text, str(run.facts)) for run in runs}, {(b"abc", str(runs[0].facts))})

    def test_a_script_that_is_not_met_names_its_lines(self) -> None:
        got = self.play('20ms uart "a"\n+0us expect uart "b" within 5ms\n+0us expect pin led low within 1us', self.echo)
        self.check_end(got, "script", 1)
        self.assertRegex(got.errors, r'a\.script:2: expected "b" from 20 ms to 25 ms; the program sent "a"')

    def test_a_pin_that_the_machine_lacks_is_no_run(self) -> None:
        got = self.play("20ms pin no low", self.echo)
        self.assertEqual(got.code, 2, got.errors)
        self.assertIn("this machine has no line /machine/nothing[0]", got.errors)

    def test_a_plugin_that_is_not_there_says_how_it_is_made(self) -> None:
        self.check_refused("cmake --build build/emulators", "--plugin", "/nowhere/libbaton-count.so", str(self.compile("")))

    def test_a_missing_emulator_names_what_installs_it(self) -> None:
        self.check_refused("./baton setup small", str(self.compile("")), environment=without_programs())

    def test_a_machine_that_qemu_lacks_is_no_run(self) -> None:
        board = self.other_board(self.description.replace("mps2-an386", "mps9"))
        self.check_refused("mps9", "--board", board, str(self.compile("")))


if __name__ == "__main__":
    main()
