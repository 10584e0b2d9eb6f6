// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite

extension EventStore {
    /// Finishes sealed days until the store is closed.
    ///
    /// A day that failed is tried again when the next one is sealed, or after data retention.
    package func finishEndedDays(failed: (any Error) -> Void) async {
        for await _ in sealedDays.turns {
            do {
                try await finishDays()
            } catch StoreError.stopped {
                return
            } catch let error as SQLiteError where error.code == .interrupted {
                // Interrupted by the end of the process, which is no failure.
                return
            } catch {
                failed(error)
            }
        }
    }

    /// Brings all sealed days into their final form: presence folded, indexes built, sessions cut, write-ahead
    /// log empty.
    ///
    /// The newest day comes first. Each step is a transaction of its own and is skipped if it is done, so an interrupted call is continued
    /// by the next:
    ///
    ///     2026-11-25.db    sealed by a running writer: presence is folded already; build `ids_by_key`, then `events_by_name`
    ///     2026-11-24.db    nothing is missing
    ///     2026-11-23.db    left by a kill: fold presence first, then build the indexes
    package func finishDays() async throws {
        for day in try sealedDays.days().reversed() {
            let before = erasures.now
            let missing = try await sealedDays.write(to: day) { (presence: try Unfolded(leftIn: $0), indexes: try $0.missingIndexes()) }
            guard let missing else { continue }
            if missing.presence.rows > 0, try await !fold(missing.presence, of: day, since: before) {
                sealedDays.lookAgain()
                return
            }
            for index in missing.indexes {
                try await sealedDays.write(to: day) { try $0.build(index) }
            }
            try await cutSessions(of: day)
        }
    }

    /// Folds the presence of a day whose process was killed before it could, if the next one started only after the day's end.
    ///
    /// The main file comes first, because writing a fact twice does no harm. Returns false if `ErasureCount` has risen since the presence
    /// was read: folding it could bring erased persons back. Persons whose erasure has begun are left out.
    func fold(_ presence: Unfolded, of day: Day, since before: Int) async throws -> Bool {
        let erasures = erasures
        let isKept = try await change { context in
            guard erasures.now == before else { return false }
            let removing = Set(try context.main.statement("SELECT key FROM departures").all { $0.key(0) })
            try context.main.keepEarliest(presence.people.filter { !removing.contains($0.key) })
            try context.main.keepLatest(presence.left)
            return true
        }
        guard isKept else { return false }
        try await sealedDays.write(to: day) { try $0.foldPresence() }
        return true
    }
}
