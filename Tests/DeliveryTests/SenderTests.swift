// SPDX-License-Identifier: Apache-2.0

import Crypto
import Delivery
import MessageStore
import Messaging
import Platform
import AcrossStores
import TestSupport
import Testing

/// The sender with a real store and real endpoints, working and failing.
@Suite(.timeLimit(.minutes(5)))
struct SenderTests {
    // MARK: Requests

    @Test func `an endpoint receives the signed message and the delivery succeeds`() async throws {
        let sink = try WebhookSink()
        let key = SigningKey(.symmetric, [UInt8](repeating: 7, count: 32))
        try await withSender { world in
            let registered = try await world.register(sink.url("/hook?a=b"), secret: key)
            let message = try await world.publish(to: registered)
            let delivery = try #require(try await world.delivery(of: message, in: .delivered))
            let hook = try #require(sink.hooks.first)
            #expect(sink.hooks.count == 1 && hook.method == "POST" && hook.target == "/hook?a=b")
            #expect(hook.headers["content-type"] == "application/json" && hook.headers["user-agent"] == "Signalbox")
            #expect(hook.id == delivery.webhookID && isSigned(hook, by: key))
            let body = try JSON(hook.body)
            #expect(body["type"].text == "message" && body["data"]["message_id"].text == message)
            #expect(body["data"]["token"].text == registered.registration.token && body["data"]["notification"]["title"].text == "Hello")
            #expect(delivery.log.map(\.status) == [200] && delivery.log[0].error == "" && delivery.log[0].response == Array("ok".utf8))
        }
    }

    @Test func `retries have the same ID and their own time and signature`() async throws {
        let sink = try WebhookSink { $0.number < 3 ? .status(500) : .status(200) }
        let clock = ManualClock(WallClock.system.now())
        try await withSender(clock: clock.clock) { world in
            let registered = try await world.register(sink.url("/hook"))
            let key = try #require(registered.secret)
            let message = try await world.publish(to: registered)
            for number in 1...3 {
                #expect(try await eventually { sink.hooks.count == number })
                if number < 3 { _ = try #require(try await world.delivery(of: message, in: .retrying)) }
                clock.advance(by: .seconds(2))
            }
            let delivery = try #require(try await world.delivery(of: message, in: .delivered))
            #expect(delivery.log.map(\.status) == [500, 500, 200] && delivery.attempts == 3)
            #expect(Set(sink.hooks.map(\.id)) == [delivery.webhookID])
            let times = sink.hooks.compactMap { $0.headers["webhook-timestamp"].flatMap { Int($0) } }
            #expect(times.count == 3 && times[1] > times[0] && times[2] > times[1])
            #expect(sink.hooks.allSatisfy { isSigned($0, by: key) })
        }
    }

    @Test func `after a rotation both secrets sign`() async throws {
        let sink = try WebhookSink()
        try await withSender { world in
            let registered = try await world.register(sink.url("/hook"))
            let old = try #require(registered.secret)
            let new = try await world.messages.rotateSecret(app: world.app, token: registered.registration.token)
            let message = try await world.publish(to: registered)
            _ = try #require(try await world.delivery(of: message, in: .delivered))
            let hook = try #require(sink.hooks.first)
            #expect(hook.headers["webhook-signature"] == "\(signature(hook, new)) \(signature(hook, old))")
        }
    }

    // MARK: Failing endpoints

    @Test func `a failing endpoint gets one attempt more than there are waits`() async throws {
        let sink = try WebhookSink { _ in .status(500, body: "broken") }
        try await withSender { world in
            let message = try await world.publish(to: try await world.register(sink.url("/hook")))
            let delivery = try #require(try await world.delivery(of: message, in: .dead))
            #expect(sink.hooks.count == 3 && delivery.log.map(\.status) == [500, 500, 500])
            #expect(delivery.log.allSatisfy { $0.error == "bad_status" && $0.response == Array("broken".utf8) })
        }
    }

    @Test func `a redirect is a failure and is not followed`() async throws {
        let inside = try WebhookSink()
        let sink = try WebhookSink { _ in .status(302, "Location: \(inside.url("/inside"))") }
        try await withSender { world in
            let message = try await world.publish(to: try await world.register(sink.url("/hook")))
            let delivery = try #require(try await world.delivery(of: message, in: .dead))
            #expect(delivery.log.map(\.status) == [302, 302, 302] && inside.hooks.isEmpty)
        }
    }

    @Test func `Retry-After pauses the delivery and its origin`() async throws {
        let sink = try WebhookSink { $0.path == "/busy" && $0.number == 1 ? .status(429, "Retry-After: 2") : .status(200) }
        try await withSender { world in
            let message = try await world.publish(to: try await world.register(sink.url("/busy")))
            _ = try #require(try await world.delivery(of: message, in: .retrying))
            let other = try await world.publish(to: try await world.register(sink.url("/other")))
            let asked = try #require(try await world.deliveries(of: message).first)
            let due = try #require(asked.due)
            #expect((2_000...2_500).contains((due - asked.log[0].at).milliseconds))
            let late = try #require(try await world.delivery(of: other, in: .delivered))
            let second = try #require(try await world.delivery(of: message, in: .delivered))
            #expect((late.log[0].at - asked.log[0].at).milliseconds >= 1_900)
            #expect(second.log.map(\.status) == [429, 200] && (second.log[1].at - asked.log[0].at).milliseconds >= 1_900)
        }
    }

    @Test func `a delivery waits at most a day`() async throws {
        let sink = try WebhookSink { _ in .status(503, "Retry-After: 99999999") }
        try await withSender { world in
            let message = try await world.publish(to: try await world.register(sink.url("/hook")), ttl: .days(28))
            let delivery = try #require(try await world.delivery(of: message, in: .retrying))
            #expect(try #require(delivery.due) - delivery.log[0].at <= Timestamp.Span.minutes(24 * 60 + 1))
        }
    }

    @Test func `410 removes the registration and its deliveries`() async throws {
        let sink = try WebhookSink { _ in .status(410) }
        try await withSender { world in
            let registered = try await world.register(sink.url("/hook"))
            let message = try await world.publish(to: registered)
            let delivery = try #require(try await world.delivery(of: message, in: .removed))
            #expect(sink.hooks.count == 1 && delivery.log.map(\.status) == [410] && delivery.token == nil)
            await #expect(throws: Refusal.self) { try await world.messages.registration(app: world.app, token: registered.registration.token) }
        }
    }

    @Test func `the beginning of a huge response is kept`() async throws {
        let sink = try WebhookSink { _ in .status(200, body: String(repeating: "x", count: 5_000_000)) }
        try await withSender { world in
            let message = try await world.publish(to: try await world.register(sink.url("/hook")))
            let delivery = try #require(try await world.delivery(of: message, in: .delivered))
            #expect(delivery.log.count == 1 && delivery.log[0].response == [UInt8](repeating: UInt8(ascii: "x"), count: 200))
            let whole = try await world.messages.delivery(delivery.id, app: world.app)
            #expect(whole.log[0].response == [UInt8](repeating: UInt8(ascii: "x"), count: 4_096))
        }
    }

    @Test(arguments: [
        (WebhookSink.Manner.resets, "connection_reset", 0, 60), (.silent, "timed_out", 0, 1),
        (.drips("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"), "timed_out", 200, 10), (.answers("nonsense\r\n\r\n"), "bad_answer", 0, 60),
    ])
    func `an incomplete response is a failure with a reason`(manner: WebhookSink.Manner, reason: String, status: Int, seconds: Int64) async throws {
        let sink = try WebhookSink { _ in manner }
        try await withSender(SendingWorld.options { $0.timeout = .seconds(seconds) }) { world in
            let message = try await world.publish(to: try await world.register(sink.url("/hook")))
            let delivery = try #require(try await world.delivery(of: message, in: .dead))
            #expect(delivery.log.map(\.error) == [reason, reason, reason] && delivery.log.allSatisfy { $0.status == status })
            #expect(delivery.log.allSatisfy { $0.milliseconds < 50_000 })
        }
    }

    @Test func `an endpoint that moves during an exchange gets the message`() async throws {
        let old = try WebhookSink { _ in .silent }
        let new = try WebhookSink()
        try await withSender(SendingWorld.options { $0.timeout = .seconds(15) }) { world in
            let registered = try await world.register(old.url("/old"))
            let message = try await world.publish(to: registered)
            #expect(try await eventually { old.hooks.count == 1 })
            var draft = RegistrationDraft()
            draft.endpoint = .webhook(try WebhookURL(new.url("/new")))
            _ = try await world.messages.update(app: world.app, token: registered.registration.token, draft, isTrusted: true)
            let delivery = try #require(try await world.delivery(of: message, in: .delivered))
            #expect(new.hooks.map(\.path) == ["/new"] && old.hooks.count == 1 && delivery.webhookID == old.hooks[0].id)
        }
    }

    @Test func `private addresses are refused unless allowed`() async throws {
        let sink = try WebhookSink()
        try await withSender(SendingWorld.options { $0.destinations.addresses = AddressPolicy() }) { world in
            let message = try await world.publish(to: try await world.register(sink.url("/hook")))
            let delivery = try #require(try await world.delivery(of: message, in: .dead))
            #expect(delivery.log.map(\.error) == Array(repeating: "blocked_address", count: 3) && sink.hooks.isEmpty)
        }
    }

    @Test func `a port that is not allowed gets no connection`() async throws {
        let (open, closed) = (try WebhookSink(), try WebhookSink())
        try await withSender(SendingWorld.options { $0.destinations.ports = [443, Int(open.port)] }) { world in
            let refused = try await world.publish(to: try await world.register(closed.url("/hook")))
            let sent = try await world.publish(to: try await world.register(open.url("/hook")))
            let delivery = try #require(try await world.delivery(of: refused, in: .dead))
            #expect(delivery.log.map(\.error) == Array(repeating: "blocked_port", count: 3) && closed.hooks.isEmpty)
            _ = try #require(try await world.delivery(of: sent, in: .delivered))
        }
    }

    // MARK: Many endpoints

    @Test func `a silent origin delays no other`() async throws {
        let silent = try WebhookSink { _ in .silent }
        let sinks = try (0..<20).map { _ in try WebhookSink() }
        try await withSender(SendingWorld.options { $0.timeout = .seconds(100) }) { world in
            var all: [Registered] = []
            for number in 0..<200 { all.append(try await world.register(silent.url("/\(number)"))) }
            for (place, sink) in sinks.enumerated() { for number in 0..<20 { all.append(try await world.register(sink.url("/\(place)/\(number)"))) } }
            let message = try await world.publish(to: all)
            // Long before the silent endpoint times out.
            #expect(try await eventually(within: .seconds(80)) { try await world.counts(of: message)[.delivered] == 400 })
            #expect(silent.hooks.count <= 8 && sinks.allSatisfy { $0.hooks.count == 20 })
        }
    }

    @Test func `each of a large audience receives once`() async throws {
        let sink = try WebhookSink()
        try await withSender { world in
            var all: [Registered] = []
            for number in 0..<1_000 { all.append(try await world.register(sink.url("/\(number)"))) }
            let message = try await world.publish(to: all)
            #expect(try await world.all(1_000, of: message, come: .delivered))
            #expect(sink.hooks.count == 1_000 && Set(sink.hooks.map(\.id)).count == 1_000 && Set(sink.hooks.map(\.path)).count == 1_000)
        }
    }

    @Test func `a redriven delivery states its new expiry`() async throws {
        let sink = try WebhookSink { $0.number == 1 ? .status(500) : .status(200) }
        let clock = ManualClock(WallClock.system.now())
        try await withSender(SendingWorld.options { $0.retries = RetryPolicy(waits: []) }, clock: clock.clock) { world in
            let message = try await world.publish(to: try await world.register(sink.url("/hook")), ttl: .hours(2))
            #expect(try await world.delivery(of: message, in: .dead) != nil)
            let first = clock.now + .hours(2)
            clock.advance(by: .hours(3))
            #expect(try await world.messages.redrive(message, app: world.app) == 1)
            #expect(try await world.delivery(of: message, in: .delivered) != nil)
            for (hook, end) in zip(sink.hooks, [first, clock.now + .hours(2)]) {
                #expect(String(decoding: hook.body, as: UTF8.self).contains(#""expires_at":"\#(end.rfc3339)""#))
            }
            #expect(sink.hooks.count == 2)
        }
    }

    @Test func `attempts are counted by result`() async throws {
        let sink = try WebhookSink { $0.number == 1 ? .resets : $0.number == 2 ? .status(404) : .status(204) }
        try await withSender { world in
            let message = try await world.publish(to: try await world.register(sink.url("/hook")))
            #expect(try await world.delivery(of: message, in: .delivered) != nil)
            let wanted = [
                #"signalbox_delivery_attempts_total{result="2xx"} 1"#, #"signalbox_delivery_attempts_total{result="4xx"} 1"#,
                #"signalbox_delivery_attempts_total{result="connection_reset"} 1"#, "signalbox_delivery_attempt_duration_seconds_count 3",
                "signalbox_deliveries_in_flight 0", "signalbox_deliveries_held 0", "signalbox_delivery_breakers_open 0",
            ]
            #expect(
                try await eventually {
                    let lines = String(decoding: world.metrics.exposition(), as: UTF8.self).split(separator: "\n").map(String.init)
                    return wanted.allSatisfy(lines.contains)
                })
        }
    }

    private func isSigned(_ hook: Hook, by key: SigningKey) -> Bool { hook.headers["webhook-signature"] == signature(hook, key) }

    private func signature(_ hook: Hook, _ key: SigningKey) -> String {
        let content = Array("\(hook.id).\(hook.headers["webhook-timestamp"] ?? "").".utf8) + hook.body
        return "v1,\(Base64.encode(HMACSHA256.authenticate(content, key: key.bytes)))"
    }
}
