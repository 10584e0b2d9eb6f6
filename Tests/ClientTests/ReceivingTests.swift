// SPDX-License-Identifier: Apache-2.0

import Foundation
import struct Platform.SeededGenerator
import TestSupport
import Testing

@testable import Signalbox

/// Messages from a daemon process to apps.
@Suite struct ReceivingTests {
    @Test func `a message arrives with all fields, is acknowledged and not redelivered`() async throws {
        let world = try await World.start()
        let app = try SignalboxApp(world.options())
        app.analytics.setUserProperties(userId: "ann", email: nil)
        try await app.messaging.subscribe(topic: "news")
        let id = try await world.send(
            #"{"topic": "news", "notification": {"title": "Über", "body": "\"B\""}, "data": {"k": "v"}, "label": "l", "priority": "high", "platform": {"apns": {}}}"#
        )
        var stream = Optional(app.messaging.messageStream().makeAsyncIterator())
        let message = try #require(await stream?.next())
        #expect(message.id == id && message.topic == "news" && message.data == ["k": "v"] && message.label == "l" && message.isUrgent)
        #expect(message.notification == .init(title: "Über", body: "\"B\"") && message.expiresAt > message.sentAt)
        let second = try await world.send(#"{"topic": "news", "data": {"n": "2"}}"#)
        #expect(await stream?.next()?.id == second)
        #expect(try await eventually { try await world.counts(id)["delivered"].number == 1 })
        #expect(try await world.counts(second)["delivered"].number != 1)
        let token = try await app.messaging.getToken()
        #expect(try await world.device(token)["user_id"].text == "ann")
        // The message in hand is delivered again, and the first one is not.
        stream = nil
        await app.close()
        let later = try SignalboxApp(world.options())
        var rest = later.messaging.messageStream().makeAsyncIterator()
        #expect(await rest.next()?.id == second)
    }

    @Test func `a cancelled or released stream closes the connection`() async throws {
        let world = try await World.start()
        let app = try SignalboxApp(world.options())
        let reading = Task { for await _ in app.messaging.messageStream() {} }
        #expect(try await eventually { try await world.streams() == 1 })
        reading.cancel()
        await reading.value
        #expect(try await eventually { try await world.streams() == 0 })
        for _ in 0..<20 {
            let short = Task { for await _ in app.messaging.messageStream() {} }
            await Task.yield()
            short.cancel()
            await short.value
        }
        var stream = Optional(app.messaging.messageStream())
        #expect(try await eventually { try await world.streams() == 1 })
        #expect(stream != nil)
        stream = nil
        #expect(try await eventually { try await world.streams() == 0 })
    }

    @Test func `streams share a connection and each gets every message`() async throws {
        let world = try await World.start()
        let app = try SignalboxApp(world.options())
        try await app.messaging.subscribe(topic: "news")
        let heard = [Heard<String>(), Heard<String>()]
        let readers = heard.map { heard in Task { for await message in app.messaging.messageStream() { heard.hear(message.id) } } }
        #expect(try await eventually { try await world.streams() == 1 })
        var sent: [String] = []
        for number in 0..<50 { sent.append(try await world.send(#"{"topic": "news", "data": {"n": "\#(number)"}}"#)) }
        let all = sent
        #expect(try await eventually { heard.allSatisfy { $0.all == all } })
        #expect(try await eventually { try await world.counts(all[48])["delivered"].number == 1 })
        #expect(try await world.streams() == 1)
        for reader in readers { reader.cancel() }
    }

    @Test func `dropped messages are reported`() async throws {
        let world = try await World.start()
        let missed = Heard<Int>()
        let app = try SignalboxApp({ $0.onMissedMessages = missed.hear }, of: world)
        let token = try await app.messaging.getToken()
        var sent: [String] = []
        for _ in 0..<105 { sent.append(try await world.send(#"{"token": "\#(token)", "data": {"a": "b"}}"#)) }
        let last = sent[104]
        #expect(try await eventually { try await world.counts(last)["pending"].number == 1 })
        var stream = app.messaging.messageStream().makeAsyncIterator()
        for id in sent[5...] { #expect(await stream.next()?.id == id) }
        #expect(missed.all == [5])
    }

    @Test func `a stream rejected with Retry-After reconnects after that time`() async throws {
        let world = try await World.start(["INGESTD_STREAM_LISTENERS": "1"])
        let app = try SignalboxApp(world.options())
        let token = try await app.messaging.getToken()
        let registered = try await world.api.post(
            "/v1/devices", key: world.keys.send, #"{"token": "someone-else", "platform": "web", "endpoint": {"type": "stream"}}"#)
        #expect(registered.status == 201)
        let other = try await EventStream(world.api, "/v1/stream?token=someone-else", key: world.keys.send)
        let id = try await world.send(#"{"token": "\#(token)", "data": {"a": "b"}}"#)
        let start = ContinuousClock.now
        let reading = Task { await app.messaging.messageStream().first { _ in true }?.id }
        #expect(try await eventually { await world.requests(to: "/v1/stream", status: 429) >= 1 })
        await other.close()
        #expect(await reading.value == id)
        // Retry-After is five seconds.
        let (rejected, seconds) = (await world.requests(to: "/v1/stream", status: 429), (ContinuousClock.now - start) / .seconds(1))
        #expect(Double(rejected) <= 1 + seconds / 5)
    }

    @Test func `a silent connection is closed and reopened`() async throws {
        let world = try await World.start()
        let network = try Forwarder(to: world.api.port)
        var options = try world.options()
        options.address = try #require(URL(string: "http://127.0.0.1:\(network.port)"))
        options.streamSilence = 1
        let said = Heard<String>()
        options.onLog = said.hear
        let app = try SignalboxApp(options)
        let token = try await app.messaging.getToken()
        let heard = Heard<String>()
        let reading = Task { for await message in app.messaging.messageStream() { heard.hear(message.id) } }
        #expect(try await eventually { try await world.streams() == 1 })
        network.goSilent()
        let id = try await world.send(#"{"token": "\#(token)", "data": {"a": "b"}}"#)
        // Once for the open connection, and once for one opened since.
        #expect(try await eventually { said.all.count { $0.hasPrefix("message stream ended: unreachable") } >= 2 })
        #expect(heard.all.isEmpty)
        network.mend()
        #expect(try await eventually { heard.all == [id] })
        reading.cancel()
    }

    @Test(arguments: [UInt64.random(in: 0...UInt64.max)])
    func `with random kills each message is delivered, and acknowledged ones not again`(seed: UInt64) async throws {
        var random = SeededGenerator(seed)
        let world = try await World.start()
        let network = try Forwarder(to: world.api.port)
        let address = "http://127.0.0.1:\(network.port)"
        let token = try await register(in: world)
        var sent: [String] = []
        var seen: [[String]] = []
        for _ in 0..<5 {
            let (app, output) = try world.receivingApp(at: address)
            for _ in 0..<3 {
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    sent.append(try await world.send(#"{"token": "\#(token)", "data": {"a": "b"}}"#))
                }
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    await world.daemon.killHard()
                    try await world.restart()
                case 1:
                    _ = await world.daemon.stop()
                    try await world.restart()
                case 2:
                    network.goDown()
                    sent.append(try await world.send(#"{"token": "\#(token)", "data": {"a": "b"}}"#))
                    network.mend()
                default: break
                }
            }
            if Bool.random(using: &random) {
                let last = try #require(sent.last)
                _ = try await output.line { $0 == last }
            }
            app.signal(SIGKILL)
            _ = await app.exitCode()
            seen.append(await output.whole().split(separator: "\n").map(String.init))
        }
        let (app, output) = try world.receivingApp(at: address)
        let last = try await world.send(#"{"token": "\#(token)", "data": {"a": "b"}}"#)
        sent.append(last)
        _ = try await output.line { $0 == last }
        app.signal(SIGKILL)
        _ = await app.exitCode()
        seen.append(await output.whole().split(separator: "\n").map(String.init))

        #expect(Set(seen.joined()) == Set(sent))
        var taken: Set<String> = []
        for ids in seen {
            #expect(taken.isDisjoint(with: ids) && Set(ids).count == ids.count)
            taken.formUnion(ids.dropLast())
        }
    }

    /// The installation shared by successive apps of a test.
    private func register(in world: World) async throws -> String {
        let app = try SignalboxApp(world.options())
        let token = try await app.messaging.getToken()
        await app.close()
        return token
    }
}
