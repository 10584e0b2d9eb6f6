// SPDX-License-Identifier: Apache-2.0

import Analytics
import CrashStore
import Crashes
import Database
import EventStore
import Platform
import SQLite

/// A crash with a session.
private struct CrashInSession: Sendable {
    var time: Int64
    var user: UInt64
    var installation: UInt64
    var session: UInt64
}

/// An issue whose share of early crashes must be computed again.
private struct IssueToEvaluate: Sendable {
    var id: Int64
    var app: Int64
    var count: Int
    var crashes: [CrashInSession] = []
}

/// The first event of a person in a session.
private struct SessionStart: Sendable {
    struct Key: Hashable, Sendable {
        var session: UInt64
        var user: UInt64
        var installation: UInt64
    }

    var key: Key
    var time: Int64

    func isOf(_ crash: CrashInSession) -> Bool {
        if key.session != crash.session { return false }
        if key.user != 0, crash.user != 0 { return key.user == crash.user }
        return key.installation != 0 && key.installation == crash.installation
    }
}

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

/// Session starts in a chunk of a day's rows.
private struct PieceOfSessions: Sendable {
    var starts: [SessionStart]
    var first: Int64
    var received: Timestamp
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
        let issues = try await crashes.read { try $0.issuesToEvaluate(limit: limit, since: now - .days(3)) }
        for (app, issues) in Dictionary(grouping: issues, by: \.app) {
            let sessions = try await sessions(of: issues.flatMap(\.crashes), AppID(rawValue: app), depth: depth, atOnce: atOnce)
            try await crashes.change { context in
                for issue in issues {
                    let ages = issue.crashes.compactMap(sessions.age)
                    let early = ages.count { $0 <= Signals.earlyWithin.milliseconds }
                    try context.change(issue: issue.id) { $0.earliness = .init(judged: issue.count, inSession: ages.count, early: early) }
                }
                try context.write()
            }
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

extension CrashDB {
    fileprivate func issuesToEvaluate(limit: Int, since: Timestamp) throws -> [IssueToEvaluate] {
        // The condition must be that of the partial index.
        let issues = try statement("SELECT id, app, count FROM issues WHERE count >= 5 AND count * 2 >= judged * 3 ORDER BY id LIMIT ?")
            .all(.integer(limit)) { IssueToEvaluate(id: $0.integer(0), app: $0.integer(1), count: $0.int(2)) }
        return try issues.map { issue in
            var issue = issue
            issue.crashes = try newestInSession(of: issue.id, since: since, limit: 20)
            return issue
        }
    }

    private func newestInSession(of issue: Int64, since: Timestamp, limit: Int) throws -> [CrashInSession] {
        let find = try statement(
            """
            SELECT time, user, installation, session FROM crashes WHERE grouping = ? AND time >= ? AND session <> 0 ORDER BY time DESC LIMIT ?
            """)
        let found = try groupings(of: issue).flatMap { grouping in
            try find.all(.integer(grouping), .integer(since.milliseconds), .integer(limit)) {
                CrashInSession(time: $0.integer(0), user: $0.key(1), installation: $0.key(2), session: $0.key(3))
            }
        }
        return Array(found.sorted { $0.time > $1.time }.prefix(limit))
    }
}

extension DayDB {
    /// Returns the session starts in the last rows before a row; nil if there are none.
    fileprivate func sessionStarts(
        of sessions: Set<UInt64>, app: AppID, from: Timestamp, to: Timestamp, before end: Int64, atOnce: Int
    ) throws -> PieceOfSessions? {
        let last = try statement("SELECT seq FROM events WHERE seq < ? ORDER BY seq DESC LIMIT 1").first(.integer(end)) { $0.integer(0) }
        guard let last else { return nil }
        let first = last - Int64(atOnce) + 1
        let received = try statement("SELECT received FROM events WHERE seq >= ? ORDER BY seq LIMIT 1").first(.integer(first)) { $0.integer(0) }
        let conditions: [EventCondition] = [
            .seq(.greaterOrEqual, .integer(first)), .seq(.lessOrEqual, .integer(last)), .sessions(sessions),
            .time(.greaterOrEqual, .integer(from.milliseconds)), .time(.lessOrEqual, .integer(to.milliseconds)),
        ]
        var starts: [SessionStart.Key: Int64] = [:]
        try source(EventRequest(app, [.time, .keys], where: conditions)).eachBatch { batch in
            for row in batch.rows {
                let key = SessionStart.Key(session: batch.sessions[row], user: batch.users[row], installation: batch.installations[row])
                starts[key] = min(starts[key] ?? .max, batch.times[row])
            }
        }
        let found = starts.map { SessionStart(key: $0.key, time: $0.value) }
        return PieceOfSessions(starts: found, first: first, received: Timestamp(milliseconds: received ?? 0))
    }
}
