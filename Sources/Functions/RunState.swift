// SPDX-License-Identifier: Apache-2.0

import Platform

/// The state of a run. The numbers are stored.
///
///     waiting → running → done               success
///     running → retrying → running           failure, before the last attempt
///     running → dead → waiting               a final status, or failure of the last attempt; a redrive
///     waiting → cancelled                    a deleted task
package enum RunState: Int, StoredWord {
    case waiting = 1
    /// Claimed by a sender whose lease has not ended.
    case running = 2
    case retrying = 3
    case done = 4
    /// A dead letter. A redrive carries it out again.
    case dead = 5
    case cancelled = 6

    /// Whether the state can still change without a redrive.
    package var isOpen: Bool { rawValue < RunState.done.rawValue }
}
