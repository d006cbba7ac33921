# SPDX-License-Identifier: MIT
"""The tables of a board, of all boards and of targets. This module chooses the rows; tables.toml has the columns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from baton_lab.base.records import Record
from baton_lab.board.board_facts import HOST, Facts, ordered
from baton_lab.measure import suites
from baton_lab.measure.below_floor import explained
from baton_lab.measure.published import published
from baton_lab.measure.targets import TargetRow
from baton_lab.present.grid import Grid, described, number, table
from baton_lab.present.rows import EMPTY_LOOP, STACK, Case, Feature, Idle, pivot, validities

MEANING, COUNTED = described().meaning, described().counted
CLOCK = "clock"
"""The param of a case that reads a clock: with a real clock its counts depend on the time that it read."""

NAMED = 2  # that many boards of equal sizes are named in the head of their column
REALTIME_CASES = ("latency", "payload")
DECIMALS = {"cycles": 1, "instructions": 1, "bytes": 0, "x floor": 2, "exponent": 2}


def cpu_grids(board: str, suite: str, rows: Sequence[Case]) -> list[Grid]:
    """The CPU tables of one suite: our own workloads, then the published programs beside what was published."""
    own = [row for row in rows if not row.published or row.record.case == EMPTY_LOOP]
    made = [_of_unit(unit, unit, board, suite, own) for unit in ("cycles", "ns", "instructions")]
    return [grid for of_unit in made for grid in of_unit] + known_grids(board, suite, rows)


def known_grids(board: str, suite: str, rows: Sequence[Case]) -> list[Grid]:
    """Our cases that repeat a published program, beside what was published."""
    known = [row for row in rows if row.published]
    made = [_of_unit(f"published_{unit}", unit, board, suite, known) for unit in ("cycles", "instructions")]
    return [grid for of_unit in made for grid in of_unit]


def _of_unit(name: str, unit: str, board: str, suite: str, rows: Sequence[Case]) -> list[Grid]:
    chosen = [row for row in rows if row.record.unit == unit]
    if not chosen:
        return []
    how, mhz = ", ".join(validities(row.record for row in chosen)), chosen[0].record.number("mhz") or chosen[0].mhz
    words = f"{how}{'' if how == 'instructions' else f' {COUNTED[unit]}'}{f' at {mhz:g} MHz' if mhz else ''}"
    given = {"versions": versions_of(chosen), "versions_of": versions_of, "words": words, "mhz": mhz}
    below = explained(row.record for row in chosen)
    return [table(name, chosen, board=board, suite=suite, below=below, **given)]


def versions_of(rows: Iterable[Case]) -> list[str]:
    """The releases that published something for the rows, the newest first."""
    found = {version for row in rows for version, _ in row.published}
    return sorted(found, key=lambda version: [int(part) for part in version.split(".")], reverse=True)


def across_grids(suite: str, rows: Sequence[Case], real_time: Collection[str] = ()) -> list[Grid]:
    """The cost of each case on each board, a table for each unit that is counted.

    `real_time` are the boards whose clock is this machine's.
    """
    is_gross = suites.of(suite).compared == "gross"
    unsteady = {board: {row.record.label for row in rows if CLOCK in row.record.params} for board in real_time}
    made = []
    for unit in ("cycles", "instructions"):
        chosen = [row for row in rows if row.record.unit == unit]
        made += _across("across", chosen, suite=suite, unit=unit, is_gross=is_gross, unsteady=unsteady)
    return made


def access_grids(suite: str, rows: Iterable[Case]) -> list[Grid]:
    """The reads and writes of each case on each board that counts them."""
    return _across("accesses", [row for row in rows if row.accesses], suite=suite)


def _across(name: str, rows: Sequence[Case], **given: object) -> list[Grid]:
    """Lays out a line per case and a column per board; the heads say how boards count, where they differ in that."""
    if not rows:
        return []
    how = {row.record.board: row.record.valid for row in rows}
    differ = len({row.record.unit for row in rows}) == 1 and len(set(how.values())) > 1
    heads = {board: f"{board}\n{valid}" if differ else board for board, valid in how.items()}
    lines = pivot(rows, lambda row: row.record.label, lambda row: row.record.board)
    return [table(name, lines, cases=rows, boards=ordered(how), heads=heads, **given)]


def published_grids(suite: str, rows: Sequence[Case]) -> list[Grid]:
    """The instructions of the published programs on the boards that count them, beside the published microseconds."""
    known = [row for row in rows if row.record.unit == "instructions" and row.published]
    order = ordered(dict.fromkeys(row.record.board for row in known))
    known.sort(key=lambda row: order.index(row.record.board))
    given = {"versions": versions_of(known), "versions_of": versions_of}
    return [table("published_boards", known, suite=suite, **given)] if known else []


def board_grid(facts: Facts) -> Grid:
    """Returns the list of boards, with the kind of their figures and the published board beside each."""
    return table("boards", [each for each in facts.values() if each.absent or (each.unit and not each.is_on_desk)])


def idle_grids(rows: Sequence[Idle]) -> list[Grid]:
    """The cost of n idle coroutines to a round, a table for each unit: a row for each board and kind, a column for n.

    Shape    kinds of a board that cost the same share a row.
    """
    grids = []
    for unit in dict.fromkeys(row.unit for row in rows):
        kinds: dict[object, list[Idle]] = {}
        for row in rows:
            if row.unit == unit:
                kinds.setdefault((row.board, row.points), []).append(row)
        merged = [same[0]._replace(kind=", ".join(row.kind for row in same)) for same in kinds.values()]
        grids.append(table("idle", merged, unit=unit, counts=sorted({n for row in merged for n, _ in row.points})))
    return grids


def size_grids(stands_for: Mapping[str, str], records: Iterable[Record]) -> list[Grid]:
    """The size of each public type, and the published sizes on these boards: those of 8 bits and of 32 bits differ.

    Shape    a column for each of the boards that `stands_for` maps to a published one, or for several on which every
             type has the same size.
    """
    rows = [record for record in records if record.suite == "sizes"]

    def found(row: Mapping[str, Record]) -> str:
        sizes = [published().size(stands_for.get(name, name), each.case) for name, each in row.items()]
        of_type = list(dict.fromkeys((each[1], f"{each[2]} ({each[0]})") for each in sizes if each))
        return f"{of_type[0][0]} {', '.join(size for _, size in of_type)}" if of_type else ""

    given = {"groups": equal_boards(list(stands_for), rows), "heading": heading, "named": NAMED, "published": found}
    lines = pivot(rows, lambda row: row.case, lambda row: row.board)
    return [table("sizes", lines, host=HOST, **given)] if rows else []


def equal_boards(boards: Iterable[str], sizes: Iterable[Record]) -> list[list[str]]:
    """Boards of equal sizes together; this machine, whose sizes depend on its compiler, alone, measured or not."""
    found: dict[str, list[tuple[str, float]]] = {board: [] for board in boards}
    for record in sizes:
        if record.board in found:
            found[record.board].append((record.case, record.value))
    groups: dict[object, list[str]] = {}
    for board, of_board in found.items():
        if of_board or board == HOST:
            groups.setdefault((board == HOST, *sorted(of_board)), []).append(board)
    return list(groups.values())


def heading(group: Sequence[str]) -> str:
    """The boards' names, as far as there is room for them."""
    return ", ".join(group) if len(group) <= NAMED else f"{group[0]} and {len(group) - 1} more"


def memory_grid(board: str, rows: Sequence[Feature]) -> list[Grid]:
    """Flash and RAM of each feature beside what is published for the same feature."""
    version = next((row.published[0] for row in rows if row.published), "")
    return [table("memory", rows, board=board, version=version, volatile=board == HOST)] if rows else []


def memory_grids(rows: Sequence[Feature], records: Iterable[Record]) -> list[Grid]:
    """Flash, then RAM of each feature on each board, then the depth of each example's stack by the records."""
    more = "of each feature, bytes more than the empty program"
    figures: dict[tuple[str, str], dict[tuple[str, str], int | None]] = {
        ("feature", f"flash {more}"): {(row.name, row.board): row.flash for row in rows if row.flash is not None},
        ("feature", f"RAM {more}"): {(row.name, row.board): row.ram for row in rows if row.ram is not None},
        ("example", "stack of each example, the most bytes that it held"): {
            (r.case, r.board): round(r.value) for r in records if r.suite == "memory" and r.params.get("kind") == STACK
        },
    }
    return [
        table(
            "board_bytes", list(dict.fromkeys(name for name, _ in found)), title=f"memory: {title}", what=what,
            boards=ordered(dict.fromkeys(board for _, board in found)), figures=found,
        )
        for (what, title), found in figures.items()
        if found
    ]  # fmt: skip


def realtime_rows(records: Iterable[Record]) -> list[Record]:
    """The records of the suite realtime, latency first; in each case in the order of the records."""
    found = [record for record in records if record.suite == "realtime" and record.unit == "ns"]
    last = len(REALTIME_CASES)
    return sorted(found, key=lambda r: REALTIME_CASES.index(r.case) if r.case in REALTIME_CASES else last)


def realtime_grids(board: str, records: Iterable[Record]) -> list[Grid]:
    """A table of latency and payload under each scheduler and throttle; none where nothing was measured."""
    rows = realtime_rows(records)
    return [table("realtime", rows, board=board)] if rows else []


def target_grid(title: str, rows: Sequence[TargetRow]) -> Grid:
    """The targets with ours, the prototype's, the peer's and the verdict; of several boards the board, too."""
    several = len({row.target.board for row in rows}) > 1
    given = {"at_most": _at_most, "figure": figure_text, "missed_by": _missed_by}
    return table("targets", rows, title=title, several=several, **given)


def discipline_grid(rows: Sequence[TargetRow], boards: Mapping[str, str]) -> Grid:
    """A row for each discipline; `boards` are the titles of the boards."""
    return table("disciplines", rows, boards=boards, figure=figure_text)


def figure_text(row: TargetRow, value: float | None) -> str:
    """A figure of a target as it is printed."""
    text = number(value, DECIMALS[row.target.unit])
    hidden = value is not None and value > row.target.limit >= float(text)  # a miss must not read as met
    return number(value, 3) if hidden else text


def _at_most(limit: float | None) -> str:
    return "" if limit is None else f"<= {limit:.0f}" if limit >= 1e5 else f"<= {limit:g}"


def _missed_by(row: TargetRow) -> str:
    if row.missed_by is None:
        return ""
    share = f" ({100 * row.missed_by / row.target.limit:.0f}%)" if row.target.limit else ""
    return f"{figure_text(row, row.missed_by)}{share}"
