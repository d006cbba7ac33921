# SPDX-License-Identifier: MIT
"""Checks that the namespaces of the compiled libraries name their variant: variants_lint.py PROJECT

Each header and source of async, asio, service and components opens its namespace as `namespace
baton::BATON_VARIANT::service`, or the same for C++14, and includes <baton/core/variant.hpp>, directly or through another
header, so that the macro has a value there.

Each rule is first tried on a mutant, which it must find.
"""

import re
import sys
from pathlib import Path

MODULES = ("async", "asio", "service", "components")
PLAIN = re.compile(rf"^\s*namespace\s+(?:baton::)?(?:{'|'.join(MODULES)})\b(?!\s*=).*", re.MULTILINE)
WITHIN = re.compile(
    rf"namespace baton \{{\s*inline namespace BATON_VARIANT_NAME \{{\s*namespace (?:{'|'.join(MODULES)}) \{{"
)
"""The same for C++14."""
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
VARIANT = "baton/core/variant.hpp"


def reaches_variant(project: Path, text: str, folder: Path, seen: "set[Path]") -> bool:
    """Tells whether a text includes the header that names the variant."""
    roots = [folder, *(project / module / "include" for module in (*MODULES, "core"))]
    for include in INCLUDE.findall(text):
        if include == VARIANT:
            return True
        found = next((root / include for root in roots if (root / include).is_file()), None)
        if found and found not in seen:
            seen.add(found)
            if reaches_variant(project, found.read_text(), found.parent, seen):
                return True
    return False


def faults_of(project: Path, path: Path, text: str) -> "list[str]":
    """Returns the faults of one file, as lines."""
    name = path.relative_to(project).as_posix()
    faults = [
        f"{name}: '{found.strip()}' is in no variant: namespace baton::BATON_VARIANT::..."
        for found in PLAIN.findall(WITHIN.sub("", text))
    ]
    if "BATON_VARIANT" in text and not reaches_variant(project, text, path.parent, set()):
        faults.append(f"{name}: BATON_VARIANT has no value here: include <{VARIANT}>")
    return faults


def check_the_check(project: Path) -> "list[str]":
    """Returns the mutants that are not found."""
    seeds = {
        "#include <baton/async.hpp>\nnamespace baton::service {\n": "in no variant",
        "#include <baton/async.hpp>\nnamespace baton {\nnamespace async {\n": "in no variant",
        "#include <vector>\nnamespace baton::BATON_VARIANT::service {\n": "no value",
    }
    seed = project / "service/include/baton/service/seed.hpp"
    return [f"the check does not find: {text!r}" for text, word in seeds.items()
            if not any(word in fault for fault in faults_of(project, seed, text))]  # fmt: skip


def main() -> int:
    """Prints each fault."""
    project = Path(sys.argv[1])
    files = [path for module in MODULES for part in ("include", "src") for path in sorted((project / module / part).rglob("*"))
             if path.suffix in (".hpp", ".cpp")]  # fmt: skip
    faults = check_the_check(project)
    for path in files:
        faults += faults_of(project, path, path.read_text())
    print("\n".join(faults) or f"{len(files)} files")
    return 1 if faults or len(files) < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
