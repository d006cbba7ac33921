# SPDX-License-Identifier: MIT
"""Runs a board's program in its emulator. Python's own library is all it needs."""
