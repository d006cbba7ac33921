# SPDX-License-Identifier: MIT
"""Each public header of core, and each port's <baton/port.hpp>, in strict C++: headers_test.py PROJECT COMPILER [FLAG...] -- PORT...

The build compiles each header alone with the flags of its preset. This adds what a user may choose: -std=c++14 without the GNU dialect,
no C++ library in reach, no optimisation, and the header included twice. And C++11, because the Arduino core for AVR compiles sketches
as gnu++11, and a sketch cannot ask for another.
"""

import itertools
import subprocess
import sys
from pathlib import Path

STANDARDS = ("c++14", "c++11")
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O0", "-nostdinc++", "-fsyntax-only", "-x", "c++", "-"]


def faults_of(command: "list[str]", source: str, standard: str) -> str:
    """What the compiler says against a source; empty if nothing."""
    words = [*command, f"-std={standard}", *STRICT]
    done = subprocess.run(words, input=source, capture_output=True, text=True, timeout=120, check=False)
    return done.stderr if done.returncode else ""


def main() -> int:
    """Prints each header that does not compile, and why."""
    project, command = Path(sys.argv[1]), sys.argv[2:]
    ports = command[command.index("--") + 1 :]
    command = command[: command.index("--")]
    core = project / "core/include"
    headers = sorted(path.relative_to(core).as_posix() for path in core.rglob("*.hpp"))
    faults = []
    for port in ports:
        roots = [f"-I{path}" for path in (core, project / "ports" / port / "include", project / "ports/device/include")]
        for header, standard in itertools.product([*headers, "baton/port.hpp"], STANDARDS):
            if said := faults_of([*command, *roots], f"#include <{header}>\n#include <{header}>\n", standard):
                faults.append(f"<{header}> with port {port} in {standard}:\n{said}")
    if not faults_of(command, "#include <type_traits>\n", "c++14"):
        faults.append("the check does not notice a header of the C++ library")
    if not faults_of(command, "constexpr int f(int x) {\n  x += 1;\n  return x;\n}\n", "c++11"):
        faults.append("the check does not notice what C++11 does not have")
    print("\n".join(faults) or f"{len(headers) + 1} headers, ports {' '.join(ports)}")
    return 1 if faults or len(headers) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
