# SPDX-License-Identifier: MIT
"""Traces of running programs: their model and file, bars and flows, and the pages and files that show them."""
