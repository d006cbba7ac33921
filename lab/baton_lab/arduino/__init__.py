# SPDX-License-Identifier: MIT
"""Makes Arduino libraries and sketches, and builds them by the recipes of an Arduino core."""
