// SPDX-License-Identifier: Apache-2.0

import Analytics
import AppDirectory
package import CrashStore
import Database
package import EventStore
package import Platform

extension Stores {
    /// Returns the last events before a crash, oldest first: those of its session or, without one, those of its person within the session
    /// timeout.
    package func events(before crash: StoredCrash, app: App, limit: Int = 100) async throws -> [StoredEvent] {
        guard crash.user != 0 || crash.installation != 0 else { return [] }
        let person = PersonKeys(app: app.id, user: crash.user, installations: crash.installation == 0 ? [] : [crash.installation])
        let session = crash.session == 0 ? nil : crash.session
        let longest = session == nil ? Timestamp.Span.seconds(Int64(app.settings.sessionTimeoutSeconds)) : .days(1)
        let (start, end) = (crash.time - longest, crash.time)
        let (analytics, snapshot) = (analytics, self.events.snapshot)
        return try await readers.read(.large, seconds: 3) { files in
            let days = try analytics.context(files, app.id).days(from: start, to: end + .init(milliseconds: 1))
            let found = try files.each(of: days) { file, day in
                try file.newestEvents(
                    of: person, session: session, from: start, through: end, snapshot.withdrawn(of: day, files), limit: limit)
            }
            return found.flatMap(\.self).sorted { ($0.time, $0.seq) < ($1.time, $1.seq) }.suffix(limit)
        }
    }
}
