// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import AcrossStores
import EventStore
import Foundation
import Platform

/// Fills a data folder with accounts (`--people`), which all have the same password. The first of them (`--sessions`) get a session, whose
/// refresh tokens are written to a file (`--csv`).
enum AccountFill {
    static let password = "correct horse battery staple"
    private static let origin = AccountOrigin(method: "password", place: "10.0.0.0/24")
    private static let chunk = 2_000

    static func run(_ options: Options) async throws {
        let store = try Stores(options.folder) { fatalError($0) }
        async let running: Void = store.run()
        let (app, keys) = try await store.events.createAppWithKeys(named: "bench", settings: [("auth_methods", "password")])
        for (role, secret) in keys { print("\(role.rawValue) \(secret)") }
        let key = try await store.accounts.prepareSecrets()
        let hasher = PasswordHasher(key, threads: 1)
        try hasher.start()
        let hash = try await hasher.hash(password).stored
        hasher.end()
        let start = monotonicSeconds()
        var tokens: [String] = []
        for first in stride(from: 0, to: options.people, by: chunk) {
            let numbers = first..<min(first + chunk, options.people)
            tokens += try await add(numbers, sessions: options.sessions, hash, app.id, key, to: store.accounts)
        }
        let seconds = monotonicSeconds() - start
        print("filled with \(options.people) accounts: \(Int(Double(options.people) / seconds)) accounts/s")
        if !options.csv.isEmpty { try Data(tokens.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: options.csv)) }
        store.close()
        await running
    }

    /// Adds some accounts at once and returns the refresh tokens of their sessions.
    private static func add(
        _ numbers: Range<Int>, sessions: Int, _ hash: String, _ app: AppID, _ key: AccountsKey, to accounts: AccountStore
    ) async throws -> [String] {
        try await withThrowingTaskGroup(of: String?.self) { group in
            for number in numbers {
                group.addTask {
                    var draft = AccountDraft()
                    draft.email = EmailAddress(address(number))
                    draft.password = hash
                    guard number < sessions else {
                        _ = try await accounts.create(draft, app, origin)
                        return nil
                    }
                    let made = try await accounts.signUp(draft, app, SessionDraft(key: 0, client: "bench"), origin).session
                    return RefreshToken(session: made.id, counter: made.state.counter).text(key).revealed
                }
            }
            return try await group.reduce(into: []) { tokens, token in if let token { tokens.append(token) } }
        }
    }

    static func address(_ number: Int) -> String { "user\(number)@example.org" }
}
