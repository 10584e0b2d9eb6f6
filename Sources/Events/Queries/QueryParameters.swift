// SPDX-License-Identifier: Apache-2.0

package import Platform

/// A query parameter with its type, default and description. Routes, the API description and the commands' help are generated from it.
package struct QueryField: Sendable {
    package enum Kind: Sendable, Equatable {
        /// RFC 3339, `now`, or relative to now such as `-7d`.
        case moment
        case zone
        case choice([String])
        case number(ClosedRange<Int>)
        case text
        /// `name`, `context.…`, `params.…` or `user.…`
        case path
        /// Up to three fields.
        case paths
        /// A word, or a function of a parameter.
        case metric
        case filters
        case steps
        /// A duration such as `30m`, `12h` or `7d`.
        case span
    }

    package let name: String
    package let kind: Kind
    /// The default value.
    package let fallback: String?
    package let help: String

    package init(_ name: String, _ kind: Kind, default fallback: String? = nil, _ help: String) {
        self.name = name
        self.kind = kind
        self.fallback = fallback
        self.help = help
    }

    package static let from = QueryField("from", .moment, default: "-7d", "The start of the range.")
    package static let to = QueryField("to", .moment, default: "now", "The end of the range, exclusive.")
    package static let tz = QueryField("tz", .zone, "The time zone of hours and days; default: the app's.")
    package static let interval = QueryField("interval", .choice(Interval.allCases.map(\.rawValue)), default: "day", "The length of a bucket.")
    package static let filter = QueryField(
        "filter", .filters, "A condition on events, such as `context.platform=ios|android` or `params.n>=3`; repeat it to require several.")
}

/// The parameters of a query, from a query string or a JSON body: names and texts, which are read by name and checked.
package struct QueryParameters: ParameterList {
    package let now: Timestamp
    package let settings: AppSettings
    package let values: [(name: String, value: String)]
    /// The app's cohorts by name.
    package var cohorts: [String: Cohort] = [:]

    package init(_ values: [(name: String, value: String)], settings: AppSettings, now: Timestamp) {
        self.values = values
        self.settings = settings
        self.now = now
    }

    /// Rejects parameters that the query does not know, so that a typing error is noticed.
    func allow(_ fields: [QueryField]) throws(Refusal) {
        for (name, _) in values where !fields.contains(where: { $0.name == name }) {
            throw Refusal(
                .invalid, "\(name) is not a parameter of this query.", hint: "Allowed: \(fields.map(\.name).joined(separator: ", ")).",
                fields: [.init(name, "unknown", "is not a parameter of this query")])
        }
    }

    func every(_ name: String) -> [String] {
        values.filter { $0.name == name }.map(\.value)
    }

    /// Returns an event name; nil if the parameter is missing.
    func eventName(_ name: String) throws(Refusal) -> String? {
        guard let text = try one(name) else { return nil }
        guard !text.isEmpty, text.utf8.count <= 1_000 else { throw .field(name, "bad_name", "must be an event name") }
        return text
    }

    /// Returns the length of buckets; nil if the parameter is missing.
    func interval() throws(Refusal) -> Interval? {
        try one("interval") == nil ? nil : try choice("interval", default: Interval.day)
    }

    func path(_ name: String) throws(Refusal) -> FieldPath? {
        guard let text = try one(name) else { return nil }
        return try FieldPath(text, parameter: name)
    }

    /// Returns the field of a breakdown, or several as one; nil without any.
    func breakdown() throws(Refusal) -> FieldPath? {
        let texts = every("breakdown")
        guard texts.count <= FieldPath.combined else { throw .field("breakdown", "too_many", "may be given at most \(FieldPath.combined) times") }
        var fields: [FieldPath] = []
        for (place, text) in texts.enumerated() {
            guard !texts[..<place].contains(where: { $0.hasSameBytes(as: text) }) else {
                throw .field("breakdown", "repeated", "must not name a field twice")
            }
            fields.append(try FieldPath(text, parameter: "breakdown"))
        }
        return fields.count > 1 ? .several(fields) : fields.first
    }

    func filters() throws(Refusal) -> [Filter] {
        try resolved(Filter.all(every("filter"), parameter: "filter"), parameter: "filter")
    }

    func moment(_ name: String, default fallback: String) throws(Refusal) -> Timestamp {
        let text = try one(name) ?? fallback
        guard let time = Timestamp(parameter: text, now: now) else {
            throw .field(name, "bad_time", "must be a time such as 2026-11-21T00:00:00Z, or relative to now such as -7d")
        }
        return time
    }

    func span(_ name: String, default fallback: Timestamp.Span, atMost limit: Timestamp.Span) throws(Refusal) -> Timestamp.Span {
        guard let text = try one(name) else { return fallback }
        guard let span = Timestamp.Span(parameter: text), span > .seconds(0), span <= limit else {
            throw .field(name, "bad_span", "must be a duration such as 30m, 12h or 7d, at most \(limit.milliseconds / Day.milliseconds)d")
        }
        return span
    }

    func zone() throws(Refusal) -> ZoneOffsets {
        let name = try one("tz") ?? settings.timeZone
        guard let zone = ZoneOffsets(name) else { throw .field("tz", "unknown", "must be an IANA time zone such as Europe/Berlin") }
        return zone
    }
}

extension Timestamp {
    /// Reads `now`, `-7d`, `-12h`, `-30m`, `-2w` or an RFC 3339 time; nil for anything else.
    package init?(parameter text: String, now: Timestamp) {
        if text == "now" {
            self = now
        } else if text.hasPrefix("-"), let span = Timestamp.Span(parameter: String(text.dropFirst())) {
            self = now - span
        } else if let time = Timestamp(rfc3339: Array(text.utf8).span) {
            self = time
        } else {
            return nil
        }
        if self < Day(year: 1, month: 1, day: 1).start { return nil }
    }
}

extension Timestamp.Span {
    /// Reads `30s`, `5m`, `12h`, `7d` or `2w`.
    package init?(parameter text: String) {
        guard let unit = text.last, let count = Int64(text.dropLast()), (0...10_000_000).contains(count) else { return nil }
        switch unit {
        case "s": self = .seconds(count)
        case "m": self = .minutes(count)
        case "h": self = .hours(count)
        case "d": self = .days(count)
        case "w": self = .days(7 * count)
        default: return nil
        }
    }
}
