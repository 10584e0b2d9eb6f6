package import Platform
import Synchronization

/// Where the writer tells readers of streams what has come for them, so that thousands who wait ask the file nothing.
package final class StreamHub: Sendable {
    private struct State: Sendable {
        var listeners: [Int64: [StreamListener]] = [:]
        var count = 0
        var isOver = false
    }

    private static let mostOfRegistration = 4
    private let most: Int
    private let state = Mutex(State())

    init(most: Int) {
        self.most = most
    }

    /// How many listen now.
    package var count: Int { state.withLock { $0.count } }

    /// Lets somebody hear of what comes for a registration from now on, until it leaves.
    package func join(_ registration: Int64) throws(Refusal) -> StreamListener {
        let listener = StreamListener(registration)
        let refusal = state.withLock { state -> Refusal? in
            if state.isOver { return Refusal(.draining, "The server is shutting down.", hint: "Ask again.", retryAfterSeconds: 2) }
            guard state.count < most else { return StreamHub.tooMany("Too many streams are open.") }
            guard state.listeners[registration, default: []].count < StreamHub.mostOfRegistration else {
                return StreamHub.tooMany("This registration's stream is open too often already.")
            }
            state.listeners[registration, default: []].append(listener)
            state.count += 1
            return nil
        }
        if let refusal { throw refusal }
        return listener
    }

    package func leave(_ listener: StreamListener) {
        state.withLock { state in
            guard let place = state.listeners[listener.registration]?.firstIndex(where: { $0 === listener }) else { return }
            state.listeners[listener.registration]?.remove(at: place)
            if state.listeners[listener.registration]?.isEmpty == true { state.listeners[listener.registration] = nil }
            state.count -= 1
        }
    }

    private static func tooMany(_ detail: String) -> Refusal {
        Refusal(.overloaded, detail, hint: "Close another, or ask again later.", retryAfterSeconds: 5)
    }

    func tell(_ news: [StreamNews]) {
        guard !news.isEmpty else { return }
        let told = state.withLock { state in news.map { ($0, state.listeners[$0.registration] ?? []) } }
        for (news, listeners) in told {
            for listener in listeners { listener.hear(news) }
        }
    }

    /// The registration is gone: its readers end.
    func end(_ registration: Int64) {
        for listener in state.withLock({ $0.listeners[registration] ?? [] }) { listener.end() }
    }

    package func end() {
        let all = state.withLock { state in
            state.isOver = true
            return state.listeners.values.flatMap { $0 }
        }
        for listener in all { listener.end() }
    }
}

/// One who waits for what comes for a registration; what it has no room for it finds in the file.
package final class StreamListener: Sendable {
    package enum Mail: Sendable {
        case news([StreamNews])
        /// More came than was kept: the file tells.
        case missed
    }

    private struct Box: Sendable {
        var news: [StreamNews] = []
        var hasMissed = false
    }

    private static let room = 16
    package let registration: Int64
    /// One for any number of news since the last; ends with the registration or the store.
    package let wakeUps: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private let box = Mutex(Box())

    fileprivate init(_ registration: Int64) {
        self.registration = registration
        (wakeUps, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// What has come since it was asked last.
    package func take() -> Mail {
        box.withLock { box in
            defer { box = Box() }
            return box.hasMissed ? .missed : .news(box.news)
        }
    }

    /// Wakes it though nothing has come, again and again until the task is cancelled.
    package func beat(every interval: Duration) async {
        while (try? await Task.sleep(for: interval)) != nil { wake.yield() }
    }

    fileprivate func hear(_ news: StreamNews) {
        box.withLock { box in
            if box.news.count < StreamListener.room { box.news.append(news) } else { box.hasMissed = true }
        }
        wake.yield()
    }

    fileprivate func end() {
        wake.finish()
    }
}
