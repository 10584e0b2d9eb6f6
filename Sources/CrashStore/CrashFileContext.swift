// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Crashes
import Platform
import SQLite

/// What a change to the crashes' file may touch while its writer runs it.
///
/// What reports come to is summed up in memory and written at the end of a change: a storm of one crash touches its issue's row once.
package final class CrashFileContext {
    let file: CrashDB
    let now: Timestamp
    let limits: CrashBounds
    let directory: Directory
    /// Issues as they will be written.
    var issues: [Int64: IssueRow] = [:]
    var groupings: [GroupingKey: GroupingRow] = [:]
    var words: [CrashWord: Int64] = [:]
    /// How many issues apps have, where somebody asked.
    var issueCounts: [Int64: Int] = [:]
    var sums = CrashSums()
    /// What was done, for the metrics; and apart from it what the change that is being made has done.
    private(set) var tally = CrashTally()
    var ofThisChange = CrashTally()
    /// Whether there is something to do, now and by itself.
    var leavesWork = false
    /// Issues that keep more documents than they may.
    var overfull: Set<Int64> = []
    /// Whether there are reports to look up in symbol files.
    var hasSymbolWork = false
    /// Whether what was deleted must not stay in the log either.
    var emptiesLog = false
    var random = SystemRandomNumberGenerator()

    init(_ file: CrashDB, now: Timestamp, limits: CrashBounds, _ directory: Directory) {
        self.file = file
        self.now = now
        self.limits = limits
        self.directory = directory
    }

    /// Writes what was summed up, at the end of a change.
    package func write() throws {
        try write(sums)
        for issue in issues.values { try file.save(issue) }
        tally.add(ofThisChange)
        forget()
    }

    /// The irrelevance of what goes when nothing else is left to go.
    static let lastToGo = -1_000

    /// After a change that was not made, and before another that reads what was written.
    func forget() {
        issues = [:]
        groupings = [:]
        words = [:]
        issueCounts = [:]
        sums = CrashSums()
        ofThisChange = CrashTally()
    }
}
