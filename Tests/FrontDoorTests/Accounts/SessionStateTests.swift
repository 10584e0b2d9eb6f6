// SPDX-License-Identifier: Apache-2.0

import Platform
import Synchronization
import TestSupport
import Testing

@testable import AccountStore
@testable import AcrossStores
@testable import ingestd

/// The state of a session, polled and streamed.
@Suite struct SessionStateTests {
    private static func poll(_ world: AccountWorld, _ token: String) async throws -> String {
        let reply = try await world.live.api.get("/v1/auth/state?poll=1", key: token)
        #expect(reply.status == 200, "\(reply.text)")
        #expect(reply.headers["cache-control"] == "no-store")
        return reply.text
    }

    private static func stream(_ world: AccountWorld, _ token: String) async throws -> EventStream {
        try await EventStream(world.live.api, "/v1/auth/state", key: token)
    }

    /// Whether a stream ends before many comments, and tells of nothing else.
    private static func ends(_ stream: EventStream) async throws -> Bool {
        for _ in 0..<200 {
            guard let message = try await stream.nextOfAny() else { return true }
            #expect(message.isComment)
        }
        return false
    }

    private static func use(_ body: @Sendable (AccountWorld) async throws -> Void) async throws {
        try await AccountWorld.use(configure: { $0.stream.keepAlive = .milliseconds(50) }, body)
    }

    private static func administer(_ world: AccountWorld, _ uid: String, _ change: String) async throws {
        let reply = try await world.live.api.request("PATCH", "/v1/auth/accounts/\(uid)", key: world.keys.admin, body: Array(change.utf8))
        #expect(reply.status == 200, "\(reply.text)")
    }

    @Test func `a poll tells that a token is out of date, and why a session ended`() async throws {
        try await Self.use { world in
            let user = try await world.user()
            #expect(try await Self.poll(world, user.token) == #"{"state":"signed_in","changed":false}"#)
            try await Self.administer(world, user.id, #"{"claims": {"admin": true}}"#)
            #expect(try await Self.poll(world, user.token) == #"{"state":"signed_in","changed":true}"#)
            let renewed = try AccountWorld.Session(try await world.refresh(user.refresh))
            #expect(try await Self.poll(world, renewed.token) == #"{"state":"signed_in","changed":false}"#)
            try await Self.administer(world, user.id, #"{"disabled": true}"#)
            #expect(try await Self.poll(world, renewed.token) == #"{"state":"signed_out","why":"disabled"}"#)
        }
    }

    @Test func `each way in which a session ends has its reason, also after a restart`() async throws {
        let folder = TemporaryFolder()
        func configured(_ configuration: inout Configuration) { configuration.accounts.url = "https://signals.example.org" }
        let tokens = EndedTokens()
        try await AccountWorld.use(in: folder, configure: configured) { world in
            func end(_ email: String, _ why: String, _ cause: (AccountWorld.Session) async throws -> Void) async throws {
                let user = try await world.user(email)
                try await cause(user)
                tokens.all.withLock { $0.append((user.token, why)) }
            }
            let signOut = { (user: AccountWorld.Session) in
                _ = try await world.live.api.post("/v1/auth/sign-out", key: world.keys.ingest, #"{"refresh_token": "\#(user.refresh)"}"#)
            }
            try await end("a@example.org", "signed_out", signOut)
            try await end("b@example.org", "signed_out") { user in
                _ = try await world.live.api.post("/v1/auth/accounts/\(user.id)/sign-out", key: world.keys.admin, "")
            }
            try await end("c@example.org", "password_changed") {
                try await Self.administer(world, $0.id, #"{"password": "another horse battery"}"#)
            }
            try await end("d@example.org", "deleted") { user in
                _ = try await world.live.api.request("DELETE", "/v1/auth/accounts/\(user.id)", key: world.keys.admin, body: [])
            }
            try await end("e@example.org", "session_ended") { user in
                let other = try AccountWorld.Session(try await world.signIn("e@example.org"))
                #expect(try await world.live.api.request("DELETE", "/v1/auth/user/sessions", key: other.token, body: []).status == 204)
            }
            try await end("f@example.org", "refresh_reused") { user in
                let second = try AccountWorld.Session(try await world.refresh(user.refresh))
                _ = try await world.refresh(second.refresh)
                #expect(try await world.refresh(user.refresh).status == 401)
            }
            for (token, why) in tokens.all.withLock({ $0 }) {
                #expect(try await Self.poll(world, token) == #"{"state":"signed_out","why":"\#(why)"}"#)
            }
        }
        let clock = ManualClock(AccountWorld.now)
        try await withDaemon(in: folder, clock: clock.clock, sends: false, configure: configured) { live in
            for (token, why) in tokens.all.withLock({ $0 }) {
                let reply = try await live.api.get("/v1/auth/state?poll=1", key: token)
                #expect(try JSON(reply)["why"].text == why, "\(reply.text)")
            }
        }
    }

    @Test func `a stream tells of changes and of the end, and ends with it`() async throws {
        try await Self.use { world in
            let user = try await world.user()
            let stream = try await Self.stream(world, user.token)
            try await Self.administer(world, user.id, #"{"name": "Ana"}"#)
            #expect(try await stream.next(1).map(\.event) == ["changed"])
            try await Self.administer(world, user.id, #"{"disabled": true}"#)
            let end = try await stream.next(1)
            #expect(end.map(\.event) == ["signed_out"] && end.first?.data == #"{"why":"disabled"}"#)
            #expect(try await stream.nextOfAny() == nil)
            // A client that comes back learns the same.
            let again = try await Self.stream(world, user.token)
            #expect(try await again.next(1).map(\.event) == ["signed_out"])
        }
    }

    @Test func `changes of other accounts and sessions are none of its business`() async throws {
        try await Self.use { world in
            let (ana, bob) = (try await world.user(), try await world.user("bob@example.org"))
            let stream = try await Self.stream(world, ana.token)
            try await Self.administer(world, bob.id, #"{"name": "Bob"}"#)
            try await Self.administer(world, bob.id, #"{"disabled": true}"#)
            let other = try AccountWorld.Session(try await world.signIn())
            let signOut = #"{"refresh_token": "\#(other.refresh)"}"#
            #expect(try await world.live.api.post("/v1/auth/sign-out", key: world.keys.ingest, signOut).status == 204)
            let store = world.live.daemon.store
            #expect(try await eventually { try await store.accounts.followUps(after: AccountFollowUps()).isEmpty })
            for _ in 0..<5 { #expect(try await stream.nextOfAny()?.isComment == true) }
            try await Self.administer(world, ana.id, #"{"name": "Ana"}"#)
            #expect(try await stream.next(1).map(\.event) == ["changed"])
            try await Self.administer(world, ana.id, #"{"disabled": true}"#)
            #expect(try await stream.next(1).map(\.event) == ["signed_out"])
        }
    }

    @Test func `a stream ends with the ID token unless the session was refreshed`() async throws {
        try await Self.use { world in
            let (ana, bob) = (try await world.user(), try await world.user("bob@example.org"))
            let (ended, renewed) = (try await Self.stream(world, ana.token), try await Self.stream(world, bob.token))
            world.clock.advance(by: .minutes(50))
            _ = try AccountWorld.Session(try await world.refresh(bob.refresh))
            world.clock.advance(by: .minutes(11))
            #expect(try await Self.ends(ended))
            try await Self.administer(world, bob.id, #"{"name": "Bob"}"#)
            #expect(try await renewed.next(1).map(\.event) == ["changed"])
        }
    }

    @Test func `a revoked key ends the stream, and a fifth stream the first one`() async throws {
        try await Self.use { world in
            let user = try await world.user()
            let first = try await Self.stream(world, user.token)
            var others: [EventStream] = []
            for _ in 0..<4 { others.append(try await Self.stream(world, user.token)) }
            #expect(try await Self.ends(first))
            #expect(world.live.daemon.store.accounts.hub.count == 4)
            let keys = try JSON(try await world.live.api.asOperator("GET", "/v1/apps/\(world.keys.app)/keys"))["items"].items
            let id = keys.first { $0["role"].text == "ingest" }?["id"].number ?? 0
            #expect(try await world.live.api.asOperator("DELETE", "/v1/apps/\(world.keys.app)/keys/\(id)").status / 100 == 2)
            for stream in others { #expect(try await Self.ends(stream)) }
            #expect(try await world.live.api.get("/v1/auth/state?poll=1", key: user.token).status == 401)
        }
    }

    @Test func `only an ID token opens it`() async throws {
        try await Self.use { world in
            for key in [world.keys.ingest, world.keys.admin, "a.b.c"] {
                #expect(try await world.live.api.get("/v1/auth/state?poll=1", key: key).status == 401)
            }
            let user = try await world.user()
            #expect(try await world.live.api.get("/v1/auth/state?poll=1&since=3", key: user.token).status == 422)
            world.clock.advance(by: .hours(2))
            let expired = try await world.live.api.get("/v1/auth/state?poll=1", key: user.token)
            #expect(try expired.status == 401 && JSON(expired)["code"].text == "token_expired")
        }
    }
}

private final class EndedTokens: Sendable {
    let all = Mutex<[(token: String, why: String)]>([])
}
