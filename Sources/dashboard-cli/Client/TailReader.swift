// SPDX-License-Identifier: Apache-2.0

import Panes
import Synchronization

/// Reads the wanted stream, reconnects with a backoff, and passes events on a few times a second.
struct TailReader: Sendable {
    enum Update: Sendable {
        case streamed(ReadRequest, [StreamEvent], dropped: Int)
        case streamFailed(ReadRequest, RequestError)
    }

    private let client: DaemonClient
    private let tell: @Sendable (Update) -> Void
    private let wanted: AsyncStream<ReadRequest?>
    private let wants: AsyncStream<ReadRequest?>.Continuation
    /// The daemon sends a keep-alive every 15 seconds unless configured otherwise.
    static let patience = Duration.seconds(100)
    private static let pause = Duration.milliseconds(60)

    init(_ client: DaemonClient, tell: @escaping @Sendable (Update) -> Void) {
        (self.client, self.tell) = (client, tell)
        (wanted, wants) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Switches to another stream, or to none.
    func want(_ request: ReadRequest?) {
        wants.yield(request)
    }

    func run() async {
        var requests = wanted.makeAsyncIterator()
        var request = await requests.next()
        while let current = request {
            request = await withTaskGroup(of: Void.self) { group in
                if let current { group.addTask { try? await follow(current) } }
                let next = await requests.next()
                group.cancelAll()
                return next
            }
        }
    }

    private func follow(_ request: ReadRequest) async throws {
        let inbox = Inbox()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await read(request, into: inbox) }
            for await _ in inbox.bell {
                let (events, dropped) = inbox.take()
                tell(.streamed(request, events, dropped: dropped))
                try await Task.sleep(for: TailReader.pause)
            }
            group.cancelAll()
        }
    }

    private func read(_ request: ReadRequest, into inbox: Inbox) async throws {
        var backoff = Backoff()
        while true {
            do {
                try await client.stream(request, headers: inbox.beginAgain(), patience: TailReader.patience) { try inbox.put($0) }
            } catch let error as RequestError {
                tell(.streamFailed(request, error))
            }
            if inbox.takeProgress() { backoff.reset() }
            try await Task.sleep(for: .seconds(backoff.next()))
        }
    }
}

/// A bounded inbox of received events; the oldest are dropped.
private final class Inbox: Sendable {
    private struct State {
        var stream = ResumableEvents()
        var events: [StreamEvent] = []
        var dropped = 0
    }

    private let state = Mutex(State())
    /// Signals that events are waiting.
    let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation

    init() {
        (bell, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func put(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            state.events += try state.stream.take(bytes)
            let surplus = max(0, state.events.count - TailBuffer.capacity)
            state.events.removeFirst(surplus)
            state.dropped += surplus
        }
        ring.yield()
    }

    func take() -> (events: [StreamEvent], dropped: Int) {
        state.withLock { state in
            defer { (state.events, state.dropped) = ([], 0) }
            return (state.events, state.dropped)
        }
    }

    func takeProgress() -> Bool { state.withLock { $0.stream.takeProgress() } }
    func beginAgain() -> [(name: String, value: String)] { state.withLock { $0.stream.beginAgain() } }
}
