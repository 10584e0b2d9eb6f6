// SPDX-License-Identifier: Apache-2.0

import API
import Events
import JSON
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

    init(_ kind: String, _ content: TailEntry.Content, _ json: JSONValue) {
        switch content {
        case .event(let event):
            (time, who) = (event.timestamp.time, event.userId ?? event.installationId ?? "")
            (what, style) = (event.name, Style(TailLine.color(of: event.name), .bold))
            more = TailLine.details(of: event, json)
        case .quarantine(let record):
            (time, who, what, style) = (record.receivedAt.time, "", record.reason, Theme.bad)
            more = TailLine.joined([record.field, record.message], ": ")
        case .crash(let crash):
            (time, who) = (crash.timestamp.time, crash.userId ?? crash.installationId ?? "")
            (what, style) = ("\(crash.kind) crash", Theme.bad)
            more = TailLine.joined([crash.title, crash.culprit ?? "", crash.release ?? ""], " · ")
        case .gap(let gap):
            let missed = gap.missedCrashes.map { "\($0) crashes" } ?? gap.missed.map(String.init) ?? ""
            (time, who, what, style, more) = (nil, "", "… \(missed) missed", Theme.warning, "")
        case .unknown:
            (time, who, what, style, more) = (nil, "", kind, .bold, String(decoding: json.json, as: UTF8.self))
        }
        if case .gap = content { isGap = true } else { isGap = false }
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

    private static func joined(_ texts: [String], _ separator: String) -> String {
        texts.filter { !$0.isEmpty }.joined(separator: separator)
    }

    /// Parameters as the app sent them, and a part of the context.
    private static func details(of event: EventResponse, _ json: JSONValue) -> String {
        let params = (json["params"]?.fields ?? []).map { "\($0.name)=\($0.value.text)" }
        let context = ["platform", "app_version", "country"].map { event.context?[$0] ?? "" }
        return joined([params.joined(separator: " "), joined(context, " ")], " · ")
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
