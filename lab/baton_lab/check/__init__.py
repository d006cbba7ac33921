# SPDX-License-Identifier: MIT
"""What `./baton test` runs, side by side, and what it knows from the run before."""
