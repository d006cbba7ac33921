# SPDX-License-Identifier: MIT
"""What a release needs besides: packages, licences, one version, and the examples of the release before."""
