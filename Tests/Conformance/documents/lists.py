# SPDX-License-Identifier: Apache-2.0

"""Random rules of lists with random queries: does the emulator take the query's conditions for a proof?"""

from emulator import claims, token
from rules import USERS

FIELDS = ["i", "s", "l", "b", "m.a", "n"]
VALUES = {
    "i": [{"integerValue": str(number)} for number in range(4)] + [{"doubleValue": 1.5}, {"doubleValue": 1.0}],
    "s": [{"stringValue": text} for text in ("a", "b", "u1", "ab")], "l": [{"stringValue": text} for text in ("a", "b")],
    "b": [{"booleanValue": True}, {"booleanValue": False}], "m.a": [{"integerValue": "1"}, {"integerValue": "2"}],
    "n": [{"nullValue": None}, {"integerValue": "1"}],
}
LITERALS = {
    "i": ["0", "1", "2", "3", "1.5", "1.0"], "s": ["'a'", "'b'", "'u1'", "request.auth.uid", "'ab'"], "l": ["['a']", "['a','b']"],
    "b": ["true", "false"], "m.a": ["1", "2"], "n": ["null", "1"],
}
COMPARISONS = ["EQUAL", "LESS_THAN", "LESS_THAN_OR_EQUAL", "GREATER_THAN", "GREATER_THAN_OR_EQUAL", "NOT_EQUAL", "IN", "NOT_IN"]
WITH_LIST = {"IN", "NOT_IN", "ARRAY_CONTAINS_ANY"}
OTHERS = [
    "request.auth != null", "request.query.limit <= 5", "request.query.limit == 3", "request.auth.token.admin == true", "doc == 'a'", "true",
    "resource.data.keys().hasAll(['i'])", "'i' in resource.data", "resource.data.size() == 1", "resource != null", "resource.id == 'a'",
    "request.query.offset == 0", "request.method == 'list'", "resource.data != null", "resource.data.get('i', 7) == 7", "resource.data is map",
    "exists(/databases/$(database)/documents/r/$(resource.data.s))", "request.path is path", "request.query.limit != null",
]
RULES_PER_PROGRAM = 10
QUERIES_PER_RULE = 6


class Lists:
    def __init__(self, random):
        self.random = random

    def filter(self, depth=0):
        if depth < 2 and self.random.random() < 0.4:
            filters = [self.filter(depth + 1) for _ in range(self.random.randrange(1, 4))]
            return {"compositeFilter": {"op": self.random.choice(["AND", "AND", "OR"]), "filters": filters}}
        name = self.random.choice(FIELDS)
        field = {"fieldPath": name}
        if self.random.random() < 0.08:
            return {"unaryFilter": {"op": self.random.choice(["IS_NULL", "IS_NOT_NULL", "IS_NAN", "IS_NOT_NAN"]), "field": field}}
        operators = ["ARRAY_CONTAINS", "ARRAY_CONTAINS_ANY", "EQUAL"] if name == "l" else ["EQUAL", "EQUAL"] + COMPARISONS
        operator, value = self.random.choice(operators), self.random.choice(VALUES[name])
        if operator in WITH_LIST:
            value = {"arrayValue": {"values": self.random.sample(VALUES[name], self.random.randrange(1, 3))}}
        elif operator == "EQUAL" and name == "l":
            value = {"arrayValue": {"values": [value]}}
        return {"fieldFilter": {"field": field, "op": operator, "value": value}}

    def condition(self, depth=0):
        name = self.random.choice(FIELDS)
        field, literal, chance = f"resource.data.{name}", self.random.choice(LITERALS[name]), self.random.random()
        if depth < 2 and chance < 0.3:
            return f"({self.condition(depth + 1)} {self.random.choice(['&&', '||'])} {self.condition(depth + 1)})"
        if chance < 0.36:
            return self.random.choice(OTHERS)
        if name == "l":
            return self.random.choice([
                f"'a' in {field}", f"{field} == {literal}", f"{field}.hasAny(['a','b'])", f"{field}.hasAll(['a'])", f"{field}.hasOnly(['a','b'])",
                f"{field}.size() > 0", f"{field} is list", f"{field} != null",
            ])
        if chance < 0.48:
            return self.random.choice([
                f"{field} in [{literal}, {self.random.choice(LITERALS[name])}]", f"{field} is {self.random.choice(['int', 'string', 'bool'])}",
                f"{field} != null", f"({field} + 1) == 2", f"{field}.matches('a.*')", f"{field} == resource.data.i", f"{field} == {field}",
            ])
        sides = [field, literal]
        if self.random.random() < 0.3:
            sides.reverse()
        return f"{sides[0]} {self.random.choice(['==', '==', '!=', '<', '<=', '>', '>='])} {sides[1]}"

    def text(self, conditions):
        matches = "".join(
            f"    match /{'{p=**}/' if index % 4 == 3 else ''}c{index}/{{doc}} {{ allow list: if {condition}; }}\n"
            for index, condition in enumerate(conditions))
        return f"rules_version = '2';\nservice cloud.firestore {{\n  match /databases/{{database}}/documents {{\n{matches}  }}\n}}\n"

    def query(self, index):
        query = {"from": [{"collectionId": f"c{index}"} | ({"allDescendants": True} if self.random.random() < 0.3 else {})]}
        if self.random.random() < 0.9:
            query["where"] = self.filter()
        if self.random.random() < 0.4:
            query["limit"] = self.random.choice([3, 10])
        return query


def record(emulator, random):
    maker = Lists(random)
    conditions = [maker.condition() for _ in range(RULES_PER_PROGRAM)]
    text = maker.text(conditions)
    if emulator.rules(text) is not None:
        return record(emulator, random)
    requests = []
    for index in range(RULES_PER_PROGRAM):
        for _ in range(QUERIES_PER_RULE):
            user, query = random.choice(USERS), maker.query(index)
            status, _ = emulator.documents("POST", ":runQuery", {"structuredQuery": query}, token(user))
            if status in (200, 403):
                requests.append({"q": query, "auth": user and {"uid": user[0], "claims": user[1]}, "ok": status == 200, "i": index})
    return {"text": text, "reqs": requests, "es": conditions, "docs": {}, "claims": claims("u1", {})}, len(requests)
