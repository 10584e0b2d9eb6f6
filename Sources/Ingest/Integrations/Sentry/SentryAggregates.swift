// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import JSON
import Platform

/// The sessions of a server, counted by its SDK.
///
///     {"attrs": {"release": "shop@2.1"}, "aggregates": [{"started": "2026-11-21T12:04:00Z", "exited": 40, "crashed": 1}]}
///       → counts ["exited": 40, "crashed": 1], 41 sessions of release 2.1 that started at 12:04
///
/// An entry may name a user (`did`). It is ignored, as one user may be in entries of several servers.
struct SentryAggregates {
    static let mostEntries = 100
    /// The statuses of sessions, all of which have ended.
    private static let ends: [StaticString] = ["exited", "errored", "crashed", "abnormal", "unhandled"]

    private(set) var counts: [String: Int] = [:]
    private(set) var sessions: [CountedSessions] = []

    init(_ tape: JSONTape, received: Timestamp) {
        guard let all = tape.value("aggregates", of: 0) else { return }
        let attributes = tape.value("attrs", of: 0) ?? 0
        let release = ReleaseKey.of(release: tape.shortText("release", of: attributes, limit: CrashLimits.releaseCharacters), appVersion: nil)
        let environment = tape.shortText("environment", of: attributes) ?? "production"
        for one in tape.elements(of: all).prefix(SentryAggregates.mostEntries) where tape[one].kind == .object {
            let start = tape.value("started", of: one).flatMap { Timestamp($0, in: SourceText(tape: tape)) } ?? received
            var entry = CountedSessions(start: start, release: release, environment: environment, sessions: 0, crashed: 0)
            for key in tape.keys(of: one) {
                guard let status = SentryAggregates.ends.first(where: { tape.isText(tape[key], $0) })?.description else { continue }
                let count = SentryRequest.count(tape[tape[key].next])
                counts[status, default: 0] += count
                entry.sessions += count
                if status == "crashed" { entry.crashed += count }
            }
            if entry.sessions > 0 { sessions.append(entry) }
        }
    }
}
