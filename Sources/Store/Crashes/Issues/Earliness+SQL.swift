import Crashes
import Platform
import SQLite

/// A crash that names its session.
private struct CrashInSession: Sendable {
    var time: Int64
    var user: UInt64
    var installation: UInt64
    var session: UInt64
}

/// An issue with many new crashes since it was last judged.
private struct IssueToJudge: Sendable {
    var id: Int64
    var app: Int64
    var count: Int
    var crashes: [CrashInSession] = []
}

/// The first event of somebody in a session.
private struct SessionStart: Sendable {
    var session: UInt64
    var user: UInt64
    var installation: UInt64
    var time: Int64

    func isOf(_ crash: CrashInSession) -> Bool {
        if session != crash.session { return false }
        if user != 0, crash.user != 0 { return user == crash.user }
        return installation != 0 && installation == crash.installation
    }
}

extension Store {
    /// Finds out of some issues how many of their newest crashes came soon after their session began. Events are read once for all issues
    /// of an app, and an issue is judged again when it has half as many crashes more.
    package func judgeEarliness(atMost limit: Int) async throws {
        let now = clock.now()
        let issues = try await crashes.read { try $0.issuesToJudge(limit: limit, since: now - .days(3)) }
        for (app, issues) in Dictionary(grouping: issues, by: \.app) {
            let starts = Dictionary(grouping: try await sessionStarts(of: issues.flatMap(\.crashes), AppID(rawValue: app)), by: \.session)
            try await crashes.change { context in
                for issue in issues {
                    let ages = issue.crashes.compactMap { crash in
                        starts[crash.session]?.filter { $0.isOf(crash) }.map(\.time).min().map { crash.time - $0 }
                    }
                    let early = ages.count { $0 <= Signals.earlyWithin.milliseconds }
                    try context.change(issue: issue.id) { $0.earliness = .init(judged: issue.count, inSession: ages.count, early: early) }
                }
                try context.write()
            }
        }
    }

    /// The first events of crashes' sessions, as far as they lie within a day before.
    private func sessionStarts(of crashes: [CrashInSession], _ app: AppID) async throws -> [SessionStart] {
        guard let first = crashes.map(\.time).min(), let last = crashes.map(\.time).max() else { return [] }
        let (from, to) = (Timestamp(milliseconds: first) - .days(1), Timestamp(milliseconds: last) + Signals.earlyWithin)
        let sessions = Set(crashes.map(\.session))
        let (hash, people) = (hash, people)
        return try await readers.read(.large, seconds: 60) { session in
            let asking = Asking(session: session, app: app, hash: hash, kept: people)
            let found = try session.each(of: asking.days(from: from, to: to)) { file, _ in
                try file.sessionStarts(of: sessions, app: app, from: from, to: to)
            }
            return found.flatMap(\.self)
        }
    }
}

extension Connection {
    fileprivate func issuesToJudge(limit: Int, since: Timestamp) throws -> [IssueToJudge] {
        // The same condition as the index has.
        let issues = try statement("SELECT id, app, count FROM issues WHERE count >= 5 AND count * 2 >= judged * 3 ORDER BY id LIMIT ?")
            .all(.integer(limit)) { IssueToJudge(id: $0.integer(0), app: $0.integer(1), count: $0.int(2)) }
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

    fileprivate func sessionStarts(of sessions: Set<UInt64>, app: AppID, from: Timestamp, to: Timestamp) throws -> [SessionStart] {
        try uncached(
            """
            SELECT session, user, installation, min(time) FROM events NOT INDEXED
            WHERE app = ? AND time BETWEEN ? AND ? AND session IN \(sessions.list) GROUP BY 1, 2, 3
            """
        ).all(.integer(app.rawValue), .integer(from.milliseconds), .integer(to.milliseconds)) {
            SessionStart(session: $0.key(0), user: $0.key(1), installation: $0.key(2), time: $0.integer(3))
        }
    }
}
