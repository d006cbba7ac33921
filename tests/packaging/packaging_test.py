# SPDX-License-Identifier: MIT
"""A consumer's own project: packaging_test.py PROJECT CMAKE COMPILER

cmake/tests shows that a consumer finds a board. This one links core and a port alone, runs a coroutine, and keeps its own flags:
its careless source must compile without a word, and no option of ours may stand in its commands.
"""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT, CMAKE, COMPILER = Path(), "", ""

MAIN = """
#include <baton/core.hpp>
#include <stdio.h>

static int careless() {
  int unused;
  unsigned one = 1;
  if (one == -1) puts("never");
  return 0;
}

struct greeter : baton::coroutine<greeter, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (i = 0; i < 3; ++i) {
      printf("%d ", i);
      BATON_DELAY_US(10);
    }
    BATON_END();
  }
  int i = 0;
};

static greeter g;

int main() {
  g.start();
  while (!g.is_done()) baton::scheduler::run_one();
  return careless();
}
"""

LISTS = """cmake_minimum_required(VERSION 3.25)
project(consumer CXX)
{find}
add_executable(consumer main.cpp)
target_link_libraries(consumer PRIVATE baton::core baton::port_host_core)
"""


class PackagingTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def cmake(self, *words: str) -> str:
        done = subprocess.run([CMAKE, *words], cwd=self.folder, capture_output=True, text=True, timeout=250, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def check_consumer(self, find: str, *options: str) -> None:
        (self.folder / "consumer").mkdir()
        (self.folder / "consumer/main.cpp").write_text(MAIN)
        (self.folder / "consumer/CMakeLists.txt").write_text(LISTS.format(find=find))
        self.cmake("-S", "consumer", "-B", "build", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={COMPILER}",
                   "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *options)  # fmt: skip
        self.assertNotIn("warning", self.cmake("--build", "build"))
        commands = json.loads((self.folder / "build/compile_commands.json").read_text())
        own = [entry["command"] for entry in commands if entry["file"].endswith("main.cpp")]
        self.assertEqual(len(own), 1)
        self.assertEqual(re.findall(r"\s(-W\S+|-O\S*|-f\S+|-g\S*)(?=\s)", own[0]), [], own[0])
        got = subprocess.run([self.folder / "build/consumer"], capture_output=True, text=True, timeout=60, check=True)
        self.assertEqual(got.stdout, "0 1 2 ")

    def test_a_consumer_of_the_installed_package(self) -> None:
        self.cmake("-S", str(PROJECT), "-B", "package", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={COMPILER}", "-DBATON_PROGRAMS=OFF")
        self.cmake("--install", "package", "--prefix", "prefix")
        self.check_consumer("find_package(baton REQUIRED)", f"-DCMAKE_PREFIX_PATH={self.folder / 'prefix'}")

    def test_a_consumer_that_adds_the_project_as_a_folder(self) -> None:
        self.check_consumer(f"add_subdirectory({PROJECT.as_posix()} baton)")


if __name__ == "__main__":
    PROJECT, CMAKE, COMPILER = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    unittest.main(argv=sys.argv[:1], verbosity=2)
