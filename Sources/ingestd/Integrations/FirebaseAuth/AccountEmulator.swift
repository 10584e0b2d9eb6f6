// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import AppDirectory
import EventStore
import HTTPServer
import Platform

/// The conveniences of Firebase's Auth emulator: any API key, the bearer `owner`, unsigned custom tokens and the routes below `/emulator`.
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
    func caller(of head: HTTPRequestHead, _ key: IntegrationKey) -> Caller? {
        guard key.isEmulated, admits(head) else { return nil }
        if key.roles.contains(.accounts) { return head.header("Authorization") == "Bearer owner" ? .operator : nil }
        let text = head.header("X-Goog-Api-Key") ?? head.queryValue("key") ?? ""
        guard store.events.key(text) == nil else { return nil }
        let directory = store.events.directory.now
        guard let app = directory.app(named: text) ?? (directory.apps.count == 1 ? directory.apps.first?.value : nil) else { return nil }
        let now = clock.now()
        let keys = directory.keysByID.values.filter { $0.app == app.id && $0.role == .ingest && $0.isValid(at: now) }
        return keys.min { $0.id < $1.id }.map { .key($0, app) }
    }

    /// Whether the page of an origin is served by this machine: `http://localhost:5173`.
    private static func isLoopback(_ origin: String) -> Bool {
        guard WebOrigin.isOne(origin), let end = origin.firstRange(of: "://")?.upperBound else { return false }
        return HostName(header: String(origin[end...]))?.isLoopback ?? false
    }
}
