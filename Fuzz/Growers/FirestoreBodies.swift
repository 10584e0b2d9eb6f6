// SPDX-License-Identifier: Apache-2.0

/// Bodies of Firestore's REST API.
extension Grower {
    static let firestore: [Grower] = [
        body("deletions", #"{"writes":[#{"delete":"N/c/d"}]}"#, #"{"delete":"N/c/d"},"#),
        body("updates", #"{"writes":[#{"delete":"N/c/d"}]}"#, #"{"update":{"name":"N/c/§","fields":{"a":{"integerValue":"1"}}}},"#),
        field("fields", #"{#"z":{"nullValue":null}}"#, #""a§":{"integerValue":"1"},"#),
        field("elements", #"{"a":{"arrayValue":{"values":[#{"nullValue":null}]}}}"#, #"{"integerValue":1},"#),
        field(
            "vector",
            #"{"a":{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"value":{"arrayValue":{"values":[#{"doubleValue":1}]}}}}}}"#,
            #"{"doubleValue":1},"#),
        field("members of a map", #"{"a":{"mapValue":{"fields":{#"z":{"nullValue":null}}}}}"#, #""a§":{"booleanValue":true},"#),
        field("bytes", ##"{"a":{"bytesValue":"#"}}"##, "AAA_"),
        field("long text", ##"{"a":{"stringValue":"#"}}"##, "\\u0041"),
        field("long number", ##"{"a":{"doubleValue":"1#"}}"##, "0"),
        field("long integer", ##"{"a":{"integerValue":"#1"}}"##, "0"),
        field("long type", ##"{"a":{"#Value":1}}"##, "a_a"),
        body("mask", ##"{"writes":[{"update":{"name":"N/c/d"},"updateMask":{"fieldPaths":[#"b"]}}]}"##, #""a§","#),
        body(
            "transforms", ##"{"writes":[{"update":{"name":"N/c/d"},"updateTransforms":[#{"fieldPath":"z","increment":{"integerValue":1}}]}]}"##,
            #"{"fieldPath":"a§","increment":{"integerValue":1}},"#),
        body(
            "operands",
            ##"{"writes":[{"update":{"name":"N/c/d"},"updateTransforms":[{"fieldPath":"z","appendMissingElements":{"values":[#{"integerValue":1}]}}]}]}"##,
            #"{"integerValue":§},"#),
        body("documents", ##"{"documents":[#"N/c/d"]}"##, #""N/c/§","#),
        query(
            "conditions", ##""where":{"compositeFilter":{"op":"AND","filters":[#{"unaryFilter":{"op":"IS_NULL","field":{"fieldPath":"a"}}}]}}"##,
            #"{"fieldFilter":{"op":"GREATER_THAN","field":{"fieldPath":"f§"},"value":{"integerValue":1}}},"#),
        query(
            "empty filters", ##""where":{"compositeFilter":{"op":"OR","filters":[#{"compositeFilter":{"op":"AND"}}]}}"##,
            #"{"compositeFilter":{"op":"AND"}},"#),
        query(
            "list of values",
            ##""where":{"fieldFilter":{"op":"IN","field":{"fieldPath":"a"},"value":{"arrayValue":{"values":[#{"integerValue":1}]}}}}"##,
            #"{"integerValue":§},"#),
        query("orders", ##""orderBy":[#{"field":{"fieldPath":"a"}}]"##, #"{"field":{"fieldPath":"f§"}},"#),
        query("cursor", ##""startAt":{"values":[#{"integerValue":1}]}"##, #"{"integerValue":1},"#),
        query("projection", ##""select":{"fields":[#{"fieldPath":"a"}]}"##, #"{"fieldPath":"f§"},"#),
        query("collections", ##""from":[#{"collectionId":"a"}]"##, #"{"collectionId":"a"},"#),
        body("long name", ##"{"documents":["N/c/#"]}"##, "a"),
        body("unknown members", ##"{#"documents":[]}"##, #""a§":1,"#),
    ]

    private static func body(_ name: String, _ body: String, _ unit: String) -> Grower {
        text("firestore", name, body.replacing("N/", with: firestoreRoot), unit.replacing("N/", with: firestoreRoot))
    }

    private static func field(_ name: String, _ fields: String, _ unit: String) -> Grower {
        body(name, #"{"writes":[{"update":{"name":"N/c/d","fields":"# + fields + "}}]}", unit)
    }

    private static func query(_ name: String, _ member: String, _ unit: String) -> Grower {
        body(name, #"{"structuredQuery":{"# + member + "}}", unit)
    }
}
