# SPDX-License-Identifier: MIT
"""Breaks each rule of the build once on purpose: build_rules_test.py PROJECT CMAKE COMPILER."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT, CMAKE, COMPILER = Path(), "", ""

MAIN = """
#include <baton/board.hpp>
#include <baton/core.hpp>
int main() {
  baton::board::start();
  for (const char* c = baton::board::name(); *c; ++c) baton::board::console::put(*c);
  baton::board::finish(0);
}
"""


class BuildRulesTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def cmake(self, *arguments: str) -> "tuple[bool, str]":
        done = subprocess.run(
            [CMAKE, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=200, check=False
        )
        # CMake folds its messages at spaces.
        return done.returncode == 0, " ".join((done.stdout + done.stderr).split())

    def configure(self, lists: str, *options: str, folder: str = ".") -> "tuple[bool, str]":
        head = "cmake_minimum_required(VERSION 3.25)\nproject(consumer CXX)\n"
        self.write(f"{folder}/CMakeLists.txt", head + lists)
        compiler = f"-DCMAKE_CXX_COMPILER={COMPILER}"
        return self.cmake("-S", folder, "-B", f"{folder}/build", "-G", "Ninja", compiler, *options)

    def modules(self, lists: str) -> "tuple[bool, str]":
        """Configures a small project of two modules, core and kernel, by the real rules."""
        self.write("core/include/baton/core.hpp", "#pragma once\n")
        self.write("kernel/include/baton/kernel.hpp", "#pragma once\n#include <baton/core.hpp>\n")
        self.write("core/CMakeLists.txt", "baton_module(NAME core)\n")
        self.write("kernel/CMakeLists.txt", "baton_module(NAME kernel)\n")
        head = f"include({PROJECT.as_posix()}/cmake/BatonModule.cmake)\ncmake_language(DEFER CALL baton_check_modules)\n"
        return self.configure(head + "add_subdirectory(core)\nadd_subdirectory(kernel)\n" + lists)

    def verify_headers(self) -> "tuple[bool, str]":
        return self.cmake("--build", "build", "--target", "all_verify_interface_header_sets")

    def test_what_the_table_allows_configures_and_builds(self) -> None:
        ok, output = self.modules("")
        self.assertTrue(ok, output)
        ok, output = self.verify_headers()
        self.assertTrue(ok, output)

    def test_a_module_that_links_against_the_table_is_an_error(self) -> None:
        ok, output = self.modules("target_link_libraries(baton_core INTERFACE baton::kernel)\n")
        self.assertFalse(ok)
        self.assertIn("module 'core' links module 'kernel', which modules.json does not allow", output)

    def test_a_module_that_the_table_does_not_know_is_an_error(self) -> None:
        ok, output = self.modules("baton_module(NAME cellar DEPENDS core)\n")
        self.assertFalse(ok)
        self.assertIn("module 'cellar' has no row in modules.json", output)

    def test_a_core_header_that_includes_kernel_does_not_compile(self) -> None:
        self.modules("")
        self.write("core/include/baton/core.hpp", "#pragma once\n#include <baton/kernel.hpp>\n")
        ok, output = self.verify_headers()
        self.assertFalse(ok)
        self.assertRegex(output, "baton/kernel.hpp.{0,20}(No such file|file not found)")

    def test_a_header_that_leans_on_another_does_not_compile(self) -> None:
        self.modules("")
        self.write("core/include/baton/core.hpp", "#pragma once\ninline uint8_t f() { return 0; }\n")
        ok, output = self.verify_headers()
        self.assertFalse(ok)
        self.assertIn("uint8_t", output)

    def test_a_header_with_a_warning_does_not_compile(self) -> None:
        self.modules("")
        self.write("core/include/baton/core.hpp", "#pragma once\ninline int f(int unused) { return 0; }\n")
        ok, output = self.verify_headers()
        self.assertFalse(ok)
        self.assertIn("unused", output)

    def check_consumer(self, lists: str, *options: str) -> None:
        self.write("consumer/main.cpp", MAIN)
        program = "add_executable(consumer main.cpp)\ntarget_link_libraries(consumer PRIVATE baton::board_host)\n"
        ok, output = self.configure(lists + program, *options, folder="consumer")
        self.assertTrue(ok, output)
        ok, output = self.cmake("--build", "consumer/build")
        self.assertTrue(ok, output)
        got = subprocess.run(
            [self.folder / "consumer/build/consumer"], capture_output=True, text=True, timeout=60, check=True
        )
        self.assertEqual(got.stdout, "host")

    def test_the_installed_package_serves_a_consumer(self) -> None:
        options = ("-G", "Ninja", f"-DCMAKE_CXX_COMPILER={COMPILER}", "-DBATON_PROGRAMS=OFF")
        ok, output = self.cmake("-S", str(PROJECT), "-B", "package", *options)
        self.assertTrue(ok, output)
        ok, output = self.cmake("--install", "package", "--prefix", str(self.folder / "prefix"))
        self.assertTrue(ok, output)
        self.check_consumer("find_package(baton REQUIRED)\n", f"-DCMAKE_PREFIX_PATH={self.folder / 'prefix'}")

    def test_a_consumer_may_add_the_project_as_a_folder(self) -> None:
        self.check_consumer(f"add_subdirectory({PROJECT.as_posix()} baton)\n")


if __name__ == "__main__":
    PROJECT, CMAKE, COMPILER = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    unittest.main(argv=sys.argv[:1], verbosity=2)
