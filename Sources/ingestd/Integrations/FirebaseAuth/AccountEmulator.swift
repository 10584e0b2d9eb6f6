// SPDX-License-Identifier: Apache-2.0

import Accounts
import AcrossStores
import AppDirectory
import EventStore
import HTTPServer
import JOSE
import Platform

/// The conveniences of Firebase's emulators of accounts, documents and files: any API key, the bearer `owner`, unsigned tokens and the routes
/// below `/emulator`.
///
/// They check nothing, so they need the setting `accounts.emulator` in development, a client on this machine that names it by a loopback
/// host, and no page of another machine.
struct AccountEmulator: Sendable {
    let store: Stores
    let configuration: LiveConfiguration
    let clock: WallClock

    func admits(_ head: HTTPRequestHead) -> Bool {
        let settings = configuration.now
        guard settings.accounts.emulator, settings.mode == .development, head.client.isLoopback,
            let host = head.header("Host").flatMap({ HostName(header: $0) }), host.isLoopback
        else { return false }
        return head.header("Origin").map(AccountEmulator.isLoopback) ?? true
    }

    /// Returns who a request is taken for: the operator for a server's bearer `owner`, an app's ingest key for any API key of a client.
    /// Nil for requests with a real key, and for all that the emulator does not admit.
    func caller(of head: HTTPRequestHead, _ key: IntegrationKey, _ parameters: [String: String]) -> Caller? {
        guard let emulation = key.emulation, admits(head) else { return nil }
        let bearer = head.header("Authorization")
        let isOwner = bearer?.lowercased() == "bearer owner"
        switch emulation {
        case .accounts where key.roles.contains(.accounts): return isOwner ? .operator : nil
        case .accounts: return hasKey(head) ? nil : app(withAPIKey: apiKey(head)).flatMap(client)
        // Google's clients send nothing to an emulator of files, or a token of Google's.
        case .files: return Credentials.key(in: head).flatMap(store.events.key) == nil ? .operator : nil
        case .documents where isOwner: return .operator
        case .documents:
            guard key.roles.contains(.ingest), let app = store.events.directory.now.app(named: parameters["app"] ?? "") else { return nil }
            return bearer == nil ? (hasKey(head) ? nil : client(of: app)) : unsignedUser(head, of: app)
        }
    }

    private func apiKey(_ head: HTTPRequestHead) -> String { head.header("X-Goog-Api-Key") ?? head.queryValue("key") ?? "" }

    private func hasKey(_ head: HTTPRequestHead) -> Bool { store.events.key(apiKey(head)) != nil }

    /// Returns the app that an API key names; the only one for any text.
    private func app(withAPIKey text: String) -> App? {
        let directory = store.events.directory.now
        return directory.app(named: text) ?? (directory.apps.count == 1 ? directory.apps.first?.value : nil)
    }

    private func client(of app: App) -> Caller? { ingestKey(of: app).map { .key($0, app) } }

    private func ingestKey(of app: App) -> APIKey? {
        let now = clock.now()
        let keys = store.events.directory.now.keysByID.values.filter { $0.app == app.id && $0.role == .ingest && $0.isValid(at: now) }
        return keys.min { $0.id < $1.id }
    }

    /// Returns the user of an unsigned ID token, for whom nobody signed in; nil for other bearers.
    private func unsignedUser(_ head: HTTPRequestHead, of app: App) -> Caller? {
        guard let text = Credentials.idToken(in: head), let token = try? UnsignedToken(text), let key = ingestKey(of: app) else { return nil }
        let now = clock.now()
        return .user(
            ProvedUser(
                uid: token.user, session: .make(at: now), authenticated: now, expires: now + .hours(1), claims: token.json, key: key, app: app))
    }

    /// Whether the page of an origin is served by this machine: `http://localhost:5173`.
    private static func isLoopback(_ origin: String) -> Bool {
        guard WebOrigin.isOne(origin), let end = origin.firstRange(of: "://")?.upperBound else { return false }
        return HostName(header: String(origin[end...]))?.isLoopback ?? false
    }
}
