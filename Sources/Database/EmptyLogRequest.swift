// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A request to truncate the write-ahead log after the next commit, because it still contains what an erasure removed.
package final class EmptyLogRequest: Sendable {
    private let isWanted = Atomic(false)

    package init() {}

    package func make() { isWanted.store(true, ordering: .relaxed) }

    package func take() -> Bool { isWanted.exchange(false, ordering: .relaxed) }
}
