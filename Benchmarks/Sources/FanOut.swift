// SPDX-License-Identifier: Apache-2.0

import Delivery
import EventStore
import Foundation
import Glibc
import MessageStore
import Messaging
import Platform
import AcrossStores
import TestSupport

/// The time from publishing a message to the last acknowledgement of many webhooks, queued and signed; some origins may never respond.
struct FanOut {
    private let options: Options
    private let store: Stores
    private let app: AppID

    static func run(_ options: Options) async throws {
        var sinks = [try await sink(options, on: options.port, silent: 0)]
        if options.silent > 0 { sinks.append(try await sink(options, on: options.port + 1, silent: 1)) }
        let folder = TemporaryFolder()
        let store = try Stores(folder.path) { fatalError($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await store.run() }
            let (app, _) = try await store.events.createAppWithKeys(named: "bench")
            try await FanOut(options: options, store: store, app: app.id).measure()
            store.close()
            try await group.waitForAll()
        }
        for sink in sinks {
            sink.signal(SIGTERM)
            _ = await sink.exitCode()
        }
    }

    /// Creates registrations of the first app in a folder that no daemon uses.
    static func subscribe(_ options: Options) async throws {
        let store = try Stores(options.folder) { fatalError($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await store.run() }
            try await FanOut(options: options, store: store, app: AppID(rawValue: 1)).register()
            store.close()
            try await group.waitForAll()
        }
    }

    private static func sink(_ options: Options, on port: Int, silent: Int) async throws -> ChildProcess {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        let ends = try ChildProcess.pipe()
        defer { close(ends.writing) }
        let arguments = ["sink", "--port", "\(port)", "--delay", "\(options.delay)", "--silent", "\(silent)"]
        let sink = try ChildProcess(program, arguments, output: ends.writing)
        _ = try await LineReader(ends.reading).line { $0 == "listening" }
        return sink
    }

    private func measure() async throws {
        try await register()
        var settings = SenderOptions()
        settings.origin.inFlight = options.inFlight
        settings.threads = options.shards
        settings.destinations.addresses = AddressPolicy(allowing: ["127.0.0.0/8"].compactMap(AddressRange.init))
        let sender = try Sender(store.messages, { [settings] in settings })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await sender.run() }
            try await publish()
            await sender.stop(grace: .zero)
            try await group.waitForAll()
        }
    }

    private func publish() async throws {
        var publication = Publication(MessageDraft(to: .topic(try TopicName("news"))))
        publication.notification = Array(#"{"title":"The title of it","body":"\#(String(repeating: "words ", count: 30))"}"#.utf8)
        let start = ContinuousClock.now
        let published = try await store.messages.publish(app: app, publication)
        let accepted = ContinuousClock.now
        let cpu = CourierRun.processorSeconds()
        // Only deliveries to origins that respond.
        let others = (0..<options.registrations).count { !isSilent($0) }
        var half: Duration?
        var nearlyAll: Duration?
        while true {
            let delivered = try await store.messages.status(of: published.id, app: app).counts[.delivered] ?? 0
            let time = ContinuousClock.now - accepted
            if half == nil, delivered * 2 >= others { half = time }
            if nearlyAll == nil, delivered * 100 >= others * 99 { nearlyAll = time }
            if delivered == others { break }
            try await Task.sleep(for: .milliseconds(5))
        }
        let rate = Int(Double(others) / ((ContinuousClock.now - accepted) / .seconds(1)))
        let cost = String(format: "%.1f", (CourierRun.processorSeconds() - cpu) * 1e6 / Double(others))
        let times = [half, nearlyAll].map { "\(Int(($0 ?? .zero) / .milliseconds(1)))" }.joined(separator: " / ")
        let acceptance = Int((accepted - start) / .milliseconds(1))
        print("fan-out: accepted in \(acceptance) ms, \(rate) deliveries/s, \(cost) µs of processor each, half / 99 % after \(times) ms")
    }

    private func isSilent(_ number: Int) -> Bool { number % options.origins < options.silent }

    /// The origins are addresses of this machine.
    private func register() async throws {
        let topic = try TopicName("news")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for part in 0..<16 {
                group.addTask {
                    for number in stride(from: part, to: options.registrations, by: 16) {
                        let host = number % options.origins
                        let port = options.port + (isSilent(number) ? 1 : 0)
                        var draft = RegistrationDraft()
                        draft.platform = .server
                        draft.endpoint = .webhook(try WebhookURL("http://127.0.\(host / 250).\(host % 250 + 1):\(port)/hook/\(number)"))
                        let made = try await store.messages.register(app: app, draft, isTrusted: true)
                        _ = try await store.messages.changeTopics(app: app, token: made.registration.token, subscribe: [topic], unsubscribe: [])
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
