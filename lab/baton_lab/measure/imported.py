# SPDX-License-Identifier: MIT
"""Reads bench records out of the saved text of a terminal, and makes runs of them.

A terminal adds lines of its own, the time before each line, CR LF or colours; a file may hold the
output of several programs, suites and boards. A program on a real board frames its records with
`# begin` and `# end exit=... sum=...`: the sum shows that every character of them is there.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from baton_lab.base.records import MARK, Identity, Record, RecordError, parse_line
from baton_lab.base.store import IMPORTED, Run
from baton_lab.board.board_files import BadInputError
from baton_lab.board.transcript import BEGIN, END, checksum

ANY_MARK = MARK.partition("/")[0] + "/"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]*")
SHOWN = 60

_ESCAPE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
_STAMP = re.compile(rf"[\[(]?[\d:.,/TZ +-]*\d[\])]?(?: ->|:|\|)?\s+(?=#|{re.escape(ANY_MARK)})")
_WORD = re.compile(r"\b(suite|board)=(\S+)")

Of = tuple[str, str]
"""A board and a suite, as records name them."""


@dataclass
class Section:
    """The output of one program, or of several whose output is not framed."""

    begin: int = 0  # the line of its `# begin`; 0 without a frame
    text: bytearray = field(default_factory=bytearray)
    records: dict[Of, list[Record]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    spoiled: set[Of] = field(default_factory=set)
    seen: dict[Identity, int] = field(default_factory=dict)  # the line of each record
    last: Of = ("", "")


@dataclass
class Imported:
    """The records of each run in the order of the file, the reasons why others are left out, and
    notes.
    """

    runs: list[tuple[Of, list[Record]]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read(path: Path) -> Imported:
    """Reads a file. A suite with a broken or cut record has no run.

    Errors   BadInputError: the file cannot be read, or holds no record.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInputError(f"{path}: {error.strerror}") from error
    found = _Reader(str(path)).read(_decoded(data))
    if not found.runs and not found.problems:
        raise BadInputError(f"{path}: no line is a bench record ({MARK} suite=... case=... board=...)")
    return found


def _decoded(data: bytes) -> str:
    """Decodes the text; Windows' shells write UTF-16."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    return data.decode("utf-8-sig", errors="replace")


class _Reader:
    """Takes a file line by line; a section is open until its end, or until another begins."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.found = Imported()
        self.section = Section()
        self.number = 0

    def read(self, text: str) -> Imported:
        lines, whole = _lines(text), text.endswith(("\n", "\r"))
        for self.number, raw in enumerate(lines, 1):
            line = _cleaned(raw)
            if whole or self.number < len(lines):
                self._take(line)
            else:
                self._last(line)
        if self.section.begin:
            self._refuse(
                f"the text is cut after {_quoted(line)}: '# end', the last line of the program that began "
                f"in line {self.section.begin}, is missing"
            )
        self._close()
        return self.found

    def _take(self, line: str) -> None:
        if line.encode() == BEGIN:
            self._begin()
        elif (end := END.fullmatch(line.encode())) is not None:
            self._end(int(end[1]), int(end[2]))
        elif ANY_MARK in line:
            self._record(line)
        elif line.startswith("#"):
            self.section.text += f"{line}\n".encode()

    def _begin(self) -> None:
        if self.section.begin:  # opening its port resets a board, so the first beginning is often cut short
            self.found.notes.append(
                f"{self.name}:{self.section.begin}: left out: the program starts over in line {self.number}"
            )
            self.section = Section()
        self._close()
        self.section.begin = self.number

    def _end(self, exit_code: int, expected: int) -> None:
        if not self.section.begin:
            self._refuse("the line '# begin' of this program is missing: save its text from the reset on")
        elif checksum(self.section.text) != expected:
            self._refuse(
                f"characters were lost or changed since line {self.section.begin}: "
                "save the text again, without the terminal's wrapping of lines"
            )
        elif exit_code:
            self._refuse(f"the program ended with {exit_code}, so its figures are not to be trusted")
        self._close()

    def _record(self, line: str) -> None:
        before, mark, rest = line.partition(ANY_MARK)
        line = mark + rest
        self.section.text += f"{line}\n".encode()
        of = self._of(line)
        try:
            if before and not before[-1].isspace():
                raise RecordError(f"a record begins within a line, after {_quoted(before)}: characters were lost")
            if ANY_MARK in rest:
                raise RecordError(f"a record begins within another, which is cut: {_quoted(line)}")
            if "=#" in line:
                raise RecordError("its program leaves the count to an emulator: build it with a real board's preset")
            record = parse_line(line)
        except RecordError as error:
            self._refuse(f"{error}", of)
            return
        assert record is not None
        if not self.section.begin and (first := self.section.seen.get(record.identity)):
            self.found.notes.append(
                f"{self.name}:{self.number}: another run begins, because {record.label} of {of[0]} {of[1]} is in "
                f"line {first}, too; tables show the last run"
            )
            self._close()
        self.section.last = of
        self.section.seen[record.identity] = self.number
        self.section.records.setdefault(of, []).append(record)

    def _last(self, line: str) -> None:
        """Refuses a last record without an end of the line, because nothing tells whether it is whole."""
        if ANY_MARK in line or (line and ANY_MARK.startswith(line)):
            self._refuse(
                f"the last line has no end, so it may be cut: {_quoted(line)}; if it is whole, end it with a new line",
                self._of(line),
            )
        else:
            self._take(line)

    def _of(self, line: str) -> Of:
        """The board and the suite of a line, or of the record before it where the line is cut."""
        named = dict(_WORD.findall(line))
        return (named.get("board", self.section.last[0]), named.get("suite", self.section.last[1]))

    def _refuse(self, why: str, of: Of | None = None) -> None:
        """Notes a problem of one suite, or of the whole section."""
        self.section.problems.append(f"{self.name}:{self.number}: {why}")
        self.section.spoiled |= set(self.section.records) if of is None else {of}

    def _close(self) -> None:
        section, self.section = self.section, Section()
        self.found.problems += section.problems
        for (board, suite), records in section.records.items():
            if section.problems and (section.begin or (board, suite) in section.spoiled):
                self.found.problems.append(f"{self.name}: not stored, for that reason: {board} {suite}")
            else:
                self.found.runs.append(((board, suite), records))


def _lines(text: str) -> list[str]:
    """The lines as an editor numbers them; CR alone ends a line only where there is no other end."""
    lines = text.split("\n") if "\n" in text else text.split("\r")
    return lines[:-1] if lines[-1] == "" else lines


def _cleaned(line: str) -> str:
    """The line without CR, colours and a time before it."""
    line = _ESCAPE.sub("", line).strip("\r\0 \t")
    return _STAMP.sub("", line, count=1) if not line.startswith(("#", ANY_MARK)) else line


def _quoted(text: str) -> str:
    return repr(text[:SHOWN] + (" ..." if len(text) > SHOWN else ""))


def names_of(path: Path, found: Imported, wanted: str) -> dict[str, str]:
    """The name under which each board's runs are stored: BOARD@NAME, by default with the file's name.

    Errors   BadInputError: the name is none, or of a board that is not in the file.
    """
    boards = list(dict.fromkeys(board for (board, _), _ in found.runs))
    kind, at, own = wanted.rpartition("@")
    if at and kind not in boards and boards:
        raise BadInputError(f"--board {wanted}: {path} has records of {' '.join(boards)}, not of {kind or 'no board'}")
    own = own or re.sub(r"[^A-Za-z0-9._-]+", "-", path.stem).strip("-.") or "file"
    if not NAME.fullmatch(own):
        raise BadInputError(f"--board {wanted}: a name has letters, digits and . _ : - alone")
    return {board: f"{board}@{own}" for board in boards if not at or board == kind}


def describe(path: Path, name: str, suite: str, now: datetime) -> Run:
    """The circumstances of imported records: the file, because records say no more than their board."""
    saved = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return Run(
        started=now, board=name, suite=suite, commit="none", dirty=False, compiler="not recorded", flags="",
        machine={IMPORTED: path.name, "saved": f"{saved:%Y-%m-%d %H:%M:%S} UTC"},
    )  # fmt: skip
