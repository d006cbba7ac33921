# SPDX-License-Identifier: MIT
"""Checks the includes and conditions in the sources of a module: modules_lint.py PROJECT [BUILD]

- A condition on the architecture, the system or the compiler stands only in folders that may ask
  for the target according to modules.json.
- A module includes Baton's headers only of modules that it may link by modules.json, directly or
  through them, and those headers of its port that its row names. (The build finds that, too; this
  check reports it by name.)
- A module that stands alone, core, includes only <stdint.h> and <stddef.h> of others.
- Each header is compiled alone in that build.

Each rule is first tried on a mutant in each module, which it must find.
"""

import json
import re
import sys
from pathlib import Path

CONDITION = re.compile(r"^\s*#\s*(?:if|ifdef|ifndef|elif)\b.*")
ARCHITECTURE = re.compile(r"\b(__AVR\w*|AVR|ARDUINO\w*|__x86_64__|__i386__|__arm__|__ARM\w*|__thumb\w*|__aarch64__|__riscv\w*|__XTENSA__"
                          r"|__unix__|__linux__|__linux|__APPLE__|_WIN32|__GNUC__|__clang__|__SIZEOF_POINTER__)\b")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
BATON = re.compile(r"^baton/([a-z_0-9]+)(?:\.hpp$|/)")
FREESTANDING = ("stdint.h", "stddef.h")
SOURCE_ENDS = (".hpp", ".cpp", ".h", ".c")


class Lint:
    def __init__(self, table: dict) -> None:
        self.modules, self.folders = table["modules"], table["folders"]

    def reachable(self, name: str) -> "set[str]":
        """Returns the modules whose headers a module may include: itself, and its links."""
        found, open = set(), [name]
        while open:
            each = open.pop()
            if each not in found:
                found.add(each)
                open += self.modules[each]["links"] + self.modules[each].get("may_link", [])
        return found

    def module_of(self, file: str) -> "str | None":
        return next((name for name, row in self.modules.items() if file.startswith(row["folder"] + "/")), None)

    def wrong_include(self, module: str, header: str) -> str:
        """Returns the reason why a module may not include a header; nothing if it may."""
        row = self.modules[module]
        found = BATON.match(header)
        if not found:
            if row.get("stands_alone") and header not in FREESTANDING:
                return f"includes <{header}>; it may include {', '.join(f'<{name}>' for name in FREESTANDING)} and its own headers"
            return ""
        if found[1] in self.reachable(module) or header in row.get("port_headers", []):
            return ""
        whose = "another module" if found[1] in self.modules else "a port or a board"
        return f"includes <{header}> of {whose}, which {module} may not link by modules.json"

    def faults_of(self, name: str, text: str) -> "list[str]":
        """Returns the faults of one file, as lines."""
        faults = []
        module = self.module_of(name)
        for number, line in enumerate(text.splitlines(), 1):
            where = f"{name}:{number}: "
            if CONDITION.match(line) and (found := ARCHITECTURE.search(line)):
                faults.append(f"{where}a condition on {found[1]}; only ports/ and boards/ may ask for the target")
            if module and (include := INCLUDE.match(line)) and (wrong := self.wrong_include(module, include[1])):
                faults.append(where + wrong)
        return faults

    def files(self, project: Path) -> "list[Path]":
        """Returns the sources that must not ask for the target; tests and some folders may."""
        folders = [row["folder"] for row in self.modules.values()]
        folders += [name for name, row in self.folders.items() if not row["may_ask_for_target"]]
        found = (path for folder in folders for path in sorted((project / folder).rglob("*")) if path.suffix in SOURCE_ENDS)
        return [path for path in found if "tests" not in path.relative_to(project).parts]

    def unverified(self, project: Path, headers: "set[str]") -> "list[str]":
        """Returns the headers of modules that are missing in `headers`, those compiled alone."""
        faults = []
        for name, row in self.modules.items():
            root = project / row["folder"] / row.get("headers", "include")
            for path in sorted(path for path in root.rglob("*") if path.suffix in (".hpp", ".h")):
                if f"{name}:{path.relative_to(root).as_posix()}" not in headers:
                    faults.append(f"{path.relative_to(project).as_posix()}: no unit of the build compiles it alone")
        return faults

    def check_the_check(self, project: Path) -> "list[str]":
        """Returns the mutants that are not found."""
        seeds = {
            ("core/include/baton/core/seed.hpp", "#include <baton/sim/clock.hpp>\n"): "of a port or a board",
            ("core/include/baton/core/seed.hpp", "#include <baton/board.hpp>\n"): "of a port or a board",
            ("core/include/baton/core/seed.hpp", "#include <type_traits>\n"): "it may include",
            ("bench/suites/seed.cpp", "  #ifdef __x86_64__\n"): "condition on __x86_64__",
        }
        for name, row in self.modules.items():
            file = f"{row['folder']}/{row.get('headers', 'include')}/seed.hpp"
            seeds[file, "#if defined(__AVR__)\n"] = "condition on __AVR__"
            for other in sorted(self.modules.keys() - self.reachable(name)):
                seeds[file, f"#include <baton/{other}/seed.hpp>\n"] = f"of another module, which {name} may not link"
        missed = [f"the check does not find: {text.strip()} in {name}" for (name, text), word in seeds.items()
                  if not any(word in fault for fault in self.faults_of(name, text))]
        alone = {fault.partition(":")[0] for fault in self.unverified(project, set())}
        missed += [f"the check does not find that the headers of {name} are not compiled alone" for name, row in self.modules.items()
                   if not any(fault.startswith(row["folder"] + "/") for fault in alone)]
        return missed


def compiled_alone(build: Path) -> "set[str]":
    """Returns the headers that a build compiles alone, as module:header."""
    unit = re.compile(r"/baton_([a-z]+)(?:_on_[a-z0-9_-]+)?_verify_interface_header_sets/(.+)\.cxx$")
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    return {f"{found[1]}:{found[2]}" for entry in entries if (found := unit.search(entry["file"]))}


def main() -> int:
    """Prints each fault."""
    project = Path(sys.argv[1])
    lint = Lint(json.loads((project / "modules.json").read_text(encoding="utf-8")))
    files = lint.files(project)
    faults = lint.check_the_check(project)
    for path in files:
        faults += lint.faults_of(path.relative_to(project).as_posix(), path.read_text(encoding="utf-8"))
    if len(sys.argv) > 2:
        faults += lint.unverified(project, compiled_alone(Path(sys.argv[2])))
    print("\n".join(faults) or f"{len(files)} files keep to their modules")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main())
