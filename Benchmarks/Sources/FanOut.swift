import Delivery
import Foundation
import Glibc
import Messaging
import Platform
import Store
import Synchronization
import TestSupport

/// How fast one message reaches many webhooks, from publishing to the last acknowledgement, through the queue and signed.
struct FanOut {
    private let options: Options
    private let store: Store
    private let app: AppID

    static func run(_ options: Options) async throws {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        let ends = try ChildProcess.pipe()
        let sink = try ChildProcess(program, ["sink", "--port", "\(options.port)", "--delay", "\(options.delay)"], output: ends.writing)
        close(ends.writing)
        _ = try await LineReader(ends.reading).line { $0 == "listening" }
        let folder = TemporaryFolder()
        let store = try Store(folder.path) { fatalError($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await store.run() }
            let (app, _) = try await store.createAppWithKeys(named: "bench")
            try await FanOut(options: options, store: store, app: app.id).measure()
            store.close()
            try await group.waitForAll()
        }
        sink.signal(SIGTERM)
        _ = await sink.exitCode()
    }

    private func measure() async throws {
        try await register()
        var settings = SenderOptions()
        settings.origin.inFlight = options.inFlight
        settings.threads = options.shards
        settings.addresses = AddressPolicy(allowing: ["127.0.0.0/8"].compactMap(AddressRange.init))
        let sender = try Sender(store.messages, settings)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await sender.run() }
            try await publish()
            await sender.stop()
            try await group.waitForAll()
        }
    }

    private func publish() async throws {
        var publication = Publication(MessageDraft(to: .topic(try TopicName("news"))))
        publication.notification = Array(#"{"title":"The title of it","body":"\#(String(repeating: "words ", count: 30))"}"#.utf8)
        let start = ContinuousClock.now
        let published = try await store.messages.publish(app: app, publication)
        let accepted = ContinuousClock.now
        while true {
            let counts = try await store.messages.status(of: published.id, app: app).counts
            if counts[.delivered] == options.registrations { break }
            try await Task.sleep(for: .milliseconds(5))
        }
        let seconds = (ContinuousClock.now - accepted) / .seconds(1)
        let rate = Int(Double(options.registrations) / seconds)
        print("fan-out: accepted in \(Int((accepted - start) / .milliseconds(1))) ms, \(rate) deliveries/s, audience \(published.audience)")
    }

    /// The origins are addresses of this machine.
    private func register() async throws {
        let topic = try TopicName("news")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for part in 0..<16 {
                group.addTask {
                    for number in stride(from: part, to: options.registrations, by: 16) {
                        let host = number % options.origins
                        var draft = RegistrationDraft()
                        draft.platform = .server
                        draft.endpoint = .webhook(try WebhookURL("http://127.0.\(host / 250).\(host % 250 + 1):\(options.port)/hook/\(number)"))
                        let made = try await store.messages.register(app: app, draft, isTrusted: true)
                        _ = try await store.messages.changeTopics(app: app, token: made.registration.token, subscribe: [topic], unsubscribe: [])
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
