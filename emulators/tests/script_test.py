# SPDX-License-Identifier: MIT
"""Tests what a script means: its reader, what a board is given, and the verdict. It runs no emulator.

usage: script_test.py
"""

from __future__ import annotations

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(1, str(Path(__file__).resolve().parents[1]))

from runner import script_run  # noqa: E402
from runner.script import Event, ScriptError, parse  # noqa: E402
from runner.script_run import Input, Place, ScriptRefusedError, Send  # noqa: E402
from runner.timeline import Timeline  # noqa: E402

MS = 1_000_000
PINS = {"button": "D2", "led": "B5", "analog": "adc0"}
NANO = Place("nano", "simavr", PINS, "", 115_200)


def expect(text: str) -> Event:
    """Returns the one event of a script."""
    (event,) = parse(text)
    return event


class Reader(unittest.TestCase):
    def test_each_event_has_its_time_its_name_and_its_value(self) -> None:
        text = '20ms pin button low\n+250us adc analog 25% # a remark\n\n1s uart "a\\r" 0d FF\n'
        self.assertEqual(
            parse(text),
            [
                Event(1, 20_000, "pin", "button", 0),
                Event(2, 20_250, "adc", "analog", 25),
                Event(4, 1_000_000, "uart", data=b"a\r\r\xff"),
            ],
        )

    def test_an_error_names_its_line_its_column_and_what_is_expected(self) -> None:
        for text, line, column, message in (
            ("20 pin a low", 1, 1, "expected a time"),
            ("\n  5ms pin A low", 2, 11, "expected a name"),
            ("5ms pin a middle", 1, 11, "expected low or high"),
            ("5ms pin a low high", 1, 15, "complete"),
            ("5ms pin a low\n4ms pin a high", 2, 1, "earlier"),
            ('5ms uart "abc', 1, 10, "closing"),
            (r'5ms uart "a\q"', 1, 12, "unknown escape"),
            ("5ms uart", 1, 9, "expected bytes"),
            ("5ms adc a 101%", 1, 11, "0% to 100%"),
            ('5ms expect uart "a" for 3ms', 1, 21, "expected within"),
            ("5ms expect silence within 3ms", 1, 20, "expected for"),
            ("3601s pin a low", 1, 1, "3600 s"),
            ("3600s expect silence for 1us", 1, 26, "3600 s"),
            (f'0ms uart "{"a" * 65}"', 1, 10, "64 bytes"),
        ):
            with self.assertRaises(ScriptError, msg=text) as caught:
                parse(text)
            self.assertEqual((caught.exception.line, caught.exception.column), (line, column), text)
            self.assertIn(message, caught.exception.message)


class Verdict(unittest.TestCase):
    def problems(self, text: str, timeline: Timeline, ended_ns: int | None = None) -> list[tuple[int, str]]:
        return timeline.problems(parse(text), PINS, ended_ns)

    def test_bytes_count_from_the_beginning_of_an_expectation_to_its_end(self) -> None:
        for at_ns, is_met in ((20 * MS - 1, False), (20 * MS, True), (30 * MS, True), (30 * MS + 1, False)):
            timeline = Timeline()
            timeline.send(at_ns, b"hi")
            self.assertEqual(not self.problems('20ms expect uart "hi" within 10ms', timeline), is_met, at_ns)

    def test_bytes_that_have_met_an_expectation_meet_no_later_one(self) -> None:
        timeline = Timeline()
        timeline.send(1 * MS, b"on ")
        both = '0ms expect uart "on" within 9ms\n0ms expect uart "on" within 9ms'
        self.assertEqual([line for line, _ in self.problems(both, timeline)], [2])
        timeline.send(2 * MS, b"on ")
        self.assertEqual(self.problems(both, timeline), [])

    def test_a_text_that_comes_late_is_said_to_have_come_then(self) -> None:
        timeline = Timeline()
        timeline.send(5 * MS, b"no")
        timeline.send(50 * MS, b"yes")
        ((line, why),) = self.problems('0ms expect uart "yes" within 9ms', timeline)
        self.assertEqual(line, 1)
        self.assertIn('expected "yes" from 0 ms to 9 ms; the program sent "no"; it came at 50 ms', why)

    def test_silence_is_broken_by_one_byte(self) -> None:
        timeline = Timeline()
        timeline.send(5 * MS, b"x")
        self.assertEqual(self.problems("6ms expect silence for 9ms", timeline), [])
        self.assertEqual(len(self.problems("1ms expect silence for 9ms", timeline)), 1)

    def test_a_level_counts_if_it_is_there_at_any_moment(self) -> None:
        timeline = Timeline()
        timeline.level(10 * MS, "B5", 1)
        timeline.level(11 * MS, "B5", 0)
        for text, is_met in (
            ("5ms expect pin led high within 10ms", True),
            ("5ms expect pin led high within 4ms", False),
            ("10500us expect pin led high within 100us", True),
            ("12ms expect pin led high within 10ms", False),
            ("12ms expect pin led low within 1ms", True),
            ("0ms expect pin led low within 1ms", True),
        ):
            self.assertEqual(not self.problems(text, timeline), is_met, text)

    def test_what_comes_after_the_program_s_end_is_not_met(self) -> None:
        text = "5ms pin button low\n20ms pin button high"
        self.assertEqual(self.problems(text, Timeline()), [])
        self.assertEqual(self.problems(text, Timeline(), 10 * MS), [(2, "the program had ended, at 10 ms")])


class Plan(unittest.TestCase):
    def load(self, text: str, place: Place = NANO) -> script_run.Script:
        with tempfile.NamedTemporaryFile("w", suffix=".script") as file:
            file.write(text)
            file.flush()
            return script_run.load(Path(file.name), place)

    def refusal(self, text: str, place: Place = NANO) -> str:
        with self.assertRaises(ScriptRefusedError) as caught:
            self.load(text, place)
        return str(caught.exception)

    def test_a_board_is_given_its_own_pins_and_millivolts(self) -> None:
        plan = self.load("1ms pin button low\n2ms adc analog 25%\n3ms expect pin led high within 5ms")
        self.assertEqual(plan.inputs, (Input(1000, "D2", 0), Input(2000, "adc0", 1250)))
        self.assertEqual((plan.watches, plan.until_us), (("B5",), 8000))
        rp2040 = Place("rp2040", "rp2040js", {"analog": "adc0"}, "", 115_200)
        self.assertEqual(self.load("2ms adc analog 50%", rp2040).inputs, (Input(2000, "adc0", 1650),))

    def test_bytes_wait_until_the_line_is_free_and_the_script_until_all_have_come(self) -> None:
        plan = self.load('1ms uart "0123456789"\n1ms uart "ab"')
        self.assertEqual(plan.sends, (Send(1000, b"0123456789"), Send(1869, b"ab")))
        self.assertEqual(plan.until_us, 1869 + 174)

    def test_what_a_board_cannot_do_is_refused_by_its_name_and_the_line(self) -> None:
        stm32vl = Place("stm32vl", "qemu", {}, "", 115_200)
        esp8266 = Place("esp8266", "qemu", {}, "its console is a call", 115_200)
        microbit = Place("microbit", "qemu", {"button": "/a[1]", "led": "0x50000504:13"}, "", 115_200)
        for text, place, why in (
            ("\n1ms pin button low", stm32vl, r":2: stm32vl has no pin button .* has no pins"),
            ("1ms pin door low", NANO, r":1: nano has no pin door .* has analog button led"),
            ("1ms adc button 5%", NANO, r"button of nano is no channel"),
            ("1ms pin analog low", NANO, r"analog of nano is a channel"),
            ('1ms uart "a"', esp8266, r"esp8266 plays none: its console is a call"),
            ("1ms pin led low", microbit, r"led of microbit can only be looked at"),
            ("1ms expect pin button low within 1ms", microbit, r"button of microbit can only be driven"),
            ("# nothing", NANO, r"has no event"),
            ("1ms pin", NANO, r":1:8: expected a name"),
        ):
            self.assertRegex(self.refusal(text, place), why)

    def test_a_board_in_real_time_has_more_time_to_answer_but_not_to_be_silent(self) -> None:
        linux = Place("linux", "qemu", {}, "", 115_200, is_real_time=True)
        plan = self.load('1ms expect uart "a" within 5ms\n9ms expect silence for 5ms', linux)
        self.assertEqual([each.within_us for each in plan.events], [1_005_000, 5000])

    def test_a_script_that_is_not_there_is_refused(self) -> None:
        with self.assertRaisesRegex(ScriptRefusedError, "No such file"):
            script_run.load(Path("/nowhere.script"), NANO)


if __name__ == "__main__":
    unittest.main()
