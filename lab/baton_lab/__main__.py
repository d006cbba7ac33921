# SPDX-License-Identifier: MIT
"""Runs the lab: `python -m baton_lab` is `./baton` after the set-up."""

from baton_lab.command.cli import main

main()
