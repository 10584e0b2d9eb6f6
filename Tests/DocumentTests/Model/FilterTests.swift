// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel
import Testing

/// Comparisons and transforms with values that random programs seldom have. The emulator was asked each of these.
@Suite struct FilterTests {
    private static let one = DocumentValue.integer(1)
    private static let notANumber = DocumentValue.double(.nan)

    private static let holding: [(DocumentValue, Comparison, DocumentValue)] = [
        (one, .equal, .double(1)), (one, .less, .double(1.5)), (one, .atMost, .double(1)), (one, .unequal, .text("1")),
        (notANumber, .unequal, notANumber), (notANumber, .notIn, .array([notANumber])), (one, .unequal, notANumber),
        (.array([one]), .contains, .double(1)), (.array([one, .null]), .containsAny, .array([.null, one])), (one, .isIn, .array([.null, one])),
        (.text("b"), .greater, .text("a")), (.bool(true), .greater, .bool(false)),
    ]
    private static let failing: [(DocumentValue, Comparison, DocumentValue)] = [
        (.null, .equal, .null), (.null, .unequal, one), (one, .unequal, .null), (.null, .atMost, .null), (.null, .notIn, .array([one])),
        (one, .notIn, .array([.null])), (.null, .isIn, .array([.null])), (.array([.null]), .contains, .null), (notANumber, .equal, notANumber),
        (notANumber, .atMost, notANumber), (notANumber, .less, one), (notANumber, .isIn, .array([notANumber])), (one, .less, .text("a")),
        (one, .contains, one), (.array([notANumber]), .contains, notANumber), (one, .unequal, .double(1)),
    ]

    @Test(arguments: holding) func `a comparison holds`(value: DocumentValue, comparison: Comparison, operand: DocumentValue) {
        #expect(comparison.holds(value, operand))
    }

    @Test(arguments: failing) func `a comparison does not hold`(value: DocumentValue, comparison: Comparison, operand: DocumentValue) {
        #expect(!comparison.holds(value, operand))
    }

    /// A condition that holds for no value asks for no field: the other branch of `or` finds documents without it.
    @Test(arguments: [
        (Comparison.less, DocumentValue.null), (.atLeast, .null), (.greater, .double(.nan)), (.atMost, .double(.nan)), (.unequal, .null),
    ])
    func `a condition that never holds orders nothing`(comparison: Comparison, operand: DocumentValue) throws {
        let (a, b) = (try #require(FieldPath("a")), try #require(FieldPath("b")))
        var query = DocumentQuery(collection: PathSegment("c"))
        query.filter = .or([.compare(a, comparison, operand), .compare(b, .equal, Self.one)])
        #expect(query.completeOrders == [.init(.name)])
        let document = RecordedDocument(path: try #require(DocumentPath("c/d")), fields: OrderTests.fields([("b", Self.one)]))
        #expect(query.matches(document))
    }

    private static let transforms: [(DocumentValue?, FieldTransform, DocumentValue)] = [
        (nil, .increment(one), one), (.text("a"), .increment(one), one), (one, .increment(.double(0.5)), .double(1.5)),
        (.integer(.max), .increment(one), .integer(.max)), (.integer(.min), .increment(.integer(-1)), .integer(.min)),
        (one, .maximum(.double(1)), one), (.double(1), .maximum(one), .double(1)), (one, .maximum(.double(2)), .double(2)),
        (one, .minimum(.double(0)), .double(0)), (one, .maximum(notANumber), notANumber), (notANumber, .maximum(one), notANumber),
        (notANumber, .minimum(one), notANumber), (one, .minimum(notANumber), notANumber), (.text("a"), .maximum(one), one), (nil, .minimum(one), one),
        (one, .union([one, .double(1), .null]), .array([one, .null])), (.array([one]), .union([.double(1)]), .array([one])),
        (.array([one, .null, .double(1)]), .remove([.double(1)]), .array([.null])), (nil, .remove([one]), .array([])),
    ]

    @Test(arguments: transforms) func `a transform makes a value`(old: DocumentValue?, transform: FieldTransform, new: DocumentValue) {
        #expect("\(transform.apply(to: old, at: .epoch))" == "\(new)")
    }

    @Test func `the time of the commit is cut to milliseconds`() {
        #expect(FieldTransform.now.apply(to: nil, at: OrderTests.time(-1)) == .time(OrderTests.time(-1_000)))
        #expect(FieldTransform.now.apply(to: nil, at: OrderTests.time(1_999)) == .time(OrderTests.time(1_000)))
    }

    @Test func `aggregates are exact for integers, and doubles otherwise`() throws {
        let field = try #require(FieldPath("a"))
        func result(_ aggregate: Aggregate, _ values: [DocumentValue]) throws -> DocumentValue {
            var state = AggregateState(aggregate)
            let path = try #require(DocumentPath("c/d"))
            for value in values { state.add(RecordedDocument(path: path, fields: OrderTests.fields([("a", value)]))) }
            return state.result
        }
        #expect(try result(.sum(field), []) == .integer(0))
        #expect(try result(.sum(field), [.integer(.max), .integer(1), .integer(-1)]) == .integer(.max))
        #expect(try result(.sum(field), [.integer(.max), .integer(1)]) == .double(0x1p63))
        #expect(try result(.sum(field), [.integer(.min), .integer(-1)]) == .double(-0x1p63))
        #expect(try result(.sum(field), [Self.one, .double(0.5), .text("x")]) == .double(1.5))
        #expect(try result(.average(field), [.text("x")]) == .null)
        #expect(try result(.average(field), [Self.one, .integer(2)]) == .double(1.5))
        #expect(try result(.count(upTo: 1), [Self.one, Self.one]) == .integer(1))
        #expect(try result(.minimum(field), [.text("x"), Self.one]) == Self.one)
        #expect(try result(.maximum(field), [.text("x"), Self.one]) == .text("x"))
    }
}
