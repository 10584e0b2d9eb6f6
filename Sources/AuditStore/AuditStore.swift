// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
package import Database
package import Platform
import SQLite
import Synchronization

/// The audit log: the database `audit.db`, its writer and its queries.
///
/// An entry is durable before its action begins, and its outcome before the action is answered. After a kill in between, the entry says
/// `unfinished`; no audited action leaves no trace:
///
///     begin → entry on disk → action → end → outcome on disk → response
///
/// Persons are keyed hashes, so an erasure removes nothing here and stays an erasure. Entries of deleted apps stay too, for the operator:
/// they are the evidence of what was erased.
package final class AuditStore: CompanionStore {
    package static let fileName = "audit.db"
    package let gauges: AuditGauges
    private let engine: WriteEngine<AuditWriter>
    private let denials = DenialCounts()
    private let limits: AuditBounds
    private let readers: ReaderPool
    private let clock: WallClock

    package init(_ shared: StoreParts, _ limits: AuditBounds = AuditBounds(), _ metrics: Metrics = Metrics()) throws {
        self.limits = limits
        (readers, clock) = (shared.readers, shared.clock)
        gauges = AuditGauges(metrics)
        let file = try AuditDB.open(writing: shared.paths.audit, cacheKiB: 512)
        engine = WriteEngine(
            WriteQueue(.changes(limits.queue), full: .tooManyChanges(to: "the audit log")), AuditWriter(file, shared, gauges, denials))
    }

    package func run() async { await engine.run(on: "signalbox.audit") }

    package func close() { engine.close() }

    // MARK: Recording

    /// Records the beginning of an action. Returns the entry's ID once it is durable; the action must not begin before.
    package func begin(_ entry: AuditEntry) async throws -> Int64 {
        let now = clock.now()
        let id = try await engine.change { (file: AuditDB) in try file.add(entry, at: now) }
        gauges.began(entry.action)
        return id
    }

    /// Records the end of an action; durable on return.
    package func end(_ id: Int64, _ ending: AuditEnding) async throws {
        try await engine.change { (file: AuditDB) in try file.end(id, ending) }
    }

    /// Counts a request of a key whose role does not allow it. It is written with the next entry, at the latest after a minute.
    package func denied(app: AppID, _ caller: AuditCaller) {
        gauges.denied.add()
        let now = clock.now()
        denials.tally.withLock { $0.add(app: app, caller, at: now) }
    }

    /// Records a restoration in a folder that no daemon has open.
    package static func recordRestoration(in folder: String, at time: Timestamp) throws {
        var entry = AuditEntry(.backupRestore, app: nil, by: .operator)
        entry.outcome = .done
        try AuditDB.change(StorePaths(root: folder).audit) { _ = try $0.add(entry, at: time) }
    }

    // MARK: Queries

    /// Returns entries, newest first, with all denials counted so far.
    package func entries(_ query: AuditQuery) async throws -> [AuditEntry] {
        if !denials.tally.withLock(\.isEmpty) { try await engine.change { (_: AuditDB) in } }
        return try await readers.read { session in try session.withSnapshot(session.paths.audit) { (file: AuditDB) in try file.entries(query) } }
    }

    /// Returns when the writer has responded.
    package func respond() async throws { try await engine.change { (_: AuditDB) in } }

    // MARK: Steps across stores

    /// Keeps the entries of deleted apps until their year is over.
    package func forgetDeletedApps() async throws {}

    /// Removes entries beyond their age, and the oldest ones of apps with too many.
    package func retain(_ apps: [App]) async throws -> Int {
        let (start, limits) = (clock.now() - limits.kept, limits)
        var total = 0
        while true {
            let removed = try await engine.change { (file: AuditDB) in
                var removed = try file.remove(before: start, atMost: limits.removedAtOnce)
                for app in try file.owners() { removed += try file.remove(app: app, beyond: limits.entriesPerApp, atMost: limits.removedAtOnce) }
                return removed
            }
            total += removed
            if removed == 0 { return total }
        }
    }

    package func survey(_ removal: PersonRemoval) async throws -> RemovalCounts { RemovalCounts() }

    package func remove(_ removal: PersonRemoval) async throws -> RemovalCounts { RemovalCounts() }

    package func emptyLog() async throws {}
}

/// The limits of the audit log.
package struct AuditBounds: Sendable {
    /// The time for which entries are kept.
    package var kept = Timestamp.Span.days(365)
    /// The entries of one app, or of the daemon, beyond which the oldest are removed.
    package var entriesPerApp = 100_000
    package var queue = 1_024
    /// The rows that one transaction removes, so that entries do not wait for long.
    var removedAtOnce = 2_000

    package init() {}
}

extension StorePaths {
    package var audit: String { root + "/" + AuditStore.fileName }
}
