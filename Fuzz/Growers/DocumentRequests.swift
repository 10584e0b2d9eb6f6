// SPDX-License-Identifier: Apache-2.0

/// Bodies of the native routes of documents, and test cases of rules.
extension Grower {
    static let documentRequests: [Grower] = [
        list("patterns", #"{"patterns":[#]}"#, #"{"path":"c§/{uid}"}"#),
        request("long path of a person", ##"{"patterns":[{"path":"#users/{uid}"}]}"##, "a/{b}/"),
        request("deep path of a person", ##"{"patterns":[{"path":"#users/{uid}/**"}]}"##, "a/b/"),
        request("long name in a path", ##"{"patterns":[{"path":"users/{#}/a/{uid}"}]}"##, "a"),
        list("private fields", #"{"patterns":[{"collection":"orders","field":"owner","private":[#]}]}"#, #""a§.b""#),
        request("long field of a person", ##"{"patterns":[{"collection":"orders","field":"#a"}]}"##, "a."),
        request("quoted field of a person", ##"{"patterns":[{"collection":"orders","field":"`#`"}]}"##, "a\\\\"),
        list("fields of a line", #"{"path":"c/d","fields":{#}}"#, #""a§":1"#),
        list("patterns of a line", #"{"setting":"persons","value":{"patterns":[#]}}"#, #"{"path":"c§/{uid}"}"#),
        list("indexes of a line", #"{"setting":"indexes","value":{"indexes":[#]}}"#, index),
        request("rules of a line", ##"{"setting":"rules","value":{"source":"#"}}"##, "match /a { \\u0061 "),
        request("path of a line", ##"{"path":"#a/b","fields":{}}"##, "a/b/"),
        list("indexes", #"{"indexes":[#]}"#, index),
        list("fields of an index", #"{"indexes":[{"collectionGroup":"c","fields":[#]}]}"#, #"{"fieldPath":"a§","order":"ASCENDING"}"#),
        list("overrides", #"{"fieldOverrides":[#]}"#, #"{"collectionGroup":"c","fieldPath":"a§","indexes":[{"order":"ASCENDING"}]}"#),
        list("overrides with many indexes", #"{"fieldOverrides":[#]}"#, overrides),
        list("times", #"{"fields":[#]}"#, #"{"collection":"c§","field":"at"}"#),
        list("targets", #"{"targets":[#]}"#, #"{"target":1§,"document":"c/d§"}"#),
        list("queries", #"{"add":[#]}"#, #"{"target":1§,"query":{"from":"c","where":["a","==",§]}}"#),
        list("known versions", #"{"targets":[{"target":1,"document":"c/d","known":{#}}]}"#, #""c/d§":1"#),
        list("conditions", #"{"from":"c","where":{"and":[#]}}"#, #"["a§",">=",1]"#),
        list("alternatives", #"{"from":"c","where":{"or":[#]}}"#, #"["a","==",§]"#),
        list("orders", #"{"from":"c","order":[#]}"#, #"["a§","desc"]"#),
        list("selection", #"{"from":"c","select":[#]}"#, #""a§""#),
        request("nested conditions", ##"{"from":"c","where":#["a","==",1]#}"##, #"{"and":["#, "]}"),
        list("writes", #"{"writes":[#]}"#, #"{"set":"c/d§","fields":{"a":1}}"#),
        list("transforms", #"{"writes":[{"update":"c/d","fields":{#}}]}"#, #""a§":{"$increment":1}"#),
        list("reads", #"{"reads":[#]}"#, #"{"path":"c/d§","version":1}"#),
        list("claims", #"{"get":"c/d","as":{"uid":"u","token":{#}}}"#, #""a§":[1]"#),
        Grower("documentrequests", "unknown members", isAccepted: false) { filled("{#}", repeated($0, #""a§":1"#)) },
    ]

    static let ruleCases: [Grower] = [
        cases("cases", "[#]", #"{expectation:"DENY",request:{path:"c/d§",method:"get"}}"#),
        cases("documents", one(#"documents:{#}"#), #""c/d§":{a:1}"#),
        cases("mocks", one(#"functionMocks:[#]"#), #"{function:"exists",args:[{exactValue:"c/d§"}],result:{value:false}}"#),
        cases("the same mock", one(#"functionMocks:[#]"#), #"{function:"get",args:[{anyValue:{}}],result:{value:{data:{}}}}"#),
        cases("fields of a resource", one(#"resource:{data:{#}}"#), "a§:1"),
        cases("elements of a resource", one(#"resource:{data:{a:[#]}}"#), "1"),
        text("rulecases", "maps in maps", one(#"resource:{data:{a:#1#}}"#), "{a:", "}"),
        text("rulecases", "long text", one(##"resource:{data:{a:"#"}}"##), "\\u0041"),
        text("rulecases", "long path", ##"[{expectation:"DENY",request:{path:"#c/d",method:"get"}}]"##, "a/b/"),
        text("rulecases", "comments", "#" + one("name:'a'"), "/* a */ // b\n"),
        cases("claims", #"[{expectation:"DENY",request:{path:"c/d",method:"get",auth:{uid:"u",token:{#}}}}]"#, "a§:1"),
        cases("conditions", list(#"where:[#]"#), #"["a§","==",1]"#),
        cases("alternatives", list(#"where:{or:[#]}"#), #"["a","==",§]"#),
        cases("orders", list(#"orderBy:{#}"#), #"a§:"ASC""#),
        text("rulecases", "nested conditions", list(#"where:#[["a","==",1]]#"#), "{and:[", "]}"),
        text(
            "rulecases", "rules of the body",
            ##"{"source":"service cloud.firestore { match /databases/{d}/documents { match /c/{x} { allow read: if #true; } } }","##
                + #""testCases":[{"expectation":"DENY","request":{"path":"c/d","method":"get"}}]}"#, "true && "),
    ]

    private static let index = #"{"collectionGroup":"c§","fields":[{"fieldPath":"a","order":"ASCENDING"},{"fieldPath":"b","order":"DESCENDING"}]}"#

    private static let overrides =
        #"{"collectionGroup":"c","fieldPath":"a§","indexes":["#
        + ["ASCENDING", "DESCENDING"].flatMap { order in
            ["COLLECTION", "COLLECTION_GROUP"].map { #"{"order":"\#(order)","queryScope":"\#($0)"}"# }
        }.joined(separator: ",") + "]}"

    private static func one(_ member: String) -> String { #"[{expectation:"DENY",request:{path:"c/d",method:"get"},"# + member + "}]" }

    private static func list(_ query: String) -> String {
        #"[{expectation:"DENY",request:{path:"c",method:"list",query:{"# + query + "}}}]"
    }

    private static func list(_ name: String, _ template: String, _ unit: String) -> Grower {
        Grower("documentrequests", name) { filled(template, repeated($0, unit)) }
    }

    private static func request(_ name: String, _ template: String, _ unit: String, _ rest: String = "") -> Grower {
        text("documentrequests", name, template, unit, rest)
    }

    private static func cases(_ name: String, _ template: String, _ unit: String) -> Grower {
        Grower("rulecases", name) { filled(template, repeated($0, unit)) }
    }
}
