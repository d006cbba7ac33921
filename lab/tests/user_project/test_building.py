# SPDX-License-Identifier: MIT
"""The commonest mistakes in a program, compiled: each is told at its line of the program, with the remedy."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from baton_lab.base.project import ROOT
from baton_lab.builds.presets import BuildError
from baton_lab.user_project import building, create, testing
from baton_lab.user_project.place import TOLD, UserProject, host

MAIN = """#include <baton/board.hpp>
#include <baton/board_uart.hpp>
#include <baton/core.hpp>
using namespace baton::literals;
baton::channel<char, 4> letters;
struct reader : baton::coroutine<reader, baton::deadline> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT_FOR(5_ms, letters.receive(letter_));
    }
    BATON_END();
  }
  char letter_ = 0;
};
reader the_reader;
int main() {
  baton::board::start();
  baton::board::serial_line::open();
  the_reader.start();
  baton::scheduler::run();
}
"""
WAIT = "BATON_WAIT_FOR(5_ms, letters.receive(letter_));"
MEMBER = "      > a local variable does not live across a wait: make it a member of the coroutine"
NANO = pytest.mark.skipif(shutil.which("avr-g++") is None, reason="./baton setup nano")


@pytest.fixture(scope="module")
def mine(tmp_path_factory: pytest.TempPathFactory) -> UserProject:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(TOLD, raising=False)
        folder = tmp_path_factory.mktemp("mistakes") / "mine"
        return create.create(ROOT, create.Wanted(folder, ["nano"], service=False, origin={"folder": str(ROOT)}))


def write(mine: UserProject, old: str, new: str) -> Path:
    main = mine.root / "src" / "main.cpp"
    assert MAIN.count(old) == 1
    main.write_text(MAIN.replace(old, new), encoding="utf-8")
    return main


def told(mine: UserProject, board: str) -> list[str]:
    """Returns what a failed build tells of the mistakes."""
    with pytest.raises(BuildError) as failed:
        building.build(mine, mine.chosen([board])[0], [mine.name])
    first, *lines, last = str(failed.value).splitlines()
    assert first == f"mine does not build for {board}"
    assert last.startswith(f"all that the tools said: build/lab/{board}-build.txt; to repeat it: cmake --build")
    assert (mine.root / "build" / "lab" / f"{board}-build.txt").read_text(encoding="utf-8")
    return lines


def test_a_program_without_a_mistake_builds_without_a_word(
    mine: UserProject, capsys: pytest.CaptureFixture[str]
) -> None:
    write(mine, "char letter_ = 0;", "char letter_ = 0;")
    building.build(mine, host(mine), [mine.name])
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("board", ["host", pytest.param("nano", marks=NANO)])
@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ("    for (;;) {", "    int count = 0;\n    for (;;) {\n      ++count;",
         ["src/main.cpp:12: error: jump to case label; crosses initialization of 'int count'",
          "   12 |       BATON_WAIT_FOR(5_ms, letters.receive(letter_));", MEMBER]),
        ("#include <baton/board_uart.hpp>", "",
         ["src/main.cpp:19: error: 'baton::board::serial_line' has not been declared",
          "   19 |   baton::board::serial_line::open();", "      > #include <baton/board_uart.hpp>"]),
        ("<baton/board_uart.hpp>", "<baton/boarduart.hpp>",
         ["src/main.cpp:2: fatal error: baton/boarduart.hpp: No such file or directory",
          "    2 | #include <baton/boarduart.hpp>", "      > there is baton/board_uart.hpp"]),
        ("baton::deadline>", "baton::waiting>",
         ["src/main.cpp:10: error: static assertion failed: BATON_WAIT_FOR, BATON_WAIT_UNTIL and BATON_SELECT_FOR "
          "need the base deadline", "   10 |       BATON_WAIT_FOR(5_ms, letters.receive(letter_));"]),
        ("5_ms", "5",
         ["src/main.cpp:10: error: static assertion failed: baton: a number alone is no duration; give it a unit: "
          "50_ms, baton::milliseconds(n), baton::ticks(n)",
          "   10 |       BATON_WAIT_FOR(5, letters.receive(letter_));"]),
    ],
)  # fmt: skip
def test_a_mistake_is_told_at_its_line_of_the_program(
    mine: UserProject, board: str, old: str, new: str, lines: list[str]
) -> None:
    write(mine, old, new)
    found = told(mine, board)
    assert [line for line in lines if not any(each.startswith(line) for each in found)] == [], found


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        (WAIT, f"letters.receive(letter_);\n      {WAIT}",
         ["src/main.cpp:10: warning: ignoring return value of ", "   10 |       letters.receive(letter_);",
          "      > nothing waits for it: BATON_WAIT(...) around it, or co_await before it"]),
        (f"      {WAIT}", f"      char last;\n      last = letter_;\n      {WAIT}\n      letter_ = last;",
         ["src/main.cpp:13: warning: 'last' may be used uninitialized", "   13 |       letter_ = last;", MEMBER]),
    ],
)  # fmt: skip
def test_a_warning_of_a_build_that_succeeds_is_told(
    mine: UserProject, capsys: pytest.CaptureFixture[str], old: str, new: str, lines: list[str]
) -> None:
    write(mine, old, new)
    building.build(mine, host(mine), [mine.name])
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 3 and all(line.startswith(wanted) for line, wanted in zip(said, lines, strict=True)), said


@NANO
def test_a_chip_that_is_too_small_and_a_header_in_two_sources_are_told(mine: UserProject) -> None:
    write(mine, "int main() {", "static volatile char much[2500];\nint main() {\n  much[baton::port::now() & 1] = 1;")
    (line, remedy) = told(mine, "nano")
    assert line.startswith("error: address 0x") and "`.bss' is not within region `data'" in line
    assert remedy == "      > the variables are larger than the chip's RAM: channels, buffers, stacks"
    write(mine, "char letter_ = 0;", "char letter_ = 0;")
    second = mine.root / "src" / "second.cpp"
    second.write_text("#include <baton/board.hpp>\n#include <baton/board_uart.hpp>\n")
    found = told(mine, "nano")
    second.unlink()
    assert found[0].startswith("src/second.cpp: error: multiple definition of `__vector_")
    assert "include it in one source file alone" in found[1]


def test_a_failed_check_is_told_at_its_line(mine: UserProject, capsys: pytest.CaptureFixture[str]) -> None:
    write(mine, "char letter_ = 0;", "char letter_ = 0;")
    test = mine.root / "test" / "blinker_test.cpp"
    right = test.read_text(encoding="utf-8")
    test.write_text(right.replace("pass_ms(249)", "pass_ms(250)", 1), encoding="utf-8")
    number = test.read_text(encoding="utf-8").splitlines().index("  check::pass_ms(250);") + 2
    assert testing.test(mine, []) == 1
    said = capsys.readouterr().out.splitlines()
    test.write_text(right, encoding="utf-8")
    assert said[:2] == ["host: 0 passed, 1 failed", f"test/blinker_test.cpp:{number}: failed: CHECK(led::lit);"]
    assert len([line for line in said if "failed: CHECK" in line]) > 1 and "Test project" not in "".join(said)


def test_a_test_that_fails_without_a_check_is_told_as_it_is(mine: UserProject) -> None:
    crashed = "1/2 Test #1: blinker_test .....***Failed    0.01 sec\nFAILED in line 30\n\n"
    other = "2/2 Test #2: other_test .....***Failed    0.01 sec\nterminate called\n\n"
    assert testing.failures(mine, crashed + other) == []
    assert testing.failures(mine, "Errors while running CTest\n") == []
    assert testing.failures(mine, crashed.replace("30", "9999")) == []
