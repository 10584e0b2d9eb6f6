// SPDX-License-Identifier: Apache-2.0

import Events

// Responses of `/v1/app`, `/v1/system` and `/v1/quarantine`, as far as panes show them.

package struct AppResponse: Decodable, Sendable {
    package struct Settings: Decodable, Sendable {
        package var tz: String
    }

    package static let query = DaemonQuery<AppResponse>("app", "/v1/app", every: 60)

    package var name: String
    /// The role of the key.
    package var role: String
    package var settings: Settings
}

package struct SystemResponse: Decodable, Sendable {
    package struct Events: Decodable, Sendable {
        package var accepted: Int
        var duplicates: Int
        package var quarantined: Int
        /// The newest sequence number.
        var lastSeq: Int64
        package var perSecond: Double
    }

    package struct Commits: Decodable, Sendable {
        package var count: Int
        package var failed: Int
        package var p50Milliseconds: Double
        package var p99Milliseconds: Double
    }

    package struct Queue: Decodable, Sendable {
        package var events: Int
        var bytes: Double
        var refused: Int
    }

    package struct Partition: Decodable, Sendable {
        var day: String
        var bytes: Double
    }

    package static let query = DaemonQuery<SystemResponse>("system", "/v1/system")

    package var version: String
    package var uptimeSeconds: Int
    package var ready: Bool
    package var reasons: [String]
    package var connections: Int
    package var events: Events
    package var commits: Commits
    package var queue: Queue
    package var walBytes: Double
    package var freeDiskBytes: Double
    package var mainBytes: Double
    package var messagesBytes: Double?
    package var crashesBytes: Double?
    package var partitions: [Partition]
    /// Whether the daemon can read DWARF symbol files.
    package var readsDwarf: Bool?
}

package struct QuarantineResponse: Decodable, Sendable {
    package struct Count: Decodable, Sendable {
        package var code: String
        /// Stored: these can be viewed and replayed.
        package var kept: Int
        package var onlyCounted: Int

        var total: Int { kept + onlyCounted }
    }

    package struct Item: Decodable, Sendable {
        var seq: Int64
        var receivedAt: Moment
        var timestamp: Moment?
        var id: String?
        var code: String
        /// The number of Firebase's corresponding error.
        var number: Int?
        var field: String
        var message: String
        var source: String
        var raw: String
    }

    package var items: [Item]
    package var counts: [Count]
    package var next: String?
}

extension SeriesAnswer.Value {
    package var number: Double {
        switch self {
        case .count(let count): Double(count)
        case .money(let millionths): Double(millionths) / 1_000_000
        }
    }
}
