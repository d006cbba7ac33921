# SPDX-License-Identifier: MIT
"""Reads mutants.toml files, checks each mutant against the tree, and writes altered copies: see cmake/README.md.

mutants.py check PROJECT
    checks every such file of the tree, whatever the board.
mutants.py alter PROJECT FILE NAME FOLDER
    writes the sources of one entry below FOLDER, for a program that is tested with them, and prints their paths.
mutants.py apply PROJECT FILE FOLDER PROGRAMS
    writes the copies of FILE's mutants below FOLDER, and FOLDER/mutants.cmake, which declares their programs and tests.
    PROGRAMS lists the sources of the programs, one a line: program, "own" or "library", path; separated by tabs.
"""

from __future__ import annotations

import itertools
import re
import sys
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

EDIT_KEYS = {"file", "function", "expression", "replacement", "matches"}
MUTANT_KEYS = EDIT_KEYS | {
    "name",
    "program",
    "where",
    "edit",
    "killed_by",
    "says",
    "case",
    "limit_s",
    "limit_ms",
    "runs",
    "options",
    "definitions",
    "environment",
}
DEFAULT_KEYS = MUTANT_KEYS - EDIT_KEYS - {"name", "edit", "case", "runs"}
FILE_KEYS = DEFAULT_KEYS | {"prefix", "mutant"}
WAYS = ("exit", "signal", "sanitizer", "crash", "hang", "silence")
HEADERS = {".hpp", ".h"}
ROOT_OF_INCLUDES = re.compile(r"^(?:(?:.*/)?include|compat/[a-z]+/src)/")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.M)
TOKEN = re.compile(r"\w+|[^\w\s]")
# What a brace or a parenthesis may stand in without being one.
OPAQUE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'', re.S)


Program = list[tuple[str, Path]]
"""A program's sources: whether each is its own or a library's, and where it is."""


class MutantError(Exception):
    """A mutant that does not fit the tree; the message names its file and its expression."""


@dataclass(frozen=True)
class Edit:
    """One replacement in one file."""

    file: str
    function: str
    expression: str
    replacement: str
    matches: int


@dataclass(frozen=True)
class Mutant:
    """One entry of a mutants.toml, with the defaults of its file."""

    name: str
    program: str
    edits: tuple[Edit, ...]
    values: dict[str, Any]


def blank(text: str) -> str:
    """The text with comments and literals overwritten: offsets stay, and brackets are the language's own."""
    return OPAQUE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def end_of_bracket(text: str, begin: int) -> int:
    """Behind the bracket that closes the one at `begin`; -1 without one."""
    depth = 0
    for at in range(begin, len(text)):
        if text[at] in "({[":
            depth += 1
        elif text[at] in ")}]":
            depth -= 1
            if depth == 0:
                return at + 1
    return -1


def end_of_body(text: str, at: int) -> int:
    """Behind the body of the function whose parameters end at `at`; -1 where no body follows."""
    while at < len(text):
        if text[at] in ";)]}=":
            return -1
        if text[at] in "([":
            at = end_of_bracket(text, at)
        elif text[at] == "{":
            at = end_of_bracket(text, at)
            rest = text[at:].lstrip() if at >= 0 else ""
            if not rest.startswith((",", "{")):  # else it was a member's initializer
                return at
        else:
            at += 1
        if at < 0:
            return -1
    return -1


def _of_assembly(text: str, name: str) -> list[tuple[int, int]]:
    """Where a label's or a macro's code stands."""
    label = rf"^{re.escape(name)}:.*?(?=^[A-Za-z_]\w*:|\Z)"
    macro = rf"^\s*\.macro\s+{re.escape(name)}\b.*?\.endm"
    found = re.search(f"{label}|{macro}", text, re.M | re.S)
    return [found.span()] if found else []


def _scope(code: str, line: str, after: int) -> int:
    """The end of the type or namespace whose name ends at `after`; -1 if it is none."""
    brace = re.compile(r"[^;{}()]*(?=\{)").match(code, after)
    is_scope = re.search(r"\b(?:class|struct|union|enum|namespace)\s[^;{}()]*$", line)
    return end_of_bracket(code, brace.end()) if is_scope and brace else -1


def _function(code: str, line: str, after: int) -> int:
    """The end of the function or macro whose name ends at `after`; -1 if it is none that is defined here."""
    if re.fullmatch(r"\s*#\s*define\s+", line):
        logical_line = re.compile(r"(?:[^\n]*\\\n)*[^\n]*").match(code, after)
        return logical_line.end() if logical_line else -1
    parameters = re.compile(r"\s*\(").match(code, after)
    at = end_of_bracket(code, parameters.end() - 1) if parameters else -1
    return end_of_body(code, at) if at >= 0 else -1


def regions(path: str, text: str, function: str) -> list[tuple[int, int]]:
    """Where the definitions of a function stand, or of a macro, a type, a label. `scope::name` looks inside a scope."""
    if path.endswith(".S"):
        return _of_assembly(text, function)
    code = blank(text)
    scopes = [(0, len(text))]
    *outer, last = function.split("::")
    for name in [*outer, last]:
        pattern = re.escape(name) if name.startswith(("~", "operator")) else rf"(?<!~)\b{re.escape(name)}\b"
        inside = []
        for begin, end in scopes:
            for found in re.finditer(pattern, code[begin:end]):
                start, after = begin + found.start(), begin + found.end()
                line = code[code.rfind("\n", 0, start) + 1 : start]
                stop = _scope(code, line, after)
                if stop < 0 and name == last:
                    stop = _function(code, line, after)
                elif stop < 0 and code.startswith("::", after):
                    stop = end  # `scope::name` as it is defined elsewhere
                if stop >= 0:
                    inside.append((start, stop))
        scopes = inside
    return scopes


def pattern_of(expression: str) -> re.Pattern[str]:
    """Finds the expression however it is broken into lines."""
    tokens = TOKEN.findall(expression)
    parts = [re.escape(tokens[0])]
    for before, token in itertools.pairwise(tokens):
        parts.append((r"\s+" if before[-1].isalnum() and token[0].isalnum() else r"\s*") + re.escape(token))
    return re.compile("".join(parts))


def alter(edit: Edit, text: str, mutant: str) -> str:
    """The text with the edit.

    Errors   MutantError
    """
    where = regions(edit.file, text, edit.function)
    if not where:
        raise MutantError(f"mutant {mutant}: {edit.file} holds no function '{edit.function}'")
    finder = pattern_of(edit.expression)
    spans = sorted({found.span() for begin, end in where for found in finder.finditer(text, begin, end)})
    if len(spans) != edit.matches:
        raise MutantError(
            f"mutant {mutant}: '{edit.function}' of {edit.file} holds the expression {len(spans)} times, not "
            f"{edit.matches}: {edit.expression.strip()}"
        )
    for begin, end in reversed(spans):
        text = text[:begin] + edit.replacement + text[end:]
    return text


def _edits(entry: dict[str, Any], name: str, place: str) -> tuple[Edit, ...]:
    edits = []
    for part in entry.get("edit", [{}]):
        values = {key: entry[key] for key in EDIT_KEYS if key in entry} | part
        missing = EDIT_KEYS - {"matches"} - values.keys()
        if missing or values.keys() - EDIT_KEYS:
            raise MutantError(
                f"{place}: mutant {name}: an edit has {', '.join(sorted(values))}; it needs "
                f"{', '.join(sorted(EDIT_KEYS))} ('matches' is 1 where it is not said)"
            )
        if not TOKEN.search(values["expression"]):
            raise MutantError(f"{place}: mutant {name}: the expression is empty")
        edits.append(Edit(**({"matches": 1} | values)))
    return tuple(edits)


def read(project: Path, path: Path) -> list[Mutant]:
    """The mutants of a file, each with the defaults that stand at the file's head.

    Errors   MutantError
    """
    place = path.relative_to(project).as_posix()
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise MutantError(f"{place}: {error}") from None
    if unknown := content.keys() - FILE_KEYS:
        raise MutantError(f"{place}: unknown: {', '.join(sorted(unknown))}; known: {', '.join(sorted(FILE_KEYS))}")
    defaults = {key: content[key] for key in DEFAULT_KEYS if key in content}
    mutants = []
    for entry in content.get("mutant", []):
        name = entry.get("name", "without a name")
        if unknown := entry.keys() - MUTANT_KEYS:
            known = ", ".join(sorted(MUTANT_KEYS))
            raise MutantError(f"{place}: mutant {name}: unknown: {', '.join(sorted(unknown))}; known: {known}")
        values = defaults | entry
        if missing := {"name", "program"} - values.keys():
            raise MutantError(f"{place}: mutant {name} has no {', '.join(sorted(missing))}")
        killed_by = values.get("killed_by", "exit")
        values["killed_by"] = [killed_by] if isinstance(killed_by, str) else killed_by
        if strange := set(values["killed_by"]) - set(WAYS):
            listed = ", ".join(sorted(strange))
            raise MutantError(f"{place}: mutant {name}: killed_by {listed}; known: {', '.join(WAYS)}")
        values["prefix"] = content.get("prefix", "")
        mutants.append(Mutant(name, values["program"], _edits(entry, name, place), values))
    if not mutants or not content.get("prefix"):
        raise MutantError(f"{place}: it has no prefix, or no mutant")
    return mutants


def altered(project: Path, mutant: Mutant) -> dict[str, str]:
    """The files that the mutant changes, as they are then.

    Errors   MutantError
    """
    texts: dict[str, str] = {}
    for edit in mutant.edits:
        if edit.file not in texts:
            if not (project / edit.file).is_file():
                raise MutantError(f"mutant {mutant.name}: there is no file {edit.file} for: {edit.expression.strip()}")
            texts[edit.file] = (project / edit.file).read_text(encoding="utf-8")
        texts[edit.file] = alter(edit, texts[edit.file], mutant.name)
    return texts


class Sources:
    """Which file includes which, as far as a reader can tell: a name that several folders have means each of them."""

    def __init__(self, project: Path) -> None:
        self.project = project
        self._by_tail: dict[str, list[Path]] = {}
        self._by_name: dict[str, list[Path]] = {}
        for folder in sorted(project.iterdir()):
            if folder.name in ("build", "lab") or folder.name.startswith(".") or not folder.is_dir():
                continue
            for path in sorted(folder.rglob("*")):
                if path.suffix in HEADERS:
                    relative = path.relative_to(project).as_posix()
                    self._by_name.setdefault(path.name, []).append(path)
                    if root := ROOT_OF_INCLUDES.match(relative):
                        self._by_tail.setdefault(relative[root.end() :], []).append(path)
        self._includes = lru_cache(maxsize=None)(self._read_includes)
        self._seen = lru_cache(maxsize=None)(self._walk)

    def _read_includes(self, path: Path) -> tuple[tuple[Path, bool], ...]:
        found: list[tuple[Path, bool]] = []
        for include in INCLUDE.finditer(path.read_text(encoding="utf-8")):
            beside = (path.parent / include[2]).resolve()
            if include[1] == '"' and beside.is_file():
                found.append((beside, True))
            else:
                others = self._by_tail.get(include[2]) or self._by_name.get(Path(include[2]).name, [])
                found += [(other, False) for other in others]
        return tuple(found)

    def _walk(self, path: Path, quoted_only: bool) -> frozenset[Path]:
        seen, todo = {path}, [path]
        while todo:
            for other, is_beside in self._includes(todo.pop()):
                if other not in seen and (is_beside or not quoted_only):
                    seen.add(other)
                    todo.append(other)
        return frozenset(seen)

    def seen_by(self, path: Path) -> frozenset[Path]:
        """The file and what it includes."""
        return self._seen(path, False)

    def beside(self, path: Path) -> frozenset[Path]:
        """The file and what it finds beside itself."""
        return self._seen(path, True)


def write(path: Path, text: str) -> None:
    """Writes what has changed, so that nothing else is compiled again."""
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def quote(value: object) -> str:
    """An argument of CMake."""
    text = str(value)
    marks = "=" * next(n for n in range(9) if f"]{'=' * n}]" not in text + "]")
    return f"[{marks}[{text}]{marks}]"


@dataclass
class Control:
    """What mutants of one program with the same options or definitions are compared with."""

    name: str
    program: str
    values: dict[str, Any]
    compiled: list[Path]
    recompiled: list[Path]
    cases: list[str]

    def add(self, compiled: list[Path], recompiled: list[Path], case: str) -> None:
        """One mutant more."""
        self.compiled += [source for source in compiled if source not in self.compiled]
        self.recompiled += [source for source in recompiled if source not in self.recompiled]
        self.cases.append(case)

    def declare(self) -> str:
        """What CMake is to do."""
        compiled = " ".join(map(quote, self.compiled))
        lines = [f"baton_control({self.name}", f"PROGRAM {quote(self.program)}", f"COMPILE {compiled}"]
        if self.recompiled:
            lines.append(f"IN_PLACE_OF {' '.join(quote(path.name) for path in self.recompiled)}")
        if self.cases and "" not in self.cases:
            lines.append(f"CASES {' '.join(map(quote, dict.fromkeys(self.cases)))}")
        lines += _listed(self.values)
        return "\n  ".join(lines) + ")\n"


def _listed(values: dict[str, Any]) -> list[str]:
    return [
        f"{key.upper()} {' '.join(map(quote, values[key]))}" for key in ("options", "definitions") if values.get(key)
    ]


def _control_of(mutant: Mutant, controls: dict[tuple[str, str], Control]) -> Control | None:
    """The control of a mutant that is compiled in another way than the ordinary test."""
    own = {key: mutant.values[key] for key in ("options", "definitions") if mutant.values.get(key)}
    if not own:
        return None
    prefix = mutant.values["prefix"]
    topic = mutant.program.removeprefix(f"{prefix}_").removesuffix("_test")
    number = sum(1 for program, _ in controls if program == mutant.program)
    name = f"{prefix}_control_{topic}" + (f"_{number + 1}" if number else "")
    return controls.setdefault((mutant.program, repr(own)), Control(name, mutant.program, own, [], [], []))


def _copies(project: Path, mutant: Mutant, root: Path) -> dict[Path, Path]:
    """Writes what the mutant alters: a header as its include root has it, anything else as the tree has it."""
    copies = {}
    for file, text in altered(project, mutant).items():
        is_include = Path(file).suffix in HEADERS and ROOT_OF_INCLUDES.match(file)
        copies[project / file] = root / (ROOT_OF_INCLUDES.sub("", file) if is_include else file)
        write(copies[project / file], text)
    return copies


def _compiled(project: Path, source: Path, root: Path, copies: dict[Path, Path], sources: Sources) -> Path:
    """What is compiled in place of a source that sees an altered file.

    What includes by quotation looks beside itself first, so it is copied with what it finds there.
    """
    beside = sources.beside(source)
    if not any(path in beside and copy == root / path.relative_to(project) for path, copy in copies.items()):
        return source
    for path in beside - copies.keys():
        write(root / path.relative_to(project), path.read_text(encoding="utf-8"))
    return root / source.relative_to(project)


def declaration(tree: Sources, mutant: Mutant, program: Program, control: Control | None, root: Path) -> str:
    """Writes the mutant's copies below a folder, and says what CMake is to do with them."""
    copies = _copies(tree.project, mutant, root)
    seeing = [(kind, source) for kind, source in program if tree.seen_by(source) & copies.keys()]
    if not seeing:
        files = ", ".join(edit.file for edit in mutant.edits)
        raise MutantError(f"mutant {mutant.name}: no source of {mutant.program} includes or is {files}")
    compiled = [_compiled(tree.project, source, root, copies, tree) for _, source in seeing]
    own = [source for kind, source in seeing if kind == "own"]
    lines = [
        f"baton_mutant({mutant.values['prefix']}_kills_{mutant.name}",
        f"PROGRAM {quote(mutant.program)}",
        f"INCLUDE {quote(root)}",
        f"COMPILE {' '.join(map(quote, compiled))}",
        f"KILLED_BY {' '.join(mutant.values['killed_by'])}",
    ]
    if own:
        lines.append(f"IN_PLACE_OF {' '.join(quote(path.name) for path in own)}")
    for key in ("says", "case", "limit_s", "limit_ms", "runs", "environment"):
        if key in mutant.values:
            lines.append(f"{key.upper()} {quote(mutant.values[key])}")
    if control:
        control.add([source for _, source in seeing], own, mutant.values.get("case", ""))
        lines.append(f"CONTROL {control.name}")
    return "\n  ".join([*lines, *_listed(mutant.values)]) + ")\n"


def apply(project: Path, path: Path, folder: Path, programs: Path) -> None:
    """Writes the copies and mutants.cmake.

    Errors   MutantError
    """
    of_program: dict[str, Program] = {}
    for line in programs.read_text(encoding="utf-8").splitlines():
        name, kind, source = line.split("\t")
        of_program.setdefault(name, []).append((kind, Path(source)))
    sources = Sources(project)
    parts = []
    controls: dict[tuple[str, str], Control] = {}
    read_files: set[str] = set()
    roots: set[Path] = set()
    for mutant in read(project, path):
        altered(project, mutant)  # wherever it is for: a mutant of another board that does not fit stops this one, too
        read_files |= {edit.file for edit in mutant.edits}
        where = mutant.values.get("where")
        root = folder / f"{mutant.values['prefix']}_kills_{mutant.name}"
        while root in roots:  # several boards may have one of the same name
            root = root.with_name(root.name + "_")
        roots.add(root)
        try:
            if mutant.program not in of_program:
                raise MutantError(f"mutant {mutant.name}: there is no program {mutant.program}")
            control = _control_of(mutant, controls)
            text = declaration(sources, mutant, of_program[mutant.program], control, root)
        except MutantError as error:  # of a program that another board has
            text = f"message(FATAL_ERROR {quote(error)})\n"
        parts.append(f"if({where})\n{text}endif()\n" if where else text)
    files = " ".join(quote(project / file) for file in sorted(read_files))
    parts.append(f"set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS {files})\n")
    write(folder / "mutants.cmake", "".join([control.declare() for control in controls.values()] + parts))


def check(project: Path) -> int:
    """How many mutants fit the tree; prints those that do not."""
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
    """Errors are one line on standard error."""
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
