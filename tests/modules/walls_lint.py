# SPDX-License-Identifier: MIT
"""Uses of another module's internals: walls_lint.py PROJECT

- Nothing names the `detail` namespace of a module of which it is not a part, by whatever spelling: qualified, by an enclosing
  namespace, by a using directive or an alias. Nothing opens the `detail` or the `spi` namespace of another module.
- The `spi` namespace of a module (service-provider interface) is for modules and ports, and for the tests and the bench suites
  that try them. Examples and documents' programs do not name it.
- A namespace `spi` holds what it declares: no alias, using declaration or using directive passes a `detail` on under that name.
  It is declared in headers of a folder `spi`, each of which says on top what it is.

A namespace below `baton::M` is module M's where M is in modules.json; `baton::detail` and `baton::spi` are core's. Any other
`detail` belongs to the folders at the root of the tree that open it.

Each rule is first tried on mutants, one per module and spelling, which it must find.
"""

import json
import re
import sys
from pathlib import Path
from typing import NamedTuple

SOURCE_ENDS = (".hpp", ".cpp", ".h", ".c", ".ipp", ".ino")
INTERNAL, OFFERED = "detail", "spi"
VARIANTS = ("BATON_VARIANT", "BATON_POLLER")  # inline namespaces, which nobody writes in a name
FOLDERS_OF_USERS = ("examples", "docs")
SAYS = "/// Service-provider interface of"
TOKEN = re.compile(r"""
    (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<text>R"(?P<fence>[^()\s]*)\(.*?\)(?P=fence)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+')
  | (?P<directive>^[ \t]*\#(?:[^\n\\/]|\\.|/(?![/*]))*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<sign>::|[{}();=])
  | (?P<newline>\n)
""", re.VERBOSE | re.DOTALL | re.MULTILINE)

class Token(NamedTuple):
    text: str
    line: int


class Use(NamedTuple):
    """A place that names or opens an internal namespace. `chain` is as written, up to and with it; `root`: it begins with `::`."""

    line: int
    chain: "tuple[str, ...]"
    root: bool
    scope: "tuple[str, ...]"
    seen: "tuple[tuple[str, ...], ...]"  # the namespaces that using directives have brought in
    opens: bool
    passes_on: bool  # an alias or a using of it, inside a namespace `spi`


def tokens_of(text: str) -> "list[Token]":
    """The names and signs of a source. Of directives, those in the body of a `#define`; of two branches of an `#if`, the first."""
    found: list[Token] = []
    skipped: list[bool] = []  # per open `#if`: whether an `#else` or `#elif` of it is being read
    line = 1
    for each in TOKEN.finditer(text):
        word = each[0]
        if each["directive"]:
            what = word.strip().lstrip("# \t")
            if what.startswith("if"):
                skipped.append(False)
            elif what.startswith(("else", "elif")) and skipped:
                skipped[-1] = True
            elif what.startswith("endif") and skipped:
                skipped.pop()
            elif what.startswith("define"):
                body = [Token(name, line) for name in re.findall(r"\w+|::", what)]
                found += [token for token in body if token.text not in "{}"] + [Token(";", line)]
        elif each["name"] or each["sign"]:
            found.append(Token(("" if not any(skipped) else "\0") + word, line))
        line += word.count("\n")
    return found


def uses_of(text: str) -> "list[Use]":
    """The places of a source that name or open a `detail` or `spi` namespace."""
    every = tokens_of(text)
    balanced = [token for token in every if not (token.text[0] == "\0" and token.text[1:] in "{}")]
    tokens = [Token(token.text.lstrip("\0"), token.line) for token in balanced]
    uses: list[Use] = []
    scopes: list[tuple[str, ...]] = []  # what each open brace adds to the namespace
    aliases: dict[str, tuple[str, ...]] = {}
    seen: list[tuple[str, ...]] = []

    def scope() -> "tuple[str, ...]":
        return tuple(name for part in scopes for name in part)

    def chain_at(start: int) -> "tuple[tuple[str, ...], bool, int]":
        """The qualified name that begins at a token, whether from the root, and where it ends."""
        root = tokens[start].text == "::"
        at, names = start + root, []
        while at < len(tokens) and re.match(r"\w", tokens[at].text):
            names.append(tokens[at].text)
            if at + 1 < len(tokens) and tokens[at + 1].text == "::":
                at += 2
            else:
                at += 1
                break
        return tuple(name for name in names if name not in VARIANTS), root, at

    def meant(chain: "tuple[str, ...]") -> "tuple[str, ...]":
        """A name without the aliases of this file."""
        while chain and chain[0] in aliases:
            chain = aliases[chain[0]] + chain[1:]
        return chain

    def note(chain: "tuple[str, ...]", root: bool, line: int, *, opens: bool = False, passes_on: bool = False) -> None:
        chain = chain if root else meant(chain)
        for end, name in enumerate(chain, 1):
            if name in (INTERNAL, OFFERED):
                uses.append(Use(line, chain[:end], root, scope(), tuple(seen), opens, passes_on))

    at = 0
    while at < len(tokens):
        word, line = tokens[at]
        in_spi = OFFERED in scope()
        if word == "namespace" and at + 1 < len(tokens):
            chain, _, end = chain_at(at + 1)
            following = tokens[end].text if end < len(tokens) else ""
            if following == "=":
                target, is_from_root, end = chain_at(end + 1)
                note(target, is_from_root, line, passes_on=in_spi or chain[-1:] == (OFFERED,))
                if target[:1] != chain:
                    aliases[chain[-1]] = target if is_from_root else meant(target)
            elif following == "{":
                if INTERNAL in chain or OFFERED in chain:
                    note(scope() + chain, True, line, opens=True)
                scopes.append(chain)
                end += 1
            at = max(end, at + 1)
            continue
        if word == "using" and at + 1 < len(tokens):
            is_directive = tokens[at + 1].text == "namespace"
            chain, root, end = chain_at(at + 1 + is_directive)
            following = tokens[end].text if end < len(tokens) else ""
            if is_directive or (len(chain) > 1 and following == ";"):
                note(chain, root, line, passes_on=in_spi and INTERNAL in chain)
                if is_directive:
                    seen.append(meant(chain))
                at = end
                continue
            at += 1  # `using name = ...`: what follows is read as any other names
            continue
        if word == "{":
            scopes.append(())
        elif word == "}" and scopes:
            scopes.pop()
        elif word == "::" or re.match(r"\w", word):
            chain, root, end = chain_at(at)
            if len(chain) > 1:
                note(chain, root, line)
            at = max(end, at + 1)
            continue
        at += 1
    return uses


class Walls:
    """Finds whose a namespace is."""

    def __init__(self, table: dict) -> None:
        self.folders = {name: row["folder"] for name, row in table["modules"].items()}
        self.openers: dict[tuple[str, ...], set[str]] = {}

    def unit_of(self, file: str) -> str:
        """The module of a file, or else the folder at the root of the tree."""
        of_module = [name for name, folder in self.folders.items() if file.startswith(folder + "/")]
        return of_module[0] if of_module else file.partition("/")[0]

    def learn(self, file: str, uses: "list[Use]") -> None:
        for use in uses:
            if use.opens:
                self.openers.setdefault(use.chain, set()).add(self.unit_of(file))

    def owners(self, path: "tuple[str, ...]") -> "set[str]":
        if path[:1] != ("baton",):
            return self.openers.get(path, set())
        if path[1] in (INTERNAL, OFFERED):
            return {"core"}
        return {path[1]} if path[1] in self.folders else self.openers.get(path, set())

    def resolved(self, use: Use) -> "tuple[str, ...] | None":
        """The namespace that a use means; None for one that this tree does not open, as boost::asio::detail."""
        if use.opens:
            return use.chain
        scopes = [()] if use.root else [use.scope[:length] for length in range(len(use.scope), -1, -1)]
        scopes += [] if use.root else [outer + each for each in use.seen for outer in ((), ("baton",), *scopes)]
        return next((scope + use.chain for scope in scopes if scope + use.chain in self.openers), None)

    def misplaced(self, file: str, text: str, uses: "list[Use]") -> "list[str]":
        """A namespace `spi` outside of its folder, and a header of that folder that does not say what it is."""
        is_spi = file.endswith(".hpp") and Path(file).parent.name == OFFERED
        faults = [f"{file}:{use.line}: opens {'::'.join(use.chain)}; headers of a folder spi do" for use in uses
                  if use.opens and use.chain[-1] == OFFERED and not is_spi]
        if is_spi and (SAYS not in text or not any(use.opens and use.chain[-1] == OFFERED for use in uses)):
            faults.append(f"{file}:1: declares no namespace spi, or does not say on top: {SAYS}")
        return faults

    def faults_of(self, file: str, uses: "list[Use]") -> "list[str]":
        faults, unit = [], self.unit_of(file)
        for use in uses:
            path = self.resolved(use)
            owners = self.owners(path) if path else set()
            where, name = f"{file}:{use.line}: ", "::".join(path or use.chain)
            if use.passes_on and path and INTERNAL in path:
                faults.append(f"{where}passes {name} on as an spi; declare there what is offered")
            elif not owners or unit in owners:
                continue
            elif path and path[-1] == INTERNAL:
                what = "opens" if use.opens else "uses"
                faults.append(f"{where}{what} {name} of {' and '.join(sorted(owners))}, which is no part of {unit}; "
                              f"what others may use of a module is public or in its namespace spi")
            elif use.opens:
                faults.append(f"{where}opens {name} of {' and '.join(sorted(owners))}; a module offers its own")
            elif unit in FOLDERS_OF_USERS:
                faults.append(f"{where}uses {name}, which is for modules and ports, not for users")
        return faults


def seeds(walls: Walls) -> "dict[tuple[str, str], str]":
    """Mutants: the file, its text, and a word of the fault that each must give."""
    found = {}
    for name, folder in walls.folders.items():
        outside = next(other for other in walls.folders if other not in (name, "core"))
        home = f"{walls.folders[outside]}/seed.hpp"
        namespaces = {path[:-1] for path, units in walls.openers.items() if path[-1] == INTERNAL and name in units}
        for path in namespaces:
            full, inner = "::".join(path), path[-1]
            variant = full.replace("baton::", "baton::BATON_VARIANT::")
            uses = [
                f"void f() {{ {full}::detail::g(); }}\n",
                f"void f() {{ ::{full}::detail::g(); }}\n",
                f"void f() {{ {variant}::detail::g(); }}\n",
                f"void f() {{ {full} :: /* far */ detail\n::g(); }}\n",
                f"using namespace {full}::detail;\n",
                f"using {full}::detail::g;\n",
                f"using namespace {full};\nint n = detail::g();\n",
                f"namespace other = {full};\nint n = other::detail::g();\n",
                f"namespace other = {full}::detail;\n",
                f"namespace far = {path[0]};\nnamespace other = far{full[len(path[0]):]};\nint n = other::detail::g();\n",
                f"namespace {full} {{\nint n = detail::g();\n}}\n",
                f"#define GET() {full}::detail::g()\n",
                f"#if 1\nint n = 1;\n#else\nint n = {full}::detail::g();\n#endif\n",
            ]
            if path[0] == "baton":
                uses.append(f"namespace baton {{ int n = {'' if len(path) == 1 else inner + '::'}detail::g(); }}\n")
            for text in uses:
                found[home, text] = f"uses {full}::detail of"
            found[home, f"namespace {full}::detail {{}}\n"] = f"opens {full}::detail of"
            found[home, f"namespace {variant} {{ namespace detail {{ }} }}\n"] = f"opens {full}::detail of"
            found[f"{folder}/seed.hpp", f"namespace {full} {{ namespace spi = detail; }}\n"] = "passes"
            found[f"{folder}/seed.hpp", f"namespace {full}::spi {{ using namespace detail; }}\n"] = "passes"
            found[f"{folder}/seed.hpp", f"namespace {full}::spi {{ using detail::g; }}\n"] = "passes"
    for path, units in walls.openers.items():
        if path[-1] == OFFERED and units:
            found["examples/seed.cpp", f"int n = {'::'.join(path)}::g();\n"] = "not for users"
            found["compat/aceroutine/seed.hpp", f"namespace {'::'.join(path)} {{}}\n"] = "a module offers its own"
    return found


def check_the_check(walls: Walls) -> "list[str]":
    """Mutants that are not found, and what is found though it is right."""
    missed = [f"the check does not find in {file}: {text.strip()}" for (file, text), word in seeds(walls).items()
              if not any(word in fault for fault in walls.faults_of(file, uses_of(text)))]
    right = {
        "async/seed.hpp": "// baton::detail\nnamespace baton::async { auto s = \"baton::detail::g\"; int n = detail::g() + boost::asio::detail::g(); }\n",
        "core/seed.hpp": "namespace baton { namespace detail { int g(); } namespace spi { inline int g() { return detail::g(); } } }\n",
        "asio/seed.hpp": "namespace baton::asio { int n = baton::spi::g() + async::spi::g(); }\n",
    }
    for file, text in (("core/include/baton/core/seed.hpp", f"{SAYS} core\nnamespace baton {{ namespace spi {{ }} }}\n"),
                       ("core/include/baton/core/spi/seed.hpp", "namespace baton { namespace spi { } }\n"),
                       ("core/include/baton/core/spi/seed.hpp", f"{SAYS} core\nnamespace baton {{ }}\n")):
        if not walls.misplaced(file, text, uses_of(text)):
            missed.append(f"the check does not find in {file}: {text.strip()}")
    return missed + [f"the check finds what is right: {fault}" for file, text in right.items()
                     for fault in walls.faults_of(file, uses_of(text))]


def sources(project: Path) -> "list[Path]":
    """All C++ of the tree. `peers` are programs for other libraries, and `build` is the compiler's."""
    tops = [path for path in sorted(project.iterdir()) if path.is_dir() and path.name != "build" and not path.name.startswith(".")]
    found = (path for top in tops for path in sorted(top.rglob("*")) if path.suffix in SOURCE_ENDS and path.is_file())
    return [path for path in found if not {"peers", "node_modules"} & set(path.relative_to(project).parts)]


def main() -> int:
    """Prints each fault."""
    project = Path(sys.argv[1])
    walls = Walls(json.loads((project / "modules.json").read_text(encoding="utf-8")))
    texts = {path.relative_to(project).as_posix(): path.read_text(encoding="utf-8", errors="replace") for path in sources(project)}
    read = {file: uses_of(text) for file, text in texts.items()}
    for file, uses in read.items():
        walls.learn(file, uses)
    faults = [fault for file, uses in read.items()
              for fault in (*walls.faults_of(file, uses), *walls.misplaced(file, texts[file], uses))]
    faults += check_the_check(walls)
    print("\n".join(faults) or f"{len(read)} files name no other module's internals; {len(seeds(walls))} mutants are found")
    return 1 if faults or not read else 0


if __name__ == "__main__":
    sys.exit(main())
