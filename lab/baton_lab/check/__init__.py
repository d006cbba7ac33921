# SPDX-License-Identifier: MIT
"""Runs the steps of `./baton test` side by side, and remembers results of earlier runs."""
