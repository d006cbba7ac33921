# SPDX-License-Identifier: MIT
"""Runs a board's program in its emulator. It needs only Python's own library."""
