// SPDX-License-Identifier: Apache-2.0

import CrashStore
import Crashes
import Events
import Platform
import AcrossStores

extension IssueUpdate {
    /// Reads a change of issues: `{"state": "muted", "until": "+7d", "assignee": "ann"}`.
    ///
    /// - Parameter others: The names of further members.
    init(_ body: Body, besides others: [String] = [], now: Timestamp) throws(Refusal) {
        try body.allow(others + ["state", "release", "until", "until_count", "within", "assignee"])
        self.init()
        if body.names.contains("assignee") { assignee = .some(try IssueUpdate.assignee(body)) }
        if body.names.allSatisfy(others.contains) { throw .field("state", "missing", "or assignee is required") }
        if body.names.contains(where: { !(others + ["assignee"]).contains($0) }) { state = try IssueChange(body, now: now) }
    }

    private static func assignee(_ body: Body) throws(Refusal) -> String? {
        if body.isNull("assignee") { return nil }
        let name = try body.text("assignee")
        guard (1...200).contains(name.unicodeScalars.count), name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw .field(
                "assignee", "bad_text", "must have 1 to 200 characters and no control characters", hint: "Send null to assign the issue to nobody.")
        }
        return name
    }
}

extension IssueChange {
    fileprivate init(_ body: Body, now: Timestamp) throws(Refusal) {
        guard let state = IssueState(name: try body.text("state")) else { throw .field("state", "unknown", "must be one of \(IssueState.names)") }
        func onlyWith(_ expected: IssueState, _ names: String...) throws(Refusal) {
            for name in names where state != expected && body.names.contains(name) {
                throw .field(name, "conflict", "is valid with the state \(expected.name) only")
            }
        }
        try onlyWith(.closed, "release")
        try onlyWith(.muted, "until", "until_count", "within")
        switch state {
        case .open: self = .open
        case .closed: self = .close(release: try IssueChange.release(body))
        case .muted: self = .mute(try IssueChange.muting(body, now: now))
        }
    }

    private static func release(_ body: Body) throws(Refusal) -> Release? {
        guard let text = try body.optionalText("release") else { return nil }
        guard (1...200).contains(text.unicodeScalars.count) else { throw .field("release", "bad_text", "must have 1 to 200 characters") }
        guard let release = Release(reported: text) else { throw .field("release", "bad_text", "must name a release, such as shop@2.1.0+57") }
        return release
    }

    private static func muting(_ body: Body, now: Timestamp) throws(Refusal) -> IssueStanding.Muting {
        let count = try body.number("until_count", 1...1_000_000_000)
        if count == nil, body.names.contains("within") { throw .field("within", "conflict", "is valid with until_count only") }
        if let text = try body.optionalText("until") {
            guard count == nil else { throw .field("until_count", "conflict", "conflicts with until; give one of them") }
            guard let time = Timestamp(later: text, now: now) else {
                throw .field("until", "bad_time", "must be in the future: 2026-12-01T00:00:00Z, or relative as +7d")
            }
            return .until(time)
        }
        guard let count else { return .forever }
        let seconds = try body.number("within", 60...366 * 86_400) ?? 86_400
        return .volume(count: count, within: .seconds(Int64(seconds)))
    }
}

extension Timestamp {
    /// A future time: RFC 3339, or relative as `+7d`.
    fileprivate init?(later text: String, now: Timestamp) {
        let time =
            text.hasPrefix("+")
            ? Timestamp(parameter: "-" + text.dropFirst(), now: now).map { now + (now - $0) } : Timestamp(parameter: text, now: now)
        guard let time, time > now else { return nil }
        self = time
    }
}
