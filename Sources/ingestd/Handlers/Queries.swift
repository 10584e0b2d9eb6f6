import Events
import HTTPServer
import JSON
import Platform
import Store

/// Questions about what was counted.
enum Queries {
    enum SeriesMetric: String, CaseIterable {
        case events
    }

    @Sendable static func series(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let query = try call.query()
        try query.allow("app", "metric", "event", "from", "to", "tz", "interval")
        let app = try call.app(in: daemon.store)
        _ = try query.choice("metric", default: SeriesMetric.events)
        let event = try query.one("event")
        let range = try TimeRange(query, app: app, now: daemon.clock.now())
        let counts = try await daemon.store.eventSeries(app: app.id, event: event, buckets: range.buckets)
        let complete = range.buckets.to <= daemon.clock.now()
        return .response(
            .json { json in
                json.beginObject()
                json.write(range, complete: complete)
                json.key("series")
                json.beginArray()
                json.beginObject()
                if let event { json.field("name", event) }
                json.writePoints(range.buckets, counts)
                json.field("total", counts.reduce(0, +))
                json.endObject()
                json.endArray()
                json.endObject()
            })
    }
}

/// The range of a question, cut to whole buckets of its zone's calendar.
struct TimeRange {
    let buckets: TimeBuckets
    let zone: ZoneOffsets

    init(_ query: Query, app: App, now: Timestamp) throws(Refusal) {
        let zoneName = try query.one("tz") ?? app.settings.timeZone
        guard let zone = ZoneOffsets(zoneName) else { throw .field("tz", "unknown", "must be an IANA time zone such as Europe/Berlin") }
        let interval = try query.choice("interval", default: Interval.day)
        let from = try TimeRange.moment(try query.one("from") ?? "-7d", "from", now)
        let to = try TimeRange.moment(try query.one("to") ?? "now", "to", now)
        self.zone = zone
        buckets = try TimeBuckets(from: from, to: to, interval: interval, zone: zone)
    }

    /// `now`, `-7d`, `-12h`, `-30m`, or a time of RFC 3339.
    static func moment(_ text: String, _ name: String, _ now: Timestamp) throws(Refusal) -> Timestamp {
        if text == "now" { return now }
        let time = ago(text, now) ?? Timestamp(rfc3339: Array(text.utf8).span)
        guard let time, time >= Day(year: 1, month: 1, day: 1).start else {
            throw .field(name, "bad_time", "must be a time such as 2026-11-21T00:00:00Z, or one relative to now such as -7d")
        }
        return time
    }

    private static func ago(_ text: String, _ now: Timestamp) -> Timestamp? {
        guard text.hasPrefix("-"), let unit = text.last, let count = Int64(text.dropFirst().dropLast()), (0...1_000_000).contains(count) else {
            return nil
        }
        switch unit {
        case "m": return now - .minutes(count)
        case "h": return now - .hours(count)
        case "d": return now - .days(count)
        case "w": return now - .days(7 * count)
        default: return nil
        }
    }
}

extension JSONWriter {
    /// What every answer to a question says about itself.
    mutating func write(_ range: TimeRange, complete: Bool) {
        field("from", range.buckets.from.rfc3339)
        field("to", range.buckets.to.rfc3339)
        field("tz", range.zone.name)
        field("complete", complete)
        field("source", "rollup")
    }

    mutating func writePoints(_ buckets: TimeBuckets, _ values: [Int64]) {
        key("points")
        beginArray()
        for (edge, value) in zip(buckets.edges, values) {
            beginObject()
            field("t", edge.rfc3339)
            field("value", value)
            endObject()
        }
        endArray()
    }
}
