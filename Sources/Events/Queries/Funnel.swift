// SPDX-License-Identifier: Apache-2.0

package import Platform

/// A funnel: how many users completed a sequence of steps.
package struct FunnelQuery: Sendable {
    package struct Step: Sendable, Equatable {
        package var event: String
        package var filters: [Filter]
    }

    package enum Order: String, CaseIterable, Sendable {
        /// Other events may occur between two steps.
        case ordered
        /// The user's next event must be the next step.
        case strict
    }

    package var steps: [Step]
    package var window: Timestamp.Span
    package var order: Order
    package var range: QueryRange
    /// The field of the event that began a person's attempt.
    package var breakdown: FieldPath?
    /// The number of values of the breakdown.
    package var limit: Int

    package static let stepsLimit = 20
    package static let fields: [QueryField] = [
        QueryField(
            "steps", .steps, "From 2 to \(stepsLimit) steps: event names with conditions after semicolons, such as purchase;params.n>=3"),
        QueryField("window", .span, default: "1d", "The time limit from the first to the last step, at most 366d."),
        QueryField("order", .choice(Order.allCases.map(\.rawValue)), default: "ordered", "Whether other events may occur between two steps."),
        .from, .to, .tz,
        QueryField(
            "breakdown", .paths,
            "Also a funnel for each value of this field of the first step's event; repeat it for combinations of up to three fields."),
        QueryField("limit", .number(1...100), default: "10", "With a breakdown, the number of values; the others are combined."),
    ]

    package init(_ parameters: QueryParameters) throws(Refusal) {
        let texts = parameters.every("steps")
        guard (2...FunnelQuery.stepsLimit).contains(texts.count) else {
            throw Refusal(
                .invalid, "A funnel has 2 to \(FunnelQuery.stepsLimit) steps, not \(texts.count).",
                fields: [.init("steps", "count", "must have 2 to \(FunnelQuery.stepsLimit) entries")])
        }
        var steps: [Step] = []
        for text in texts {
            let step = try Step(text)
            steps.append(Step(event: step.event, filters: try parameters.resolved(step.filters, parameter: "steps")))
        }
        self.steps = steps
        window = try parameters.span("window", default: .days(1), atMost: .days(366))
        order = try parameters.choice("order", default: .ordered)
        range = try QueryRange(whole: parameters)
        breakdown = try parameters.breakdown()
        limit = try parameters.number("limit", 1...100, default: 10)
        if breakdown?.fields.contains(where: \.isOfItems) == true { throw .field("breakdown", "items", "cannot be a field of items") }
    }
}

extension FunnelQuery.Step {
    private static let separator = UInt8(ascii: ";")

    /// Returns the text of a step from its parts. A semicolon inside a part is doubled.
    package static func text(_ parts: [String]) -> String {
        parts.map { part in
            String(decoding: part.utf8.flatMap { $0 == separator ? [separator, separator] : [$0] }, as: UTF8.self)
        }.joined(separator: ";")
    }

    /// Reads `EVENT` or `EVENT;FILTER;FILTER`.
    ///
    ///     purchase;context.platform=ios  →  event `purchase`, filter `context.platform=ios`
    init(_ text: String) throws(Refusal) {
        guard text.utf8.count <= 250_000 else { throw .field("steps", "too_long", "must each have at most 250000 bytes") }
        var bytes: [[UInt8]] = [[]]
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == FunnelQuery.Step.separator, rest.first != byte {
                bytes.append([])
            } else {
                if byte == FunnelQuery.Step.separator { rest.removeFirst() }
                bytes[bytes.count - 1].append(byte)
            }
        }
        var parts = bytes.map { String(decoding: $0, as: UTF8.self) }
        let event = parts.removeFirst()
        guard !event.isEmpty, event.utf8.count <= 1_000 else { throw .field("steps", "bad_name", "must each begin with an event name") }
        self.event = event
        filters = try Filter.all(parts, parameter: "steps")
    }
}

package struct FunnelResult: Codable, Sendable, Equatable {
    package struct Step: Codable, Sendable, Equatable {
        package var event: String
        package var people: Int
        /// The conversion rate from the first step; `stepShare` is the rate from the step before.
        package var share: Double
        package var stepShare: Double
        /// The median time from the previous step; nil for the first step.
        package var medianSeconds: Double?

        package init(event: String, people: Int, first: Int, previous: Int, medianSeconds: Double?) {
            (self.event, self.people, self.medianSeconds) = (event, people, medianSeconds)
            share = first == 0 ? 0 : rounded(Double(people) / Double(first))
            stepShare = previous == 0 ? 0 : rounded(Double(people) / Double(previous))
        }
    }

    /// The funnel of those who began it with one value of the breakdown.
    package struct Part: Codable, Sendable, Equatable {
        /// The value; a label of `values` if there are several fields.
        package var name: String
        /// The values of several fields.
        package var values: [String]?
        package var steps: [Step]
        package var medianSeconds: Double?

        package init(name: String, values: [String]?, steps: [Step], medianSeconds: Double?) {
            (self.name, self.values, self.steps, self.medianSeconds) = (name, values, steps, medianSeconds)
        }
    }

    package var steps: [Step]
    /// The median time from the first to the last step.
    package var medianSeconds: Double?
    /// The values with the most people in the first step, and `(other)` for the rest; nil without a breakdown.
    package var breakdown: [Part]?

    package init(steps: [Step], medianSeconds: Double?, breakdown: [Part]? = nil) {
        (self.steps, self.medianSeconds, self.breakdown) = (steps, medianSeconds, breakdown)
    }
}
