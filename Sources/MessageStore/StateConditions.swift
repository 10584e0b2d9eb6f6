// SPDX-License-Identifier: Apache-2.0

import Database
import Messaging

// Sets of states as SQL conditions. The numbers stand in the text, because a partial index serves only a statement that repeats the
// index's own condition, such as `state < 5`.

extension DeliveryState {
    /// The states that may still change.
    static let openCondition = "state < \(sql: delivered)"
    /// The final states.
    static let overCondition = "state >= \(sql: delivered)"
}

extension RegistrationState {
    /// The states in which messages are addressed to a registration (`isReached` in Swift).
    static let reachedCondition = "state < \(sql: disabled)"
}

extension MessageStage {
    /// The stages in which a message may expire.
    static let mayExpireCondition = "stage < \(sql: cancelled)"
}
