// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

@Suite struct DeliveryOutcomeTests {
    private static let app = MessageWorld.app

    private static func claimed(_ world: MessageWorld) async throws -> ClaimedDelivery {
        try await world.publish(topic: "news")
        try await world.finish()
        return try #require(try await world.claim(1).deliveries.first)
    }

    @Test func `each verdict leads to its state`() async throws {
        try await MessageWorld.run { world in
            try await world.register("webhook-token", at: "https://a.example/hook")
            try await world.join("news", "webhook-token")
            let later = world.clock.now + .minutes(5)
            for (verdict, state, attempts) in [
                (DeliveryVerdict.delivered, DeliveryState.delivered, 1), (.dead, .dead, 1), (.expired, .expired, 1),
                (.retry(at: later), .retrying, 1),
                (.returned(due: later), .pending, 0),
            ] {
                let delivery = try await Self.claimed(world)
                try await world.settle(delivery, verdict, status: 503)
                let status = try await world.messages.delivery(delivery.id, app: Self.app)
                #expect(status.state == state && status.attempts == attempts && status.webhookID == delivery.webhookID, "\(verdict)")
                #expect(status.due == (state.isOpen ? later : nil) && status.log.map(\.status) == [503] && status.log[0].response == Array("ok".utf8))
            }
            world.clock.set(later)
            let again = try await world.claim().deliveries
            #expect(again.map(\.attempt).sorted() == [1, 2])
            for delivery in again { try await world.settle(delivery, .returned(due: later)) }
            #expect(try await world.states("webhook-token").filter(\.isOpen) == [.retrying, .pending])
            try await world.expectWhole()
        }
    }

    @Test func `a gone endpoint removes its registration and pending deliveries`() async throws {
        try await MessageWorld.run { world in
            let id = try await world.register("webhook-token", at: "https://a.example/hook").registration.id
            try await world.register("other-token", at: "https://a.example/hook")
            try await world.join("news", "webhook-token", "other-token")
            for _ in 0..<3 { try await world.publish(topic: "news") }
            try await world.finish()
            let listener = try world.messages.streams.join(id)
            let delivery = try #require(try await world.claim().deliveries.first { $0.registration == id })
            try await world.settle(delivery, .gone, status: 410)
            for await _ in listener.wakeUps {}
            await #expect(throws: Refusal.self) { try await world.messages.registration(app: Self.app, token: "webhook-token") }
            #expect(
                try await world.messages.deliveries(DeliveryFilter(app: Self.app, message: nil, state: .removed, before: .max, limit: 9)).count == 3)
            #expect(try await world.messages.topic(try TopicName("news"), app: Self.app)?.subscribers == 1)
            try await world.expectWhole()
        }
    }

    @Test func `five days of failures disable a registration, and a success resets them`() async throws {
        try await MessageWorld.run { world in
            try await world.register("webhook-token", at: "https://a.example/hook")
            try await world.join("news", "webhook-token")
            func fail() async throws { try await world.settle(try await Self.claimed(world), .dead, status: 500) }
            func registration() async throws -> Registration { try await world.messages.registration(app: Self.app, token: "webhook-token") }
            try await fail()
            world.clock.advance(by: .days(4))
            try await fail()
            try await world.settle(try await Self.claimed(world), .delivered)
            #expect(try await registration().failingSince == nil)
            world.clock.advance(by: .days(4))
            try await fail()
            let since = world.clock.now
            world.clock.advance(by: .days(5))
            try await world.publish(topic: "news")
            #expect(try await registration().failingSince == since)
            #expect(try await registration().state == .active)
            #expect(try await world.messages.disabledOrigins().isEmpty)
            try await fail()
            #expect(try await registration().state == .disabled)
            // Its pending deliveries are dead, and it is in no audience.
            #expect(try await world.states("webhook-token").allSatisfy { $0 == .dead || $0 == .delivered })
            #expect(try await world.publish(topic: "news").audience == 0)
            let disabled = try await world.messages.disabledOrigins()
            #expect(
                disabled.map(\.registrations) == [1] && disabled[0].origin == "https://a.example:443" && disabled[0].failingSince == since)
            #expect(try await world.register("webhook-token").registration.state == .active)
            #expect(try await registration().failingSince == nil)
            #expect(try await world.messages.disabledOrigins().isEmpty)
            try await world.expectWhole()
        }
    }

    @Test(arguments: [DeliveryVerdict.retry(at: MessageWorld.start + .days(20)), .expired])
    func `five days of failures disable a registration although no delivery is dead`(verdict: DeliveryVerdict) async throws {
        try await MessageWorld.run { world in
            try await world.register("webhook-token", at: "https://a.example/hook")
            try await world.join("news", "webhook-token")
            func fail() async throws -> RegistrationState {
                try await world.settle(try await Self.claimed(world), verdict, status: 500)
                return try await world.messages.registration(app: Self.app, token: "webhook-token").state
            }
            #expect(try await fail() == .active)
            // Expiry without an attempt is not a failure.
            world.clock.advance(by: .days(5))
            try await world.messages.settle([DeliveryOutcome(try await Self.claimed(world), .expired, nil)])
            world.clock.advance(by: Timestamp.Span(milliseconds: -1))
            #expect(try await fail() == .active)
            world.clock.advance(by: Timestamp.Span(milliseconds: 1))
            #expect(try await fail() == .disabled)
            #expect(try await world.messages.disabledOrigins().map(\.failingSince) == [MessageWorld.start])
            #expect(try await world.states("webhook-token").allSatisfy { !$0.isOpen })
            try await world.expectWhole()
        }
    }

    @Test func `failures older than ten days are ignored`() async throws {
        try await MessageWorld.run { world in
            try await world.register("webhook-token", at: "https://a.example/hook")
            try await world.join("news", "webhook-token")
            for rest in [Timestamp.Span(milliseconds: 864_000_001), .days(4), .days(1)] {
                try await world.settle(try await Self.claimed(world), .expired, status: 500)
                #expect(try await world.messages.registration(app: Self.app, token: "webhook-token").state == .active)
                world.clock.advance(by: rest)
            }
            let since = MessageWorld.start + Timestamp.Span(milliseconds: 864_000_001)
            #expect(try await world.messages.registration(app: Self.app, token: "webhook-token").failingSince == since)
            try await world.settle(try await Self.claimed(world), .expired, status: 500)
            #expect(try await world.messages.registration(app: Self.app, token: "webhook-token").state == .disabled)
        }
    }

    @Test func `dead deliveries are redriven from the first attempt, singly or by message`() async throws {
        var bounds = MessageBounds()
        bounds.chunk = 2
        try await MessageWorld.run(bounds) { world in
            let tokens = (0..<5).map { "token-\($0)-abc" }
            for token in tokens { try await world.register(token, at: "https://a.example/\(token)") }
            let published = try await world.messages.publish(
                app: Self.app, try MessageWorld.draft(to: .tokens(try tokens.map { try RegistrationToken($0) })) { $0.ttl = .minutes(10) })
            try await world.finish()
            let claimed = try await world.claim().deliveries
            for delivery in claimed { try await world.settle(delivery, .dead, status: 500) }
            try await world.messages.remove(app: Self.app, token: tokens[4])
            var draft = RegistrationDraft()
            draft.endpoint = try MessageWorld.webhook("https://b.example/hook")
            _ = try await world.messages.update(app: Self.app, token: tokens[3], draft, isTrusted: true)
            try await world.messages.retry(claimed[0].id, app: Self.app)
            await #expect(throws: Refusal.self) { try await world.messages.retry(claimed[4].id, app: Self.app) }
            await #expect(throws: Refusal.self) { try await world.messages.retry(claimed[1].id, app: AppID(rawValue: 2)) }
            #expect(try await world.counts(published.id) == [.dead: 4, .retrying: 1])
            world.clock.advance(by: .hours(1))
            try await world.settleDown()
            // The message has expired. A redrive extends its lifetime.
            #expect(try await world.messages.status(of: published.id, app: Self.app).stage == .over)
            #expect(try await world.messages.redrive(published.id, app: Self.app) == 3)
            let again = try await world.claim().deliveries
            #expect(again.map(\.attempt) == [1, 1, 1] && again.contains { $0.url == "https://b.example/hook" })
            #expect(Set(again.map(\.webhookID)).isSubset(of: claimed.map(\.webhookID)))
            for delivery in again { try await world.settle(delivery, .delivered) }
            #expect(try await world.messages.delivery(again[0].id, app: Self.app).log.map(\.status) == [500, 200])
            #expect(try await world.counts(published.id) == [.dead: 1, .delivered: 3, .expired: 1])
            try await world.expectWhole()
        }
    }

    @Test func `a retrying delivery is retried immediately on request`() async throws {
        try await MessageWorld.run { world in
            try await world.register("webhook-token", at: "https://a.example/hook")
            try await world.join("news", "webhook-token")
            let delivery = try await Self.claimed(world)
            await #expect(throws: Refusal.self) { try await world.messages.retry(delivery.id, app: Self.app) }
            try await world.settle(delivery, .retry(at: world.clock.now + .hours(10)))
            #expect(try await world.claim().deliveries.isEmpty)
            try await world.messages.retry(delivery.id, app: Self.app)
            #expect(try await world.claim().deliveries.map(\.attempt) == [2])
        }
    }

    @Test func `a delivery to an unconfirmed endpoint cannot be retried`() async throws {
        try await MessageWorld.run { world in
            try await world.register("webhook-token", at: "https://a.example/hook")
            try await world.publish(to: "webhook-token")
            try await world.publish(to: "webhook-token")
            try await world.finish()
            let claimed = try await world.claim().deliveries
            try await world.settle(claimed[0], .dead)
            try await world.register("webhook-token", at: "https://b.example/hook", isTrusted: false)
            for delivery in claimed {
                await #expect { try await world.messages.retry(delivery.id, app: Self.app) } throws: {
                    ($0 as? Refusal)?.hint?.contains("GET") ?? false
                }
            }
            #expect(try await world.states("webhook-token") == [.dead, .retrying])
        }
    }
}
