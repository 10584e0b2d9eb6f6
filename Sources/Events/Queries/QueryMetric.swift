// SPDX-License-Identifier: Apache-2.0

import Platform

/// The quantity that a series or ranking counts or computes.
package enum QueryMetric: Hashable, Sendable {
    case events, users, sessions, screenViews, purchases, revenue
    /// Units of sold items, net of refunds.
    case quantity
    /// Fatal crashes, which are not events.
    case crashes
    case number(NumberMetric)

    /// The metrics without a parameter.
    package static let counted: [QueryMetric] = [.events, .users, .sessions, .screenViews, .purchases, .revenue, .quantity, .crashes]
    package static let words = counted.map(\.text)

    /// Reads `users` or `p95(params.load_ms)`; nil for anything else.
    package init?(_ text: String) {
        if let metric = QueryMetric.counted.first(where: { $0.text == text }) {
            self = metric
        } else if let metric = NumberMetric(text) {
            self = .number(metric)
        } else {
            return nil
        }
    }

    package var text: String {
        switch self {
        case .events: "events"
        case .users: "users"
        case .sessions: "sessions"
        case .screenViews: "screen_views"
        case .purchases: "purchases"
        case .revenue: "revenue"
        case .quantity: "quantity"
        case .crashes: "crashes"
        case .number(let metric): metric.text
        }
    }

    /// The events that the metric counts if no name is given; nil for all.
    package var eventNames: [String]? {
        switch self {
        case .events, .users, .sessions, .crashes, .number: nil
        case .screenViews: [EventKind.screenView.name]
        case .purchases: [EventKind.purchase.name, EventKind.inAppPurchase.name]
        case .revenue, .quantity: [EventKind.purchase.name, EventKind.inAppPurchase.name, EventKind.refund.name]
        }
    }

    /// Throws a refusal if the field is one of `items` and the metric does not count items.
    func require(_ field: FieldPath?, named parameter: String) throws(Refusal) {
        guard let field, field.fields.contains(where: \.isOfItems) else { return }
        guard field.isOfItems else { throw .field(parameter, "items", "cannot combine a field of items with other fields") }
        guard self == .revenue || self == .quantity else {
            throw .field(parameter, "items", "is a field of items, which only metric=revenue and metric=quantity count")
        }
    }
}

/// A figure over the numbers of a parameter: `p95(params.load_ms)`.
package struct NumberMetric: Hashable, Sendable {
    package enum Function: String, CaseIterable, Sendable {
        case sum, avg, min, max, p50, p90, p95, p99

        /// The share of numbers that a percentile is not less than; nil for other functions.
        package var percent: Int? {
            switch self {
            case .sum, .avg, .min, .max: nil
            case .p50: 50
            case .p90: 90
            case .p95: 95
            case .p99: 99
            }
        }
    }

    package let function: Function
    package let parameter: String

    package static let form = Function.allCases.map(\.rawValue).joined(separator: "|") + "(params.…)"
    /// The greatest magnitude that counts as a number, so that sums stay finite.
    package static let limit = 1e300

    package init(_ function: Function, of parameter: String) {
        (self.function, self.parameter) = (function, parameter)
    }

    /// Reads `FUNCTION(params.NAME)`; nil for anything else. The last parenthesis closes, so names may have some.
    ///
    ///     sum(params.score)     →  function `sum`, parameter `score`
    ///     max(params.a(b))      →  function `max`, parameter `a(b)`
    package init?(_ text: String) {
        let bytes = text.utf8
        guard let open = bytes.firstIndex(of: UInt8(ascii: "(")), bytes.last == UInt8(ascii: ")"),
            let function = Function(rawValue: String(decoding: bytes[..<open], as: UTF8.self)),
            case .param(let parameter)? = try? FieldPath(String(decoding: bytes[open...].dropFirst().dropLast(), as: UTF8.self), parameter: "metric")
        else { return nil }
        self.init(function, of: parameter)
    }

    package var text: String { "\(function.rawValue)(params.\(parameter))" }

    /// Returns the number of a parameter's text; nil if it is none. As in filters, the text of a decimal number counts as that number.
    package static func number(_ text: [UInt8]) -> Double? {
        guard let number = Filter.number(text), abs(number) <= limit else { return nil }
        // Zero has one sign, so equal numbers have equal bits.
        return number + 0
    }
}

extension QueryParameters {
    func metric() throws(Refusal) -> QueryMetric {
        guard let text = try one("metric") else { return .events }
        guard let metric = QueryMetric(text) else {
            throw .field("metric", "unknown", "must be one of \(QueryMetric.words.joined(separator: ", ")), or \(NumberMetric.form)")
        }
        return metric
    }
}
