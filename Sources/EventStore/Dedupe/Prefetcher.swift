// SPDX-License-Identifier: Apache-2.0

import Database
import Dispatch
import Synchronization

/// Looks the ids of waiting jobs up in the sealed runs, on a thread that may block, so that the writer rarely reads a file.
///
/// The writer never waits for it: it looks up itself what was not prefetched.
final class Prefetcher: Sendable {
    let board = SealedBoard()
    private let thread = DispatchQueue(label: "signalbox.prefetch")
    private let isRunning = Atomic(false)

    /// Called after a job was added, by any thread.
    ///
    /// Does nothing while all filters are in memory, where a lookup reads no file.
    func prefetch(for queue: WriteQueue<EventJob>) {
        guard board.readsFiles, !isRunning.exchange(true, ordering: .acquiring) else { return }
        thread.async { [self] in
            while let (place, job) = queue.nextToPrefetch() { queue.replace(place, by: job.prefetching(from: board)) }
            isRunning.store(false, ordering: .releasing)
        }
    }
}
