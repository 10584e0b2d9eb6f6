// SPDX-License-Identifier: Apache-2.0

import Database
import Messaging
package import Platform
import SQLite

/// What a change to the messages' file may touch while its writer runs it.
package final class MessageContext {
    let file: MessageDB
    let now: Timestamp
    let limits: MessageBounds
    /// Deliveries that came into a state, less those that left it.
    private(set) var counts: [CountKey: Int] = [:]
    /// What the changes made so far come to, and apart from them the one that is being made.
    private(set) var tally = MessageTally()
    private var ofThisChange = MessageTally()
    private var newsOfThisChange: [StreamNews] = []
    /// Origins that got something to do, and when.
    private(set) var due: [Int64: Int64] = [:]
    /// New deliveries to streams, in the order of their numbers.
    private(set) var forStreams: [StreamNews] = []
    /// Whether deliveries are to be made or taken back, now or at some time.
    var leavesWork = false
    /// Whether an endpoint is to prove itself.
    var hasChallenges = false
    /// Whether what was deleted must not stay in the log either.
    var emptiesLog = false
    /// What claims take from.
    let origins: DueOrigins
    private let nextClaim: () -> Int64

    struct CountKey: Hashable {
        var message: Int64
        var state: DeliveryState
    }

    init(_ file: MessageDB, now: Timestamp, limits: MessageBounds, origins: DueOrigins, nextClaim: @escaping () -> Int64) {
        self.file = file
        self.now = now
        self.limits = limits
        self.origins = origins
        self.nextClaim = nextClaim
    }

    /// A number that no claim had before.
    func newClaim() -> Int64 { nextClaim() }

    func count(_ number: Int = 1, of message: Int64, from old: DeliveryState? = nil, to new: DeliveryState) {
        if let old { counts[CountKey(message: message, state: old), default: 0] -= number }
        counts[CountKey(message: message, state: new), default: 0] += number
        if old != new { ofThisChange.entered[new, default: 0] += number }
        if old == nil { ofThisChange.made += number }
    }

    /// Deliveries that are there no more.
    func uncount(of message: Int64, from state: DeliveryState) {
        counts[CountKey(message: message, state: state), default: 0] -= 1
    }

    func countPublished() { ofThisChange.published += 1 }

    func countRegistrations(_ number: Int) { ofThisChange.registrations += number }

    func isDue(_ origin: Int64, at time: Int64) {
        due[origin] = min(due[origin] ?? .max, time)
    }

    func isForStream(_ news: StreamNews) {
        newsOfThisChange.append(news)
    }

    /// Writes down what was counted, at the end of a change, whose news may be told then.
    func writeCounts() throws {
        let upsert = try file.statement(
            "INSERT INTO message_counts (message, state, count) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count")
        for (key, count) in counts where count != 0 {
            try upsert.run(.integer(key.message), .integer(key.state.rawValue), .integer(count))
            ofThisChange.states[key.state, default: 0] += count
        }
        tally.add(ofThisChange)
        forStreams += newsOfThisChange
        forgetCounts()
    }

    /// After a change that was not made.
    func forgetCounts() {
        counts = [:]
        ofThisChange = MessageTally()
        newsOfThisChange = []
    }
}

/// A delivery that a reader of a stream may want to hear of at once.
package struct StreamNews: Sendable {
    package var registration: Int64
    package var delivery: Int64
    package var message: Int64
    package var expires: Timestamp
}
