// SPDX-License-Identifier: Apache-2.0

import Events

// What is answered outside of `/v1/query`, as far as it is shown.

struct AppResponse: Decodable, Sendable {
    struct Settings: Decodable, Sendable {
        var tz: String
    }

    static let query = DaemonQuery<AppResponse>("app", "/v1/app", every: 60)

    var name: String
    /// Of the key.
    var role: String
    var settings: Settings
}

struct SystemResponse: Decodable, Sendable {
    struct Events: Decodable, Sendable {
        var accepted: Int
        var duplicates: Int
        var quarantined: Int
        /// The newest number of an event.
        var lastSeq: Int64
        var perSecond: Double
    }

    struct Commits: Decodable, Sendable {
        var count: Int
        var failed: Int
        var p50Milliseconds: Double
        var p99Milliseconds: Double
    }

    struct Queue: Decodable, Sendable {
        var events: Int
        var bytes: Double
        var refused: Int
    }

    struct Partition: Decodable, Sendable {
        var day: String
        var bytes: Double
    }

    static let query = DaemonQuery<SystemResponse>("system", "/v1/system")

    var version: String
    var uptimeSeconds: Int
    var ready: Bool
    var reasons: [String]
    var connections: Int
    var events: Events
    var commits: Commits
    var queue: Queue
    var walBytes: Double
    var freeDiskBytes: Double
    var mainBytes: Double
    var messagesBytes: Double?
    var crashesBytes: Double?
    var partitions: [Partition]
    /// Whether there is a program that reads symbol files of most kinds.
    var readsDwarf: Bool?
}

struct QuarantineResponse: Decodable, Sendable {
    struct Count: Decodable, Sendable {
        var code: String
        /// To be looked at and put through again.
        var kept: Int
        var onlyCounted: Int

        var total: Int { kept + onlyCounted }
    }

    struct Item: Decodable, Sendable {
        var seq: Int64
        var receivedAt: Moment
        var timestamp: Moment?
        var id: String?
        var code: String
        /// Firebase's for the same reason.
        var number: Int?
        var field: String
        var message: String
        var source: String
        var raw: String
    }

    var items: [Item]
    var counts: [Count]
    var next: String?
}

extension SeriesAnswer.Value {
    var number: Double {
        switch self {
        case .count(let count): Double(count)
        case .money(let millionths): Double(millionths) / 1_000_000
        }
    }
}
