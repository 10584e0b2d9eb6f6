// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Signalbox

/// The life of a session: refreshes, lost answers, ends, and credentials that cannot be read.
@Suite struct SessionTests {
    private static let hour: TimeInterval = 60 * 60

    @Test func `any number of callers share one refresh, five minutes ahead`() async throws {
        let world = try await World.withAccounts()
        let clock = HeldClock()
        let (app, user) = try await world.signedUp { $0.now = { clock.now } }
        let first = try #require(try await app.accounts.session())
        clock.pass(Self.hour - 6 * 60)
        #expect(try await app.accounts.session()?.idToken == first.idToken)
        clock.pass(2 * 60)
        let tokens = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<50 { group.addTask { try await app.accounts.session()?.idToken } }
            return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1 && !tokens.contains(first.idToken))
        #expect(await world.requests(to: "/v1/auth/token", status: 200) == 1)
        #expect(app.accounts.currentUser == user)
        // The device's clock is an hour ahead of the daemon's, and the client knows it.
        #expect(try await app.accounts.session()?.idToken == tokens.first)
        #expect(await world.requests(to: "/v1/auth/token", status: 200) == 1)
    }

    @Test func `an unreachable daemon ends no session`() async throws {
        let world = try await World.withAccounts()
        let clock = HeldClock()
        let (app, user) = try await world.signedUp { $0.now = { clock.now } }
        let first = try #require(try await app.accounts.session())
        await world.daemon.killHard()
        clock.pass(Self.hour - 60)
        #expect(try await app.accounts.session()?.idToken == first.idToken, "still valid for a minute")
        clock.pass(2 * 60)
        let failure = await #expect(throws: AccountError.self) { try await app.accounts.session() }
        guard case .signalbox(.unreachable) = failure else { throw try #require(failure) }
        #expect(app.accounts.currentUser == user && app.accounts.sessionEnd == nil)
        try await world.restart()
        #expect(try await app.accounts.session()?.idToken != first.idToken)
    }

    @Test func `a proxy's answer ends no session`() async throws {
        let world = try await World.withAccounts()
        let (app, user) = try await world.signedUp()
        await app.close()
        let portal = try WebhookSink { hook in hook.path == "/v1/auth/token" ? .status(401, body: "log in first") : .status(200) }
        let again = try SignalboxApp({ $0.address = URL(string: portal.url("")) ?? $0.address }, of: world)
        let failure = await #expect(throws: AccountError.self) { try await again.accounts.refreshSession() }
        guard case .signalbox(.unexpectedResponse(401, _)) = failure else { throw try #require(failure) }
        #expect(again.accounts.currentUser == user)
    }

    @Test func `refreshes wait for Retry-After, and not for a clock that was set back`() async throws {
        let world = try await World.withAccounts()
        let (app, _) = try await world.signedUp()
        await app.close()
        let portal = try WebhookSink { _ in .status(429, "Retry-After: 60") }
        let clock = HeldClock()
        let again = try SignalboxApp(
            {
                $0.address = URL(string: portal.url("")) ?? $0.address
                $0.now = { clock.now }
            }, of: world)
        await #expect(throws: AccountError.self) { try await again.accounts.refreshSession() }
        await #expect(throws: AccountError.self) { try await again.accounts.refreshSession() }
        #expect(portal.hooks(to: "/v1/auth/token").count == 1)
        clock.pass(-24 * Self.hour)
        await #expect(throws: AccountError.self) { try await again.accounts.refreshSession() }
        #expect(portal.hooks(to: "/v1/auth/token").count == 2)
    }

    @Test func `a lost answer and a kill before it is stored end no session`() async throws {
        let world = try await World.withAccounts()
        let forwarder = try Forwarder(to: world.api.port)
        let (app, user) = try await world.signedUp { $0.address = URL(string: "http://127.0.0.1:\(forwarder.port)") ?? $0.address }
        forwarder.cut(.inTheAnswer)
        let failure = await #expect(throws: AccountError.self) { try await app.accounts.refreshSession() }
        guard case .signalbox(.unreachable) = failure else { throw try #require(failure) }
        #expect(forwarder.cuts > 0)
        forwarder.mend()
        try await app.accounts.refreshSession()
        await app.close()
        // The daemon has used the stored token, as if the app had been killed before it stored the next one.
        #expect(try await world.refresh(world.storedRefreshToken).status == 200)
        let again = try SignalboxApp(world.options())
        try await again.accounts.refreshSession()
        #expect(again.accounts.currentUser == user)
    }

    @Test func `a refreshed session is stored before it is used`() async throws {
        let world = try await World.withAccounts()
        let (app, _) = try await world.signedUp()
        let first = try #require(try await app.accounts.session())
        let file = world.appFolder.path + "/credentials.json.new"
        // A folder in the place of the file to be written.
        try FileManager.default.createDirectory(atPath: file + "/x", withIntermediateDirectories: true)
        let failure = await #expect(throws: AccountError.self) { try await app.accounts.refreshSession() }
        guard case .credentialsNotStored = failure else { throw try #require(failure) }
        #expect(try await app.accounts.session()?.idToken == first.idToken)
        try FileManager.default.removeItem(atPath: file)
        let second = try await app.accounts.refreshSession()
        #expect(second.idToken != first.idToken)
        #expect(await world.requests(to: "/v1/auth/token", status: 200) == 1, "the stored answer is the first one")
    }

    @Test func `an ended session says why, and stays ended`() async throws {
        let ends: [(SessionEnd, @Sendable (World, AccountUser) async throws -> Void)] = [
            (.disabled, { try await $0.administer($1.id, #"{"disabled": true}"#) }),
            (.passwordChanged, { try await $0.administer($1.id, #"{"password": "another horse battery"}"#) }),
            (.signedOut, { _ = try await $0.api.post("/v1/auth/accounts/\($1.id)/sign-out", key: $0.keys.admin, "") }),
            (.deleted, { _ = try await $0.api.request("DELETE", "/v1/auth/accounts/\($1.id)", key: $0.keys.admin, body: []) }),
            (
                .refreshReused,
                { world, _ in
                    // A thief is two refreshes ahead.
                    let second = try JSON(await world.refresh(world.storedRefreshToken))["refresh_token"].text
                    #expect(try await world.refresh(second).status == 200)
                }
            ),
        ]
        for (reason, end) in ends {
            let world = try await World.withAccounts()
            let (app, user) = try await world.signedUp()
            try await end(world, user)
            await #expect(throws: AccountError.sessionEnded(reason)) { try await app.accounts.refreshSession() }
            #expect(app.accounts.currentUser == nil && app.accounts.sessionEnd == reason)
            await app.close()
            #expect(try SignalboxApp(world.options()).accounts.currentUser == nil)
        }
    }

    @Test func `an ID token that the daemon rejects is refreshed once`() async throws {
        let world = try await World.withAccounts(["INGESTD_ACCOUNTS_URL": "http://one.test"])
        let clock = HeldClock()
        let (app, _) = try await world.signedUp { $0.now = { clock.now } }
        // The device believes in a token of which the daemon does not know the issuer any more.
        await world.daemon.killHard()
        try await world.restart(["INGESTD_ACCOUNTS_URL": "http://other.test"])
        #expect(try await app.accounts.update(ProfileChange(name: .set("Ana B."))).name == "Ana B.")
        #expect(await world.requests(to: "/v1/auth/token", status: 200) == 1)
    }

    @Test func `credentials that cannot be read now are no sign-out`() async throws {
        let world = try await World.withAccounts()
        let (app, user) = try await world.signedUp()
        await app.close()
        let (file, aside) = (world.appFolder.path + "/credentials.json", world.appFolder.path + "/aside")
        try FileManager.default.moveItem(atPath: file, toPath: aside)
        // A link to itself, which the credentials replace in one step: at no time is there no file.
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: file)

        let again = try SignalboxApp(world.options())
        let failure = await #expect(throws: AccountError.self) { try await again.accounts.session() }
        guard case .credentialsUnreadable = failure else { throw try #require(failure) }
        let users = again.accounts.userStream()
        #expect(rename(aside, file) == 0)
        again.didBecomeActive()
        var iterator = users.makeAsyncIterator()
        #expect(await iterator.next() == .some(user), "nobody was never said")
        #expect(again.accounts.currentUser == user)
        try await again.accounts.refreshSession()
    }

    @Test func `clearing removes credentials of this device alone`() async throws {
        let world = try await World.withAccounts()
        let (app, _) = try await world.signedUp()
        let token = world.storedRefreshToken
        app.accounts.clearStoredCredentials()
        #expect(app.accounts.currentUser == nil && world.storedRefreshToken.isEmpty)
        #expect(try await world.refresh(token).status == 200)
    }
}
