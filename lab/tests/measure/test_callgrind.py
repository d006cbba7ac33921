# SPDX-License-Identifier: MIT
import shutil
import subprocess
from pathlib import Path

import pytest

from baton_lab.measure import callgrind
from baton_lab.measure.callgrind import CallgrindError

LINE = "baton-bench/1 suite=auto iterations=10 value=#0 base=#1"

PROGRAM = """
#include <valgrind/callgrind.h>
int main() {
  volatile unsigned counter = 0;
  for (int n = 0; n <= 2000; n += 1000) {
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
    for (int i = 0; i < n; ++i) counter = counter + 1;
    CALLGRIND_DUMP_STATS;
    CALLGRIND_STOP_INSTRUMENTATION;
  }
}
"""


def test_intervals_count_from_the_line_before() -> None:
    filled = callgrind.fill([LINE, "# a remark", LINE], [100, 20, 300, 40])
    assert filled == [
        "baton-bench/1 suite=auto iterations=10 value=10.000 base=2.000",
        "# a remark",
        "baton-bench/1 suite=auto iterations=10 value=30.000 base=4.000",
    ]


def test_an_interval_that_was_not_dumped_is_an_error() -> None:
    with pytest.raises(CallgrindError, match="#1 was not dumped"):
        callgrind.fill([LINE], [100])


def test_a_line_without_iterations_is_an_error() -> None:
    with pytest.raises(CallgrindError, match="iterations"):
        callgrind.fill([LINE.replace("iterations=10 ", "")], [100, 20])


def test_the_dumps_are_in_numeric_order(tmp_path: Path) -> None:
    for number in range(1, 12):
        (tmp_path / f"callgrind.out.{number}").write_text(f"desc: Trigger: Client Request\ntotals: {number}\n")
    assert callgrind.read_intervals(tmp_path) == list(range(1, 12))


def test_a_dump_cut_short_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "callgrind.out.1").write_text("desc: Trigger: Client Request\nfn=main")
    with pytest.raises(CallgrindError, match="no totals"):
        callgrind.read_intervals(tmp_path)


def test_valgrind_counts_as_this_module_reads(tmp_path: Path) -> None:
    (tmp_path / "p.cpp").write_text(PROGRAM)
    assert shutil.which("valgrind"), "valgrind is a package of the host board: ./baton setup"
    subprocess.run(["g++", "-O2", "-o", tmp_path / "p", tmp_path / "p.cpp"], check=True)
    subprocess.run(callgrind.command(tmp_path / "p", tmp_path), check=True, timeout=120)
    none, thousand, two_thousand = callgrind.read_intervals(tmp_path)
    assert none < 40
    assert thousand > 3000
    assert two_thousand - thousand == pytest.approx(thousand - none, abs=4)
