# SPDX-License-Identifier: MIT
"""CMake presets and the compiler's cache. (`build` is a folder that ruff, pytest and git leave out.)"""
