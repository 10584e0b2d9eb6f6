// SPDX-License-Identifier: Apache-2.0

import Database
import Events
package import Platform
import SQLite

/// The first event of a person in a session.
package struct SessionStart: Sendable {
    package struct Key: Hashable, Sendable {
        package var session: UInt64
        package var user: UInt64
        package var installation: UInt64
    }

    package var key: Key
    package var time: Int64
}

/// The session starts in a chunk of a day's rows, with the number and the time of receipt of the chunk's first row.
package struct ChunkOfSessions: Sendable {
    package var starts: [SessionStart]
    package var first: Int64
    package var received: Timestamp
}

extension DayDB {
    /// Returns the session starts in the last rows before a row; nil if there are none.
    package func sessionStarts(
        of sessions: Set<UInt64>, app: AppID, from: Timestamp, to: Timestamp, before end: Int64, atOnce: Int
    ) throws -> ChunkOfSessions? {
        let last = try statement("SELECT seq FROM events WHERE seq < ? ORDER BY seq DESC LIMIT 1").first(.integer(end)) { $0.integer(0) }
        guard let last else { return nil }
        let first = last - Int64(atOnce) + 1
        let received = try statement("SELECT received FROM events WHERE seq >= ? ORDER BY seq LIMIT 1").first(.integer(first)) { $0.integer(0) }
        let conditions: [EventCondition] = [
            .seq(.greaterOrEqual, .integer(first)), .seq(.lessOrEqual, .integer(last)), .sessions(sessions),
            .time(.greaterOrEqual, .integer(from.milliseconds)), .time(.lessOrEqual, .integer(to.milliseconds)),
        ]
        var starts: [SessionStart.Key: Int64] = [:]
        try source(EventRequest(app, [.time, .keys], where: conditions), withdrawn: .included).eachBatch { batch in
            for row in batch.rows {
                let key = SessionStart.Key(session: batch.sessions[row], user: batch.users[row], installation: batch.installations[row])
                starts[key] = min(starts[key] ?? .max, batch.times[row])
            }
        }
        let found = starts.map { SessionStart(key: $0.key, time: $0.value) }
        return ChunkOfSessions(starts: found, first: first, received: Timestamp(milliseconds: received ?? 0))
    }
}
