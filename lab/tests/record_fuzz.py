# SPDX-License-Identifier: MIT
"""Texts with mistakes for the readers of records, and what each reader is held to.

A text depends on its seed alone. A reader may refuse a text, by the exception or the problem that
it documents; what it takes must be what a second reading by bench/README.md gives.
"""

from __future__ import annotations

import math
import random
import re
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import get_args

from fake_desk import program

from baton_lab.base.records import FIELDS, MARK, Record, RecordError, Unit, Validity, format_line, parse_line
from baton_lab.board.board_files import BadInputError
from baton_lab.board.transcript import Transcript
from baton_lab.measure import imported

FEW = 3000
"""The runs of each reader in any case, so that a quick run is the same on each machine."""
CORPUS = Path(__file__).with_name("record_corpus.txt").read_text(encoding="utf-8").splitlines()
PIECES = (
    [" ", "=", ",", "#", "\t", "\0", "\x1c", "\x1b[0m", "\u2028", "\u00a0", "\uff11", "\r", "\n", "-", ".", "_", "e"]
    + ["nan", "inf", "1e999", "1_0", "9" * 20, "9" * 1200, "0x10", f"{MARK} ", "baton-bench/2 ", "# begin\n"]
    + [f" {key}=1" for key in FIELDS]
    + [f" {key}=" for key in ("unit", "valid", "params", "label", "timing")]
    + [*get_args(Unit), *get_args(Validity)]
)
LONGEST_MESSAGE = 1000  # two quotations, with what repr adds
Fault = Callable[[random.Random], str]

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")


def first_fault(fault: Fault, *, seconds: float = 0) -> str:
    """Tries a few seeds, one after the other, and then more for the time.

    Returns what is wrong with the first faulty one, or nothing.
    """
    end = time.monotonic() + seconds
    for seed in count():
        if seed >= FEW and time.monotonic() > end:
            return ""
        found = fault(random.Random(seed))
        if found:
            return f"seed {seed}: {found}"
    return ""


def mutated(some: random.Random, text: str) -> str:
    """Changes, removes, doubles or inserts some characters."""
    for _ in range(some.randrange(5)):
        at, end = sorted(some.randrange(len(text) + 1) for _ in range(2))
        kind = some.randrange(5)
        if kind == 0:
            text = text[:at] + chr(some.randrange(256)) + text[at + 1 :]
        elif kind == 1:
            text = text[:at] + text[min(end, at + 8) :]
        elif kind == 2:
            text = text[:at] + some.choice(PIECES) + text[at:]
        elif kind == 3:
            text = text[:end] + text[at:end] + text[end:]
        else:
            first, *words = text.split(" ")
            some.shuffle(words)
            text = " ".join([first, *words, *words[: some.randrange(2)]])
    return text


def fault_of_line(some: random.Random) -> str:
    """Returns the fault in the reading of one line, or nothing."""
    line = mutated(some, some.choice(CORPUS))
    wanted = _by_the_readme(line)
    try:
        record = parse_line(line)
        if record is None or wanted is None:
            return "" if record is wanted else f"{record}, and not {wanted}, is {line!r}"
        again = parse_line(format_line(record))
    except RecordError as error:
        if len(str(error)) > LONGEST_MESSAGE:
            return f"a message of {len(str(error))} characters about {line!r}"
        return "" if wanted == "refused" else f"{error}, but nothing is wrong with {line!r}"
    except Exception as error:
        return f"{error!r} at {line!r}"
    return "" if record == wanted == again else f"{record}, written and read {again}, and not {wanted}, is {line!r}"


def fault_of_text(some: random.Random, path: Path) -> str:
    """Returns the fault in the reading of a saved text, which must not raise."""
    lines = [mutated(some, some.choice(CORPUS)) for _ in range(1 + some.randrange(4))]
    data = program(*lines) if some.randrange(2) else "\n".join(lines).encode()
    data = mutated(some, data.decode()).encode(some.choice(["utf-8", "utf-16"]))
    path.write_bytes(data)
    try:
        found = imported.read(path)
    except BadInputError:
        return ""
    except Exception as error:
        return f"{error!r} at {data!r}"
    taken = [record for _, records in found.runs for record in records]
    strange = [record for record in taken if parse_line(format_line(record)) != record]
    return f"{strange[0]} of {data!r}" if strange else ""


def fault_of_frame(some: random.Random, path: Path) -> str:
    """Returns the fault in the reading of a framed text, one character of which is another one."""
    data, changed = _changed(some)
    path.write_bytes(data)
    whole = imported.read(path).runs
    path.write_bytes(changed)
    try:
        found = imported.read(path).runs
    except BadInputError:
        return ""
    return "" if all(run in whole for run in found) else f"{changed!r} is taken for {data!r}"


def fault_of_transcript(some: random.Random) -> str:
    """Returns the fault in the reading of a board's output, which comes in any pieces."""
    data, changed = _changed(some)
    for sent in (data, changed):
        whole, pieces = Transcript(), Transcript()
        whole.feed(sent)
        at = 0
        while at < len(sent):
            size = 1 + some.randrange(40)
            pieces.feed(sent[at : at + size])
            at += size
        if whole != pieces:
            return f"{whole}, but in pieces {pieces}"
        if (whole.exit_code == 0) != (sent is data):
            return f"{sent!r} ends with {whole.exit_code}: {whole.problem}"
    return ""


def _changed(some: random.Random) -> tuple[bytes, bytes]:
    """The output of a program, and the same with another visible character somewhere."""
    good = [line for line in CORPUS if isinstance(_by_the_readme(line), Record)]
    data = program(*some.sample(good, 2))
    at = some.choice([at for at, byte in enumerate(data) if byte > ord(" ")])
    other = some.choice([byte for byte in range(ord("!"), 127) if byte != data[at]])
    return data, data[:at] + bytes([other]) + data[at + 1 :]


def _by_the_readme(line: str) -> Record | str | None:
    """Reads a line by the table of bench/README.md: a record, "refused", or None for other text."""
    words = line.split()
    if not words or not words[0].startswith("baton-bench/"):
        return None
    pairs = [word.partition("=") for word in words[1:]]
    given = {key: value for key, _, value in pairs}
    is_plain = all(key and equals and value for key, equals, value in pairs) and len(given) == len(pairs)
    needed = {"suite", "case", "board", "unit", "iterations", "value", "valid"}
    if words[0] != MARK or not is_plain or not needed <= set(given) or not _is_sound(given):
        return "refused"
    attributes: dict[str, object] = {key: given.pop(key) for key in ("suite", "case", "board", "unit", "valid")}
    attributes["iterations"] = int(given.pop("iterations"))
    attributes |= {key: float(given.pop(key)) for key in ("value", "base", "floor") if key in given}
    if "samples" in given:
        attributes["samples"] = tuple(map(float, given.pop("samples").split(",")))
    return Record.model_construct(**attributes, params=given)  # type: ignore[arg-type]


def _is_sound(given: dict[str, str]) -> bool:
    numbers = [given[key] for key in ("value", "base", "floor") if key in given]
    numbers += given["samples"].split(",") if "samples" in given else []
    iterations = given["iterations"]
    return (
        all(_NUMBER.fullmatch(text) and math.isfinite(float(text)) for text in numbers)
        and re.fullmatch("[0-9]{1,19}", iterations) is not None
        and 1 <= int(iterations) < 2**63
        and given["unit"] in get_args(Unit)
        and given["valid"] in get_args(Validity)
        and (given["unit"] == "instructions") == (given["valid"] == "instructions")
    )
