// SPDX-License-Identifier: Apache-2.0

import Messaging

/// What changes come to, for the metrics.
struct MessageTally {
    var published = 0
    /// Registrations made, less those removed.
    var registrations = 0
    /// Deliveries made.
    var made = 0
    /// Deliveries that came into a state.
    var entered: [DeliveryState: Int] = [:]
    /// Deliveries that are in a state, more or fewer than before.
    var states: [DeliveryState: Int] = [:]

    mutating func add(_ other: MessageTally) {
        published += other.published
        registrations += other.registrations
        made += other.made
        entered.merge(other.entered, uniquingKeysWith: +)
        states.merge(other.states, uniquingKeysWith: +)
    }
}
