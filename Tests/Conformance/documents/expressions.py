# SPDX-License-Identifier: Apache-2.0

"""Random expressions of security rules, most of them of sensible types.

A template names types in <> and alternatives in {}: `(<int> {+|-} <int>)`.
"""

import re

ONE = "/databases/$(database)/documents/r/one"
DATA = ["resource.data", "request.resource.data", f"get({ONE}).data", f"getAfter({ONE}).data"]
# The fields that documents have, by type.
FIELDS = {
    "int": "i", "float": "f", "string": "s", "list": "l", "numbers": "li", "map": "m", "time": "t", "bool": "b", "place": "g", "bytes": "y", "path": "r",
}
# The shortest expressions, for the deepest level.
LEAVES = {
    "int": ["0", "1", "2", "-1", "3"], "float": ["0.5", "1.0", "2.5"], "string": ["'a'", "'ab'", "''", "'u1'"], "list": ["['a','b']", "[]", "['a']"],
    "numbers": ["[1, 2]"], "map": ["@'a': 1, 'b': 2#"], "set": ["['a','b'].toSet()"], "time": ["timestamp.date(2020, 2, 29)"],
    "span": ["duration.value(1, 'd')"], "bytes": ["'a'.toUtf8()", "hashing.md5('a')"],
    "place": ["latlng.value({1.0|2.0|1|91.0}, {1.0|2.0|-3})"],
    "path": ["/databases/(default)/documents/r/one", "/databases/$(database)/documents/r/$(doc)", "request.path", "resource['__name__']"],
    "bool": ["true", "false", "request.auth != null", "request.auth.token.admin == true"],
    "wild": [
        "null", "resource", "request.resource", "request.auth", "request.auth.uid", "request.time", "doc", "database", "resource.data.zz",
        "get(/databases/$(database)/documents/r/none)", "getAfter(/databases/$(database)/documents/c/$(doc)).data", "[1, [2], 'x']", "math.pow(2, 3)",
    ],
}
COMPARED = "int|float|string|time|span|bytes|list|map|set|place|path|numbers"
TYPES = "bool|bytes|float|int|list|latlng|number|path|map|string|timestamp|duration|set|map_diff"
TEMPLATES = {
    "int": [
        "(<int> {+|-|*|/|%} <int>)", "<string|list|map|set|bytes>.size()",
        "<time>.{year|month|day|hours|minutes|seconds|nanos|dayOfWeek|dayOfYear|toMillis}()", "<span>.{seconds|nanos}()",
        "math.{ceil|floor|round|abs}(<float|int>)", "int(<float|int>)", "<numbers>[<int>]", "<map>.get('a', <int>)", "<map>['a']", "-(<int>)",
    ],
    "float": [
        "(<float> {+|-|*|/} <int|float>)", "math.sqrt(<int>)", "math.pow(<int>, <int>)", "float(<int|float>)", "<place>.{latitude|longitude}()",
        "math.abs(<float>)",
    ],
    "string": [
        "(<string> + <string>)", "<string>.{lower|upper|trim}()", "<string>.replace({'a'|'X'|'[ab]'|''|'(a)b'}, {'b'|''|'$1'})",
        "<string>[0:<int>]", "<list>[<int>]", "<list>.join(',')", "string(<int|bool|string|float|path>)", "request.auth.uid", "doc",
        "request.method", "resource.id", "<bytes>.{toBase64|toHexString}()", "<string>[<int>]",
    ],
    "list": [
        "[<string>, <string>]", "<list>.concat(<list>)", "<list>.removeAll(<list>)", "<string>.split({'X'|''|'b'})", "<list>[0:<int>]",
        "request.auth.token.roles", "(<list> + <list>)", "<map>.values()",
    ],
    "numbers": ["[<int>, 2]"],
    "map": ["@'a': <int>, 'b': <int>#", "request.auth.token", "resource.data"],
    "set": [
        "<list>.toSet()", "<map>.keys()", "<set>.{union|difference|intersection}(<set>)",
        "<map>.diff(<map>).{addedKeys|removedKeys|changedKeys|affectedKeys|unchangedKeys}()",
    ],
    "time": [
        "timestamp.date({2020|2021|1969}, {0|1|2|6|12|13}, {0|1|28|29|30|31|32})", "(<time> {+|-} <span>)", "<time>.date()", "timestamp.value(<int>)",
    ],
    "span": [
        "duration.value(<int>, '{w|d|h|m|s|ms|ns}')", "duration.time(<int>, <int>, <int>, <int>)", "(<time> - <time>)", "(<span> {+|-} <span>)",
        "<time>.time()", "duration.abs(<span>)",
    ],
    "bytes": ["<string>.toUtf8()", "hashing.{md5|sha256|crc32|crc32c}(<string|bytes>)"],
    "place": LEAVES["place"],
    "path": LEAVES["path"] + ["path(<string>)"],
    "bool": [
        "(<same> {==|!=} <same>)", "(<int|float> {<|<=|>|>=} <int|float>)", "(<time> {<|<=|>|>=} <time>)", "(<string> {<|>=} <string>)",
        f"(<{COMPARED}> {{==|!=|<|>=}} <{COMPARED}>)", "(<bool> && <bool>)", "(<bool> || <bool>)", "!<bool>", "(<string> in <list|map|set>)",
        f"(<{COMPARED}|wild> in <numbers>)", f"(<{COMPARED}|wild> is {{{TYPES}}})", "(<bool> ? <bool> : <bool>)",
        "<list|set>.{hasAll|hasAny|hasOnly}(<list>)", "<set>.{hasAll|hasAny|hasOnly}(<set>)",
        "<string>.matches({'a.*'|'[a-z]+'|'.'|'a|b'|'(?i)A'})", "exists(<path>)", "request.auth != null", "g(<string|int>, <string|int>)",
        "f(<bool>)", "math.isNaN(<float>)", "h({resource|request.resource}, <string>)", "existsAfter(<path>)",
    ],
    "wild": [
        "<wild>.{a|b|data|x}", "<wild>[<int|string>]", f"<{COMPARED}>.{{size|keys|values|lower|toSet|year|seconds|toBase64|latitude}}()",
        "debug(<int|string>)", "(<wild> ? <wild> : <wild>)",
    ],
}
DEEPEST = 4
PLACEHOLDER = re.compile(r"<([a-z|]+)>|\{([^{}]+)\}")


class Expressions:
    def __init__(self, random):
        self.random = random
        self.same = "int"

    def pick(self, alternatives):
        """One of the alternatives. A bar within quotes does not separate."""
        return self.random.choice(re.split(r"\|(?=(?:[^']*'[^']*')*[^']*$)", alternatives))

    def expression(self, kind, depth=0):
        if kind == "same":
            kind = self.same
        if kind != "wild" and self.random.random() < 0.04:
            return self.expression("wild", depth + 1)
        is_leaf = depth >= DEEPEST
        if kind in FIELDS and self.random.random() < (0.8 if is_leaf else 0.5):
            return f"{self.random.choice(DATA)}.{FIELDS[kind]}"
        template = self.random.choice(LEAVES[kind] if is_leaf or kind not in TEMPLATES else TEMPLATES[kind] + LEAVES[kind][:1])
        if "<same>" in template:
            self.same = self.pick(COMPARED)
        kinds = self.same

        def filled(match):
            self.same = kinds
            return self.expression(self.pick(match[1]), depth + 1) if match[1] else self.pick(match[2])

        return PLACEHOLDER.sub(filled, template).replace("@", "{").replace("#", "}")
