// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A request to truncate the write-ahead log after the next commit, because it still contains what an erasure removed.
final class EmptyLogRequest: Sendable {
    private let isWanted = Atomic(false)

    func make() { isWanted.store(true, ordering: .relaxed) }

    func take() -> Bool { isWanted.exchange(false, ordering: .relaxed) }
}
