# SPDX-License-Identifier: Apache-2.0

"""Expectations of the programs here: each prints a line, and the first failure ends the program."""

import time


def expect(what, holds, seen=""):
    print(("ok    " if holds else "WRONG ") + what + (f": {seen}" if seen != "" else ""), flush=True)
    if not holds:
        raise SystemExit(1)


def wait_for(condition, seconds=10):
    """Waits until the condition holds or the time is over, and returns its last value."""
    end = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < end:
        time.sleep(0.02)
    return found
