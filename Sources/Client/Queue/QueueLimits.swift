// SPDX-License-Identifier: Apache-2.0

/// How much may wait on the disk. Beyond it the oldest goes, in pieces of about an eighth, and is counted in `SignalboxApp.Status.lost`.
public struct QueueLimits: Equatable, Sendable {
    /// How many events.
    public var events: Int
    /// How many bytes.
    public var bytes: Int

    /// Limits of one's own; a hundred thousand events and 64 MiB where nothing is said.
    public init(events: Int = 100_000, bytes: Int = 64 << 20) {
        self.events = max(8, events)
        self.bytes = max(64 << 10, bytes)
    }

    /// What is held in memory until the disk has taken it, and what is read at once to be sent; a single record always fits.
    static let bufferBytes = 1 << 20
    static let portionBytes = 512 << 10
    static let portionRecords = 2_000

    var segmentRecords: Int { min(QueueLimits.portionRecords, events / 8) }
    var segmentBytes: Int { min(QueueLimits.portionBytes, bytes / 8) }
}
