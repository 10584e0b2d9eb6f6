// SPDX-License-Identifier: Apache-2.0

/// A report on its way from a door to the store, grouped and written down.
package struct CrashSubmission: Sendable {
    /// Its place in its request.
    package var index: Int
    package var report: CrashReport
    package var group: GroupKey
    /// The report as the JSON that is kept and shown.
    package var payload: [UInt8]
    /// Whether it lies further in the past or future than its app allows, as with events.
    package var isLate = false

    package init(index: Int, report: CrashReport, group: GroupKey, payload: [UInt8]) {
        self.index = index
        self.report = report
        self.group = group
        self.payload = payload
    }
}

/// What became of a report.
package struct CrashVerdict: Sendable, Equatable {
    package var index: Int
    package var id: String
    package var isDuplicate: Bool
    /// Empty where nothing is known of it any more but its id.
    package var issue: String
    /// Of whom it names nothing is taken in.
    package var isBlocked: Bool

    package init(index: Int, id: String, isDuplicate: Bool, issue: String, isBlocked: Bool = false) {
        self.index = index
        self.id = id
        self.isDuplicate = isDuplicate
        self.issue = issue
        self.isBlocked = isBlocked
    }
}
