import Synchronization

/// Where the writer tells readers of streams what has come for them, so that thousands who wait ask the file nothing.
package final class StreamHub: Sendable {
    private struct State: Sendable {
        var listeners: [Int64: [StreamListener]] = [:]
        var isOver = false
    }

    private let state = Mutex(State())

    /// How many listen now.
    package var count: Int { state.withLock { $0.listeners.values.reduce(0) { $0 + $1.count } } }

    /// Lets somebody hear of what comes for a registration from now on.
    package func join(_ registration: Int64) -> StreamListener {
        let listener = StreamListener(registration)
        let isOver = state.withLock { state in
            state.listeners[registration, default: []].append(listener)
            return state.isOver
        }
        if isOver { listener.end() }
        return listener
    }

    package func leave(_ listener: StreamListener) {
        state.withLock { state in
            state.listeners[listener.registration]?.removeAll { $0 === listener }
            if state.listeners[listener.registration]?.isEmpty == true { state.listeners[listener.registration] = nil }
        }
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

    func end() {
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

    /// Wakes it though nothing has come.
    package func nudge() {
        wake.yield()
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
