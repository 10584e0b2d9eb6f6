// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
import Database
import Events
package import Platform
import SQLite

/// The files and state that a change may use while the writer runs it.
///
/// Its variables tell the writer which caches to correct afterwards.
package final class ChangeContext {
    package let main: MainDB
    package let now: Timestamp
    /// Days whose rows are about to be removed.
    ///
    /// Their transactions leave the dedupe index and may come again.
    package var forgottenDays: [Day] = []
    /// Quarantined events removed from today's file, by app.
    ///
    /// Their space is returned to the app's limit.
    package var unquarantined: [AppID: QuarantineLedger.Use] = [:]
    /// Persons whose presence the change has altered; nil if there are none.
    ///
    /// An empty set only empties the cache of stored presence.
    package var removedKeys: Set<UInt64>?
    /// Subjects whose sessions in today's file were cut again.
    package var removedSubjects: Set<UInt64> = []
    /// Apps whose sessions in today's file were removed.
    package var removedApps: Set<AppID> = []
    /// The person whose erasure begins with the change.
    package var removal: PersonRemoval?
    /// Whether the rows that the change removed must leave the write-ahead logs, too.
    package var emptiesLogs = false
    /// The file that is being written.
    ///
    /// `SealedDays` owns those of earlier days.
    package let today: DayDB
    package let day: Day
    /// The highest number given.
    package let lastSeq: Int64
    /// First sightings that are not in the main file yet.
    package let unfolded: [PersonFact]
    private let dayFile: DayFile
    private let commit: DayCommit

    init(_ main: MainDB, _ day: DayFile, commit: DayCommit, lastSeq: Int64, now: Timestamp) {
        self.main = main
        today = day.db
        dayFile = day
        self.day = day.day
        self.commit = commit
        self.lastSeq = lastSeq
        unfolded = commit.unfolded.people
        self.now = now
    }

    /// Returns the places of the records that would be stored if they arrived now.
    func dryRun(_ records: [EventRecord], app: AppID, nameLimit: Int) throws -> Set<Int> {
        try commit.dryRun(records, app: app, nameLimit: nameLimit, in: dayFile)
    }

    /// Empties the page caches of both files.
    package func releaseMemory() throws {
        try main.execute("PRAGMA shrink_memory")
        try today.execute("PRAGMA shrink_memory")
    }

    /// Stores the last number given.
    ///
    /// Call it before rows are removed: the newest may be among them, and no number is given twice.
    package func keepLastSeq() throws {
        try main.keep(lastSeq: lastSeq)
    }
}
