// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform
import SQLite
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

@Suite struct RegistrationTests {
    @Test func `a repeated registration is renewed, and its secret is returned once`() async throws {
        try await MessageWorld.run { world in
            let endpoint = try MessageWorld.webhook("https://a.example/hook")
            let first = try await world.messages.register(
                app: MessageWorld.app, try MessageWorld.draft(endpoint, installation: "phone"), isTrusted: true)
            #expect(first.isNew && first.secret?.bytes.count == 32 && first.registration.state == .active)
            world.clock.advance(by: .days(31))
            #expect(try await world.messages.registration(app: MessageWorld.app, token: first.registration.token).isStale)
            // The same installation and endpoint with changed fields.
            var again = try MessageWorld.draft(endpoint, installation: "phone", user: "u")
            again.appVersion = "2.0"
            let second = try await world.messages.register(app: MessageWorld.app, again, isTrusted: true)
            #expect(!second.isNew && second.secret == nil && second.registration.token == first.registration.token)
            #expect(second.registration.user == "u" && second.registration.appVersion == "2.0" && !second.registration.isStale)
            // The same token. Fields that are not given stay.
            var token = RegistrationDraft()
            token.token = try RegistrationToken(first.registration.token)
            let third = try await world.messages.register(app: MessageWorld.app, token, isTrusted: true)
            #expect(!third.isNew && third.registration.installation == "phone" && third.registration.endpoint == endpoint)
            // Another endpoint or app is another registration.
            let other = try await world.messages.register(
                app: MessageWorld.app, try MessageWorld.draft(.stream, installation: "phone"), isTrusted: true)
            #expect(other.isNew && other.secret == nil)
            let elsewhere = try await world.register(first.registration.token, app: AppID(rawValue: 2))
            #expect(elsewhere.isNew && elsewhere.registration.kind == .token && first.registration.kind == .own)
            await #expect(throws: Refusal.self) { try await world.messages.registration(app: AppID(rawValue: 3), token: first.registration.token) }
        }
    }

    @Test func `pending deliveries in any state move with their endpoint`() async throws {
        try await MessageWorld.run { world in
            try await world.register("moving-token", at: "https://a.example/hook")
            for _ in 0..<3 { try await world.publish(to: "moving-token") }
            try await world.finish()
            let claimed = try await world.claim(2).deliveries
            #expect(claimed.count == 2)
            try await world.settle(claimed[0], .retry(at: world.clock.now + .hours(5)))
            var draft = RegistrationDraft()
            draft.endpoint = try MessageWorld.webhook("https://b.example/hook")
            _ = try await world.messages.update(app: MessageWorld.app, token: "moving-token", draft, isTrusted: true)
            try await world.expectWhole()
            // Outcomes from the old endpoint are ignored.
            try await world.settle(claimed[1], .dead)
            let moved = try await world.claim().deliveries
            #expect(moved.map(\.url) == Array(repeating: "https://b.example/hook", count: 3))
            #expect(Set(moved.map(\.origin)).isDisjoint(with: claimed.map(\.origin)))
            draft.endpoint = .stream
            let stream = try await world.messages.update(app: MessageWorld.app, token: "moving-token", draft, isTrusted: true).registration
            #expect(try await world.messages.page(ofStream: stream.id, after: 0).items.count == 3)
            #expect(try await world.claim().deliveries.isEmpty)
            draft.endpoint = try MessageWorld.webhook("https://c.example/hook")
            #expect(try await world.messages.update(app: MessageWorld.app, token: "moving-token", draft, isTrusted: true).secret != nil)
            #expect(try await world.claim().deliveries.count == 3)
            try await world.expectWhole()
        }
    }

    @Test func `an untrusted endpoint gets no delivery until it is confirmed`() async throws {
        try await MessageWorld.run { world in
            var bell = world.messages.dueChanges.makeAsyncIterator()
            await bell.next()
            let made = try await world.register("waiting-token", at: "https://a.example/hook", isTrusted: false).registration
            #expect(made.state == .pending)
            await bell.next()
            try await world.publish(to: "waiting-token")
            try await world.finish()
            #expect(try await world.claim().deliveries.isEmpty)
            let first = try await world.messages.claimChallenges(ChallengeRequest(limit: 10))
            #expect(first.challenges.map(\.tries) == [1] && first.next.map { $0 > world.clock.now } == true)
            #expect(try await world.messages.claimChallenges(ChallengeRequest(limit: 10)).challenges.isEmpty)
            // Renewing does not cause earlier or more challenges.
            _ = try await world.register("waiting-token", at: "https://a.example/hook", isTrusted: false)
            #expect(try await world.messages.claimChallenges(ChallengeRequest(limit: 10)).challenges.isEmpty)
            try await world.messages.completed(first.challenges[0], .wrong)
            world.clock.advance(by: .seconds(10))
            let second = try await world.messages.claimChallenges(ChallengeRequest(limit: 10)).challenges
            #expect(second.map(\.tries) == [2])
            try await world.messages.completed(second[0], .proven)
            #expect(try await world.claim().deliveries.count == 1)
            try await world.expectWhole()
        }
    }

    @Test func `a trusted registration confirms an endpoint`() async throws {
        try await MessageWorld.run { world in
            try await world.register("waiting-token", at: "https://a.example/hook", isTrusted: false)
            try await world.publish(to: "waiting-token")
            try await world.finish()
            let challenge = try #require(try await world.messages.claimChallenges(ChallengeRequest(limit: 1)).challenges.first)
            #expect(try await world.register("waiting-token", isTrusted: true).registration.state == .active)
            try await world.messages.completed(challenge, .wrong)
            try await world.expectWhole()
            #expect(try await world.register("waiting-token", at: "https://a.example/hook").registration.state == .active)
        }
    }

    @Test func `a trusted update without an endpoint confirms none`() async throws {
        try await MessageWorld.run { world in
            try await world.register("waiting-token", at: "https://a.example/hook", isTrusted: false)
            var draft = try MessageWorld.draft(nil, nil)
            draft.appVersion = "2"
            let kept = try await world.messages.update(app: MessageWorld.app, token: "waiting-token", draft, isTrusted: true).registration
            #expect(kept.state == .pending && kept.appVersion == "2")
            try await world.expectWhole()
        }
    }

    @Test func `three failed challenges refuse an endpoint, and a moved endpoint is challenged again`() async throws {
        try await MessageWorld.run { world in
            try await world.register("refused-token", at: "https://a.example/hook", isTrusted: false)
            let waiting = try await world.publish(to: "refused-token")
            try await world.finish()
            for tries in 1...3 {
                let challenge = try #require(try await world.messages.claimChallenges(ChallengeRequest(limit: 10)).challenges.first)
                #expect(challenge.tries == tries)
                try await world.messages.completed(challenge, .wrong)
                world.clock.advance(by: .minutes(5))
            }
            #expect(try await world.messages.claimChallenges(ChallengeRequest(limit: 10)).challenges.isEmpty)
            #expect(try await world.messages.registration(app: MessageWorld.app, token: "refused-token").state == .refused)
            #expect(try await world.counts(waiting.id) == [.dead: 1])
            await #expect(throws: Refusal.self) { try await world.publish(to: "refused-token") }
            let moved = try await world.register("refused-token", at: "https://b.example/hook", isTrusted: false)
            #expect(moved.registration.state == .pending)
            let asked = try #require(try await world.messages.claimChallenges(ChallengeRequest(limit: 10)).challenges.first)
            #expect(asked.tries == 1 && asked.url == "https://b.example/hook")
            // A redriven delivery waits for the confirmation as well.
            #expect(try await world.messages.redrive(waiting.id, app: MessageWorld.app) == 1)
            #expect(try await world.claim().deliveries.isEmpty)
            try await world.messages.completed(asked, .proven)
            #expect(try await world.claim().deliveries.map(\.url) == ["https://b.example/hook"])
            try await world.expectWhole()
        }
    }

    @Test func `a registration unused for 270 days leaves every audience and frees its token`() async throws {
        try await MessageWorld.run { world in
            for token in ["silent-token", "living-token"] { try await world.register(token, at: "https://a.example/hook") }
            try await world.join("news", "silent-token", "living-token")
            world.clock.advance(by: .days(200))
            let stream = try await world.messages.registration(app: MessageWorld.app, token: "living-token")
            _ = try await world.messages.reader(app: MessageWorld.app, token: stream.token)
            world.clock.advance(by: .days(71))
            let published = try await world.publish(to: "silent-token", "living-token")
            #expect(published.audience == 1 && published.unregistered == [0])
            #expect(try await world.publish(topic: "news").audience == 1)
            let condition = MessageDraft.Target.condition(try Condition("!('x' in topics)"))
            #expect(try await world.messages.publish(app: MessageWorld.app, try MessageWorld.draft(to: condition)).audience == 1)
            await #expect(throws: Refusal.self) { try await world.publish(to: "silent-token") }
            #expect(try await world.register("silent-token").isNew)
            try await world.finish()
            #expect(try await world.messages.topic(try TopicName("news"), app: MessageWorld.app)?.subscribers == 1)
            world.clock.advance(by: .days(271))
            try await world.settleDown()
            #expect(try await world.query("SELECT count(*) FROM registrations") { $0.int(0) } == [0])
            #expect(world.messages.gauges.registrations.value == 0)
            try await world.expectWhole()
        }
    }

    @Test func `an origin is removed with its last registration, and its number is not reused`() async throws {
        try await MessageWorld.run { world in
            for (token, host) in [("first-token", "a"), ("second-token", "a"), ("third-token", "b")] {
                try await world.register(token, at: "https://\(host).example/hook")
            }
            func origins() async throws -> [String] { try await world.query("SELECT text FROM origins ORDER BY id") { $0.text(0) } }
            try await world.register("first-token", at: "https://c.example/hook")
            #expect(try await origins() == ["https://a.example:443", "https://b.example:443", "https://c.example:443"])
            try await world.register("second-token")
            try await world.messages.remove(app: MessageWorld.app, token: "first-token")
            #expect(try await origins() == ["https://b.example:443"])
            try await world.register("fourth-token", at: "https://d.example/hook")
            #expect(try await world.query("SELECT max(id) FROM origins") { $0.int(0) } == [4])
            try await world.expectWhole()
        }
    }
}

extension MessageWorld {
    fileprivate static func draft(_ endpoint: Messaging.Endpoint, installation: String, user: String? = nil) throws -> RegistrationDraft {
        try draft(nil, endpoint, installation: installation, user: user)
    }
}
