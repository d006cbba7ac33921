# SPDX-License-Identifier: MIT
"""What simavr-runner promises, each shown by a small C program: runner_test.py RUNNER AVR_GCC."""

import contextlib
import json
import os
import select
import subprocess
import sys
import tempfile
import time
import tty
import unittest
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
RUNNER, AVR_GCC = "", ""
CONSOLE = {"atmega328p": "0", "atmega32u4": "1", "atmega644p": "0"}


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
        self.open_ports: "set[int]" = set()

    def compile(self, body: str, mcu: str = "atmega328p", before: str = "") -> Path:
        source, program = self.folder / "program.c", self.folder / "program.elf"
        source.write_text(f'#include "program.h"\n{before}\nint main(void) {{\nopen_console();\n{body}\n}}\n')
        command = [AVR_GCC, f"-mmcu={mcu}", "-Os", "-Wall", "-Werror", f"-I{HERE}", f"-DCONSOLE={CONSOLE[mcu]}"]
        subprocess.run([*command, str(source), "-o", str(program)], check=True, timeout=60)
        return program

    def start(self, *arguments: str) -> Outcome:
        return Outcome(subprocess.run([RUNNER, *arguments], capture_output=True, timeout=60, check=False))

    def run_c(self, body: str, *arguments: str, mcu: str = "atmega328p", before: str = "") -> Outcome:
        program = self.compile(body, mcu, before)
        return self.start("--mcu", mcu, "--uart", CONSOLE[mcu], "--limit-ms", "2000", *arguments, str(program))

    def check_end(self, got: Outcome, state: str, code: int) -> None:
        self.assertEqual((got.facts.get("state"), got.facts.get("exit"), got.code), (state, code, code), got.errors)

    def record(self, interval: str, iterations: int = 1) -> str:
        got = self.run_c(f'{interval} print("baton-bench/1 value=#0 iterations={iterations}\\r\\n"); leave(0);')
        return got.text.decode().split()[1]

    # ---- console ----

    def test_the_text_arrives_byte_for_byte(self) -> None:
        got = self.run_c('print("\\033[1mone\\r\\n"); print("two\\n"); print("no end"); leave(0);')
        self.assertEqual(got.text, b"\x1b[1mone\r\ntwo\nno end")

    def test_garbage_arrives_byte_for_byte(self) -> None:
        got = self.run_c("for (uint16_t i = 0; i < 10000; ++i) put(i == 10 ? 0 : i % 251); leave(0);")
        self.assertEqual(got.text, bytes(0 if i == 10 else i % 251 for i in range(10000)))

    def test_the_second_usart_of_the_32u4_is_a_console(self) -> None:
        got = self.run_c('print("hello\\n"); leave(7);', mcu="atmega32u4")
        self.assertEqual(got.text, b"hello\n")
        self.check_end(got, "finished", 7)

    def test_what_is_sent_arrives_at_its_time(self) -> None:
        body = "for (uint8_t i = 0; i < 5; ++i) put(get()); put('\\n'); leave(0);"
        got = self.run_c(body, "--send", "250:hel", "--send", r"300:l\x6f")
        self.assertEqual(got.text, b"hello\n")
        self.assertGreater(got.facts["cycles"], 300 * 16000)
        self.assertLess(got.facts["cycles"], 302 * 16000)

    def test_a_receive_interrupt_sees_every_byte(self) -> None:
        before = "volatile uint8_t left = 6; ISR(USART_RX_vect) { put(UDR); --left; }"
        got = self.run_c("UCSRB |= 1 << 7; sei(); while (left) {} leave(0);", "--send", "1:abcdef", before=before)
        self.assertEqual(got.text, b"abcdef")

    # ---- pseudo-terminal ----

    @contextlib.contextmanager
    def on_pty(self, body: str, *arguments: str, before: str = "") -> "Iterator[tuple[subprocess.Popen[bytes], str]]":
        """A running program and the name of its port."""
        command = [
            RUNNER,
            "--pty",
            "--limit-ms",
            "60000",
            "--wall-s",
            "20",
            *arguments,
            str(self.compile(body, before=before)),
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            try:
                assert process.stderr is not None
                yield process, process.stderr.readline().decode().strip()
            finally:
                process.kill()

    def plug_in(self, name: str) -> int:
        port = os.open(name, os.O_RDWR | os.O_NOCTTY)
        self.addCleanup(lambda: os.close(port) if port in self.open_ports else None)
        self.open_ports.add(port)
        tty.setraw(port)  # empties the input, as everybody does who opens a serial port
        return port

    def unplug(self, port: int) -> None:
        self.open_ports.remove(port)
        os.close(port)

    def read_all(self, port: int, count: int) -> bytes:
        got = b""
        while len(got) < count:
            ready, _, _ = select.select([port], [], [], 10)
            if not ready:
                break
            try:
                more = os.read(port, 1000)
            except OSError:
                break
            if not more:
                break
            got += more
        return got

    def ending(self, process: "subprocess.Popen[bytes]") -> "dict[str, object]":
        output, errors = process.communicate(timeout=30)
        self.assertEqual(output, b"")
        return json.loads(errors.decode().strip().splitlines()[-1])

    def test_a_slow_reader_of_the_pty_loses_nothing_and_the_first_byte_waits_for_it(self) -> None:
        body = "for (uint16_t i = 0; i < 30000; ++i) put(i % 251); leave(3);"
        with self.on_pty(body) as (process, name):
            time.sleep(0.3)
            port = self.plug_in(name)
            time.sleep(1)  # more than fits into the port's buffers has been sent
            self.assertEqual(self.read_all(port, 30000), bytes(i % 251 for i in range(30000)))
            self.assertIsNone(process.poll())  # finished, but a board stays plugged in
            self.unplug(port)
            self.assertEqual(self.ending(process)["state"], "finished")
            self.assertEqual(process.returncode, 3)

    def test_what_the_reader_of_the_pty_writes_is_received(self) -> None:
        body = "for (uint8_t i = 0; i < 200; ++i) put(get()); leave(0);"
        with self.on_pty(body) as (process, name):
            port = self.plug_in(name)
            os.write(port, bytes(range(200)))
            self.assertEqual(self.read_all(port, 200), bytes(range(200)))
            self.unplug(port)
            self.assertEqual(self.ending(process)["state"], "finished")

    def test_a_record_on_a_pty_is_left_as_it_is(self) -> None:
        line = b"baton-bench/1 value=#0 iterations=1\n"
        with self.on_pty(f'GPIOR1 = 1; GPIOR1 = 2; print("{line.decode()[:-1]}\\n"); leave(0);') as (_, name):
            self.assertEqual(self.read_all(self.plug_in(name), len(line)), line)

    def test_a_reader_that_closes_the_pty_ends_the_run(self) -> None:
        with self.on_pty('for (;;) print("on and on\\n");') as (process, name):
            port = self.plug_in(name)
            self.read_all(port, 100)
            self.unplug(port)
            self.assertEqual(self.ending(process)["state"], "closed")
            self.assertEqual(process.returncode, 0)

    def test_a_pty_that_is_pulled_out_after_its_lines_has_delivered_them(self) -> None:
        with self.on_pty('for (;;) print("line\\n");', "--lines", "700") as (process, name):
            port = self.plug_in(name)
            time.sleep(0.5)
            self.assertEqual(self.read_all(port, 10000), b"line\n" * 700)
            self.assertEqual(self.ending(process)["state"], "lines")

    def test_a_pty_that_nobody_opens_is_a_limit(self) -> None:
        with self.on_pty("leave(0);", "--wall-s", "1") as (process, _):
            self.assertEqual(self.ending(process)["state"], "limit")
            self.assertEqual(process.returncode, 124)

    # ---- ends ----

    def test_the_program_names_the_exit_code(self) -> None:
        for code in (0, 1, 200):
            self.check_end(self.run_c(f"leave({code});"), "finished", code)

    def test_sleeping_for_ever_is_an_end(self) -> None:
        self.check_end(self.run_c('print("x"); cli(); sleep_enable(); sleep_cpu();'), "finished", 0)

    def test_a_hang_ends_at_the_simulated_limit(self) -> None:
        got = self.run_c('print("last words"); for (;;) {}', "--limit-ms", "50")
        self.check_end(got, "limit", 124)
        self.assertEqual(got.text, b"last words")
        self.assertAlmostEqual(got.facts["cycles"], 50 * 16000, delta=10)

    def test_a_hang_ends_at_the_real_limit(self) -> None:
        self.check_end(self.run_c("for (;;) {}", "--limit-ms", "4000000000", "--wall-s", "1"), "limit", 124)

    def test_a_number_of_lines_is_an_end(self) -> None:
        got = self.run_c('for (;;) print("line\\n");', "--lines", "3")
        self.check_end(got, "lines", 0)
        self.assertEqual(got.text, b"line\n" * 3)

    def check_refused(self, larger_chip: str, before: str, said: str) -> None:
        """A program that is linked for a larger chip does not start on the ATmega328P."""
        program = self.compile('print("ran"); leave(0);', larger_chip, before)
        got = self.start("--mcu", "atmega328p", "--limit-ms", "100", str(program))
        self.assertEqual((got.code, got.text), (2, b""), got.errors)
        self.assertRegex(got.errors, said)

    def test_a_program_that_the_flash_does_not_hold_is_refused(self) -> None:
        before = 'const char filling[LENGTH] __attribute__((section(".progmem.x"), used)) = {1};'
        self.check_end(self.run_c("leave(0);", before=before.replace("LENGTH", "32000")), "finished", 0)
        said = r"program\.elf: takes 3\d{4} bytes of flash, and the chip has 32768"
        self.check_refused("atmega644p", before.replace("LENGTH", "32700"), said)

    def test_a_program_whose_variables_the_ram_does_not_hold_is_refused(self) -> None:
        before = "volatile char filling[LENGTH] __attribute__((used));"
        self.check_end(self.run_c("leave(0);", before=before.replace("LENGTH", "1900")), "finished", 0)
        said = r"program\.elf: takes 205\d bytes of RAM, and the chip has 2048"
        self.check_refused("atmega32u4", before.replace("LENGTH", "2049"), said)

    def test_a_jump_to_erased_flash_is_a_crash(self) -> None:
        got = self.run_c('print("on the way\\n"); ((void (*)(void))0x3000)(); leave(0);')
        self.check_end(got, "crashed", 125)
        self.assertEqual(got.text, b"on the way\n")
        self.assertIn("ran out of its code", got.errors)

    def test_a_call_of_a_null_pointer_is_a_crash(self) -> None:
        got = self.run_c("void (*volatile f)(void) = 0; f(); leave(0);")
        self.check_end(got, "crashed", 125)
        self.assertIn("reset vector", got.errors)

    def test_an_interrupt_without_a_handler_is_a_crash(self) -> None:
        self.check_end(self.run_c("TCCR0B = 1; TIMSK0 = 1; sei(); for (;;) {}"), "crashed", 125)

    def test_a_write_behind_the_memory_is_a_crash(self) -> None:
        self.check_end(self.run_c("*(volatile uint8_t*)0x2000 = 1; leave(0);"), "crashed", 125)

    def test_a_stack_overflow_is_a_crash(self) -> None:
        before = "volatile uint8_t data[1000]; uint8_t down(uint8_t n) { data[n] = n; return down(n + 1) + data[n]; }"
        got = self.run_c("leave(down(0));", before=before)
        self.check_end(got, "crashed", 125)
        self.assertIn("stack", got.errors)

    def test_bad_usage_says_what_is_wrong(self) -> None:
        cases = {
            ("--uart", "5", "PROGRAM"): "has no such USART",
            ("--mcu", "z80", "PROGRAM"): "no such chip",
            ("--limit-ms", "soon", "PROGRAM"): "not a number",
            ("--send", "hello", "PROGRAM"): "MS:TEXT",
            ("--send", r"1:\q", "PROGRAM"): "escape",
            ("/dev/null",): "not an AVR program",
            (): "firmware.elf",
        }
        program = str(self.compile("leave(0);"))
        for arguments, why in cases.items():
            got = self.start(*(program if word == "PROGRAM" else word for word in arguments))
            self.assertEqual((got.code, got.text), (2, b""), arguments)
            self.assertIn(why, got.errors)

    # ---- measuring ----

    def test_an_empty_interval_is_nothing(self) -> None:
        marked = '__asm__("ldi r24, 1\\n out 0x2a, r24\\n ldi r24, 2\\n out 0x2a, r24" ::: "r24");'
        self.assertEqual(self.record(marked), "value=0.000")

    def test_an_interval_counts_every_cycle(self) -> None:
        # 100 rounds of 4 cycles, 1 less for the branch that falls through, 1 for `ldi r25`.
        loop = "ldi r25, 100\\n1: nop\\n dec r25\\n brne 1b\\n"
        marked = f'__asm__("ldi r24, 1\\n out 0x2a, r24\\n {loop} ldi r24, 2\\n out 0x2a, r24" ::: "r24", "r25");'
        self.assertEqual(self.record(marked), "value=400.000")
        self.assertEqual(self.record(marked, 3), "value=133.333")

    def test_every_run_takes_the_same_cycles(self) -> None:
        before = "volatile uint16_t n; ISR(TIMER0_OVF_vect) { ++n; }"
        body = 'TCCR0B = 1; TIMSK0 = 1; sei(); while (n < 500) { print("tick\\n"); } leave(0);'
        runs = [self.run_c(body, before=before) for _ in range(3)]
        self.assertEqual(len({(run.facts["cycles"], run.facts["min_sp"], run.text) for run in runs}), 1)

    def test_a_record_without_its_interval_says_missing(self) -> None:
        line = "baton-bench/1 suite=a value=#1 base=#0 iterations=2\\n"
        got = self.run_c(f'GPIOR1 = 2; GPIOR1 = 1; GPIOR1 = 2; print("{line}"); print("{line}"); leave(0);')
        self.assertEqual(
            got.text.decode().splitlines(),
            ["baton-bench/1 suite=a value=missing base=0.000 iterations=2",
             "baton-bench/1 suite=a value=missing base=missing iterations=2"],
        )  # fmt: skip

    def test_only_whole_record_values_are_replaced(self) -> None:
        lines = [
            "value=#0 iterations=1",
            "baton-bench/2 value=#0 iterations=1",
            "baton-bench/1 =#0 a=# b=#x c=#0x d=##0 #0  two spaces",
            "baton-bench/1 value=#99999999999999999999 iterations=1",
            "baton-bench/1 value=#0 iterations=0",
            "baton-bench/1 value=#0 iterations=none",
        ]
        body = "".join(f'GPIOR1 = 1; GPIOR1 = 2; print("{line}\\n");' for line in lines)
        got = self.run_c(body + "leave(0);").text.decode().splitlines()
        self.assertEqual(got[:2], lines[:2])
        self.assertEqual(got[2], "baton-bench/1 =missing a=# b=#x c=#0x d=##0 #0  two spaces")
        self.assertEqual(got[3], lines[3])
        self.assertEqual([line.split()[1] for line in got[4:]], ["value=missing"] * 2)

    # ---- stack ----

    def test_the_lowest_stack_pointer_is_exact(self) -> None:
        main = self.run_c("leave(0);").facts
        deep = self.run_c('__asm__("push r0\\n push r0\\n push r0\\n pop r0\\n pop r0\\n pop r0"); leave(0);').facts
        self.assertEqual(deep["stack_bytes"], main["stack_bytes"] + 3)
        self.assertEqual(deep["min_sp"] + deep["stack_bytes"], 0x8FF)

    def test_the_halves_of_the_stack_pointer_are_not_taken_for_a_whole(self) -> None:
        # A frame moves the pointer with two `out`, the high half first. From 0x081b, say, to 0x06ef: 0x061b on the way.
        fill = "for (int i = 0; i < {0}; ++i) a[i] = (uint8_t)i; GPIOR0 = a[{0} - 1];"
        before = f"""
            NOINLINE static void inner(void) {{ volatile uint8_t a[300]; {fill.format(300)} }}
            NOINLINE static void outer(void) {{ volatile uint8_t a[220]; {fill.format(220)} inner(); }}"""
        used = self.run_c("outer(); leave(0);", before=before).facts["stack_bytes"]
        self.assertTrue(520 < used < 540, used)


if __name__ == "__main__":
    RUNNER, AVR_GCC = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1], verbosity=2)
