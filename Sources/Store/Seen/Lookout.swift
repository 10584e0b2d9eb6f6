// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Asks the runs about what waits for the writer, on a thread that may block, as long as that spares the writer reads.
///
/// It is never waited for: what it did not come to, the writer asks itself.
final class Lookout: Sendable {
    let board = SealedBoard()
    private let thread = DispatchQueue(label: "signalbox.lookout")
    private let isLooking = Atomic(false)

    /// Called after work was added, by any thread.
    func look(into queue: WorkQueue) {
        guard board.readsFiles, !isLooking.exchange(true, ordering: .acquiring) else { return }
        thread.async { [self] in
            while let (place, work) = queue.nextToAskAbout() { queue.replace(place, by: work.asking(board)) }
            isLooking.store(false, ordering: .releasing)
        }
    }
}
