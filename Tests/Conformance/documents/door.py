# SPDX-License-Identifier: Apache-2.0

"""Sends random requests of Firestore's REST API to Google's emulator and to a daemon, and compares the answers.

door.py INGESTD OPERATIONS SEED [FILE]. With a file the requests and the emulator's answers are written to it, a line a program.
"""

import json
import pathlib
import random
import re
import sys

from emulator import ROOT, TIMES, beside
from rest_requests import PATHS, Requests
from servers import Server, has_time

STEPS_PER_PROGRAM = 60
MOST_DIFFERENCES = 20
FAILED_PRECONDITION = 9
TIME_NAMES = {"createTime", "updateTime", "commitTime"}
# Ours is the time of the last commit, and the emulator counts skipped documents several times.
LEFT_OUT = {"readTime", "done", "nextPageToken", "skippedResults"}
# Refusals of queries for want of an index of a certain shape. Ours are answered.
ANSWERED_BY_OURS = (
    "after the key", "descending key", "in the same query with", "Equality on key", "does not currently support such an index",
    "ascending primary key scan",
)
PLACEHOLDER = re.compile(r"@([TX])(\d+)|@P")


class Side:
    """A server with the times, transactions and page tokens that it named in one program."""

    def __init__(self, server, key):
        self.server, self.key = server, key
        self.begin()

    def begin(self):
        self.times, self.transactions, self.token = [], [], ""

    def filled(self, text):
        def value(match):
            if match[0] == "@P":
                return self.token
            known = self.times if match[1] == "T" else self.transactions
            return known[int(match[2])] if int(match[2]) < len(known) else "2020-01-01T00:00:00Z"

        return PLACEHOLDER.sub(value, text)

    def ask(self, method, path, body):
        filled = self.filled(path)
        self.token = self.message = ""
        self.server.ask(method, f"/v1/{ROOT}{filled}", None if body is None else self.filled(json.dumps(body)), self.key)

    def answer(self):
        """The answer in a form that both servers share."""
        status, answer = self.server.answer()
        if isinstance(answer, list) and answer and "error" in answer[0]:
            answer = answer[0]
        if isinstance(answer, dict) and "error" in answer:
            self.message = answer["error"].get("message", "")
        return {"status": status, "body": self.normal(answer)}

    def normal(self, part, name=None):
        if isinstance(part, list):
            return [self.normal(element) for element in part]
        if isinstance(part, dict):
            if name == "error":
                return part.get("status")
            if "code" in part and "message" in part:
                return {"code": part["code"]}
            self.token = part.get("nextPageToken", self.token)
            # A document that is not there has its name only, which the emulator forgets after a deletion.
            left_out = LEFT_OUT | ({"updateTime"} if "name" in part and "createTime" not in part else set())
            return {key: self.normal(part[key], key) for key in sorted(part) if key not in left_out}
        if name in TIME_NAMES:
            if part not in self.times:
                self.times.append(part)
            return f"@T{self.times.index(part)}"
        if name == "timestampValue":
            return part if part in TIMES else "now"
        if name == "transaction":
            self.transactions.append(part)
            return "@X"
        if name == "doubleValue" and isinstance(part, (int, float)):
            return repr(float(part) + 0.0)
        return part


def expects_deletion(request, ours, theirs):
    """Whether a write may expect the time of a deletion: in the emulator that is the time of a document that is not there."""
    if "@T" not in json.dumps(request) or theirs["status"] not in (200, 404):
        return False
    if ours["body"] == {"error": "FAILED_PRECONDITION"}:
        return True
    return request[1] == ":batchWrite" and any(status == {"code": FAILED_PRECONDITION} for status in ours["body"].get("status", []))


def makes_maps(request, ours, theirs):
    """Whether the answers differ by update times alone, and a transform names a field within two maps.

    A document that ends as it was keeps its time. The emulator takes it for changed if the transform made a map within a map.
    """
    writes = (request[2] or {}).get("writes", [])
    paths = [transform["fieldPath"] for write in writes for transform in write.get("updateTransforms", [])]

    def without_times(answer):
        results = answer["body"].get("writeResults", []) if answer["status"] == 200 else []
        return [{name: part for name, part in result.items() if name != "updateTime"} for result in results]

    return any(path.count(".") > 1 for path in paths) and without_times(ours) == without_times(theirs) != []


class Comparison:
    def __init__(self, ours, theirs):
        self.ours, self.theirs = ours, theirs
        self.differences, self.operations, self.statuses = [], 0, {}

    def answers(self, *request):
        """The answers of both, ours first."""
        for side in (self.ours, self.theirs):
            side.ask(*request)
        return self.ours.answer(), self.theirs.answer()

    def program(self, source):
        """Sends one program to both; returns its steps with the emulator's answers."""
        steps = self.steps(source)
        # A program that ended early may have left locks.
        for transaction in self.theirs.transactions:
            self.theirs.ask("POST", ":rollback", {"transaction": transaction})
            self.theirs.answer()
        return steps

    def steps(self, source):
        maker = Requests(source)
        self.answers("POST", ":commit", {"writes": [{"delete": f"{ROOT}/{path}"} for path in PATHS]})
        for side in (self.ours, self.theirs):
            side.begin()
        steps = []
        while len(steps) < STEPS_PER_PROGRAM:
            for request in maker.steps():
                if "@P" in request[1] and not (self.ours.token and self.theirs.token):
                    continue
                ours, theirs = self.answers(*request)
                self.operations += 1
                self.statuses[theirs["status"]] = self.statuses.get(theirs["status"], 0) + 1
                if ours == theirs:
                    method, path, body = request
                    steps.append({"request": [method, path, None if body is None else json.dumps(body)], "answer": theirs})
                elif expects_deletion(request, ours, theirs) or makes_maps(request, ours, theirs):
                    return steps
                elif not any(text in self.theirs.message for text in ANSWERED_BY_OURS):
                    self.differences.append((request, ours, theirs, self.theirs.message))
                    return steps
                maker.times = min(len(self.ours.times), len(self.theirs.times))
        return steps


def main():
    program, operations, seed = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    source, lines = random.Random(f"{seed} door"), []
    with beside(program) as (emulator, daemon):
        comparison = Comparison(Side(Server(daemon.port), daemon.app("p").keys["admin"]), Side(Server(emulator.connection.port), "owner"))
        while has_time() and comparison.operations < operations and len(comparison.differences) < MOST_DIFFERENCES:
            lines.append(json.dumps(comparison.program(source), ensure_ascii=False))
    if len(sys.argv) > 4:
        pathlib.Path(sys.argv[4]).write_text("\n".join(lines) + "\n")
    for difference in comparison.differences:
        print("different:", *(json.dumps(part, ensure_ascii=False) for part in difference), sep="\n    ")
    print(f"door: {comparison.operations} operations, {len(comparison.differences)} differences, statuses {comparison.statuses}")
    sys.exit(1 if comparison.differences else 0)


if __name__ == "__main__":
    main()
