# SPDX-License-Identifier: Apache-2.0

"""Random writes one after the other, with what each left in the emulator."""

from emulator import ROOT, Values, message

FIELDS = ["a", "b", "c.x", "c", "c.y.z", "`d-e`", "n"]
MASKED = ["a", "b", "c.x", "c", "c.y", "`d-e`", "n", "c.x.y"]
STEPS_PER_PROGRAM = 30


class Writes(Values):
    def transform(self):
        kind = self.random.choice(["increment", "maximum", "minimum", "appendMissingElements", "removeAllFromArray", "setToServerValue"])
        operand = "REQUEST_TIME" if kind == "setToServerValue" else self.array() if kind.endswith(("Elements", "Array")) else self.number()
        return {"fieldPath": self.random.choice(FIELDS), kind: operand}

    def update(self, name):
        fields = self.fields()
        for field in ("a", "b", "d-e"):
            if field in fields and self.random.random() < 0.5:
                fields[field] = self.random.choice([self.number(), {"arrayValue": self.array()}])
        write = {"update": {"name": name, "fields": fields}}
        if self.random.random() < 0.5:
            write["updateMask"] = {"fieldPaths": self.random.sample(MASKED, self.random.randrange(4))}
        if self.random.random() < 0.7:
            write["updateTransforms"] = [self.transform() for _ in range(self.random.randrange(1, 4))]
        return write

    def write(self):
        name = f"{ROOT}/c/{self.random.choice('ab')}"
        kind = self.random.random()
        write = {"delete": name} if kind < 0.1 else {"verify": name} if kind < 0.14 else self.update(name)
        if self.random.random() < 0.3 or "verify" in write:
            write["currentDocument"] = {"exists": self.random.random() < 0.6}
        return write


def record(emulator, random):
    maker = Writes(random)
    emulator.clear()
    steps = []
    for _ in range(STEPS_PER_PROGRAM):
        write = maker.write()
        status, answer = emulator.documents("POST", ":commit", {"writes": [write]})
        if status != 200:
            steps.append({"w": write, "e": message(answer)})
            continue
        documents = {}
        for name in ("c/a", "c/b"):
            status, document = emulator.documents("GET", f"/{name}")
            if status == 200:
                documents[name] = document.get("fields", {})
        results = answer["writeResults"][0].get("transformResults", [])
        steps.append({"w": write, "docs": documents, "r": results, "t": answer["commitTime"]})
    return {"steps": steps}, len(steps)
