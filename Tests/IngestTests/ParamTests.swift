// SPDX-License-Identifier: Apache-2.0

import Events
import Ingest
import Platform
import Testing

@Suite struct ParamTests {
    static func text(_ count: Int) -> String { "\"" + String(repeating: "é", count: count) + "\"" }

    static let fine = [
        #"{"a":1}"#, #"{"a":"x","b":-1.5e3,"c":true,"d":false,"e":null}"#, #"{ "a" : "x\ny" }"#, #"{"a":18446744073709551615}"#,
        #"{"a":"😀\ud83d\ude00"}"#, #"{"a":""}"#, #"{"items":[]}"#, #"{"items":null}"#, #"{"items":[{"item_id":"1","price":9.5},{}]}"#,
        "{\"a\":\(text(100))}", "{\"page_title\":\(text(300))}", "{\"page_referrer\":\(text(420))}", "{\"page_location\":\(text(1_000))}",
        "{\"error_description\":\(text(8_192))}", "{\"error_context\":\(text(8_192))}", "{\"reason\":\(text(8_192))}",
    ]

    @Test(arguments: fine)
    func `valid parameters are stored as sent`(params: String) throws {
        let submission = try decode(params: params)
        #expect(submission.told.isEmpty && submission.records[0].flags.isEmpty)
        #expect(submission.params == params)
        #expect(submission.records[0].params.source == .body)
    }

    @Test(arguments: ["{}", "{ }", "null"])
    func `an event without parameters stores none`(params: String) throws {
        #expect(try decode(params: params).records[0].params.isEmpty)
    }

    static let wrong: [(String, Reason, String)] = [
        (#""x y":1"#, .badParamName, "x y"), (#""1a":1"#, .badParamName, "1a"), (#""":1"#, .badParamName, ""), (#""_a":1"#, .badParamName, "_a"),
        (#""ga_x":1"#, .reservedParamName, "ga_x"), (#""firebase_screen":1"#, .reservedParamName, "firebase_screen"),
        (#""google_x":1"#, .reservedParamName, "google_x"), (#""\ud800":1"#, .badParamName, "?"), (#""x\u0000":1"#, .badParamName, "x\0"),
        ("\"a\":\(text(101))", .valueTooLong, "a"), ("\"page_title\":\(text(301))", .valueTooLong, "page_title"),
        ("\"page_referrer\":\(text(421))", .valueTooLong, "page_referrer"), ("\"page_location\":\(text(1_001))", .valueTooLong, "page_location"),
        ("\"error_description\":\(text(8_193))", .valueTooLong, "error_description"), ("\"reason\":\(text(8_193))", .valueTooLong, "reason"),
        ("\"error_context\":\(text(8_193))", .valueTooLong, "error_context"), (#""a":1e999"#, .numberOutOfRange, "a"),
        (#""a":123456789012345678901234567890"#, .numberOutOfRange, "a"), (#""a":{}"#, .badValue, "a"), (#""a":[1]"#, .badValue, "a"),
        (#""a":"\ud800""#, .badValue, "a"), (#""a":"x\u0000y""#, .badValue, "a"), (#""items":1"#, .badItems, "items"),
        (#""items":{}"#, .badItems, "items"), (#""items":"x""#, .badItems, "items"),
    ]

    @Test(arguments: wrong)
    func `an invalid parameter is dropped and the event is stored`(param: String, reason: Reason, name: String) throws {
        for params in ["{\(param),\"k\":1}", "{\"k\":1,\(param)}", "{ \"k\" : 1 , \(param) }"] {
            let submission = try decode(params: params)
            #expect(submission.told == ["0 \(reason.rawValue) params.\(name)"])
            #expect(submission.params == #"{"k":1}"#)
            #expect(submission.records[0].flags == .corrected)
            #expect(submission.outcomeWithoutStoring().accepted == 1)
        }
        #expect(try decode(params: "{\(param)}").records[0].params.isEmpty)
    }

    @Test(arguments: [#"{"a":1,"b":2,"a":3}"#, #"{"a":1,"b":2,"\u0061":3}"#, #"{"\u0061":1,"b":2,"a":3}"#])
    func `the last of duplicate parameters wins`(params: String) throws {
        let submission = try decode(params: params)
        #expect(submission.told == ["0 duplicate_param params.a"])
        #expect(submission.params == #"{"b":2,"a":3}"#)
    }

    @Test func `a dropped duplicate does not win`() throws {
        let submission = try decode(params: #"{"a":1,"a":{}}"#)
        #expect(submission.told == ["0 bad_value params.a"] && submission.params == #"{"a":1}"#)
    }

    /// An object with the members `p1`, `p2` and so on.
    private func numbered(_ count: Int) -> String { "{" + (1...count).map { "\"p\($0)\":\($0)" }.joined(separator: ",") + "}" }

    @Test func `25 parameters are stored and the others dropped`() throws {
        #expect(try decode(params: numbered(25)).told.isEmpty)
        let submission = try decode(params: numbered(27))
        #expect(submission.told == ["0 too_many_params params.p26", "0 too_many_params params.p27"])
        #expect(submission.params == numbered(25))
        #expect(try decode(params: numbered(256), rules: .open).told.isEmpty)
        #expect(try decode(params: numbered(257), rules: .open).told == ["0 too_many_params params.p257"])
    }

    @Test func `an app's own limits apply`() throws {
        let app = Given.app { settings in
            settings.limits.params = 1
            settings.limits.valueLength = 2
            settings.limits.items = 1
        }
        #expect(try decode(params: #"{"a":"xyz","b":1,"c":2}"#, app: app).told == ["0 value_too_long params.a", "0 too_many_params params.c"])
        #expect(try decode(params: #"{"items":[{},{}]}"#, app: app).told == ["0 too_many_items params.items"])
    }

    @Test func `escaped names are stored unescaped`() throws {
        let submission = try decode(params: #"{"\u0061b":"\u0061","items":[{"item\u005fid":"\u0062"}]}"#)
        #expect(submission.told.isEmpty && submission.records[0].flags.isEmpty)
        #expect(submission.params == #"{"ab":"\u0061","items":[{"item_id":"\u0062"}]}"#)
    }

    @Test func `the number of verdicts per event is limited`() throws {
        let params = "{" + (1...100).map { "\"p \($0)\":\($0)" }.joined(separator: ",") + ",\"k\":1}"
        let submission = try decode("[{\"name\":\"a\",\"params\":\(params)},{\"name\":\"b\",\"params\":{\"x y\":1}}]")
        #expect(submission.corrections.count == 26 && submission.corrections.last?.index == 1)
        #expect(submission.params == #"{"k":1}"#)
    }

    @Test func `a very long name is shortened in verdicts`() throws {
        let submission = try decode(params: "{\"\(String(repeating: "n", count: 5_000))\":1}")
        #expect(submission.corrections[0].field.utf8.count < 200 && submission.corrections[0].reason == .badParamName)
    }

    static let items: [(String, [String], String)] = [
        (#"[{"item_id":"a"},3,{"item_id":"b"}]"#, ["bad_items params.items[1]"], #"[{"item_id":"a"},{"item_id":"b"}]"#),
        (#"[{"x y":1,"item_id":"a"}]"#, ["bad_param_name params.items[0].x y"], #"[{"item_id":"a"}]"#),
        (#"[{"ga_x":1}]"#, ["reserved_param_name params.items[0].ga_x"], "[{}]"),
        (#"[{},{"a":[]},{"a":1,"a":2}]"#, ["bad_value params.items[1].a", "duplicate_param params.items[2].a"], #"[{},{},{"a":2}]"#),
        ("[{\"a\":\(text(101)),\"b\":\(text(100))}]", ["value_too_long params.items[0].a"], "[{\"b\":\(text(100))}]"),
        (#"[{"items":[]}]"#, ["bad_value params.items[0].items"], "[{}]"),
    ]

    @Test(arguments: items)
    func `items are validated like parameters`(items: String, told: [String], stored: String) throws {
        let submission = try decode(params: "{\"items\":\(items),\"k\":1}")
        #expect(submission.told == told.map { "0 " + $0 })
        #expect(submission.params == "{\"items\":\(stored),\"k\":1}")
    }

    @Test func `27 parameters per item and 200 items are stored`() throws {
        #expect(try decode(params: "{\"items\":[\(numbered(27))]}").told.isEmpty)
        #expect(try decode(params: "{\"items\":[\(numbered(28))]}").told == ["0 too_many_params params.items[0].p28"])
        func items(_ count: Int) -> String { "{\"items\":[" + repeatElement("{}", count: count).joined(separator: ",") + "]}" }
        #expect(try decode(params: items(200)).told.isEmpty)
        let submission = try decode(params: items(205))
        #expect(submission.told == ["0 too_many_items params.items"] && submission.params == items(200))
    }

    static let open: [(String, String?)] = [
        (#"{"any name!":{"deep":[1,{"x":null}]}}"#, nil), (#"{"items":3}"#, nil), (#"{"_x":1,"ga_x":2,"$y":3}"#, nil),
        ("{\"a\":\(text(8_192))}", nil), ("{\"a\":\(text(8_193))}", "0 value_too_long params.a"),
        ("{\"a\":[\"\(String(repeating: "x", count: 8_188))\"]}", nil),
        ("{\"a\":[\"\(String(repeating: "x", count: 8_189))\"]}", "0 value_too_long params.a"), (#"{"a":["\ud800"]}"#, "0 bad_value params.a"),
        (#"{"a":{"\u0000":1}}"#, "0 bad_value params.a"), (#"{"a":[1e999]}"#, "0 number_out_of_range params.a"),
        (#"{"":1}"#, "0 bad_param_name params."), ("{\"\(String(repeating: "é", count: 200))\":1}", nil),
    ]

    @Test(arguments: open)
    func `open rules allow nested values`(params: String, told: String?) throws {
        let submission = try decode(params: params, rules: .open)
        #expect(submission.told == (told.map { [$0] } ?? []))
        if told == nil { #expect(submission.params == params) }
    }

    private static func nested(_ levels: Int) -> String {
        String(repeating: #"[{"a":"#, count: levels / 2) + (levels % 2 == 0 ? "1" : "[]") + String(repeating: "}]", count: levels / 2)
    }

    @Test func `32 levels of a value are stored`() throws {
        #expect(try decode(params: "{\"x\":\(Self.nested(32))}", rules: .open).told.isEmpty)
        #expect(try decode(params: "{\"x\":\(Self.nested(31))}", rules: .open).told.isEmpty)
        let wide = "[" + repeatElement("[[]]", count: 50).joined(separator: ",") + "]"
        #expect(try decode(params: "{\"x\":\(wide)}", rules: .open).told.isEmpty)
    }

    @Test(arguments: [RuleSet.Names.firebase, .open], [33, 34, 508])
    func `a value nested too deeply is dropped, the other parameters are stored`(rules: RuleSet.Names, levels: Int) throws {
        let event = "{\"name\":\"a\",\"params\":{\"y\":1,\"x\":\(Self.nested(levels))}}"
        let submission = try decode("[{\"name\":\"good\"},\(event)]", rules: rules)
        #expect(submission.records.count == 2 && submission.told == ["1 bad_value params.x"])
        #expect(submission.text(submission.records[1].params) == #"{"y":1}"#)
        let message = submission.outcomeWithoutStoring().verdicts[0].message
        #expect(rules == .firebase || message == "Must have at most 32 levels, and strings without NUL or unpaired surrogates.")
    }

    @Test func `nesting beyond the parser's limit is reported as such`() throws {
        let refused = try #require(refusal("[{\"name\":\"a\",\"params\":{\"x\":\(Self.nested(510))}}]"))
        #expect(refused.code == .badRequest && refused.detail.hasPrefix("The body is nested more deeply than 512 levels at byte "))
    }

    @Test(arguments: ["1e400", "1e-400"])
    func `a number out of range is reported at either end`(number: String) throws {
        let verdict = try decode(params: "{\"x\":\(number)}").outcomeWithoutStoring().verdicts[0]
        #expect(verdict.reason == .numberOutOfRange && verdict.message == "Is a number too large or too close to zero to store.")
    }

    @Test func `the first of many corrections are listed`() throws {
        let params = "{" + (1...1_000).map { "\"p\($0)\":\($0)" }.joined(separator: ",") + "}"
        #expect(try decode(params: params, rules: .open).told.count == 25)
    }

    @Test func `the last of many duplicate parameters wins in any spelling`() throws {
        let names = (0..<300).map { "p\($0)" }
        let once = names.map { "\"\($0)\":0" }
        let again = names.map { "\"\\u0070\($0.dropFirst())\":1" }
        let kept = try decode(params: "{\((once + again).joined(separator: ","))}", rules: .open)
        #expect(kept.params == "{" + names.prefix(256).map { "\"\($0)\":1" }.joined(separator: ",") + "}")
    }
}
