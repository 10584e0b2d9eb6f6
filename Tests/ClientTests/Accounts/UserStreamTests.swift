// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Signalbox

/// The stream of the current user, and the connection that keeps it up to date.
@Suite struct UserStreamTests {
    @Test func `a reader learns of changes and of the end without asking`() async throws {
        let world = try await World.withAccounts()
        let app = try SignalboxApp(world.options())
        var users = app.accounts.userStream().makeAsyncIterator()
        #expect(await users.next() == .some(nil))
        let user = try await app.accounts.signUp(email: World.email, password: World.password, name: "Ana").user
        #expect(await users.next() == .some(user))
        #expect(try await eventually { try await world.stateStreams() == 1 })
        try await world.administer(user.id, #"{"name": "Ana B."}"#)
        #expect(await users.next()??.name == "Ana B.")
        try await world.administer(user.id, #"{"disabled": true}"#)
        #expect(await users.next() == .some(nil))
        #expect(app.accounts.sessionEnd == .disabled)
        // Three requests: the stream, the refresh after the change, and no poll.
        #expect(await world.requests(to: "/v1/auth/token", status: 200) == 1)
        #expect(await world.requests(to: "/v1/auth/state", status: 200) <= 2)
    }

    @Test func `the connection is open only while somebody reads and somebody is signed in`() async throws {
        let world = try await World.withAccounts()
        let (app, user) = try await world.signedUp()
        #expect(try await world.stateStreams() == 0)
        let received = Heard<AccountUser?>()
        let readers = (0..<2).map { _ in Task { for await user in app.accounts.userStream() { received.hear(user) } } }
        #expect(try await eventually { try await world.stateStreams() == 1 && received.all.count == 2 })
        #expect(received.all == [user, user])
        readers[0].cancel()
        await readers[0].value
        #expect(try await world.stateStreams() == 1)
        try await app.accounts.signOut()
        #expect(try await eventually { try await world.stateStreams() == 0 })
        try await app.accounts.signIn(email: World.email, password: World.password)
        #expect(try await eventually { try await world.stateStreams() == 1 })
        readers[1].cancel()
        #expect(try await eventually { try await world.stateStreams() == 0 })
    }

    @Test func `what happened while the daemon was away is learnt`() async throws {
        let world = try await World.withAccounts()
        let (app, user) = try await world.signedUp()
        let received = Heard<AccountUser?>()
        let reader = Task { for await user in app.accounts.userStream() { received.hear(user) } }
        #expect(try await eventually { try await world.stateStreams() == 1 })
        await world.daemon.killHard()
        try await world.restart()
        try await world.administer(user.id, #"{"password": "another horse battery"}"#)
        #expect(try await eventually { received.all.last == .some(nil) })
        #expect(app.accounts.sessionEnd == .passwordChanged)
        await app.close()
        await reader.value
    }
}
