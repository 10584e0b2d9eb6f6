// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
package import Platform
import SQLite
import Synchronization

/// The hour in which each key was used last.
///
/// It is kept in memory and written once an hour and key, so that no request causes a write. A kill loses at most the last minute.
package final class KeyUses: Sendable {
    private struct Use {
        var hour: Int64
        var isSaved: Bool
    }

    private static let hourMilliseconds: Int64 = 3_600_000

    private let uses: Mutex<[Int64: Use]>

    init(_ saved: [Int64: Timestamp]) {
        uses = Mutex(saved.mapValues { Use(hour: KeyUses.hour(of: $0), isSaved: true) })
    }

    private static func hour(of time: Timestamp) -> Int64 { time.milliseconds.flooredQuotient(by: hourMilliseconds) }

    private static func time(of hour: Int64) -> Timestamp { Timestamp(milliseconds: hour * hourMilliseconds) }

    /// Notes a request. A clock that was set back changes nothing.
    func note(_ key: Int64, at now: Timestamp) {
        let hour = KeyUses.hour(of: now)
        uses.withLock { uses in
            if let known = uses[key], known.hour >= hour { return }
            uses[key] = Use(hour: hour, isSaved: false)
        }
    }

    /// Returns the start of the hour in which a key was used last.
    package func last(_ key: Int64) -> Timestamp? { uses.withLock { $0[key]?.hour }.map(KeyUses.time) }

    var unsaved: [(key: Int64, time: Timestamp)] {
        uses.withLock { uses in uses.filter { !$0.value.isSaved }.map { ($0.key, KeyUses.time(of: $0.value.hour)) } }
    }

    func noteSaved(_ saved: [(key: Int64, time: Timestamp)]) {
        uses.withLock { uses in
            for (key, time) in saved where uses[key]?.hour == KeyUses.hour(of: time) { uses[key]?.isSaved = true }
        }
    }

    func keep(only keys: some Collection<Int64>) {
        let keys = Set(keys)
        uses.withLock { $0 = $0.filter { keys.contains($0.key) } }
    }
}

extension EventStore {
    /// Writes the uses of keys that are only in memory. Called every minute and at the end.
    package func saveKeyUses() async throws {
        keyUses.keep(only: directory.now.expiries.keys)
        let unsaved = keyUses.unsaved
        guard !unsaved.isEmpty else { return }
        try await change { context in
            let update = try context.main.statement("UPDATE keys SET last_used = ? WHERE id = ?")
            for (key, time) in unsaved { try update.run(.integer(time.milliseconds), .integer(key)) }
        }
        keyUses.noteSaved(unsaved)
    }
}

extension MainDB {
    func keyUses() throws -> [Int64: Timestamp] {
        let rows = try statement("SELECT id, last_used FROM keys WHERE last_used IS NOT NULL").all { ($0.integer(0), $0.integer(1)) }
        return Dictionary(rows.map { ($0.0, Timestamp(milliseconds: $0.1)) }) { $1 }
    }
}
