// SPDX-License-Identifier: Apache-2.0

import JSON

extension JSONValue {
    /// The JSON with one value a line, indented by two spaces. Strings and numbers keep their spelling.
    var pretty: String { pretty(behind: "") }

    private func pretty(behind blanks: String) -> String {
        let inner = blanks + "  "
        let (parts, brackets) =
            json.first == UInt8(ascii: "{")
            ? (fields.map { "\(JSONValue.quoted($0.name)): \($0.value.pretty(behind: inner))" }, ("{", "}"))
            : (elements.map { $0.pretty(behind: inner) }, ("[", "]"))
        if !parts.isEmpty { return "\(brackets.0)\n\(inner)\(parts.joined(separator: ",\n\(inner)"))\n\(blanks)\(brackets.1)" }
        switch json.first {
        case UInt8(ascii: "{"): return "{}"
        case UInt8(ascii: "["): return "[]"
        default: return String(decoding: json, as: UTF8.self)
        }
    }

    private static func quoted(_ name: String) -> String {
        var json = JSONWriter()
        json.string(name)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
