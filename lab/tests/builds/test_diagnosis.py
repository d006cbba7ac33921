# SPDX-License-Identifier: MIT
"""Outputs of compilers are read as they were printed: each mistake once, at the line of the program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from baton_lab.builds import diagnosis
from baton_lab.builds.advice import advice_on
from baton_lab.builds.diagnosis import Place

OWN, TREE = Path("/home/ann/lamp"), Path("/baton")
GXX = """[3/4] Building CXX object CMakeFiles/lamp.dir/src/main.cpp.o
FAILED: CMakeFiles/lamp.dir/src/main.cpp.o
/usr/bin/c++ -I/home/ann/lamp/build/baton/tree/core/include -c /home/ann/lamp/src/main.cpp
In file included from /baton/core/include/baton/core/coroutine.hpp:6,
                 from /home/ann/lamp/build/baton/tree/core/include/baton/core.hpp:8,
                 from /home/ann/lamp/src/main.cpp:5:
/home/ann/lamp/src/lamp.hpp: In instantiation of 'baton::point lamp<Led>::step(baton::point) [with Led = led]':
/baton/core/include/baton/core/coroutine.hpp:105:62:   required from 'static baton::point run_()'
/home/ann/lamp/src/main.cpp:20:17:   required from here
/baton/core/include/baton/core/macros.hpp:105:34: error: jump to case label [-fpermissive]
  105 | #define BATON_DETAIL_CASE(label) case static_cast<::baton::detail::wait_point>(label)
      |                                  ^~~~
/home/ann/lamp/test/../src/lamp.hpp:32:7: note: in expansion of macro 'BATON_WAIT_FOR'
   32 |       BATON_WAIT_FOR(50_ms, from_.receive(told_));
      |       ^~~~~~~~~~~~~~
/home/ann/lamp/src/lamp.hpp:28:13: note:   crosses initialization of 'uint8_t round'
ninja: build stopped: subcommand failed.
"""
CLANG = """/home/ann/lamp/src/lamp.hpp:32:7: error: cannot jump from switch statement to this case label
      BATON_WAIT_FOR(50_ms, from_.receive(told_));
      ^
/baton/core/include/baton/core/macros.hpp:36:36: note: expanded from macro 'BATON_WAIT_FOR'
1 error generated.
"""


def test_the_line_is_that_of_the_macro_in_the_program() -> None:
    for output in (GXX, re.sub(r"'(.*?)'", "\u2018\\1\u2019", GXX)):
        (fault,) = diagnosis.faults(output, OWN, TREE)
        assert (fault.kind, fault.place) == ("error", Place("src/lamp.hpp", 32))
        assert fault.lines(OWN) == [
            "src/lamp.hpp:32: error: jump to case label; crosses initialization of 'uint8_t round'",
            "      > a local variable does not live across a wait: make it a member of the coroutine",
        ]


def test_the_same_mistake_in_two_programs_is_told_once() -> None:
    assert len(diagnosis.faults(GXX + GXX, OWN, TREE)) == 1
    assert len(diagnosis.faults(GXX + GXX.replace("lamp.hpp:32", "lamp.hpp:40"), OWN, TREE)) == 2


def test_clang_is_read_too() -> None:
    (fault,) = diagnosis.faults(CLANG, OWN, TREE)
    assert fault.place == Place("src/lamp.hpp", 32) and "make it a member" in fault.lines(OWN)[-1]


def test_without_a_macro_the_innermost_line_of_the_program_is_meant() -> None:
    output = (
        "/baton/core/a.hpp:3:1:   required from 'void f()'\n/home/ann/lamp/src/b.hpp:7:2:   required from 'void g()'\n"
        "/home/ann/lamp/src/main.cpp:9:9:   required from here\n"
        "/baton/core/a.hpp:2:5: error: static assertion failed: no\n"
    )
    (fault,) = diagnosis.faults(output, OWN, TREE)
    assert fault.place == Place("src/b.hpp", 7)
    assert diagnosis.faults(output, Path("/home/ann/other"), TREE)[0].lines(OWN) == [
        "/baton/core/a.hpp:2: error: static assertion failed: no"
    ]


def test_a_warning_is_told_of_the_program_alone_and_without_an_error() -> None:
    own, other = "/home/ann/lamp/src/a.cpp:1:2: warning: odd [-Wodd]\n", "/baton/a.hpp:1:2: warning: odd [-Wodd]\n"
    assert [fault.lines(OWN) for fault in diagnosis.faults(own + other, OWN, TREE)] == [["src/a.cpp:1: warning: odd"]]
    assert [fault.kind for fault in diagnosis.faults(own + GXX, OWN, TREE)] == ["error"]
    assert diagnosis.faults("/home/ann/lamp/build/x/a.hpp:1:2: warning: odd\n", OWN, TREE) == []


def test_a_tree_of_baton_in_the_program_is_not_the_program() -> None:
    output = "/home/ann/lamp/baton/core/a.hpp:1:2: warning: odd\n"
    assert diagnosis.faults(output, OWN, OWN / "baton") == [] != diagnosis.faults(output, OWN, TREE)


def test_a_warning_out_of_the_cache_is_told_of_the_program_that_has_the_same_source(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cpp").touch()
    told = [diagnosis.faults(f"{path}/a.cpp:1:2: warning: odd\n", tmp_path, TREE)
            for path in ("/home/bob/lamp/src", "/home/bob/lamp/other", "/usr/src", "/baton/src")]  # fmt: skip
    assert [[fault.place for fault in found] for found in told] == [[Place("src/a.cpp", 1)], [], [], []]


def test_output_without_a_mistake_has_none() -> None:
    assert diagnosis.faults("CMake Error at CMakeLists.txt:14 (add_executable):\n  No SOURCES given\n", OWN, TREE) == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/usr/bin/ld: CMakeFiles/lamp.dir/src/main.cpp.o: in function `main':\n"
         "/usr/bin/ld: /home/ann/lamp/src/main.cpp:20: undefined reference to `begin()'",
         "src/main.cpp:20: error: undefined reference to `begin()'"),
        ("<artificial>:(.text.startup.main+0x3a): undefined reference to `begin()'",
         "error: undefined reference to `begin()'"),
        ("[1/2] Building CXX object CMakeFiles/lamp.dir/src/main.cpp.obj\n"
         "/usr/lib/avr/bin/ld: region `text' overflowed by 2378 bytes",
         "error: region `text' overflowed by 2378 bytes"),
        ("CMakeFiles/lamp.dir/src/more.cpp.obj (symbol from plugin): In function `x':\n"
         "(.text+0x0): multiple definition of `__vector_19'",
         "src/more.cpp: error: multiple definition of `__vector_19'"),
    ],
)  # fmt: skip
def test_the_linker_is_read_with_its_place(line: str, said: str) -> None:
    assert diagnosis.faults(line, OWN, TREE)[0].lines(OWN)[0] == said


def test_the_line_of_the_program_is_shown_and_what_is_more_is_counted(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("one\n  two(\n")
    output = "".join(f"{tmp_path}/a.cpp:{line}:1: error: wrong\n" for line in range(1, 10))
    found = diagnosis.faults(output, tmp_path, TREE)
    lines = diagnosis.worded(found, tmp_path)
    assert lines[:4] == ["a.cpp:1: error: wrong", "    1 | one", "a.cpp:2: error: wrong", "    2 |   two("]
    assert lines[-1] == "and 3 more" and len(found) == 9


@pytest.mark.parametrize(
    ("said", "remedy"),
    [
        ("baton/bord.hpp: No such file or directory", "there is baton/board.hpp"),
        ("'baton/core/chanel.hpp' file not found", "there is baton/core/channel.hpp"),
        ("baton/xyzzy.h: No such file or directory", "Baton's board has no such header"),
        ("zlib.h: No such file or directory", ""),
        ("'button_pin' is not a member of 'baton::board'", "#include <baton/board_pin.hpp>"),
        ("'baton::board::serial_line' has not been declared", "#include <baton/board_uart.hpp>"),
        ("no member named 'analog_input' in namespace 'baton::board'", "#include <baton/board_adc.hpp>"),
        ("'console' is not a member of 'baton::board'", ""),
        ("ld: region `FLASH' overflowed by 8 bytes", "the program is larger than the chip's flash"),
        ("ld: region `RAM' overflowed by 8 bytes", "the variables are larger than the chip's RAM"),
        ("ignoring return value of 'int f()', declared with attribute 'nodiscard'", ""),
    ],
)
def test_a_remedy_is_given_where_one_is_known(said: str, remedy: str) -> None:
    found = advice_on(said, ["baton/board.hpp", "baton/core/channel.hpp"])
    assert found.startswith(remedy) and bool(found) == bool(remedy)
