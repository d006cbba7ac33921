# SPDX-License-Identifier: MIT
"""What rp2040-runner promises, each shown by a small C program: runner_test.py RUNNER ARM_GCC."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
BOARD = HERE.parents[1] / "rp2040" / "board.toml"
RUNNER, ARM_GCC = "", ""
MS = 125_000  # cycles, at the speed that a program finds


class Outcome:
    def __init__(self, done: "subprocess.CompletedProcess[bytes]") -> None:
        self.code = done.returncode
        self.text = done.stdout
        self.errors = done.stderr.decode()
        last = self.errors.strip().splitlines()[-1:]
        self.facts = json.loads(last[0]) if last and last[0].startswith("{") else {}


class RunnerTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def compile(self, body: str, before: str = "") -> Path:
        source, program = self.folder / "program.c", self.folder / "program.elf"
        source.write_text(f'#include "program.h"\n{before}\nint main(void) {{\n{body}\nreturn 0;\n}}\n')
        flags = ["-mcpu=cortex-m0plus", "-mthumb", "-masm-syntax-unified", "--param=min-pagesize=0", "-Os", "-Wall"]
        flags += ["-Werror", "-ffreestanding", "-nostdlib", *(["-DOWN_FAULT"] if "on_fault" in before else [])]
        command = [ARM_GCC, *flags, f"-I{HERE}", f"-T{HERE / 'program.ld'}", str(source), "-lgcc", "-o", str(program)]
        subprocess.run(command, check=True, timeout=60)
        return program

    def start(self, *arguments: str, board: Path = BOARD) -> Outcome:
        command = [RUNNER, "--board", str(board), *arguments]
        return Outcome(subprocess.run(command, capture_output=True, timeout=60, check=False))

    def run_c(self, body: str, *arguments: str, before: str = "") -> Outcome:
        return self.start("--limit-ms", "2000", *arguments, str(self.compile(body, before)))

    def check_end(self, got: Outcome, state: str, code: int) -> None:
        self.assertEqual((got.facts.get("state"), got.facts.get("exit"), got.code), (state, code, code), got.errors)

    def check_fault(self, body: str, why: str, before: str = "") -> None:
        got = self.run_c(body, before=before)
        self.check_end(got, "crashed", 125)
        self.assertEqual(got.text, b"FAULT\n")
        self.assertIn(why, got.errors)

    def count(self, code: str, iterations: int = 1) -> str:
        got = self.run_c(f'MARKED("{code}"); print("baton-bench/1 value=#0 iterations={iterations}\\r\\n");')
        self.assertEqual(got.code, 0, got.errors)
        return got.text.decode().split()[1].removeprefix("value=")

    # ---- console ----

    def test_the_text_arrives_byte_for_byte(self) -> None:
        got = self.run_c('print("\\033[1mone\\r\\n"); print("two\\n"); print("no end");')
        self.assertEqual(got.text, b"\x1b[1mone\r\ntwo\nno end")

    def test_garbage_arrives_byte_for_byte(self) -> None:
        got = self.run_c("for (unsigned i = 0; i < 10000; ++i) put(i % 251);")
        self.assertEqual(got.text, bytes(i % 251 for i in range(10000)))

    def test_what_is_sent_arrives_at_its_time(self) -> None:
        got = self.run_c("for (int i = 0; i < 5; ++i) put(get());", "--send", "250:hel", "--send", r"300:l\x6f")
        self.assertEqual(got.text, b"hello")
        self.assertGreater(got.facts["cycles"], 300 * MS)
        self.assertLess(got.facts["cycles"], 301 * MS)

    def test_a_receive_interrupt_sees_every_byte_and_ends_sleep(self) -> None:
        before = "volatile int left = 6; void on_uart(void) { put(UART(0)); --left; }"
        body = 'UART(0x38) = 1 << 4; REGISTER(0xe000e100) = 1 << 20; while (left) __asm__("wfi");'
        self.assertEqual(self.run_c(body, "--send", "100:abcdef", before=before).text, b"abcdef")

    # ---- ends ----

    def test_the_program_names_the_exit_code(self) -> None:
        for code in (0, 1, 200):
            self.check_end(self.run_c(f"leave({code});"), "finished", code)

    def test_a_hang_ends_at_the_emulated_limit(self) -> None:
        got = self.run_c('print("last words"); for (;;) {}', "--limit-ms", "50")
        self.check_end(got, "limit", 124)
        self.assertEqual(got.text, b"last words")
        self.assertAlmostEqual(got.facts["cycles"], 50 * MS, delta=10)

    def test_a_hang_ends_at_the_real_limit(self) -> None:
        self.check_end(self.run_c("for (;;) {}", "--limit-ms", "4000000000", "--wall-s", "1"), "limit", 124)

    def test_sleep_that_nothing_ends_is_the_limit(self) -> None:
        got = self.run_c('for (;;) __asm__("wfi");', "--limit-ms", "1000")
        self.check_end(got, "limit", 124)
        self.assertIn("nothing is left that could wake it", got.errors)

    def test_a_number_of_lines_is_an_end(self) -> None:
        got = self.run_c('for (;;) print("line\\n");', "--lines", "3")
        self.check_end(got, "lines", 0)
        self.assertEqual(got.text, b"line\n" * 3)

    # ---- faults, as the chip has them ----

    def test_a_call_of_a_null_pointer_is_a_fault(self) -> None:
        self.check_fault("void (*volatile f)(void) = 0; f();", "ran out of its code, to 0x0")

    def test_a_jump_into_data_is_a_fault(self) -> None:
        self.check_fault("((void (*)(void))((uintptr_t)data | 1))();", "ran out of its code", "uint16_t data[8];")

    def test_an_access_that_is_not_aligned_is_a_fault(self) -> None:
        # The compiler is not to see the address, or it takes bytes.
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

    def test_an_empty_interval_is_nothing(self) -> None:
        self.assertEqual(self.count(""), "0.000")

    def test_an_interval_counts_every_cycle(self) -> None:
        # 100 rounds of 4 cycles, 1 less for the branch that falls through, 1 for `movs`.
        loop = "movs r0, #100\\n1: nop\\n subs r0, #1\\n bne 1b"
        self.assertEqual(self.count(loop), "400.000")
        self.assertEqual(self.count(loop, 3), "133.333")

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
            self.assertEqual(float(self.count(code)), cycles, code)

    def test_reads_and_writes_are_counted_one_by_one(self) -> None:
        line = "baton-bench/1 r=#r0 w=#w0 iterations=1\\n"
        body = f'MARKED("push {{r0, r1}}\\n ldr r0, [sp]\\n pop {{r0, r1}}"); print("{line}");'
        self.assertEqual(self.run_c(body).text, b"baton-bench/1 r=3.000 w=2.000 iterations=1\n")

    def test_every_run_takes_the_same_cycles(self) -> None:
        before = "volatile int n; void on_systick(void) { ++n; }"
        body = """REGISTER(0xe000e014) = 999; REGISTER(0xe000e018) = 0; REGISTER(0xe000e010) = 7;
                  while (n < 500) print("tick\\n");"""
        runs = [self.run_c(body, before=before) for _ in range(3)]
        self.assertEqual(len({(run.facts["cycles"], run.facts["min_sp"], run.text) for run in runs}), 1)

    def test_a_record_without_its_interval_says_missing(self) -> None:
        line = "baton-bench/1 suite=a value=#1 base=#0 iterations=2\\n"
        got = self.run_c(f'__asm__("bl baton_mark_stop" ::: "lr"); MARKED(""); print("{line}"); print("{line}");')
        self.assertEqual(
            got.text.decode().splitlines(),
            ["baton-bench/1 suite=a value=missing base=0.000 iterations=2",
             "baton-bench/1 suite=a value=missing base=missing iterations=2"],
        )  # fmt: skip

    def test_only_whole_record_values_are_replaced(self) -> None:
        lines = [
            "value=#0 iterations=1",
            "baton-bench/2 value=#0 iterations=1",
            "baton-bench/1 a=# b=#x c=#0x d=##0 #0  two spaces",
            "baton-bench/1 value=#99999999999999999999 iterations=1",
            "baton-bench/1 value=#0 iterations=0",
            "baton-bench/1 value=#0 iterations=none",
        ]
        body = "".join(f'MARKED(""); print("{line}\\n");' for line in lines)
        got = self.run_c(body).text.decode().splitlines()
        self.assertEqual(got[:4], lines[:4])
        self.assertEqual([line.split()[1] for line in got[4:]], ["value=missing"] * 2)

    # ---- stack ----

    def test_the_lowest_stack_pointer_is_exact(self) -> None:
        main = self.run_c("").facts
        deep = self.run_c('__asm__("push {r0, r1, r2}\\n add sp, #12");').facts
        self.assertEqual(deep["stack_bytes"], main["stack_bytes"] + 12)
        self.assertEqual(deep["min_sp"] + deep["stack_bytes"], 0x20042000)

    # ---- usage ----

    def test_bad_usage_says_what_is_wrong(self) -> None:
        cases = {
            ("--limit-ms", "soon", "PROGRAM"): "not a number",
            ("--send", "hello", "PROGRAM"): "MS:TEXT",
            ("--send", r"1:\q", "PROGRAM"): "escape",
            ("--speed", "3", "PROGRAM"): "--speed",
            ("/dev/null",): "not an ARM program",
            (sys.executable,): "not an ARM program",
            ("/nowhere",): "ENOENT",
            (): "program.elf",
        }
        program = str(self.compile("leave(0);"))
        for arguments, why in cases.items():
            got = self.start(*(program if word == "PROGRAM" else word for word in arguments))
            self.assertEqual((got.code, got.text), (2, b""), arguments)
            self.assertIn(why, got.errors)
        self.assertIn("not a board of rp2040js", self.start(program, board=HERE.parents[1] / "nano/board.toml").errors)

    def test_a_program_outside_the_ram_is_refused(self) -> None:
        got = self.run_c("return data[5];", before='__attribute__((section(".elsewhere"))) const int data[9] = {1};')
        self.assertEqual((got.code, got.text), (0, b""))  # the linker put it behind the rest of the code
        program = self.compile("leave(0);")
        moved = [ARM_GCC.replace("gcc", "objcopy"), "--change-addresses", "0x1000000", str(program)]
        subprocess.run(moved, check=True, timeout=60)
        self.assertEqual(self.start(str(program)).code, 2)

    def test_a_program_that_the_chip_does_not_hold_is_refused_by_name_and_size(self) -> None:
        board = self.folder / "board.toml"
        text = BOARD.read_text()
        for key, why in (("flash", r"takes \d+ bytes of flash, and rp2040 has 8"), ("ram", r"takes \d+ bytes of RAM")):
            board.write_text(re.sub(rf"^{key}_bytes = \d+", f"{key}_bytes = 8", text, flags=re.MULTILINE))
            program = self.compile("many[0] = 1;", before="volatile int many[9];")
            got = self.start(str(program), board=board)
            self.assertEqual((got.code, got.text), (2, b""), got.errors)
            self.assertRegex(got.errors, rf"program\.elf: {why}")

    def test_without_rp2040js_it_says_how_to_get_it(self) -> None:
        command = [RUNNER, "--board", str(BOARD), str(self.compile("leave(0);"))]
        environment = {**os.environ, "BATON_RP2040JS": str(self.folder)}
        done = subprocess.run(command, capture_output=True, timeout=60, check=False, env=environment)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"./baton setup rp2040", done.stderr)


if __name__ == "__main__":
    RUNNER, ARM_GCC = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
