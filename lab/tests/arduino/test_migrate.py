# SPDX-License-Identifier: MIT
from pathlib import Path

import pytest

from baton_lab.arduino import migrate
from baton_lab.base.project import ROOT
from baton_lab.board.board_files import BadInputError

SKETCHES = sorted((ROOT / "compat" / "aceroutine" / "sketches").glob("*/*.ino"))


def found(folder: Path, text: str, name: str = "Sketch.ino") -> list[str]:
    (folder / name).write_text(text)
    return [f"{each.file}:{each.line}: {each.construct}" for each in migrate.migrate(ROOT, folder)]


@pytest.mark.parametrize("sketch", SKETCHES, ids=lambda path: path.stem)
def test_a_sketch_of_the_tree_has_nothing_that_differs(sketch: Path) -> None:
    assert migrate.migrate(ROOT, sketch.parent) == []


@pytest.mark.parametrize(
    ("text", "construct"),
    [
        ("COROUTINE(a) {\n  COROUTINE_AWAIT_FOR(x, 5);\n}\n", "Sketch.ino:2: COROUTINE_AWAIT_FOR"),
        ("COROUTINE2(A, b) {\n}\n", "Sketch.ino:1: COROUTINE2"),
        (
            "\n#include <ace_routine/cli/CommandManager.h>\n",
            "Sketch.ino:2: #include <ace_routine/cli/CommandManager.h>",
        ),
        ("ace_routine::CommandDispatcher d;\n", "Sketch.ino:1: ace_routine::CommandDispatcher"),
        ("ace_routine::testing::FakePrinter p;\n", "Sketch.ino:1: ace_routine::testing::FakePrinter"),
        (
            "void setup() {\n  CoroutineScheduler::getScheduler();\n}\n",
            "Sketch.ino:2: CoroutineScheduler::getScheduler",
        ),
        (
            "int s = ace_routine::CoroutineTemplate<C, uint8_t>::kStatusOdd;\n",
            "Sketch.ino:1: CoroutineTemplate::kStatusOdd",
        ),
        ("int v = ACE_ROUTINE_DEBUG;\n", "Sketch.ino:1: ACE_ROUTINE_DEBUG"),
        (
            "COROUTINE(a) {\n  COROUTINE_LOOP() {\n    CoroutineScheduler::loop();\n  }\n}\n",
            "Sketch.ino:3: CoroutineScheduler::loop() in a body",
        ),
        (
            "struct B : Coroutine { int runCoroutine() override; };\nstruct D : public B {};\n"
            "int B::runCoroutine() {\n  new D;\n}\n",
            "Sketch.ino:4: new D in a body",
        ),
        (f'void setup() {{\n  a.setName(F("{"n" * 64}"));\n}}\n', "Sketch.ino:2: setName()"),
        ("ace_common::PrintStr<16> s;\n", "Sketch.ino:1: ace_common"),
    ],
)
def test_a_construct_that_differs_is_named_with_its_place(tmp_path: Path, text: str, construct: str) -> None:
    assert found(tmp_path, text) == [construct]


@pytest.mark.parametrize(
    "text",
    [
        '// COROUTINE_AWAIT_FOR(x)\n/* ace_common */ const char* s = "COROUTINE9";\n',
        "#define COROUTINE_WAIT_SERIAL(c) COROUTINE_AWAIT(c)\nCOROUTINE(a) { COROUTINE_WAIT_SERIAL(1); }\n",
        "COROUTINE(a) { COROUTINE_YIELD(); }\nvoid loop() {\n  CoroutineScheduler::loop();\n}\n",
        "#include <AceCommon.h>\nace_common::PrintStr<16> s;\n",
        "struct P {};\nCOROUTINE(a) { new P; }\n",
        "ace_routine::Channel<int> c;\nace_routine::testing::TestableCoroutineScheduler s;\n",
        'void setup() { a.setName("short"); }\n',
        "int s = Coroutine::kStatusDelaying;\nvoid setup() { LogBinProfiler::createProfilers(); }\n",
        "struct Channel {\n  static int odd();\n};\nint s = Channel::odd();\nint t = other::Coroutine::odd();\n",
    ],
)
def test_a_construct_that_does_not_differ_is_not_named(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, text) == []


def test_every_file_of_the_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "part.cpp").write_text("\n\nCOROUTINE_NEW();\n")
    assert found(tmp_path, "COROUTINE_OTHER();\n") == ["Sketch.ino:1: COROUTINE_OTHER", "src/part.cpp:3: COROUTINE_NEW"]


@pytest.mark.parametrize(("path", "said"), [("none", "is not there"), (".", "holds no source")])
def test_a_sketch_that_is_not_there_is_said(tmp_path: Path, path: str, said: str) -> None:
    with pytest.raises(BadInputError, match=said):
        migrate.migrate(ROOT, tmp_path / path)


def test_a_sketch_may_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "one.ino").write_text("COROUTINE_NEW();\n")
    assert [str(each) for each in migrate.migrate(ROOT, tmp_path / "one.ino")] == [
        "one.ino:1: COROUTINE_NEW: compat/aceroutine does not know it"
    ]
