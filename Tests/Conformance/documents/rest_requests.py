# SPDX-License-Identifier: Apache-2.0

"""Random requests of Firestore's REST API.

A text `@T3` stands for the third time that a server named, `@X1` for the ID of the first transaction and `@P` for the last page token: each
server has its own.
"""

import urllib.parse

from emulator import ROOT
from queries import Queries, pool_of
from writes import MASKED, Writes

PATHS = ["c/a", "c/b", "c/__id7__", "c/é", "c/a/s/x", "c/none/s/y", "d/a", "d/a/c/z", "c/b/s/x"]
COLLECTIONS = ["c", "d", "c/a/s", "d/a/c", "none", "c/none/s"]


class Requests(Writes, Queries):
    """The requests of one program. `times` is the number of times that are known so far."""

    def __init__(self, random):
        super().__init__(random)
        self.times, self.transactions, self.documents = 0, 0, {}
        self.open = None

    def chance(self, share):
        return self.random.random() < share

    def name(self):
        return {"referenceValue": f"{ROOT}/{self.path()}"}

    def path(self):
        return self.random.choice(PATHS)

    def time(self):
        return f"@T{self.random.randrange(self.times)}" if self.times and self.chance(0.9) else "2020-01-01T00:00:00Z"

    def write(self):
        write = Writes.write(self)
        name = f"{ROOT}/{self.path()}"
        if "update" in write:
            write["update"]["name"] = name
        else:
            write = {kind: name if kind in ("delete", "verify") else content for kind, content in write.items()}
        if self.chance(0.15):
            write["currentDocument"] = {"updateTime": self.time()}
        if "verify" in write:
            # The emulator names some time for a document that is not there.
            write["currentDocument"] = {"exists": True}
        return write

    def writes(self):
        return [self.write() for _ in range(self.random.choice([1, 1, 1, 2, 3]))]

    def commit(self):
        body = {"writes": self.writes()}
        return "POST", ":commit", body

    def batch(self):
        return "POST", ":batchWrite", {"writes": self.writes()}

    def parameters(self, **values):
        pairs = [(name.replace("_", "."), value) for name, value in values.items() if value is not None]
        return ("?" + urllib.parse.urlencode(pairs, doseq=True, safe="@", quote_via=urllib.parse.quote)) if pairs else ""

    def condition(self, pool):
        return Queries.condition(self, pool)

    def precondition(self):
        if self.chance(0.6):
            return {}
        # The emulator reads no times here.
        return {"currentDocument_exists": self.random.choice(["true", "false"])}

    def mask(self):
        return self.random.sample(MASKED, self.random.randrange(1, 3)) if self.chance(0.3) else None

    def quoted(self, path):
        return "/" + urllib.parse.quote(path)

    def patch(self):
        mask = self.random.sample(MASKED, self.random.randrange(1, 4)) if self.chance(0.6) else None
        query = self.parameters(updateMask_fieldPaths=mask, mask_fieldPaths=self.mask(), **self.precondition())
        return "PATCH", self.quoted(self.path()) + query, {"fields": self.fields()}

    def create(self):
        collection, _, name = self.path().rpartition("/")
        return "POST", self.quoted(collection) + self.parameters(documentId=name, mask_fieldPaths=self.mask()), {"fields": self.fields()}

    def delete(self):
        return "DELETE", self.quoted(self.path()) + self.parameters(**self.precondition()), None

    def get(self):
        # The emulator refuses `readTime` here.
        return "GET", self.quoted(self.path()) + self.parameters(mask_fieldPaths=self.mask()), None

    def list(self):
        missing = "true" if self.chance(0.4) else None
        order = None if missing or self.chance(0.5) else self.random.choice(["a", "a desc", "b, __name__ desc", "__name__ desc", "c.x", "`d-e` desc"])
        size = self.random.randrange(4) if self.chance(0.6) else None
        path, values = self.quoted(self.random.choice(COLLECTIONS)), {"pageSize": size, "orderBy": order, "mask_fieldPaths": None if missing else self.mask()}
        first = path + self.parameters(showMissing=missing, **values)
        # The emulator refuses its own page tokens beside an order.
        if not size or order:
            return "GET", first, None
        following = path + self.parameters(showMissing=missing, pageToken="@P", **values)
        return [("GET", first, None), ("GET", following, None)]

    def batch_get(self):
        body = {"documents": [f"{ROOT}/{self.path()}" for _ in range(self.random.randrange(1, 4))]}
        if self.chance(0.3):
            body["mask"] = {"fieldPaths": self.random.sample(MASKED, 1)}
        return "POST", ":batchGet", body | self.moment()

    def moment(self):
        return {"readTime": self.time()} if self.chance(0.15) else {}

    def parent(self):
        return self.quoted(self.random.choice(["c/a", "d/a", "c/none"])) if self.chance(0.2) else ""

    def structured(self):
        query = self.query(pool_of(self.documents))
        query["from"][0]["collectionId"] = self.random.choice(["c", "c", "d", "s"])
        if self.chance(0.1):
            query["select"] = {"fields": [{"fieldPath": self.random.choice(["a", "c.x", "__name__"])}]}
        return query

    def run(self):
        return "POST", self.parent() + ":runQuery", {"structuredQuery": self.structured()} | self.moment()

    def aggregate(self):
        field = {"field": {"fieldPath": self.random.choice(["a", "b", "c.x", "`d-e`"])}}
        kinds = [{"count": {}}, {"count": {"upTo": "2"}}, {"sum": field}, {"avg": field}]
        aggregations = [self.random.choice(kinds) | ({"alias": f"n{index}"} if self.chance(0.5) else {}) for index in range(self.random.randrange(1, 4))]
        body = {"structuredAggregationQuery": {"structuredQuery": self.structured(), "aggregations": aggregations}}
        return "POST", self.parent() + ":runAggregationQuery", body | self.moment()

    def collections(self):
        body = {"pageSize": self.random.randrange(3)} if self.chance(0.3) else {}
        return "POST", self.parent() + ":listCollectionIds", body

    def transaction(self):
        """Requests of one transaction, which others do not disturb: the emulator would make them wait."""
        self.transactions += 1
        name = f"@X{self.transactions - 1}"
        options = {"readOnly": {}} if self.chance(0.2) else {"readWrite": {}}
        steps = [("POST", ":beginTransaction", {"options": options})]
        for _ in range(self.random.randrange(3)):
            method, path, body = self.random.choice([self.batch_get, self.run, self.aggregate])()
            body.pop("readTime", None)
            steps.append((method, path, body | {"transaction": name}))
        if self.chance(0.8):
            steps.append(("POST", ":commit", {"writes": self.writes(), "transaction": name}))
        # A commit that fails leaves the emulator's locks.
        return steps + [("POST", ":rollback", {"transaction": name})]

    def steps(self):
        kinds = [
            (12, self.commit), (4, self.batch), (4, self.patch), (3, self.create), (3, self.delete), (4, self.get), (5, self.list),
            (4, self.batch_get), (10, self.run), (5, self.aggregate), (2, self.collections), (2, self.transaction),
        ]
        make = self.random.choices([kind for _, kind in kinds], [weight for weight, _ in kinds])[0]
        made = make()
        return made if isinstance(made, list) else [made]
