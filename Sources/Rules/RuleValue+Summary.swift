// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// The value of an expression, for an explanation.
package struct RuleStep: Hashable, Sendable {
    package let place: RulePlace
    package let value: String
}

extension RuleValue {
    private static let (mostBytes, mostElements, mostDepth) = (200, 10, 4)

    /// A short text of the value.
    ///
    ///     7   "ana"   [1, 2, …]   {uid: "ana", token: {}}   /users/ana   2026-01-31T23:59:59Z
    var summary: String {
        var text = ""
        write(to: &text, depth: 0)
        guard text.utf8.count > RuleValue.mostBytes else { return text }
        return String(text.unicodeScalars.prefix(RuleValue.mostBytes / 2)) + "…"
    }

    private func write(to text: inout String, depth: Int) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += "\(value)"
        case .integer(let value): text += "\(value)"
        case .float(let value): text += RuleEncoding.text(value)
        case .text(let value): text += "\"\(String(value.unicodeScalars.prefix(RuleValue.mostBytes / 2)))\""
        case .bytes(let bytes): text += "\(bytes.count) bytes"
        case .path(let segments): text += "/" + segments.prefix(RuleValue.mostElements).joined(separator: "/")
        case .timestamp(let span): text += span.time?.rfc3339 ?? "\(span.seconds) s"
        case .duration(let span): text += "\(span.seconds) s \(span.nanoseconds) ns"
        case .vector(let numbers): text += "a vector of \(numbers.count)"
        case .place(let place): text += "(\(place.latitude), \(place.longitude))"
        case .list(let values), .set(let values): write(values, to: &text, depth)
        case .map(let map): write(map, to: &text, depth)
        case .difference: text += "a difference"
        case .unknown: text += "unknown"
        }
    }

    private func write(_ values: [RuleValue], to text: inout String, _ depth: Int) {
        text += "["
        for (index, value) in values.prefix(RuleValue.mostElements).enumerated() {
            if index > 0 { text += ", " }
            guard RuleValue.canGoOn(text, depth) else { break }
            value.write(to: &text, depth: depth + 1)
        }
        text += values.count > RuleValue.mostElements ? ", …]" : "]"
    }

    private func write(_ map: RuleMap, to text: inout String, _ depth: Int) {
        text += "{"
        let keys = map.keys
        for (index, key) in keys.prefix(RuleValue.mostElements).enumerated() {
            if index > 0 { text += ", " }
            guard RuleValue.canGoOn(text, depth), let value = map[key] else { break }
            text += "\(key): "
            value.write(to: &text, depth: depth + 1)
        }
        text += keys.count > RuleValue.mostElements ? ", …}" : "}"
    }

    private static func canGoOn(_ text: String, _ depth: Int) -> Bool { text.utf8.count <= mostBytes && depth < mostDepth }
}

extension RuleSpan {
    fileprivate var time: DocumentTime? {
        let (microseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? nil : DocumentTime(microseconds: microseconds &+ nanoseconds / 1_000)
    }
}
