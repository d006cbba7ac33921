# SPDX-License-Identifier: MIT
"""What a machine needs before the lab runs: Debian, Python and npm packages, the virtual environment."""
