// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import Platform
import SQLite

extension EventStore {
    /// The number of events that one step of cutting a sealed day reads.
    private static let eventsPerStep: Int64 = 500_000

    /// Cuts the events of a sealed day that are not in stored parts: all of them in a file of version 0.1, and the last ones after a kill.
    ///
    /// Each step is a transaction that also records its progress, so an interrupted call is continued by the next.
    func cutSessions(of day: Day) async throws {
        let timeouts = SessionTimeouts(directory.now)
        while try await sealedDays.write(to: day, { try $0.cutMoreSessions(atMost: Self.eventsPerStep, timeouts) }) == true {}
    }
}

extension DayDB {
    /// Cuts the next events. Returns whether there are more.
    func cutMoreSessions(atMost limit: Int64, _ timeouts: SessionTimeouts) throws -> Bool {
        let last = try lastEvent()
        let known = try sessionsThrough()
        if let known, known >= last { return false }
        let start = "SELECT seq FROM events WHERE seq > ? ORDER BY seq LIMIT 1"
        let next = try statement(start).first(.integer(known ?? 0)) { $0.integer(0) } ?? 0
        let end = min(last, next + limit - 1)
        var fold = SessionFold()
        if last > 0 { try self.fold(next...end, into: &fold, timeouts) }
        try add(fold.entries)
        try keep(sessionsThrough: end)
        return end < last
    }
}
