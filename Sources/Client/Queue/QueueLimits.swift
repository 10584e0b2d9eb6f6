// SPDX-License-Identifier: Apache-2.0

/// The size limits of the queue on disk. Beyond them the oldest eighth is dropped and counted in ``SignalboxApp/Status/dropped``.
public struct QueueLimits: Equatable, Sendable {
    /// The maximum number of records.
    public var events: Int
    /// The maximum size in bytes.
    public var bytes: Int

    /// Creates limits; 100,000 records and 64 MiB by default. The minimum is 8 records and 64 KiB.
    public init(events: Int = 100_000, bytes: Int = 64 << 20) {
        self.events = max(8, events)
        self.bytes = max(64 << 10, bytes)
    }

    /// The size of the memory buffer, and of one read from a segment. Both exceed a single record.
    static let bufferBytes = 1 << 20
    static let batchBytes = 512 << 10
    static let batchRecords = 2_000

    var segmentRecords: Int { min(QueueLimits.batchRecords, events / 8) }
    var segmentBytes: Int { min(QueueLimits.batchBytes, bytes / 8) }
}
