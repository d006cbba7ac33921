# SPDX-License-Identifier: MIT
"""The facts that tables and plots show of a board besides its records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from baton_lab.board import board_files
from baton_lab.board.board_files import Board

ORDER = (
    *("nano", "promicro", "rp2040", "microbit", "stm32vl", "bluepill", "mps2-an386", "teensy32"),
    *("mps2-an500", "mps2-an505"),
    *("esp32c3", "esp8266", "nodemcu", "esp32", "versatilepb", "aarch64", "aarch64-linux"),
)
"""The columns of the tables: by architecture, smaller cores first; this machine last."""

HOST = "host"


@dataclass(frozen=True)
class BoardFacts:
    """A board: its clock, its kind of counts, the board whose published figures it matches."""

    name: str
    title: str = ""
    mhz: float | None = None
    unit: str = ""
    valid: str = ""
    stands_for: str = ""  # a board of bench/published
    absent: str = ""  # the reason why no figure of ours stands beside the published board
    core: str = ""  # of emulators/timings.toml, whose timings make its instructions into approximate cycles
    wait_states: int = 0  # of the flash in these
    no_time: str = ""  # the reason why nothing makes its instructions into cycles
    is_on_desk: bool = False  # its programs run nowhere else, so no figure of it is in a file
    is_real_time: bool = False  # its counts may depend on readings of this machine's clock
    processors: int | None = None  # of the machine that measured; None where that does not matter or is unknown

    @property
    def figures_are(self) -> str:
        """The unit and the kind of its counts, or the reason why there are none."""
        if self.absent:
            return f"none: {self.absent}"
        return self.unit if self.valid == self.unit else f"{self.unit}, {self.valid}"


Facts = Mapping[str, BoardFacts]


def all_of(root: Path) -> dict[str, BoardFacts]:
    """Returns every board of a tree, in the order of the tables."""
    found = {}
    for name in board_files.names(root):
        found[name] = facts_of(board_files.load(root / "boards" / name / "board.toml"))
    stood_for = {each.stands_for for each in found.values()}
    for board in board_files.on_desks(root):
        facts = facts_of(board)
        is_alone = facts.stands_for not in stood_for
        found[board.name] = replace(facts, absent=f"{board.not_emulated}, and no board was seen") if is_alone else facts
    return {name: found[name] for name in ordered(found)}


def counted(facts: Facts) -> list[str]:
    """Returns the boards whose figures are the same in every run, and so belong in a README."""
    return [name for name, each in facts.items() if each.unit and not each.is_on_desk]


def of(facts: Facts, name: str) -> BoardFacts:
    """Returns the facts of a board; for a real one, `nano@SERIAL`, those of its kind."""
    kind = name.partition("@")[0]
    return facts.get(name) or facts.get(kind) or BoardFacts(name)


def ordered(names: Iterable[str]) -> list[str]:
    """Sorts the names in the order of the tables, with a real board after the emulated one."""

    def place(name: str) -> tuple[bool, int, str]:
        kind = name.partition("@")[0]
        return (kind == HOST, ORDER.index(kind) if kind in ORDER else len(ORDER), name)

    return sorted(names, key=place)


def facts_of(board: Board) -> BoardFacts:
    """Returns the facts about figures in a board.toml."""
    figures = board.figures
    return BoardFacts(
        name=board.name,
        title=board.title,
        mhz=board.mhz,
        unit=figures.unit if figures else "",
        valid=figures.valid if figures else "",
        stands_for=(figures.stands_for if figures else None) or "",
        core=(board.emulator.timing if board.emulator else None) or "",
        wait_states=board.emulator.wait_states if board.emulator else 0,
        no_time=figures.no_time if figures else "",
        is_on_desk=bool(board.not_emulated),
        is_real_time=bool(figures and figures.real_time),
    )
