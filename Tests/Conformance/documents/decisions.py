# SPDX-License-Identifier: Apache-2.0

"""Compares what random rules allow users over HTTP, at Google's emulator and at a daemon: decisions.py INGESTD REQUESTS SEED.

A request that only the daemon allows is a fault, except a query that its conditions prove: then the emulator must allow each document that the
query finds to be read one by one.
"""

import base64
import collections
import json
import random
import sys
import time

from emulator import ROOT, beside, message
from expressions import Expressions
from lists import VALUES, Lists
from matches import Matches
from rules import UNKNOWN, USERS, fields, ruleset
from servers import Server, both, has_time

EXPRESSIONS_PER_PROGRAM = 12
REQUESTS_PER_EXPRESSION = 24
PATHS_PER_PROGRAM = 120
QUERIES_PER_RULE = 24
DOCUMENTS_OF_PROOF = 60
MOST_SHOWN = 20
CUSTOM_AUDIENCE = "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"


def part(content):
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def unsigned(claims):
    return f"{part(json.dumps({'alg': 'none', 'typ': 'JWT'}).encode())}.{part(claims)}."


def sign_in(daemon, user):
    """A user's ID token, and an unsigned one with the same claims for the emulator."""
    uid, more = user
    now = int(time.time())
    claims = {"uid": uid, "claims": more, "aud": CUSTOM_AUDIENCE, "iat": now, "exp": now + 3600, "iss": "x@y", "sub": "x@y"}
    body = {"token": unsigned(json.dumps(claims).encode()), "returnSecureToken": True}
    status, answer = daemon.ask("POST", "/identitytoolkit.googleapis.com/v1/accounts:signInWithCustomToken?key=p", body=body)
    assert status == 200, answer
    token = json.loads(answer)["idToken"]
    return token, unsigned(base64.urlsafe_b64decode(token.split(".")[1] + "=="))


class Sides:
    """The emulator and a daemon with the same documents, rules and users."""

    def __init__(self, daemon, app, emulator):
        self.ours, self.theirs = Server(daemon.port, query=f"key={app.keys['ingest']}"), Server(emulator.connection.port)
        self.owner = app.keys["admin"], "owner"
        self.keys = {user and user[0]: sign_in(daemon, user) if user else (None, None) for user in USERS}

    def answers(self, method, path, body=None, user="owner"):
        """The answers of both, ours first."""
        return both(self.ours, self.theirs, method, f"/v1/{ROOT}{path}", body, self.owner if user == "owner" else self.keys[user and user[0]])

    def clear(self):
        for status, _ in both(self.ours, self.theirs, "DELETE", f"/emulator/v1/{ROOT}"):
            assert status == 200, status

    def store(self, documents):
        """Stores documents by path, without rules."""
        writes = [{"update": {"name": f"{ROOT}/{path}", "fields": fields}} for path, fields in documents.items()]
        for status, answer in self.answers("POST", ":commit", {"writes": writes}):
            assert status == 200, answer

    def rules(self, text):
        """Whether both take rules; nothing if ours alone refuses them. The emulator alone refuses those with faults of constant types."""
        body = {"rules": {"files": [{"name": "f", "content": text}]}}
        ours, theirs = (status == 200 for status, _ in both(self.ours, self.theirs, "PUT", "/emulator/v1/projects/p:securityRules", body))
        return None if theirs and not ours else theirs


class Tally:
    def __init__(self):
        self.counts, self.faults, self.stricter = collections.Counter(), [], []

    def add(self, kind, answers, what, proof=lambda: False):
        """Counts a decision. `proof` says whether a request that only ours allows is allowed rightly."""
        (ours, _), (theirs, answer) = answers
        if theirs not in (200, 403, 404, 409) or theirs == 403 and UNKNOWN in message(answer):
            self.counts["not decided by the emulator"] += 1
            return
        self.counts[kind] += 1
        if ours == 400:
            self.counts["invalid for ours alone"] += 1
        elif ours not in (200, 403, 404, 409):
            self.faults.append((kind, f"status {ours}", what))
        elif (ours == 403) == (theirs == 403):
            self.counts["denied" if ours == 403 else "allowed"] += 1
        elif theirs == 403 and proof():
            self.counts["proved by ours alone"] += 1
        elif theirs == 403:
            self.faults.append((kind, "allowed by ours alone", what))
        else:
            self.counts["allowed by the emulator alone"] += 1
            self.stricter.append((kind, what))

    def requests(self):
        return self.counts["allowed"] + self.counts["denied"] + self.counts["proved by ours alone"] + self.counts["allowed by the emulator alone"]


class Program:
    """Random rules with random requests."""

    def __init__(self, sides, random, tally):
        self.sides, self.random, self.tally = sides, random, tally

    def refuses(self, text):
        """Sets rules. Whether they cannot be used."""
        taken = self.sides.rules(text)
        if taken is None:
            self.tally.faults.append(("rules", "refused by ours alone", text))
        return not taken

    def expressions(self):
        """Gets and writes, decided by an expression for each collection."""
        maker = Expressions(self.random)
        candidates = [maker.expression("bool") for _ in range(EXPRESSIONS_PER_PROGRAM)]
        chosen = [one for one in candidates if not self.refuses(ruleset(self.random, [one]))]
        text = ruleset(self.random, chosen)
        if not chosen or self.refuses(text):
            return
        documents = {"r/one": {"a": {"integerValue": "1"}, "n": {"stringValue": "x"}} | fields(self.random)}
        documents |= {f"c{index}/one": fields(self.random) for index in range(len(chosen))}
        self.sides.clear()
        self.sides.store(documents)
        for index in range(len(chosen)):
            for _ in range(REQUESTS_PER_EXPRESSION):
                self.request(index, documents, text)

    def request(self, index, documents, text):
        kind, user = self.random.choice(["get", "get", "none", "create", "update", "merge", "delete"]), self.random.choice(USERS)
        name = f"c{index}/" + {"none": "none", "create": "two"}.get(kind, "one")
        written = []
        if kind in ("get", "none"):
            answers = self.sides.answers("GET", f"/{name}", user=user)
        else:
            written = [self.write(kind, f"{ROOT}/{name}")]
            if self.random.random() < 0.2:
                # `getAfter` sees this write and `get` does not.
                written.append({"update": {"name": f"{ROOT}/r/one", "fields": fields(self.random)}})
            answers = self.sides.answers("POST", ":commit", {"writes": written}, user)
            if any(status == 200 for status, _ in answers):
                self.sides.store({path: documents[path] for path in (f"c{index}/one", "r/one")})
                self.sides.answers("DELETE", f"/c{index}/two")
        line = next(line for line in text.split("\n") if f"/c{index}/" in line)
        what = {"rule": line.strip(), "document": documents.get(name), "one": documents["r/one"], "user": user, "written": written}
        self.tally.add(kind, answers, what)

    def write(self, kind, name):
        if kind == "delete":
            return {"delete": name}
        write = {"update": {"name": name, "fields": fields(self.random)}}
        if kind == "merge":
            write["updateMask"] = {"fieldPaths": self.random.sample(["i", "s", "l", "m", "b", "zz"], 3)}
            write["updateTransforms"] = [{"fieldPath": "f", "increment": {"integerValue": "1"}}]
        return write

    def matches(self):
        """Gets of paths, allowed by matches within matches."""
        text = Matches(self.random).text()
        if self.refuses(text):
            return
        for _ in range(PATHS_PER_PROGRAM):
            path = "/".join(self.random.choice("ab") for _ in range(self.random.choice([2, 2, 4, 4, 6])))
            self.tally.add("path", self.sides.answers("GET", f"/{path}", user=None), {"path": path, "rules": text})

    def queries(self):
        """Queries, which are allowed if their conditions prove the rule."""
        maker = Lists(self.random)
        conditions = [maker.condition() for _ in range(10)]
        text = maker.text(conditions)
        if self.refuses(text):
            return
        for index, condition in enumerate(conditions):
            for _ in range(QUERIES_PER_RULE):
                query, user = maker.query(index), self.random.choice(USERS)
                answers = self.sides.answers("POST", ":runQuery", {"structuredQuery": query}, user)
                what = {"condition": condition, "query": query, "user": user}
                self.tally.add("list", answers, what, lambda: self.proved(maker, text, index, query, user))

    def proved(self, maker, text, index, query, user):
        """Whether the emulator lets the user read each document that a query finds among many."""
        collection = f"c{index}"
        documents = {f"{collection}/d{number}": self.document() for number in range(DOCUMENTS_OF_PROOF)}
        self.sides.clear()
        self.sides.store(documents)
        self.sides.rules(text.replace("allow list:", "allow get:"))
        _, (status, found) = self.sides.answers("POST", ":runQuery", {"structuredQuery": query})
        names = [item["document"]["name"][len(ROOT) :] for item in found if "document" in item]
        allowed = all(self.sides.answers("GET", name, user=user)[1][0] == 200 for name in names)
        self.sides.rules(text)
        return status == 200 and allowed

    def document(self):
        document = {name: self.random.choice(values) for name, values in VALUES.items() if "." not in name and self.random.random() < 0.9}
        if "l" in document:
            document["l"] = {"arrayValue": {"values": self.random.sample(VALUES["l"], self.random.randrange(3))}}
        return document | {"m": {"mapValue": {"fields": {"a": self.random.choice(VALUES["m.a"])}}}}


def main():
    program, requests, seed = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    source, tally = random.Random(f"{seed} decisions"), Tally()
    with beside(program, INGESTD_MODE="development", INGESTD_ACCOUNTS_EMULATOR="true") as (emulator, daemon):
        sides = Sides(daemon, daemon.app("p"), emulator)
        while has_time() and tally.requests() < requests and len(tally.faults) < MOST_SHOWN:
            program = Program(sides, source, tally)
            source.choice([program.expressions, program.expressions, program.matches, program.queries])()
    for fault in tally.faults:
        print("fault:", *(json.dumps(part, ensure_ascii=False) for part in fault), sep="\n    ")
    for one in tally.stricter[:MOST_SHOWN]:
        print("allowed by the emulator alone:", json.dumps(one, ensure_ascii=False))
    print(f"decisions: {tally.requests()} requests, {len(tally.faults)} faults, {dict(tally.counts)}")
    sys.exit(1 if tally.faults else 0)


if __name__ == "__main__":
    main()
