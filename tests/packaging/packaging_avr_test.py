# SPDX-License-Identifier: MIT
"""A consumer of the installed package on an AVR board: packaging_avr_test.py PROJECT CMAKE BOARD RUNNER [OPTION...]"""

import subprocess
import sys
import tempfile
from pathlib import Path

MAIN = """
#include <baton/board.hpp>
#include <baton/core.hpp>

struct greeter : baton::coroutine<greeter, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (i = 0; i < 3; ++i) {
      baton::board::console::put(static_cast<char>('0' + i));
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
}
"""

LISTS = """cmake_minimum_required(VERSION 3.25)
project(consumer CXX)
find_package(baton REQUIRED)
add_executable(consumer main.cpp)
target_link_libraries(consumer PRIVATE baton::board_{board})
"""


def main() -> int:
    """Installs, builds the consumer against it and runs it in the simulator."""
    project, cmake, board, *runner = sys.argv[1:]
    toolchain = [f"-DCMAKE_TOOLCHAIN_FILE={project}/cmake/toolchains/avr.cmake", f"-DBATON_BOARD={board}"]
    toolchain.append("-DCMAKE_BUILD_TYPE=MinSizeRel")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "consumer").mkdir()
        (Path(folder) / "consumer/main.cpp").write_text(MAIN)
        (Path(folder) / "consumer/CMakeLists.txt").write_text(LISTS.format(board=board))
        found = f"-Dbaton_DIR={folder}/prefix/share/cmake/baton"
        for words in (
            [cmake, "-S", project, "-B", "package", "-G", "Ninja", "-DBATON_PROGRAMS=OFF", *toolchain],
            [cmake, "--build", "package"],
            [cmake, "--install", "package", "--prefix", "prefix"],
            [cmake, "-S", "consumer", "-B", "build", "-G", "Ninja", found, *toolchain],
            [cmake, "--build", "build"],
            [*runner, "build/consumer"],
        ):
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
            if done.returncode:
                print(" ".join(words), done.stdout, done.stderr, sep="\n")
                return 1
    print(done.stdout)
    return 0 if done.stdout == "012" else 1


if __name__ == "__main__":
    sys.exit(main())
