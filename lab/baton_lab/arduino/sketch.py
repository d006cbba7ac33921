# SPDX-License-Identifier: MIT
"""Makes an Arduino sketch of an example: main() becomes setup() and loop(), the board an API."""

from __future__ import annotations

import re
from pathlib import Path

from baton_lab.board.board_files import BadInputError

BAUD = 115200
_MAIN = re.compile(r"\nint main\(\) \{\n(?P<body>.*?)\n\}\n\Z", re.DOTALL)
_SUPPORT = re.compile(r'#include "\.\./support/(\w+)\.hpp"')
_VIRTUAL_TIME = re.compile(r"#if __has_include\(<baton/sim/clock\.hpp>\)\n.*?#else\n(.*?)#endif\n", re.DOTALL)
_CLOCK = "#if __has_include(<baton/sim/clock.hpp>)\n#include <baton/sim/clock.hpp>\n#endif\n"
_RUN = "  baton::scheduler::run();"
_START = "  baton::board::start();"
_FINISH = "  baton::board::finish(0);"
_REWRITTEN = (
    ("#include <baton/board.hpp>\n", ""),
    ("#include <baton/core.hpp>", "#include <Baton.h>"),
    ("#include <stdint.h>\n", ""),
    ("baton::board::console::put(c)", "Serial.write(static_cast<uint8_t>(c))"),
    ("baton::board::console console;", "baton::print_sink console(Serial);"),
    ("baton::board::led::set(", "digitalWrite(LED_BUILTIN, "),
    ("the board's LED", "the LED"),
)


def is_of_core(main: str) -> bool:
    """Tells whether an example uses core alone, as the library does, and no other module."""
    return not re.search(r"#include <baton/(?!board|core[/.])", _in_real_time(main))


def fits(main: str) -> bool:
    """Tells whether an example fits in a sketch: it uses only the board's console and LED."""
    return not re.search(r"#include <baton/(?!board\.hpp|core\.hpp)", _in_real_time(main))


def sketch(folder: Path) -> dict[str, str]:
    """Returns the files of the sketch that an example becomes, by name.

    Errors   BadInputError: the example uses a feature that a sketch does not have.
    """
    main = _in_real_time((folder / "main.cpp").read_text(encoding="utf-8"))
    files = {f"{folder.name}.ino": _rewrite(_with_setup(main, folder), folder)}
    for name in _SUPPORT.findall(main):
        support = (folder.parent / "support" / f"{name}.hpp").read_text(encoding="utf-8")
        files[f"{name}.h"] = _rewrite(_in_real_time(support), folder)
    return files


def _in_real_time(text: str) -> str:
    """Returns the text without what it does in virtual time."""
    return _VIRTUAL_TIME.sub(r"\1", text.replace(_CLOCK, ""))


def _with_setup(main: str, folder: Path) -> str:
    """Splits main(): its body becomes setup(), and a last endless `run()` becomes loop()."""
    found = _MAIN.search(main)
    lines = found["body"].split("\n") if found else []
    if not found or lines[0] != _START:
        raise BadInputError(f"{folder}/main.cpp: it is to end with main(), whose first line is `{_START.strip()}`")
    lines[0] = f"  Serial.begin({BAUD});"
    if "baton::board::led" in main:
        lines.insert(1, "  pinMode(LED_BUILTIN, OUTPUT);")
    loop = "void loop() {}"
    if lines[-1] == _FINISH:
        lines.pop()
    elif lines[-1] == _RUN:
        lines.pop()
        loop = f"void loop() {{\n{_RUN}\n}}"
    body = "\n".join(lines).rstrip()
    return f"{main[: found.start()]}\nvoid setup() {{\n{body}\n}}\n\n{loop}\n"


def _rewrite(text: str, folder: Path) -> str:
    text = _SUPPORT.sub(r'#include "\1.h"', text)
    for old, new in _REWRITTEN:
        text = text.replace(old, new)
    text = re.sub(r"\n{3,}", "\n\n", text)
    left = re.search(r"baton::(board|sim)\b.*|#include <baton/.*", text)
    if left:
        raise BadInputError(
            f"{folder}: a sketch has no `{left[0]}`; teach lab/baton_lab/arduino/sketch.py what it becomes, "
            f"or write ports/arduino/sketches/{folder.name} by hand"
        )
    return text
