# SPDX-License-Identifier: MIT
"""A board: its description, its emulator or its port, how a program gets there and what it sends."""
