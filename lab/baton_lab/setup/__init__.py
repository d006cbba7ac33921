# SPDX-License-Identifier: MIT
"""Prepares a machine for the lab: Debian, Python and npm packages, the virtual environment."""
