# SPDX-License-Identifier: MIT
"""Builds a consumer's project on a board.

usage: packaging_cross_test.py PROJECT CMAKE BOARD TOOLCHAIN RUNNER [OPTION...]

Each of the three ways to use the package builds the same program with a cross compiler, and the
board's emulator runs it. A consumer of the installed package for AVR or a Cortex-M has a toolchain
file of its own, with nothing in it but the chip.
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT, CMAKE, BOARD, TOOLCHAIN, RUNNER = Path(), "", "", "", [""]

MAIN = """
#include <baton/board.hpp>
#include <baton/core.hpp>

struct block {
  char text[40];  // large enough that the compiler calls memcpy and memset
};
static block original, copy;

struct greeter : baton::coroutine<greeter, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (i = 0; i < 3; ++i) {
      original = block();
      original.text[i] = static_cast<char>('0' + i);
      copy = original;
      baton::board::console::put(copy.text[i]);
      BATON_DELAY_MS(5);
    }
    baton::board::finish(0);
    BATON_END();
  }
  uint8_t i = 0;
};

static greeter g;

int main() {
  baton::board::start();
  g.start();
  baton::scheduler::run();
  return 0;  // -ffreestanding does not add it
}
"""

KERNEL_MAIN = """
#include <baton/board.hpp>
#include <baton/kernel.hpp>

namespace kernel = baton::kernel;

BATON_KERNEL_MEMORY static kernel::system<2> tasks;
BATON_KERNEL_MEMORY static kernel::stack<1024> server_stack, client_stack;
static kernel::tid server;

static void serve(void*) {
  char c;
  kernel::received m = kernel::receive(&c, 1);
  for (;;) m = kernel::reply_receive(m.client, &c, 1, &c, 1);
}

static void ask(void*) {
  for (char c = '0'; c < '3'; ++c) {
    char echo = '?';
    kernel::send(server, &c, 1, &echo, 1);
    kernel::sleep(baton::milliseconds(1));
    baton::board::console::put(echo);
  }
  baton::board::finish(0);
}

int main() {
  baton::board::start();
  server = tasks.create(kernel::describe(1, serve, server_stack, "server")).id;
  tasks.create(kernel::describe(1, ask, client_stack, "client"));
  tasks.run();
  return 1;
}
"""

# The ports of these boards whose kernel part is tested, too.
KERNEL_PORTS = {"mps2-an386": "cortex_m", "microbit": "nrf51"}

LISTS = """cmake_minimum_required(VERSION 3.25)
project(consumer C CXX ASM)
{find}
add_executable(consumer main.cpp)
target_link_libraries(consumer PRIVATE baton::{target})
"""

OWN_TOOLCHAIN = """set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_C_COMPILER {prefix}-gcc)
set(CMAKE_CXX_COMPILER {prefix}-g++)
set(CMAKE_ASM_COMPILER {prefix}-gcc)
set(CMAKE_C_FLAGS_INIT "{flags}")
set(CMAKE_CXX_FLAGS_INIT "{flags} -fno-exceptions -fno-rtti")
set(CMAKE_ASM_FLAGS_INIT "{flags}")
set(CMAKE_EXE_LINKER_FLAGS_INIT "{link}")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
"""


class CrossPackagingTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_command(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=120, check=False)

    def cmake(self, *words: str) -> str:
        done = self.run_command(CMAKE, *words)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def configure(self, source: str, build: str, *options: str, toolchain: "str | None" = None) -> "list[str]":
        chosen = [f"-DCMAKE_TOOLCHAIN_FILE={toolchain or TOOLCHAIN}", "-DCMAKE_BUILD_TYPE=MinSizeRel"]
        if not toolchain:
            chosen.append(f"-DBATON_BOARD={BOARD}")
        return ["-S", source, "-B", build, "-G", "Ninja", *chosen, *options]

    def check_consumer(
        self, find: str, target: str, *options: str, toolchain: "str | None" = None, main: str = MAIN
    ) -> None:
        (self.folder / "consumer").mkdir(exist_ok=True)
        (self.folder / "consumer/main.cpp").write_text(main)
        (self.folder / "consumer/CMakeLists.txt").write_text(LISTS.format(find=find, target=target))
        self.cmake(*self.configure("consumer", "build", *options, toolchain=toolchain))
        self.assertNotIn("warning", self.cmake("--build", "build"))
        done = self.run_command(*RUNNER, "build/consumer")
        self.assertEqual((done.returncode, done.stdout), (0, "012"), done.stderr)

    def own_toolchain(self) -> "str | None":
        """Returns a toolchain file without Baton; None where the package's own is needed."""
        chip = {key: RUNNER[RUNNER.index(f"--{key}") + 1] for key in ("mcu", "hz") if f"--{key}" in RUNNER}
        if chip:
            words = {"prefix": "avr", "flags": "-mmcu={mcu} -DF_CPU={hz}UL".format(**chip), "link": ""}
        elif BOARD == "mps2-an386":
            flags = "-mcpu=cortex-m4 -mthumb -ffreestanding -DBATON_CPU_HZ=25000000UL"
            words = {"prefix": "arm-none-eabi", "flags": flags, "link": "-nostdlib -nostartfiles -Wl,--gc-sections"}
        else:
            return None
        path = self.folder / "own.cmake"
        path.write_text(OWN_TOOLCHAIN.format(**words))
        return str(path)

    def test_the_installed_package(self) -> None:
        self.cmake(*self.configure(str(PROJECT), "package", "-DBATON_PROGRAMS=OFF"))
        self.cmake("--build", "package")
        self.cmake("--install", "package", "--prefix", "prefix")
        found = f"-Dbaton_DIR={self.folder}/prefix/share/cmake/baton"
        find, board, own = "find_package(baton 0.1 REQUIRED)", f"board_{BOARD}", self.own_toolchain()
        self.check_consumer(find, board, found, toolchain=own)
        if BOARD in KERNEL_PORTS:
            target = f"{board} baton::port_{KERNEL_PORTS[BOARD]}"
            self.check_consumer(find, target, found, toolchain=own, main=KERNEL_MAIN)

    def test_the_project_as_a_folder(self) -> None:
        self.check_consumer(f"add_subdirectory({PROJECT.as_posix()} baton)", "board")

    def test_the_project_as_fetched_content(self) -> None:
        find = 'include(FetchContent)\nFetchContent_Declare(baton URL "nowhere.zip")\nFetchContent_MakeAvailable(baton)'
        self.check_consumer(find, "board", f"-DFETCHCONTENT_SOURCE_DIR_BATON={PROJECT.as_posix()}")


if __name__ == "__main__":
    PROJECT, (CMAKE, BOARD, TOOLCHAIN, *RUNNER) = Path(sys.argv[1]), sys.argv[2:]
    unittest.main(argv=sys.argv[:1], verbosity=2)
