// SPDX-License-Identifier: Apache-2.0

/// Generates parameters in all spellings that JSON allows.
extension LogMaker {
    mutating func param(_ name: String) -> LoggedEvent.Param {
        if chance(0.2) { return .init(name: name, json: "null", text: nil) }
        if chance(0.2) { return nested(name) }
        return scalar(name)
    }

    mutating func scalar(_ name: String) -> LoggedEvent.Param {
        if chance(0.5) {
            let json = pick(["5", "-2", "3.50", "1e3", "0", "12", "3.0", "0.7e1", "true", "false"])
            return .init(name: name, json: json, text: json)
        }
        return text(
            name,
            pick([
                "red", "blue", "(none)", "cafe\u{301}", "caf\u{e9}", "dark blue", "", "12", "3", "na\u{ef}ve", "\u{1f600}!", "a\tb\n",
                "\"n\":5,", "x;y=z", "\\", "0x10", "inf", "\u{1}", "a|b", "C:\\d", "007",
            ])
        )
    }

    mutating func text(_ name: String, _ text: String) -> LoggedEvent.Param {
        .init(name: name, json: spelled(text), text: text)
    }

    /// Adds a list of items, among them some that do not count.
    mutating func addItems(to event: inout LoggedEvent) {
        var list: [String] = []
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            if chance(0.1) { list.append(pick(["7", "null", "\"tea\"", "[{}]"])) }
            let id = text("item_id", pick(["tea", "cup", "pot", "(none)", "]}"]))
            let (price, amount): (String?, Int64?) = pick([
                ("3.50", 3_500_000), ("\"0.10\"", 100_000), ("2", 2_000_000), ("-1", -1_000_000), (nil, nil), ("\"free\"", nil),
            ])
            let (units, quantity): (String?, Int64?) = pick([("2", 2), (nil, 1), ("\"3\"", 3), ("0", 0), ("1.5", nil), ("-1", nil), ("1e1", 10)])
            let members = [("item_id", id.json), ("price", price), ("quantity", units)].compactMap { name, json in json.map { "\"\(name)\": \($0)" } }
            list.append("{" + members.shuffled(using: &random).joined(separator: ",") + "}")
            event.items.append(.init(fields: ["item_id": id.text ?? ""], price: amount, quantity: quantity))
        }
        let json = "[" + list.joined(separator: pick([",", " ,\n"])) + "]"
        event.params.append(.init(name: "items", json: json, text: json))
    }

    private mutating func nested(_ name: String) -> LoggedEvent.Param {
        let json = pick([#"{"n":7,"color":"red"}"#, #"[1, {"n": "]"}, "}"]"#, "{ }", "[]", #"{"deep":{"n":[null]}}"#])
        return .init(name: name, json: json, text: json)
    }

    /// A JSON string with required and optional escapes.
    mutating func spelled(_ text: String) -> String {
        var json = "\""
        for unit in text.unicodeScalars {
            switch unit {
            case "\"", "\\": json += "\\" + String(unit)
            case "/": json += chance(0.5) ? "\\/" : "/"
            case "\n": json += "\\n"
            case "\t": json += chance(0.5) ? "\\t" : "\\u0009"
            case "\u{0}"..<"\u{20}": json += LogMaker.escaped(unit)
            default: json += chance(0.2) ? LogMaker.escaped(unit) : String(unit)
            }
        }
        return json + "\""
    }

    private static func escaped(_ unit: Unicode.Scalar) -> String {
        String(unit).utf16.map {
            let digits = String($0, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}

extension LoggedEvent {
    /// The parameters as one object. Its whitespace depends on the ID, so the same event always has the same spelling.
    var json: String {
        let (comma, colon) = id.utf8.count.isMultiple(of: 2) ? (",", ":") : (" ,\n", " : ")
        let members = params.map { param in
            let name = param.name.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : $0 == "y" ? "\\u0079" : "\($0)" }.joined()
            return "\"\(name)\"\(colon)\(param.json)"
        }
        return "{" + members.joined(separator: comma) + "}"
    }
}
