# SPDX-License-Identifier: MIT
"""Tests the approximate cycles and the caches' counts of --timing, each by a small program.

The expected cycles are the manuals', for each instruction of the program.

usage: timing_test.py ARM_GCC PLUGIN
"""

from __future__ import annotations

import re
import sys
import tomllib
from unittest.mock import patch

from arm import HERE, ArmTest
from support import RUNNER, main

sys.path[:0] = [str(RUNNER.parent), str(RUNNER.parents[1] / "tools")]
from runner import options  # noqa: E402

COUNTS = "unit=instructions value=#0 reads=#r0 writes=#w0"
PARTS = ("code_hits", "code_misses", "read_hits", "read_misses", "write_hits", "write_misses", "halves_written")
COLD = ("cold_code_misses", "cold_read_misses", "cold_write_misses")


class TimingTest(ArmTest):
    core = ""

    def setUp(self) -> None:
        super().setUp()
        self.time_as(self.core)

    def time_as(self, core: str, *lines: str) -> None:
        self.board.write_text("\n".join([self.description, f'timing = "{core}"', *lines]))

    def lines(self, *assemblies: str, iterations: int = 1, arguments: tuple[str, ...] = ()) -> list[dict[str, str]]:
        """Measures each assembly in a function of its own, and returns the words of all records."""
        record = f"baton-bench/1 {COUNTS} iterations={iterations} valid=instructions\\n"
        functions = [
            f"__attribute__((noinline)) static void f{number}(void) {{ "
            f'MARKED(".syntax unified\\n{assembly}"); print("{record}"); }}\n'
            for number, assembly in enumerate(assemblies)
        ]
        calls = " ".join(f"f{number}();" for number in range(len(assemblies)))
        got = self.start(*arguments, str(self.compile(calls, "".join(functions))))
        self.check_end(got, "finished", 0)
        return [dict(word.partition("=")[::2] for word in line.split()[1:]) for line in got.text.decode().splitlines()]

    def timed(self, *assemblies: str, iterations: int = 1) -> list[dict[str, str]]:
        """Returns the records of cycles, after a look at their companions."""
        lines = self.lines(*assemblies, iterations=iterations, arguments=("--timing",))
        for counted, timed in zip(lines[::2], lines[1::2], strict=True):
            self.assertEqual((timed["unit"], timed["valid"]), ("cycles", "approximate"))
            self.assertEqual((counted["reads"], counted["writes"]), (timed["reads"], timed["writes"]))
        return lines[1::2]

    def check(self, *cases: tuple[str, int]) -> None:
        got = [float(timed["value"]) for timed in self.timed(*(assembly for assembly, _ in cases))]
        self.assertEqual(dict(zip(cases, got, strict=True)), {case: case[1] for case in cases})


class CortexM0Test(TimingTest):
    core = "cortex-m0"
    flags = ("-mcpu=cortex-m0", *ArmTest.flags[1:])

    def test_each_class_takes_what_its_manual_says(self) -> None:
        self.check(
            ("", 0),
            (r"nop\nmovs r1, #1\nmuls r1, r2\nuxtb r1, r1", 4),
            (r"ldr r1, [r0]\nldrb r1, [r0]\nstrh r1, [r0]\nstr r1, [r0, r2]", 8),
            (r"ldm r0!, {r1-r3}\nstm r0!, {r1-r3}", 4 + 4),
            (r"push {r1-r3, lr}\npop {r1-r3}\nadd sp, #4", 5 + 4 + 1),
            (r"mrs r1, primask\nmsr primask, r1\nisb", 12),
        )

    def test_branches_cost_more_when_taken(self) -> None:
        self.check(
            (r"cmp r0, r0\nbne 1f\n1: nop", 1 + 1 + 1),
            (r"cmp r0, r0\nbeq 1f\nnop\n1: nop", 1 + 3 + 1),
            (r"b 1f\nnop\n1: nop", 3 + 1),
            (r"movs r1, #100\n1: subs r1, #1\nbne 1b", 1 + 100 + 99 * 3 + 1),
            (r"b 2f\n1: bx lr\n2: bl 1b", 3 + 4 + 3),
            (r"b 2f\n1: push {r1, lr}\npop {r1, pc}\n2: bl 1b", 3 + 4 + 3 + 6),
            (r"adr r1, 1f\nmov pc, r1\nnop\n.balign 4\n1: nop", 1 + 3 + 1),
        )

    def test_the_last_instruction_of_a_page_is_as_long_as_the_others(self) -> None:
        self.check(
            (r"b 1f\n.ltorg\n.balign 1024\n1: .rept 900\nmovs r1, #1\n.endr", 3 + 900),
        )

    def test_an_operation_is_the_mean(self) -> None:
        [timed] = self.timed(r"nop\nnop\nnop\nnop", iterations=3)
        self.assertEqual(timed["value"], "1.333")

    def test_an_exception_costs_its_entry(self) -> None:
        handler = 'void on_tick(void) { __asm__ volatile("nop"); }'
        pend = r"ldr r1, =0xe000ed04\nldr r2, =0x04000000\nstr r2, [r1]\ndsb\nisb"
        body = (
            f'MARKED(".syntax unified\\n{pend}"); print("baton-bench/1 {COUNTS} iterations=1 valid=instructions\\n");'
        )
        got = self.start("--timing", str(self.compile(body, handler, "-DTICK=on_tick")))
        timed = got.text.decode().splitlines()[1]
        self.assertIn(f" value={2 + 2 + 2 + 4 + 4 + 16 + 1 + 3}.000 ", timed)


class CortexM0PlusTest(TimingTest):
    core = "cortex-m0plus"
    flags = ("-mcpu=cortex-m0plus", *ArmTest.flags[1:])

    def test_its_pipeline_is_one_cycle_shorter(self) -> None:
        self.check(
            (r"movs r1, #100\n1: subs r1, #1\nbne 1b", 1 + 100 + 99 * 2 + 1),
            (r"b 2f\n1: push {r1, lr}\npop {r1, pc}\n2: bl 1b", 2 + 3 + 3 + 5),
            (r"ldr r1, [r0]\nmrs r1, primask\nisb", 2 + 3 + 3),
        )


class CortexM3Test(TimingTest):
    core = "cortex-m3"
    flags = ("-mcpu=cortex-m3", *ArmTest.flags[1:])

    def test_accesses_follow_one_another_without_waiting(self) -> None:
        self.check(
            (r"ldr r1, [r0]\nldr r2, [r0]\nldr r3, [r0]", 2 + 1 + 1),
            (r"ldr r1, [r0]\nnop\nldr r3, [r0]", 2 + 1 + 2),
            (r"str r0, [r0]\nldr r1, [r0]\nldr r1, [r1]", 1 + 2 + 2),
            (r"movs r2, #4\nstr r1, [r0]\nstr r1, [r0, r2]", 1 + 1 + 2),
            (r"ldr r1, [r0]\nstr r1, [r0]", 2 + 1),
            (r"ldrd r1, r2, [r0]\nstrd r1, r2, [r0]", 3 + 3),
        )

    def test_32_bit_instructions_have_their_classes(self) -> None:
        self.check(
            (r"mul r1, r2, r3\nmla r1, r2, r3, r1\numull r1, r2, r3, r1\nsmlal r1, r2, r3, r1", 1 + 2 + 4 + 5),
            (r"mov r1, #1\nudiv r2, r3, r1\nadd.w r1, r1, r2, lsl #3\nbfi r1, r2, #0, #3", 1 + 7 + 1 + 1),
            (r"ldr.w r1, [r0, #64]\nnop\nstr.w r1, [r0, #64]\nldmia.w r0, {r1, r2}", 2 + 1 + 1 + 3),
            (r"movs r1, #0\ncbz r1, 1f\nnop\n1: nop", 1 + 3 + 1),
            (r"movs r1, #0\ntbb [pc, r1]\n.byte 1, 1\n1: nop", 1 + 4 + 1),
            (r"cmp r0, r0\nbeq.w 1f\nnop\n1: nop", 1 + 3 + 1),
        )

    def test_what_is_skipped_takes_a_cycle(self) -> None:
        self.check(
            (r"cmp r0, r0\nitt ne\nldrne r1, [r0]\nldmne r0, {r1-r3}", 1 + 1 + 1 + 1),
        )

    def test_the_flash_waits_where_the_program_goes_elsewhere(self) -> None:
        loop, literal = r"movs r1, #100\n1: subs r1, #1\nbne 1b", r"ldr r1, =0x12345678\nnop"
        self.check((loop, 1 + 100 + 99 * 3 + 1), (literal, 2 + 1))
        self.time_as(self.core, "wait_states = 2")
        self.check((loop, 1 + 100 + 99 * 5 + 1), (literal, 4 + 1), (r"ldr r1, [r0]", 2))


class CortexM4Test(TimingTest):
    core = "cortex-m4"

    def test_long_multiplies_take_one_cycle(self) -> None:
        self.check(
            (r"umull r1, r2, r3, r1\nsmlal r1, r2, r3, r1", 1 + 1),
        )

    def test_the_count_of_instructions_is_the_same_with_it(self) -> None:
        loop = r"movs r1, #100\n1: push {r1}\npop {r1}\nsubs r1, #1\nbne 1b"
        [without] = self.lines(loop, iterations=7)
        counted, timed = self.lines(loop, iterations=7, arguments=("--timing",))
        self.assertEqual(counted, without)
        self.assertEqual(timed["timing"], "cortex-m4")
        self.assertEqual(timed.keys() - counted.keys(), {"timing"})

    def test_a_base_and_a_floor_are_cycles_too(self) -> None:
        body = r"""MARKED("nop"); MARKED("ldr r1, [r0]"); MARKED("b 1f\n1:");
                   print("baton-bench/1 unit=instructions iterations=1 value=#0 base=#1 floor=#2 valid=instructions\n");
                   print("baton-bench/1 unit=bytes iterations=1 value=4 valid=measured\n");"""
        got = self.start("--timing", str(self.compile(body)))
        counted, timed, size = got.text.decode().splitlines()
        self.assertIn(" value=1.000 base=1.000 floor=1.000 ", counted)
        self.assertIn(" value=1.000 base=2.000 floor=1.000 ", timed)
        self.assertIn("unit=bytes", size)

    def test_a_board_whose_core_has_no_timing_is_refused(self) -> None:
        self.board.write_text(self.description)
        self.check_refused("timing: is None; can be cortex-m0 ", "--timing", str(self.compile("")))


class Arm920tTest(TimingTest):
    core = "arm920t"
    here = HERE / "arm926"
    flags = ("-mcpu=arm926ej-s", "-marm", "-ffreestanding", "-nostdlib", "-Ttext=0x10000", "-Wl,-ereset")
    description = """
        name = "small"
        mhz = 200
        [emulator]
        kind = "qemu"
        program = "qemu-system-arm"
        machine = "versatilepb"
        arguments = [
            "-cpu", "arm926", "-no-reboot", "-nic", "none", "-audiodev", "none,id=silent", "-global",
            "pl041.audiodev=silent", "-semihosting-config", "enable=on,target=native",
        ]
        shift = 4
        """

    def caches(self, assembly: str, iterations: int = 1) -> tuple[dict[str, float], dict[str, int]]:
        [timed] = self.timed(assembly, iterations=iterations)
        return {name: float(timed[name]) for name in PARTS}, {name: int(timed[name]) for name in COLD if name in timed}

    def test_each_class_takes_what_its_manual_says(self) -> None:
        self.check(
            ("", 0),
            (r"mov r1, #3\nadd r1, r1, r2, lsl #2\nadd r1, r1, r2, lsl r3\nclz r1, r1", 1 + 1 + 2 + 1),
            (r"str r1, [r0]\nldm r0, {r1-r4}\nnop\nstm r0, {r1-r4}\nldm r0, {r1}", 1 + 4 + 1 + 4 + 2),
            (r"mul r1, r2, r3\numull r1, r2, r3, r4\nmrs r1, cpsr\nmsr cpsr_c, r1", 4 + 5 + 1 + 3),
            (r"b 1f\nnop\n1: cmp r0, r0\nbne 1b\nbeq 2f\nnop\n2: nop", 3 + 1 + 1 + 3 + 1),
            (r"b 2f\n1: mov pc, lr\n2: bl 1b", 3 + 3 + 3),
            (r"b 2f\n1: stmfd sp!, {r1, lr}\nldmfd sp!, {r1, pc}\n2: bl 1b", 3 + 3 + 2 + 6),
            (r"ldr r1, =1f\nstr r1, [r0]\nnop\nldr pc, [r0]\nnop\n1: nop", 1 + 1 + 1 + 1 + 5 + 1),
        )

    def test_what_needs_a_loaded_register_at_once_waits(self) -> None:
        self.check(
            (r"ldr r1, [r0]\nadd r2, r2, #1", 1 + 1),
            (r"ldr r1, [r0]\nadd r2, r1, #1", 1 + 2),
            (r"ldrb r1, [r0]\nadd r2, r1, #1", 1 + 3),
            (r"ldr r1, [r0]\nnop\nadd r2, r1, #1", 1 + 1 + 1),
            (r"ldr r1, [r0]\nstr r1, [r0]", 1 + 2),
            (r"ldm r0, {r1-r3}\nadd r2, r1, r2", 3 + 1),
            (r"ldm r0, {r1-r3}\nadd r2, r1, r3", 3 + 2),
            (r"cmp r0, r0\nldrne r1, [r0]\nadd r2, r1, #1", 1 + 1 + 1),
        )

    def test_reads_fill_lines_and_writes_do_not(self) -> None:
        warm, cold = self.caches(r"ldr r1, [r0]\nldr r1, [r0, #28]\nldr r1, [r0, #32]\nstr r1, [r0, #64]\nstr r1, [r0]")
        self.assertEqual([warm[name] for name in PARTS[2:]], [1, 2, 1, 1, 0])
        self.assertEqual((cold["cold_read_misses"], cold["cold_write_misses"]), (2, 1))

    def test_code_is_read_line_by_line(self) -> None:
        warm, cold = self.caches(r"mov r1, #100\nb 1f\n.balign 32\n1: .rept 15\nnop\n.endr\nsubs r1, r1, #1\nbne 1b")
        self.assertEqual(warm["code_hits"] + warm["code_misses"], 2 + 100 * 17)
        self.assertIn(warm["code_misses"], (3, 4))  # 17 instructions in 3 lines, and the line before them
        self.assertEqual(cold["cold_code_misses"], 4)

    def test_a_segment_has_64_ways(self) -> None:
        walk = r"mov r5, #10\n1: mov r2, r0\nmov r3, #{}\n2: ldr r4, [r2], #256\nsubs r3, r3, #1\nbne 2b\nsubs r5, r5, #1\nbne 1b"
        for lines, misses in ((64, 64), (65, 650)):
            warm, _ = self.caches(walk.format(lines))
            self.assertEqual((warm["read_misses"], warm["read_hits"]), (misses, 10 * lines - misses))

    def test_changed_halves_are_written_back(self) -> None:
        touch = r"ldr r1, [r0]\nstr r1, [r0]\nstr r1, [r0, #16]\nldr r1, [r0, #256]\nstr r1, [r0, #260]"
        evict = r"add r2, r0, #16384\nmov r3, #64\n1: ldr r4, [r2], #256\nsubs r3, r3, #1\nbne 1b"
        self.assertEqual(self.caches(rf"{touch}\n{evict}")[0]["halves_written"], 3)

    def test_a_cold_operation_is_the_first_one(self) -> None:
        each = r"mov r5, #8\n1: ldr r1, [r0]\nstr r1, [r0]\nstr r1, [r0, #32]\nsubs r5, r5, #1\nbne 1b"
        warm, cold = self.caches(each, 8)
        self.assertEqual((warm["read_misses"], warm["write_misses"]), (0.125, 1))
        self.assertEqual((cold["cold_read_misses"], cold["cold_write_misses"]), (1, 1))
        warm, cold = self.caches(rf"ldr r1, [r0]\nldr r1, [r0, #32]\n{each}")
        self.assertEqual((cold["cold_read_misses"], cold["cold_write_misses"]), (2, 0))

    def test_a_device_is_not_in_the_cache(self) -> None:
        warm, _ = self.caches(r"ldr r1, =0x101f1018\nldr r2, [r1]\nldr r2, [r1]")
        self.assertEqual(warm["read_hits"] + warm["read_misses"], 1)  # the literal


class TableTest(ArmTest):
    def test_every_figure_of_the_table_is_known_to_the_plugin(self) -> None:
        table = tomllib.loads((RUNNER.parent / "timings.toml").read_text(encoding="utf-8"))
        program = str(self.compile("return 3;"))
        for core in table:
            self.board.write_text(f'{self.description}\ntiming = "{core}"')
            self.check_end(self.start("--timing", program), "finished", 3)

    def test_the_runner_knows_the_figures_of_the_plugin(self) -> None:
        fields = re.findall(r"^  uint8_t ([a-z_, ]+);", (HERE.parent / "timing.h").read_text(), re.MULTILINE)
        of_a_core = ", ".join(fields).partition(", wait, ")
        self.assertEqual(set(options.FIGURES), {*of_a_core[0].split(", "), "arm_state"})

    def test_a_mistake_is_named_with_its_file_key_and_what_can_be_there(self) -> None:
        table, path = (RUNNER.parent / "timings.toml").read_text(), self.folder / "timings.toml"
        board = options.Board("own", self.board, "qemu", {"timing": "own"}, {}, 16)
        for line, why in (
            ("lode = 2", r"\[own\] lode: unknown; can be title manual ranges load store .* caches$"),
            ("load = 2.7", r"\[own\] load: is 2\.7; can be a whole number, 0 to 255$"),
            ("load = 256", r"\[own\] load: is 256; can be"),
            ("load = -1", r"\[own\] load: is -1; can be"),
            ('load = "2"', r"\[own\] load: is '2'; can be"),
            ("load = true", r"\[own\] load: is True; can be"),
            ("caches = 1", r"\[own\] caches: is 1; can be true or false$"),
            ("load =", r"Invalid value \(at line "),
        ):
            path.write_text(f'{table}\n[own]\ntitle = "Own"\n{line}\n')
            with (
                self.subTest(line),
                patch.object(options, "TIMINGS", path),
                self.assertRaisesRegex(options.UsageError, f"^--timing: {path}: {why}"),
            ):
                options.timing(board)
        path.write_text(f"{table}\n[own]\nload = 2\ncaches = true\n")
        with patch.object(options, "TIMINGS", path):
            self.assertEqual(options.timing(board), {"load": 2, "caches": 1, "wait": 0})
        path.unlink()
        with patch.object(options, "TIMINGS", path), self.assertRaisesRegex(options.UsageError, "No such file"):
            options.timing(board)

    def test_a_board_names_one_of_the_cores(self) -> None:
        for core in ("cortex-m9", ["cortex-m3"], None):
            board = options.Board("own", self.board, "qemu", {"timing": core}, {}, 16)
            with self.subTest(core), self.assertRaisesRegex(options.UsageError, "can be cortex-m0 cortex-m0plus "):
                options.timing(board)
        board = options.Board("own", self.board, "qemu", {"timing": "cortex-m3", "wait_states": 2.5}, {}, 16)
        with self.assertRaisesRegex(options.UsageError, r"wait_states: is 2\.5; can be 0 to 255$"):
            options.timing(board)


if __name__ == "__main__":
    main()
