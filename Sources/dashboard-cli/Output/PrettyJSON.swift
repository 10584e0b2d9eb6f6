import JSON

/// JSON on many lines, for people; its values stay as they came.
enum PrettyJSON {
    static func text(_ value: JSONValue, indent: String = "") -> String {
        let inner = indent + "  "
        if !value.fields.isEmpty {
            let lines = value.fields.map { "\(inner)\(quoted($0.name)): \(text($0.value, indent: inner))" }
            return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
        }
        if !value.elements.isEmpty {
            let lines = value.elements.map { inner + text($0, indent: inner) }
            return "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
        }
        return String(decoding: value.json, as: UTF8.self)
    }

    private static func quoted(_ name: String) -> String {
        var json = JSONWriter()
        json.string(name)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
