# SPDX-License-Identifier: Apache-2.0

"""Random matches within matches, and which paths the emulator lets them allow."""

REQUESTS_PER_PROGRAM = 25


class Matches:
    def __init__(self, random):
        self.random = random
        self.version = random.choice([1, 2])

    def segment(self, captures, is_last, has_rest):
        chance = self.random.random()
        name = f"v{len(captures)}"
        if 0.5 <= chance < 0.75:
            captures.append((name, False))
            return f"{{{name}}}"
        # Ours gives a wildcard behind `=**` the value of its segment, so nothing follows it here.
        if chance >= 0.75 and is_last and not has_rest:
            captures.append((name, True))
            return f"{{{name}=**}}"
        return self.random.choice("ab")

    def condition(self, captures):
        if not captures or self.random.random() < 0.3:
            return "true"
        name, is_rest = self.random.choice(captures)
        if not is_rest:
            return f"{name} == '{self.random.choice('ab')}'"
        path = self.random.choice(["a", "b", "a/b", "a/a"])
        return self.random.choice([f"string({name}) == '/{path}'", f"{name}[0] == 'a'", f"string({name}) == '/'", f"{name} == /a/b", f"{name} is path"])

    def match(self, depth=0, outer=()):
        captures, length = list(outer), self.random.randrange(1, 4)
        segments = []
        for place in range(length):
            has_rest = any(is_rest for _, is_rest in captures)
            segments.append(self.segment(captures, place == length - 1, has_rest))
        ends_with_rest = segments[-1].endswith("=**}")
        body = ""
        if self.random.random() < 0.7 or depth > 1 or ends_with_rest:
            body += f"allow get: if {self.condition(captures)};\n"
        inner = 0 if depth > 1 or ends_with_rest else self.random.randrange(3)
        body += "".join(self.match(depth + 1, captures) for _ in range(inner))
        return f"match /{'/'.join(segments)} {{\n{body or 'allow get;'}}}\n"

    def text(self):
        matches = self.match() + self.match()
        return f"rules_version = '{self.version}';\nservice cloud.firestore {{ match /databases/{{database}}/documents {{\n{matches}}}}}\n"


def record(emulator, random):
    text = Matches(random).text()
    if emulator.rules(text) is not None:
        return {"bad": text, "text": text}, 1
    emulator.clear()
    requests = []
    for _ in range(REQUESTS_PER_PROGRAM):
        path = "/".join(random.choice("ab") for _ in range(random.choice([2, 2, 4, 4, 6])))
        status, _ = emulator.documents("GET", f"/{path}", token=None)
        if status in (403, 404):
            requests.append({"k": "getnone", "p": path, "auth": None, "w": {}, "ok": status == 404, "i": 0})
    return {"text": text, "docs": {}, "reqs": requests, "es": [text], "claims": {}}, len(requests)
