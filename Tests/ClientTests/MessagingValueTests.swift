// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Signalbox

/// What of messages needs no daemon.
@Suite struct MessagingValueTests {
    private func entry(_ number: Int) -> Feed.Entry {
        Feed.Entry(id: "m\(number)", cursor: "\(number)", message: message(number))
    }

    private func message(_ number: Int) -> RemoteMessage {
        RemoteMessage(id: "m\(number)", sentAt: .distantPast)
    }

    @Test func `a message is taken when the next is asked for, and by all`() {
        var feed = Feed()
        feed.join(1)
        feed.join(2)
        #expect(feed.next(for: 1) == .wait)
        #expect([1, 2, 1].map { feed.add(entry($0)) } == [.new, .new, .known])
        #expect(feed.next(for: 1) == .message(message(1)) && feed.next(for: 2) == .message(message(1)))
        #expect(feed.take(by: 1) == nil)
        #expect(feed.next(for: 1) == .message(message(2)))
        #expect(feed.take(by: 2) == "1")
        #expect(feed.take(by: 2) == nil)
        // Who leaves holds up nobody.
        #expect(feed.take(by: 1) == nil)
        #expect(feed.leave(2) == "2")
        #expect(feed.next(for: 1) == .wait && feed.next(for: 2) == .end)
    }

    @Test func `what nobody took before leaving comes again, and a newcomer gets what not all have taken`() {
        var feed = Feed()
        feed.join(1)
        for number in 1...3 { #expect(feed.add(entry(number)) == .new) }
        #expect(feed.next(for: 1) == .message(message(1)))
        #expect(feed.take(by: 1) == "1")
        feed.join(2)
        #expect(feed.next(for: 2) == .message(message(2)))
        #expect(feed.leave(1) == nil && feed.leave(2) == nil)
        #expect(feed.isUnread)
        feed.join(3)
        #expect(feed.next(for: 3) == .wait && feed.add(entry(2)) == .new)
        #expect(feed.next(for: 3) == .message(message(2)))
    }

    @Test func `gaps and what cannot be read are passed over and taken with what follows`() {
        var feed = Feed()
        feed.join(1)
        #expect(feed.add(Feed.Entry(id: "gap 4", cursor: "4", message: nil)) == .new)
        #expect(feed.next(for: 1) == .wait && feed.take(by: 1) == nil)
        #expect(feed.add(entry(5)) == .new)
        #expect(feed.next(for: 1) == .message(message(5)))
        #expect(feed.add(Feed.Entry(id: "gap 6", cursor: "6", message: nil)) == .new)
        #expect(feed.take(by: 1) == "5")
        #expect(feed.next(for: 1) == .wait)
    }

    @Test func `there is room for so many, and again when some are taken`() {
        var feed = Feed()
        feed.join(1)
        for number in 1...Feed.room { #expect(feed.add(entry(number)) == .new) }
        #expect(feed.add(entry(0)) == .full && feed.add(entry(7)) == .known && !feed.hasRoom)
        #expect(feed.next(for: 1) == .message(message(1)) && feed.take(by: 1) == "1")
        #expect(feed.add(entry(0)) == .new)
        feed.forgetEntries()
        #expect(feed.next(for: 1) == .wait && feed.take(by: 1) == nil && feed.add(entry(1)) == .new)
    }

    @Test func `server-sent events are read however they are cut`() {
        let text = ":\n\nid: 7\nevent: message\ndata: {\"a\":1}\n\n: still here\r\n\r\nid:8\r\ndata: x\r\ndata: y\r\nretry: 5\r\n\r\nevent: none\n\n"
        let bytes = Data(text.utf8)
        let expected = [EventLines.Event(id: "7", name: "message", data: #"{"a":1}"#), EventLines.Event(id: "8", name: "message", data: "x\ny")]
        for length in 1...bytes.count {
            var lines = EventLines()
            var events: [EventLines.Event] = []
            for start in stride(from: 0, to: bytes.count, by: length) {
                events += lines.read(bytes[start..<min(start + length, bytes.count)]) ?? []
            }
            #expect(events == expected, "in pieces of \(length)")
        }
        var lines = EventLines()
        #expect(lines.read(Data(repeating: 0x61, count: EventLines.longest)) == [])
        #expect(lines.read(Data([0x61])) == nil)
    }

    @Test func `a message is read with all it has, and with nothing it need not have`() throws {
        let whole = """
            {"type":"message","timestamp":"2026-11-21T12:00:00.250Z","data":{"message_id":"msg_1","token":"t","topic":"news","condition":"c",
            "notification":{"title":"T","body":"B","image":"I","more":1},"data":{"k":"v"},"platform":{"apns":{"x":[1]}},"label":"l","collapse_key":"ck",
            "priority":"high","sent_at":"2026-11-21T12:00:00.250Z","expires_at":"2026-11-21T12:00:01Z"}}
            """
        let message = try JSONDecoder().decode(RemoteMessage.self, from: Data(whole.utf8))
        let sent = Date(timeIntervalSince1970: 1_795_262_400.25)
        #expect(
            message
                == RemoteMessage(
                    id: "msg_1", topic: "news", condition: "c", notification: .init(title: "T", body: "B", image: "I"), data: ["k": "v"], label: "l",
                    collapseKey: "ck", isUrgent: true, sentAt: sent, expiresAt: sent.addingTimeInterval(0.75)))
        let least = #"{"data":{"message_id":"m","sent_at":"2026-11-21T12:00:00Z","expires_at":"2026-11-21T12:00:00Z"}}"#
        let small = try JSONDecoder().decode(RemoteMessage.self, from: Data(least.utf8))
        #expect(small.id == "m" && small.topic == nil && small.notification == nil && small.data.isEmpty && !small.isUrgent)
    }

    private let facts = Device.Facts(installation: "i", user: nil, platform: "linux", appVersion: nil)
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func `errands come one after the other, and the last wish counts`() throws {
        var device = Device()
        device.belong(to: "i")
        #expect(device.next(facts, at: now, topicsAtMost: 9) == nil)
        try device.want(topic: "b", joined: true)
        try device.want(topic: "a", joined: true)
        #expect(device.next(facts, at: now, topicsAtMost: 9) == .register(facts))
        device.registered(as: "t1", facts, at: now)
        #expect(device.next(facts, at: now, topicsAtMost: 1) == .change(token: "t1", ["a": true]))
        try device.want(topic: "a", joined: false)
        device.isThrough(.change(token: "t1", ["a": true, "b": true]), isDone: true, at: now)
        #expect(device.next(facts, at: now, topicsAtMost: 9) == .change(token: "t1", ["a": false]))
        device.isThrough(.change(token: "t1", ["a": false]), isDone: true, at: now)
        #expect(device.topics == ["b"] && device.next(facts, at: now, topicsAtMost: 9) == nil)
        device.took(cursor: "3", of: "t1")
        device.took(cursor: "9", of: "t0")
        #expect(device.next(facts, at: now, topicsAtMost: 9) == .acknowledge(token: "t1", cursor: "3"))
        var others = facts
        others.user = "ann"
        #expect(device.next(others, at: now, topicsAtMost: 9) == .checkIn(token: "t1", others))
        #expect(device.next(facts, at: now + 90_000, topicsAtMost: 9) == .checkIn(token: "t1", facts))
        #expect(device.next(facts, at: now - 90_000, topicsAtMost: 9) == .checkIn(token: "t1", facts))
    }

    @Test func `another token gets into the same topics, and whoever leaves into none`() throws {
        var device = Device()
        device.belong(to: "i")
        device.registered(as: "t1", facts, at: now)
        for topic in ["a", "b"] { try device.want(topic: topic, joined: true) }
        device.isThrough(.change(token: "t1", ["a": true, "b": true]), isDone: true, at: now)
        try device.want(topic: "b", joined: false)
        device.isGone("t0")
        #expect(device.token == "t1")
        device.isGone("t1")
        #expect(device.next(facts, at: now, topicsAtMost: 9) == .register(facts) && device.wishes == ["a": true, "b": false])
        device.registered(as: "t2", facts, at: now)
        device.belong(to: nil)
        #expect(device.next(nil, at: now, topicsAtMost: 9) == .remove(token: "t2"))
        device.isThrough(.remove(token: "t2"), isDone: true, at: now)
        #expect(device.next(facts, at: now, topicsAtMost: 9) == nil && device.wishes.isEmpty && device.token == nil)
    }

    @Test func `what was asked for one installation is nothing of another's`() throws {
        var device = Device()
        device.belong(to: "j")
        device.wantToken()
        #expect(device.next(facts, at: now, topicsAtMost: 9) == nil)
        device.registered(as: "t1", facts, at: now)
        #expect(device.token == nil && device.next(facts, at: now, topicsAtMost: 9) == .remove(token: "t1"))
        device.isThrough(.remove(token: "t1"), isDone: true, at: now)

        var others = facts
        others.installation = "j"
        device.registered(as: "t2", others, at: now)
        try device.want(topic: "b", joined: true)
        device.isThrough(.change(token: "t1", ["a": true, "b": true]), isDone: true, at: now)
        device.isThrough(.checkIn(token: "t1", facts), isDone: true, at: now)
        #expect(device.topics.isEmpty && device.next(others, at: now, topicsAtMost: 9) == .change(token: "t2", ["b": true]))
    }

    @Test func `wishes have a limit`() throws {
        var device = Device()
        for number in 0..<Device.mostWishes { try device.want(topic: "t\(number)", joined: true) }
        #expect(throws: SignalboxError.self) { try device.want(topic: "more", joined: true) }
        try device.want(topic: "t7", joined: false)
        #expect(throws: SignalboxError.self) { try device.want(topic: String(repeating: "x", count: 901), joined: true) }
    }

    @Test(arguments: [
        (401, #"{"code":"unauthorized","detail":"d"}"#, SignalboxError.unauthorized(status: 401, detail: "d")),
        (403, #"{"code":"forbidden","detail":"d"}"#, .unauthorized(status: 403, detail: "d")),
        (403, #"{"code":"forbidden","detail":"d","errors":[{"code":"reserved_topic"}]}"#, .refused(code: "reserved_topic", detail: "d")),
        (422, #"{"code":"invalid","detail":"d","errors":[{"code":"bad_topic"}]}"#, .refused(code: "bad_topic", detail: "d")),
        (404, #"{"code":"unregistered","detail":"d"}"#, .refused(code: "unregistered", detail: "d")),
        (404, "<html>", .unexpectedAnswer(status: 404, detail: SignalboxError.foreignResponse)),
        (401, "", .unexpectedAnswer(status: 401, detail: SignalboxError.foreignResponse)),
        (408, #"{"code":"slow_client","detail":"d"}"#, .unexpectedAnswer(status: 408, detail: "d")),
        (429, "", .busy(retryAfter: 7)), (503, #"{"code":"draining","detail":"d"}"#, .busy(retryAfter: 7)),
    ])
    func `answers become errors`(status: Int, body: String, error: SignalboxError) {
        #expect(Exchange.Answer(status: status, body: Data(body.utf8), retryAfter: 7).trouble == error)
    }

    @Test func `what a test of an app wants is there`() async throws {
        let messaging = InMemoryMessaging()
        var updates = messaging.tokenUpdates().makeAsyncIterator()
        #expect(try await messaging.getToken() == "token-1" && messaging.token == "token-1")
        #expect(await updates.next() == "token-1")
        try await messaging.subscribe(topic: "news")
        messaging.deliver(message(1))
        var stream = messaging.messageStream().makeAsyncIterator()
        messaging.deliver(message(2))
        #expect(await stream.next()?.id == "m1")
        #expect(await stream.next()?.id == "m2")
        messaging.fail(with: .unreachable(reason: "offline"))
        await #expect(throws: SignalboxError.unreachable(reason: "offline")) { try await messaging.subscribe(topic: "sport") }
        messaging.fail(with: nil)
        #expect(messaging.topics == ["news"])
        messaging.setCollectionEnabled(false)
        #expect(await stream.next() == nil)
        #expect(messaging.topics.isEmpty && messaging.token == nil && !messaging.isCollectionEnabled)
        await #expect(throws: SignalboxError.collectionDisabled) { try await messaging.getToken() }
        messaging.setCollectionEnabled(true)
        #expect(try await messaging.getToken() == "token-2")
    }

    @Test func `what comes to an app's own test after a reader has left waits for the next, and no more than the newest`() async {
        let messaging = InMemoryMessaging()
        let reading = Task { for await _ in messaging.messageStream() {} }
        reading.cancel()
        await reading.value
        for number in 1...201 { messaging.deliver(message(number)) }
        var stream = messaging.messageStream().makeAsyncIterator()
        #expect(await stream.next()?.id == "m2")
    }
}
