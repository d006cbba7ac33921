# SPDX-License-Identifier: MIT
"""The remedies for what compilers say of the commonest mistakes in a program over Baton."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

_MEMBER = "a local variable does not live across a wait: make it a member of the coroutine"
_DEVICES = {
    "serial_line": "board_uart", "button_pin": "board_pin", "analog_input": "board_adc", "serial_in": "board_serial",
    "meter": "board_meter", "watchdog": "board_watchdog",
}  # fmt: skip
"""The names of a board that have a header of their own, because the header defines interrupts."""

_KNOWN = (
    (r"crosses initialization of|jump to case label|jump from switch statement", _MEMBER),
    (r"\bstep\(baton::point\).*may be used uninitialized|\bstep\(baton::point\).*is used uninitialized", _MEMBER),
    (r"ignoring return value .*_operation\b", "nothing waits for it: BATON_WAIT(...) around it, or co_await before it"),
    (r"this_body_needs_BATON_BEGIN", "the body begins with BATON_BEGIN(), and waits stand in it alone"),
    (
        r"multiple definition of .*__vector_|multiple definition of .*_(?:IRQHandler|isr)\b",
        "a header of a device defines its interrupts: include it in one source file alone",
    ),
    (r"region .(?:text|FLASH|flash).? overflowed|will not fit in region .(?:text|FLASH|flash)",
     "the program is larger than the chip's flash; docs/questions.md has what takes less"),
    (r"is not within region .data|region .(?:data|RAM|ram).? overflowed|will not fit in region .(?:data|RAM|ram)",
     "the variables are larger than the chip's RAM: channels, buffers, stacks"),
)  # fmt: skip
_MISSING = (
    r"'(\w+)' is not a member of 'baton::board'",
    r"'baton::board::(\w+)' has not been declared",
    r"no (?:member|type) named '(\w+)' in namespace 'baton::board'",
)


def advice_on(said: str, headers: Sequence[str] = ()) -> str:
    """Returns the remedy for what a compiler or linker says; nothing if none is known.

    `headers` are those that a program may include, from which a misspelt one is guessed.
    """
    absent = re.search(r"(baton/[\w/.-]+\.\w+).?(?:: No such file| file not found)", said)
    if absent:
        near = difflib.get_close_matches(absent[1], headers, 2)
        return f"there is {' and '.join(near)}" if near else "Baton's board has no such header"
    missing = next((found for pattern in _MISSING if (found := re.search(pattern, said))), None)
    if missing and missing[1] in _DEVICES:
        return f"#include <baton/{_DEVICES[missing[1]]}.hpp>"
    return next((remedy for pattern, remedy in _KNOWN if re.search(pattern, said)), "")
