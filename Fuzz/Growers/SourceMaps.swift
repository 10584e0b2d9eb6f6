// SPDX-License-Identifier: Apache-2.0

extension Grower {
    /// Source maps and generated files.
    static let sourceMaps = maps + indexMaps + generatedFiles

    private static let maps: [Grower] = [
        map("mappings of a line", ##""sources":["a"],"mappings":"#""##, "CAAA,"),
        map("mappings of a column", ##""sources":["a"],"mappings":"#""##, "AAAA,"),
        map("mappings backwards", ##""sources":["a"],"mappings":"ggggggC#""##, ",D"),
        map("mappings up and down", ##""sources":["a"],"mappings":"#""##, "gggC,nggC,"),
        map("mappings without a source", ##""mappings":"#""##, "C,"),
        map("lines", ##""mappings":"#""##, ";"),
        map("lines of one mapping", ##""sources":["a"],"names":["n"],"mappings":"#""##, "AAAAA;"),
        map("commas", ##""mappings":"#""##, ","),
        map("escaped mappings", ##""sources":["a"],"mappings":"#""##, #"\u0041AAA,"#),
        map("one long number", ##""mappings":"#""##, "g"),
        map("sources", ##""sources":[#0],"mappings":"AAAA""##, #""a§","#),
        map("sources of a long root", ##""sourceRoot":"#","sources":[#0],"mappings":"AAAA""##, "r", #""a§","#),
        map("contents", ##""sources":["a"],"sourcesContent":[#0],"mappings":"AAAA""##, #""let a\n§","#),
        map("contents of no source", ##""sourcesContent":[#0],"mappings":"""##, #""a","#),
        map("one long content", ##""sources":["a"],"sourcesContent":["#"],"mappings":"AAAA""##, #"\u00e9"#),
        map("names", ##""sources":["a"],"names":[#0],"mappings":"AAAAA""##, #""n§","#),
        map("one long name", ##""sources":["a"],"names":["#"],"mappings":"AAAAA""##, "n"),
        map("names × mappings", ##""names":[#0],"sources":["a"],"mappings":"#""##, #""n","#, "AAAAC,"),
        map("ignored sources", ##""sources":[#0],"ignoreList":[#0],"mappings":"""##, #""a","#, "§,"),
        map("unknown members", ##"#"mappings":"""##, #""k§":0,"#),
        map("the same member", ##"#"mappings":"""##, #""mappings":"AAAA","#),
        map("members of extensions", ##""x_sources":[#0],"mappings":"""##, "[{\"names\":[]}],"),
    ]

    private static let indexMaps: [Grower] = [
        map(
            "sections", ##""sections":[#]"##, #"{"offset":{"line":§,"column":0},"map":{"sources":["a"],"names":["n"],"mappings":"AAAAA;;;"}}"#,
            separator: ","),
        map(
            "sections of a line", ##""sections":[#]"##, #"{"offset":{"line":0,"column":§},"map":{"sources":["a"],"mappings":"AAAA,CAAA,CAAA"}}"#,
            separator: ","),
        map(
            "sections with many sources", ##""sections":[#]"##,
            #"{"offset":{"line":§,"column":0},"map":{"sourceRoot":"r","sources":["a","b","c","d"],"ignoreList":[0,1],"mappings":""}}"#, separator: ","
        ),
        map("sections out of order", ##""sections":[#]"##, #"{"map":{"mappings":""}}"#, separator: ","),
        map("sections in sections", ##""sections":[#]"##, #"{"map":{"sections":[]}}"#, separator: ","),
    ]

    private static func map(_ name: String, _ template: String, _ unit: String, _ rest: String = "", separator: String = "") -> Grower {
        Grower("sourcemaps", name, isAccepted: false) { n in
            filled("{\"version\":3," + template + "}", repeated(n, unit, separator: separator), repeated(rest.isEmpty ? 0 : n, rest, separator: ""))
        }
    }

    private static let generatedFiles: [Grower] = [
        text("generatedfiles", "functions", "#", "function a(b){}"),
        text("generatedfiles", "methods", "#", "a(b){},"),
        text("generatedfiles", "open parentheses", "#", "a("),
        text("generatedfiles", "closed parentheses", "a#b#{", "(", ")"),
        text("generatedfiles", "spaces", "a#=b", " "),
        text("generatedfiles", "identifiers", "a=#", "a"),
        text("generatedfiles", "lines", "#", "\n"),
        text("generatedfiles", "lines of code", "#", "a=function(){}\n"),
        text("generatedfiles", "comments", "#", "//# sourceMappingURL=a.map\n"),
        text("generatedfiles", "comments of a debug ID", "#", "//# debugId=8a5e1f3c-0b7d-4c56-9d1f-2b6f0e7a9c34\n"),
        text("generatedfiles", "one long comment", "//# sourceMappingURL=#", "a"),
        text("generatedfiles", "indented comments", "#", " //# x\n"),
        text("generatedfiles", "long characters", "#", "\u{1f600}"),
    ]
}
