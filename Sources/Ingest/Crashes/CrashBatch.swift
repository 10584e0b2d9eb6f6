// SPDX-License-Identifier: Apache-2.0

package import Crashes
package import Events
package import Platform

/// The decoded crashes of one request.
package struct CrashBatch: Sendable {
    package let app: AppID
    package let received: Timestamp
    /// The decoded body. The ranges of quarantined entries refer to it.
    package let body: [UInt8]
    package var crashes: [Entry]
    package let quarantined: [QuarantinedEvent]
    /// Parts of reports in `crashes` that were cut or omitted.
    package let corrections: [Verdict]
    /// Fields that apply to all crashes of the request.
    package let envelope: EventSubmission.Envelope

    package struct Entry: Sendable {
        /// The position of the crash in its request.
        package var index: Int
        package var report: CrashReport
        /// Whether the time was replaced or later than the app allows.
        package var flags: EventFlags
        /// The minidump of the crash; empty if there is none.
        package var minidump: [UInt8] = []
        /// Whether the minidump is to be read in the background.
        package var needsReading = false
    }

    /// The approximate memory in use besides the body: the texts of the reports, and the documents to store.
    package var bytesHeld: Int {
        (crashes.isEmpty ? 0 : 2 * body.count) + (quarantined.count + corrections.count) * EventSubmission.bytesOfVerdict
    }

    /// Returns the reports as they are stored, with their groups.
    ///
    /// - Parameter needNames: Whether mangled names of the reports are to be read later.
    package func submissions(grouping group: (CrashReport) -> GroupKey, needNames: Bool = false) -> [CrashSubmission] {
        crashes.map { entry in
            var submission = CrashSubmission(index: entry.index, report: entry.report, group: group(entry.report), payload: entry.report.json)
            submission.needsNames = needNames || entry.needsReading
            submission.minidump = entry.minidump
            submission.isLate = entry.flags.contains(.late)
            return submission
        }
    }

    /// The quarantined entries as a submission; nil if there are none.
    package var quarantine: EventSubmission? {
        if quarantined.isEmpty { return nil }
        return EventSubmission(
            app: app, received: received, body: body, arena: [], contexts: [], records: [], quarantined: quarantined, corrections: [],
            envelope: envelope, source: .crashes)
    }
}
