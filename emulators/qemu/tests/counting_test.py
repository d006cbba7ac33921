# SPDX-License-Identifier: MIT
"""Tests the counts of the plugin, each by a small C program.

usage: counting_test.py ARM_GCC PLUGIN
"""

from __future__ import annotations

from arm import ArmTest
from support import Outcome, main

COUNTS = "value=#0 reads=#r0 writes=#w0"


class IntervalTest(ArmTest):
    def counts(
        self, assembly: str, iterations: int = 1, before: str = "", define: str = "SMALL"
    ) -> tuple[str, str, str]:
        """Counts instructions, reads and writes around the assembly; r0 points to some words."""
        body = f'MARKED("{assembly}"); print("baton-bench/1 {COUNTS} iterations={iterations}\\n");'
        got = self.start(str(self.compile(body, before, f"-D{define}")))
        self.check_end(got, "finished", 0)
        return got.word("value"), got.word("reads"), got.word("writes")

    def test_an_empty_interval_is_nothing(self) -> None:
        self.assertEqual(self.counts(""), ("0.000", "0.000", "0.000"))

    def test_an_interval_counts_every_instruction(self) -> None:
        loop = r"movs r1, #100\n1: nop\nsubs r1, #1\nbne 1b"
        self.assertEqual(self.counts(loop), ("301.000", "0.000", "0.000"))
        self.assertEqual(self.counts(loop, 3), ("100.333", "0.000", "0.000"))

    def test_one_instruction_more_is_one_more(self) -> None:
        self.assertEqual(self.counts(r"nop\nnop\nnop"), ("3.000", "0.000", "0.000"))
        self.assertEqual(self.counts(r"nop\nnop\nnop\nnop"), ("4.000", "0.000", "0.000"))

    def test_reads_and_writes_are_apart(self) -> None:
        self.assertEqual(self.counts(r"ldr r1, [r0]\nldrb r1, [r0]\nldrh r1, [r0, #2]"), ("3.000", "3.000", "0.000"))
        self.assertEqual(self.counts(r"str r1, [r0]\nstrb r1, [r0, #5]"), ("2.000", "0.000", "2.000"))

    def test_each_register_of_a_multiple_access_counts(self) -> None:
        self.assertEqual(self.counts(r"ldmia r0, {r1-r3}\nstmia r0, {r1-r3}"), ("2.000", "3.000", "3.000"))
        self.assertEqual(self.counts(r"push {r1-r3}\npop {r1-r3}"), ("2.000", "3.000", "3.000"))

    def test_what_is_on_a_device_counts_too(self) -> None:
        self.assertEqual(self.counts(r"ldr r1, =0x40004004\nldr r1, [r1]"), ("2.000", "2.000", "0.000"))

    def test_an_interrupt_in_between_counts(self) -> None:
        handler = 'void on_tick(void) { __asm__ volatile("nop"); }'
        pend = r"ldr r1, =0xe000ed04\nldr r2, =0x04000000\nstr r2, [r1]\ndsb\nisb"
        count = float(self.counts(pend, before=handler, define="TICK=on_tick")[0])
        self.assertEqual(count, 5 + 2)

    def test_ten_runs_count_the_same(self) -> None:
        record = f"baton-bench/1 {COUNTS} iterations=7"
        marked = r'MARKED("movs r1, #99\n1: subs r1, #1\nbne 1b");'
        program = str(self.compile(f'for (int i = 0; i < 20; ++i) {{ {marked} print("{record}\\n"); }}'))
        runs = [self.start("--stack", program) for _ in range(10)]
        self.assertEqual(len({(run.text, str(run.facts)) for run in runs}), 1)
        self.assertEqual(runs[0].text.count(b"value=28.429 reads=0.000 writes=0.000"), 20)


class RecordTest(ArmTest):
    def test_each_record_has_the_intervals_before_it(self) -> None:
        before = r"""#define ROUND(n) MARKED("movs r1, #" #n "\n1: subs r1, #1\nbne 1b"); MARKED("nop"); \
                     print("baton-bench/1 value=#0 base=#1 of=" #n " iterations=1\n");"""
        body = "for (int i = 0; i < 30; ++i) { ROUND(1) ROUND(20) ROUND(3) }"
        got = self.run_c(body, before=before)
        expected = [f"baton-bench/1 value={2 * n + 1}.000 base=1.000 of={n} iterations=1" for n in (1, 20, 3)] * 30
        self.assertEqual(got.text.decode().splitlines(), expected)


class MaskTest(ArmTest):
    asks = "__attribute__((used)) volatile char baton_watches_masks;"

    def longest(self, assembly: str) -> str:
        body = f'MARKED("{assembly}"); print("baton-bench/1 value=#m0 of=#0 iterations=1\\n");'
        return self.run_c(body, before=self.asks).word("value")

    def test_the_longest_run_with_interrupts_masked_is_exact(self) -> None:
        self.assertEqual(self.longest(r"nop\nnop"), "0.000")
        self.assertEqual(self.longest(r"cpsid i\nnop\nnop\ncpsie i\nnop"), "3.000")
        self.assertEqual(self.longest(r"cpsid i\nnop\ncpsie i\ncpsid i\nnop\nnop\nnop\ncpsie i"), "4.000")

    def test_a_mask_that_was_kept_comes_back(self) -> None:
        restores = r"mrs r1, primask\ncpsid i\nnop\nmsr primask, r1\nnop\nnop\nnop"
        self.assertEqual(self.longest(restores), "2.000")

    def test_who_does_not_ask_gets_none(self) -> None:
        got = self.run_c(r'MARKED("nop"); print("baton-bench/1 value=#m0 iterations=1\n");')
        self.assertEqual(got.word("value"), "missing")


class StackTest(ArmTest):
    def used(self, body: str) -> int:
        return int(self.run_c(body, "--stack").facts["stack_bytes"])

    def test_the_deepest_write_is_exact(self) -> None:
        pushes = r'__asm__ volatile("push {r0-r7}\npush {r0-r7}\n%s add sp, #64" ::: "memory");'
        two_more = r"push {r0, r1}\n pop {r0, r1}\n"
        self.assertEqual(self.used(pushes % "") + 8, self.used(pushes % two_more))

    def test_what_is_not_the_stack_is_not_watched(self) -> None:
        writes = "*(volatile int*)0x20000000 = 1; *(volatile int*)(0x20400000 - 65536 - 4) = 1;"
        self.assertEqual(self.used(writes), self.used(""))

    def test_it_is_not_reported_unasked(self) -> None:
        got: Outcome = self.run_c("")
        self.assertNotIn("stack_bytes", got.facts)


if __name__ == "__main__":
    main()
