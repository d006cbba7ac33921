# SPDX-License-Identifier: MIT
"""Tests the single header: what it holds, and that a program in it compiles and runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from baton_lab.base.project import ROOT
from baton_lab.release import single_header
from baton_lab.release.trials import TrialError


def tree(root: Path, core: str) -> Path:
    """Makes a tree whose core is one header."""
    for name, text in {
        "CMakeLists.txt": "project(baton VERSION 1.2.3 LANGUAGES CXX)\n",
        "core/include/baton/core.hpp": core,
        "ports/avr/include/baton/port.hpp": "// port of AVR\n",
        "ports/avr/src/clock.cpp": "#include <baton/port.hpp>\n// clock of AVR\n",
        "ports/host/include/baton/port.hpp": "// port of Linux\n",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "ports/host/common/include").mkdir(parents=True)
    return root


def test_the_header_includes_nothing_of_baton_but_the_tracer_of_a_program() -> None:
    left = re.findall(r"^#include <(baton/.+)>", single_header.text(ROOT), re.MULTILINE)
    assert set(left) <= {single_header.TRACER}


def test_each_header_stands_once_and_each_port_under_its_condition(tmp_path: Path) -> None:
    text = single_header.text(
        tree(tmp_path, "#pragma once\n#include <baton/port.hpp>\n#include <baton/port.hpp>\nint x;\n")
    )
    assert [text.count(name) for name in ("// port of AVR", "// clock of AVR", "// port of Linux", "int x;")] == [1] * 4
    assert text.index("#if defined(__AVR__)") < text.index("// clock of AVR") < text.index("#elif defined(__linux__)")
    assert text.index("#elif") < text.index("// port of Linux") < text.index("#else") < text.index("int x;")
    assert text.count("#pragma once") == 1 and "Baton 1.2.3" in text


def test_a_header_from_elsewhere_is_refused(tmp_path: Path) -> None:
    with pytest.raises(single_header.UnknownHeaderError, match=r"baton/kernel\.hpp"):
        single_header.text(tree(tmp_path, "#include <baton/kernel.hpp>\n"))


def test_a_program_over_a_header_that_lacks_a_name_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = single_header.text(ROOT)
    assert "print_line" in whole
    monkeypatch.setattr(single_header, "text", lambda root: whole.replace("print_line", "print_row"))
    with pytest.raises(TrialError, match="print_line"):
        single_header.try_out(ROOT, tmp_path)
