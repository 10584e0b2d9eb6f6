// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A number that rises with every removal of a person. A figure counted under one number is not kept under a later one.
package final class ErasureCount: Sendable {
    private let count = Atomic(0)

    package var now: Int { count.load(ordering: .acquiring) }

    /// Called by the writer, before rows of a person go and after the last has gone.
    package func rise() { count.add(1, ordering: .acquiringAndReleasing) }
}
