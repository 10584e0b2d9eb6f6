// SPDX-License-Identifier: Apache-2.0

import Platform
import SQLite

@testable import Database
@testable import EventStore

/// The sessions of one file, from its events and from its stored parts.
struct SessionRecount {
    private struct Key: Hashable {
        var app: Int64
        var subject: UInt64
        var session: UInt64
    }

    private static let timeout: Int64 = 1_800_000
    private var fromEvents: [Key: [SessionPart]] = [:]
    private var stored: [Key: [SessionPart]] = [:]
    private(set) var problems: [String] = []

    init(_ file: Connection, _ name: String) throws {
        let table = "SELECT 1 FROM sqlite_schema WHERE name = 'sessions_through'"
        guard try file.statement(table).first(row: { _ in true }) == true,
            let through = try file.statement("SELECT seq FROM sessions_through").first(row: { $0.integer(0) })
        else { return }
        let events = """
            SELECT e.app, e.seq, e.time, e.user, e.installation, e.session, w.text FROM events e JOIN words w ON w.id = e.name ORDER BY e.seq
            """
        try file.statement(events).each([]) { row in
            guard
                let part = SessionPart(
                    user: row.key(3), installation: row.key(4), session: row.key(5), time: row.integer(2), context: 0, seq: row.integer(1),
                    SessionMark(row.bytes(6)))
            else { return }
            let key = Key(app: row.integer(0), subject: part.subject, session: part.session)
            fromEvents[key, default: []].append(part)
            if row.integer(1) > through { stored[key, default: []].append(part) }
        }
        try file.statement("SELECT app, parts, words, least, greatest FROM session_chunks").each([]) { row in
            let parts = SessionPart.all(in: row.words(2))
            if parts.count != row.int(1) || parts.first?.subject != row.key(3) || parts.last?.subject != row.key(4) {
                problems.append("\(name): a chunk of sessions says \(row.int(1)) parts and has \(parts.count)")
            }
            for var part in parts {
                if part.day != Day(of: Timestamp(milliseconds: part.last)) { problems.append("\(name): a part of a session spans days") }
                part.context = 0
                stored[Key(app: row.integer(0), subject: part.subject, session: part.session), default: []].append(part)
            }
        }
        let (one, other) = (fromEvents.mapValues(Self.joined), stored.mapValues(Self.joined))
        if one != other {
            let differing = Set(one.keys).union(other.keys).count { one[$0] != other[$0] }
            problems.append("\(name): the sessions of \(differing) of \(one.count) subjects differ from their events")
        }
    }

    /// Joins the parts of a named session, or those of unnamed sessions that are nearer than the timeout.
    private static func joined(_ parts: [SessionPart]) -> Set<SessionPart> {
        var sessions: [SessionPart] = []
        for part in parts.filter({ !$0.isLooseCrash }).sorted(by: { $0.first < $1.first }) {
            if let open = sessions.last, part.session != 0 || part.first - open.last < timeout {
                sessions[sessions.count - 1].join(part)
            } else {
                sessions.append(part)
            }
        }
        return Set(sessions + parts.filter(\.isLooseCrash))
    }
}
