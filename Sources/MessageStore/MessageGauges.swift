// SPDX-License-Identifier: Apache-2.0

import Database
package import Messaging
package import Platform
import SQLite

/// The metrics of the message store, readable from any thread. They are kept in memory, so a scrape runs no query.
package final class MessageGauges: Sendable {
    package let published: Counter
    package let made: Counter
    package let failedCommits: Counter
    package let registrations: Gauge
    package let walBytes: Gauge
    private let outcomes: MetricFamily<Counter>
    private let open: MetricFamily<Gauge>

    init(_ metrics: Metrics) {
        published = metrics.counter("signalbox_messages_published_total", "Published messages.")
        made = metrics.counter("signalbox_deliveries_made_total", "Deliveries created, one per message and registration.")
        outcomes = metrics.counters(
            "signalbox_deliveries_total", "Finished deliveries by outcome; retried counts each retry.", labels: ["outcome"])
        open = metrics.gauges("signalbox_deliveries_open", "Unfinished deliveries by state.", labels: ["state"])
        registrations = metrics.gauge("signalbox_registrations", "Registered devices, stale ones included.")
        walBytes = metrics.gauge("signalbox_messages_wal_bytes", "Size of the write-ahead log of messages.db.")
        failedCommits = metrics.counter(
            "signalbox_messages_commits_failed_total", "Failed commits to messages.db; nothing of them was acknowledged.")
        for state in DeliveryState.allCases where state != .pending && state != .sending && state != .sent { _ = outcomes(state.outcome) }
        for state in DeliveryState.allCases where state.isOpen { _ = open(state.name) }
    }

    /// Initializes the gauges from the database.
    func begin(with file: MessageDB) throws {
        registrations.set(Double(try file.statement("SELECT count(*) FROM registrations").first { $0.int(0) } ?? 0))
        let counts = try file.statement("SELECT state, sum(count) FROM message_counts GROUP BY state").all { ($0.int(0), $0.integer(1)) }
        for (number, count) in counts {
            if let state = DeliveryState(rawValue: number), state.isOpen { open(state.name).set(Double(count)) }
        }
    }

    func add(_ tally: MessageTally) {
        published.add(tally.published)
        made.add(tally.made)
        registrations.add(Double(tally.registrations))
        for (state, count) in tally.states where state.isOpen { open(state.name).add(Double(count)) }
        for (state, count) in tally.entered where state == .retrying || !state.isOpen { outcomes(state.outcome).add(count) }
    }

    /// Returns the number of deliveries in an open state.
    package func count(_ state: DeliveryState) -> Int { Int(open(state.name).value) }
}

extension DeliveryState {
    fileprivate var outcome: String { self == .retrying ? "retried" : name }
}
