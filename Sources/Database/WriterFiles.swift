// SPDX-License-Identifier: Apache-2.0

package import Platform
package import SQLite

/// The files of one writer: transactions over them, changes inside a transaction that fail alone, and checkpoints.
///
/// Most writers have one file. The writer of events has two, today's and the main file. The second joins a transaction with its first change
/// and is committed first, so it may only hold facts that do no harm when they are written twice.
package final class WriterFiles {
    /// The file that is part of every transaction.
    private(set) var primary: Connection
    private let secondary: Connection?
    private let checkpointPages: Int
    private let failStop: FailStop
    /// The failed operation as the log names it.
    private let operation: StaticString
    private let failedCommits: Counter
    private let walBytes: Gauge
    private let troubles: TroubleLog
    private var logsAreToBeEmptied = false

    package init(
        _ primary: Connection, joining secondary: Connection? = nil, checkpointPages: Int, _ failStop: FailStop, failedCommits: Counter,
        walBytes: Gauge, operation: StaticString, _ troubles: TroubleLog
    ) {
        self.primary = primary
        self.secondary = secondary
        self.checkpointPages = checkpointPages
        self.failStop = failStop
        self.failedCommits = failedCommits
        self.walBytes = walBytes
        self.operation = operation
        self.troubles = troubles
    }

    private var connections: [Connection] { secondary.map { [$0, primary] } ?? [primary] }

    /// Rows changed since the files were opened.
    package var totalChanges: Int { connections.reduce(0) { $0 + $1.totalChanges } }

    /// Makes another file the primary one, between transactions.
    package func turn(to next: Connection) {
        precondition(!primary.inTransaction, "a writer turns to another file between transactions")
        primary = next
    }

    // MARK: Transactions

    /// Does something wholly and durably, or not at all.
    package func commit<T>(_ body: () throws -> T) throws -> T {
        do {
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

    /// Makes one change inside a transaction that goes on where the change fails; returns the change's error.
    package func attempt(_ body: () throws -> Void) throws -> (any Error)? {
        assert(primary.inTransaction, "a change is made inside a transaction")
        if let secondary, !secondary.inTransaction { try secondary.begin() }
        for connection in connections { try connection.statement("SAVEPOINT change").run() }
        do {
            try body()
        } catch {
            for connection in connections { try connection.execute("ROLLBACK TO change; RELEASE change") }
            failStop.endIfUnsynced(error)
            return error
        }
        for connection in connections { try connection.statement("RELEASE change").run() }
        return nil
    }

    // MARK: Checkpoints

    /// Has the logs emptied as soon as no reader needs them, because deleted rows may still stand in them.
    package func emptyLogs() { logsAreToBeEmptied = true }

    /// Moves committed pages from the logs into the files where there are many; returns the error of a checkpoint that failed. All of it is
    /// durable already, so a failure or a reader in the way leaves the pages for the next time.
    @discardableResult
    package func checkpoint() -> (any Error)? {
        var failure: (any Error)?
        do {
            if logsAreToBeEmptied {
                logsAreToBeEmptied = try !truncateLogs()
            } else {
                for connection in connections where connection.walPages >= checkpointPages { try connection.checkpoint(.passive) }
            }
        } catch {
            failStop.endIfUnsynced(error)
            failure = error
        }
        walBytes.set(Double(connections.reduce(0) { $0 + $1.walPages } * databasePageBytes))
        return failure
    }

    /// Empties the logs; false where a reader still needs one.
    private func truncateLogs() throws -> Bool {
        var areEmpty = true
        for connection in connections where try connection.checkpoint(.truncate).log != 0 { areEmpty = false }
        return areEmpty
    }

    /// Ends the writer's work. Pages for which a file has no room stay in its log, where the next start finds them.
    package func close() {
        for connection in connections {
            do { try connection.checkpoint(.truncate) } catch { failStop.endIfUnsynced(error) }
        }
    }
}
