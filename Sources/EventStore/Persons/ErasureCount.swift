// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A generation counter of erasures.
///
/// Results computed under one count are not cached under a later one.
///
/// Without it, a query that began before an erasure could store its result afterwards and bring the person back into the figures:
///
///     query              now = 4, counts 120 users
///     erasure begins     rise to 5; rows are removed
///     query ends         now = 5: the result is returned but not kept
///     erasure ends       rise to 6; results computed meanwhile are not kept either
package final class ErasureCount: Sendable {
    private let count = Atomic(0)

    /// The current count.
    ///
    /// Read it before a computation, and compare it before the result is kept.
    package var now: Int { count.load(ordering: .acquiring) }

    /// Called by the writer, before the first and after the last row of a person is removed.
    func rise() { count.add(1, ordering: .acquiringAndReleasing) }
}
