# SPDX-License-Identifier: Apache-2.0

"""Random rules with random requests, and the emulator's decisions."""

import base64

from emulator import ROOT, claims, message, token
from expressions import Expressions

USERS = [None, ("u1", {}), ("u2", {"admin": True, "roles": ["a", "b"], "n": 3})]
RULES_PER_PROGRAM = 12
REQUESTS_PER_RULE = 4
KINDS = ["get", "getnone", "create", "update", "delete"]
# Functions that the emulator does not know and ours do, as documented.
UNKNOWN = "Function not found"
LONGER_FUNCTION = """    function h(place, text) {
      let data = place.data;
      let isFirst = f(data.i > 0) && data.s != text;
      return isFirst || g(data.s, text) || data.keys().hasAll([text]);
    }
    match /r/{doc} { allow write; }
"""


def fields(random):
    pick = random.choice
    numbers = [{"integerValue": "1"}, {"integerValue": "2"}, {"doubleValue": 1.0}, {"stringValue": "a"}]
    strings = [{"stringValue": text} for text in random.sample(["a", "b", "c"], random.randrange(4))]
    members = {key: {"integerValue": str(random.randrange(3))} for key in random.sample(["a", "b", "c"], random.randrange(4))}
    times = ["2020-02-29T23:59:59.5Z", "1969-12-31T23:00:00Z", "2026-01-01T00:00:00.000001Z", "2000-03-01T12:34:56Z"]
    return {
        "i": {"integerValue": str(pick([0, 1, 2, 3, -1]))}, "f": {"doubleValue": pick([0.5, 1.0, 2.5, -1.0])},
        "s": {"stringValue": pick(["a", "b", "ab", "aXb", "", "u1", "é", "😀x", "A b "])}, "l": {"arrayValue": {"values": strings}},
        "li": {"arrayValue": {"values": [pick(numbers) for _ in range(random.randrange(3))]}}, "m": {"mapValue": {"fields": members}},
        "t": {"timestampValue": pick(times)}, "b": {"booleanValue": pick([True, False])},
        "g": {"geoPointValue": pick([{"latitude": 1, "longitude": 2}, {"latitude": 0, "longitude": 0}])},
        "y": {"bytesValue": base64.b64encode(pick([b"", b"a", b"\xff\x00"])).decode()}, "n": {"nullValue": None},
        "r": {"referenceValue": f"{ROOT}/{pick(['r/one', 'r/none'])}"},
    }


def ruleset(random, expressions):
    """Rules in which each expression judges a collection of its own."""
    methods = ["read", "write", "get", "create", "update", "delete", "read, write"]
    matches = "".join(
        f"    match /c{index}/{{doc}} {{ allow {random.choice(methods)}: if {expression}; }}\n" for index, expression in enumerate(expressions))
    functions = "    function f(x) { return x; }\n    function g(x, y) { let z = x; return z == y; }\n" + LONGER_FUNCTION
    return f"rules_version = '2';\nservice cloud.firestore {{\n  match /databases/{{database}}/documents {{\n{functions}{matches}  }}\n}}\n"


class Program:
    def __init__(self, emulator, random):
        self.emulator, self.random = emulator, random
        maker = Expressions(random)
        candidates = [maker.expression("bool") for _ in range(RULES_PER_PROGRAM)]
        self.expressions = [one for one in candidates if emulator.rules(ruleset(random, [one])) is None]
        self.documents = {"r/one": {"a": {"integerValue": "1"}, "n": {"stringValue": "x"}}}
        self.documents |= {f"c{index}/one": fields(random) for index in range(len(self.expressions))}
        emulator.clear()
        emulator.store(self.documents)
        self.text = ruleset(random, self.expressions)
        refused = emulator.rules(self.text)
        assert refused is None, refused

    def request(self, index):
        """One request to the collection of a rule; nothing if the emulator failed."""
        user, kind, written = self.random.choice(USERS), self.random.choice(KINDS), fields(self.random)
        name = {"getnone": "none", "create": "two"}.get(kind, "one")
        path = f"c{index}/{name}"
        if kind.startswith("get"):
            status, answer = self.emulator.documents("GET", f"/{path}", token=token(user))
        else:
            full = f"{ROOT}/{path}"
            write = {"delete": full} if kind == "delete" else {"update": {"name": full, "fields": written}}
            status, answer = self.emulator.documents("POST", ":commit", {"writes": [write]}, token(user))
        if status not in (200, 403, 404) or status == 403 and UNKNOWN in message(answer):
            return None
        if status != 403 and not kind.startswith("get"):
            self.emulator.store({f"c{index}/one": self.documents[f"c{index}/one"]})
            self.emulator.documents("DELETE", f"/c{index}/two")
        auth = user and {"uid": user[0], "claims": user[1]}
        return {"k": kind, "p": path, "auth": auth, "w": written, "ok": status != 403, "i": index}


def record(emulator, random):
    program = Program(emulator, random)
    requests = [program.request(index) for index in range(len(program.expressions)) for _ in range(REQUESTS_PER_RULE)]
    requests = [request for request in requests if request]
    line = {"text": program.text, "docs": program.documents, "reqs": requests, "es": program.expressions, "claims": claims("u1", {})}
    return line, len(requests)
