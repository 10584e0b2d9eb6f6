// SPDX-License-Identifier: Apache-2.0

import Database
import Platform

/// What the crashes' writer does unasked, in pieces: makes room, lets reports be looked up in symbols that have come, and takes away what
/// deleted apps have left.
struct CrashChores {
    private static let rest = Timestamp.Span.seconds(60)
    private static let restAfterFailure = Timestamp.Span.seconds(5)

    private var mayHaveWork = true
    /// Issues that keep more documents than they may.
    private var overfull: Set<Int64>
    private var pausedUntil: Timestamp

    init(overfull: Set<Int64>, now: Timestamp) {
        self.overfull = overfull
        pausedUntil = now
    }

    mutating func add(_ issues: Set<Int64>) { overfull.formUnion(issues) }

    mutating func somethingIsToDo() { mayHaveWork = true }

    mutating func failed(at now: Timestamp) { pausedUntil = now + CrashChores.restAfterFailure }

    func nextWork(at now: Timestamp) -> NextWork {
        guard mayHaveWork || !overfull.isEmpty else { return .after(.milliseconds(CrashChores.rest.milliseconds)) }
        // A clock that is set back makes no pause longer.
        let pause = min(pausedUntil - now, CrashChores.restAfterFailure)
        return pause.milliseconds > 0 ? .after(.milliseconds(pause.milliseconds)) : .now
    }

    /// Does one piece.
    mutating func step(_ context: CrashFileContext) throws {
        if let issue = overfull.first {
            if try !context.evict(ofIssue: issue) { overfull.remove(issue) }
        } else {
            mayHaveWork = try context.evictOfApp() || context.takeUpArrived() || context.removeDeletedApp()
        }
    }
}
