# SPDX-License-Identifier: MIT
"""What the sources of a module may name: modules_lint.py PROJECT

- Conditions on the architecture, the system or the compiler stand only in ports and boards.
- A header of core includes only <stdint.h>, <stddef.h>, its own module and <baton/port.hpp>.
- A module's headers include no other module than cmake/modules.cmake lets it link. (The build finds that too; this says it by name.)

Each rule is first tried on a seeded defect, which it must find.
"""

import re
import sys
from pathlib import Path

MODULES = ("core", "kernel", "async", "asio", "service", "components", "remote", "compat", "bench", "examples")
CONDITION = re.compile(r"^\s*#\s*(?:if|ifdef|ifndef|elif)\b.*")
ARCHITECTURE = re.compile(r"\b(__AVR\w*|AVR|ARDUINO\w*|__x86_64__|__i386__|__arm__|__ARM\w*|__thumb\w*|__aarch64__|__riscv\w*|__XTENSA__"
                          r"|__unix__|__linux__|__linux|__APPLE__|_WIN32|__GNUC__|__clang__|__SIZEOF_POINTER__)\b")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
CORE_MAY_INCLUDE = re.compile(r"^(stdint\.h|stddef\.h|baton/core/[a-z_0-9]+\.hpp|baton/core\.hpp|baton/port\.hpp)$")
OTHER_MODULES = re.compile(r"^baton/(kernel|async|service|remote|compat|board|sim|host|avr)\b")


def faults_of(name: str, text: str) -> "list[str]":
    """The faults of one file, as lines."""
    faults = []
    for number, line in enumerate(text.splitlines(), 1):
        where = f"{name}:{number}: "
        if CONDITION.match(line) and (found := ARCHITECTURE.search(line)):
            faults.append(f"{where}a condition on {found[1]}; only ports/ and boards/ may ask for the target")
        if not (include := INCLUDE.match(line)) or not name.startswith("core/include/"):
            continue
        if OTHER_MODULES.match(include[1]):
            faults.append(f"{where}core includes <{include[1]}> of another module")
        elif not CORE_MAY_INCLUDE.match(include[1]):
            faults.append(f"{where}core includes <{include[1]}>; it may include <stdint.h>, <stddef.h> and its own headers")
    return faults


def check_the_check() -> "list[str]":
    """Seeded defects that are not found."""
    seeds = {
        ("core/include/baton/core/seed.hpp", "#if defined(__AVR__)\n"): "condition on __AVR__",
        ("bench/suites/seed.cpp", "  #ifdef __x86_64__\n"): "condition on __x86_64__",
        ("core/include/baton/core/seed.hpp", "#include <baton/sim/clock.hpp>\n"): "of another module",
        ("core/include/baton/core/seed.hpp", "#include <baton/board.hpp>\n"): "of another module",
        ("core/include/baton/core/seed.hpp", "#include <type_traits>\n"): "it may include",
    }
    return [f"the check does not find: {text.strip()} in {name}" for (name, text), word in seeds.items()
            if not any(word in fault for fault in faults_of(name, text))]


def main() -> int:
    """Prints each fault."""
    project = Path(sys.argv[1])
    files = [path for module in MODULES for path in sorted((project / module).rglob("*")) if path.suffix in (".hpp", ".cpp", ".h", ".c")]
    faults = check_the_check()
    for path in files:
        name = path.relative_to(project).as_posix()
        if "/tests/" not in name:
            faults += faults_of(name, path.read_text(encoding="utf-8"))
    print("\n".join(faults) or f"{len(files)} files keep to their modules")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main())
