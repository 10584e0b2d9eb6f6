// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ingestd

/// Repeated kills of a daemon while it fans out and delivers messages.
@Suite struct MessageKillTests {
    private static let receivers = 150
    private static let rounds = ProcessInfo.processInfo.environment["SIGNALBOX_FAULT_ROUNDS"].flatMap(Int.init).map { max(1, $0 / 10) } ?? 6
    private static let environment = ["INGESTD_DELIVERY_ALLOWED_ADDRESSES": "127.0.0.0/8", "INGESTD_DELIVERY_RETRIES": "100ms,200ms,400ms"]

    @Test func `after kills at any time every device gets every message, with the same ID on each attempt`() async throws {
        let trigger = Mutex<KillTrigger?>(nil)
        let sink = try withExtendedLifetime(trigger) {
            try WebhookSink { hook in
                trigger.withLock { $0 }?.requestBegins()
                // Some attempts fail first, so that retries and first attempts mix.
                return hook.number == 1 && hook.path.hasSuffix("7") ? .status(503) : .status(200)
            }
        }
        let folder = TemporaryFolder()
        var app: AppKeys?
        var messages: [String] = []
        for _ in 0..<Self.rounds {
            let child = try await DaemonProcess.start(in: folder.path, environment: Self.environment)
            if app == nil { app = try await Self.register(child.api, sink) }
            messages.append(try await Self.publish(child.api, try #require(app)))
            trigger.withLock { $0 = KillTrigger(child, after: Int.random(in: 1...Self.receivers)) }
            #expect(await child.exitCode() == 128 + SIGKILL)
            trigger.withLock { $0 = nil }
        }
        let child = try await DaemonProcess.start(in: folder.path, environment: Self.environment)
        let keys = try #require(app)
        for message in messages {
            let isDone = try await eventually(within: .seconds(60)) {
                let status = try JSON(await child.api.get("/v1/messages/\(message)", key: keys.read))
                return status["counts"].names == ["delivered"] && status["counts"]["delivered"].number == Self.receivers
            }
            #expect(isDone, "\(message) is not delivered to all devices")
        }
        #expect(await child.stop() == 0)
        try Self.verify(sink.hooks, messages)
    }

    private static func register(_ api: TestClient, _ sink: WebhookSink) async throws -> AppKeys {
        let keys = try await api.makeApp()
        var tokens: [String] = []
        for number in 0..<receivers {
            let body = #"{"platform": "server", "endpoint": {"type": "webhook", "url": "\#(sink.url("/hook/\(number)"))"}}"#
            tokens.append(try JSON(await api.post("/v1/devices", key: keys.send, body))["token"].text)
        }
        let list = tokens.map { "\"\($0)\"" }.joined(separator: ", ")
        #expect(try await api.post("/v1/topics/news/subscribe", key: keys.send, #"{"tokens": [\#(list)]}"#).status == 200)
        return keys
    }

    private static func publish(_ api: TestClient, _ keys: AppKeys) async throws -> String {
        let answer = try JSON(await api.post("/v1/messages", key: keys.send, #"{"topic": "news", "data": {"a": "b"}}"#))
        #expect(answer["audience"].number == receivers)
        return answer["id"].text
    }

    /// Each device has one delivery per message with one ID, however often it was attempted.
    private static func verify(_ hooks: [Hook], _ messages: [String]) throws {
        var ids: [String: Set<String>] = [:]
        for hook in hooks { ids["\(hook.path) \(try JSON(hook.body)["data"]["message_id"].text)", default: []].insert(hook.id) }
        let wanted = messages.flatMap { message in (0..<receivers).map { "/hook/\($0) \(message)" } }
        #expect(Set(ids.keys) == Set(wanted))
        #expect(ids.values.allSatisfy { $0.count == 1 } && ids.values.reduce(into: Set()) { $0.formUnion($1) }.count == wanted.count)
    }
}
