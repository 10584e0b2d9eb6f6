// SPDX-License-Identifier: Apache-2.0

import Events
import JSON
import Platform

/// Conversions of a whole body to the form of a query string.
extension Body {
    /// Every field as a setting's text: `{"retention_days": 30, "origins": ["a", "b"]}` is `retention_days=30` and `origins=a,b`.
    func settings() throws(Refusal) -> [(name: String, value: String)] {
        var out: [(name: String, value: String)] = []
        for (name, index) in values {
            switch tape[index].kind {
            case .array: out.append((name, try texts(name).joined(separator: ",")))
            case .object, .null: throw .field(name, "wrong_type", "must be a string, number, boolean or list")
            default:
                guard let text = tape.text(tape[index]) else { throw .field(name, "wrong_type", "must be text") }
                out.append((name, text))
            }
        }
        guard !out.isEmpty else {
            throw Refusal(.invalid, "The body names no setting.", hint: "Known settings: \(AppSettings.fields.map(\.name).joined(separator: ", ")).")
        }
        return out
    }

    /// Every field as a parameter of a query. A list repeats its name; a funnel step is its event with its filters.
    func parameters(of query: QueryName) throws(Refusal) -> [(name: String, value: String)] { try parameters(of: query.fields) }

    func parameters(of fields: [QueryField]) throws(Refusal) -> [(name: String, value: String)] {
        var out: [(name: String, value: String)] = []
        for (name, index) in values {
            switch fields.first(where: { $0.name == name })?.kind {
            case .steps: for item in items(index) { out.append((name, try step(name, item))) }
            case .filters, .paths: for item in items(index) { out.append((name, try string(name, item, "must be a string or a list of strings"))) }
            case .number:
                guard let number = tape[index].integer else { throw .field(name, "wrong_type", "must be a whole number") }
                out.append((name, String(number)))
            case .moment, .zone, .choice, .text, .path, .metric, .span: out.append((name, try string(name, index, "must be a string")))
            // The query rejects unknown parameters by name.
            case nil: out.append((name, ""))
            }
        }
        return out
    }

    private func step(_ name: String, _ index: Int) throws(Refusal) -> String {
        guard tape[index].kind == .object else {
            return try string(name, index, "must be a list of strings, or of objects with an event and optionally a filter")
        }
        let step = try Body(tape, at: index)
        try step.allow("event", "filter")
        var parts = [try step.text("event")]
        guard let filter = step.values.first(where: { $0.name == "filter" }) else { return FunnelQuery.Step.text(parts) }
        for item in items(filter.index) { parts.append(try string(name, item, "must have a filter that is a string or a list of strings")) }
        return FunnelQuery.Step.text(parts)
    }

    private func string(_ name: String, _ index: Int, _ problem: String) throws(Refusal) -> String {
        guard tape[index].kind == .string, let text = tape.text(tape[index]) else { throw .field(name, "wrong_type", problem) }
        return text
    }
}
