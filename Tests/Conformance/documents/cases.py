# SPDX-License-Identifier: Apache-2.0

"""Compares Google's emulator and a daemon on cases of which each says what it is about: cases.py INGESTD [FILE].

With a file the requests and the emulator's answers are written to it, a line a case. Random programs (`door.py`) meet few of these: edges of
values and limits, malformed requests, and the words of errors. The topics are those for which other emulators have fixtures: the order of values,
writes, transforms, queries, aggregations, lists, limits, transactions, and the forms of REST.
"""

import json
import pathlib
import sys

from door import ANSWERED_BY_OURS, Comparison, Side
from emulator import ROOT, beside
from rest_cases import CASES
from servers import Server

# Cases whose answers differ on purpose, with the reason. Their requests are sent, so that nothing fails with a status of 5xx but 501.
DIFFERENT = {
    "create without an ID": "each server makes its own ID",
    "writes of other databases": "the emulator has any project and database; ours has the one in the URL",
    "a verify of what is not there": "the emulator names some time for what is not there",
    "an array in an array by a transform": "the emulator stores what no write may store",
    "a transform of the name": "the emulator takes the name for a field",
    "a count up to nothing": "the limit must be positive, as documented",
    "six aggregations": "the emulator fails",
    "a list of all collections below a document": "the emulator takes an empty ID of a collection for all; no client sends one over REST",
    "page tokens of others": "the emulator fails",
    "a transaction that begins with no read": "the emulator fails",
    "an empty commit": "ours names its time",
    "an empty transaction": "ours names its time",
    "methods and verbs": "these are no routes; the emulator has its own form of 404, and ours is 501 in Google's form",
    "a list without a mask `_none_`": "the emulator ignores the mask of a list that shows what is missing; ours applies it",
    "negative zero": "ours keeps the sign, which the emulator drops",
}


# The bytes of a case that is recorded; those of limits have megabytes.
LONGEST_LINE = 200_000
NOT_IMPLEMENTED = 501


def words(message):
    """A message without names of projects."""
    return message.replace(ROOT, "~")


class Cases(Comparison):
    def __init__(self, ours, theirs):
        super().__init__(ours, theirs)
        self.other_words, self.answered = [], 0

    def case(self, name, steps):
        """Sends the requests of a case to both; returns them with the emulator's answers."""
        for side in (self.ours, self.theirs):
            side.server.ask("DELETE", f"/emulator/v1/{ROOT}", None, side.key)
            assert side.server.answer()[0] == 200
            side.begin()
        recorded = []
        for request in steps:
            ours, theirs = self.answers(*request)
            self.operations += 1
            if ours["status"] >= 500 and ours["status"] != NOT_IMPLEMENTED:
                self.differences.append((name, request, ours, theirs))
            if ours["status"] == 200 and any(part in self.theirs.message for part in ANSWERED_BY_OURS):
                self.answered += 1
                continue
            if ours != theirs:
                if name not in DIFFERENT:
                    self.differences.append((name, request, ours, self.ours.message, theirs, self.theirs.message))
                continue
            messages = words(self.ours.message), words(self.theirs.message)
            if messages[0] != messages[1]:
                self.other_words.append((name, *messages))
            elif messages[0]:
                theirs = theirs | {"message": messages[0]}
            method, path, body = request
            recorded.append({"request": [method, path, None if body is None else json.dumps(body, ensure_ascii=False)], "answer": theirs})
        return recorded


def main():
    lines = []
    with beside(sys.argv[1], INGESTD_MODE="development", INGESTD_ACCOUNTS_EMULATOR="true") as (emulator, daemon):
        key = daemon.app("p").keys["admin"]
        cases = Cases(Side(Server(daemon.port), key), Side(Server(emulator.connection.port), "owner"))
        for name, steps in CASES.items():
            recorded = cases.case(name, steps)
            line = json.dumps(recorded, ensure_ascii=False)
            if name not in DIFFERENT and len(line) < LONGEST_LINE:
                lines.append(line)
    if len(sys.argv) > 2:
        pathlib.Path(sys.argv[2]).write_text("\n".join(lines) + "\n")
    for name, ours, theirs in cases.other_words:
        print("other words:", name, f"ours: {ours}", f"emulator: {theirs}", sep="\n    ")
    for difference in cases.differences:
        print("different:", *(json.dumps(part, ensure_ascii=False) for part in difference), sep="\n    ")
    for name, reason in DIFFERENT.items():
        assert name in CASES, name
        print(f"different on purpose: {name}: {reason}")
    sums = f"{len(cases.differences)} differences, {cases.answered} answered by ours alone, {len(cases.other_words)} errors in other words"
    print(f"cases: {len(CASES)} cases, {cases.operations} requests, {sums}")
    sys.exit(1 if cases.differences else 0)


main()
