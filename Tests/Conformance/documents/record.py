# SPDX-License-Identifier: Apache-2.0

"""Records answers of Google's Firestore emulator to random programs: record.py FOLDER OPERATIONS SEED.

Writes queries.ndjson, writes.ndjson, rules.ndjson, matches.ndjson, lists.ndjson, bodies.ndjson and exports.ndjson, each with about a seventh of the operations.
`RecordedQueryTests` and its neighbours compare ours with them. The same seed makes the same programs.
"""

import json
import pathlib
import random
import sys

import bodies
import exports
import lists
import matches
import queries
import rules
import writes
from emulator import Emulator

KINDS = {"queries": queries, "writes": writes, "rules": rules, "matches": matches, "lists": lists, "bodies": bodies, "exports": exports}


def exact(part):
    """The part of a line with doubles as texts, which every parser of JSON keeps exact."""
    if isinstance(part, list):
        return [exact(element) for element in part]
    if isinstance(part, dict):
        return {name: repr(value) if name == "doubleValue" and isinstance(value, float) else exact(value) for name, value in part.items()}
    return part


def main():
    folder, operations, seed = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    share = operations // len(KINDS)
    with Emulator() as emulator:
        for name, module in KINDS.items():
            source, count = random.Random(f"{seed} {name}"), 0
            with open(folder / f"{name}.ndjson", "w") as out:
                while count < share:
                    line, made = module.record(emulator, source)
                    out.write(json.dumps(line if name == "bodies" else exact(line)) + "\n")
                    count += made
            print(f"{name}: {count} operations")


main()
