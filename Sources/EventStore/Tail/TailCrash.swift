// SPDX-License-Identifier: Apache-2.0

package import Crashes
package import Platform

/// A crash as a tail shows it.
package struct TailCrash: Sendable {
    package var id: String
    package var issue: String
    package var kind: CrashKind
    package var title: String
    package var culprit: String?
    package var time: Timestamp
    package var release: String?
    package var user: String?
    package var installation: String?

    /// Returns the new crashes among some reports, without duplicates and blocked users.
    package static func taken(_ submissions: [CrashSubmission], _ verdicts: [CrashVerdict]) -> [TailCrash] {
        zip(submissions, verdicts).compactMap { submission, verdict in
            verdict.isDuplicate || verdict.isBlocked ? nil : TailCrash(submission, issue: verdict.issue)
        }
    }

    private init(_ submission: CrashSubmission, issue: String) {
        let report = submission.report
        (id, kind, time, release) = (report.id, report.kind, report.time, report.releaseKey)
        (user, installation) = (report.user, report.installation)
        self.issue = issue
        (title, culprit) = (submission.group.title, submission.group.culprit)
    }
}

/// The crashes that a listener has not read: the newest 100, and the number of dropped ones.
struct TailCrashes: Sendable {
    static let limit = 100

    private var waiting: [TailCrash] = []
    private var missed = 0

    mutating func add(_ crashes: [TailCrash]) {
        waiting += crashes
        let beyond = waiting.count - TailCrashes.limit
        if beyond > 0 {
            waiting.removeFirst(beyond)
            missed += beyond
        }
    }

    mutating func take() -> (crashes: [TailCrash], missed: Int) {
        defer { (waiting, missed) = ([], 0) }
        return (waiting, missed)
    }

    mutating func forget() {
        missed += waiting.count
        waiting = []
    }
}
