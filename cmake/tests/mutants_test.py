# SPDX-License-Identifier: MIT
"""Tests that mutants fit, and are killed in the way of their entry and in no other.

usage: mutants_test.py PROJECT CMAKE COMPILER
"""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT, CMAKE, COMPILER = Path(), "", ""

LISTS = """
cmake_minimum_required(VERSION 3.25)
project(small {language})
enable_testing()
include({project}/cmake/BatonMutants.cmake)
add_library(thing STATIC {project_here}/thing.cpp)
target_include_directories(thing PUBLIC include)
add_executable(thing_test test.cpp other.cpp)
target_link_libraries(thing_test PRIVATE thing)
add_test(NAME thing_test COMMAND thing_test)
baton_mutants()
"""
HEADER = """
#pragma once
namespace thing {
struct counter {
  int value = 0;
  void add(int n) { value += n; }  // add(1) {
  void take(int n) { value -= n; value -= 0; }
};
inline int twice(int n) { return n +
                                 n; }
int outside(int n);
}
"""
SOURCE = "#include <thing/thing.hpp>\nint thing::outside(int n) { return n + 7; }\n"
TEST = """
#include <thing/thing.hpp>
#include <cstdio>
int other();
int main() {
  thing::counter c;
  c.add(3);
  const bool is_good = c.value == 3 && thing::twice(4) == 8 && thing::outside(1) == 8 && other() == 5;
  std::puts(is_good ? "1 passed, 0 failed" : "0 passed, 1 failed");
  return !is_good;
}
"""
MUTANT = """
prefix = "thing"
[[mutant]]
name = "no_sum"
program = "thing_test"
file = "include/thing/thing.hpp"
function = "{function}"
expression = '{expression}'
replacement = '{replacement}'
"""


class MutantsTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()
        self.write(
            "CMakeLists.txt",
            LISTS.format(language="NONE", project=PROJECT.as_posix(), project_here=self.folder.as_posix()),
        )
        self.write("include/thing/thing.hpp", HEADER)
        self.write("thing.cpp", SOURCE)
        self.write("test.cpp", TEST)
        self.write("other.cpp", "int other() { return 5; }\n")

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def mutant(self, expression: str, replacement: str, function: str = "add", more: str = "") -> None:
        self.write(
            "mutants.toml", MUTANT.format(expression=expression, replacement=replacement, function=function) + more
        )

    def compiles(self) -> None:
        text = (self.folder / "CMakeLists.txt").read_text()
        self.write("CMakeLists.txt", text.replace("project(small NONE)", "project(small CXX)"))

    def cmake(self, *arguments: str) -> "tuple[bool, str]":
        done = subprocess.run(
            [CMAKE, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=200, check=False
        )
        return done.returncode == 0, " ".join((done.stdout + done.stderr).split())

    def configure(self) -> "tuple[bool, str]":
        return self.cmake("-S", ".", "-B", "build", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={COMPILER}")

    def run_tests(self) -> "tuple[bool, str]":
        self.compiles()
        for arguments in (
            ("-S", ".", "-B", "build", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={COMPILER}"),
            ("--build", "build", "--target", "all", "mutants"),
        ):
            ok, output = self.cmake(*arguments)
            self.assertTrue(ok, output)
        ctest = Path(CMAKE).with_name("ctest")
        done = subprocess.run(
            [ctest, "--output-on-failure"],
            cwd=self.folder / "build",
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        return done.returncode == 0, done.stdout

    def check_stops(self, *parts: str) -> None:
        ok, output = self.configure()
        self.assertFalse(ok)
        for part in parts:
            self.assertIn(part, output)

    def four_mutants(self, head: str = "") -> None:
        entries = []
        for name, function, expression, replacement, file in (
            ("no_sum", "add", "value += n", "value = 0 * n", "include/thing/thing.hpp"),
            ("once", "twice", "return n + n;", "return n;", "include/thing/thing.hpp"),  # with a line break in the file
            ("unseen", "take", "value -= n", "value += n", "include/thing/thing.hpp"),
            ("eight", "outside", "n + 7", "n + 8", "thing.cpp"),
        ):
            self.mutant(expression, replacement, function)
            text = (
                (self.folder / "mutants.toml")
                .read_text()
                .replace("include/thing/thing.hpp", file)
                .replace("no_sum", name)
            )
            entries.append(text.replace('prefix = "thing"\n', "" if entries else f'prefix = "thing"\n{head}'))
        self.write("mutants.toml", "".join(entries))

    def objects(self, mutant: str) -> "list[str]":
        return sorted(path.name for path in (self.folder / f"build/CMakeFiles/thing_kills_{mutant}.dir").rglob("*.o"))

    def test_a_mutant_is_killed_or_survives_and_is_compiled_where_it_is_seen(self) -> None:
        self.four_mutants()
        ok, output = self.run_tests()
        self.assertFalse(ok)
        for name in ("no_sum", "once", "eight"):
            self.assertRegex(output, rf"thing_kills_{name} \.*   Passed")
        self.assertRegex(output, r"thing_kills_unseen \.*\*\*\*Failed")
        self.assertEqual(output.count("the mutant survives"), 1)
        self.assertEqual(self.objects("no_sum"), ["test.cpp.o", "thing.cpp.o"])
        self.assertEqual(self.objects("eight"), ["thing.cpp.o"])

    def test_mutants_that_are_compiled_together_are_killed_or_survive_one_by_one(self) -> None:
        self.four_mutants("together = true\n")
        ok, output = self.run_tests()
        self.assertFalse(ok)
        self.assertRegex(output, r"thing_control_test \.*   Passed")
        for name in ("no_sum", "once", "eight"):
            self.assertRegex(output, rf"thing_kills_{name} \.*   Passed")
        self.assertRegex(output, r"thing_kills_unseen \.*\*\*\*Failed")
        self.assertEqual(output.count("the mutant survives"), 1)
        compiled = [path.name for path in self.folder.glob("build/CMakeFiles/control_of_*/**/*.o")]
        self.assertEqual(sorted(compiled), ["chooser.cpp.o", "test.cpp.o", "thing.cpp.o"])

    def test_what_cannot_be_compiled_together_stops_the_configuration(self) -> None:
        entry = MUTANT.format(expression="{expression}", replacement="0", function="add").replace("no_sum", "{name}")
        first, second = entry.split("[[mutant]]")
        two = f"{first}together = true\n[[mutant]]{second}[[mutant]]{second}"
        self.write("mutants.toml", two.format(expression="value += n", name="a").replace('"a"', '"b"', 1))
        self.check_stops("mutants b and a alter the same expression, and are compiled together")
        one = f"{first}together = true\n[[mutant]]{second}".format(expression="value += n", name="a")
        self.write("mutants.toml", one.replace("'0'", "''"))
        self.check_stops("mutant a: together with others, an expression is replaced by another one: value += n")
        self.write("mutants.toml", one + 'definitions = ["X"]\n')
        self.check_stops("mutant a: no definitions in a file whose mutants are compiled together")

    def test_a_copy_of_an_earlier_mutant_is_not_found(self) -> None:
        self.write("include/thing/half.hpp", "#pragma once\ninline int half(int n) { return n / 2; }\n")
        self.write("include/thing/thing.hpp", "#include <thing/half.hpp>\n" + HEADER)
        self.mutant("value += n", "value = 0 * n")
        self.compiles()
        ok, output = self.configure()
        self.assertTrue(ok, output)
        text = (self.folder / "mutants.toml").read_text()
        text = text.replace("thing/thing.hpp", "thing/half.hpp").replace('"add"', '"half"')
        self.write("mutants.toml", text.replace("value += n", "n / 2").replace("value = 0 * n", "n"))
        ok, output = self.configure()
        self.assertTrue(ok, output)
        copies = [path.name for path in self.folder.rglob("thing_kills_no_sum/**/*.hpp")]
        self.assertEqual(copies, ["half.hpp"])

    def test_an_expression_that_is_not_there_stops_the_configuration(self) -> None:
        self.mutant("value *= n", "")
        self.check_stops(
            "mutant no_sum: 'add' of include/thing/thing.hpp holds the expression 0 times, not 1: value *= n"
        )

    def test_an_expression_of_another_function_is_not_there(self) -> None:
        self.mutant("value -= n", "")
        self.check_stops("'add' of include/thing/thing.hpp holds the expression 0 times")

    def test_an_expression_that_is_there_twice_stops_the_configuration_but_where_it_says_so(self) -> None:
        self.mutant("value -=", "value +=", "take")
        self.check_stops("holds the expression 2 times, not 1: value -=")
        self.mutant("value -=", "value +=", "take", "matches = 2\n")
        self.compiles()
        ok, output = self.configure()
        self.assertTrue(ok, output)

    def test_a_function_a_file_or_a_program_that_is_not_there_stops_the_configuration(self) -> None:
        self.mutant("value += n", "", "subtract")
        self.check_stops("include/thing/thing.hpp holds no function 'subtract'")
        self.mutant("value += n", "")
        good = (self.folder / "mutants.toml").read_text()
        self.write("mutants.toml", good.replace("thing.hpp", "things.hpp"))
        self.check_stops("there is no file include/thing/things.hpp for: value += n")
        self.write("mutants.toml", good.replace("thing_test", "things_test"))
        self.check_stops("mutant no_sum: there is no program things_test")

    def test_an_edit_of_the_entry_itself_beside_further_edits_is_none(self) -> None:
        edit = "[[mutant.edit]]\nfunction = 'take'\nexpression = 'value -= n'\nreplacement = ''\n"
        self.mutant("value += n", "", more=edit)
        self.check_stops("mutant no_sum: each edit has its own expression, function, replacement")

    def test_a_program_without_a_test_has_no_control(self) -> None:
        self.mutant("value += n", "value = 0 * n")
        text = (self.folder / "CMakeLists.txt").read_text()
        self.write("CMakeLists.txt", text.replace("NAME thing_test", "NAME another_test"))
        self.check_stops("no test 'thing_test' stands in this folder")

    def test_a_key_or_a_way_that_is_not_known_stops_the_configuration(self) -> None:
        self.mutant("value += n", "", more="says_nothing = 1\n")
        self.check_stops("mutant no_sum: unknown: says_nothing")
        self.mutant("value += n", "", more='killed_by = "luck"\n')
        self.check_stops("mutant no_sum: killed_by luck")

    def test_a_mutant_does_not_count_where_its_control_fails(self) -> None:
        self.write("other.cpp", "int other() { return 6; }\n")
        self.mutant("value += n", "value = 0 * n")
        ok, output = self.run_tests()
        self.assertFalse(ok)
        self.assertRegex(output, r"thing_kills_no_sum .*Not Run")

    def test_other_options_have_a_control_of_their_own(self) -> None:
        self.mutant("value += n", "value = 0 * n", more='definitions = ["SMALL=1"]\n')
        ok, output = self.run_tests()
        self.assertTrue(ok, output)
        self.assertRegex(output, r"thing_control_test \.*   Passed")
        self.write("test.cpp", TEST.replace("int main() {", "int main() {\n#ifdef SMALL\n  return 1;\n#endif\n"))
        ok, output = self.run_tests()
        self.assertFalse(ok)
        self.assertRegex(output, r"thing_kills_no_sum .*Not Run")

    def test_one_unit_holds_all_sources_that_see_the_mutant(self) -> None:
        self.mutant("value += n", "value = 0 * n", more="unity = true\n")
        ok, output = self.run_tests()
        self.assertTrue(ok, output)
        self.assertRegex(output, r"thing_control_test \.*   Passed")
        self.assertEqual(self.objects("no_sum"), ["unity_0_cxx.cxx.o"])
        unit = next(self.folder.glob("build/CMakeFiles/thing_kills_no_sum.dir/Unity/*.cxx")).read_text()
        self.assertEqual(re.findall(r'#include ".*/(\w+\.cpp)"', unit), ["thing.cpp", "test.cpp"])


class KillTest(unittest.TestCase):
    """Tests how a program ends, and whether that is as it has to be."""

    def kill(self, script: str, *options: str) -> "tuple[bool, str]":
        command = [sys.executable, str(PROJECT / "cmake/mutants/kill.py"), *options, "--", "sh", "-c", script]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        return done.returncode == 0, done.stdout

    def check(self, script: str, way: str) -> None:
        """Ends a program in this way; each other way has to be a failure."""
        for other in ("exit", "signal", "sanitizer", "crash", "hang", "silence"):
            with self.subTest(script=script, killed_by=other):
                ok, output = self.kill(script, "--killed-by", other, "--limit-s", "1")
                self.assertEqual(ok, other == way, output)

    def test_each_way_is_told_from_the_others(self) -> None:
        self.check("exit 1", "exit")
        self.check("kill -SEGV $$", "signal")
        self.check("exit 134", "signal")
        self.check("echo 'WARNING: ThreadSanitizer: data race'; exit 66", "sanitizer")
        self.check("echo '==1==ERROR: AddressSanitizer: heap-use-after-free'; exit 1", "sanitizer")
        self.check("exit 125", "crash")
        self.check("exit 124", "hang")
        self.check("exit 0", "silence")

    def test_a_timeout_is_a_kill_only_where_the_entry_says_hang(self) -> None:
        self.check("exec sleep 30", "hang")

    def test_a_program_that_cannot_be_run_kills_nothing(self) -> None:
        for code in (2, 126, 127):
            self.check(f"exit {code}", "none")

    def test_what_it_has_to_say_is_part_of_the_verdict(self) -> None:
        self.assertTrue(
            self.kill(
                "printf 'lost: 3\\nverdict: bad\\n'; exit 1",
                "--killed-by",
                "exit",
                "--says",
                "lost: [1-9].*verdict: bad",
            )[0]
        )
        self.assertFalse(
            self.kill(
                "printf 'lost: 0\\nverdict: bad\\n'; exit 1",
                "--killed-by",
                "exit",
                "--says",
                "lost: [1-9].*verdict: bad",
            )[0]
        )

    def test_the_one_case_has_to_fail(self) -> None:
        self.assertTrue(self.kill("echo '0 passed, 1 failed'; exit 1", "--killed-by", "exit", "--case", "a")[0])
        self.assertFalse(self.kill("echo '0 passed, 0 failed'; exit 1", "--killed-by", "exit", "--case", "a")[0])
        self.assertFalse(self.kill("echo '0 passed, 0 failed'", "--killed-by", "exit", "--case", "a")[0])

    def test_a_control_has_to_end_well_and_to_have_run_its_cases(self) -> None:
        self.assertTrue(self.kill("exit 0", "--survives")[0])
        for script in ("exit 1", "kill -SEGV $$", "exec sleep 30", "echo 'WARNING: ThreadSanitizer: data race'"):
            self.assertFalse(self.kill(script, "--survives", "--limit-s", "1")[0])
        self.assertTrue(self.kill("echo '2 passed, 0 failed'", "--survives", "--case", "a", "--case", "b")[0])
        self.assertFalse(self.kill("echo '1 passed, 0 failed'", "--survives", "--case", "a", "--case", "b")[0])

    def test_one_of_several_runs_is_enough(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            script = f"test -e {folder}/second && exit 1; touch {folder}/second"
            self.assertTrue(self.kill(script, "--killed-by", "exit", "--runs", "2")[0])
        self.assertFalse(self.kill("exit 0", "--killed-by", "exit", "--runs", "2")[0])


if __name__ == "__main__":
    PROJECT, CMAKE, COMPILER = Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]
    unittest.main(argv=sys.argv[:1], verbosity=2)
