// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
package import Events
package import Platform
package import SQLite

/// A selection of a file's events, and of their columns.
///
/// The purchases of an hour, with a value for a breakdown and one test:
///
///     var request = EventRequest(app, [.time, .keys], where: EventCondition.times(start, end) + [.names([purchase])])
///     request.field = .param("plan")
///     request.tests = [.init(names: nil, filters: [amountOver10])]
package struct EventRequest: Sendable {
    package var app: AppID
    package var columns: EventColumns
    package var conditions: [EventCondition]
    package var order = Order.any
    /// The conditions on fields that an event must meet. They are evaluated in memory, after `conditions`.
    package var filters: [Filter] = []
    /// The field whose value is returned with each event.
    package var field: FieldPath?
    /// The parameter whose number is returned with each event.
    package var number: String?
    /// The tests evaluated for each event, at most 32. A passed test sets the bit of its index.
    package var tests: [Test] = []
    /// Returns a user property of a user or an installation; nil if no field is a user property.
    package var property: (@Sendable (_ name: String, _ user: UInt64, _ installation: UInt64) -> [UInt8]?)?
    /// Returns whether a person is in one of some cohorts; nil if no field is of cohorts.
    package var isMember: (@Sendable (_ cohorts: [NamedCohort], _ user: UInt64, _ installation: UInt64) -> Bool)?
    /// The size of the first batch. Later ones grow fourfold up to `EventBatch.capacity`.
    package var firstBatch = EventBatch.capacity

    package enum Order: Sendable {
        case any, ascending, descending
    }

    /// A condition on a name, by key, and on fields.
    package struct Test: Sendable {
        /// The keys of event names; nil for any.
        package var names: [UInt64]?
        package var filters: [Filter]

        package init(names: [UInt64]?, filters: [Filter]) {
            self.names = names
            self.filters = filters
        }
    }

    package init(_ app: AppID, _ columns: EventColumns, where conditions: [EventCondition] = []) {
        self.app = app
        self.columns = columns
        self.conditions = conditions
    }

    /// The columns that are read: those returned and those that names and fields are evaluated from.
    var columnsRead: EventColumns {
        paths.reduce(tests.isEmpty ? columns : columns.union(.name)) { $0.union($1.columns) }
    }

    /// All fields that are evaluated.
    var paths: [FieldPath] {
        (filters + tests.flatMap(\.filters)).map(\.path) + (field?.fields ?? []) + (number.map { [FieldPath.param($0)] } ?? [])
    }

    /// Whether only purchases and refunds are read.
    var isOfSales: Bool {
        conditions.contains { condition in
            switch condition {
            case .isSale, .transaction: true
            default: false
            }
        }
    }

    /// The keys of the names that are read, those of all conditions on names; nil for all names.
    var names: Set<UInt64>? {
        conditions.reduce(nil) { names, condition in
            guard case .names(let keys) = condition else { return names }
            return names?.intersection(keys) ?? Set(keys)
        }
    }
}

extension FieldPath {
    /// The columns from which the field is evaluated.
    fileprivate var columns: EventColumns {
        switch self {
        case .name: .name
        case .context: .context
        case .param, .item: .params
        case .several(let fields): fields.reduce([]) { $0.union($1.columns) }
        case .user, .cohorts: [.user, .installation]
        }
    }
}

/// The columns of a batch.
package struct EventColumns: OptionSet, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    package static let seq = EventColumns(rawValue: 1)
    package static let name = EventColumns(rawValue: 2)
    package static let time = EventColumns(rawValue: 4)
    package static let received = EventColumns(rawValue: 8)
    package static let user = EventColumns(rawValue: 16)
    package static let installation = EventColumns(rawValue: 32)
    package static let session = EventColumns(rawValue: 64)
    package static let context = EventColumns(rawValue: 128)
    package static let flags = EventColumns(rawValue: 256)
    package static let id = EventColumns(rawValue: 512)
    package static let params = EventColumns(rawValue: 1_024)
    package static let purchase = EventColumns(rawValue: 2_048)

    package static let keys: EventColumns = [.user, .installation, .session]
}

/// A condition that a source evaluates itself, by statistics, an index or dictionaries where it can.
package enum EventCondition: Sendable {
    case seq(TableBound.Comparison, Value)
    case time(TableBound.Comparison, Value)
    case received(TableBound.Comparison, Value)
    /// One of these numbers.
    case seqs([Int64])
    /// One of the names with these keys.
    case names([UInt64])
    case user(UInt64)
    case installation(UInt64)
    case sessions(Set<UInt64>)
    case person(PersonKeys)
    /// Both a user and an installation.
    case isNamed
    /// A purchase or refund with an amount.
    case isSale
    /// A purchase or refund of the transaction with this key.
    case transaction(UInt64)

    /// An event time in a range, the end excluded.
    package static func times(_ from: Timestamp?, _ to: Timestamp?) -> [EventCondition] {
        [
            from.map { .time(.greaterOrEqual, .integer($0.milliseconds)) },
            to.map { .time(.less, .integer($0.milliseconds)) },
        ].compactMap(\.self)
    }

    /// All numbers greater than this one.
    package static func after(_ seq: Int64) -> EventCondition { .seq(.greater, .integer(seq)) }

    /// All numbers less than this one.
    package static func before(_ seq: Int64) -> EventCondition { .seq(.less, .integer(seq)) }
}
