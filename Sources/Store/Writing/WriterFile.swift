// SPDX-License-Identifier: Apache-2.0

import Platform
import SQLite

/// A file in the hands of its writer: transactions, changes inside them that fail alone, and checkpoints.
final class WriterFile {
    let connection: Connection
    private let checkpointPages: Int
    private let lastResort: LastResort
    private let failedCommits: Counter
    private let walBytes: Gauge
    /// What the log says where a commit fails.
    private let failure: StaticString
    private let troubles: TroubleLog
    private var logIsToBeEmptied = false

    init(
        _ connection: Connection, checkpointPages: Int, _ lastResort: LastResort, failedCommits: Counter, walBytes: Gauge, failure: StaticString,
        _ troubles: TroubleLog
    ) {
        self.connection = connection
        self.checkpointPages = checkpointPages
        self.lastResort = lastResort
        self.failedCommits = failedCommits
        self.walBytes = walBytes
        self.failure = failure
        self.troubles = troubles
    }

    /// Does something wholly and durably, or not at all.
    func commit(_ body: () throws -> Void) throws {
        do {
            try connection.begin()
            try body()
            try connection.commit()
        } catch {
            connection.rollback()
            failedCommits.add()
            troubles.note(failure, error)
            lastResort.endIfUnsynced(error)
            throw error
        }
    }

    /// Does something inside a transaction that goes on where this fails; answers why it did.
    func attempt(_ body: () throws -> Void) throws -> (any Error)? {
        try connection.statement("SAVEPOINT change").run()
        do {
            try body()
        } catch {
            try connection.execute("ROLLBACK TO change; RELEASE change")
            lastResort.endIfUnsynced(error)
            return error
        }
        try connection.statement("RELEASE change").run()
        return nil
    }

    /// Brings in the log of what was committed. That is durable already; what a failure or a reader leaves there is brought in the next time.
    func tidy(emptiesLog: Bool) {
        if emptiesLog { logIsToBeEmptied = true }
        do {
            if logIsToBeEmptied {
                logIsToBeEmptied = try connection.checkpoint(.truncate).log != 0
            } else if connection.walPages >= checkpointPages {
                try connection.checkpoint(.passive)
            }
        } catch {
            lastResort.endIfUnsynced(error)
        }
        walBytes.set(Double(connection.walPages * databasePageBytes))
    }

    func close() {
        do { try connection.checkpoint(.truncate) } catch { lastResort.endIfUnsynced(error) }
    }
}
