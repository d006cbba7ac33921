# SPDX-License-Identifier: MIT
"""A build fails on a program that exceeds its budget or has none: budgets_test.py PROJECT CMAKE COMPILER."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT, CMAKE, COMPILER = Path(), "", ""

LISTS = """
cmake_minimum_required(VERSION 3.25)
project(small CXX)
set(BATON_BOARD pico)
include({project}/cmake/BatonBudgets.cmake)
add_executable(example_01_small main.cpp)
target_compile_options(example_01_small PRIVATE -flto)
target_link_options(example_01_small PRIVATE -flto)
set_target_properties(example_01_small PROPERTIES OUTPUT_NAME 01_small)
baton_budget(example_01_small)
baton_check_budgets()
"""
MAIN = """
namespace kitchen {{
__attribute__((noinline, noclone)) int table(int i) {{
  static const int filling[{constants}] = {{1}};
  return filling[i];
}}
volatile char pantry[{variables}];
}}
int main(int argc, char**) {{
  kitchen::pantry[argc] = 1;
  return kitchen::table(argc);
}}
"""
CHIP = 'name = "pico"\n[memory]\nflash_bytes = 100000\nram_bytes = 50000\n'
BUDGET = '[budgets]\n"01_small" = {{ flash = {}, ram = {} }}\n'


class BudgetsTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "boards" / "pico").mkdir(parents=True)
        (self.folder / "bench" / "baselines" / "pico").mkdir(parents=True)
        (self.folder / "CMakeLists.txt").write_text(LISTS.format(project=PROJECT.as_posix()))
        self.program(100, 100)

    def program(self, constants: int, variables: int) -> None:
        (self.folder / "main.cpp").write_text(MAIN.format(constants=constants, variables=variables))

    def describe(self, text: str, budgets: str = "") -> None:
        (self.folder / "boards" / "pico" / "board.toml").write_text(text)
        if budgets:
            (self.folder / "bench" / "baselines" / "pico" / "budgets.toml").write_text(budgets)

    def cmake(self, *arguments: str) -> "tuple[bool, str]":
        command = [CMAKE, *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=100, check=False)
        return done.returncode == 0, done.stdout + done.stderr

    def build(self, build_type: str = "MinSizeRel") -> "tuple[bool, str]":
        options = ("-G", "Ninja", f"-DCMAKE_CXX_COMPILER={COMPILER}", f"-DCMAKE_BUILD_TYPE={build_type}")
        ok, output = self.cmake("-S", ".", "-B", "build", *options)
        self.assertTrue(ok, output)
        return self.cmake("--build", "build")

    def test_a_program_within_its_budget_builds(self) -> None:
        self.describe(CHIP, BUDGET.format(20000, 20000))
        ok, output = self.build()
        self.assertTrue(ok, output)

    def test_a_program_over_its_flash_fails_each_build_with_its_bytes_by_symbol(self) -> None:
        self.program(9000, 100)
        self.describe(CHIP, BUDGET.format(20000, 20000))
        for _ in range(2):
            ok, output = self.build()
            self.assertFalse(ok)
            self.assertRegex(output, r"pico 01_small: \d{5} bytes of flash, and its budget is 20000; largest first:\n"
                                     r" +36000  kitchen::table\(int\)::filling\n")
            self.assertNotIn("bytes of ram", output)

    def test_a_program_over_its_ram_fails_with_its_variables(self) -> None:
        self.program(100, 3000)
        self.describe(CHIP, BUDGET.format(20000, 2500))
        ok, output = self.build()
        self.assertFalse(ok)
        self.assertRegex(output, r"pico 01_small: 3\d{3} bytes of ram, and its budget is 2500; largest first:\n"
                                 r" +3000  kitchen::pantry\n")

    def test_a_program_without_a_budget_fails_with_the_line_that_repairs_it(self) -> None:
        self.describe(CHIP)
        ok, output = self.build()
        self.assertFalse(ok)
        self.assertIn("no budget for 01_small; in bench/baselines/pico/budgets.toml write:", output)
        line = next(line for line in output.splitlines() if line.startswith('  "01_small" = { flash = '))
        self.describe(CHIP, f"[budgets]\n{line.strip()}\n")
        ok, output = self.build()
        self.assertTrue(ok, output)

    def test_a_program_that_the_chip_does_not_hold_fails_whatever_its_budget(self) -> None:
        self.program(30000, 100)
        self.describe(CHIP, BUDGET.format(900000, 900000))
        ok, output = self.build()
        self.assertFalse(ok)
        self.assertRegex(output, r"pico 01_small: takes 12\d{4} bytes of flash, and pico has 100000")

    def test_a_budget_that_is_lowered_is_noticed(self) -> None:
        self.describe(CHIP, BUDGET.format(20000, 20000))
        self.assertTrue(self.build()[0])
        self.describe(CHIP, BUDGET.format(100, 20000))
        ok, output = self.build()
        self.assertFalse(ok)
        self.assertIn("its budget is 100; largest first:", output)

    def test_budgets_are_for_the_build_type_of_the_figures(self) -> None:
        self.describe(CHIP, BUDGET.format(100, 100))
        ok, output = self.build("Debug")
        self.assertTrue(ok, output)

    def test_a_machine_that_is_no_chip_needs_no_budgets(self) -> None:
        self.describe('name = "pico"\n')
        ok, output = self.build()
        self.assertTrue(ok, output)


if __name__ == "__main__":
    PROJECT, CMAKE, COMPILER = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    unittest.main(argv=sys.argv[:1], verbosity=2)
