// SPDX-License-Identifier: Apache-2.0

/// The bounds of the event store; the daemon fills them from its configuration.
package struct EventStoreOptions: Sendable {
    /// Past this much unanswered work requests are refused.
    package var queueEvents = 200_000
    package var queueBytes = 64 << 20
    /// Events in one commit.
    package var commitEvents = 8_192
    /// Pages in the log that start a checkpoint.
    package var checkpointPages = 4_000
    /// Days of receipt over which an event id counts once.
    package var dedupeDays = 7
    /// Quarantined events kept by app and day.
    package var quarantineRows = 100_000
    package var quarantineBytes = 256 << 20
    /// Keys held in memory before they are sealed into a file.
    package var recentKeys = 700_000
    /// Memory for the filters of each kind of key.
    package var filterMemory = SeenKeys.filterMemory
    /// News of presence that is folded into the day's and the main file's trees at once.
    package var foldRows = 20_000
    /// Those who watch what comes in.
    package var tail = Tail.Limits()

    package init() {}
}
