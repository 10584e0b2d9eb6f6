# SPDX-License-Identifier: Apache-2.0

"""Random documents with the files of the emulator's export of them."""

import base64
import pathlib
import tempfile

from emulator import NAMES, ROOT, Values

DOCUMENTS_PER_LINE = 25
COLLECTIONS = ["c", "d", "c/a/d", "c/__id7__/é", "users/u 1/orders.old"]
NAMES_OF_FIELDS = ["a", "b", "d-e", "é", "a.b", "`", "x" * 40]
OTHER_DATABASES = ["projects/other/databases/(default)", "projects/p/databases/second"]
LONG_TEXTS = [1_600, 32_700, 70_000]


class Documents(Values):
    def scalar(self):
        if self.random.random() < 0.04:
            return {"referenceValue": f"{self.random.choice(OTHER_DATABASES)}/documents/{self.random.choice(NAMES)}"}
        return super().scalar()

    def deep(self, depth):
        """Maps and arrays in turn."""
        if depth == 0:
            return self.scalar()
        inner = {"mapValue": {"fields": {"m": self.deep(depth - 1), "n": self.value(3)}}}
        return inner if depth % 2 else {"arrayValue": {"values": [inner, self.scalar()]}}

    def document(self):
        fields = self.fields()
        for name in self.random.sample(NAMES_OF_FIELDS, self.random.randrange(3)):
            fields[name] = self.value()
        chance = self.random.random()
        if chance < 0.1:
            fields["deep"] = self.deep(self.random.randrange(1, 9))
        elif chance < 0.13:
            fields["long"] = {"stringValue": "x" * self.random.choice(LONG_TEXTS)}
        return {} if chance > 0.97 else fields

    def path(self, number):
        kind = self.random.choice(["d", "__id", "é", "a b"])
        return f"{self.random.choice(COLLECTIONS)}/" + (f"__id{number + 1}__" if kind == "__id" else f"{kind}{number}")


def record(emulator, random):
    maker = Documents(random)
    emulator.clear()
    emulator.store({maker.path(number): maker.document() for number in range(DOCUMENTS_PER_LINE)})
    with tempfile.TemporaryDirectory() as folder:
        body = {"database": "projects/p/databases/(default)", "export_directory": folder, "export_name": "e"}
        status, answer = emulator.request("POST", "/emulator/v1/projects/p:export", body)
        assert status == 200, answer
        files = sorted(pathlib.Path(folder).rglob("output-*"))
        contents = [base64.b64encode(file.read_bytes()).decode() for file in files]
    documents = {}
    for collection in COLLECTIONS:
        _, answer = emulator.documents("GET", f"/{collection.replace(' ', '%20').replace('é', '%C3%A9')}?pageSize=300")
        for document in answer.get("documents", []):
            documents[document["name"].removeprefix(f"{ROOT}/")] = document.get("fields", {})
    assert len(documents) == DOCUMENTS_PER_LINE, documents.keys()
    return {"files": contents, "docs": documents}, DOCUMENTS_PER_LINE
