# SPDX-License-Identifier: Apache-2.0

"""What the programs here say of what they see: a line for each expectation; the first that does not hold ends them."""

import time


def expect(what, holds, seen=""):
    print(("ok    " if holds else "WRONG ") + what + (f": {seen}" if seen != "" else ""), flush=True)
    if not holds:
        raise SystemExit(1)


def wait_for(condition, seconds=10):
    """What the condition came to, or its last refusal."""
    end = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < end:
        time.sleep(0.02)
    return found
