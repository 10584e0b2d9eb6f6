// SPDX-License-Identifier: Apache-2.0

/// A number over the documents of a result.
package enum Aggregate: Hashable, Sendable {
    case count(upTo: Int?)
    case sum(FieldPath)
    case average(FieldPath)
    case minimum(FieldPath)
    case maximum(FieldPath)

    /// The field of the values; nil for a count.
    package var field: FieldPath? {
        switch self {
        case .count: nil
        case .sum(let field), .average(let field), .minimum(let field), .maximum(let field): field
        }
    }
}

/// The state of an aggregate while documents are added.
package struct AggregateState: Sendable {
    private let aggregate: Aggregate
    private var count = 0
    private var integers: (high: Int64, low: UInt64) = (0, 0)
    private var doubles = 0.0
    private var hasDouble = false
    private var extreme: DocumentValue?

    package init(_ aggregate: Aggregate) {
        self.aggregate = aggregate
    }

    package mutating func add(_ document: some QueriedDocument) {
        switch aggregate {
        case .count: count += 1
        case .sum(let field), .average(let field): if let value = document.value(at: field) { add(number: value) }
        case .minimum(let field): choose(document.value(at: field), if: .before)
        case .maximum(let field): choose(document.value(at: field), if: .after)
        }
    }

    /// Adds to a sum of integers of 128 bits, or of doubles.
    private mutating func add(number value: DocumentValue) {
        switch value {
        case .integer(let number):
            let (low, overflow) = integers.low.addingReportingOverflow(UInt64(bitPattern: number))
            integers = (integers.high &+ (number < 0 ? -1 : 0) &+ (overflow ? 1 : 0), low)
        case .double(let number): (doubles, hasDouble) = (doubles + number, true)
        default: return
        }
        count += 1
    }

    private mutating func choose(_ value: DocumentValue?, if ordering: Ordering) {
        guard let value else { return }
        guard let extreme else { return self.extreme = value }
        if value.order(extreme) == ordering { self.extreme = value }
    }

    /// A sum stays an integer while it fits and all numbers are integers. The average of no number is null.
    package var result: DocumentValue {
        switch aggregate {
        case .count(let limit): .integer(Int64(min(count, limit ?? .max)))
        case .sum: hasDouble ? .double(integerSum + doubles) : exactSum.map(DocumentValue.integer) ?? .double(integerSum)
        case .average: count == 0 ? .null : .double((integerSum + doubles) / Double(count))
        case .minimum, .maximum: extreme ?? .null
        }
    }

    private var exactSum: Int64? {
        let low = Int64(bitPattern: integers.low)
        return integers.high == (low < 0 ? -1 : 0) ? low : nil
    }

    /// The sum of the integers. One that fits is exact before it is rounded: the parts of -1 are each beyond 2^53.
    private var integerSum: Double { exactSum.map { Double($0) } ?? Double(integers.high) * 0x1p64 + Double(integers.low) }
}
