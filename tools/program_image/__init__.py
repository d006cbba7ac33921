# SPDX-License-Identifier: MIT
"""Makes the images of programs that boot loaders take."""
