// SPDX-License-Identifier: Apache-2.0

import Messaging

/// The metrics of one or more changes.
struct MessageTally {
    var published = 0
    /// Registrations added minus those removed.
    var registrations = 0
    /// Deliveries created.
    var made = 0
    /// The number of transitions into each state.
    var entered: [DeliveryState: Int] = [:]
    /// The change in the number of deliveries in each state.
    var states: [DeliveryState: Int] = [:]

    mutating func add(_ other: MessageTally) {
        published += other.published
        registrations += other.registrations
        made += other.made
        entered.merge(other.entered, uniquingKeysWith: +)
        states.merge(other.states, uniquingKeysWith: +)
    }
}
