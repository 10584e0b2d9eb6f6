// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite
import Synchronization

/// The only writer of `audit.db`. Each commit also writes the denied requests counted since the last one, at the latest after a minute.
final class AuditWriter: ChangeWriter {
    private static let denialsAfter = Duration.seconds(60)

    private let file: AuditDB
    let files: WriterFiles
    private let denials: DenialCounts
    private var nextDenials = ContinuousClock.now + AuditWriter.denialsAfter

    init(_ file: AuditDB, _ shared: StoreParts, _ gauges: AuditGauges, _ denials: DenialCounts) {
        (self.file, self.denials) = (file, denials)
        files = WriterFiles(
            file.connection, checkpointPages: 250, shared.failStop, failedCommits: gauges.failedCommits, walBytes: gauges.walBytes,
            operation: "could not commit audit entries", shared.troubles, shared.spare)
    }

    func commit(_ changes: [Change<AuditDB>]) throws -> (failures: [(any Error)?], notice: Void) {
        let taken = denials.tally.withLock { $0.take() }
        do {
            let failures = try files.commit {
                for (denial, count) in taken { try file.add(denial, count: count) }
                return try changes.map { change in try files.attempt { try change.body(file) } }
            }
            return (failures, ())
        } catch {
            denials.tally.withLock { $0.putBack(taken) }
            throw error
        }
    }

    var nextWork: NextWork {
        let now = ContinuousClock.now
        return nextDenials <= now ? .now : .after(nextDenials - now)
    }

    func work() -> Void? {
        nextDenials = .now + AuditWriter.denialsAfter
        guard !denials.tally.withLock(\.isEmpty) else { return nil }
        return (try? commit([]))?.notice
    }

    func maintain() { files.checkpoint() }

    func close() {
        _ = work()
        files.close()
    }
}

/// The tally of denied requests, which the event loops add to.
final class DenialCounts: Sendable {
    let tally = Mutex(DenialTally())
}
