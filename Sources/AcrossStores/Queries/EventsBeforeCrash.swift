// SPDX-License-Identifier: Apache-2.0

import Analytics
import AppDirectory
package import CrashStore
import Database
package import EventStore
package import Platform
import SQLite

extension Stores {
    /// Returns the last events before a crash, oldest first: those of its session or, without one, those of its person within the session
    /// timeout.
    package func events(before crash: StoredCrash, app: App, limit: Int = 100) async throws -> [StoredEvent] {
        guard crash.user != 0 || crash.installation != 0 else { return [] }
        let longest = crash.session == 0 ? Timestamp.Span.seconds(Int64(app.settings.sessionTimeoutSeconds)) : .days(1)
        let analytics = analytics
        return try await readers.read(.large, seconds: 3) { session in
            let asking = analytics.context(session, app.id)
            let days = try asking.days(from: crash.time - longest, to: crash.time + .init(milliseconds: 1))
            let found = try session.each(of: days) { file, _ in try file.events(before: crash, app: app.id, since: crash.time - longest, limit) }
            return found.flatMap(\.self).sorted { ($0.time, $0.seq) < ($1.time, $1.seq) }.suffix(limit)
        }
    }
}

extension DayDB {
    fileprivate func events(before crash: StoredCrash, app: AppID, since: Timestamp, _ limit: Int) throws -> [StoredEvent] {
        let person = PersonKeys(app: app, user: crash.user, installations: crash.installation == 0 ? [] : [crash.installation])
        var conditions: [EventCondition] = [
            .person(person), .time(.greaterOrEqual, .integer(since.milliseconds)), .time(.lessOrEqual, .integer(crash.time.milliseconds)),
        ]
        if crash.session != 0 { conditions.append(.sessions([crash.session])) }
        var newest: [(time: Int64, seq: Int64)] = []
        try source(EventRequest(app, [.time, .seq], where: conditions)).eachBatch { batch in
            // A session may have millions of events.
            newest = Array((newest + batch.rows.map { (batch.times[$0], batch.seqs[$0]) }).sorted(by: >).prefix(limit))
        }
        var room = PageRoom(events: limit)
        return newest.isEmpty ? [] : try events(app: app, where: [.seqs(newest.map(\.seq))], .ascending, &room)
    }
}
