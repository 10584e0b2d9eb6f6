// SPDX-License-Identifier: Apache-2.0

import Analytics
import CrashStore
import Crashes
import Database
import EventStore
import Platform

/// The starts of sessions, found in the events that were read.
private struct FoundSessions: Sendable {
    private var starts: [UInt64: [SessionStart]] = [:]
    /// The time of receipt back to which events were read; nil if all were.
    var readSince: Timestamp?
    /// The silence after which a session is considered over.
    private static let silence = Timestamp.Span.minutes(30)

    mutating func add(_ more: [SessionStart]) {
        for start in more { starts[start.key.session, default: []].append(start) }
    }

    /// Returns the milliseconds from the start of its session to a crash; nil if unknown.
    ///
    /// It is unknown for all sessions that may have begun before the events read. Counting only the others would favour late crashes.
    func age(of crash: CrashInSession) -> Int64? {
        if let readSince, Timestamp(milliseconds: crash.time) - FoundSessions.silence < readSince { return nil }
        return starts[crash.session]?.filter { $0.isOf(crash) }.map(\.time).min().map { crash.time - $0 }
    }
}

extension SessionStart {
    fileprivate func isOf(_ crash: CrashInSession) -> Bool {
        if key.session != crash.session { return false }
        if key.user != 0, crash.user != 0 { return key.user == crash.user }
        return key.installation != 0 && key.installation == crash.installation
    }
}

extension Stores {
    /// Computes, for some issues, how many of their newest crashes occurred early, within five seconds of the start of their session.
    ///
    /// Many early crashes are a signal that an app fails at launch. An issue is due when it has half as many crashes more than at the last
    /// time. Events are read once for all issues of an app, the newest first:
    ///
    ///     issue 7: judged at 100 crashes, now 150 → due
    ///     its 20 newest crashes with a session: 12 found, 9 within 5 s → inSession 12, early 9
    ///
    /// - Parameters:
    ///   - depth: The number of events read at most.
    ///   - atOnce: The number of events per read transaction. A longer one would delay the truncation of the log.
    package func updateEarliness(atMost limit: Int, depth: Int = 8 << 20, atOnce: Int = 1 << 18) async throws {
        let now = clock.now()
        let issues = try await crashes.issuesToEvaluate(limit: limit, since: now - .days(3))
        for (app, issues) in Dictionary(grouping: issues, by: \.app) {
            let sessions = try await sessions(of: issues.flatMap(\.crashes), AppID(rawValue: app), depth: depth, atOnce: atOnce)
            try await crashes.keep(
                issues.map { issue in
                    let ages = issue.crashes.compactMap(sessions.age)
                    return (issue, inSession: ages.count, early: ages.count { $0 <= Signals.earlyWithin.milliseconds })
                })
        }
    }

    /// Returns the first events of crashes' sessions, up to a day before the crash.
    private func sessions(of crashes: [CrashInSession], _ app: AppID, depth: Int, atOnce: Int) async throws -> FoundSessions {
        var found = FoundSessions()
        guard let first = crashes.map(\.time).min(), let last = crashes.map(\.time).max() else { return found }
        let (from, to) = (Timestamp(milliseconds: first) - .days(1), Timestamp(milliseconds: last) + Signals.earlyWithin)
        let sessions = Set(crashes.map(\.session))
        let analytics = analytics
        let days = try await readers.read(.large) { session in
            try analytics.context(session, app).days(from: from, to: to)
        }
        var left = depth
        for day in days.reversed() {
            var end = Int64.max
            while let piece = try await readers.read(
                .large,
                { [end] session in
                    try session.each(of: [day]) { file, _ in
                        try file.sessionStarts(of: sessions, app: app, from: from, to: to, before: end, atOnce: atOnce)
                    }.first ?? nil
                })
            {
                found.add(piece.starts)
                end = piece.first
                left -= atOnce
                if left <= 0 {
                    found.readSince = piece.received
                    return found
                }
            }
        }
        return found
    }
}
