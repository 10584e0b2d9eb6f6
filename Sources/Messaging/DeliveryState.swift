// SPDX-License-Identifier: Apache-2.0

import Platform

/// The state of a message's delivery to one registration. The numbers are stored.
///
///     pending → sending → delivered              success
///     sending → retrying → sending               failure, before the last attempt
///     sending → dead → retrying                  failure of the last attempt; a redrive
///     pending → sent → delivered                 streams: written, then acknowledged
package enum DeliveryState: Int, StoredWord {
    /// Waits until it is due, for its turn, or for its reader.
    case pending = 1
    /// Claimed by a sender whose lease has not ended.
    case sending = 2
    /// Written to a stream and not acknowledged yet.
    case sent = 3
    case retrying = 4
    case delivered = 5
    /// A dead letter: every attempt failed, or the endpoint no longer accepts messages. A redrive sends it again.
    case dead = 6
    case expired = 7
    /// Cancelled, or replaced by a newer message with the same collapse key, before it was delivered.
    case cancelled = 8
    /// The registration was removed before the delivery.
    case removed = 9

    /// Whether the state can still change without a redrive.
    package var isOpen: Bool { rawValue <= DeliveryState.retrying.rawValue }

    /// Whether a delivery in this state may enter another one. Only a redrive leaves a final state, and only that of a dead letter.
    package func mayBecome(_ next: DeliveryState) -> Bool { isOpen || self == .dead && (next == .pending || next == .retrying) }
}
