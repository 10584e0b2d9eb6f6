// SPDX-License-Identifier: Apache-2.0

package import Platform
package import SQLite

/// The files of one writer: transactions, changes that fail alone within them, and checkpoints.
///
/// Most writers have one file. The writer of events has two, today's file and the main file. The second joins a transaction with its first
/// change and is committed first. A crash between the two commits leaves only the second, so it may hold only facts that do no harm when
/// they are written again.
///
///     commit                BEGIN                              today
///       attempt a           BEGIN; SAVEPOINT, RELEASE          main joins
///       attempt b fails     ROLLBACK TO, a stays               both files
///     end of the closure    COMMIT main, then COMMIT today
package final class WriterFiles {
    /// The file that takes part in every transaction.
    private(set) var primary: Connection
    private let secondary: Connection?
    private let checkpointPages: Int
    private var primarySchedule: CheckpointSchedule
    private var secondarySchedule: CheckpointSchedule
    private let failStop: FailStop
    /// The operation's name for the log.
    private let operation: StaticString
    private let failedCommits: Counter
    private let walBytes: Gauge
    private let troubles: TroubleLog
    private let spare: SpareSpace?
    /// Whether the logs may still contain deleted rows that must not be there.
    package private(set) var mustEmptyLogs = false
    /// The error of the last checkpoint that was tried; nil if it succeeded.
    package private(set) var checkpointFailure: (any Error)?
    private var isSynced = true

    package init(
        _ primary: Connection, joining secondary: Connection? = nil, checkpointPages: Int, _ failStop: FailStop, failedCommits: Counter,
        walBytes: Gauge, operation: StaticString, _ troubles: TroubleLog, _ spare: SpareSpace? = nil
    ) {
        self.primary = primary
        self.secondary = secondary
        self.checkpointPages = checkpointPages
        (primarySchedule, secondarySchedule) = (CheckpointSchedule(every: checkpointPages), CheckpointSchedule(every: checkpointPages))
        self.failStop = failStop
        self.failedCommits = failedCommits
        self.walBytes = walBytes
        self.operation = operation
        self.troubles = troubles
        self.spare = spare
    }

    private var connections: [Connection] { secondary.map { [$0, primary] } ?? [primary] }

    /// The number of rows changed since the files were opened.
    package var totalChanges: Int { connections.reduce(0) { $0 + $1.totalChanges } }

    /// Switches to another primary file. Called between transactions.
    package func turn(to next: Connection) {
        precondition(!primary.inTransaction, "a writer may switch files only between transactions")
        (primary, primarySchedule) = (next, CheckpointSchedule(every: checkpointPages))
    }

    // MARK: Transactions

    /// Runs a transaction: all of the closure's changes are durable, or none is made.
    ///
    /// - Parameter isSynced: Whether the changes are durable at once, rather than with the next commit.
    package func commit<T>(isSynced: Bool = true, _ body: () throws -> T) throws -> T {
        do {
            try sync(isSynced)
            try primary.begin()
            let result = try body()
            if let secondary, secondary.inTransaction { try secondary.commit() }
            try primary.commit()
            return result
        } catch {
            for connection in connections { connection.rollback() }
            failedCommits.add()
            troubles.note(operation, error)
            failStop.endIfUnsynced(error)
            throw error
        }
    }

    /// Sets whether commits are synced. It cannot be changed within a transaction, so a failure here fails the transaction before it begins.
    private func sync(_ isSynced: Bool) throws {
        if isSynced == self.isSynced { return }
        try primary.execute("PRAGMA synchronous = \(isSynced ? "FULL" : "NORMAL")")
        self.isSynced = isSynced
    }

    /// Makes one change within the transaction. Returns its error if it failed; the transaction goes on without it.
    package func attempt(_ body: () throws -> Void) throws -> (any Error)? {
        assert(primary.inTransaction, "a change requires an open transaction")
        if let secondary, !secondary.inTransaction { try secondary.begin() }
        for connection in connections { try connection.statement("SAVEPOINT change").run() }
        do {
            try body()
        } catch {
            // Where a full disk has no room for a page of the cache, SQLite has rolled back the transaction, and the error is that of all changes.
            if !connections.allSatisfy(\.inTransaction) { throw error }
            for connection in connections { try connection.execute("ROLLBACK TO change; RELEASE change") }
            failStop.endIfUnsynced(error)
            return error
        }
        for connection in connections { try connection.statement("RELEASE change").run() }
        return nil
    }

    /// Repeats a commit of removals that failed on a full disk, and gives it the spare space if moving pages of the logs is not enough.
    package func retryOnFullDisk<T>(_ commit: () throws -> T) throws -> T {
        // A log whose pages were moved is written from its start again, which needs no space.
        checkpoint(evenIfNotDue: true)
        do { return try commit() } catch  where Refusal.isFullDisk(error) {
            spare?.release()
            // Pages of the log that the files have no room for go first if they are few, as a commit that is too large would take all space.
            if connections.reduce(0, { $0 + $1.walPages }) * databasePageBytes <= Int(SpareSpace.bytes) / 4 * 3 { checkpoint(evenIfNotDue: true) }
            // The log gives its own space free, once its pages are moved with the rest of the spare space; also that of a commit too large for it.
            defer { emptyLogs() }
            return try commit()
        }
    }

    /// Lets the logs give the spare space back that removals have taken.
    package func giveSpareSpaceBack() {
        if let spare, spare.isInUse { emptyLogs() }
    }

    // MARK: Checkpoints

    /// Requests that the logs be truncated as soon as no reader needs them, because they may still contain deleted rows.
    package func emptyLogs() { mustEmptyLogs = true }

    /// Moves committed pages from the logs into the files if there are many.
    ///
    /// Returns the error of a failed checkpoint. The pages are durable already, so after a failure or with a reader in the way they are
    /// left for the next checkpoint.
    ///
    /// - Parameter evenIfNotDue: Whether the pages are moved even if they are few.
    @discardableResult
    package func checkpoint(evenIfNotDue: Bool = false) -> (any Error)? {
        var failure: (any Error)?
        do {
            var isTried = mustEmptyLogs
            if mustEmptyLogs {
                mustEmptyLogs = try !truncateLogs()
            } else {
                if let secondary, secondarySchedule.takeDue(secondary.walPages) || evenIfNotDue {
                    try secondary.checkpoint(.passive)
                    isTried = true
                }
                if primarySchedule.takeDue(primary.walPages) || evenIfNotDue {
                    try primary.checkpoint(.passive)
                    isTried = true
                }
            }
            if isTried { checkpointFailure = nil }
        } catch {
            failStop.endIfUnsynced(error)
            (failure, checkpointFailure) = (error, error)
            // A log that must be empty has removed rows. The next attempt gets the space.
            if mustEmptyLogs, Refusal.isFullDisk(error) { spare?.release() }
        }
        walBytes.set(Double(connections.reduce(0) { $0 + $1.walPages } * databasePageBytes))
        return failure
    }

    /// Truncates the logs. Returns false if a reader still needs one.
    ///
    /// The caches are emptied, too: their pages may have copies of deleted rows in gaps, which a later commit would write to the log.
    ///
    /// While removals have the spare space, nothing is moved unless the files have room for all of it. Otherwise the files would take the space,
    /// and the logs would be as long as before.
    private func truncateLogs() throws -> Bool {
        if let spare, spare.isInUse, try !spare.hasRoom(for: growth()) {
            throw Refusal(.storageFull, "The disk has no room for the pages of the write-ahead log.")
        }
        var areEmpty = true
        for connection in connections {
            if try connection.checkpoint(.truncate).log == 0 { connection.releaseMemory() } else { areEmpty = false }
        }
        return areEmpty
    }

    /// The bytes by which the files grow when the pages of the logs are moved.
    private func growth() throws -> Int64 {
        var sum: Int64 = 0
        for connection in connections {
            let pages = try connection.statement("PRAGMA page_count").first { $0.integer(0) } ?? 0
            sum += max(0, pages * Int64(databasePageBytes) - Folder.size(of: connection.path))
        }
        return sum
    }

    /// Truncates the logs at the end. Pages that a full disk has no space for stay in the log, where the next start finds them.
    package func close() {
        for connection in connections {
            do { try connection.checkpoint(.truncate) } catch { failStop.endIfUnsynced(error) }
        }
    }
}
