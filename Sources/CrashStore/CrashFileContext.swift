// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Crashes
import Platform
import SQLite

/// The state of a change while the writer makes it: a write-back cache of rows, and sums of counters.
///
/// Rows and counters are changed in memory and written by `write` at the end. A burst of 1,000 reports of one crash therefore updates the
/// issue's row once and each counter once:
///
///     take × 1,000 → sums.groupings[g].count = 1,000, issues[i].count += 1,000
///     write        → 1 UPDATE of `groupings`, 1 UPDATE of `issues`, 1 row of `issue_days`
///
/// Code that reads `groupings` or counters by SQL must call `write` first. `forget` drops the cache after a failed change.
package final class CrashFileContext {
    let file: CrashDB
    let now: Timestamp
    let limits: CrashBounds
    let directory: Directory
    /// The rows of issues as `write` will save them.
    var issues: [Int64: IssueRow] = [:]
    var groupings: [GroupingKey: GroupingRow] = [:]
    var words: [CrashWord: Int64] = [:]
    /// The number of issues by app, as far as it was counted.
    var issueCounts: [Int64: Int] = [:]
    var sums = CrashSums()
    var newestBuilds = NewestBuilds()
    /// The metrics of the completed changes. `ofThisChange` holds those of the current one, which may still fail.
    private(set) var tally = CrashTally()
    var ofThisChange = CrashTally()
    /// Whether the change leaves background work.
    var leavesWork = false
    /// Issues with more documents than their quota.
    var overfull: Set<Int64> = []
    /// Whether there are reports to symbolicate.
    var hasSymbolWork = false
    /// Whether an alert was held that may be published now.
    var hasDueAlerts = false
    /// Whether the write-ahead log must be truncated, because it still contains erased data.
    var emptiesLog = false
    var random = SystemRandomNumberGenerator()

    init(_ file: CrashDB, now: Timestamp, limits: CrashBounds, _ directory: Directory) {
        self.file = file
        self.now = now
        self.limits = limits
        self.directory = directory
    }

    /// Writes sums and rows, and clears the cache.
    package func write() throws {
        try write(sums)
        try write(newestBuilds)
        for issue in issues.values { try file.save(issue) }
        tally.add(ofThisChange)
        forget()
    }

    /// The irrelevance of documents that are evicted only if no others are left.
    static let lastToGo = -1_000

    /// Clears the cache, after `write` or a failed change.
    func forget() {
        issues = [:]
        groupings = [:]
        words = [:]
        issueCounts = [:]
        sums = CrashSums()
        newestBuilds = NewestBuilds()
        ofThisChange = CrashTally()
    }
}
