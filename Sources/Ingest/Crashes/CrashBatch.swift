// SPDX-License-Identifier: Apache-2.0

package import Crashes
package import Events
package import Platform

/// What one request tells of crashes.
package struct CrashBatch: Sendable {
    package let app: AppID
    package let received: Timestamp
    /// The decoded body, into which the quarantined entries point.
    package let body: [UInt8]
    package let crashes: [Entry]
    package let quarantined: [QuarantinedEvent]
    /// What was cut or left out of reports that are in `crashes`.
    package let corrections: [Verdict]
    /// What the request said of all its crashes.
    package let envelope: EventSubmission.Envelope

    package struct Entry: Sendable {
        /// Its place in its request.
        package var index: Int
        package var report: CrashReport
        /// Its time was replaced, or it came later than its app allows.
        package var flags: EventFlags
    }

    /// About what it holds of memory besides the body: a report is its texts once more, and again as the document that is stored.
    package var bytesHeld: Int {
        (crashes.isEmpty ? 0 : 2 * body.count) + (quarantined.count + corrections.count) * EventSubmission.bytesOfVerdict
    }

    /// The reports as they are stored; `group` says where each belongs.
    package func submissions(grouping group: (CrashReport) -> GroupKey) -> [CrashSubmission] {
        crashes.map { entry in
            var submission = CrashSubmission(index: entry.index, report: entry.report, group: group(entry.report), payload: entry.report.json)
            submission.isLate = entry.flags.contains(.late)
            return submission
        }
    }

    /// What is to be kept of those that were refused; nil where there are none.
    package var refused: EventSubmission? {
        if quarantined.isEmpty { return nil }
        return EventSubmission(
            app: app, received: received, body: body, arena: [], contexts: [], records: [], quarantined: quarantined, corrections: [],
            envelope: envelope, source: .crashes)
    }
}
