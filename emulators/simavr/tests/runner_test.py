# SPDX-License-Identifier: MIT
"""Tests the promises of emulators/run for a run in simavr, each by a small C program.

usage: runner_test.py AVR_GCC RUNNER
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import time
import tty
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(1, str(HERE.parents[1] / "tests"))

import promises  # noqa: E402
from support import main  # noqa: E402

NANO = HERE.parents[2] / "boards" / "nano" / "board.toml"


class SimavrTest(promises.Promises):
    here = HERE
    flags = ("-Werror",)
    usual = ("--limit-ms", "2000")
    main = "int main(void) {\nopen_console();\n%s\nleave(0);\n}\n"
    mcu, uart = "atmega328p", 0
    count_per_ms = 16000
    # 100 rounds of 4 cycles, 1 less for the branch that falls through, 1 for `ldi r25`.
    loop, loop_counts = r"ldi r25, 100\n1: nop\n dec r25\n brne 1b\n", 400
    stop = "GPIOR1 = 2;"
    ticks = (
        'TCCR0B = 1; TIMSK0 = 1; sei(); while (n < 500) { print("tick\\n"); }',
        "volatile uint16_t n; ISR(TIMER0_OVF_vect) { ++n; }",
    )

    def setUp(self) -> None:
        super().setUp()
        self.open_ports: set[int] = set()

    @property
    def description(self) -> str:  # type: ignore[override]  # for the chip that a test names
        chip = f'mcu = "{self.mcu}"\nhz = 16000000\nuart = {self.uart}'
        return f'name = "small"\n[emulator]\nkind = "simavr"\n{chip}\n'

    def compile(self, body: str, before: str = "", *options: str) -> Path:
        words = options or (f"-mmcu={self.mcu}", f"-DCONSOLE={self.uart}")
        return super().compile(body, before, *words)

    def on_32u4(self) -> None:
        self.mcu, self.uart = "atmega32u4", 1
        self.board.write_text(self.description)

    # ---- console ----

    def test_the_second_usart_of_the_32u4_is_a_console(self) -> None:
        self.on_32u4()
        got = self.run_c('print("hello\\n"); leave(7);')
        self.assertEqual(got.text, b"hello\n")
        self.check_end(got, "finished", 7)

    def test_a_receive_interrupt_sees_every_byte(self) -> None:
        before = "volatile uint8_t left = 6; ISR(USART_RX_vect) { put(UDR); --left; }"
        got = self.run_c("UCSRB |= 1 << 7; sei(); while (left) {} leave(0);", "--send", "1:abcdef", before=before)
        self.assertEqual(got.text, b"abcdef")

    # ---- pins ----

    def test_a_pin_gets_its_level_from_outside_at_its_time(self) -> None:
        before = "volatile uint8_t edges; ISR(PCINT2_vect) { ++edges; }"
        body = """PORTD = 1 << 2; put('0' + !!(PIND & 4));
            PCICR = 1 << 2; PCMSK2 = 1 << 2; sei();
            while (!edges) {} put('0' + !!(PIND & 4));
            PORTD = 0; PORTD = 1 << 2; put('0' + !!(PIND & 4));
            while (edges < 2) {} put('0' + !!(PIND & 4));"""
        got = self.run_c(body, "--input", "20:D2=0", "--input", "30:D2=1", before=before)
        self.assertEqual(got.text, b"1001")
        self.assertGreater(got.facts["cycles"], 30 * self.count_per_ms)
        self.assertLess(got.facts["cycles"], 31 * self.count_per_ms)

    def test_the_adc_gets_its_voltage_from_outside(self) -> None:
        body = """for (int i = 0; i < 2; ++i) {
              for (volatile uint32_t n = 0; n < 5000; ++n) {}
              ADMUX = 1 << 6 | 3; ADCSRA = 1 << 7 | 1 << 6 | 7;
              while (ADCSRA & 1 << 6) {}
              const uint16_t v = ADC; put('0' + v / 100); put('0' + v / 10 % 10); put('0' + v % 10);
            }"""
        got = self.run_c(body, "--input", "0:adc3=2000", "--input", "12:adc3=4000")
        self.assertEqual(got.text, b"409818")  # simavr multiplies by 1023

    def test_a_pin_that_the_chip_lacks_is_refused(self) -> None:
        for wrong in ("0:L3=1", "0:D2=2", "0:adc9=5", "0:adc0=5001", "0:2=1", "D2=1", "0:D8=1"):
            got = self.run_c("leave(0);", "--input", wrong)
            self.assertEqual(got.code, 2, wrong)

    def test_a_watched_pin_tells_each_change_at_its_time(self) -> None:
        body = """DDRB = 1 << 5; PORTB = 1 << 5; PORTB = 1 << 5; PORTB = 0;
            for (volatile uint16_t n = 0; n < 1000; ++n) {}
            PINB = 1 << 5; DDRD = 1; PORTD = 1; leave(0);"""
        got = self.run_c(body, "--watch", "B5")
        lines = [line for line in got.errors.splitlines() if line.startswith("pin ")]
        self.assertEqual([line.split()[1] for line in lines], ["B5=1", "B5=0", "B5=1"])
        times = [float(line.split()[3]) for line in lines]
        self.assertEqual(times, sorted(times))
        self.assertLess(times[1], 0.1)
        self.assertAlmostEqual(times[2] * self.count_per_ms, got.facts["cycles"], delta=100)
        self.assertEqual(got.text, b"")

    def test_what_is_printed_before_a_watched_change_comes_before_it(self) -> None:
        got = self.run_c('print("half"); DDRB = 1; PORTB = 1; print(" a line\\n"); leave(0);', "--watch", "B0")
        self.assertEqual(got.text, b"half a line\n")
        self.assertIn("pin B0=1 at ", got.errors)

    def test_a_watched_pin_that_the_chip_lacks_is_refused(self) -> None:
        program = str(self.compile("leave(0);"))
        for wrong in ("L3", "25", "B8", "b5", "adc0"):
            self.assertEqual(self.start("--watch", wrong, program).code, 2, wrong)

    def test_a_run_at_a_pace_takes_the_board_s_time(self) -> None:
        body = "for (volatile uint32_t n = 0; n < 400000; ++n) {} leave(0);"
        program = str(self.compile(body))
        began = time.monotonic()
        paced = self.start("--pace", *self.usual, program)
        took = time.monotonic() - began
        self.check_end(paced, "finished", 0)
        self.assertGreaterEqual(took, paced.facts["cycles"] / self.count_per_ms / 1000 - 0.01)
        self.assertEqual(self.start(*self.usual, program).facts["cycles"], paced.facts["cycles"])

    # ---- scripts ----

    def play(self, script: str, body: str, before: str = ""):  # type: ignore[no-untyped-def]  # an Outcome
        self.board.write_text(self.description + '[pins]\nbutton = "D2"\nled = "B5"\nanalog = "adc3"\n')
        path = self.folder / "a.script"
        path.write_text(script)
        return self.start("--script", str(path), str(self.compile(body, before)))

    answer = """DDRB = 1 << 5; PORTD = 1 << 2;
        while (PIND & 4) {} PORTB = 1 << 5; print("low");
        while (!(PIND & 4)) {} PORTB = 0; print("high"); put(get());
        for (;;) {}"""

    def test_a_script_drives_a_pin_sends_bytes_and_sees_a_level(self) -> None:
        script = """20ms pin button low
            +0us expect uart "low" within 2ms
            +0us expect pin led high within 1ms
            30ms pin button high
            +0us expect pin led low within 1ms
            40ms uart "x"
            +0us expect uart "x" within 1ms
            60ms expect silence for 10ms"""
        got = self.play(script, self.answer)
        self.check_end(got, "script", 0)
        self.assertEqual((got.text, got.facts["script"]), (b"lowhighx", "passed"))
        self.assertAlmostEqual(got.facts["cycles"], 70 * self.count_per_ms, delta=2)  # an instruction is not torn

    def test_a_script_that_is_not_met_names_its_lines(self) -> None:
        script = '20ms pin button low\n+0us expect uart "LOW" within 5ms\n+0us expect pin led low within 5ms\n'
        got = self.play(script + "+1ms expect pin led low within 3ms", self.answer)
        self.check_end(got, "script", 1)
        self.assertEqual(got.facts["script"], "failed")
        self.assertRegex(got.errors, r'a\.script:2: expected "LOW" from 20 ms to 25 ms; the program sent "low"')
        self.assertRegex(got.errors, r"a\.script:4: expected led low from 21 ms to 24 ms; it was high")
        self.assertNotIn("script:3", got.errors)

    def test_a_script_is_not_passed_by_a_program_that_ends_before_it(self) -> None:
        got = self.play("1ms pin button low\n50ms pin button high", 'print("done"); leave(0);')
        self.check_end(got, "finished", 1)
        self.assertIn("a.script:1: the program had ended", got.errors)

    def test_a_script_that_the_board_cannot_play_is_refused(self) -> None:
        for script, why in (("1ms pin door low", "small has no pin door"), ("1ms pin button", ":1:15: expected")):
            got = self.play(script, "leave(0);")
            self.assertEqual((got.code, got.text), (2, b""), script)
            self.assertRegex(got.errors, why)

    def test_a_watched_pin_is_told_while_a_script_plays_and_asks_for_it(self) -> None:
        self.board.write_text(self.description + '[pins]\nbutton = "D2"\nled = "B5"\n')
        path = self.folder / "a.script"
        path.write_text(
            "20ms pin button low\n+0us expect pin led high within 1ms\n30ms pin button high\n+1ms expect silence for 1ms"
        )
        program = str(self.compile(self.answer))
        got = self.start("--watch", "B5", "--watch", "D2", "--script", str(path), program)
        self.check_end(got, "script", 0)
        told = [line.split()[1] for line in got.errors.splitlines() if line.startswith("pin ")]
        self.assertEqual(told, ["D2=1", "D2=0", "B5=1", "D2=1", "B5=0"])
        alone = self.start("--script", str(path), program)
        self.check_end(alone, "script", 0)
        self.assertNotIn("pin ", alone.errors)

    # ---- pseudo-terminal ----

    @contextlib.contextmanager
    def on_pty(self, body: str, *arguments: str, before: str = "") -> Iterator[tuple[subprocess.Popen[bytes], str]]:
        """Starts a program and yields it with the name of its port."""
        program = str(self.compile(body, before))
        command = self.command("--pty", "--limit-ms", "60000", "--wall-s", "20", *arguments, program)
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
        tty.setraw(port)  # empties the input, as every program that opens a serial port does
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

    def ending(self, process: subprocess.Popen[bytes]) -> dict[str, object]:
        output, errors = process.communicate(timeout=30)
        self.assertEqual(output, b"")
        return json.loads(errors.decode().strip().splitlines()[-1])

    def test_a_slow_reader_of_the_pty_loses_nothing_and_the_first_byte_waits_for_it(self) -> None:
        body = "for (uint16_t i = 0; i < 30000; ++i) put(i % 251); leave(3);"
        with self.on_pty(body) as (process, name):
            time.sleep(0.3)
            port = self.plug_in(name)
            time.sleep(1)  # by then, more than fits into the port's buffers has been sent
            self.assertEqual(self.read_all(port, 30000), bytes(i % 251 for i in range(30000)))
            self.assertIsNone(process.poll())  # the program has finished, but a board stays plugged in
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

    def test_sleeping_for_ever_is_an_end(self) -> None:
        self.check_end(self.run_c('print("x"); cli(); sleep_enable(); sleep_cpu();'), "finished", 0)

    def test_what_the_chip_holds_starts_and_what_is_linked_for_a_larger_one_does_not(self) -> None:
        flash = 'const char filling[%d] __attribute__((section(".progmem.x"), used)) = {1};'
        ram = "volatile char filling[%d] __attribute__((used));"
        for before in (flash % 32000, ram % 1900):
            self.check_end(self.start("--board", str(NANO), str(self.compile("", before))), "finished", 0)
        for larger, uart, before, why in (
            ("atmega644p", 0, flash % 32700, r"program\.elf: takes 3\d{4} bytes of flash, and nano has 32768"),
            ("atmega32u4", 1, ram % 2049, r"program\.elf: takes 205\d bytes of RAM, and nano has 2048"),
        ):
            program = self.compile('print("ran");', before, f"-mmcu={larger}", f"-DCONSOLE={uart}")
            self.check_refused(why, "--board", str(NANO), "--limit-ms", "100", str(program))

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

    # ---- usage ----

    def test_a_chip_that_simavr_lacks_is_no_run(self) -> None:
        program = str(self.compile(""))
        for of_ours, other, why in (
            (f"uart = {self.uart}", "uart = 5", "has no such USART"),
            (f'"{self.mcu}"', '"z80"', "no such chip"),
            ("hz = 16000000", "", r"\[emulator\] hz"),
        ):
            self.check_refused(why, "--board", self.other_board(self.description.replace(of_ours, other)), program)
        self.check_refused("not an AVR program", sys.executable)
        self.check_refused("cmake --build build/emulators", "--plugin", "/nowhere/simavr-runner", program)

    # ---- stack ----

    def test_the_lowest_stack_pointer_is_exact(self) -> None:
        main = self.run_c("leave(0);").facts
        deep = self.run_c('__asm__("push r0\\n push r0\\n push r0\\n pop r0\\n pop r0\\n pop r0"); leave(0);').facts
        self.assertEqual(deep["stack_bytes"], main["stack_bytes"] + 3)
        self.assertEqual(deep["min_sp"] + deep["stack_bytes"], 0x8FF)

    def test_the_halves_of_the_stack_pointer_are_not_taken_for_a_whole(self) -> None:
        # A frame moves the pointer with two `out`, the high half first. From 0x081b to 0x06ef, for
        # example, it passes 0x061b.
        fill = "for (int i = 0; i < {0}; ++i) a[i] = (uint8_t)i; GPIOR0 = a[{0} - 1];"
        before = f"""
            NOINLINE static void inner(void) {{ volatile uint8_t a[300]; {fill.format(300)} }}
            NOINLINE static void outer(void) {{ volatile uint8_t a[220]; {fill.format(220)} inner(); }}"""
        used = self.run_c("outer(); leave(0);", before=before).facts["stack_bytes"]
        self.assertTrue(520 < used < 540, used)


if __name__ == "__main__":
    main()
