# SPDX-License-Identifier: MIT
"""Runs a board's program in QEMU. Python's own library is all it needs."""
