// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import AccountStore
@testable import AcrossStores
@testable import ingestd

/// Limits of sessions, accounts and codes, and the setting that keeps refresh tokens as they are.
@Suite struct AccountLimitTests {
    @Test func `without rotation a refresh token stays the same for the whole session`() async throws {
        try await AccountWorld.use(configure: { $0.accounts.refreshRotation = false }) { world in
            let user = try await world.user()
            for _ in 0..<3 {
                world.clock.advance(by: .hours(2))
                let next = try AccountWorld.Session(try await world.refresh(user.refresh))
                #expect(next.refresh == user.refresh && next.token != user.token)
                #expect(try await world.live.api.get("/v1/auth/user", key: next.token).status == 200)
            }
            let signOut = #"{"refresh_token": "\#(user.refresh)"}"#
            #expect(try await world.live.api.post("/v1/auth/sign-out", key: world.keys.ingest, signOut).status == 204)
            #expect(try await world.refresh(user.refresh).status == 401)
        }
    }

    @Test func `beyond the sessions of an account the oldest ends`() async throws {
        try await AccountWorld.use(configure: { $0.store.accounts.sessionsPerAccount = 3 }) { world in
            var sessions = [try await world.user()]
            for _ in 0..<3 {
                world.clock.advance(by: .minutes(1))
                sessions.append(try AccountWorld.Session(try await world.signIn()))
            }
            let ended = try await world.live.api.get("/v1/auth/user", key: sessions[0].token)
            #expect(try ended.status == 401 && JSON(ended)["code"].text == "session_ended")
            #expect(try await world.refresh(sessions[0].refresh).status == 401)
            for session in sessions.dropFirst() { #expect(try await world.live.api.get("/v1/auth/user", key: session.token).status == 200) }
            let listed = try JSON(try await world.live.api.get("/v1/auth/user/sessions", key: sessions[3].token))["items"].items
            #expect(listed.count == 3)
        }
    }

    @Test func `a session is refreshed thirty times a minute, another one goes on`() async throws {
        try await AccountWorld.use { world in
            let (user, other) = (try await world.user(), try await world.user("bob@example.org"))
            var (token, statuses) = (user.refresh, [Int]())
            for _ in 0..<32 {
                let reply = try await world.refresh(token)
                statuses.append(reply.status)
                if reply.status == 200 { token = try AccountWorld.Session(reply).refresh }
            }
            #expect(statuses == Array(repeating: 200, count: 30) + [429, 429])
            #expect(try await world.refresh(other.refresh).status == 200)
            world.clock.advance(by: .minutes(1))
            #expect(try await world.refresh(token).status == 200)
        }
    }

    @Test func `an address makes a hundred accounts an hour`() async throws {
        try await AccountWorld.use { world in
            var statuses: [Int] = []
            let connection = try world.live.api.connect()
            for _ in 0..<102 {
                let body = Array(#"{"method": "anonymous"}"#.utf8)
                statuses.append(
                    try await connection.exchange(TestClient.bytes("POST", "/v1/auth/sign-in", key: world.keys.ingest, body: body)).status)
            }
            #expect(statuses == Array(repeating: 201, count: 100) + [429, 429])
            let refused = try await world.signUp()
            #expect(try refused.status == 429 && JSON(refused)["code"].text == "too_many_attempts" && refused.headers["retry-after"] != nil)
            world.clock.advance(by: .hours(1))
            #expect(try await world.signUp().status == 201)
        }
    }

    @Test func `an address asks for thirty codes an hour, whoever they are for`() async throws {
        try await MailWorld.use { world in
            var statuses: [Int] = []
            for number in 0..<32 { statuses.append(try await world.ask("reset_password", "user\(number)@example.org").status) }
            #expect(statuses == Array(repeating: 202, count: 30) + [429, 429])
            world.clock.advance(by: .hours(1))
            #expect(try await world.ask("reset_password", "last@example.org").status == 202)
            #expect(world.sink.mails.isEmpty)
        }
    }
}
