# SPDX-License-Identifier: MIT
"""Approximate cycles of the Cortex-M boards: the timings, their deviations, and the boards near enough to be shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from baton_lab.base.records import TIMING, Record
from baton_lab.board.board_facts import BoardFacts
from baton_lab.measure import suites, timing
from baton_lab.measure.published import CpuRow, published
from baton_lab.present.grid import Grid, table
from baton_lab.present.rows import EMPTY_LOOP, Case

MOST = 0.15
"""Approximate cycles of a core are shown if they deviate by no more than this share."""

EQUAL = 0.001
"""Figures that differ by less than this share are equal: a mark costs up to a cycle of a thousand operations."""

HELD_BOARD = "rp2040"
"""Its own emulator counts cycles, so that its programs hold the timings of a Cortex-M0+ and, with other figures in the
same table, of a Cortex-M0."""

FAMILY = "cortex-m"
ALIKE = {"cortex-m0": "cortex-m0plus"}
"""Cores that no published board and no other emulator has, and the core that shows how far to trust them."""

LABELS = {
    "load": "LDR", "store": "STR", "store_indexed": "STR with a register in its address",
    "multiple": "LDM, STM, PUSH, POP: in any case", "multiple_each": "... and for each register",
    "refill": "more for a taken branch", "refill_load": "more for a branch by a load", "call": "BL", "jump": "BX",
    "multiply": "MUL", "accumulate": "MLA, MLS", "long_multiply": "SMULL, UMULL", "long_accumulate": "SMLAL, UMLAL",
    "divide": "SDIV, UDIV", "status_read": "MRS", "status_write": "MSR", "barrier": "DMB, DSB, ISB",
    "exception": "more for the way into a handler", "pipelined": "less for a load or store right after a load",
}  # fmt: skip
"""The rows of the table of timings, by the keys of timings.toml."""

Rows = Callable[[str], Sequence[Case]]
"""The rows of a board in all suites that are timed."""


@dataclass(frozen=True)
class Pair:
    """A record of the emulator that counts cycles, and the same by the timings."""

    record: Record
    timed: Record

    @property
    def deviation(self) -> float:
        """The share by which the timings differ."""
        return self.timed.value / self.record.value - 1


@dataclass(frozen=True)
class Held:
    """The cases of a suite in both emulators."""

    suite: str
    pairs: tuple[Pair, ...]

    @property
    def mean(self) -> float:
        """The mean of the deviations, without their signs."""
        return sum(abs(pair.deviation) for pair in self.pairs) / len(self.pairs)

    @property
    def largest(self) -> Pair:
        """The case with the largest deviation."""
        return max(self.pairs, key=lambda pair: abs(pair.deviation))

    @property
    def equal(self) -> int:
        """The cases without any."""
        return sum(abs(pair.deviation) < EQUAL for pair in self.pairs)


@dataclass(frozen=True)
class EmptyLoop:
    """A published empty loop beside ours by the timings, in cycles of the published board."""

    row: Case
    core: str
    hardware: str
    wait_states: int
    version: str
    micros: float
    iterations: int

    @property
    def published(self) -> float:
        """The published cycles, if the board ran at the frequency of its description."""
        return self.micros * self._mhz

    @property
    def resolution(self) -> float:
        """The cycles of a millisecond over the iterations."""
        return 1000 / self.iterations * self._mhz

    @property
    def instructions(self) -> float | None:
        """Ours, where they are counted."""
        return self.row.record.value if self.row.record.unit == "instructions" else None

    @property
    def ours(self) -> float:
        """Our approximate cycles."""
        assert self.row.timed is not None
        return self.row.timed.value

    @property
    def deviation(self) -> float:
        """The share by which ours differ."""
        return self.ours / self.published - 1

    @property
    def verdict(self) -> str:
        """The kind of figures that are near enough to be shown."""
        return "instructions alone" if abs(self.deviation) > MOST else "cycles"

    @property
    def _mhz(self) -> float:
        found = re.search(r"(\d+) ?MHz", self.hardware)
        assert found, self.hardware
        return float(found[1])


@dataclass(frozen=True)
class Without:
    """A published row that no cycles of ours stand beside."""

    board: str
    version: str
    row: CpuRow
    instructions: float | None


def held(rows: Iterable[Case]) -> list[Held]:
    """The suites that ran in both emulators."""
    found: dict[str, list[Pair]] = {}
    for row in rows:
        if row.timed and row.record.unit == "cycles":
            found.setdefault(row.record.suite, []).append(Pair(row.record, row.timed))
    return [Held(suite, tuple(pairs)) for suite, pairs in found.items()]


def empty_loops(facts: Mapping[str, BoardFacts], rows: Rows) -> list[EmptyLoop]:
    """The published empty loops of the boards that ours stand for, the newest release of each first."""
    made = []
    for board in facts.values():
        for row in rows(board.name) if board.stands_for else ():
            if row.record.case == EMPTY_LOOP and row.timed:
                core, hardware = row.timed.params[TIMING], published().hardware(board.stands_for)
                for version, one in row.published:
                    what = (board.wait_states, version, one.micros_per_iter, one.iterations)
                    made.append(EmptyLoop(row, timing.cores()[core].title, hardware, *what))
    return made


def shown(facts: Mapping[str, BoardFacts], rows: Rows) -> Iterator[tuple[BoardFacts, list[Case]]]:
    """The boards whose approximate cycles are near enough to be shown, with their rows.

    A core is held by the newest published empty loop, or where none is published by the other emulator.
    """
    pairs = [pair for suite in held(rows(HELD_BOARD)) for pair in suite.pairs]
    for board in facts.values():
        if not board.core.startswith(FAMILY):
            continue
        own = [row for row in rows(board.name) if row.timed and row.record.unit == "instructions"]
        loops = empty_loops({board.name: board}, lambda name, own=own: own)  # type: ignore[misc]
        if loops:
            deviation = abs(loops[0].deviation)
        elif board.core in ALIKE and pairs:
            deviation = max(abs(pair.deviation) for pair in pairs)
        else:
            continue
        if own and deviation <= MOST:
            yield board, own


def without_cycles(facts: Mapping[str, BoardFacts], rows: Rows) -> list[Without]:
    """The published rows of boards whose instructions cannot be made into cycles, or that have none."""
    made = []
    for board in facts.values():
        if board.absent or board.no_time:
            programs = dict.fromkeys([*suites.of("auto").published.values(), *suites.of("channel").published.values()])
            own = [row for row in rows(board.name) if row.published and not row.record.case.startswith("compat")]
            ours = {row.published[0][1].functionality: row.record.value for row in own}
            for name in programs:
                for each in published().figures(board.stands_for or board.name, name):
                    if isinstance(each.row, CpuRow):
                        made.append(Without(board.name, each.version, each.row, ours.get(name)))
    return made


def grids(facts: Mapping[str, BoardFacts], rows: Rows) -> list[Grid]:
    """The table of timings, their deviations, the approximate cycles, and the figures without any."""
    cores = [core for name, core in timing.cores().items() if name.startswith(FAMILY)]
    labels = [(key, label) for key, label in LABELS.items() if any(core.figure(key) for core in cores)]
    made = [table("timing_cores", labels, cores=cores)]
    if pairs := held(rows(HELD_BOARD)):
        made.append(table("timing_held", pairs, equal=EQUAL))
    if loops := empty_loops(facts, rows):
        made.append(table("timing_published", loops, most=MOST))
    for board, own in shown(facts, rows):
        core = timing.cores()[board.core].title
        made.append(table("timing_cycles", own, board=board.name, mhz=board.mhz, core=core))
    if without := without_cycles(facts, rows):
        reasons = {each.board: facts[each.board].absent or facts[each.board].no_time for each in without}
        made.append(table("timing_none", without, reasons=reasons))
    return made
