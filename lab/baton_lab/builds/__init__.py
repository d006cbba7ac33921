# SPDX-License-Identifier: MIT
"""Builds with CMake presets and a compiler cache.

The package is not named `build`, because ruff, pytest and git leave a folder of that name out.
"""
