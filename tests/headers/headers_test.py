# SPDX-License-Identifier: MIT
"""Each public header of core, and each port's <baton/port.hpp>, as strict C++14: headers_test.py PROJECT COMPILER [FLAG...] -- PORT...

The build compiles each header alone with the flags of its preset. This adds what a user may choose: -std=c++14 without the GNU dialect,
no C++ library in reach, no optimisation, and the header included twice.
"""

import subprocess
import sys
from pathlib import Path

STRICT = ["-std=c++14", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O0", "-nostdinc++", "-fsyntax-only", "-x", "c++", "-"]


def compiles(command: "list[str]", source: str) -> str:
    """What the compiler says against a source; empty if nothing."""
    done = subprocess.run([*command, *STRICT], input=source, capture_output=True, text=True, timeout=120, check=False)
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
        roots = [f"-I{core}", f"-I{project / 'ports' / port / 'include'}"]
        for header in [*headers, "baton/port.hpp"]:
            if said := compiles([*command, *roots], f"#include <{header}>\n#include <{header}>\n"):
                faults.append(f"<{header}> with port {port}:\n{said}")
    if not compiles([*command], "#include <type_traits>\n"):
        faults.append("the check does not notice a header of the C++ library")
    print("\n".join(faults) or f"{len(headers) + 1} headers, ports {' '.join(ports)}")
    return 1 if faults or len(headers) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
