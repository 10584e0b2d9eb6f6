import JSON
import Platform
import Terminal

/// One line for each thing that came in.
struct TailLines: Sendable {
    private let zone: ZoneOffsets?
    private let depth: ColorDepth
    private let alphabet: Alphabet
    /// Lines for people are cut at the margin; for programs they are whole.
    private let isForPeople: Bool

    init(_ zone: ZoneOffsets?, isPlain: Bool, environment: [String: String] = ProcessEnvironment.variables) {
        self.zone = zone
        isForPeople = !isPlain && TerminalStream.isTerminal(TerminalStream.output)
        depth = isForPeople ? ColorDepth(environment) : .none
        alphabet = Alphabet(environment)
    }

    func line(_ event: ServerSentEvents.Event) -> [UInt8] {
        guard let data = try? JSONValue(Array(event.data.utf8)) else { return [] }
        let parts = parts(event.name, data)
        let width = isForPeople ? TerminalStream.size()?.width ?? 80 : parts.reduce(0) { max($0, $1.column) + $1.text.width + 1 }
        return Self.frame(parts, width: width).printed(depth, alphabet)
    }

    struct Part: Sendable {
        let column: Int
        let text: String
        let style: Style
    }

    static func frame(_ parts: [Part], width: Int) -> Frame {
        var frame = Frame(Size(width, 1))
        var end = 0
        for part in parts {
            // What is longer than its column moves what follows.
            let x = max(part.column, end)
            end = x + frame.text(part.text, in: Rect(x, 0, width - x, 1), part.style) + 1
        }
        return frame
    }

    func parts(_ kind: String, _ data: JSONValue) -> [Part] {
        if kind == "gap", let crashes = data["missed_crashes"] {
            return [Part(column: 0, text: "… \(crashes.text) crashes were missed here", style: Theme.warning)]
        }
        if kind == "gap" { return [Part(column: 0, text: "… \(data.text("missed")) were missed here", style: Theme.warning)] }
        let time = Timestamp(rfc3339: Array(data.text("timestamp").utf8).span) ?? Timestamp(rfc3339: Array(data.text("received_at").utf8).span)
        let clock = time.map { String((zone?.local($0) ?? $0).rfc3339.dropFirst(11).prefix(12)) } ?? ""
        let who = data["user_id"]?.text ?? data["installation_id"]?.text ?? ""
        let (what, style, more) = said(kind, data)
        return [
            Part(column: 0, text: clock, style: Theme.faint), Part(column: 13, text: what, style: style),
            Part(column: 34, text: who, style: .plain), Part(column: 52, text: more, style: Theme.faint),
        ]
    }

    private func said(_ kind: String, _ data: JSONValue) -> (what: String, style: Style, more: String) {
        func joined(_ names: [String], _ separator: String) -> String {
            names.map { data.text($0) }.filter { !$0.isEmpty }.joined(separator: separator)
        }
        return switch kind {
        case "quarantine": (data.text("reason"), Theme.bad, joined(["field", "message"], ": "))
        case "crash": ("\(data.text("kind")) crash", Theme.bad, joined(["title", "culprit", "release"], " · "))
        default: (data.text("name"), Style(color(of: data.text("name")), .bold), details(of: data))
        }
    }

    private func details(of data: JSONValue) -> String {
        let params = (data["params"]?.fields ?? []).map { "\($0.name)=\($0.value.text)" }
        let context = data["context"].map { context in ["platform", "app_version", "country"].map { context.text($0) }.filter { !$0.isEmpty } } ?? []
        return (params + (context.isEmpty ? [] : ["· " + context.joined(separator: " ")])).joined(separator: " ")
    }

    private func color(of name: String) -> Color {
        switch name {
        case "purchase", "in_app_purchase": Theme.green
        case "refund", "app_error": Theme.red
        case "screen_view": Theme.teal
        default: Theme.blue
        }
    }
}
