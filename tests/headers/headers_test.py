# SPDX-License-Identifier: MIT
"""Compiles each public header of core, and each port's <baton/port.hpp>, in strict C++.

usage: headers_test.py PROJECT COMPILER [FLAG...] -- PORT...

The build compiles each header alone with the flags of its preset. This test adds flags that a user
may choose: -std=c++14 without the GNU dialect, no C++ library in reach, no optimisation, and the
header included twice. It also tests C++11, because the Arduino core for AVR compiles sketches as
gnu++11, and a sketch cannot ask for another standard. The kernel and the kernel parts of ports are
C++14.
"""

import itertools
import platform
import re
import subprocess
import sys
from pathlib import Path

STANDARDS = ("c++14", "c++11")
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O0", "-nostdinc++", "-fsyntax-only", "-x", "c++", "-"]


def faults_of(command: "list[str]", source: str, standard: str) -> str:
    """Returns the compiler's errors and warnings about a source; empty if there are none."""
    words = [*command, f"-std={standard}", *STRICT]
    done = subprocess.run(words, input=source, capture_output=True, text=True, timeout=120, check=False)
    return done.stderr if done.returncode else ""


def kernel_parts(ports: Path) -> "dict[str, tuple[Path, list[str]]]":
    """Returns the include root of each kernel part of a port, and the parts that it links."""
    parts = {}
    for lists in ports.rglob("CMakeLists.txt"):
        text = lists.read_text().replace("${processor}", "aarch64" if platform.machine() == "aarch64" else "x86_64")
        for name, arguments in re.findall(r"\bbaton_kernel_port\((\w+)([^)]*)\)", text):
            parts[name] = lists.parent / "include", re.findall(r"\bport_(?!\w*_core)(\w+)", arguments)
    return parts


def kernel_roots(parts: "dict[str, tuple[Path, list[str]]]", port: str) -> "list[Path]":
    """Returns the include roots of a port's kernel part and of the parts that it links."""
    if port not in parts:
        return []
    root, others = parts[port]
    return list(dict.fromkeys([root, *(root for other in others for root in kernel_roots(parts, other))]))


def headers_of(root: Path) -> "list[str]":
    """Returns the headers of a folder, as they are included."""
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*.hpp"))


def main() -> int:
    """Prints each header that does not compile, and the reason."""
    project, command = Path(sys.argv[1]), sys.argv[2:]
    ports = command[command.index("--") + 1 :]
    command = command[: command.index("--")]
    core = project / "core/include"
    headers, kernels = headers_of(core), headers_of(project / "kernel/include")
    faults, seen = [], len(headers) + 1
    for port in ports:
        shared = [project / name / "include" for name in (f"ports/{port}", "families/bare_metal", "ports/host/common")]
        roots = [f"-I{path}" for path in (core, *shared)]
        for header, standard in itertools.product([*headers, "baton/port.hpp"], STANDARDS):
            if said := faults_of([*command, *roots], f"#include <{header}>\n#include <{header}>\n", standard):
                faults.append(f"<{header}> with port {port} in {standard}:\n{said}")
        runs_tasks = port != "sim" or "host" in ports  # in virtual time a task is a fiber of Linux
        parts = kernel_roots(kernel_parts(project / "ports"), port) if runs_tasks else []
        own = [header for part in parts for header in headers_of(part)]
        roots += [f"-I{path}" for path in (project / "kernel/include", *parts)]
        for header in [*kernels, *own] if parts else []:
            seen += 1
            if said := faults_of([*command, *roots], f"#include <{header}>\n#include <{header}>\n", "c++14"):
                faults.append(f"<{header}> with port {port}:\n{said}")
    if not faults_of(command, "#include <type_traits>\n", "c++14"):
        faults.append("the check does not notice a header of the C++ library")
    if not faults_of(command, "constexpr int f(int x) {\n  x += 1;\n  return x;\n}\n", "c++11"):
        faults.append("the check does not notice what C++11 does not have")
    print("\n".join(faults) or f"{seen} headers, ports {' '.join(ports)}")
    return 1 if faults or len(headers) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
