# SPDX-License-Identifier: MIT
"""./baton bench on a real board: finds it, flashes each suite's program, and reads the records from its serial port."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from baton_lab.base.case_filter import EVERY_CASE, CaseFilter
from baton_lab.base.notices import say
from baton_lab.base.project import Project
from baton_lab.base.records import Record, RecordError
from baton_lab.base.store import Run, Store
from baton_lab.base.ui import Screen
from baton_lab.board import board_files, flashing, serial_port, transcript, usb
from baton_lab.board.board_files import BadInputError, Board
from baton_lab.board.flashing import FlashError
from baton_lab.board.serial_port import PortError
from baton_lab.board.transcript import Limits, Transcript
from baton_lab.board.usb import Attached, Device
from baton_lab.builds.presets import BuildError, build, configure
from baton_lab.measure import board_run, sketch_times
from baton_lab.measure.board_run import BoardResult, Failure

NOT_FLASHED = (board_run.MEMORY, sketch_times.SUITE)
"""Suites that no real board runs: the linker has the sizes, and sketches are run in the simulator."""
LOOK_SECONDS = 0.2


@dataclass(frozen=True)
class Waits:
    """The limits of a wait for a boot loader: after the touch that starts it, and for a person who resets it."""

    touched_s: float = 10.0
    pressed_s: float = 60.0


@dataclass(frozen=True)
class Desk:
    """A real board as it was asked for, and how it is reached; `attached` lists what is plugged in at the moment."""

    board: Board
    device: Device
    adapter: Device | None = None
    attached: Attached = usb.attached
    limits: Limits = field(default_factory=Limits)
    waits: Waits = field(default_factory=Waits)
    tell: Callable[[str], None] = say

    @property
    def name(self) -> str:
        """As a person names it: nano@A5069RR4."""
        return f"{self.board.name}@{self.device.name}"


def is_real(wanted: str) -> bool:
    """True where a --board names a real board."""
    return "@" in wanted


def find(
    root: Path,
    wanted: str,
    attached: Attached = usb.attached,
    *,
    needs_console: bool = True,
    among: Sequence[Board] = (),
) -> Desk:
    """The real board of this name: BOARD@SERIAL, BOARD@ for the only one, BOARD@SERIAL/ADAPTER with another console.

    A device is one of the boards `among` them, by default of all.

    Errors   BadInputError: there is no such board, it is not plugged in, or the name fits several.
    """
    name, _, rest = wanted.partition("@")
    serial, _, adapter = rest.partition("/") if not rest.startswith("/dev/") else (rest, "", "")
    board = board_files.select(root, [name], to_run=False)[0]
    known = among or board_files.select(root, board_files.names(root)) + board_files.on_desks(root)
    devices = attached()
    device = usb.find(known, board, serial, devices)
    others = [each for each in devices if each != device and each.id not in usb.WITHOUT_PORT]
    console = _adapter(board, device, adapter, others) if needs_console else None
    return Desk(board, device, console, attached)


def _adapter(board: Board, device: Device, wanted: str, others: Sequence[Device]) -> Device | None:
    """The USB adapter that a board without a serial port of its own is wired to."""
    assert board.flash is not None
    if board.flash.console == "own":
        if wanted:
            raise BadInputError(f"/{wanted}: a {board.name} has its console on its own port")
        return None
    name = f"{board.name}@{device.name}"
    there = ":" + "".join(f"\n  --board {name}/{each.name}  {each}" for each in others) if others else "; there is none"
    if not wanted:
        raise BadInputError(f"a {board.name} has its console on its serial pins: name the USB adapter there{there}")
    named = [each for each in others if wanted in (each.serial, each.location)]
    if len(named) != 1:
        raise BadInputError(f"{len(named)} USB adapters have the serial number or socket {wanted}{there}")
    return named[0]


def bench_real(  # noqa: PLR0913 - its callers name the last
    project: Project,
    desk: Desk,
    chosen: Sequence[str],
    store: Store | None,
    screen: Screen,
    *,
    cases: CaseFilter = EVERY_CASE,
) -> BoardResult:
    """Builds, flashes and runs the suites on one real board. A failure ends up in the result, not in an exception."""
    assert desk.board.flash is not None
    board = desk.board.model_copy(
        update={"preset": desk.board.flash.preset, "title": f"{desk.board.title}, {desk.device.name} over USB"}
    )
    result = BoardResult(board)
    wanted = [suite for suite in chosen if suite not in NOT_FLASHED]
    try:
        with screen.step(f"{desk.name}: build", board.preset):
            targets = board_run.targets_of(configure(project, board.preset), wanted)
            build(project, board.preset, [name for names in targets.values() for name in names])
    except BuildError as error:
        result.failures.append(Failure(desk.name, "", f"does not build\n{error}"))
        return result
    without = [suite for suite in chosen if suite not in targets]
    if without:
        screen.line(f"          {desk.name}: left out, nothing to run: {' '.join(without)}")
        screen.estimate.drop(f"{desk.name}: {suite}" for suite in without)
    for position, suite in enumerate(targets):
        try:
            with screen.step(f"{desk.name}: {suite}"):
                records = _measure(project, replace(desk, board=board), suite, again=position > 0)
        except (FlashError, PortError, board_run.SuiteError) as error:
            result.failures.append(Failure(desk.name, suite, str(error)))
            if isinstance(error, FlashError | PortError):
                break  # the others would meet the same
            continue
        board_run.chosen_cases(result, describe(project, desk, board, suite), records, cases, store)
    return result


def describe(project: Project, desk: Desk, board: Board, suite: str) -> Run:
    """The circumstances of a run, filed under the name of this very board, beside the simulator's runs."""
    made = board_run.describe(project, board, suite)
    facts = {"usb": desk.device.id, "serial number": desk.device.serial, "product": desk.device.product}
    return made.model_copy(update={"board": desk.name, "machine": {**made.machine, **facts}})


def _measure(project: Project, desk: Desk, suite: str, *, again: bool) -> list[Record]:
    """Returns the records of one suite. A file keeps the received text in every case.

    Errors   PortError, FlashError, SuiteError
    """
    got = _flash_and_read(project, desk, board_run.program(project, desk.board, suite), again=again)
    kept = project.build / "lab" / "real" / f"{desk.name.replace('/', '_')}-{suite}.log"
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(got.raw)
    problem = got.problem
    try:
        records = board_run.read(got.lines, desk.board.name, suite) if not problem else []
        strange = [record for record in records if record.valid != "measured"]
        problem = problem or (f"its program is not of the preset {desk.board.preset}" if strange else "")
    except RecordError as error:
        problem = str(error)
    if problem:
        raise board_run.SuiteError(f"{problem}\nnot stored; received until then, and kept in {kept}:\n{got.received()}")
    return records


def _flash_and_read(project: Project, desk: Desk, program: Path, *, again: bool) -> Transcript:
    flash = desk.board.flash
    assert flash is not None
    device = boot_loader(desk, again=again) if flash.touch_1200 or flash.ask else same(desk, desk.device)
    needs_port = any("{port}" in argument for argument in flash.arguments)
    if needs_port and not device.port:
        raise PortError(f"the drive of {desk.name} is not mounted: mount it, and run the same command again")
    if needs_port:
        serial_port.check(device.port)
    if desk.adapter is None and needs_port:
        flashing.write(project, desk.board, device, program)
        with serial_port.open_port(same(desk, desk.device).port, flash.baud) as port:
            serial_port.reset(
                port, by=flash.reset
            )  # the tool had the port for itself, so the program's beginning was missed
            return transcript.read(port, desk.limits)
    console = same(desk, desk.adapter or desk.device)
    with serial_port.open_port(console.port, flash.baud) as port:
        flashing.write(project, desk.board, device, program)
        return transcript.read(port, desk.limits)


def same(desk: Desk, device: Device) -> Device:
    """The same device, on the port that it has at the moment: by its serial number, or its socket where it has none.

    Errors   PortError: it is gone, or another device is in its place.
    """
    devices = desk.attached()
    found = [each for each in devices if (each.serial, each.location) == (device.serial, device.location)]
    found = found or [each for each in devices if device.serial and each.serial == device.serial]
    if not found:
        raise PortError(f"{device.name} is gone: plug it in again, and see ./baton boards")
    if found[0].id != device.id:
        raise PortError(f"in the place of {device.name} ({device.id}) there is another device: {found[0]}")
    return found[0]


def boot_loader(desk: Desk, *, again: bool) -> Device:
    """The board's boot loader, which is another USB device in the same socket.

    Errors   PortError: it did not appear.
    """
    assert desk.board.usb is not None
    if boot := _in_boot_loader(desk):
        return boot
    running = [
        each for each in desk.attached() if each.location == desk.device.location and each.id in desk.board.usb.ids
    ]
    assert desk.board.flash is not None
    if running and desk.board.flash.touch_1200:
        serial_port.touch(running[0].port)
        if boot := _wait(desk, desk.waits.touched_s):
            return boot
    ask = desk.board.flash.ask or "press its reset button twice, quickly"
    desk.tell(f"{desk.name}: {ask}" + (", as before each suite" if again else ""))
    if boot := _wait(desk, desk.waits.pressed_s):
        return boot
    raise PortError(f"the boot loader of {desk.name} did not appear at {desk.device.location}: {ask} when asked to")


def _in_boot_loader(desk: Desk) -> Device | None:
    assert desk.board.usb is not None
    there = [each for each in desk.attached() if each.location == desk.device.location]
    return next((each for each in there if each.id in desk.board.usb.boot_ids), None)


def _wait(desk: Desk, limit_s: float) -> Device | None:
    until = time.monotonic() + limit_s
    while time.monotonic() < until:
        if boot := _in_boot_loader(desk):
            return boot
        time.sleep(LOOK_SECONDS)
    return None
