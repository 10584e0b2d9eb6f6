// SPDX-License-Identifier: Apache-2.0

import Database
import Platform

/// The background work of the writer, one step per transaction.
///
/// The steps are, in order: bind groups of a new grouping rule to the issues of older rules, evict documents of issues and then of apps
/// above their quota, queue reports whose symbols have arrived, and remove rows of deleted apps. A step handles a chunk, so intake waits
/// for one step at most.
struct CrashChores {
    private static let rest = Timestamp.Span.seconds(60)
    private static let restAfterFailure = Timestamp.Span.seconds(5)

    private var mayHaveWork = true
    /// Issues with more documents than their quota.
    private var overfull: Set<Int64>
    private var pausedUntil: Timestamp

    init(overfull: Set<Int64>, now: Timestamp) {
        self.overfull = overfull
        pausedUntil = now
    }

    mutating func add(_ issues: Set<Int64>) { overfull.formUnion(issues) }

    mutating func noteWork() { mayHaveWork = true }

    mutating func failed(at now: Timestamp) { pausedUntil = now + CrashChores.restAfterFailure }

    func nextWork(at now: Timestamp) -> NextWork {
        guard mayHaveWork || !overfull.isEmpty else { return .after(.milliseconds(CrashChores.rest.milliseconds)) }
        // Bounded, so that a clock set back does not extend the pause.
        let pause = min(pausedUntil - now, CrashChores.restAfterFailure)
        return pause.milliseconds > 0 ? .after(.milliseconds(pause.milliseconds)) : .now
    }

    /// Does one step.
    mutating func step(_ context: CrashFileContext) throws {
        if let issue = overfull.first {
            if try !context.evict(ofIssue: issue) { overfull.remove(issue) }
        } else {
            mayHaveWork =
                try context.bindOlderGroups() || context.evictOfApp() || context.evictAttachments() || context.queueArrived()
                || context.removeDeletedApp()
        }
    }
}
