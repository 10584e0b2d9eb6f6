// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Counts the commits by which dead runs are carried out again.
package final class RedriveCount: Sendable {
    private let commits = Atomic<Int>(0)

    package var count: Int { commits.load(ordering: .acquiring) }

    func add() { commits.wrappingAdd(1, ordering: .acquiringAndReleasing) }
}
