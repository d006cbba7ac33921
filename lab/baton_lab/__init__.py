# SPDX-License-Identifier: MIT
"""The lab: builds, runs, stores, compares and reports. It knows C++ only by the bench record."""

import sys
from pathlib import Path

# The grammar of record lines is in runner.records of that folder.
sys.path.append(str(Path(__file__).resolve().parents[2] / "emulators"))
