# SPDX-License-Identifier: Apache-2.0

"""Replays what hidane (https://github.com/hidane-dev/hidane) recorded of Google's emulator against a daemon: fixtures.py INGESTD FOLDER.

FOLDER has copies of hidane's fixtures: `crates/hidane/tests/fixtures/*.json` and `value_order.json` of `crates/hidane-core`. Each case is
equal byte for byte, as JSON, or but for the words of a refusal; it differs for a reason that `fixture_decisions.py` names; or it is a
difference, which fails the run.
"""

import collections
import json
import pathlib
import signal
import sys

from emulator import Daemon
from fixture_decisions import DIFFERENT, NOT_REPLAYED
from fixture_forms import FORMS, Door

LEVELS = ["byte for byte", "as JSON", "but for words"]


def reason_of(fixture, name):
    """Why a case may differ; None if it may not."""
    return next((reason for reason, names in DIFFERENT.get(fixture, {}).items() if name in names), None)


class Report:
    def __init__(self):
        self.counts, self.decided, self.differences = collections.Counter(), collections.Counter(), []
        self.named = {(fixture, name) for fixture, reasons in DIFFERENT.items() for names in reasons.values() for name in names}

    def add(self, fixture, name, level, ours, recorded):
        reason = reason_of(fixture, name)
        self.named.discard((fixture, name))
        if level in LEVELS:
            self.counts[level] += 1
            if level == LEVELS[-1]:
                print(f"other words: {fixture}: {name}", f"ours: {ours}", f"emulator: {recorded}", sep="\n    ")
            if reason:
                self.differences.append(f"{fixture}: {name}: is equal, though it is said to differ: {reason}")
        elif reason:
            self.decided[reason] += 1
        else:
            self.differences.append(f"{fixture}: {name}\n    ours: {ours}\n    emulator: {recorded}")


def main():
    folder, report, missing = pathlib.Path(sys.argv[2]), Report(), []
    daemon = Daemon(sys.argv[1], INGESTD_MODE="development", INGESTD_ACCOUNTS_EMULATOR="true")
    try:
        door = Door(daemon)
        for fixture, replay in FORMS.items():
            file = folder / f"{fixture}.json"
            if not file.exists():
                missing.append(fixture)
                continue
            for name, level, ours, recorded in replay(door, json.loads(file.read_text())):
                report.add(fixture, name, level, ours, recorded)
    finally:
        daemon.stop(signal.SIGTERM)
    report.differences += [f"{fixture}: {name}: there is no such case" for fixture, name in sorted(report.named) if fixture not in missing]
    for reason, count in report.decided.items():
        print(f"different by decision: {count}: {reason}")
    for fixture, reason in NOT_REPLAYED.items():
        print(f"not replayed: {fixture}: {reason}")
    for fixture in missing:
        print(f"not in the folder: {fixture}.json")
    for difference in report.differences:
        print(f"different: {difference}")
    counts = ", ".join(f"{report.counts[level]} equal {level}" for level in LEVELS)
    print(f"fixtures: {counts}, {report.decided.total()} different by decision, {len(report.differences)} differences")
    sys.exit(1 if report.differences or len(missing) == len(FORMS) else 0)


main()
