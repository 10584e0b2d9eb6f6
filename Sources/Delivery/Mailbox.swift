// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A queue that collects items from any thread and hands them to one task in batches.
///
/// Its size is bounded by the number of claimed deliveries, since each item belongs to one.
final class Mailbox<Item: Sendable>: Sendable {
    private let items = Mutex<[Item]>([])
    private let rings: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    init() {
        (rings, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func put(_ batch: [Item]) {
        guard !batch.isEmpty else { return }
        items.withLock { $0 += batch }
        wakeUp.yield()
    }

    /// Closes the queue. Items in it are still delivered.
    func end() {
        wakeUp.finish()
    }

    /// Returns all items. Waits while there are none, and returns nil once the queue is closed and empty.
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
