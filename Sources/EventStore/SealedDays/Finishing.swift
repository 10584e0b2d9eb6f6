// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite

extension EventStore {
    /// Finishes days as they end, until the store does. A day that could not be finished is tried again with the next one, or when
    /// retention has been at work.
    package func finishDaysAsTheyEnd(failed: (any Error) -> Void) async {
        for await _ in closed.turns {
            do {
                try await finishDays()
            } catch StoreError.stopped {
                return
            } catch let error as SQLiteError where error.code == .interrupted {
                // By the end of the program, which nobody needs to be told of.
                return
            } catch {
                failed(error)
            }
        }
    }

    /// Leaves every day that is over as it will be asked: nobody's presence waits to be folded, the indexes are there, and the log is
    /// empty. What a day has already costs nothing; an interrupted piece is begun again with the next call.
    package func finishDays() async throws {
        for day in try closed.days().reversed() {
            let before = erasures.now
            let missing = try await closed.write(to: day) { (presence: try Unfolded(leftIn: $0), indexes: try $0.missingIndexes()) }
            guard let missing else { continue }
            if missing.presence.rows > 0, try await !fold(missing.presence, of: day, since: before) {
                closed.lookAgain()
                return
            }
            for index in missing.indexes {
                try await closed.write(to: day) { try $0.build(index) }
            }
        }
    }

    /// Folds what was news when the program was last killed, should it have started again only after the day's end: first into the
    /// main file, which takes a fact twice without harm. False where people were taken out since it was read, who must not come back.
    func fold(_ presence: Unfolded, of day: Day, since before: Int) async throws -> Bool {
        let erasures = erasures
        let isKept = try await change { context in
            guard erasures.now == before else { return false }
            let departing = Set(try context.main.statement("SELECT key FROM departures").all { $0.key(0) })
            try context.main.keepEarliest(presence.people.filter { !departing.contains($0.key) })
            return true
        }
        guard isKept else { return false }
        try await closed.write(to: day) { try $0.foldPresence() }
        return true
    }
}
