// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Signalbox

/// Tokens and topics.
@Suite struct MessagingTests {
    @Test func `the token persists across launches and is replaced when unregistered`() async throws {
        let world = try await World.start()
        let app = try SignalboxApp(world.options())
        let token = try await app.messaging.getToken()
        #expect(try await app.messaging.getToken() == token)
        await app.close()
        let again = try SignalboxApp(world.options())
        #expect(try await again.messaging.getToken() == token)
        try await again.messaging.subscribe(topic: "news")
        #expect(await world.requests(to: "/v1/devices", status: 201) == 1)

        var updates = again.messaging.tokenUpdates().makeAsyncIterator()
        #expect(await updates.next() == token)
        _ = try await world.api.request("DELETE", "/v1/devices/\(token)", key: world.keys.send)
        // The next request, whichever it is, gets the 404.
        try await again.messaging.subscribe(topic: "sport")
        let other = try await again.messaging.getToken()
        #expect(await updates.next() == other)
        #expect(other != token)
        #expect(try await world.device(other)["topics"].items.map(\.text) == ["news", "sport"])
    }

    @Test func `a device is that of the signed-in user until the session ends`() async throws {
        let world = try await World.withAccounts(settings: #", "users": "proved""#)
        let first = try SignalboxApp(world.options())
        let token = try await first.messaging.getToken()
        let ana = try await first.accounts.signUp(email: World.email, password: World.password, name: nil).user
        #expect(try await eventually { try await world.audience(of: ana.id) == 1 })
        await first.close()
        // A launch takes the device from nobody.
        let app = try SignalboxApp(world.options())
        try await app.messaging.subscribe(topic: "news")
        #expect(try await world.audience(of: ana.id) == 1)
        try await app.accounts.signOut()
        #expect(try await eventually { try await world.audience(of: ana.id) == 0 })
        let bob = try await app.accounts.signUp(email: "bob@example.org", password: World.password, name: nil).user
        #expect(try await eventually { try await world.audience(of: bob.id) == 1 })
        #expect(try await world.audience(of: ana.id) == 0)
        // The session is another one, and the device follows it.
        let before = try #require(try await app.accounts.session()).idToken
        try await app.accounts.signIn(email: "bob@example.org", password: World.password)
        #expect(try await eventually { try await world.api.get("/v1/auth/user", key: before).status == 401 })
        #expect(try await eventually { try await world.audience(of: bob.id) == 1 })
        #expect(try await app.messaging.getToken() == token)
        try await world.administer(bob.id, #"{"disabled": true}"#)
        #expect(try await eventually { try await world.audience(of: bob.id) == 0 })
        await app.close()
    }

    @Test func `invalid topic names are rejected and do not block others`() async throws {
        let world = try await World.start()
        let app = try SignalboxApp(world.options())
        let failure = await #expect(throws: SignalboxError.self) { try await app.messaging.subscribe(topic: "news/sport") }
        guard case .rejected("bad_topic", let detail) = failure else { throw try #require(failure) }
        #expect(detail.contains("must be 1 to 900 of the characters"))
        let reserved = await #expect(throws: SignalboxError.self) { try await app.messaging.subscribe(topic: "$alerts.system") }
        guard case .rejected("reserved_topic", _) = reserved else { throw try #require(reserved) }

        await world.daemon.killHard()
        for topic in ["a", "b b", "c", "d d", "e"] { _ = try? await app.messaging.subscribe(topic: topic) }
        try await world.restart()
        try await app.messaging.unsubscribe(topic: "c")
        #expect(try await world.topics(of: app) == ["a", "e"])
        try await app.messaging.unsubscribe(topic: "c")
        try await app.messaging.subscribe(topic: "a")
        #expect(try await world.topics(of: app) == ["a", "e"])
    }

    @Test func `offline subscriptions are sent later, also by the next launch`() async throws {
        let world = try await World.start()
        await world.daemon.killHard()
        let app = try SignalboxApp(world.options())
        for topic in ["news", "sport"] {
            let failure = await #expect(throws: SignalboxError.self) { try await app.messaging.subscribe(topic: topic) }
            guard case .unreachable = failure else { throw try #require(failure) }
        }
        _ = try? await app.messaging.unsubscribe(topic: "sport")
        await app.close()
        let later = try SignalboxApp(world.options())
        try await world.restart()
        #expect(try await eventually { try await world.topic("news") == 1 })
        #expect(try await world.topics(of: later) == ["news"])
    }

    @Test func `signing out clears the device's user, and a reset unregisters it`() async throws {
        let world = try await World.start()
        let app = try SignalboxApp(world.options())
        app.analytics.setUserProperties(userId: "ann", email: nil)
        let token = try await app.messaging.getToken()
        #expect(try await world.device(token)["user_id"].text == "ann")
        app.analytics.setUserProperties(userId: nil, email: nil)
        #expect(try await eventually { try await !world.device(token).names.contains("user_id") })
        app.analytics.setUserProperties(userId: "bob", email: nil)
        #expect(try await eventually { try await world.device(token)["user_id"].text == "bob" })

        app.analytics.resetData()
        #expect(try await eventually { try await world.api.get("/v1/devices/\(token)", key: world.keys.send).status == 404 })
        #expect(try await !world.device(app.messaging.getToken()).names.contains("user_id"))
    }

    @Test func `without consent the token is removed locally and at the daemon, later if necessary`() async throws {
        let world = try await World.start()
        let app = try SignalboxApp(world.options())
        try await app.messaging.subscribe(topic: "news")
        let token = try await app.messaging.getToken()
        let reading = Task { for await _ in app.messaging.messageStream() {} }
        #expect(try await eventually { try await world.streams() == 1 })
        await world.daemon.killHard()
        app.messaging.setCollectionEnabled(false)
        await reading.value
        await #expect(throws: SignalboxError.collectionDisabled) { try await app.messaging.getToken() }
        for await _ in app.messaging.messageStream() {}
        await app.close()
        let later = try SignalboxApp(world.options())
        try await world.restart()
        #expect(try await eventually { try await world.api.get("/v1/devices/\(token)", key: world.keys.send).status == 404 })
        later.messaging.setCollectionEnabled(true)
        let other = try await later.messaging.getToken()
        #expect(other != token)
        #expect(try await world.topics(of: later) == [])

        try await later.messaging.deleteToken()
        #expect(try await world.api.get("/v1/devices/\(other)", key: world.keys.send).status == 404)
        #expect(try await later.messaging.getToken() != other)
    }

    @Test(arguments: [false, true])
    func `unregistering during a token request throws and removes the new token`(isReset: Bool) async throws {
        let world = try await World.start()
        let made = Locked<SignalboxApp?>(nil)
        let sink = try WebhookSink { hook in
            guard hook.method == "POST", hook.path == "/v1/devices" else { return .answers("HTTP/1.1 204 No Content\r\n\r\n") }
            if hook.number == 1, let analytics = made.withLock({ $0?.analytics }) {
                if isReset { analytics.resetData() } else { analytics.setCollectionEnabled(false) }
            }
            return .status(201, body: #"{"token": "t\#(hook.number)"}"#)
        }
        let app = try SignalboxApp({ $0.address = URL(string: sink.url("")) ?? $0.address }, of: world)
        made.withLock { $0 = app }
        await #expect(throws: SignalboxError.collectionDisabled) { try await app.messaging.getToken() }
        #expect(try await eventually { sink.hooks(to: "/v1/devices/t1").map(\.method) == ["DELETE"] })
        app.analytics.setCollectionEnabled(true)
        #expect(try await app.messaging.getToken() == "t2")
        #expect(sink.hooks(to: "/v1/devices/t1").count == 1)
        made.withLock { $0 = nil }
    }
}
