# SPDX-License-Identifier: MIT
"""Tests the promises of emulators/run for a run in rp2040js, each by a small C program.

usage: runner_test.py ARM_GCC
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(1, str(HERE.parents[1] / "tests"))

import promises  # noqa: E402
from support import main  # noqa: E402

NANO = HERE.parents[2] / "boards" / "nano" / "board.toml"
MS = 125_000  # cycles per millisecond, at the speed that a program finds


class Rp2040Test(promises.Promises):
    here = HERE
    flags = ("-mcpu=cortex-m0plus", "-mthumb", "-masm-syntax-unified", "--param=min-pagesize=0", "-Werror",
             "-ffreestanding", "-nostdlib", f"-T{HERE / 'program.ld'}")  # fmt: skip
    usual = ("--limit-ms", "2000")
    description = 'name = "small"\n[emulator]\nkind = "rp2040js"\n'
    count_per_ms, sent_within_ms = MS, 1
    # 100 rounds of 4 cycles, 1 less for the branch that falls through, 1 for `movs`.
    loop, loop_counts = r"movs r0, #100\n1: nop\n subs r0, #1\n bne 1b", 400
    stop = '__asm__("bl baton_mark_stop" ::: "lr");'
    ticks = (
        "REGISTER(0xe000e014) = 999; REGISTER(0xe000e018) = 0; REGISTER(0xe000e010) = 7;"
        'while (n < 500) print("tick\\n");',
        "volatile int n; void on_systick(void) { ++n; }",
    )

    def compile(self, body: str, before: str = "", *options: str) -> Path:
        return super().compile(body, before, *options, *(["-DOWN_FAULT"] if "on_fault" in before else []))

    def check_fault(self, body: str, why: str, before: str = "") -> None:
        got = self.run_c(body, before=before)
        self.check_end(got, "crashed", 125)
        self.assertEqual(got.text, b"FAULT\n")
        self.assertIn(why, got.errors)

    # ---- console ----

    def test_a_receive_interrupt_sees_every_byte_and_ends_sleep(self) -> None:
        before = "volatile int left = 6; void on_uart(void) { put(UART(0)); --left; }"
        body = 'UART(0x38) = 1 << 4; REGISTER(0xe000e100) = 1 << 20; while (left) __asm__("wfi");'
        self.assertEqual(self.run_c(body, "--send", "100:abcdef", before=before).text, b"abcdef")

    def test_an_interrupt_that_the_program_pends_comes_once(self) -> None:
        before = "volatile int n; void on_uart(void) { ++n; }"
        body = (
            'REGISTER(0xe000e100) = 1 << 20; REGISTER(0xe000e200) = 1 << 20; __asm__("nop");'
            'print(n == 1 ? "once\\n" : "not once\\n");'
        )
        self.assertEqual(self.run_c(body, before=before).text, b"once\n")

    # ---- pins ----

    # GPIO2: SIO, input enabled, no pull.
    pin = "REGISTER(0x40014014) = 5; REGISTER(0x4001c00c) = 1 << 6;"
    level = "put('0' + (REGISTER(0xd0000004) >> 2 & 1));"

    def test_a_pin_reads_its_output_its_pull_and_what_comes_from_outside(self) -> None:
        body = f"""{self.pin} {self.level}
            REGISTER(0x4001c00c) = 1 << 6 | 1 << 3; {self.level}
            REGISTER(0x4001c00c) = 1 << 6 | 1 << 2; {self.level}
            REGISTER(0xd0000014) = 4; REGISTER(0xd0000024) = 4; {self.level}
            REGISTER(0xd0000018) = 4; {self.level}
            REGISTER(0x4001c00c) = 1 << 6 | 1 << 3; REGISTER(0xd0000028) = 4; {self.level}
            while (REGISTER(0xd0000004) >> 2 & 1) {{}} {self.level}
            while (!(REGISTER(0xd0000004) >> 2 & 1)) {{}} {self.level}"""
        got = self.run_c(body, "--input", "20:2=0", "--input", "30:2=1")
        self.assertEqual(got.text, b"01010101")

    def test_the_adc_gets_its_voltage_from_outside(self) -> None:
        before = "void digits(unsigned v) { if (v > 9) digits(v / 10); put('0' + v % 10); }"
        body = """REGISTER(0x4000f000) = 1; REGISTER(0x4004c000) = 1;
            REGISTER(0x4004c000) = 1 << 12 | 5; while (!(REGISTER(0x4004c000) & 1 << 8)) {}
            digits(REGISTER(0x4004c004));"""
        self.assertEqual(self.run_c(body, "--input", "0:adc1=1650", before=before).text, b"2048")

    def test_a_watched_pin_tells_each_change(self) -> None:
        body = """REGISTER(0x400140cc) = 5; REGISTER(0xd0000024) = 1 << 25;
            REGISTER(0xd0000014) = 1 << 25; REGISTER(0xd0000014) = 1 << 25;
            REGISTER(0xd0000018) = 1 << 25; leave(0);"""
        got = self.run_c(body, "--watch", "25")
        told = [line.split()[1] for line in got.errors.splitlines() if line.startswith("pin ")]
        self.assertEqual(told, ["25=1", "25=0"], got.errors)

    def test_a_run_at_a_pace_takes_the_board_s_time(self) -> None:
        program = str(self.compile("for (volatile uint32_t n = 0; n < 1000000; ++n) {} leave(0);"))
        began = time.monotonic()
        got = self.start("--pace", *self.usual, program)
        self.check_end(got, "finished", 0)
        self.assertGreaterEqual(time.monotonic() - began, got.facts["cycles"] / self.count_per_ms / 1000 - 0.01)

    def test_a_pin_that_the_chip_lacks_is_refused(self) -> None:
        for wrong in ("0:D2=1", "0:30=1", "0:adc4=1", "0:2=2"):
            self.assertEqual(self.run_c("return 0;", "--input", wrong).code, 2, wrong)

    # ---- scripts ----

    def play(self, script: str, *more: str):  # type: ignore[no-untyped-def]  # an Outcome
        self.board.write_text(self.description + '[pins]\nbutton = "2"\nled = "25"\n')
        path = self.folder / "a.script"
        path.write_text(script)
        body = f"""{self.pin} REGISTER(0x400140cc) = 5; REGISTER(0xd0000024) = 1 << 25;
            while (!(REGISTER(0xd0000004) >> 2 & 1)) {{}} REGISTER(0xd0000014) = 1 << 25; print("high");
            while (REGISTER(0xd0000004) >> 2 & 1) {{}} REGISTER(0xd0000018) = 1 << 25; print("low"); put(get());
            for (;;) {{}}"""
        return self.start("--script", str(path), *more, str(self.compile(body)))

    def test_a_script_drives_a_pin_sends_bytes_and_sees_a_level(self) -> None:
        script = """2ms pin button high
            +0us expect uart "high" within 1ms
            +0us expect pin led high within 1ms
            4ms pin button low
            +0us expect pin led low within 1ms
            6ms uart "x"
            +0us expect uart "x" within 1ms
            8ms expect silence for 1ms"""
        got = self.play(script)
        self.check_end(got, "script", 0)
        self.assertEqual((got.text, got.facts["script"]), (b"highlowx", "passed"))

    def test_a_script_that_is_not_met_names_its_lines(self) -> None:
        got = self.play('2ms pin button high\n+0us expect uart "low" within 1ms\n+0us expect pin led low within 1ms\n')
        self.check_end(got, "script", 1)
        self.assertRegex(got.errors, r'a\.script:2: expected "low" from 2 ms to 3 ms; the program sent "high"')
        self.assertNotIn("script:3", got.errors)  # it was low when the expectation began

    def test_a_watched_pin_is_told_while_a_script_plays(self) -> None:
        got = self.play("2ms pin button high\n4ms pin button low\n+0us expect pin led low within 1ms\n", "--watch", "25")
        self.check_end(got, "script", 0)
        told = [line.split()[1] for line in got.errors.splitlines() if line.startswith("pin ")]
        self.assertEqual(told, ["25=1", "25=0"])

    # ---- ends ----

    def test_sleep_that_nothing_ends_is_the_limit(self) -> None:
        got = self.run_c('for (;;) __asm__("wfi");', "--limit-ms", "1000")
        self.check_end(got, "limit", 124)
        self.assertIn("nothing is left that could wake it", got.errors)

    # ---- faults, as the chip has them ----

    def test_a_call_of_a_null_pointer_is_a_fault(self) -> None:
        self.check_fault("void (*volatile f)(void) = 0; f();", "ran out of its code, to 0x0")

    def test_a_jump_into_data_is_a_fault(self) -> None:
        self.check_fault("((void (*)(void))((uintptr_t)data | 1))();", "ran out of its code", "uint16_t data[8];")

    def test_an_access_that_is_not_aligned_is_a_fault(self) -> None:
        # The compiler must not see the address, or it accesses single bytes.
        for body in ("return REGISTER(at + 1);", "REGISTER(at + 2) = 1;", "*(volatile uint16_t*)(at + 1) = 1;"):
            self.check_fault(body, "not aligned", "volatile uintptr_t at = 0x20030000;")

    def test_an_access_where_nothing_is_is_a_fault(self) -> None:
        self.check_fault("return REGISTER(0x30000000);", "0x30000000".removeprefix("0x"))
        self.check_fault("REGISTER(0x30000000) = 1;", "30000000")
        self.check_fault("REGISTER(16) = 1;", "boot ROM")

    def test_an_undefined_instruction_is_a_fault(self) -> None:
        self.check_fault('__asm__ volatile("udf 1");', "undefined instruction")
        self.check_fault('__asm__ volatile(".short 0xde00");', "undefined instruction")

    def test_a_call_while_interrupts_are_masked_is_a_fault(self) -> None:
        self.check_fault('__asm__ volatile("cpsid i\\n svc 0");', "masked")

    def test_a_fault_within_the_fault_handler_is_the_end(self) -> None:
        before = "void on_fault(void) { REGISTER(1) = 0; }"
        got = self.run_c("REGISTER(16) = 1;", before=before)
        self.check_end(got, "crashed", 125)
        self.assertIn("then in the fault handler", got.errors)

    def test_a_stack_overflow_is_a_crash(self) -> None:
        before = """volatile uint8_t data[90000];
            int down(int n) { data[n] = n; return n < 99999 ? down(n + 1) + data[n] : 0; }"""
        got = self.run_c("return down(0);", before=before)
        self.check_end(got, "crashed", 125)
        self.assertIn("stack", got.errors)

    def test_a_stack_that_a_program_sets_elsewhere_is_none(self) -> None:
        before = "uint64_t own[32];"
        code = "mov r4, sp\\n mov sp, %0\\n push {r0}\\n pop {r0}\\n mov sp, r4"
        body = f'__asm__ volatile("{code}" ::"r"(own + 32) : "r4");'
        self.check_end(self.run_c(body, before=before), "finished", 0)

    def test_a_task_s_process_stack_is_none(self) -> None:
        before = """uint32_t own[64];
            __attribute__((naked)) void on_systick(void) {
              __asm__("mov r1, sp\\n ldr r2, =own+128\\n movs r3, #8\\n 1: ldmia r1!, {r0}\\n stmia r2!, {r0}\\n"
                      "subs r3, #1\\n bne 1b\\n mov sp, r1\\n ldr r0, =own+128\\n msr psp, r0\\n"
                      "ldr r0, =0xfffffffd\\n bx r0\\n .ltorg");
            }"""
        body = 'REGISTER(0xe000ed04) = 1 << 26; __asm__ volatile("isb\\n push {r0, r1}\\n pop {r0, r1}"); leave(7);'
        self.check_end(self.run_c(body, before=before), "finished", 7)

    # ---- interrupts and sleep ----

    def test_systick_interrupts_once_a_period_and_ends_sleep(self) -> None:
        before = "volatile int n; void on_systick(void) { ++n; }"
        body = """REGISTER(0xe000e014) = 124999; REGISTER(0xe000e018) = 0; REGISTER(0xe000e010) = 7;
                  while (n < 100) __asm__("wfi");"""
        got = self.run_c(body, before=before)
        self.check_end(got, "finished", 0)
        self.assertAlmostEqual(got.facts["cycles"], 100 * MS, delta=200)
        self.assertLess(got.facts["instructions"], 2000)

    def test_a_write_to_systicks_value_starts_it_over_without_an_interrupt(self) -> None:
        before = "volatile int n; void on_systick(void) { ++n; }"
        body = """REGISTER(0xe000e014) = 999; REGISTER(0xe000e018) = 0; REGISTER(0xe000e010) = 7;
                  for (int i = 0; i < 1000; ++i) REGISTER(0xe000e018) = 0;
                  return n;"""
        self.check_end(self.run_c(body, before=before), "finished", 0)

    def test_a_masked_interrupt_ends_sleep_but_waits(self) -> None:
        before = "volatile int n; void on_systick(void) { ++n; }"
        body = """REGISTER(0xe000e014) = 999; REGISTER(0xe000e018) = 0; REGISTER(0xe000e010) = 7;
                  __asm__ volatile("cpsid i\\n wfi"); const int masked = n; __asm__ volatile("cpsie i\\n nop");
                  return masked * 10 + n;"""
        self.check_end(self.run_c(body, before=before), "finished", 1)

    # ---- measuring ----

    def test_instructions_take_the_cycles_of_the_manual(self) -> None:
        # Cortex-M0+ Technical Reference Manual, table 3-1.
        cases = {
            "push {r0, r1, r2, lr}\\n add sp, #16": 5 + 1,
            "push {r0, r1}\\n pop {r0, r1}": 3 + 3,
            "bl 1f\\n b 2f\\n 1: push {r0, lr}\\n pop {r1, pc}\\n 2:": 3 + 3 + 5 + 2,
            "sub sp, #8\\n str r0, [sp]\\n ldr r0, [sp]\\n add sp, #8": 6,
            "movs r0, #3\\n muls r0, r0": 2,
            "mrs r0, primask\\n dsb": 6,
        }
        for code, cycles in cases.items():
            self.assertEqual(float(self.record(code)), cycles, code)

    def test_reads_and_writes_are_counted_one_by_one(self) -> None:
        line = "baton-bench/1 r=#r0 w=#w0 iterations=1\\n"
        body = f'MARKED("push {{r0, r1}}\\n ldr r0, [sp]\\n pop {{r0, r1}}"); print("{line}");'
        self.assertEqual(self.run_c(body).text, b"baton-bench/1 r=3.000 w=2.000 iterations=1\n")

    # ---- stack ----

    def test_the_lowest_stack_pointer_is_exact(self) -> None:
        main = self.run_c("").facts
        deep = self.run_c('__asm__("push {r0, r1, r2}\\n add sp, #12");').facts
        self.assertEqual(deep["stack_bytes"], main["stack_bytes"] + 12)
        self.assertEqual(deep["min_sp"] + deep["stack_bytes"], 0x20042000)

    # ---- usage ----

    def test_a_program_outside_the_ram_is_refused(self) -> None:
        got = self.run_c("return data[5];", before='__attribute__((section(".elsewhere"))) const int data[9] = {1};')
        self.assertEqual((got.code, got.text), (0, b""))  # the linker put it after the rest of the code
        program = self.compile("leave(0);")
        moved = [self.compiler.replace("gcc", "objcopy"), "--change-addresses", "0x1000000", str(program)]
        subprocess.run(moved, check=True, timeout=60)
        self.check_refused("of the program is outside the RAM", str(program))

    def test_without_rp2040js_it_says_how_to_get_it(self) -> None:
        environment = {**os.environ, "BATON_RP2040JS": str(self.folder)}
        self.check_refused("./baton setup rp2040", str(self.compile("")), environment=environment)

    def test_a_program_or_board_of_another_kind_is_refused(self) -> None:
        self.check_refused("not an ARM program", sys.executable)
        self.check_refused("not an AVR program", "--board", str(NANO), str(self.compile("")))


if __name__ == "__main__":
    main()
