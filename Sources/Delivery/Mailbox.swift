// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Hands what comes in batches on any thread to one task, which takes all there is at once.
///
/// What may lie in it is bounded by who puts it there: each item is of a delivery that was claimed.
final class Mailbox<Item: Sendable>: Sendable {
    private let items = Mutex<[Item]>([])
    private let rings: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    init() {
        (rings, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func put(_ batch: [Item]) {
        guard !batch.isEmpty else { return }
        items.withLock { $0 += batch }
        bell.yield()
    }

    /// Nothing more will come; what lies there is still taken.
    func end() {
        bell.finish()
    }

    /// All there is; waits while there is nothing, and answers nil at the end.
    func take() async -> [Item]? {
        while true {
            let batch = items.withLock { items in
                defer { items = [] }
                return items
            }
            if !batch.isEmpty { return batch }
            var rings = rings.makeAsyncIterator()
            if await rings.next() == nil {
                let last = items.withLock { $0 }
                if last.isEmpty { return nil }
            }
        }
    }
}
