// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Options and limits of the event store.
package struct EventStoreOptions: Sendable {
    package var queueEvents = 200_000
    package var queueBytes = 64 << 20
    var commitEvents = 8_192
    package var checkpointPages = 4_000
    package var dedupeDays = 7
    package var quarantineRows = 100_000
    package var quarantineBytes = 256 << 20
    /// The number of keys in memory from which they are sealed into a run.
    package var recentKeys = 700_000
    /// The memory for the filters of each kind of key, in bytes.
    package var filterMemory = DedupeIndex.filterMemory
    /// The rows of presence from which they are folded into the indexed tables.
    package var foldRows = 20_000
    /// Limits of the parts of sessions in memory.
    package var sessions = OpenSessions.Limits()
    /// Limits of live tails.
    package var tail = Tail.Limits()

    package init() {}

    package static let queueSettings: [Setting<EventStoreOptions>] = [
        Setting("queue_bytes", .size(1 << 20...1 << 40), \.queueBytes, "Bytes queued for writing above which requests are rejected"),
        Setting("queue_events", .count(1_000...100_000_000, "events"), \.queueEvents, "Events queued for writing above which requests are rejected"),
        Setting("commit_events", .count(1...1_000_000, "events"), \.commitEvents, "Limit of events in a commit"),
        Setting("checkpoint_pages", .count(100...1_000_000, "pages"), \.checkpointPages, "Pages of write-ahead log that start a checkpoint"),
        Setting("dedupe_days", .count(7...90, "days"), \.dedupeDays, "Days for which a repeated event ID is counted once"),
    ]

    package static let quarantineSettings: [Setting<EventStoreOptions>] = [
        Setting("quarantine_rows", .count(0...100_000_000, "events"), \.quarantineRows, "Quarantined events kept for an app and day"),
        Setting("quarantine_bytes", .size(0...1 << 40), \.quarantineBytes, "Bytes of quarantined events kept for an app and day"),
    ]
}
