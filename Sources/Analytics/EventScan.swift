// SPDX-License-Identifier: Apache-2.0

import Events
import Platform

/// The events of an app in a range of time, read from the rows themselves.
struct EventScan: Sendable {
    var from: Timestamp
    var to: Timestamp
    /// The files that are read; nil for all that have something of the time.
    var days: Set<Day>?
    /// Nil for events of any name.
    var names: [String]?
    var filters: [Filter] = []
    /// The field whose value each row shall come with.
    var field: FieldPath?
    /// Only purchases and refunds that are money, and with it.
    var withMoney = false
    /// What each event is tried on; it comes with a bit for each test that it passes.
    var tests: [EventTest] = []
    /// Who is who, where people's properties are asked about and not the scan's own range is the period.
    var identity: Identity?

    init(_ range: TimeBuckets, names: [String]? = nil, filters: [Filter] = [], field: FieldPath? = nil, withMoney: Bool = false) {
        (from, to) = (range.from, range.to)
        self.names = names
        self.filters = filters
        self.field = field
        self.withMoney = withMoney
    }

    /// Every field that is looked at.
    var paths: [FieldPath] {
        (filters + tests.flatMap(\.filters)).map(\.path) + [field].compactMap(\.self)
    }

    /// Whether the rows' parameters must be read.
    var needsParams: Bool {
        paths.contains { if case .param = $0 { true } else { false } }
    }

    /// The properties of people that are asked about.
    var properties: Set<ExactText> {
        Set(paths.compactMap { if case .user(let name) = $0 { ExactText(name) } else { nil } })
    }
}

/// What an event may be asked to be.
struct EventTest: Sendable {
    /// Nil for an event of any name.
    var names: [String]?
    var filters: [Filter] = []
}

/// One event as a question sees it.
package struct ScannedEvent {
    var time: Int64
    /// The word behind the name, in the file it comes from.
    var name: Int64
    var user: UInt64
    var installation: UInt64
    var session: UInt64
    /// What the scan's field holds, if anything.
    var value: [UInt8]?
    var money: Money?
    /// A bit for each of the scan's tests.
    var passed: UInt32 = 0

    package init(
        time: Int64, name: Int64, user: UInt64, installation: UInt64, session: UInt64, value: [UInt8]?, money: Money? = nil, passed: UInt32 = 0
    ) {
        self.time = time
        self.name = name
        self.user = user
        self.installation = installation
        self.session = session
        self.value = value
        self.money = money
        self.passed = passed
    }

    package struct Money {
        var isRefund: Bool
        var amount: Int64
        var currency: Int64
    }
}
