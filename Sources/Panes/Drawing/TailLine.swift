// SPDX-License-Identifier: Apache-2.0

package import JSON
package import Platform
package import Terminal

/// A stream entry as a line: time, name, person and details.
package struct TailLine: Sendable {
    /// A part of the line and its column.
    package struct Part: Sendable {
        package let column: Int
        package let text: String
        let style: Style
    }

    package let time: Timestamp?
    package let what: String
    package let who: String
    package let more: String
    package let style: Style
    private let isGap: Bool

    package init(_ kind: String, _ data: JSONValue) {
        isGap = kind == "gap"
        time = isGap ? nil : data.time("timestamp") ?? data.time("received_at")
        who = data["user_id"]?.text ?? data["installation_id"]?.text ?? ""
        (what, style, more) = TailLine.said(kind, data)
    }

    /// The parts of the line. With `now`, entries of other days show their date. Narrow lines leave out the person.
    package func parts(_ zone: ZoneOffsets?, now: Timestamp? = nil, isNarrow: Bool = false) -> [Part] {
        if isGap { return [Part(column: 0, text: what, style: style)] }
        let clock = Part(column: 0, text: clock(zone, now, isNarrow ? 8 : 12), style: Theme.faint)
        if isNarrow { return [clock, Part(column: 9, text: what, style: style), Part(column: 30, text: more, style: Theme.faint)] }
        return [
            clock, Part(column: 13, text: what, style: style), Part(column: 34, text: who, style: .plain),
            Part(column: 52, text: more, style: Theme.faint),
        ]
    }

    private func clock(_ zone: ZoneOffsets?, _ now: Timestamp?, _ width: Int) -> String {
        guard let time else { return "" }
        let text = (zone?.local(time) ?? time).rfc3339
        let isToday = now.map { (zone?.local($0) ?? $0).rfc3339.prefix(10) == text.prefix(10) } ?? true
        if isToday { return String(text.dropFirst(11).prefix(width)) }
        return String(width < 12 ? text.dropFirst(5).prefix(5) : text.dropFirst(5).prefix(11)).replacing("T", with: " ")
    }

    package static func frame(_ parts: [Part], width: Int) -> Frame {
        var frame = Frame(Size(width, 1))
        var end = 0
        for part in parts {
            // A part that is longer than its column moves the next ones.
            let x = max(part.column, end)
            end = x + frame.text(part.text, in: Rect(x, 0, width - x, 1), part.style) + 1
        }
        return frame
    }

    // MARK: Texts

    private static func said(_ kind: String, _ data: JSONValue) -> (what: String, style: Style, more: String) {
        func joined(_ names: [String], _ separator: String) -> String {
            names.map { data.text($0) }.filter { !$0.isEmpty }.joined(separator: separator)
        }
        switch kind {
        case "gap":
            let missed = data["missed_crashes"].map { "\($0.text) crashes" } ?? data.text("missed")
            return ("… \(missed) missed", Theme.warning, "")
        case "quarantine": return (data.text("reason"), Theme.bad, joined(["field", "message"], ": "))
        case "crash": return ("\(data.text("kind")) crash", Theme.bad, joined(["title", "culprit", "release"], " · "))
        default: return (data.text("name"), Style(color(of: data.text("name")), .bold), details(of: data))
        }
    }

    private static func details(of data: JSONValue) -> String {
        let params = (data["params"]?.fields ?? []).map { "\($0.name)=\($0.value.text)" }
        let context = data["context"].map { context in ["platform", "app_version", "country"].map { context.text($0) }.filter { !$0.isEmpty } } ?? []
        return [params, context].filter { !$0.isEmpty }.map { $0.joined(separator: " ") }.joined(separator: " · ")
    }

    private static func color(of name: String) -> Color {
        switch name {
        case "purchase", "in_app_purchase": Theme.green
        case "refund", "app_error": Theme.red
        case "screen_view": Theme.teal
        default: Theme.blue
        }
    }
}

extension JSONValue {
    /// The time in a field; nil if it is missing or not RFC 3339.
    func time(_ name: String) -> Timestamp? {
        self[name].flatMap { Timestamp(rfc3339: Array($0.text.utf8).span) }
    }
}
