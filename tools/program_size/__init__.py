# SPDX-License-Identifier: MIT
"""What programs take of a chip, and whether they may."""
