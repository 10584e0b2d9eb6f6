# SPDX-License-Identifier: Apache-2.0
"""Compares what chosen rules allow, at Google's emulator and at a daemon: rule_cases.py INGESTD [FOLDER].

Expressions on one document, each with a value of its own, and rules of lists with queries that do and do not prove them. With a folder the
emulator's decisions are written to `rule-cases.ndjson` and `list-cases.ndjson`, as far as both decide alike.
"""

import json
import pathlib
import sys

from emulator import ROOT, beside, claims, token
from lists import Lists
from rest_cases import NAN, NULL, array, both, either, members, name, place, raw, real, structured, text, time, truth, unary, vector, where, whole
from rules import ruleset
from servers import Server, both as both_servers

USER = ("u2", {"admin": True, "roles": ["a", "b"], "n": 3})
ONE = {
    "i": whole(2),
    "f": real(2.5),
    "whole": real(2.0),
    "s": text("aXb"),
    "empty": text(""),
    "wide": text("é😀x"),
    "l": array(text("a"), text("b")),
    "n": array(whole(1), whole(2)),
    "m": members(a=whole(1), b=whole(2)),
    "t": time("2020-02-29T23:59:59.5Z"),
    "old": time("1969-12-31T23:00:00Z"),
    "b": truth(True),
    "g": place(1, 2),
    "y": raw(b"\xff\0"),
    "null": NULL,
    "nan": NAN,
    "r": name("r/one"),
    "db": {"referenceValue": "projects/p/databases/other/documents/r/one"},
    "v": vector(1, 2),
    "uid": text("u2"),
    "deep": members(a=members(b=whole(7))),
    "words": text("a,b,,c"),
}
OTHERS = {"r/one": {"a": whole(1), "open": truth(True)}, "c/one": ONE}
R = "/databases/$(database)/documents/r"
DATA = "resource.data"
# Each is true, false or an error. A value is one that is compared.
EXPRESSIONS = [
    condition.replace("~", DATA) for condition in (
        # Numbers
        "~.i + 1 == 3",
        "~.i / 2 == 1",
        "5 / 2 == 2",
        "-5 / 2 == -2",
        "-5 % 3 == -2",
        "5 % 0 == 0",
        "5 / 0 == 0",
        "5.0 / 0 == 5",
        "~.i * 2.5 == 5.0",
        "~.i == 2.0",
        "~.whole == 2",
        "~.whole is int",
        "~.whole is float",
        "~.i is number",
        "~.f is number",
        "9223372036854775807 + 1 > 0",
        "-9223372036854775807 - 2 < 0",
        "~.nan == ~.nan",
        "~.nan != ~.nan",
        "~.nan > 1",
        "math.isNaN(~.nan)",
        "math.abs(-2) == 2",
        "math.abs(-2.5) == 2.5",
        "math.ceil(2.1) == 3",
        "math.ceil(-2.1) == -2",
        "math.floor(-2.1) == -3",
        "math.round(2.5) == 3",
        "math.round(-2.5) == -2",
        "math.round(2.4) == 2",
        "math.pow(2, 3) == 8",
        "math.pow(2, -1) == 0.5",
        "math.sqrt(4) == 2.0",
        "math.ceil(2.1) is int",
        "math.ceil(~.f) is float",
        "math.floor(~.f) is float",
        "math.round(~.f) is int",
        "math.ceil(~.i) is int",
        "math.abs(-2) is int",
        "math.pow(2, 3) is float",
        "~.n[math.round(0.4)] == 1",
        "7.5 % 2 == 1.5",
        "7.5 % 0 == 0",
        "5 % 2.5 == 0.0",
        "int('7') == 7",
        "int('x') == 7",
        "int(2.9) == 2",
        "int(-2.9) == -2",
        "int(true) == 1",
        "float('2.5') == 2.5",
        "float(2) == 2.0",
        "string(2.0) == '2.0'",
        "string(2) == '2'",
        "string(true) == 'true'",
        "string(null) == 'null'",
        "string(1e10) == '1.0E10'",
        "1e3 == 1000",
        "0.1 + 0.2 == 0.3",
        "-(~.i) == -2",
        "-(~.s) == 1",
        # Logic
        "~.none == 1 || true",
        "true || ~.none == 1",
        "~.none == 1 && false",
        "!(~.none == 1 && false)",
        "~.none == 1",
        "!(~.none == 1)",
        "~.b && true",
        "~.i && true",
        "~.i || true",
        "~.b ? true : ~.none",
        "~.none ? true : true",
        "true ? true : ~.none",
        "null == null",
        "~.null == null",
        "~.none == null",
        "~.null != 1",
        "~.null is map",
        "!null",
        "null || true",
        # Texts
        "~.s.size() == 3",
        "~.wide.size() == 4",
        "~.s.lower() == 'axb'",
        "~.s.upper() == 'AXB'",
        "'É'.lower() == 'é'",
        "' a '.trim() == 'a'",
        "'a b'.replace(' ', '-') == 'a-b'",
        "'aab'.replace('a', 'x') == 'xxb'",
        "'aab'.replace('(a+)(b)', '$2$1') == 'baa'",
        "'a.b'.replace('.', 'x') == 'xxx'",
        "~.words.split(',').size() == 4",
        "~.words.split(',') == ['a', 'b', '', 'c']",
        "'abc'.split('') == ['a', 'b', 'c']",
        "'abc'.matches('b')",
        "'abc'.matches('.*b.*')",
        "'abc'.matches('abc')",
        "'ABC'.matches('(?i)abc')",
        "'a\\nb'.matches('a.b')",
        "'a'.matches('(')",
        "'a'.matches('^a$')",
        "'ab'[0] == 'a'",
        "'ab'[2] == ''",
        "'abc'[1:2] == 'b'",
        "'abc'[0:9] == 'abc'",
        "'abc'[1:] == 'bc'",
        "'a' + 1 == 'a1'",
        "'a' < 'b'",
        "'a' < 'B'",
        "'' < 'a'",
        "'\\uFF5E' < '\\uD83D\\uDE00'",
        "'\\uD83D\\uDE00' == '😀'",
        "'\\101' == 'A'",
        "'abc'[:2] == 'ab'",
        "'abc'[:] == 'abc'",
        "'abc'[0:] == 'abc'",
        "'abc'[3:] == ''",
        "'abc'[:0] == ''",
        "'abc'[:9] == 'abc'",
        "''[0:] == ''",
        "'a'.toUtf8().size() == 1",
        "'é'.toUtf8().toHexString() == 'C3A9'",
        "'a' in 'abc'",
        "'a' == \"a\"",
        # Lists, sets and maps
        "~.l.size() == 2",
        "~.l[0] == 'a'",
        "~.l[2] == 'a'",
        "~.l[-1] == 'b'",
        "~.l[0:1] == ['a']",
        "~.l.hasAll(['a'])",
        "~.l.hasAll([])",
        "~.l.hasAny(['z', 'b'])",
        "~.l.hasAny([])",
        "~.l.hasOnly(['a', 'b'])",
        "~.l.hasOnly(['a'])",
        "~.l.hasOnly(['a', 'b', 'c'])",
        "[].hasOnly(['a'])",
        "~.l.join('-') == 'a-b'",
        "[1, 2].join('-') == '1-2'",
        "~.l.concat(['c']) == ['a', 'b', 'c']",
        "~.l + ['c'] == ['a', 'b', 'c']",
        "~.l.removeAll(['a']) == ['b']",
        "'a' in ~.l",
        "1.0 in ~.n",
        "1 in ~.n",
        "['a', 'a'].toSet().size() == 1",
        "[1, 1.0].toSet().size() == 1",
        "~.l.toSet() == ['b', 'a'].toSet()",
        "~.l.toSet().union(['c'].toSet()).size() == 3",
        "~.l.toSet().difference(['a'].toSet()) == ['b'].toSet()",
        "~.l.toSet().intersection(['a'].toSet()) == ['a'].toSet()",
        "~.l.toSet().hasAll(['a'])",
        "~.l.toSet().hasOnly(['a', 'b'].toSet())",
        "['a'] == ['a'].toSet()",
        "~.m.keys().hasAll(['a', 'b'])",
        "~.m.keys() is set",
        "~.m.keys() is list",
        "~.m.values() == [1, 2]",
        "~.m.size() == 2",
        "~.m.get('a', 0) == 1",
        "~.m.get('z', 0) == 0",
        "~.m.get('z', null) == null",
        "~.deep.get(['a', 'b'], 0) == 7",
        "~.deep.get(['a', 'z'], 0) == 0",
        "'a' in ~.m",
        "1 in ~.m",
        "~.m['a'] == 1",
        "~.m['z'] == 1",
        "~.m.a == 1",
        "~.m.z == 1",
        "~.m == {'a': 1, 'b': 2}",
        "~.m == {'b': 2.0, 'a': 1.0}",
        "~.m.diff({'a': 1}).addedKeys() == ['b'].toSet()",
        "~.m.diff({'a': 2, 'c': 3}).affectedKeys().hasOnly(['a', 'b', 'c'])",
        "~.m.diff({'a': 2}).changedKeys() == ['a'].toSet()",
        "~.m.diff({'c': 2}).removedKeys() == ['c'].toSet()",
        "~.m.diff({'a': 1}).unchangedKeys() == ['a'].toSet()",
        "~.m.diff({}) is map_diff",
        "{'a': 1, 'a': 2}.size() == 1",
        "{1: 2}.size() == 1",
        # Times and durations
        "~.t.year() == 2020",
        "~.t.month() == 2",
        "~.t.day() == 29",
        "~.t.hours() == 23",
        "~.t.minutes() == 59",
        "~.t.seconds() == 59",
        "~.t.nanos() == 500000000",
        "~.t.dayOfWeek() == 6",
        "~.t.dayOfYear() == 60",
        "~.t.toMillis() == 1583020799500",
        "~.old.toMillis() == -3600000",
        "~.old.hours() == 23",
        "~.t.date() == timestamp.date(2020, 2, 29)",
        "~.t.time() == duration.time(23, 59, 59, 500000000)",
        "~.t + duration.value(1, 's') > ~.t",
        "~.t - ~.t == duration.value(0, 's')",
        "~.t - duration.value(1, 'd') < ~.t",
        "timestamp.date(2021, 2, 29) == ~.t",
        "timestamp.value(0) == timestamp.date(1970, 1, 1)",
        "timestamp.value(1583020799500) == ~.t",
        "duration.value(1, 'w') == duration.value(7, 'd')",
        "duration.value(1, 'x') == duration.value(1, 's')",
        "duration.value(1500, 'ms').seconds() == 1",
        "duration.value(1500, 'ms').nanos() == 500000000",
        "duration.value(-1500, 'ms').seconds() == -1",
        "duration.abs(duration.value(-1, 's')) == duration.value(1, 's')",
        "request.time is timestamp",
        "request.time > ~.t",
        "~.t is timestamp",
        "~.t == '2020-02-29T23:59:59.5Z'",
        # Bytes, places, paths and others
        "~.y.size() == 2",
        "~.y.toBase64() == '/wA='",
        "~.y.toHexString() == 'FF00'",
        "~.y == b'\\xff\\0'",
        "hashing.md5('a').toHexString() == '0CC175B9C0F1B6A831C399E269772661'",
        "hashing.sha256('').toBase64() == '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
        "hashing.crc32('a') is bytes",
        "hashing.crc32c('a').toHexString() == '30430AC1'",
        "~.g.latitude() == 1",
        "~.g.longitude() == 2.0",
        "~.g == latlng.value(1, 2)",
        "latlng.value(91, 0) == ~.g",
        "~.g.distance(latlng.value(1, 2)) == 0.0",
        "~.g.distance(latlng.value(2, 2)) > 111000.0",
        "~.y == b'\\xff\\x00'",
        "~.y == b'\\xff\\000'",
        "b'a' == 'a'.toUtf8()",
        "b'é'.size() == 2",
        "~.v is vector",
        "~.v == ~.v",
        "~.v == [1.0, 2.0]",
        "~.v[0] == 1.0",
        "1.0 in ~.v",
        "~.v != null",
        "~.v is map",
        "~.v is list",
        "~.v.size() == 2",
        "~.r is path",
        "~.r == /databases/(default)/documents/r/one",
        "~.r[4] == 'one'",
        "~.r[9] == 'one'",
        "path('r/one') == /r/one",
        "string(/a/b) == '/a/b'",
        "/a/$(~.s) == /a/aXb",
        "/a/$('b/c') == /a/b/c",
        "/a/$(1) == /a/1",
        "/a/$(1.5) == /a/1.5",
        "/a/$(true) == /a/true",
        "/a/$(null) is path",
        "/a/$([1]) is path",
        "/a/$('') is path",
        "/a/$(/b/c) == /a/b/c",
        "/a/$('b/c')[1] == 'b/c'",
        "string(/a/$('b/c')) == '/a/b/c'",
        "path('a/b')[0] == 'a'",
        "path('a//b') is path",
        "path('') is path",
        "request.path == /databases/(default)/documents/c0/one",
        "request.path[3] == doc",
        "request.method == 'get'",
        "resource.id == 'one'",
        "resource['__name__'][4] == 'one'",
        "doc == 'one'",
        "database == '(default)'",
        "request.auth.uid == 'u2'",
        "request.auth.uid == ~.uid",
        "request.auth.token.admin",
        "request.auth.token.roles.hasAny(['b'])",
        "request.auth.token.n == 3",
        "request.auth.token.sub == 'u2'",
        "request.auth.token.firebase.sign_in_provider == 'custom'",
        "'admin' in request.auth.token",
        "request.auth.token.get('none', 1) == 1",
        "request.auth.token.none == 1",
        "request.resource == null",
        "request.resource.data == null",
        "request.query == null",
        "~ is map",
        "~.keys().size() == 22",
        "debug(~.i) == 2",
        "~.i is constraint",
        "resource is map",
        # Other documents
        f"get({R}/one).data.a == 1",
        f"get({R}/none) == null",
        f"get({R}/none).data.a == 1",
        f"exists({R}/one)",
        f"exists({R}/none)",
        f"!exists({R}/none)",
        f"get({R}/one).id == 'one'",
        f"get({R}/$(~.uid)) == null",
        "get(/r/one).data.a == 1",
        "exists(/databases/other/documents/r/one)",
        f"getAfter({R}/one).data.a == 1",
        f"existsAfter({R}/one)",
        "get('r/one').data.a == 1",
        "exists(~.r)",
        "get(~.r).data.open",
        # A reference to another database
        "~.db is path",
        "~.db == /databases/other/documents/r/one",
        "~.db == ~.r",
        "string(~.db) == '/databases/other/documents/r/one'",
        "exists(~.db)",
        "!exists(~.db)",
        "get(~.db).data.a == 1",
        "!exists(/databases/other/documents/r/one)",
        "get(/databases/other/documents/r/one) == null",
        "!existsAfter(/databases/other/documents/r/one)",
        "!exists(/projects/p/databases/(default)/documents/r/one)",
        "exists(/databases/$(database)/documents/r)",
        "exists(/databases/$(database)/documents/$('r/one'))",
        "exists(/databases/$(database)/documents/r/$('one/x/y'))",
        "exists(/databases/$(database)/documents/$(/r/one))",
        "get(/databases/$(database)/documents/$('r/one')).data.a == 1",
        "get(~.r)['data']['a'] == 1",
        # Functions of the author
        "f(~.b)",
        "g(~.i, 2)",
        "h(resource, 'aXb')",
        "f(~.none) || true",
        "f(f(f(true)))",
    )
]
CONDITIONS = [
    "true",
    "false",
    "resource.data.i == 1",
    "resource.data.i >= 1",
    "resource.data.i < 5",
    "resource.data.i != 3",
    "resource.data.i in [1, 2]",
    "'a' in resource.data.l",
    "resource.data.l.hasAny(['a', 'z'])",
    "resource.data.l.hasAll(['a', 'b'])",
    "resource.data.s == 'a'",
    "resource.data.b",
    "resource.data.b == true",
    "resource.data.i == 1 && resource.data.s == 'a'",
    "resource.data.i == 1 || resource.data.s == 'a'",
    "request.query.limit <= 5",
    "request.query.limit == 3",
    "resource.data.keys().hasAll(['i'])",
    "doc == 'a'",
    "resource.id != 'a'",
    "resource.data.m.a == 1",
    "resource.data.n == null",
    "resource.data.n != null",
    "resource.data.i is int",
    "resource.data.get('i', 0) == 1",
    "resource != null",
    "request.auth != null && resource.data.s == request.auth.uid",
    "request.auth.token.admin == true",
    f"exists({R}/one) && resource.data.i == 1",
    f"exists({R}/none)",
    "request.method == 'list'",
    "request.query.offset == 0",
    "resource.data.i + 1 == 2",
    "resource.data.s.size() == 1",
    "!(resource.data.i == 2)",
    "!resource.data.b",
]
I1, I2, SA = where("i", "EQUAL", whole(1)), where("i", "EQUAL", whole(2)), where("s", "EQUAL", text("a"))
FILTERS = [
    None,
    I1,
    I2,
    SA,
    both(I1, SA),
    either(I1, SA),
    either(I1, I2),
    both(I1, I2),
    either(both(I1, I2), I1),
    either(both(I2, where("i", "EQUAL", whole(3))), I1),
    where("i", "EQUAL", real(1.0)),
    where("i", "IN", array(whole(1))),
    where("i", "IN", array(whole(1), whole(2))),
    where("i", "IN", array(whole(1), whole(3))),
    where("i", "GREATER_THAN", whole(1)),
    where("i", "GREATER_THAN_OR_EQUAL", whole(1)),
    where("i", "LESS_THAN", whole(5)),
    where("i", "LESS_THAN", whole(9)),
    where("i", "NOT_EQUAL", whole(3)),
    where("i", "NOT_IN", array(whole(3), whole(4))),
    where("l", "ARRAY_CONTAINS", text("a")),
    where("l", "ARRAY_CONTAINS", text("z")),
    where("l", "ARRAY_CONTAINS_ANY", array(text("a"), text("b"))),
    where("l", "EQUAL", array(text("a"), text("b"))),
    where("b", "EQUAL", truth(True)),
    where("b", "EQUAL", truth(False)),
    where("m.a", "EQUAL", whole(1)),
    where("m", "EQUAL", members(a=whole(1))),
    where("n", "EQUAL", NULL),
    where("n", "EQUAL", NAN),
    where("n", "IN", array(NULL)),
    unary("n", "IS_NULL"),
    unary("n", "IS_NOT_NULL"),
    where("s", "EQUAL", text("u2")),
    where("__name__", "EQUAL", name("c0/a")),
]
# Lists that the emulator alone allows, or ours alone, are counted: Sources/Rules/README.md says why there are some.
MOST_STRICTER, MOST_PROVED = 40, 40


class Chosen:

    def __init__(self, daemon, app, emulator):
        self.ours, self.theirs = Server(daemon.port), Server(emulator.connection.port)
        self.owner, self.user = (app.keys["admin"], "owner"), (token(USER), token(USER))

    def ask(self, method, path, body=None, keys=None):
        return both_servers(self.ours, self.theirs, method, path, body, keys or self.owner)

    def rules(self, content):
        """Whether each takes the rules."""
        answers = self.ask("PUT", "/emulator/v1/projects/p:securityRules", {"rules": {"files": [{"name": "f", "content": content}]}})
        return [status == 200 for status, _ in answers]

    def expressions(self):
        """Returns a line with the decisions of expressions, and those that differ."""
        taken, different = [], []
        for condition in EXPRESSIONS:
            content = ruleset(FirstOf(), [condition])
            ours, theirs = self.rules(content)
            if not (ours and theirs):
                # The emulator refuses faults of constant types, which are errors for ours when they are evaluated.
                different += [(condition, "refused by ours alone")] if theirs else []
                continue
            decided = [status != 403 for status, _ in self.ask("GET", f"/v1/{ROOT}/c0/one", keys=self.user)]
            if decided[0] == decided[1]:
                taken.append((condition, decided[0]))
            else:
                different.append((condition, f"ours {decided[0]}, emulator {decided[1]}"))
        documents = {path: fields for path, fields in OTHERS.items() if path != "c/one"} | {"c0/one": ONE}
        auth = {"uid": USER[0], "claims": USER[1]}
        # The first line has the documents of all.
        lines = [
            {
                "text": ruleset(FirstOf(), [condition]), "es": [condition], "claims": claims("u1", {}),
                "reqs": [{"k": "get", "p": "c0/one", "auth": auth, "w": {}, "ok": isAllowed, "i": 0}]
            } for condition, isAllowed in taken
        ]
        lines[0]["docs"] = documents
        return lines, different

    def lists(self):
        """Returns lines with the decisions about queries, and those that one of the two allows alone."""
        maker, lines, stricter, proved = Lists(None), [], [], []
        for condition in CONDITIONS:
            content = maker.text([condition])
            assert self.rules(content) == [True, True], condition
            requests = []
            for condition_of_query in FILTERS:
                for parts in ({}, {"limit": 3}, {"limit": 10, "group": True}) if condition_of_query in (None, I1) else ({}, ):
                    query = structured("c0", **(parts | ({"where": condition_of_query} if condition_of_query else {})))
                    statuses = [status for status, _ in self.ask("POST", f"/v1/{ROOT}:runQuery", {"structuredQuery": query}, self.user)]
                    assert set(statuses) <= {200, 403}, (condition, query, statuses)
                    if statuses[0] == statuses[1]:
                        requests.append({"q": query, "auth": {"uid": USER[0], "claims": USER[1]}, "ok": statuses[0] == 200, "i": 0})
                    else:
                        (proved if statuses[0] == 200 else stricter).append((condition, query))
            lines.append({"text": content, "reqs": requests, "es": [condition], "docs": {}, "claims": claims("u1", {})})
        return lines, stricter, proved


class FirstOf:
    """Stands in for a source of random choices: rules of all expressions allow `read`."""

    def choice(self, alternatives):
        return alternatives[0]


def main():
    with beside(sys.argv[1], INGESTD_MODE="development", INGESTD_ACCOUNTS_EMULATOR="true") as (emulator, daemon):
        chosen = Chosen(daemon, daemon.app("p"), emulator)
        writes = [{"update": {"name": f"{ROOT}/{path.replace('c/', 'c0/')}", "fields": fields}} for path, fields in OTHERS.items()]
        for status, answer in chosen.ask("POST", f"/v1/{ROOT}:commit", {"writes": writes}):
            assert status == 200, answer
        expressions, different = chosen.expressions()
        lists, stricter, proved = chosen.lists()
    if len(sys.argv) > 2:
        for file, lines in (("rule-cases", expressions), ("list-cases", lists)):
            pathlib.Path(sys.argv[2], f"{file}.ndjson").write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    for condition, what in different:
        print(f"different: {condition}: {what}")
    for kind, pairs in (("allowed by the emulator alone", stricter), ("proved by ours alone", proved)):
        for condition, query in pairs:
            print(f"{kind}: {condition}: {json.dumps(query.get('where'))}")
    requests = sum(len(line["reqs"]) for line in lists)
    print(
        f"rules: {len(EXPRESSIONS)} expressions, {len(different)} differences; {requests} lists alike, {len(stricter)} allowed by the emulator alone, {len(proved)} by ours alone"
    )
    sys.exit(1 if different or len(stricter) > MOST_STRICTER or len(proved) > MOST_PROVED else 0)


main()
