# SPDX-License-Identifier: MIT
"""The figures that others have published of Thread-Metric: processor cycles of a test cycle, on real hardware."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import Field

from baton_lab.measure.published import DIRECTORY, PublishedError, PublishedModel, load

FILE_NAME = "thread-metric.json"
CALIBRATION = "calibration"
"""The test without a kernel's service, by which the original scales its scores. It is no case of ours."""


class PublishedSystem(PublishedModel):
    """One system: the cycles of each test that was published."""

    system: str
    version: str
    configuration: str
    source: str
    rows: dict[str, float] = Field(min_length=1)

    @property
    def title(self) -> str:
        """Name and release."""
        return f"{self.system} {self.version}"


class PublishedThreadMetric(PublishedModel):
    """The file: systems on one hardware at one clock."""

    benchmark: str
    hardware: str
    mhz: float
    unit: Literal["cycles"]
    compiler: str
    note: str
    systems: tuple[PublishedSystem, ...] = Field(min_length=1)


def read(path: Path) -> PublishedThreadMetric:
    """The published figures of a file.

    Errors   PublishedError: it cannot be used, or two systems were calibrated on different hardware: the loop that
             uses no service takes the same time on one chip, to a tenth of a cycle.
    """
    found = load(path, PublishedThreadMetric)
    calibrated = [system.rows[CALIBRATION] for system in found.systems if CALIBRATION in system.rows]
    if calibrated and max(calibrated) - min(calibrated) > 0.1:
        raise PublishedError(f"{path}: calibrations of {min(calibrated)} and {max(calibrated)} are not of one hardware")
    return found


@cache
def scores() -> PublishedThreadMetric:
    """The figures that lie in this tree."""
    return read(DIRECTORY / FILE_NAME)
