# SPDX-License-Identifier: MIT
"""Reads mutants.toml files, checks each mutant against the tree, and writes altered copies.

See cmake/README.md.

mutants.py check PROJECT
    checks every such file of the tree, for every board.
mutants.py alter PROJECT FILE NAME FOLDER
    writes the sources of one entry below FOLDER, for a program that is tested with them, and
    prints their paths.
mutants.py apply PROJECT FILE FOLDER PROGRAMS
    writes the copies of FILE's mutants below FOLDER, and FOLDER/mutants.cmake, which declares
    their programs and tests. PROGRAMS lists the sources of the programs, one per line: program,
    "own" or "library", path; separated by tabs.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import choices
from entries import Mutant, MutantError, altered, read
from includes import HEADERS, ROOT_OF_INCLUDES, Sources

Program = list[tuple[str, Path]]
"""A program's sources: for each, whether it is the program's own or a library's, and its path."""


def write(path: Path, text: str) -> None:
    """Writes a changed text only, so that nothing else is compiled again."""
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


class Copies:
    """The altered copies of one mutant, below a folder that holds nothing else."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._written: set[Path] = set()

    def write(self, file: str | Path, text: str) -> Path:
        """Writes one copy, and returns its path."""
        path = self.root / file
        write(path, text)
        self._written.add(path)
        return path

    def remove_others(self) -> None:
        """Removes copies of an earlier configuration: a compiler would find them first."""
        for path in self.root.rglob("*"):
            if path.is_file() and path not in self._written:
                path.unlink()


def quote(value: object) -> str:
    """Quotes an argument for CMake."""
    text = str(value)
    marks = "=" * next(n for n in range(9) if f"]{'=' * n}]" not in text + "]")
    return f"[{marks}[{text}]{marks}]"


@dataclass
class Control:
    """The control of those mutants of one program that have the same options or definitions."""

    name: str
    program: str
    values: dict[str, Any]
    compiled: list[Path]
    recompiled: list[Path]
    cases: list[str]
    root: Path | None = None  # of altered headers

    def add(self, compiled: list[Path], recompiled: list[Path], case: str) -> None:
        """Adds one mutant."""
        self.compiled += [source for source in compiled if source not in self.compiled]
        self.recompiled += [source for source in recompiled if source not in self.recompiled]
        self.cases.append(case)

    def declare(self) -> str:
        """Returns the call of baton_control()."""
        compiled = " ".join(map(quote, sorted(self.compiled, key=lambda source: source in self.recompiled)))
        lines = [f"baton_control({self.name}", f"PROGRAM {quote(self.program)}", f"COMPILE {compiled}"]
        if self.root:
            lines.append(f"INCLUDE {quote(self.root)}")
        if self.recompiled:
            lines.append(f"IN_PLACE_OF {' '.join(quote(path.name) for path in self.recompiled)}")
        if self.cases and "" not in self.cases:
            lines.append(f"CASES {' '.join(map(quote, dict.fromkeys(self.cases)))}")
        lines += _listed(self.values)
        return "\n  ".join(lines) + ")\n"


def _listed(values: dict[str, Any]) -> list[str]:
    lists = [key for key in ("options", "definitions") if values.get(key)]
    return [
        *(f"{key.upper()} {' '.join(map(quote, values[key]))}" for key in lists),
        *(["UNITY"] if values.get("unity") else []),
    ]


def _own_of(mutant: Mutant) -> dict[str, Any]:
    """Returns what a mutant is compiled with in another way than the ordinary test."""
    return {key: mutant.values[key] for key in ("options", "definitions", "unity") if mutant.values.get(key)}


def _control_of(mutant: Mutant, controls: dict[tuple[str, str], Control]) -> Control:
    """Returns the control of a mutant that another program than the ordinary test is compared with."""
    own = _own_of(mutant)
    prefix = mutant.values["prefix"]
    topic = mutant.program.removeprefix(f"{prefix}_").removesuffix("_test")
    number = sum(1 for program, _ in controls if program == mutant.program)
    name = f"{prefix}_control_{topic}" + (f"_{number + 1}" if number else "")
    return controls.setdefault((mutant.program, repr(own)), Control(name, mutant.program, own, [], [], []))


def _copy(project: Path, texts: Mapping[str, str], to: Copies) -> dict[Path, Path]:
    """Writes altered files: a header by its include root, others as in the tree."""
    copies = {}
    for file, text in texts.items():
        is_include = Path(file).suffix in HEADERS and ROOT_OF_INCLUDES.match(file)
        copies[project / file] = to.write(ROOT_OF_INCLUDES.sub("", file) if is_include else file, text)
    return copies


def _compiled(project: Path, source: Path, to: Copies, copies: dict[Path, Path], sources: Sources) -> Path:
    """Returns the source to compile in place of one that includes an altered file.

    A file that includes by quotation looks beside itself first, so it is copied with its
    neighbours.
    """
    beside = sources.beside(source)
    if not any(path in beside and copy == to.root / path.relative_to(project) for path, copy in copies.items()):
        return source
    for path in beside - copies.keys():
        to.write(path.relative_to(project), path.read_text(encoding="utf-8"))
    return to.root / source.relative_to(project)


def declaration(tree: Sources, mutant: Mutant, program: Program, control: Control | None, root: Path) -> str:
    """Writes the mutant's copies below a folder, and returns its call of baton_mutant()."""
    to = Copies(root)
    copies = _copy(tree.project, altered(tree.project, mutant), to)
    seeing = [(kind, source) for kind, source in program if tree.seen_by(source) & copies.keys()]
    seeing.sort(key=lambda of: of[0] == "own")  # in one unit a test's macros come after the library
    if not seeing:
        files = ", ".join(edit.file for edit in mutant.edits)
        raise MutantError(f"mutant {mutant.name}: no source of {mutant.program} includes or is {files}")
    compiled = [_compiled(tree.project, source, to, copies, tree) for _, source in seeing]
    to.remove_others()
    own = [source for kind, source in seeing if kind == "own"]
    lines = [
        f"baton_mutant({mutant.values['prefix']}_kills_{mutant.name}",
        f"PROGRAM {quote(mutant.program)}",
        f"INCLUDE {quote(root)}",
        f"COMPILE {' '.join(map(quote, compiled))}",
    ]
    if own:
        lines.append(f"IN_PLACE_OF {' '.join(quote(path.name) for path in own)}")
    if control:
        control.add([source for _, source in seeing], own, mutant.values.get("case", ""))
        lines.append(f"CONTROL {control.name}")
    return "\n  ".join([*lines, *_killed(mutant), *_listed(mutant.values)]) + ")\n"


def _killed(mutant: Mutant) -> list[str]:
    keys = ("says", "case", "limit_s", "limit_ms", "runs", "environment")
    lines = [f"{key.upper()} {quote(mutant.values[key])}" for key in keys if key in mutant.values]
    return [f"KILLED_BY {' '.join(mutant.values['killed_by'])}", *lines]


def _together(tree: Sources, mutants: Sequence[Mutant], of_program: Mapping[str, Program], folder: Path) -> str:
    """Writes the copies that hold all the mutants, and returns the calls for a program of each test.

    Errors   MutantError
    """
    prefix = mutants[0].values["prefix"]
    to = Copies(folder / f"{prefix}_together")
    copies = _copy(tree.project, choices.texts_of(tree.project, mutants), to)
    chooser = to.write("chooser.cpp", choices.DEFINITION)
    controls: dict[tuple[str, str], Control] = {}
    parts = []
    for number, mutant in enumerate(mutants, 1):
        if mutant.program not in of_program:
            raise MutantError(f"mutant {mutant.name}: there is no program {mutant.program}")
        seeing = [(kind, at) for kind, at in of_program[mutant.program] if tree.seen_by(at) & copies.keys()]
        own = [source for kind, source in seeing if kind == "own"]
        control = _control_of(mutant, controls)
        control.root = to.root
        compiled = [_compiled(tree.project, source, to, copies, tree) for _, source in seeing]
        control.add([chooser, *compiled], own, mutant.values.get("case", ""))
        lines = [f"baton_chosen_mutant({prefix}_kills_{mutant.name}", f"PROGRAM {quote(mutant.program)}"]
        lines += [f"CONTROL {control.name}", f"CHOICE {choices.VARIABLE}={number}", *_killed(mutant)]
        parts.append("\n  ".join(lines) + ")\n")
    to.remove_others()
    return "".join([*(control.declare() for control in controls.values()), *parts])


def apply(project: Path, path: Path, folder: Path, programs: Path) -> None:
    """Writes the copies and mutants.cmake.

    Errors   MutantError
    """
    of_program: dict[str, Program] = {}
    for line in programs.read_text(encoding="utf-8").splitlines():
        name, kind, source = line.split("\t")
        of_program.setdefault(name, []).append((kind, Path(source)))
    mutants = read(project, path)
    read_files = {edit.file for mutant in mutants for edit in mutant.edits}
    files = " ".join(quote(project / file) for file in sorted(read_files))
    declare = _together if mutants[0].values["together"] else _apart
    text = declare(Sources(project), mutants, of_program, folder)
    text += f"set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS {files})\n"
    write(folder / "mutants.cmake", text)


def _apart(tree: Sources, mutants: Sequence[Mutant], of_program: Mapping[str, Program], folder: Path) -> str:
    """Writes the copies of each mutant, and returns the calls for a program of each.

    Errors   MutantError
    """
    parts = []
    controls: dict[tuple[str, str], Control] = {}
    roots: set[Path] = set()
    for mutant in mutants:
        altered(tree.project, mutant)  # on every board: a mutant of another board that does not fit stops this one, too
        where = mutant.values.get("where")
        root = folder / f"{mutant.values['prefix']}_kills_{mutant.name}"
        while root in roots:  # several boards may have a mutant of the same name
            root = root.with_name(root.name + "_")
        roots.add(root)
        try:
            if mutant.program not in of_program:
                raise MutantError(f"mutant {mutant.name}: there is no program {mutant.program}")
            control = _control_of(mutant, controls) if _own_of(mutant) else None
            text = declaration(tree, mutant, of_program[mutant.program], control, root)
        except MutantError as error:  # a mutant of a program that another board has
            text = f"message(FATAL_ERROR {quote(error)})\n"
        parts.append(f"if({where})\n{text}endif()\n" if where else text)
    return "".join([control.declare() for control in controls.values()] + parts)


def check(project: Path) -> int:
    """Prints the mutants that do not fit the tree, and how many fit."""
    count = wrong = 0
    for path in sorted(project.glob("**/*.toml")):
        if "build" in path.relative_to(project).parts or "\n[[mutant]]\n" not in path.read_text(encoding="utf-8"):
            continue
        try:
            mutants = read(project, path)
        except MutantError as error:
            print(error)
            wrong += 1
            continue
        for mutant in mutants:
            try:
                altered(project, mutant)
                count += 1
            except MutantError as error:
                print(f"{path.relative_to(project)}: {error}")
                wrong += 1
    print(f"{count} mutants fit, {wrong} do not")
    return 1 if wrong or not count else 0


def alter_one(project: Path, path: Path, name: str, folder: Path) -> None:
    """Writes the sources of one entry.

    Errors   MutantError
    """
    found = [mutant for mutant in read(project, path) if mutant.name == name]
    if not found:
        raise MutantError(f"{path.relative_to(project)} has no entry {name}")
    for file, text in altered(project, found[0]).items():
        copy = folder / name / file
        write(copy, text)
        print(copy)


def main() -> int:
    """Runs the command; errors are one line on standard error."""
    verb, project = sys.argv[1], Path(sys.argv[2]).resolve()
    if verb == "check":
        return check(project)
    try:
        if verb == "alter":
            alter_one(project, Path(sys.argv[3]).resolve(), sys.argv[4], Path(sys.argv[5]))
            return 0
        apply(project, Path(sys.argv[3]).resolve(), Path(sys.argv[4]), Path(sys.argv[5]))
    except MutantError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
