// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import Platform

/// A scan over the events of an app in a time range: which rows are read, and what is evaluated for each.
///
/// Queries that counters cannot answer run on scans. A scan filters rows by name and `filters`, reads the value of one `field`, and
/// evaluates up to 32 `tests`, whose results are bits. The events arrive in batches. A funnel of two steps, broken down by plan:
///
///     names  ["open", "buy"]                       field  .param("plan")
///     tests  ["open"], ["buy" where amount = 12]
///
///     row                                   in an EventBatch
///     open  user 1  plan=pro              → passed 0b01, value "pro"
///     buy   user 1  plan=pro  amount=12   → passed 0b10, value "pro"
///     buy   user 2            amount=5    → passed 0b00, value nil
///     close user 1                        → not read
///
/// Files are scanned in parallel, each into its own state, and the states are then joined.
struct EventScan: Sendable {
    var from: Timestamp
    var to: Timestamp
    /// The day files to read; nil for all with events in the range.
    var days: Set<Day>?
    /// The event names; nil for any.
    var names: [String]?
    var filters: [Filter] = []
    /// The field whose value is returned with each event.
    var field: FieldPath?
    /// The parameter whose number is returned with each event.
    var number: String?
    /// The columns that are returned.
    var columns: EventColumns = [.time, .user, .installation]
    /// Whether only purchases and refunds with an amount are read.
    var onlySales = false
    /// Whether withdrawn purchases are read, as they are for presence and sessions.
    var includesWithdrawn = false
    /// The tests evaluated for each event. A passed test sets the bit of its index.
    var tests: [EventTest] = []
    /// The identity that resolves user properties; nil for that of the scan's own range.
    var identity: Identity?

    init(_ range: TimeBuckets, names: [String]? = nil, filters: [Filter] = [], field: FieldPath? = nil) {
        (from, to) = (range.from, range.to)
        self.names = names
        self.filters = filters
        self.field = field
    }

    /// The cohorts that filters name.
    var cohorts: [NamedCohort] {
        (filters + tests.flatMap(\.filters)).flatMap { if case .cohorts(let cohorts) = $0.path { cohorts } else { [] as [NamedCohort] } }
    }

    /// The names of the user properties that are read.
    var properties: Set<ExactText> {
        let ofCohorts = cohorts.flatMap { $0.definition?.filters ?? [] }
        let paths = (filters + tests.flatMap(\.filters) + ofCohorts).map(\.path) + (field?.fields ?? [])
        return Set(paths.compactMap { if case .user(let name) = $0 { ExactText(name) } else { nil } })
    }
}

/// A condition on events: a name and filters.
struct EventTest: Sendable {
    /// The event names; nil for any.
    var names: [String]?
    var filters: [Filter] = []
}
