// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import TestSupport
import Testing

@testable import ingestd

/// The sent events as a plain list.
struct SentEvents: Sendable {
    struct Event: Sendable {
        var name: String
        var time: Timestamp
    }

    private(set) var all: [Event] = []
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed)
    }

    /// Sends events at random times within a number of days before now.
    mutating func post(_ count: Int, to live: LiveDaemon, key: String, daysBack: Int64, now: Timestamp) async throws {
        let events = (0..<count).map { _ in
            let age = Int64.random(in: 0..<daysBack * Day.milliseconds, using: &random)
            return Event(name: "event_\(Int.random(in: 0..<4, using: &random))", time: now - .init(milliseconds: age))
        }
        let body = events.map { #"{"name": "\#($0.name)", "timestamp": "\#($0.time.rfc3339)"}"# }.joined(separator: ",")
        guard try Taken(await live.api.post("/v1/events", key: key, "[\(body)]")) == Taken(accepted: count) else { throw Unexpected.notTaken }
        all += events
    }

    enum Unexpected: Error {
        case notTaken
    }

    /// The events per bucket by Foundation's calendar.
    func recount(_ interval: Calendar.Component, in zone: String, named name: String?, from: Timestamp, to: Timestamp) throws -> [Timestamp: Int] {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        var counts: [Timestamp: Int] = [:]
        for event in all where (name == nil || event.name == name) && event.time >= from && event.time < to {
            let date = Date(timeIntervalSince1970: Double(event.time.milliseconds) / 1_000)
            let start = try #require(calendar.dateInterval(of: interval, for: date)).start
            counts[Timestamp(milliseconds: Int64((start.timeIntervalSince1970 * 1_000).rounded())), default: 0] += 1
        }
        return counts
    }
}

/// The series of a response.
struct Series: Equatable, Sendable {
    var from: Timestamp
    var to: Timestamp
    var points: [Timestamp: Int] = [:]
    var times: [Timestamp] = []
    var total: Int

    init(_ reply: Reply) throws {
        let json = try JSON(reply)
        from = try Timestamp(answered: json["from"])
        to = try Timestamp(answered: json["to"])
        let series = json["series"][0]
        total = series["total"].number
        for point in series["points"].items {
            let time = try Timestamp(answered: point["t"])
            times.append(time)
            points[time] = point["value"].number
        }
    }
}

extension Timestamp {
    init(answered json: JSON) throws {
        let time = Timestamp(rfc3339: Array(json.text.utf8).span)
        self = try #require(time)
    }
}
