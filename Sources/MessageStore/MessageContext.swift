// SPDX-License-Identifier: Apache-2.0

import Database
import Messaging
package import Platform
import SQLite

/// The state of a change while the writer makes it: counters, notifications and what they cause after the commit.
///
/// A failed change must leave no trace, so its part is held apart until `writeCounts`:
///
///     change 1 ok      → `writeCounts` adds its tally and its notifications to those of the transaction
///     change 2 fails   → `forgetCounts` drops them; the savepoint is rolled back
///     commit           → the writer publishes what is left
package final class MessageContext {
    let file: MessageDB
    let now: Timestamp
    let limits: MessageBounds
    /// The change in the number of deliveries by message and state.
    private(set) var counts: [CountKey: Int] = [:]
    /// The metrics of the completed changes. `ofThisChange` holds those of the current one, which may still fail.
    private(set) var tally = MessageTally()
    private var ofThisChange = MessageTally()
    private var streamsOfThisChange: [StreamDelivery] = []
    /// The origins with new work, by the time it is due.
    private(set) var due: [Int64: Int64] = [:]
    /// New deliveries to streams, ordered by their numbers.
    private(set) var forStreams: [StreamDelivery] = []
    /// Whether the change leaves fan-out or cancelling to do.
    var leavesWork = false
    /// Whether an endpoint has to confirm that it wants messages.
    var hasChallenges = false
    /// Whether the write-ahead log must be truncated, because it still contains erased data.
    var emptiesLog = false
    /// The origins from which claims are served.
    let origins: DueOrigins
    let claims: ClaimNumbers<MessageDB>

    struct CountKey: Hashable {
        var message: Int64
        var state: DeliveryState
    }

    init(_ file: MessageDB, now: Timestamp, limits: MessageBounds, origins: DueOrigins, claims: ClaimNumbers<MessageDB>) {
        self.file = file
        self.now = now
        self.limits = limits
        self.origins = origins
        self.claims = claims
    }

    /// Counts deliveries that were created in a state or moved between states.
    func count(_ number: Int = 1, of message: Int64, from old: DeliveryState? = nil, to new: DeliveryState) {
        assert(number >= 0, "removed deliveries are counted by uncount")
        assert(old?.mayBecome(new) ?? new.isOpen, "a delivery in a final state changed without a redrive")
        if let old { counts[CountKey(message: message, state: old), default: 0] -= number }
        counts[CountKey(message: message, state: new), default: 0] += number
        if old != new { ofThisChange.entered[new, default: 0] += number }
        if old == nil { ofThisChange.made += number }
    }

    /// Counts removed deliveries.
    func uncount(of message: Int64, from state: DeliveryState) {
        counts[CountKey(message: message, state: state), default: 0] -= 1
    }

    func countPublished() { ofThisChange.published += 1 }

    func countRegistrations(_ number: Int) { ofThisChange.registrations += number }

    func isDue(_ origin: Int64, at time: Int64) {
        due[origin] = min(due[origin] ?? .max, time)
    }

    func isForStream(_ delivery: StreamDelivery) {
        streamsOfThisChange.append(delivery)
    }

    /// Writes the counters at the end of a change, and releases its metrics and notifications.
    func writeCounts() throws {
        assert(counts.values.reduce(0, +) <= ofThisChange.made, "a delivery that changed its state was counted as a new one")
        let upsert = try file.statement(
            "INSERT INTO message_counts (message, state, count) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count")
        for (key, count) in counts where count != 0 {
            try upsert.run(.integer(key.message), .integer(key.state.rawValue), .integer(count))
            ofThisChange.states[key.state, default: 0] += count
        }
        tally.add(ofThisChange)
        forStreams += streamsOfThisChange
        forgetCounts()
    }

    /// Drops the counters of a failed change.
    func forgetCounts() {
        counts = [:]
        ofThisChange = MessageTally()
        streamsOfThisChange = []
    }
}

/// A new delivery to a stream, for its connected readers.
package struct StreamDelivery: Sendable {
    package var registration: Int64
    package var delivery: Int64
    package var message: Int64
    package var expires: Timestamp
}
