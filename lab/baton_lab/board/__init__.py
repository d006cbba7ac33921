# SPDX-License-Identifier: MIT
"""Handles boards: descriptions, emulators, serial ports, flashing, and the output of programs."""
