// SPDX-License-Identifier: Apache-2.0

/// Fields of documents in native JSON.
extension Grower {
    static let documentBodies: [Grower] = [
        fields("fields", "{#}", #""a§":1"#),
        fields("maps with names in falling order", "{#}", #""z§":{"b":§,"a":1}"#),
        Grower("documentbodies", "the same field", isAccepted: false) { filled("{#}", repeated($0, #""a":1"#)) },
        fields("names with a dollar sign", "{#}", #""$$a§":1"#),
        fields("paths", "{#}", #""a.b§":1"#),
        fields("long paths", "{#}", #""a.b.c.d.e.f.g.h.`x§`":1"#),
        fields("elements", #"{"a":[#]}"#, "1.5"),
        fields("maps in a list", #"{"a":[#]}"#, #"{"b":§}"#),
        fields("times", #"{"a":[#]}"#, #"{"$time":"2026-11-23T10:00:00.000001Z"}"#),
        fields("references", #"{"a":[#]}"#, #"{"$ref":"users/u§"}"#),
        fields("vector", #"{"a":{"$vector":[#]}}"#, #"{"$double":"1"}"#),
        fields("union", #"{"a":{"$union":[#]}}"#, "§"),
        fields("union of the same", #"{"a":{"$union":[#]}}"#, #""x""#),
        fields("removal", #"{"a":{"$remove":[#]}}"#, "§"),
        fields("transforms", "{#}", #""a§":{"$increment":1}"#),
        fields("transforms in maps", "{#}", #""m§":{"a":{"$now":true},"b":1}"#),
        fields("deletions", "{#}", #""a§":{"$delete":true}"#),
        shape("long text", ##"{"a":"#"}"##, "a"),
        shape("escapes", ##"{"a":"#"}"##, "\\u0041"),
        shape("bytes", ##"{"a":{"$bytes":"#"}}"##, "AAAA"),
        shape("long name", ##"{"#":1}"##, "a"),
        shape("digits of a double", ##"{"a":{"$double":"1#"}}"##, "0"),
        shape("fraction of a time", ##"{"a":{"$time":"2026-11-23T10:00:00.#Z"}}"##, "0"),
        shape("path of a reference", ##"{"a":{"$ref":"#a"}}"##, "a/a/"),
    ]

    private static func fields(_ name: String, _ template: String, _ unit: String) -> Grower {
        Grower("documentbodies", name) { filled(template, repeated($0, unit)) }
    }

    private static func shape(_ name: String, _ template: String, _ unit: String) -> Grower { text("documentbodies", name, template, unit) }
}
