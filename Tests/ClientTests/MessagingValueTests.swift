// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Signalbox

/// Messaging types that need no daemon.
@Suite struct MessagingValueTests {
    private func entry(_ number: Int) -> MessageBuffer.Entry {
        MessageBuffer.Entry(id: "m\(number)", cursor: "\(number)", message: message(number))
    }

    private func message(_ number: Int) -> RemoteMessage {
        RemoteMessage(id: "m\(number)", sentAt: .distantPast)
    }

    @Test func `a message is acknowledged when all readers request the next`() {
        var buffer = MessageBuffer()
        buffer.join(1)
        buffer.join(2)
        #expect(buffer.next(for: 1) == .wait)
        #expect([1, 2, 1].map { buffer.add(entry($0)) } == [.new, .new, .known])
        #expect(buffer.next(for: 1) == .message(message(1)) && buffer.next(for: 2) == .message(message(1)))
        #expect(buffer.take(by: 1) == nil)
        #expect(buffer.next(for: 1) == .message(message(2)))
        #expect(buffer.take(by: 2) == "1")
        #expect(buffer.take(by: 2) == nil)
        // A reader that leaves does not block acknowledgement.
        #expect(buffer.take(by: 1) == nil)
        #expect(buffer.leave(2) == "2")
        #expect(buffer.next(for: 1) == .wait && buffer.next(for: 2) == .end)
    }

    @Test func `unread messages are redelivered, and a new reader gets unacknowledged ones`() {
        var buffer = MessageBuffer()
        buffer.join(1)
        for number in 1...3 { #expect(buffer.add(entry(number)) == .new) }
        #expect(buffer.next(for: 1) == .message(message(1)))
        #expect(buffer.take(by: 1) == "1")
        buffer.join(2)
        #expect(buffer.next(for: 2) == .message(message(2)))
        #expect(buffer.leave(1) == nil && buffer.leave(2) == nil)
        #expect(buffer.hasNoReaders)
        buffer.join(3)
        #expect(buffer.next(for: 3) == .wait && buffer.add(entry(2)) == .new)
        #expect(buffer.next(for: 3) == .message(message(2)))
    }

    @Test func `gaps and unreadable messages are skipped and acknowledged with the next`() {
        var buffer = MessageBuffer()
        buffer.join(1)
        #expect(buffer.add(MessageBuffer.Entry(id: "gap 4", cursor: "4", message: nil)) == .new)
        #expect(buffer.next(for: 1) == .wait && buffer.take(by: 1) == nil)
        #expect(buffer.add(entry(5)) == .new)
        #expect(buffer.next(for: 1) == .message(message(5)))
        #expect(buffer.add(MessageBuffer.Entry(id: "gap 6", cursor: "6", message: nil)) == .new)
        #expect(buffer.take(by: 1) == "5")
        #expect(buffer.next(for: 1) == .wait)
    }

    @Test func `the buffer is bounded and frees space on acknowledgement`() {
        var buffer = MessageBuffer()
        buffer.join(1)
        for number in 1...MessageBuffer.capacity { #expect(buffer.add(entry(number)) == .new) }
        #expect(buffer.add(entry(0)) == .full && buffer.add(entry(7)) == .known && !buffer.hasCapacity)
        #expect(buffer.next(for: 1) == .message(message(1)) && buffer.take(by: 1) == "1")
        #expect(buffer.add(entry(0)) == .new)
        buffer.forgetEntries()
        #expect(buffer.next(for: 1) == .wait && buffer.take(by: 1) == nil && buffer.add(entry(1)) == .new)
    }

    @Test func `server-sent events are parsed however they are split`() {
        let text = ":\n\nid: 7\nevent: message\ndata: {\"a\":1}\n\n: still here\r\n\r\nid:8\r\ndata: x\r\ndata: y\r\nretry: 5\r\n\r\nevent: none\n\n"
        let bytes = Data(text.utf8)
        let expected = [
            ServerSentEventParser.Event(id: "7", name: "message", data: #"{"a":1}"#),
            ServerSentEventParser.Event(id: "8", name: "message", data: "x\ny"),
        ]
        for length in 1...bytes.count {
            var parser = ServerSentEventParser()
            var events: [ServerSentEventParser.Event] = []
            for start in stride(from: 0, to: bytes.count, by: length) {
                events += parser.read(bytes[start..<min(start + length, bytes.count)]) ?? []
            }
            #expect(events == expected, "in pieces of \(length)")
        }
        var parser = ServerSentEventParser()
        #expect(parser.read(Data(repeating: 0x61, count: ServerSentEventParser.longest)) == [])
        #expect(parser.read(Data([0x61])) == nil)
    }

    @Test func `a message is decoded with all or only required fields`() throws {
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

    private let attributes = DeviceRegistration.Attributes(installation: "i", user: nil, platform: "linux", appVersion: nil)

    @Test func `another session of the user is another check-in, sent as that user`() throws {
        var device = DeviceRegistration()
        device.adopt(installation: "i")
        device.requestToken()
        var owned = attributes
        (owned.user, owned.session) = ("ann", "s1")
        let register = try #require(device.nextRequest(owned, at: .distantPast, topicLimit: 10))
        #expect(register.owner == "ann")
        device.registered(as: "sbd_1", owned, at: .distantPast)
        #expect(device.nextRequest(owned, at: .distantPast, topicLimit: 10) == nil)
        owned.session = "s2"
        #expect(device.nextRequest(owned, at: .distantPast, topicLimit: 10) == .checkIn(token: "sbd_1", owned))
        (owned.user, owned.session) = ("ann", nil)
        #expect(device.nextRequest(owned, at: .distantPast, topicLimit: 10)?.owner == nil, "a name that nothing proves goes with the key")
    }
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func `requests come one after the other, and the last change of a topic wins`() throws {
        var device = DeviceRegistration()
        device.adopt(installation: "i")
        #expect(device.nextRequest(attributes, at: now, topicLimit: 9) == nil)
        try device.setTopic("b", isSubscribed: true)
        try device.setTopic("a", isSubscribed: true)
        #expect(device.nextRequest(attributes, at: now, topicLimit: 9) == .register(attributes))
        device.registered(as: "t1", attributes, at: now)
        #expect(device.nextRequest(attributes, at: now, topicLimit: 1) == .change(token: "t1", ["a": true]))
        try device.setTopic("a", isSubscribed: false)
        device.complete(.change(token: "t1", ["a": true, "b": true]), isDone: true, at: now)
        #expect(device.nextRequest(attributes, at: now, topicLimit: 9) == .change(token: "t1", ["a": false]))
        device.complete(.change(token: "t1", ["a": false]), isDone: true, at: now)
        #expect(device.topics == ["b"] && device.nextRequest(attributes, at: now, topicLimit: 9) == nil)
        device.consumed(cursor: "3", of: "t1")
        device.consumed(cursor: "9", of: "t0")
        #expect(device.nextRequest(attributes, at: now, topicLimit: 9) == .acknowledge(token: "t1", cursor: "3"))
        var others = attributes
        others.user = "ann"
        #expect(device.nextRequest(others, at: now, topicLimit: 9) == .checkIn(token: "t1", others))
        #expect(device.nextRequest(attributes, at: now + 90_000, topicLimit: 9) == .checkIn(token: "t1", attributes))
        #expect(device.nextRequest(attributes, at: now - 90_000, topicLimit: 9) == .checkIn(token: "t1", attributes))
    }

    @Test func `a new token subscribes to the same topics, and unregistering drops them`() throws {
        var device = DeviceRegistration()
        device.adopt(installation: "i")
        device.registered(as: "t1", attributes, at: now)
        for topic in ["a", "b"] { try device.setTopic(topic, isSubscribed: true) }
        device.complete(.change(token: "t1", ["a": true, "b": true]), isDone: true, at: now)
        try device.setTopic("b", isSubscribed: false)
        device.tokenExpired("t0")
        #expect(device.token == "t1")
        device.tokenExpired("t1")
        #expect(device.nextRequest(attributes, at: now, topicLimit: 9) == .register(attributes) && device.pendingTopics == ["a": true, "b": false])
        device.registered(as: "t2", attributes, at: now)
        device.adopt(installation: nil)
        #expect(device.nextRequest(nil, at: now, topicLimit: 9) == .remove(token: "t2"))
        device.complete(.remove(token: "t2"), isDone: true, at: now)
        #expect(device.nextRequest(attributes, at: now, topicLimit: 9) == nil && device.pendingTopics.isEmpty && device.token == nil)
    }

    @Test func `pending changes belong to one installation`() throws {
        var device = DeviceRegistration()
        device.adopt(installation: "j")
        device.requestToken()
        #expect(device.nextRequest(attributes, at: now, topicLimit: 9) == nil)
        device.registered(as: "t1", attributes, at: now)
        #expect(device.token == nil && device.nextRequest(attributes, at: now, topicLimit: 9) == .remove(token: "t1"))
        device.complete(.remove(token: "t1"), isDone: true, at: now)

        var others = attributes
        others.installation = "j"
        device.registered(as: "t2", others, at: now)
        try device.setTopic("b", isSubscribed: true)
        device.complete(.change(token: "t1", ["a": true, "b": true]), isDone: true, at: now)
        device.complete(.checkIn(token: "t1", attributes), isDone: true, at: now)
        #expect(device.topics.isEmpty && device.nextRequest(others, at: now, topicLimit: 9) == .change(token: "t2", ["b": true]))
    }

    @Test func `a file of release 0.1 is read`() throws {
        let file = #"{"wishes":{"b":true},"topics":["a"],"leaving":["t0"],"wantsToken":true,"installation":"i","toldAt":0}"#
        var device = try JSONDecoder().decode(DeviceRegistration.self, from: Data(file.utf8))
        #expect(device.pendingTopics == ["b": true] && device.topics == ["a"])
        #expect(device.nextRequest(attributes, at: now, topicLimit: 9) == .remove(token: "t0"))
        device.complete(.remove(token: "t0"), isDone: true, at: now)
        #expect(device.nextRequest(attributes, at: now, topicLimit: 9) == .register(attributes))
    }

    @Test func `pending topics have a limit`() throws {
        var device = DeviceRegistration()
        for number in 0..<DeviceRegistration.maxPendingTopics { try device.setTopic("t\(number)", isSubscribed: true) }
        #expect(throws: SignalboxError.self) { try device.setTopic("more", isSubscribed: true) }
        try device.setTopic("t7", isSubscribed: false)
        #expect(throws: SignalboxError.self) { try device.setTopic(String(repeating: "x", count: 901), isSubscribed: true) }
    }

    @Test(arguments: [
        (401, #"{"code":"unauthorized","detail":"d"}"#, SignalboxError.unauthorized(status: 401, detail: "d")),
        (403, #"{"code":"forbidden","detail":"d"}"#, .unauthorized(status: 403, detail: "d")),
        (403, #"{"code":"forbidden","detail":"d","errors":[{"code":"reserved_topic"}]}"#, .rejected(code: "reserved_topic", detail: "d")),
        (422, #"{"code":"invalid","detail":"d","errors":[{"code":"bad_topic"}]}"#, .rejected(code: "bad_topic", detail: "d")),
        (404, #"{"code":"unregistered","detail":"d"}"#, .rejected(code: "unregistered", detail: "d")),
        (404, "<html>", .unexpectedResponse(status: 404, detail: SignalboxError.foreignResponse)),
        (401, "", .unexpectedResponse(status: 401, detail: SignalboxError.foreignResponse)),
        (408, #"{"code":"slow_client","detail":"d"}"#, .unexpectedResponse(status: 408, detail: "d")),
        (429, "", .busy(retryAfter: 7)), (503, #"{"code":"draining","detail":"d"}"#, .busy(retryAfter: 7)),
    ])
    func `responses become errors`(status: Int, body: String, error: SignalboxError) {
        #expect(APIClient.Response(status: status, body: Data(body.utf8), retryAfter: 7).error == error)
    }

    @Test func `in-memory messaging records subscriptions and delivers messages`() async throws {
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

    @Test func `in-memory messages wait for the next reader, at most the newest`() async {
        let messaging = InMemoryMessaging()
        let reading = Task { for await _ in messaging.messageStream() {} }
        reading.cancel()
        await reading.value
        for number in 1...201 { messaging.deliver(message(number)) }
        var stream = messaging.messageStream().makeAsyncIterator()
        #expect(await stream.next()?.id == "m2")
    }
}
