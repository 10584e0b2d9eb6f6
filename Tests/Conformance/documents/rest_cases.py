# SPDX-License-Identifier: Apache-2.0
"""Cases of Firestore's REST API by name: lists of requests (method, path below the documents, body)."""

import base64
import itertools
import json

from emulator import ROOT

CASES = {}
LONGEST_TEXT = 1_048_487


def case(name, *steps):
    assert name not in CASES, name
    CASES[name] = steps


# MARK: Values


def whole(number):
    return {"integerValue": str(number)}


def real(number):
    return {"doubleValue": number}


def text(content):
    return {"stringValue": content}


def truth(value):
    return {"booleanValue": value}


def raw(content):
    return {"bytesValue": base64.b64encode(content).decode()}


def time(content):
    return {"timestampValue": content}


def name(path):
    return {"referenceValue": f"{ROOT}/{path}"}


def place(latitude, longitude):
    return {"geoPointValue": {"latitude": latitude, "longitude": longitude}}


def array(*values):
    return {"arrayValue": {"values": list(values)} if values else {}}


def members(**fields):
    return {"mapValue": {"fields": fields} if fields else {}}


def vector(*numbers):
    return members(__type__=text("__vector__"), value=array(*map(real, numbers)))


NULL, NAN = {"nullValue": None}, real("NaN")
MOST = 2**63 - 1
# From the smallest to the largest, with equal ones beside each other.
ORDERED = [
    NULL,
    truth(False),
    truth(True),
    NAN,
    real("-Infinity"),
    whole(-MOST - 1),
    real(-(2.0**63)),
    real(-1e300),
    real(-2.5),
    whole(-1),
    real(-1.0),
    whole(0),
    real(0.0),
    real(5e-324),
    real(0.5),
    whole(1),
    real(1.0),
    whole(2**53),
    real(2.0**53),
    whole(2**53 + 1),
    real(2.0**53 + 2),
    whole(MOST),
    real(2.0**63),
    real(1e300),
    real("Infinity"),
    time("0001-01-01T00:00:00Z"),
    time("1970-01-01T00:00:00Z"),
    time("1970-01-01T09:00:00+09:00"),
    time("1970-01-01T00:00:00.000000999Z"),
    time("1970-01-01T00:00:00.000001Z"),
    time("2026-10-10T00:00:00Z"),
    time("9999-12-31T23:59:59.999999999Z"),
    text(""),
    text("\u0000"),
    text("\u0001"),
    text("A"),
    text("a"),
    text("a\u0000"),
    text("aa"),
    text("é"),
    text("\ue000"),
    text("\uff5e"),
    text("\U00010000"),
    text("\U0001F600"),
    raw(b""),
    raw(b"\0"),
    raw(b"\0\0"),
    raw(b"\x01"),
    raw(b"\xff"),
    name("c/__id5__"),
    name("c/__id10__"),
    name("c/A"),
    name("c/a"),
    name("c/a/s/x"),
    name("c/é"),
    name("c-b/x"),
    place(-90, 0),
    place(0, -180),
    place(0, 0),
    place(0, 180),
    place(90, 0),
    array(),
    array(NULL),
    array(whole(1)),
    array(real(1.0)),
    array(whole(1), whole(2)),
    array(whole(2)),
    array(text("a")),
    array(members(a=whole(1))),
    vector(3),
    vector(0, 5),
    vector(1, 2),
    vector(0, 0, 0),
    members(),
    members(a=whole(1)),
    members(a=real(1.0)),
    members(a=whole(1), b=whole(0)),
    members(a=whole(2)),
    members(b=whole(0)),
    members(é=whole(1)),
]

# MARK: Requests


def update(path, mask=None, transforms=None, condition=None, **fields):
    write = {"update": {"name": f"{ROOT}/{path}", "fields": fields}}
    if mask is not None:
        write["updateMask"] = {"fieldPaths": mask}
    if transforms is not None:
        write["updateTransforms"] = transforms
    return write if condition is None else write | {"currentDocument": condition}


def delete(path, condition=None):
    write = {"delete": f"{ROOT}/{path}"}
    return write if condition is None else write | {"currentDocument": condition}


def verify(path, condition=None):
    write = {"verify": f"{ROOT}/{path}"}
    return write if condition is None else write | {"currentDocument": condition}


def commit(*writes, **more):
    return "POST", ":commit", {"writes": list(writes)} | more


def batch(*writes):
    return "POST", ":batchWrite", {"writes": list(writes)}


def get(path):
    return "GET", f"/{path}", None


def read(*paths, **more):
    return "POST", ":batchGet", {"documents": [f"{ROOT}/{path}" for path in paths]} | more


def begin(**options):
    return "POST", ":beginTransaction", {"options": options} if options else {}


def rollback(transaction):
    return "POST", ":rollback", {"transaction": transaction}


def field(path):
    return {"fieldPath": path}


def where(path, operation, value):
    return {"fieldFilter": {"field": field(path), "op": operation, "value": value}}


def unary(path, operation):
    return {"unaryFilter": {"field": field(path), "op": operation}}


def both(*filters):
    return {"compositeFilter": {"op": "AND", "filters": list(filters)}}


def either(*filters):
    return {"compositeFilter": {"op": "OR", "filters": list(filters)}}


def by(*paths):
    """Orders of fields; `-a` is descending."""
    return [{"field": field(path.lstrip("-")), "direction": "DESCENDING" if path.startswith("-") else "ASCENDING"} for path in paths]


def structured(collection, group=False, **parts):
    return {"from": [{"collectionId": collection} | ({"allDescendants": True} if group else {})]} | parts


def query(collection, below="", more=None, **parts):
    return "POST", f"{below}:runQuery", {"structuredQuery": structured(collection, **parts)} | (more or {})


def aggregate(query, *aggregations, below=""):
    return "POST", f"{below}:runAggregationQuery", {"structuredAggregationQuery": {"structuredQuery": query, "aggregations": list(aggregations)}}


def named(**parts):
    """A query of the values whose answer has names only."""
    return query("t", select={"fields": [field("__name__")]}, **parts)


EXISTS, MISSING = {"exists": True}, {"exists": False}

# MARK: Values and their order

VALUES = [commit(*(update(f"t/v{number:02}", v=value) for number, value in enumerate(ORDERED)))]
case("order of values", *VALUES, query("t", orderBy=by("v")), named(orderBy=by("-v")), named(orderBy=by("v", "-__name__")))
COMPARED = [
    NULL, NAN,
    truth(False),
    whole(1),
    real(1.0),
    whole(2**53 + 1),
    real(2.0**53),
    text("a"),
    time("1970-01-01T00:00:00Z"),
    raw(b"\0"),
    name("c/a"),
    place(0, 0),
    array(),
    array(whole(1)),
    vector(1, 2),
    members(),
    members(a=whole(1)),
    real("Infinity"),
    real("-Infinity")
]
for operation in ["EQUAL", "NOT_EQUAL", "LESS_THAN", "LESS_THAN_OR_EQUAL", "GREATER_THAN", "GREATER_THAN_OR_EQUAL"]:
    case(
        f"{operation} of each type", *VALUES,
        *(named(where=where("v", operation, value)) for value in COMPARED[:8 if operation == "NOT_EQUAL" else None]))
case("ARRAY_CONTAINS of each type", *VALUES, *(named(where=where("v", "ARRAY_CONTAINS", value)) for value in COMPARED if "arrayValue" not in value))
LISTS = [[whole(1), text("a")], [NULL], [NAN], [array(whole(1))], [whole(1), whole(1)], [whole(1), real(1.0)], []]
for operation in ["IN", "NOT_IN", "ARRAY_CONTAINS_ANY"]:
    case(
        f"{operation} of lists", *VALUES, *(named(where=where("v", operation, array(*values))) for values in LISTS),
        named(where=where("v", operation, whole(1))))
case(
    "arrays in arrays in conditions", *VALUES, named(where=where("v", "EQUAL", array(array(whole(1))))),
    named(where=where("v", "ARRAY_CONTAINS", array(whole(1)))), named(orderBy=by("v"), startAt={"values": [array(array(whole(1)))]}),
    named(where=where("v", "LESS_THAN", array(array(whole(1))))))
case(
    "unary conditions", *VALUES, *(named(where=unary("v", operation)) for operation in ["IS_NULL", "IS_NOT_NULL", "IS_NAN", "IS_NOT_NAN", "IS_ZERO"]))
case(
    "order of names",
    commit(
        *(
            update(path, n=whole(1)) for path in (
                "c/a/i/x", "c/a/i/y", "c/b/i/x", "c-b/x/i/x", "c/a/s/b/i/x", "c/\uff5e/i/x", "c/\U0001F600/i/x", "c/A/i/x", "c/aa/i/x", "i/top",
                "c/__id5__/i/x", "c/__id10__/i/x"))), query("i", group=True), query("i", group=True, orderBy=by("-__name__")))
case(
    "doubles",
    commit(
        update(
            "c/d", **{
                f"d{index:02}": real(number) for index, number in enumerate(
                    [1e7, 9999999.0, 1e21, 1e-7, 0.001, 0.0001, 123456789.0, 1.7976931348623157e308, 0.1, -1.5e-10, 100.0, 1e16, 1e22, 12345.6789])
            })), get("c/d"))
case("negative zero", commit(update("c/d", z=real(-0.0))), get("c/d"))
case(
    "every type",
    commit(
        update(
            "c/d",
            arr=array(whole(1), text("s"), members(k=whole(1))),
            empty=array(),
            big=whole(MOST),
            b=truth(True),
            bytes=raw(b"\1\2"),
            d=real(1.5),
            g=place(1.5, -2),
            g0={"geoPointValue": {}},
            m=members(a=whole(1), b=members(c=text("x"))),
            m0=members(),
            nan=NAN,
            inf=real("-Infinity"),
            n=NULL,
            r=name("c/b"),
            s=text("<>&='\"\\\n\t\u0001éあ\U0001F600 x/y"),
            v=vector(1, 2))), get("c/d"), get("c/d?mask.fieldPaths=m.b&mask.fieldPaths=b"))

# MARK: Writes

case(
    "a document that is not there", get("c/d"), get("c/a%20b"), read("c/d"), ("DELETE", "/c/d", None),
    ("DELETE", "/c/d?currentDocument.exists=true", None))
case(
    "create", ("POST", "/c?documentId=d", {"fields": {"a": whole(1)}}), ("POST", "/c?documentId=d", {"fields": {"a": whole(2)}}),
    ("POST", "/c?documentId=%E3%81%82", {"fields": {}}), get("c/%E3%81%82"), ("POST", "/c?documentId=a%2Fb", {}), ("POST", "/c?documentId=__x__", {}),
    ("POST", "/c/d?documentId=x", {}), ("POST", "/c?documentId=named", {"name": f"{ROOT}/c/named", "fields": {}}))
case(
    "create without an ID", ("POST", "/c?mask.fieldPaths=none", {"fields": {"a": whole(1)}}),
    query("c", select={"fields": [field("a")]}, where=where("a", "EQUAL", whole(2))))
case(
    "patch", ("PATCH", "/c/d", {"fields": {"a": whole(1), "b": whole(2)}}),
    ("PATCH", "/c/d?updateMask.fieldPaths=a&updateMask.fieldPaths=z&mask.fieldPaths=a", {"fields": {"a": whole(7)}}), get("c/d"),
    ("PATCH", "/c/d?currentDocument.exists=false", {}), ("PATCH", "/c/none?currentDocument.exists=true", {}), ("PATCH", "/c/e", {}),
    ("PATCH", "/c", {}), ("PATCH", "/c/d?updateMask.fieldPaths=a..b", {"fields": {}}))
case(
    "preconditions", commit(update("c/d", condition=EXISTS, a=whole(1))), commit(update("c/d", condition=MISSING, a=whole(1))),
    commit(update("c/d", condition=MISSING, a=whole(2))), commit(delete("c/e", EXISTS)), commit(delete("c/e", MISSING)),
    commit(delete("c/d", MISSING)), commit(update("c/d", condition={"updateTime": "2001-01-01T00:00:00Z"}, a=whole(3))),
    commit(update("c/d", condition={"updateTime": "@T0"}, a=whole(3))), commit(update("c/d", condition={}, a=whole(4))), get("c/d"))
case(
    "equal sets", commit(update("c/d", a=whole(1))), commit(update("c/d", a=whole(1))), get("c/d"), commit(update("c/d", mask=["a"], a=whole(1))),
    commit(update("c/d", mask=["b"])), commit(update("c/d", mask=[])), get("c/d"), commit(update("c/d", mask=["a", "a"], a=whole(1))), get("c/d"))
case(
    "masks", commit(update("c/d", a=whole(1), b=whole(2), c=members(x=whole(1), y=whole(2)))),
    commit(update("c/d", mask=["a", "c.x", "d"], a=whole(10), c=members(x=whole(5)), e=whole(9))), get("c/d"),
    commit(update("c/d", mask=["c"], c=members(z=whole(1)))), get("c/d"), commit(update("c/d", mask=["c.z", "c.q.r"])), get("c/d"),
    commit(update("c/d", mask=["a.b"], a=members(b=whole(1)))), get("c/d"))
case(
    "masks of a document that is not there", commit(update("c/d", mask=["b.x"], a=whole(1), b=members(x=whole(1)))), get("c/d"),
    commit(update("c/e", mask=["b.x"])), get("c/e"), commit(update("c/f", mask=[], a=whole(1))), get("c/f"))
case(
    "masks within each other",
    *itertools.chain.from_iterable(
        (
            commit(update("c/d", a=members(x=whole(1), y=whole(2)), b=whole(1))), commit(update("c/d", mask=mask, a=members(x=whole(1), y=whole(2)))),
            get("c/d")) for mask in (["a", "a.x"], ["a.x", "a"], ["a", "a.z"], ["a.x", "a.x"], ["b", "b.c"], ["b.c", "b"])))
case(
    "invalid writes",
    *(
        commit(write) for write in (
            update("c/__x__", a=whole(1)), update("c/.", a=whole(1)), update("c/..", a=whole(1)), update("__x__/d", a=whole(1)),
            update("c", a=whole(1)), update("c/d", __x__=whole(1)), update("c/d", m=members(__x__=whole(1))), update("c/d", a=array(array())),
            update("c/d", mask=["a..b"], a=whole(1)), update("c/d", mask=["__name__"]), update("c/d", **{"": whole(1)}), update("c/d", a={}),
            update("c/d", a={"integerValue": "1", "stringValue": "a"}), {}, {"update": {"fields": {}}}, {"delete": ""},
            {"delete": "c/d"}, {"delete": "projects/p/databases/(default)/documents"}, update("c/__id5x__", a=whole(1)),
            update("c/d", a={"referenceValue": "c/d"}), update("c/d", a=place(91, 0)), update("c/d", a={"timestampValue": "x"}),
            update("c/d", a=vector()), update("c/d", a=members(__type__=text("__vector__"), value=array(whole(1)))), verify("c/d"),
            verify("c/d", EXISTS) | {"updateMask": {"fieldPaths": ["x"]}})))
case(
    "names of numbers",
    *(commit(update(f"c/__id{number}__", a=whole(1))) for number in ("5", "-1", "0", "05", "+5", "-0", MOST, MOST + 1, "1.0", "")), query("c"),
    get("c/__id0__"), query("c", where=where("__name__", "GREATER_THAN", name("c/__id0__"))))
case(
    "several writes of a document", commit(update("c/d", a=whole(1)), update("c/d", a=whole(2))), get("c/d"),
    commit(update("c/d", a=whole(3)), delete("c/d")), get("c/d"), commit(delete("c/d"), update("c/d", b=whole(1))), get("c/d"),
    commit(delete("c/d"), update("c/d", condition=EXISTS, a=whole(1))),
    commit(update("c/d", mask=["x"], x=whole(1)), update("c/d", mask=["y"], y=whole(2))), get("c/d"),
    commit(update("c/d", mask=["x"], x=whole(1)), update("c/d", mask=["x"], x=whole(1))), get("c/d"), commit(update("c/s", a=whole(1))),
    commit(update("c/s", a=whole(2)), update("c/s", a=whole(1))), get("c/s"), commit(delete("c/s"), update("c/s", a=whole(1))), get("c/s"),
    commit(update("c/s", mask=["b"], b=whole(2)), update("c/s", mask=["b"])), get("c/s"), commit(update("c/s", a=whole(1)), delete("c/s")),
    get("c/s"))
case(
    "verify", commit(update("c/a", n=whole(1))), commit(verify("c/a", EXISTS)), commit(verify("c/m", EXISTS)), get("c/m"),
    commit(verify("c/a", EXISTS), update("c/a", n=whole(2))), commit(update("c/a", n=whole(2)), verify("c/a", EXISTS)),
    commit(verify("c/a", EXISTS), verify("c/a", EXISTS)), commit(verify("c/m", EXISTS), update("c/x", n=whole(1))), get("c/x"),
    batch(verify("c/a", EXISTS), verify("c/m", EXISTS)))
case(
    "batches", commit(update("c/old", n=whole(1))),
    batch(
        update("c/new", n=whole(1)), update("c/none", condition=EXISTS, n=whole(1)), update("c/old", condition=MISSING, n=whole(2)),
        delete("c/other")), get("c/new"), batch(update("c/a"), update("c/a")), batch(),
    batch(update("c/r", __x__=whole(1)), update("c/ok", n=whole(1))), get("c/ok"))

case(
    "writes of other databases", commit({"delete": "projects/q/databases/(default)/documents/c/d"}),
    commit({"update": {"name": "projects/p/databases/other/documents/c/d"}}))
case("a verify of what is not there", commit(verify("c/m", MISSING)))

# MARK: Transforms


def transforms(*listed, path="c/d", mask=(), **fields):
    return commit(update(path, mask=None if mask is None else list(mask), transforms=list(listed), **fields))


def transform(path, kind, *operands):
    operand = {"values": list(operands)} if kind.endswith(("Elements", "Array")) else operands[0]
    return {"fieldPath": path, kind: operand}


def increment(path, operand):
    return transform(path, "increment", operand)


case(
    "server time",
    transforms(transform("b", "setToServerValue", "REQUEST_TIME"), transform("m.at", "setToServerValue", "REQUEST_TIME"), mask=None, a=whole(1)),
    get("c/d"), transforms(transform("b", "setToServerValue", "SERVER_VALUE_UNSPECIFIED")))
case(
    "increment", commit(update("c/d", i=whole(5), d=real(1.5), s=text("x"), big=whole(MOST), small=whole(-MOST - 1), n=NULL, nan=NAN)),
    transforms(
        increment("none", whole(5)), increment("i", whole(3)), increment("d", whole(2)), increment("s", whole(7)), increment("big", whole(1)),
        increment("small", whole(-1)), increment("mixed", real(0.5)), increment("n", whole(1)), increment("nan", whole(1))), get("c/d"),
    transforms(increment("i", real(2.5)), increment("big", real(1.0))), get("c/d"), transforms(increment("a", text("x"))),
    transforms(increment("i", whole(0))), get("c/d"))
case(
    "maximum and minimum", commit(update("c/d", a=whole(3), b=whole(3), c=whole(3), e=text("x"), n=whole(1), lo=whole(3), lo2=whole(3), nan=NAN)),
    transforms(
        *(
            transform(path, kind, operand) for path, kind, operand in (
                ("a", "maximum", whole(5)), ("b", "maximum", real(3.0)), ("c", "maximum", real(2.5)), ("none", "maximum", whole(7)),
                ("e", "maximum", whole(1)), ("n", "maximum", NAN), ("lo", "minimum", real(2.5)), ("lo2", "minimum",
                                                                                                  real(3.0)), ("nan", "minimum", whole(1))))),
    get("c/d"), transforms(transform("a", "maximum", text("x"))))
case(
    "union", commit(update("c/d", a=array(whole(1), text("a")), other=whole(5))),
    transforms(
        transform("a", "appendMissingElements", real(1.0), text("b"), text("b"), NULL),
        transform("none", "appendMissingElements", whole(1), whole(1), NAN, NAN), transform("other", "appendMissingElements", text("x"))), get("c/d"),
    transforms(transform("a", "appendMissingElements", whole(1))), get("c/d"), transforms(transform("z", "appendMissingElements")), get("c/d"))
case("an array in an array by a transform", transforms(transform("a", "appendMissingElements", array(whole(1)))))
case("a transform of the name", transforms(increment("__name__", whole(1))))
case(
    "removal", commit(update("c/d", a=array(whole(1), real(1.0), whole(2), NAN, NULL, text("x"), members(k=whole(1))), other=whole(5))),
    transforms(
        transform("a", "removeAllFromArray", whole(1), NAN, NULL, members(k=real(1.0))), transform("none", "removeAllFromArray", whole(1)),
        transform("other", "removeAllFromArray", whole(5))), get("c/d"))
case(
    "transforms beside fields", transforms(increment("a", whole(1)), mask=None, a=whole(1)), get("c/d"),
    transforms(increment("a", whole(1)), mask=["a"], a=whole(10)), get("c/d"), transforms(increment("a", whole(1)), increment("a", whole(2))),
    transforms(increment("a.b", whole(1))), get("c/d"), transforms(increment("a", whole(1)), increment("a.b", whole(1))),
    transforms(increment("a..b", whole(1))), transforms(increment("a", whole(1)) | {"maximum": whole(1)}), transforms({"fieldPath": "a"}),
    transforms(increment("x", whole(1)), path="c/none"), get("c/none"))
case(
    "transforms alone", commit(update("c/d", n=whole(1))),
    commit({"transform": {"document": f"{ROOT}/c/d", "fieldTransforms": [increment("n", whole(1))]}}),
    commit({"transform": {"document": f"{ROOT}/c/none", "fieldTransforms": [increment("n", whole(1))]}}), get("c/none"),
    commit({"transform": {"document": f"{ROOT}/c/d", "fieldTransforms": []}}))

# MARK: Queries

PEOPLE = [
    commit(
        update("p/p1", a=whole(1), b=text("x"), tags=array(text("red"), text("blue")), m=members(x=whole(1)), **{"a b": whole(1)}),
        update("p/p2", a=whole(2), b=text("y"), tags=array(text("red")), m=members(x=whole(2)), o=truth(True)),
        update("p/p3", a=whole(2), b=text("x"), tags=array(), m=members(x=whole(3), y=whole(1))),
        update("p/p4", a=whole(3), b=text("z"), tags=array(text("blue"), text("green")), o=NULL),
        update("p/p5", a=whole(3), b=text("y"), m=members(), o=truth(False)),
        update("p/p6", a=whole(-1), b=text("x"), tags=array(text("green")), m=members(x=text("s"))), update("p/p7", b=text("w")),
        update("p/p8", a=real(4.5), b=text("x")), update("p/p1/p/s1", a=whole(10), b=text("x")), update("p/p2/p/s2", a=whole(11), b=text("y")),
        update("x/y/p/deep", a=whole(12), b=text("x")), update("p/p1/o/o1", a=whole(13)))
]


def cursor(*values, before=False):
    return {"values": list(values), "before": before}


def queries(title, *listed):
    case(title, *PEOPLE, *(query("p", **parts) for parts in listed))


A1, A2, A3, BX, BY, BZ = (
    where("a", "EQUAL", whole(1)), where("a", "EQUAL", whole(2)), where("a", "EQUAL", whole(3)), where("b", "EQUAL", text("x")),
    where("b", "EQUAL", text("y")), where("b", "EQUAL", text("z")))
MORE = where("a", "GREATER_THAN", whole(1))
queries(
    "conditions",
    *(
        {"where": condition} for condition in (
            A2, MORE, both(MORE, where("b", "LESS_THAN", text("z"))), where("a", "NOT_EQUAL", whole(2)),
            both(where("a", "GREATER_THAN_OR_EQUAL", whole(2)), BY), either(A1, BZ),
            either(both(A2, BX), where("tags", "ARRAY_CONTAINS", text("green"))),
            either(where("a", "LESS_THAN", whole(2)), where("a", "GREATER_THAN", whole(3))),
            either(where("a", "LESS_THAN", whole(2)), BZ), either(A3), both(A3), both(both(A2), BX),
            both(where("a", "IN", array(whole(1), whole(3))), where("tags", "ARRAY_CONTAINS", text("blue"))), where("m.x", "EQUAL", whole(1)),
            where("m.x", "GREATER_THAN", whole(1)), where("m", "EQUAL", members(x=whole(1))), where("o", "EQUAL", NULL),
            where("o", "NOT_EQUAL", truth(False)), where("o", "NOT_IN", array(truth(True))), unary("o", "IS_NOT_NULL"),
            where("`a b`", "EQUAL", whole(1)), both(A1, A2), both(), either())))
queries(
    "conditions of names",
    *(
        {"where": condition} for condition in (
            where("__name__", "EQUAL", name("p/p3")), where("__name__", "GREATER_THAN", name("p/p4")),
            where("__name__", "IN", array(name("p/p2"), name("p/p5"))), where("__name__", "NOT_IN", array(name("p/p2"), name("p/p5"))),
            where("__name__", "NOT_EQUAL", name("p/p2")), where("__name__", "EQUAL", text("p3")), where("__name__", "EQUAL", name("q/p3")),
            where("__name__", "ARRAY_CONTAINS", name("p/p2")), where("__name__", "IN", array(text("x"))), unary("__name__", "IS_NULL"))))
queries(
    "contradictions and repetitions",
    *(
        {"where": condition} for condition in (
            both(A1, A1), both(where("tags", "ARRAY_CONTAINS", text("red")), where("tags", "ARRAY_CONTAINS", text("red"))),
            both(where("tags", "ARRAY_CONTAINS", text("red")), where("tags", "ARRAY_CONTAINS", text("blue"))),
            both(where("tags", "ARRAY_CONTAINS_ANY", array(text("red"))), where("tags", "ARRAY_CONTAINS_ANY", array(text("red")))),
            both(
                where("tags", "ARRAY_CONTAINS_ANY", array(text("red"), text("blue"))),
                where("tags", "ARRAY_CONTAINS_ANY", array(text("red"), text("blue")))),
            both(
                where("tags", "ARRAY_CONTAINS_ANY", array(text("red"), text("blue"))),
                where("tags", "ARRAY_CONTAINS_ANY", array(text("blue"), text("red")))),
            both(where("tags", "ARRAY_CONTAINS_ANY", array(text("red"))), where("tags", "ARRAY_CONTAINS_ANY", array(text("blue")))),
            either(where("tags", "ARRAY_CONTAINS_ANY", array(text("red"))), where("tags", "ARRAY_CONTAINS_ANY", array(text("red")))),
            both(where("tags", "ARRAY_CONTAINS", text("red")), where("tags", "ARRAY_CONTAINS_ANY", array(text("red")))),
            both(where("a", "IN", array(whole(1))), where("a", "IN", array(whole(1)))),
            both(where("a", "IN", array(whole(1), whole(2))), where("a", "IN", array(whole(1), whole(2)))),
            both(where("a", "NOT_EQUAL", whole(1)), where("a", "NOT_EQUAL", whole(1))),
            both(where("a", "NOT_EQUAL", whole(1)), where("a", "NOT_EQUAL", whole(2))),
            both(where("a", "NOT_IN", array(whole(1))), where("a", "NOT_IN", array(whole(1)))), both(unary("o", "IS_NULL"), unary("o", "IS_NULL")),
            both(MORE, MORE))))
queries(
    "orders",
    *(
        {"orderBy": by(*paths)} for paths in (
            ["a"], ["-a"], ["-a", "b"], ["b", "-a"], ["m.x"], ["-__name__"], ["a", "-__name__"], ["__name__"], ["a", "a"], ["__name__", "a"],
            ["`a b`"], ["a..b"], ["none"], ["m"], ["tags"])), {"where": MORE, "orderBy": by("b")}, {"where": MORE, "orderBy": by("-a")},
    {"where": both(where("b", "LESS_THAN", text("z")), MORE), "orderBy": by("-a")}, {"where": where("a", "NOT_EQUAL", whole(2)), "orderBy": by("b")},
    {"where": BX, "orderBy": by("a")}, {"where": A2, "orderBy": by("-__name__")},
    {"where": where("tags", "ARRAY_CONTAINS", text("red")), "orderBy": by("-__name__")}, {"where": either(A1, A3), "orderBy": by("-__name__")})
queries(
    "projections", {"select": {"fields": [field("a"), field("m.x")]}, "orderBy": by("a")}, {"select": {"fields": []}, "limit": 2},
    {"select": {"fields": [field("__name__")]}, "limit": 2}, {"select": {"fields": [field("none")]}, "limit": 2},
    {"select": {"fields": [field("m")]}, "where": A2}, {"select": {"fields": [field("a"), field("a")]}, "limit": 1},
    {"select": {"fields": [field("m"), field("m.x")]}, "limit": 2}, {"select": {"fields": [field("a..b")]}})
queries(
    "cursors",
    *(
        {"orderBy": by(order)} | ends for order, ends in (
            ("a", {"startAt": cursor(whole(2), before=True)}), ("a", {"startAt": cursor(whole(2))}), ("a", {"endAt": cursor(whole(3))}),
            ("a",
             {"endAt": cursor(whole(3), before=True)}), ("a", {"startAt": cursor(whole(2), before=True), "endAt": cursor(whole(3), before=True)}),
            ("-a", {"startAt": cursor(whole(2), before=True)}), ("a", {"startAt": cursor(real(2.5), before=True)}),
            ("a", {"startAt": cursor(text("x"), before=True)}), ("a", {"startAt": cursor()}),
            ("a", {"startAt": cursor(whole(3), before=True), "endAt": cursor(whole(1))}), ("a", {"startAt": cursor(NULL)}),
            ("a", {"startAt": cursor(whole(2), whole(2))}), ("__name__", {"startAt": cursor(name("p/p3"))}),
            ("__name__", {"startAt": cursor(text("p3"))}), ("-__name__", {"startAt": cursor(name("p/p3"))}))), {"startAt": cursor(name("p/p3"))},
    {"where": MORE, "startAt": cursor(whole(2), name("p/p2"))}, {"orderBy": by("a", "__name__"), "startAt": cursor(whole(2), name("p/p2"))},
    {"orderBy": by("-a", "-__name__"), "startAt": cursor(whole(2), name("p/p3"))})
queries(
    "limits and offsets", {"orderBy": by("a"), "offset": 2, "limit": 2}, {"offset": 3}, {"offset": 50}, {"limit": 0}, {"limit": 3}, {"limit": -1},
    {"offset": -1}, {"limit": 2147483648}, {"orderBy": by("__name__"), "startAt": cursor(name("p/p2")), "offset": 1, "limit": 2}, {"limit": "3"},
    {"limit": {"value": 3}})
case(
    "collection groups and parents", *PEOPLE, query("p", group=True), query("p", group=True, where=where("a", "GREATER_THAN", whole(9))),
    query("p", group=True, orderBy=by("-__name__")), query("p", below="/p/p1", group=True), query("p", below="/x/y", group=True),
    query("p", below="/p/p1"), query("o", below="/p/p1"), query("none"), query("none", group=True),
    query("p", group=True, where=where("__name__", "GREATER_THAN_OR_EQUAL", name("p/p2"))), query("p/p1/o"), query("__x__"), query("p", below="/p"),
    query("p", below="/p/none"))
case(
    "malformed queries", *PEOPLE, ("POST", ":runQuery", {}), ("POST", ":runQuery", {"structuredQuery": {}}),
    ("POST", ":runQuery", {"structuredQuery": {"from": []}}),
    ("POST", ":runQuery", {"structuredQuery": {"from": [{"collectionId": "p"}, {"collectionId": "x"}]}}), query("p", where={}),
    query("p", where={"fieldFilter": {"field": field("a"), "value": whole(1)}}),
    query("p", where={"fieldFilter": {"field": field("a"), "op": "NEAR", "value": whole(1)}}),
    query("p", where={"fieldFilter": {"field": field("a"), "op": "EQUAL"}}), query("p", where={"compositeFilter": {"filters": [A1]}}),
    query("p", where=where("a..b", "EQUAL", whole(1))), query("p", where=where("", "EQUAL", whole(1))), query("p", what=1),
    query("p", orderBy=[{"field": field("a"), "direction": "UP"}]))
SIX = [whole(number) for number in range(6)]
queries(
    "limits of conditions",
    *(
        {"where": condition} for condition in (
            where("a", "IN", array(*map(whole, range(30)))), where("a", "IN", array(*map(whole, range(31)))),
            where("a", "NOT_IN", array(*map(whole, range(10)))), where("a", "NOT_IN", array(*map(whole, range(11)))),
            both(where("a", "IN", array(*SIX)), where("b", "IN", array(*SIX[:5]))),
            both(where("a", "IN", array(*SIX)), where("b", "IN", array(*SIX))),
            both(where("a", "NOT_IN", array(*SIX)), where("b", "IN", array(*SIX))),
            both(where("a", "NOT_IN", array(*SIX)), where("b", "NOT_EQUAL", whole(1))), either(where("a", "NOT_IN", array(*SIX)), A1),
            either(where("a", "NOT_EQUAL", whole(1)), A1), both(*(where(f"f{index}", "GREATER_THAN", whole(1)) for index in range(10))),
            both(*(where(f"f{index}", "GREATER_THAN", whole(1))
                   for index in range(11))), both(where("tags", "ARRAY_CONTAINS_ANY", array(*SIX)), where("a", "IN", array(*SIX[:5]))),
            both(where("tags", "ARRAY_CONTAINS_ANY", array(*SIX)), where("a", "NOT_IN", array(*SIX))))))

# MARK: Aggregations

NUMBERS = {
    "mixed": [whole(1), whole(2), real(0.5), text("x"), NULL,
              truth(True), array(whole(1)), members(a=whole(1)), None],
    "wholes": [whole(1), whole(2), whole(3)],
    "over": [whole(MOST), whole(1)],
    "back": [whole(MOST), whole(1), whole(-1)],
    "under": [whole(-MOST - 1), whole(-1)],
    "nan": [whole(1), NAN],
    "infinities": [real("Infinity"), real("-Infinity")],
    "infinity": [real("Infinity"), whole(1)],
    "fractions": [real(0.5), real(0.25)],
    "precise": [whole(2**53 + 1), real(1.0)],
    "large": [whole(MOST), whole(MOST)],
    "texts": [text("x"), text("y")],
    "whole_doubles": [real(1.0), real(2.0)],
}
SEED = [
    commit(
        *(
            update(f"{collection}/d{index}", w=whole(1), **({} if value is None else {"v": value})) for collection, values in NUMBERS.items()
            for index, value in enumerate(values)))
]


def count(alias=None, most=None):
    return {"count": {} if most is None else {"upTo": str(most)}} | ({"alias": alias} if alias else {})


def total(path, alias=None):
    return {"sum": {"field": field(path)}} | ({"alias": alias} if alias else {})


def mean(path, alias=None):
    return {"avg": {"field": field(path)}} | ({"alias": alias} if alias else {})


case(
    "sums and means", *SEED,
    *(aggregate(structured(collection), count("n"), total("v", "s"), mean("v", "a")) for collection in [*NUMBERS, "nothing"]))
case(
    "counts", *SEED,
    *(
        aggregate(structured("mixed", **parts), *listed) for parts, listed in (
            ({}, [count("n", 2)]), ({}, [count("n", 100)]), ({}, [count("n", -1)]), ({"limit": 2}, [count("n")]), ({"offset": 2}, [count("n")]),
            ({"limit": 3}, [count("n", 2)]), ({"where": where("v", "GREATER_THAN", whole(0))}, [count("n"), total("v", "s")]),
            ({"orderBy": by("v")}, [count("n")]), ({}, [count("n"), total("v", "s")]), ({}, [count("n"), mean("v", "a")]),
            ({}, [count("n"), total("v", "sv"), total("w", "sw")]), ({"offset": 5, "limit": 1}, [count("n"), total("v", "s")]),
            ({"limit": 6}, [count("n"), total("v", "s")]), ({"orderBy": by("v")}, [count("n"), total("w", "s")]))))
case(
    "aliases", *SEED,
    *(
        aggregate(structured("wholes"), *listed) for listed in (
            [count(), total("v"), mean("v")], [count("field_1"), total("v")],
            [count("a"), count("b"), total("v", "c"), mean("v", "d"), count("e", 1)], [], [count("x"), total("v", "x")], [count("a.b")],
            [count("a b")], [count("__x__")], [count("é")], [total("__name__", "s")], [total("a..b", "s")], [{"sum": {}, "alias": "s"}],
            [{"alias": "x"}])), aggregate(structured("wholes", limit=-1), count("n")),
    aggregate(structured("wholes", select={"fields": [field("w")]}), total("v", "s")),
    aggregate(structured("wholes"), total("none", "s"), mean("none", "a")))

case("a count up to nothing", *SEED, aggregate(structured("mixed"), count("n", 0)))
case("six aggregations", *SEED, aggregate(structured("wholes"), *(count(alias) for alias in "abcdef")))

# MARK: Lists

LISTED = [
    commit(
        *(
            update(path, n=whole(index), m=truth(True))
            for index, path in enumerate(["c/a", "c/b", "c/c", "c/m/s/x", "c/m/s/y", "c/a/s/1", "c/a/t/2", "d/b", "c/z/y/y"])))
]
case(
    "lists", *LISTED,
    *(
        ("GET", f"/c{query}", None) for query in (
            "", "?pageSize=2", "?pageSize=2&pageToken=@P", "?showMissing=true", "?showMissing=true&pageSize=2",
            "?showMissing=true&pageSize=2&pageToken=@P", "?orderBy=n%20desc", "?orderBy=__name__%20desc", "?orderBy=n&pageSize=1", "?orderBy=none",
            "?orderBy=n,", "?orderBy=n%20up", "?showMissing=true&orderBy=n", "?pageSize=-1", "?pageSize=0", "?mask.fieldPaths=n",
            "?mask.fieldPaths=a..b", "?pageSize=1000000")), get("c/a/s"), get("c/e/s"), get("none"))
case("a list without a mask `_none_`", *LISTED, get("c?showMissing=true&mask.fieldPaths=_none_&pageSize=300"))
case("slashes", *LISTED, *(get(path) for path in ("c/", "c/a/s/", "/", "c//", "c/a//s")))
case("a list of all collections below a document", *LISTED, get("c/a/"))
case("page tokens of others", *LISTED, get("c?pageToken=x"), ("POST", ":listCollectionIds", {"pageSize": 1, "pageToken": "c"}))
case(
    "collections", *LISTED,
    *(
        ("POST", f"{below}:listCollectionIds", body) for below, body in (
            ("", {}), ("/c/a", {}), ("/c/m", {}), ("/c/none", {}), ("/c", {}), ("", {"pageSize": 1}), ("", {"pageSize": -1}), ("", {"pageSize": 100}),
            ("", {"x": 1}))))

# MARK: Limits


def nested(levels, mixed):
    value = whole(1)
    for level in range(levels):
        value = array(value) if mixed and level % 2 == 0 else members(m=value)
    return value


LONG = text("x" * (LONGEST_TEXT + 1))
case(
    "limits of values",
    *(
        commit(update("c/x", **fields)) for fields in (
            {"s": text("x" * LONGEST_TEXT)}, {"s": LONG}, {"b": raw(b"x" * (LONGEST_TEXT + 1))}, {"s": text("€" * (LONGEST_TEXT // 3 + 1))},
            {"a": array(LONG)}, {"m": members(s=LONG)}, {"a": array(members(s=LONG))}, {"a": text("x" * 500_000), "b": text("x" * 500_000)},
            {"a": text("x" * 600_000), "b": text("x" * 600_000)}, {"m": members(a=text("x" * 600_000), b=text("x" * 600_000))})))
case(
    "limits of names",
    *(
        commit(update("c/x", **fields)) for fields in (
            {"n" * 1500: whole(1)}, {"n" * 1501: whole(1)}, {"é" * 751: whole(1)}, {"m": members(**{"k" * 1498: whole(1)})},
            {"m": members(**{"k" * 1499: whole(1)})}, {"m": members(n=members(**{"k" * 1497: whole(1)}))},
            {"long": array(members(**{"k" * 1495: whole(1)}))})),
    *(
        commit(update(path, a=whole(1)))
        for path in (f"{'c' * 1500}/x", f"{'c' * 1501}/x", f"c/{'d' * 1500}", f"c/{'d' * 1501}", f"c/x/{'s' * 1501}/y", f"c/{'é' * 751}")))
case(
    "limits of depth",
    *(commit(update("c/x", f=nested(levels, mixed))) for levels, mixed in ((20, False), (21, False), (20, True), (21, True), (22, True))))
case("limits of paths", *(commit(update("/".join(["c"] * segments), a=whole(1))) for segments in (100, 200, 202)))

# MARK: Transactions

ONE = commit(update("c/d", n=whole(1)))
case(
    "a transaction", ONE, begin(), read("c/d", "c/m", transaction="@X0"), query("c", more={"transaction": "@X0"}),
    commit(update("c/d", n=whole(2)), transaction="@X0"), get("c/d"), commit(update("c/d", n=whole(3)), transaction="@X0"),
    read("c/d", transaction="@X0"), rollback("@X0"))
case(
    "a rolled back transaction", ONE, begin(readWrite={}), read("c/d", transaction="@X0"), rollback("@X0"), rollback("@X0"),
    read("c/d", transaction="@X0"), commit(update("c/d", n=whole(3)), transaction="@X0"), get("c/d"))
case(
    "a read-only transaction", ONE, begin(readOnly={}), read("c/d", transaction="@X0"), commit(update("c/d", n=whole(2))),
    read("c/d", transaction="@X0"), commit(update("c/d", n=whole(3)), transaction="@X0"))
case("an empty transaction", begin(), commit(transaction="@X0"))
case(
    "a transaction whose precondition fails", ONE, begin(), commit(update("c/d", condition=MISSING, n=whole(2)), transaction="@X0"),
    read("c/d", transaction="@X0"))
case(
    "transactions that reads begin", ONE, read("c/d", newTransaction={"readOnly": {}}), query("c", more={"newTransaction": {"readWrite": {}}}),
    rollback("@X1"), query("none", more={"newTransaction": {"readOnly": {}}}))
case("a transaction that begins with no read", read(newTransaction={"readWrite": {}}))
case(
    "malformed transactions", rollback("AAAA"), rollback(""), ("POST", ":rollback", {}), commit(transaction="*"),
    ("POST", ":beginTransaction", {"options": {"readOnly": {}, "readWrite": {}}}), ("POST", ":beginTransaction", {"options": {"x": 1}}),
    read("c/d", transaction="AAAA"))
case(
    "reads of a time", ONE, commit(update("c/d", n=whole(2))), read("c/d", readTime="@T0"), query("c", more={"readTime": "@T0"}),
    read("c/d", readTime="2001-01-01T00:00:00Z"), read("c/d", readTime="2999-01-01T00:00:00Z"))

# MARK: REST

case("an empty commit", ("POST", ":commit", {}), ("POST", ":commit", None))
case(
    "commits", ("POST", ":commit", {"writes": "x"}), ("POST", ":commit", {"x": 1}), ("POST", ":commit", {"writes": [1]}), ("POST", ":commit", []),
    ("POST", ":commit", "x"),
    commit(
        {"update": {"name": f"{ROOT}/c/l", "fields": {"i": {"integerValue": 5}, "d": {"doubleValue": "1.5"}}},
         "current_document": {"exists": False}}), get("c/l"), commit({"update": {"name": f"{ROOT}/c/l", "fields": None}}), commit({"update": None}),
    commit({"update": {"name": f"{ROOT}/c/t", "createTime": "2020-01-01T00:00:00Z", "fields": {}}}))
case(
    "reads of several documents", ONE, read("c/d", "c/zz", "c/d"), read(), read("c"), ("POST", ":batchGet", {"documents": ["x"]}),
    read("c/d", mask={"fieldPaths": ["n", "z"]}), read("c/d", mask={"fieldPaths": []}), read("c/d", mask={"fieldPaths": ["a..b"]}),
    ("POST", ":batchGet", {}))
case("methods and verbs", ONE, ("POST", ":nosuchverb", {}), ("PUT", "/c/d", {}), ("POST", ":write", {}), ("POST", ":listen", {}))
case("parameters", ONE, get("c/d?alt=json&prettyPrint=false&key=x"), get("c/d?$alt=json"), get("c/d?mask.field_paths=n"))
