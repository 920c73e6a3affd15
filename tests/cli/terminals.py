# SPDX-License-Identifier: GPL-3.0-or-later
"""Pseudo-terminals, which a bare system may lack."""
import os
import sys

SKIPPED = 77  # the status, by meson's convention


def need():
    """Ends the test, skipped, where there are none."""
    try:
        for end in os.openpty():
            os.close(end)
    except OSError:
        print("skipped: there are no pseudo-terminals: /dev/pts is not mounted")
        sys.exit(SKIPPED)
