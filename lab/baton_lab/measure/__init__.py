# SPDX-License-Identifier: MIT
"""What is measured, on which board, in which order, and the comparison of figures with others."""
