// SPDX-License-Identifier: Apache-2.0

import EventStore
import HTTPClient
import MessageStore
import Messaging
import Platform
import AcrossStores
import TestSupport
import Testing

@testable import Delivery

/// Endpoints that must confirm that they want messages.
@Suite(.timeLimit(.minutes(5)))
struct ChallengeTests {
    /// Confirms a challenge and accepts the messages that follow.
    private static func echo(_ hook: Hook) -> WebhookSink.Manner { .status(200, body: hook.query("hub.challenge") ?? "ok") }

    @Test func `a confirmed endpoint is challenged once and gets its pending messages`() async throws {
        let sink = try WebhookSink(Self.echo)
        try await withSender { world in
            let registered = try await world.register(sink.url("/hook?mine=1"), isTrusted: false)
            #expect(registered.registration.state == .pending)
            let message = try await world.publish(to: registered)
            #expect(try await world.delivery(of: message, in: .delivered) != nil)
            #expect(sink.hooks.map(\.method) == ["GET", "POST"] && sink.hooks[1].target == "/hook?mine=1")
            let challenge = sink.hooks[0]
            #expect(challenge.query("mine") == "1" && challenge.query("hub.mode") == "subscribe" && challenge.headers["user-agent"] == "Signalbox")
            #expect(challenge.query("hub.challenge")?.count ?? 0 >= 32 && challenge.id == "")
            #expect(try await world.messages.registration(app: world.app, token: registered.registration.token).state == .active)
        }
    }

    @Test func `an endpoint registered while idle is challenged too`() async throws {
        let sink = try WebhookSink(Self.echo)
        try await withSender { world in
            // The sender has finished its start.
            let message = try await world.publish(to: try await world.register(sink.url("/first")))
            #expect(try await world.delivery(of: message, in: .delivered) != nil)
            let registered = try await world.register(sink.url("/second"), isTrusted: false)
            #expect(try await eventually { sink.hooks.contains { $0.path == "/second" && $0.method == "GET" } })
            #expect(
                try await eventually {
                    try await world.messages.registration(app: world.app, token: registered.registration.token).state == .active
                })
        }
    }

    @Test(arguments: [
        WebhookSink.Manner.status(200, body: "yes"), .status(404), .status(302, "Location: /hook"), .resets,
    ])
    func `an endpoint that does not confirm is challenged three times and refused`(manner: WebhookSink.Manner) async throws {
        let sink = try WebhookSink { _ in manner }
        let clock = ManualClock(WallClock.system.now())
        try await withSender(clock: clock.clock) { world in
            let registered = try await world.register(sink.url("/hook"), isTrusted: false)
            let message = try await world.publish(to: registered)
            for number in 1...3 {
                // Another change makes the sender check the clock.
                #expect(
                    try await eventually {
                        if sink.hooks.count < number { try await world.register(sink.url("/other"), token: "another-one", isTrusted: true) }
                        return sink.hooks.count >= number
                    })
                // After the last one the clock stands still: a request that is due again while it runs is repeated.
                guard number < 3 else { break }
                #expect(try await world.all(1, of: message, come: .pending))
                clock.advance(by: .minutes(6))
            }
            #expect(try await world.delivery(of: message, in: .dead) != nil)
            #expect(try await world.messages.registration(app: world.app, token: registered.registration.token).state == .refused)
            #expect(sink.hooks.allSatisfy { $0.method == "GET" } && Set(sink.hooks.compactMap { $0.query("hub.challenge") }).count == 3)
        }
    }

    @Test func `a private address is not challenged`() async throws {
        let sink = try WebhookSink(Self.echo)
        try await withSender(SendingWorld.options { $0.destinations.addresses = AddressPolicy() }) { world in
            let registered = try await world.register(sink.url("/hook"), isTrusted: false)
            #expect(
                try await eventually {
                    try await world.messages.claimChallenges(ChallengeRequest(limit: 0)).next.map { $0 > WallClock.system.now() + .seconds(5) }
                        ?? false
                })
            #expect(sink.hooks.isEmpty)
            #expect(try await world.messages.registration(app: world.app, token: registered.registration.token).state == .pending)
        }
    }

    @Test func `a challenge that was not sent is not an attempt`() async throws {
        let clock = ManualClock(WallClock.system.now())
        try await withStore(clock: clock.clock) { store in
            var draft = RegistrationDraft()
            (draft.platform, draft.endpoint) = (.server, .webhook(try WebhookURL("http://127.0.0.1:9/hook")))
            _ = try await store.messages.register(app: try await store.events.createAppWithKeys(named: "shop").0.id, draft, isTrusted: false)
            let courier = HTTPCourier(HTTPCourierOptions(), block: { _, _ in nil }) { _ in }
            courier.stop()
            let challenger = Challenger(store.messages, TroubleLog(Log(), clock: clock.clock), clock: clock.clock, fields: [])
            async let running: Void = challenger.run(courier, timeout: .seconds(1))
            for _ in 1...4 {
                challenger.look()
                #expect(
                    try await eventually {
                        try await store.messages.claimChallenges(ChallengeRequest(limit: 0)).next == clock.now + .seconds(10)
                    })
                clock.advance(by: .seconds(10))
            }
            challenger.end()
            await running
        }
    }
}
