// SPDX-License-Identifier: Apache-2.0

package import Platform
import Synchronization

/// Where the writer tells readers of streams what has come for them, so that thousands who wait ask the file nothing.
package final class StreamHub: Sendable {
    private struct State: Sendable {
        var boxes: [Int64: [StreamBox]] = [:]
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

    /// Lets somebody hear of what comes for a registration, for as long as the listener lives.
    ///
    /// Where too many do already the one that came first ends: whoever changes networks leaves connections behind that nobody reads.
    package func join(_ registration: Int64) throws(Refusal) -> StreamListener {
        let box = StreamBox()
        let joined = state.withLock { state -> Result<StreamBox?, Refusal> in
            if state.isOver {
                return .failure(Refusal.draining)
            }
            guard state.count < most else { return .failure(StreamHub.tooMany("Too many streams are open.")) }
            state.boxes[registration, default: []].append(box)
            state.count += 1
            guard let all = state.boxes[registration], all.count > StreamHub.mostOfRegistration else { return .success(nil) }
            state.count -= 1
            return .success(state.boxes[registration]?.removeFirst())
        }
        try joined.get()?.end()
        return StreamListener(self, registration, box)
    }

    fileprivate func leave(_ registration: Int64, _ box: StreamBox) {
        state.withLock { state in
            guard let place = state.boxes[registration]?.firstIndex(where: { $0 === box }) else { return }
            state.boxes[registration]?.remove(at: place)
            if state.boxes[registration]?.isEmpty == true { state.boxes[registration] = nil }
            state.count -= 1
        }
    }

    private static func tooMany(_ detail: String) -> Refusal {
        Refusal(.overloaded, detail, hint: "Close another, or ask again later.", retryAfterSeconds: 5)
    }

    func tell(_ news: [StreamNews]) {
        guard !news.isEmpty else { return }
        let told = state.withLock { state in news.map { ($0, state.boxes[$0.registration] ?? []) } }
        for (news, boxes) in told {
            for box in boxes { box.hear(news) }
        }
    }

    /// The registration is gone: its readers end.
    func end(_ registration: Int64) {
        for box in state.withLock({ $0.boxes[registration] ?? [] }) { box.end() }
    }

    package func end() {
        let all = state.withLock { state in
            state.isOver = true
            return state.boxes.values.flatMap { $0 }
        }
        for box in all { box.end() }
    }
}

/// One who waits for what comes for a registration, for as long as this lives; what it has no room for it finds in the file.
package final class StreamListener: Sendable {
    package enum Mail: Sendable {
        case news([StreamNews])
        /// More came than was kept: the file tells.
        case missed
    }

    package let registration: Int64
    private let hub: StreamHub
    private let box: StreamBox

    fileprivate init(_ hub: StreamHub, _ registration: Int64, _ box: StreamBox) {
        self.hub = hub
        self.registration = registration
        self.box = box
    }

    deinit {
        hub.leave(registration, box)
    }

    /// One for any number of news since the last; ends with the registration or the store.
    package var wakeUps: AsyncStream<Void> { box.wakeUps }

    /// What has come since it was asked last.
    package func take() -> Mail { box.take() }

    /// Wakes it though nothing has come, again and again until the task is cancelled.
    package func beat(every interval: Duration) async {
        while (try? await Task.sleep(for: interval)) != nil { box.wake.yield() }
    }
}

/// Where the hub puts what a listener shall hear.
private final class StreamBox: Sendable {
    private struct State: Sendable {
        var news: [StreamNews] = []
        var hasMissed = false
    }

    private static let room = 16
    let wakeUps: AsyncStream<Void>
    let wake: AsyncStream<Void>.Continuation
    private let state = Mutex(State())

    init() {
        (wakeUps, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func take() -> StreamListener.Mail {
        state.withLock { state in
            defer { state = State() }
            return state.hasMissed ? .missed : .news(state.news)
        }
    }

    func hear(_ news: StreamNews) {
        state.withLock { state in
            if state.news.count < StreamBox.room { state.news.append(news) } else { state.hasMissed = true }
        }
        wake.yield()
    }

    func end() {
        wake.finish()
    }
}
