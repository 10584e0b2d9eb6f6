# SPDX-License-Identifier: Apache-2.0

"""Random queries over random documents, with the emulator's results."""

from emulator import ROOT, Values, message

FIELDS = ["a", "b", "c.x", "`d-e`"]
IDS = ["a", "b", "__id7__", "__id10__", "é", "Z", "a0", "zz", "1", "10", "2"]
OPERATORS = [
    "EQUAL", "NOT_EQUAL", "LESS_THAN", "LESS_THAN_OR_EQUAL", "GREATER_THAN", "GREATER_THAN_OR_EQUAL", "IN", "NOT_IN", "ARRAY_CONTAINS",
    "ARRAY_CONTAINS_ANY",
]
WITH_LIST = {"IN", "NOT_IN", "ARRAY_CONTAINS_ANY"}
QUERIES_PER_WORLD = 25


class Queries(Values):
    def documents(self):
        documents = {f"c/{name}": self.fields() for name in self.random.sample(IDS, self.random.randrange(3, len(IDS)))}
        return documents | {f"p/q/c/{name}": self.fields() for name in self.random.sample(IDS, 2)}

    def near(self, pool):
        """A value that documents have, or any other."""
        return self.random.choice(pool) if pool and self.random.random() < 0.7 else self.value()

    def name(self):
        return {"referenceValue": f"{ROOT}/c/{self.random.choice(IDS)}"}

    def condition(self, pool):
        field = {"fieldPath": self.random.choice(FIELDS)}
        if self.random.random() < 0.12:
            return {"unaryFilter": {"op": self.random.choice(["IS_NULL", "IS_NAN", "IS_NOT_NULL", "IS_NOT_NAN"]), "field": field}}
        operator = self.random.choice(OPERATORS)
        value = self.near(pool)
        if operator in WITH_LIST:
            values = [self.near(pool) for _ in range(self.random.randrange(1, 4))]
            value = {"arrayValue": {"values": [value for value in values if "arrayValue" not in value]}}
        if self.random.random() < 0.06:
            field = {"fieldPath": "__name__"}
            if "arrayValue" not in value or self.random.random() < 0.5:
                value = {"arrayValue": {"values": [self.name(), self.name()]}} if operator in WITH_LIST else self.name()
        return {"fieldFilter": {"field": field, "op": operator, "value": value}}

    def filter(self, pool, depth=0):
        if depth > 1 or self.random.random() < 0.6:
            return self.condition(pool)
        filters = [self.filter(pool, depth + 1) for _ in range(self.random.randrange(1, 4))]
        return {"compositeFilter": {"op": self.random.choice(["AND", "OR"]), "filters": filters}}

    def cursor(self, pool, orders):
        count = self.random.randrange(1, len(orders) + 1)
        values = [self.name() if order["field"]["fieldPath"] == "__name__" else self.near(pool) for order in orders[:count]]
        return {"values": values, "before": self.random.random() < 0.5}

    def query(self, pool):
        chance = self.random.random
        query = {"from": [{"collectionId": "c"} | ({"allDescendants": True} if chance() < 0.2 else {})]}
        if chance() < 0.75:
            query["where"] = self.filter(pool)
        if chance() < 0.5:
            fields = self.random.sample(FIELDS + ["__name__"], self.random.randrange(1, 3))
            query["orderBy"] = [{"field": {"fieldPath": field}, "direction": self.random.choice(["ASCENDING", "DESCENDING"])} for field in fields]
            for end in ("startAt", "endAt"):
                if chance() < 0.12:
                    query[end] = self.cursor(pool, query["orderBy"])
        if chance() < 0.2:
            query["limit"] = self.random.randrange(1, 5)
        if chance() < 0.1:
            query["offset"] = self.random.randrange(4)
        return query


def pool_of(documents):
    values = [value for fields in documents.values() for value in fields.values()]
    inner = [element for value in values for element in value.get("arrayValue", {}).get("values", [])]
    return values + inner + [member for value in values for member in value.get("mapValue", {}).get("fields", {}).values()]


def record(emulator, random):
    """One world of documents with queries: (line, number of operations)."""
    maker = Queries(random)
    emulator.clear()
    documents = maker.documents()
    emulator.store(documents)
    queries = []
    for _ in range(QUERIES_PER_WORLD):
        query = maker.query(pool_of(documents))
        status, answer = emulator.documents("POST", ":runQuery", {"structuredQuery": query})
        if status == 200:
            answer = [item["document"]["name"][len(ROOT) + 1 :] for item in answer if "document" in item]
        else:
            answer = {"error": message(answer)}
        queries.append({"q": query, "a": answer})
    return {"docs": documents, "queries": queries}, len(queries)
