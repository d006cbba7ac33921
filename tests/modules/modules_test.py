# SPDX-License-Identifier: MIT
"""Seeds forbidden includes and links in a copy of the tree: modules_test.py PROJECT CMAKE COMPILER

cmake/tests tries the rules on two artificial modules; this test tries them on the tree's own.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT, CMAKE, COMPILER = Path(), "", ""


class ModulesTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = Path(folder.name)
        table = json.loads((PROJECT / "modules.json").read_text(encoding="utf-8"))
        for folder in (*(row["folder"] for row in table["modules"].values()), "ports", "families", "boards", "cmake"):
            shutil.copytree(PROJECT / folder, self.tree / folder, ignore=shutil.ignore_patterns("tests"))
        for file in ("CMakeLists.txt", "modules.json"):
            shutil.copy(PROJECT / file, self.tree)

    def put(self, file: str, after: str, line: str) -> None:
        path = self.tree / file
        text = path.read_text(encoding="utf-8")
        self.assertIn(after, text)
        path.write_text(text.replace(after, after + line, 1), encoding="utf-8")

    def build(self) -> "tuple[bool, str]":
        output = ""
        for words in (("-S", ".", "-B", "build", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={COMPILER}", "-DBATON_PROGRAMS=OFF"),
                      ("--build", "build", "--target", "all_verify_interface_header_sets")):
            done = subprocess.run([CMAKE, *words], cwd=self.tree, capture_output=True, text=True, timeout=250, check=False)
            output += done.stdout + done.stderr
            if done.returncode:
                return False, " ".join(output.split())
        return True, output

    def check_seed(self, file: str, after: str, line: str, expected: str) -> None:
        self.put(file, after, line)
        ok, output = self.build()
        self.assertFalse(ok, f"{line!r} in {file} builds")
        self.assertRegex(output, expected)

    def test_core_may_not_include_a_port(self) -> None:
        self.check_seed("core/include/baton/core/ring.hpp", "#pragma once\n", "#include <baton/sim/clock.hpp>\n",
                        "baton/sim/clock.hpp.{0,4} ?(: )?(No such file|file not found)")

    def test_core_may_not_include_a_board(self) -> None:
        self.check_seed("core/include/baton/core/ring.hpp", "#pragma once\n", "#include <baton/board.hpp>\n",
                        "baton/board.hpp.{0,4} ?(: )?(No such file|file not found)")

    def test_a_port_may_not_link_a_board(self) -> None:
        self.check_seed("ports/host/CMakeLists.txt", "baton_port(host ON_LINUX)", "\ntarget_link_libraries(baton_port_host_core INTERFACE baton_board_host_io)", "module 'port_host_core' links module 'board_host_io'")

    def test_core_may_not_link_a_port(self) -> None:
        self.check_seed("core/CMakeLists.txt", "VERIFY_WITH port_sim_core port_${BATON_PORT}_core", " DEPENDS port_sim_core", "module 'core' links module 'port_sim_core'")


if __name__ == "__main__":
    PROJECT, CMAKE, COMPILER = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    unittest.main(argv=sys.argv[:1], verbosity=2)
