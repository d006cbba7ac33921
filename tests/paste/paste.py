# SPDX-License-Identifier: MIT
"""Pastes the programs of the pages into a new project: paste.py TREE CMAKE COMPILER FOLDER

A program is a block of C++ with a main(). It is pasted as it stands in the page, and linked as the
page says: by a block of CMake that names the program's file, without its ending. A page without
such a block links a board, and services if the program includes them. The output is compared with
the file beside the source that the page quotes: `howto/retry.txt` beside `howto/retry.cpp`, or
`expected.txt`. The first ten examples are pasted, too.
"""

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PAGES = ("README.md", "docs/**/*.md")
EXAMPLES = re.compile(r"0\d_|10_")
VIRTUAL = ("06_profiler_table", "07_event_log", "10_steady_beat")
"""These examples need virtual time for the output of a board: see examples/CMakeLists.txt."""
BUILD_LIMIT_S, RUN_LIMIT_S = 1500, 60
_PROGRAM = re.compile(r"^<!-- from (\S+) -->\n```cpp\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_MAIN = re.compile(r"^int main\(", re.MULTILINE)
_CMAKE = re.compile(r"^```cmake\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NOT_PASTED = re.compile(r"^(add_subdirectory|add_executable|find_package)\(.*\n", re.MULTILINE)
_TREE_INCLUDE = re.compile(r'^#include ".*', re.MULTILINE)


@dataclass(frozen=True)
class Program:
    """A program with the page that it was found in, the lines of CMake that link it, and its output."""

    name: str
    page: str
    text: str
    links: str
    expected: "Path | None"
    """None for a program that reads its input from a board: it is built and not run."""


class PasteError(Exception):
    """A page has a program that cannot be pasted."""


def of_page(root: Path, page: Path) -> "list[Program]":
    """Returns the programs of a page."""
    text = page.read_text(encoding="utf-8")
    found = []
    for match in _PROGRAM.finditer(text):
        source, body = root / match[1], match[2]
        if not _MAIN.search(body) or "#include" not in body:
            continue  # the end of a program, quoted alone
        where = str(page.relative_to(root))
        name = source.stem if source.stem != "main" else source.parent.name
        include = _TREE_INCLUDE.search(body)
        if include:
            raise PasteError(f"{where}: {name} includes a file of this tree: {include[0]}")
        found.append(Program(name, where, body, links(text, name, body), output(source, where)))
    return found


def links(page: str, name: str, body: str) -> str:
    """Returns the lines of CMake that link a program: those of its page, or the common ones."""
    for block in _CMAKE.findall(page):
        if re.search(rf"\({name} ", block):
            return _NOT_PASTED.sub("", block)
    module = "baton::service " if "<baton/service.hpp>" in body else ""
    return f"target_link_libraries({name} PRIVATE {module}baton::board_host)\n"


def output(source: Path, where: str) -> Path:
    """Returns the file with the output that a program should have."""
    for path in (source.with_suffix(".txt"), source.with_name("expected.txt")):
        if path.is_file():
            return path
    raise PasteError(f"{where}: there is no output to compare with, {source.with_suffix('.txt').name}")


def of_examples(root: Path) -> "list[Program]":
    """Returns the first ten examples."""
    found = []
    for folder in sorted((root / "examples").iterdir()):
        if not EXAMPLES.match(folder.name):
            continue
        body = (folder / "main.cpp").read_text(encoding="utf-8")
        include = _TREE_INCLUDE.search(body)
        if include:
            raise PasteError(f"{folder.name} includes a file of this tree: {include[0]}")
        target = f"example_{folder.name}"
        port = "baton::board_host_io baton::port_sim_core" if folder.name in VIRTUAL else "baton::board_host"
        line = f"target_link_libraries({target} PRIVATE {port})\n"
        is_fed = "send" in (folder / "example.toml").read_text(encoding="utf-8")
        found.append(Program(target, folder.name, body, line, None if is_fed else folder / "expected.txt"))
    return found


def programs(root: Path) -> "list[Program]":
    """Returns every program, each once."""
    pages = sorted({path for pattern in PAGES for path in root.glob(pattern)})
    found: "dict[tuple[str, str], Program]" = {}
    for program in [each for page in pages for each in of_page(root, page)] + of_examples(root):
        found.setdefault((program.name, program.text), program)
    names = [name for name, _ in found]
    if len(set(names)) != len(names):
        raise PasteError(f"two programs have one name: {sorted(names)}")
    return list(found.values())


def project(root: Path, each: "list[Program]") -> str:
    """Returns the CMakeLists.txt of the new project."""
    text = "cmake_minimum_required(VERSION 3.25)\nproject(pasted CXX)\n"
    text += f"find_package(Boost 1.81 REQUIRED)\nadd_subdirectory({root} baton)\nadd_compile_options(-Wall -Wextra -Werror)\n"
    for program in each:
        text += f"\nadd_executable({program.name} {program.name}.cpp)\n{program.links}"
    return text


def write(path: Path, text: str) -> None:
    """Writes a file unless it has this text, so that a second run compiles nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def main() -> int:
    """Pastes, builds and runs."""
    root, cmake, compiler, folder = Path(sys.argv[1]), sys.argv[2], sys.argv[3], Path(sys.argv[4])
    try:
        each = programs(root)
    except PasteError as error:
        print(error)
        return 1
    write(folder / "CMakeLists.txt", project(root, each))
    for program in each:
        write(folder / f"{program.name}.cpp", program.text)
    build = folder / "build"
    configure = [cmake, "-S", str(folder), "-B", str(build), "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}"]
    names = [program.name for program in each]
    for command in (configure, [cmake, "--build", str(build), "--parallel", "1", "--target", *names]):
        if subprocess.run(command, check=False, timeout=BUILD_LIMIT_S).returncode != 0:
            print(f"does not build: {' '.join(command)}")
            return 1
    failed = 0
    prints = Path(__file__).resolve().parent.parent / "readme" / "prints.py"
    for program in each:
        if program.expected is None:
            print(f"built {program.name} of {program.page}")
            continue
        command = [sys.executable, str(prints), str(program.expected), str(build / program.name)]
        ended = subprocess.run(command, check=False, timeout=RUN_LIMIT_S, capture_output=True, text=True)
        failed += ended.returncode != 0
        print(f"{'passed' if ended.returncode == 0 else 'FAILED'} {program.name} of {program.page} {ended.stdout.strip()}")
    return 1 if failed or len(each) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
