// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Follows one stream after another, whichever is wanted, and hands on what they tell a few times a second.
struct Follower: Sendable {
    enum News: Sendable {
        case told(Question, [ServerSentEvents.Event], dropped: Int)
        case silent(Question, Trouble)
    }

    private let connection: Connection
    private let tell: @Sendable (News) -> Void
    private let wanted: AsyncStream<Question?>
    private let wants: AsyncStream<Question?>.Continuation
    /// The daemon says something at least every 15 seconds, if its operator did not choose otherwise.
    static let patience = Duration.seconds(100)
    private static let pause = Duration.milliseconds(60)

    init(_ connection: Connection, tell: @escaping @Sendable (News) -> Void) {
        (self.connection, self.tell) = (connection, tell)
        (wanted, wants) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Follows another one from now on, or none.
    func want(_ question: Question?) {
        wants.yield(question)
    }

    func run() async {
        var questions = wanted.makeAsyncIterator()
        var question = await questions.next()
        while let current = question {
            question = await withTaskGroup(of: Void.self) { group in
                if let current { group.addTask { try? await follow(current) } }
                let next = await questions.next()
                group.cancelAll()
                return next
            }
        }
    }

    private func follow(_ question: Question) async throws {
        let inbox = Inbox()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await read(question, into: inbox) }
            for await _ in inbox.bell {
                let (events, dropped) = inbox.take()
                tell(.told(question, events, dropped: dropped))
                try await Task.sleep(for: Follower.pause)
            }
            group.cancelAll()
        }
    }

    private func read(_ question: Question, into inbox: Inbox) async throws {
        var backoff = Backoff()
        while true {
            do {
                try await connection.stream(question, headers: inbox.beginAgain(), patience: Follower.patience) { try inbox.put($0) }
            } catch let trouble as Trouble {
                tell(.silent(question, trouble))
            }
            if inbox.takeProgress() { backoff.reset() }
            try await Task.sleep(for: .seconds(backoff.next()))
        }
    }
}

/// What came and was not taken yet; when that is too much, the oldest goes.
private final class Inbox: Sendable {
    private struct State {
        var stream = ResumableEvents()
        var events: [ServerSentEvents.Event] = []
        var dropped = 0
    }

    private let state = Mutex(State())
    /// Rings once however much came.
    let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation

    init() {
        (bell, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func put(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            state.events += try state.stream.take(bytes)
            let surplus = max(0, state.events.count - Following.mostKept)
            state.events.removeFirst(surplus)
            state.dropped += surplus
        }
        ring.yield()
    }

    func take() -> (events: [ServerSentEvents.Event], dropped: Int) {
        state.withLock { state in
            defer { (state.events, state.dropped) = ([], 0) }
            return (state.events, state.dropped)
        }
    }

    func takeProgress() -> Bool { state.withLock { $0.stream.takeProgress() } }
    func beginAgain() -> [(name: String, value: String)] { state.withLock { $0.stream.beginAgain() } }
}
