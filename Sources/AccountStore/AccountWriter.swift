// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite

/// The only writer of `accounts.db`. Each commit also writes the failed sign-ins counted since the last one, at the latest after a minute.
final class AccountWriter: ChangeWriter {
    private static let failuresAfter = Duration.seconds(60)

    private let file: AccountDB
    let files: WriterFiles
    private let failures: FailureTally
    private let clock: WallClock
    private let mustEmptyLog: EmptyLogRequest
    private var nextFailures = ContinuousClock.now + AccountWriter.failuresAfter

    init(_ file: AccountDB, _ shared: StoreParts, _ gauges: AccountGauges, _ failures: FailureTally, _ mustEmptyLog: EmptyLogRequest) {
        (self.file, self.failures, self.clock, self.mustEmptyLog) = (file, failures, shared.clock, mustEmptyLog)
        files = WriterFiles(
            file.connection, checkpointPages: 4_000, shared.failStop, failedCommits: gauges.failedCommits, walBytes: gauges.walBytes,
            operation: "could not commit accounts", shared.troubles, shared.spare)
    }

    func commit(_ changes: [Change<AccountDB>]) throws -> (failures: [(any Error)?], notice: Bool) {
        let taken = failures.take()
        do {
            let results = try files.commit {
                let now = clock.now()
                for (key, count) in taken {
                    try file.add(AccountEvent(.signInFailed, uid: key.uid, key.origin, count: count), app: key.app, at: now)
                }
                return try changes.map { change in try files.attempt { try change.body(file) } }
            }
            if mustEmptyLog.take() { files.emptyLogs() }
            // An error only delays what follows until the next commit.
            return (results, (try? file.hasFollowUps()) ?? true)
        } catch {
            failures.putBack(taken)
            throw error
        }
    }

    var nextWork: NextWork {
        let now = ContinuousClock.now
        return nextFailures <= now ? .now : .after(nextFailures - now)
    }

    func work() -> Bool? {
        nextFailures = .now + AccountWriter.failuresAfter
        guard !failures.isEmpty else { return nil }
        return (try? commit([]))?.notice
    }

    func maintain() { files.checkpoint() }

    func close() {
        _ = work()
        files.close()
    }
}
