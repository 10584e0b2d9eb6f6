// SPDX-License-Identifier: Apache-2.0

/// A grouped and serialized report on its way from intake to the store.
package struct CrashSubmission: Sendable {
    /// The position of the report in its request.
    package var index: Int
    package var report: CrashReport
    package var group: GroupKey
    /// The report as the JSON that is stored and shown.
    package var payload: [UInt8]
    /// Whether the report's time is further in the past or future than the app's settings allow. Events follow the same rule.
    package var isLate = false
    /// Whether mangled names were left for the background, which groups the report again.
    package var needsNames = false
    /// The minidump from which the report was read; empty if there is none.
    package var minidump: [UInt8] = []

    package init(index: Int, report: CrashReport, group: GroupKey, payload: [UInt8]) {
        self.index = index
        self.report = report
        self.group = group
        self.payload = payload
    }
}

/// The result of storing one report.
package struct CrashVerdict: Sendable, Equatable {
    package var index: Int
    package var id: String
    package var isDuplicate: Bool
    /// The issue's ID. Empty for a duplicate of which only the ID is still stored.
    package var issue: String
    /// Whether the report names a blocked user or installation and was therefore not stored.
    package var isBlocked: Bool

    package init(index: Int, id: String, isDuplicate: Bool, issue: String, isBlocked: Bool = false) {
        self.index = index
        self.id = id
        self.isDuplicate = isDuplicate
        self.issue = issue
        self.isBlocked = isBlocked
    }
}
