# SPDX-License-Identifier: Apache-2.0

"""Random spellings of values in ProtoJSON, right and wrong, with what the emulator stored."""

import re

from emulator import ROOT

BODIES_PER_LINE = 25
# The emulator also takes other numbers for null, numbers for strings, and dates such as 2019-02-29; ours refuses them.
# Spellings of the content of each type. Strings for numbers and the other way round are where parsers differ.
CONTENTS = {
    "nullValue": [None, "NULL_VALUE", 0, "x", False, {}],
    "booleanValue": [True, False, "true", "false", "yes", 1, None, []],
    "integerValue": [
        "1", 1, -1, 1.0, 1.5, "1.5", "x", "", "-9223372036854775808", "9223372036854775807", "9223372036854775808", 9223372036854775807, True, None,
        "+1", "0x1", [], {}, 1e3,
    ],
    "doubleValue": [1, 1.5, "1.5", -0.5, 1e300, "NaN", "Infinity", "-Infinity", "nan", "x", "", True, None, {}, "1e3", "0x1p3", 5e-324],
    "timestampValue": [
        "2020-01-01T00:00:00Z", "2020-01-01T00:00:00.1Z", "2020-01-01T00:00:00.123456789Z", "2020-01-01T01:00:00+01:00", "2020-01-01", "x", 1, None,
        "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "",
    ],
    "stringValue": ["", "a", "é", "\U0001F600", "\u0000", None, {}, []],
    "bytesValue": ["", "AQI=", "AQI", "_-8=", "/+8=", "_-8", "*", None, {}],
    "referenceValue": [f"{ROOT}/c/d", f"{ROOT}/c/d/e/f", f"{ROOT}/c", "c/d", "", f"{ROOT}/c/d/", "projects/p/databases/(default)/documents", None, 1],
    "geoPointValue": [
        {}, {"latitude": 1}, {"latitude": 1, "longitude": -1.5}, {"latitude": "1.5"}, {"latitude": 90.5}, {"longitude": -181}, {"lat": 1}, None, [], 1,
    ],
}
OTHER_TYPES = ["arrayValue", "mapValue", "fooValue"]


def snake(name):
    return re.sub("[A-Z]", lambda match: "_" + match[0].lower(), name)


class Bodies:
    def __init__(self, random):
        self.random = random

    def spelled(self, name):
        return snake(name) if self.random.random() < 0.3 else name

    def container(self, kind, depth):
        if kind == "fooValue":
            return {}
        values = [self.value(depth + 1) for _ in range(self.random.randrange(3))]
        if kind == "arrayValue":
            return self.random.choice([{"values": values}, {"values": values}, {}, {"values": None}, values, {"value": values}])
        fields = {key: value for key, value in zip(["x", "a_b", "é"], values)}
        return self.random.choice([{"fields": fields}, {"fields": fields}, {}, {"fields": None}, fields, {"fields": values}])

    def content(self, kind, depth):
        return self.random.choice(CONTENTS[kind]) if kind in CONTENTS else self.container(kind, depth)

    def value(self, depth=0):
        kinds = list(CONTENTS) + (OTHER_TYPES if depth < 2 else [])
        kind = self.random.choice(kinds)
        value = {self.spelled(kind): self.content(kind, depth)}
        if self.random.random() < 0.05:
            other = self.random.choice([other for other in kinds if other != kind])
            # Whether the emulator ignores null beside another type depends on the order.
            value = {name: "x" if content is None else content for name, content in (value | {other: self.content(other, depth)}).items()}
        return {} if self.random.random() < 0.02 else value


def record(emulator, random):
    maker = Bodies(random)
    bodies = []
    for _ in range(BODIES_PER_LINE):
        value = maker.value()
        write = {"update": {"name": f"{ROOT}/bodies/one", "fields": {"v": value}}}
        status, _ = emulator.documents("POST", ":commit", {"writes": [write]})
        stored = None
        if status == 200:
            _, document = emulator.documents("GET", "/bodies/one")
            stored = document["fields"]["v"]
        bodies.append({"sent": value, "stored": stored})
    return {"bodies": bodies}, len(bodies)
