# SPDX-License-Identifier: MIT
"""The presentation of figures: for a terminal, for a browser and in generated files."""
