# SPDX-License-Identifier: MIT
"""Each CMake function of the tree refuses an argument that it does not know: arguments_test.py
PROJECT CMAKE.
"""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT, CMAKE = Path(), ""
STRAY = "120000"
FUNCTION = re.compile(r"^(?:function|macro)\(([^)]*)\)\n(.*?)^end(?:function|macro)\(\)", re.M | re.S)


def functions() -> "list[tuple[str, list[str], str]]":
    """Finds the name, parameters and text of each function and macro in the tree."""
    found = []
    for path in sorted([*PROJECT.rglob("CMakeLists.txt"), *PROJECT.rglob("*.cmake")]):
        parts = path.relative_to(PROJECT).parts
        if "build" in parts or parts[0].startswith("."):
            continue
        for match in FUNCTION.finditer(path.read_text(encoding="utf-8")):
            name, *parameters = match[1].split()
            found.append((name, parameters, match[0]))
    return found


class ArgumentsTest(unittest.TestCase):
    def call(self, text: str, arguments: "list[str]") -> "tuple[bool, str]":
        """Calls a function in a script of its own."""
        name = text.split("(", 1)[1].split(")", 1)[0].split()[0]
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "script.cmake"
            script.write_text(
                f"include({PROJECT.as_posix()}/cmake/BatonArguments.cmake)\n{text}\n{name}({' '.join(arguments)})\n"
            )
            done = subprocess.run([CMAKE, "-P", str(script)], capture_output=True, text=True, timeout=60, check=False)
        return done.returncode == 0, " ".join(done.stderr.split())

    def test_a_stray_argument_stops_the_configuration(self) -> None:
        names = set()
        for name, parameters, text in functions():
            takes_a_list = re.search(r"\$\{ARGN\}(?!\" \"\"\))", text) and "baton_refuse_unknown" not in text
            if name == "baton_refuse_unknown" or takes_a_list:
                continue
            with self.subTest(function=name):
                names.add(name)
                # It comes after as many arguments as a function may have without requiring them.
                ok, output = self.call(
                    text,
                    ["some"] * len(parameters)
                    + ["more"] * ("set(default" in text or "mutants.toml)" in text)
                    + [STRAY],
                )
                self.assertFalse(ok)
                self.assertIn(f"does not know the argument: {STRAY}", output)
        self.assertLessEqual(
            {
                "baton_program_command",
                "baton_test",
                "baton_kernel_test",
                "baton_bench",
                "baton_memory",
                "baton_module",
                "baton_mutant",
                "baton_mutants",
                "baton_control",
                "baton_port",
                "baton_kernel_port",
            },
            names,
        )

    def test_a_keyword_without_a_value_stops_the_configuration(self) -> None:
        count = 0
        for name, parameters, text in functions():
            parse = re.search(r'cmake_parse_arguments\(PARSE_ARGV \d+ \w+\s+"[^"]*"\s+"([^"]*)"\s+"([^"]*)"\)', text)
            keywords = ";".join(parse.groups()).strip(";").split(";") if parse else []
            for keyword in filter(None, keywords):
                with self.subTest(function=name, keyword=keyword):
                    ok, output = self.call(text, ["some"] * len(parameters) + [keyword])
                    self.assertFalse(ok)
                    self.assertIn(f"got no value for: {keyword}", output)
                    count += 1
        self.assertGreater(count, 30)

    def test_a_function_that_takes_a_list_says_so(self) -> None:
        for name, _, text in functions():
            if name != "baton_refuse_unknown":
                self.assertRegex(
                    text,
                    r"baton_refuse_unknown|\$\{ARGN\}",
                    f"{name}() neither refuses further arguments nor has a use for them",
                )


if __name__ == "__main__":
    PROJECT, CMAKE = Path(sys.argv[1]).resolve(), sys.argv[2]
    unittest.main(argv=sys.argv[:1], verbosity=2)
