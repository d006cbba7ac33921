# SPDX-License-Identifier: MIT
"""What a board is: its folder's board.toml, read and checked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from baton_lab.base import descriptions
from baton_lab.base.descriptions import DescriptionError
from baton_lab.setup import own_packages, packages
from baton_lab.setup.packages import DEFAULT_BOARDS


class BadInputError(ValueError):
    """Something that a person named does not exist or does not fit; the message says what does."""


UsbId = Annotated[str, Field(pattern=r"^[0-9a-f]{4}:[0-9a-f]{4}$")]


class Part(BaseModel):
    """A table of a board.toml; a key that it does not know is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Emulator(Part):
    """Which emulator runs the board's programs, and what it has to be told.

    simavr    `mcu`, `hz`, `uart`
    qemu      `program`, and of a whole machine its name (`machine`) and that an instruction takes 2^`shift` ns; the
              rest of the command line is `arguments` and what each machine gets
    rp2040js  nothing
    """

    kind: Literal["simavr", "qemu", "rp2040js"]
    mcu: str | None = None
    hz: int | None = Field(default=None, gt=0)
    uart: int | None = Field(default=None, ge=0)
    program: str | None = None
    machine: str | None = None
    shift: int | None = Field(default=None, ge=0)
    arguments: tuple[str, ...] = ()


class Chip(Part):
    """What the compiler is told: the core, as its -mcpu or -march takes it, and how fast it runs.

    `port` is a folder of ports/, where the core's own port does not serve the chip.
    """

    cpu: str
    hz: int = Field(gt=0)
    port: str | None = None


class Memory(Part):
    """What the chip has."""

    flash_bytes: int = Field(gt=0)
    ram_bytes: int = Field(gt=0)


class Figures(Part):
    """What the board's counts are, and whose published figures stand beside them."""

    unit: Literal["cycles", "instructions"]
    valid: Literal["simulated", "approximate", "instructions"]
    stands_for: str | None = None  # a board of bench/published
    real_time: bool = False  # its clock is this machine's, so a count may depend on what was read from it


class Usb(Part):
    """How a real one is recognised: vendor and product as four hexadecimal digits, any of the pairs."""

    ids: tuple[UsbId, ...] = Field(min_length=1)  # "2341:0043"
    boot_ids: tuple[UsbId, ...] = ()  # what it is while its boot loader runs, where that is something else
    product: re.Pattern[str] | None = None  # a regular expression that the product's name must match


class Flash(Part):
    """Which tool writes a program to a real one, and where its records come from.

    `{port}`, `{serial}`, `{file}` and `{boot_baud}` in the arguments are filled in.
    """

    tool: Literal["avrdude", "openocd", "picotool", "esptool"]
    arguments: tuple[str, ...] = Field(min_length=1)
    package: str
    preset: str  # the build whose benchmarks count by themselves
    touch_1200: bool = False  # opening the port at 1200 baud starts the boot loader
    boot_bauds: tuple[int, ...] = ()  # which {boot_baud} to try, in turn, until the boot loader answers
    console: Literal["own", "adapter"] = "own"  # its own port, or a USB adapter's on its serial pins
    baud: int = Field(default=115_200, gt=0)  # of the console

    @field_validator("arguments")
    @classmethod
    def _fields_are_known(cls, arguments: tuple[str, ...]) -> tuple[str, ...]:
        for argument in arguments:
            try:
                argument.format(port="", serial="", file="", boot_baud=0)
            except (LookupError, ValueError) as error:
                raise ValueError(
                    f"{argument!r}: {{port}}, {{serial}}, {{file}} and {{boot_baud}} are filled in"
                ) from error
        return arguments


class Real(Part):
    """A real.toml: a real board on a desk, apart from the chip and its emulator."""

    usb: Usb
    flash: Flash | None = None


class SetUp(Part):
    """What has to be installed before the board's programs can be built and run.

    Debian packages; Python packages, pinned; a folder whose package-lock.json npm installs. See `own_packages`.
    """

    packages: tuple[str, ...] = ()
    python: tuple[str, ...] = ()
    npm: str | None = None


class Board(Part):
    """A board of boards/. Without an emulator its programs run on this machine."""

    name: str
    title: str
    preset: str = ""
    absent: str = ""  # why there is no toolchain for it anywhere; such a board has a row in the tables and nothing else
    mhz: float | None = None
    chip: Chip | None = None
    emulator: Emulator | None = None
    memory: Memory | None = None
    figures: Figures | None = None
    usb: Usb | None = None
    flash: Flash | None = None
    setup: SetUp = SetUp()

    @property
    def presets(self) -> tuple[str, ...]:
        """The builds that ./baton test makes of the board: the host's also with the other compiler and sanitizers."""
        return ("host", "host-clang", "host-asan") if self.emulator is None else (self.preset,)

    @property
    def program_suffix(self) -> str:
        """The end of the name of a built program."""
        return "" if self.emulator is None else ".elf"


def load(path: Path) -> Board:
    """A board.toml, with the real.toml beside it where a real board can be measured.

    Errors   BadInputError, which names the file, the line, the key and what is allowed.
    """
    real = path.with_name("real.toml")
    try:
        board = descriptions.read(path, Board)
        if real.is_file():
            board = board.model_copy(update=dict(descriptions.read(real, Real)))
    except DescriptionError as error:
        raise BadInputError(str(error)) from error
    if board.name != path.parent.name:
        raise BadInputError(descriptions.at(path, ("name",), f"is {board.name!r}, and the folder {path.parent.name!r}"))
    return board


def names(root: Path) -> list[str]:
    """The boards of the tree that programs can be built for, the default ones first."""
    found = {path.parent.name for path in _descriptions(root) if not _says_absent(path)}
    return [name for name in DEFAULT_BOARDS if name in found] + sorted(found.difference(DEFAULT_BOARDS))


def absent(root: Path) -> list[Board]:
    """The boards of the tree for which there is no toolchain; each says why."""
    return [load(path) for path in _descriptions(root) if _says_absent(path)]


def _descriptions(root: Path) -> list[Path]:
    return sorted((root / "boards").glob("*/board.toml"))


def _says_absent(path: Path) -> bool:
    return any(line.startswith("absent") for line in path.read_text(encoding="utf-8").splitlines())


def select(root: Path, wanted: Sequence[str]) -> list[Board]:
    """The boards of these names; where none is named, the default ones and those that are already set up.

    Errors   BadInputError: there is no such board, or none can be built for.
    """
    known = names(root)
    for name in wanted:
        for board in absent(root):
            if name == board.name:
                raise BadInputError(f"{board.name} ({board.title}): {board.absent}")
        if name not in known:
            raise BadInputError(f"there is no board {name!r}; boards: {' '.join(known)}")
    chosen = list(dict.fromkeys(wanted)) or [name for name in known if name in DEFAULT_BOARDS or _is_set_up(root, name)]
    return [load(root / "boards" / name / "board.toml") for name in chosen]


def _is_set_up(root: Path, name: str) -> bool:
    return not _lacking(root, load(root / "boards" / name / "board.toml"))


def _lacking(root: Path, board: Board) -> list[str]:
    lacking = packages.lacking(packages.board_packages(root, [board.name]), root / "build" / "lab")
    return [*lacking, *own_packages.missing(root, board.setup.python, board.setup.npm)]


def left_out(root: Path, chosen: Sequence[Board]) -> list[str]:
    """The boards of the tree that are not among the chosen ones."""
    return [name for name in names(root) if name not in {board.name for board in chosen}]


def toolchain(root: Path, board: Board) -> str:
    """Whether the board's packages are there, or the command that gets them."""
    lacking = _lacking(root, board)
    return f"missing {' '.join(lacking)}: ./baton setup {board.name}" if lacking else "ready"
