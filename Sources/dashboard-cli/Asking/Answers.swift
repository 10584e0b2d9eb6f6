import Events

// What is answered outside of `/v1/query`, as far as it is shown.

struct AppAnswer: Decodable, Sendable {
    struct Settings: Decodable, Sendable {
        var tz: String
    }

    var name: String
    /// Of the key.
    var role: String
    var settings: Settings
}

struct SystemAnswer: Decodable, Sendable {
    struct Events: Decodable, Sendable {
        var perSecond: Double
    }

    struct Commits: Decodable, Sendable {
        var failed: Int
        var p50Milliseconds: Double
        var p99Milliseconds: Double
    }

    struct Queue: Decodable, Sendable {
        var events: Int
    }

    var uptimeSeconds: Int
    var ready: Bool
    var reasons: [String]
    var events: Events
    var commits: Commits
    var queue: Queue
    var walBytes: Double
    var freeDiskBytes: Double
}

struct QuarantineAnswer: Decodable, Sendable {
    struct Count: Decodable, Sendable {
        var code: String
        var kept: Int
        var onlyCounted: Int
    }

    var counts: [Count]
}

extension SeriesAnswer.Value {
    var number: Double {
        switch self {
        case .count(let count): Double(count)
        case .money(let millionths): Double(millionths) / 1_000_000
        }
    }
}
