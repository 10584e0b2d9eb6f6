// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Signalbox

/// The identity with which queued records are sent.
@Suite struct RecordIdentityTests {
    @Test func `an ID token goes with its own user's records only`() async throws {
        // The daemon takes records of users with their ID token only, and gives those that name nobody to the token's user.
        let world = try await World.withAccounts(settings: #", "users": "proved""#)
        let app = try SignalboxApp({ $0.environment.flushInterval = 600 }, of: world)
        app.analytics.logEvent("before")
        app.analytics.setUserID("somebody else")
        app.analytics.logEvent("other")
        let user = try await app.accounts.signUp(email: World.email, password: World.password, name: nil).user
        app.analytics.setUserID(user.id)
        app.analytics.logEvent("own", parameters: ["user_id": "somebody else"])
        app.crashes.record(message: "Took long", level: .warning)
        app.analytics.setUserID(nil)
        app.analytics.logEvent("after", parameters: ["user_id": .text(user.id)])
        try await app.analytics.flush()
        let events = try await world.stored()
        func users(_ name: String) -> [String] { events.filter { $0["name"].text == name }.map { $0["user_id"].text } }
        #expect(users("before") == [""] && users("after") == [""])
        #expect(users("own") == [user.id])
        #expect(users("other").isEmpty, "quarantined, because nobody proved it")
        #expect(try await world.api.get("/v1/users/\(user.id)", key: world.keys.admin).status == 200)
        #expect(await app.status().pending == 0)
    }

    @Test func `a sign-out sends the user's records before`() async throws {
        let world = try await World.withAccounts(settings: #", "users": "proved""#)
        let app = try SignalboxApp({ $0.environment.flushInterval = 600 }, of: world)
        let user = try await app.accounts.signUp(email: World.email, password: World.password, name: nil).user
        app.analytics.setUserID(user.id)
        app.analytics.logEvent("own")
        try await app.accounts.signOut()
        #expect(try await world.stored().filter { $0["name"].text == "own" }.map { $0["user_id"].text } == [user.id])
    }

    @Test func `the deletion of an account sends the user's records before, and they are erased with it`() async throws {
        let world = try await World.withAccounts()
        let app = try SignalboxApp({ $0.environment.flushInterval = 600 }, of: world)
        let user = try await app.accounts.signUp(email: World.email, password: World.password, name: nil).user
        app.analytics.setUserID(user.id)
        app.analytics.logEvent("own")
        try await app.accounts.deleteAccount()
        #expect(await app.status().pending == 0, "what is sent later would bring the user back")
        #expect(try await eventually { try await world.stored().allSatisfy { $0["user_id"].text != user.id } })
    }

    @Test(arguments: [true, false])
    func `a deletion or sign-out leaves another user who signs in while records are sent`(isDeletion: Bool) async throws {
        let world = try await World.withAccounts()
        let (forwarder, folder) = (try Forwarder(to: world.api.port), TemporaryFolder())
        let app = try SignalboxApp(
            {
                $0.address = URL(string: "http://127.0.0.1:\(forwarder.port)") ?? $0.address
                $0.environment.flushInterval = 600
            }, of: world)
        let user = try await app.accounts.signUp(email: World.email, password: World.password, name: nil).user
        app.analytics.setUserID(user.id)
        app.analytics.logEvent("own")
        let otherApp = try SignalboxApp({ $0.folder = URL(fileURLWithPath: folder.path) }, of: world)
        let other = try await otherApp.accounts.signUp(email: "bob@example.org", password: World.password, name: nil).user
        let otherAccounts = try #require(otherApp.accounts as? LiveAccounts)
        let session = try otherAccounts.keeper.required().session
        let accounts = try #require(app.accounts as? LiveAccounts)
        let connections = forwarder.connections
        forwarder.goSilent()
        let end = Task { if isDeletion { try await accounts.deleteAccount() } else { try await accounts.signOut() } }
        #expect(try await eventually { forwarder.connections > connections }, "the records are being sent")
        try accounts.keeper.change { $0.signIn(session) }
        forwarder.mend()
        _ = await end.result
        #expect(accounts.currentUser?.id == other.id)
        #expect(try await world.api.get("/v1/auth/accounts/\(other.id)", key: world.keys.admin).status == 200)
    }

    @Test func `a sign-out does not wait for a silent daemon`() async throws {
        let world = try await World.withAccounts()
        let forwarder = try Forwarder(to: world.api.port)
        let app = try SignalboxApp(
            {
                $0.address = URL(string: "http://127.0.0.1:\(forwarder.port)") ?? $0.address
                $0.environment.flushInterval = 600
            }, of: world)
        try await app.accounts.signUp(email: World.email, password: World.password, name: nil)
        app.analytics.logEvent("own")
        forwarder.goSilent()
        let signOut = Task { try await app.accounts.signOut() }
        #expect(try await eventually(within: .seconds(20)) { app.accounts.currentUser == nil })
        forwarder.goDown()
        try await signOut.value
    }

    @Test func `records of a user whose session ended go with the key`() async throws {
        let world = try await World.withAccounts()
        let app = try SignalboxApp({ $0.environment.flushInterval = 600 }, of: world)
        let user = try await app.accounts.signUp(email: World.email, password: World.password, name: nil).user
        app.analytics.setUserID(user.id)
        app.analytics.logEvent("own")
        try await world.administer(user.id, #"{"disabled": true}"#)
        try await app.analytics.flush()
        #expect(try await world.stored().filter { $0["name"].text == "own" }.map { $0["user_id"].text } == [user.id])
        #expect(app.accounts.sessionEnd == .disabled)
    }

    @Test(arguments: [
        (#"{"id":"1","user_id":"ann"}"#, true), (#"{"user_id":"ann","params":{"user_id":"bob"}}"#, true),
        (#"{"user_id":"bob","params":{"user_id":"ann"}}"#, false), (#"{"params":{"user_id":"ann"}}"#, false),
        (#"{"name":"\"user_id\":\"ann\","}"#, false), (#"{"name":"{","user_id":"ann"}"#, true), (#"{"name":"\\","user_id":"ann"}"#, true),
        (#"{"list":["user_id","ann"]}"#, false), (#"{"user_id":"anna"}"#, false), (#"{"user_id":"ann"#, false), ("", false),
    ]) func `the user of a record is its own member`(_ json: String, _ isNamed: Bool) {
        #expect(Record(kind: .event, json: Array(json.utf8)[...]).names(user: "ann") == isNamed)
    }

    @Test func `a user ID with quotes is compared as it is written`() {
        var json = JSONText()
        json.object { $0.field("user_id", #"a"n\n"#) }
        #expect(Record(kind: .event, json: json.bytes[...]).names(user: #"a"n\n"#))
    }
}
