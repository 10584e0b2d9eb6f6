// SPDX-License-Identifier: Apache-2.0

import Platform

/// Where one message stands on its way to one registration. The numbers are stored.
package enum DeliveryState: Int, StoredWord {
    /// Waits for its time, for its turn, or for its reader.
    case pending = 1
    /// Claimed by a sender whose lease has not ended.
    case sending = 2
    /// Written to a stream and not acknowledged yet.
    case sent = 3
    case retrying = 4
    case delivered = 5
    /// Every attempt failed, or the receiver wants no more of it.
    case dead = 6
    case expired = 7
    /// Called back, or replaced by a newer one of the same collapse key, before it was taken.
    case cancelled = 8
    /// The registration went before the message came.
    case removed = 9

    /// Whether something may still become of it by itself.
    package var isOpen: Bool { rawValue <= DeliveryState.retrying.rawValue }
}
