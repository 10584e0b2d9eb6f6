// SPDX-License-Identifier: Apache-2.0

package import Accounts
package import AppDirectory
package import Database
package import Platform
import SQLite
import Synchronization

/// The account store: the database `accounts.db`, its writer and its queries.
///
/// A sign-in is one commit: the session, the time of the sign-in and the event. Everything that a client is told is durable before:
///
///     sign-in   reader finds the account, the hasher checks the password, the writer adds the session, then the response
///     refresh   the writer applies the rule for reuse to the session's row, then the response
///     sign-out  the writer removes the session, memory remembers that it ended, then the response
///
/// Secrets are encrypted or sealed with a key outside the database (`AccountKeyFile`), which the first account makes.
package final class AccountStore: CompanionStore {
    package static let fileName = "accounts.db"
    package let gauges: AccountGauges
    package let bounds: AccountBounds
    package let live: LiveSessions
    /// The connected clients that wait for news of their session.
    package let hub = SessionHub()
    /// The key outside the database and the signing keys; without a value before the first account.
    package let secrets: AccountSecrets
    let engine: WriteEngine<AccountWriter>
    let readers: ReaderPool
    /// Look-ups of single accounts, which are short.
    private let lookUps: GroupReader<AccountDB>
    let directory: DirectoryCache
    let clock: WallClock
    let mustEmptyLog = EmptyLogRequest()
    let preparation = OneAtATime(most: 8_192)
    /// Signals that `followUps` may return something.
    package let hasFollowUps: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation
    let outbox = Outbox()
    private let failures = FailureTally()
    /// Whether triggers of an app read who was deleted.
    let keepsDeletedIDs: @Sendable (AppID) -> Bool
    var hasFailures: Bool { !failures.isEmpty }

    package init(
        _ shared: StoreParts, _ bounds: AccountBounds, _ directory: DirectoryCache, _ metrics: Metrics = Metrics(),
        keepsDeletedIDs: @escaping @Sendable (AppID) -> Bool
    ) throws {
        (self.bounds, self.keepsDeletedIDs) = (bounds, keepsDeletedIDs)
        self.directory = directory
        (readers, clock) = (shared.readers, shared.clock)
        lookUps = GroupReader(of: shared.paths.accounts, shared.readers.pool, label: "signalbox.accounts.readers")
        gauges = AccountGauges(metrics)
        let file = try AccountDB.open(writing: shared.paths.accounts, cacheKiB: 4_096)
        let path = bounds.keyFile ?? shared.paths.accountsKey
        let key = try file.key(at: path)
        try file.endHandedOver(at: clock.now())
        secrets = AccountSecrets(path: path, key: try file.keyFingerprint() == nil ? nil : key, keys: try key.map { try file.signingKeys($0) } ?? [])
        live = LiveSessions(try file.endedSessions(since: clock.now() - LiveSessions.kept), hub)
        (hasFollowUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        wakeUp.yield()
        let full = Refusal.tooManyChanges(to: "accounts")
        engine = WriteEngine(
            WriteQueue(.changes(bounds.queue), full: full), AccountWriter(file, shared, gauges, failures, mustEmptyLog))
    }

    package func run() async {
        await engine.run(on: "signalbox.accounts") { [wakeUp] hasFollowUps in
            if hasFollowUps { wakeUp.yield() }
        }
        lookUps.end()
    }

    package func close() {
        outbox.close()
        engine.close()
        wakeUp.finish()
        hub.end()
    }

    func change<T: Sendable>(_ body: @escaping @Sendable (AccountDB) throws -> T) async throws -> T { try await engine.change(body) }

    /// Makes a change and calls `committed` with its result in the order of the commits, before the caller goes on.
    func change<T: Sendable>(
        _ body: @escaping @Sendable (AccountDB) throws -> T, committed: @escaping @Sendable (T) -> Void
    ) async throws -> T {
        try await Change.result(of: body, committed: committed, madeBy: engine.queue.add)
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (AccountDB) throws -> T) async throws -> T {
        try await readers.read { session in try session.withAccounts(body) }
    }

    /// Reads a few rows by keys, together with other such reads.
    func lookUp<T: Sendable>(_ body: @escaping @Sendable (AccountDB) throws -> T) async throws -> T { try await lookUps.read(body) }

    /// Throws the rejection that a change would get now.
    package func checkCapacity() throws(Refusal) { try engine.queue.checkCapacity() }

    /// Returns when the writer has responded.
    package func respond() async throws { try await change { _ in } }

    /// Counts a failed sign-in. It is written with the next change, at the latest after a minute.
    package func signInFailed(_ account: Account, _ origin: AccountOrigin) {
        failures.add(.init(app: account.app, uid: account.uid, origin: origin))
    }
}

// MARK: - Queries

extension AccountStore {
    package func account(_ app: AppID, uid: String) async throws -> Account? { try await lookUp { try $0.account(app, uid: uid) } }

    package func account(_ app: AppID, email: EmailAddress) async throws -> Account? { try await lookUp { try $0.account(app, email: email.key) } }

    /// Returns the account of an address, and whether a device signed in to it before.
    package func account(
        _ app: AppID, email: EmailAddress, device: UInt64?
    ) async throws -> (account: Account?, isKnownDevice: Bool) {
        try await lookUp { file in
            let account = try file.account(app, email: email.key)
            // Without an account the row 0 is asked for, so that a stranger costs the same.
            let isKnown = try device.map { try file.knows($0, of: account?.id ?? 0) } ?? false
            return (account, isKnown)
        }
    }

    /// Returns accounts in the order of their creation, and a cursor for those behind the last one.
    package func accounts(_ app: AppID, after cursor: Int64, limit: Int) async throws -> [(account: Account, cursor: Int64)] {
        try await read { try $0.accounts(app, after: cursor, limit: limit).map { ($0, $0.id) } }
    }

    /// Returns accounts whose user ID is a text, or whose address begins with it.
    package func accounts(_ app: AppID, searched text: String, limit: Int) async throws -> [Account] {
        try await read { try $0.accounts(app, searched: text, limit: limit) }
    }

    /// Returns the sessions of an account, newest first.
    package func sessions(of account: Account) async throws -> [AccountSession] {
        try await read { try $0.sessions(of: account.id).reversed() }
    }

    package func events(_ query: AccountEventQuery) async throws -> [AccountEvent] {
        if hasFailures { try await respond() }
        return try await read { try $0.events(query) }
    }

    /// Returns the events of an app behind a number, oldest first, without those of imports.
    package func events(of app: AppID, after seq: Int64, limit: Int) async throws -> AccountEventPage {
        let oldest = clock.now() - bounds.auditKept
        return try await read { file in
            var page = try file.events(of: app, after: seq, limit: limit)
            if try seq < file.lastRemovedEvent() { page.removedThrough = oldest }
            return page
        }
    }

    /// Returns the number of the last event of all apps.
    package func lastEvent() async throws -> Int64 { try await read { try $0.lastEvent() } }

    package func hasAccount(_ app: AppID, uid: String) async throws -> Bool { try await account(app, uid: uid) != nil }
}
