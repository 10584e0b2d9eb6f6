// SPDX-License-Identifier: Apache-2.0

import Database
import Events
package import Platform
import SQLite

/// What a change may touch while the writer runs it.
package final class ChangeContext {
    package let main: MainDB
    package let now: Timestamp
    /// Days whose rows are about to go: a transaction seen there may come again.
    package var forgottenDays: [Day] = []
    /// Refused events that have left today's file: their room is given back.
    package var unquarantined: [AppID: QuarantineLedger.Use] = [:]
    /// Persons whose presence in today's file the change has altered, empty where only the memory of it is to be given up; nil for nobody.
    package var departed: Set<UInt64>?
    /// Whether what the change removed shall leave the logs, too.
    package var emptiesLogs = false
    /// The file of the day that is written to; those of days before belong to `ClosedDays`.
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

    /// Which records would be taken if they came now.
    func rehearse(_ records: [EventRecord], app: AppID, nameLimit: Int) throws -> Set<Int> {
        try commit.rehearse(records, app: app, nameLimit: nameLimit, in: dayFile)
    }

    /// Empties the page caches of both files.
    package func releaseMemory() throws {
        try main.execute("PRAGMA shrink_memory")
        try today.execute("PRAGMA shrink_memory")
    }

    /// Before rows are removed: the newest may be among them, and the last number must outlive them.
    package func keepLastSeq() throws {
        try main.keep(lastSeq: lastSeq)
    }
}
