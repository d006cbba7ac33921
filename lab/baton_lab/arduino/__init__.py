# SPDX-License-Identifier: MIT
"""Core as an Arduino library, examples as sketches, and sketches built by the recipes of an Arduino core."""
