# SPDX-License-Identifier: MIT
"""Reads and checks the description of a board, its folder's board.toml."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from baton_lab.base import descriptions
from baton_lab.base.descriptions import DescriptionError
from baton_lab.base.nearest import unknown
from baton_lab.setup import own_packages, packages
from baton_lab.setup.packages import DEFAULT_BOARDS


class BadInputError(ValueError):
    """A person named a thing that does not exist or does not fit; the message names what does."""


UsbId = Annotated[str, Field(pattern=r"^[0-9a-f]{4}:[0-9a-f]{4}$")]


class Part(BaseModel):
    """A table of a board.toml; an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Emulator(Part):
    """The emulator that runs the board's programs, and its facts.

    simavr    `mcu`, `hz`, `uart`
    qemu      `program`; for a whole machine also its name (`machine`) and `shift`, since an
              instruction takes 2^`shift` ns; the rest of the command line is `arguments` and the
              common options. `timing` is a core of emulators/timings.toml, for approximate cycles
              with `wait_states` of the flash; `masks` says by which instructions interrupts are
              masked
    rp2040js  nothing

    `lit_at` is the level that lights the LED, on a board whose emulator tells each change of a pin.
    """

    kind: Literal["simavr", "qemu", "rp2040js"]
    mcu: str | None = None
    hz: int | None = Field(default=None, gt=0)
    uart: int | None = Field(default=None, ge=0)
    program: str | None = None
    machine: str | None = None
    shift: int | None = Field(default=None, ge=0)
    arguments: tuple[str, ...] = ()
    timing: str | None = None
    wait_states: int = Field(default=0, ge=0)
    masks: Literal["arm", "thumb", "riscv"] | None = None
    lit_at: Literal[0, 1] | None = None
    no_script: str = ""  # the reason why it plays no script


class Chip(Part):
    """The compiler's facts: the core, as its -mcpu or -march takes it, and its frequency.

    `port` is a folder of ports/, for a chip that the core's own port does not serve.
    """

    cpu: str
    hz: int = Field(gt=0)
    port: str | None = None


class Memory(Part):
    """The sizes of the chip's memory."""

    flash_bytes: int = Field(gt=0)
    ram_bytes: int = Field(gt=0)


class Figures(Part):
    """The kind of the board's counts, and the board whose published figures stand beside them."""

    unit: Literal["cycles", "instructions"]
    valid: Literal["simulated", "approximate", "instructions", "measured"]
    stands_for: str | None = None  # a board of bench/published
    no_time: str = ""  # the reason why its instructions cannot be made into cycles
    real_time: bool = False  # its clock is this machine's, so a count may depend on its readings


class Usb(Part):
    """The USB ids of a real board: vendor and product in hexadecimal; any pair fits."""

    ids: tuple[UsbId, ...] = Field(min_length=1)  # "2341:0043"
    boot_ids: tuple[UsbId, ...] = ()  # its ids while its boot loader runs, if these differ
    product: re.Pattern[str] | None = None  # a regular expression that the product's name must match


class Flash(Part):
    """The tool that writes a program to a real board, and the port from which its records come.

    `{port}`, `{serial}`, `{file}` and `{boot_baud}` in the arguments are filled in. The port of a
    board that is a drive is the folder where that is mounted.
    """

    tool: Literal["avrdude", "openocd", "picotool", "esptool", "teensy_loader_cli", "cp"]
    arguments: tuple[str, ...] = Field(min_length=1)
    package: str = ""  # Debian's
    pypi: str = ""  # the package of a tool that Debian 12 lacks
    image: Literal["elf", "hex", "uf2", "esp8266", "esp32"] = "elf"  # the form of {file}: tools/program_image
    preset: str  # the build whose benchmarks count by themselves
    touch_1200: bool = False  # opening the port at 1200 baud starts the boot loader
    ask: str = ""  # a person starts the boot loader so
    reset: Literal["dtr", "rts"] = "dtr"  # the line of the console's port that resets the board
    boot_bauds: tuple[int, ...] = ()  # rates for {boot_baud}, tried in turn until the boot loader answers
    console: Literal["own", "adapter"] = "own"  # the board's own port, or that of a USB adapter on its serial pins
    baud: int = Field(default=115_200, gt=0)  # rate of the console

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
    """The packages that the board's programs need to be built and run.

    They are Debian packages; Python packages, pinned; and a folder whose package-lock.json npm
    installs. See `own_packages`.
    """

    packages: tuple[str, ...] = ()
    python: tuple[str, ...] = ()
    npm: str | None = None


class Board(Part):
    """A board of boards/. Programs of a board without an emulator run on this machine."""

    name: str
    title: str
    preset: str = ""
    not_emulated: str = ""  # the reason why only the board itself runs its programs
    mhz: float | None = None
    chip: Chip | None = None
    emulator: Emulator | None = None
    pins: dict[str, str] = {}  # of a script: each name, and what the emulator calls that pin
    memory: Memory | None = None
    figures: Figures | None = None
    usb: Usb | None = None
    flash: Flash | None = None
    setup: SetUp = SetUp()

    @property
    def presets(self) -> tuple[str, ...]:
        """The builds of the board in ./baton test; the host also has clang and sanitizers."""
        return ("host", "host-clang", "host-asan") if self.emulator is None else (self.preset,)

    @property
    def watched_led(self) -> tuple[str, ...]:
        """The pin of the LED, if the emulator tells its changes."""
        return (self.pins["led"],) if self.emulator is not None and self.emulator.lit_at is not None else ()

    @property
    def program_suffix(self) -> str:
        """The end of the name of a built program."""
        return ".elf" if self.emulator or self.not_emulated else ""


def load(path: Path) -> Board:
    """Reads a board.toml, with the real.toml beside it if a real board can be measured.

    Errors   BadInputError, which has the file, the line, the key and the allowed values.
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
    if board.emulator is not None and board.emulator.lit_at is not None and "led" not in board.pins:
        raise BadInputError(descriptions.at(path, ("emulator", "lit_at"), "[pins] has no led that it could be of"))
    return board


def names(root: Path) -> list[str]:
    """Returns the boards of the tree that programs run on here, the default ones first."""
    found = {path.parent.name for path in _descriptions(root) if not _says(path, "not_emulated")}
    return [name for name in DEFAULT_BOARDS if name in found] + sorted(found.difference(DEFAULT_BOARDS))


def on_desks(root: Path) -> list[Board]:
    """Returns the boards of the tree that no emulator stands for: their programs are built, and run
    on a desk alone.
    """
    return [load(path) for path in _descriptions(root) if _says(path, "not_emulated")]


def _descriptions(root: Path) -> list[Path]:
    return sorted((root / "boards").glob("*/board.toml"))


def _says(path: Path, key: str) -> bool:
    return any(line.startswith(key) for line in path.read_text(encoding="utf-8").splitlines())


def select(root: Path, wanted: Sequence[str], *, to_run: bool = True) -> list[Board]:
    """Returns the named boards; without names, the default ones and those that are set up.

    Errors   BadInputError: there is no such board, or no program of it runs here and it is `to_run`.
    """
    desks = on_desks(root)
    known = names(root) + ([] if to_run else [board.name for board in desks])
    for name in wanted:
        for board in desks if to_run else []:
            if name == board.name:
                on_usb = f"name one on USB, {name}@SERIAL, as ./baton boards lists it"
                raise BadInputError(f"{name} ({board.title}): {board.not_emulated}; {on_usb}")
        if name not in known:
            raise BadInputError(unknown("board", name, known))
    chosen = list(dict.fromkeys(wanted)) or [name for name in known if name in DEFAULT_BOARDS or _is_set_up(root, name)]
    return [load(root / "boards" / name / "board.toml") for name in chosen]


def _is_set_up(root: Path, name: str) -> bool:
    return not _lacking(root, load(root / "boards" / name / "board.toml"))


def _lacking(root: Path, board: Board) -> list[str]:
    lacking = packages.lacking(packages.board_packages(root, [board.name]), root / "build" / "lab")
    return [*lacking, *own_packages.missing(root, board.setup.python, board.setup.npm)]


def left_out(root: Path, chosen: Sequence[Board]) -> list[str]:
    """Returns the boards of the tree that are not among the chosen ones."""
    return [name for name in names(root) if name not in {board.name for board in chosen}]


def toolchain(root: Path, board: Board) -> str:
    """Tells whether the board's packages are installed, or the command that installs them."""
    lacking = _lacking(root, board)
    return f"missing {' '.join(lacking)}: ./baton setup {board.name}" if lacking else "ready"
