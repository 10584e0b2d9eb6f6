// SPDX-License-Identifier: Apache-2.0

package import Platform

/// People with some user properties who, if an event is named, sent it within a range.
///
///     {"filter": ["user.tier=pro"], "event": "purchase", "event_filter": ["params.value>=10"], "from": "-30d"}
///
/// Members are found when a query runs: properties have their current value, and relative times count from then.
package struct Cohort: Sendable, Equatable {
    /// Conditions on user properties, of which all must hold.
    package var filters: [Filter]
    /// The event that members sent; nil if any people may be members.
    package var event: String?
    /// Conditions on that event.
    package var eventFilters: [Filter]
    package var from: Timestamp
    package var to: Timestamp

    package static let fields: [QueryField] = [
        QueryField("filter", .filters, "A condition on user properties, such as `user.tier=pro`; repeat it to require several."),
        QueryField("event", .text, "Only people who sent an event with this name within the range."),
        QueryField("event_filter", .filters, "A condition on that event; repeat it to require several."),
        QueryField("from", .moment, default: "-30d", "The start of the range."), .to,
    ]

    package init(_ parameters: QueryParameters) throws(Refusal) {
        try parameters.allow(Cohort.fields)
        filters = try Filter.all(parameters.every("filter"), parameter: "filter")
        event = try parameters.eventName("event")
        eventFilters = try Filter.all(parameters.every("event_filter"), parameter: "event_filter")
        (from, to) = (try parameters.moment("from", default: "-30d"), try parameters.moment("to", default: "now"))
        try check()
    }

    private func check() throws(Refusal) {
        for filter in filters {
            guard case .user = filter.path else {
                throw .field("filter", "bad_field", "must be a condition on a user property; event_filter takes conditions on the event")
            }
        }
        guard !eventFilters.contains(where: \.isOfCohorts) else { throw .field("event_filter", "nested", "cannot name another cohort") }
        guard event != nil || eventFilters.isEmpty else { throw .field("event", "missing", "is required with event_filter") }
        guard event != nil || !filters.isEmpty else { throw .field("filter", "missing", "is required without an event") }
        guard from < to else { throw TimeBuckets.empty }
        guard to - from <= .days(QueryRange.longestInDays) else {
            throw .field("from", "too_long", "at most \(QueryRange.longestInDays) days before to")
        }
    }

    /// The number of cohorts that a filter may name.
    package static let limit = 10

    /// Returns whether a text is a name: 1 to 64 letters, digits, dots, underscores or hyphens.
    package static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                default: "._-".utf8.contains(byte)
                }
            }
    }
}

/// A cohort that a filter names. The definition is missing until the filter is resolved.
package struct NamedCohort: Sendable, Equatable {
    package let name: String
    package let definition: Cohort?

    package init(_ name: String, _ definition: Cohort?) {
        (self.name, self.definition) = (name, definition)
    }
}

extension QueryParameters {
    /// The names of cohorts in filters and steps, so that only these must be known. Some may be of filters that are rejected.
    package var cohortNames: Set<String> {
        let conditions = values.filter { $0.name == "filter" || $0.name == "steps" }.flatMap { $0.value.utf8.split(separator: UInt8(ascii: ";")) }
        let names = conditions.filter { $0.starts(with: "cohort".utf8) }.flatMap { condition in
            condition.drop { $0 != UInt8(ascii: "=") }.dropFirst().split(separator: UInt8(ascii: "|"))
        }
        return Set(names.map { String(decoding: $0, as: UTF8.self) })
    }

    /// Returns the filters with the definitions of the cohorts that they name.
    func resolved(_ filters: [Filter], parameter: String) throws(Refusal) -> [Filter] {
        var resolved: [Filter] = []
        for filter in filters {
            guard case .cohorts(let named) = filter.path else {
                resolved.append(filter)
                continue
            }
            var known: [NamedCohort] = []
            for one in named {
                guard let definition = cohorts[one.name] else {
                    throw .field(parameter, "unknown_cohort", "names no cohort of this app: \(one.name)")
                }
                known.append(NamedCohort(one.name, definition))
            }
            resolved.append(Filter(path: .cohorts(known), comparison: filter.comparison, values: filter.values))
        }
        return resolved
    }
}
