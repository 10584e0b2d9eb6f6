// SPDX-License-Identifier: Apache-2.0

/// A JSON value of about `n` parts.
struct JSONShape: Sendable {
    let name: String
    /// False for text that is not JSON or has values for which a decoder may reject the whole request.
    var isValid = true
    let value: @Sendable (_ n: Int) -> [UInt8]

    private static let deepest = 400

    static let all: [JSONShape] =
        [
            JSONShape(name: "object of members") { filled("{#}", repeated($0, #""k§":0"#)) },
            JSONShape(name: "object of the same member") { filled("{#}", repeated($0, #""k":0"#)) },
            JSONShape(name: "object with escaped names") { filled("{#}", repeated($0, #""\u006b§":0"#)) },
            JSONShape(name: "object with half a surrogate pair in each name") { filled("{#}", repeated($0, #""\ud800§":0"#)) },
            JSONShape(name: "object of objects") { filled("{#}", repeated($0, #""k§":{"a":"b"}"#)) },
            JSONShape(name: "object of strings") { filled("{#}", repeated($0, #""k§":"v§""#)) },
            JSONShape(name: "one long name") { filled(##"{"#":0}"##, repeated($0, "a", separator: "")) },
            JSONShape(name: "array of integers") { filled("[#]", repeated($0, "§")) },
            JSONShape(name: "array of strings") { filled("[#]", repeated($0, #""v§""#)) },
            JSONShape(name: "array of pairs") { filled("[#]", repeated($0, #"["k§","v"]"#)) },
            JSONShape(name: "array of empty arrays") { filled("[#]", repeated($0, "[]")) },
            JSONShape(name: "array of objects") { filled("[#]", repeated($0, #"{"k":§}"#)) },
            JSONShape(name: "deep arrays") { nests($0, deepest, "[", "]") },
            JSONShape(name: "deep objects") { nests($0, deepest, #"{"a":"#, "}") },
            JSONShape(name: "one deep array with many leaves") {
                filled("#[#]#", repeated(min($0, 300), "[", separator: ""), repeated($0, "0"), repeated(min($0, 300), "]", separator: ""))
            },
        ] + strings + numbers + broken

    private static let strings = [
        string("long string", "a"),
        string("string of escapes", #"\n"#),
        string("string of Unicode escapes", #"\u00e9"#),
        string("string of surrogate pairs", #"\ud83d\ude00"#),
        string("string of halves of surrogate pairs", #"\ud800"#),
        string("string of three-byte characters", "\u{20ac}"),
        string("string of combining marks", "\u{301}"),
        string("string of spaces", " "),
        string("string of line ends", #"a\n"#),
        string("string of digits", "7"),
    ]

    private static let numbers = [
        JSONShape(name: "long integer") { filled("1#", repeated($0, "0", separator: "")) },
        JSONShape(name: "long fraction") { filled("0.#1", repeated($0, "0", separator: "")) },
        JSONShape(name: "long number of digits on both sides") { filled("1#.#", repeated($0, "7", separator: ""), repeated($0, "3", separator: "")) },
        JSONShape(name: "long exponent") { filled("1e#1", repeated($0, "0", separator: "")) },
        JSONShape(name: "array of fractions") { filled("[#]", repeated($0, "1.§e-3")) },
        JSONShape(name: "whitespace") { filled("#0", repeated($0, " ", separator: "")) },
    ]

    private static let broken = [
        invalid("array of NaN") { filled("[#]", repeated($0, "NaN")) },
        invalid("array of -Infinity") { filled("[#]", repeated($0, "-Infinity")) },
        invalid("array of minus signs") { filled("[#]", repeated($0, "-")) },
        invalid("object of NaN") { filled("{#}", repeated($0, #""k§":NaN"#)) },
        invalid("one long word") { repeated($0, "n", separator: "") },
        invalid("commas") { filled("[#]", repeated($0, "")) },
        invalid("arrays past every limit of depth") { filled("#0#", repeated($0, "[", separator: ""), repeated($0, "]", separator: "")) },
        invalid("unclosed arrays") { repeated($0, "[", separator: "") },
        invalid("unclosed objects") { repeated($0, #"{"a":"#, separator: "") },
        invalid("several arrays past the limit of depth") { nests($0, 600, "[", "]") },
        invalid("several deep arrays of NaN") { nests($0, 600, "[NaN,", "]") },
        invalid("string with bytes that are not UTF-8") { n in [0x22] + [UInt8](repeating: 0xff, count: n) + [0x22] },
        invalid("string with an unknown escape at its end") { filled(##""#\x""##, repeated($0, "a", separator: "")) },
        invalid("quotes") { repeated($0, #"""#, separator: "") },
        invalid("backslashes") { repeated($0, #"\"#, separator: "") },
    ]

    private static func string(_ name: String, _ unit: String) -> JSONShape {
        JSONShape(name: name) { n in [0x22] + repeated(n, unit, separator: "") + [0x22] }
    }

    private static func invalid(_ name: String, _ value: @escaping @Sendable (Int) -> [UInt8]) -> JSONShape {
        JSONShape(name: name, isValid: false, value: value)
    }

    /// An array of nested values with `n` levels in total, each at most `depth` deep.
    private static func nests(_ n: Int, _ depth: Int, _ open: String, _ close: String) -> [UInt8] {
        filled("[##]", repeated(n / depth, nest(depth, open, close) + ",", separator: ""), Array(nest(n % depth, open, close).utf8))
    }

    private static func nest(_ depth: Int, _ open: String, _ close: String) -> String {
        String(repeating: open, count: depth) + "0" + String(repeating: close, count: depth)
    }
}
